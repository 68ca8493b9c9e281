"""Tables of any library are facts, and answers are tables."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas
import polars
import pyarrow
import pytest
from command import called
from patience import PATIENCE

from bridge import asp
from bridge.asp import facts
from bridge.errors import InputError
from bridge.integrations.tables import LIBRARIES, frames, read, table, write

COLUMNS = {"due": [3, 2], "name": ["a", "b"], "hours": [2, 5]}
FACTS = 'job("a",2).\njob("b",5).\n'


class _Stream:
    """What has nothing but the Arrow stream."""

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return pyarrow.table(COLUMNS).__arrow_c_stream__(schema)


def _cursor() -> Any:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table job (due, name, hours)")
    connection.executemany("insert into job values (?, ?, ?)", zip(*COLUMNS.values(), strict=True))
    return connection.execute("select * from job order by name")


TABLES: dict[str, Any] = {
    "pandas": lambda: pandas.DataFrame(COLUMNS, index=[7, 8]),
    "polars": lambda: polars.DataFrame(COLUMNS),
    "a lazy frame": lambda: polars.LazyFrame(COLUMNS),
    "pyarrow": lambda: pyarrow.table(COLUMNS),
    "an Arrow stream": _Stream,
    "sqlite": _cursor,
}


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_facts_by_the_order_or_the_names_of_columns(name: str) -> None:
    assert facts("job", table(TABLES[name](), "name", "hours")) == FACTS
    assert facts("job", table(TABLES[name]())) == 'job(3,"a",2).\njob(2,"b",5).\n'
    with pytest.raises(InputError, match="no column 'hour'; it has due, name, hours"):
        table(TABLES[name](), "hour")


def test_a_relation_of_duckdb() -> None:
    """In a process of its own: at its end, DuckDB prints what it has not freed."""
    code = """
import duckdb
from bridge.asp import facts
from bridge.integrations.tables import table
relation = duckdb.sql("select 3 as due, 'a' as name, 2 as hours union all select 2, 'b', 5 order by name")
print(facts("job", table(relation, "name", "hours")), end="")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == FACTS, done.stderr


def test_what_is_not_a_term_is_refused_with_row_and_column() -> None:
    with pytest.raises(InputError, match=r"rows\[1\], column 'hours': 2147483648 does not fit"):
        facts("job", table(polars.LazyFrame({"hours": [1, 2**31]})))
    with pytest.raises(InputError, match="int is not a table"):
        table(5)


@pytest.mark.parametrize("backend", LIBRARIES)
def test_answers_are_tables(backend: str) -> None:
    with asp.Program("{ at(a, 1..2) } = 1. p(f(x), \"s\"). q. q(1). #show at/2. #show p/2. #show q/0. #show q/1.") as program:
        found = frames(program.models(), {"at": ["lesson", "slot"]}, backend)
    assert sorted(found) == ["at", "p", "q/0", "q/1"]
    at = nw.from_native(found["at"], eager_only=True)
    assert (str(at.implementation), at.columns) == (backend, ["model", "lesson", "slot"])
    assert sorted(at.rows()) == sorted(at.select("model", nw.lit("a").alias("lesson"), "slot").rows())
    assert {row[2] for row in at.rows()} == {1, 2}
    assert nw.from_native(found["p"], eager_only=True).rows() == [(1, "f(x)", "s"), (2, "f(x)", "s")]
    assert nw.from_native(found["q/0"], eager_only=True).rows() == [(1,), (2,)]


def test_names_for_another_number_of_arguments() -> None:
    with asp.Program("p(1,2).") as program, pytest.raises(InputError, match="p has 2 arguments, not 1: x"):
        frames(program.models(), {"p": ["x"]})


@pytest.mark.parametrize("name", ["jobs.csv", "jobs.parquet"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(polars.DataFrame(COLUMNS), path)
    assert facts("job", read(path, "name", "hours")) == FACTS
    assert called("facts", f"job={path}:name,hours").stdout == FACTS
    assert called("facts", f"job={path}", f"e={path}:due").stdout.endswith("e(3).\ne(2).\n")
    failed = called("facts", f"job={path}:x")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "has no column 'x'" in failed.stderr


def test_a_file_that_is_not_a_table(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("a,b\n1,2\n3\n")
    assert f"{path}:3: 1 cells, and the first line has 2" in called("facts", f"job={path}").stderr
    (tmp_path / "jobs.parquet").write_text("no")
    assert called("facts", f"job={tmp_path / 'jobs.parquet'}").returncode == 2
    path.write_text("a,b\n")
    assert called("facts", f"job={path}").stdout == ""
