"""Repairs by `debug` of random Prolog programs: each sentence about one is held against `swipl` alone.

The programs are those of `fuzz.goals` with a fault, and small ones with negation, if-then-else and `findall`. What is
asked for is the answers of the right program to some goals, or a goal that should succeed, or should not.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import bridge
from bridge.debugging.goals import near_goals
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.prolog.locate import current
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect
from fuzz.goals import Clauses, Text, faults, predicates, runs

LIMITS = Limits(seconds=4)

#: Answers of a goal that are compared, as `debug` does; and inferences of one goal.
MOST, INFERENCES = 50, 300_000

#: How a goal ends, and its answers.
Outcome = tuple[str, list[str]]

_SCRIPT = f"""
:- style_check(-singleton), style_check(-discontiguous).
:- use_module(library(clpfd)), use_module(library(http/json)).
answer(G, S) :- copy_term(G, C, Gs), numbervars(C-Gs, 0, _), format(string(S), "~q", [C-Gs]).
outcome(M, G, End, L) :-
    catch(( call_with_inference_limit(once(findnsols({MOST + 1}, S, (M:G, answer(G, S)), L0)), {INFERENCES}, R),
            ( R == inference_limit_exceeded -> End = limit, L = []
            ; length(L0, {MOST + 1}) -> End = more, L = L0
            ; End = all, L = L0 ) ), _, ( End = error, L = [] )).
run(M, Goals) :-
    catch(load_files(M, [silent(true)]), _, true),
    forall(member(G, Goals), ( outcome(M, G, End, L), json_write(current_output, [End, L], [width(0)]), nl )).
"""


class GoalRepairs(Campaign):
    """`debug` of programs with one fault."""

    name = "goal-repairs"
    weight = 1.0
    round = 2

    def make(self, chance: Random) -> Case:
        chosen = [*chance.sample(predicates(chance), chance.randint(1, 2)), _relation(chance)]
        chosen = chance.sample(chosen, chance.randint(1, len(chosen)))
        return {
            "predicates": [[[list(c[0]), c[1]] for c in clauses] for clauses, _ in chosen],
            "calls": [call for _, call in chosen],
            "open": chance.random() < 0.6,
            "fault": chance.randrange(1000),
            "ask": chance.choice(["against", "against", "missing", "unwanted"]),
        }

    def check(self, case: Case, tally: Tally) -> None:
        clauses: Clauses = [(one[0], one[1]) for group in case["predicates"] for one in group]
        right = Text(clauses, case["calls"]).program()
        some = list(faults(clauses))
        if not some:
            raise Skipped
        wrong = Text(some[case["fault"] % len(some)].clauses, case["calls"]).program()
        goals = [*case["calls"], *(map(_opened, case["calls"]) if case["open"] else ())]
        if case["ask"] == "against":
            self._against(right, wrong, goals, tally)
        else:
            self._asked(case["ask"], wrong, goals, tally)

    def _asked(self, ask: str, wrong: str, goals: list[str], tally: Tally) -> None:
        other = "fails" if ask == "missing" else "succeeds"
        asked = [
            goal for goal, word in zip(goals, runs([(wrong, goal) for goal in goals]), strict=True) if word == other
        ]
        if not asked:
            tally[f"{ask}: nothing to ask"] += 1
            return
        found = self._debug(wrong, **{ask: asked[0]})
        if found is None:
            return
        tally[f"{ask}: asked"] += 1
        demand("right", not found.right, f"it says that nothing is wrong: {asked[0]} {wrong!r}")
        repairs = _repairs(found)
        for repair, word in zip(repairs, runs([(one.text, asked[0]) for one in repairs]), strict=True):
            about = f"{asked[0]} {ask}; {repair.diff!r} {repair.proved_by!r}"
            expect("asked", "succeeds" if ask == "missing" else "fails", word, about)
            tally[f"{ask}: repairs"] += 1

    def _against(self, right: str, wrong: str, goals: list[str], tally: Tally) -> None:
        found = self._debug(wrong, against=right, goals=goals)
        if found is None:
            return
        tally["against: asked"] += 1
        repairs, near = _repairs(found), near_goals(goals)
        meant, now, *repaired = outcomes([right, wrong, *(one.text for one in repairs)], [*goals, *near])
        own = list(zip(meant[: len(goals)], now[: len(goals)], strict=True))
        if found.right:
            differ = [goal for goal, (one, other) in zip(goals, own, strict=True) if _differ(one, other)]
            demand("right", not differ, f"it says that nothing is wrong: {differ} {wrong!r}")
        else:
            demand("wrong", any(one != other for one, other in own) or "limit" in str(own), f"all is right: {wrong!r}")
        for repair, given in zip(repairs, repaired, strict=True):
            tally["against: repairs"] += 1
            about = f"{repair.diff!r} {repair.proved_by!r} of {wrong!r}"
            number = len(goals) + len(near) * ("near by" in repair.proved_by)
            for goal, one, other in list(zip([*goals, *near], meant, given, strict=True))[:number]:
                if goal in goals or one[0] in ("all", "more"):
                    demand("against", not _differ(one, other), f"{goal}: {one} {other}; {about}")
                    tally["goals"] += 1

    def _debug(self, text: str, **asked: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path, reference = Path(folder, "mine.pl"), Path(folder, "right.pl")
            path.write_text(text, encoding="utf-8")
            if "against" in asked:
                reference.write_text(asked["against"], encoding="utf-8")
                asked["against"] = reference
            goals = [bridge.goal(path, one) for one in asked.pop("goals", ())]
            return self._debugged(goals or path, asked)

    def _debugged(self, problem: Any, asked: dict[str, Any]) -> Any:
        try:
            return bridge.debug(problem, limits=LIMITS, **asked)
        except BridgeError as error:
            demand("error", bool(error.message.strip()), f"{type(error).__name__} without a message")
            return None

    def smaller(self, case: Case) -> Iterator[Case]:
        for index in range(len(case["calls"])):
            if len(case["calls"]) > 1:
                yield {**case, **{key: case[key][:index] + case[key][index + 1 :] for key in ("predicates", "calls")}}


def _relation(chance: Random) -> tuple[Clauses, str]:
    """A predicate over some facts, and a call of it."""
    facts: Clauses = [(["f", chance.choice("abc"), chance.choice("123")], []) for _ in range(chance.randint(2, 5))]
    facts += [(["g", chance.choice("123")], []) for _ in range(chance.randint(1, 3))]
    tests = [["\\+", "g(Y)"], ["g", "Y"], ["once", "g(_)"], [">", "Y", "1"], ["dif", "X", "b"]]
    more = [["findall", "Z", "g(Z)", "L"], ["forall", "g(Z)", "Z >= Y"], ["->", "( g(Y)", "f(X, Y) ; X = a )"]]
    body = [["f", "X", "Y"], *chance.sample([*tests, *more[:2]], chance.randint(0, 2))]
    clauses: Clauses = [*facts, (["rel", "X", "Y"], body)]
    if chance.random() < 0.4:
        clauses.append((["rel", "X", "Y"], [["f", "X", "Z"], ["f", "X", "Y"], ["<", "Z", "Y"]]))
    return clauses, "rel(X, Y)"


def _opened(call: str) -> str:
    """A call with a variable in place of its last argument."""
    depth = 0
    for at in range(len(call) - 2, 0, -1):
        depth += (call[at] in ")]") - (call[at] in "([")
        if (call[at] == "," and depth == 0) or depth < 0:
            return f"{call[: at + 1]}{' ' * (call[at] == ',')}Answer)"
    return call


def _repairs(found: Any) -> list[Any]:
    return list({one.repair.text: one.repair for one in found.suspects if one.repair is not None}.values())


def _differ(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes differ in the end or in the answers, whatever their order; what has no end is not known."""
    if "limit" in (one[0], other[0]):
        return False
    return one[0] != other[0] or sorted(one[1]) != sorted(other[1])


def outcomes(texts: Sequence[str], goals: Sequence[str]) -> list[list[Outcome]]:
    """What `swipl` alone answers to each goal, of each program."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"v{number}.pl").write_text(f":- module(v{number}, []).\n{text}\n", encoding="utf-8")
        calls = "".join(
            f":- run(v{number}, [{', '.join(f'({goal})' for goal in goals)}]).\n" for number in range(len(texts))
        )
        Path(folder, "main.pl").write_text(_SCRIPT + calls, encoding="utf-8")
        done = subprocess.run(
            [str(current().swipl), "-q", "-g", "halt", "main.pl"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if len(lines) != len(texts) * len(goals):
        raise RuntimeError(f"swipl gave {len(lines)} outcomes: {done.stderr[:400]}")
    rows = [(str(end), [str(one) for one in answers]) for end, answers in lines]
    return [rows[at : at + len(goals)] for at in range(0, len(rows), len(goals))]
