"""`run` of `.pl` files."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import click

from bridge.cli.certain import certain_of_goal, first_of, is_small
from bridge.cli.programs import confinement, say, source_of
from bridge.cli.shared import each, end, ended, exit_code, print_json
from bridge.cli.values import answer_json
from bridge.cli.writers import Writer, warnings
from bridge.common.english import plural
from bridge.common.warned import as_json as warnings_json
from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.outcome import Stream

if TYPE_CHECKING:
    from bridge.problem.prolog import PrologProblem
    from bridge.prolog import Session


def run_prolog(files: Sequence[str], given: dict[str, Any], limits: Limits) -> int:
    from bridge.prolog import Session

    sources = [source_of(file) for file in files]
    as_data = given["as_json"] or given["jsonl"] or given["events"]
    own = not (given["in_process"] or given["untrusted"])
    where: dict[str, Any] = {
        "isolated": not given["in_process"],
        "output": "stderr" if as_data else "inherit",
        "stdin": _stdin() if own and "-" not in files else None,
        "argv": given["rest"],
        "search_paths": _search_paths(given["search_paths"]),
        "strict": given["strict"],
        **confinement(given),
    }
    loading = Limits(seconds=limits.seconds, memory=limits.memory)
    with Session(*sources, limits=loading, **where) as session:
        warnings(given, session.warnings)
        if session.halted is not None:
            if given["as_json"]:
                print_json({"exit_code": session.halted, "warnings": warnings_json(session.warnings)})
            return session.halted
        try:
            code = _answered(session, files, given, limits)
        except ProgramError as error:
            session.halt(limits=loading)  # what is registered with at_halt/1 runs all the same
            if (problem := _looked_at(files, given)) is None:
                raise
            from bridge.cli.of_goals import with_findings

            raise with_findings(problem, error, given) from None
        ended = None if code == 130 else session.halt(limits=loading)
    if code != 130 and (problem := _looked_at(files, given)) is not None:
        warnings(given, first_of(certain_of_goal(problem)))
    return code or ended or 0


def _looked_at(files: Sequence[str], given: dict[str, Any]) -> PrologProblem | None:
    """The problem whose text is looked at after it ran: for people, of a program that is small and has a goal."""
    from bridge.problem.prolog import PrologProblem

    if not given["goal"] or given["as_json"] or given["jsonl"] or "-" in files or not is_small(map(source_of, files)):
        return None
    return PrologProblem([source_of(file) for file in files], given["goal"], **confinement(given))


def _answered(session: Session, files: Sequence[str], given: dict[str, Any], limits: Limits) -> int:
    """Run the goal, else the main goal of a script, else list what the files offer; the exit code."""
    as_data = given["as_json"] or given["jsonl"] or given["events"]
    if given["goal"]:
        return _answers(session, _labelled(given["goal"], given["label"]), given, limits)
    if (main := session.main()) is not None:
        return _main(session, main, given, limits)
    if as_data or not any(map(_initializes, files)):
        _offer(session, files, as_data)
    return 0


def _stdin() -> IO[Any] | None:
    """Standard input, where it is a file of the operating system."""
    try:
        sys.stdin.fileno()
    except (OSError, ValueError):
        return None
    return sys.stdin


def _search_paths(given: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    paths: dict[str, list[str]] = {}
    for alias, folder in given:
        paths.setdefault(alias, []).append(folder)
    return paths


def search_path(value: str) -> tuple[str, str]:
    alias, equals, folder = value.partition("=")
    if not (alias and equals and folder):
        raise click.BadParameter(f"{value!r} is not a search path; write it as in library=lib")
    if not os.path.isdir(folder):
        raise click.BadParameter(f"{folder!r} is not a folder")
    return alias, os.path.join(os.getcwd(), folder)


def _labelled(goal: str, label: str | None) -> str:
    for name in re.findall(r"(?<!\w)[A-Z_]\w*", label or ""):
        if not re.search(rf"(?<!\w){name}(?!\w)", goal):
            raise click.UsageError(f"--label: {name} is not a variable of the goal")
    return f"({goal}), term_variables([{label}], _ToLabel), clpfd:label(_ToLabel)" if label else goal


def _answers(session: Session, goal: str, given: dict[str, Any], limits: Limits) -> int:
    undefined, writer = 0, Writer(given)

    def show(number: int, answer: Any) -> None:
        nonlocal undefined
        undefined += answer.truth == "undefined"
        writer.answer(partial(answer_json, answer), partial(str, answer), "", stream)

    texts = not (given["as_json"] or given["jsonl"])
    with session.query(goal, limits=limits, texts=texts) as stream:
        pressed, count = each(stream, show, isolated=not given["in_process"])
    outcome = stream.outcome(())
    data = ended_json(stream, undefined)
    nothing = "false" if outcome.complete else "no answer found"
    some = f" ({undefined:,} undefined)" if undefined else ""
    text = f"{plural(count, 'answer') if count else nothing}{some}; {end(outcome)}"
    writer.end({**data, "warnings": warnings_json(session.warnings)}, text, "% ")
    done = outcome.complete or count > 0
    return exit_code(done, interrupted=pressed) if stream.exit_code is None else stream.exit_code


def ended_json(stream: Stream[Any], undefined: int) -> dict[str, Any]:
    """How the search for answers ended; the answers are put in when they are printed."""
    outcome = stream.outcome(())
    more = {} if stream.exit_code is None else {"exit_code": stream.exit_code}
    return {"complete": outcome.complete, "answers": [], "undefined": undefined, **ended(outcome), **more}


def _main(session: Session, goal: str, given: dict[str, Any], limits: Limits) -> int:
    """Run a main goal as `swipl file.pl` does: failure is exit code 1."""

    def show(number: int, answer: Any) -> None:
        if answer.truth == "undefined":
            click.echo(f"lpbridge: {goal} is undefined (well-founded semantics)", err=True)

    with session.query(f"({goal}) -> true", limits=Limits(limits.seconds, memory=limits.memory)) as stream:
        pressed, count = each(stream, show, isolated=not given["in_process"])
    if stream.exit_code is not None:
        return stream.exit_code
    if not count:
        click.echo(f"lpbridge: {goal} failed" if stream.complete else f"lpbridge: {end(stream.outcome(()))}", err=True)
    return exit_code(count > 0, interrupted=pressed)


def _initializes(file: str) -> bool:
    """Whether the file has `:- initialization(...)`. It has run by now."""
    if file == "-":
        return False
    with open(file, "rb") as program:
        return re.search(rb"^\s*:-\s*initialization\b", program.read(), re.MULTILINE) is not None


def _offer(session: Session, files: Sequence[str], as_data: bool) -> None:
    offered = [f"{name}/{arity}" for name, arity in session.exports()]
    if as_data:
        print_json({"exports": offered, "warnings": warnings_json(session.warnings)})
        return
    say(f"{', '.join(files)}: no goal was given, and there is no initialization(main). It offers")
    say("\n".join(f"  {name}" for name in offered) or "  nothing")
    if offered:
        name, arity = session.exports()[0]
        variables = ", ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:arity]) if arity <= 26 else "..."
        say(f"ask, for example: lpbridge run {files[0]} --goal '{name}{f'({variables})' if arity else ''}' -n 0")
