"""English for messages and reports, and the words and tables that the texts of several results share.

>>> plural(1, "solution"), plural(12345, "box", "boxes")
('1 solution', '12,345 boxes')
>>> listed(["a", "b", "c"])
'a, b and c'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

#: In place of the message of clasp that has a C++ signature and no place.
TOO_LARGE = "numbers have 32 bits, and the weights of a sum are more together"

#: The names of limits in sentences.
LIMITS = {
    "seconds": "the time limit",
    "solutions": "the limit on solutions",
    "nodes": "the limit on nodes",
    "memory": "the limit on memory",
    "gap": "the gap",
    "interrupt": "Ctrl-C",
    "halt": "the program itself",
    "crash": "the death of its process",
}

#: How a search ended where no limit on something came first.
_ENDS = {
    None: "the search was closed",
    "interrupt": "the search was stopped",
    "crash": "its process died",
    "memory": "its process had no more memory",
    "gap": "the gap to the proved bound was small enough",
    "halt": "the program ended its process",
}


def how_ended(limit: str | None, before: str = "") -> str:
    """How a search ended, by the name of the limit: `the limit on seconds came first`, `its process died`.

    `before` is what comes after it: `before the answer`.
    """
    end = _ENDS.get(limit)
    if end is None:
        return f"the limit on {limit} came {before or 'first'}"
    return f"{end} {before}".rstrip()


def plural(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun: `1 cell`, `2 cells`. `several` is the plural where it is not formed with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def listed(words: Sequence[str], conjunction: str = "and") -> str:
    """`a, b and c`."""
    *others, last = words or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def bound(bindings: Iterable[tuple[str, object]], before: str = "") -> str:
    """Variables with their values, `X = 1, Y = 2`, and words before them; empty where there are none."""
    values = ", ".join(f"{name} = {value}" for name, value in bindings)
    return f"{before}{values}" if values else ""


def end_lines(limit: str | None, notes: Iterable[str]) -> Iterator[str]:
    """The end of a result that a limit may have cut short: that limit, and the notes."""
    if limit is not None:
        yield f"stopped by {LIMITS[limit]}: this is what was known by then"
    yield from (f"note: {note}" for note in notes)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned: the first three to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < 3 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
