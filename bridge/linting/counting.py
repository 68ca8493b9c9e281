"""The checks of what is counted: variables of elements and of the rule, tuples of a sum, the minimum of nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from clingo import SymbolType, ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    Column,
    Signature,
    has_anonymous,
    is_aggregate,
    is_atom,
    is_constraint,
    key,
    names_in,
    nodes,
    signatures,
)
from bridge.linting.checks import COMPARED, binding, together
from bridge.linting.findings import Hit, check
from bridge.linting.program import Scope, Source, Statement, functions, is_number, number_of, step_of

_SEVERAL = (ASTType.Interval, ASTType.Pool)
_COUNT, _MIN, _MAX = ast.AggregateFunction.Count, ast.AggregateFunction.Min, ast.AggregateFunction.Max
_SUMS = (ast.AggregateFunction.Sum, ast.AggregateFunction.SumPlus)


#: Larger bounds are not looked at.
_MANY = 10_000
_AT_MOST = ": what is counted are at most {}"


class _Element(NamedTuple):
    """An element of an aggregate."""

    tuple: list[AST]  #: Its terms; none in braces.
    literals: list[AST]  #: Its atom, if it has one, and its condition.
    outer: set[str]  #: The variables that are bound outside of it.

    @property
    def terms(self) -> list[AST]:
        """Its tuple, or its atom in braces, by which it is counted."""
        return self.tuple or self.literals[:1]

    @property
    def inner(self) -> set[str]:
        """Its own variables."""
        parts = [*self.tuple, *self.literals]
        return names_in(parts) - self.outer | ({"_"} if any(map(has_anonymous, parts)) else set())


class _Aggregate(NamedTuple):
    """An aggregate of a head or a body, or braces."""

    statement: Statement
    node: AST
    function: int | None  #: None of braces, which count their atoms.
    sign: int
    is_head: bool
    elements: list[_Element]

    @property
    def counts(self) -> bool:
        return self.function in (None, _COUNT)

    @property
    def guards(self) -> list[AST]:
        return [one for one in (self.node.left_guard, self.node.right_guard) if one is not None]

    def holds(self, value: int) -> bool | None:
        """Whether it holds for a number of elements; None where a bound is not a number."""
        given = list(guards_of(self.node))
        if len(given) < len(self.guards):
            return None
        met = all((value > number) - (value < number) in compared for compared, number in given)
        return met != (self.sign == ast.Sign.Negation)


def guards_of(aggregate: AST) -> Iterator[tuple[set[int], int]]:
    """The bounds of an aggregate that are numbers: how its value may compare, and the number."""
    for guard, turn in ((aggregate.left_guard, -1), (aggregate.right_guard, 1)):
        if guard is not None and (number := number_of(guard.term)) is not None:
            yield {sign * turn for sign in COMPARED[guard.comparison]}, number


def aggregates(source: Source) -> Iterator[_Aggregate]:
    """The aggregates of a program."""
    for statement in source.statements:
        node = statement.node
        head = [node.head] if statement.kind is ASTType.Rule else []
        body = list(getattr(node, "body", ()))
        choices = (ASTType.Aggregate, ASTType.HeadAggregate)
        several = [(0, one, True) for one in head if one.ast_type in choices]
        several += [(one.sign, one.atom, False) for one in body if is_aggregate(one)]
        for sign, one, is_head in several:
            elements = [_Element(*_parts(element), statement.outer) for element in one.elements]
            function = getattr(one, "function", None)
            yield _Aggregate(statement, one, None if function is None else int(function), int(sign), is_head, elements)


def _parts(element: AST) -> tuple[list[AST], list[AST]]:
    if element.ast_type is ASTType.ConditionalLiteral:
        return [], [element.literal, *element.condition]
    if element.ast_type is ASTType.HeadAggregateElement:
        return list(element.terms), [element.condition.literal, *element.condition.condition]
    return list(element.terms), list(element.condition)


@check("LP012", "constant-bound", "warning")
def bounds(source: Source) -> Iterator[Hit]:
    """A bound of a count that is always met, or that is never met, whatever is counted."""
    for one in aggregates(source):
        numbers = [number for _, number in guards_of(one.node)] if one.counts else []
        if not numbers or one.holds(0) is None:
            continue
        counted = [each.terms for each in one.elements]
        several = (*_SEVERAL, ASTType.Variable)
        known = not any(node.ast_type in several for terms in counted for term in terms for node in nodes(term))
        most = len({", ".join(map(str, terms)) for terms in counted}) if known else max(*numbers, 0) + 1
        if most > _MANY:
            continue
        met = {one.holds(value) != (one.sign == ast.Sign.Negation) for value in range(most + 1)}
        if met == {False}:
            yield Hit(one.statement, one.node, f"this bound is never met{_AT_MOST.format(most) if known else ''}")
        elif met == {True} and not (one.is_head and numbers == [0]):
            yield Hit(one.statement, one.node, "this bound is always met", level="info" if one.is_head else None)


@check("LP030", "own-variable-of-element", "warning")
def own_variables(source: Source) -> Iterator[Hit]:
    """A variable that stands only in elements of an aggregate is another one in each of them."""
    for one in aggregates(source):
        if one.is_head or one.sign or not one.counts:
            continue
        plain = [each for each in one.elements if len(each.literals) == 1 and is_atom(each.literals[0])]
        plain = [each for each in plain if not names_in(each.tuple)]
        names = [each.inner for each in plain]
        if len(set[Signature]().union(*(signatures(each.literals[0]) for each in plain))) < len(plain):
            continue  # atoms of one predicate
        shared = set.intersection(*names) if len(names) > 1 and len(names) == len(one.elements) else set()
        for name in sorted(shared - {"_"}):
            words = f"`{name}` is another variable in each element, so these are counted for all {name} together: "
            words += f"for one {name} in all of them bind it in the body, outside of the braces"
            yield Hit(one.statement, plain[0].literals[0], words)
            break


@check("LP031", "bound-over-all-steps", "warning")
def over_all_steps(source: Source) -> Iterator[Hit]:
    """A bound counts the elements of all steps together, where the step is bound inside of the braces."""
    steps = _steps(source)
    for one in aggregates(source):
        if not one.counts or not one.guards or one.holds(2) is None:
            continue
        excludes = not one.is_head and one.statement.kind is ASTType.Rule and is_constraint(one.statement.node)
        if not (one.is_head or excludes) or one.holds(2) != excludes or one.holds(1) == excludes:
            continue
        for each in one.elements:
            name = _step_within(each, steps, source)
            if name is not None:
                words = f"this bound counts the atoms of all {name} together, since the braces bind {name}: "
                words += f"for a bound of each {name} bind it in the body"
                yield Hit(one.statement, each.literals[0], words)
                break


def _steps(source: Source) -> set[Column]:
    """The columns where `T+1` or `T-1` stands, in a statement with `T` in the same column."""
    found = set[Column]()
    for statement in source.statements:
        plain: dict[tuple[Column, str], None] = {}
        moved: dict[tuple[Column, str], None] = {}
        for atom in statement.atoms:
            for place, term in enumerate(atom.arguments):
                column = (*atom.signature, place)
                if term.ast_type is ASTType.Variable:
                    plain[column, term.name] = None
                elif (name := _moved(term)) is not None:
                    moved[column, name] = None
        found |= {column for column, name in moved if (column, name) in plain}
    return found


def _moved(term: AST) -> str | None:
    """The variable of `T+1` or `T-1`."""
    step = step_of(term)
    return None if step is None or term.ast_type is ASTType.Variable else step[0]


def _step_within(element: _Element, steps: set[Column], source: Source) -> str | None:
    """The variable of a step that is bound in an element, which chooses among others in each step."""
    own = element.inner
    if not element.literals or not is_atom(element.literals[0]):
        return None
    symbol = element.literals[0].atom.symbol
    if symbol.ast_type is not ASTType.Function:
        return None
    signature = symbol.name, len(symbol.arguments)
    of_steps: list[str] = []
    others: list[str] = []
    for place, term in enumerate(symbol.arguments):
        if (name := _moved(term)) in own and name is not None:
            return name if _recurs(element, signature, place, name) else None
        if term.ast_type is ASTType.Variable and term.name in own:
            alike = (*signature, place) in steps
            (of_steps if alike else others).append(term.name)
    if len(of_steps) != 1 or not others:
        return None
    apart = [names_in([one]) for one in element.literals[1:] if is_atom(one)]
    joined = any(of_steps[0] in names and names & set(others) for names in apart)
    return None if joined else of_steps[0]


def _recurs(element: _Element, signature: tuple[str, int], place: int, name: str) -> bool:
    for one in filter(is_atom, element.literals[1:]):
        symbol = one.atom.symbol
        if symbol.ast_type is ASTType.Function and (symbol.name, len(symbol.arguments)) == signature:
            return str(symbol.arguments[place]) == name
    return False


@check("LP032", "counted-variable-is-bound", "warning")
def bound_outside(source: Source) -> Iterator[Hit]:
    """A variable that the body binds has one value in each instance of the rule, so nothing is counted over it."""
    for one in aggregates(source):
        if not one.elements or not one.guards or one.statement.part:
            continue
        (first, *others) = one.elements
        names = sorted(names_in(first.terms) & first.outer)
        if others or not names or any(node.ast_type in _SEVERAL for part in first.literals for node in nodes(part)):
            continue
        if any(node.ast_type is ASTType.Pool for node in nodes(one.statement.node)):
            continue  # a rule of each alternative, and not each has to bind them
        if one.is_head and one.function is None and not first.inner:
            if (one.holds(0), one.holds(1)) == (False, True):
                words = f"for each {' and '.join(names)} there is a choice of its own, of one atom, which the bound "
                words += "derives: what is chosen among is bound inside of the braces, behind `:`"
                yield Hit(one.statement, one.node, words)
        elif not one.is_head and one.function is not None:
            yield from _tuple_of_bound(one, first, names)
        elif not one.is_head and not first.inner and one.holds(0) is not None and len(names) > 1:
            yield Hit(one.statement, first.literals[0], _one_value(names, "the braces count at most one atom"))


def _tuple_of_bound(one: _Aggregate, element: _Element, names: list[str]) -> Iterator[Hit]:
    """Where all of a tuple, but for the weight, is bound outside."""
    item = element.tuple if one.counts else element.tuple[1:]
    if one.function in (_MIN, _MAX) or not names_in(item) or names_in(item) & element.inner:
        return
    if not one.counts and not one.guards:
        return
    what = "the count is at most 1" if one.counts else "the sum has one item"
    names = sorted(names_in(item))
    yield Hit(one.statement, element.tuple[0], _one_value(names, what))


def _one_value(names: list[str], what: str) -> str:
    many = f"`{', '.join(names)}` {'has one value' if len(names) == 1 else 'have one value each'}"
    return f"{many} here, which the body binds outside of the braces, so {what}"


@check("LP033", "equal-tuples", "warning")
def equal_tuples(source: Source) -> Iterator[Hit]:
    """The tuples of a sum, a count, or a minimisation are a set: two elements with the same tuple count once."""
    for one in aggregates(source):
        if one.function in (_COUNT, *_SUMS):
            tuples = [(one.statement, each.tuple, each.literals) for each in one.elements]
            yield from _equal(source, tuples, one.function != _COUNT)
    minimized = [one for one in source.statements if one.kind is ASTType.Minimize and not one.part]
    yield from _equal(
        source, [(one, [one.node.weight, *one.node.terms, one.node.priority], list(one.node.body)) for one in minimized]
    )


_Tuple = tuple[Statement, list[AST], list[AST]]


def _equal(source: Source, tuples: Sequence[_Tuple], variables: bool = True) -> Iterator[Hit]:
    """The elements whose tuple is that of an earlier one, with another condition."""
    seen: dict[tuple[str, ...], list[_Tuple]] = {}
    for one in tuples:
        statement, terms, literals = one
        form = tuple("_" if term.ast_type is ASTType.Variable else str(term) for term in terms)
        before = seen.setdefault(form, [])
        simple = all(term.ast_type is ASTType.Variable or number_of(term) is not None for term in terms)
        for other, others, theirs in before if simple and terms else ():
            if list(map(str, literals)) == list(map(str, theirs)) or _exclude(literals, theirs):
                continue
            if names_in(terms):
                columns = zip(_sets(source, one), _sets(source, (other, others, theirs)), strict=True)
                if not variables or not all((a is None and b is None) or (a and b and a & b) for a, b in columns):
                    continue
            same = f"`{', '.join(map(str, terms[: len(terms) - (statement.kind is ASTType.Minimize)]))}`"
            line = others[0].location.begin.line
            of = " above" if line == terms[0].location.begin.line and other is statement else f" in line {line}"
            words = f"the tuple {same} is the same as that{of}: where both hold, it counts once; a further term makes "
            words += "them different"
            yield Hit(statement, terms[0], words, level="info" if names_in(terms) else None)
            break
        before.append(one)


def _exclude(literals: Iterable[AST], others: Iterable[AST]) -> bool:
    """Whether a literal of one condition is the negation of one of the other."""
    one, other = set(map(str, literals)), set(map(str, others))
    return any(f"not {text}" in other for text in one) or any(f"not {text}" in one for text in other)


def _sets(source: Source, one: _Tuple) -> list[set[str] | None]:
    """The values of the variables of a tuple, empty where they are not known; None of a constant."""
    statement, terms, literals = one
    bound = source.bound(_scope(statement, literals), source.values)
    return [bound.get(term.name, set()) if term.ast_type is ASTType.Variable else None for term in terms]


def _scope(statement: Statement, literals: Iterable[AST]) -> Scope:
    """The scope of an element, by the atoms in it."""
    inside = {
        key(node) for one in literals for atom in nodes(one) if atom.ast_type is ASTType.SymbolicAtom
        for _, node in functions(atom.symbol)
    }
    scopes = (one for one in statement.scopes if any(key(atom.node) in inside for atom in one.atoms))
    return next(scopes, statement.scopes[0])


@check("LP034", "weight-is-no-number", "warning")
def weights(source: Source) -> Iterator[Hit]:
    """The first term of a tuple is its weight; clingo leaves out a tuple whose weight is not a number."""
    several: list[_Tuple] = []
    for one in aggregates(source):
        if one.function in _SUMS:
            several += [(one.statement, each.tuple, each.literals) for each in one.elements]
    for statement in source.statements:
        if statement.kind is ASTType.Minimize:
            several.append((statement, [statement.node.weight, *statement.node.terms], list(statement.node.body)))
    for statement, terms, literals in several:
        if terms and (hit := _constant_weight(source, statement, terms[0])) is not None:
            yield hit
        if not terms or terms[0].ast_type is not ASTType.Variable:
            continue
        sets = _sets(source, (statement, terms, literals))
        values = sets[0] or set()
        if not values or any(map(is_number, values)):
            continue
        name = terms[0].name
        numbers = [at for at, known in enumerate(sets) if known and all(map(is_number, known))]
        order = [terms[at] for at in numbers[:1]] + [one for at, one in enumerate(terms) if at not in numbers[:1]]
        words = f"the first term of a tuple is its weight, and `{name}` is never a number ({min(values)} is one of its "
        words += "values): such a tuple is left out"
        suggestion = ",".join(map(str, order)) if numbers else None
        yield Hit(statement, terms[0], words, suggestion)


def _constant_weight(source: Source, statement: Statement, weight: AST) -> Hit | None:
    """A weight that is a constant or a string, whatever holds."""
    if weight.ast_type is ASTType.UnaryOperation:  # of `#maximize`
        weight = weight.argument
    if weight.ast_type is not ASTType.SymbolicTerm or str(weight.symbol) in source.constants:
        return None
    if weight.symbol.type not in (SymbolType.Function, SymbolType.String):
        return None
    words = f"the first term of a tuple is its weight, and {weight.symbol} is no number: such a tuple is left out"
    arities = sorted({arity for name, arity in source.derived if name == str(weight.symbol)})
    if not arities:
        return Hit(statement, weight, words)
    variables = ",".join("XYZUVW"[: arities[0]])
    atom = f"{weight.symbol}({variables})" if variables else str(weight.symbol)
    return Hit(statement, weight, words, f"1{',' * bool(variables)}{variables} : {atom}")


@check("LP035", "minimum-of-nothing", "info")
def extremes(source: Source) -> Iterator[Hit]:
    """`#min` of nothing is `#sup`, and `#max` of nothing is `#inf`: these are no numbers."""
    found: dict[Column, tuple[Statement, str]] = {}
    for one in aggregates(source):
        (guard, *more) = one.guards or (None,)
        if one.function not in (_MIN, _MAX) or one.is_head or more or guard is None:
            continue
        name = guard.term.name if guard.term.ast_type is ASTType.Variable else None
        if name is None or guard.comparison != ast.ComparisonOperator.Equal or one.sign or _sure(one, source.fixed):
            continue
        nothing = "`#min` of nothing is #sup" if one.function == _MIN else "`#max` of nothing is #inf"
        if _compared(one.statement, name):
            continue
        for node in _calculated(one.statement, name):
            yield _without_value(one.statement, node, name, f"{nothing}")
        for atom in one.statement.heads:
            for place, term in enumerate(atom.arguments):
                if str(term) == name:
                    line = one.statement.node.location.begin.line
                    found[(*atom.signature, place)] = one.statement, f"{nothing} (line {line})"
    for column, (_, nothing) in found.items():
        for statement, atom in source.uses.get(column[:2], ()):
            term = atom.arguments[column[2]]
            if atom.role == "positive" and term.ast_type is ASTType.Variable and not _compared(statement, term.name):
                for node in _calculated(statement, term.name):
                    yield _without_value(statement, node, term.name, nothing)


def _without_value(statement: Statement, node: AST, name: str, nothing: str) -> Hit:
    sup = nothing.partition(" is ")[2].partition(" ")[0]
    text = statement.text.of(node)
    words = f"{nothing}, and `{text}` has no value for it (operation undefined): such an instance is left out; "
    return Hit(statement, node, f"{words}`{name} != {sup}` says that this is meant")


def _sure(one: _Aggregate, fixed: set[Signature]) -> bool:
    """Whether an element is the same in each answer set, so that its author knows whether there is one."""
    for element in one.elements:
        atoms = [literal for literal in element.literals if is_atom(literal)]
        known = all(signatures(literal) <= fixed and not names_in([literal]) & element.outer for literal in atoms)
        if known and atoms:
            return True
    return False


def _compared(statement: Statement, name: str) -> bool:
    """Whether a comparison excludes a value of a variable."""
    for scope in statement.scopes:
        for one in scope.comparisons:
            sides = [one.term, *(guard.term for guard in one.guards)]
            if any(side.ast_type is ASTType.Variable and side.name == name for side in sides):
                return True
    return False


def _calculated(statement: Statement, name: str) -> Iterator[AST]:
    """The largest arithmetic terms with a variable."""
    waiting = [statement.node]
    while waiting:
        one = waiting.pop()
        if one.ast_type is ASTType.BinaryOperation:
            if name in names_in([one]):
                yield one
            continue
        for child in one.child_keys:
            part = getattr(one, child)
            if part is not None:
                waiting.extend([part] if isinstance(part, AST) else reversed(part))


@check("LP037", "over-all-groups", "info")
def over_all_groups(source: Source) -> Iterator[Hit]:
    """An aggregate is over all values of an argument where its braces have `_`, though the rule is for each of them."""
    for one in aggregates(source):
        heads = names_in([node for atom in one.statement.heads for node in atom.arguments])
        bounds = names_in([guard.term for guard in one.guards])
        if one.is_head or one.function is None or len(one.elements) != 1:
            continue
        (element,) = one.elements
        if names_in([*element.tuple, *element.literals]) & element.outer:
            continue
        symbols = [literal.atom.symbol for literal in element.literals if is_atom(literal)]
        for atom in (node for symbol in symbols for _, node in functions(symbol)):
            found = _group(source, one, element, atom, sorted(heads - bounds))
            if found is not None:
                place, name = found
                terms = [one.statement.text.of(term) for term in atom.arguments]
                terms[place] = name
                words = f"this is over all {name} together; for each {name} write `{atom.name}({','.join(terms)})`"
                yield Hit(one.statement, atom, words)
                break


def _group(
    source: Source, one: _Aggregate, element: _Element, atom: AST, names: Sequence[str]
) -> tuple[int, str] | None:
    """An argument of an atom in braces that is any value, and a variable of the head that stands for such values.

    Of several the one that has the fewest values.
    """
    found: list[tuple[float, int, str]] = []
    counted = names_in(element.tuple)
    alone = Counter(node.name for part in element.literals for node in nodes(part) if node.ast_type is ASTType.Variable)
    for place, term in enumerate(atom.arguments if atom.ast_type is ASTType.Function else ()):
        if term.ast_type is not ASTType.Variable or term.name in counted:
            continue
        if term.name != "_" and alone[term.name] > 1:
            continue
        column = (atom.name, len(atom.arguments), place)
        for outer in one.statement.scopes[0].positive():
            for at, other in enumerate(outer.arguments):
                here = (*outer.signature, at)
                if other.ast_type is not ASTType.Variable or other.name not in names:
                    continue
                values, others = source.values.get(column) or set(), source.values.get(here) or set()
                same = source.alike(here, column) or (values and values <= others and not any(map(is_number, values)))
                if here == column or same:
                    found.append((len(others) or inf, -place, str(other.name)))
    return None if not found else (-min(found)[1], min(found)[2])


@check("LP056", "counted-for-all-together", "info")
def for_all_together(source: Source) -> Iterator[Hit]:
    """A variable that stands only in the braces of an aggregate is any value: the aggregate is over all of them."""
    for statement in source.statements:
        for one in together(statement).values():
            name = one.name
            literal = binding(name, statement, source)
            words = f"`{name}` stands only here, so that this is over all {name} together; for each {name} bind it in "
            words += f"the body{f', as by `{literal}`' if literal else ''}"
            yield Hit(statement, one, words)
