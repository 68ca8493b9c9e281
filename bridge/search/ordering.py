"""Variable and value orders.

Variables are ordered by fail-first: the one that is hardest to assign comes next. Values are ordered by succeed-first:
the one that leaves the others the most values comes first.

    >>> from bridge.search.inference import FC
    >>> from bridge.search.network import Network
    >>> network = Network({"x": [1, 2, 3], "y": [1, 2], "z": [2, 3]})
    >>> choose = variable_chooser("mrv", FC(network))
    >>> network.variables[choose([0, 1, 2])]
    'y'

All orders are deterministic: of equals, the first is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import TypeAlias

from bridge.search.inference import Inference
from bridge.search.network import KeyImage, Keys, bits
from bridge.search.strategy import ValueOrder, VariableOrder

#: Less than any weight.
TINY = 1e-9

#: Returns one of the open variables.
VariableChooser: TypeAlias = Callable[[Sequence[int]], int]
#: Returns the values of a variable in the order in which to try them.
ValueChooser: TypeAlias = Callable[[int], Iterator[int]]


def variable_chooser(order: VariableOrder, inference: Inference) -> VariableChooser:
    """The function that picks the next variable."""
    adjacent = inference.network.adjacent

    def first(variables: Sequence[int]) -> int:
        return variables[0]

    def most_open_neighbours(variables: Sequence[int], among: Sequence[int]) -> int:
        open_variables = 0
        for x in variables:
            open_variables |= 1 << x
        # Sets of variables are masks too: an intersection and a count for each candidate.
        return max(among, key=lambda x: (adjacent[x] & open_variables).bit_count())

    def degree(variables: Sequence[int]) -> int:
        return most_open_neighbours(variables, variables)

    def fewest_values(variables: Sequence[int]) -> list[int]:
        sizes = [mask.bit_count() for mask in inference.remaining(variables)]
        least = min(sizes)
        return [x for x, size in zip(variables, sizes, strict=True) if size == least]

    def mrv(variables: Sequence[int]) -> int:
        return fewest_values(variables)[0]

    def mrv_degree(variables: Sequence[int]) -> int:
        tied = fewest_values(variables)
        return tied[0] if len(tied) == 1 else most_open_neighbours(variables, tied)

    weights = inference.weights

    def wdeg(variables: Sequence[int]) -> int:
        return max(variables, key=weights.__getitem__)

    def mrv_wdeg(variables: Sequence[int]) -> int:
        best, least = variables[0], inf
        for x, mask in zip(variables, inference.remaining(variables), strict=True):
            # A variable without any constraint weighs nothing; it comes last.
            quotient = mask.bit_count() / (weights[x] or TINY)
            if quotient < least:
                best, least = x, quotient
        return best

    choosers: dict[VariableOrder, VariableChooser] = {
        "first": first, "mrv": mrv, "degree": degree, "mrv+degree": mrv_degree, "wdeg": wdeg, "mrv+wdeg": mrv_wdeg,
    }  # fmt: skip
    return choosers[order]


def value_chooser(order: ValueOrder, inference: Inference) -> ValueChooser:
    """The function that orders a variable's values, as bits."""
    network, domains = inference.network, inference.domains
    arcs = [[(y, image) for y, image in of_x if not isinstance(image, KeyImage)] for of_x in network.arcs]
    links: list[list[tuple[int, Keys, Keys]]] = [[] for _ in network.variables]
    for link in network.links:
        links[link.x].append((link.y, link.of_x, link.of_y))
        links[link.y].append((link.x, link.of_y, link.of_x))

    def given(x: int) -> Iterator[int]:
        return network.given(x, domains[x])

    def forbidden(x: int, bit: int) -> int:
        """The number of values of neighbours that a value forbids, links not counted."""
        count = 0
        for y in network.differ[x]:
            if domains[y] & bit:
                count += 1
        for y, image in arcs[x]:
            count += (domains[y] & ~image[bit]).bit_count()
        return count

    def lcv(x: int) -> Iterator[int]:
        values = list(given(x))
        counts = {bit: forbidden(x, bit) for bit in values}
        for y, keys, theirs in links[x]:
            # All values of a key forbid the same; a value without a key leaves nothing.
            other, domain, left = domains[y], domains[x], dict.fromkeys(values, 0)
            for key, having in keys.values.items():
                if having & domain:
                    allowed = (other & theirs.values.get(key, 0)).bit_count()
                    for bit in bits(having & domain):
                        left[bit] = allowed
            size = other.bit_count()
            for bit, allowed in left.items():
                counts[bit] += size - allowed
        return iter(sorted(values, key=counts.__getitem__))  # sorted is stable: ties as given

    choosers: dict[ValueOrder, ValueChooser] = {"given": given, "lcv": lcv}
    return choosers[order]
