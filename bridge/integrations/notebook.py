"""Cells of clingo and Prolog in notebooks: `%load_ext bridge`, then `%%clingo` and `%%prolog`.

    %%clingo -n 0 --facts job=frame --out plans
    { start(J, 0..9) } = 1 :- job(J, _).

    %%prolog --in Limit=limit --out rooms
    :- use_module(library(clpfd)).
    rooms(X, Y) :- X in 1..4, Y in 1..4, X #> Y + 1.
    ?- rooms(X, Y), X #< Limit.

    %%prolog --session db
    :- dynamic seen/1.

    %lpdebug plans

With `--session` a cell is loaded into the `prolog.Session` that has this name, which stays for later cells.
Answers are shown as tables; where there is none, what clashes is shown, too. Diagnoses, reasons and other results of
the bridge are shown in full. `%lpdebug` asks, with buttons, which answers are meant, and names the wrong statement.
Needs the extra `notebook`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from html import escape
from typing import Any, overload

import click

import bridge
from bridge import asp, prolog
from bridge.cli.shared import time_option, together
from bridge.common.english import how_ended, plural
from bridge.errors import BridgeError, InputError, MissingSolverError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Outcome

try:
    from IPython.core.error import UsageError
except ModuleNotFoundError:
    raise MissingSolverError("the package ipython is not installed", hint="pip install 'lpbridge[notebook]'") from None

#: Rows of a table that are shown.
ROWS = 100

#: Results that are shown as their text, in full.
RESULTS = (
    "Comparison", "Count", "Debugging", "Diagnosis", "Lint", "Mutation", "Profiling", "Reasons", "Submissions",
    "Testing",
)  # fmt: skip

#: Of these there are pictures.
DRAWN = ("Diagnosis", "Reasons")

#: A goal in a cell: `?-` at the beginning of a line, up to a full stop at the end of one.
GOAL = re.compile(r"^\?-\s*(.*?)\s*\.[ \t]*(?:%[^\n]*)?$", re.MULTILINE | re.DOTALL)


class CellAnswers(Sequence[Any]):
    """The answers of a cell: a sequence of models, or of Prolog's answers, that a notebook shows as tables.

    Attributes
    ----------
    problem
        The program of the cell with its facts, for `bridge.why` and other questions; None where a goal has inputs.
    outcome
        Whether the answers are all, and which limit came first.
    warnings
        Of the solver.
    diagnosis
        Where there is no answer: why.
    """

    def __init__(self, problem: Any, outcome: Outcome[Any], warnings: Iterable[str] = (),
                 diagnosis: Any = None) -> None:
        self.problem, self.outcome, self.diagnosis = problem, outcome, diagnosis
        self.warnings = tuple(warnings)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.outcome.solutions[index]

    def __len__(self) -> int:
        return len(self.outcome.solutions)

    @property
    def end(self) -> str:
        """How many answers there are, and whether these are all."""
        if not self and self.outcome.complete:
            return "no answer"
        best = self[0] if self and isinstance(self[0], asp.Model) else None
        least = f" of cost {' '.join(map(str, best.cost))}{', the least' * best.proved}" if best and best.cost else ""
        found = (plural(len(self), "answer") if self else "no answer yet") + least
        if self.outcome.complete:
            return f"{found}; there are no others"
        if self.outcome.limit == "interrupt":
            return f"{found}; interrupted"
        if self.outcome.limit == "solutions":
            return f"{found}; there may be more (-n 0 for all)"
        return f"{found}; {how_ended(self.outcome.limit)}"

    def __str__(self) -> str:
        lines = [f"answer {number}: {one}" for number, one in enumerate(self, 1)]
        why = [] if self.diagnosis is None else [str(self.diagnosis)]
        return "\n".join([*self.warnings, *lines, self.end, *why])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tables = _models(self) if self and isinstance(self[0], asp.Model) else _bindings(self)
        parts = [f"<pre>{escape(warning)}</pre>" for warning in self.warnings]
        parts += [_table(*table) for table in tables]
        parts.append(f"<p>{escape(self.end)}</p>")
        if self.diagnosis is not None:
            parts += [f"<pre>{escape(str(self.diagnosis))}</pre>", _drawn(self.diagnosis) or ""]
        return "\n".join(parts)


def _models(models: Sequence[asp.Model]) -> Iterator[tuple[str, list[str], list[list[Any]]]]:
    """A table for each predicate."""
    rows: dict[tuple[str, int], list[list[Any]]] = {}
    for number, model in enumerate(models, 1):
        for name, atoms in model.items():
            for atom in atoms:
                rows.setdefault((name, len(atom)), []).append([number, *atom])
    for (name, arity), found in sorted(rows.items()):
        yield f"{name}/{arity}", ["answer", *map(str, range(1, arity + 1))], found


def _bindings(answers: Sequence[prolog.Answer]) -> Iterator[tuple[str, list[str], list[list[Any]]]]:
    """A table with a column for each variable, and one for the constraints that are left open."""
    names = list(dict.fromkeys(name for answer in answers for name in answer))
    left = any(answer.residual for answer in answers)
    rows = [
        [number, *(answer.get(name, "") for name in names), *([", ".join(map(str, answer.residual))] if left else [])]
        for number, answer in enumerate(answers, 1)
    ]
    if rows and (names or left):
        yield "", ["answer", *names, *(["open"] if left else [])], rows


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    def line(cells: Iterable[Any], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"

    caption = f"<caption>{escape(title)}</caption>" if title else ""
    body = "\n".join(line(row, "td") for row in rows[:ROWS])
    more = f"<p>{plural(len(rows) - ROWS, 'further row')}</p>" if len(rows) > ROWS else ""
    return f"<table>{caption}<thead>{line(columns, 'th')}</thead>\n<tbody>{body}</tbody></table>{more}"


def _drawn(result: Any) -> str | None:
    """A result as SVG, where there is a picture of it."""
    try:
        return bridge.picture(result).svg()
    except UnsupportedError:
        return None


def _values(shell: Any, given: Iterable[str]) -> dict[str, Any]:
    """`name=expression`, or the name of a variable, as Python values."""
    found = {}
    for one in given:
        name, _, expression = one.partition("=")
        try:
            found[name] = shell.ev(expression or name)
        except Exception as error:  # of the caller's expression
            raise InputError(f"{one}: {type(error).__name__}: {error}") from None
    return found


#: What both magics have.
_options = together(
    click.option("-n", "number", type=click.IntRange(0), default=1, help="How many answers, 0 for all."),
    click.option("--file", "files", multiple=True, metavar="FILE", help="Another file of the program."),
    time_option(None, "the cell"),
    click.option("--out", metavar="NAME", help="The variable for the answers."),
)


@click.command()
@_options
@click.option("--facts", multiple=True, metavar="[PREDICATE=]TABLE", help="A table, or a list of tuples, as facts.")
@click.option("-c", "--const", multiple=True, metavar="NAME=VALUE", help="A constant, as a Python expression.")
@click.pass_obj
def clingo(obj: tuple[Any, str], /, facts: Sequence[str], const: Sequence[str], files: Sequence[str],
           **given: Any) -> CellAnswers:
    """Run a clingo program: its answer sets; those of least cost where it minimizes."""
    shell, cell = obj
    texts = [_facts(name, rows) for name, rows in _values(shell, facts).items()]
    problem = bridge.AspProblem(f"{cell}\n", *files, *texts, constants=_values(shell, const))
    with problem.program() as program:
        try:
            outcome = program.optimal(limits=_limits(given))
        except Interrupted as pressed:
            outcome = pressed.partial
        warnings = program.warnings
    return _named(shell, CellAnswers(problem, outcome, warnings, _why(problem, outcome)), given["out"])


@click.command("prolog")
@_options
@click.option("--in", "inputs", multiple=True, metavar="VARIABLE[=VALUE]", help="A Python value for the goal.")
@click.option("-s", "--session", metavar="NAME", help="Load into the session of this name, which stays; made if new.")
@click.pass_obj
def prolog_cell(obj: tuple[Any, str], /, inputs: Sequence[str], files: Sequence[str], session: str | None,
                **given: Any) -> CellAnswers | None:
    """Run a Prolog program and its goal, which begins with `?-` at the beginning of a line."""
    shell, cell = obj
    goals = GOAL.findall(cell)
    if len(goals) > 1 or not (goals or session):
        raise InputError(f"the cell has {plural(len(goals), 'goal')}, not one", hint="?- member(X, [a, b]).")
    # The goal's lines stay, empty, so that places are those of the cell.
    sources = [GOAL.sub(lambda goal: "\n" * goal[0].count("\n"), cell) + "\n", *files]
    values = _values(shell, inputs)
    problem = None if values or session else bridge.PrologProblem(sources, goals[0])
    if session is None:
        opened, warnings = prolog.Session(*sources), None
    else:
        opened = _session(shell, session)
        warnings = opened.consult(*sources[not sources[0].strip() :])
    with nullcontext() if session else opened:
        if not goals:
            print(*warnings or (), sep="\n", end="\n" * bool(warnings))
            return None
        try:
            outcome = opened.query(goals[0], values, limits=_limits(given)).collect()
        except Interrupted as pressed:
            outcome = pressed.partial
    told = opened.warnings if warnings is None else warnings
    return _named(shell, CellAnswers(problem, outcome, told, _why(problem, outcome)), given["out"])


def _session(shell: Any, name: str) -> prolog.Session:
    """The session that a variable of the notebook has; a new one, where there is no such variable."""
    found = shell.user_ns.get(name)
    if found is None:
        if not name.isidentifier():
            raise InputError(f"{name!r} is not the name of a variable")
        found = shell.user_ns[name] = prolog.Session()
    if not isinstance(found, prolog.Session):
        raise InputError(f"{name} is a {type(found).__name__}, not a session", hint="use another name")
    return found


def _limits(given: Mapping[str, Any]) -> Limits:
    return Limits(seconds=given["time_limit"], solutions=given["number"] or None)


def _named(shell: Any, answers: CellAnswers, name: str | None) -> CellAnswers:
    if name:
        shell.user_ns[name] = answers
    return answers


def _cell(shell: Any, command: click.Command) -> Callable[[str, str], CellAnswers | None]:
    """A command as a cell magic."""

    def magic(line: str, cell: str) -> CellAnswers | None:
        try:  # not `command.main`, which makes another exception of an interrupt
            with command.make_context(f"%%{command.name}", shlex.split(line), obj=(shell, cell)) as context:
                found: CellAnswers | None = command.invoke(context)
                return found
        except click.exceptions.Exit:  # of --help
            return None
        except (BridgeError, ValueError) as error:
            raise UsageError(str(error)) from None
        except click.ClickException as error:
            raise UsageError(error.format_message()) from None

    magic.__doc__ = command.help
    return magic


def _facts(name: str, rows: Any) -> str:
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "collect"):
        from bridge.integrations.tables import table

        rows = table(rows)
    return asp.facts(name, rows)


def _why(problem: Any, outcome: Outcome[Any]) -> Any:
    if problem is None or outcome.solutions or not outcome.complete:
        return None
    try:
        return bridge.diagnose(problem)
    except Interrupted as pressed:
        return pressed.partial


def _debug(shell: Any) -> Callable[[str], Any]:
    def magic(line: str) -> Any:
        """`%lpdebug NAME`: ask which answers of a cell are meant; then name the wrong statement."""
        try:
            from bridge.integrations.buttons import Asking

            (found,) = _values(shell, [line.strip()]).values()
        except BridgeError as error:
            raise UsageError(str(error)) from None
        problem = getattr(found, "problem", found)
        if not isinstance(problem, bridge.AspProblem | bridge.PrologProblem):
            raise UsageError(f"{line.strip()!r} is not the answers of a cell: `%%clingo --out plans`, `%lpdebug plans`")
        return Asking(problem)

    return magic


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext bridge`: the magics, and how results are shown."""
    for command in (clingo, prolog_cell):
        shell.register_magic_function(_cell(shell, command), "cell", command.name)
    shell.register_magic_function(_debug(shell), "line", "lpdebug")
    formatters: Mapping[str, Any] = shell.display_formatter.formatters
    in_full = lambda result, printer, cycle: printer.text(str(result))  # noqa: E731
    for name in RESULTS:
        formatters["text/plain"].for_type_by_name("bridge", name, in_full)
    for name in DRAWN:
        formatters["image/svg+xml"].for_type_by_name("bridge", name, _drawn)
