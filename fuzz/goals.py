"""Pure Prolog programs whose goal has an answer, with one fault: `diagnose` of the goal, which fails now.

What is claimed is checked with `swipl` alone. The campaign renders its clauses itself, without what the diagnosis
leaves out: with the premises of the failure slice alone the goal fails, without any one of them it does not; after
each removal it has an answer; of each call that no clause is claimed to match, there is no clause.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from random import Random
from typing import Any

from bridge.analysis.ask import diagnose
from bridge.analysis.goal_diagnosis import GoalDiagnosis
from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.problem.prolog import PrologProblem
from bridge.prolog.locate import current
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect

#: Inferences of one run by `swipl`.
INFERENCES = 300_000

#: Ways to leave out fewer parts than a diagnosis says have to go, beyond which these are not tried.
MOST_REMOVALS = 120

#: Predicates, each with its clauses (a head and its goals) and a call that has an answer.
Clauses = list[tuple[list[str], list[list[str]]]]

CLPFD = ":- use_module(library(clpfd))."

#: A place in the program: the line of the clause, 0 for the query, and the column.
At = tuple[int, int]

CONSTANT = re.compile(r"(?<![\w.])(?:\d+|[a-z]\w*)(?![\w(])")


@dataclass(frozen=True)
class Part:
    """A goal, an argument of a head or a constant of the query: where it stands, and what is there without it."""

    at: At
    end: int
    instead: str


@dataclass(frozen=True)
class Fault:
    """A program with a fault: the sort, the clauses, the line that was changed, or None where it was removed."""

    sort: str
    clauses: Clauses
    line: int | None
    predicate: str


def head(clause: Any) -> tuple[str, list[str], list[list[str]]]:
    (name, *arguments), goals = clause
    return name, arguments, goals


def written(name: str, arguments: list[str]) -> str:
    if name in ("#=", "#<", "#>", "is", "=", "<", ">", "=<", ">=", "ins"):
        return f"{arguments[0]} {name} {arguments[1]}"
    return f"{name}({', '.join(arguments)})" if arguments else name


class Text:
    """A program of one clause a line, and its query, with the places of what can be left out."""

    def __init__(self, clauses: Clauses, calls: Sequence[str]) -> None:
        self.lines: dict[int, str] = {0: ", ".join(calls)}
        self.parts: list[Part] = []
        for call in calls:
            begin = self.lines[0].index(call) + 1
            self.parts.append(Part((0, begin), begin + len(call), "true"))
        self.parts += [
            Part((0, found.start() + 1), found.end() + 1, "_")
            for found in CONSTANT.finditer(self.lines[0])
            if found.group() not in ("is",)
        ]
        for line, clause in enumerate(clauses, 2):
            name, arguments, goals = head(clause)
            text = f"{name}("
            for number, argument in enumerate(arguments):
                text += ", " if number else ""
                if not re.fullmatch(r"[A-Z_]\w*", argument) or argument in arguments[:number]:
                    self.parts.append(Part((line, len(text) + 1), len(text) + 1 + len(argument), "_"))
                text += argument
            text += ")"
            for number, goal in enumerate(goals):
                text += ", " if number else " :- "
                one = written(goal[0], goal[1:])
                self.parts.append(Part((line, len(text) + 1), len(text) + 1 + len(one), "true"))
                text += one
            self.lines[line] = text

    def program(self) -> str:
        return "\n".join([CLPFD, *(f"{text}." for line, text in self.lines.items() if line)]) + "\n"

    def without(self, left_out: Collection[At]) -> tuple[str, str]:
        """The program and the query without some parts."""
        lines = dict(self.lines)
        gone = [part for part in self.parts if part.at in left_out]
        for part in sorted(gone, key=lambda part: part.at, reverse=True):
            line, column = part.at
            if any(
                one.at[0] == line and one.at[1] <= column and part.end <= one.end and one is not part for one in gone
            ):
                continue
            lines[line] = lines[line][: column - 1] + part.instead + lines[line][part.end - 1 :]
        return "\n".join([CLPFD, *(f"{text}." for line, text in lines.items() if line)]), lines[0]


def runs(programs: list[tuple[str, str]]) -> list[str]:
    """What `swipl` makes of each program and goal: `succeeds`, `fails`, or another word."""
    with tempfile.TemporaryDirectory() as folder:
        calls = []
        for number, (text, goal) in enumerate(programs):
            Path(folder, f"v{number}.pl").write_text(f":- module(v{number}, []).\n{text}\n", encoding="utf-8")
            calls.append(f"run(v{number}, ({goal}))")
        script = (
            ":- style_check(-singleton), style_check(-discontiguous).\n:- use_module(library(clpfd)).\n"
            "run(M, G) :- catch((load_files(M, [silent(true)]), "
            f"( call_with_inference_limit(M:G, {INFERENCES}, R) -> "
            "( R == inference_limit_exceeded -> W = limit ; W = succeeds ) ; W = fails )), _, W = raises), "
            "writeln(W).\n" + "\n".join(f":- {call}." for call in calls) + "\n"
        )
        Path(folder, "main.pl").write_text(script, encoding="utf-8")
        done = subprocess.run(
            [str(current().swipl), "-q", "-g", "halt", "main.pl"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    words = done.stdout.split()
    if len(words) != len(programs):
        raise RuntimeError(f"swipl gave {len(words)} words for {len(programs)} programs: {done.stderr[:400]}")
    return words


def faults(clauses: Clauses) -> Iterator[Fault]:
    """The program with each of the faults."""
    for number, clause in enumerate(clauses):
        name, arguments, goals = head(clause)
        alone = sum(other[0][0] == name for other in clauses) == 1

        def changed(sort: str, new: Any, number: int = number, name: str = name) -> Fault:
            return Fault(sort, [*clauses[:number], new, *clauses[number + 1 :]], number + 2, name)

        if not alone:
            sort = "missing clause" if goals else "missing fact"
            yield Fault(sort, [*clauses[:number], *clauses[number + 1 :]], None, name)
            yield changed("misspelt head", ([f"{name}x", *arguments], goals))
        if len(arguments) > 1:
            yield changed("swapped arguments of a head", ([name, arguments[1], arguments[0], *arguments[2:]], goals))
            if not alone:
                yield changed("wrong arity of a head", ([name, *arguments[1:]], goals))
        for index, argument in enumerate(arguments):
            sort = "changed constant" if goals or len(arguments) == 1 else "wrong base case"
            for new in replaced(argument):
                yield changed(sort, ([name, *arguments[:index], new, *arguments[index + 1 :]], goals))
        for index, goal in enumerate(goals):

            def other(sort: str, new: list[str], index: int = index, c: Any = clause) -> Fault:
                return changed(sort, (c[0], [*c[1][:index], new, *c[1][index + 1 :]]))

            operator = goal[0]
            for new in {"<": [">"], ">": ["<"], "=<": [">"], ">=": ["<"], "#<": ["#>"], "#>": ["#<"]}.get(operator, []):
                yield other("wrong comparison", [new, *goal[1:]])
            if operator.isalpha() and operator not in ("is", "ins"):
                yield other("misspelt goal", [f"{operator}x", *goal[1:]])
                yield other("wrong arity of a goal", [operator, *goal[2:]])
            if len(goal) > 2 and operator not in ("<", ">", "=<", ">=", "#<", "#>"):
                yield other("swapped arguments of a goal", [operator, goal[2], goal[1], *goal[3:]])
            for at, argument in enumerate(goal[1:], 1):
                for new in replaced(argument):
                    yield other("off by one", [*goal[:at], new, *goal[at + 1 :]])


def replaced(argument: str) -> list[str]:
    """An argument with another constant."""
    if argument == "[]":
        return ["[_]"]
    found = CONSTANT.search(argument)
    if found is None:
        return []
    word = found.group()
    new = str(int(word) + 1) if word.isdigit() else "zz"
    return [argument[: found.start()] + new + argument[found.end() :]]


def predicates(chance: Random) -> list[tuple[Clauses, str]]:
    """All predicates that programs are made of, each with a call that has an answer."""
    xs = [chance.randint(1, 6) for _ in range(chance.randint(2, 4))]
    text, size, last = str(xs), len(xs), xs[-1]
    n = chance.randint(2, 4)
    word = [chance.choice("ab") for _ in range(chance.randint(1, 2))]
    letters = f"[{', '.join(['a'] * len(word) + ['b'] * len(word))}]"
    chain = ["k1", "k2", "k3", "k4"][: chance.randint(2, 4)]
    facts: Clauses = [(["edge", a, b], []) for a, b in pairwise(chain)]
    return [
        (
            [(["len", "[]", "0"], []), (["len", "[_|T]", "N"], [["len", "T", "M"], ["is", "N", "M + 1"]])],
            f"len({text}, {size})",
        ),
        (
            [
                (["total", "[]", "S", "S"], []),
                (["total", "[X|T]", "A", "S"], [["is", "B", "A + X"], ["total", "T", "B", "S"]]),
            ],
            f"total({text}, 0, {sum(xs)})",
        ),
        (
            [(["app", "[]", "L", "L"], []), (["app", "[X|T]", "L", "[X|R]"], [["app", "T", "L", "R"]])],
            f"app({text}, [7], {[*xs, 7]})",
        ),
        (
            [(["rev", "[]", "A", "A"], []), (["rev", "[X|T]", "A", "R"], [["rev", "T", "[X|A]", "R"]])],
            f"rev({text}, [], {xs[::-1]})",
        ),
        ([(["fin", "[X]", "X"], []), (["fin", "[_|T]", "X"], [["fin", "T", "X"]])], f"fin({text}, {last})"),
        ([(["mem", "X", "[X|_]"], []), (["mem", "X", "[_|T]"], [["mem", "X", "T"]])], f"mem({last}, {text})"),
        (
            [
                (["count", "0", "[]"], []),
                (["count", "N", "[N|T]"], [[">", "N", "0"], ["is", "M", "N - 1"], ["count", "M", "T"]]),
            ],
            f"count({n}, {list(range(n, 0, -1))})",
        ),
        (
            [
                (["most", "[X]", "X"], []),
                (["most", "[X|T]", "X"], [["most", "T", "Y"], [">=", "X", "Y"]]),
                (["most", "[X|T]", "Y"], [["most", "T", "Y"], ["<", "X", "Y"]]),
            ],
            f"most({text}, {max(xs)})",
        ),
        (
            [
                *facts,
                (["path", "X", "Y"], [["edge", "X", "Y"]]),
                (["path", "X", "Y"], [["edge", "X", "Z"], ["path", "Z", "Y"]]),
            ],
            f"path({chain[0]}, {chain[-1]})",
        ),
        (
            [
                (["as", "S", "S"], []),
                (["as", "[a|S]", "R"], [["as", "S", "R"]]),
                (["bs", "S", "S"], []),
                (["bs", "[b|S]", "R"], [["bs", "S", "R"]]),
                (["ab", "S", "R"], [["as", "S", "T"], ["bs", "T", "R"]]),
            ],
            f"ab({letters}, [])",
        ),
        (
            [
                (
                    ["fd", "X", "Y"],
                    [
                        ["ins", "[X, Y]", f"1 .. {n}"],
                        ["#<", "X", "Y"],
                        ["#=", "X + Y", f"{2 * n - 1}"],
                        ["label", "[X, Y]"],
                    ],
                )
            ],
            f"fd({n - 1}, {n})",
        ),
        ([(["up", "[_]"], []), (["up", "[X, Y|T]"], [["#<", "X", "Y"], ["up", "[Y|T]"]])], f"up({sorted({*xs, 9})})"),
    ]


class Goals(Campaign):
    """`diagnose` of a goal that one injected fault makes fail."""

    name = "goals"
    round = 2

    def make(self, chance: Random) -> Case:
        chosen = chance.sample(predicates(chance), chance.randint(1, 3))
        return {
            "predicates": [[[list(c[0]), c[1]] for c in clauses] for clauses, _ in chosen],
            "calls": [call for _, call in chosen],
            "fault": chance.randrange(1000),
        }

    def check(self, case: Case, tally: Tally) -> None:
        clauses: Clauses = [(one[0], one[1]) for group in case["predicates"] for one in group]
        query = ", ".join(case["calls"])
        tried = list(faults(clauses))
        before, *after = runs(
            [Text(each, case["calls"]).without(()) for each in (clauses, *(one.clauses for one in tried))]
        )
        expect("program", "succeeds", before, "the goal of the program without a fault")
        failing = [fault for fault, word in zip(tried, after, strict=True) if word in ("fails", "raises")]
        if not failing:
            raise Skipped
        sorts = sorted({fault.sort for fault in failing})  # each sort as often as any other
        sort = sorts[case["fault"] % len(sorts)]
        same = [fault for fault in failing if fault.sort == sort]
        fault = same[case["fault"] // len(sorts) % len(same)]
        text = Text(fault.clauses, case["calls"])
        tally[f"{sort}: all"] += 1
        try:
            found = diagnose(PrologProblem([text.program()], query), limits=Limits(seconds=20))
        except ProgramError as error:
            expect("error", "raises", after[tried.index(fault)], f"whether the goal raises {error.message!r}")
            tally[f"{sort}: an error"] += 1
            return
        self._claims(found, text, tally)
        assert found.failure is not None
        lines = {place_of(premise)[0] for premise in found.failure.premises}
        named = fault.line in lines if fault.line else False
        missing = any(call.startswith(f"{fault.predicate}(") for _, call in found.failure.unmatched)
        tally[f"{sort}: named"] += named
        tally[f"{sort}: no clause matches"] += missing
        tally[f"{sort}: neither"] += not (named or missing)

    def _claims(self, found: GoalDiagnosis, text: Text, tally: Tally) -> None:
        expect("verdict", "impossible", str(found.verdict), "the verdict")
        if found.failure is None:
            raise Skipped
        kept = {place_of(premise) for premise in found.failure.premises}
        everything = {part.at for part in text.parts}
        programs: list[tuple[str, str]] = []
        words: list[tuple[str, bool | None, str]] = []  # what is checked, and whether it is to fail
        # A wrong reading of the diagnosis would be seen here: what it names is a part of this program.
        demand("places", kept <= everything, f"not a part of the program: {sorted(kept - everything)}")
        programs.append(text.without(everything - kept))
        words.append(("slice", True, "the failure slice alone"))
        if found.failure.minimal:
            for one in sorted(kept):
                programs.append(text.without(everything - kept | {one}))
                words.append(("minimal", False, f"the failure slice without {one}"))
        for away in found.removals.sets if found.removals else ():
            programs.append(text.without({place_of(premise) for premise in away}))
            words.append(("removal", False, f"the program without {[str(premise) for premise in away]}"))
        fewer = found.removals.size - 1 if found.removals and found.removals.sets else 0
        if fewer > 0 and comb(len(everything), fewer) <= MOST_REMOVALS:
            for some in combinations(sorted(everything), fewer):
                programs.append(text.without(some))
                words.append(("fewest", None, f"the program without {some}, which are fewer than those to remove"))
        for _, call in found.failure.unmatched:
            programs.append((text.program(), f"clause({call}, _)"))
            words.append(("unmatched", True, f"a clause for {call}"))
        for (check, fails, what), word in zip(words, runs(programs), strict=True):
            holds = word != "succeeds" if fails is None else (word == "fails") == fails
            demand(check, holds, f"{what}: {word}")
            tally[check] += 1

    def smaller(self, case: Case) -> Iterator[Case]:
        for index in range(len(case["calls"])):
            if len(case["calls"]) > 1:
                yield {**case, **{key: case[key][:index] + case[key][index + 1 :] for key in ("predicates", "calls")}}


def place_of(premise: Any) -> At:
    """Where a premise of the diagnosis stands."""
    return (premise.place.line if premise.predicate else 0), premise.place.column
