"""Tables as facts, and answers as tables, of whichever library: pandas, Polars, PyArrow, DuckDB, SQLite.

`asp.Program.add_facts` takes tables of pandas, Polars and PyArrow as they are. Here `table` makes one of anything that
narwhals reads (lazy frames, DuckDB's relations, objects with `__arrow_c_stream__`) and of a database cursor, with the
columns that are wanted; `frames` makes a table for each predicate of some answers. Needs the extra `tables`.

    >>> with asp.Program("late(J) :- job(J, Hours, Due), Hours > Due.") as program:
    ...     program.add_facts("job", table(duckdb.sql("select * from 'jobs.parquet'"), "name", "hours", "due"))
    ...     frames(program.models(), columns={"late": ["name"]})["late"]
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bridge.common.arguments import named_arguments
from bridge.errors import InputError, MissingSolverError, brief

try:
    import narwhals as nw
except ModuleNotFoundError:
    raise MissingSolverError("the package narwhals is not installed", hint="pip install 'lpbridge[tables]'") from None

#: Libraries whose tables are made where none is given, the first that is installed.
LIBRARIES = ("polars", "pyarrow", "pandas")


def table(of: Any, *columns: str) -> Any:
    """A table that `add_facts` takes: a row is a fact, with its arguments in the order of the columns.

    Parameters
    ----------
    of
        A frame, a lazy frame, a relation, anything with `__arrow_c_stream__`; or a cursor of a database (DB-API 2.0).
    columns
        Those that are arguments, in this order; without any, all of them.

    Raises
    ------
    InputError
        It is not a table, or has no such column.
    """
    if hasattr(of, "fetchall") and getattr(of, "description", None) is not None:
        names = [column[0] for column in of.description]
        of = _made(dict(zip(names, zip(*of.fetchall(), strict=True), strict=False)) or dict.fromkeys(names, ()))
    try:
        found = nw.from_native(of)
    except TypeError:
        if not hasattr(of, "__arrow_c_stream__"):
            raise InputError(f"{type(of).__name__} is not a table") from None
        found = nw.from_arrow(of, backend=_library())
    eager = found.collect() if isinstance(found, nw.LazyFrame) else found
    for column in columns:
        if column not in eager.columns:
            raise InputError(f"the table has no column {column!r}", hint=f"it has {', '.join(eager.columns)}")
    return nw.to_native(eager.select(*columns) if columns else eager)


@named_arguments
def frames(models: Iterable[Mapping[str, Sequence[tuple[Any, ...]]]],
           columns: Mapping[str, Sequence[str]] | None = None, backend: str | None = None) -> dict[str, Any]:
    """A table for each predicate of some answer sets, with a row for each atom.

    Parameters
    ----------
    models
        Answer sets, such as `program.models()` gives them.
    columns
        The names of the arguments of some predicates; without them they are called `1`, `2`, ...
    backend
        `pandas`, `polars` or `pyarrow`; without it, one that is installed.

    Returns
    -------
    dict
        By the name of the predicate; by `name/arity`, where a name has several. The first column, `model`, is the
        number of the answer set, from 1 on. Integers and strings are what they are, and other terms are text.

    Raises
    ------
    InputError
        A predicate has more or fewer arguments than names.
    """
    found: dict[tuple[str, int], list[tuple[Any, ...]]] = {}
    for number, model in enumerate(models, 1):
        rows_of = model.values() if isinstance(model, Mapping) else [None]
        if not all(isinstance(rows, list | tuple) and all(type(row) is tuple for row in rows) for rows in rows_of):
            hint = "program.models(); of Prolog's answers, polars.DataFrame([dict(answer) for answer in answers])"
            raise InputError(f"{brief(model)} is not an answer set", hint=hint)
        for name, rows in model.items():
            for row in rows:
                values = (value if type(value) in (int, str) else str(value) for value in row)
                found.setdefault((name, len(row)), []).append((number, *values))
    several = {name for name, arity in found if sum(other == name for other, _ in found) > 1}
    result = {}
    for (name, arity), atoms in found.items():
        key = f"{name}/{arity}" if name in several else name
        names = list((columns or {}).get(key) or map(str, range(1, arity + 1)))
        if len(names) != arity:
            raise InputError(f"{key} has {arity} arguments, not {len(names)}: {', '.join(names)}")
        result[key] = _made(dict(zip(["model", *names], zip(*atoms, strict=True), strict=True)), backend)
    for key, named in (columns or {}).items():
        if key.partition("/")[0] not in {name for name, _ in found}:
            result[key] = _made(dict.fromkeys(["model", *named], ()), backend)
    return result


def read(path: str | PathLike[str], *columns: str) -> Any:
    """The table in a CSV or Parquet file, for `add_facts`. A column of a CSV file is of integers, or of strings.

    Raises
    ------
    InputError
        There is no such file, or no such column; a row of a CSV file has another number of cells than the first.
    """
    if Path(path).suffix.lower() in (".parquet", ".pq"):
        try:
            found = nw.read_parquet(fspath(path), backend=_library())
        except Exception as error:  # each library has exceptions of its own
            raise InputError(f"{fspath(path)}: {str(error).splitlines()[0]}") from None
        return table(found, *columns)
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            names, *rows = [*csv.reader(file)] or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{fspath(path)}: {error}") from None
    for number, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise InputError(f"{fspath(path)}:{number}: {len(row)} cells, and the first line has {len(names)}")
    cells = zip(*rows, strict=True) if rows else [()] * len(names)
    return table(_made({name: _typed(column) for name, column in zip(names, cells, strict=True)}), *columns)


def write(frame: Any, path: str | PathLike[str]) -> None:
    """Write a table as CSV or Parquet, by the end of the path."""
    eager = nw.from_native(frame, eager_only=True)
    if Path(path).suffix.lower() in (".parquet", ".pq"):
        eager.write_parquet(fspath(path))
    else:
        eager.write_csv(fspath(path))


def _typed(cells: Sequence[str]) -> list[Any]:
    try:
        return [int(cell) for cell in cells]
    except ValueError:
        return list(cells)


def _library() -> Any:  # for narwhals, a literal
    for name in LIBRARIES:
        if find_spec(name):
            return name
    raise MissingSolverError(f"none of {', '.join(LIBRARIES)} is installed", hint="pip install 'lpbridge[tables]'")


def _made(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    lists: dict[str, Any] = {name: list(values) for name, values in columns.items()}
    library: Any = backend or _library()
    return nw.to_native(nw.from_dict(lists, backend=library))


def facts_of(argument: str) -> Iterator[str]:
    """The facts that `job=jobs.csv` or `job=jobs.csv:name,hours` names, as text."""
    from bridge.asp import facts

    name, equals, rest = argument.partition("=")
    path, _, columns = rest.partition(":")
    if not (name and equals and path):
        raise InputError(f"{argument!r} is not a predicate and a table",
                         hint="job=jobs.csv, or job=jobs.csv:name,hours")
    try:
        yield facts(name, read(path, *filter(None, columns.split(","))))
    except InputError as error:
        raise (
            error if error.message.startswith(path) else InputError(f"{path}: {error.message}", hint=error.hint)
        ) from None
