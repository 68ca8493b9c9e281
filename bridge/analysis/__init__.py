"""What people ask of a problem, a module each: check it, diagnose it, explain it, count its solutions, ..."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.analysis.ambiguity import Group as Group
    from bridge.analysis.ambiguity import ambiguity_of as ambiguity_of
    from bridge.analysis.ask import EFFORT as EFFORT
    from bridge.analysis.ask import LIMITS as LIMITS
    from bridge.analysis.ask import Which as Which
    from bridge.analysis.ask import answering as answering
    from bridge.analysis.ask import check_which as check_which
    from bridge.analysis.ask import refuse_of_programs as refuse_of_programs
    from bridge.analysis.cores import Clash as Clash
    from bridge.analysis.diagnosis import Diagnosis as Diagnosis
    from bridge.analysis.diagnosis import RuleDiagnosis as RuleDiagnosis
    from bridge.analysis.endless import ChangedText as ChangedText
    from bridge.analysis.endless import Ending as Ending
    from bridge.analysis.endless import Recursion as Recursion
    from bridge.analysis.endless import earlier as earlier
    from bridge.analysis.endless import tabled as tabled
    from bridge.analysis.explain import LONG as LONG
    from bridge.analysis.explain import WIDTH as WIDTH
    from bridge.analysis.explain import How as How
    from bridge.analysis.explain import Reasoner as Reasoner
    from bridge.analysis.explain import Step as Step
    from bridge.analysis.explain import length_of as length_of
    from bridge.analysis.goal_diagnosis import GoalDiagnosis as GoalDiagnosis
    from bridge.analysis.goals import endless_goal as endless_goal
    from bridge.analysis.repairs import SHOWN as SHOWN
    from bridge.analysis.repairs import After as After
    from bridge.analysis.repairs import Repairs as Repairs
    from bridge.analysis.repairs import additions as additions
    from bridge.analysis.repairs import after as after
    from bridge.analysis.repairs import removals as removals
    from bridge.analysis.support import support_lines as support_lines
    from bridge.analysis.work import Options as Options
    from bridge.analysis.work import Work as Work
else:
    __getattr__, __dir__ = _exports(__name__)
