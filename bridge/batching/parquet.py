"""The results of a batch as one Parquet table.

A Parquet file cannot be gone on with: its directory stands at its end. So results are kept as lines beside it, packed,
and when all are there the table is written whole, in row groups, which bound the memory that this takes.

A column is a key of the results. Numbers, texts and lists of them are values of their type; whatever else a key has is
JSON text, which databases read.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from bridge.batching.output import Results
from bridge.common.files import check_writable
from bridge.common.strict_json import dumps
from bridge.errors import InputError, MissingSolverError, OutputError, Place
from bridge.outcome import Verdict

if TYPE_CHECKING:
    from polars import DataFrame

#: The ends of the names of such files.
ENDS = (".parquet", ".pq")

#: Bytes of lines that are read at once, and about so many in a row group.
PIECE, GROUP = 1 << 22, 1 << 24


def results_in(path: str, run: Mapping[str, Any], columns: Mapping[str, Any], **given: Any) -> Results:
    """The results file at a path, of lines or a table by its end; `columns` are the types of the keys of results."""
    return Table(path, run, columns, **given) if path.lower().endswith(ENDS) else Results(path, run, **given)


class Table(Results):
    """Results that are a table when all of them are there; until then they are lines in `FILE.jsonl.gz`.

    The `columns` are the types of the keys of the results. Raises MissingSolverError when polars is not installed, and
    InputError also when a table is to be gone on with whose lines are gone.
    """

    def __init__(self, path: str, run: Mapping[str, Any], columns: Mapping[str, Any], *, resume: bool = False,
                 **given: Any) -> None:
        try:
            import polars
        except ModuleNotFoundError:
            raise MissingSolverError("a Parquet file needs polars", hint="pip install 'lpbridge[tables]'") from None
        types = {name: _type_of(of) for name, of in columns.items()}
        self._schema = {name: of or polars.String() for name, of in types.items()}
        self._encoded = {name for name, of in types.items() if of is None}
        self._table, self._lines = path, f"{path}.jsonl.gz"
        check_writable(path)
        if os.path.exists(path):
            if not resume:
                hint = "--resume, or another file"
                raise InputError("there are results in it already", where=Place(path), hint=hint)
            if not os.path.exists(self._lines):
                message = f"it cannot be gone on with: {os.path.basename(self._lines)}, its lines, is missing"
                raise InputError(message, where=Place(path), hint="begin anew")
        super().__init__(self._lines, run, resume=resume, **given)

    def complete(self) -> None:
        import polars
        from polars.io.plugins import register_io_source

        rows = max(1, GROUP * self.number // max(self.size, 1))
        new = f"{self._table}.{os.getpid()}.new"
        try:
            lines = register_io_source(self._frames, schema=self._schema)
            with open(new, "wb") as file:  # by its name, polars may open it when the error is known already
                lines.sink_parquet(file, row_group_size=rows)
            os.replace(new, self._table)
        except (OSError, OverflowError, TypeError, polars.exceptions.PolarsError) as error:
            with suppress(OSError):
                os.unlink(new)
            raise OutputError(f"cannot be written: {str(error).splitlines()[0]}", where=Place(self._table),
                              hint=f"the results are kept in {self._lines}; --resume makes the table of them") from None

    def _frames(self, columns: object, predicate: object, rows: object, size: object) -> Iterator[DataFrame]:
        """The lines, some at a time. What a reader would do without is not left out."""
        from polars import DataFrame

        with gzip.open(self._lines) as file:
            while lines := file.readlines(PIECE):
                values: dict[str, list[Any]] = {name: [] for name in self._schema}
                for row in map(_row, lines):
                    for name, column in values.items():
                        value = row.get(name)
                        column.append(dumps(value) if name in self._encoded and value is not None else value)
                yield DataFrame(values, schema=self._schema)


def _row(line: bytes) -> dict[str, Any]:
    """The values of a line. Half of a surrogate pair, as in a file's name that is not UTF-8, becomes `?`."""
    row: dict[str, Any] = json.loads(line)
    if b"\\ud" in line:
        row = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
    return row


def _type_of(of: Any) -> Any:
    """The column's type for values of a type; None where it has to be text."""
    import polars

    plain = {int: polars.Int64(), float: polars.Float64(), str: polars.String(), bool: polars.Boolean()}
    origin, inner = get_origin(of), get_args(of)
    if origin is UnionType or origin is Union:
        others = [one for one in inner if one is not type(None)]
        return _type_of(others[0]) if len(others) == 1 else None
    if origin is Literal or of is Verdict:
        return polars.String()
    if origin in (list, tuple):
        return polars.List(found) if (found := _type_of(inner[0])) is not None else None
    return plain.get(of)
