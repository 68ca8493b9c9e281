"""The texts of what is found of puzzles, for `bridge.texts.results.text`, which `bridge/__init__.py` registers."""

from __future__ import annotations

from bridge.puzzles.analysis.check import Report
from bridge.puzzles.analysis.count import Counted
from bridge.puzzles.analysis.diagnose import Diagnosis
from bridge.puzzles.generate.generate import Generated
from bridge.puzzles.kinds.residual import Residual
from bridge.puzzles.search.ladder import Grade
from bridge.puzzles.texts.check import report_text, whole_residual_text
from bridge.puzzles.texts.count import count_text
from bridge.puzzles.texts.diagnose import diagnosis_text
from bridge.puzzles.texts.generate import generated_text
from bridge.puzzles.texts.grade import grade_text
from bridge.texts.results import text

text.register(Counted, count_text)
text.register(Diagnosis, diagnosis_text)
text.register(Generated, generated_text)
text.register(Grade, grade_text)
text.register(Report, report_text)
text.register(Residual, whole_residual_text)

__all__ = ["text"]
