"""What people ask of a problem, a module each: check it, diagnose it, explain it, count its solutions, ..."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.analysis.ambiguity import Group as Group, ambiguity_of as ambiguity_of
    from bridge.analysis.ask import EFFORT as EFFORT, LIMITS as LIMITS, Which as Which, answering as answering
    from bridge.analysis.ask import check_which as check_which, refuse_of_programs as refuse_of_programs
    from bridge.analysis.cores import Clash as Clash
    from bridge.analysis.diagnosis import Diagnosis as Diagnosis, RuleDiagnosis as RuleDiagnosis
    from bridge.analysis.endless import ChangedText as ChangedText, Ending as Ending, Recursion as Recursion
    from bridge.analysis.endless import earlier as earlier, tabled as tabled
    from bridge.analysis.explain import LONG as LONG, WIDTH as WIDTH, How as How, Reasoner as Reasoner, Step as Step
    from bridge.analysis.explain import length_of as length_of
    from bridge.analysis.goal_diagnosis import GoalDiagnosis as GoalDiagnosis
    from bridge.analysis.goals import endless_goal as endless_goal
    from bridge.analysis.repairs import SHOWN as SHOWN, After as After, Repairs as Repairs, additions as additions
    from bridge.analysis.repairs import after as after, removals as removals
    from bridge.analysis.support import support_lines as support_lines
    from bridge.analysis.work import Options as Options, Work as Work
else:
    __getattr__, __dir__ = _exports(__name__)
