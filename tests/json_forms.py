"""Every object or line that a command prints under `--json`, `--jsonl` or `--events` in the tests has the form that `lpbridge schema` prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from bridge.cli.schema import forms, lines
from bridge.cli.schemas import Failed, LineForms, schema

#: Elements of a list that are looked at.
MANY = 200


def check(words: Sequence[str], out: bytes | str) -> None:
    """Hold what a call printed against the schema of its command; what is not one object is another test's subject."""
    options = [option for option in ("--json", "--jsonl", "--events") if option in words]
    name = " ".join(words[: 2 if words and words[0] == "puzzle" else 1])
    if name in ("batch", "puzzle batch"):
        _check_lines(words, " ".join([name, *words[len(name.split()) :][:1]]), out)
    elif len(options) == 1 and options != ["--json"]:
        _check_lines(words, f"{name} {options[0]}", out)
    elif options:
        try:
            data = json.loads(out)
        except (ValueError, RecursionError):
            return
        _check(words, data, forms().get(name, LineForms((Failed,))))


def _check_lines(words: Sequence[str], name: str, out: bytes | str) -> None:
    form = lines().get(name)
    if form is not None and "--help" not in words:
        for line in out.splitlines():
            _check(words, json.loads(line), form)


def _check(words: Sequence[str], data: Any, form: LineForms) -> None:
    wrong = [*_validator(form).iter_errors(_shortened(data))]
    assert not wrong, f"{' '.join(words)}: the JSON has not its form: {nearest(wrong[0])}"


def _shortened(data: Any) -> Any:
    """The same with the first and the last of the lists in an object: thousands of solutions have one form."""
    if not isinstance(data, dict):
        return data
    return {
        key: [*value[: MANY - 1], value[-1]] if isinstance(value, list) and len(value) > MANY else value
        for key, value in data.items()
    }


@cache
def _validator(of: LineForms) -> Draft202012Validator:
    return Draft202012Validator(schema(*of))


def nearest(error: ValidationError) -> list[Any]:
    """What is wrong by the form that fits best, with the way to it."""
    by_form: dict[Any, list[ValidationError]] = {}
    for one in error.context or ():
        by_form.setdefault(one.schema_path[0], []).append(one)
    fewest = min(by_form.values(), key=len, default=[error])
    return [("/".join(map(str, one.absolute_path)), nearest(one) if one.context else one.message[-200:]) for one in fewest]
