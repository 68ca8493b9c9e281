"""The tests of a Prolog program: its blocks of plunit.

They are run by plunit in a worker, each with what became of it; and they are read as goals, for what runs them on many
variants of the program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from bridge.common import is_path, read_source
from bridge.debugging.goal_edits import atoms
from bridge.errors import InputError, Place
from bridge.limits import UNLIMITED, Limits
from bridge.problem import PROLOG
from bridge.prolog import Atom, Session

_UNIT = re.compile(r"^[ \t]*:-\s*begin_tests\(.*?^[ \t]*:-\s*end_tests\(.*?\)\s*\.", re.MULTILINE | re.DOTALL)

#: What plunit has noted of a test; with `reason`, the lines that it would print. Nothing in it is in double quotes: a
#: program may have changed what they mean.
_RUN = """use_module(library(plunit)),
( plunit:run_tests(all, [jobs(1), cleanup(false), format(log), timeout({seconds}), summary(_)]) -> true ; true ),
findall([Kind, Unit, File, Name, Line, Why, Seconds],
        ( plunit:unit_file(Unit, File0), atom_string(File0, File),
          ( plunit:passed(Unit, Test, Line, Certain, Time), Kind = passed,
            ( Certain \\== true, plunit:current_test(Unit, Test, Line, _, Options), \\+ memberchk(nondet, Options)
            -> Why = 'it leaves a choice point: another answer may be looked for' ; Why = '' )
          ; plunit:failed(Unit, Test, Line, throw(time_limit_exceeded(_)), Time), Kind = undecided,
            Why = 'the limit on seconds came first'
          ; plunit:failed(Unit, Test, Line, Reason, Time), Reason \\= throw(time_limit_exceeded(_)), Kind = failed,
            phrase(plunit:failure(Reason), Lines),
            with_output_to(string(Why), print_message_lines(current_output, '', Lines))
          ; plunit:timeout(Unit, Test, Line, _, Time), Kind = undecided, Why = 'the limit on seconds came first'
          ; plunit:blocked(Unit, Test, Line, Reason), Kind = skipped, Time = 0, format(string(Why), '~w', [Reason])
          ),
          format(string(Name), '~w:~w', [Unit, Test]),
          ( is_dict(Time) -> Seconds is float(Time.wall) ; Seconds is float(Time) ) ),
        Found)"""


@dataclass(frozen=True, slots=True)
class UnitResult:
    """A test of plunit: its status as of `bridge.debugging.testing`, its name and place, and why it did not pass.

    Of one that passed, the reason says that it left a choice point, if it did and is not `nondet`.
    """

    status: str
    name: str
    place: Place
    reason: str | None
    seconds: float
    warnings: tuple[str, ...] = ()  #: What SWI-Prolog warned of in the files, while they were loaded.


def run_plunit(
    sources: Sequence[str | PathLike[str]],
    limits: Limits,
    *,
    changed: tuple[str, str] | None = None,
    each: float | None = None,
) -> list[UnitResult]:
    """Run the tests of Prolog files, and those of the `.plt` file beside each where no such file is named.

    Those of a `forall` count as one test. What plunit has under `fixme` is left out. `changed` is the path of a file
    and the text that it has here; `each` is seconds for one test, where these are fewer than for all.

    Raises ProgramError when a file has an error.
    """
    files = with_tests(sources)
    names = {str(Path(one).resolve()): str(one) for one in files if is_path(one)}
    loading = Limits(seconds=limits.seconds)
    found: dict[tuple[str, int], UnitResult] = {}
    if changed is not None:
        path, text = (str(one).replace("\\", "\\\\").replace('"', '\\"') for one in changed)
        splice = str(PROLOG / "lpbridge_splice.pl").replace("\\", "\\\\")
        files.insert(0, f':- use_module("{splice}", []).\n:- lpbridge_splice:splice("{path}", "{text}").\n')
    with Session(*files, strict=True, output="nowhere", limits=loading) as session:
        warnings = tuple(str(one) for one in session.warnings if one.kind == "warning")
        goal = _RUN.format(seconds=each or limits.seconds or 3600)
        for answer in session.query(goal, limits=UNLIMITED if each is None else loading).collect().solutions:
            for kind, _, file, name, line, why, seconds in answer["Found"]:
                place = Place(names.get(str(Path(file).resolve()), file), line)
                reason = " ".join(why.split()) or None
                result = UnitResult(kind, name, place, reason, seconds, warnings)
                if (name, line) not in found or kind != "passed":
                    found[name, line] = result
    return sorted(found.values(), key=lambda one: (one.place.file or "", one.place.line or 0))


def with_tests(sources: Sequence[str | PathLike[str]]) -> list[str | PathLike[str]]:
    """Prolog files, and the `.plt` file beside each where none is named."""
    files = list(sources)
    if not any(is_path(one) and fspath(one).endswith(".plt") for one in files):
        beside = [Path(one).with_suffix(".plt") for one in sources if is_path(one)]
        files += [one for one in beside if one.is_file() and one not in map(Path, filter(is_path, files))]
    return files


@dataclass(frozen=True, slots=True)
class UnitGoal:
    """A test as a goal that should succeed, or should not: as near to plunit as a goal comes."""

    name: str
    place: Place
    goal: str
    succeeds: bool


@dataclass(frozen=True)
class Suite:
    """The tests of a program: as goals, and as files for plunit.

    Attributes
    ----------
    files
        The program, of which the first one is in question, and the files of tests.
    goals
        The tests that are not blocked.
    others
        Clauses that stand beside the tests, and what their goals need.
    """

    files: tuple[str | PathLike[str], ...]
    goals: tuple[UnitGoal, ...]
    others: str

    def called(self) -> list[str]:
        """The predications of the tests, each on its own."""
        parts = (one.goal[atom.start : atom.end] for one in self.goals for atom in atoms(one.goal, 0, len(one.goal)))
        return list(dict.fromkeys(parts))

    def run(self, text: str, limits: Limits, each: float) -> list[UnitResult]:
        """Run the suite by plunit, with another text of the program in question; `each` is seconds for one test."""
        first, *more = self.files
        if is_path(first):
            return run_plunit(self.files, limits, changed=(str(Path(first).resolve()), text), each=each)
        return run_plunit([text, *more], limits, each=each)


def read_suite(sources: Sequence[str | PathLike[str]], tests: Sequence[str | PathLike[str]]) -> Suite | None:
    """The tests of a program: those of files that are named, else of files beside it and in it; None without any.

    Raises InputError where each block of tests is empty, or blocked; ProgramError when a file cannot be read.
    """
    files = [*sources, *tests] if tests else with_tests(sources)
    goals: list[UnitGoal] = []
    others = [":- set_prolog_flag(double_quotes, string)."]
    texts = [read_source(one) for one in files]
    if not tests and not any(_UNIT.search(text) for _, text in texts):
        return None
    own = re.search(r"^:-\s*module\(\s*(\w+)", texts[0][1], re.MULTILINE)
    with Session(PROLOG / "lpbridge_tests.pl", output="nowhere") as session:
        for number, (file, text) in enumerate(texts):
            asked = {"Text": text, "Own": Atom(own[1] if own else "user")}
            found = session.query("lpbridge_tests:unit_tests(Text, Own, Tests)", asked, limits=UNLIMITED).first()
            for one in found["Tests"] if found is not None else ():
                if len(one) == 5:
                    unit, name, offset, succeeds, goal = one
                    place = Place(file or "<text>", text.count("\n", 0, offset) + 1)
                    if str(succeeds) != "skipped":
                        goals.append(UnitGoal(f"{unit}:{name}", place, goal, str(succeeds) == "true"))
                elif number >= len(sources) or str(one[0]) != "none":  # the others are in the program
                    others.append(f"{one[1]}.")
    if not goals:
        raise InputError("there is no test", hint="write some between begin_tests(rooms) and end_tests(rooms)")
    return Suite(tuple(files), tuple(goals), "\n".join(others))


def without_tests(text: str) -> str:
    """A program with blanks in place of its tests: what stands elsewhere keeps its place."""
    return _UNIT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def with_own_tests(changed: str, text: str) -> str:
    """A changed form of `without_tests(text)`, with the tests again; it has the same lines."""
    blank = without_tests(text).split("\n")
    lines = zip(changed.split("\n"), blank, text.split("\n"), strict=False)
    return "\n".join(own if hidden != own and not line.strip() else line for line, hidden, own in lines)
