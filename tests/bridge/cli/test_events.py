"""`--events`: lines of JSON for a program that shows them, such as the page of `lpbridge puzzle serve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from many_calls import called
from patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent.parent
WHY = ROOT / "examples" / "why"
TIMETABLE = (WHY / "timetable.lp", WHY / "monday.lp")

FILES = {
    "two.lp": '{ a("x y", f(1)) }.\n#show.\n#show a(X, Y) : a(X, Y).\n#minimize { 1, X : a(X, _) }.\n',
    "wide.lp": "1 { p(1..9) } 1. :- p(X), X < 3.\n#minimize { X : p(X) }.\n",
    "warned.lp": "a :- b.\n",
    "facts.pl": ":- use_module(library(clpfd)).\np(1). p([2, X]) :- X in 3..4.\nq(A, B) :- p(A).\n",
    "win.pl": ":- table w/1.\nw(X) :- m(X, Y), tnot(w(Y)).\nm(a, a).\n",
    "wrong.lp": "a :- b(.\n",
}

#: Calls whose result is one object, with time for all of it.
FOUND = {
    name: [*words, "-t", PATIENCE]
    for name, words in {
        "diagnosis": ["diagnose", *TIMETABLE],
        "goal": ["diagnose", WHY / "rooms.pl", "--goal", "meetings(S)"],
        "residual": ["diagnose", "--only", "open", *TIMETABLE, "-c", "slots=4"],
        "check": ["diagnose", "--only", "verdict", *TIMETABLE],
        "why": ["why", *TIMETABLE, "at(art,3)", "-c", "slots=4"],
    }.items()
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What each call prints, with its exit code; of those in `FOUND` also what is printed without an option, and as JSON."""
    folder = tmp_path_factory.mktemp("events")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    calls = {
        "models": ["run", "two.lp", "-n", "0"],
        "optimal": ["run", "wide.lp", "--optimal"],
        "cautious": ["run", "wide.lp", "--cautious"],
        "count": ["run", "wide.lp", "--count"],
        "warned": ["run", "warned.lp"],
        "answers": ["run", "facts.pl", "--goal", "q(A, b)", "-n", "0"],
        "undefined": ["run", "win.pl", "--goal", "w(a)"],
        "wrong": ["run", "wrong.lp"],
        **FOUND,
        "proof": ["why", "facts.pl", "--goal", "q(A, b)"],
        "two forms": ["run", "two.lp", "--json"],
    }
    events = [[*words, "--events"] for words in calls.values()]
    found = called([*events, *FOUND.values(), *([*words, "--json"] for words in FOUND.values())], cwd=folder)
    said = {
        name: [*map(json.loads, one.out.splitlines()), {"code": one.code}]
        for name, one in zip(calls, found, strict=False)
    }
    for name, text, data in zip(FOUND, found[len(events) :], found[len(events) + len(FOUND) :], strict=False):
        said[name] += [{"text": text.out, "code": text.code}, json.loads(data.out)]
    return said


@pytest.mark.slow
def test_models(said: dict[str, list[dict[str, Any]]]) -> None:
    """Beside the data there is the text: in JSON the string "x y" and a constant are the same."""
    first, second, end, warning, code = said["models"]
    both = sorted([first, second], key=lambda one: len(one["text"]))
    assert both[1]["answer"] == {"a": [["x y", {"functor": "f", "args": [1]}]]}
    assert [one["text"] for one in both] == ["", 'a("x y",f(1))']
    assert "minimizes" in warning["text"]
    assert (end["end"]["complete"], end["text"]) == (True, "2 models; the search is complete")
    assert code == {"code": 0}


def test_the_best_model_and_the_way_to_it(said: dict[str, list[dict[str, Any]]]) -> None:
    *better, answer, end, code = said["optimal"]
    assert [next(iter(one)) for one in better] == ["better"] * len(better)
    assert better[-1]["cost"] == answer["cost"] == [3]
    assert (answer["text"], code) == ("p(3)", {"code": 0})
    assert end["text"].startswith("proved")
    answer, end, *_ = said["cautious"]
    assert (answer["text"], end["text"]) == ("", "complete")
    end, *_ = said["count"]
    assert (end["end"]["count"], end["text"]) == (7, "7 models")


def test_warnings(said: dict[str, list[dict[str, Any]]]) -> None:
    (warning,) = [one["text"] for one in said["warned"] if "warning" in one]
    assert "warned.lp:1:6" in warning


def test_answers_of_prolog(said: dict[str, list[dict[str, Any]]]) -> None:
    answers = [one for one in said["answers"] if "answer" in one]
    assert [one["text"] for one in answers] == ["A = 1.", "A = [2, _A],\n_A in 3..4."]
    assert answers[1]["answer"]["residual"] == ["_A in 3..4"]
    end = said["answers"][-2]
    assert (end["end"]["complete"], end["text"]) == (True, "2 answers; the search is complete")
    assert "Singleton" in said["answers"][0]["warning"]
    answer, end, _ = said["undefined"]
    assert answer["answer"]["truth"] == "undefined"
    assert (end["end"]["undefined"], "1 undefined" in end["text"]) == (1, True)


def test_errors(said: dict[str, list[dict[str, Any]]]) -> None:
    error, code = said["wrong"]
    assert (error["error"]["where"], code) == ("wrong.lp:1:7", {"code": 2})
    error, code = said["two forms"]
    assert (error["error"]["kind"], code) == ("usage", {"code": 2})


@pytest.mark.slow
def test_what_is_found_with_its_text(said: dict[str, list[dict[str, Any]]]) -> None:
    """The text is what is printed without an option, and the data are those of --json."""
    for name in FOUND:
        event, code, printed, expected = said[name]
        assert event["text"] == printed["text"].rstrip("\n"), name
        found = event["reasons" if name == "why" else "diagnosis"]
        assert found.keys() | {"version"} == expected.keys(), name
        assert found.get("clashes") == expected.get("clashes"), name
        assert code["code"] == printed["code"]
    reasons, _ = said["proof"]
    assert reasons["reasons"]["proof"]["goal"] == "q(1, b)"
    assert reasons["text"].startswith("q(1, b)")
