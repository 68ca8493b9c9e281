"""lpbridge: clingo and SWI-Prolog programs from Python, the reasons for their answers, and the analysis of puzzles.

Programs, as they are:

    from bridge import asp, prolog

    with asp.Program("queens.lp", n=8) as program:
        for model in program.models(): ...        # model["queen"]: [(1, 4), (2, 2), ...]
    with prolog.Session("rooms.pl") as session:
        for answer in session.query("rooms(X, Y)"): ...   # answer["X"], answer.residual

Reasons:

    import bridge

    problem = bridge.program("timetable.lp", "monday.lp", slots=4)    # or bridge.goal("rooms.pl", "rooms(X)")
    bridge.diagnose(problem).clashes              # rules and facts that cannot hold together, with their lines
    bridge.why(problem, "at(math,1)")             # what forces an atom, forbids it, or derives it
    for clash in bridge.muses(problem): ...       # all minimal sets, the smallest first; mus, smallest_mus, mcs
    bridge.debug("mine.lp", against="right.lp", instances=["graph.lp"])    # which line of mine, and what it should say
    bridge.submissions(["anna.lp", "ben.lp"], against="right.lp", generator="graphs.lp").of("wrong")
    bridge.lint(problem).findings                 # misspelt names, unsafe variables, tuples without their item, ...
    bridge.profile("slow.lp", instances=["large.lp"]).cause       # which rule makes it slow
    bridge.tune("slow.lp", instances=["large.lp"]).best           # a configuration that is better than the default
    bridge.test("mine.lp").failed                 # of the tests in its comments
    bridge.compare("mine.lp", "yours.lp", generator="graphs.lp").difference    # a smallest instance, and why

Puzzles:

    puzzle = bridge.puzzle("sudoku", "problem6.txt")
    report = bridge.check(puzzle)                 # .verdict .solutions .residual .propagated
    bridge.diagnose(puzzle)                       # what clashes, what is open, what to change
    bridge.residual(puzzle).open                  # {(4, 1): (3, 6), ...}
    bridge.grade(puzzle).level                    # the weakest inference that solves it
    for step in bridge.explain(puzzle): ...       # one new fact, and the rules and facts that imply it
    bridge.count(puzzle).number
    for solution in bridge.solutions(puzzle, engine="clpfd"): ...
    bridge.compare("asp", "clpfd", "mac+mrv", instances=puzzle)
    bridge.picture(puzzle).save("puzzle.svg")     # of a report or a diagnosis, too; .png, .pdf, .txt
    for new in bridge.generate("sudoku", 9): ...  # .puzzle .solution .grade .seed
    for result in bridge.batch("sudoku", "check", ["puzzles.txt"]): ...  # all cores, or a cluster

In a service, `async with bridge.Pool(4) as pool: await pool.run(bridge.diagnose, problem, limits=...)`.

A function that searches takes `limits=bridge.Limits(seconds=5)` and `on_progress`, and `engine` if it can use several.
Many results come as a `Stream`. Names are imported when they are used: `import bridge` loads no solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bridge.common.lazy import load as _load
from bridge.common.lazy import register as _register

if TYPE_CHECKING:
    from bridge import asp as asp
    from bridge import prolog as prolog
    from bridge import puzzles as puzzles
    from bridge.analysis.ask import check as check
    from bridge.analysis.ask import count as count
    from bridge.analysis.ask import diagnose as diagnose
    from bridge.analysis.ask import explain as explain
    from bridge.analysis.ask import residual as residual
    from bridge.analysis.ask import solutions as solutions
    from bridge.analysis.ask import why as why
    from bridge.analysis.diagnosis import Diagnosis as Diagnosis
    from bridge.analysis.explain import Step as Step
    from bridge.analysis.mus import mcs as mcs
    from bridge.analysis.mus import mus as mus
    from bridge.analysis.mus import muses as muses
    from bridge.analysis.mus import smallest_mus as smallest_mus
    from bridge.analysis.pictures import picture as picture
    from bridge.analysis.why import Reasons as Reasons
    from bridge.batching.pool import Pool as Pool
    from bridge.comparison.compare import compare as compare
    from bridge.comparison.comparison import Comparison as Comparison
    from bridge.comparison.comparison import Difference as Difference
    from bridge.comparison.instance import Instance as Instance
    from bridge.debugging.asking import Question as Question
    from bridge.debugging.debug import debug as debug
    from bridge.debugging.mutate import Mutation as Mutation
    from bridge.debugging.mutate import mutate as mutate
    from bridge.debugging.result import Debugging as Debugging
    from bridge.debugging.result import Repair as Repair
    from bridge.debugging.result import Suspect as Suspect
    from bridge.debugging.submissions import Submission as Submission
    from bridge.debugging.submissions import Submissions as Submissions
    from bridge.debugging.submissions import submissions as submissions
    from bridge.debugging.testing import Testing as Testing
    from bridge.debugging.testing import test as test
    from bridge.errors import BridgeError as BridgeError
    from bridge.errors import BusyError as BusyError
    from bridge.errors import DisagreementError as DisagreementError
    from bridge.errors import InputError as InputError
    from bridge.errors import LimitError as LimitError
    from bridge.errors import MissingSolverError as MissingSolverError
    from bridge.errors import OutputError as OutputError
    from bridge.errors import Place as Place
    from bridge.errors import ProgramError as ProgramError
    from bridge.errors import SolverError as SolverError
    from bridge.errors import UnsupportedError as UnsupportedError
    from bridge.limits import Limits as Limits
    from bridge.linting.findings import Finding as Finding
    from bridge.linting.lint import lint as lint
    from bridge.linting.result import Lint as Lint
    from bridge.outcome import Count as Count
    from bridge.outcome import Interrupted as Interrupted
    from bridge.outcome import Outcome as Outcome
    from bridge.outcome import Statistics as Statistics
    from bridge.outcome import Stream as Stream
    from bridge.outcome import Verdict as Verdict
    from bridge.problem.asp import AspProblem as AspProblem
    from bridge.problem.front import goal as goal
    from bridge.problem.front import program as program
    from bridge.problem.prolog import PrologProblem as PrologProblem
    from bridge.problem.residual import Residual as Residual
    from bridge.profiling.profile import Profiling as Profiling
    from bridge.profiling.profile import profile as profile
    from bridge.profiling.tuning import Tuning as Tuning
    from bridge.profiling.tuning import tune as tune
    from bridge.puzzles.batch.batch import batch as batch
    from bridge.puzzles.batch.cubes import cubes as cubes
    from bridge.puzzles.engines import engine as engine
    from bridge.puzzles.explain.grade import grade as grade
    from bridge.puzzles.generate.generate import Generated as Generated
    from bridge.puzzles.generate.generate import generate as generate
    from bridge.puzzles.kinds import Puzzle as Puzzle
    from bridge.puzzles.kinds import parse as parse
    from bridge.puzzles.kinds import parse_all as parse_all
    from bridge.puzzles.kinds.about import About as About
    from bridge.puzzles.loading import load as load
    from bridge.puzzles.loading import load_all as load_all
    from bridge.puzzles.loading import puzzle as puzzle
    from bridge.puzzles.search.ladder import Grade as Grade
    from bridge.puzzles.sheets import Sheet as Sheet
    from bridge.puzzles.sheets import handout as handout
    from bridge.puzzles.sheets import sheet as sheet

__version__ = "0.3.0"

_register(
    picture="bridge.analysis.pictures:picture",
    pictures="bridge.puzzles.pictures:picture",
    instance="bridge.puzzles.comparison:instance_of",
    contender="bridge.puzzles.comparison:contender_of",
    handout="bridge.puzzles.sheets:handout",
    check_pdf="bridge.puzzles.sheets:check_pdf",
    puzzle_forms="bridge.puzzles.cli.forms:FORMS",
    puzzle_lines="bridge.puzzles.cli.forms:LINES",
    search_form="bridge.puzzles.search:FORM",
    program="bridge.problem.asp:AspProblem",
    diagnose="bridge.analysis.ask:diagnose",
    why="bridge.analysis.ask:why",
)

#: The public names of the bridge, by the module that defines them.
_BRIDGE = {
    "bridge.analysis.ask": ("check", "count", "diagnose", "explain", "residual", "solutions", "why"),
    "bridge.analysis.diagnosis": ("Diagnosis",),
    "bridge.analysis.explain": ("Step",),
    "bridge.analysis.mus": ("mcs", "mus", "muses", "smallest_mus"),
    "bridge.analysis.pictures": ("picture",),
    "bridge.analysis.why": ("Reasons",),
    "bridge.batching.pool": ("Pool",),
    "bridge.comparison.compare": ("compare",),
    "bridge.comparison.comparison": ("Comparison", "Difference"),
    "bridge.comparison.instance": ("Instance",),
    "bridge.debugging.mutate": ("Mutation", "mutate"),
    "bridge.debugging.asking": ("Question",),
    "bridge.debugging.debug": ("debug",),
    "bridge.debugging.result": ("Debugging", "Repair", "Suspect"),
    "bridge.debugging.submissions": ("Submission", "Submissions", "submissions"),
    "bridge.debugging.testing": ("Testing", "test"),
    "bridge.errors": (
        "BridgeError",
        "BusyError",
        "DisagreementError",
        "InputError",
        "LimitError",
        "MissingSolverError",
        "OutputError",
        "Place",
        "ProgramError",
        "SolverError",
        "UnsupportedError",
    ),
    "bridge.limits": ("Limits",),
    "bridge.linting.findings": ("Finding",),
    "bridge.linting.lint": ("lint",),
    "bridge.linting.result": ("Lint",),
    "bridge.outcome": ("Count", "Interrupted", "Outcome", "Statistics", "Stream", "Verdict"),
    "bridge.problem.asp": ("AspProblem",),
    "bridge.problem.front": ("goal", "program"),
    "bridge.problem.prolog": ("PrologProblem",),
    "bridge.problem.residual": ("Residual",),
    "bridge.profiling.profile": ("Profiling", "profile"),
    "bridge.profiling.tuning": ("Tuning", "tune"),
}

#: The public names of the workbench.
_WORKBENCH = {
    "bridge.puzzles.batch.batch": ("batch",),
    "bridge.puzzles.batch.cubes": ("cubes",),
    "bridge.puzzles.engines": ("engine",),
    "bridge.puzzles.explain.grade": ("grade",),
    "bridge.puzzles.generate.generate": ("Generated", "generate"),
    "bridge.puzzles.kinds": ("Puzzle", "parse", "parse_all"),
    "bridge.puzzles.kinds.about": ("About",),
    "bridge.puzzles.loading": ("load", "load_all", "puzzle"),
    "bridge.puzzles.search.ladder": ("Grade",),
    "bridge.puzzles.sheets": ("Sheet", "handout", "sheet"),
}
_PLACES = {name: f"{module}:{name}" for module, names in (_BRIDGE | _WORKBENCH).items() for name in names}

#: The public packages. `bridge.puzzles` has packages of its own: `formats`, `render`, `search`.
_PACKAGES = ("asp", "prolog", "puzzles")

__all__ = sorted([*_PLACES, *_PACKAGES])

_PLACES["load_ipython_extension"] = "bridge.integrations.notebook:load_ipython_extension"  # of `%load_ext bridge`


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        value = globals()[name] = _load(_PLACES[name])
        return value
    if name in _PACKAGES:
        return import_module(f"bridge.{name}")
    raise AttributeError(f"module 'bridge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
