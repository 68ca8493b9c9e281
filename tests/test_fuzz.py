"""The campaigns of `fuzz/`: the same cases each time, in processes of their own; and that they would see a wrong answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from shared_data import ROOT

from bridge.puzzles.engines.engine import Engine
from fuzz import campaign as campaigns
from fuzz import surroundings
from fuzz.campaign import Campaign, Failure, Skipped, campaign_class, case_of
from fuzz.naive import Naive
from fuzz.puzzle import PuzzleCampaign
from fuzz.worker import Worker

PUZZLES = ("sudoku", "latin-square", "futoshiki", "magic-square", "takuzu", "crossword", "kinds")


def run(*arguments: str, given: str = "") -> tuple[int, dict[str, Any]]:
    """The exit code of `python -m fuzz`, and the object that it prints."""
    command = [sys.executable, "-m", "fuzz", "--json", *arguments]
    done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_round_of_each_without_a_failure() -> None:
    code, record = run("--rounds", "1", "--seed", "1", "--jobs", "1")
    assert record["failures"] == []
    assert code == 0
    assert record["campaigns"].keys() == {*campaigns.NAMES}
    units: Counter[str] = Counter()
    for name, done in record["campaigns"].items():
        assert done["cases"] + done["skipped"] == campaign_class(name).round, name
        assert done["skipped"] <= done["cases"] / 10, name
        units[done["unit"]] += done["cases"]
    assert {unit: record[unit] for unit in units} == units


@pytest.mark.parametrize("name", campaigns.NAMES)
def test_a_case_is_told_by_its_seed_and_number(name: str) -> None:
    one, other = campaign_class(name)(), campaign_class(name)()
    try:
        made = [case_of(one, 7, number) for number in range(20)]
        assert made == [case_of(other, 7, number) for number in range(20)]
        assert json.loads(json.dumps(made)) == made
        assert len({json.dumps(case) for case in made}) > 10
    finally:
        one.close()
        other.close()


@pytest.mark.parametrize("name", PUZZLES)
def test_the_naive_search_finds_what_going_through_everything_finds(name: str) -> None:
    campaign = campaign_class(name)()
    assert isinstance(campaign, PuzzleCampaign)
    compared = 0
    for number in range(100):
        naive: Naive = campaign.naive(campaign.form(Random(number)))
        free = [cell for cell in naive.cells if cell not in naive.clues]
        if prod(len(naive.domains[cell]) for cell in free) > 1500:
            continue
        compared += 1
        every = [
            {**naive.clues, **dict(zip(free, values, strict=True))}
            for values in product(*(naive.domains[cell] for cell in free))
        ]
        true = [held for held in every if not naive.broken(held)]
        found = naive.solutions()
        assert Counter(tuple(sorted(held.items())) for held in found) == Counter(
            tuple(sorted(held.items())) for held in true
        )
    assert compared > 10


def _failures(campaign: Campaign, wanted: Callable[[Any], bool] = lambda case: True) -> Iterator[str]:
    """The checks that fail in the first cases, as they are found."""
    for number in range(60):
        case = case_of(campaign, 1, number)
        if wanted(case):
            try:
                campaign.check(case, Counter())
            except Failure as failure:
                yield failure.check
            except Skipped:
                continue


def test_a_lost_solution_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Engine.solutions

    def without_the_first(self: Engine, *given: Any) -> Any:
        stream = original(self, *given)
        next(stream, None)
        return stream

    monkeypatch.setattr(Engine, "solutions", without_the_first)
    assert "engine asp" in _failures(campaign_class("latin-square")())


def test_a_wrong_residual_and_a_wrong_grade_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from bridge.puzzles.engines.asp import Asp
    from bridge.puzzles.engines.residual import PuzzleResidual

    monkeypatch.setattr(Asp, "exact", lambda self, puzzle, limits=None: PuzzleResidual("exact", "asp", {}))
    failures = _failures(campaign_class("takuzu")(), lambda case: "exact" in case["checks"])
    assert "exact" in failures


def test_a_clash_that_is_not_minimal_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from bridge.analysis import cores

    better = cores.better_clashes

    def too_many(oracle: Any, premises: Any) -> Iterator[Any]:
        for found in better(oracle, premises):
            premises = dict.fromkeys([*found.premises, *list(oracle.rules)[:2]])
            yield cores.Clash(oracle.ordered(premises), True)

    monkeypatch.setattr(cores, "better_clashes", too_many)
    assert "clash minimal" in _failures(campaign_class("sudoku")(), lambda case: "diagnose" in case["checks"])


def test_a_process_that_is_not_the_callers_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from bridge.isolation import environment

    monkeypatch.setattr(environment, "between", lambda caller, *_: {"folder": caller["folder"]})
    campaign = campaign_class("process-state")()
    try:
        assert next(_failures(campaign), "no failure") in {"variable", "environment", "mask", "home", "answer set"}
    finally:
        campaign.close()


def test_an_exception_of_a_parser_is_a_failure_and_is_made_smaller(tmp_path: Any) -> None:
    """A puzzle that cannot exist in place of a wrong parser: the case is checked, reduced and reported as any other."""
    case = {"target": "no such format", "puzzle": "sudoku", "data": "1" * 40, "lossy": False}
    code, record = run("--replay", "-", given=json.dumps({"campaign": "parsers", "case": case}))
    assert (code, record["failures"]) == (0, [])  # an InputError that says so
    case["target"] = "text"
    case["puzzle"] = None
    code, record = run("--replay", "-", given=json.dumps({"campaign": "parsers", "case": case}))
    assert code == 1
    (failure,) = record["failures"]
    assert "AssertionError" in failure["message"]
    assert failure["case"]["data"] == "1"


def test_the_end_of_a_process_is_a_failure_of_its_case() -> None:
    worker = Worker()
    try:
        case = {"target": "text", "puzzle": "sudoku", "data": "1...", "lossy": False}
        assert worker.check("parsers", case) is None
        worker.process.kill()
        assert worker.check("parsers", case) == ("crash", "the process died of SIGKILL")
        assert worker.check("parsers", case) is None
    finally:
        worker.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "chess"], "there is no campaign 'chess'"),
        (["--case", "1:2"], "--case is SEED:NUMBER"),
        (["--only", "asp", "--case", "x"], "--case is SEED:NUMBER"),
    ],
)
def test_wrong_calls(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert message in done.stderr


def test_the_page_has_no_name_of_a_machine(tmp_path: Any) -> None:
    import platform

    page = tmp_path / "fuzz.md"
    run("--rounds", "1", "--seed", "3", "--only", "asp", "--save", str(page))
    text = page.read_text(encoding="utf-8")
    assert "| asp | 15 instances |" in text
    assert platform.node() not in text


@pytest.mark.parametrize(
    ("code", "printed", "said", "check"),
    [
        (0, b"{}", b"Traceback (most recent call last):\n bridge/cli", "traceback"),
        (0, b"{}", b"lpbridge: a bug in lpbridge: ...", "traceback"),
        (3, b"{}", b"", "exit code"),
        (-9, b"{}", b"", "exit code"),
        (2, b"", b"", "silence"),
        (0, b"{", b"", "json"),
        (2, b"{}", b"lpbridge: wrong\nlpbridge: wrong\n", "told twice"),
    ],
)
def test_odd_surroundings_see_what_a_command_does_wrong(
    tmp_path: Path, code: int, printed: bytes, said: bytes, check: str
) -> None:
    case = {"command": "run", "arguments": "LP", "odd": {"options": "--json"}, "moment": 0.1}
    with pytest.raises(Failure) as failure:
        surroundings._Run(case, tmp_path)._judge(["run", "--json"], code, printed, said)
    assert failure.value.check == check
    surroundings._Run(case, tmp_path)._judge(["run", "--json"], 2, b'{"error": {}}', b"lpbridge: wrong\n")
