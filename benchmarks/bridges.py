"""What the two bridges cost, beside the solvers alone: streams, queries, and a process of its own.

PySwip is a rival only where it is installed (`pip install pyswip`), with a SWI-Prolog that it finds; it runs in a
process of its own, since two bridges to one Prolog do not live together.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measure import Figure, contest

ROOT = Path(__file__).parent.parent
LATIN = ROOT / "encodings" / "latin_square" / "latin_square.lp"

Table = tuple[str, list[Figure], str]

#: So many integers are streamed.
MANY = 200_000


class Cell(NamedTuple):
    """An atom `cell(R, C, V)`."""

    row: int
    column: int
    value: int


def isolation() -> list[Table]:
    """A whole job in a process of its own, and all 161,280 Latin squares of order 5 streamed out of one."""
    return [*_jobs(), _squares()]


def _jobs() -> list[Table]:
    from bridge.asp import Program
    from bridge.prolog import Session

    def clingo_job(isolated: bool) -> Callable[[Any], Any]:
        def run(_: Any) -> int:
            with Program("{ a; b }.", isolated=isolated) as program:
                return len(program.models().collect().solutions)

        return run

    def prolog_job(isolated: bool) -> Callable[[Any], Any]:
        def run(_: Any) -> int:
            with Session("p(1). p(2).\n", isolated=isolated) as session:
                return len(session.query("p(X)").collect().solutions)

        return run

    tables = []
    for title, job in (("clingo", clingo_job), ("SWI-Prolog", prolog_job)):
        contenders = {"in a process of its own": job(True), "in process": job(False)}
        figures = contest(contenders, [None], "in process", rounds=100)
        tables.append((f"One small job of {title}: made, asked, closed", figures, "in process"))
    return tables


def _squares() -> Table:
    from bridge.asp import Program

    def typed(program: Program) -> Callable[[Any], Any]:
        return lambda _: sum(1 for model in program.models() if len(model.read(Cell)) == 25)

    here, there = Program(LATIN, n=5, isolated=False), Program(LATIN, n=5)
    contenders = {
        "counted in process": lambda _: here.count().number,
        "typed, in process": typed(here),
        "typed, from a process of its own": typed(there),
    }
    figures = contest(contenders, [None], "counted in process", rounds=3)
    there.close()
    return ("All 161,280 Latin squares of order 5, each as 25 NamedTuples", figures, "counted in process")


def queries() -> list[Table]:
    """A Prolog query, beside janus itself; and 200,000 integers, beside janus and PySwip."""
    from bridge.prolog import Session
    from bridge.prolog.locate import import_janus

    janus = import_janus()
    here, there = Session("p(1).\n", isolated=False), Session("p(1).\n")
    small = {
        "janus, query_once": lambda _: janus.query_once("X = 1")["X"],
        "lpbridge, first": lambda _: here.first("X = 1")["X"],  # type: ignore[index]
        "janus, list of a query": lambda _: next(row["X"] for row in list(janus.query("X = 1"))),
        "lpbridge, list of a query": lambda _: next(answer["X"] for answer in list(here.query("X = 1"))),
        "lpbridge, first, in a process of its own": lambda _: there.first("X = 1")["X"],  # type: ignore[index]
    }
    many = {
        "janus": lambda _: sum(1 for _ in janus.query(f"between(1, {MANY}, X)")),
        "lpbridge, in process": lambda _: sum(1 for _ in here.query(f"between(1, {MANY}, X)")),
        "lpbridge, in process, each value read": lambda _: sum(
            1 for answer in here.query(f"between(1, {MANY}, X)") if answer["X"]
        ),
        "lpbridge, from a process of its own": lambda _: sum(1 for _ in there.query(f"between(1, {MANY}, X)")),
    }
    rival = "janus"
    if (pyswip := _PySwip.find()) is not None:
        many[rival := "PySwip"] = pyswip
    tables = [
        ("A query with one answer", contest(small, [None], "janus, query_once", rounds=1000), "janus, query_once"),
        (f"{MANY:,} integers, one by one", contest(many, [None], rival, rounds=3), rival),
    ]
    there.close()
    return tables


class _PySwip:
    """PySwip in a process of its own, told to run the query once a line. Its time is its own."""

    CODE = f"""
import sys
from pyswip import Prolog
prolog = Prolog()
print("ready", flush=True)
for line in sys.stdin:
    print(sum(1 for _ in prolog.query("between(1, {MANY}, X)")), flush=True)
"""

    def __init__(self) -> None:
        from bridge.prolog.locate import current

        where = current()
        environment = {**os.environ, "SWI_HOME_DIR": str(where.home), "LIBSWIPL_PATH": str(where.libswipl)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", self.CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "ready\n":
            raise OSError("PySwip does not start")

    @classmethod
    def find(cls) -> _PySwip | None:
        """None, and a word about it, when it cannot be used."""
        try:
            return cls()
        except (ImportError, OSError) as error:
            print(f"(without PySwip: {error})", file=sys.stderr)
            return None

    def __call__(self, _: Any) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())
