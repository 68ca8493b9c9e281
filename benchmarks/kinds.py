"""`python -m benchmarks.kinds DATASET NOQX`: kinds that are files beside noqx and puzzlekit, on the same instances.

DATASET is a checkout of github.com/SmilingWayne/puzzlekit-dataset, NOQX one of github.com/T0nyX1ang/noqx; puzzlekit
comes with the extra `bench`. The question is the same for all: a solution, and the proof that there is no other.

- lpbridge: `check` on an instance that it has read; both are timed, and the first instance pays for nothing special.
- noqx: the program that its solver generates from a board, given to its own clingo class, asked for two solutions.
- puzzlekit: its solver; then the solution is forbidden and the same model is solved again, as it has no proof of its
  own. One worker.

The three take turns on each instance, in an order that is shuffled each time. Every instance is asked once in each of
the rounds, and each round is a process of its own, so that nothing is kept from one round to the next. An instance that
runs out of time counts as the limit.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.measure import machine

#: A solution: what decides it, in the same form for all. None when there is none.
Answer = tuple[Any, ...]
Rows = list[list[str]]

#: Whether there is one solution, several, or none; and the solution if there is one.
Finding = tuple[str, Answer | None]

RIVALS = ("lpbridge", "noqx", "puzzlekit")


@dataclass
class Board:
    """An instance as the dataset has it, cut into tokens.

    Attributes
    ----------
    name, text
        Its name and its text in the dataset.
    head
        The numbers of its first line.
    rows
        The lines that follow.
    """

    name: str
    text: str
    head: list[int]
    rows: Rows = field(repr=False)

    @property
    def height(self) -> int:
        return self.head[0]

    @property
    def width(self) -> int:
        return self.head[1]

    @property
    def grid(self) -> Rows:
        """The first block of rows."""
        return self.rows[: self.height]

    @property
    def second(self) -> Rows:
        """The second block, which is a map of regions."""
        return self.rows[self.height : 2 * self.height]

    @staticmethod
    def of(name: str, text: str) -> Board:
        lines = [line.split() for line in text.strip().splitlines()]
        return Board(name, text, [int(token) for token in lines[0] if token.isdigit()], lines[1:])


@dataclass(frozen=True)
class Case:
    """A kind of puzzle and how each contender takes it.

    Attributes
    ----------
    kind, dataset
        Its name here and in the dataset.
    text
        A board as our text.
    noqx
        The name of noqx's solver, and a function that puts the board into its puzzle; None if it has none.
    puzzlekit
        The name of its parser and solver.
    options
        Options of ours.
    fits
        Whether a board is of just this kind: the datasets have variants among them.
    note
        Where the contenders do not mean the same puzzle.
    """

    kind: str
    dataset: str
    text: Callable[[Board], str]
    noqx: tuple[str, Callable[[Any, Board], None]] | None
    puzzlekit: str
    options: Callable[[Board], dict[str, str]] = lambda board: {}
    fits: Callable[[Board], bool] = lambda board: True
    note: str = ""


def _dots(row: Iterable[str]) -> str:
    return " ".join("." if token in "-." else token for token in row)


def _rows(rows: Iterable[Iterable[str]]) -> str:
    return "".join(f"{_dots(row)}\n" for row in rows)


def _plain_text(board: Board) -> str:
    return _rows(board.grid)


def _cells(rows: Rows) -> Iterable[tuple[int, int, str]]:
    return ((r, c, token) for r, row in enumerate(rows) for c, token in enumerate(row))


# The kinds


def _region_name(token: str) -> str:
    return f"k{token}" if token.isdigit() else token


def _cages(board: Board, line: Callable[[str], str]) -> str:
    """Open rows, a map of cages, and a line for each cage that has a clue."""
    clues: dict[str, str] = {}
    for r, c, token in _cells(board.grid):
        if token not in "-.":
            clues[board.second[r][c]] = token
    blank = _rows([["-"] * board.width] * board.height)
    cages = _rows([[_region_name(token) for token in row] for row in board.second])
    return f"{blank}\ncages:\n{cages}\n" + "".join(f"{_region_name(k)}: {line(v)}\n" for k, v in clues.items())


def _kenken_fits(board: Board) -> bool:
    """Each cage has one clue, which says its sign where it has several cells; no sign for two stands on more."""
    sizes: dict[str, int] = {}
    signs: dict[str, list[str]] = {}
    for r, c, zone in _cells(board.second):
        sizes[zone] = sizes.get(zone, 0) + 1
        if (token := board.grid[r][c]) not in "-.":
            signs.setdefault(zone, []).append(token)
    return (
        all(
            len(found) == 1
            and re.fullmatch(r"\d+" if sizes[zone] == 1 else r"\d+[-+*/]" if sizes[zone] == 2 else r"\d+[+*]", found[0])
            for zone, found in signs.items()
        )
        and signs.keys() == sizes.keys()
    )


def _killer_fits(board: Board) -> bool:
    """Boxes as square as can be are those of all contenders in these sizes."""
    return board.height in (4, 9)


def _borders(puzzle: Any, rows: Rows) -> None:
    """Edges between cells of different regions."""
    from noqx.puzzle import Direction, Point

    for r, c, token in _cells(rows):
        if c and rows[r][c - 1] != token:
            puzzle.edge[Point(r, c, Direction.LEFT)] = True
        if r and rows[r - 1][c] != token:
            puzzle.edge[Point(r, c, Direction.TOP)] = True


def _noqx_numbers(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Point

    for r, c, token in _cells(board.grid):
        if token.isdigit():
            puzzle.text[Point(r, c)] = int(token)


def _noqx_kenken(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Direction, Point

    _borders(puzzle, board.second)
    for r, c, token in _cells(board.grid):
        if token not in "-.":
            corner = Point(r, c, Direction.CENTER, f"corner_{Direction.TOP_LEFT}")
            puzzle.text[corner] = int(token) if token.isdigit() else token


def _noqx_killer(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Direction, Point

    puzzle.param = {"diagonal": False, "untouch": False, "antiknight": False}
    cages: dict[str, list[tuple[int, int]]] = {}
    for r, c, zone in _cells(board.second):
        cages.setdefault(zone, []).append((r, c))
    puzzle.problem = {"killercages": list(cages.values()), "arrows": [], "thermo": []}
    puzzle.index_to_coord = lambda cell: (cell, "")
    for r, c, token in _cells(board.grid):
        if token.isdigit():
            puzzle.text[Point(r, c, Direction.CENTER, f"corner_{Direction.TOP_LEFT}")] = int(token)


def _noqx_skyscrapers(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Point

    n = board.height
    for i in range(n):
        places = ((-1, i), (n, i), (i, -1), (i, n))
        for (r, c), token in zip(places, [row[i] for row in board.rows[:4]], strict=True):
            if token.isdigit():
                puzzle.text[Point(r, c)] = int(token)
    for r, c, token in _cells(board.rows[4:]):
        if token.isdigit():
            puzzle.text[Point(r, c)] = int(token)


def _skyscrapers_text(board: Board) -> str:
    top, bottom, left, right = board.rows[:4]
    lines = [_dots([a, *row, b]) for a, row, b in zip(left, board.rows[4:], right, strict=True)]
    return "\n".join([_dots(top), *lines, _dots(bottom)]) + "\n"


def _noqx_slitherlink(puzzle: Any, board: Board) -> None:
    puzzle.param = {"vslither": False, "tslither": False, "swslither": False}
    _noqx_numbers(puzzle, board)


def _akari_text(board: Board) -> str:
    return _rows([["#" if token == "x" else token for token in row] for row in board.grid])


def _noqx_akari(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Color, Point

    for r, c, token in _cells(board.grid):
        if token != "-":
            puzzle.surface[Point(r, c)] = Color.BLACK
    _noqx_numbers(puzzle, board)


def _nonogram_lines(board: Board) -> tuple[Rows, Rows]:
    """The blocks of rows and of columns; the dataset has columns first."""
    lines = [[token for token in row if token != "-"] or ["0"] for row in board.rows]
    return lines[board.width :], lines[: board.width]


def _nonogram_text(board: Board) -> str:
    rows, columns = (", ".join(" ".join(row) for row in lines) for lines in _nonogram_lines(board))
    return f"rows: {rows}\ncolumns: {columns}\n"


def _noqx_nonogram(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Point

    puzzle.param = {"cts": False}
    rows, columns = _nonogram_lines(board)
    for r, row in enumerate(rows):
        for i, token in enumerate(reversed(row), 1):
            puzzle.text[Point(r, -i)] = int(token)
    for c, column in enumerate(columns):
        for i, token in enumerate(reversed(column), 1):
            puzzle.text[Point(-i, c)] = int(token)


def _noqx_star_battle(puzzle: Any, board: Board) -> None:
    puzzle.param = {"stars": str(board.head[2])}
    _borders(puzzle, board.grid)


def _kakuro_text(board: Board) -> str:
    """Sums as `DOWN\\ACROSS`, `#` for a black cell without any."""
    token = {"-": "#", "0": "."}
    rows = [[token.get(one, one.replace(",", "\\")) for one in row] for row in board.grid]
    return "".join(" ".join(row) + "\n" for row in rows)


def _noqx_kakuro(puzzle: Any, board: Board) -> None:
    from noqx.puzzle import Direction, Point

    for r, c, token in _cells(board.grid):
        if token == "0":
            continue
        puzzle.symbol[Point(r, c, Direction.CENTER)] = "black"
        down, _, across = token.partition(",")
        for text, corner in ((down, Direction.BOTTOM_LEFT), (across, Direction.TOP_RIGHT)):
            if text.isdigit():
                puzzle.text[Point(r, c, Direction.CENTER, f"corner_{corner}")] = int(text)


def _jigsaw_text(board: Board) -> str:
    return f"{_rows(board.grid)}\nregions:\n{_rows([map(_region_name, row) for row in board.second])}"


def _takuzu_text(board: Board) -> str:
    return _rows([[{"1": "0", "2": "1"}.get(token, token) for token in row] for row in board.grid])


CASES = (
    Case("kenken", "KenKen", lambda board: _cages(board, str), ("kenken", _noqx_kenken), "ken_ken", fits=_kenken_fits),
    Case(
        "killer", "KillerSudoku", lambda board: _cages(board, str), ("sudoku", _noqx_killer), "killer_sudoku",
        fits=_killer_fits,
        note="noqx and puzzlekit let a value stand twice in a cage, so that a board may have more solutions for them",
    ),
    Case("variant-sudoku", "JigsawSudoku", _jigsaw_text, None, "jigsaw_sudoku"),
    Case(
        "skyscrapers", "Skyscraper", _skyscrapers_text, ("skyscrapers", _noqx_skyscrapers), "skyscraper",
        fits=lambda board: board.text.split("\n", 1)[0].split() == [str(board.height)] * 3 and len(board.rows) > 4,
    ),
    Case("slitherlink", "Slitherlink", _plain_text, ("slitherlink", _noqx_slitherlink), "slitherlink"),
    Case("akari", "Akari", _akari_text, ("akari", _noqx_akari), "akari"),
    Case("nonogram", "Nonogram", _nonogram_text, ("nonogram", _noqx_nonogram), "nonogram"),
    Case("hitori", "Hitori", _plain_text, ("hitori", _noqx_numbers), "hitori"),
    Case(
        "star-battle", "Starbattle", lambda board: _rows([map(_region_name, row) for row in board.grid]),
        ("starbattle", _noqx_star_battle), "starbattle", options=lambda board: {"stars": str(board.head[2])},
        fits=lambda board: not {"#", "@"} & {token for _, _, token in _cells(board.grid)},
    ),
    Case("kakuro", "Kakuro", _kakuro_text, ("kakuro", _noqx_kakuro), "kakuro"),
)  # fmt: skip


# The contenders


class Lpbridge:
    """`check` by the engine `asp`."""

    def __init__(self, seconds: float) -> None:
        from bridge import Limits

        self.limits = Limits(seconds=seconds)

    def __call__(self, case: Case, board: Board) -> Finding:
        import bridge

        puzzle = bridge.puzzles.parse(case.kind, case.text(board), **case.options(board))
        report = bridge.check(puzzle, limits=self.limits)
        if report.verdict.value != "unique":
            return report.verdict.value, None
        return "unique", tuple(value for row in report.solutions[0] for value in row if value is not None)


class Noqx:
    """The program of noqx's solver in noqx's clingo class."""

    def __init__(self, checkout: Path, seconds: float) -> None:
        sys.path.insert(0, str(checkout))
        import logging

        from noqx.clingo import ClingoSolver, Config
        from noqx.manager import generate_program, load_solver
        from noqx.puzzle import Puzzle

        logging.disable(logging.WARNING)  # atoms that occur in no head
        self.make, self.load, self.generate, self.solver = Puzzle, load_solver, generate_program, ClingoSolver
        Config.time_limit = int(seconds)  # type: ignore[assignment]
        Config.max_solutions_to_find = 2
        self.seconds = seconds
        self.loaded: set[str] = set()

    def __call__(self, case: Case, board: Board) -> Finding:
        assert case.noqx is not None
        name, fill = case.noqx
        if name not in self.loaded:
            self.load("solver", name)
            self.loaded.add(name)
        puzzle = self.make(name, "")
        puzzle.row, puzzle.col = board.height, board.width
        fill(puzzle, board)
        started = perf_counter()
        instance = self.solver()
        instance.solve(self.generate(puzzle))
        found = instance.solution()
        if len(found) < 2 and perf_counter() - started >= self.seconds:
            return "unknown", None
        if len(found) != 1:
            return ("ambiguous" if found else "impossible"), None
        return "unique", _noqx_answer(case, board, found[0])


def _noqx_answer(case: Case, board: Board, model: str) -> Answer:
    """The solution of noqx's atoms, in the order of our cells."""
    if case.kind == "slitherlink":
        found = {(int(r), int(c), d) for r, c, d in re.findall(r'edge\((-?\d+),(-?\d+),"(\w+)"\)', model)}
        edges = ((r, c) for r in range(2 * board.height + 1) for c in range(2 * board.width + 1) if (r + c) % 2)
        return tuple(int((r // 2, c // 2, "left" if r % 2 else "top") in found) for r, c in edges)
    if numbers := re.findall(r"number\((\d+),(\d+),(\d+)\)", model):
        return tuple(value for _, value in sorted(((int(r), int(c)), int(v)) for r, c, v in numbers))
    shaded = {(int(r), int(c)) for r, c in re.findall(r"\w+\((\d+),(\d+)\)", model)}
    cells = ((r, c) for r in range(board.height) for c in range(board.width))
    if case.kind == "akari":
        cells = ((r, c) for r, c in cells if board.grid[r][c] == "-")
    return tuple(int(cell in shaded) for cell in cells)


class Puzzlekit:
    """puzzlekit's solver, its solution forbidden for the proof."""

    def __init__(self, seconds: float) -> None:
        import puzzlekit.solvers  # noqa: F401  imported before the clock runs

        self.seconds = seconds

    def __call__(self, case: Case, board: Board) -> Finding:
        from puzzlekit.parsers.registry import get_parser
        from puzzlekit.solvers import get_solver_class

        solver = get_solver_class(case.puzzlekit)(**get_parser(case.puzzlekit)(board.text.strip()))
        if case.puzzlekit == "hitori":
            return self._by_cuts(solver)
        solver._add_constr()
        solver.solver.parameters.num_workers = 1
        answers: list[Answer] = []
        variables = self._variables(solver)
        started = perf_counter()
        while len(answers) < 2:
            left = self.seconds - (perf_counter() - started)
            solver.solver.parameters.max_time_in_seconds = max(left, 0.01)
            status = solver.solver.status_name(solver.solver.solve(solver.model))
            if status == "INFEASIBLE":
                break
            if status not in ("OPTIMAL", "FEASIBLE"):
                return "unknown", None
            answers.append(tuple(solver.solver.value(one) for one in variables))
            differs = []
            for one, value in zip(variables, answers[-1], strict=True):
                other = solver.model.new_bool_var("")
                solver.model.add(one != value).only_enforce_if(other)
                differs.append(other)
            solver.model.add_bool_or(differs)
        if len(answers) != 1:
            return ("ambiguous" if answers else "impossible"), None
        return "unique", self._answer(case, board, solver, answers[0])

    @staticmethod
    def _variables(solver: Any) -> list[Any]:
        if hasattr(solver, "arc_vars"):
            return list(solver.arc_vars.values())
        if hasattr(solver, "board_vars"):
            return [one for row in solver.board_vars for one in row]
        return list(solver.x.values())

    @staticmethod
    def _answer(case: Case, board: Board, solver: Any, values: Answer) -> Answer:
        if case.kind == "slitherlink":
            known = {(p.r + q.r, p.c + q.c): value for (p, q), value in zip(solver.arc_vars, values, strict=True)}
            return tuple(value for _, value in sorted(known.items()))
        if case.kind == "akari":
            return tuple(v for (r, c), v in zip(solver.x, values, strict=True) if board.grid[r][c] == "-")
        return values

    def _by_cuts(self, solver: Any) -> Finding:
        """Its loop of linear programs and cuts, run again on the same model with the solution forbidden."""
        solver._add_constr()
        answers: list[Answer] = []
        cells: Sequence[Any] = list(solver.is_white.values())
        started = perf_counter()
        while len(answers) < 2:
            left = self.seconds - (perf_counter() - started)
            if left <= 0:
                return "unknown", None
            solver.solver.set_time_limit(max(int(left * 1000), 1))
            status = solver.solver.Solve()
            if status == solver.solver.INFEASIBLE:
                break
            if status != solver.solver.OPTIMAL:
                return "unknown", None
            if solver._check_and_add_cuts():
                continue
            white = [one.solution_value() > 0.5 for one in cells]
            answers.append(tuple(int(not one) for one in white))
            same = [cell if one else 1 - cell for cell, one in zip(cells, white, strict=True)]
            solver.solver.Add(sum(same) <= len(cells) - 1)
        if len(answers) != 1:
            return ("ambiguous" if answers else "impossible"), None
        return "unique", answers[0]


# The run


def boards(case: Case, dataset: Path, number: int, most: int) -> list[Board]:
    """So many boards of a kind, evenly over the sizes up to a number of cells."""
    file = dataset / "assets" / "data" / case.dataset / f"{case.dataset}_dataset.json"
    data = json.loads(file.read_text(encoding="utf-8"))["data"]
    found = [Board.of(name, entry["problem"]) for name, entry in data.items() if entry.get("problem")]
    found = [board for board in found if board.height * board.width <= most and case.fits(board)]
    found.sort(key=lambda board: (board.height * board.width, board.name))
    return [found[i * len(found) // number] for i in range(number)] if len(found) > number else found


def contenders(noqx: Path, seconds: float) -> dict[str, Callable[[Case, Board], Finding]]:
    """Those that are installed."""
    found: dict[str, Callable[[Case, Board], Finding]] = {"lpbridge": Lpbridge(seconds)}
    found["noqx"] = Noqx(noqx, seconds)
    try:
        found["puzzlekit"] = Puzzlekit(seconds)
    except ImportError as error:
        print(f"left out: puzzlekit ({error})", file=sys.stderr)
    return found


def one_round(arguments: argparse.Namespace, seed: int) -> list[dict[str, Any]]:
    """Every instance once, by each contender in turn; the first instance of a kind is asked twice, to warm up."""
    shuffle = random.Random(seed).shuffle
    all_of_them = contenders(arguments.noqx, arguments.seconds)
    gc.collect()
    gc.freeze()  # what the contenders' libraries hold is not searched for garbage on each other's time
    found: list[dict[str, Any]] = []
    for case in _chosen(arguments.kinds):
        asked = [
            name for name in all_of_them
            if (name != "noqx" or case.noqx is not None) and (not arguments.only or name in arguments.only)
        ]  # fmt: skip
        some = boards(case, arguments.dataset, arguments.number, arguments.most)
        for number, board in enumerate([some[0], *some]):
            shuffle(asked)
            for name in asked:
                gc.collect()  # nor is what another one leaves behind
                started, busy = perf_counter(), process_time()
                try:
                    verdict, answer = all_of_them[name](case, board)
                except Exception as error:  # a rival's error is its answer
                    verdict, answer = f"error: {str(error).splitlines()[0][:80]}", None
                spent, busy = (perf_counter() - started) * 1000, (process_time() - busy) * 1000
                if number:
                    found.append(
                        {"kind": case.kind, "board": board.name, "cells": board.height * board.width, "who": name,
                         "ms": spent, "cpu": busy, "verdict": verdict, "answer": answer}
                    )  # fmt: skip
    return found


def _chosen(names: str | None) -> list[Case]:
    from bridge.puzzles.kinds.registry import is_kind

    wanted = names.split(",") if names else [case.kind for case in CASES]
    chosen = [case for case in CASES if case.kind in wanted]
    for case in chosen:
        if not is_kind(case.kind):
            print(f"left out: {case.kind} is not a kind here", file=sys.stderr)
    return [case for case in chosen if is_kind(case.kind)]


def differences(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where two contenders that finished do not say the same."""
    told: dict[tuple[str, str], dict[str, tuple[str, Any]]] = {}
    for one in found:
        answer = one["answer"]
        told.setdefault((one["kind"], one["board"]), {})[one["who"]] = (
            one["verdict"], tuple(answer) if answer is not None else None
        )  # fmt: skip
    lines = []
    for (kind, board), by in told.items():
        sure = {who: finding for who, finding in by.items() if finding[0] != "unknown"}
        if len(set(sure.values())) > 1:
            said = ", ".join(f"{who} {verdict}" for who, (verdict, _) in sorted(sure.items()))
            lines.append(f"{kind} {board}: {said}")
    return lines


def versions(arguments: argparse.Namespace) -> str:
    """What ran, and on which boards."""
    from importlib.metadata import PackageNotFoundError, version

    def commit(folder: Path) -> str:
        command = ["git", "-C", str(folder), "log", "-1", "--format=%h of %cs"]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    told = [f"noqx {commit(arguments.noqx)}", f"puzzlekit-dataset {commit(arguments.dataset)}"]
    for name in ("puzzlekit", "ortools"):
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            told.append(f"no {name}")
    return ", ".join(told)


def report(found: Sequence[Mapping[str, Any]], seconds: float) -> str:
    """The table of medians, in Markdown."""
    head = "| kind | instances | cells | " + " | ".join(f"{name} ms" for name in RIVALS)
    lines = [f"{head} | noqx / ours | puzzlekit / ours | slower than |", "|---|--:|---|" + "--:|" * 5 + "---|"]
    for kind in dict.fromkeys(one["kind"] for one in found):
        mine = [one for one in found if one["kind"] == kind]
        cells = sorted({one["cells"] for one in mine})
        medians: dict[str, float] = {}
        shown = []
        for who in RIVALS:
            some = [one for one in mine if one["who"] == who and not one["verdict"].startswith("error")]
            late = sum(one["verdict"] == "unknown" for one in some)
            if not some:
                shown.append("-")
                continue
            cpu = [one["cpu"] if one["verdict"] != "unknown" else max(one["cpu"], seconds * 1000) for one in some]
            medians[who] = statistics.median(cpu)
            wall = statistics.median(one["ms"] for one in some)
            unfinished = f", {late} unfinished" if late else ""
            shown.append(f"{medians[who]:.1f} (wall {wall:.1f}, worst {max(cpu):.0f}{unfinished})")
        own = medians.get("lpbridge", float("nan"))
        ratios = [f"{medians[who] / own:.2f}" if who in medians else "-" for who in RIVALS[1:]]
        slower = ", ".join(who for who in RIVALS[1:] if who in medians and medians[who] < own)
        number = len({one["board"] for one in mine})
        span = f"{cells[0]}-{cells[-1]}" if len(cells) > 1 else str(cells[0])
        lines.append(f"| {kind} | {number} | {span} | {' | '.join(shown)} | {' | '.join(ratios)} | {slower} |")
    return "\n".join(lines) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kinds", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("dataset", type=Path, help="a checkout of SmilingWayne/puzzlekit-dataset")
    parser.add_argument("noqx", type=Path, help="a checkout of T0nyX1ang/noqx")
    parser.add_argument("--kinds", help="some of them, with commas between them")
    parser.add_argument("--only", type=lambda text: text.split(","), help="some of the contenders")
    parser.add_argument("-n", "--number", type=int, default=20, help="instances of each kind (20)")
    parser.add_argument("--most", type=int, default=400, help="the most cells of a board (400)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, each in a process of its own (3)")
    parser.add_argument("--seconds", type=float, default=20, help="limit for an instance (20)")
    parser.add_argument("--save", type=Path, help="write the table to this file")
    parser.add_argument("--round", type=int, help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    if arguments.round is not None:
        for one in one_round(arguments, arguments.round):
            print(json.dumps(one))
        return 0
    found: list[dict[str, Any]] = []
    for number in range(arguments.rounds):
        given = sys.argv[1:] if argv is None else list(argv)
        command = [sys.executable, "-m", "benchmarks.kinds", *given, "--round", str(number)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found += [json.loads(line) for line in done.stdout.splitlines()]
    wrong = differences(found)
    text = "\n".join(
        [
            "# Kinds that are files, beside noqx and puzzlekit",
            "",
            "Made by `python -m benchmarks.kinds DATASET NOQX`; what is measured stands in its docstring.",
            "",
            f"{machine()}; {versions(arguments)}; {arguments.rounds} rounds, limit {arguments.seconds:g} s. Medians of "
            "CPU time over instances and rounds.",
            "",
            report(found, arguments.seconds),
            "## Answers",
            "",
            *([f"- {line}" for line in wrong] or ["All agree."]),
            *(f"- {case.kind}: {case.note}." for case in _chosen(arguments.kinds) if case.note),
            "",
        ]
    )
    print(text)
    if arguments.save:
        arguments.save.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
