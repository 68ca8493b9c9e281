"""The tree that is searched, node by node, against recursive twins; and which variable and value come first."""

import pytest
from csp_problems import csps
from hypothesis import given, settings
from test_search_propagation import naive_closure

from bridge.puzzles.search import CSP, AllDifferent, Binary, Strategy, Sum, search
from bridge.puzzles.search.inference import BT, FC, Inference
from bridge.puzzles.search.ordering import ValueChooser, variable_chooser


def pieces(csp):
    """The constraints as the search sees them: AllDifferent in pairs, as (scope, test)."""
    for constraint in csp.constraints:
        if isinstance(constraint, AllDifferent):
            scope = constraint.scope
            for i, x in enumerate(scope):
                for y in scope[i + 1 :]:
                    yield (x, y), lambda values: values[0] != values[1]
        else:
            yield constraint.scope, constraint.satisfied


def consistent(csp, assigned):
    return all(
        test([assigned[variable] for variable in scope])
        for scope, test in pieces(csp)
        if all(variable in assigned for variable in scope)
    )


def forward_checked(csp, assigned, domains):
    """The domains after every constraint with one open variable has filtered it."""
    domains = {**domains, **{variable: [value] for variable, value in assigned.items()}}
    for scope, test in pieces(csp):
        still_open = [variable for variable in scope if variable not in assigned]
        if len(still_open) == 1:
            (y,) = still_open
            domains[y] = [b for b in domains[y] if test([{**assigned, y: b}[variable] for variable in scope])]
    return domains


def naive_nodes(csp, inference, order):
    """The number of nodes, by plain recursion on dictionaries."""
    nodes = 0

    def legal(x, assigned, domains):
        if inference == "fc":
            return domains[x]
        binary = pieces(CSP(csp.domains, [c for c in csp.constraints if not isinstance(c, Sum)]))
        binary = [(scope, test) for scope, test in binary if x in scope]
        values = []
        for value in domains[x]:
            tried = {**assigned, x: value}
            hits = [(scope, test) for scope, test in binary if set(scope) <= set(tried)]
            if all(test([tried[variable] for variable in scope]) for scope, test in hits):
                values.append(value)
        return values

    def visit(assigned, domains):
        nonlocal nodes
        variables = [variable for variable in csp.variables if variable not in assigned]
        if not variables:
            return
        x = variables[0]
        if order == "mrv":
            x = min(variables, key=lambda y: len(legal(y, assigned, domains)))
        for value in domains[x]:
            nodes += 1
            tried = {**assigned, x: value}
            if not consistent(csp, tried):
                continue
            if inference == "bt":
                visit(tried, domains)
            else:
                smaller = forward_checked(csp, tried, domains)
                if all(smaller.values()):
                    visit(tried, smaller)

    givens = {variable: values[0] for variable, values in csp.domains.items() if len(values) == 1}
    domains = dict(csp.domains) if inference == "bt" else forward_checked(csp, givens, csp.domains)
    if all(domains.values()) and all(csp.domains.values()) and consistent(csp, givens):
        visit(givens, domains)
    return nodes


def naive_mac_nodes(csp):
    """The same for MAC with binary constraints: a closure at every node."""
    domains = naive_closure(csp)
    if domains is None:
        return 0
    x = next((variable for variable, values in domains.items() if len(values) > 1), None)
    if x is None:
        return 0
    return sum(1 + naive_mac_nodes(CSP({**domains, x: [value]}, csp.constraints)) for value in domains[x])


@pytest.mark.parametrize("order", ["first", "mrv"])
@pytest.mark.parametrize("inference", ["bt", "fc"])
@settings(max_examples=33)
@given(csp=csps(("binary", "less", "all-different", "sum", "sum")))
def test_bt_and_fc_visit_what_their_definitions_say(inference, order, csp):
    stream = search(csp, Strategy(inference, order))
    stream.collect()
    assert stream.statistics.counters["nodes"] == naive_nodes(csp, inference, order)


@settings(max_examples=33)
@given(csps(("binary", "less", "all-different")))
def test_mac_visits_what_its_definition_says(csp):
    stream = search(csp, Strategy("mac"))
    stream.collect()
    assert stream.statistics.counters["nodes"] == naive_mac_nodes(csp)


def test_variable_orders():
    # a - b - c - d is a chain, with e beside it; b and c have the most neighbours, d and e the fewest values.
    domains = {"a": range(3), "b": range(3), "c": range(3), "d": range(2), "e": range(2)}
    state = FC(CSP(domains, [AllDifferent(pair, pair) for pair in ("ab", "bc", "cd")]).network())

    def chosen(order, variables="abcde"):
        return "abcde"[variable_chooser(order, state)(["abcde".index(name) for name in variables])]

    assert [chosen(order) for order in ("first", "degree", "mrv", "mrv+degree")] == ["a", "b", "d", "d"]
    assert chosen("mrv", "abced") == "e"  # of equals the first
    assert chosen("mrv+degree", "abced") == "d"  # but d has an open neighbour
    assert chosen("mrv+degree", "abed") == "e"  # and now it has none
    assert chosen("degree", "acd") == "c"  # only open neighbours count: a has none left


@pytest.mark.parametrize("inference", [BT, FC])
def test_value_orders(inference: type[Inference]):
    csp = CSP(
        {"x": [3, 2, 1], "y": [1, 2], "z": [1, 3]},
        [AllDifferent("xy", "x ≠ y"), Binary("x", "z", lambda x, z: x != z, "x ≠ z")],
    )
    state = inference(csp.network())

    def ordered(order):
        return [state.network.decode(bit)[0] for bit in ValueChooser(order, state).ordered(0)]

    assert ordered("given") == [3, 2, 1]
    assert ordered("lcv") == [3, 2, 1]  # 1 forbids two values, 3 and 2 one each: those as given
    assert state.assign(1, state.network.encode([1]))  # y = 1
    assert ordered("lcv") == ([2, 3] if inference is FC else [2, 3, 1])
