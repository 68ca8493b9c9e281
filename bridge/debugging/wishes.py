"""What is known where an atom is missing, or unwanted: why it is, and which changes of the program are no repair.

Nearly every change does away with an unwanted atom, and nearly every fact brings a missing one. So:

- facts and constants are changed only where they are in question, too: with other data the program is as wrong as
  before;
- of an unwanted atom, the rules by which it is derived are changed, constraints and choices;
- a missing atom is not made true by itself: a rule does not become a fact, and no fact is added;
- no constant stands in place of a variable: with other data the program is as wrong as before;
- what is minimised keeps its conditions;
- a rule gets no negation of its own head, and not its head itself, as a condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.analysis import support_lines
from bridge.asp import Program
from bridge.asp.reading import KEPT, Text, head_signatures, is_choice, is_constraint, nodes, signatures
from bridge.asp.running import Why
from bridge.common import listed
from bridge.errors import BridgeError, Place, ProgramError
from bridge.limits import Limits
from bridge.problem import AspProblem, signature

#: Rules of a derivation that are shown, and atoms that one of them needs.
STEPS, SHOWN = 3, 4


@dataclass(frozen=True)
class Wished:
    """What is known of the atoms that are wished for."""

    missing: bool  #: Whether some atom is missing.
    #: Of unwanted atoms, the lines of the rules by which they are derived in an answer set; None where not known.
    lines: Collection[int] | None = None
    because: tuple[str, ...] = ()  #: How the unwanted atom is derived, or what the missing one would need, in lines.
    rules: tuple[Place, ...] = ()  #: The rules by which it is, or would be.
    #: Whether an unwanted atom is derived by a rule: what is chosen only gives the occasion.
    derived: bool = False
    unwanted: tuple[str, ...] = ()  #: The unwanted atoms.
    #: Whether missing atoms are in some answer, but in none of least cost: what is minimised is wrong.
    costs: bool = False
    facts: bool = False  #: Whether facts and constants are in question, too.

    def allows(self, statement: AST, after: str) -> bool:
        """Whether a statement may be changed into a text; empty where it is left out."""
        if not self.facts and _is_data(statement):
            return False
        if self.lines is not None and not self._matters(statement):
            return False
        if self.costs and statement.ast_type is not ASTType.Minimize:
            return False
        if self.missing and statement.ast_type is ASTType.Minimize:
            several = _statements(after) or _statements(f"#minimize {{ {after} }}.")  # an element of it
            kept = [len(one.body) for one in several if one.ast_type is ASTType.Minimize]
            return len(kept) == 1 and kept[0] >= len(statement.body)
        own = _own(statement)
        for one in _rules(after):
            if _ground_more(statement, one):
                return False
            new = _own(one) - own
            if self.missing and _is_fact(one) and not _is_fact(statement):
                return False
            if any(negative or same or not self.missing for negative, same, _ in new):
                return False
        return True

    def allows_new(self, rule: str) -> bool:
        """Whether a statement may be added."""
        return not self.costs and not (self.missing and any(map(_is_fact, _rules(rule))))

    def _matters(self, statement: AST) -> bool:
        if statement.ast_type is not ASTType.Rule or _is_fact(statement):
            return _is_data(statement)  # where data are in question
        if is_choice(statement) and self.derived:
            return False
        return is_constraint(statement) or is_choice(statement) or statement.location.begin.line in (self.lines or ())


def _ground_more(statement: AST, after: AST) -> bool:
    """Whether a constant stands in place of a variable: that fits the atoms that are wished for, and no other data."""
    before, now = map(_kinds, (statement, after))
    return now[ASTType.Variable] < before[ASTType.Variable] and now[ASTType.SymbolicTerm] > before[ASTType.SymbolicTerm]


@lru_cache(KEPT)
def _kinds(statement: AST) -> Counter[ASTType]:
    return Counter(node.ast_type for node in nodes(statement))


def _rules(text: str) -> Iterator[AST]:
    return (one for one in _statements(text) if one.ast_type is ASTType.Rule)


def _statements(text: str) -> Sequence[AST]:
    try:
        return Text(text).statements if text else []
    except ProgramError:
        return []


def _is_fact(rule: AST) -> bool:
    return rule.ast_type is ASTType.Rule and not rule.body and not is_choice(rule) and not is_constraint(rule)


def _is_data(statement: AST) -> bool:
    return statement.ast_type is ASTType.Definition or _is_fact(statement)


@lru_cache(KEPT)
def _own(rule: AST) -> frozenset[tuple[bool, bool, str]]:
    """The literals of its own predicate that a rule has as conditions: is it negative, is it the head, and its text."""
    if rule.ast_type is not ASTType.Rule or is_choice(rule) or is_constraint(rule):
        return frozenset()
    heads, head = head_signatures(rule), str(rule.head)
    literals = (node for one in rule.body for node in nodes(one) if node.ast_type is ASTType.Literal)
    used = (one for one in literals if one.atom.ast_type is ASTType.SymbolicAtom and signatures(one) & heads)
    return frozenset((one.sign != ast.Sign.NoSign, str(one.atom) == head, str(one)) for one in used)


# Why


def wished_for(
    problem: AspProblem,
    missing: Sequence[str],
    unwanted: Sequence[str],
    given: Sequence[str],
    limits: Limits,
    optimal: bool = False,
) -> Wished:
    """What is known of atoms that are missing, or unwanted."""
    lines: set[int] | None = None if missing or not unwanted else set()
    because: list[str] = []
    rules: dict[Place, None] = {}
    derived = costs = False
    try:
        with problem.program(limits=limits) as program:
            for atom in missing[:1] if not given else ():
                trace = program.trace(atom, False, possible=True, limits=limits)
                rules |= dict.fromkeys(one.place for one in trace.support or trace.missing)
                if trace.support is not None:
                    because.append(f"nothing can derive {atom}:")
                    because += support_lines(trace, atom, lambda one: problem.backend.where(one.place))
            if optimal and missing:
                costs = program.solve(assuming=[*missing, *given], limits=limits).satisfiable is True
            if len(missing) > 1 and not because:
                because += _together(problem, program, missing, limits)
            for atom in unwanted:
                steps = program.trace(atom, assuming=given, limits=limits).steps
                if lines is not None:
                    lines = lines | {one.place.line or 0 for one in steps} if steps else None
                because += islice(_derived(problem, steps), STEPS if not because else 0)
                rules |= dict.fromkeys(one.place for one in steps if one.kind != "fact")
                derived = derived or bool(steps and steps[-1].kind not in ("fact", "choice", "disjunction"))
    except BridgeError:
        return Wished(bool(missing))
    derived = derived and lines is not None
    return Wished(bool(missing), lines, tuple(because), tuple(rules), derived, tuple(unwanted), costs)


def _together(problem: AspProblem, program: Program, missing: Sequence[str], limits: Limits) -> Iterator[str]:
    """Of atoms that are in some answer each, and in none together: the disjunctions that have them."""
    if all(program.solve(assuming=[atom], limits=limits).satisfiable for atom in missing):
        yield f"some answer has {listed(missing, 'or')}, and none has {'both' if len(missing) == 2 else 'all of them'}"
        wanted = set(map(signature, missing))
        for one in problem.outline.statements:
            if one.kind == "disjunction" and wanted & one.heads:
                head = one.text.partition(":-")[0].strip().removesuffix(".").replace("|", ";")
                yield (
                    f"{problem.backend.where(one.place)}: a disjunction makes no more of its atoms true than needed; "
                    f"`1 {{ {head} }}` makes any of them true"
                )


def _derived(problem: AspProblem, steps: Sequence[Why]) -> Iterator[str]:
    """How an atom is derived, the atom first; of each rule one instance."""
    rules = {one.place: one for one in steps if one.kind != "fact"}  # of each the last, which is nearest to the atom
    for one in reversed(rules.values()):
        needs = [*one.positive, *one.inside, *(f"not {atom}" for atom in one.negative)]
        some = listed([*needs[:SHOWN], f"{len(needs) - SHOWN} more"] if len(needs) > SHOWN else needs)
        if one.kind in ("choice", "disjunction"):
            each = listed([name for name, _ in one.bindings])
            how = f"chosen{f', once for each {each}' if each else ''}{f', given {some}' if needs else ''}"
        else:
            how = f"derived{f' from {some}' if needs else ''}{' alone' if len(needs) == 1 else ''}"
        yield f"{problem.backend.where(one.place)}: {one.atom} is {how}"
