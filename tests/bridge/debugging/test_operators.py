"""The prices of operators."""

import re
from inspect import getsource

import pytest

from bridge.asp.reading import Context, Text
from bridge.debugging import edits, goal_edits, operators, schemas, search
from bridge.debugging.goal_forms import lists
from bridge.problem import Reader


@pytest.mark.parametrize("module", [edits, goal_edits, schemas, search, operators])
def test_each_operator_has_a_price(module: object) -> None:
    kinds = "|".join({name.partition(":")[0] for name in operators.PRICES})
    named = re.findall(rf'"((?:{kinds}): [^"{{}}]+)"', getsource(module))  # type: ignore[arg-type]
    assert not {*named} - {*operators.PRICES}


def test_the_same_change_in_both_languages() -> None:
    program = Text("p(X) :- q(X,Y), X < Y.")
    swap = next(one for one in edits.changes(program.statements[0], program, Context()) if one.kind == "swap")
    with Reader() as reader:
        clauses = goal_edits.EditableProgram(reader.read("<text>", "p(X) :- q(X,Y), X < Y."))
    other = next(one for one in clauses.changes(clauses.clauses[0]) if one.kind == "swap")
    assert (swap.operator, swap.by) == (other.operator, other.by) == ("swap: neighbours", "Y,X")


def test_lists_written_otherwise() -> None:
    assert [text for text, _ in lists(["[", "X", "|", "Xs", "]"], ["X", "Xs"])] == [
        "[Xs|X]", "Xs", "[X]", "[X,_|Xs]", "X", "[_,X|Xs]",
    ]  # fmt: skip
