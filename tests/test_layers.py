"""The layers, as docs/architecture.md draws them: imports lead downward only, no two files import each other."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BRIDGE = ROOT / "bridge"


def figure() -> list[tuple[str, list[str], list[str]]]:
    """The lines of the page's figure, from the top: a part, rooms of the bridge, rooms of puzzles."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    heading, _, *lines = re.findall(r"```text\n(.*?)```", page, re.DOTALL)[0].splitlines()
    room, of_puzzles = heading.index("room"), heading.index("room of puzzles")
    found, part = [], ""
    for line in lines:
        part = line[:room].strip() or part
        found.append((part, line[room:of_puzzles].split(), line[of_puzzles:].split()))
    return found


#: The level of each room, from 0 at the bottom; of the bridge, then of puzzles.
THE_BRIDGE, THE_WORKBENCH = (
    {room: level for level, line in enumerate(reversed(figure())) for room in line[column]} for column in (1, 2)
)

#: What the bridge says of the workbench: the table of contents, and the places of what it is asked for when it is there.
CONTENTS = {"bridge", "bridge.__main__"}


def name_of(path: Path, root: Path) -> str:
    """A file's module: `bridge.asp` for `bridge/asp/__init__.py`."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def path_of(module: str) -> Path:
    """The file of a module of the bridge."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imported_files(package: Path) -> dict[str, set[str]]:
    """For each module of a package the others in it that it imports, inside functions and for types, too."""
    paths = {name_of(path, package.parent): path for path in package.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        targets: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative imports hide the layer"
                inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
                targets |= {inside if inside in paths else str(node.module) for inside in inner.values()}
        found[name] = {target for target in targets if target in paths and target != name}
    return found


@cache
def imports_of_bridge() -> dict[str, set[str]]:
    """Of every module of the bridge, read once."""
    return imported_files(BRIDGE)


def room_of(module: str) -> tuple[int, str]:
    """The floor of a module, 0 or 1, and its room there."""
    parts = module.split(".")[1:]
    return (1, parts[1]) if parts[0] == "puzzles" and len(parts) > 1 else (0, parts[0])


def test_imports_lead_downward() -> None:
    for module, imported in imports_of_bridge().items():
        if module in CONTENTS | {"bridge.puzzles"}:
            continue
        floor, room = room_of(module)
        levels = (THE_BRIDGE, THE_WORKBENCH)[floor]
        assert room in levels, f"docs/architecture.md does not draw {room!r}"
        for other in imported - CONTENTS:
            other_floor, other_room = room_of(other)
            assert other_floor <= floor, f"{module} imports {other}, of the workbench"
            if other_floor == floor and other_room != room:
                assert levels[other_room] < levels[room], f"{module} imports {other}"


def parts() -> dict[str, set[str]]:
    """The rooms of each part, the doors first."""
    found: dict[str, set[str]] = {}
    for part, rooms, _ in figure():
        found.setdefault(part, set()).update(rooms)
    return found


def test_the_parts_stand_on_each_other() -> None:
    """Engine, questions, workshop, doors: none knows what is above it, not even where it is imported when it is used."""
    levels = {room: level for level, rooms in enumerate(reversed(parts().values())) for room in rooms}
    assert [*parts()] == ["doors", "workshop", "questions", "engine", "ground"]
    for module, imported in imports_of_bridge().items():
        own = levels.get(module.split(".")[1] if "." in module else "")
        for other in imported if own is not None else ():
            above = levels.get(other.split(".")[1] if "." in other else "", 0)
            assert above <= own, f"{module} imports {other}"


def test_the_figures_have_no_room_that_is_not_there() -> None:
    for levels, folder in ((THE_BRIDGE, BRIDGE), (THE_WORKBENCH, BRIDGE / "puzzles")):
        assert all((folder / room).is_dir() or (folder / f"{room}.py").is_file() for room in levels)


def test_the_bridge_does_not_reach_the_workbench() -> None:
    """No chain of imports leads there, in functions neither."""
    for module, imported in imports_of_bridge().items():
        if module not in CONTENTS and room_of(module)[0] == 0 and module != "bridge.puzzles":
            assert not any(other.startswith("bridge.puzzles") for other in imported), module


def test_clingo_is_imported_where_the_page_says() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    said = re.search(r"^The package of clingo is imported by (.*)$", page, re.MULTILINE)
    assert said is not None
    importing = re.compile(r"^\s*(?:import|from) clingo\b", re.MULTILINE)
    files = [path for path in BRIDGE.rglob("*.py") if importing.search(path.read_text(encoding="utf-8"))]
    assert {path.relative_to(BRIDGE).parts[0] for path in files} == {*re.findall(r"`(\w+)`", said[1])}


#: What may be said of puzzles outside of them: the name of the public package, and a key of JSON that scripts depend on.
SAID = {
    "    from bridge import puzzles as puzzles",
    """        "puzzle=kind instances engines agree disagreements rows difference equivalent undecided finished beyond",""",
    """    return Chart(draw(rows, engines, instances, measure, tones), f"{data['puzzle']}: {title}".removeprefix(": "), words)""",
}


def test_the_bridge_names_no_puzzle() -> None:
    """What puzzles add is said in `bridge/puzzles/part.py` alone."""
    for path in sorted(BRIDGE.rglob("*.py")):
        if not path.is_relative_to(BRIDGE / "puzzles"):
            lines = path.read_text(encoding="utf-8").splitlines()
            named = [line for line in lines if re.search(r"puzzle|sudoku|\br\dc\d", line, re.IGNORECASE)]
            assert {*named} <= SAID, path


def test_what_a_part_adds_is_there() -> None:
    from bridge.common.lazy import load
    from bridge.common.parts import Part, parts

    (part,) = parts()
    places = [value for value in part if isinstance(value, str) and ":" in value]
    assert len(places) == len(Part._fields) - 5  # all but four tables and a heading
    for place in (*places, *(place for place, _ in part.commands.values())):
        assert load(place) is not None


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Files that import each other in a circle, each the one after it; empty if there are none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_files_import_each_other() -> None:
    imports = dict(imports_of_bridge())
    del imports["bridge"]  # the table of contents names all others, for type checkers
    assert circle(imports) == []


def test_the_test_sees_a_circle(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("from package import one\n")
    (tmp_path / "package" / "one.py").write_text("import package.two\n")
    two = tmp_path / "package" / "two.py"
    two.write_text("import json\n")
    assert circle(imported_files(tmp_path / "package")) == []
    for wrong in ("def f():\n    from package.one import g\n", "def f():\n    from package import one, g\n"):
        two.write_text(wrong)
        assert set(circle(imported_files(tmp_path / "package"))) >= {"package.one", "package.two"}


#: The packages of the kinds; four of them share `latin`.
KINDS = {path.parent.name for path in (BRIDGE / "puzzles" / "kinds").glob("*/__init__.py")}


def kind_of(name: str) -> str | None:
    """The kind of puzzle that a module belongs to."""
    parts = name.split(".")
    return parts[3] if parts[1:3] == ["puzzles", "kinds"] and len(parts) > 3 and parts[3] in KINDS else None


@pytest.mark.slow
def test_only_its_own_package_imports_a_kind_of_puzzle() -> None:
    """Other kinds do not import it, nor do packages for puzzles of any kind; only drawings and file formats may."""
    assert {"sudoku", "crossword", "latin"} <= KINDS
    for name, found in imports_of_bridge().items():
        if name.split(".")[2:3] and name.split(".")[2] in ("kinds", "engines", "analysis", "explain", "generating", "batching"):
            allowed = {None, kind_of(name)} if kind_of(name) is None else {None, kind_of(name), "latin"}
            assert {kind_of(other) for other in found} <= allowed, name


def test_encodings_is_no_python_package() -> None:
    assert not (BRIDGE.parent / "encodings" / "__init__.py").exists(), "it would shadow Python's own package"


@pytest.mark.parametrize("statement", ["import bridge", "import bridge.cli", "from bridge import puzzles"])
def test_nothing_is_loaded_before_it_is_used(statement: str) -> None:
    heavy = "{'clingo', 'janus_swi', 'bridge.puzzles.search', 'ortools', 'rich', 'typst', 'matplotlib', 'bridge.puzzles.render', 'bridge.puzzles.formats'}"
    code = f"{statement}; import sys; print(sorted({heavy} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_table_of_contents_is_true() -> None:
    import bridge

    for name in bridge.__all__:
        assert getattr(bridge, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = bridge.nothing_of_the_kind


def seam() -> set[str]:
    """The modules that the page lists as the seam."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page[page.index("## The seam") : page.index("## Where is")]
    return {module for row in re.findall(r"^\| (`bridge.*?) \|", table, re.MULTILINE) for module in re.findall(r"`(.*?)`", row)}


def above_the_seam() -> dict[str, set[str]]:
    """The modules of the workshop and the puzzles, each with what it imports of the rooms below them."""
    rooms = parts()["workshop"] | {"puzzles"}
    of = {name: found for name, found in imports_of_bridge().items() if {*name.split(".")[1:2]} & rooms}
    return {name: {other for other in found if not {*other.split(".")[1:2]} & rooms} for name, found in of.items()}


def test_workshop_and_puzzles_use_the_seam() -> None:
    assert len(seam()) <= 20
    assert seam() <= imports_of_bridge().keys()
    for name, imported in above_the_seam().items():
        assert imported <= seam(), name


def test_the_seam_shows_what_is_used() -> None:
    """Each name that a module of the seam shows for parts is used by one, and by another room than its own."""
    used = {module: set[str]() for module in seam()}
    for name in above_the_seam():
        for node in ast.walk(ast.parse(path_of(name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in used:
                used[node.module] |= {alias.name for alias in node.names}
    for module, names in used.items():
        text = path_of(module).read_text(encoding="utf-8")
        if "# what parts use, once" in text:
            shown = re.findall(r"^    from \S+ import (.* as .*)$", text, re.MULTILINE)
            assert {*re.findall(r"\b(\w+) as \1\b", "\n".join(shown))} == names - {"walls"}, module
