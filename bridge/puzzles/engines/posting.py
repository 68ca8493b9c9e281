"""A CSP of `bridge.puzzles.search` as a model of CP-SAT.

Values become integers, their **codes**: equal values have equal codes. A class of constraints that is not known here
becomes a table of its tuples.

Where a constraint needs variables of its own, their values are functions of the variables of the CSP: the model has one
solution for each solution of the CSP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from bridge.errors import UnsupportedError
from bridge.limits import Deadline
from bridge.puzzles.search import CSP, AllDifferent, Among, Binary, Constraint, Element, NotEqualVectors, Stretch, Sum
from bridge.puzzles.search.constraints import check_numbers
from bridge.puzzles.search.constraints_arithmetic import Clause, Comparison, Linear, WeightedSum

#: The greatest absolute value of a variable, and of a sum.
WIDEST, WIDEST_SUM = 2**50, 2**60

#: A constraint without another form becomes a table if it has at most so many tuples, allowed and forbidden.
MOST_TUPLES = 500_000

#: Between two looks at the clock.
_TUPLES_AT_ONCE = 4096

#: Of two numbers x and y as a linear constraint: coefficients, comparison, bound.
_LINEAR: Mapping[Any, tuple[tuple[int, int], Comparison, int]] = {
    lt: ((1, -1), "<=", -1),
    le: ((1, -1), "<=", 0),
    gt: ((-1, 1), "<=", -1),
    ge: ((-1, 1), "<=", 0),
    eq: ((1, -1), "=", 0),
}


_COMPARED: Mapping[Comparison, Callable[[Any, int], Any]] = {"=": eq, "!=": ne, "<=": le}


class LateError(Exception):
    """The time limit came before the model was complete."""


class ImpossibleError(Exception):
    """A constraint cannot be satisfied."""


class Posting:
    """One CSP on its way into one `model`, by CP-SAT's module. No list of variables or tuples in it is empty."""

    def __init__(self, csp: CSP, cp: Any, deadline: Deadline) -> None:
        self._csp, self._cp, self._deadline = csp, cp, deadline
        self.model = cp.CpModel()
        self._domains = csp.domains
        self._xs: dict[Any, Any] = {}
        self._codes: dict[Any, int] = {}
        self._values: dict[Any, Mapping[int, Any]] = {}  # by variable and code
        self._shares: dict[tuple[Any, tuple[tuple[int, int], ...]], Any] = {}  # the weights of its values, as another
        # Of a variable: functions, the codes of their results, and the variables for these.
        self._elements: dict[Any, list[tuple[Callable[[Any], object], Mapping[object, int], Any]]] = {}

    def post(self) -> None:
        """All variables and constraints."""
        if not all(self._domains.values()):
            raise ImpossibleError
        self._encode()
        for constraint in self._csp.constraints:
            self._look()
            _FORMS.get(type(constraint), Posting._relation)(self, constraint)
        self._post_elements()

    def variables(self) -> list[Any]:
        """The variables of the model, in the order of those of the CSP."""
        return list(self._xs.values())

    def read(self, codes: Iterable[int]) -> dict[Any, Any]:
        """The assignment of some codes."""
        return {x: self._values[x][code] for x, code in zip(self._xs, codes, strict=True)}

    def _look(self) -> None:
        if self._deadline.expired():
            raise LateError

    # Values.

    def _encode(self) -> None:
        """Where there is arithmetic, a number is its own code; all other values are numbered."""
        distinct = {id(values): values for values in self._domains.values()}
        every = dict.fromkeys(value for values in distinct.values() for value in values)
        if any(map(_is_arithmetic, self._csp.constraints)):
            self._codes = {v: int(v) for v in every if isinstance(v, int) and abs(v) <= WIDEST}
        first = max(self._codes.values(), default=-1) + 1
        others = [value for value in every if value not in self._codes]
        self._codes.update({value: code for code, value in enumerate(others, first)})
        values_of = {name: {self._codes[value]: value for value in values} for name, values in distinct.items()}
        for variable, values in self._domains.items():
            self._values[variable] = values_of[id(values)]
            self._xs[variable] = self._variable(sorted(self._values[variable]))

    def _variable(self, values: Sequence[int]) -> Any:
        """A variable of the model with these values, in growing order."""
        return self.model.new_int_var_from_domain(self._cp.Domain.from_values(values), "")

    def _is_fixed(self, variable: Any) -> bool:
        return len(self._domains[variable]) == 1

    def _is_number(self, variable: Any) -> bool:
        """Whether all its values are their own codes."""
        return all(code == value for code, value in self._values[variable].items())

    # Constraints.

    def _all_different(self, constraint: AllDifferent) -> None:
        self._differ(constraint.scope)

    def _differ(self, scope: Sequence[Any]) -> None:
        if len(scope) > 1:
            values = {code for variable in scope for code in self._values[variable]}
            if len(values) < len(scope):
                raise ImpossibleError
            self.model.add_all_different([self._xs[variable] for variable in scope])

    def _binary(self, constraint: Binary) -> None:
        form = _LINEAR.get(constraint.relation)
        if constraint.relation is ne:
            self._differ(constraint.scope)
        elif form is not None and all(map(self._is_number, constraint.scope)):
            self._sum(constraint, *form)
        else:
            self._relation(constraint)

    def _linear(self, constraint: Linear) -> None:
        self._sum(constraint, constraint.coefficients, constraint.comparison, constraint.bound)

    def _total(self, constraint: Sum) -> None:
        self._sum(constraint, [1] * len(constraint.scope), "=", constraint.total)

    def _sum(self, constraint: Constraint, factors: Sequence[int], comparison: Comparison, bound: Any) -> None:
        """A linear constraint, times the common denominator of its numbers."""
        domains = [self._domains[variable] for variable in constraint.scope]
        check_numbers(constraint, domains)
        try:
            exact = Fraction(bound)
        except (TypeError, ValueError, OverflowError):  # no finite number
            self._relation(constraint)
            return
        scale = lcm(exact.denominator, *{value.denominator for values in domains for value in values})
        weights = {
            variable: {value: int(factor * scale * value) for value in values}
            for variable, factor, values in zip(constraint.scope, factors, domains, strict=True)
        }
        limit = int(exact * scale)
        if comparison == "!=":
            self._weighted(constraint, weights, None, None, other_than=limit)
        else:
            self._weighted(constraint, weights, limit if comparison == "=" else None, limit)

    def _among(self, constraint: Among) -> None:
        weights = {variable: {constraint.value: 1} for variable in constraint.scope}
        self._weighted(constraint, weights, constraint.least, constraint.most)

    def _clause(self, constraint: Clause) -> None:
        options = zip(constraint.scope, constraint.options, strict=True)
        self._weighted(constraint, {x: dict.fromkeys(values, 1) for x, values in options}, 1, None)

    def _weights(self, constraint: WeightedSum) -> None:
        weights = dict(zip(constraint.scope, constraint.weights, strict=True))
        self._weighted(constraint, weights, constraint.least, constraint.most)

    def _weighted(
        self,
        constraint: Constraint,
        weights: Mapping[Any, Mapping[Any, int]],
        least: int | None,
        most: int | None,
        other_than: int | None = None,
    ) -> None:
        """A linear constraint on the weights of values, each a function of its variable: the form of all sums."""
        rows = {
            variable: {code: of_values.get(value, 0) for code, value in self._values[variable].items()}
            for variable, of_values in weights.items()
        }
        lowest, greatest = (sum(end(row.values()) for row in rows.values()) for end in (min, max))
        if (least is not None and greatest < least) or (most is not None and lowest > most):
            raise ImpossibleError
        if lowest == greatest == other_than:
            raise ImpossibleError
        posted: list[tuple[int, Comparison, int]] = []  # what the domains do not imply, each with a sign
        if other_than is not None and lowest <= other_than <= greatest:
            posted.append((1, "!=", other_than))
        if least is not None and least == most and lowest < greatest:
            posted.append((1, "=", least))
        elif least != most:
            posted += [(1, "<=", most)] if most is not None and greatest > most else []
            posted += [(-1, "<=", -least)] if least is not None and lowest < least else []
        if not posted:
            return
        terms = [self._weight(constraint, variable, row) for variable, row in rows.items()]
        shift = sum(constant for _, _, constant in terms)
        if max(map(abs, (least or 0, most or 0, lowest, greatest))) + abs(shift) > WIDEST_SUM:
            raise _too_large(constraint, f"sums from {lowest:,} to {greatest:,}, too large for cp-sat")
        xs = [x for factor, x, _ in terms if factor]
        for sign, comparison, bound in posted:
            factors = [sign * factor for factor, _, _ in terms if factor]
            total = self._cp.LinearExpr.weighted_sum(xs, factors)
            self.model.add(_COMPARED[comparison](total, bound - sign * shift))

    def _weight(self, constraint: Constraint, variable: Any, row: Mapping[int, int]) -> tuple[int, Any, int]:
        """A factor, a variable of the model and a constant that give the weight of each code."""
        low = min(row.values())
        others = sorted({weight - low for weight in row.values()} - {0})
        if not others:
            return 0, None, low
        (a, of_a), (b, of_b) = sorted(row.items())[:2]
        factor = (of_b - of_a) // (b - a)
        constant = of_a - factor * a
        if all(factor * code + constant == weight for code, weight in row.items()):
            return factor, self._xs[variable], constant
        scale = others[0] if len(others) == 1 else 1
        shares = tuple(sorted((code, (weight - low) // scale) for code, weight in row.items()))
        if (variable, shares) not in self._shares:
            if max(number for _, number in shares) > WIDEST:
                raise _too_large(constraint, "numbers too large for cp-sat")
            share = self._variable(sorted({number for _, number in shares}))
            self.model.add_allowed_assignments([self._xs[variable], share], shares)
            self._shares[variable, shares] = share
        return scale, self._shares[variable, shares], low

    def _stretch(self, constraint: Stretch) -> None:
        """Of each window of longest + 1 variables, not all are equal."""
        length = constraint.longest + 1
        for start in range(len(constraint.scope) - length + 1):
            window = constraint.scope[start : start + length]
            common = set.intersection(*(set(self._values[variable]) for variable in window))
            if len(window) == 1 or all(map(self._is_fixed, window)):
                if common:
                    raise ImpossibleError
            elif common:
                xs = [self._xs[variable] for variable in window]
                self.model.add_forbidden_assignments(xs, [(code,) * length for code in sorted(common)])

    def _vectors(self, constraint: NotEqualVectors) -> None:
        length = len(constraint.scope) // 2
        pairs = []
        for x, y in zip(constraint.scope[:length], constraint.scope[length:], strict=True):
            if self._values[x].keys().isdisjoint(self._values[y]):
                return
            if not (self._is_fixed(x) and self._is_fixed(y)):
                pairs.append((x, y))
        if not pairs:
            raise ImpossibleError
        if len(pairs) == 1:
            self._differ(pairs[0])
        else:
            different = []
            for x, y in pairs:
                differ = self.model.new_bool_var("")
                self.model.add(self._xs[x] != self._xs[y]).only_enforce_if(differ)
                self.model.add(self._xs[x] == self._xs[y]).only_enforce_if(~differ)
                different.append(differ)
            self.model.add_bool_or(different)

    def _element(self, constraint: Element) -> None:
        """A variable for the common result; the tables of the variables' functions are posted together."""
        x, y = constraint.scope
        of_x, of_y = constraint.of_x, constraint.of_y
        keys = {of_x(value) for value in self._domains[x]} & {of_y(value) for value in self._domains[y]}
        if not keys:
            raise ImpossibleError
        number = {key: code for code, key in enumerate(keys)}
        result = self._variable(range(len(keys)))
        for variable, function in ((x, of_x), (y, of_y)):
            self._elements.setdefault(variable, []).append((function, number, result))

    def _post_elements(self) -> None:
        for variable, functions in self._elements.items():
            self._look()
            rows = []
            for code, value in self._values[variable].items():
                results = [number.get(function(value)) for function, number, _ in functions]
                row = [code, *(result for result in results if result is not None)]
                if len(row) > len(results):
                    rows.append(row)
            if not rows:
                raise ImpossibleError
            codes = [self._xs[variable], *(result for _, _, result in functions)]
            self.model.add_allowed_assignments(codes, rows)

    def _relation(self, constraint: Constraint) -> None:
        """Any constraint, as the table of the tuples that it allows, or of those that it forbids."""
        values = [self._values[variable] for variable in constraint.scope]
        number = prod(map(len, values))
        if number > MOST_TUPLES:
            raise UnsupportedError(
                f"constraint {constraint.name!r} ({type(constraint).__name__}) has {number:,} tuples of values, "
                f"too many for a table of cp-sat",
                hint=f"up to {MOST_TUPLES:,} are possible; an engine of lpbridge's own has no such limit: mac+mrv",
            )
        rows: dict[bool, list[tuple[int, ...]]] = {True: [], False: []}
        tuples = zip(product(*values), product(*(of.values() for of in values)), strict=True)
        for at, (codes, row) in enumerate(tuples):
            if not at % _TUPLES_AT_ONCE:
                self._look()
            rows[bool(constraint.satisfied(row))].append(codes)
        if not rows[True]:
            raise ImpossibleError
        if rows[False]:
            allowed = len(rows[True]) <= len(rows[False])
            post = self.model.add_allowed_assignments if allowed else self.model.add_forbidden_assignments
            post([self._xs[variable] for variable in constraint.scope], rows[allowed])


def _too_large(constraint: Constraint, what: str) -> UnsupportedError:
    hint = "an engine of lpbridge's own has no such limit: mac+mrv"
    return UnsupportedError(f"constraint {constraint.name!r} has {what}", hint=hint)


def _is_arithmetic(constraint: Constraint) -> bool:
    return type(constraint) in (Sum, Linear) or (type(constraint) is Binary and constraint.relation in _LINEAR)


#: How a constraint of each class is posted. A subclass may mean something else, and is another class.
_FORMS: Mapping[type[Constraint], Callable[[Posting, Any], None]] = {
    AllDifferent: Posting._all_different,
    Among: Posting._among,
    Binary: Posting._binary,
    Clause: Posting._clause,
    Element: Posting._element,
    Linear: Posting._linear,
    NotEqualVectors: Posting._vectors,
    Stretch: Posting._stretch,
    Sum: Posting._total,
    WeightedSum: Posting._weights,
}
