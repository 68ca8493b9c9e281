"""Random programs and others that are nearly the same: what is proved has the same answers, by brute force.

The others are the rewritings that `bridge.profiling` proposes, restrictions (a rule only loses what a constraint
excludes), definitions of new predicates, and mutants of all of these. All small instances are asked together: the atoms
of an instance are open, and each answer set says which of them it has. Values are numbers, constants and terms, so that
arithmetic does not hold of all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import Any

import clingo
from clingo import Symbol

from bridge.asp.reading.context import growing
from bridge.asp.reading.text import Text
from bridge.comparison.containment import Prover, same_programs
from bridge.errors import ProgramError
from bridge.profiling.rewriting import Rewriter
from fuzz.campaign import Campaign, Case, Tally, demand

#: Atoms of an instance that are open, and answer sets, beyond which a pair is not compared.
OPEN, MOST_MODELS = 7, 4000

#: Sets of open atoms for which a pair is compared.
ROUNDS = 3

#: Others of a program: restrictions, definitions and mutants, each.
OTHERS = 4

VALUES = ("0", "1", "2", "-1", "a", "f(1)", "f(a)", "g(1)")
ARITIES = {"p": 2, "q": 2, "r": 1, "s": 1, "t": 1}
VARIABLES = "XYZW"

Rule = tuple[str, list[str]]


def _hides(_: object) -> bool:
    """New predicates are no part of an answer."""
    return True


def _shows(_: object) -> bool:
    return False


class Proofs(Campaign):
    """A program and what nearly says the same."""

    name = "proofs"
    weight = 1.0
    round = 3

    def make(self, chance: Random) -> Case:
        odd = chance.choice([0.0, 0.1, 0.3])
        rules = [_rule(chance, odd) for _ in range(chance.choice([1, 1, 1, 2, 2, 3]))]
        more = [_beside(chance) for _ in range(chance.choice([0, 0, 1, 1, 2]))]
        return {"rules": [[*rule] for rule in rules], "more": more, "odd": odd, "seed": chance.randrange(1 << 30)}

    def check(self, case: Case, tally: Tally) -> None:
        chance = Random(case["seed"])
        rules = [(head, list(body)) for head, body in case["rules"]]
        pairs = list(_pairs(chance, rules, case["more"], case["odd"]))
        pairs += [(kind, first, _mutant(chance, other)) for kind, first, other in pairs for _ in range(2)]
        compared = _Compared(chance)
        for kind, first, other in dict.fromkeys(pairs):
            hides = chance.random() < 0.8
            try:
                proved = _proved(first, other, _hides if hides else _shows, both=chance.random() < 0.3)
            except ProgramError:
                tally["not read"] += 1
                continue
            tally[f"{'proved' if proved else 'not proved'}: {kind}"] += 1
            if not proved or first == other:
                continue
            if (instance := compared.difference(first, other, hides, tally)) is not None:
                demand("proof", False, f"{kind}: {first!r} and {other!r} differ, hidden={hides}: {instance}")

    def smaller(self, case: Case) -> Iterator[Case]:
        for key in ("more", "rules"):
            for at in range(len(case[key])):
                left = [*case[key][:at], *case[key][at + 1 :]]
                if left or key == "more":
                    yield {**case, key: left}


def _pairs(chance: Random, rules: list[Rule], more: Sequence[str], odd: float) -> Iterator[tuple[str, str, str]]:
    """A kind, a program, and another one that may be the same."""

    def text(some: Sequence[Rule], *beside: str) -> str:
        return "\n".join([*map(_text, some), *more, *beside])

    first = text(rules)
    try:
        read = _read(first)
        rewriter = Rewriter(read)
        for statement in read.statements:
            for one in rewriter.of(statement):
                yield one.kind, first, one.applied(read)
    except ProgramError:
        return
    for _ in range(OTHERS):
        yield "mutant", first, _mutant(chance, first)
        changed = [(head, list(body)) for head, body in rules]
        _change(chance, chance.choice(changed)[1], odd)
        yield "literals", first, text(changed)
        yield "definition", first, text(*_defined(chance, rules))
        before, after = _restricted(chance, rules, odd)
        yield "restriction", text(before), text(after)
    yield "another rule", first, text([*rules, _rule(chance, odd)])


def _proved(first: str, other: str, hidden: Callable[[object], bool], both: bool) -> bool:
    if _prover(first).same_on_every_instance(_read(other), hidden):
        return True
    return both and same_programs([_read(first)], [_read(other)], hidden)


@lru_cache(100)
def _prover(text: str) -> Prover:
    return Prover(_read(text))


@lru_cache(1000)
def _read(text: str) -> Text:
    return Text(text)


# Programs


def _text(rule: Rule) -> str:
    head, body = rule
    return f"{head} :- {'; '.join(body)}.".lstrip() if body else f"{head}."


def _rule(chance: Random, odd: float) -> Rule:
    """A rule; `odd` is the share of what is not a variable, an atom or a plain comparison."""
    names = VARIABLES[: chance.randint(1, 4)]
    bound = [_atom(chance, names, odd) for _ in range(chance.randint(1, 2))]
    plain = sorted(set(re.findall(r"(?<=[(,])[XYZW](?=[),])", " ".join(bound)))) or ["X"]
    if plain == ["X"]:
        bound.append("r(X)")
    body = [*bound, *(_literal(chance, plain, odd) for _ in range(chance.choice([0, 1, 1, 2, 2, 3])))]
    chance.shuffle(body)
    one, other = chance.choice(plain), chance.choice(plain)
    heads = [
        *[f"t({one})"] * 5, f"t({one}+1)", f"t(f({one}))", f"{{ t({one}) }}", f"{{ t({one}) : r({other}) }}",
        f"{{ t(V) : p(V,{one}) }} = 1", f"t({one}); s({other})", f"t(V) : q(V,{one})", f"{one} = {other}",
        f"{one} != 0..1", f"not t({one})", f"-t({one})", f"t({one};{other})", "t(0..1)", "u", f"not not t({one})",
    ]  # fmt: skip
    return chance.choice(["", heads[0], chance.choice(heads) if chance.random() < 2 * odd else heads[0]]), body


def _term(chance: Random, names: Sequence[str], odd: float) -> str:
    name, other = chance.choice(names), chance.choice(names)
    plain = ["0", "1", "a", f"f({name})", f"g({name})", f"{name}+1", f"{name}-{other}", "_"]
    others = [
        f"-{name}", f"|{name}-{other}|", f"{name}*{other}", f"{name}/{other}", f"2*{name}", f"f({name}+1)", "0..1",
        "(0;1)", f"{name}\\2", f"({name},{other})", "c",
    ]  # fmt: skip
    if chance.random() < 0.8:
        return name
    return chance.choice(others if chance.random() < 2 * odd else plain)


def _atom(chance: Random, names: Sequence[str], odd: float) -> str:
    name = chance.choice("ppqqrrs")
    return f"{name}({','.join(_term(chance, names, odd) for _ in range(ARITIES[name]))})"


def _literal(chance: Random, names: Sequence[str], odd: float) -> str:
    one = chance.choice(names)
    if chance.random() >= odd:
        if chance.random() < 0.4:
            return chance.choice(["", "", "", "not ", "not ", "not not ", "-"]) + _atom(chance, names, odd)
        operator = chance.choice(["<", "!=", "!=", "<=", "=", "=", ">", ">="])
        left, right = (_term(chance, names, odd) if chance.random() < 0.5 else chance.choice(names) for _ in range(2))
        if chance.random() < odd:
            left, right = (f"({each},{_term(chance, names, odd)})" for each in (left, right))
        right = left if chance.random() < 0.1 else right
        right += f" {operator} {one}" if chance.random() < odd / 2 else ""
        return chance.choice(["", "", "", "not "]) + f"{left} {operator} {right}".replace("_", "1")
    if chance.random() < 0.3:
        return f"{_atom(chance, [*names, 'V'], odd)} : {_atom(chance, [*names, 'V'], odd)}"
    return chance.choice([
        f"#count {{ V : p({one},V) }} > 1", f"2 <= #count {{ V,U : q(V,U), p({one},V) }}", f"{{ p({one},V) }} > 1",
        "#count { V+1,U : q(V,U) } > 1", f"#count {{ V : p({one},V); V : q(V,{one}) }} > 1", "{ r(V); s(V) } >= 2",
        f"#count {{ V,1 : r(V); V : q(V,{one}) }} > 1", f"#sum {{ W,V : q(V,W), r({one}) }} > 1",
        f"not #count {{ V : p({one},V) }} > 1", f"{one} = #sum {{ V : r(V) }}", f"#min {{ V : q(V,{one}) }} < 1",
        f"#count {{ 0..1 : r({one}) }} > 1", f"#count {{ V : p({one},V), not s(V) }} > 1", "#count { V : r(V) } < 2",
    ])  # fmt: skip


def _beside(chance: Random) -> str:
    return chance.choice([
        ":- t(X), not s(X).", ":- t(X), not s(X).", ":- t(X), X != 0..1.", ":- t(X), X > 1.", "s(X) :- t(X).",
        "s(X;X) :- t(X).", "s(f(X)) :- t(X).", "#show t/1.", "#show X : t(X).", ":~ t(X). [1,X]", "t(X) :- s(X).",
        "#minimize { 1,X : t(X) }.", "#program extra.", "#const c = 1.", "{ t(X) } :- s(X).", "s(1) :- not t(1).",
        "r(X) :- t(Y), p(X,Y).", "u :- t(X) : r(X).", ":- u.", "t(X) :- r(X).", "#external s(1).",
    ])  # fmt: skip


# Others


def _change(chance: Random, body: list[str], odd: float) -> None:
    """Change the literals of a body a little."""
    for _ in range(chance.choice([1, 1, 2])):
        kind, at = chance.randrange(4), chance.randrange(len(body)) if body else 0
        if kind == 0 and len(body) > 1:
            del body[at]
        elif kind == 1 and body:  # another one like it
            one, fresh = chance.choice(VARIABLES), chance.choice("_TUX")
            body.insert(chance.randrange(len(body) + 1), body[at].replace(one, fresh))
        elif kind == 2:
            body.append(_literal(chance, VARIABLES[:2], odd))
        else:
            chance.shuffle(body)


def _defined(chance: Random, rules: Sequence[Rule]) -> tuple[list[Rule], str]:
    """The program with a predicate of its own for some literals, rightly or not."""
    at = chance.randrange(len(rules))
    head, body = rules[at]
    inside = [one for one in body if chance.random() < 0.6]
    names = sorted(set(re.findall(r"[XYZW]", " ".join(inside))))
    if names and chance.random() < 0.15:
        names.remove(chance.choice(names))
    atom = f"k({','.join(names)})" if names else "k"
    signed = chance.choice([*[atom] * 8, f"not not {atom}", f"not {atom}"])
    changed = [*rules[:at], (head, [*(one for one in body if one not in inside), signed]), *rules[at + 1 :]]
    odd = ["k1 :- not k1.", "k1 :- k1.", "k1. -k1.", f"{{ {atom} }} :- {'; '.join(body)}.", f":- {atom}.", "k1."]
    return [*changed, (atom, inside)], chance.choice([*[""] * 6, *odd])


def _restricted(chance: Random, rules: Sequence[Rule], odd: float) -> tuple[list[Rule], list[Rule]]:
    """A program, and the one in which a rule lost what a constraint excludes, rightly or with one fault."""
    fault = chance.choice(["", "", "", "more", "not forbidden", "not left out", "sign", "change", "swap", "depends"])
    at = chance.randrange(len(rules))
    head, body = rules[at]
    if not re.fullmatch(r"-?t\([^;]*\)|u", head):
        head = "t(X)"
    names = sorted(set(re.findall(r"[XYZW]", head + " ".join(body)))) or ["X"]
    test = _literal(chance, names, odd) if chance.random() < 0.3 else f"s({_term(chance, names, odd)})"
    if fault == "sign":
        test = f"not {test}"
    opposite = test if fault == "sign" else f"not {test}"
    forbids: Rule = "", [head, *(body if chance.random() < 0.6 else []), opposite]
    rest = [*rules[:at], *rules[at + 1 :], *([forbids] if fault != "not forbidden" else [])]
    if fault == "depends":
        rest.append(chance.choice([("s(V)", ["t(V)"]), ("s(V;V)", ["t(V)"]), ("s(V)", ["r(V)", "u"])]))
    changed: Rule = head, [*body, test]
    after = [*rest, changed, *([("", [*body, opposite])] if fault != "not left out" else [])]
    if fault == "change":
        _change(chance, chance.choice([changed, after[-1]])[1], odd)
    if fault == "more":
        after.append(("", chance.choice([["u"], [*body], [head], [_atom(chance, names, odd), opposite]])))
    if fault == "swap":  # what stands there twice stands there once, beside something else
        changed[1].insert(0, _literal(chance, names, odd))
        body = [*body, chance.choice(body)]
    return [*rest, (head, body)], after


_TOKENS = re.compile(r"\bnot |!=|<=|>=|[<>=]|\b[XYZWVU]\b|\b\d\b|\b[pqrstfg](?=\()|#\w+(?= ?\{)|\+|[;,]")


def _mutant(chance: Random, text: str) -> str:
    """The text with another variable, number, name or sign, or with two variables exchanged everywhere."""
    one, other = chance.sample(VARIABLES, 2)
    if chance.random() < 0.2:
        return text.translate(str.maketrans(one + other, other + one))
    places = list(_TOKENS.finditer(text))
    if not places:
        return text
    found = chance.choice(places)
    token = found[0]
    if token in "XYZWVU":
        by = chance.choice([other, other, f"{token}+0", f"-{token}", f"f({token})", "_", "1"])
    elif token.isdigit():
        by = chance.choice([str(int(token) + 1), "0", "a", "c", other])
    elif token in ("f", "g"):
        by = "g" if token == "f" else "f"
    elif token[0] == "#":
        by = chance.choice(["#count", "#sum", "#minimize", "#maximize", "#min"])
    elif token in ARITIES:
        by = chance.choice([name for name, arity in ARITIES.items() if arity == ARITIES[token]])
    elif token == "not ":
        by = chance.choice(["", "not not "])
    elif token in "+;,":
        by = chance.choice("-*;,")
    else:
        by = chance.choice(["!=", "<", "<=", ">", ">=", "="])
    return f"{text[: found.start()]}{by}{text[found.end() :]}"


# Brute force

#: How often each answer comes: the numbers of its atoms, and of what is shown, and what it costs.
Answers = Counter[tuple[frozenset[int], frozenset[int], frozenset[tuple[int, int]]]]


class _Compared:
    """Compares the answers on instances, some at a time; those of a program are kept."""

    def __init__(self, chance: Random) -> None:
        self._instances = []
        for _ in range(ROUNDS):
            values = chance.sample(VALUES, chance.randint(2, 3))
            atoms = {_atom_of(chance, values) for _ in range(3 * OPEN)}
            self._instances.append(sorted(atoms))
        self._kept: dict[tuple[str, tuple[str, ...], frozenset[str] | None], Answers | None] = {}

    def difference(self, first: str, other: str, hides: bool, tally: Tally) -> str | None:
        """What differs; None where nothing does, or where it is not known."""
        common = _read(first).words & _read(other).words
        for atoms in self._instances:
            opened = tuple([one for one in atoms if one.lstrip("-")[0] in common][:OPEN])
            for parts in ([], ["extra"]) if "#program" in first + other else ([],):
                found = [self._answers(one, opened, common if hides else None, parts) for one in (first, other)]
                if None in found:
                    tally["proved, and refused or too large"] += 1
                    return None
                if found[0] != found[1]:
                    one, two = (each or Counter() for each in found)
                    atoms_, shown, cost = next(iter((one - two) + (two - one)))
                    texts = (sorted(str(_symbol(number)) for number in each) for each in (atoms_, shown))
                    return f"{opened} open: {[*texts, cost]}"
        tally["compared"] += 1
        return None

    def _answers(
        self, text: str, opened: tuple[str, ...], seen: frozenset[str] | None, parts: Sequence[str]
    ) -> Answers | None:
        key = text, (*opened, *parts), seen
        if key not in self._kept:
            self._kept[key] = None
            if not growing(_read(text).statements):  # it may have no end
                with suppress(RuntimeError):  # one that is not safe
                    self._kept[key] = _answers(text, opened, seen, parts)
        return self._kept[key]


def _symbol(number: int) -> Symbol:
    return Symbol(number)  # type: ignore[no-untyped-call]


def _cost(model: clingo.Model) -> frozenset[tuple[int, int]]:
    """What it costs at each priority, where it costs something: what cannot cost anything may be ground away."""
    return frozenset(one for one in zip(model.priority, model.cost, strict=True) if one[1])


def _ids(symbols: Any) -> frozenset[int]:
    """The numbers of the symbols of a model, without an object for each."""
    return frozenset(symbols._p_symbols)


def _atom_of(chance: Random, values: Sequence[str]) -> str:
    name = chance.choice([*"ppqqrsst", *"-" * (chance.random() < 0.1)])
    sign, name = ("-", "t") if name == "-" else ("", name)
    return f"{sign}{name}({','.join(chance.choice(values) for _ in range(ARITIES[name]))})"


def _answers(text: str, opened: Sequence[str], seen: frozenset[str] | None, parts: Sequence[str]) -> Answers | None:
    """The answers of all instances; None where there are too many. Predicates that are not `seen` are hidden."""
    control = clingo.Control([f"{MOST_MODELS}", "--opt-mode=enum", "-Wnone"], logger=lambda code, message: None)
    instance = "".join(f"{{ open({number}) }}. {atom} :- open({number}). " for number, atom in enumerate(opened))
    control.add("base", [], f"{text}\n#program base.\n{instance}\n")
    control.ground([("base", []), *((part, []) for part in parts)])
    atoms: Any = control.symbolic_atoms if seen is not None else ()
    hidden = frozenset(one.symbol._rep for one in atoms if one.symbol.name not in {*(seen or ()), "open"})
    found: Answers = Counter()
    with control.solve(yield_=True) as handle:
        for model in handle:
            shown = _ids(model.symbols(shown=True)) if "#show" in text else frozenset[int]()
            found[_ids(model.symbols(atoms=True)) - hidden, shown - hidden, _cost(model)] += 1
    return None if found.total() >= MOST_MODELS else found
