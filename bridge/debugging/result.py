"""What `debug` finds: statements that are probably wrong, a repair, and what shows the fault."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.common import WARNINGS, Extended, Json, Key, how_ended, plural, public, short
from bridge.debugging.search import Step
from bridge.errors import Place
from bridge.limits import LimitName
from bridge.linting.findings import Finding


@public("bridge")
@dataclass(frozen=True, slots=True)
class Repair(Json):
    """A change of a program by which it does what is expected.

    Attributes
    ----------
    text
        The whole program with it.
    steps
        The statements that it changes.
    proved_by
        What it was checked on, in words.
    diff
        The change as a unified diff, without context.
    """

    text: str
    steps: tuple[Step, ...]
    proved_by: str
    diff: str

    __repr__ = short

    _json = ("text", "changes=steps diff proved_by")


@public("bridge")
@dataclass(frozen=True, slots=True)
class Suspect(Json):
    """A statement that is probably wrong.

    Attributes
    ----------
    place
        Where it begins.
    text
        The statement, as its author wrote it.
    part
        The part of it that the repair changes; empty where something is added, or none is known.
    at
        Where in `text` the part begins.
    sentence
        Why it is suspected.
    repair
        A change by which the program does what is expected; None where none was found.
    """

    place: Place
    text: str
    part: str
    at: int
    sentence: str
    repair: Repair | None = None

    __repr__ = short

    _json = ("place text part sentence repair",)


_SUSPECT = Extended("Suspect", "A statement that is probably wrong.", (Suspect,), {"instance": str | None})


@public("bridge")
@dataclass(frozen=True, slots=True)
class Debugging(Json):
    """The result of `debug`.

    Attributes
    ----------
    suspects
        The statements that are probably wrong, the likeliest first, at most three.
    right
        Whether the program does what is expected: there is nothing to repair.
    instance
        The smallest instance of those given that shows the fault; None where there is none.
    surplus, missing
        An answer of the program on it that is not meant, and one that is meant and missing.
    proved_by
        What the program was held against.
    complete
        Whether all changes of one statement were tried.
    limit
        The limit that came first.
    tried
        The number of variants that were tried.
    notes
        Remarks.
    lint
        What is certainly wrong in the program by its text alone.
    warnings
        What clingo warns of on every instance: the facts of one alone may be few.
    passed, cases
        On how many of the instances, or of the tests, the program does what is expected; None where that is not known.
    refused
        Why clingo refuses the program; None where it takes it.
    endless
        The first instance on which the program does not end in its time; None where it ends on all of them.
    because
        How an unwanted atom is derived, or what a missing one would need that nothing derives, in lines.
    """

    suspects: tuple[Suspect, ...]
    right: bool
    instance: str | None
    surplus: tuple[str, ...] | None
    missing: tuple[str, ...] | None
    proved_by: str
    complete: bool
    limit: LimitName | None = None
    tried: int = 0
    notes: tuple[str, ...] = ()
    lint: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    passed: int | None = None
    cases: int = 0
    refused: str | None = None
    endless: str | None = None
    because: tuple[str, ...] = ()

    __repr__ = short

    @property
    def repair(self) -> Repair | None:
        """The likeliest repair."""
        return next((one.repair for one in self.suspects if one.repair is not None), None)

    _json = (
        "right",
        Key(
            "suspects",
            list[_SUSPECT],  # type: ignore[valid-type]
            lambda self: [{**one.to_json(), "instance": self.instance} for one in self.suspects],
        ),
        "instance surplus missing proved_by complete limit tried notes lint passed cases refused endless because",
        WARNINGS,
    )

    def __str__(self) -> str:
        return self.text()

    def text(self, *, hint: bool = False, verbose: bool = False, cause: bool = True) -> str:
        """The result as people read it; with `hint` the lines only, without a repair; with the cause, or without it."""
        if self.right:
            return f"nothing is wrong with the program, as far as can be seen: it {self.proved_by}"
        lines = [f"{one.place}: {one.level}: {one.sentence if hint else one} [{one.id}]" for one in self.lint]
        lines += [""] if lines else []
        lines += [*self.because, ""] if self.because and cause and not hint else []
        shown: list[Repair] = []
        for suspect in self.suspects:
            lines += [*_suspect_lines(suspect, hint), ""]
            if suspect.repair is not None and not hint and all(suspect.repair is not one for one in shown):
                shown.append(suspect.repair)
                lines += [f"  a repair: {suspect.repair.proved_by}"]
                lines += [f"    {line}" for line in suspect.repair.diff.split("\n")]
                lines.append("")
        if not self.suspects and not self.lint:
            lines += ["no statement could be named", ""]
        lines += self._difference()
        if not hint and self.repair is None and self.suspects and not self.lint:
            lines.append("no repair of a few small changes was found")
        if self.limit is not None:
            lines.append(how_ended(self.limit))
        if verbose:
            lines.append(f"{plural(self.tried, 'variant')} tried")
        lines += [f"note: {note}" for note in self.notes if verbose or not hint]
        return "\n".join(lines).rstrip("\n")

    def _difference(self) -> list[str]:
        if self.instance is None or (self.surplus is None and self.missing is None):
            return []
        found = [f"  on the instance: {self.instance}"]
        if self.surplus is not None:
            found.append(f"  an answer that is not meant: {' '.join(self.surplus) or '(no atom)'}")
        if self.missing is not None:
            found.append(f"  an answer that is missing: {' '.join(self.missing) or '(no atom)'}")
        return [*found, ""]


def _suspect_lines(suspect: Suspect, hint: bool) -> list[str]:
    lines = [f"{suspect.place}: {suspect.sentence}"]
    for number, line in enumerate(suspect.text.split("\n")):
        lines.append(f"    {line}")
        begin = suspect.at - sum(len(one) + 1 for one in suspect.text.split("\n")[:number])
        if suspect.text and 0 <= begin <= len(line) and not hint:
            width = max(min(len(suspect.part.split("\n")[0]), len(line) - begin), 1)
            lines.append(f"    {' ' * begin}^{'~' * (width - 1)}")
    return lines
