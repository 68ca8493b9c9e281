"""Programs with switches as text: what takes the place of each statement, and of plain facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import clingo
import pytest
from clingo import ast
from clingo.ast import AST

from bridge.asp import Program
from bridge.asp.reading import parsed, switches
from bridge.asp.reading.messages import Messages
from bridge.asp.reading.names import RuleName, Switching, read_names
from bridge.asp.reading.parsed import Reader, SourceText
from bridge.asp.reading.switches import Rewriter, load
from bridge.errors import Place, ProgramError

pytestmark = pytest.mark.local


def rewritten(text: str, switching: Switching) -> list[str]:
    names, nodes, source = read_names(text), list[AST](), SourceText(text)

    def place_and_name(statement: AST) -> tuple[Place, RuleName | None]:
        place = source.place(statement)
        return place, names.get(place.line or 0)

    rewriter = Rewriter(switching, place_and_name, {})
    ast.parse_string(text, nodes.append)
    return [str(new) for node in nodes for new in rewriter.statement(node)][1:]  # without `#program base.`


REWRITTEN: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        ":- a, p(X), not b(X).",
        {},
        [
            '#external __switch("<string>:1:1",()) : a. [free]',
            '#false :- a; p(X); not b(X); __switch("<string>:1:1",()).',
        ],
    ),
    ("b :- a.", {}, ["b :- a."]),
    (
        "b :- a.",
        {"definitions": True},
        ['#external __switch("<string>:1:1",()) : a. [free]', 'b :- a; __switch("<string>:1:1",()).'],
    ),
    ("{ a }.", {"definitions": True}, ["{ a }."]),
    (
        "1 { a(X) : b(X) } 2 :- c.",
        {},
        [
            "{ a(X): b(X) } :- c.",
            '#external __switch("<string>:1:1",()) : c. [free]',
            '#false :- c; not 1 <= { a(X): b(X) } <= 2; __switch("<string>:1:1",()).',
        ],
    ),
    (
        "{ a } = 1.",
        {},
        [
            "{ a }.",
            '#external __switch("<string>:1:1",()). [free]',
            '#false :- not 1 = { a }; __switch("<string>:1:1",()).',
        ],
    ),
    (
        "1 { a; b }.",
        {},
        [
            "{ a; b }.",
            '#external __switch("<string>:1:1",()). [free]',
            '#false :- not 1 <= { a; b }; __switch("<string>:1:1",()).',
        ],
    ),
    (
        "1 < #sum { X,Y : a(X) : b(X,Y) } < 3 :- c.",
        {},
        [
            "{ a(X): b(X,Y) } :- c.",
            '#external __switch("<string>:1:1",()) : c. [free]',
            '#false :- c; not 1 < #sum { X,Y: a(X), b(X,Y) } < 3; __switch("<string>:1:1",()).',
        ],
    ),
    ("#count { X : a(X) : b(X) }.", {}, ["#count { X: a(X): b(X) }."]),
    (
        "#count { X : a(X) : b(X) } 2.",
        {},
        [
            "{ a(X): b(X) }.",
            '#external __switch("<string>:1:1",()). [free]',
            '#false :- not 2 >= #count { X: a(X), b(X) }; __switch("<string>:1:1",()).',
        ],
    ),
    ("p(1).", {}, ["p(1)."]),
    (
        "p(f(1..2),(a;b)).",
        {"definitions": True},
        [
            '#external __switch("<string>:1:1",(p(f(I0),a),)) : I0 = (1..2). [free]',
            'p(f(I0),a) :- I0 = (1..2); __switch("<string>:1:1",(p(f(I0),a),)).',
            '#external __switch("<string>:1:1",(p(f(I0),b),)) : I0 = (1..2). [free]',
            'p(f(I0),b) :- I0 = (1..2); __switch("<string>:1:1",(p(f(I0),b),)).',
        ],
    ),
    (
        "p(@f(1),g(@h)).",
        {"definitions": True},
        [
            '#external __switch("<string>:1:1",(p(I0,g(I1)),)) : I0 = @f(1); I1 = @h. [free]',
            'p(I0,g(I1)) :- I0 = @f(1); I1 = @h; __switch("<string>:1:1",(p(I0,g(I1)),)).',
        ],
    ),
    (
        "p(1;2).",
        {"definitions": True},
        [
            '#external __switch("<string>:1:1",(p(1),)). [free]',
            'p(1) :- __switch("<string>:1:1",(p(1),)).',
            '#external __switch("<string>:1:1",(p(2),)). [free]',
            'p(2) :- __switch("<string>:1:1",(p(2),)).',
        ],
    ),
    (
        "-p(1).",
        {"definitions": True},
        ['#external __switch("<string>:1:1",()). [free]', '-p(1) :- __switch("<string>:1:1",()).'],
    ),
    (
        "a | b.",
        {"definitions": True},
        ['#external __switch("<string>:1:1",()). [free]', 'a; b :- __switch("<string>:1:1",()).'],
    ),
    (
        "not a.",
        {"definitions": True},
        ['#external __switch("<string>:1:1",()). [free]', 'not a :- __switch("<string>:1:1",()).'],
    ),
    (
        "%! n {X}: s\n:- p(X,Y), q(Y), X < 3, Y < 4, r(Z), 1 < 2.",
        {},
        [
            '#external __switch("n {X}",(X,)) : p(X,Y); q(Y); X < 3; Y < 4; 1 < 2. [free]',
            '#false :- p(X,Y); q(Y); X < 3; Y < 4; r(Z); 1 < 2; __switch("n {X}",(X,)).',
        ],
    ),
    (
        "%! n {X}: s\n:- r(Z,A), X = Y+1, p(Y), q(Y,Z).",
        {},
        [
            '#external __switch("n {X}",(X,)) : X = (Y+1); p(Y). [free]',
            '#false :- r(Z,A); X = (Y+1); p(Y); q(Y,Z); __switch("n {X}",(X,)).',
        ],
    ),
    (
        "%! n {X}{Y}: s\n:- p(X), r(X,Y), q(Y).",
        {},
        [
            '#external __switch("n {X}{Y}",(X,Y)) : p(X); r(X,Y); q(Y). [free]',
            '#false :- p(X); r(X,Y); q(Y); __switch("n {X}{Y}",(X,Y)).',
        ],
    ),
    (
        "%! n {X}: s\n:- X = Y, p(X,Z), Y = 1.",
        {},
        [
            '#external __switch("n {X}",(X,)) : X = Y; Y = 1. [free]',
            '#false :- X = Y; p(X,Z); Y = 1; __switch("n {X}",(X,)).',
        ],
    ),
    (
        "%! n {X}: s\n:- r(X,Z), p(X), q(X,_).",
        {},
        [
            '#external __switch("n {X}",(X,)) : p(X). [free]',
            '#false :- r(X,Z); p(X); q(X,_); __switch("n {X}",(X,)).',
        ],
    ),
    (
        "%! n {X}: s\n:- q(X,_).",
        {},
        ['#external __switch("n {X}",(X,)) : q(X,_). [free]', '#false :- q(X,_); __switch("n {X}",(X,)).'],
    ),
    ("%! always: s\n:- a.", {}, ["#false :- a."]),
    ("%! implied: s\n:- a.", {}, []),
    ("%! implied: s\n:- a.", {"implied": True}, ["#false :- a."]),
    (
        "%! n: s\n:- a.\n:- b.\n\n:- c.",
        {"only": ("n",)},
        [
            '#external __switch("n",()) : a. [free]',
            '#false :- a; __switch("n",()).',
            '#external __switch("n",()) : b. [free]',
            '#false :- b; __switch("n",()).',
            "#false :- c.",
        ],
    ),
    (
        "%! n: s\n:- a.\n:- b.\n\n:- c.",
        {"only": ("<string>:5:1",)},
        [
            "#false :- a.",
            "#false :- b.",
            '#external __switch("<string>:5:1",()) : c. [free]',
            '#false :- c; __switch("<string>:5:1",()).',
        ],
    ),
    (
        "%! n: s\n:- a.\n:- b.\n\n:- c.",
        {"dropped": ("n",)},
        ['#external __switch("<string>:5:1",()) : c. [free]', '#false :- c; __switch("<string>:5:1",()).'],
    ),
    (
        "%! n: s\n:- a.\n:- b.\n\n:- c.",
        {"dropped": ("<string>:5:1", "<string>:2:1")},
        ['#external __switch("n",()) : b. [free]', '#false :- b; __switch("n",()).'],
    ),
    (
        "%! n: s\n:- a.\n\n:- b.",
        {"unnamed": False},
        ['#external __switch("n",()) : a. [free]', '#false :- a; __switch("n",()).', "#false :- b."],
    ),
    (
        "%! n: s\n:- a, p(X).\n\n#program step(t).\n:- c(t,X).",
        {"instances": True},
        [
            '#external __switch("<string>:2:1",(X,)) : a; p(X). [free]',
            '#false :- a; p(X); __switch("<string>:2:1",(X,)).',
            "#program step(t).",
            '#external __switch("<string>:5:1",(X,t)) : c(t,X). [free]',
            '#false :- c(t,X); __switch("<string>:5:1",(X,t)).',
        ],
    ),
    (
        "%! n: s\n:- a.\n:- a, b.\n\n#program base.\n%! n: s\n:- a.",
        {},
        [
            '#external __switch("n",()) : a. [free]',
            '#false :- a; __switch("n",()).',
            '#external __switch("n",()) : a; b. [free]',
            '#false :- a; b; __switch("n",()).',
            "#program base.",
            '#external __switch("n",()) : a. [free]',
            '#false :- a; __switch("n",()).',
        ],
    ),
    (
        "#show. #show a/1. #show X : a(X). #const n = 1. % c\n:- n.",
        {},
        [
            "#show.",
            "#show a/1.",
            "#show X : a(X).",
            "#const n = 1.",
            '#external __switch("<string>:2:1",()) : n. [free]',
            '#false :- n; __switch("<string>:2:1",()).',
        ],
    ),
    ("#show. #show a/1. #show X : a(X). #const n = 1. % c\n", {"show_all": True}, ["#const n = 1."]),
    (
        "%! n {X}: s\n:- a(X).\n:- b.",
        {"lenient": True},
        [
            '#external __switch("n {X}",(X,)) : a(X). [free]',
            '#false :- a(X); __switch("n {X}",(X,)).',
            '#external __switch("<string>:3:1",()). [free]',
            '#false :- b; __switch("<string>:3:1",()).',
        ],
    ),
    (
        "&diff { a - b } <= 3 :- c.",
        {},
        [
            '#external __switch("<string>:1:1",()) : c. [free]',
            '&diff { (a - b) } <= 3 :- c; __switch("<string>:1:1",()).',
        ],
    ),
    ("&minimize { x } :- c.", {}, ["&minimize { x } :- c."]),
    ("&minimize { x } :- c.", {"definitions": True}, ["&minimize { x } :- c."]),
    (":~ a. [1]", {}, [":~ a. [1@0]"]),
    (
        "p(1..2).",
        {"definitions": True, "instances": True},
        [
            '#external __switch("<string>:1:1",(p(I0),)) : I0 = (1..2). [free]',
            'p(I0) :- I0 = (1..2); __switch("<string>:1:1",(p(I0),)).',
        ],
    ),
    (
        "p(X) :- q(X).",
        {"definitions": True, "instances": True},
        ['#external __switch("<string>:1:1",(X,)) : q(X). [free]', 'p(X) :- q(X); __switch("<string>:1:1",(X,)).'],
    ),
    (
        "%! n {p}{1+2}{f(X)}: s\n:- a(X).",
        {},
        [
            '#external __switch("n {p}{1+2}{f(X)}",(p,(1+2),f(X))) : a(X). [free]',
            '#false :- a(X); __switch("n {p}{1+2}{f(X)}",(p,(1+2),f(X))).',
        ],
    ),
]


@pytest.mark.parametrize(("text", "switching", "statements"), REWRITTEN)
def test_what_takes_the_place_of_a_statement(text: str, switching: dict[str, Any], statements: list[str]) -> None:
    assert rewritten(text, Switching(**switching)) == statements


def test_what_was_rewritten_is_kept_by_what_it_depends_on() -> None:
    nodes, names, text = list[AST](), dict[int, RuleName](), "q(X) :- p(X).\n{ p(X) : X = 1..2 } = 1.\n:- q(X)."
    ast.parse_string(text, nodes.append)
    known: dict[tuple[int, bool, bool, bool], list[AST]] = {}

    def of(**switching: Any) -> list[str]:
        rewriter = Rewriter(Switching(**switching), lambda one: (SourceText(text).place(one), names.get(1)), known)
        return [str(new) for node in nodes for new in rewriter.statement(node)][1:]

    ways: list[dict[str, Any]] = [
        {},
        {"definitions": True},
        {"instances": True},
        {"definitions": True, "instances": True},
    ]
    found = [of(**way) for way in ways]
    assert [of(**way) for way in ways] == found
    assert ["__switch" in str(one[:2]) for one in found] == [False, True, False, True]
    assert ['",(X,))' in str(one) for one in found] == [False, False, True, True]
    assert len(known) == 8  # the rule four times; choice and constraint, to which definitions do not matter, twice


def test_names_that_do_not_fit() -> None:
    with pytest.raises(
        ProgramError, match=r"name `n \{Y\}\{X\}` has the variable X, which the rule does not"
    ) as caught:
        rewritten("a.\n%! n {Y}{X}: s\n:- a.", Switching())
    assert caught.value.where == Place(None, 2, 4)
    for term in ("X +", "", "X, Y"):
        with pytest.raises(ProgramError, match="in the braces of a name, is not a term"):
            rewritten(f"%! n {{{term}}}: s\n:- a(X, Y).", Switching())


@pytest.mark.parametrize(
    ("text", "switching"),
    [
        ("p(X).", {"definitions": True}),
        (":- X = 1..Y.", {"instances": True}),
        ("%! n {X}: s\n:- X = 1..Y.", {"instances": True}),
        ("%! n {Y}: s\n:- X = 1..Y.", {"lenient": True}),
    ],
)
def test_of_an_unsafe_rule_clingo_says_what_is_wrong(text: str, switching: dict[str, Any]) -> None:
    assert "__switch" in rewritten(text, Switching(**switching))[0]
    with pytest.raises(ProgramError, match="is unsafe"):
        Program(text, isolated=False, switching=Switching(**switching)).switches()


FACTS = "p(1). p(2).\nq(1). r( 1 )."
P, Q = ("p", 1), ("q", 1)


@pytest.mark.parametrize(
    ("chosen", "switching", "text"),
    [
        ((), {}, ["p(1).", "p(2).", "q(1).", "r( 1 )."]),
        ((), {"facts": (P,)}, ["#external p(1). [free]", "#external p(2). [free]", "q(1).", "r( 1 )."]),
        ((P, Q), {"facts": (P,)}, ["{p(1)}.", "{p(2)}.", "q(1).", "r( 1 )."]),
        ((), {"stated": (P,)}, ["p(1).", "p(2)."]),
        ((), {"stated": ()}, []),
        ((), {"facts": (P, Q), "stated": (Q,)}, ["#external q(1). [free]"]),
        ((), {"facts": (P, Q), "some": ("p(1)",)}, ["#external p(1). [free]", "p(2).", "q(1).", "r( 1 )."]),
        ((), {"facts": (P, Q), "some": ("p(1)",), "stated": (P,)}, ["#external p(1). [free]", "p(2)."]),
        ((), {"facts": (P, Q), "some": ("q(1)", "p(1)"), "rest": False}, ["#external p(1). [free]", "#external q(1). [free]"]),
        ((), {"some": ("r(1)", "p(2)"), "rest": False}, ["p(2).", "r( 1 )."]),
        ((), {"some": ()}, ["p(1).", "p(2).", "q(1).", "r( 1 )."]),
        ((), {"some": (), "rest": False}, []),
        ((), {"rest": False}, ["p(1).", "p(2).", "q(1).", "r( 1 )."]),
        ((), {"dropped": ("a.lp:1:7", "b.lp:1:1")}, ["p(1).", "q(1).", "r( 1 )."]),
        ((), {"dropped": ("b.lp:1:1",)}, ["p(1).", "p(2).", "q(1).", "r( 1 )."]),
        ((), {"dropped": ("a.lp:2:1",), "some": ("p(2)",), "facts": (P,)}, ["p(1).", "#external p(2). [free]", "r( 1 )."]),
    ],
)  # fmt: skip
def test_plain_facts(chosen: tuple[tuple[str, int], ...], switching: dict[str, Any], text: list[str]) -> None:
    (program,) = Reader().read([("text", FACTS)])
    facts = replace(program.facts, file="a.lp")
    assert switches._facts_as_text(facts, {*chosen}, Switching(**switching)).splitlines() == text


def loaded(text: str, switching: Switching | None = Switching(), kind: Any = "text", **options: Any) -> list[str]:  # noqa: B008
    control = clingo.Control()
    program = parsed.read_whole(kind, text, options.get("part", ("base", ())))
    load(control, program, set(), switching, options.get("theory"), Messages())
    control.ground([options.get("ground", ("base", []))])
    return sorted(str(one.symbol) for one in control.symbolic_atoms)


SWITCHED = '__switch("n",())'


def test_a_text_is_loaded(tmp_path: Path) -> None:
    parsed._whole_text.cache_clear()
    for _ in range(2):
        assert loaded("{ a }.\n%! n: s\n:- a.") == [SWITCHED, "a"]
    assert parsed._whole_text.cache_info().currsize == 1
    assert loaded("{ a }.\n%! n: s\n:- a.", None) == ["a"]
    file = tmp_path / "a.lp"
    file.write_text("{ a }.\n%! n: s\n:- a.")
    assert loaded(str(file), kind="file") == [SWITCHED, "a"]
    assert loaded(f'#include "{file}".') == [SWITCHED, "a"]
    assert loaded("{ a }. % as #script does\n%! n: s\n:- a.") == [SWITCHED, "a"]
    assert parsed._whole_text.cache_info().currsize == 2  # what includes a file is not kept


def test_a_long_text_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed, "LONGEST", 6)
    parsed._whole_text.cache_clear()
    assert [loaded(text) for text in ("{ a }.", "{ ab }.")] == [["a"], ["ab"]]
    assert parsed._whole_text.cache_info().currsize == 1


def test_a_part_is_loaded() -> None:
    text = "{ a(t) }.\n%! n {t}: s\n:- a(t)."
    part: dict[str, Any] = {"part": ("step", ("t",)), "ground": ("step", [clingo.Number(3)])}
    for switching, atoms in ((None, ["a(3)"]), (Switching(), ['__switch("n {t}",(3,))', "a(3)"])):
        assert loaded(text, switching, **part) == atoms


def test_a_theory_takes_statements_when_they_have_their_switches() -> None:
    found = list[str]()

    def theory(statement: AST, add: Callable[[AST], None]) -> None:
        found.append(str(statement))
        add(statement)

    for _ in range(2):
        assert loaded("{ a }.\n%! n: s\n:- a.", theory=theory) == [SWITCHED, "a"]
    assert found[1:4] == ["{ a }.", f"#external {SWITCHED} : a. [free]", f"#false :- a; {SWITCHED}."]
    assert len(found) == 8


def test_the_first_error_is_raised() -> None:
    for kind in (None, lambda statement, add: add(statement)):
        with pytest.raises(ProgramError, match="variable X"):
            loaded("%! n {X}: s\n:- a.\n\n%! n {Y}: s\n:- a.", theory=kind)


def test_a_program_that_was_parsed_is_loaded() -> None:
    (program,) = Reader().read([("text", "p(1). p(2).\n%! n {X}: s\n:- p(X), q(X).\n{ q(1) }.")])
    statements = list[str]()

    def theory(statement: AST, add: Callable[[AST], None]) -> None:
        statements.append(str(statement))
        add(statement)

    control = clingo.Control()
    load(control, program, {("p", 1)}, Switching(facts=(("p", 1),)), theory, Messages())
    control.ground()
    atoms = {str(one.symbol): one.is_fact for one in control.symbolic_atoms}
    assert atoms == dict.fromkeys(['__switch("n {X}",(1,))', "p(1)", "p(2)", "q(1)"], False)
    assert '#external __switch("n {X}",(X,)) : p(X); q(X). [free]' in statements
