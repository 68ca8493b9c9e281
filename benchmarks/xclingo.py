"""`python -m benchmarks.xclingo CHECKOUT`: derivations beside the explanations of xclingo, on its own examples.

CHECKOUT is a checkout of github.com/bramucas/xclingo2, branch `develop`; the package is `pip install xclingo`. Both
get the programs of CHECKOUT without their annotations: in xclingo, these select what is explained and hide a part.
In each answer set, of each atom, the derivation of lpbridge is compared with all explanations of xclingo: the rules
that fired, the atoms that these derive, and those that they need.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.measure import machine
from bridge.asp import Program

#: The most answer sets of a program, atoms of an answer set, and explanations of an atom that are looked at.
ANSWERS, ATOMS, EXPLANATIONS = 4, 40, 1000

#: A rule, by its number in the program, an atom that it derives, and an atom that it needs; None for a fact.
Edge = tuple[int, str, str | None]

#: How a derivation compares with the explanations of the same atom.
COLUMNS = ("equal", "same rules and atoms, other needs", "other", "not decided")


@dataclass(frozen=True)
class Answer:
    """An answer set: its atoms as literals, those of the program that do not hold with `not`; and those asked about."""

    literals: tuple[str, ...]
    asked: tuple[str, ...]


class Explanations:
    """What xclingo says of a program."""

    def __init__(self, text: str) -> None:
        from xclingo import XclingoControl

        self._control = XclingoControl(["0"], n_explanations="0", logger=_silent)
        self._control.add("base", [], text)
        self._control.ground([("base", [])])

    def answers(self) -> Iterator[Answer]:
        """Some answer sets; the atoms of which there are most to say are asked about."""
        every = {str(one.symbol): one.is_fact for one in self._control.symbolic_atoms}
        for model in islice(self._control.solve(), ANSWERS):
            atoms = sorted(map(str, model.symbols(atoms=True)), key=lambda one: (every[one], one))
            yield Answer((*atoms, *(f"not {one}" for one in every if one not in atoms)), tuple(atoms[:ATOMS]))

    def of(self, atom: str, answer: Answer) -> Iterator[frozenset[Edge]]:
        """All explanations of an atom in an answer set.

        As `Explainer._compute_graphs` has it, without the projection to what labels show.
        """
        import clingo
        from xclingo.explainer._utils import XClingoContext
        from xclingo.xclingo_lp import FIRED_LP

        control = clingo.Control(["0"], logger=_silent)
        control.add("base", [], FIRED_LP)
        for name, parameters, program in self._control.explainer.programs:
            control.add(name, parameters, program)
        given = [f"_xclingo_model({one})." for one in answer.literals if not one.startswith("not ")]
        control.add("base", [], f"_xclingo_show_trace({atom}). {' '.join(given)}")
        control.ground([("base", [])], context=XClingoContext())
        with control.solve(yield_=True) as models:
            for model in models:
                yield _behind(atom, _fired(model.symbols(atoms=True)))


def _fired(symbols: Iterable[Any]) -> dict[str, tuple[int, set[str]]]:
    """For each atom the rule that derives it, and the atoms that this needs."""
    fired: dict[str, tuple[int, set[str]]] = {}
    causes = list[tuple[str, str]]()
    for symbol in symbols:
        if symbol.match("_xclingo_f", 4):
            fired[str(symbol.arguments[2])] = symbol.arguments[0].number, set()
        elif symbol.match("_xclingo_direct_cause", 3):
            causes.append((str(symbol.arguments[1]), str(symbol.arguments[2])))
    for effect, cause in causes:
        fired[effect][1].add(cause)
    return fired


def _behind(atom: str, fired: dict[str, tuple[int, set[str]]]) -> frozenset[Edge]:
    """What an atom rests on."""
    edges, waiting, seen = set[Edge](), [atom], set[str]()
    while waiting:
        one = waiting.pop()
        if one in seen or one not in fired:
            continue
        seen.add(one)
        rule, needs = fired[one]
        edges |= {(rule, one, other) for other in needs or (None,)}
        waiting += needs
    return frozenset(edges)


class Derivations:
    """What lpbridge says of a program."""

    def __init__(self, text: str) -> None:
        self._program = Program(text)
        self._number = {one.place: count for count, one in enumerate(self._program.outline().statements, 1)}

    def of(self, atom: str, answer: Answer) -> frozenset[Edge]:
        """The derivation of an atom in an answer set."""
        steps = self._program.trace(atom, assuming=answer.literals).steps
        return _behind(atom, {one.atom: (self._number[one.place], {*one.positive, *one.inside}) for one in steps})

    def close(self) -> None:
        self._program.close()


def compared(text: str) -> tuple[Counter[str], list[str]]:
    """How many derivations of a program are like one of xclingo's, and examples of those that are not."""
    found, differences = Counter[str](), list[str]()
    theirs, ours = Explanations(text), Derivations(text)
    try:
        for answer in theirs.answers():
            for atom in answer.asked:
                mine, every = ours.of(atom, answer), list(islice(theirs.of(atom, answer), EXPLANATIONS))
                how = _alike(mine, every)
                found[how] += 1
                if how != "equal" and len(differences) < 3:
                    differences.append(f"{atom}: {_difference(mine, every)}")
    finally:
        ours.close()
    return found, differences


def _alike(mine: frozenset[Edge], every: list[frozenset[Edge]]) -> str:
    if mine in every:
        return "equal"
    rules = _rules(mine)
    if any(rules == _rules(one) for one in every):
        return "same rules and atoms, other needs"
    return "other" if len(every) < EXPLANATIONS else "not decided"


def _rules(edges: frozenset[Edge]) -> set[tuple[int, str]]:
    return {(rule, atom) for rule, atom, _ in edges}


def _difference(mine: frozenset[Edge], every: list[frozenset[Edge]]) -> str:
    if not every:
        return "xclingo has no explanation"
    nearest = min(every, key=lambda one: len(one ^ mine))
    parts = [("only lpbridge", mine - nearest), ("only xclingo", nearest - mine)]
    return "; ".join(f"{who}: {_told(edges)}" for who, edges in parts if edges)


def _told(edges: frozenset[Edge]) -> str:
    return ", ".join(f"rule {rule} {atom} from {cause or 'nothing'}" for rule, atom, cause in sorted(edges, key=str))


def _silent(*_: object) -> None:
    """What clingo remarks is not part of the comparison."""


def main() -> None:
    """Print a table in Markdown, and the differences."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.xclingo", description="Derivations beside xclingo.")
    parser.add_argument("checkout", type=Path)
    folder = parser.parse_args().checkout
    print(f"{machine()}\n\n| program | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    sums, remarks, empty = Counter[str](), list[str](), 0
    for path in sorted([*folder.glob("*.lp"), *folder.glob("examples/**/*.lp"), *folder.glob("tests/**/*.lp")]):
        name = str(path.relative_to(folder))
        text = path.read_text(encoding="utf-8").replace("%!", "% ")  # on the same lines and columns
        try:
            found, told = compared(text)
        except Exception as error:  # whatever xclingo raises
            remarks.append(f"{name} is refused: {' '.join(str(error).split())[:100]}")
            continue
        sums += found
        empty += not found
        remarks += [f"{name}: {one}" for one in told]
        if found:
            print(f"| {name} | {' | '.join(str(found[column]) for column in COLUMNS)} |", flush=True)
    print(f"| all | {' | '.join(str(sums[column]) for column in COLUMNS)} |\n")
    print(f"{empty} programs have no answer set, or no atom.\n")
    print("\n".join(f"- {one}" for one in remarks))


if __name__ == "__main__":
    main()
