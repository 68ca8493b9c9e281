"""lpbridge: clingo and SWI-Prolog programs from Python, and the reasons for their answers.

    from bridge import asp, prolog                # programs as they are

    with asp.Program("queens.lp", n=8) as program:
        for model in program.models(): ...        # model["queen"]: [(1, 4), (2, 2), ...]
    with prolog.Session("rooms.pl") as session:
        for answer in session.query("rooms(X, Y)"): ...   # answer["X"], answer.residual

    import bridge                                 # and what is asked of a problem

    problem = bridge.program("timetable.lp", "monday.lp", slots=4)    # or bridge.goal("rooms.pl", "rooms(X)")
    bridge.diagnose(problem).clashes              # rules and facts that cannot hold together, with their lines

In a service, `async with bridge.Pool(4) as pool: await pool.run(bridge.diagnose, problem, limits=...)`.

A function that searches takes `limits=bridge.Limits(seconds=5)` and `on_progress`, and `engine` if it can use several.
Many results come as a `Stream`. Names are imported when they are used: `import bridge` loads no solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # the public names, once
    from bridge import asp as asp, prolog as prolog
    from bridge import puzzles as puzzles
    from bridge.analysis.ask import check as check, count as count, diagnose as diagnose, explain as explain
    from bridge.analysis.ask import residual as residual, solutions as solutions, why as why
    from bridge.analysis.diagnosis import Diagnosis as Diagnosis
    from bridge.analysis.explain import Step as Step
    from bridge.analysis.mus import mcs as mcs, mus as mus, muses as muses, smallest_mus as smallest_mus
    from bridge.analysis.pictures import picture as picture
    from bridge.analysis.why import Reasons as Reasons
    from bridge.batching.pool import Pool as Pool
    from bridge.comparison.compare import compare as compare
    from bridge.comparison.comparison import Comparison as Comparison, Difference as Difference
    from bridge.comparison.generator import Generator as Generator
    from bridge.comparison.instance import Instance as Instance
    from bridge.comparison.judging import Judgement as Judgement, judge as judge
    from bridge.debugging.asking import Question as Question
    from bridge.debugging.debug import debug as debug
    from bridge.debugging.mutate import Mutation as Mutation, mutate as mutate
    from bridge.debugging.result import Debugging as Debugging, Repair as Repair, Suspect as Suspect
    from bridge.debugging.submissions import Submission as Submission, Submissions as Submissions
    from bridge.debugging.submissions import submissions as submissions
    from bridge.debugging.testing import Testing as Testing, test as test
    from bridge.errors import BridgeError as BridgeError, BusyError as BusyError, DisagreementError as DisagreementError
    from bridge.errors import InputError as InputError, LimitError as LimitError
    from bridge.errors import MissingSolverError as MissingSolverError, OutputError as OutputError, Place as Place
    from bridge.errors import ProgramError as ProgramError, SolverError as SolverError
    from bridge.errors import UnsupportedError as UnsupportedError
    from bridge.limits import Limits as Limits
    from bridge.linting.findings import Finding as Finding
    from bridge.linting.lint import lint as lint
    from bridge.linting.result import Lint as Lint
    from bridge.outcome import Count as Count, Interrupted as Interrupted, Outcome as Outcome, Statistics as Statistics
    from bridge.outcome import Stream as Stream, Verdict as Verdict
    from bridge.problem.asp import AspProblem as AspProblem
    from bridge.problem.front import goal as goal, program as program
    from bridge.problem.prolog import PrologProblem as PrologProblem
    from bridge.problem.residual import Residual as Residual
    from bridge.profiling.profile import Profiling as Profiling, profile as profile
else:
    __getattr__, __dir__ = _exports(__name__)

__version__ = "0.4.0"


def load_ipython_extension(shell: Any) -> None:
    """Of `%load_ext bridge`."""
    from bridge.integrations import notebook

    notebook.load_ipython_extension(shell)
