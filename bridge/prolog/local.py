"""A session's Prolog in this process: a module of its own in the one SWI-Prolog that lives here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

from bridge.common.english import listed
from bridge.errors import InputError, Place, ProgramError
from bridge.isolation.watchdog import Watch
from bridge.limits import Limits
from bridge.outcome import Progress, Statistics
from bridge.prolog import _janus
from bridge.prolog._janus import Aborted, Chunk, Query
from bridge.prolog.calls import ended

#: So many goals of a session are kept parsed; of more, those that were not asked for longest are forgotten.
GOALS = 10_000

_modules = count(1)
_goals = count(1)


class Local:
    """A session's Prolog. Only plain data passes, apart from limits and progress.

    Programs are loaded into a `module`, and goals run in it; None makes one, and `user` runs programs as swipl does,
    where the process has no other session. With `strict` a program is refused at the first error while it is loaded;
    otherwise an error is a message, and the rest is loaded. `CALLS` lists the methods that a session in another process
    calls.
    """

    def __init__(self, module: str | None = None, strict: bool = True) -> None:
        started = perf_counter()
        _janus.attached()
        self.module = module or f"lpbridge_session_{next(_modules)}"
        self._alone = module is not None  # in its process
        self._strict = strict
        self._goals: dict[str, tuple[int, list[str]]] = {}
        self._texts: dict[str, int] = {}
        self._files: list[str] = []
        self._running: Query | None = None
        #: The exit code with which the program called `halt/1`, while it was loaded or where it is alone in its
        #: process; nothing works after that.
        self.halted: int | None = None
        self.seconds = {"load": perf_counter() - started}

    @property
    def alive(self) -> bool:
        """False when the program has called `halt/1`."""
        return self.halted is None

    def load(self, source: str, is_text: bool, may_halt: bool = False) -> list[list[Any]]:
        """Load program text, or a file by its path; the messages it gave rise to, packed (`Message.unpacked`).

        A program that calls `halt/1` meanwhile has ended: `halted` is its exit code.

        Raises InputError when the file cannot be read; ProgramError when `strict`: for errors, each with its place, and
        for a call of `halt/1`, unless it `may_halt`.
        """
        if self.halted is not None:
            return []
        started = perf_counter()
        if is_text:
            number = self._texts.setdefault(source, len(self._texts) + 1)
            name = f"<{self.module}:{number}>"  # the same text again is the same file, which is loaded anew
            messages = self._safely("load_text", self.module, name, source)
        else:
            name = str(_readable(Path(source)))
            messages = self._safely("load", self.module, name)
        self._files.append(name)
        found = []
        errors: list[ProgramError] = []
        for kind, file, line, column, text, term in messages:
            place = Place(self._file(file or name), line or None, column or None)
            bare = re.sub(rf"^{re.escape(file)}:{line}:(\d+:)? ", "", text)
            bare = re.sub(rf"<{self.module}:\d+>", "<text>", bare)
            bare = bare.replace(f"{self.module}:", "").replace(f"<{self.module}>", "")
            if kind == "error" and self._strict:
                errors.append(ProgramError(bare, where=place, term=term))
            found.append([kind, place.file, place.line, place.column, bare])
        if errors:
            errors[0].others = tuple(errors[1:])
            raise errors[0]
        if self.halted is not None and self._strict and not may_halt:
            raise self.halt_error(self.halted)
        self.seconds["load"] += perf_counter() - started
        return found

    def consult(self, sources: list[Any]) -> tuple[list[Any], str, int | None]:
        """Load programs: their messages, the operators that there are then, and `halted`."""
        messages = [message for source in sources for message in self.load(*source)]
        if self._running is None:
            self.close()  # goals are read anew
        return messages, str(_janus.call("operators", self.module, module="lpbridge_worker")), self.halted

    def add_facts(self, name: str, arities: list[int], rows: list[Any]) -> None:
        """Add facts of a dynamic predicate, of packed values."""
        self._usable()
        if (error := _janus.call("add_facts", self.module, name, arities, rows, module="lpbridge_worker")) is not None:
            raise self._error(error)

    def link(self) -> None:
        """Import now what libraries in memory autoload from each other.

        A limit or a stop in the middle of autoloading leaves an unknown procedure, in this process for good.
        """
        if self.halted is None:
            _janus.call("link", module="lpbridge_worker")

    def _safely(self, predicate: str, *inputs: Any) -> Any:
        """Load; Ctrl-C and a call of halt/0 end it. Its messages."""
        number = _janus.thread_number()
        with Watch(lambda: _janus.stop(number)) as watch:
            try:
                with watch.armed():
                    return _janus.call(predicate, *inputs, module="lpbridge_load")
            except Aborted:
                self.halted = _janus.call("halted", module="lpbridge_errors")
                if self.halted is None:
                    raise _aborted() from None
                return _janus.call("heard", module="lpbridge_load")
            finally:
                if watch.fired:
                    _janus.settle()

    def _ended_itself(self) -> ProgramError:
        status = _janus.call("halted", module="lpbridge_errors")
        if status is None:
            return _aborted()
        if self._alone:
            self.halted = status
        return self.halt_error(status)

    def halt_error(self, status: int) -> ProgramError:
        """The error of a program that ended with this exit code."""
        hint = None if self._alone else "a program that runs in here cannot end it"
        return ProgramError(f"the program called halt({status})", hint=hint)

    def names(self, goal: str) -> list[str]:
        """The names of a goal's variables. ProgramError, with the column, when the goal cannot be read."""
        self._usable()
        return self._goal(goal)[1]

    def _goal(self, goal: str) -> tuple[int, list[str]]:
        found = self._goals.pop(goal, None)
        if found is None:
            identity = next(_goals)
            names = _janus.call("variables", self.module, goal, identity)
            if names and names[0] is None:
                text, _, line, column, *_, remedy = names[1]
                raise _not_a_goal(goal, text, line, column, remedy)
            found = identity, names
            while len(self._goals) >= GOALS:
                self._forget(next(iter(self._goals)))
        self._goals[goal] = found  # at the end: the first is the one that was not asked for longest
        return found

    def _forget(self, goal: str) -> None:
        if (found := self._goals.pop(goal, None)) is not None:
            _janus.forget(found[0])

    def run(
        self, goal: str, inputs: list[Any], most: int | None, texts: bool, limits: Limits, progress: Progress
    ) -> Iterator[list[Any]]:
        """Run a goal: its answers, packed, some at a time.

        `inputs` are pairs `[name, packed]`. There are never more answers than `most`. `texts` has each answer bring
        its text along. What ended the search is in `progress`; when that is an interrupt, the last answers come before
        the KeyboardInterrupt.
        """
        self._usable()
        query = Query(goal, self._number(goal), inputs, most, texts)
        with Watch(partial(_janus.stop, query.number), limits.seconds) as watch:
            progress.stop = watch.end
            outer, self._running = self._running, query
            try:
                while True:
                    started, cpu = perf_counter(), thread_time()
                    chunk, interrupted = _next(query, watch)
                    _note(chunk, progress.statistics, perf_counter() - started, thread_time() - cpu)
                    if most is not None:
                        most -= chunk.found
                    progress.complete = chunk.status == "complete"
                    if chunk.status == "stopped":
                        progress.limit = "interrupt" if interrupted else watch.fired
                        progress.rung = watch.rung
                    if chunk.answers:
                        yield chunk.answers
                    if interrupted:
                        raise KeyboardInterrupt
                    if chunk.error:
                        raise self._error(chunk.error)
                    if chunk.status == "stopped" and progress.limit is None:
                        self._end(progress)
                        return
                    if chunk.status != "more" or most == 0:
                        return
                    if watch.expired:
                        progress.limit = "seconds"
                        return
            finally:
                self._running = outer
                query.close()

    def _number(self, goal: str) -> int:
        """The number of a goal, which is read; once more where a stop of the query before it comes late."""
        with suppress(Aborted):
            return self._goal(goal)[0]
        _janus.settle()
        return self._goal(goal)[0]

    def _end(self, progress: Progress) -> None:
        """The program ended its query itself."""
        error = self._ended_itself()
        if self.halted is None:
            raise error
        progress.limit, progress.remark, progress.exit_code = "halt", error.message, self.halted

    def _usable(self) -> None:
        if self.halted is not None:
            raise ended(self.halted)

    def pending(self) -> list[Any]:
        """The answers found and not handed out yet, while another thread runs a query. They will not come again.

        Answers come some at a time: these would wait for the next one, for which the query may search long. Empty,
        after some hundredths of a second, while the query is in a foreign predicate.
        """
        query = self._running
        return query.pending() if query is not None else []

    def text(self, values: list[tuple[str, Any]]) -> str:
        """The text of an answer without residual goals, given as its packed values by name."""
        pairs = [list(pair) for pair in values]
        return str(_janus.call("answer_text", self.module, pairs, module="lpbridge_answers", hooks=True))

    def exports(self) -> list[tuple[str, int]]:
        """What the loaded files offer, name and arity: what modules export, and all that the other files define."""
        files = [file for file in self._files if Path(file).parent != Path(__file__).parent]
        offered = _janus.call("exports", self.module, files, module="lpbridge_load")
        return [(name, arity) for name, arity in offered]

    def main(self) -> str | None:
        """The goal of `:- initialization(Goal, main)`, if a loaded file has one. It was not run."""
        goal: str | None = _janus.call("main", self.module, self._files, module="lpbridge_load")
        return goal

    def close(self) -> None:
        """Forget the goals. Prolog frees no module: a session in a process of its own leaves nothing behind."""
        for goal in list(self._goals):
            self._forget(goal)

    def _error(self, packed: list[Any]) -> ProgramError:
        text, file, line, column, term, backtrace, remedy = packed
        # The module of a session is an internal name.
        place = Place(self._file(file), line or None, column or None) if file else None
        goals = [goal.replace(f"{self.module}:", "").replace(f"<{self.module}>", "") for goal in backtrace]
        text, hint = (each.replace(f"{self.module}:", "") for each in (text, remedy))
        unknown = text.partition("Unknown procedure: ")[2]
        if unknown and not hint and " " not in unknown:  # else it says what is near
            *names, last = [f"{name}/{arity}" for name, arity in self.exports()] or [""]
            names = [*names[:8], "others" if names[8:] else last]
            hint = f"the program defines no {unknown}{', but ' * bool(last)}{listed(names)}"
        return ProgramError(text, where=place, hint=hint or None, term=term, backtrace=goals)

    def _file(self, name: str) -> str:
        return "<text>" if name.startswith(f"<{self.module}:") else name.removesuffix(f"<{self.module}>")


def _aborted() -> ProgramError:
    return ProgramError("the program called abort/0")


def _next(query: Query, watch: Watch) -> tuple[Chunk, bool]:
    """The next chunk, or what was waiting when the query was stopped; and whether Ctrl-C did that."""
    interrupted = False
    chunk: Chunk | None = None
    try:
        watch.arm()
        try:
            chunk = query.next()
        finally:
            watch.disarm()
    except Aborted:
        pass
    except KeyboardInterrupt:
        interrupted = True
    if watch.fired:
        _janus.settle()
    return chunk or query.recover(), interrupted


def _note(chunk: Chunk, statistics: Statistics, solve: float, cpu: float) -> None:
    seconds, counters = statistics.seconds, statistics.counters
    seconds["cpu"] = seconds.get("cpu", 0.0) + cpu
    seconds["solve"] = seconds.get("solve", 0.0) + solve
    counters["inferences"] = counters.get("inferences", 0) + chunk.inferences
    for name, inferences, spent in chunk.phases:
        if name not in seconds:  # a chunk has all phases so far
            seconds[name] = spent
            seconds["solve"] -= spent
            counters[f"{name}_inferences"] = inferences


#: Operators of library(clpfd): where one is expected, and one of these is there, the library is not.
_OF_CLPFD = re.compile(r"#(=|\\=|[<>])|ins?\s")


def _not_a_goal(goal: str, text: str, line: int, column: int, remedy: str) -> ProgramError:
    message, where, hint = text.removeprefix("Syntax error: "), None, "write the goal as at the toplevel"
    if line:  # known; and not beyond the goal's end, after which a line with a dot was added
        lines = goal.rstrip().split("\n")
        line, column = (line, column) if line <= len(lines) else (len(lines), len(lines[-1]) + 1)
        where = Place("<goal>", line, min(column, len(lines[line - 1]) + 1))
        if _OF_CLPFD.match(lines[line - 1], column - 1):
            hint = "the program has to load the operators: `:- use_module(library(clpfd)).`"
    if message == text and remedy:
        return ProgramError(f"not a goal: `{goal}`: {remedy}", where=where)
    what = "syntax error in" if message != text else "not a goal:"
    return ProgramError(f"{what} `{goal}`: {message}", where=where, hint=hint)


def _readable(path: Path) -> Path:
    """The file's full name. Prolog's own message for a file that cannot be read does not say why."""
    if not path.suffix and not path.exists():
        path = path.with_suffix(".pl")
    place = Place(str(path))
    try:
        with path.open("rb"):
            pass
    except FileNotFoundError:
        raise InputError("no such file", where=place, hint="check the path") from None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=place) from None
    return path.resolve()
