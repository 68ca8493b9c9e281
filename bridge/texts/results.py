"""The text of any result: what `str` of it gives.

`bridge/__init__.py` registers it as `text`; `bridge.common.display.Readable` imports it when the first result is
printed.
"""

from __future__ import annotations

from functools import singledispatch

from bridge.analysis.explain import Step, step_sentence
from bridge.analysis.goals import GoalDiagnosis, GoalResidual
from bridge.analysis.program_diagnosis import ProgramDiagnosis, ProgramResidual
from bridge.analysis.repairs import Repairs
from bridge.analysis.why import Reasons
from bridge.common.lazy import registered
from bridge.comparison.compare import Comparison, Difference
from bridge.comparison.mutate import Mutation
from bridge.texts.compare import comparison_text, difference_text
from bridge.texts.goals import goal_text, residual_text
from bridge.texts.mutate import mutation_text
from bridge.texts.program_diagnosis import program_text
from bridge.texts.program_diagnosis import residual_text as program_residual_text
from bridge.texts.repairs import repairs_text
from bridge.texts.why import reasons_text


@singledispatch
def text(found: object) -> str:
    """A result as its command prints it; the `repr` of anything else."""
    registered("texts")  # further ones, if they are not imported yet
    known = text.dispatch(type(found))
    return repr(found) if known is text.dispatch(object) else known(found)


text.register(Comparison, comparison_text)
text.register(Difference, difference_text)
text.register(GoalDiagnosis, goal_text)
text.register(GoalResidual, residual_text)
text.register(Mutation, mutation_text)
text.register(ProgramDiagnosis, program_text)
text.register(ProgramResidual, program_residual_text)
text.register(Reasons, reasons_text)
text.register(Repairs, repairs_text)
text.register(Step, step_sentence)
