"""What people do with a puzzle: check it, see what is open, compare engines on it."""

from bridge.workbench.check import Report, check, residual
from bridge.workbench.compare import Comparison, Row, compare

__all__ = ["Comparison", "Report", "Row", "check", "compare", "residual"]
