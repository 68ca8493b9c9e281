"""The layers: a package imports only from layers below it, no two files import each other, no solver is loaded early."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

BRIDGE = Path(__file__).parent.parent / "bridge"

#: The layer of each package. Packages of the same layer do not import each other.
LAYERS = {
    "lazy": 0, "english": 0, "notebook": 0, "closing": 0, "errors": 0, "files": 0, "languages": 0, "strict_json": 0, "limits": 0, "outcome": 0, "encodings_folder": 0, "isolation": 0,
    "asp": 1, "prolog": 1, "search": 1,
    "puzzles": 2,
    "problems": 3,
    "engines": 4, "formats": 4, "render": 4,
    "analysis": 5, "doctor": 5, "loading": 5,
    "batches": 6, "reports": 6, "pictures": 6, "sheets": 6, "texts": 6,
    "web": 7,
    "cli": 8,
}  # fmt: skip

#: Layer 0 is a flat package of a few modules: they may import those before them in this list.
LOWEST = ["lazy", "english", "notebook", "closing", "strict_json", "errors", "files", "languages", "limits", "outcome", "encodings_folder", "isolation"]


def modules() -> list[Path]:
    return sorted(path for path in BRIDGE.rglob("*.py") if path.parent != BRIDGE or not path.name.startswith("__"))


def package_of(path: Path) -> str:
    return path.relative_to(BRIDGE).parts[0].removesuffix(".py")


def imported_packages(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layer"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "bridge"
                else [str(node.module)]
            )
        found |= {name.split(".")[1] for name in names if name.startswith("bridge.")}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(BRIDGE)))
def test_a_package_imports_only_from_layers_below(path: Path) -> None:
    here = package_of(path)
    assert here in LAYERS, f"enter the package {here!r} in LAYERS"
    for other in imported_packages(path) - {here}:
        assert other in LAYERS, f"enter the package {other!r} in LAYERS"
        if LAYERS[here] == LAYERS[other] == 0:
            assert LOWEST.index(other) < LOWEST.index(here), f"{here} imports {other}"
        else:
            assert LAYERS[other] < LAYERS[here], f"{path.name}: {here} (layer {LAYERS[here]}) imports {other}"


def name_of(path: Path, root: Path) -> str:
    """A file's module: `bridge.puzzles.kinds.sudoku` for `bridge/puzzles/kinds/sudoku/__init__.py`."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def imported_files(package: Path) -> dict[str, set[str]]:
    """For each module of a package the others in it that it imports, inside functions and for types, too."""
    paths = {name_of(path, package.parent): path for path in package.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        targets: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
                targets |= {inside if inside in paths else node.module for inside in inner.values()}
        found[name] = {target for target in targets if target in paths and target != name}
    return found


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Files that import each other in a circle, each the one after it; empty if there are none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_files_import_each_other() -> None:
    imports = imported_files(BRIDGE)
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
KINDS = {path.parent.name for path in (BRIDGE / "puzzles").glob("*/__init__.py")}


def kind_of(name: str) -> str | None:
    """The kind of puzzle that a module belongs to."""
    parts = name.split(".")
    return parts[2] if parts[1:2] == ["puzzle", "kinds"] and len(parts) > 2 and parts[2] in KINDS else None


def test_only_its_own_package_imports_a_kind_of_puzzle() -> None:
    """Other kinds do not import it, nor do packages for puzzles of any kind; only drawings and file formats may."""
    assert {"sudoku", "crossword", "latin"} <= KINDS
    for name, found in imported_files(BRIDGE).items():
        if name.split(".")[1:2] in (["puzzle", "kinds"], ["problems"], ["puzzle", "engines"], ["analysis"], ["batches"]):
            allowed = {None, kind_of(name)} if kind_of(name) is None else {None, kind_of(name), "latin"}
            assert {kind_of(other) for other in found} <= allowed, name


def test_the_test_sees_an_upward_import(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "def f():\n    from bridge.cli import main\n    import bridge.puzzles.engines.asp\n    from bridge import prolog\n"
    )
    assert imported_packages(wrong) == {"cli", "engines", "prolog"}


def test_encodings_is_no_python_package() -> None:
    assert not (BRIDGE.parent / "encodings" / "__init__.py").exists(), "it would shadow Python's own package"


@pytest.mark.parametrize("statement", ["import bridge", "import bridge.cli", "from bridge import puzzles"])
def test_nothing_is_loaded_before_it_is_used(statement: str) -> None:
    heavy = "{'clingo', 'janus_swi', 'bridge.puzzles.search', 'ortools', 'pychoco', 'rich', 'typst', 'matplotlib', 'bridge.puzzles.render', 'bridge.puzzles.formats'}"
    code = f"{statement}; import sys; print(sorted({heavy} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_table_of_contents_is_true() -> None:
    import bridge

    for name in bridge.__all__:
        assert getattr(bridge, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = bridge.nothing_of_the_kind
