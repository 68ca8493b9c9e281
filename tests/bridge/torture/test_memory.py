"""The memory of the host after many programs, and with very many facts."""

from __future__ import annotations

import subprocess
import sys

import pytest
from patience import PATIENCE

from bridge.asp import Program
from bridge.prolog import Session

#: What may be added by so many more programs, in kB: a leak of one page for each would be more.
MORE, ALLOWED = 80, 300

MEASURED = f"""
import os
from bridge.asp import Program
from bridge.prolog import Session

def memory():
    with open("/proc/self/status") as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1])

def once():
    %s

for _ in range({MORE}):
    once()
before = memory()
for _ in range({MORE}):
    once()
print(memory() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize(
    "once",
    [
        'with Program("{ p(1..3) }.") as program: assert program.count().number == 8',
        'with Program("{ p(1..3) }.", isolated=False) as program: assert program.count().number == 8',
        'with Session("p(1). p(2).") as session: assert len(list(session.query("p(X)"))) == 2',
    ],
    ids=["clingo", "clingo in this process", "Prolog"],
)
def test_the_host_does_not_grow(once: str) -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED % once], capture_output=True, text=True, timeout=20 * PATIENCE, check=True)
    assert int(done.stdout) < ALLOWED


def test_very_many_facts() -> None:
    number = 200_000
    with Program("#show total/1. total(N) :- N = #count { X : p(X) }.") as program:
        program.add_facts("p", range(number))
        assert program.models().first()["total"] == [(number,)]
        assert program.models().first()["total"] == [(number,)]


def test_a_deep_term_and_a_long_list_go_in() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with Session("deep(T, N) :- deep(T, 0, N).\ndeep([], N, N) :- !.\ndeep([T], M, N) :- K is M + 1, deep(T, K, N).") as session:
        assert session.first("deep(T, N)", T=deep)["N"] == 100_000
        assert session.first("length(L, N)", L=list(range(number := 200_000)))["N"] == number
