"""The problem as a value: what it shows, what it refuses."""

import pickle
from operator import lt

import pytest
from csp_problems import latin

from bridge.errors import InputError
from bridge.puzzles.search import CSP, AllDifferent, Binary, Sum, search


def test_prints_as_report_1_prints_it():
    lines = str(latin(4, {"6": 3, "9": 2})).splitlines()
    assert lines[0] == (
        "Variables ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15']"
    )
    # The report's own figures: its cell 15, [24], and its neighbours of cells 0, 5 and 10.
    assert lines[1].startswith("Domains {'0': [1, 2, 3, 4], '1': [1, 2, 3, 4], '2': [1, 2, 3, 4],")
    assert "'5': [1, 2, 3, 4], '6': [3], '7': [1, 2, 3, 4], '8': [1, 2, 3, 4], '9': [2]," in lines[1]
    assert lines[2].startswith("Neighbors {'0': ['1', '2', '3', '4', '8', '12'], '1': ['0', '2', '3', '5', '9', '13']")
    assert "'5': ['1', '4', '6', '7', '9', '13']" in lines[2]
    assert "'10': ['2', '6', '8', '9', '11', '14']" in lines[2]
    assert lines[3].startswith("Constraints ['row 1', 'row 2', 'row 3', 'row 4', 'column 1',")
    assert len(lines) == 4


def test_keeps_the_order_of_variables_and_values():
    csp = CSP({"b": [3, 1, 3, 2], "a": "yx"}, [Binary("b", "a", lambda b, a: True, "any")])
    assert csp.variables == ("b", "a")
    assert dict(csp.domains) == {"b": (3, 1, 2), "a": ("y", "x")}
    assert dict(csp.neighbours) == {"b": ("a",), "a": ("b",)}


def test_does_not_change():
    values = [1, 2]
    csp = CSP({"x": values})
    values.append(3)
    assert csp.domains["x"] == (1, 2)
    with pytest.raises(TypeError):
        csp.domains["x"] = ()
    with pytest.raises(AttributeError):
        csp.constraints = ()


def test_unknown_variable():
    with pytest.raises(InputError, match=r"'x < z' is on 'z', which is not a variable"):
        CSP({"x": [1]}, [Binary("x", "z", lt, "x < z")])


def test_two_constraints_of_one_name():
    with pytest.raises(InputError, match="two constraints are named 'row 1'"):
        CSP({"x": [1]}, [AllDifferent("x", "row 1"), Sum("x", 1, "row 1")])


@pytest.mark.parametrize(
    "make",
    [
        lambda: AllDifferent(["x", "y", "x"], "c"),
        lambda: Binary("x", "x", lt, "c"),
        lambda: Sum(["x", "x"], 2, "c"),
    ],
)
def test_a_variable_twice_in_one_scope(make):
    with pytest.raises(InputError, match="'c' has variable 'x' twice"):
        make()


def test_sums_are_of_exact_numbers():
    with pytest.raises(InputError, match="'x' may be 'a'"):
        search(CSP({"x": ["a"]}, [Sum("x", 1, "sum")])).collect()
    with pytest.raises(InputError, match=r"'x' may be 0\.5"):
        search(CSP({"x": [0.5]}, [Sum("x", 1, "sum")])).collect()


def test_violated_names_what_is_wrong():
    csp = latin(2)
    assert csp.violated({"0": 1, "1": 2, "2": 2, "3": 1}) == ()
    assert [c.name for c in csp.violated({"0": 1, "1": 2, "2": 1, "3": 2})] == ["column 1", "column 2"]


def test_travels_to_another_process():
    csp = CSP({"x": [1, 2], "y": [1, 2]}, [Binary("x", "y", lt, "x < y")])
    copy = pickle.loads(pickle.dumps(csp))
    assert str(copy) == str(csp)
    assert search(copy).collect() == search(csp).collect()
