"""The floors of the house: a room imports only from floors below it, and no solver is loaded before it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

BRIDGE = Path(__file__).parent.parent / "bridge"

#: Each room's floor. Rooms of the same floor do not import each other.
FLOORS = {
    "lazy": 0, "english": 0, "notebook": 0, "errors": 0, "files": 0, "strict_json": 0, "limits": 0, "outcome": 0, "encodings_folder": 0, "isolation": 0,
    "asp": 1, "prolog": 1, "search": 1,
    "puzzles": 2,
    "problems": 3,
    "engines": 4, "formats": 4, "render": 4,
    "analysis": 5, "doctor": 5,
    "batches": 6, "reports": 6, "pictures": 6,
    "web": 7,
    "cli": 8,
}  # fmt: skip

#: Floor 0 is a flat room of a few modules: these may import each other, in this order only.
GROUND = ["lazy", "english", "notebook", "strict_json", "errors", "files", "limits", "outcome", "encodings_folder", "isolation"]


def modules() -> list[Path]:
    return sorted(path for path in BRIDGE.rglob("*.py") if path.parent != BRIDGE or not path.name.startswith("__"))


def room(path: Path) -> str:
    return path.relative_to(BRIDGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the floor"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "bridge"
                else [str(node.module)]
            )
        found |= {name.split(".")[1] for name in names if name.startswith("bridge.")}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(BRIDGE)))
def test_a_room_imports_only_from_floors_below(path: Path) -> None:
    here = room(path)
    assert here in FLOORS, f"say on which floor the room {here!r} is"
    for other in imported_rooms(path) - {here}:
        assert other in FLOORS, f"say on which floor the room {other!r} is"
        if FLOORS[here] == FLOORS[other] == 0:
            assert GROUND.index(other) < GROUND.index(here), f"{here} imports {other}"
        else:
            assert FLOORS[other] < FLOORS[here], f"{path.name}: {here} (floor {FLOORS[here]}) imports {other}"


def test_the_test_sees_an_upward_import(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "def f():\n    from bridge.cli import main\n    import bridge.engines.asp\n    from bridge import prolog\n"
    )
    assert imported_rooms(wrong) == {"cli", "engines", "prolog"}


def test_encodings_is_no_python_package() -> None:
    assert not (BRIDGE.parent / "encodings" / "__init__.py").exists(), "it would shadow Python's own package"


@pytest.mark.parametrize("statement", ["import bridge", "import bridge.cli", "from bridge import puzzles"])
def test_nothing_is_loaded_before_it_is_used(statement: str) -> None:
    heavy = "{'clingo', 'janus_swi', 'bridge.search', 'rich', 'typst', 'matplotlib', 'bridge.render', 'bridge.formats'}"
    code = f"{statement}; import sys; print(sorted({heavy} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_table_of_contents_is_true() -> None:
    import bridge

    for name in bridge.__all__:
        assert getattr(bridge, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = bridge.nothing_of_the_kind
