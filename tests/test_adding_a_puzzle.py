"""`docs/adding-a-puzzle.md` is true: its example, built from the page in a copy of the repository, works."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shared_data import ROOT

PAGE = (ROOT / "docs" / "adding-a-puzzle.md").read_text(encoding="utf-8")

#: The blocks that have the name of a file before them.
FILES = dict(re.findall(r"^\*\*`([^`]+)`\*\*\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))

REGISTRY = "bridge/puzzles/registry.py"
LPBRIDGE = [sys.executable, "-c", "from bridge.cli import main; main()"]
PYTEST = ["pytest", "-p", "no:cacheprovider", "-o", "addopts="]

#: For each command.
SECONDS = 300


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a newcomer has after following the page."""
    home = tmp_path_factory.mktemp("newcomer")
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in ("bridge", "encodings"):
        shutil.copytree(ROOT / folder, home / folder, ignore=ignore)
    (home / "tests").mkdir()
    for file in ("pyproject.toml", "tests/test_layers.py"):
        shutil.copy(ROOT / file, home / file)
    for name, content in FILES.items():
        path = home / name
        if name == REGISTRY:
            content = registered(path.read_text(encoding="utf-8"), content)
        else:
            assert not path.exists(), f"{name} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return home


def registered(registry: str, line: str) -> str:
    """The table `_KINDS` with one line more at its end, as the page says."""
    assert "last entry of `_KINDS`" in PAGE
    assert line.count("\n") == 1
    start = registry.index("\n_KINDS = {\n")
    end = registry.index("\n}\n", start) + 1
    return registry[:end] + line + registry[end:]


def run(copy: Path, *command: str, code: int = 0) -> str:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def lpbridge(copy: Path, *words: str) -> Any:
    return json.loads(run(copy, *LPBRIDGE, *words, "--json"))


def test_the_page_has_every_file() -> None:
    assert list(FILES) == [
        "board.txt", "encodings/queens/queens.lp", "encodings/queens/queens.pl",
        "bridge/puzzles/queens/__init__.py", "bridge/puzzles/queens/models.py", REGISTRY, "tests/puzzles/test_queens.py",
    ]  # fmt: skip
    assert len(re.findall("^```", PAGE, re.MULTILINE)) == 2 * (len(FILES) + 1), "a block without the name of its file"


def test_it_is_the_copy_that_runs(copy: Path) -> None:
    code = "import bridge; from bridge.encodings_folder import encoding as e\nwith e('queens/queens.lp') as p: print(bridge.__file__, p, sep='\\n')"
    for told in run(copy, sys.executable, "-c", code).splitlines():
        assert Path(told).is_relative_to(copy)


def test_what_the_console_shows(copy: Path) -> None:
    (block,) = re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    sessions = [session.splitlines() for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    commands = ["check", "compare", "diagnose", "explain"]
    assert [shlex.split(typed)[:2] for typed, *_ in sessions] == [["lpbridge", command] for command in commands]
    for typed, *printed in sessions:
        lines = iter(run(copy, *LPBRIDGE, *shlex.split(typed)[1:]).splitlines())
        for line in printed:
            if line != "...":
                assert line in lines, f"{line!r} is not printed, or not in this order"


@pytest.mark.parametrize("name", ["asp", "clpfd", "mac+mrv", "dfs+fc"])
def test_check(copy: Path, name: str) -> None:
    found = lpbridge(copy, "check", "queens", "board.txt", "-e", name)
    assert (found["engine"], found["verdict"], found["complete"]) == (name, "unique", True)
    assert found["solutions"] == [[[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]]


def test_compare_agrees(copy: Path) -> None:
    found = lpbridge(copy, "compare", "queens", "board.txt", "-e", "asp,clpfd,mac+mrv")
    assert found["agree"] is True
    assert [row["verdict"] for row in found["rows"]] == ["unique"] * 3


def test_every_engine_knows_it(copy: Path) -> None:
    names = [one["name"] for one in lpbridge(copy, "engines")["engines"]]
    found = lpbridge(copy, "compare", "queens", "board.txt", "-e", ",".join(names))
    assert [row["engine"] for row in found["rows"]] == names
    assert [row["engine"] for row in found["rows"] if row["verdict"] != "unique"] == ["astar+fit"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("solve queens board.txt", "x x Q x"), ("grade queens board.txt", "singleton consistency"),
        ("count queens board.txt", "1 solution"), ("generate queens --size 4 --seed 1", "# one solution: proved by"),
        ("csp queens board.txt", "Initial domains {'r1c1': [0, 1]"), ("ground queens board.txt", "cell/3"),
        ("batch check queens board.txt -o - --jobs 1", '"verdict": "unique"'), ("draw queens board.txt", "Queens"),
        ("convert board.txt - --puzzle queens --to json", '"puzzle": "queens"'),
        ("convert board.txt - --puzzle queens --to pl", "puzzle(queens, ["),
    ],
)  # fmt: skip
def test_the_other_commands_know_it(copy: Path, words: str, told: str) -> None:
    assert told in run(copy, *LPBRIDGE, *words.split())


def test_what_the_page_says_it_does_not_get(copy: Path) -> None:
    assert "queens" not in (copy / "bridge/web/static/puzzle.js").read_text(encoding="utf-8")
    (formats,) = re.findall(r"carries it as (`.*?)\. Each", " ".join(PAGE.split()))
    code = "from bridge import formats\nprint(*(name for name in formats.names() if 'queens' in formats.codec(name).kinds))"
    assert set(run(copy, sys.executable, "-c", code).split()) == set(re.findall("`(.*?)`", formats))


@pytest.mark.parametrize(("name", "largest"), [("asp", 8), ("clpfd", 6), ("mac+mrv", 6)])
def test_known_counts(copy: Path, name: str, largest: int) -> None:
    for n, count in {4: 2, 5: 10, 6: 4, 7: 40, 8: 92}.items():
        if n <= largest:
            (copy / "empty.txt").write_text(f"{'.' * n}\n" * n)
            found = lpbridge(copy, "solve", "queens", "empty.txt", "-n", "0", "-e", name)
            assert (n, len(found["solutions"]), found["complete"]) == (n, count, True)


def test_residuals(copy: Path) -> None:
    (copy / "four.txt").write_text("....\n" * 4)
    possible = lpbridge(copy, "residual", "queens", "four.txt", "-e", "asp")["open"]
    # The two solutions are mirror images: queens stand on the edges, and never in a corner.
    assert set(possible) == {"r1c2", "r1c3", "r2c1", "r2c4", "r3c1", "r3c4", "r4c2", "r4c3"}
    for name in ("clpfd", "mac"):
        assert lpbridge(copy, "residual", "queens", "four.txt", "-e", name)["open"].keys() >= possible.keys()


def test_the_checker_refuses_the_smallest_violation_of_each_rule(copy: Path) -> None:
    """The page's own test, and that its table has every kind of rule."""
    assert " passed" in run(copy, sys.executable, "-m", *PYTEST, "tests/puzzles")
    code = """if True:
        import json, sys
        sys.path.insert(0, "tests/puzzles")
        from test_queens import FAILCHECK
        from bridge.puzzles import parse
        rules = {rule.name for rule in parse("queens", "...\\n...\\n...").rules()}
        broken = {v.rule for board, _ in FAILCHECK for v in parse("queens", board).clashes()}
        kinds = lambda names: sorted({name.rsplit(" ", 1)[0] for name in names})
        print(json.dumps([kinds(rules), kinds(broken)]))
    """
    rules, broken = json.loads(run(copy, sys.executable, "-c", code))
    assert rules == broken == ["column", "falling diagonal from", "rising diagonal from", "row"]


#: A rule in a file of the page, what stands there without it, and the engine that uses the file.
WITHOUT = [
    ("encodings/queens/queens.lp", ':- index(R), not { cell(R, C, 1) : index(C) } = 1.\n', "", "asp"),
    ("encodings/queens/queens.lp", ':- index(C), not { cell(R, C, 1) : index(R) } = 1.\n', "", "asp"),
    ("encodings/queens/queens.lp", ':- falling(D, R\', C\'), 2 { cell(R, R + D, 1) : index(R) }.\n', "", "asp"),
    ("encodings/queens/queens.lp", ':- rising(S, R\', C\'), 2 { cell(R, S - R, 1) : index(R) }.\n', "", "asp"),
    ("encodings/queens/queens.pl", "    maplist(one_queen, Rows),\n", "", "clpfd"),
    ("encodings/queens/queens.pl", "    maplist(one_queen, Columns),\n", "", "clpfd"),
    ("encodings/queens/queens.pl", "    maplist(at_most_one_queen, Rising),\n", "", "clpfd"),
    ("encodings/queens/queens.pl", "maplist(at_most_one_queen, Falling).", "true.", "clpfd"),
]


@pytest.mark.parametrize(("file", "rule", "instead", "name"), WITHOUT)
def test_the_failcheck_sees_a_forgotten_rule(copy: Path, file: str, rule: str, instead: str, name: str) -> None:
    path, whole = copy / file, FILES[file]
    assert whole.count(rule) == 1
    code = """if True:
        import sys
        sys.path.insert(0, "tests/puzzles")
        from test_queens import FAILCHECK, test_failcheck
        from bridge.errors import SolverError
        for board, broken in FAILCHECK:
            try:
                test_failcheck(sys.argv[1], board, broken)
            except SolverError as error:
                print(error)
    """
    path.write_text(whole.replace(rule, instead), encoding="utf-8")
    try:
        told = run(copy, sys.executable, "-c", code, name)
    finally:
        path.write_text(whole, encoding="utf-8")
    assert f"engine {name} gave a wrong solution" in told  # so the checker stood in its way


def test_what_is_no_board_is_refused(copy: Path) -> None:
    boards = {
        "Qz\n..": "'z' is no cell", "..\n.": "row 2 has 1 cell", '{"grid": [[2]]}': "2 is neither",
        '{"grid": [[true]]}': "True is neither", '{"grid": [[0, 1]]}': "n rows", '{"grid": []}': "1 to 64 rows",
        ("." * 65 + "\n") * 65: "1 to 64 rows",
    }  # fmt: skip
    code = """if True:
        import json
        from bridge.errors import InputError
        from bridge.puzzles import parse
        for board in %r:
            try:
                parse("queens", board)
                print("accepted")
            except InputError as error:
                print(error)
    """
    told = run(copy, sys.executable, "-c", code % list(boards)).splitlines()
    assert [message for message, line in zip(boards.values(), told, strict=True) if message not in line] == []


def test_json_and_facts_carry_everything(copy: Path) -> None:
    code = """if True:
        from bridge.puzzles import load, parse
        from bridge.puzzles.models import models
        import json
        puzzle = load("queens", "board.txt")
        forms = models(puzzle)
        assert parse("queens", json.dumps(puzzle.to_json())) == puzzle
        assert parse("queens", puzzle.draw()) == puzzle
        assert [rule.name for rule in puzzle.rules()] == [c.name for c in forms.csp().constraints]
        print(forms.facts(), end="")
    """
    (copy / "facts.lp").write_text(run(copy, sys.executable, "-c", code))
    clingo = [sys.executable, "-m", "clingo", "encodings/queens/queens.lp"]
    assert "Models       : 1\n" in run(copy, *clingo, "facts.lp", "0")
    assert "Models       : 92\n" in run(copy, *clingo, "-c", "n=8", "0")


def test_the_prolog_runs_alone_and_leaves_no_choice_point(copy: Path) -> None:
    from bridge.prolog.locate import current

    swipl = [str(current().swipl), "--on-error=halt", "--on-warning=halt", "-q"]
    file = "encodings/queens/queens.pl"

    # The sample queries of its own comment.
    queries = re.findall(r"^    \?- (.*)\.$", FILES[file], re.MULTILINE)
    assert len(queries) == 2
    goals = [word for query in queries for word in ("-g", query)]
    board = run(copy, *swipl, *goals, "-t", "halt", file).splitlines()
    assert [line.count("1") for line in board] == [1] * 8

    counted = (
        "length(Rows, 5), call_cleanup(queens(Rows), Det = true), Det == true, append(Rows, Cells), "
        "aggregate_all(count, clpfd:labeling([ff], Cells), N), print(N)"
    )
    assert run(copy, *swipl, "-g", f"({counted} -> halt ; halt(1))", file) == "10"


def test_the_new_module_passes_mypy_ruff_and_the_layers(copy: Path) -> None:
    mypy = ["mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(copy / ".mypy_cache")]
    run(copy, sys.executable, "-m", *mypy, "-p", "bridge.puzzles.queens")
    run(copy, sys.executable, "-m", "ruff", "check", "--no-cache", *(name for name in FILES if name.endswith(".py")))
    run(copy, sys.executable, "-m", *PYTEST, "tests/test_layers.py")
