"""The boards of the pzprjs test scripts: each wrong one is refused by the rule that it breaks, each right one accepted.

    python -m benchmarks.failcheck CHECKOUT --save tests/data/failcheck.jsonl

CHECKOUT is one of github.com/robx/pzprjs (MIT). For each kind that both have, `test/script/KIND.js` holds wrong boards,
each with the code of the rule that pzpr names first, and right ones. A board that is wrong for pzpr because it is not
finished is refused here for its open cells. Exit code 1: a board does not come out as it should.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.errors import InputError
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.registry import is_kind

Rows = list[list[str]]
Answer = list[list[int | None]]
Decoded = tuple[dict[str, Any], Answer]

#: What refuses a board for its open cells, and a text that is not an instance.
OPEN, NO_INSTANCE = "cell", "no instance"


@dataclass(frozen=True)
class Board:
    """A board of a script.

    Attributes
    ----------
    name
        The script, and the number of the board in it.
    code
        What pzpr says; None for a right board.
    text
        The board as pzpr writes it.
    """

    name: str
    code: str | None
    text: str


def boards(script: str, name: str) -> Iterator[Board]:
    """The boards of a test script."""
    found = re.search(r"failcheck:\s*\[(.*?)\n\t\]", script, re.DOTALL)
    if found is None:
        return
    entry = re.compile(r'\[\s*(?://[^\n]*\s*)?(null|"\w+"),\s*"(pzprv3[^"]*)"\s*(?:,\s*\{[^}]*\})?\s*\]')
    for number, one in enumerate(entry.finditer(found[1]), 1):
        yield Board(f"{name}-{number}", None if one[1] == "null" else one[1].strip('"'), one[2])


def _size(lines: list[str]) -> tuple[int, int, Rows]:
    return int(lines[0]), int(lines[1]), [line.split() for line in lines[2:]]


def _numbers(rows: Rows, predicate: str) -> list[str]:
    return [
        f"{predicate}({r},{c},{token})"
        for r, row in enumerate(rows, 1)
        for c, token in enumerate(row, 1)
        if token.isdigit()
    ]


def _shaded(rows: Rows, height: int, width: int) -> Answer:
    """Where `#` stands; without any rows, nowhere."""
    return [[int(token == "#") for token in row] for row in rows] or [[0] * width for _ in range(height)]


def _values(rows: Rows) -> Answer:
    return [[int(token) if token.isdigit() else None for token in row] for row in rows]


def _shape(height: int, width: int) -> dict[str, Any]:
    return {"constants": {"rows": height, "columns": width}}


def _lattice(across: Rows, down: Rows, height: int, width: int) -> Answer:
    """A lattice, from the edges between cells of a row, and those between cells of a column."""
    answer: Answer = [[None] * (2 * width + 1) for _ in range(2 * height + 1)]
    for r in range(1, height + 1):
        for c in range(width + 1):
            answer[2 * r - 1][2 * c] = int(across[r - 1][c] == "1") if across else 0
    for r in range(height + 1):
        for c in range(1, width + 1):
            answer[2 * r][2 * c - 1] = int(down[r][c - 1] == "1") if down else 0
    return answer


def _slither(lines: list[str]) -> Decoded | None:
    if lines[2:3] == ["f"]:  # a variant of which this kind has the rules but one
        lines = [*lines[:2], *lines[3 : 3 + int(lines[0])], *lines[3 + 2 * int(lines[0]) :]]
    height, width, rows = _size(lines)
    answer = _lattice(rows[height : 2 * height], rows[2 * height :], height, width)
    return {**_shape(height, width), "facts": _numbers(rows[:height], "number")}, answer


def _skyscrapers(lines: list[str]) -> Decoded:
    height, _, rows = _size(lines)
    sides = {
        "left": [row[0] for row in rows[1:-1]],
        "right": [row[-1] for row in rows[1:-1]],
        "top": rows[0][1:-1],
        "bottom": rows[-1][1:-1],
    }
    facts = [f"sees({s},{i},{n})" for s, side in sides.items() for i, n in enumerate(side, 1) if n.isdigit()]
    inner = [row[1:-1] for row in rows[1:-1]]
    facts += _numbers([[token[1:] if token[0] == "q" else "" for token in row] for row in inner], "clue")
    return {"constants": {"n": height}, "facts": facts}, _values([[token.strip("q") for token in row] for row in inner])


def _hitori(lines: list[str]) -> Decoded:
    height, width, rows = _size(lines)
    instance = {**_shape(height, width), "facts": _numbers(rows[:height], "number")}
    return instance, _shaded(rows[height : 2 * height], height, width)


def _star_battle(lines: list[str]) -> Decoded:
    height, width, rows = _size(lines)
    shape = _shape(height, width)
    shape["constants"]["stars"] = int(rows[0][0])
    answer = _shaded(rows[2 + height : 2 + 2 * height], height, width)
    return {**shape, "facts": _numbers(rows[2 : 2 + height], "region")}, answer


def _akari(lines: list[str]) -> Decoded:
    height, width, rows = _size(lines)
    walls = [f"wall({r},{c})" for r, row in enumerate(rows, 1) for c, token in enumerate(row, 1) if token == "-"]
    answer = [[None if one.isdigit() or one == "-" else int(one == "#") for one in row] for row in rows[:height]]
    return {**_shape(height, width), "facts": [*walls, *_numbers(rows[:height], "number")]}, answer


def _nonogram(lines: list[str]) -> Decoded:
    height, width, rows = _size(lines)
    top, left = len(rows) - height, len(rows[0]) - width
    lengths = {
        "across": [row[:left] for row in rows[top:]],
        "down": [[row[left + c] for row in rows[:top]] for c in range(width)],
    }
    facts = []
    for predicate, of_lines in lengths.items():
        for number, line in enumerate(of_lines, 1):
            told = [token for token in line if token.isdigit()] or ["0"]
            facts += [f"{predicate}({number},{position},{n})" for position, n in enumerate(told, 1)]
    return {**_shape(height, width), "facts": facts}, _shaded([row[left:] for row in rows[top:]], height, width)


def _kakuro(lines: list[str]) -> Decoded:
    """With the row above and the column on the left, where pzpr has numbers outside the grid."""
    height, width, rows = _size(lines)
    facts = []
    for r, row in enumerate(rows[: height + 1], 1):
        for c, token in enumerate(row, 1):
            if token == ".":
                continue
            across, down = token.split(",") if "," in token else ("0", token) if r == 1 else (token, "0")
            facts.append(f"black({r},{c})")
            facts += [f"{what}({r},{c},{n})" for what, n in (("across", across), ("down", down)) if int(n) > 0]
    answer = [[None] * (width + 1), *([None, *row] for row in _values(rows[height + 1 :]))]
    return {**_shape(height + 1, width + 1), "facts": facts}, answer


def _sudoku(lines: list[str]) -> Decoded:
    size, rows = int(lines[0]), [line.split() for line in lines[1:]]
    given, placed = _values(rows[:size]), _values(rows[size : 2 * size])
    both = [[one or other for one, other in zip(*pair, strict=True)] for pair in zip(given, placed, strict=True)]
    return {"grid": given}, both


@dataclass(frozen=True)
class Script:
    """How the boards of a script are read.

    Attributes
    ----------
    kind
        The name of the kind here.
    decode
        Reads the lines of a board: an instance as JSON, and the answer. None when it is of another variant.
    rules
        For each code of pzpr, a pattern of the names of the rules here.
    """

    kind: str
    decode: Callable[[list[str]], Decoded | None]
    rules: dict[str, str]


LINE = r"(row|column) \d+"

SCRIPTS: dict[str, Script] = {
    "slither": Script(
        "slitherlink",
        _slither,
        {
            "brNoLine": "one loop",
            "lnBranch": "corner .*",
            "lnCross": "corner .*",
            "lnDeadEnd": "corner .*",
            "lnPlLoop": "one loop",
            "nmLineNe": "number .*",
        },
    ),
    "skyscrapers": Script("skyscrapers", _skyscrapers, {"nmDupRow": LINE, "nmSightNe": r"\d+ from .*"}),
    "hitori": Script(
        "hitori",
        _hitori,
        {"brNoShade": NO_INSTANCE, "csAdjacent": "apart", "cuDivideRB": "one area", "nmDupRow": LINE},
    ),
    "starbattle": Script(
        "star-battle",
        _star_battle,
        {"starAround": "apart", "bkStarGt": "region .*", "bkStarLt": "region .*", "lnStarNe": LINE},
    ),
    "lightup": Script(
        "akari", _akari, {"nmAkariNe": "number .*", "akariDup": "(across|down) from .*", "ceDark": "lit .*"}
    ),
    "nonogram": Script("nonogram", _nonogram, {"exNoMatch": LINE}),
    "kakuro": Script("kakuro", _kakuro, dict.fromkeys(("nmDupRow", "nmSumRowNe"), "(across|down) from .*")),
    "sudoku": Script("sudoku", _sudoku, {"bkDupNum": r"box .*", "nmDupRow": LINE}),
}


def converted(board: Board, script: Script) -> dict[str, Any] | None:
    """A board as a line of test data: an instance, an answer, and a pattern of the rule that refuses it, or None."""
    lines = board.text.rstrip("/").split("/")[2:]
    known = {**script.rules, "ceNoNum": OPEN}
    if (decoded := script.decode(lines)) is None or (board.code is not None and board.code not in known):
        return None
    instance, answer = decoded
    rule = None if board.code is None else known[board.code]
    return {
        "id": board.name,
        "code": board.code,
        "rule": rule,
        "instance": {"puzzle": script.kind, **instance},
        "answer": answer,
        "source": "pzprjs",
    }


def refusals(data: dict[str, Any]) -> list[str]:
    """The names of the rules that refuse the answer of a line of test data."""
    try:
        puzzle: Puzzle = parse(data["instance"]["puzzle"], json.dumps(data["instance"]))
    except InputError:
        return [NO_INSTANCE]
    answer = tuple(map(tuple, data["answer"]))
    return list(dict.fromkeys(found.rule for found in puzzle.violations(answer)))


def comes_out(data: dict[str, Any]) -> bool:
    """Whether an answer is refused by its rule; without a rule, whether it is accepted."""
    found = refusals(data)
    return not found if data["rule"] is None else any(re.fullmatch(data["rule"], name) for name in found)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.failcheck", description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of github.com/robx/pzprjs")
    parser.add_argument("--save", type=Path, help="write the boards as lines of JSON")
    chosen = parser.parse_args(arguments)
    wrong, lines = 0, []
    for name, script in SCRIPTS.items():
        if not is_kind(script.kind):
            print(f"{name}: no kind {script.kind} here")
            continue
        text = (chosen.checkout / "test" / "script" / f"{name}.js").read_text(encoding="utf-8")
        for board in boards(text, name):
            data = converted(board, script)
            if data is None:
                print(f"{board.name:15} {board.code or 'right':12} left out: no such rule here")
                continue
            found = refusals(data)
            good = comes_out(data)
            if not good and found == [OPEN] and data["rule"] is not None:
                data["rule"], good = OPEN, True  # what is filled in can still be finished
            wrong += not good
            lines.append(json.dumps(data))
            said = ", ".join(found) or "accepted"
            print(f"{board.name:15} {board.code or 'right':12} {'' if good else 'WRONG '}{said}")
    if chosen.save:
        chosen.save.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} boards, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
