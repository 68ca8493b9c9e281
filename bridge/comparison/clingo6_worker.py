"""Run by the Python that has clingo 6: a program as JSON on standard input, its answer sets as lines of JSON.

The program is `{"sources": [["file", PATH] | ["text", TEXT], ...], "options": [...], "what": {...}}`, the latter what
of a model is printed. A line is the atoms of an answer set, each a name and its arguments as `running.packing` packs
them; the last line of all is `end`. It imports nothing of lpbridge.
"""

import json
import sys
from typing import Any

_EXTREMES = {"Infimum": "#inf", "Supremum": "#sup"}


def packed(symbol: Any) -> Any:
    """A term as plain data."""
    kind = symbol.type.name
    if kind in ("Number", "String"):
        return symbol.number if kind == "Number" else symbol.string
    if kind in _EXTREMES:
        return ["e", _EXTREMES[kind]]
    arguments = list(map(packed, symbol.arguments))
    if kind == "Tuple":
        return ["t", arguments]
    constant = symbol.is_positive and not arguments
    return ["c", symbol.name] if constant else ["f", symbol.name, arguments, symbol.is_positive]


def main() -> None:
    """Answer the program on standard input."""
    from clingo_funasp.control import Control  # type: ignore[import-not-found, unused-ignore]
    from clingo_funasp.core import Library  # type: ignore[import-not-found, unused-ignore]

    given = json.load(sys.stdin)
    with Library() as library:
        control = Control(library, ["0", "--opt-mode=ignore", *given["options"]])
        for kind, source in given["sources"]:
            if kind == "file":
                control.parse_files([source])
            else:
                control.parse_string(source)
        control.ground()

        def show(model: Any) -> None:
            atoms = [one for one in model.symbols(**given["what"]) if one.type.name == "Function"]
            line = [[("" if one.is_positive else "-") + one.name, list(map(packed, one.arguments))] for one in atoms]
            print(json.dumps(line), flush=True)

        control.solve(on_model=show)
    print("end")


if __name__ == "__main__":
    main()
