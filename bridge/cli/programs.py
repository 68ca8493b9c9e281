"""Programs on the command line: files, options, limits, and what they are as a problem; lines of output."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import click

from bridge.cli.findings import FORMATS
from bridge.cli.shared import F, json_option, one_format, time_option, together
from bridge.common.files import read_program, shown_name, write_program
from bridge.common.languages import NAMES, Language, language_of_path, language_of_text
from bridge.common.lazy import regex
from bridge.errors import InputError, Place, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Stream

if TYPE_CHECKING:
    from bridge.problem.asp import AspProblem

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
#: More is beyond what the system counts with.
_MOST = 1 << 60
_SHARE = regex(r"(\d+(?:\.\d+)?)(%?)")
_SIZE = regex(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


def memory(value: str) -> int:
    """An amount of memory: 500M, 2G."""
    match = _SIZE.fullmatch(value.strip())
    size = int(float(match[1]) * _UNITS[match[2].upper()]) if match else 0
    if size <= 0:
        raise click.BadParameter(f"{value!r} is not an amount of memory; write it as in 500M or 2G")
    if size > _MOST:
        raise click.BadParameter(f"{value!r} is more memory than any machine has")
    return size


def share(value: str) -> float:
    """A share: 5% or 0.05."""
    match = _SHARE.fullmatch(value.strip())
    if match is None:
        raise click.BadParameter(f"{value!r} is not a share; write it as in 5% or 0.05")
    return float(match[1]) / (100 if match[2] else 1)


def _constant(value: str) -> str:
    """`name=value`, a value for `#const`."""
    name, equals, term = value.partition("=")
    if not (equals and term and re.fullmatch(r"[_']*[a-z][\w']*", name)):
        raise click.BadParameter(f"{value!r} is not a constant; write it as in n=8")
    return value


constant_option = click.option(
    "-c", "--const", "constants", multiple=True, type=_constant, metavar="NAME=VALUE", help="A value for #const."
)


def theory_option(more: str = "") -> Callable[[F], F]:
    return click.option("--theory", type=click.Choice(("clingo-dl", "clingcon")),
                        help=f"The theory of &diff or &sum (.lp){more}.")


def process_options(seconds: float | None, what: str) -> Callable[[F], F]:
    """`--time-limit`, `--memory`, `--untrusted` and `--allow-missing-walls`."""
    return together(
        time_option(seconds, what),
        click.option("--memory", type=memory, metavar="SIZE",
                     help="Limit of the memory that the program takes, such as 500M or 2G."),
        click.option("--untrusted", is_flag=True,
                     help="For a program that you do not trust: no scripts, only the given files, no output but "
                     "answers, at most 60 s and 1G unless said otherwise. See SECURITY.md."),
        click.option("--allow-missing-walls", is_flag=True,
                     help="With --untrusted: run it even where this machine does not put up an essential wall of the "
                     "operating system. `lpbridge doctor` shows them."),
    )


def confinement(given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of `Program` and `Session` for `--untrusted`."""
    if given["allow_missing_walls"] and not given["untrusted"]:
        raise click.UsageError("--allow-missing-walls is for --untrusted")
    return {"untrusted": given["untrusted"], "allow_missing_walls": given["allow_missing_walls"]}


def limits_of(given: dict[str, Any], solutions: int | None = None) -> Limits:
    """The limits of a program; those of an untrusted program have defaults."""
    seconds, memory = given["time_limit"], given["memory"]
    if given["untrusted"]:
        seconds, memory = seconds or 60.0, memory or _UNITS["G"]
    return Limits(seconds=seconds, memory=memory, solutions=solutions)


def time_limit_of(given: dict[str, Any]) -> Limits:
    return Limits(seconds=limits_of(given).seconds)


def options_of(given: Mapping[str, Any]) -> list[str]:
    """The constants, and the words after `--`, as options of clingo."""
    return [*(f"--const={constant}" for constant in given["constants"]), *given.get("rest", ())]


def asp_problem(sources: Iterable[str | PathLike[str]], given: dict[str, Any], **more: Any) -> AspProblem:
    """A clingo program as a problem, with what the command line says of it."""
    from bridge.problem.asp import AspProblem

    return AspProblem(*sources, options=options_of(given), **confinement(given), **more)


def refuse(given: dict[str, Any], options: Mapping[str, str], why: str) -> None:
    """Refuse options, by the names of their parameters, and say why."""
    for name, option in options.items():
        if given[name] not in (None, (), False):
            raise click.UsageError(f"{option} {why}")


#: Where a command finds the words after `--`: `ctx.meta[REST]`.
REST = f"{__name__}.rest"


class WithRest(click.Command):
    """A command that takes words after `--`, where files stand before it.

    Without a file before it, `--` ends the options, as it does in every command: `lpbridge run -- -odd-name.lp`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[REST] = []
        if "--" in args:
            at = args.index("--")
            many = next(str(one.name) for one in self.params if one.nargs == -1)
            files = self.make_parser(ctx).parse_args(list(args[:at]))[0].get(many)
            if isinstance(files, tuple) and files:
                ctx.meta[REST], args = args[at + 1 :], args[:at]
        return super().parse_args(ctx, args)


language_option = click.option("--language", type=click.Choice(get_args(Language)),
                               help="The language of the files. Otherwise the suffix says it, or what is in them.")


def program_options(seconds: float | None) -> Callable[[F], F]:
    """FILES and what is said of them, the time limit, and the form of the output."""
    return together(
        click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE..."),
        click.option("-g", "--goal", help="The query, as at the toplevel, without the final dot (.pl)."),
        constant_option,
        theory_option(),
        click.option("--steps", type=click.IntRange(min=0), metavar="N",
                     help="Of an incremental program (.lp): up to step N."),
        language_option,
        process_options(seconds, "the whole command"),
        json_option,
    )


format_option = click.option("-F", "--format", "form", type=click.Choice(FORMATS), default="text", callback=one_format,
                             help="text for people, gcc for editors (file:line:column: message); github, gitlab and "
                             "sarif for CI.")


def language_of(files: Sequence[str], given: dict[str, Any]) -> Language:
    """The language of the files: that of `--language`, by their suffixes, or by what is in them.

    A file that could be in either goes with the others. Standard input alone that could be is for Prolog when there is
    a goal, and for clingo when there is none. InputError when the files are in two languages, or nothing tells.
    """
    if given["language"]:
        return cast("Language", given["language"])
    found: dict[Language, str] = {}
    unsure = []
    for file in files:
        language = None if file == "-" else language_of_path(file)
        if (language := language or language_of_text(_text(file))) is None:
            unsure.append(file)
        else:
            found.setdefault(language, file)
    if len(found) == 2:
        names = " and ".join(f"{shown_name(file)} is for {NAMES[language]}" for language, file in found.items())
        raise InputError(f"these are programs for clingo and for Prolog: {names}", hint="run .lp and .pl files apart")
    if found:
        return next(iter(found))
    if unsure == ["-"]:
        return "prolog" if given.get("goal") is not None else "clingo"
    hint = "--language clingo or --language prolog says it"
    raise InputError("is it for clingo or for Prolog?", where=Place(shown_name(unsure[0])), hint=hint)


def source_of(file: str) -> str | Path:
    """What `Program` and `Session` take: a path, or the text of standard input, which is text whatever is in it."""
    if file != "-":
        return Path(file)
    text = _text("-")
    return text if "\n" in text else text + "\n"  # with a line break it is text, whatever is in it


def _text(file: str) -> str:
    """The text of a file. Standard input can be read only once, and is kept."""
    if file != "-":
        return read_program(file)
    meta = click.get_current_context().meta
    if (key := f"{__name__}.stdin") not in meta:
        meta[key] = read_program("-")
    return cast("str", meta[key])


def write_fixed(texts: Mapping[str, str]) -> list[str]:
    """Write programs with their fixes; the lines that say so."""
    for file, text in texts.items():
        if not Path(file).is_file():
            raise InputError("only a file can be fixed", hint="give the path of the program")
        write_program(file, text)
    return [f"written: {file}" for file in texts]


def problem_of(files: Sequence[str], given: dict[str, Any]) -> AspProblem:
    """The program of the command line as a problem."""
    if language_of(files, given) != "clingo":
        hint = "`lpbridge run FILE.pl --goal GOAL -n 0` counts the answers of a goal, `diagnose` and `why` explain them"
        raise UnsupportedError("this command is for clingo programs (.lp)", hint=hint)
    if given["goal"]:
        raise click.UsageError("--goal is for Prolog (.pl)")
    more = {"theory": given["theory"], "steps": given["steps"], "memory": limits_of(given).memory}
    more["optimal"] = given.get("optimal") or None
    return asp_problem(map(source_of, files), given, **more)


def say(text: str, stream: Stream[Any] | None = None) -> None:
    """Print a line; at once, unless the next one has arrived already."""
    sys.stdout.write(text + "\n")
    if stream is None or not stream.ready:
        sys.stdout.flush()
