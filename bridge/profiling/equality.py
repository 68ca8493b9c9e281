"""Whether two texts of a program have the same answers, asked of the solver in one or two questions.

An instance may have more answers than can be listed. Where the texts differ in constraints, in rules for predicates
that one of them adds, and in bodies of rules for atoms, a difference shows in an answer set: a constraint that is
violated in one text alone, or a body that holds in one text alone. That there is none is what a solver can refute.

For a body, the answers are the same if it holds in the same answer sets, and what is new in it cannot be derived from
the head: an answer set of one text is then one of the other, and what it derives is derived in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.edits import Text, atoms, body_signatures, head_signatures, signature_of
from bridge.asp.outline import Signature
from bridge.asp.trees import is_atom, is_constraint, names_in


def questions(before: Text, after: Text, others: Sequence[Text] = ()) -> list[list[str]]:
    """Texts to put in place of a text: if none of one list has an answer set, the two have the same answers.

    Of two lists, the first leaves out the other constraints of the text, which is quick, and proves less. There is none
    where the answers cannot be compared this way. `others` are the other texts of the program.
    """
    gone, came = _differing(before, after), _differing(after, before)
    known = {one for text in (before, *others) for rule in text.statements for one in _signatures(rule)}
    new = [one for one in came if not is_constraint(one) and head_signatures(one) and not head_signatures(one) & known]
    rules = [one for one in came if not is_constraint(one) and one not in new]
    replaced = [one for one in gone if not is_constraint(one)]
    if len(replaced) != len(rules) or len(rules) > 1:
        return []
    if not all(one.ast_type is ASTType.Rule and is_atom(one.head) and one.body for one in (*new, *rules, *replaced)):
        return []
    asked = _Question(before, after, others)
    if rules and not asked.keeps_order(replaced[0], rules[0], new):
        return []
    constraints = [
        *(f"{asked.differs}(0) :- {asked.violated(before, one)}." for one in gone if is_constraint(one)),
        *(f"{asked.differs}(1) :- {asked.violated(after, one)}." for one in came if is_constraint(one)),
    ]
    bodies = [
        *(asked.holds(before, one, 0) for one in replaced),
        *(asked.holds(after, one, 1) for one in rules),
    ]
    compared = [*constraints, *bodies, asked.compared(rules)]
    definitions = [after.of(one) for one in new]
    if not rules:
        bases = [
            asked.without(
                before, [one for one in before.statements if one.ast_type is ASTType.Rule and is_constraint(one)]
            ),
            asked.without(before, gone),
        ]
        return [["\n".join([base, *definitions, *compared])] for base in bases]
    return [["\n".join([before.data.decode(), *definitions, *compared]), "\n".join([after.data.decode(), *compared])]]


def _signatures(statement: AST) -> set[Signature]:
    return {signature_of(one) for one in atoms(statement)}


def _differing(one: Text, other: Text) -> list[AST]:
    """The statements of a text that another one has not."""
    left = Counter(map(other.of, other.statements))
    found = []
    for statement in one.statements:
        text = one.of(statement)
        if left[text]:
            left[text] -= 1
        else:
            found.append(statement)
    return found


class _Question:
    """The parts of a question about two texts, with names that neither has."""

    def __init__(self, before: Text, after: Text, others: Sequence[Text]) -> None:
        self._all = [one for text in (before, *others) for one in text.statements]
        data = "\n".join(text.data.decode() for text in (before, after, *others))
        number = 0
        while f"differs{number}" in data or f"holds{number}" in data:
            number += 1
        self.differs, self._holds = f"differs{number}", f"holds{number}"

    def violated(self, text: Text, constraint: AST) -> str:
        """A body that holds where a constraint is violated."""
        body = self._body(text, constraint)
        head = constraint.head
        if head.atom.ast_type is ASTType.BooleanConstant:
            return body or "1 = 1"
        return f"{body}, not {text.of(head)}" if body else f"not {text.of(head)}"

    def _body(self, text: Text, rule: AST) -> str:
        if not rule.body:
            return ""
        begin, end = text.span(rule)
        begin = min(text.span(one)[0] for one in rule.body)
        return text.data[begin:end].decode().rstrip().removesuffix(".") + "\n"

    def holds(self, text: Text, rule: AST, number: int) -> str:
        """A rule for the values of the head's variables for which a body holds."""
        names = sorted(names_in([rule.head]))
        return f"{self._holds}({','.join([str(number), *names])}) :- {self._body(text, rule)}."

    def compared(self, rules: Sequence[AST]) -> str:
        """The constraints by which something has to differ."""
        lines = [f":- {self.differs}(0), {self.differs}(1)."]
        if rules:
            names = ",".join(["", *sorted(names_in([rules[0].head]))])
            lines = [
                f"{self.differs}(2) :- {self._holds}({one}{names}), not {self._holds}({1 - one}{names})."
                for one in (0, 1)
            ]
        return "\n".join([*lines, f":- not {self.differs}(_)."])

    def without(self, text: Text, left_out: Sequence[AST]) -> str:
        """A text without some statements."""
        data = text.data
        for begin, end in sorted(map(text.span, left_out), reverse=True):
            data = data[:begin] + data[end:]
        return data.decode()

    def keeps_order(self, old: AST, rule: AST, new: Sequence[AST]) -> bool:
        """Whether the heads are the same, and what only one of the bodies has does not depend on them."""
        if str(old.head) != str(rule.head):
            return False
        (head,) = head_signatures(rule)
        depends = self._below([*self._all, *new])
        shared = {str(one) for one in old.body} & {str(one) for one in rule.body}
        own = [one for body in (old.body, rule.body) for one in body if str(one) not in shared]
        return not any(signature == head or head in depends(signature) for one in own for signature in _positive(one))

    def _below(self, statements: Sequence[AST]) -> Callable[[Signature], set[Signature]]:
        uses: dict[Signature, set[Signature]] = {}
        for one in statements:
            if one.ast_type is ASTType.Rule:
                for signature in head_signatures(one):
                    uses.setdefault(signature, set()).update(body_signatures(one))

        def depends(signature: Signature) -> set[Signature]:
            found, todo = set[Signature](), [signature]
            while todo:
                for one in uses.get(todo.pop(), ()):
                    if one not in found:
                        found.add(one)
                        todo.append(one)
            return found

        return depends


def _positive(literal: AST) -> Iterator[Signature]:
    """The predicates of a literal, but for an atom with `not`."""
    negated = literal.ast_type is ASTType.Literal and literal.sign != ast.Sign.NoSign
    if not (negated and literal.atom.ast_type is ASTType.SymbolicAtom):
        yield from map(signature_of, atoms(literal))
