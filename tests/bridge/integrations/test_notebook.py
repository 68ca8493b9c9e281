"""Cells of clingo and Prolog in IPython."""

from __future__ import annotations

import os
from typing import Any

import pandas
import pytest
from IPython.core.error import UsageError

import bridge
from bridge.integrations import notebook


def test_tables_and_values_go_in_and_models_come_out(ipython: Any) -> None:
    ipython.user_ns["frame"] = pandas.DataFrame({"name": ["a<b", "c"], "hours": [2, 5]})
    program = "{ late(J) : job(J, H), H > most }. :- not late(_). #show late/1. #show none : none. none."
    answers = ipython.run_cell_magic("clingo", "-n 0 --facts job=frame -c most=0+1 --out found", program)
    assert answers is ipython.user_ns["found"]
    assert sorted(sorted(one["late"]) for one in answers) == [[("a<b",)], [("a<b",), ("c",)], [("c",)]]
    page = answers._repr_html_()
    assert page.count("<td>a&lt;b</td>") == 2
    assert "<caption>none/0</caption><thead><tr><th>answer</th></tr></thead>" in page
    assert "3 answers; there are no others" in page


def test_what_minimizes_gives_the_least(ipython: Any) -> None:
    answers = ipython.run_cell_magic("clingo", "-n 0", "1 { a(2..4) }. #minimize { X : a(X) }.")
    assert [dict(one) for one in answers] == [{"a": [(2,)]}]
    assert answers.end == "1 answer of cost 2, the least; there are no others"
    assert ipython.run_cell_magic("clingo", "", "{ a }.").end == "1 answer; there may be more (-n 0 for all)"


def test_a_cell_without_an_answer_shows_what_clashes(ipython: Any) -> None:
    answers = ipython.run_cell_magic("clingo", "", "a.\n:- a.\n")
    assert not answers
    assert ":2:1: :- a." in str(answers)
    assert "<svg" in answers._repr_html_()


def test_results_are_shown_in_full_and_drawn(ipython: Any) -> None:
    show = ipython.display_formatter.format
    data, _ = show(bridge.diagnose(bridge.AspProblem("a. :- a.")))
    assert "these cannot hold together" in data["text/plain"]
    assert "<svg" in data["image/svg+xml"]
    data, _ = show(bridge.diagnose(bridge.AspProblem("a.")))
    assert data.keys() == {"text/plain"}  # there is no picture of it


def test_no_class_below_a_result_has_a_repr_that_a_notebook_would_take() -> None:
    bridge.diagnose(bridge.goal("a.", "a"))
    for name in notebook.RESULTS:
        assert [one for one in getattr(bridge, name).__subclasses__() if "__repr__" in vars(one)] == []


def test_what_is_open_is_part_of_an_answer(ipython: Any) -> None:
    cell = ":- use_module(library(clpfd)).\np(X, Ys) :- length(Ys, N), X in 0..N.\n?- p(X,\n     Ys).  % a goal of two lines\n"
    answers = ipython.run_cell_magic("prolog", "--in Ys=[1,2] --out found", cell)
    assert str(answers[0]["X"].domain) == "0..2"
    assert "<td>X in 0..2</td>" in answers._repr_html_()
    assert answers.problem is None


def test_a_session_over_several_cells(ipython: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run, cell = ipython.run_cell_magic, ":- dynamic seen/1.\np(1). p(2).\nnote(X) :- p(X), assertz(seen(X)).\n"
    assert run("prolog", "--session db", cell) is None
    assert run("prolog", "-s db -n 0", "?- note(X).").outcome.complete
    ipython.user_ns["db"].add_facts("p", [3])
    found = run("prolog", "-s db -n 0 --in Y=1+1 --out found", "q(X) :- seen(X).\n?- q(X), X >= Y.\n")
    assert [one["X"] for one in found] == [2]
    assert found.problem is None
    assert run("prolog", "-s db", cell) is None
    assert capsys.readouterr().out == ""
    run("prolog", "-s db", "q(9) :-.\n")
    assert "Syntax error" in capsys.readouterr().out
    for line, words in (("-s found", "not a session"), ("-s 1x", "not the name")):
        with pytest.raises(UsageError, match=words):
            run("prolog", line, cell)
    ipython.user_ns["db"].close()


def test_an_interrupt_stops_the_solver_and_leaves_what_was_found(ipython: Any) -> None:
    ipython.user_ns["kernel"] = os.getpid()
    cell = "p(1, _).\np(2, Id) :- sleep(0.5), format(atom(Kill), 'kill -INT ~w', [Id]), shell(Kill), repeat, fail.\n?- p(X, Id).\n"
    answers = ipython.run_cell_magic("prolog", "-n 0 --in Id=kernel", cell)
    assert [one["X"] for one in answers] == [1]
    assert answers.end == "1 answer; interrupted"


def test_an_interrupt_while_it_looks_for_clashes_leaves_the_answer(ipython: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(problem: Any, diagnose: Any = bridge.diagnose) -> Any:
        def press(found: Any) -> None:
            if found.limit is None:
                raise KeyboardInterrupt

        return diagnose(problem, on_progress=press)

    monkeypatch.setattr(bridge, "diagnose", pressed)
    answers = ipython.run_cell_magic("clingo", "--out found", "a.\n:- a.\n")
    assert answers is ipython.user_ns["found"]
    assert answers.diagnosis.limit == "interrupt"


def test_an_interrupt_before_the_search_is_one(ipython: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*sources: Any, **given: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(bridge, "AspProblem", pressed)
    with pytest.raises(KeyboardInterrupt):
        ipython.run_cell_magic("clingo", "", "a.")


def test_help_is_the_options(ipython: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert ipython.run_cell_magic("clingo", "--help", "a.") is None
    assert "Usage: %%clingo [OPTIONS]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("magic", "line", "cell", "message"),
    [
        ("clingo", "", "a :- \n b(Y", "syntax error"),
        ("clingo", "--facts nothing", "a.", "nothing: NameError"),
        ("clingo", "-n many", "a.", "'many' is not a valid integer"),
        ("clingo", "--facts 'a", "a.", "No closing quotation"),
        ("prolog", "", "p(1).\n", "the cell has 0 goals, not one"),
        ("prolog", "", "?- true.\n?- fail.\n", "the cell has 2 goals, not one"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(ipython: Any, magic: str, line: str, cell: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ipython.run_cell_magic(magic, line, cell)


@pytest.mark.slow
def test_buttons_reply_until_the_wrong_statement_is_named(ipython: Any) -> None:
    program = """
        lesson(math). lesson(art).  day(1..2).
        { at(L, D) : day(D) } = 1 :- lesson(L).
        :- at(math, D), at(art, E), D < E.
        #show at/2.
    """
    ipython.run_cell_magic("clingo", "--out plans", program)
    asking = ipython.run_line_magic("lpdebug", "plans")
    text, row = asking.box.children
    yes, no, unknown = row.children
    assert [button.description for button in row.children] == ["Yes", "No", "Don't know"]
    assert "application/vnd.jupyter.widget-view+json" in ipython.display_formatter.format(asking)[0]
    for _ in range(20):  # lessons of one day are not meant
        if asking.question is None:
            break
        assert text.value.endswith("?</pre>")
        answer = asking.question.answer
        (yes if answer is None or len({atom[-2] for atom in answer}) == 2 else no).click()
    assert asking.result.suspects[0].place.line == 4
    assert "at(math" in text.value
    assert [button.disabled for button in (yes, no, unknown)] == [True, True, True]
    assert str(asking) == str(asking.result)
    with pytest.raises(UsageError, match="not the answers of a cell"):
        ipython.run_line_magic("lpdebug", "3")
    with pytest.raises(UsageError, match="NameError"):
        ipython.run_line_magic("lpdebug", "nothing")
