"""`bridge.tune`: a configuration is named only where it is better; runs are counted as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import called

import bridge
from bridge.errors import DisagreementError, InputError, LimitError
from bridge.limits import Limits
from bridge.outcome import Interrupted
from bridge.profiling import tuning
from bridge.profiling.tuning import _is_better

NESTS = "#const n=7.\n{ at(P,H) : H = 1..n-1 } = 1 :- P = 1..n.\n:- at(P,H), at(Q,H), P < Q.\n"


def test_one_that_is_better_is_named() -> None:
    found = bridge.tune(
        NESTS, constants={"n": range(6, 9)}, configurations={"handy": ["--configuration=handy"]}, by="conflicts"
    )
    assert found.best is not None
    assert (found.best.name, [row.name for row in found.rows]) == ("handy", ["handy", "default"])
    assert len(found.ratios(found.best)) == 9
    assert str(found).startswith("handy: --configuration=handy\n  conflicts 0.")


def test_nothing_is_named_where_nothing_is_better() -> None:
    found = bridge.tune("{ a; b }.", seeds=1)
    assert found.best is None
    assert {row.name for row in found.rows} == {"default", *tuning.CONFIGURATIONS}
    assert "no configuration is better than the default" in str(found)


def test_optimisation_strategies_join_where_there_is_something_to_minimise() -> None:
    found = bridge.tune("{ p(1..5) } 3. :- { p(X) } 1. #minimize { X : p(X) }.", seeds=2, by="conflicts")
    assert {"usc", "bb,dec"} <= {row.name for row in found.rows}


@pytest.mark.parametrize(
    ("ratios", "better"),
    [
        ([0.5] * 6, True),
        ([0.5] * 5, False),  # by chance in one of sixteen
        ([0.95] * 20, False),
        ([0.5] * 9 + [2.0], True),
        ([0.5] * 5 + [1.0] * 9, False),
        ([], False),
    ],
)
def test_what_can_be_told_from_chance(ratios: list[float], better: bool) -> None:
    assert _is_better(ratios) is better


def test_runs_that_a_limit_ends_count_twice_and_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    original = tuning.search_profile

    def slow(*sources: Any, options: Any, **given: Any) -> Any:
        return None if "--configuration=handy" in options else original(*sources, options=options, **given)

    monkeypatch.setattr(tuning, "search_profile", slow)
    found = bridge.tune(
        "{ a }.", seeds=5, configurations={"handy": ["--configuration=handy"]}, limits=Limits(seconds=60)
    )
    row = next(one for one in found.rows if one.name == "handy")
    assert (row.given_up, len(row.ended), row.values) == (True, tuning.LOST, {})
    assert set(found.ratios(row)) == {2 * 60 / 0.01} or min(found.ratios(row)) > 2
    assert "given up" in str(found)


def test_configurations_that_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    original = tuning.search_profile

    def wrong(*sources: Any, options: Any, **given: Any) -> Any:
        return original(*(["a. :- a."] if "--eq=0" in options else sources), options=options, **given)

    monkeypatch.setattr(tuning, "search_profile", wrong)
    with pytest.raises(DisagreementError, match="configurations disagree on as it is: "):
        bridge.tune("{ a }.", configurations={"x": ["--eq=0"]})


def test_limits_and_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "search_profile", lambda *_, **__: None)
    with pytest.raises(LimitError, match="no run was decided"):
        bridge.tune("{ a }.", seeds=1)
    with pytest.raises(InputError):
        bridge.tune("{ a }.", seeds=0)

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tuning, "search_profile", interrupted)
    with pytest.raises(Interrupted) as caught:
        bridge.tune("{ a }.")
    assert not caught.value.partial.complete


def test_the_command(tmp_path: Path) -> None:
    program = tmp_path / "nests.lp"
    program.write_text(NESTS)
    words = ("tune", program, "-c", "n=6..8", "--by", "conflicts", "--try", "--configuration=handy")
    done = called(*words)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"clingo --configuration=handy {program}")
    found = json.loads(called(*words, "--json").stdout)
    assert found["best"] == {"name": "--configuration=handy", "options": ["--configuration=handy"]}
    assert called("tune", program, "--seeds", "1", "--try", "--eq=0").returncode == 1
