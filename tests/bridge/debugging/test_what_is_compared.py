"""What an answer is, where nobody says it, and that what is called right is said to be right by something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import called

import bridge
from bridge.debugging.asking import Question
from bridge.errors import InputError, UnsupportedError

#: A reference, a program that is wrong, and the predicates by which they are to be compared.
NODES = "node(X) :- edge(X, _). node(X) :- edge(_, X).\n"
REACH = NODES + "reach(X, Y) :- edge(X, Y).\nreach(X, Z) :- reach(X, Y), edge(Y, Z).\n"
EVEN = "even(0). even(N+2) :- even(N), n(N+2).\nodd(N+1) :- even(N), n(N+1).\n"
PAIRS = {
    "recursive": (REACH, REACH.replace("edge(Y, Z)", "edge(Z, Y)"), "node/1 and reach/2"),
    "mutually recursive": (
        "p(X) :- edge(X, _). q(X) :- p(X). p(Y) :- q(X), edge(X, Y).",
        "p(X) :- edge(X, _). q(X) :- p(X). p(Y) :- q(X), edge(Y, X).",
        "p/1 and q/1",
    ),
    "derived from a choice": (
        "{ in(X) : edge(X, _) } = 1. out(X) :- edge(X, _), not in(X).",
        "{ in(X) : edge(X, _) } = 1. out(X) :- edge(_, X), not in(X).",
        "in/1 and out/1",
    ),
    "another helper": (
        "{ in(X) : edge(X, _) } = 1. far(Y) :- in(X), edge(X, Y). :- far(4).",
        "{ in(X) : edge(X, _) } = 1. :- in(X), edge(X, 3).",
        "far/1 and in/1",
    ),
}
EDGES = "edge(1, 2). edge(2, 3). edge(3, 4)."


@pytest.mark.parametrize("name", PAIRS)
def test_a_wrong_program_is_not_called_right(name: str, tmp_path: Path) -> None:
    right, wrong, by = PAIRS[name]
    assert not bridge.debug(wrong, against=right, instances=[EDGES]).right
    assert bridge.compare(wrong, right, instances=[EDGES]).difference is not None
    found = bridge.debug(right, against=right, instances=[EDGES])
    assert found.right
    assert found.proved_by.split("; ")[1].split(",")[0] == f"answers are compared by {by}"
    (tmp_path / "right.lp").write_text(right)
    (tmp_path / "wrong.lp").write_text(wrong)
    (tmp_path / "i.lp").write_text(EDGES)
    rows = called("compare", "--against", "right.lp", "right.lp", "wrong.lp", "-i", "i.lp", folder=tmp_path).stdout
    assert re.search(r"^right.lp +right: .*answers are compared by ", rows, re.MULTILINE)
    assert re.search(r"^wrong.lp +wrong: ", rows, re.MULTILINE)


def test_what_is_not_compared_is_said() -> None:
    """A helper that the reference does not have is the program's own; what is a result of either is not."""
    found = bridge.debug("{ a }. c :- a. :- c, b.", against="{ a }.")
    assert found.proved_by.endswith("answers are compared by a/0, not by c/0")
    assert not bridge.debug("{ a; b }. c :- b.", against="{ a }.").right
    same = bridge.compare("{ a }. c :- a. :- c, b.", "{ a }.")
    assert (same.equivalent, same.compared_by) == (True, "answers are compared by a/0, not by c/0")
    assert "answers are compared by a/0, not by c/0" in str(same)


def test_compare_and_debug_compare_the_same() -> None:
    for wrong, right in (
        ("{ a }. h :- a. :- h, a.", "{ a }. h :- not a. :- not h, a."),  # a helper that both have
        ("a. b.", "a."),
        ("a :- not b. b :- not a. :- c.", "a :- not b. b :- not a. :- a."),
    ):
        assert bridge.compare(wrong, right).difference is not None
        assert not bridge.debug(wrong, against=right).right


@pytest.mark.parametrize("shown", ["#show in/2.", "#show."])
def test_a_reference_that_shows_nothing_of_its_own(shown: str) -> None:
    """By a predicate that it never derives each program would be right."""
    if shown == "#show in/2.":
        with pytest.raises(InputError, match="the reference derives no in/2"):
            bridge.debug("{ in(1..2) }.", against=f"{{ in(1..2) }} = 1. {shown}")
    assert not _right("{ in(1..2) }.", f"{{ in(1..2) }} = 1. {shown}")


def _right(program: str, against: str) -> bool:
    try:
        return bridge.debug(program, against=against).right
    except InputError:
        return False


def test_terms_that_one_program_shows() -> None:
    with pytest.raises(InputError, match="the reference shows terms"):
        bridge.debug("c(1..2).", against="c(1..3). #show X : c(X).")
    with pytest.raises(InputError, match="<text 2> shows everything and terms"):
        bridge.compare("c(1..3).", "c(1..3). #show X : c(X).")
    with pytest.raises(InputError, match="<text 1> shows c/1 and terms; <text 2> shows everything and terms"):
        bridge.compare("c(1..3). #show c/1. #show X : c(X).", "c(1..3). #show X : c(X).")


def test_one_answer_of_many_that_is_wrong() -> None:
    """More answers than a search for repairs looks at."""
    many, but = "{ a(1..9) }.", "{ a(1..9) }. :- { not a(1; 4; 5; 7; 9); a(2; 3; 6; 8) } = 9."
    answer = ("a(2)", "a(3)", "a(6)", "a(8)")
    fewer = bridge.debug(but, against=many)
    assert (fewer.right, fewer.missing) == (False, answer)
    assert not bridge.debug(many, against=but).right


STEPS = """#include <incmode>.
#program base.
at(0, 0).
#program step(t).
{ move(1..2, t) } = 1.
at(X+D, t) :- at(X, t-1), move(D, t).
#program check(t).
:- query(t), not at(5, t).
#show move/2.
"""


def test_steps_are_not_compared(tmp_path: Path) -> None:
    """One step alone would be called right."""
    for target, against in ((STEPS.replace("not at(5", "not at(6"), STEPS), ("{ move(1, 1) }.", STEPS)):
        with pytest.raises(UnsupportedError, match="incremental"):
            bridge.debug(target, against=against)
    (row,) = bridge.submissions([_written(tmp_path / "steps.lp", STEPS)], against="{ move(1, 1) }.")
    assert (row.status, row.error is not None and "incremental" in row.error) == ("error", True)


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_text_is_a_program_of_its_language() -> None:
    assert bridge.compare("{a}.", "{a;b}.").difference is not None
    difference = bridge.compare(bridge.goal("p(1).", "p(X)"), bridge.goal("p(2).", "p(X)")).difference
    assert difference is not None
    assert difference.text == "X = 1"
    found = bridge.debug(bridge.goal("p(1).", "p(X)"), against="p(2).")
    assert found.repair is not None
    assert found.repair.diff == "-p(1).\n+p(2)."
    assert [one.id for one in bridge.lint("p(X) :- X is Y.").findings if one.id.startswith("PL")]
    with pytest.raises(InputError, match="needs a goal"):
        bridge.compare(":- use_module(library(clpfd)). p(1).", "p(2).")
    with pytest.raises(InputError, match="not a program that can be compared"):
        bridge.compare("a.lpp", "{a}.")


def test_an_interview_that_is_ended_says_what_was_replied() -> None:
    replies = iter([False])

    def once(question: Question) -> bool:
        for reply in replies:
            return reply
        raise KeyboardInterrupt

    for of, given in (("{ a; b }. c :- b.", {}), (bridge.goal("p(1). p(2).", "p(X)"), {})):
        replies = iter([False])
        with pytest.raises(bridge.Interrupted) as ended:
            bridge.debug(of, oracle=once, **given)  # type: ignore[arg-type]
        assert not ended.value.partial.right
        assert "nothing is wrong" not in str(ended.value.partial)


def test_predicates_with_arguments_in_another_order(tmp_path: Path) -> None:
    right = "{ at(L, S) : slot(S) } = 1 :- lesson(L).\n:- at(L, S), at(M, S), L < M.\n"
    files = {
        "same": (right.replace("at(L, S)", "at(S, L)").replace("at(M, S)", "at(S, M)"), "at(S,L)=at(L,S)", "right"),
        "weak": ("{ at(S, L) : slot(S) } = 1 :- lesson(L).\n", "at(S,L)=at(L,S)", "wrong"),
        "other": ("{ when(S, L) : slot(S) } = 1 :- lesson(L).\n:- when(S, L), when(S, M), L < M.\n", "when(S,L)=at(L,S)", "right"),
    }  # fmt: skip
    for name, (text, rename, status) in files.items():
        one, other = rename.split("=")
        path = _written(tmp_path / f"{name}.lp", text)
        (row,) = bridge.submissions([path], against=right, instances=["slot(1..3). lesson(a;b)."], rename={one: other})
        assert row.status == status, row
        assert "own_" not in str(row)
