"""Report 3: eight Sudokus, posted to clpfd, and labelled where that is needed.

Its figures are of SWI-Prolog 7.6.4. The same goals count other inferences in another version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from time import perf_counter
from typing import Any

from bridge.common import LIMITS
from bridge.errors import InputError, LimitError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.problem import Residual
from bridge.prolog.locate import current, show_version
from bridge.puzzles.analysis.check import check
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.rules import cell_name
from bridge.puzzles.reports import Finding, data, passages, solved

ABOUT = """The report posts the constraints of a Sudoku to SWI-Prolog's `library(clpfd)`, shows what stays open, and
labels row by row where that is not enough. Here the same constraints are posted in the same order and labelled in the
same way, by SWI-Prolog of the version named above; the engine `clpfd` labels the whole grid, smallest domain first.
Inferences are compared as ratios, since the library has changed since version 7.6.4. The scan damaged the problems;
they are restored from their sources, and checked."""

#: What a problem is called in the report, and its verdict here.
_VERDICTS = {
    "1": ("Válido", "unique"),
    "2": ("Inválido (elemento fora de 1..9)", "refused"),
    "3": ("Inválido (sem soluções)", "impossible"),
    "4": ("Inválido (múltiplas soluções)", "ambiguous"),
    "5": ("Inválido (múltiplas soluções)", "ambiguous"),
    "6": ("Inválido (2 soluções)", "ambiguous"),
    "7": ("Válido", "unique"),
}

#: The variables that the report's toplevel named, by cell. Two of them lost their underscore.
_CELLS = {"31504": (4, 1), "31534": (4, 6), "31624": (6, 1), "31654": (6, 6)}

#: Sizes besides 9, which the report leaves to future work.
SIZES = (4, 6, 16, 25)

#: Posting and labelling, each with its inferences and CPU seconds, as library(statistics) counts them.
_GOAL = (
    "statistics(inferences, _I0), statistics(cputime, _T0), "
    "( sudoku(Rows, 3-3) -> Posted = true ; Posted = false ), "
    "statistics(inferences, _I1), statistics(cputime, _T1), "
    "( Posted == true, maplist(label, Rows) -> Labelled = true ; Labelled = false ), "
    "statistics(inferences, _I2), statistics(cputime, _T2), "
    "Post is _I1 - _I0, Label is _I2 - _I1, PostSeconds is _T1 - _T0, LabelSeconds is _T2 - _T1"
)


def findings(seconds: float) -> Iterator[Finding]:
    """What the report says of its problems, one by one; then inferences and seconds; then its future work."""
    problems = {problem["id"].removeprefix("report3-p"): problem for problem in data("sudoku_clpfd")["problems"]}
    for number, problem in problems.items():
        yield _verdict(number, problem, seconds)
    yield from _in_time("problem 1: solution", _solution(problems["1"], seconds))
    for number in ("5", "6"):
        yield _count(number, problems[number], seconds)
    yield from _in_time("problem 6: residual", _residual(_puzzle(problems["6"]), seconds))
    yield from _in_time("problem 8: needs search", _needs_search(_puzzle(problems["8"]), seconds))
    yield from _in_time("problems 7 and 8: costs", _costs(problems, seconds))
    yield from _times(problems, seconds)
    for size in SIZES:
        yield _size(size, seconds)


def _in_time(what: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """The findings; where a limit comes first, a finding that says so."""
    try:
        yield from findings
    except LimitError as error:
        yield Finding(what, "", error.message, None)


def _ended(limit: str | None) -> LimitError:
    return LimitError(f"not computed: ended by {LIMITS[limit or 'seconds']}")


def _puzzle(problem: dict[str, Any]) -> Puzzle:
    text = problem["puzzle"]
    if isinstance(text, list):
        text = "\n".join(" ".join("." if value is None else str(value) for value in row) for row in text)
    return parse("sudoku", text)


def _verdict(number: str, problem: dict[str, Any], seconds: float) -> Finding:
    what = f"problem {number.replace('-ocr-variant', ', with the extra 9 of the scan')}: verdict"
    says, expected = _VERDICTS.get(number, ("", "ambiguous" if number.startswith("5") else "unique"))
    source = f"problem {number}" if says else ""
    try:
        puzzle = _puzzle(problem)
    except InputError as error:
        note = "the report's program answers false; a wrong value is a mistake in the input, so we name its place"
        return Finding(what, says, error.message, expected == "refused", note=note, source=source, method="reader")
    found = check(puzzle, limits=Limits(seconds=seconds))
    holds = None if found.verdict is Verdict.UNKNOWN else str(found.verdict) == expected
    if holds and problem.get("solution"):
        holds = "".join(str(value) for row in found.solutions[0] for value in row) == problem["solution"]
    return Finding(what, says, str(found.verdict), holds, source=source, method="asp")


def _solution(problem: dict[str, Any], seconds: float) -> Iterator[Finding]:
    """Nine rows, printed in two pieces."""
    outcome = solved("clpfd", _puzzle(problem), seconds, None)
    if not outcome.complete:
        raise _ended(outcome.limit)
    rows = [f"[{', '.join(map(str, row))}]." for grid in outcome.solutions for row in grid]
    first = "solution of problem 1"
    for source, ours, which in ((first, rows[:5], "1 to 5"), (f"{first}, continued", rows[5:], "6 to 9")):
        says = [line for line in passages(3)[source].text.splitlines() if not line.startswith("Rows")]
        what = f"problem 1: solution, rows {which}"
        yield Finding(what, "\n".join(says), "\n".join(ours), ours == says, source=source, method="clpfd")


def _count(number: str, problem: dict[str, Any], seconds: float) -> Finding:
    known = problem["count"]
    outcome = solved("clpfd", _puzzle(problem), seconds, None)
    ours = str(len(outcome.solutions)) if outcome.complete else f"at least {len(outcome.solutions)}"
    holds = len(outcome.solutions) == known if outcome.complete else None
    says, source = ("2 soluções", "problem 6") if number == "6" else ("", "")
    return Finding(f"problem {number}: solutions", says, ours, holds, source=source, method="clpfd")


def _residual(puzzle: Puzzle, seconds: float) -> Iterator[Finding]:
    known = passages(3)
    left = _propagated(puzzle, seconds)
    cells = [[left.possible[r, c] for c in range(1, 10)] for r in range(1, 10)]
    rows = [f"[{', '.join(str(one[0]) if len(one) == 1 else '_' for one in row)}]." for row in cells]
    source = "what is bound in problem 6"
    printed = known[source].text.splitlines()
    what = "problem 6: what is bound without search"
    yield Finding(what, "\n".join(printed), "\n".join(rows), rows == printed, source=source, method="clpfd")
    source = "residual of problem 6"
    goals = _goals(known[source].text)
    ours = "\n".join(sorted(left.constraints))
    same = len(left.constraints) == len(goals) and all(
        goal in goals or any(said.startswith("all_distinct") and goal.startswith(f"{said},") for said in goals)
        for goal in left.constraints
    )
    note = "the goals as a set; the toplevel cuts a list after eight elements, and names cells by numbers"
    what = "problem 6: residual goals"
    yield Finding(what, known[source].text, ours, same, note=note, source=source, method="clpfd")
    exact = engine("asp").exact(puzzle, Limits(seconds=seconds))
    if not exact.complete:
        raise _ended(exact.limit)
    says, source = "4 casas que não puderam ser instanciadas", "open cells of problem 6"
    ours = f"{len(exact.open)} cells open, of which each has both values in some solution"
    same = exact.open == left.open and len(exact.open) == 4
    yield Finding("problem 6: open cells", says, ours, same, source=source, method="clpfd and asp")
    unique = []
    for cell, value in product(sorted(exact.open), (3, 6)):
        fixed = puzzle.with_clues({**puzzle.clues(), cell: value})
        if check(fixed, limits=Limits(seconds=seconds), residual="none").verdict is Verdict.UNIQUE:
            unique.append((cell, value))
    says, source = "uma dessas 4 casas ficasse bem definida", "fixing problem 6"
    ours = f"any one of {len({cell for cell, _ in unique})} cells given as 3 or 6 makes it unique"
    what = "problem 6: a cell given in addition"
    yield Finding(what, says, ours, len(unique) == 8, source=source, method="asp")


def _goals(text: str) -> set[str]:
    """The printed goals, with cells in place of the toplevel's variables, without the marks of a cut list."""
    for number, cell in _CELLS.items():
        text = re.sub(rf"_?{number}", cell_name(cell), text)
    return {goal.strip().rstrip(",.").replace("|...])", "") for goal in text.splitlines()}


def _propagated(puzzle: Puzzle, seconds: float) -> Residual:
    left = engine("clpfd").propagated(puzzle, Limits(seconds=seconds))
    if not left.complete:
        raise _ended(left.limit)
    return left


def _needs_search(puzzle: Puzzle, seconds: float) -> Iterator[Finding]:
    left = _propagated(puzzle, seconds)
    ours = f"{len(left.open)} cells open after posting"
    says, source = "foi necessário utilizar busca", "search for problem 8"
    yield Finding("problem 8: needs search", says, ours, bool(left.open), source=source, method="clpfd")


def _costs(problems: dict[str, Any], seconds: float) -> Iterator[Finding]:
    """Posting and labelling row by row, as in the report."""
    method = "the report's goals"
    for number, phase, source in (
        ("7", "Post", "cost of problem 7"),
        ("8", "Post", "cost to post problem 8"),
        ("8", "Label", "cost to label problem 8"),
    ):
        text = passages(3)[source].text
        inferences, cpu = re.findall(r"[\d,]+ inferences|[\d.]+ CPU", text)
        ran = _run(problems[number], seconds)
        if not ran:
            raise _ended("seconds")
        what = f"problem {number}: to {phase.lower()}"
        ratio = f"{ran[phase] / int(re.sub(r'[^0-9]', '', inferences)):.2f} of theirs"
        note = "the same goals, another version of the library"
        shown = f"{ran[phase]:,} inferences"
        yield Finding(f"{what}, inferences", inferences, shown, None, ratio, note, source, method)
        shown = f"{ran[f'{phase}Seconds']:.3f} CPU"
        yield Finding(f"{what}, CPU seconds", cpu, shown, None, "", "another machine", source, method)
    for number in ("7", "8"):
        outcome = solved("clpfd", _puzzle(problems[number]), seconds)
        counters = outcome.statistics.counters
        if "post_inferences" not in counters:
            raise _ended(outcome.limit)
        label = counters["inferences"] - counters["post_inferences"]
        shown = f"{counters['post_inferences']:,} inferences to post, {label:,} to label"
        note = "the whole grid at once, smallest domain first; varies with the version"
        what = f"problem {number}: by the engine"
        yield Finding(what, "", shown, bool(outcome.solutions) or None, note=note, method="clpfd")


def _run(problem: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The report's goals on a problem: post, then label row by row."""
    from bridge.prolog import Session, Variable

    rows = problem["puzzle"]
    if isinstance(rows, str):
        rows = [[None if value == "." else int(value) for value in rows[9 * r : 9 * r + 9]] for r in range(9)]
    asked = [
        [Variable(cell_name((r, c))) if value is None else value for c, value in enumerate(row, 1)]
        for r, row in enumerate(rows, 1)
    ]
    with Session(encoding("sudoku/sudoku.pl"), isolated=False) as session:
        answer = session.first(_GOAL, {"Rows": asked}, limits=Limits(seconds=seconds))
    names = ("Posted", "Labelled", "Post", "Label", "PostSeconds", "LabelSeconds")
    return {} if answer is None else {name: answer[name] for name in names}


def _times(problems: dict[str, Any], seconds: float) -> Iterator[Finding]:
    """Seconds of whole runs in the report, and of posting and labelling here."""
    longest = 0.0
    for number, said in (("7", "0,03s"), ("1", "0,07s"), ("2", "0,01s"), ("3", "0,06s")):
        started = perf_counter()
        ran = _run(problems[number], seconds)
        spent = perf_counter() - started
        found = "not done in time" if not ran else "solved" if str(ran["Labelled"]) == "true" else "false"
        longest = max(longest, spent)
        note = "another machine; theirs includes starting Prolog and loading, which here is done already"
        what = f"problem {number}: seconds"
        source = f"seconds of problem {number}"
        yield Finding(what, said, f"{spent:.3f}s, {found}", None, "", note, source, "the report's goals")
        if number in ("2", "3"):
            says, source = "(como 2 ou 3), *false* é indicado", "false"
            what = f"problem {number}: the answer"
            same = found == "false" if ran else None
            yield Finding(what, says, found, same, source=source, method="the report's goals")

    says, source = "Em todos os testes, a execução tomou menos que 0,1s", "below a tenth"
    note = "another machine"
    yield Finding(
        "all of these: seconds", says, f"at most {longest:.3f}s", None, "", note, source, "the report's goals"
    )
    ours = show_version(current().version)
    yield Finding("version of SWI-Prolog", "version 7.6.4", f"version {ours}", None, source="version")


def _size(size: int, seconds: float) -> Finding:
    puzzle = parse("sudoku", "\n".join([" ".join(["."] * size)] * size))
    by = "clpfd" if size < 25 else "asp"
    outcome = solved(by, puzzle, seconds)
    right = bool(outcome.solutions) and not puzzle.violations(outcome.solutions[0])
    ours = "the empty grid is filled" if right else f"not filled, ended by {LIMITS[str(outcome.limit)]}"
    what, note = f"other sizes: {size}x{size}", "the report leaves other sizes to future work"
    return Finding(what, "", ours, right or None, note=note, method=by)
