"""The public API: its names, its signatures, its errors, and how a limit is said."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import pkgutil
import pydoc
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib import import_module
from typing import Any, get_type_hints

import public_api
import pytest
from patience import PATIENCE
from shared_data import TESTS

import bridge
from bridge import as_json
from bridge.analysis import ask
from bridge.errors import BridgeError, InputError, LimitError, ProgramError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Stream
from bridge.puzzles import search
from bridge.puzzles.analysis import check as check_module
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.search import CSP

#: Every public function that works on puzzles, with what it needs before its options.
CALLS: dict[str, Callable[..., Any]] = {
    "check": bridge.check,
    "residual": bridge.residual,
    "solutions": bridge.solutions,
    "count": bridge.count,
    "cubes": lambda puzzle, **options: bridge.puzzles.cubes(puzzle, 2, **options),
    "diagnose": bridge.diagnose,
    "grade": bridge.puzzles.grade,
    "explain": bridge.explain,
    "generate": lambda puzzle, **options: bridge.puzzles.generate("sudoku", 4, seed=1, **options),
    "compare": lambda puzzle, engines=("asp",), **options: bridge.compare(*engines, instances=[puzzle], **options),
    "batch": lambda puzzle, **options: bridge.puzzles.batch("sudoku", "check", [puzzle], **options),
}

#: Those that ask no engine, or several.
NO_ENGINE = {"cubes", "grade", "compare"}


@pytest.fixture
def puzzle() -> Puzzle:
    return parse("sudoku", "12..............")


def test_the_signatures_are_those_on_file() -> None:
    """In a process of its own: here the time limits are other ones (`conftest.py`)."""
    done = subprocess.run([sys.executable, TESTS / "public_api.py"], capture_output=True, text=True, check=True)
    expected = public_api.FILE.read_text(encoding="utf-8").splitlines()
    assert done.stdout.splitlines() == expected, "the API has changed: if that is meant, `make api` writes it down"


def test_dir_shows_the_api_and_nothing_else() -> None:
    import bridge.cli  # puts the name `cli` into the package

    assert bridge.cli
    assert set(dir(bridge)) == {*bridge.__all__, "__version__"}
    for package in (bridge, bridge.asp, bridge.puzzles):
        assert {*package.__all__} <= {*dir(package)}
        assert all(getattr(package, name) is not None for name in dir(package))


def errors(of: type[BridgeError]) -> list[type[BridgeError]]:
    return [each for direct in of.__subclasses__() for each in (direct, *errors(direct))]


def test_every_error_is_public() -> None:
    """Those of the command line and the web server, too."""
    for module in pkgutil.walk_packages(bridge.__path__, "bridge."):
        if module.name != "bridge.__main__":
            import_module(module.name)
    found = [error for error in errors(BridgeError) if error.__module__.startswith("bridge")]
    assert {InputError, LimitError, ProgramError} <= set(found)
    assert [error for error in found if getattr(bridge, error.__name__, None) is not error] == []
    assert {"BridgeError", "Interrupted"} <= set(bridge.__all__)


#: The public packages.
PACKAGES = (
    "bridge", "bridge.asp", "bridge.prolog", "bridge.puzzles", "bridge.puzzles.formats", "bridge.puzzles.render", "bridge.puzzles.search",
)  # fmt: skip

#: What a package shows of another one, where it is public, or of the drawings, which have no package of their own.
ELSEWHERE = {"bridge.asp.Count": "bridge", "bridge.puzzles.render": "bridge.drawing"}

DEFINED = {
    f"{package}.{name}": defined
    for package in PACKAGES
    for name, defined in ((name, getattr(import_module(package), name)) for name in import_module(package).__all__)
    if inspect.isclass(defined) or inspect.isroutine(defined)
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFINED)
def test_its_module_is_where_users_import_it_from(name: str) -> None:
    defined, package = DEFINED[name], name.rpartition(".")[0]
    if defined.__module__ != package:
        assert defined.__module__.startswith(ELSEWHERE.get(name) or ELSEWHERE[package])
    assert pickle.loads(pickle.dumps(defined)) is defined


@pytest.mark.parametrize("name", [name for name, defined in DEFINED.items() if inspect.isclass(defined)])
def test_its_annotations_can_be_read(name: str) -> None:
    """But for those that are imported for type checkers alone."""
    if name not in ("bridge.Diagnosis", "bridge.Difference", "bridge.Reasons"):
        get_type_hints(DEFINED[name])


def test_the_examples_of_a_public_class() -> None:
    """`doctest` passes over them in the file of the class: by its `__module__` it belongs to another."""
    found = doctest.DocTestFinder().find(CSP, "CSP", module=False, globs={**vars(search)})  # type: ignore[arg-type]
    results = [doctest.DocTestRunner().run(example) for example in found]
    assert sum(result.attempted for result in results) > 0
    assert sum(result.failed for result in results) == 0


def checked(text: str) -> Any:
    """What a worker of a pool gives back: a result or an error."""
    try:
        return bridge.diagnose(bridge.AspProblem(text))
    except BridgeError as error:
        return error


def test_results_and_errors_pass_through_a_pool() -> None:
    limits = bridge.Limits(seconds=PATIENCE)
    with ProcessPoolExecutor(1) as pool:
        diagnosis, error = pool.map(checked, ["a. :- a.", "a :-"])
        assert pool.submit(replace, limits, nodes=3).result() == replace(limits, nodes=3)
    assert isinstance(diagnosis, bridge.Diagnosis)
    assert diagnosis.verdict is bridge.Verdict.IMPOSSIBLE
    assert type(error) is bridge.ProgramError
    for value in (diagnosis, diagnosis.verdict, limits):
        assert str(copy.deepcopy(value)) == str(value)
    assert str(copy.deepcopy(error)) == str(error)


def test_a_repr_is_a_line_that_shows_what_is_held() -> None:
    assert doctest.testmod(as_json).failed == 0
    open_, wrong = bridge.AspProblem("{ q(1..2) } = 1."), bridge.AspProblem("a. :- a.")
    solutions = bridge.solutions(open_)
    assert repr(solutions) == "<Stream found: 0, open>"
    solutions.collect()
    assert repr(solutions) == "<Stream found: 2, complete>"
    diagnosis, comparison = bridge.diagnose(wrong), bridge.compare(bridge.AspProblem("a."), bridge.AspProblem("{ a }."))
    assert "verdict: impossible, clashes: 1" in repr(diagnosis)
    assert "disagreements: 1" in repr(comparison)
    assert repr(bridge.lint(bridge.AspProblem("p(X) :- q(X)."))).startswith("<Lint findings: 1")
    with bridge.asp.Program("a.") as program, bridge.asp.Program(TESTS.parent / "examples/why/timetable.lp") as file:
        assert repr(program) == "<Program <text>>"
        assert repr(file).endswith("examples/why/timetable.lp>")
    puzzle = parse("sudoku", "12..............")
    generated = next(iter(bridge.puzzles.generate("sudoku", 4, seed=1)))
    held = [diagnosis, comparison, bridge.check(puzzle), bridge.diagnose(puzzle), bridge.why(open_, "q(1)"), generated]
    held += [generated.grade, bridge.residual(open_), bridge.debug(bridge.AspProblem("{ q(1..2) }."), against=open_), bridge.profile(wrong)]
    for result in held:
        text = repr(result)
        assert text.startswith(f"<{type(result).__name__} ")
        assert len(text) < 500
        assert " at 0x" not in text


def test_a_traceback_names_the_public_error() -> None:
    with pytest.raises(InputError) as caught:
        bridge.puzzles.engine("none")
    assert traceback.format_exception_only(caught.value)[0].startswith("bridge.InputError: there is no engine 'none'")
    assert repr(bridge.Diagnosis) == "<class 'bridge.Diagnosis'>"
    assert "class Diagnosis" in pydoc.plain(pydoc.render_doc(bridge.Diagnosis))
    assert "def to_json" in inspect.getsource(bridge.Diagnosis.to_json)


@pytest.mark.parametrize("name", CALLS)
def test_one_signature(name: str) -> None:
    found = inspect.signature(getattr(bridge, name, None) or getattr(bridge.puzzles, name)).parameters
    for option in ["limits", "on_progress", *([] if name in NO_ENGINE else ["engine"])]:
        assert found[option].kind is inspect.Parameter.KEYWORD_ONLY, option
    assert found["limits"].annotation == "Limits"
    assert isinstance(found["limits"].default, Limits)
    assert found["on_progress"].default is None
    for old in ("seconds", "solutions", "told", "engine_name", *(["most"] if name != "compare" else [])):
        assert old not in found


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wrong", [{"limits": 5}, {"limits": None}, {"seconds": 5}, {"timeout": 5}])
def test_a_limit_is_said_in_one_way(name: str, wrong: dict[str, Any], puzzle: Puzzle) -> None:
    with pytest.raises(InputError, match=r"limits=Limits\(seconds=5\)"):
        CALLS[name](puzzle, **wrong)


def test_a_stream_wants_limits_too(puzzle: Puzzle) -> None:
    with pytest.raises(InputError, match=r"limits=Limits\(seconds=5\)"):
        bridge.puzzles.engine("asp").solutions(puzzle, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["check", "diagnose", "grade", "residual", "cubes"])
def test_a_limit_that_would_do_nothing_is_refused(name: str, puzzle: Puzzle) -> None:
    with pytest.raises(UnsupportedError, match=f"{name} has no limit on solutions; it takes limits on seconds"):
        CALLS[name](puzzle, limits=Limits(solutions=3))


def test_a_batch_that_counts_has_no_limit_on_solutions(puzzle: Puzzle) -> None:
    with pytest.raises(UnsupportedError, match="no limit on solutions"):
        bridge.puzzles.batch("sudoku", "count", [puzzle], limits=Limits(solutions=3))


@pytest.mark.parametrize("wrong", [True, "5", [5]])
def test_a_limit_is_a_number(wrong: Any) -> None:
    with pytest.raises(InputError, match="not a number"):
        Limits(seconds=wrong)


def test_who_asks_no_engine_says_so(puzzle: Puzzle) -> None:
    for call in (bridge.puzzles.grade, CALLS["cubes"]):
        with pytest.raises(InputError, match="asks no engine"):
            call(puzzle, engine="asp")
    for call in (bridge.explain, CALLS["generate"]):
        with pytest.raises(UnsupportedError, match="engine mac has no"):
            call(puzzle, engine="mac")


def test_clingo_and_prolog_are_names_of_engines(puzzle: Puzzle) -> None:
    assert (bridge.puzzles.engine("clingo").name, bridge.puzzles.engine("prolog").name) == ("asp", "clpfd")
    assert bridge.puzzles.engine("clingo") is bridge.puzzles.engine("asp")
    assert bridge.check(puzzle, engine="clingo").engine == "asp"
    assert bridge.count(puzzle, engine="clingo").engine == "asp"
    assert bridge.compare("clingo", "asp", instances=[puzzle]).engines == ("asp",)
    (result,) = bridge.puzzles.batch("sudoku", "check", [puzzle], engine="clingo", jobs=1)
    assert result["engine"] == "asp"


@pytest.mark.slow
def test_another_engine_may_find_the_verdict_of_a_diagnosis(puzzle: Puzzle) -> None:
    patient = bridge.Limits(seconds=300)
    one, other = (bridge.diagnose(puzzle, engine=engine, limits=patient) for engine in ("asp", "mac+mrv"))
    assert (one.verdict, one.residual, one.additions) == (other.verdict, other.residual, other.additions)


def test_the_first_solution(puzzle: Puzzle) -> None:
    stream = bridge.solutions(puzzle)
    assert stream.first() in set(bridge.solutions(puzzle))
    assert stream.closed
    assert stream.found == 1
    assert not stream.complete
    impossible = bridge.solutions(parse("sudoku", "11.............."))
    assert impossible.first() is None
    assert impossible.complete
    numbers = Stream(lambda progress: progress.exhaust([1, 2, 3]))
    assert next(numbers) == 1
    assert numbers.first() == 2
    assert list(numbers) == []


def test_progress_of_what_is_found_at_once(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Partial results are reported as they grow; the last one is the result."""
    reports: list[Any] = []
    report = bridge.check(puzzle, on_progress=reports.append)
    assert [(one.propagated is not None, one.residual is not None) for one in reports] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert reports[-1] == report
    residuals: list[Any] = []
    assert [bridge.residual(puzzle, on_progress=residuals.append)] == residuals
    rows: list[Any] = []
    assert bridge.compare("asp", "mac", instances=[puzzle], on_progress=rows.append).rows == tuple(rows)
    monkeypatch.setattr("bridge.puzzles.search.ladder.PROGRESS_SECONDS", 0.0)
    grades: list[Any] = []
    grade = bridge.puzzles.grade(puzzle, on_progress=grades.append)
    assert grades
    assert grades[-1].reached in grade.tallies


def test_progress_of_what_is_found_one_by_one(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as can be, for this test: the numbers go up to that of the answer."""
    for module in ("outcome", "puzzles.batching.cubes"):
        monkeypatch.setattr(f"bridge.{module}.PROGRESS_SECONDS", 0.0)
    calls: dict[str, Callable[..., Any]] = {
        "solutions": lambda **options: len(list(bridge.solutions(puzzle, **options))),
        "explain": lambda **options: len(list(bridge.explain(parse("sudoku", "1234341221434.21"), **options))),
        "generate": lambda **options: len(list(bridge.puzzles.generate("sudoku", 4, seed=1, number=2, **options))),
        "batch": lambda **options: len(list(bridge.puzzles.batch("sudoku", "check", [puzzle] * 3, jobs=1, **options))),
        "cubes": lambda **options: len(bridge.puzzles.cubes(puzzle, 6, **options)),
    }
    for name, call in calls.items():
        numbers: list[int] = []
        found = call(on_progress=lambda number, seconds, numbers=numbers: numbers.append(number))
        assert numbers == sorted(numbers), name
        assert numbers[-1] == found, name


def test_ctrl_c_between_two_residuals_keeps_the_report(puzzle: Puzzle) -> None:
    def interrupt(report: check_module.Report) -> None:
        if report.propagated is not None:
            raise KeyboardInterrupt

    with pytest.raises(bridge.Interrupted) as raised:
        bridge.check(puzzle, on_progress=interrupt)
    partial = raised.value.partial
    assert partial.propagated is not None
    assert partial.residual is None


def test_cubes_are_complete_whenever_the_splitting_stops() -> None:
    puzzle = parse("sudoku", "1...............")
    cubes = bridge.puzzles.cubes(puzzle, 50, limits=Limits(seconds=1e-9))
    assert cubes == [puzzle]


def test_programs_want_limits_too() -> None:
    with (
        bridge.asp.Program("a.", isolated=False) as program,
        pytest.raises(InputError, match=r"limits=Limits\(seconds=5\)"),
    ):
        program.models(limits=5)  # type: ignore[arg-type]
    with (
        bridge.prolog.Session(isolated=False) as session,
        pytest.raises(InputError, match=r"limits=Limits\(seconds=5\)"),
    ):
        session.query("true", limits=5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "options"),
    [("check", [ask.OfCheck]), ("diagnose", [ask.OfDiagnose, ask.OfProgram, ask.OfEngines])],
)
def test_overloads_take_what_the_function_takes(name: str, options: list[Any]) -> None:
    """Each sort of problem takes what it has, and all of them together take everything but what engines propagate."""
    taken = {*inspect.signature(getattr(bridge, name)).parameters} - {"problem", "propagation"}
    assert {one for each in options for one in each.__annotations__} | {"engine"} == taken
