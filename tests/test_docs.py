"""The pages are true: README, docs and the others beside them. All blocks of all pages are done as `docs_pages` says."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docs_pages import ELSEWHERE, IMAGES, PAGES, Reader, blocks, commands, options, text_of, unknown_options
from shared_data import ROOT

from bridge.puzzles import formats
from bridge.puzzles.kinds import KINDS, puzzle_class

#: What shall hold after the Python of a page, beyond what its comments tell: an expression, and its value.
AFTERWARDS: dict[str, list[tuple[str, Any]]] = {
    "README.md": [
        ("repr(answer['X'])", "Variable('X', 3..4)"),
        ("[str(goal) for goal in answer.residual]", ["X in 3..4", "Y#=<X+ -2", "Y in 1..2"]),
    ],
    "docs/index.md": [("found.residual.open", {(4, 1): (3, 6), (4, 6): (3, 6), (6, 1): (3, 6), (6, 6): (3, 6)})],
    "docs/authors.md": [
        ("str(found.verdict)", "ambiguous"),
        ("group.cells, group.ways", (((4, 1), (4, 6), (6, 1), (6, 6)), ((3, 6, 6, 3), (6, 3, 3, 6)))),
        ("len(found.additions.sets), {len(one) for one in found.additions.sets}", (8, {1})),
        ("bridge.puzzles.grade(unique).level == 'singles'", True),
        ("{one.fact.cell for one in steps if one.fact.holds} == set(unique.cells()) - set(unique.clues())", True),
        ("bridge.count(puzzle).number", 2),
        ("len(new.puzzle.grid)", 6),
        ("reply.satisfiable", False),
    ],
    "docs/data.md": [
        ("grades.verdict.fillna('wrong').to_list()", ["ambiguous", "unique", "wrong"]),
        ("len(formats.load('good.jsonl'))", 2),
        ("dict(zip(colours.area, map(str, colours.colour)))['a'] in ('red', 'green')", True),
    ],
    "docs/programs.md": [
        ("outcome.complete, outcome.limit, outcome.rung", (False, "seconds", "stop")),
        ("found > 100", True),
        ("squares", 4),
    ],
    "docs/pictures.md": [
        ("picture.caption", "Ambiguous: 2 solutions; 4 cells differ between solutions."),
        ("str(mine.marks[4, 2])", "clash"),
        ("third.caption.startswith('Step 3. ')", True),
        ("' 1 │ . . │ . . │' in drawn", True),
        ("chart.title", "sudoku: asp, clpfd, mac+mrv"),
    ],
    "docs/formats.md": [("link.startswith('https://puzz.link/p?sudoku/9/9/g39i12j9g7i8h4g1h6g42')", True)],
}

#: Options that pages tell of, and that are not lpbridge's: clingo's and mypy's.
OTHERS = {"--hypothesis-profile", "--configuration", "--heuristic", "--opt-strategy", "--parallel-mode", "--strict"}
OTHERS |= {"--models", "--mode", "--rand-freq", "--sign-def", "--seed", "--enum-mode", "--opt-mode", "--outf", "--quiet", "--minimize-variable"}  # of clingo, of clingo-dl
OTHERS |= {"--in", "--file", "--session"}  # of cells in notebooks
OTHERS |= {"--lp-cov", "--lp-cov-report"}  # of pytest, by its plugin here


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_shows_comes_out(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader(page, tmp_path)
    assert not reader.read(), "\n\n".join(reader.wrong)
    assert set(re.findall(r"\]\(images/([^)]+)\)", text_of(page))) <= set(reader.images())
    for expression, value in AFTERWARDS.get(page, []):
        assert eval(expression, reader.names) == value, expression


#: A user's program: what `mypy --strict` is to know of it.
TYPED = """
from typing import assert_type
import bridge
from bridge.asp import Model
from bridge.prolog import Answer
program = bridge.program("a.lp", slots=3)
assert_type(program, bridge.AspProblem)
diagnosis: bridge.Diagnosis[Model] = bridge.diagnose(program)
assert_type(bridge.solutions(program), bridge.Stream[Model])
clashes = bridge.diagnose(program).clashes
assert clashes is not None
assert_type(clashes[0].premises[0].text, str)
clashes[0].premises[0].no_such_attribute
goal = bridge.goal("a.pl", "p(X)")
assert_type(bridge.check(goal).solutions, tuple[Answer, ...])
assert_type(bridge.goal("a.pl", "p(X)"), bridge.PrologProblem)
puzzle = bridge.puzzles.load("sudoku", "a.txt")
assert_type(puzzle, bridge.puzzles.Puzzle)
assert_type(bridge.count(puzzle), bridge.Count)
assert_type(bridge.why(program, "a").questions, int)
loaded = bridge.program("a.lp", "b.lp", slots=3)
assert_type(loaded, bridge.AspProblem)
loaded.no_such_attribute
bridge.no_such_name
"""


def test_what_users_write_passes_strict_type_checking(tmp_path: Path) -> None:
    """The Python of the pages, and the example that is one page; and of a program, what is wrong in it is found."""
    (tmp_path / "user.py").write_text(TYPED)
    files = ["examples/timetable.py", tmp_path / "user.py"]
    for page in PAGES:
        lines: list[str] = []
        for block in blocks(page):
            if block.language == "python" and not (block.title or block.not_run):
                lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
        if lines:
            files.append(tmp_path / f"{re.sub(r'[^a-zA-Z]', '_', page.removesuffix('.md'))}.py")
            files[-1].write_text("\n".join([*lines, ""]))
    # With the options of `make lint`, so that both have one cache; packages without types are ignored here.
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *map(str, files)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    errors = [line for line in checked.stdout.splitlines() if "error:" in line and "  [import-" not in line]
    assert [line.count("no_such_") for line in errors] == [1, 1, 1], checked.stdout


@pytest.mark.parametrize("page", [*PAGES, *ELSEWHERE])
def test_every_command_and_option_that_is_told_exists(page: str) -> None:
    prose = re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    if page == "CHANGELOG.md":  # versions that are out had other commands
        prose = prose.partition("## Unreleased")[2].partition("\n## ")[0]
    told = re.findall(r"`([^`]+)`", prose)
    assert [wrong for code in told for wrong in unknown_options(code)] == []
    words = re.findall(r"\blpbridge ((?:puzzle )?[a-z][a-z-]*)", text_of(page))
    named = set() if page == "CHANGELOG.md" else {name for name in words if name in commands()}
    known = OTHERS.union(*map(options, named or commands()))
    alone = {code for code in told if "lpbridge" not in code and "python -m" not in code}
    assert {option for code in alone for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)} <= known


@pytest.mark.parametrize("page", [*PAGES, *ELSEWHERE])
def test_every_link_leads_somewhere(page: str) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)#?([^)\s]*)\)", text_of(page)):
        path = ((ROOT / page).parent / target).resolve() if target else ROOT / page
        assert path.exists(), target
        assert not anchor or anchor in anchors(str(path.relative_to(ROOT))), f"{target}#{anchor}"


def anchors(page: str) -> set[str]:
    """What links call the headings of a page, in the site and on a hosting site alike."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    words = (re.sub(r"[^\w\s-]", "", heading.lower()).split() for heading in re.findall(r"^#+ (.*)$", prose, re.MULTILINE))
    return {"-".join(heading) for heading in words}


def test_every_page_is_tested_here_or_where_it_is_said_to_be() -> None:
    assert "README.md" in PAGES
    assert all(blocks(page) for page in PAGES if page.startswith("docs/adding"))
    for page, test in ELSEWHERE.items():
        assert Path(page).name in text_of(test)


WRONG = """
```python
number = 3
number + 1      # 5: and so on
[number, 4]     # [3, ...]
for number in (1, 2):
    number      # 2
number          # "two", and text that is not told
number          # what a comment says is prose
```
```console
$ lpbridge puzzle engines
asp ...
no such line
...
$ lpbridge puzzle engines
asp                        clingo: answer set programming, conflict-driven
...
$ lpbridge puzzle engines --no-such
...
$ lpbridge nonsense
...
```
```sh
lpbridge puzzle check sudoku no-such-file.txt
make no-such-target
pip install 'lpbridge[no-such]'
dask scheduler
```
<!-- not run: because -->
```sh
dask scheduler
lpbridge puzzle check sudoku --no-such
```
```
lost
```
"""


def test_what_is_wrong_in_a_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(WRONG, encoding="utf-8")
    lines = [int(re.findall(r"page\.md:(\d+): ", wrong)[0]) for wrong in Reader(str(page), tmp_path).read()]
    assert sorted(set(lines)) == [4, 8, 12, 19, 21, 25, 26, 27, 28, 33, 36], lines


def test_the_terminal_shows_what_is_printed() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "terminal.py"))["picture"]()
    assert made == (IMAGES / "terminal.svg").read_text(encoding="utf-8"), "python docs/terminal.py"


def test_the_solvers_alone_say_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    block = next(block for block in blocks("docs/puzzles.md") if "\nswipl" in block.text)
    reader = Reader("docs/puzzles.md", tmp_path)
    clingo, swipl = (reader.run(line)[1] for line in block.text.splitlines())
    assert "Models       : 1\n" in clingo
    assert swipl.splitlines()[0] == "[4, 3, 9, 6, 5, 8, 1, 2, 7]."
    assert swipl.count("_") == 4


def test_the_page_of_puzzles_names_every_kind() -> None:
    files = (path.stem.replace("_", "-") for path in (ROOT / "encodings").glob("*/*.txt"))
    assert [name for name in {*KINDS, *files} if f"`{name}`" not in text_of("docs/puzzles.md")] == []


def test_the_table_of_formats_lists_every_one() -> None:
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in re.findall(r"^\| `.*$", text_of("docs/formats.md"), re.MULTILINE)
    ]
    assert [row[0].strip("`") for row in rows] == list(formats.names())
    for name, suffixes, puzzles, _ in rows:
        codec = formats.codec(name.strip("`"))
        assert set(re.findall(r"\.[a-z]+", suffixes)) <= set(codec.suffixes)
        assert bool(suffixes) is bool(codec.suffixes)
        titles = {puzzle_class(kind).title for kind in codec.kinds}
        every = {*codec.kinds} == {*KINDS}
        assert puzzles == "all" if every else puzzles == "all of these" or set(puzzles.split(", ")) == titles
