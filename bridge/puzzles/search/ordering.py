"""Variable and value orders.

Variables are ordered by fail-first: the one that is hardest to assign comes next. Values are ordered by succeed-first:
the one that leaves the others the most values comes first.

    >>> from bridge.puzzles.search.inference import FC
    >>> from bridge.puzzles.search.network import Network
    >>> network = Network({"x": [1, 2, 3], "y": [1, 2], "z": [2, 3]})
    >>> choose = variable_chooser("mrv", FC(network))
    >>> network.variables[choose([0, 1, 2])]
    'y'

All orders are deterministic: of equals, the first is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from bridge.puzzles.search.inference import Inference
from bridge.puzzles.search.network import Image, KeyImage, Keys, bits
from bridge.puzzles.search.strategy import ValueOrder, VariableOrder

#: Less than any weight.
TINY = 1e-9

#: Returns one of the open variables.
VariableChooser: TypeAlias = Callable[[list[int]], int]


def variable_chooser(order: VariableOrder, inference: Inference) -> VariableChooser:
    """The function that picks the next variable."""
    if order == "first":
        return _first
    if order in ("wdeg", "mrv+wdeg"):
        heaviest = _Weights(inference)
        return heaviest.most if order == "wdeg" else heaviest.fewest_for_weight
    sizes = _Sizes(inference)
    if order == "degree":
        return sizes.degree
    return sizes.mrv if order == "mrv" else sizes.mrv_degree


def _first(variables: list[int]) -> int:
    return variables[0]


class _Sizes:
    """By the sizes of domains, and the number of open neighbours."""

    def __init__(self, inference: Inference) -> None:
        self._inference: Inference = inference
        self._adjacent: list[int] = inference.network.adjacent

    def degree(self, variables: list[int]) -> int:
        return self._most_open_neighbours(variables, variables)

    def mrv(self, variables: list[int]) -> int:
        return self._fewest_values(variables)[0]

    def mrv_degree(self, variables: list[int]) -> int:
        tied = self._fewest_values(variables)
        return tied[0] if len(tied) == 1 else self._most_open_neighbours(variables, tied)

    def _fewest_values(self, variables: list[int]) -> list[int]:
        """The variables with the fewest values, in their order; ValueError when there are no variables."""
        if not variables:
            raise ValueError("there is no variable to choose: the list is empty")
        masks = self._inference.remaining(variables)
        tied: list[int] = []
        least = 0
        for i in range(len(variables)):
            x, mask = variables[i], masks[i]
            rest = mask & (mask - 1)
            if rest & (rest - 1):
                if tied and least <= 2:
                    continue  # without counting
                size = mask.bit_count()
            else:
                size = 2 if rest else 1 if mask else 0
            if not tied or size < least:
                least = size
                tied = [x]
            elif size == least:
                tied.append(x)
        return tied

    def _most_open_neighbours(self, variables: list[int], among: list[int]) -> int:
        # Sets of variables are masks too: an intersection and a count for each candidate.
        open_variables = 0
        for x in variables:
            open_variables |= 1 << x
        best, most = -1, -1
        for x in among:
            number = (self._adjacent[x] & open_variables).bit_count()
            if number > most:
                best, most = x, number
        return best


class _Weights:
    """By the weights, which the inference increases."""

    def __init__(self, inference: Inference) -> None:
        self._inference: Inference = inference
        self._weights: list[int] = inference.weights

    def most(self, variables: list[int]) -> int:
        weights = self._weights
        best, most = -1, -1
        for x in variables:
            if weights[x] > most:
                best, most = x, weights[x]
        return best

    def fewest_for_weight(self, variables: list[int]) -> int:
        weights = self._weights
        best, least = -1, 0.0
        masks = self._inference.remaining(variables)
        for i in range(len(variables)):
            x, mask = variables[i], masks[i]
            # A variable without any constraint weighs nothing; it comes last.
            weight = weights[x]
            quotient = mask.bit_count() / (weight if weight else TINY)
            if best < 0 or quotient < least:
                best, least = x, quotient
        return best


class ValueChooser:
    """The order of a variable's values, as bits, in the current domains."""

    def __init__(self, order: ValueOrder, inference: Inference) -> None:
        self._inference: Inference = inference
        self._as_given: bool = order == "given"
        self._arcs: list[list[tuple[int, Image]]] = []
        self._links: list[list[tuple[int, Keys, Keys]]] = []

    def first(self, x: int) -> int:
        """The first value, where no other is going to be tried in this order."""
        network, values = self._inference.network, self._inference.domains[x]
        if not self._as_given:
            if not self._links:
                self._compile()
            if self._arcs[x] or self._links[x]:
                return next(iter(self.ordered(x)))
            # The least count, digit by digit from the highest.
            for digits in reversed(self._neighbours_having(x)):
                if values & ~digits:
                    values &= ~digits
        return values & -values if network.in_order(x) else next(iter(network.given(x, values)))

    def ordered(self, x: int) -> Iterable[int]:
        """All values."""
        domains = self._inference.domains
        given = self._inference.network.given(x, domains[x])
        if self._as_given:
            return given
        if not self._links:
            self._compile()
        values = list(given)
        counted = self._neighbours_having(x)
        counts = {bit: self._forbidden(x, bit, counted) for bit in values}
        for y, keys, theirs in self._links[x]:
            # All values of a key forbid the same; a value without a key leaves nothing.
            other, domain = domains[y], domains[x]
            left = dict.fromkeys(values, 0)
            for key, having in keys.values.items():
                if having & domain:
                    allowed = (other & theirs.values.get(key, 0)).bit_count()
                    for bit in bits(having & domain):
                        left[bit] = allowed
            size = other.bit_count()
            for bit, allowed in left.items():
                counts[bit] += size - allowed
        return sorted(values, key=counts.__getitem__)  # sorted is stable: ties as given

    def _compile(self) -> None:
        """Tell links from other arcs."""
        network = self._inference.network
        self._links = [[] for _ in network.variables]
        for link in network.links:
            self._links[link.x].append((link.y, link.of_x, link.of_y))
            self._links[link.y].append((link.x, link.of_y, link.of_x))
        self._arcs = [[(y, image) for y, image in of_x if not isinstance(image, KeyImage)] for of_x in network.arcs]

    def _neighbours_having(self, x: int) -> list[int]:
        """For each value, the number of variables that must differ from x and may have it: as binary digits.

        The first mask has the values whose number has the last digit 1, and so on: one addition counts for all values.
        """
        domains = self._inference.domains
        counts: list[int] = []
        for y in self._inference.network.differ[x]:
            carry = domains[y]
            place = 0
            while carry:
                if place == len(counts):
                    counts.append(0)
                digits = counts[place]
                counts[place] = digits ^ carry
                carry &= digits
                place += 1
        return counts

    def _forbidden(self, x: int, bit: int, having: list[int]) -> int:
        """The number of values of neighbours that a value forbids, links not counted."""
        domains = self._inference.domains
        count = 0
        for place in range(len(having)):
            if having[place] & bit:
                count += 1 << place
        for y, image in self._arcs[x]:
            count += (domains[y] & ~image[bit]).bit_count()
        return count
