"""The texts of what is found of puzzles, for `bridge.texts.results.text`, which `bridge/__init__.py` registers."""

from __future__ import annotations

from bridge.problem.residual import Residual
from bridge.puzzles.analysis.check import Report
from bridge.puzzles.analysis.count import PuzzleCount
from bridge.puzzles.analysis.diagnose import PuzzleDiagnosis
from bridge.puzzles.generate.generate import Generated
from bridge.puzzles.search.ladder import Grade
from bridge.puzzles.texts.check import report_text, whole_residual_text
from bridge.puzzles.texts.count import count_text
from bridge.puzzles.texts.diagnose import diagnosis_text
from bridge.puzzles.texts.generate import generated_text
from bridge.puzzles.texts.grade import grade_text
from bridge.texts.results import text

text.register(PuzzleCount, count_text)
text.register(PuzzleDiagnosis, diagnosis_text)
text.register(Generated, generated_text)
text.register(Grade, grade_text)
text.register(Report, report_text)
text.register(Residual, whole_residual_text)

__all__ = ["text"]
