"""Rules have the names that comments give them; rewritten with switches, a program means the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp import Program
from bridge.asp.decode import Constant, Function
from bridge.asp.reading.names import RuleName, Switching, instance_name, read_names
from bridge.asp.reading.source import term
from bridge.asp.running.local import MOST_NAMED
from bridge.asp.types import OpenBlock
from bridge.errors import InputError, Place, ProgramError

COLORING = """\
node(1..3). color(red; green).
edge(1, 2). edge(2, 3). edge(1, 3).

%! node {N}: it has one color.
{ paint(N, C) : color(C) } = 1 :- node(N).

%! edge {A}-{B}: its ends, {A} and {B}, have
%!   different colors.
:- edge(A, B), paint(A, C), paint(B, C).

:- paint(1, green).
#show paint/2.
"""


def test_a_comment_names_the_statements_up_to_a_blank_line() -> None:
    names = read_names(COLORING, "coloring.lp")
    assert {line: name.pattern for line, name in names.items()} == {5: "node {N}", 9: "edge {A}-{B}"}
    edge = names[9]
    assert edge.sentence == "its ends, {A} and {B}, have different colors."
    assert edge.place == Place("coloring.lp", 7, 4)
    assert edge.says("edge 1-3") == "its ends, 1 and 3, have different colors."
    assert edge.says("node 1") is None


def test_words_in_place_of_a_name() -> None:
    text = '%! always: a.\np.\n% between\nq.\n\n%! implied: b.\nr.\n\n%! "row {R}: balance": c.\ns.\n\nt. %! no name\n'
    assert {line: (name.use, name.pattern) for line, name in read_names(text).items()} == {
        2: ("always", ""),
        3: ("always", ""),
        4: ("always", ""),
        7: ("implied", ""),
        10: ("named", "row {R}: balance"),
    }


@pytest.mark.parametrize("line", ["%!trace_rule {\"% is painted\", N}.", "%!show_trace paint/2.", "%!mute {p}.", "%!"])
def test_annotations_of_others_name_nothing(line: str) -> None:
    assert read_names(f"{line}\np.") == {}


def test_a_name_without_a_sentence() -> None:
    assert read_names("%! rows differ\np.")[2] == RuleName("rows differ", "", Place(None, 1, 4))


@pytest.mark.parametrize(
    ("line", "said"),
    [("%! row {R: a.", "do not match"), ("%! row R}: a.", "do not match")],
)
def test_a_name_that_is_wrong_has_a_place(line: str, said: str) -> None:
    with pytest.raises(ProgramError, match=said) as caught:
        read_names(f"p.\n{line}\nq.", "x.lp")
    assert caught.value.where == Place("x.lp", 2, 4)


def test_names_of_instances() -> None:
    assert instance_name("row {R}", (3,)) == "row 3"
    assert instance_name("no word twice", ()) == "no word twice"
    assert instance_name("{N} {D}", (3, Constant("down"))) == "3 down"
    assert instance_name("{A}, {B}", ("a b", Function("f", (1, (2,))))) == "a b, f(1,(2,))"


def switched(text: str, switching: Switching = Switching(), **options: object) -> Program:  # noqa: B008
    return Program(text, switching=switching, isolated=False, **options)  # type: ignore[arg-type]


def test_rules_become_switches() -> None:
    with switched(COLORING) as program:
        switches = program.switches()
        assert set(switches) == {"node 1", "node 2", "node 3", "edge 1-2", "edge 2-3", "edge 1-3", "<string>:11:1"}
        solved = program.solve(assuming=list(switches.values()))
        assert not solved.satisfiable
        clash = {name for name, literal in switches.items() if literal in solved.core}
        assert clash >= {"node 1", "node 2", "node 3", "edge 1-2", "edge 2-3", "edge 1-3"}
        without = [literal for name, literal in switches.items() if name != "edge 1-3"]
        solved = program.solve(assuming=[*without, -switches["edge 1-3"]])
        assert solved.model is not None
        assert sorted(solved.model["paint"]) == [(1, "red"), (2, "green"), (3, "red")]


def test_in_a_worker_and_from_files(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(COLORING.partition("\n\n")[2])
    file = tmp_path / "all.lp"
    file.write_text('node(1..2). color(red; green). edge(1, 2).\n#include "rules.lp".\n')
    with Program(file, switching=Switching()) as program:
        switches = program.switches()
        assert set(switches) == {"node 1", "node 2", "edge 1-2", f"{tmp_path / 'rules.lp'}:8:1"}
        assert program.solve(assuming=list(switches.values())).satisfiable
        assert not program.solve(assuming=[*switches.values(), "paint(1,green)"]).satisfiable


def test_some_rules_only() -> None:
    with switched(COLORING, Switching(("edge {A}-{B}",))) as program:
        assert set(program.switches()) == {"edge 1-2", "edge 2-3", "edge 1-3"}
    with switched(COLORING, Switching(unnamed=False)) as program:
        assert "<string>:11:1" not in program.switches()


def test_implied_rules_are_left_out_where_all_are_in_question() -> None:
    text = "{ a; b }.\n%! implied: x.\n:- a.\n\n%! no b: y.\n:- b.\n"
    for switching, number in ((Switching(), 2), (Switching(("no b",), implied=True), 1)):
        with switched(text, switching) as program:
            (switch,) = program.switches().values()
            assert program.count(assuming=[switch]).number == number


def test_facts_and_definitions_when_asked_for() -> None:
    text = "%! fact {X}: x.\np(1). p(2).\nq(X) :- p(X).\n\n:- q(X), q(Y), X < Y."
    with switched(text.replace("fact {X}", "fact"), Switching(definitions=True)) as program:
        switches = program.switches()
        assert set(switches) == {"fact", "<string>:5:1"}
        assert not program.solve(assuming=list(switches.values())).satisfiable
        assert program.solve(assuming=[switches["<string>:5:1"], -switches["fact"]]).satisfiable


def test_a_variable_of_a_name_has_to_be_bound() -> None:
    with pytest.raises(ProgramError, match="variable X, which the rule does not bind") as caught:
        switched("p(1).\n%! rule {X}: x.\n:- p(Y), not q(Y).")
    assert caught.value.where is not None
    assert caught.value.where.line == 2
    with pytest.raises(ProgramError, match="is not a term"):
        switched("p(1).\n%! rule {X +}: x.\n:- p(X).")


BOUNDS = st.sampled_from(["{0}", "1 {0}", "{0} 1", "1 {0} 2", "{0} = 2", "1 < #count {1} < 3", "2 <= #sum {1}"])


@settings(max_examples=25, deadline=None)
@given(
    choices=st.lists(st.tuples(BOUNDS, st.sampled_from(["", " :- b(1)", " :- not a(1)", " :- X = 1..2, a(X)"])), max_size=3),
    rules=st.lists(
        st.sampled_from(
            [
                ":- a(X), b(X).", ":- a(X), not b(X).", ":- #count { X : b(X) } > 1.", ":- not a(2), not b(3).",
                "b(X) :- a(X + 1), not c.", "c :- not b(2).", "c | b(1) :- a(3).", ":- X = #sum { Y : a(Y) }, X > 4.",
                "#false :- c, a(1).", ":- a(1..2).", "not a(3) :- b(3).", ":- b(X) : a(X).", "%! n {X}: y.\n:- a(X), b(X - 1).\n",
            ]
        ),
        max_size=5,
    ),
)  # fmt: skip
def test_with_all_switches_on_a_program_has_its_answer_sets(choices: list[tuple[str, str]], rules: list[str]) -> None:
    heads = (("{ a(1..3) }", "{ X : a(X) : X = 1..3 }"), ("{ b(X) : X = 1..3 }", "{ X, b : b(X) : X = 1..3 }"))
    text = "{ c }.\n\n"
    for number, (bounds, body) in enumerate(choices):
        text += bounds.format(*heads[number % 2]) + body + ".\n"
    text += "\n".join(rules) + "\n\n#show a/1. #show b/1. #show c/0.\n"
    with Program(text, isolated=False) as plain, switched(text) as rewritten:
        expected = {frozenset(str(model).split()) for model in plain.models()}
        on = list(rewritten.switches().values())
        assert {frozenset(str(model).split()) for model in rewritten.models(assuming=on)} == expected


def test_very_many_facts_are_assumed_as_one_and_a_large_core_is_made_smaller() -> None:
    number = MOST_NAMED + 500
    facts = " ".join(f"p({n})." for n in range(1, number + 1))
    text = f"{facts} :- p({number - 1}), p({number})."
    with switched(text, Switching(("",), facts=(("p", 1),))) as program:
        satisfiable, core, _ = program.consistent([OpenBlock("p", 1)])
        assert satisfiable is False
        clash = program.inside().open_facts([int(literal) for literal in core])
        assert {atom for atom, _ in clash} == {f"p({number - 1})", f"p({number})"}
        ((_, literal),) = program.inside().open_facts([f"p({number})", f"p({number + 1})"])
        assert program.consistent([OpenBlock("p", 1, (literal,))])[0] is True
        assert program.count(assuming=[OpenBlock("p", 1)]).number == 0
        assert program.count(assuming=[OpenBlock("p", 1, (literal,))]).number == 1
        with pytest.raises(InputError, match="is not a literal"):
            program.consistent([("p", 1)])  # type: ignore[list-item]


@pytest.mark.parametrize("text", ["ca'+''u", "'a,b", "'a;b", "f('a..3)", "2-'a"])
def test_what_is_not_one_term_is_refused_beside_quoted_names_too(text: str) -> None:
    with pytest.raises(InputError, match="is not a term"):
        term(text)
