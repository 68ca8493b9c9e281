"""The commands that put one question to every puzzle of a file: `check`, `diagnose`, `grade`, `count`, `residual`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import JOBS, MANY, ProgressLine, json_option, jsonl_option, time_option
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.cli.options import engine_option, puzzle_file, residual_options
from bridge.puzzles.cli.reading import show_each
from bridge.puzzles.kinds import Puzzle

if TYPE_CHECKING:
    from bridge.puzzles.analysis.check import Report
    from bridge.puzzles.analysis.count import PuzzleCount
    from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
    from bridge.puzzles.engines.residual import PuzzleResidual


@click.command()
@puzzle_file
@engine_option("asp")
@time_option(None, "each question put to an engine")
@click.option("--expect", type=click.Choice([str(v) for v in Verdict]), help="Exit with 1 on any other verdict.")
@residual_options()
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is checked.")
@click.pass_context
def check(ctx: click.Context, /, **given: Any) -> None:
    """Is the PUZZLE in FILE unique, ambiguous or impossible?

    Shows the solution, or two that differ. If the puzzle is ambiguous: the open cells with their possible values, exact
    (those of some solution) beside propagated (those left without search), and the constraints on them. If
    clues clash: which.

    \b
    lpbridge puzzle check sudoku examples/sudoku/report3-problem6.txt
    lpbridge puzzle check sudoku --expect unique - < puzzle.txt && echo publish it
    """
    from bridge.puzzles.analysis.check import check as check_puzzle
    from bridge.puzzles.engines import engine

    how = {name: given[name] for name in ("engine", "residual", "propagation")}
    engine(given["engine"])

    def ask(puzzle: Puzzle) -> Report:
        return check_puzzle(puzzle, limits=Limits(seconds=given["time_limit"]), **how)

    def unmet(report: Report) -> str | None:
        expected = given["expect"]
        return f"expected {expected}" if expected is not None and report.verdict != expected else None

    show_each(ctx, ask, lambda one: one.verdict is Verdict.UNKNOWN and not one.solutions, unmet=unmet)


@click.command()
@puzzle_file
@time_option(10.0, "each puzzle")
@click.option(
    "--clashes", type=click.IntRange(min=1), default=1, show_default=True, help="How many clashes, pairwise disjoint."
)
@click.option("--smallest", is_flag=True, help="Find a clash of the fewest rules and clues, however long it takes.")
@click.option("--most-clues", type=click.IntRange(min=1), default=4, show_default=True, help="The most clues to add.")
@click.option("--repairs", type=click.IntRange(min=1), default=100, show_default=True, help="The most repairs to find.")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is diagnosed.")
@click.pass_context
def diagnose(ctx: click.Context, /, **given: Any) -> None:
    """What is wrong with the PUZZLE in FILE, and how to fix it?

    Impossible: a minimal set of rules and clues that cannot hold together, and the fewest clues to take away.
    Ambiguous: the open cells, the number of solutions for each of their values, the cells that vary together, and the
    fewest clues to add. Unique: the grade, and the redundant clues.

    \b
    lpbridge puzzle diagnose sudoku examples/sudoku/report3-problem6.txt
    lpbridge puzzle diagnose takuzu puzzles.txt --jsonl
    """
    from bridge.analysis import EFFORT
    from bridge.puzzles.analysis.diagnose import diagnose as diagnosis_of

    how = {name: given[name] for name in ("clashes", "repairs", "most_clues")}
    effort = None if given["smallest"] else EFFORT

    def ask(puzzle: Puzzle) -> PuzzleDiagnosis:
        return diagnosis_of(puzzle, limits=Limits(seconds=given["time_limit"]), effort=effort, **how)

    show_each(ctx, ask, lambda one: one.verdict is Verdict.UNKNOWN and not one.solutions)


@click.command()
@puzzle_file
@click.option("--top", default="search", help="The last level to use: a name of the table, or easy, medium, hard.")
@time_option(None, "each puzzle")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is graded.")
@click.pass_context
def grade(ctx: click.Context, /, **given: Any) -> None:
    """How hard is the PUZZLE in FILE: which techniques solve it without search?

    The levels, from the weakest. Easy: naked singles (fc), one rule at a time (ac), hidden singles (singles). Medium:
    locked candidates and other reasons of two rules (locked), pairs to quads (gac). Hard: X-wings to jellyfish (fish),
    wings, chains. Very hard: values that lead to a contradiction (shaving), search. The grade is the weakest that
    suffices. The table has for each level its steps, the values that it removed, the variables that it decided, and the
    number of open ones when it was exhausted. A puzzle with several solutions, or with none, has no grade.

    \b
    lpbridge puzzle grade sudoku examples/sudoku/report3-problem1.txt
    lpbridge puzzle grade takuzu puzzles.txt --jsonl
    """
    from bridge.puzzles.explain.grade import grade as grade_of
    from bridge.puzzles.search.ladder import levels_of

    top, limits = levels_of(given["top"])[-1], Limits(seconds=given["time_limit"])
    show_each(
        ctx,
        lambda one: grade_of(one, top=top, limits=limits),
        lambda one: one.limit is not None,
        data=lambda one: {"puzzle": given["puzzle"], **one.to_json()},
    )


@click.command()
@puzzle_file
@engine_option("asp")
@click.option("-n", "--most", type=MANY, default=0, show_default=True, help="Stop at this number; 0 for all.")
@time_option(None, "each puzzle")
@click.option(
    "--cubes", type=click.IntRange(min=1), metavar="N", help="Split each puzzle into N or more, counted separately."
)
@click.option("-j", "--jobs", type=JOBS, help="Worker processes for cubes; by default one for each core.")
@click.option("--scheduler", metavar="ADDRESS", help="Count the cubes on a Dask cluster (see docs/scaling.md).")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is counted.")
@click.pass_context
def count(ctx: click.Context, /, **given: Any) -> None:
    """How many solutions has the PUZZLE in FILE?

    Exactly, and without enumerating all where possible: an empty Latin or magic square is counted up to symmetry, and
    independent groups of open cells are counted separately and multiplied. When a limit or Ctrl-C comes first, the
    number is a lower bound. With --cubes all cores, or a cluster, count one puzzle: it is split by the values of some
    cells, and the numbers are added.

    \b
    lpbridge puzzle count takuzu examples/takuzu/six-solutions.txt
    echo order 6 | lpbridge puzzle count latin-square -
    lpbridge puzzle count takuzu grid.txt --cubes 64 --jobs 8
    """
    from bridge.puzzles.analysis.count import count as count_solutions

    cubes, cluster = given["cubes"], {name: given[name] for name in ("jobs", "scheduler")}
    if cubes is None and any(value is not None for value in cluster.values()):
        raise click.UsageError("--jobs and --scheduler are for --cubes")
    line = ProgressLine(not (given["as_json"] or given["jsonl"]))

    def report(number: int, seconds: float) -> None:
        line.show(f"{number:,} so far, {number / seconds:,.0f} a second, {seconds:.0f} s")

    def text(one: PuzzleCount) -> str:
        line.clear()
        return str(one)

    def ask(puzzle: Puzzle) -> PuzzleCount:
        limits = Limits(seconds=given["time_limit"], solutions=given["most"] or None)
        how: dict[str, Any] = {
            "engine": given["engine"],
            "limits": limits,
            "on_progress": report if line.shown else None,
        }
        if cubes is None:
            return count_solutions(puzzle, **how)
        from bridge.puzzles.batching.cubes import count_cubes

        return count_cubes(puzzle, cubes, **how, **cluster)

    show_each(ctx, ask, lambda one: one.number == 0 and not one.complete, text=text)


@click.command()
@puzzle_file
@engine_option("asp")
@time_option(None, "the question")
@click.option("--candidates", is_flag=True, help="Draw the grid with the possible values of every cell.")
@json_option
@click.pass_context
def residual(ctx: click.Context, /, **given: Any) -> None:
    """Print the open cells of the PUZZLE in FILE with their possible values, and the constraints on them.

    With `-e asp` they are exact: the values that occur in some solution. With `-e clpfd` they are those that
    propagation leaves without search, with the residual goals of SWI-Prolog; `mac` and `fc` propagate, too.

    \b
    lpbridge puzzle residual sudoku examples/sudoku/report3-problem6.txt -e clpfd
    lpbridge puzzle residual sudoku examples/sudoku/report3-problem8.txt -e clpfd --candidates
    """
    from bridge.puzzles.analysis.check import candidates_text
    from bridge.puzzles.analysis.check import residual as residual_of

    def ask(puzzle: Puzzle) -> tuple[PuzzleResidual, str]:
        one = residual_of(puzzle, engine=given["engine"], limits=Limits(seconds=given["time_limit"]))
        return one, f"{one.sentence()}\n{candidates_text(puzzle, one) if given['candidates'] else one.listing()}"

    show_each(
        ctx,
        ask,
        lambda one: not (one[0].complete or one[0].possible),
        text=lambda one: one[1],
        data=lambda one: {"puzzle": given["puzzle"], **one[0].to_json()},
        titled=False,
    )
