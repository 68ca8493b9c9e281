"""Pictures of answer sets."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bridge
from bridge import asp
from bridge.analysis.answer_pictures import drawn, rules_of
from bridge.drawing.answers import Diagram, Table

SVG = "{http://www.w3.org/2000/svg}"


def answers(text: str, number: int = 1) -> list[Any]:
    with asp.Program(text, isolated=False) as program:
        return list(program.models(limits=bridge.Limits(solutions=number)))


def panels(text: str) -> tuple[Any, ...]:
    return drawn(answers(text)).answers[0].panels


def test_a_board_has_a_row_for_the_first_argument() -> None:
    assert bridge.picture(answers("queen(1,2). queen(2,4). queen(3,1). queen(4,3).")[0]).text().splitlines() == [
        "queen  1  2  3  4",
        "1         x",
        "2               x",
        "3      x",
        "4            x",
    ]
    (board,) = panels("cell(1,1,5). cell(1,2,7). cell(2,1,\"a b\").")
    assert board.board
    assert board.rows == (("1", ("5", "7")), ("2", ("a b", "")))


def test_two_values_of_one_place_are_no_board() -> None:
    (table,) = panels("at(1,1,a). at(1,1,b).")
    assert not table.board
    assert [name for name, _ in table.rows] == ["at(1,1,a)", "at(1,1,b)"]


def test_steps_stand_side_by_side() -> None:
    (plan,) = panels("occurs(move(a,b),1). occurs(move(b,c),2). on(a,b,0).")
    assert plan.columns == ("0", "1", "2")
    assert plan.rows == (("occurs", ("", "move(a,b)", "move(b,c)")), ("on", ("a, b", "", "")))


def test_a_graph_of_plain_facts() -> None:
    (graph,) = panels("node(1..3). edge(1,2). edge(2,3,7). colour(1,red). tour(3,1). chosen(2).")
    assert isinstance(graph, Diagram)
    assert graph.items["1"].lines == ("1", "red")
    assert graph.items["1"].fill
    assert graph.items["2"].lines == ("2", "chosen")
    assert {(one.start, one.end, one.text) for one in graph.lines} == {("1", "2", ""), ("2", "3", "7"), ("3", "1", "tour")}
    assert all(one.directed for one in graph.lines)
    (graph,) = panels("edge(1,2). edge(2,1).")
    assert [(one.start, one.end, one.directed) for one in graph.lines] == [("1", "2", False)]


def test_a_graph_of_clingraphs_facts() -> None:
    first, second = panels(
        'node(a). node(b). edge((a,b)). attr(node,a,label,"start {{at}}"). attr(node,a,(label,at),5). '
        "attr(graph_nodes,default,shape,box). attr(node,b,fillcolor,red3). attr(edge,(a,b),label,x). "
        'graph(g). node(c,g). edge((c,d),g). attr(graph,g,label,"second"). unseen(1,2).'
    )
    assert first.items["a"].lines == ("start 5",)
    assert first.items["a"].shape == "box"
    assert first.items["b"].fill == "red"
    assert [(one.text, one.directed) for one in first.lines] == [("x", False)]
    assert second.heading == "second"
    assert [*second.items] == ["c", "d"]


def test_what_differs_between_answers_is_lit_and_nodes_stay() -> None:
    picture = bridge.picture(answers("node(1..3). edge(1,2). edge(2,3). { c(1,red) ; c(1,blue) } = 1.", 2))
    root = ET.fromstring(picture.svg())
    dashed = [one for one in root.iter(f"{SVG}ellipse") if one.get("stroke-dasharray") != "none"]
    every = [(one.get("cx"), one.get("cy")) for one in root.iter(f"{SVG}ellipse")]
    assert len(dashed) == 2
    assert len(every) == 6
    assert "differs between the answers" in picture.svg()
    assert "differs" not in picture.svg(legend=False)
    assert [y for _, y in every[:3]] == [y for _, y in every[3:]]


def test_rules_of_the_part_picture() -> None:
    text = "a(1..2).\n#program picture.\nnode(X) :- a(X).\n#program base.\nb.\n"
    assert rules_of([text]) == "node(X) :- a(X)."
    assert rules_of(["a(1..2)."]) == ""


def test_no_picture_of_other_lists() -> None:
    with pytest.raises(bridge.UnsupportedError, match="a list of answer sets"):
        bridge.picture([1, 2])
    with pytest.raises(bridge.UnsupportedError):
        bridge.picture([])


TERMS = st.sampled_from(["1", "2", "-3", "a", '"x <&\\"y\\" "', "f(a,1)", "(1,2)", "(a,b)", "#inf", "label", "color", "red", "node", "edge"])
NAMES = st.sampled_from(["node", "edge", "attr", "graph", "p", "at", "-q"])


@given(st.lists(st.tuples(NAMES, st.lists(TERMS, min_size=1, max_size=4)), max_size=12))
def test_any_answer_is_a_picture(atoms: list[tuple[str, list[str]]]) -> None:
    facts = "".join(f"{name}({','.join(terms)}). " for name, terms in atoms)
    picture = drawn(answers(f"{facts} {{ p(9); edge(1,2) }}.", 2))
    root = ET.fromstring(picture.svg("dark"))
    assert root.tag == f"{SVG}svg"
    assert picture.text() == picture.words()
    shown = picture.text()
    if not any(isinstance(one, Diagram) for one in picture.answers[0].panels):
        assert all(name.lstrip("-") in shown for name, _ in atoms)
    assert all(isinstance(one, Diagram | Table) for answer in picture.answers for one in answer.panels)
