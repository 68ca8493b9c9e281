"""Rows and tables as arguments of facts, whatever the language: tuples, records, tables of pandas, Polars and PyArrow.

A row is a fact: a tuple or another sequence holds its arguments, a dataclass or NamedTuple does so in its fields, and
any other value is the one argument. What turns a value into a term is the language's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from bridge.errors import InputError, brief

T = TypeVar("T")

#: Of so many classes it is remembered what they are.
_CLASSES = 1000


@lru_cache(_CLASSES)
def is_record(cls: Any) -> bool:
    """Is this a dataclass or a NamedTuple, which stands for a compound term?"""
    return is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))


@lru_cache(_CLASSES)
def field_names(cls: Any) -> tuple[str, ...]:
    """The fields of such a class that its constructor takes: the arguments of the term."""
    if is_dataclass(cls):
        return tuple([field.name for field in fields(cls) if field.init])
    return tuple(cls._fields)


class Rows(Generic[T]):
    """The arguments of each row, as what `encode` makes of them; `columns` has the names of a table's, else None.

    `converters` are functions for the values of some columns of a table, by their names; `is_one` says whether a value
    is a term, though it looks like a row, and `term`, in words, what a row is not: `a term of clingo`.

    Raises InputError with the index of the row that holds no term, and its column in a table; for a column that is not
    there, and for a mapping, a string or a single row in place of the rows.
    """

    def __init__(self, rows: Iterable[Any], converters: Mapping[str, Callable[[Any], Any]] | None,
                 encode: Callable[[Any], T], is_one: Callable[[Any], bool], term: str) -> None:
        self._of, self._encode, self._is_one, self._term = rows, encode, is_one, term
        table = table_of(rows)
        self.columns = None if table is None else table[0]
        self._rows = items_of(rows, "rows", is_one) if table is None else table[1]
        if converters is not None:
            self._rows = _converted(self._rows, self.columns or (), converters)

    def __iter__(self) -> Iterator[list[T]]:
        encode = self._encode
        for index, row in enumerate(self._rows):
            try:
                yield [*map(encode, row if type(row) is tuple else self._arguments(row))]
            except RecursionError:
                raise InputError(f"rows[{index}]: a term is nested too deeply") from None
            except InputError as error:
                raise _in_row(error, index) if self.columns is None else self._in_table(error, index) from None

    def _arguments(self, row: Any) -> Iterable[Any]:
        """The arguments of a fact, from a row that is not a plain tuple."""
        cls: Any = type(row)
        if self._is_one(row):
            return (row,)
        if is_record(cls):
            return [getattr(row, name) for name in field_names(cls)]
        if isinstance(row, Sequence) and not isinstance(row, bytes | bytearray | memoryview):
            return row
        if isinstance(row, Iterable):
            # Sets have no order, an iterator is used up, a mapping may mean its keys or its items.
            message = f"{brief(row)} is neither a sequence of arguments nor {self._term}"
            raise InputError(message, hint="make each row a tuple, as tuple(row) does")
        return (row,)

    def _in_table(self, error: InputError, index: int) -> InputError:
        """The error with the column of the value that is not a term.

        A missing value of the same column comes first: pandas turns a column of integers that has one into floats.
        """
        columns, rows = table_of(self._of) or ((), iter(()))
        read = list(rows)
        for number, (column, value) in enumerate(zip(columns, read[index], strict=True)):
            try:
                self._encode(value)
            except InputError as wrong:
                for at, row in enumerate(read):
                    if is_missing(row[number]):
                        message = f"rows[{at}], column {brief(column)}: {brief(row[number])} is a missing value"
                        return InputError(message, hint="fill it in, or leave the row out")
                return InputError(f"rows[{index}], column {brief(column)}: {wrong.message}", hint=wrong.hint)
        return _in_row(error, index)


def _converted(rows: Iterator[Any], columns: Sequence[str],
               by: Mapping[str, Callable[[Any], Any]]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table with the values of some columns converted."""
    for name in by:
        if name not in columns:
            there = f"it has {', '.join(columns)}" if columns else "rows that are a table have columns"
            raise InputError(f"there is no column {name!r}", hint=there)
    functions = [by.get(name, _same) for name in columns]
    return (tuple([to(value) for to, value in zip(functions, row, strict=True)]) for row in rows)


def _same(value: Any) -> Any:
    return value


def _in_row(error: InputError, index: int) -> InputError:
    return InputError(f"rows[{index}]: {error.message}", hint=error.hint)


def is_missing(value: Any) -> bool:
    """Is it None, NaN, or what a table has in their place (pandas' NA and NaT)?"""
    if isinstance(value, float):
        return value != value  # NaN alone
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def table_of(of: Any) -> tuple[Sequence[str], Iterator[tuple[Any, ...]]] | None:
    """The names of the columns and the rows of a table; None for what is not a table.

    To iterate over a table gives the names of its columns, or the columns.
    """
    cls = type(of)
    if hasattr(cls, "itertuples"):  # pandas
        return [str(name) for name in of.columns], of.itertuples(index=False, name=None)
    if hasattr(cls, "iter_rows"):  # Polars
        return list(of.columns), of.iter_rows()
    if hasattr(cls, "column_names") and hasattr(cls, "to_pylist"):  # PyArrow: names may occur twice, as dicts have none
        return list(of.column_names), zip(*(column.to_pylist() for column in of.columns), strict=True)
    if hasattr(cls, "collect") and hasattr(cls, "collect_schema"):  # a lazy frame of Polars
        return table_of(of.collect())
    streams = hasattr(cls, "__dataframe__") or hasattr(cls, "__arrow_c_stream__")
    if streams and not (hasattr(cls, "to_list") or hasattr(cls, "to_pylist")):  # those are single columns
        raise InputError(f"the rows of a {cls.__qualname__} cannot be read", hint="give a list of tuples, one a row")
    return None


def items_of(of: Any, what: str, is_one: Callable[[Any], bool]) -> Iterator[Any]:
    """The rows or objects; values that look like many, and are meant as one, are refused."""
    hint = f"give a list of {what}"
    if isinstance(of, str | bytes | bytearray | memoryview):
        raise InputError(f"{brief(of)} is one value, not several {what}", hint=hint)
    if isinstance(of, Mapping):
        raise InputError(f"a mapping does not say what its {what} are", hint="give mapping.items(), or its keys")
    cls: Any = type(of)
    if is_record(cls) or is_one(of):
        raise InputError(f"{brief(of)} is one object, not several {what}", hint=hint)
    try:
        return iter(of.to_pylist() if hasattr(cls, "to_pylist") else of)  # PyArrow's own scalars are not Python values
    except TypeError:
        raise InputError(f"{brief(of)} is one value, not several {what}", hint=hint) from None
