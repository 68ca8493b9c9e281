"""Many instances: what is answered, that nothing is lost or comes twice, and what a batch can be ended by."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import signal
import tracemalloc
import zlib
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from batches.many import BAD, sudokus, write
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import ROOT, TESTS

import bridge
from bridge.batching.executors import Workers
from bridge.batching.flow import WINDOW, answered
from bridge.batching.items import Chunk, Item
from bridge.batching.output import Done, Results
from bridge.errors import InputError, SolverError, UnsupportedError
from bridge.isolation import frames
from bridge.puzzles.batching.batch import make_job
from bridge.puzzles.batching.input import HEAD, LONGEST, Source, items
from bridge.puzzles.batching.jobs import COMMANDS, Job, answers, puzzle_item, puzzle_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.sudoku import Sudoku

UNIQUE = sudokus(1)[0]


class InThisProcess:
    """An executor without processes. The chunks that hold an instance in `deadly` are lost."""

    pace = 0.01

    def __init__(self, job: Job, *, latest_first: bool = False, deadly: dict[int, int] | None = None) -> None:
        self.capacity = 4
        self._job = job
        self._latest_first = latest_first
        self._deadly = dict(deadly or {})  # an instance, and how many it takes with it
        self._waiting: list[tuple[int, Chunk]] = []
        self.most = 0

    def submit(self, number: int, chunk: Chunk) -> None:
        self._waiting.append((number, chunk))
        self.most = max(self.most, len(self._waiting))

    def take(self) -> Any:
        number, chunk = self._waiting.pop(-1 if self._latest_first else 0)
        for index in [item[0] for item in chunk if self._deadly.get(item[0])]:
            self._deadly[index] -= 1
            return number, "it was killed"
        return (number, *answers(self._job, chunk))

    def close(self) -> None:
        self._waiting.clear()


def lines_of(texts: list[str]) -> Iterator[Item]:
    return ((index, "f", index, "line", ("", text)) for index, text in enumerate(texts, 1))


def run(executor: InThisProcess, texts: list[str], ordered: bool = True) -> list[dict[str, Any]]:
    blocks = list(answered(lines_of(texts), executor, ordered=ordered))
    found = [json.loads(line) for lines, _ in blocks for line in lines.splitlines()]
    assert sum(number for _, number in blocks) == len(found)
    return found


def stripped(told: dict[str, Any]) -> dict[str, Any]:
    """Without what a search cost."""
    return {
        key: value for key, value in told.items() if key not in ("statistics", "index", "file", "line", "questions")
    }


# One instance


def test_a_check_of_the_verdict_alone() -> None:
    ambiguous = UNIQUE.replace("1", ".")
    whole = run(InThisProcess(make_job("sudoku", "check")), [UNIQUE, ambiguous])
    brief = run(InThisProcess(make_job("sudoku", "check", residual="none")), [UNIQUE, ambiguous])
    assert stripped(brief[0]) == stripped(whole[0])
    assert brief[1].pop("residual") == {"open": None, "constraints": None}
    found = whole[1].pop("residual")
    assert found["open"]
    assert "propagated" not in found, "clpfd's propagation is computed on request"
    assert stripped(brief[1]) == stripped(whole[1])


def test_a_check_with_another_propagation() -> None:
    job = make_job("sudoku", "check", propagation="gac")
    assert Job.unpack(job.pack()) == job
    (found,) = run(InThisProcess(job), [UNIQUE.replace("1", ".")])
    assert found["residual"]["propagated"]["engine"] == "gac"
    with pytest.raises(UnsupportedError, match="does not propagate"):
        make_job("sudoku", "check", propagation="bt")
    for wrong in ({"residual": "none"}, {"propagation": "mac"}):
        with pytest.raises(UnsupportedError, match="`check` has"):
            make_job("sudoku", "grade", **wrong)


def answer(job: Job, item: Item) -> bytes:
    return answers(job, [item])[0]


#: Of each puzzle some, as kind, file in `examples`, options.
EXAMPLES = [
    ("sudoku", "sudoku/report3-problem1.txt", {}),
    ("sudoku", "sudoku/report3-problem6.txt", {}),
    ("latin-square", "latin_square/quasigroup4.txt", {}),
    ("futoshiki", "futoshiki/report1-7x7.txt", {}),
    ("magic-square", "magic_square/duerer.txt", {}),
    ("takuzu", "takuzu/course-test5.txt", {}),
    ("crossword", "crossword/report5.txt", {"words": str(ROOT / "examples/crossword/report5.words")}),
]


@pytest.mark.parametrize(("kind", "file", "options"), EXAMPLES)
def test_a_batch_says_what_the_command_says(kind: str, file: str, options: dict[str, str]) -> None:
    puzzle = bridge.puzzles.load(kind, ROOT / "examples" / file, **options)
    line = json.loads(answer(Job(kind, "check"), puzzle_item(1, kind, puzzle)))
    expected = json.loads(json.dumps(bridge.check(puzzle).to_json()))
    for told in (line, expected):  # which two, of more than two, is as it comes
        if told["verdict"] == "ambiguous":
            told["solutions"] = len(told["solutions"])
    assert stripped(line) == stripped({**expected, "version": 1})


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_answers(command: str) -> None:
    told = json.loads(answer(make_job("sudoku", command), (7, "a.txt", 3, "line", ("", UNIQUE))))
    assert (told["index"], told["file"], told["line"], told["puzzle"]) == (7, "a.txt", 3, "sudoku")
    assert told["number"] == 1 if command == "count" else told["verdict"] in ("unique", "unknown")


def test_clashes_are_told_of_an_impossible_one() -> None:
    told = json.loads(answer(Job("sudoku", "check"), (1, "f", 1, "line", ("", "11" + "." * 79))))
    assert told["verdict"] == "impossible"
    assert [clash["rule"] for clash in told["clashes"]] == ["row 1", "box (1,1)"]


def test_an_error_says_where() -> None:
    told = json.loads(answer(Job("sudoku", "check"), (1, "many.txt", 70, "line", ("", UNIQUE[:80] + "x"))))
    assert told["error"]["where"] == "many.txt:70:81"
    assert told["index"] == 1
    told = json.loads(answer(Job("sudoku", "check"), (1, "many.jsonl", 70, "json", '{"grid": ')))
    assert told["error"]["where"] == "many.jsonl:70:10"


def test_a_mistake_of_ours_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(puzzle: Puzzle) -> tuple[str, ...]:
        raise KeyError("oops")

    monkeypatch.setattr(Sudoku, "notes", wrong)
    told = json.loads(answer(Job("sudoku", "check"), (1, "f", 1, "line", ("", UNIQUE))))
    assert told["error"]["kind"] == "solver"
    assert "KeyError" in told["error"]["message"]


# The flow of chunks


@pytest.mark.parametrize("latest_first", [False, True])
def test_order_is_kept_or_not_as_asked(latest_first: bool) -> None:
    texts = ["1" * 80] * 60  # errors: quick
    job = Job("sudoku", "check")
    assert [told["index"] for told in run(InThisProcess(job, latest_first=latest_first), texts)] == [*range(1, 61)]
    loose = [told["index"] for told in run(InThisProcess(job, latest_first=latest_first), texts, ordered=False)]
    assert sorted(loose) == [*range(1, 61)]
    assert (loose != [*range(1, 61)]) == latest_first


def test_what_is_lost_is_tried_alone_and_then_told() -> None:
    texts = sudokus(12)
    for latest_first in (False, True):
        executor = InThisProcess(Job("sudoku", "check"), latest_first=latest_first, deadly={2: 1, 7: 9, 12: 1})
        found = run(executor, texts)
        assert [told["index"] for told in found] == [*range(1, 13)]
        assert [told["index"] for told in found if "error" in told] == [7]
        assert found[6]["error"]["message"] == "it was killed"
        assert (found[6]["file"], found[6]["line"]) == ("f", 7)


def test_only_so_many_are_taken_ahead() -> None:
    taken = 0

    def endless() -> Iterator[Item]:
        nonlocal taken
        for taken in count(1):
            yield taken, None, None, "line", ("", "x")

    executor = InThisProcess(Job("sudoku", "check"))
    flow = answered(endless(), executor)
    seen = sum(number for _, number in islice(flow, 50))
    assert seen < taken <= seen + (WINDOW * executor.capacity) * 1024
    assert executor.most <= executor.capacity


def test_a_slow_first_one_holds_back_only_so_many() -> None:
    executor = InThisProcess(Job("sudoku", "check"), latest_first=True)
    executor.pace = 1e-9  # chunks of one
    found = run(executor, ["x"] * 400)
    assert [told["index"] for told in found] == [*range(1, 401)]


# Processes


def test_puzzles_and_files_go_together(tmp_path: Path) -> None:
    path = write(tmp_path / "some.txt", sudokus(3))
    grid = tmp_path / "grid.txt"
    grid.write_text("\n".join(UNIQUE[row * 9 : row * 9 + 9] for row in range(9)))
    puzzles = (bridge.puzzles.parse("sudoku", text) for text in sudokus(2))
    with bridge.puzzles.batch(
        "sudoku", "check", [*puzzles, path, bridge.puzzles.parse("takuzu", "01\n10"), str(grid)], jobs=2
    ) as stream:
        found = list(stream)
    assert [told["index"] for told in found] == [*range(1, 8)]
    assert [told["file"] for told in found] == [None, None, *[str(path)] * 3, None, str(grid)]
    assert [told["line"] for told in found] == [None, None, 1, 2, 3, None, None]
    assert [told.get("verdict") for told in found] == [*["unique"] * 5, None, "unique"]
    assert stream.complete


def test_all_kinds_of_puzzles_go_through_a_pipe() -> None:
    for kind, file, options in EXAMPLES:
        path = ROOT / "examples" / file
        puzzle = bridge.puzzles.load(kind, path, **options)
        assert puzzle_of(Job(kind, "check"), puzzle_item(1, kind, puzzle)) == puzzle
        job = make_job(kind, "check", options=options)
        assert Job.unpack(frames.unpack(frames.pack(job.pack()))) == job
        assert puzzle_of(job, (1, "f", 1, "text", path.read_text())) == puzzle
        assert puzzle_of(Job(kind, "check"), (1, "f", 1, "json", json.dumps(puzzle.to_json()))) == puzzle


def test_a_generator_without_end_can_be_left() -> None:
    puzzle = bridge.puzzles.parse("sudoku", UNIQUE)
    with bridge.puzzles.batch("sudoku", "solve", (puzzle for _ in count()), jobs=1) as stream:
        assert [told["index"] for told in islice(stream, 10)] == [*range(1, 11)]


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nothing() -> None:
    job = Job("sudoku", "check")
    executor = Workers(job, 2)
    texts = sudokus(300)
    try:
        found = []
        for number, (lines, _) in enumerate(answered(lines_of(texts), executor)):
            found += [json.loads(line) for line in lines.splitlines()]
            if number in (1, 4):
                os.kill(next(iter(executor._workers)).pid, signal.SIGKILL)
    finally:
        executor.close()
    assert [told["index"] for told in found] == [*range(1, 301)]
    assert {told["verdict"] for told in found} == {"unique"}
    assert not executor._workers


def test_an_instance_that_kills_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS / "puzzles"), prepend=os.pathsep)
    monkeypatch.setattr("bridge.batching.executors.JOB", "batches.deadly")
    puzzles = [bridge.puzzles.parse("sudoku", text) for text in sudokus(5)]
    found = list(bridge.puzzles.batch("sudoku", "check", puzzles, jobs=1))
    assert [told.get("verdict") for told in found] == ["unique", "unique", None, "unique", "unique"]
    assert found[2]["error"]["message"] == "the program ended its process, with exit code 77"


class Own(Sudoku):
    """A class of the caller's."""


def test_a_puzzle_that_no_worker_knows_is_an_error() -> None:
    known = bridge.puzzles.parse("sudoku", UNIQUE)
    assert isinstance(known, Sudoku)
    strange: Any = object()
    puzzles = [Own(known.grid, known.box), Sudoku(((strange,),), (1, 1)), known]
    *wrong, right = bridge.puzzles.batch("sudoku", "check", puzzles, jobs=1)
    assert [told["error"]["kind"] for told in wrong] == ["input", "input"]
    assert "Own is not bridge.puzzles.kinds.sudoku.Sudoku, the class that workers know" in wrong[0]["error"]["message"]
    assert "this cannot be sent between processes: object is not plain data" in wrong[1]["error"]["message"]
    assert right["verdict"] == "unique"


def test_remarks_on_a_word_list_are_kept(tmp_path: Path) -> None:
    """They are not part of the JSON form."""
    path = write(tmp_path / "words", ["ab", "x-ray", "ab"])
    (tmp_path / "grid.txt").write_text("..\n", encoding="utf-8")
    puzzle = bridge.puzzles.load("crossword", tmp_path / "grid.txt", words=str(path))
    notes = list(puzzle.notes())
    assert len(notes) == 2
    (of_puzzle,) = bridge.puzzles.batch("crossword", "check", [puzzle], jobs=1)
    (of_file,) = bridge.puzzles.batch("crossword", "check", [tmp_path / "grid.txt"], jobs=1, words=str(path))
    assert of_puzzle["notes"] == of_file["notes"] == notes


@pytest.mark.slow
def test_a_worker_that_cannot_start_ends_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.batching.executors.JOB", "no.such.module")
    with pytest.raises(SolverError, match="no worker can be started: the worker's fork server dies at once"):
        list(bridge.puzzles.batch("sudoku", "check", [bridge.puzzles.parse("sudoku", UNIQUE)], jobs=1))


def test_a_thread_that_fails_ends_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: Any) -> Any:
        raise TypeError("wrong")

    monkeypatch.setattr("bridge.batching.executors._call", fails)
    with pytest.raises(SolverError, match="a thread of the batch failed: TypeError: wrong"):
        list(bridge.puzzles.batch("sudoku", "check", [bridge.puzzles.parse("sudoku", UNIQUE)], jobs=1))


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("sudoku", "draw", []), "no batch of 'draw'"),
        (("chess", "check", []), "no puzzle 'chess'"),
        (("sudoku", "check", [], "wrong"), "no engine 'wrong'"),
        (("sudoku", "grade", [], "mac"), "asks no engine"),
    ],
)
def test_a_wrong_question_is_told_at_once(arguments: tuple[Any, ...], match: str) -> None:
    kind, command, puzzles, *engine = arguments
    with pytest.raises(InputError, match=match):
        bridge.puzzles.batch(kind, command, puzzles, **dict(zip(["engine"], engine, strict=False)))


# Reading


def read(tmp_path: Path, data: bytes, kind: str = "sudoku", name: str = "in.txt") -> list[tuple[Any, ...]]:
    path = tmp_path / name
    path.write_bytes(data)
    found = list(items(kind, [Source(str(path))]))
    assert [item[0] for item in found] == [*range(1, len(found) + 1)]
    return [item[2:] for item in found]


@pytest.mark.parametrize("packed", [False, True])
def test_lines(tmp_path: Path, packed: bool) -> None:
    texts = sudokus(3)
    data = "\n".join(["\ufeff# comment", texts[0], "", texts[1] + "\r", "x" * 80, texts[2]]).encode()
    found = read(tmp_path, gzip.compress(data) if packed else data)
    assert found == [
        (line, "line", ("", text)) for line, text in [(2, texts[0]), (4, texts[1]), (5, "x" * 80), (6, texts[2])]
    ]


def test_a_first_line_that_is_wrong_is_one_line(tmp_path: Path) -> None:
    texts = sudokus(3)
    assert [one[1] for one in read(tmp_path, "\n".join([texts[0][:80], *texts]).encode())] == ["line"] * 4


def test_a_header_belongs_to_each_line(tmp_path: Path) -> None:
    path = write(tmp_path / "six.txt", ["box 2x4", "." * 64, "." * 63 + "9", "1" + "." * 63])
    found = list(bridge.puzzles.batch("sudoku", "solve", path, jobs=1))
    assert [told.get("verdict") for told in found] == ["unknown", None, "unknown"]
    assert found[1]["error"]["where"] == f"{path}:3:64"


def test_json_in_all_its_forms(tmp_path: Path) -> None:
    puzzle = bridge.puzzles.parse("sudoku", UNIQUE).to_json()
    line = json.dumps(puzzle).encode()
    assert [one[:2] for one in read(tmp_path, line + b"\n\n" + line)] == [(1, "json"), (3, "json")]
    assert [one[:2] for one in read(tmp_path, json.dumps(puzzle, indent=1).encode())] == [(None, "json")]
    assert [one[:2] for one in read(tmp_path, json.dumps([puzzle] * 3).encode())] == [(None, "json")] * 3
    assert [one[:2] for one in read(tmp_path, b"{\n" + line, name="in.jsonl")] == [(1, "json"), (2, "json")]
    assert [one[1] for one in read(tmp_path, b"[" + line)] == ["error"]


@pytest.mark.parametrize("rows", [9, 16, 25])
def test_a_grid_is_one_puzzle(tmp_path: Path, rows: int) -> None:
    grid = "\n".join(["." * rows] * rows)
    assert read(tmp_path, grid.encode()) == [(None, "text", grid)]


def test_what_cannot_be_read_is_told_and_the_rest_read(tmp_path: Path) -> None:
    text = sudokus(1)[0].encode()
    found = read(tmp_path, b"\n".join([text, b"\xff" * 81, b"1" * (LONGEST + 1), text]))
    assert [one[1] for one in found] == ["line", "error", "error", "line"]
    assert read(tmp_path, b"1" * (LONGEST + 2))[0][1] == "error"


def readable(path: Path, kind: str = "sudoku") -> tuple[list[Any], str]:
    """What a damaged file holds before the damage, and what is said of it."""
    found: list[Any] = []
    with pytest.raises(InputError) as caught:
        found.extend(item[4] for item in items(kind, [Source(str(path)), Source(str(path))]))
    return found, str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("where", [0, 1, 11, 200, 4000, 40_000, -9, -8, -5, -1])
def test_the_lines_before_a_cut_are_read(tmp_path: Path, where: int) -> None:
    texts = sudokus(2000)
    whole = gzip.compress("".join(f"{text}\n" for text in texts).encode())
    path = tmp_path / "in.txt.gz"
    path.write_bytes(whole[:where] if where > 1 or where < 0 else whole[: 10 + where])
    found, said = readable(path)
    assert found == [("", text) for text in texts[: len(found)]]
    assert said == f"{path}: cannot be read{f' after line {len(found)}' if found else ''}: the packed data are cut off"
    packed = zlib.decompressobj(wbits=31).decompress(path.read_bytes())
    assert len(found) == packed.count(b"\n"), "every line that is whole is read"


def test_the_lines_before_damage_are_read(tmp_path: Path) -> None:
    texts = sudokus(2000)
    whole = bytearray(gzip.compress("".join(f"{text}\n" for text in texts).encode()))
    whole[-6] ^= 1  # the checksum alone
    path = tmp_path / "in.txt.gz"
    path.write_bytes(whole)
    found, said = readable(path)
    assert found == [("", text) for text in texts]
    assert "after line 2000: the packed data are damaged" in said
    path.write_bytes(gzip.compress(f"{texts[0]}\n".encode()) + b"\0" * 100 + b"rubbish")
    assert readable(path)[0] == [("", texts[0])]
    path.write_bytes(gzip.compress(f"{texts[0]}\n".encode()) + b"\0" * 100 + gzip.compress(texts[1].encode()))
    assert [item[4] for item in items("sudoku", [Source(str(path))])] == [("", texts[0]), ("", texts[1])]


@pytest.mark.parametrize("text", ["1 2\n. .\n" * 2000, json.dumps([{"grid": [[None] * 9] * 9}] * 900)])
def test_half_a_puzzle_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "in.gz"
    path.write_bytes(gzip.compress(text.encode())[:-20])
    assert readable(path)[0] == []


@pytest.mark.slow
def test_packed_data_are_unpacked_piece_by_piece(tmp_path: Path) -> None:
    """A file of a few kilobytes may hold gigabytes: no more than a piece is in memory."""
    path = tmp_path / "bomb.txt.gz"
    blank = b" " * 4095 + b"\n"
    path.write_bytes(gzip.compress(b"." * 81 + b"\n" + blank * (1 << 14)))
    tracemalloc.start()
    try:
        assert len(list(items("sudoku", [Source(str(path))]))) == 1
        assert tracemalloc.get_traced_memory()[1] < 1 << 25
    finally:
        tracemalloc.stop()


def test_a_batch_of_a_damaged_file_answers_what_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "in.txt.gz"
    path.write_bytes(gzip.compress("".join(f"{text}\n" for text in sudokus(30)).encode())[:-200])
    found: list[str] = []
    with pytest.raises(InputError, match="the packed data are cut off"):
        found.extend(result["verdict"] for result in bridge.puzzles.batch("sudoku", "check", [path, path], jobs=1))
    assert found
    assert {*found} == {"unique"}


def test_no_more_than_a_piece_is_read_ahead(tmp_path: Path) -> None:
    path = write(tmp_path / "long.txt", ["." * 81] * 10_000)
    source = Source(str(path))
    next(items("sudoku", [source]))
    assert source.at <= 4 * HEAD < path.stat().st_size


def test_a_file_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Source(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="folder"):
        Source(str(tmp_path))


def test_the_usual_form_is_read_as_every_other() -> None:
    chance = random.Random(1)
    for _ in range(50):
        text = "".join(chance.choice("123456789.0_*") for _ in range(81))
        rows = "\n".join(text[row * 9 : row * 9 + 9] for row in range(9))
        assert bridge.puzzles.parse("sudoku", text) == bridge.puzzles.parse("sudoku", rows)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 80), min_size=1, max_size=3), st.integers(0, 10))
def test_a_quick_check_of_a_solution_is_the_slow_one(places: list[int], value: int) -> None:
    puzzle = bridge.puzzles.parse("sudoku", UNIQUE)
    (solution,) = bridge.solutions(puzzle)
    flat = [cell for row in solution for cell in row]
    for place in places:
        flat[place] = value or None
    grid = tuple(tuple(flat[start : start + 9]) for start in range(0, 81, 9))
    assert puzzle.violations(grid) == Puzzle.violations(puzzle, grid)
    assert bool(puzzle.violations(grid)) == (grid != solution)


# Writing


def test_what_is_done() -> None:
    done = Done()
    for index in (2, 1, 4, 5):
        done.add(index)
    assert (done.first, len(done), 3 in done, 4 in done, 0 in done) == (2, 4, False, True, False)
    with pytest.raises(InputError, match="instance 4 has two results"):
        done.add(4)


def line(index: int) -> bytes:
    return b'{"index": %d, "x": "%s"}\n' % (index, b"y" * (index % 50))


@settings(max_examples=30)
@given(cut=st.integers(0, 3000), packed=st.booleans(), sizes=st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_results_cut_anywhere_are_gone_on_with(
    tmp_path_factory: pytest.TempPathFactory, cut: int, packed: bool, sizes: list[int]
) -> None:
    path = tmp_path_factory.mktemp("cut") / f"r.jsonl{'.gz' if packed else ''}"
    results, index = Results(str(path), {"run": 1}), 0
    for size in sizes:
        results.write(b"".join(line(index + number) for number in range(1, size + 1)))
        index += size
    results.close()
    data = path.read_bytes()
    path.write_bytes(data[: min(cut, len(data))])
    results = Results(str(path), {"run": 1}, resume=True)
    kept = len(results.done)
    assert results.done.first == kept
    results.write(b"".join(line(number) for number in range(kept + 1, index + 1)) or b"")
    results.close()
    whole = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
    assert whole == b"".join(map(line, range(1, index + 1)))
    if not packed:
        assert kept == data[: min(cut, len(data))].count(b"\n")


def test_another_run_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "r.jsonl")
    results = Results(path, {"command": "check", "input": ["a"]})
    with pytest.raises(InputError, match="another batch is writing it"):
        Results(path, {"command": "check", "input": ["a"]}, resume=True)
    results.write(line(1))
    results.close()
    with pytest.raises(InputError, match="there are results in it already"):
        Results(path, {"command": "check", "input": ["a"]})
    with pytest.raises(InputError, match="command was 'check', and is 'solve'"):
        Results(path, {"command": "solve", "input": ["a"]}, resume=True)
    with pytest.raises(InputError, match="input was"):
        Results(path, {"command": "check", "input": ["a", "b"]}, resume=True)
    os.remove(path + ".run")
    with pytest.raises(InputError, match=r"r\.jsonl\.run is missing"):
        Results(path, {"command": "check", "input": ["a"]}, resume=True)


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_damage_before_the_end_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    results = Results(str(path), {})
    for index in (1, 2, 3):
        results.write(line(index))
    results.close()
    data = bytearray(path.read_bytes())
    data[len(data) // 2 - 3 : len(data) // 2 + 3] = b"\n\0\0\0\0\n"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"damaged|not a line of results"):
        Results(str(path), {}, resume=True)


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    kept = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(kept))
    results = Results("-", {})
    results.write(line(1))
    results.close()
    assert kept.getvalue() == line(1)
    with pytest.raises(InputError, match="cannot be resumed"):
        Results("-", {}, resume=True)


def test_bad_lines_are_results(tmp_path: Path) -> None:
    texts = [UNIQUE, *BAD, UNIQUE]
    found = list(bridge.puzzles.batch("sudoku", "check", write(tmp_path / "bad.txt", texts), jobs=1))
    assert [told.get("verdict") for told in found] == ["unique", *BAD.values(), "unique"]
