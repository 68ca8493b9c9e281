"""Terms of clingo and of Prolog as JSON.

Numbers are numbers, lists and tuples are lists; constants, atoms and strings are strings; a compound term is
`{"functor": "f", "args": [...]}`, an open variable `{"variable": "X"}`, with its `domain` where it has one. A dict is
an object, and one with a tag `{"tag": "point", "dict": {...}}`. JSON has no number for a float that is not finite: that
is `{"float": "inf"}`, `{"float": "-inf"}` or `{"float": "nan"}`.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from bridge.common.strict_json import NESTED
from bridge.errors import UnsupportedError

if TYPE_CHECKING:
    from bridge.asp import Model
    from bridge.prolog import Answer


def model_json(model: Model) -> dict[str, Any]:
    """A model: the arguments of its atoms, by predicate.

    Shown terms that are not atoms stand under `""`, as rows. There `5` and `(5,)` are the same, so `"#terms"` (no
    predicate's name) has them beside it as clingo writes them. So do `"#step"`, the step of an incremental program, and
    `"#assignment"`, the values of a theory's variables.
    """
    from bridge.asp import encode
    from bridge.asp.model import converted

    data: dict[str, Any] = {}
    for name, row in converted(model, _row):  # each atom once for all models
        data.setdefault(name, []).append(row)
    if "" in data:
        data["#terms"] = [encode(term) for term in model.terms]
    if model.step is not None:
        data["#step"] = model.step
    if model.assignment:
        data["#assignment"] = dict(model.assignment)
    return data


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer: its bindings, the residual goals as text, its truth; of an undefined one also delays and clauses."""
    data = {
        "bindings": {name: term_json(value) for name, value in answer.items()},
        "residual": [str(goal) for goal in answer.residual],
        "truth": str(answer.truth),
    }
    if answer.truth == "undefined":
        data["delays"] = [str(goal) for goal in answer.delays]
        data["residual_program"] = [str(clause) for clause in answer.residual_program]
    return data


def _row(atom: tuple[str, tuple[Any, ...]]) -> tuple[str, Any]:
    from bridge.asp.decode import BARE

    return "" if atom[0] == BARE else atom[0], _asp(atom[1])


def _asp(value: Any) -> Any:
    from bridge.asp import Extreme, Function

    if isinstance(value, Function):
        data = {"functor": str(value.name), "args": [_asp(item) for item in value.arguments]}
        return data if value.positive else {**data, "positive": False}
    if isinstance(value, tuple):
        return [_asp(item) for item in value]
    return value.value if isinstance(value, Extreme) else value


def term_json(value: Any) -> Any:
    """A value of Prolog; UnsupportedError when it is nested too deeply."""
    try:
        return _prolog(value)
    except RecursionError:
        raise UnsupportedError(NESTED, hint="without JSON, answers of any depth are printed") from None


def _prolog(value: Any) -> Any:
    from fractions import Fraction  # here: models of clingo have none

    from bridge.prolog import Dict, Term, Variable

    if isinstance(value, list):
        return [_prolog(item) for item in value]
    if isinstance(value, dict):
        items = {str(key): _prolog(item) for key, item in value.items()}
        tag = value.tag if isinstance(value, Dict) else None
        return items if tag is None else {"tag": tag, "dict": items}
    if isinstance(value, float) and not isfinite(value):
        return {"float": str(value)}
    if isinstance(value, Term):
        return {"functor": str(value.name), "args": [_prolog(item) for item in value.arguments]}
    if isinstance(value, Variable):
        domain = {} if value.domain is None else {"domain": str(value.domain)}
        return {"variable": value.name, **domain}
    if isinstance(value, Fraction):
        return f"{value.numerator}r{value.denominator}"
    return value if isinstance(value, int | float | str) else str(value)
