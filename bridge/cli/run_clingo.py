"""`run` of `.lp` files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from os import PathLike
from time import monotonic
from typing import TYPE_CHECKING, Any

from bridge.cli.certain import Shown, after_run
from bridge.cli.growth import Growth
from bridge.cli.programs import asp_problem, confinement, options_of, source_of
from bridge.cli.shared import ProgressLine, counted, each, end, ended, exit_code, or_partial
from bridge.cli.values import model_json
from bridge.cli.writers import Writer, warnings
from bridge.common.english import listed, plural
from bridge.common.warned import as_json as warnings_json
from bridge.errors import BridgeError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Outcome, Statistics, Stream

if TYPE_CHECKING:
    from bridge.asp import Bounds, Model, Printed, Program
    from bridge.cli.printed_json import Lines

#: What can be asked instead of models, one at a time: the names of the options.
QUESTIONS = ("brave", "cautious", "optimal", "best", "count")

#: What is proved of the least cost is shown once in so many seconds.
OFTEN = 0.1

#: The most answers of one picture.
PICTURED = 12

#: What clingo says of an atom that nothing derives.
_NO_HEAD = "atom does not occur in any rule head: "

#: Said where a question does not look at what the program minimises.
NOT_MINIMIZED = "the program minimizes or maximizes; {} does not look at costs (--optimal does)"


def run_clingo(files: Sequence[str], given: dict[str, Any], limits: Limits) -> int:
    from bridge.asp import Program

    sources = list(map(source_of, files))
    output = "stderr" if given["as_json"] or given["jsonl"] or given["events"] else "inherit"
    printing = not (given["events"] or given["picture"] or any(given[question] for question in QUESTIONS))
    where = {"isolated": not given["in_process"], "output": output, "printing": printing, **confinement(given)}
    where |= {"options": options_of(given), "theory": given["theory"], "limits": replace(limits, solutions=None)}
    growth = Growth(sources, given)
    with growth, Program(*sources, **where) as program:
        warned = _Notices(program, sources, given, growth)
        if program.has_main:
            code = _main(program, given, limits, warned)
        elif given["count"]:
            code = _count(program, given, limits, warned)
        elif any(given[question] for question in QUESTIONS):
            code = _searched(program, given, limits, warned)
        else:
            code = _models(program, given, limits, warned)
        warned.print()
        if given["picture"] and warned.models:
            _draw(warned.models, files, given)
        told = program.warnings
    if warned.nothing:
        growth.name()
    if not (given["as_json"] or given["jsonl"]):
        warnings(given, after_run(sources, told, given, growth.endless, warned.shown))
    return code


def _draw(models: list[Model], files: Sequence[str], given: dict[str, Any]) -> None:
    """Draw answer sets, or what the rules under `#program picture.` derive from each."""
    from bridge.analysis.answer_pictures import drawn, rules_of

    if rules := rules_of([source_of(file) for file in files if file != "-"]):
        from bridge.asp import Program
        from bridge.asp.decode import written

        derived: list[Model] = []
        for model in models:
            facts = "".join(f"{written((name, row))}.\n" for name in model if name for row in model[name])
            with Program(f"{facts}{rules}", **confinement(given)) as program:
                derived += filter(None, [program.first(limits=Limits(seconds=10))])
        models = derived
    drawn(models, " ".join(files)).save(given["picture"])


class _Notices:
    """What is printed besides answers: what clingo warns of, each once; and the rule that grows."""

    def __init__(self, program: Program, sources: Sequence[str | PathLike[str]], given: dict[str, Any],
                 growth: Growth) -> None:
        self._program, self._sources, self._given, self._growth = program, sources, given, growth
        self._printed: list[str] = []
        self.nothing = False  # whether a limit or Ctrl-C came before any answer
        self.models: list[Model] = []  # those that are drawn
        self.shown = Shown()

    def draw(self, model: Any) -> None:
        """Keep an answer for the picture, if there is to be one."""
        if self._given["picture"] and len(self.models) < PICTURED:
            self.models.append(model)

    def code(self, pressed: bool, complete: bool, found: bool) -> int:
        self.nothing = not complete and not found
        return exit_code(complete or found, interrupted=pressed)

    def print(self) -> None:
        """Print what has not been printed: there is an answer, or there will be none."""
        self._growth.answered()
        new = [one for one in self._program.warnings if one not in self._printed]
        self._printed += new
        warnings(self._given, self._hinted(new))

    def _hinted(self, new: list[str]) -> list[str]:
        """What clingo says, in words; of an atom that nothing derives, with the predicate that is perhaps meant."""
        if not new:
            return new
        from bridge.problem.asp_oracle import hinted, signature

        try:
            outline = asp_problem(self._sources, self._given).outline
        except BridgeError:  # what clingo warns of is printed all the same
            return new
        flat = [" ".join(one.split()) for one in new]
        stated = outline.given or any(one.kind == "fact" for one in outline.statements)
        atoms = [one.partition(_NO_HEAD)[2] for one in flat]
        missing = dict.fromkeys(f"{name}/{arity}" for name, arity in map(signature, filter(None, atoms)))
        if len(missing) > 1 and not stated:
            return [f"nothing gives {listed(list(missing))}: are the facts in a further file?", *new]
        return [one + more[len(line) :] for one, line, more in zip(new, flat, hinted(flat, outline), strict=True)]


def _count(program: Program, given: dict[str, Any], limits: Limits, warned: _Notices) -> int:
    most = limits.solutions if given["solutions"] else None
    found, pressed = or_partial(lambda: program.count(limits=replace(limits, solutions=most)))
    warned.print()
    text = counted(found, "model")
    data = {"count": found.number, "complete": found.complete, "statistics": found.statistics.to_json()}
    data |= {"limit": found.limit}
    notes = notes_json(found.statistics, "--count")
    writer = Writer({**given, "as_json": given["as_json"] or given["jsonl"]})
    writer.end(data | notes | {"warnings": warnings_json(program.warnings)}, text)
    warnings(given, notes.get("notes", []))
    return warned.code(pressed, found.complete, found.number > 0)


def notes_json(statistics: Statistics, question: str) -> dict[str, list[str]]:
    """What a question does not look at, as a part of the JSON."""
    return {"notes": [NOT_MINIMIZED.format(question)]} if statistics.counters.get("minimize") else {}


class _Way:
    """The way to the best models: each that is better, and what is proved meanwhile; on a terminal, as a line below."""

    def __init__(self, writer: Writer, warned: _Notices, line: ProgressLine) -> None:
        self._writer, self._warned, self._line = writer, warned, line
        self._said = 0.0  # when

    def better(self, model: Model) -> None:
        self._line.clear()
        self._warned.print()
        text = f"better: {_cost(model).strip()}"
        self._writer.better(partial(model_json, model), text, cost=list(model.cost))

    def bounds(self, bounds: Bounds) -> None:
        if bounds.lower and monotonic() > self._said + OFTEN:
            self._said = monotonic()
            text = f"the least cost is {bounds}"
            self._line.show(text)
            self._writer.bounds(bounds, text)


def _searched(program: Program, given: dict[str, Any], limits: Limits, warned: _Notices) -> int:
    """`--brave`, `--cautious`, `--optimal` and `--best`: a few models when the search is over."""
    question, writer = next(name for name in QUESTIONS if given[name]), Writer(given)
    best, costly = question == "best", question in ("optimal", "best")
    most = None if best or given["solutions"] == 0 else limits.solutions
    ask: Callable[..., Any] = partial(program.best, given["best"]) if best else getattr(program, question)
    with ProgressLine(not (given["as_json"] or given["jsonl"] or given["events"])) as line:
        way = _Way(writer, warned, line)
        more: dict[str, Any] = {"on_progress": way.better} if costly else {}
        if question == "optimal":
            more |= {"gap": given["gap"], "on_bounds": way.bounds if line.shown or given["events"] else None}
        outcome, pressed = or_partial(lambda: ask(limits=replace(limits, solutions=most), **more))
    warned.print()
    found = outcome.solutions[:most]
    shown: list[Model] = [one.model for one in found] if best else [*found]
    for number, model in enumerate(shown, 1):
        warned.shown.take(number, [str(model)])
        warned.draw(model)
        paid = "".join(f"\n  {one}" for one in found[number - 1].paid) if best else ""
        proof = "   not proved" if best and not model.proved else ""
        name = f"{'optimal ' * (model.proved and not best)}model {number}" if costly else f"{question} consequences"
        _write(writer, model, f"{name}{_step(model)}{_cost(model)}{proof}\n", paid=paid)
    data = ended_json(outcome, len(outcome.solutions))
    notes = {} if costly else notes_json(outcome.statistics, f"--{question}")
    proved = bool(shown) and all(model.proved for model in shown)
    warned.shown.best = proved and question == "optimal"
    if costly:
        data |= {"costs": [list(model.cost) for model in shown], "optimal": proved}
    if question == "optimal":
        data["bounds"] = outcome.bounds.to_json()
    if best:
        data["paid"] = [[paid.to_json() for paid in one.paid] for one in found]
    writer.end(data | notes | {"warnings": warnings_json(program.warnings)}, _end_of(question, outcome, shown))
    warnings(given, notes.get("notes", []))
    return warned.code(pressed, outcome.complete or (best and outcome.limit == "solutions"), bool(outcome.solutions))


def _end_of(question: str, outcome: Any, shown: Sequence[Model]) -> str:
    if not shown:
        return "no model: unsatisfiable" if outcome.complete else f"nothing found; {end(outcome)}"
    proved = all(model.proved for model in shown)
    if question == "best":
        said = "all others cost as much or more" if proved else "the best so far, not proved"
        return "these are all" if outcome.complete else f"{said}; {end(outcome)}"
    if question != "optimal":
        return "complete" if outcome.complete else f"not complete; {end(outcome)}"
    if outcome.complete:
        return "proved; these are all"
    if shown[0].proved:
        return f"proved; there may be others as good: {outcome.remark or '-n 0 shows them'}"
    gap = outcome.bounds.gap
    return f"the best so far, not proved{'' if gap is None else f', gap {gap:.1%}'}; {end(outcome)}"


def _write(writer: Writer, model: Model, head: str, *stream: Stream[Model], paid: str = "") -> None:
    text = lambda: f"{_text(str(model), model)}{paid}"  # noqa: E731
    writer.answer(partial(model_json, model), text, head, *stream, cost=list(model.cost))


def _cost(model: Model) -> str:
    return f"   cost {', '.join(map(str, model.cost))}" if model.cost else ""


def _step(model: Model | Printed) -> str:
    return "" if model.step is None else f"   step {model.step}"


def _text(text: str, model: Model | Printed) -> str:
    """A model, with the values of a theory below it, as clingo-dl and clingcon print them."""
    if not model.assignment:
        return text
    return f"{text}\nAssignment:\n{' '.join(f'{name}={value}' for name, value in model.assignment.items())}"


def _main(program: Program, given: dict[str, Any], limits: Limits, warned: _Notices) -> int:
    """The `main` of a script, which solves as it likes: `-n` is the number of models of each of its searches."""
    for name in (*QUESTIONS, "project"):
        if given[name]:
            option = {"optimal": "opt-mode=optN", "project": "project"}.get(name, f"enum-mode={name}")
            hint = "--jsonl prints a model a line" if name == "count" else f"clingo's own option does it: -- --{option}"
            raise UnsupportedError(f"the main(prg) of a script solves this program, and not --{name}", hint=hint)
    within = replace(limits, solutions=None)
    return _stream(program, program.main(models=given["solutions"], limits=within), given, warned, is_main=True)


def _models(program: Program, given: dict[str, Any], limits: Limits, warned: _Notices) -> int:
    models: Any = program.models if given["events"] or given["picture"] else program.printed
    return _stream(program, models(project=given["project"], limits=limits), given, warned)


def _stream(program: Program, stream: Stream[Any], given: dict[str, Any], warned: _Notices,
            is_main: bool = False) -> int:
    from bridge.asp import Printed

    number, writer = 0, Writer(given)

    @cache
    def lines() -> Lines:
        from bridge.cli.printed_json import Lines

        return Lines(sys.stdout.encoding or "utf-8")

    def show(_: int, found: Any) -> None:
        nonlocal number
        if not number:
            warned.print()
        first = number + 1
        number += len(found.texts) if type(found) is Printed else 1  # before Ctrl-C can come while they are printed
        warned.shown.take(first, found.texts if type(found) is Printed else [str(found)])
        if type(found) is Printed:
            numbered = enumerate(found.texts, first)
            texts = (f"model {n}{_step(found)}\n{_text(text, found)}" for n, text in numbered)
            writer.several(lambda: lines().of(found), lambda: [*texts], stream)
        else:
            warned.draw(found)
            _write(writer, found, f"model {first}{_step(found)}{_cost(found)}\n", stream)

    with stream:
        pressed, _ = each(stream, show, isolated=not given["in_process"])
    warned.print()
    outcome = stream.outcome(())
    notes = {} if is_main else notes_json(outcome.statistics, "this question")
    data = ended_json(outcome, number)
    if is_main and not outcome.statistics.counters.get("steps"):
        data["satisfiable"] = None
    unsatisfiable = outcome.complete and not is_main
    warned.shown.none = unsatisfiable and not number
    nothing = "no model: unsatisfiable" if unsatisfiable else "no model" if outcome.complete else "no model found"
    calls = f" of {plural(outcome.statistics.counters.get('steps', 0), 'search', 'searches')}" if is_main else ""
    text = f"{plural(number, 'model') if number else nothing}{calls}; {end(outcome)}"
    writer.end(data | notes | {"warnings": warnings_json(program.warnings)}, text)
    warnings(given, notes.get("notes", []))
    done = outcome.complete or (is_main and outcome.limit is None)
    return exit_code(done or number > 0, interrupted=pressed) if is_main else warned.code(pressed, done, number > 0)


def ended_json(outcome: Outcome[Model], found: int) -> dict[str, Any]:
    """How the search ended; the models are put in when they are printed."""
    satisfiable = True if found else False if outcome.complete else None
    return {"satisfiable": satisfiable, "complete": outcome.complete, "models": [], **ended(outcome)}
