"""Every object that a command prints under `--json` in the tests has the form that `lpbridge schema` prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from bridge.cli.schema import forms
from bridge.cli.schemas import Form, schema


def check(words: Sequence[str], out: bytes | str) -> None:
    """Hold what a call printed against the schema of its command; what is not one object is another test's subject."""
    if "--json" not in words:
        return
    try:
        data = json.loads(out)
    except (ValueError, RecursionError):
        return
    name = " ".join(words[: 2 if words[0] == "puzzle" else 1])
    wrong = [*_validator(forms().get(name, ())).iter_errors(data)]
    assert not wrong, f"{' '.join(words)}: the JSON has not its form: {nearest(wrong[0])}"


@cache
def _validator(of: tuple[Form, ...]) -> Draft202012Validator:
    whole = schema(*of)
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole)


def nearest(error: ValidationError) -> list[Any]:
    """What is wrong by the form that fits best, with the way to it."""
    by_form: dict[Any, list[ValidationError]] = {}
    for one in error.context or ():
        by_form.setdefault(one.schema_path[0], []).append(one)
    fewest = min(by_form.values(), key=len, default=[error])
    return [("/".join(map(str, one.absolute_path)), nearest(one) if one.context else one.message[-200:]) for one in fewest]
