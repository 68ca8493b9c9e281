"""Graphs: laid out without overlap, well-formed, told in words; derivations, clashes and proofs as graphs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bridge
from bridge.drawing.graph import MOST
from bridge.drawing.layered import layered
from bridge.errors import UnsupportedError
from bridge.puzzles.render import THEMES, Graph, Node

SPACE = "{http://www.w3.org/2000/svg}"
TIMETABLE = ("examples/why/timetable.lp", "examples/why/monday.lp")


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, n), st.integers(0, n))))
    )
)
def test_nothing_overlaps_and_edges_go_right(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    number, pairs = drawn
    heights = [10.0 + 5 * (node % 3) for node in range(number)]
    edges = sorted({(min(pair), max(pair)) for pair in pairs if len(set(pair)) == 2 and max(pair) < number})
    placed = layered(heights, edges, 4, 2)
    for one in range(number):
        for other in range(one):
            if placed.column[one] == placed.column[other]:
                apart = abs(placed.middle[one] - placed.middle[other])
                assert apart >= (heights[one] + heights[other]) / 2 + 4 - 1e-6
    for (start, end), way in zip(edges, placed.ways, strict=True):
        assert placed.column[start] + len(way) + 1 == placed.column[end]
    assert min(middle - height / 2 for middle, height in zip(placed.middle, heights, strict=True)) >= -1e-6


def graph() -> Graph:
    nodes = (
        Node('p(")<&', "a.lp:3 with X = 1", needs=("q", "r", "f"), absent=("not s",)),
        Node("q", "a.lp:2", needs=("r", "f")),
        Node("r", "a.lp:1", "choice", needs=("f",)),
        Node("f", "a.lp:1", "fact"),
    )
    return Graph('why p(")<&', nodes, "A caption.")


@pytest.mark.parametrize("theme", THEMES)
def test_well_formed_and_described(theme: str) -> None:
    svg = graph().svg(theme)
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    labels = (root.get("aria-labelledby") or "").split()
    told = {one.get("id"): one.text or "" for one in root if one.tag in (f"{SPACE}title", f"{SPACE}desc")}
    assert list(told) == labels
    assert told[labels[0]] == 'why p(")<&'
    assert told[labels[1]] == graph().words()
    assert svg == graph().svg(theme)
    wide, high = float(root.get("width", "0")), float(root.get("height", "0"))
    for text in root.iter(f"{SPACE}text"):
        size, each = float(text.get("font-size", "0")), 0.602 if "Mono" in text.get("font-family", "") else 0.58
        assert float(text.get("x", "")) + each * size * len(text.text or "") <= wide + 0.5, text.text
        assert float(text.get("y", "")) < high
    written = [text.text for text in root.iter(f"{SPACE}text")]
    assert written.count("f") == 3, "a fact stands beside each node that needs it"
    assert written.count("r") == 1


def test_words_text_and_dot() -> None:
    assert 'p(")<&, by a.lp:3 with X = 1, needs q, r, f, not s.' in graph().words().splitlines()
    assert graph().text().splitlines()[1:] == [
        'p(")<&  (by a.lp:3 with X = 1, not s)',
        "  q  (by a.lp:2)",
        "    r  (chosen a.lp:1)",
        "      f  (fact a.lp:1)",
        "    f  (fact a.lp:1)",
        "  r  (see above)",
        "  f  (fact a.lp:1)",
        "A caption.",
    ]
    assert '  "p(\\")<&" -> "not s" [style=dashed];' in graph().dot()


def test_very_many_nodes_are_cut_and_that_is_said() -> None:
    nodes = tuple(Node(f"n{i}", needs=(f"n{i + 1}",)) for i in range(3 * MOST))
    picture = Graph("chain", nodes)
    root = ElementTree.fromstring(picture.svg())
    assert len(list(root.iter(f"{SPACE}g"))) == MOST
    assert any("not drawn" in (text.text or "") for text in root.iter(f"{SPACE}text"))


def test_a_derivation() -> None:
    found = bridge.why(bridge.program(*TIMETABLE, slots=4), "at(art,1)")
    picture = bridge.picture(found)
    assert isinstance(picture, Graph)
    assert [(node.name, node.role) for node in picture.nodes] == [
        ("at(art,1)", "choice"),
        ("slot(1)", "fact"),
        ("lesson(art)", "fact"),
    ]
    assert picture.nodes[0].where == "examples/why/timetable.lp:13 with L = art"
    assert any("{ at(L, S) : slot(S) } = 1 :- lesson(L)." in line for note in picture.notes for line in note.lines)
    assert found._repr_svg_() == picture.svg()


def test_what_forbids_an_atom_and_what_rules_lack() -> None:
    problem = bridge.program(*TIMETABLE, slots=4)
    forbidden = bridge.picture(bridge.why(problem, "at(art,3)"))
    assert isinstance(forbidden, Graph)
    assert [node.role for node in forbidden.nodes] == ["rule", "rule", "fact", "fact"]
    assert forbidden.nodes[0].name == "at(art,3) is in no answer set"
    lacking = bridge.picture(bridge.why(problem, "at(art,9)"))
    assert "slot(9) does not hold" in lacking.words()
    assert "No rule has it in its head." in bridge.picture(bridge.why(problem, "room(9)")).words()


def test_a_clash() -> None:
    found = bridge.diagnose(bridge.program(*TIMETABLE))
    picture = bridge.picture(found)
    assert isinstance(picture, Graph)
    assert picture.nodes[0].name == "no answer set"
    assert len(picture.nodes) == 1 + len(found.clashes[0].premises)
    with pytest.raises(UnsupportedError, match="no picture of a program that is ambiguous"):
        bridge.picture(bridge.check(bridge.program(*TIMETABLE, slots=4)))


def test_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "family.pl"
    file.write_text(
        "parent(a,b). parent(b,c).\nancestor(X,Y) :- parent(X,Y).\nancestor(X,Z) :- parent(X,Y), ancestor(Y,Z).\n"
    )
    proof = bridge.why(bridge.goal(file, "ancestor(a,c)"))
    assert proof is not None
    picture = bridge.picture(proof)
    assert [line.split("  (")[0].strip() for line in picture.text().splitlines()[1:5]] == [
        "ancestor(a, c)",
        "parent(a, b)",
        "ancestor(b, c)",
        "parent(b, c)",
    ]
    assert proof._repr_svg_() == picture.svg()
