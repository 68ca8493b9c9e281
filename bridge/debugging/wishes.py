"""What is known where an atom is missing, or unwanted: why it is, and which changes of the program are no repair.

Nearly every change does away with an unwanted atom, and nearly every fact brings a missing one. So:

- of an unwanted atom, the rules by which it is derived are changed, constraints and choices; no facts and no constants:
  with other data the program is as wrong as before;
- a missing atom is not made true by itself: a rule does not become a fact, and no fact is added;
- a rule gets no negation of its own head, and not its head itself, as a condition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.analysis.support import support_lines
from bridge.asp.context import head_signatures, signatures
from bridge.asp.text import Text
from bridge.asp.trace import Why
from bridge.asp.trees import is_choice, is_constraint, nodes
from bridge.common.english import listed
from bridge.errors import BridgeError, ProgramError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem

#: Rules of a derivation that are shown, and atoms that one of them needs.
STEPS, SHOWN = 3, 4


@dataclass(frozen=True)
class Wished:
    """What is known of the atoms that are wished for."""

    missing: bool  #: Whether some atom is missing.
    #: Of unwanted atoms, the lines of the rules by which they are derived in an answer set; None where not known.
    lines: Collection[int] | None = None
    because: tuple[str, ...] = ()  #: How the unwanted atom is derived, or what the missing one would need, in lines.

    def allows(self, statement: AST, after: str) -> bool:
        """Whether a statement may be changed into a text; empty where it is left out."""
        if self.lines is not None and not self._matters(statement):
            return False
        own = _own(statement)
        for one in _rules(after):
            new = _own(one) - own
            if self.missing and _is_fact(one) and not _is_fact(statement):
                return False
            if any(negative or same or not self.missing for negative, same, _ in new):
                return False
        return True

    def allows_new(self, rule: str) -> bool:
        """Whether a statement may be added."""
        return not (self.missing and any(map(_is_fact, _rules(rule))))

    def _matters(self, statement: AST) -> bool:
        if statement.ast_type is not ASTType.Rule or _is_fact(statement):
            return False
        return is_constraint(statement) or is_choice(statement) or statement.location.begin.line in (self.lines or ())


def _rules(text: str) -> Iterator[AST]:
    try:
        statements = Text(text).statements if text else []
    except ProgramError:
        return
    yield from (one for one in statements if one.ast_type is ASTType.Rule)


def _is_fact(rule: AST) -> bool:
    return rule.ast_type is ASTType.Rule and not rule.body and not is_choice(rule) and not is_constraint(rule)


def _own(rule: AST) -> set[tuple[bool, bool, str]]:
    """The literals of its own predicate that a rule has as conditions: is it negative, is it the head, and its text."""
    if rule.ast_type is not ASTType.Rule or is_choice(rule) or is_constraint(rule):
        return set()
    heads, head = head_signatures(rule), str(rule.head)
    literals = (node for one in rule.body for node in nodes(one) if node.ast_type is ASTType.Literal)
    used = (one for one in literals if one.atom.ast_type is ASTType.SymbolicAtom and signatures(one) & heads)
    return {(one.sign != ast.Sign.NoSign, str(one.atom) == head, str(one)) for one in used}


# Why


def wished_for(
    problem: AspProblem, missing: Sequence[str], unwanted: Sequence[str], given: Sequence[str], limits: Limits
) -> Wished:
    """What is known of atoms that are missing, or unwanted."""
    lines: set[int] | None = None if missing or not unwanted else set()
    because: list[str] = []
    try:
        with problem.program(limits=limits) as program:
            for atom in missing[:1] if not given else ():
                trace = program.trace(atom, False, possible=True, limits=limits)
                if trace.support is not None:
                    because.append(f"nothing can derive {atom}:")
                    because += support_lines(trace, atom, lambda one: problem.where(one.place))
            for atom in unwanted:
                steps = program.trace(atom, assuming=given, limits=limits).steps
                if lines is not None:
                    lines = lines | {one.place.line or 0 for one in steps} if steps else None
                because += islice(_derived(problem, steps), STEPS if not because else 0)
    except BridgeError:
        return Wished(bool(missing))
    return Wished(bool(missing), lines, tuple(because))


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
        yield f"{problem.where(one.place)}: {one.atom} is {how}"
