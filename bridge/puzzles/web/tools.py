"""What an author draws on the board of a kind that is a file, read off what the kind declares.

A tool is a part of the text form: the tokens of rows, a line, a margin. `on` says what one selects for it:

- `cells`: cells, each with a mark or a token; `pair`: two cells side by side
- `area`: cells with a label, such as a cage, and what is written of that label; `path`: the cells of a line, in order
- `outside`: a place outside the grid, with what is written there

A form is how the text of a selection is written, and the facts that it stands for. In JSON a pattern is its name and
its arguments: a list of one word for a placeholder, otherwise the term as clingo writes it. Whether a label is drawn as
a region or a cage, and where a number stands outside, only the drawing of the kind says: facts with terms of our own
are drawn, and found again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from bridge.asp import Constant, Function, encode
from bridge.asp.reading import Atom
from bridge.errors import BridgeError, LimitError
from bridge.puzzles.kinds.kind import Kind, Line, ground_workbench
from bridge.puzzles.kinds.patterns import READ, Pattern, is_placeholder
from bridge.puzzles.kinds.rules import Cell

#: Constants in a program: neither a predicate nor in a comment.
_WORDS = re.compile(r"%.*|\"(?:[^\"\\\n]|\\.)*\"|(?<![\w'])([a-z]\w*)(?![\w'(])")

Json = dict[str, Any]

#: A predicate and its arguments; a list of one name is a placeholder.
Template = tuple[str, list[str | list[str]]]


def options(kind: Kind) -> list[Json]:
    """The rules and constants that an instance may have, with what they mean: those that need no place on the board."""
    found = []
    for choice in kind.choices:
        about = {"name": choice.name, "help": choice.help}
        if choice.constant is not None:
            found.append({**about, "constant": choice.constant})
        elif choice.pattern is not None and not choice.pattern.placeholders:
            found.append({**about, "fact": str(choice.pattern)})
    return found


@lru_cache(maxsize=64)
def tools(kind: Kind, size: Cell) -> list[Json]:
    """The tools of a kind on a board of a size."""
    found = _areas(kind, size)
    known = {tool["cell"][0] for tool in found}
    for block in kind.blocks:
        plain = [one for one in block.patterns if one.name != kind.clue and one.name not in known]
        forms = [_form(token.parts, *token.patterns) for token in block.tokens]
        forms += [_form(_texts(one), one) for one in plain]
        if forms:
            names = dict.fromkeys(name for form in forms for name, _ in form["facts"])
            name = block.name or ", ".join(names)
            found.append({"name": name, "on": "cells", "forms": forms, "instead": not block.name})  # of a value
    if kind.margin:
        rows, columns = size
        places = [(side, n) for side in ("left", "right") for n in range(1, rows + 1)]
        places += [(side, n) for side in ("top", "bottom") for n in range(1, columns + 1)]
        spots = [
            (side, n, "", _template(pattern, {"side": [side], "index": [n]}))
            for side, n in places
            for pattern in kind.margin
        ]
        found.append(_outside(kind.margin[0].name, spots))
    for line in kind.lines:
        alone = line.key and len(line.fields) == 1 and line.fields[0].pattern.name not in known
        if alone and (tool := _of_line(kind, size, line)):
            same = [one for one in found if (one["name"], one["on"]) == (tool["name"], tool["on"])]
            if same:
                same[0]["forms"] += tool["forms"]
            else:
                found.append(tool)
    return found


def _of_line(kind: Kind, size: Cell, line: Line) -> Json | None:
    """The tool of a line of one fact, or of one that is repeated; None where nothing on the board is about it."""
    one, pattern = line.fields[0], line.fields[0].pattern
    cells, texts = pattern.tokens.count("cell"), _texts(pattern)
    if texts and cells < 2 and (spots := _spots(kind, size, pattern)):
        return {**_outside(str(line.key), spots), "many": one.repeat != "once"}
    if cells == 1 and {"line", "position"} <= {*pattern.placeholders}:
        return {"name": line.key, "on": "path", "cell": _template(pattern, label="line"), "forms": []}
    if cells in (1, 2) and "line" not in pattern.placeholders:
        return {"name": line.key, "on": ("cells", "pair")[cells - 1], "forms": [_form(texts, pattern)]}
    return None


def _areas(kind: Kind, size: Cell) -> list[Json]:
    """The predicates of cells with a label that is drawn as a region or a cage, or that a line gives to its cells."""
    found: dict[str, Json] = {}
    for block in kind.blocks:
        for pattern in block.patterns:
            label = _texts(pattern)[0]
            if label != "value" and _is_area(kind, size, pattern, label):
                area = found.setdefault(pattern.name, _area(block.name or pattern.name, pattern, label))
                area["numbers"] &= label == "number"
    for line in kind.lines:
        *before, last = line.fields
        names = {*last.pattern.placeholders}
        if last.repeat == "each" and {"line", "row", "column"} <= names and "position" not in names:
            area = found.setdefault(last.pattern.name, _area(line.key or "", last.pattern, "line"))
            area["forms"] += [_form(_texts(one.pattern), one.pattern, label="line") for one in before]
    keyed = [line.fields[0].pattern for line in kind.lines if line.key is None and len(line.fields) == 1]
    if len(found) == 1:
        (area,) = found.values()
        names = {name for form in area["forms"] for name, _ in form["facts"]}
        area["forms"] += [_form(_texts(one), one, label="key") for one in keyed if one.name not in names]
    return [*found.values()]


def _area(name: str, pattern: Pattern, label: str) -> Json:
    return {"name": name, "on": "area", "cell": _template(pattern, label=label), "numbers": True, "forms": []}


def _is_area(kind: Kind, size: Cell, pattern: Pattern, label: str) -> bool:
    """Whether a label is drawn as a region or a cage."""
    mine = "probe" if label == "word" else "7"
    fact = _filled(_template(pattern, {"row": [1], "column": [1], label: [mine]}))
    shapes = _drawn(kind, size, [fact])
    return any(name in ("region", "cage") and encode(arguments[2]) == mine for name, arguments in shapes)


def _spots(kind: Kind, size: Cell, pattern: Pattern) -> list[tuple[str, int, str, Template]]:
    """Where the last number of a pattern is drawn outside: the side, the index, its words, and the rest of the fact."""
    names = pattern.placeholders
    if "number" not in names:
        return []
    last, every = len(names) - 1 - names[::-1].index("number"), range(1, max(size) + 1)
    words = dict.fromkeys(one for one in _WORDS.findall(kind.workbench.text) if one not in ("", "not"))
    domains: Mapping[str, Iterable[Any]] = {
        "row": range(1, size[0] + 1), "column": range(1, size[1] + 1), "number": every, "group": every, "word": words,
    }  # fmt: skip
    several = [domains.get(name, (None,)) if n != last else (None,) for n, name in enumerate(names)]
    facts: dict[str, tuple[str, Template]] = {}
    for number, values in enumerate(product(*several)):
        of_name: dict[str, list[Any]] = {}
        for name, value in zip(names, values, strict=True):
            of_name.setdefault(name, []).append(value)
        word = " ".join(str(value) for value in of_name.get("word", ()))
        facts[f"probe{number}"] = word, _template(pattern, of_name)
    filled = [_filled(one, number=probe) for probe, (_, one) in facts.items()]
    found = []
    for name, arguments in _drawn(kind, size, filled):
        probe = next((one for one in _names(arguments[2:]) if one in facts), None) if name == "outside" else None
        beyond = 1 if "row" in names else 0  # a diagonal may begin at a corner
        most = size[0 if str(arguments[0]) in ("left", "right") else 1] if probe else 0
        if probe is not None and isinstance(arguments[1], int) and 1 - beyond <= arguments[1] <= most + beyond:
            found.append((str(arguments[0]), arguments[1], *facts[probe]))
    return found


def _outside(name: str, spots: Iterable[tuple[str, int, str, Template]]) -> Json:
    held: dict[tuple[str, int], list[tuple[str, Template]]] = {}
    for side, index, word, template in spots:
        held.setdefault((side, index), []).append((word, template))
    return {"name": name, "on": "outside", "spots": [[*place, some] for place, some in held.items()], "forms": []}


def _drawn(kind: Kind, size: Cell, facts: Sequence[str]) -> Iterator[Atom]:
    """What is drawn of an instance with these facts and no others; nothing where they have no drawing."""
    try:
        text = "".join(f"{fact}.\n" for fact in facts)
        found = ground_workbench(kind.workbench, text, kind.sized(*size)) if facts else {}
    except LimitError:
        raise  # what the tools are is kept, and is not known now
    except BridgeError:
        return
    for (shape,) in found.get("draw", ()):
        if isinstance(shape, Function):
            yield shape.name, shape.arguments


def _names(term: Any) -> Iterator[str]:
    """The constants within a term."""
    if isinstance(term, Function):
        term = term.arguments
    if isinstance(term, tuple):
        for one in term:
            yield from _names(one)
    elif isinstance(term, Constant):
        yield str(term)


def _texts(pattern: Pattern) -> tuple[str, ...]:
    """The placeholders of what is written for a fact."""
    return tuple(name for name in pattern.placeholders if name in READ)


def _form(parts: Iterable[str], *patterns: Pattern, label: str = "") -> Json:
    """How the text of a selection is written, a list of one name for what is read, and the facts it stands for."""
    written = [[str(part)] if is_placeholder(part) or part in READ else part for part in parts]
    return {"parts": written, "facts": [_template(one, label=label) for one in patterns]}


def _template(pattern: Pattern, values: Mapping[str, Sequence[Any]] | None = None, label: str = "") -> Template:
    """A pattern with values for some placeholders, in order, those of a name; None leaves it open."""
    left = {name: iter(those) for name, those in (values or {}).items()}
    arguments: list[str | list[str]] = []
    for one in pattern.arguments:
        if not is_placeholder(one):
            arguments.append(encode(one))
            continue
        value = next(left[str(one)]) if str(one) in left else None
        arguments.append(["label" if one == label else str(one)] if value is None else str(value))
    return pattern.name, arguments


def _filled(template: Template, **values: str) -> str:
    """A fact: what is open has these values, or is 1."""
    name, arguments = template
    given = (one if isinstance(one, str) else values.get(one[0], "1") for one in arguments)
    return f"{name}({','.join(given)})"
