"""A CSP read from a ground program.

    >>> from bridge.asp import Program
    >>> text = "{ cell(1, C, 1..2) } = 1 :- C = 1..2. :- cell(1, 1, V), cell(1, 2, V)."
    >>> with Program(text, isolated=False) as program:
    ...     form = ground_csp(program.inside().ground_rules("cell"), "cell")
    >>> print(form.csp)
    Variables [(1, 1), (1, 2)]
    Domains {(1, 1): [1, 2], (1, 2): [1, 2]}
    Neighbors {(1, 1): [(1, 2)], (1, 2): [(1, 1)]}
    Constraints ['1: (1, 1) != (1, 2)']

The answer sets of a tight program are the models of its completion: an atom holds if and only if some rule for it has a
body that holds. (F. Fages, 1994.)

- A **literal** is here a variable of the CSP and the values with which it holds, or a truth value.
- A choice of exactly one of some atoms is a variable; its values are the atoms. Other atoms that are chosen are
  variables with the values 0 and 1. An atom whose definition is a literal is this literal, and has no variable.
- Every other atom, and every body that is needed, is a variable with the values 0 and 1, defined by its rules: its
  value is a function of the others. So each answer set is one solution.
- What is known without search (unit propagation) is put in first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from operator import ne
from typing import Any, NamedTuple

from bridge.asp.reading import Atom, written
from bridge.asp.running import GroundRules
from bridge.errors import UnsupportedError
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.search.constraints import AllDifferent, Binary, Constraint, Sum
from bridge.puzzles.search.constraints_arithmetic import Clause, Linear, Relation, WeightedSum
from bridge.puzzles.search.constraints_lines import Among
from bridge.puzzles.search.csp import CSP


class Literal(NamedTuple):
    """A variable, and the values with which the literal holds."""

    variable: Any
    values: frozenset[Any]


#: A literal, or what is known of it.
Known = Literal | bool


class LoopError(Exception):
    """Atoms that depend on themselves: the program is not tight."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        super().__init__()
        self.atoms = atoms


@dataclass(frozen=True)
class GroundCSP:
    """A CSP, and how to read its assignments.

    Attributes
    ----------
    csp
        The problem. A variable that is a cell has the cell for its name.
    cells
        For each cell its values, and the literal of each.
    """

    csp: CSP
    cells: Mapping[Cell, Mapping[Value, Known]]

    def with_values(self, values: Iterable[tuple[Cell, Value]]) -> CSP:
        """The problem with the values of some cells."""
        kept: dict[Any, frozenset[Any]] = {}
        impossible = False
        for cell, value in values:
            literal = self.cells.get(cell, {}).get(value, False)
            if isinstance(literal, bool):
                impossible = impossible or not literal
            else:
                kept[literal.variable] = kept.get(literal.variable, literal.values) & literal.values
        return self.csp.narrowed(kept, [_contradiction("clues")] if impossible else ())

    def read_assignment(self, assignment: Mapping[Any, Any]) -> dict[Cell, Value]:
        """The value of each cell."""
        possible = self.read_domains({variable: (value,) for variable, value in assignment.items()})
        return {cell: values[-1] for cell, values in possible.items() if values}

    def read_domains(self, domains: Mapping[Any, Sequence[Any]]) -> dict[Cell, list[Value]]:
        """The values that each cell may have."""
        return {
            cell: [
                value
                for value, known in values.items()
                if (known if isinstance(known, bool) else not known.values.isdisjoint(domains[known.variable]))
            ]
            for cell, values in self.cells.items()
        }


def ground_csp(ground: GroundRules, answer: str) -> GroundCSP:
    """The CSP of a ground program.

    Parameters
    ----------
    answer
        The predicate of the answer: row, column, value.

    Raises
    ------
    LoopError
        When the program is not tight.
    UnsupportedError
        When it has something else than rules of normal programs, choices, constraints and sums.
    """
    names = {number: atom for number, atom in ground.atoms if number > 0}
    if ground.others:
        raise UnsupportedError(f"a program with {ground.others[0]} has no CSP", hint="the engine asp takes it")
    program = _Program(ground)
    cells: dict[Cell, dict[Value, int]] = {}
    for number, (name, arguments) in ground.atoms:
        if name == answer and len(arguments) == 3:
            cells.setdefault((arguments[0], arguments[1]), {})[arguments[2]] = number
    cells = {cell: cells[cell] for cell in sorted(cells, key=_order)}
    if not program.propagate():
        return GroundCSP(CSP({}, [_contradiction("the rules")]), {})
    program.check_tight(names)
    translation = _Translation(program, names, cells)
    csp = translation.csp()
    return GroundCSP(
        csp,
        {
            cell: {value: known for value, atom in values.items() if (known := translation.literal(atom)) is not False}
            for cell, values in cells.items()
        },
    )


def _order(cell: Any) -> tuple[Any, ...]:
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, str(part)) for part in cell)


def _contradiction(name: str) -> Constraint:
    return Relation((), lambda: False, f"{name} contradict each other")


class _Body:
    """A body as a sum: the weights of its literals that hold add up to at least the bound.

    A conjunction is the sum of as many literals as it has, each of weight 1.
    """

    __slots__ = ("bound", "heads", "literals")

    def __init__(self, literals: tuple[tuple[int, int], ...], bound: int) -> None:
        self.literals, self.bound = literals, bound
        self.heads: list[tuple[bool, int]] = []  # 0 stands for no atom: the body of an integrity constraint

    @property
    def is_conjunction(self) -> bool:
        return sum(weight for _, weight in self.literals) == self.bound


class _Program:
    """A ground program, and what unit propagation on its completion finds.

    Attributes
    ----------
    bodies
        Its bodies, each once.
    supports
        For each atom whether the rule is a choice, and the number of its body.
    atoms, holds
        What is known of atoms, and of bodies by their numbers.
    """

    def __init__(self, ground: GroundRules) -> None:
        self.bodies: list[_Body] = []
        self.supports: dict[int, list[tuple[bool, int]]] = defaultdict(list)
        self.atoms: dict[int, bool] = {}
        self.holds: dict[int, bool] = {}
        self._numbers: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        self._uses: dict[int, list[int]] = defaultdict(list)
        self._alive = True
        for choice, head, body in ground.rules:
            # A disjunction is shifted into its body: without positive loops, the answer sets are the same.
            shift = len(head) > 1 and not choice
            for some in [(atom,) for atom in head] if shift else [head]:
                literals = tuple(sorted({*body, *(-atom for atom in head if atom not in some)}))
                self._add(choice, some, tuple((one, 1) for one in literals), len(literals))
        for choice, head, bound, weighted in ground.sums:
            weights: dict[int, int] = defaultdict(int)
            for one, weight in weighted:
                weights[one] += weight
            self._add(choice, head, tuple(sorted(weights.items())), bound)

    def _add(self, choice: bool, head: tuple[int, ...], literals: tuple[tuple[int, int], ...], bound: int) -> None:
        if len(head) > 1 and not choice:
            raise UnsupportedError("a disjunction with a sum for its body has no CSP", hint="the engine asp takes it")
        key = literals, bound
        number = self._numbers.setdefault(key, len(self.bodies))
        if number == len(self.bodies):
            self.bodies.append(_Body(literals, bound))
            for one, _ in literals:
                self._uses[abs(one)].append(number)
        for atom in head or (0,):
            self.bodies[number].heads.append((choice, atom))
            if atom:
                self.supports[atom].append((choice, number))

    def value(self, literal: int) -> bool | None:
        """What is known of a literal."""
        known = self.atoms.get(abs(literal))
        return None if known is None else known is (literal > 0)

    def uses(self, atom: int) -> Sequence[int]:
        """The bodies that an atom occurs in."""
        return self._uses[atom]

    # Unit propagation

    def propagate(self) -> bool:
        """Find what follows; False for a contradiction."""
        everything = self._uses.keys() | self.supports.keys()
        self._todo: list[tuple[bool, int]] = [(True, number) for number in range(len(self.bodies))]
        self._todo += [(False, atom) for atom in sorted(everything)]
        waiting = set(self._todo)
        self._waiting = waiting
        while self._todo and self._alive:
            item = self._todo.pop()
            waiting.discard(item)
            is_body, number = item
            if is_body:
                self._body(number)
            else:
                self._atom(number)
        return self._alive

    def _wake(self, item: tuple[bool, int]) -> None:
        if item not in self._waiting:
            self._waiting.add(item)
            self._todo.append(item)

    def _set(self, literal: int, value: bool) -> None:
        atom, value = abs(literal), value is (literal > 0)
        known = self.atoms.get(atom)
        if known is not None:
            self._alive = self._alive and known is value
            return
        self.atoms[atom] = value
        self._wake((False, atom))
        for number in self._uses[atom]:
            self._wake((True, number))

    def _hold(self, number: int, value: bool) -> None:
        known = self.holds.get(number)
        if known is not None:
            self._alive = self._alive and known is value
            return
        self.holds[number] = value
        self._wake((True, number))
        for _, atom in self.bodies[number].heads:
            if atom:
                self._wake((False, atom))

    def _body(self, number: int) -> None:
        body = self.bodies[number]
        if any(atom == 0 for _, atom in body.heads):
            self._hold(number, False)
        held = self.holds.get(number)
        least = most = 0
        free = []
        for one, weight in body.literals:
            known = self.value(one)
            if known is None:
                most += weight
                free.append((one, weight))
            elif known:
                least, most = least + weight, most + weight
        if held is None:
            if least >= body.bound:
                self._hold(number, True)
            elif most < body.bound:
                self._hold(number, False)
            return
        if (most < body.bound) if held else (least >= body.bound):
            self._alive = False
            return
        for one, weight in free:
            if held and most - weight < body.bound:
                self._set(one, True)
            elif not held and least + weight >= body.bound:
                self._set(one, False)

    def _atom(self, atom: int) -> None:
        known = self.atoms.get(atom)
        open_ = []
        for choice, number in self.supports.get(atom, ()):
            held = self.holds.get(number)
            if held is not False:
                open_.append(number)
            if held and not choice and known is not True:
                self._set(atom, True)
                return
            if known is False and not choice and held is None:
                self._hold(number, False)
        if not open_ and known is not False:
            self._set(atom, False)
        elif known and len(set(open_)) == 1 and self.holds.get(open_[0]) is None:
            self._hold(open_[0], True)

    # Loops

    def check_tight(self, names: Mapping[int, Atom]) -> None:
        """Raise LoopError if an atom that may be true depends on itself."""
        graph = {
            atom: {
                one
                for _, number in supports
                if self.holds.get(number) is not False
                for one, _ in self.bodies[number].literals
                if one > 0 and self.atoms.get(one) is not False
            }
            for atom, supports in self.supports.items()
            if self.atoms.get(atom) is not False
        }
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            raise LoopError([names[atom] for atom in error.args[1] if atom in names]) from None


class _Translation:
    """One program on its way to a CSP."""

    def __init__(self, program: _Program, names: Mapping[int, Atom], cells: Mapping[Cell, Mapping[Value, int]]) -> None:
        self._program, self._names = program, names
        self._domains: dict[Any, dict[Any, None]] = {}
        self._literals: dict[int, Known] = {}
        self._bodies: dict[int, Known] = {}  # of bodies by their numbers
        self._store = _Store(self._domains)
        self._answer = {atom for values in cells.values() for atom in values.values()}
        self._sums = self._hard_sums()
        self._choose_variables(cells)

    def csp(self) -> CSP:
        """The problem; once."""
        program = self._program
        spread = self._spread()
        for atom in self._in_order():
            if atom not in spread or atom in self._answer or not self._only_summed(atom):
                self._define(atom)
        for atom, known in program.atoms.items():
            if known and not any(program.holds.get(number) for _, number in program.supports[atom]):
                self._store.clause([self._body(number) for _, number in program.supports[atom]])
        for number, held in program.holds.items():
            body = program.bodies[number]
            if body.is_conjunction and not held:
                self._store.clause([_negated(self.literal(one), self._domains) for one, _ in body.literals])
        for terms, (least, most) in self._sums.items():
            literals = [
                (each, weight)
                for one, weight in terms
                for each in (spread[one] if one in spread else (self.literal(one),))
            ]
            self._store.sum(literals, least, most)
        return self._store.csp()

    def _spread(self) -> dict[int, list[Literal]]:
        """The atoms `has(V)`, some variable has the value V, of variables that have as many values as they are.

        Then they all differ, and in sums each atom stands for the sum of its literals, at most one of which holds.
        """
        found: dict[int, list[Literal]] = {}
        for terms, (least, _) in self._sums.items():
            options = {one: self._disjunction(one) for one, weight in terms if one > 0 and weight == 1}
            literals = [each for some in options.values() for each in some]
            variables = list(dict.fromkeys(each.variable for each in literals))
            if len(options) < len(terms) or not all(options.values()) or least != len(variables):
                continue
            of_variable = {x: [each.values for each in literals if each.variable == x] for x in variables}
            if any(sum(map(len, sets)) > len(frozenset().union(*sets)) for sets in of_variable.values()):
                continue
            for x, sets in of_variable.items():
                self._store.clause([Literal(x, frozenset().union(*sets))])
            for one, some in options.items():
                self._store.sum([(each, 1) for each in some], None, 1)
                found[one] = some
        return found

    def _disjunction(self, atom: int) -> list[Literal]:
        """The literals of chosen atoms, each of another variable, of which an atom is the disjunction; or none."""
        program, found = self._program, dict[Any, Literal]()
        for choice, number in program.supports[atom]:
            if program.holds.get(number) is False:
                continue
            terms, bound = self._open_terms(program.bodies[number])
            literals = [self._literals.get(one) for one, _ in terms]
            if choice or len(terms) != 1 or bound != terms[0][1] or not isinstance(literals[0], Literal):
                return []
            before = found.get(literals[0].variable, literals[0])
            found[before.variable] = Literal(before.variable, before.values | literals[0].values)
        return [] if atom in self._literals else list(found.values())

    def _only_summed(self, atom: int) -> bool:
        """Whether an atom occurs in sums alone that hold, or do not, whatever the answer."""
        program = self._program
        return all(
            number in program.holds and not program.bodies[number].is_conjunction for number in program.uses(atom)
        )

    # Variables

    def _hard_sums(self) -> dict[tuple[tuple[int, int], ...], tuple[int | None, int | None]]:
        """The sums that hold, or do not, whatever the answer: their open terms with both bounds."""
        program = self._program
        found: dict[tuple[tuple[int, int], ...], tuple[int | None, int | None]] = {}
        for number, held in program.holds.items():
            body = program.bodies[number]
            if body.is_conjunction:
                continue
            terms, bound = self._open_terms(body)
            least, most = found.get(terms, (None, None))
            if held:
                found[terms] = (bound if least is None else max(least, bound)), most
            else:
                found[terms] = least, (bound - 1 if most is None else min(most, bound - 1))
        for number, held in program.holds.items():  # of two atoms, not both is a conjunction
            terms, bound = self._open_terms(program.bodies[number])
            if not held and bound == 2 and len(terms) == 2 and terms in found:
                found[terms] = found[terms][0], 1
        return found

    def _open_terms(self, body: _Body) -> tuple[tuple[tuple[int, int], ...], int]:
        bound, terms = body.bound, []
        for one, weight in body.literals:
            known = self._program.value(one)
            if known is None:
                terms.append((one, weight))
            elif known:
                bound -= weight
        return tuple(terms), bound

    def _choose_variables(self, cells: Mapping[Cell, Mapping[Value, int]]) -> None:
        """The variables of choices: of cells first, then of others."""
        program = self._program
        groups = {
            frozenset(one for one, _ in terms): terms
            for terms, bounds in self._sums.items()
            if bounds == (1, 1) and all(one > 0 and weight == 1 for one, weight in terms)
        }
        chosen = {
            atom
            for atom, supports in program.supports.items()
            if atom not in program.atoms and any(choice for choice, _ in supports)
        }
        for cell, values in cells.items():
            of_atoms = {atom: value for value, atom in values.items() if atom not in program.atoms}
            fixed = any(program.atoms.get(atom) for atom in values.values())
            atoms = list(of_atoms)
            if fixed and not atoms:
                self._domains[cell] = {next(value for value, atom in values.items() if program.atoms[atom]): None}
            elif not fixed and frozenset(atoms) in groups and chosen.issuperset(atoms):
                self._variable(cell, {value: atom for atom, value in of_atoms.items()})
            elif not fixed and len(atoms) == 2:
                self._of_two(cell, of_atoms, chosen)
        for atoms_of, terms in groups.items():
            if chosen.issuperset(atoms_of) and self._literals.keys().isdisjoint(atoms_of) and len(terms) > 1:
                self._variable(*self._named([one for one, _ in terms]))
        for atom in sorted(chosen - self._literals.keys()):
            self._variable(self._name(atom), {1: atom, 0: 0})

    def _of_two(self, cell: Cell, of_atoms: Mapping[int, Value], chosen: Collection[int]) -> None:
        """A cell with two values where one holds if and only if the other is not chosen."""
        for one, other in (tuple(of_atoms), tuple(of_atoms)[::-1]):
            supports = self._program.supports[other]
            if one in chosen and len(supports) == 1 and not supports[0][0]:
                terms, bound = self._open_terms(self._program.bodies[supports[0][1]])
                if terms == ((-one, 1),) and bound == 1:
                    self._variable(cell, {of_atoms[other]: other, of_atoms[one]: one})
                    return

    def _variable(self, name: Any, values: Mapping[Any, int]) -> None:
        """A variable that has a value if and only if the atom holds; 0 is not an atom."""
        self._domains[name] = dict.fromkeys(sorted(values, key=lambda value: _order((value,))))
        for value, atom in values.items():
            if atom:
                self._literals[atom] = Literal(name, frozenset([value]))

    def _named(self, atoms: Sequence[int]) -> tuple[str, dict[Any, int]]:
        """A name for the choice of one of some atoms, and its values: the argument in which they differ, if one."""
        known = [self._names.get(atom) for atom in atoms]
        texts = [self._name(atom) for atom in atoms]
        name, arguments = known[0] or ("", ())
        if all(one is not None and one[0] == name and len(one[1]) == len(arguments) for one in known):
            rows = [one[1] for one in known if one is not None]
            places = [i for i, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
            if len(places) == 1:
                (place,) = places
                shown = list(rows[0])
                shown[place] = "_"
                values = {row[place]: atom for row, atom in zip(rows, atoms, strict=True)}
                if len(values) == len(atoms):
                    return self._unique(written((name, tuple(shown)))), values
        return self._unique(f"one of {texts[0]}, ..."), dict(zip(texts, atoms, strict=True))

    def _name(self, atom: int) -> str:
        return written(self._names[atom]) if atom in self._names else f"#{atom}"

    def _unique(self, name: str) -> str:
        return name if name not in self._domains else f"{name} #{len(self._domains)}"

    # Definitions

    def literal(self, literal: int) -> Known:
        """What stands for a literal of the program."""
        atom = abs(literal)
        found: Known = self._program.atoms[atom] if atom in self._program.atoms else self._literals[atom]
        return found if literal > 0 else _negated(found, self._domains)

    def _in_order(self) -> list[int]:
        """The open atoms, each after those that its rules use; one that uses itself through negation has a variable."""
        program, order, state = self._program, list[int](), dict[int, int]()
        for start in sorted(program.supports):
            stack = [] if start in state or start in program.atoms else [(start, iter(self._uses_of(start)))]
            if stack:
                state[start] = 1
            while stack:
                atom, others = stack[-1]
                other = next(others, None)
                if other is None:
                    state[atom] = 2
                    order.append(atom)
                    stack.pop()
                elif state.get(other) == 1:
                    if other not in self._literals:
                        self._variable(self._unique(self._name(other)), {1: other, 0: 0})
                elif other not in state:
                    state[other] = 1
                    stack.append((other, iter(self._uses_of(other))))
        return order

    def _uses_of(self, atom: int) -> Iterator[int]:
        program = self._program
        for _, number in program.supports[atom]:
            if program.holds.get(number) is None:
                for one, _ in program.bodies[number].literals:
                    if abs(one) not in program.atoms:
                        yield abs(one)

    def _define(self, atom: int) -> None:
        """Let an atom be what its rules say."""
        program = self._program
        holds, supports = program.holds, program.supports[atom]
        supports = [(choice, number) for choice, number in supports if holds.get(number) is not False]
        literals = [self._body(number) for choice, number in supports if not choice or holds.get(number) is None]
        free = any(choice and holds.get(number) for choice, number in supports)
        if atom not in self._literals:
            defined = _either(literals)
            if defined is None:
                self._variable(self._unique(self._name(atom)), {1: atom, 0: 0})
            else:
                self._literals[atom] = defined
                return
        mine = self.literal(atom)
        if not free:
            self._store.clause([_negated(mine, self._domains), *literals])
        for choice, number in supports:
            if not choice:
                self._store.clause([mine, _negated(self._body(number), self._domains)])

    def _body(self, number: int) -> Known:
        """What stands for a body."""
        if number in self._program.holds:
            return self._program.holds[number]
        if number not in self._bodies:
            self._bodies[number] = self._of_body(self._program.bodies[number], number)
        return self._bodies[number]

    def _of_body(self, body: _Body, number: int) -> Known:
        terms, bound = self._open_terms(body)
        literals = [self.literal(one) for one, _ in terms]
        negated = [_negated(one, self._domains) for one in literals]
        if sum(weight for _, weight in terms) == bound:
            if (none := _either(negated)) is not None:
                return _negated(none, self._domains)
        elif all(weight >= bound for _, weight in terms) and (some := _either(literals)) is not None:
            return some
        name = self._unique(f"body {number}")
        self._domains[name] = {0: None, 1: None}
        mine = Literal(name, frozenset([1]))
        no = _negated(mine, self._domains)
        if sum(weight for _, weight in terms) == bound:
            self._store.clause([mine, *negated])
            for one in literals:
                self._store.clause([no, one])
        else:
            weighted = [(one, weight) for one, (_, weight) in zip(literals, terms, strict=True)]
            # If it holds, at least the bound; if not, less. The weight of `mine` takes the other side's bound away.
            self._store.sum([*weighted, (no, bound)], bound, None)
            over = sum(weight for _, weight in terms) - bound + 1
            self._store.sum([*weighted, (mine, -over)], None, bound - 1)
        return mine


def _negated(known: Known, domains: Mapping[Any, Iterable[Any]]) -> Known:
    if isinstance(known, bool):
        return not known
    left = frozenset(domains[known.variable]) - known.values
    return Literal(known.variable, left) if left else False


def _either(literals: Sequence[Known]) -> Known | None:
    """The literal that holds when one of these does; None where they are of several variables."""
    if any(one is True for one in literals):
        return True
    open_ = [one for one in literals if isinstance(one, Literal)]
    if not open_:
        return False
    variable = open_[0].variable
    if any(one.variable != variable for one in open_):
        return None
    return Literal(variable, frozenset().union(*(one.values for one in open_)))


class _Store:
    """Clauses and sums on literals, and the constraints that say the same."""

    def __init__(self, domains: Mapping[Any, Iterable[Any]]) -> None:
        self._domains = domains  # it grows
        self._kept: dict[Any, frozenset[Any]] = {}
        self._clauses: dict[frozenset[Literal], None] = {}
        self._pairs: dict[tuple[Any, Any], set[tuple[Any, Any]]] = defaultdict(set)  # forbidden
        self._sums: dict[frozenset[tuple[Any, frozenset[tuple[Any, int]]]], tuple[int | None, int | None]] = {}
        self._places: dict[Any, int] = {}
        self._impossible = False

    def clause(self, literals: Iterable[Known]) -> None:
        """One of the literals holds."""
        options: dict[Any, frozenset[Any]] = {}
        for one in literals:
            if one is True:
                return
            if isinstance(one, Literal):
                options[one.variable] = options.get(one.variable, frozenset()) | one.values
        if any(len(values) == len([*self._domains[variable]]) for variable, values in options.items()):
            return
        if not options:
            self._impossible = True
        elif len(options) == 1:
            ((variable, values),) = options.items()
            self._keep(variable, values)
        elif len(options) == 2:
            (x, of_x), (y, of_y) = sorted(options.items(), key=lambda item: self._place(item[0]))
            no_x = [value for value in self._domains[x] if value not in of_x]
            no_y = [value for value in self._domains[y] if value not in of_y]
            self._pairs[x, y].update((v, w) for v in no_x for w in no_y)
        else:
            self._clauses[frozenset(Literal(variable, values) for variable, values in options.items())] = None

    def sum(self, terms: Iterable[tuple[Known, int]], least: int | None, most: int | None) -> None:
        """The weights of the literals that hold add up to something within the bounds."""
        weights: dict[Any, dict[Any, int]] = {}
        shift = 0
        for one, weight in terms:
            if isinstance(one, bool):
                shift += weight if one else 0
                continue
            of_values = weights.setdefault(one.variable, dict.fromkeys(self._domains[one.variable], 0))
            for value in one.values:
                of_values[value] += weight
        for variable in list(weights):
            low = min(weights[variable].values())
            shift += low
            weights[variable] = {value: weight - low for value, weight in weights[variable].items()}
            if not any(weights[variable].values()):
                del weights[variable]
        least = None if least is None or least - shift <= 0 else least - shift
        greatest = sum(max(of_values.values()) for of_values in weights.values())
        most = None if most is None or most - shift >= greatest else most - shift
        if (least is not None and least > greatest) or (most is not None and most < 0):
            self._impossible = True
        elif len(weights) == 1:
            ((variable, of_values),) = weights.items()
            low_, high = least or 0, greatest if most is None else most
            self._keep(variable, frozenset(v for v, weight in of_values.items() if low_ <= weight <= high))
        elif least is not None or most is not None:
            key = frozenset((variable, frozenset(of_values.items())) for variable, of_values in weights.items())
            before = self._sums.get(key, (None, None))
            least, most = _stricter(before[0], least, max), _stricter(before[1], most, min)
            self._impossible = self._impossible or (least is not None and most is not None and least > most)
            self._sums[key] = least, most

    def _keep(self, variable: Any, values: frozenset[Any]) -> None:
        self._kept[variable] = self._kept.get(variable, values) & values

    def _place(self, variable: Any) -> int:
        if variable not in self._places:
            self._places = {one: place for place, one in enumerate(self._domains)}
        return self._places[variable]

    # Constraints

    def csp(self) -> CSP:
        """All of it as a CSP."""
        domains = {
            variable: [value for value in values if variable not in self._kept or value in self._kept[variable]]
            for variable, values in self._domains.items()
        }
        constraints = [_contradiction("the rules")] if self._impossible else []
        for constraint in self._constraints(domains):
            constraint.name = f"{len(constraints) + 1}: {constraint.name}"
            constraints.append(constraint)
        return CSP(domains, constraints)

    def _constraints(self, domains: Mapping[Any, Sequence[Any]]) -> Iterator[Constraint]:
        sums = []
        for key, (least, most) in self._sums.items():
            weights = {x: dict(pairs) for x, pairs in sorted(key, key=lambda item: self._place(item[0]))}
            weights = {x: {v: of[v] for v in domains[x]} for x, of in weights.items()}
            weights = {x: of for x, of in weights.items() if any(of.values())}
            sums.append((weights, least, most))
        once = [one for one in sums if one[2] == 1 and _is_count(one[0])]
        cliques = self._cliques(domains, [one[0] for one in once])
        unequal = {pair for clique in cliques for pair in combinations(clique, 2)}
        for clique in cliques:
            if len(clique) == 2:
                yield Binary(*clique, ne, f"{clique[0]} != {clique[1]}")
            else:
                yield AllDifferent(clique, f"all different: {_shown(clique)}")
        for (x, y), forbidden in self._pairs.items():
            if (x, y) in unequal:
                forbidden = {(v, w) for v, w in forbidden if v != w}
            forbidden = {(v, w) for v, w in forbidden if v in domains[x] and w in domains[y]}
            if forbidden:
                yield Relation((x, y), _Allowed(frozenset(forbidden)), f"pairs of {x}, {y}")
        for weights, least, most in sums:
            yield from self._sum_constraint(weights, least, most, domains, cliques, unequal)
        for clause in self._clauses:
            options = sorted(clause, key=lambda one: self._place(one.variable))
            yield Clause({one.variable: one.values for one in options}, f"some of {_shown([x for x, _ in options])}")

    def _sum_constraint(
        self,
        weights: dict[Any, dict[Any, int]],
        least: int | None,
        most: int | None,
        domains: Mapping[Any, Sequence[Any]],
        cliques: Sequence[tuple[Any, ...]],
        unequal: Collection[tuple[Any, Any]],
    ) -> Iterator[Constraint]:
        scope = tuple(weights)
        name = f"sum of {_shown(scope)}"
        value = _only_value(weights)
        at_most_once = value is not None and most == 1 and _is_count(weights)
        if at_most_once and all(pair in unequal for pair in combinations(scope, 2)):
            full = any(
                set(scope) <= set(clique) and len({v for x in clique for v in domains[x]}) == len(clique)
                for clique in cliques
            )
            if least is None or full:
                return
            most = None
        if least == 1 and most is None and _is_count(weights) and len(scope) > 1:
            yield Clause({x: [v for v, weight in of.items() if weight] for x, of in weights.items()}, name)
        elif value is not None and len({max(of.values()) for of in weights.values()}) == 1:
            unit = next(max(of.values()) for of in weights.values())
            low = 0 if least is None else -(-least // unit)
            yield Among(scope, value[0], low, len(scope) if most is None else most // unit, name)
        elif (affine := _affine(weights)) is not None and affine[0] and least is not None and least == most:
            factors, shift = affine
            bound = least - shift
            if set(factors.values()) == {1}:  # what has one value left is in the shift
                yield Sum(tuple(factors), bound, name)
            else:
                yield Linear(factors, "=", bound, name)
        else:
            yield WeightedSum(weights, least, most, name)

    def _cliques(
        self, domains: Mapping[Any, Sequence[Any]], counts: Sequence[Mapping[Any, Mapping[Any, int]]]
    ) -> list[tuple[Any, ...]]:
        """Sets of variables that all differ, which have every pair of variables that differ."""
        equal: dict[tuple[Any, Any], set[Any]] = defaultdict(set)
        scopes = []
        for weights in counts:
            value = _only_value(weights)
            if value is not None:
                scopes.append(tuple(weights))
                for pair in combinations(weights, 2):
                    equal[pair].add(value[0])
        for pair, forbidden in self._pairs.items():
            equal[pair].update(v for v, w in forbidden if v == w)
        beside: dict[Any, set[Any]] = defaultdict(set)
        for (x, y), values in equal.items():
            common = set(domains[x]).intersection(domains[y])
            if len(common) > 1 and common <= values:
                beside[x].add(y)
                beside[y].add(x)
        found: list[tuple[Any, ...]] = []
        left = {(x, y) for x in beside for y in beside[x] if self._place(x) < self._place(y)}
        order = sorted(left, key=lambda pair: (self._place(pair[0]), self._place(pair[1])))
        starts = sorted(set(scopes), key=lambda scope: (-len(scope), [*map(self._place, scope)]))
        for start in [*starts, *order]:
            pairs = list(combinations(start, 2))
            if left.isdisjoint(pairs) or not all(y in beside[x] for x, y in pairs):
                continue
            clique, able = list(start), set.intersection(*(beside[x] for x in start))
            while able:
                # The one that has most pairs with the others that are not covered.
                def gain(x: Any, clique: list[Any] = clique) -> tuple[int, int]:
                    return -sum((x, y) in left or (y, x) in left for y in clique), self._place(x)

                best = min(able, key=gain)
                clique.append(best)
                able &= beside[best]
            clique.sort(key=self._place)
            left.difference_update(combinations(clique, 2))
            found.append(tuple(clique))
        return found


class _Allowed:
    """A relation of two variables, by the pairs that it forbids."""

    def __init__(self, forbidden: frozenset[tuple[Any, Any]]) -> None:
        self._forbidden = forbidden

    def __call__(self, x: Any, y: Any) -> bool:
        return (x, y) not in self._forbidden


def _stricter(one: int | None, other: int | None, choose: Any) -> int | None:
    found: int | None = other if one is None else one if other is None else choose(one, other)
    return found


def _is_count(weights: Mapping[Any, Mapping[Any, int]]) -> bool:
    return all(weight in (0, 1) for of in weights.values() for weight in of.values())


def _only_value(weights: Mapping[Any, Mapping[Any, int]]) -> tuple[Any] | None:
    """The value that alone has a weight, the same for all variables."""
    values = {value for of in weights.values() for value, weight in of.items() if weight}
    return (values.pop(),) if len(values) == 1 else None


def _affine(weights: Mapping[Any, Mapping[Any, int]]) -> tuple[dict[Any, int], int] | None:
    """Factors of the values, and a constant, that give the weights; None where there are none."""
    factors, shift = {}, 0
    for x, of in weights.items():
        if not all(isinstance(value, int) for value in of):
            return None
        if len(of) == 1:
            ((_, weight),) = of.items()
            shift += weight
            factors[x] = 0
            continue
        (v, low), (w, high) = sorted(of.items())[:2]
        factor = (high - low) // (w - v)
        if any(low + factor * (value - v) != weight for value, weight in of.items()):
            return None
        factors[x] = factor
        shift += low - factor * v
    return {x: factor for x, factor in factors.items() if factor}, shift


def _shown(scope: Sequence[Any]) -> str:
    shown = ", ".join(map(str, scope[:3]))
    return shown if len(scope) <= 3 else f"{shown}, ... ({len(scope)})"
