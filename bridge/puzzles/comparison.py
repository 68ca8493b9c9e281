"""Puzzles and engines for `bridge.comparison`: a puzzle is an instance, an engine a contender."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bridge.asp.reading import Signature
from bridge.comparison import Answer, Contender, Instance, Reason, value
from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Stream
from bridge.puzzles.engines import Engine
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid


def instance_of(of: Any) -> PuzzleInstance | None:
    """A puzzle as an instance; None for anything else."""
    return PuzzleInstance.of_puzzle(of) if isinstance(of, Puzzle) else None


def contender_of(of: Any) -> EngineContender | None:
    """An engine, or the engine of a name, as a contender; None for anything else."""
    if isinstance(of, str):
        of = engine_of(of)
    return EngineContender(of) if isinstance(of, Engine) else None


@dataclass(frozen=True, eq=False)
class PuzzleInstance(Instance):
    """A puzzle: the facts that its encoding takes, its constants, its rows. An answer is a grid."""

    puzzle: Puzzle = field(kw_only=True)

    shows: ClassVar[frozenset[Signature] | None] = frozenset({("cell", 3)})
    contenders: ClassVar[tuple[str, ...]] = ("asp", "clpfd", "mac+mrv")
    #: Two solutions, or a proof that there is only one.
    limits: ClassVar[Limits] = Limits(seconds=10, solutions=2)

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle) -> PuzzleInstance:
        forms = models(puzzle)
        facts = Instance.of_text(forms.stated()).facts
        return cls(facts, forms.asp().constants, size=len(puzzle.clues()), puzzle=puzzle)

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self.puzzle.kind

    @property
    def rows(self) -> list[list[Any]]:  # type: ignore[override]
        return [list(row) for row in self.puzzle.grid]

    @property
    def text(self) -> str:
        """The facts, with the constants of the puzzle's encoding."""
        return models(self.puzzle).facts()

    @property
    def program_constants(self) -> Mapping[str, str]:
        return {}  # they are in the text

    @property
    def inputs(self) -> dict[str, str]:
        return {**super().inputs, "Rows": self._rows_text(self.puzzle)}

    def answer(self, atoms: Answer) -> Any:
        """The grid that an answer says, where it gives every cell one value at most; otherwise the answer."""
        known = {str(each).lower(): each for each in self.puzzle.values() if each is not None}
        found: dict[Cell, Any] = {}
        for name, row in atoms:
            if name != "cell" or len(row) != 3 or (row[0], row[1]) in found:
                return atoms
            found[row[0], row[1]] = known.get(str(row[2]).lower(), row[2])
        return self.puzzle.solution(found)

    def atoms(self, answer: Any) -> Answer:
        """The atoms of an answer; of a grid, `cell(R,C,V)`."""
        if not _is_grid(answer):
            return super().atoms(answer)
        return frozenset(
            ("cell", (r, c, each))
            for r, row in enumerate(answer, 1)
            for c, each in enumerate(row, 1)
            if each is not None and each != "#"
        )

    def inputs_of(self, answer: Any) -> dict[str, str] | None:
        if not _is_grid(answer):
            return None
        values = {(r, c): answer[r - 1][c - 1] for r, c in self.puzzle.cells()}
        filled = self.puzzle.with_clues({cell: each for cell, each in values.items() if each is not None})
        return {"Rows": self._rows_text(filled)}

    def atoms_of_bindings(self, bindings: Mapping[str, Any]) -> Answer | None:
        if "Rows" not in bindings:
            return None
        form, rows = models(self.puzzle).clp(), bindings["Rows"]
        try:
            return frozenset(("cell", (r, c, value(form.value(rows[r - 1][c - 1])))) for r, c in self.puzzle.cells())
        except (IndexError, TypeError, KeyError):
            raise InputError("Rows are not bound to the rows of the puzzle", hint="label their variables") from None

    def drawn(self) -> str:
        return self.puzzle.draw()

    def _rows_text(self, puzzle: Puzzle) -> str:
        """The rows of a puzzle for Prolog, as the encodings take them."""
        rows = models(puzzle).clp().rows(puzzle, "#", lambda cell: "_")
        return f"[[{'],['.join(','.join(map(str, row)) for row in rows)}]]"


class EngineContender(Contender):
    """An engine, which solves puzzles."""

    only = "puzzles"

    def __init__(self, engine: Engine) -> None:
        self.engine, self.name = engine, engine.name

    def prepare(self, first: Instance, limits: Limits) -> None:
        """Solve the first instance, so that loading and grounding what is kept is not charged to its row."""
        if not isinstance(first, PuzzleInstance):
            hint = "a program is an .lp, a .pl with a goal, or a Python function module:function"
            raise UnsupportedError(f"the engine {self.name} solves puzzles, and this is not one", hint=hint)
        with suppress(BridgeError):  # its row says so
            self.engine.solutions(first.puzzle, Limits(min(limits.seconds or 1, 1), 1, limits.nodes)).collect()

    def answers(self, instance: Instance, limits: Limits) -> Stream[Grid]:
        assert isinstance(instance, PuzzleInstance)
        return self.engine.solutions(instance.puzzle, limits)

    def has(self, instance: Instance, answer: Any, limits: Limits) -> bool | None:
        """By the puzzle's own check, which every solution of an engine passes."""
        return _is_grid(answer) and isinstance(instance, PuzzleInstance) and not instance.puzzle.violations(answer)

    def why_not(self, instance: Instance, answer: Any, limits: Limits) -> Reason:
        if not (isinstance(instance, PuzzleInstance) and _is_grid(answer)):
            return Reason(note="the answer is not a grid of this puzzle")
        wrong = tuple(str(one.message) for one in instance.puzzle.violations(answer))
        return Reason(violations=wrong, note=None if wrong else "the answer breaks no rule of the puzzle")


def _is_grid(answer: Any) -> bool:
    return isinstance(answer, tuple)
