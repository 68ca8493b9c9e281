"""lpbridge: a bridge from Python to logic programming, with imperative search beside it.

    import bridge

    puzzle = bridge.load("sudoku", "problem6.txt")
    report = bridge.check(puzzle)                 # .verdict .solutions .residual .propagated
    bridge.residual(puzzle).open                  # {(4, 1): (3, 6), ...}
    for solution in bridge.solutions(puzzle, engine="clpfd"): ...
    bridge.compare([puzzle], ["asp", "clpfd", "mac+mrv"])

    bridge.diagnose(puzzle)                       # what clashes, what is open, what to change
    bridge.grade(puzzle).level                    # the weakest inference that solves it
    for step in bridge.explain(puzzle): ...       # one new fact, and the rules and facts that force it
    bridge.count(puzzle).number
    bridge.picture(puzzle).save("puzzle.svg")      # of a report or a diagnosis, too; .png, .pdf, .txt
    for new in bridge.generate("sudoku", 9): ...  # .puzzle .solution .grade .seed
    for result in bridge.batch("sudoku", "check", ["puzzles.txt"]): ...  # all cores, or a cluster

    from bridge import asp, prolog, search        # any other program or problem

Names are loaded when they are used: `import bridge` alone starts no solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bridge.notebook import drawn_by

if TYPE_CHECKING:
    from bridge.analysis.check import Report, check, residual
    from bridge.analysis.compare import Comparison, compare
    from bridge.analysis.count import Counted, count
    from bridge.analysis.diagnose import Diagnosis, diagnose
    from bridge.analysis.explain import Step, explain
    from bridge.analysis.generate import Generated, generate
    from bridge.analysis.grade import grade
    from bridge.analysis.solve import solutions
    from bridge.batches.batch import batch
    from bridge.batches.cubes import cubes
    from bridge.engines import engine
    from bridge.errors import (
        BridgeError,
        DisagreementError,
        InputError,
        MissingSolverError,
        Place,
        ProgramError,
        SolverError,
        UnsupportedError,
    )
    from bridge.limits import Limits
    from bridge.outcome import Interrupted, Outcome, Statistics, Stream, Verdict
    from bridge.pictures import picture
    from bridge.puzzles import Puzzle, load, load_all, parse, parse_all
    from bridge.puzzles.residual import Residual
    from bridge.search.ladder import Grade

__version__ = "0.1.0"

# Puzzles and results show themselves in notebooks; who draws them is above them.
drawn_by("bridge.pictures:picture")

_HOMES = {
    "bridge.errors": (
        "BridgeError",
        "DisagreementError",
        "InputError",
        "MissingSolverError",
        "OutputError",
        "Place",
        "ProgramError",
        "SolverError",
        "UnsupportedError",
    ),
    "bridge.limits": ("Limits",),
    "bridge.outcome": ("Interrupted", "Outcome", "Statistics", "Stream", "Verdict"),
    "bridge.pictures": ("picture",),
    "bridge.puzzles": ("Puzzle", "load", "load_all", "parse", "parse_all"),
    "bridge.puzzles.residual": ("Residual",),
    "bridge.engines": ("engine",),
    "bridge.search.ladder": ("Grade",),
    "bridge.batches.batch": ("batch",),
    "bridge.analysis.check": ("Report", "check", "residual"),
    "bridge.analysis.compare": ("Comparison", "compare"),
    "bridge.analysis.count": ("Counted", "count"),
    "bridge.batches.cubes": ("cubes",),
    "bridge.analysis.diagnose": ("Diagnosis", "diagnose"),
    "bridge.analysis.explain": ("Step", "explain"),
    "bridge.analysis.generate": ("Generated", "generate"),
    "bridge.analysis.grade": ("grade",),
    "bridge.analysis.solve": ("solutions",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "BridgeError",
    "Comparison",
    "Counted",
    "Diagnosis",
    "DisagreementError",
    "Generated",
    "Grade",
    "InputError",
    "Interrupted",
    "Limits",
    "MissingSolverError",
    "Outcome",
    "OutputError",
    "Place",
    "ProgramError",
    "Puzzle",
    "Report",
    "Residual",
    "SolverError",
    "Statistics",
    "Step",
    "Stream",
    "UnsupportedError",
    "Verdict",
    "batch",
    "check",
    "compare",
    "count",
    "cubes",
    "diagnose",
    "engine",
    "explain",
    "generate",
    "grade",
    "load",
    "load_all",
    "parse",
    "parse_all",
    "picture",
    "residual",
    "solutions",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value
    raise AttributeError(f"module 'bridge' has no attribute {name!r}")
