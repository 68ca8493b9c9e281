"""Random rules, rewritten and wrongly rewritten: what is proved has the same answers on random instances.

The answers are those of a plain Control. The facts of an instance are numbers, constants and terms, so that arithmetic
does not hold of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random

import clingo

from bridge.asp.containment import Prover
from bridge.asp.edits import Text
from bridge.errors import ProgramError
from bridge.profiling.rewriting import Rewriter
from fuzz.campaign import Campaign, Case, Tally, demand

#: Instances on which two programs are compared.
INSTANCES = 12

#: Atoms of an instance that may be chosen, at most.
CHOSEN = 6

DOMAIN = ("0", "1", "2", "a", "f(1)")
ATOMS = (("p", 2), ("q", 2), ("r", 1), ("s", 1), ("t", 1))
SHOWN = "".join(f"#show {name}/{arity}. " for name, arity in ATOMS)
VARIABLES = "XYZW"


class Proofs(Campaign):
    """A rule and what is proposed in its place, and mutants of both."""

    name = "proofs"
    weight = 1.0
    round = 4

    def make(self, chance: Random) -> Case:
        rule, beside = _rule(chance), chance.choice(["", "", _rule(chance)])
        return {"rule": rule, "beside": beside, "seed": chance.randrange(1 << 30)}

    def check(self, case: Case, tally: Tally) -> None:
        chance = Random(case["seed"])
        first = f"{case['rule']}\n{case['beside']}"
        instances = [_instance(chance) for _ in range(INSTANCES)]
        try:
            text = Text(first)
            others = [one.applied(text) for one in Rewriter(text).of(text.statements[0])]
        except ProgramError:
            return
        mutants = [_mutant(chance, one) for one in (first, *others)]
        prover = Prover(text)
        for other in dict.fromkeys([*others, *mutants, f"{_mutant(chance, mutants[0])}"]):
            try:
                proved = prover.same_on_every_instance(Text(other))
            except ProgramError:
                continue
            tally["proved" if proved else "not proved"] += 1
            for instance in instances if proved else ():
                try:
                    same = _answers(first, instance) == _answers(other, instance)
                except RuntimeError:  # one that is not safe
                    break
                demand("proof", same, f"{first!r} and {other!r} differ on {instance!r}")

    def smaller(self, case: Case) -> Iterator[Case]:
        if case["beside"]:
            yield {**case, "beside": ""}


def _term(chance: Random, names: str) -> str:
    name = chance.choice(names)
    return chance.choice([*[name] * 12, f"{name}+1", f"{name}+1", str(chance.randint(0, 2)), f"f({name})", "a"])


def _rule(chance: Random) -> str:
    names = VARIABLES[: chance.randint(2, 4)]
    body, plain = list[str](), list[str]()
    while not plain:
        atoms = (chance.choice([*ATOMS[:3], ATOMS[0]]) for _ in range(chance.randint(1, 3)))
        body = [f"{name}({','.join(_term(chance, names) for _ in range(arity))})" for name, arity in atoms]
        plain = sorted(set(re.findall(r"(?<=[(,])[XYZW](?=[),])", " ".join(body))))
    one = chance.choice(plain)
    heads = [f"t({one}) ", f"{{ t({one}) }} ", f"{{ t({one}) : r({chance.choice(names)}) }} "]
    head = chance.choice(["", "", "", *heads])
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        operator = chance.choice(["<", "!=", "!=", "<=", "=", ">"])
        left, right, more = (chance.choice(plain) for _ in range(3))
        right = chance.choice([right, right, "1", f"{right}+1", f"{right}-{more}"])
        left = chance.choice([left, left, left, f"{left}+{more}"])
        body.append(chance.choice([f"{left} {operator} {right}"] * 6 + [f"({more},{left}) != ({one},{right})"]))
    if chance.random() < 0.2:
        body.append(f"not s({one})")
    if chance.random() < 0.1:
        body.append(f"#sum {{ W,V : q(V,W), r({one}) }} > 1")
    if chance.random() < 0.25:
        numbers = (
            f"#count {{ V : p({one},V) }} > 1",
            f"2 <= #count {{ V,U : q(V,U), p({one},V) }}",
            f"{{ p({one},V) }} > 1",
            f"#count {{ V : p({one},V); V : q(V,{one}) }} > 1",
        )
        body.append(chance.choice(numbers))
    chance.shuffle(body)
    return f"{head}:- {', '.join(body)}."


def _mutant(chance: Random, text: str) -> str:
    """The text with another variable, operator or literal, or with two variables exchanged everywhere."""
    one, other = chance.sample(VARIABLES, 2)
    kind = chance.randrange(4)
    if kind == 0 and (places := [found.start() for found in re.finditer(one, text)]):
        at = chance.choice(places)
        return f"{text[:at]}{other}{text[at + 1 :]}"
    if kind == 1:
        return re.sub("!=|<=|(?<= )[<>=](?= )", lambda _: chance.choice(["!=", "<", "<=", ">", "="]), text, count=1)
    if kind == 2:
        return text.translate(str.maketrans(one + other, other + one))
    head, _, body = text.partition(":-")
    literals = re.split(r", (?![^{]*\})", body.split(".")[0].strip())
    literals = chance.choice([literals[1:], literals[:-1], [*literals, literals[0]]])
    return f"{head}:- {', '.join(literals)}{body[body.find('.') :]}"


def _instance(chance: Random) -> str:
    facts, chosen = list[str](), list[str]()
    for name, arity in ATOMS:
        for values in product(DOMAIN, repeat=arity):
            roll, few = chance.random(), 0.12 if arity == 2 else 0.3
            atom = f"{name}({','.join(values)})"
            if roll < few:
                chosen.append(f"{{ {atom} }}.")
            elif roll < few + 0.1:
                facts.append(f"{atom}.")
    chance.shuffle(chosen)
    return " ".join([*facts, *chosen[:CHOSEN]])


def _answers(text: str, instance: str) -> set[frozenset[str]]:
    control = clingo.Control(["0"], logger=lambda code, message: None)
    control.add("base", [], f"{text}\n{instance}\n{SHOWN}\n")
    control.ground([("base", [])])
    found = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.add(frozenset(map(str, model.symbols(shown=True))))
    return found
