"""Python in a program: `#script (python)`, in a worker alone.

Scripts are executed as the clingo command does it: all of a program share the module `__main__`, the current folder can
be imported from, `@f(X)` calls the function `f` with `clingo.Symbol`s, and where they define `main(prg)`, it grounds
and solves instead of clingo (see `Main`). What a script raises, or `sys.exit`, is an error of the program, with the
line in its file.
"""

from __future__ import annotations

import linecache
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from types import ModuleType
from typing import IO, Any

from clingo.ast import Location
from clingo.control import Control
from clingo.script import Script, register_script
from clingo.solving import Model, SolveResult
from clingo.symbol import Symbol

from bridge.asp.reading.messages import place_in_characters
from bridge.asp.reading.source import LONGEST, TEXT, shown_line
from bridge.errors import Place, ProgramError, brief


class Stopped(BaseException):
    """Ends a script's `main` at its time limit, or when its models are no longer read.

    Not an Exception: scripts catch these.
    """


class Scripts(Script):
    """The scripts of the program in this process. Made once: clingo knows one Python.

    `before_print` is called before anything is printed, so that models which were found before are shown before.
    """

    def __init__(self, before_print: Callable[[], object]) -> None:
        self._files: set[str] = set()
        self.raised: BaseException | None = None
        self._called: tuple[str, Place] | None = None  #: The term that raised it, and where it stands.
        self.begin()
        if "" not in sys.path:
            sys.path.insert(0, "")
        sys.stdout.flush()
        # Opened anew: what this process began with may have been a file, and a pipe has its place now.
        fresh = open(sys.stdout.fileno(), "wb", closefd=False)  # noqa: SIM115 it stays open
        sys.stdout = _Output(before_print, fresh, sys.stdout.encoding, sys.stdout.errors)
        register_script("python", self)

    def begin(self) -> None:
        """Forget what scripts have defined: the program is loaded anew."""
        self._module = sys.modules["__main__"] = ModuleType("__main__")

    def function(self, name: str) -> Callable[..., Any] | None:
        """What the scripts define by a name, if it can be called."""
        found = vars(self._module).get(name)
        return found if callable(found) else None

    @property
    def entry(self) -> Callable[[Control], Any] | None:
        return self.function("main")

    # What clingo calls. An exception loses its type when it passes through clingo: it is kept in `raised`.

    def execute(self, location: Location, code: str) -> None:
        file, line = location.begin.filename, location.begin.line
        self._files.add(file)
        text = "\n" * (line - 1) + code
        if file in (TEXT, "<string>"):  # the latter where a text has been rewritten
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        try:
            exec(compile(text, file, "exec"), vars(self._module))
        except BaseException as error:
            self.raised = error
            raise

    def call(self, location: Location, name: str, arguments: Iterable[Symbol]) -> Iterable[Symbol] | Symbol:
        try:
            found = vars(self._module)[name](*arguments)
            several = list(found) if isinstance(found, Iterable) else [found]
            for one in several:
                if not isinstance(one, Symbol):  # clingo's own error does not tell which function it was
                    raise TypeError(f"{name} gave {brief(one)}, which is not a clingo.Symbol")
            return several
        except BaseException as error:
            term, begin = f"@{name}({','.join(map(str, arguments))})", location.begin
            term = term if len(term) <= LONGEST else f"{term[: LONGEST - 3]}..."
            self.raised, self._called = error, (term, Place(begin.filename, begin.line, begin.column))
            raise

    def callable(self, name: str) -> bool:
        return self.function(name) is not None

    def main(self, control: Control) -> None:
        """Called where clingo's own program runs, which `lpbridge ground --text` uses; otherwise `Main` is given."""
        try:
            vars(self._module)["main"](control)
        except BaseException as error:
            self.raised = error
            raise

    def take(self, texts_of: Callable[[str], Sequence[bytes]]) -> ProgramError | None:
        """The error of what a script has raised, once; `texts_of` gives the texts that have a name."""
        raised, called = self.raised, self._called
        self.raised = self._called = None
        if called is not None:
            called = called[0], place_in_characters(called[1], texts_of(called[1].file or TEXT))
        return None if raised is None else self.error(raised, called)

    def error(self, raised: BaseException, called: tuple[str, Place] | None = None) -> ProgramError:
        """An exception of a script as an error at the innermost line of the program.

        `called` is the term of a rule for which a function was called, and where it stands.
        """
        if isinstance(raised, ProgramError):
            return raised
        kind = type(raised).__name__
        message = " ".join(f"{kind}: {_message_of(raised)}".split()).removesuffix(":")
        hint = "return from `main`, or raise an error" if isinstance(raised, SystemExit) else _hint(raised)
        if isinstance(raised, SyntaxError) and raised.filename in self._files:
            place = Place(raised.filename, raised.lineno, raised.offset)
            return ProgramError(f"{message}{_shown(place)}", where=place)
        frames = [frame for frame in traceback.extract_tb(raised.__traceback__) if frame.filename in self._files]
        if not frames:
            if called is None:
                return ProgramError(message, hint=hint)
            return ProgramError(f"{message}, for {called[0]}{_shown(called[1])}", where=called[1], hint=hint)
        *outer, inner = frames
        place = Place(inner.filename, inner.lineno)
        path = "".join(f", called from {frame.filename}:{frame.lineno}" for frame in reversed(outer))
        if called is not None:
            path += f", called for {called[0]} in {called[1]}{_shown(called[1])}"
        return ProgramError(f"{message}{_shown(place)}{path}", where=place, hint=hint)


class _Output(TextIOWrapper):
    """Standard output, a line at a time: the process may be killed."""

    def __init__(
        self, before_print: Callable[[], object], buffer: IO[bytes], encoding: str, errors: str | None
    ) -> None:
        super().__init__(buffer, encoding, errors, line_buffering=True)
        self._before_print = before_print

    def write(self, text: str) -> int:
        self._before_print()
        return super().write(text)


def _hint(raised: BaseException) -> str | None:
    """What to write where a script takes a `clingo.Symbol` for a value of Python, or for one of another kind."""
    text = _message_of(raised)
    if isinstance(raised, RuntimeError) and text == "unexpected":  # clingo's word
        return "a clingo.Symbol has .number if it is a number, .string if a string, .name and .arguments if a function"
    if isinstance(raised, TypeError) and text.endswith("which is not a clingo.Symbol"):
        return "as in clingo.Number(5)"
    if isinstance(raised, TypeError) and "'Symbol'" in text:
        return "arguments are clingo.Symbol: x.number is the number of a numeric x, clingo.Number(n) the symbol of n"
    return None


def _message_of(raised: BaseException) -> str:
    if isinstance(raised, SyntaxError):
        return raised.msg
    try:
        return str(raised)
    except Exception:
        return ""


def _shown(place: Place) -> str:
    line = shown_line("".join(linecache.getlines(place.file or "")), place)
    return f", in `{line}`" if line else ""


class Main(Control):
    """The `prg` of `main(prg)`: clingo's own Control, which passes on the models and results of its searches.

    `show` is called with each model, after the script's own `on_model`, from another thread where the script solves in
    one; `finished` with the result of each solve call. `context` is for `ground`, where the script gives none.
    """

    def __init__(
        self,
        control: Control,
        show: Callable[[Model], object],
        finished: Callable[[SolveResult], object],
        context: Any = None,
    ) -> None:
        super().__init__(control._rep)
        self._show, self._finished, self._context = show, finished, context
        self.calls = 0
        self.stopped = False

    def stop(self) -> None:
        """End the search, and then the script, where it calls this Control next. From any thread."""
        self.stopped = True
        self.interrupt()

    def _check(self) -> None:
        if self.stopped:
            raise Stopped

    def ground(self, parts: Any = (("base", ()),), context: Any = None) -> None:
        self._check()
        super().ground(parts, self._context if context is None else context)

    def solve(
        self,
        assumptions: Any = (),
        on_model: Callable[[Model], Any] | None = None,
        on_unsat: Any = None,
        on_statistics: Any = None,
        on_finish: Callable[[SolveResult], Any] | None = None,
        on_core: Any = None,
        on_last: Any = None,
        yield_: bool = False,
        async_: bool = False,
    ) -> Any:
        self._check()
        self.calls += 1

        def model(found: Model) -> Any:
            more = on_model(found) if on_model is not None else None
            if self.stopped:
                return False
            self._show(found)
            return more

        def finish(result: SolveResult) -> None:
            self._finished(result)
            if on_finish is not None:
                on_finish(result)

        found: Any = super().solve(
            assumptions,
            model,
            on_unsat,
            on_statistics,
            finish,
            on_core,
            on_last,
            yield_,
            async_,
        )
        if not (yield_ or async_):
            self._check()
        return found
