"""Random `.lp` programs of several files that include each other, diagnosed and asked why, beside a plain Control.

Includes have every shape: chains, diamonds, cycles, a file that is given and included, a folder below. The programs
show terms, assign aggregates, optimize, and have typos. The answer sets, the verdict, the status of an atom and the
warnings of atoms that no rule has in its head follow from what clingo itself does with the same files.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import clingo

import bridge
from bridge.asp import Program
from bridge.errors import InputError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from fuzz.asp import MOST_MODELS, Model, assigning, minimize, show, shown_of, statement
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect

#: Where files stand: an include names a file from the folder of the file that includes it.
NAMES = ("a.lp", "b.lp", "c.lp", "sub/d.lp", "sub/e.lp")

QUESTIONS = ("models", "diagnose", "why")

#: Enough for what is so small: a limit that ends it is a failure.
LIMITS = Limits(seconds=60)


class Files(Campaign):
    """Files with includes of every shape, shown terms, aggregates that assign, optimization, and typos."""

    name = "files"
    weight = 1.0
    round = 6

    def make(self, chance: Random) -> Case:
        names = NAMES[: chance.randint(1, len(NAMES))]
        files: dict[str, list[str]] = {name: [] for name in names}
        files[names[0]].append(f"d(1..{chance.randint(1, 3)}).")
        optimizes = chance.random() < 0.25
        makers = [statement, statement, statement, assigning, show, *([minimize] if optimizes else [])]
        for _ in range(chance.randint(2, 9)):
            made = chance.choice(makers)(chance)
            if chance.random() < 0.1:  # a typo
                made = re.sub(r"\b[pqr]\(", "pp(", made, count=1)
            files[chance.choice(names)].append(made)
        for _ in range(chance.choice([0, 1, 2, 3, 5])):
            one, other = chance.choice(names), chance.choice(names)
            files[one].insert(chance.randint(0, len(files[one])), _include(one, other))
        given = chance.sample(names, chance.randint(1, len(names)))
        questions = chance.sample(QUESTIONS, chance.randint(1, 2))
        atom = chance.choice(["p(1)", "p(2)", "q(1)", "q(3)", "s", "u", "t(2)", "r(1,2)"])
        return {"files": files, "given": given, "questions": questions, "atom": atom}

    def check(self, case: Case, tally: Tally) -> None:
        with tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-") as folder:
            for name, statements in case["files"].items():
                path = Path(folder, name)
                path.parent.mkdir(exist_ok=True)
                path.write_text("\n".join(statements) + "\n", encoding="utf-8")
            given = [Path(folder, name) for name in case["given"]]
            reference = _Reference(given)
            tally["includes"] += str(case["files"]).count("#include")
            for question in case["questions"]:
                tally[question] += 1
                if question == "models":
                    with Program(*given) as program:
                        outcome = program.models(limits=LIMITS).collect()
                        warnings = "\n".join(program.warnings)
                    expect("models", Counter(reference.models), Counter(map(shown_of, outcome.solutions)))
                    expect("models", (True, None), (outcome.complete, outcome.limit), "complete, limit")
                    for named in reference.headless:
                        demand("warnings", named in warnings, f"no warning names {named}")
                elif question == "diagnose":
                    _diagnose(given, case, reference)
                else:
                    _why(given, case["atom"], reference, tally)

    def smaller(self, case: Case) -> Iterator[Case]:
        if len(case["questions"]) > 1:
            yield from ({**case, "questions": [question]} for question in case["questions"])
        if len(case["given"]) > 1:
            yield from ({**case, "given": [one for one in case["given"] if one != name]} for name in case["given"])
        for name, statements in case["files"].items():
            for index in range(len(statements)):
                fewer = statements[:index] + statements[index + 1 :]
                yield {**case, "files": {**case["files"], name: fewer}}


def _include(one: str, other: str) -> str:
    up, down = one.startswith("sub/"), other.startswith("sub/")
    return f'#include "{other.removeprefix("sub/") if up and down else f"../{other}" if up else other}".'


class _Reference:
    """All answer sets, by a Control of its own: the shown symbols, and the atoms."""

    def __init__(self, files: list[Path]) -> None:
        #: Atoms that occur, and in no head, as clingo tells them.
        self.headless: set[str] = set()
        self.models: list[Model] = []
        self.atoms: list[set[str]] = []
        control = clingo.Control(["0", "--opt-mode=enum"], logger=self._log)
        for file in files:
            control.load(str(file))
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            for model in handle:
                self.models.append(tuple(sorted(map(str, model.symbols(shown=True)))))
                self.atoms.append(set(map(str, model.symbols(atoms=True))))
                if len(self.models) > MOST_MODELS:
                    raise Skipped

    def _log(self, code: clingo.MessageCode, message: str) -> None:
        if code is clingo.MessageCode.AtomUndefined:
            self.headless.add(message.strip().splitlines()[-1].strip())


def _diagnose(given: list[Path], case: Case, reference: _Reference) -> None:
    found = bridge.diagnose(AspProblem(*given), limits=LIMITS)
    expect("diagnose", None, found.limit, "limit")
    different = len(set(reference.models))
    if different == 0 or not re.search(r"#m[ai][xn]imize|:~", str(case["files"])):
        verdict = "impossible" if different == 0 else "unique" if different == 1 else "ambiguous"
        expect("diagnose", verdict, str(found.verdict), "verdict")
    for model in found.solutions:
        demand("diagnose", shown_of(model) in reference.models, f"{model} is not an answer set")
    for named in reference.headless:
        demand("warnings", any(named in warning for warning in found.warnings), f"no warning names {named}")
    found.to_json()
    str(found)


def _why(given: list[Path], atom: str, reference: _Reference, tally: Tally) -> None:
    held = [atom in atoms for atoms in reference.atoms]
    try:
        found = bridge.why(AspProblem(*given), atom, limits=LIMITS)
    except InputError:  # the program has no answer set
        demand("why", not held, "there are answer sets")
        return
    # Of a program without one, what nothing gives is told.
    demand("why", bool(held) or any("no answer set at all" in note for note in found.notes), "there is no answer set")
    expect("why", None, found.limit, "limit")
    tally[f"why: {found.status}"] += 1
    found.to_json()
    str(found)
    expect("why", "every" if held and all(held) else "some" if any(held) else "no", found.status, "status")
