"""Counting, optimising, cores, parts and externals: all that is asked of a program beside a stream of its models."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import given_time, interrupted

from bridge.asp import Function, Model, Program, internals
from bridge.asp.running import local
from bridge.errors import InputError, LimitError, ProgramError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Interrupted

#: n pigeons for n - 1 holes: no solution, and no quick proof.
PIGEONS = "{ in(P, 1..n-1) } = 1 :- P = 1..n. :- in(P, H), in(P', H), P < P'."
COSTS = """
1 { pick(a; b; c; d) }.
{ extra }.
:~ pick(a). [3@2]   :~ pick(b). [1@2]   :~ pick(c). [1@2]   :~ pick(d). [1@2]
:~ pick(b). [2@1]   :~ pick(c). [1@1]   :~ pick(d). [1@1]
"""


# Random programs: rules over a few atoms, some of them shown.
atoms = st.sampled_from("abcde")
literals = st.builds(lambda sign, atom: sign + atom, st.sampled_from(["", "not "]), atoms)
bodies = st.lists(literals, max_size=3).map(", ".join)
rules = st.one_of(
    st.builds("{{ {} }} :- {}.".format, st.lists(atoms, min_size=1, max_size=3).map("; ".join), bodies),
    st.builds("{} :- {}.".format, atoms, bodies),
    st.builds(":- {}.".format, st.lists(literals, min_size=1, max_size=3).map(", ".join)),
)
shown = st.none() | st.lists(atoms, max_size=4)
weights = st.lists(
    st.builds(":~ {}. [{}@{},{}]".format, literals, st.integers(-3, 3), st.integers(1, 2), atoms), max_size=4
)


def written(body: list[str], show: list[str] | None) -> str:
    directives = [] if show is None else ["#show."] + [f"#show {atom}/0." for atom in show]
    return "\n".join([*body, *directives, "{ f } :- a.", ""]).replace(":- .", ".")


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(rules, max_size=6), shown, st.lists(literals, max_size=2))
def test_counts_and_projection_against_enumeration(body: list[str], show: list[str] | None, assumed: list[str]) -> None:
    with Program(written(body, show), options=["--warn=none"]) as program:
        every = program.models(assuming=assumed).collect()
        different = {str(model) for model in every.solutions}
        projected = program.models(assuming=assumed, project=True).collect()
        assert every.complete
        assert projected.complete
        assert sorted(map(str, projected.solutions)) == sorted(different)
        for _ in range(2):
            count = program.count(assuming=assumed)
            assert (count.number, count.complete) == (len(different), True)
            assert program.count(assuming=assumed, project=False).number == len(every.solutions)
        union = {atom for model in every.solutions for atom in model}
        common = set.intersection(*[set(model) for model in every.solutions]) if every.solutions else set()
        assert [set(model) for model in program.brave(assuming=assumed).solutions] == [union] * bool(every.solutions)
        assert [set(model) for model in program.cautious(assuming=assumed).solutions] == [common] * bool(
            every.solutions
        )
        solved = program.solve(assuming=assumed)
        assert solved.satisfiable is bool(every.solutions)
        assert set(solved.core) <= set(assumed)
        if solved.satisfiable:
            assert str(solved.model) in different
            assert program.first(assuming=assumed) in every.solutions
        else:
            assert solved.model is program.first(assuming=assumed) is None
            assert program.count(assuming=solved.core).number == 0  # a core is enough


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(rules, max_size=5), weights)
def test_optimal_models_against_enumeration(body: list[str], weak: list[str]) -> None:
    text = written(body, None)
    with (
        Program(text + "\n".join(weak), options=["--warn=none"]) as program,
        Program(text, options=["--warn=none"]) as plain,
    ):
        every = plain.models().collect().solutions
        assert len(program.models().collect().solutions) == len(every)  # minimising or not
        best: list[Model] = []
        outcome = program.optimal(on_progress=best.append)
        assert outcome.complete
        assert len(set(outcome.solutions)) == len(outcome.solutions)
        assert all(model.proved for model in outcome.solutions)
        assert bool(outcome.solutions) == bool(every)
        costs = {atoms_of(model): _cost(program, model) for model in every}
        least = min(costs.values(), default=None)
        assert set(map(atoms_of, outcome.solutions)) == {model for model, cost in costs.items() if cost == least}
        assert all(model.cost == least for model in outcome.solutions)
        assert len(program.models().collect().solutions) == len(every)


def atoms_of(model: Model) -> frozenset[str]:
    """Its atoms: two programs may have them in different orders."""
    return frozenset(str(model).split())


def _cost(program: Program, model: Model) -> tuple[int, ...]:
    """What one model costs, by asking for the optimum among just this one."""
    fixed = [atom if atom in model else f"not {atom}" for atom in "abcdef"]
    (only,) = program.optimal(assuming=fixed).solutions
    return only.cost


@pytest.mark.local
def test_counting_keeps_limits() -> None:
    with Program("{ a(1..40) }.") as program:
        count = given_time(
            lambda seconds: program.count(limits=Limits(seconds=seconds)), lambda count: count.number > 1000
        )
        assert (count.complete, count.limit) == (False, "seconds")
        assert {"load", "ground", "solve"} <= count.statistics.seconds.keys()
        count = program.count(limits=Limits(solutions=7))
        assert (count.number, count.complete, count.limit) == (7, False, "solutions")
        partial = given_time(lambda seconds: interrupted(program.count, seconds), lambda count: count.number > 1000)
        assert (partial.complete, partial.limit) == (False, "interrupt")
    with Program("{ a(1..12) }.") as program:
        for microseconds in range(200, 4000, 100):
            program.count(limits=Limits(seconds=microseconds / 1e6))
            assert program.count().number == 2**12
        program._backend._control.interrupt()  # type: ignore[attr-defined]
        assert (program.count().number, program.count().complete) == (2**12, True)


def test_what_counting_counted_is_right_when_it_is_stopped() -> None:
    """The number is what an enumeration stopped there would have found: never more than there are."""
    with Program("{ a(1..14) }. { b(1..3) }. #show a/1.") as program:
        for milliseconds in (1, 3, 5, 10, 20):
            count = program.count(limits=Limits(seconds=milliseconds / 1e3))
            assert count.number <= 2**14
            assert count.complete == (count.number == 2**14)


def test_optimal_with_priorities() -> None:
    with Program(COSTS) as program:
        better: list[tuple[int, ...]] = []
        outcome = program.optimal(on_progress=lambda model: better.append(model.cost))
        assert outcome.complete
        assert {(str(model["pick"][0][0]), "extra" in model) for model in outcome.solutions} == {
            ("c", False), ("c", True), ("d", False), ("d", True)
        }  # fmt: skip
        assert {(model.cost, model.priorities, model.proved) for model in outcome.solutions} == {((1, 1), (2, 1), True)}
        assert better == sorted(better, reverse=True)
        assert better[-1] == (1, 1)
        assert program.count().number == 30
        assert program.models().collect().solutions[0].cost == ()
        assert set(program.brave().solutions[0]["pick"]) == {("a",), ("b",), ("c",), ("d",)}
        again = program.optimal(assuming=["pick(a)"])
        assert {model.cost for model in again.solutions} == {(3, 0)}
        few = program.optimal(limits=Limits(solutions=3))
        assert (len(few.solutions), few.complete, few.limit) == (3, False, "solutions")
        assert program.optimal(assuming=["pick(a)", "not pick(a)"]).solutions == ()
        assert program.optimal().complete


def test_optimal_without_an_objective() -> None:
    for text in ("{ a; b }.", "{ a; b }. #minimize { 1, X : p(X) }. #defined p/1."):
        with Program(text) as program:
            outcome = program.optimal()
            assert (len(outcome.solutions), outcome.complete) == (4, True)
            assert all(model.proved for model in outcome.solutions)


#: A choice of half of the items, as light as can be: good ones are found at once, the proof takes for ever.
HARD = "{ in(1..60) } = 30. #minimize { (X * 7919) \\ 101, X : in(X) }. :- in(X), in(Y), X < Y, (X * Y * 31) \\ 17 = 3."


@pytest.mark.slow
def test_optimal_keeps_the_best_when_time_is_up() -> None:
    with Program(HARD) as program:
        better: list[Model] = []

        def best(seconds: float) -> Any:
            better.clear()
            return program.optimal(limits=Limits(seconds=seconds), on_progress=better.append)

        outcome = given_time(best, lambda outcome: outcome.solutions)
        assert (outcome.complete, outcome.limit) == (False, "seconds")
        assert outcome.solutions == (better[-1],)
        assert not outcome.solutions[0].proved
        assert outcome.solutions[0].cost == min(model.cost for model in better)
        partial = given_time(lambda seconds: interrupted(program.optimal, seconds), lambda found: found.solutions)
        assert (len(partial.solutions), partial.limit) == (1, "interrupt")
        assert not program.busy


@pytest.mark.local
@pytest.mark.parametrize("kind", ["models", "optimal"])
def test_ctrl_c_loses_no_model_that_was_just_found(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """It comes while clingo is at work, and clingo returns with a model all the same."""
    real = local.Local._reading

    def pressing(*args: Any) -> tuple[Any, Callable[[], Any]]:
        (search, read), calls = real(*args), iter(range(100))

        def press() -> Any:
            found = read()
            if next(calls) == 2:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.05)
            return found

        return search, press

    monkeypatch.setattr(local.Local, "_reading", pressing)
    with Program("{ a(1..6) }. :~ not a(X), X = 1..6. [1, X]") as program:
        with pytest.raises(Interrupted) as raised:
            program.models().collect() if kind == "models" else getattr(program, kind)()
        found = raised.value.partial.solutions
        assert len(found) == (3 if kind == "models" else 1)
        assert raised.value.partial.limit == "interrupt"
        assert not program.busy


@pytest.mark.local
@pytest.mark.parametrize("kind", ["brave", "cautious"])
def test_ctrl_c_loses_no_consequences(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """The same of the search that is not asked for its models: what it knew is in the partial outcome."""
    with Program("{ a(1..6) }. b.") as program:
        search = program._backend._search
        real = type(search).exhaust

        def press(search: Any, literals: Any) -> Any:
            found = real(search, literals)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            return found

        monkeypatch.setattr(type(search), "exhaust", press)
        with pytest.raises(Interrupted) as raised:
            getattr(program, kind)()
        (found,) = raised.value.partial.solutions
        assert (len(found["a"]), len(found["b"])) == (6 if kind == "brave" else 0, 1)
        assert raised.value.partial.limit == "interrupt"
        assert not program.busy


@pytest.mark.local
def test_consequences_are_searched_for_as_the_options_say() -> None:
    """Only the question for consequences changes how the search goes, and no option that says how."""

    def steered(program: Program) -> list[str]:
        solver = cast(Any, program._backend._control.configuration).solver
        return [solver.heuristic.partition(",")[0], solver.sign_def, solver.restart_on_model]

    with Program("{ a; b }.", isolated=False, tuning=["--heuristic=berkmin"]) as program:
        assert [set(model) for model in program.brave().solutions] == [{"a", "b"}]
        assert steered(program) == ["vsids", "pos", "1"]
        assert [set(model) for model in program.cautious().solutions] == [set()]
        assert steered(program) == ["vsids", "asp", "1"]
        assert len(program.models().collect().solutions) == 4
        assert steered(program) == ["berkmin", "asp", "0"]
    with Program("{ a; b }.", isolated=False, options=["--heuristic=berkmin"]) as program:
        assert [set(model) for model in program.brave().solutions] == [{"a", "b"}]
        assert steered(program) == ["berkmin", "asp", "0"]


def test_what_on_progress_raises_comes_through() -> None:
    def fail(model: Model) -> None:
        raise ZeroDivisionError

    with Program(COSTS) as program:
        with pytest.raises(ZeroDivisionError):
            program.optimal(on_progress=fail)
        assert not program.busy
        assert program.count().number == 30


def test_a_core_names_what_was_assumed_and_no_externals() -> None:
    with Program("#external e. { a; b; c }. :- a, b, not e.") as program:
        assert sorted(program.solve(assuming=["a", "c", "b"]).core) == ["a", "b"]


def test_cores() -> None:
    with Program("{ a; b; c; d }. :- not c, d.") as program:
        number = program.literals("d", 0)[()]
        assert program.solve(assuming=["a", "b", "d", "not c"]).core == ("d", "not c")
        assert program.solve(assuming=["not c", "a", number, "d"]).core == ("not c", number)
        assert program.solve(assuming=["a", "no_such(1)", "b"]).core == ("no_such(1)",)
        assert program.solve(assuming=["a", "b", " not  a"]).core == ("a", " not  a")
        solved = program.solve(assuming=["a", "b"])
        assert (solved.satisfiable, solved.core, solved.limit) == (True, (), None)
        assert solved.model is not None
        assert {"a", "b"} <= set(solved.model)
        assert program.count().number == 12
    with Program("{ a }. :- a. :- not a.") as program:
        assert program.solve(assuming=["a"]).satisfiable is False
        assert program.solve(assuming=["a"]).core == ()


@pytest.mark.slow
def test_solve_keeps_limits() -> None:
    with Program(PIGEONS, n=11) as program:
        solved = program.solve(limits=Limits(seconds=0.2))
        assert (solved.satisfiable, solved.model, solved.core, solved.limit) == (None, None, (), "seconds")
        assert program.first(limits=Limits(seconds=0.2)) is None
        partial = interrupted(program.solve)
        assert (partial.satisfiable, partial.limit) == (None, "interrupt")


STEPS = """
#program step(t).  at(t). { on(t) }.
#program check(t). #external query(t). :- query(t), not on(t).
#program named(x, y). name(x, y).
"""


def test_a_limit_that_has_come_before_a_question_ends_it_as_a_limit() -> None:
    with Program("{ a }. :- not a. :- a.") as program:
        program.ground()
        with program.clashes([1], [1], limits=Limits(seconds=1e-9)) as cores:
            found = list(cores)
        assert (found[-1].satisfiable, cores.limit) in [(None, "seconds"), (False, None), (True, None)]


def test_parts_are_ground_when_asked_for() -> None:
    with Program(STEPS + "#program base. start.") as program:
        assert [set(model) for model in program.models()] == [{"start"}]
        program.ground(("step", 1), ("step", 2), ("check", 2))
        assert program.count().number == 4
        program.ground(("step", 2), ("step", 3))
        assert program.count().number == 8
        program.ground(("named", "two words", Function("f", (1,))))
        assert program.first()["name"] == [("two words", Function("f", (1,)))]  # type: ignore[index]
        program.add("more(k).", "extra", ["k"])
        program.add("{ more(k + 1) }.", "extra", ("k",))
        with pytest.raises(InputError, match="the program is ground already"):
            program.add("a.")
        with pytest.raises(InputError, match="the part step is ground already"):
            program.add("a.", "step", ["t"])
        program.ground(("extra", 5))
        assert program.count().number == 16
        assert program.first()["more"][0] == (5,)  # type: ignore[index]
        with pytest.raises(InputError, match="not a part"):
            program.ground("step")  # type: ignore[arg-type]
    with Program(STEPS + "#program base. start. #program step(t). more :- start.") as program:
        program.ground(("step", 1))  # base comes with it
        assert {"start", "more", "at"} <= set(program.first() or ())


def test_externals() -> None:
    with Program(STEPS + "#program base. #external e(1..2). { a }. :- e(1), not a. :- e(2), a.") as program:
        assert program.count().number == 2
        program.assign_external("e(1)", True)
        assert [set(model) for model in program.models()] == [{"a", "e"}]
        program.assign_external(Function("e", (2,)), True)
        assert program.count().number == 0
        program.assign_external("e(1)", False)
        assert program.count().number == 1
        program.assign_external("e(2)", None)
        assert program.count().number == 3
        program.release_external("e(2)")
        assert program.count().number == 2
        program.ground(("step", 1), ("check", 1))
        program.assign_external("query(1)", True)
        assert program.count().number == 2
        wrong: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
            (program.assign_external, ("e(2)", True)),
            (program.assign_external, ("e(3)", True)),
            (program.assign_external, ("a", True)),
            (program.release_external, ("query(2)",)),
            (program.release_external, (5,)),
        ]
        for call, arguments in wrong:
            with pytest.raises(InputError, match="is not an external atom"):
                call(*arguments)
        with pytest.raises(InputError, match="is not a term"):
            program.assign_external("e(", True)


def test_nothing_is_changed_under_an_open_search() -> None:
    with Program("{ a; b }. #external e.") as program:
        with program.models() as models:
            next(models)
            calls: list[Callable[[], Any]] = [
                program.count, program.brave, program.optimal, program.solve, program.first, program.ground,
                program.grounding, lambda: program.add("c."), lambda: program.assign_external("e", True),
                lambda: program.literals("a", 0),
            ]  # fmt: skip
            for call in calls:
                with pytest.raises(InputError, match="still open"):
                    call()
        assert program.count().number == 4
    for call in calls:
        with pytest.raises(InputError, match="closed"):
            call()


def test_an_error_in_an_included_file_names_that_file(tmp_path: Any) -> None:
    inner, outer = tmp_path / "inner.lp", tmp_path / "outer.lp"
    inner.write_text("a.\nb :- c d.\n")
    outer.write_text('#include "inner.lp".\n')
    with pytest.raises(ProgramError, match=r"in `b :- c d\.`") as raised:
        Program(outer)
    assert str(raised.value.where) == f"{inner}:2:8"
    inner.write_text("a.\nb(X) :- not c(X).\n")
    with pytest.raises(ProgramError, match=r"unsafe.*in `b\(X\) :- not c\(X\)\.`") as raised, Program(outer) as program:
        program.ground()
    assert str(raised.value.where).startswith(f"{inner}:2:")


def test_negated_predicates_have_literals() -> None:
    with Program("{ p(1..2) }. { -p(1..3) }.") as program:
        assert set(program.literals("p", 1)) == {(1,), (2,)}
        assert set(program.literals("-p", 1)) == {(1,), (2,), (3,)}
        assert program.count(assuming=[program.literals("-p", 1)[3,], "-p(1)"]).number == 3


def test_first_is_not_none_when_the_process_died() -> None:
    with Program("p(-2147483648/-1).", isolated=True) as program, pytest.raises(LimitError, match="its process died"):
        program.first()


def test_first_of_a_stream_that_is_closed_is_not_none() -> None:
    with Program("{ a }.", isolated=False) as program:
        models = program.models()
        models.close()
        with pytest.raises(LimitError, match="the search was closed, before there was an answer"):
            models.first()


def test_a_search_that_is_interrupted_proves_nothing() -> None:
    class Result:  # as clasp reports one that is interrupted before it has begun
        satisfiable, unsatisfiable, exhausted, interrupted, unknown = False, True, True, True, False

    found = internals.ended(cast(Any, Result()))
    assert (found.satisfiable, found.unsatisfiable, found.exhausted, found.interrupted) == (None, False, False, True)


@pytest.mark.slow
@pytest.mark.local
def test_a_limit_that_comes_as_the_search_begins_proves_nothing() -> None:
    with Program("{ a(1..9) }. :- a(1), a(2). b :- not a(3). 1 { c(1..3) } 1.") as program:
        for number in range(1500):
            limits = Limits(seconds=(1e-5, 3e-5, 1e-4, 3e-4)[number % 4])
            brave, count = program.brave(limits=limits), program.count(limits=limits)
            assert brave.solutions or not brave.complete
            assert count.number or not count.complete
            assert program.solve(limits=limits).satisfiable is not False


PRINTED = [
    '{ p(1..3, (X, f("s, \\"t", -X))) : X = 1..2; -q(a, #inf) }. #show p/2. #show -q/2. #show (X,) : p(X, _). #show "t" : p(1, _).',
    "a. #show.",
    "{ a }. :- a. :- not a.",
    "p(1..30000). { q(1..2) }.",
    "{ r(1..5) } = 2. p(1..200) :- r(3). q(1..150).",
    "#include <incmode>. #program step(t). { a(t) }. #program check(t). :- query(t), not a(t). :- query(t), t < 3.",
]


@pytest.mark.parametrize("isolated", [True, False], ids=["in a process", "here"])
@pytest.mark.parametrize("text", PRINTED)
def test_what_is_printed_is_what_models_print(text: str, isolated: bool) -> None:
    with Program(text, isolated=isolated) as program:
        models = program.models().collect()
        printed = program.printed().collect()
    assert [text for page in printed.solutions for text in page.texts] == [str(one) for one in models.solutions]
    assert [page.step for page in printed.solutions for _ in page.texts] == [one.step for one in models.solutions]
    assert (printed.complete, printed.limit) == (models.complete, models.limit)
    assert printed.statistics.counters.get("steps") == models.statistics.counters.get("steps")


def _sorted(text: str) -> list[str]:
    return sorted(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("text", [*PRINTED, "{ a(1..3) }. #minimize { X : a(X) }. b(ț) :- a(1).".replace("ț", '"ț"')])
def test_clingo_prints_itself_what_models_print(text: str) -> None:
    with Program(text, printing=True) as program:
        printed = program.printed().collect()
        again = program.printed().collect()
        models = program.models().collect()  # by a Control that prints nothing
    texts = [text for page in printed.solutions for text in page.texts]
    assert sorted(map(_sorted, texts)) == sorted(_sorted(str(one)) for one in models.solutions)
    assert [text for page in again.solutions for text in page.texts] == texts
    assert (printed.complete, printed.limit) == (models.complete, models.limit)
    assert printed.statistics.counters.keys() == models.statistics.counters.keys()


@pytest.mark.parametrize("number", [1, 2, 3, 2000])
def test_clingo_prints_so_many_itself(number: int) -> None:
    with Program("{ a(1..30) }.", printing=True) as program:
        stream = program.printed(limits=Limits(solutions=number))
        pages = stream.collect().solutions
        assert (sum(len(page.texts) for page in pages), stream.found, stream.limit) == (number, number, "solutions")
        assert program.printed().first() is not None  # one that is left is begun again
    with Program("a.", printing=True) as program:
        only = program.printed(limits=Limits(solutions=number)).collect()
        assert [str(page) for page in only.solutions] == ["a"]


@pytest.mark.slow
def test_a_large_answer_that_clingo_prints_itself() -> None:
    with Program("p(1..200000). { q(1..2) }.", printing=True) as program:
        texts = [text for page in program.printed() for text in page.texts]
    facts = " ".join(f"p({number})" for number in range(1, 200_001))
    assert sorted(texts) == sorted(facts + end for end in ("", " q(1)", " q(2)", " q(1) q(2)"))


@pytest.mark.slow
def test_what_clingo_prints_itself_is_kept_when_time_is_up() -> None:
    text = "{ p }. { in(P, H) : H = 1..11 } = 1 :- P = 1..12, p. :- in(P, H), in(Q, H), P < Q. #show p/0."
    with Program(text, printing=True) as program:
        stream = program.printed(limits=Limits(seconds=0.5))
        assert [text for page in stream for text in page.texts] == [""]
        assert (stream.limit, stream.complete) == ("seconds", False)


def test_a_program_that_clingo_prints_itself_may_become_another_one() -> None:
    with Program("{ a }.", printing=True) as program:
        program.add(PRINTED[-1])
        assert [page.step for page in program.printed().collect().solutions][-1] == 3
    with Program("#external a. b :- a.", printing=True) as program:
        program.assign_external("a", True)
        assert [str(page) for page in program.printed().collect().solutions] == ["a b"]
    with pytest.raises(ProgramError, match="syntax error"):
        Program("{ a. b.", printing=True)


@pytest.mark.slow
def test_a_large_answer_is_printed_in_pieces() -> None:
    with Program("p(1..200000).", untrusted=True, allow_missing_walls=True) as program:
        printed = program.printed(limits=Limits(solutions=1)).collect().solutions[0]
    assert str(printed) == " ".join(f"p({number})" for number in range(1, 200_001))


def test_printing_is_left_and_begun_again() -> None:
    with Program("{ a(1..30) }.") as program:
        first = program.printed().first()
        assert first is not None
        assert first.texts[0] == str(next(program.models()))
        for number in (3, 2000):
            stream = program.printed(limits=Limits(solutions=number))
            pages = stream.collect().solutions
            assert (sum(len(page.texts) for page in pages), stream.found, stream.limit) == (number, number, "solutions")


@pytest.mark.slow
def test_what_is_printed_is_kept_when_time_is_up() -> None:
    """Also what waits for others while the next answer is searched for."""
    text = "{ p }. { in(P, H) : H = 1..11 } = 1 :- P = 1..12, p. :- in(P, H), in(Q, H), P < Q. #show p/0."
    with Program(text) as program:
        stream = program.printed(limits=Limits(seconds=0.5))
        assert [text for page in stream for text in page.texts] == [""]
        assert (stream.limit, stream.complete) == ("seconds", False)


@pytest.mark.parametrize(
    ("text", "number", "brave"),
    [
        ("{ _a(1..3) } = 1. #show _a/1.", 3, "_a(1) _a(2) _a(3)"),
        ("{ a; _b }.", 4, "_b a"),
        ("{ a; b; c }. #show. #show _t : b, c. #show _s : not b.", 3, "_s _t"),
        ("x(_t). { p }. #show X : x(X), p. #show.", 2, "_t"),
        ("{ _f(_x); g(_x; _y) }.", 8, "_f(_x) g(_x) g(_y)"),
        ("{ -_a(1..2) } = 1.", 2, "-_a(1) -_a(2)"),
        ("{ _'a; 'b; c' }.", 8, "'b _'a c'"),
        ("{ a; b }. #project a.", 4, "a b"),
        ("#const k = c. p(k). { q }. #show X : p(X), q. #show.", 2, "_k"),
    ],
)
@pytest.mark.parametrize("isolated", [True, False])
def test_answer_sets_are_told_apart_by_all_that_is_shown(text: str, number: int, brave: str, isolated: bool) -> None:
    """clasp leaves names that begin with `_` out of what it projects on, and takes the consequences of `#project`."""
    options = ["--const=k=_k"] if "#const" in text else []
    with Program(text, isolated=isolated, options=options) as program:
        assert program.count(project="show").number == number
        assert len({str(model) for model in program.models(project="show")}) == number
        (found,) = program.brave().solutions
        assert " ".join(sorted(str(found).split())) == brave


def test_names_that_begin_with_an_underscore_in_further_parts() -> None:
    with Program("{ _a(1) }. #program more. { _a(2) }. #show _t : _a(2).", isolated=False) as program:
        assert program.count().number == 2
        program.ground(("more",))
        assert program.count().number == 4


def test_what_is_shown_beside_what_is_projected_on() -> None:
    with Program("{ a; _b }. #project a.", isolated=False) as program:
        assert program.count().number == 2
        with pytest.raises(UnsupportedError, match="names that begin with `_`"):
            program.count(project="show")


@pytest.mark.parametrize("isolated", [False, True])
def test_an_atom_without_a_rule_has_no_literal(isolated: bool) -> None:
    with Program("p(1) :- c, not p(1). { p(2) }.", isolated=isolated) as program:
        literals = program.literals("p", 1)
        assert [*literals] == [(2,)]
        assert all(literals.values())
        assert not program.models(assuming=["p(1)"]).collect().solutions


#: A program of whose consequences clingo 5.8 leaves out facts, and what is shown on condition of facts.
LEFT_OUT = """d(1..3). s. { q(X+1) : d(X); r(X+1,X) : d(X) } = 1 :- not r(2,2), p(2).
r(Y,1) ; p(Y) :- d(X), d(Y). #show "a b" : s. #show t(X) : p(X). #show u : d(X), p(X). #show u : s."""


def test_terms_that_are_shown_of_facts_are_consequences() -> None:
    with Program(LEFT_OUT) as program:
        answers = [{*str(model).replace('"a b"', "ab").split()} for model in program.models()]
        assert "ab" in set.intersection(*answers)
        for found, expected in ((program.cautious(), set.intersection(*answers)), (program.brave(), set.union(*answers))):
            (model,) = found.solutions
            assert {*str(model).replace('"a b"', "ab").split()} == expected
