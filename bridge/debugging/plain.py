"""What is expected of a program, checked on the program as it is run: the last word on a repair.

No literal of a ground program and no assumption is looked at: what is asked for is written beside the program, as
constraints, and the atoms are those of clingo's answer sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import clingo

from bridge.debugging.judging import Answer, Literals, PackedCase

#: What names a whole answer, beside the program.
_GIVEN = "__given"


class Plain:
    """A program on a case: each question is a call of clingo."""

    interrupted = False  # a limit ends the process
    lookups = 30
    whole = 4_000

    def __init__(self, text: str, case: PackedCase) -> None:
        self._text, self._case = text, case

    def _solved(self, more: str, most: int) -> dict[Answer, list[int]]:
        """So many answers with further statements, each with its cost."""
        mode = "--opt-mode=optN" if self._case.optimal else "--opt-mode=ignore"
        options = ["0", mode, "--project=project", *self._case.options]
        control = clingo.Control(options, logger=lambda code, text: None)
        control.add("base", [], f"{self._case.projected(self._text)}{more}")
        control.ground([("base", [])])
        found: dict[Answer, list[int]] = {}
        with control.solve(yield_=True) as handle:
            for model in handle:
                if self._case.optimal and model.cost and not model.optimality_proven:
                    continue
                atoms = (one for one in model.symbols(atoms=True) if _signature(one) in self._case.show)
                found.setdefault(frozenset(atoms), model.cost)
                if len(found) == most:
                    break
        return found

    def answers(self, most: int) -> set[Answer]:
        return set(self._solved("", most))

    def cost(self) -> list[int] | None:
        return next(iter(self._solved("", 1).values()), None)

    def has(self, answer: Answer) -> bool:
        others = [f"{_GIVEN}({symbol})." for symbol in answer] + [f"#defined {_GIVEN}/1."]
        for name, arity, positive in self._case.show:
            inner = f"({','.join(f'X{number}' for number in range(arity))})" if arity else ""
            atom = f"{'' if positive else '-'}{name}{inner}"
            others.append(f":- {atom}, not {_GIVEN}({atom}).")
        return self._some("\n".join([*(f":- not {symbol}." for symbol in answer), *others]))

    def some(self, literals: Literals) -> bool:
        return self._some("\n".join(f":- {'not ' if holds else ''}{symbol}." for symbol, holds in literals))

    def _some(self, more: str) -> bool:
        cost = next(iter(self._solved(more, 1).values()), None)
        return cost is not None and (not self._case.optimal or cost == self.cost())


def _signature(symbol: clingo.Symbol) -> tuple[str, int, bool]:
    return symbol.name, len(symbol.arguments), symbol.positive


def held(text: str, cases: Sequence[Mapping[str, Any]]) -> tuple[bool, bool]:
    """Whether what is expected holds of a program on some cases, packed; and whether all answers were looked at."""
    sure = True
    for given in cases:
        try:
            case = PackedCase(given, Plain)
            found = case.judged(Plain(text, case))
        except RuntimeError:  # clingo refuses it
            return False, True
        if not found.ok:
            return False, True
        sure = sure and found.sure
    return True, sure
