"""`lpbridge mutate`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bridge.cli.instances import constants_option, generator_of, generator_option, show_option, values_of
from bridge.cli.shared import MANY, exit_code, json_option, or_partial, time_option
from bridge.cli.writers import print_result
from bridge.comparison.contenders import contender
from bridge.comparison.generator import MOST
from bridge.comparison.instance import Instance
from bridge.debugging.expectations import tests_of
from bridge.debugging.mutate import mutate as mutants_of
from bridge.errors import InputError
from bridge.limits import Limits


@click.command()
@click.argument("encoding", metavar="ENCODING")
@click.argument("files", nargs=-1, metavar="[TEST...]")
@click.option("--tests", multiple=True, metavar="FILE...", help="Tests, or instances.")
@click.option("--against", metavar="PROGRAM", help="A second program, whose answers are expected: as for `compare`.")
@generator_option()
@constants_option()
@click.option("-g", "--goal", help="The goal of a second program in Prolog.")
@show_option
@click.option("--most", type=click.IntRange(1), default=MOST, show_default=True, help="Instances to try.")
@click.option("-n", "--solutions", type=MANY, default=1000, show_default=True, help="Answers to look for; 0: all.")
@time_option(10, "each mutant on each instance")
@click.option("--all", "every", is_flag=True, help="Show those that were noticed, too.")
@click.option("--strict", is_flag=True, help="Exit with 1 when a mutant is not noticed.")
@json_option
@click.pass_context
def mutate(ctx: click.Context, /, encoding: str, files: tuple[str, ...], **given: Any) -> None:
    """Leave out or change the rules of an ENCODING one at a time: which changes do the TESTs not notice?

    A change leaves out a rule, a literal or a negation, exchanges < and <=, = and !=, or makes a bound one more or
    less. TESTs are files with tests as `lpbridge test` has them (`%! test two lessons: models 2`), or with facts: there
    the answers of the second program are expected, or else those of ENCODING itself. The tests in ENCODING count, too.
    Of a .pl, clauses and goals are changed, and its tests are those of plunit, also in the .plt beside it.
    Several files of the encoding are joined by +; the first is changed.

    \b
    lpbridge mutate queens.lp --tests tests/*.lp
    lpbridge mutate rooms.pl
    lpbridge mutate colouring.lp --against colouring.pl --goal 'colouring(Cs)' --generator graphs.lp -c n=3
    """
    parts = [encoding] if Path(encoding).exists() else encoding.split("+")
    tests = [*given["tests"], *files]
    source = generator_of(given, given["most"])
    if source is not None and tests:
        raise InputError("tests come from files or from a generator, not from both")
    against = given["against"] and contender(given["against"], goal=given["goal"], show=given["show"])
    limits = Limits(seconds=given["time_limit"], solutions=given["solutions"] or None)
    cases = source or _with_constants(tests, values_of(given))
    found, pressed = or_partial(mutants_of, [*map(Path, parts)], cases, against=against, show=given["show"],
                                limits=limits)
    print_result(given, found, found.text(every=given["every"]))
    ctx.exit(exit_code(not (given["strict"] and found.survived), interrupted=pressed))


def _with_constants(tests: Sequence[str], values: dict[str, Any]) -> Sequence[Any] | None:
    """Tests and instances, these with the values of constants, of which without any file one is made."""
    if not values:
        return tests or None
    given = [one if tests_of(one) else Instance.read(one, values) for one in tests]
    made = [] if any(isinstance(one, Instance) for one in given) else [Instance(constants=values, name="as it is")]
    return [*given, *made]
