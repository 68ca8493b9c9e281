"""The instances of a command line: files of facts, a generator, values of constants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import click

from bridge.asp.decode import is_name
from bridge.cli.shared import F
from bridge.common.languages import is_path
from bridge.comparison.generator import Generator
from bridge.comparison.instance import Instance, constant_value, instance_of

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


def _constant(value: str) -> tuple[str, Any]:
    """`n=8`, or `n=1..4` for a range of values."""
    name, equals, text = value.partition("=")
    if not (equals and text.strip() and is_name(name)):
        raise click.BadParameter(f"{value!r} is not a constant; write it as in n=8 or n=1..4")
    if (found := _RANGE.fullmatch(text.strip())) is not None:
        first, last = map(int, found.groups())
        if last < first:
            raise click.BadParameter(f"{text} is an empty range")
        return name, range(first, last + 1)
    return name, constant_value(text)


def constants_option(what: str = "A value for #const; n=1..4 makes four instances.") -> Callable[[F], F]:
    """`-c/--const`, with ranges of values."""
    return click.option("-c", "--const", "constants", type=_constant, multiple=True, metavar="NAME=VALUE", help=what)


def generator_option(what: str = "An .lp each answer set of which is an instance.") -> Callable[[F], F]:
    return click.option("--generator", multiple=True, metavar="FILE", help=what)


def generator_of(given: Mapping[str, Any], most: int | None) -> Generator | None:
    """What makes the instances: `--generator`, or a range of values of a constant."""
    values = dict(given["constants"])
    if not (given["generator"] or any(isinstance(one, range) and len(one) > 1 for one in values.values())):
        return None
    if given.get("instances"):
        raise click.UsageError("instances come from files (-i) or from a generator, not from both")
    return Generator(*given["generator"], most=most, **values)


def values_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of constants that have one."""
    return {name: one[0] if isinstance(one, range) else one for name, one in given["constants"]}


def instances_of(given: Mapping[str, Any]) -> list[Instance]:
    """Instances from files, or none at all, with the values of constants."""
    values = values_of(given)
    if not given["instances"]:
        return [Instance(constants=values, name="as it is")]
    return [Instance.read(one, values) if is_path(one) else instance_of(one) for one in given["instances"]]


show_option = click.option("--show", metavar="NAME/ARITY",
                           help="What an answer consists of: cell/3; several with commas between.")
