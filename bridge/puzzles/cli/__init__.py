"""The commands `lpbridge puzzle VERB KIND FILE`."""

from __future__ import annotations

import click

from bridge.cli.kit import SETTINGS, LazyGroup

#: Each command, the place where it is defined, and its line in `lpbridge puzzle --help`.
_COMMANDS = {
    "check": ("bridge.puzzles.cli.questions:check", "Has a puzzle one solution, several or none? What is open?"),
    "diagnose": ("bridge.puzzles.cli.questions:diagnose", "Why has a puzzle no solution, or several? How to fix it?"),
    "explain": ("bridge.puzzles.cli.explain:explain", "Solve a puzzle step by step, each step with its reasons."),
    "grade": ("bridge.puzzles.cli.questions:grade", "How hard is a puzzle: which techniques solve it without search?"),
    "solve": ("bridge.puzzles.cli.solve:solve", "Print solutions as they are found."),
    "residual": (
        "bridge.puzzles.cli.questions:residual",
        "Print open cells, their possible values, and the constraints on them.",
    ),
    "count": ("bridge.puzzles.cli.questions:count", "Count solutions, exactly or as a lower bound."),
    "compare": ("bridge.puzzles.cli.compare:compare", "Compare engines on puzzles: do they agree, what do they cost?"),
    "generate": ("bridge.puzzles.cli.generate:generate", "Make new puzzles with exactly one solution."),
    "batch": ("bridge.puzzles.cli.batch:batch", "Run one command on many puzzles, with all cores or a cluster."),
    "draw": ("bridge.puzzles.cli.draw:draw", "Draw a puzzle or a result: SVG, PNG, PDF or text."),
    "sheet": ("bridge.puzzles.cli.sheet:sheet", "Set puzzles on pages to be printed, with grades and answers."),
    "convert": (
        "bridge.puzzles.cli.convert:convert",
        "Write puzzles in another format: ipuz, .puz, game IDs, links, facts.",
    ),
    "csp": ("bridge.puzzles.cli.csp:csp", "Print a puzzle as a CSP: variables, domains, constraints."),
    "goal-csp": ("bridge.puzzles.cli.csp:goal_csp", "Print and solve, as a CSP, what a Prolog goal posts."),
    "serve": (
        "bridge.puzzles.cli.serve:serve",
        "The workbench in the browser: draw or paste a puzzle.",
    ),
    "engines": ("bridge.puzzles.cli.listings:engines", "List the engines and their abilities."),
    "kinds": ("bridge.puzzles.cli.listings:listed_kinds", "List the kinds of puzzles and their options."),
    "new-kind": ("bridge.puzzles.cli.new_kind:new_kind", "Write the files of a new kind of puzzle, to be changed."),
    "report": ("bridge.puzzles.cli.report:report", "Reproduce the student reports that the puzzles come from."),
}


@click.group(cls=LazyGroup, table=_COMMANDS, context_settings=SETTINGS)
def puzzle() -> None:
    """Analyse, explain, make and draw puzzles.

    \b
    lpbridge puzzle check sudoku puzzle.txt       unique, ambiguous or impossible?
    lpbridge puzzle diagnose sudoku puzzle.txt    what clashes, what is open, what to change
    lpbridge puzzle explain sudoku puzzle.txt     step by step, with reasons
    lpbridge puzzle generate sudoku --size 9      a new one
    lpbridge puzzle compare sudoku *.txt -e asp,clpfd    engines side by side

    In place of `sudoku` any kind of puzzle may stand (`lpbridge puzzle kinds`), or the path of its file.
    """
