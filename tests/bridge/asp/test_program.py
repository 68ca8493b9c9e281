"""clingo programs: loading, solving, consequences, limits, interrupts, errors."""

from __future__ import annotations

import asyncio
import gc
import inspect
import signal
import threading
import time
import typing
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, given_time, interrupted

from bridge.asp import (
    INFIMUM,
    SUPREMUM,
    Constant,
    Function,
    Program,
    String,
    encode,
    facts,
    internals,
    types,
    write_ground,
)
from bridge.asp.running.local import Local
from bridge.asp.running.packing import CALLS
from bridge.errors import InputError, ProgramError
from bridge.limits import Limits
from bridge.outcome import Outcome

QUEENS = """
{ queen(R, 1..n) } = 1 :- R = 1..n.
:- queen(R, C), queen(R', C), R < R'.
:- queen(R, C), queen(R', C'), R < R', |R - R'| = |C - C'|.
"""
#: n pigeons for n - 1 holes: no solution, and no quick proof.
PIGEONS = "{ in(P, 1..n-1) } = 1 :- P = 1..n. :- in(P, H), in(P', H), P < P'."


@pytest.mark.local
@pytest.mark.parametrize("name", CALLS)
def test_a_worker_answers_what_the_method_of_local_returns(name: str) -> None:
    called, call = inspect.signature(getattr(Local, name)), CALLS[name]
    assert ("progress" in called.parameters) == call.streams
    if isinstance(call.answer, str):
        assert call.answer.partition(":")[2] in called.return_annotation
    elif not call.streams:
        assert eval(called.return_annotation, {**vars(typing), **vars(types)}) == call.answer


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_queens(n: int, count: int) -> None:
    with Program(QUEENS, n=n) as program:
        outcome = program.models().collect()
    assert outcome.complete
    assert len(set(outcome.solutions)) == len(outcome.solutions) == count
    for model in outcome.solutions:
        queens = model["queen"]
        assert sorted(row for row, _ in queens) == list(range(1, n + 1))


def test_models_are_streamed_and_outlive_the_program() -> None:
    with Program(QUEENS, n=6) as program, program.models() as models:
        first = next(models)
        second = next(models)
    del program
    gc.collect()
    assert len(first["queen"]) == len(second["queen"]) == 6
    assert first != second
    assert not models.complete


def test_terms_arrive_as_python_values() -> None:
    text = 'p(1, -2, "a\\"b", red, (1, x), (7,), f(g(2)), -h(1), #inf, #sup). -q(3). r. #show p/10. #show -q/1. #show r/0. #show (5, "t") : r.'
    with Program(text) as program:
        (model,) = program.models()
    f = Function("f", (Function("g", (2,)),))
    expected = (
        1,
        -2,
        'a"b',
        Constant("red"),
        (1, Constant("x")),
        (7,),
        f,
        Function("h", (1,), False),
        INFIMUM,
        SUPREMUM,
    )
    assert model["p"] == [expected]
    assert type(model["p"][0][2]) is String
    assert type(model["p"][0][3]) is Constant
    assert model["-q"] == [(3,)]
    assert model["r"] == [()]
    assert model[""] == [(5, "t")]
    assert model["nothing"] == []


def test_values_go_in_as_they_come_out() -> None:
    row = (1, 'a"b\\c\nd', Constant("red"), (1, Constant("x")), (7,), Function("f", (2,)), INFIMUM)
    with Program(facts("p", [row])) as program:
        (model,) = program.models()
    assert model["p"] == [row]


@pytest.mark.parametrize("wrong", [2**31, -(2**31) - 1, 2**40, True, 1.5, None, Constant("Red"), Constant("a b")])
def test_what_is_no_term_is_refused(wrong: object) -> None:
    with pytest.raises(InputError):
        encode(wrong)


def test_constants_may_be_any_term() -> None:
    with Program("p(c, d).", c=-7, d="two words") as program:
        (model,) = program.models()
    assert model["p"] == [(-7, "two words")]


def test_assumptions_hold_in_one_search_only() -> None:
    with Program(QUEENS, n=6) as program:
        literals = program.literals("queen", 2)
        assert len(program.models(assuming=["queen(1,2)"]).collect().solutions) == 1
        assert len(program.models(assuming=[literals[1, 2], literals[2, 4]]).collect().solutions) == 1
        assert len(program.models(assuming=["not queen(1,2)"]).collect().solutions) == 3
        assert program.models(assuming=["queen(1,1)"]).collect().solutions == ()
        assert program.models(assuming=["no_such_atom(1)"]).collect().solutions == ()
        assert len(program.models(assuming=["not no_such_atom(1)"]).collect().solutions) == 4
        assert len(program.models().collect().solutions) == 4
        with pytest.raises(InputError, match="is not a literal"):
            program.models(assuming=["queen(1"]).collect()


@pytest.mark.parametrize("size", [1, 2, 6, 7, 12])
def test_an_assumed_atom_that_was_never_ground_is_false(size: int) -> None:
    # clasp gives bounds of seven and more atoms auxiliary ones, numbered after those that it knows.
    for assumed, number in (("no_such_atom", 0), ("not no_such_atom", size)):
        with Program("{ p(1..n) } = 1.", n=size) as program:
            assert program.count(assuming=[assumed]).number == number
        with Program("{ p(1..n) } = 1.", n=size) as program:
            assert len(program.models(assuming=[assumed]).collect().solutions) == number
        with Program("{ p(1..n) } = 1.", n=size) as program:
            assert len(program.brave(assuming=[assumed]).solutions) == min(number, 1)


def test_facts_are_among_the_consequences() -> None:
    text = "d(1..3). 1 { q(X) : d(X); q(2) : d(X) } :- not not q(2). q(X) ; r(X,X) :- d(X)."
    program = Program(text)
    (cautious,), (brave,) = program.cautious().solutions, program.brave().solutions
    assert set(str(cautious).split()) == {"d(1)", "d(2)", "d(3)"}  # clingo 5.8 has none of them
    assert brave["d"] == [(1,), (2,), (3,)]
    assert brave["q"] == [(1,), (2,), (3,)]
    hidden = Program(f"{text} #show q/1.").cautious().solutions[0]
    assert str(hidden) == ""
    # A fact that is shown as a term holds where its condition does.
    with Program("d(1..3). { a; b }. #show d(1) : a. #show a/0.", isolated=False) as shown:
        assert shown.cautious().solutions[0]["d"] == []
        assert shown.brave().solutions[0]["d"] == [(1,)]


def test_facts_that_are_not_shown_cost_consequences_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    real = internals.Search.start

    def start(self: Any, literals: Any) -> None:
        started.append(literals)
        real(self, literals)

    with Program("d(1..9). { a(X) : d(X) } = 1. #show a/1.", isolated=False) as program:
        monkeypatch.setattr(internals.Search, "start", start)
        first, second = program.brave(), program.brave()
        program.cautious(assuming=["a(1)"])
    assert len(started) == 3 + 1  # the shown facts, of which there are none, are looked for once
    assert first.solutions[0]["a"] == second.solutions[0]["a"] == [(n,) for n in range(1, 10)]
    assert first.statistics.counters == second.statistics.counters  # each those of its own search


def test_brave_and_cautious() -> None:
    with Program("1 { a; b; c } 2. :- not a. d :- a. :- b, c.") as program:
        brave, cautious = program.brave(), program.cautious()
        assert set(brave.solutions[0]) == {"a", "b", "c", "d"}
        assert set(cautious.solutions[0]) == {"a", "d"}
        assert brave.complete
        assert cautious.complete
        # What one search assumes, and how it enumerates, is gone for the next.
        assert set(program.cautious(assuming=["b"]).solutions[0]) == {"a", "b", "d"}
        assert len(program.models().collect().solutions) == 3
    with Program("d(1). 1 { _p(1) } 2. #show _p/1.") as program:
        assert len(program.models().collect().solutions) == len(program.models(project="show").collect().solutions) == 1
        assert program.count().number == 1
        assert [str(one) for one in program.cautious().solutions] == ["_p(1)"]
    with Program("{ a }. :- a. :- not a.") as program:
        assert program.brave().solutions == ()
        assert program.brave().complete


def test_the_time_limit_keeps_what_was_found_and_the_program() -> None:
    with Program("{ a(1..40) }.") as program:
        outcome = given_time(lambda seconds: program.models(limits=Limits(seconds=seconds)).collect(), found_some)
        assert (outcome.complete, outcome.limit) == (False, "seconds")
    with Program(PIGEONS, n=11) as program:
        for _ in range(3):
            outcome = program.models(limits=Limits(seconds=0.2)).collect()
            assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")
        assert program.models(assuming=["in(1,1)", "in(2,1)"]).collect().complete
        stopped = program.brave(limits=Limits(seconds=0.2))
        assert (stopped.solutions, stopped.limit) == ((), "seconds")


def found_some(outcome: Outcome[Any]) -> bool:
    return len(outcome.solutions) > 10


@pytest.mark.slow
def test_ctrl_c_stops_a_search_and_the_program_goes_on() -> None:
    with Program(PIGEONS, n=11) as program:
        for _ in range(2):
            assert interrupted(lambda: program.models().collect()).limit == "interrupt"
        assert program.models(assuming=["in(1,1)", "in(2,1)"]).collect().complete
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_keeps_the_models_found() -> None:
    with Program("{ a(1..40) }.") as program:
        given_time(lambda seconds: interrupted(lambda: program.models().collect(), seconds), found_some)


@pytest.mark.local
def test_a_stop_that_comes_late_does_not_end_the_next_search() -> None:
    with Program("{ a; b }.") as program:
        program.ground()
        for _ in range(3):
            program._backend._control.interrupt()
            outcome = program.models().collect()
            assert (len(outcome.solutions), outcome.complete) == (4, True)


def test_a_search_that_ran_out_of_time_leaves_no_trace() -> None:
    """However close to the limit a search ends: the next one is whole."""
    with Program("{ a(1..12) }.") as program:
        for microseconds in range(500, 6000, 60):
            program.models(limits=Limits(seconds=microseconds / 1e6)).collect()
            outcome = program.brave()
            assert (outcome.complete, len(outcome.solutions[0]["a"])) == (True, 12)


def test_one_search_at_a_time() -> None:
    with Program("{ a; b }.") as program:
        models = program.models()
        next(models)
        with pytest.raises(InputError, match="still open"):
            next(program.models())
        models.close()
        assert len(program.models().collect().solutions) == 4


def test_leaving_a_program_closes_its_streams_and_keeps_the_exception() -> None:
    with Program("{ a; b }.") as program:
        models = program.models()
        next(models)
    assert models.closed
    with pytest.raises(ZeroDivisionError), Program("{ a; b }.") as program:
        assert [1 // 0 for _ in program.models()]

    async def first() -> str:
        with Program("{ a(1..20) }.") as program:
            async for model in program.models():
                return str(model)
        return "none"

    assert asyncio.run(first()) != "none"


def test_a_stream_is_closed_by_another_thread() -> None:
    with Program(PIGEONS, n=14) as program:
        program.ground()
        stream, found = program.models(), list[Any]()
        thread = threading.Thread(target=lambda: found.extend(stream))
        thread.start()
        while not program.busy:
            time.sleep(0.01)
        stream.close()
        thread.join(PATIENCE)
        assert (thread.is_alive(), found, stream.complete) == (False, [], False)
        assert not program.busy


def test_a_search_in_another_thread() -> None:
    found: list[int] = []

    def work() -> None:
        with Program(PIGEONS, n=11) as program:
            outcome = program.models(limits=Limits(seconds=0.2)).collect()
            found.append(len(outcome.solutions) + (outcome.limit == "seconds"))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == [1, 1, 1]


def test_statistics() -> None:
    with Program(QUEENS, n=8) as program:
        outcome = program.models(limits=Limits(solutions=1)).collect()
    assert {"load", "ground", "solve"} <= outcome.statistics.seconds.keys()
    assert outcome.statistics.counters["choices"] > 0


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("a.\nb :- c d.", "2:8: ", "syntax error"),
        ("a.\np(X) :- not q(X).", "2:", "unsafe"),
        ("a(1).\n\nb", "4:1: ", "unexpected EOF"),
        ('#include "nowhere.lp".', "1:", "nowhere.lp"),
    ],
)
def test_an_error_names_its_place(tmp_path: Path, text: str, where: str, message: str) -> None:
    file = tmp_path / "wrong.lp"
    file.write_text(text)
    with pytest.raises(ProgramError, match=message) as raised, Program(file) as program:
        program.ground()
    assert str(raised.value).startswith(f"{file}:{where}")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Program("nowhere.lp")
    binary = tmp_path / "binary.lp"
    binary.write_bytes(b"a. \xff\xfe")
    with pytest.raises(ProgramError, match="stands outside comments and quoted strings"):
        Program(binary)
    with pytest.raises(InputError):
        Program(tmp_path)


def test_adding_after_grounding_is_refused() -> None:
    with Program("a.") as program:
        program.add("b.")
        (model,) = program.models()
        assert set(model) == {"a", "b"}
        with pytest.raises(InputError, match="ground already"):
            program.add("c.")
    with pytest.raises(InputError, match="closed"):
        next(program.models())


def test_warnings_are_kept(tmp_path: Path) -> None:
    with Program("a :- b.") as program:
        program.ground()
        assert any("b" in warning for warning in program.warnings)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("#const n = 3. p(1..n).", True),
        ("p(n).", True),
        ("q :- X = n / 2.", True),
        ("n. m(1).", True),
        ("#minimize { n : p }. { p }.", True),
        ("#const nn = 3. p(1..nn).", False),
        ("n(1). #show n/1.", False),
        ('p(1). % n\nq("n"). %* n *% r(m).', False),
    ],
)
def test_a_constant_that_the_program_does_not_have_is_refused(text: str, known: bool, tmp_path: Path) -> None:
    (tmp_path / "inner.lp").write_text(f"{text}\n")
    (tmp_path / "outer.lp").write_text('#include "inner.lp".\n')
    for source in (f"{text}\n", tmp_path / "inner.lp", tmp_path / "outer.lp"):
        with Program(source, n=1) as program:
            if known:
                assert program.solve().satisfiable
            else:
                with pytest.raises(InputError, match="the program has no constant 'n'"):
                    program.solve()
    if not known:
        with pytest.raises(InputError, match="the program has no constant 'n'"):
            write_ground(tmp_path / "outer.lp", n=1)
        with Program(tmp_path / "outer.lp", n=1) as program, pytest.raises(InputError, match="no constant"):
            program.grounding()
        with Program(f"{text}\n", n=1) as program:
            program.add("other(1..n).")
            assert program.solve().satisfiable


def test_the_constant_that_was_meant_is_named() -> None:
    with Program("#const slots = 3. #const rows = 2. p(slots). q(rows).\n", slot=1) as program, pytest.raises(InputError) as error:
        program.first()
    assert error.value.hint == "did you mean 'slots'? its constants are rows, slots"
    script = "#script(python)\nfrom clingo import Number\ndef f(): return Number(1)\n#end.\np(@f()).\n"
    with Program(script, n=1, isolated=True) as program:
        assert program.solve().satisfiable, "a script may ask for any"
    with Program("#include <incmode>. #program check(t). :- query(t), t < 2.\n", imax=2, istop="SAT") as program:
        assert program.solve().satisfiable is False


def test_each_unsafe_rule_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "unsafe.lp"
    file.write_text("p(X) :- not q(X).\nq(1).\n  r(Y, Z) :- q(Y).\n")
    with pytest.raises(ProgramError) as error, Program(file) as program:
        program.solve()
    found = [error.value, *error.value.others]
    assert [(one.where and (one.where.line, one.where.column)) for one in found] == [(1, 3), (3, 8)]
    assert ["`X`" in found[0].message, "`Z`" in found[1].message] == [True, True]
    assert [f"unsafe.lp:{place} is unsafe" in str(error.value) for place in ("1:3: `X`", "3:8: `Z`")] == [True, True]
    assert [one["where"] for one in error.value.to_json()["error"]["others"]] == [f"{file}:3:8"]
