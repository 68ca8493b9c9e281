"""The tests of a Prolog program: its blocks of plunit, run by plunit in a worker, each with what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from bridge.common.languages import is_path
from bridge.errors import Place
from bridge.limits import Limits
from bridge.prolog import Session

#: What plunit has noted of a test; with `reason`, the lines that it would print. Nothing in it is in double quotes: a
#: program may have changed what they mean.
_RUN = """use_module(library(plunit)),
( plunit:run_tests(all, [jobs(1), cleanup(false), format(log), timeout({seconds}), summary(_)]) -> true ; true ),
findall([Kind, Unit, File, Name, Line, Why, Seconds],
        ( plunit:unit_file(Unit, File0), atom_string(File0, File),
          ( plunit:passed(Unit, Test, Line, _, Time), Kind = passed, Why = ''
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
    """A test of plunit: its status as of `bridge.debugging.testing`, its name and place, and why it did not pass."""

    status: str
    name: str
    place: Place
    reason: str | None
    seconds: float


def run_plunit(sources: Sequence[str | PathLike[str]], limits: Limits) -> list[UnitResult]:
    """Run the tests of Prolog files, and those of the `.plt` files beside them.

    Those of a `forall` count as one test. What plunit has under `fixme` is left out.

    Raises ProgramError when a file has an error.
    """
    files = list(sources)
    for one in sources:
        beside = Path(one).with_suffix(".plt") if is_path(one) else None
        if beside is not None and beside.is_file() and beside not in map(Path, filter(is_path, files)):
            files.append(beside)
    names = {str(Path(one).resolve()): str(one) for one in files if is_path(one)}
    loading = Limits(seconds=limits.seconds)
    found: dict[tuple[str, int], UnitResult] = {}
    with Session(*files, strict=True, output="nowhere", limits=loading) as session:
        goal = _RUN.format(seconds=limits.seconds or 3600)
        for answer in session.query(goal).collect().solutions:
            for kind, _, file, name, line, why, seconds in answer["Found"]:
                place = Place(names.get(str(Path(file).resolve()), file), line)
                reason = " ".join(why.split()) or None
                result = UnitResult(kind, name, place, reason, seconds)
                if (name, line) not in found or kind != "passed":
                    found[name, line] = result
    return sorted(found.values(), key=lambda one: (one.place.file or "", one.place.line or 0))
