"""Sessions with SWI-Prolog: programs loaded, queries run, answers with what constrains them.

    with Session("rooms.pl") as session:
        for answer in session.query("rooms(X, Y)"):
            answer["X"], answer.residual, str(answer)

A session gives and takes Python values. Its Prolog is a `Local`, in this process or, behind a `Remote`, in another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from os import PathLike, fspath
from os.path import abspath
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, cast
from weakref import WeakSet

from bridge.common.arguments import named_arguments
from bridge.common.closing import Closing
from bridge.common.files import refuse_names
from bridge.common.languages import is_path
from bridge.common.rows import Rows, is_missing
from bridge.errors import InputError, ProgramError, UnsupportedError, brief
from bridge.isolation import frames
from bridge.isolation.process import HasDescriptor, Output, OutputOrPair
from bridge.limits import UNLIMITED, Limits, as_limits
from bridge.outcome import Progress, Stream
from bridge.prolog.answer import Answer, AnswerStream, Chunks, Header
from bridge.prolog.functions import Functions
from bridge.prolog.message import Message
from bridge.prolog.packing import constraints_of, encode
from bridge.prolog.remote import Remote
from bridge.prolog.terms import Term, Variable
from bridge.public import public

if TYPE_CHECKING:
    from bridge.isolation.copier import Copier
    from bridge.prolog.local import Local

#: Of so many goals it is remembered what their variables are.
_GOALS = 10_000


def _with_descriptor(stdin: Any) -> HasDescriptor:
    """An open file as it is; what can only be read, as a file with the same contents. InputError for anything else."""
    try:
        stdin.fileno()
    except (AttributeError, TypeError, OSError, ValueError):
        try:
            data = stdin.read()
            file = tempfile.TemporaryFile()  # noqa: SIM115 it is closed with the session
            file.write(data.encode() if isinstance(data, str) else data)
        except (AttributeError, TypeError, ValueError):
            hint = "such as sys.stdin, or io.StringIO(text)"
            raise InputError(f"{brief(stdin)} is not an open file", hint=hint) from None
        file.seek(0)
        return file
    return cast("HasDescriptor", stdin)


def _copier(output: IO[Any], isolated: bool, untrusted: bool) -> Copier:
    from bridge.isolation.copier import Copier  # here: few sessions need one

    if not isolated:
        raise UnsupportedError("output= takes what a process of its own prints", hint="isolated=True does it")
    if not callable(getattr(output, "write", None)):
        raise InputError(f"{brief(output)} is not open for writing", hint="output=io.StringIO(), or an open file")
    copier = Copier(output, frames.MOST_UNTRUSTED if untrusted else None)
    copier.start()
    return copier


def _is_one(value: Any) -> bool:
    """Is it a term, and not a row of them?"""
    return isinstance(value, str | Term | Variable | Enum)


def _fact_value(value: Any) -> Any:
    if is_missing(value):
        raise InputError(f"{value!r} is a missing value", hint="leave the row out; Variable('X') is a variable")
    return encode(value)


@public("bridge.prolog")
class Session(Closing):
    """SWI-Prolog with programs loaded, ready for queries.

    `stdin`, `argv`, `search_paths` and `context` belong to a process: a session that is not isolated has the caller's,
    and an untrusted one has none.

    Parameters
    ----------
    sources
        Files and program text. A string is a path when it has no line break and no dot that ends a clause, and either
        has a suffix of a program (`.pl`, `.pro`, `.plt`, ...) or a path separator; any other string is text.
    isolated
        Run Prolog in a process of its own, in the module `user` as swipl does: it can always be stopped, whatever the
        program does, and its memory can be limited. Costs some milliseconds. Without it the program runs in here, in a
        module of its own.
    untrusted
        Confine that process, for a program from an unknown source (see SECURITY.md): what it does must be safe
        by library(sandbox).
    allow_missing_walls
        Run it even where this machine does not put up an essential wall of the operating system (`lpbridge doctor`
        shows them), and say so in `warnings`; otherwise that is an UnsupportedError.
    strict
        Refuse a program at the first error while it is loaded. Otherwise errors are `warnings`, and what is left is
        loaded, as swipl does. None: only an untrusted program is refused.
    limits
        For loading: directives may do anything. Each query has limits of its own.
    output
        Where what the program prints goes: to where this process prints (`inherit`), to `stderr`, or `nowhere`; or into
        a file that is open for writing, or `io.StringIO()`, where it is by the time that the next answer is there. An
        untrusted program has to wait when it has printed 16 MiB before one.
    stdin
        What the program reads: an open file, such as `sys.stdin`, or `io.StringIO(text)`. None: it finds the end of
        file.
    argv
        The arguments of the program: `current_prolog_flag(argv, Arguments)`, `main/0` of library(main).
    search_paths
        Folders by alias, as of swipl's option `-p`: `{"library": ["lib"]}` for `library(...)`, `{"pack": [...]}` for
        packs. They are searched first.
    context
        Functions of yours, a list of them or a mapping from names, which the program calls as predicates: the result
        of `price(item)` is the last argument of `price(Item, Result)`. None is no answer, and an iterator, such as a
        generator, gives several. They run in this process, and the limits of the query hold between their values.

    Attributes
    ----------
    warnings
        What SWI-Prolog said while loading, errors and warnings, each a `Message` with its kind and place.
    halted
        The exit code, where the program called `halt/0` or `halt/1` while it was loaded. Then it has ended, and a query
        is a ProgramError.

    Raises
    ------
    MissingSolverError
        When SWI-Prolog or janus is not there; the hint says how to get it.
    InputError
        When a file cannot be read.
    ProgramError
        When `strict`: with file, line and column, for errors while loading, or when the program calls `halt/1`.

    In this process, queries of several threads run side by side, but a stream of answers belongs to the thread that
    reads it first. A goal runs as at the toplevel: it sees what the loaded modules export, what the other files define,
    and the rest as `Module:Goal`.
    """

    @named_arguments
    def __init__(
        self,
        *sources: str | PathLike[str],
        isolated: bool = True,
        untrusted: bool = False,
        allow_missing_walls: bool = False,
        strict: bool | None = None,
        limits: Limits = UNLIMITED,
        output: Output | IO[Any] = "inherit",
        stdin: HasDescriptor | None = None,
        argv: Sequence[str] = (),
        search_paths: Mapping[str, Sequence[str | PathLike[str]]] = MappingProxyType({}),
        context: Any = None,
    ) -> None:
        if untrusted:
            refuse_names(sources)
        given = [(fspath(source), not is_path(source)) for source in sources]
        self._files = ["<text>" if is_text else source for source, is_text in given]
        self._isolated = isolated or untrusted
        self._own = isolated and not untrusted
        self._checked(limits)
        self._headers: dict[str, tuple[Header, frozenset[str]]] = {}  # at most `_GOALS`, with the goals' variables
        self._streams: WeakSet[Stream[Answer]] = WeakSet()
        self._backend: Local | Remote
        self.warnings: list[Message] = []
        strict = untrusted if strict is None else strict
        of_process = {"stdin": stdin, "argv": argv, "search_paths": search_paths, "context": context}
        for name, value in of_process.items():
            if value and (untrusted or not self._isolated):
                hint = "an untrusted program has none" if untrusted else "isolated=True does it"
                raise UnsupportedError(f"{name} belongs to a process of the program's own", hint=hint)
        for texts in (argv, *search_paths.values()):
            if isinstance(texts, str | PathLike):
                raise InputError(f"{texts!r} is one text, not a list of them", hint=f"write [{texts!r}]")
        self._copier = None if isinstance(output, str) else _copier(output, self._isolated, untrusted)
        try:
            if self._isolated:
                paths = [[alias, fspath(folder)] for alias, folders in search_paths.items() for folder in folders]
                stdin = None if stdin is None else _with_descriptor(stdin)
                functions = None if context is None else Functions(context)
                to: OutputOrPair = output if isinstance(output, str) else "nowhere"
                if self._copier is not None:
                    to = self._copier.end, None if untrusted else 2
                remote = Remote(
                    given, limits, strict, untrusted, to, allow_missing_walls, argv, paths, stdin, functions
                )
                self._backend, self.warnings = remote, remote.warnings
            else:
                from bridge.prolog.local import Local  # here: a program in a worker needs no Prolog in this process

                self._backend = local = Local(strict=strict)
                self.warnings = [Message.unpacked(one) for one in local.consult(given)[0]]
                local.link()
        except BaseException as error:
            if self._copier is not None:
                self._copier.finish()
            if isinstance(error, ProgramError):
                raise self._typed(error) from None
            raise
        self._settle()
        self.halted: int | None = self._backend.halted

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(self._files)}>"

    def _settle(self) -> None:
        """Have what was printed where `output` says."""
        if self._copier is not None:
            self._copier.settle()
            if self._copier.error is not None:
                raise self._copier.error

    def _checked(self, limits: Limits) -> Limits:
        if as_limits(limits).memory is not None and not self._isolated:
            raise UnsupportedError("memory is limited only in a process of its own", hint="isolated=True does it")
        return limits

    @property
    def seconds(self) -> dict[str, float]:
        """What loading took."""
        return self._backend.seconds

    def query(
        self,
        goal: str,
        inputs: Mapping[str, Any] | None = None,
        *,
        limits: Limits = UNLIMITED,
        texts: bool = False,
        **more: Any,
    ) -> Stream[Answer]:
        """Run a goal; its answers as they are found.

        Variables of the goal that begin with `_` are not in the answers. Statistics count `inferences`, and have CPU
        time as the phase `cpu` beside the wall-clock time of `solve`. A part of the goal under `phase(Name, Part)`,
        imported from `lpbridge`, is a phase of its own.

        The first answer comes as soon as it is found. Fast ones after it come some at a time, so that the search may
        run ahead of the reader by a few milliseconds, but never beyond the limit on solutions.

        Parameters
        ----------
        goal
            As typed at the toplevel, without the final dot. Keep it constant and pass data as inputs: a goal text is
            parsed once, and the 10,000 last ones are remembered.
        inputs, more
            Values for variables of the goal. An input may contain variables: `None`, or `Variable(name)`, by which
            name residual goals will call it. The constraints of a variable that comes from an answer hold again: they
            are called before the goal.
        limits
            Seconds and solutions are kept.
        texts
            Have each answer bring its text along: faster where every one is printed, slower where none is.

        Raises
        ------
        ProgramError
            For a syntax error in the goal, or when the program raises an error, after the answers found before it; with
            file and line where known.
        InputError
            For an input that the goal has no variable for, or that is not a term.
        """
        values = {**(inputs or {}), **more}
        checked = self._checked(limits)
        stream = AnswerStream(lambda progress: self._run(goal, values, texts, checked, progress), limits)
        self._streams.add(stream)
        return stream

    def first(
        self, goal: str, inputs: Mapping[str, Any] | None = None, *, limits: Limits = UNLIMITED, **more: Any
    ) -> Answer | None:
        """The first answer to a goal; None when there is none, or when a limit that is given came first (`query` says).

        Nothing is searched beyond it, and it costs less than a stream.

        Raises
        ------
        ProgramError
            As `query`.
        LimitError
            When something else ended the search: its process died, the program ended it, another thread closed it.
        """
        header, packed = self._ask(goal, {**inputs, **more} if inputs else more)
        progress = Progress()
        try:
            run = self._backend.run(goal, packed, 1, False, self._checked(limits), progress)
            found = [answer for chunk in run for answer in chunk]
        except ProgramError as error:
            raise self._typed(error) from None
        finally:
            self._settle()
        if not found:
            progress.explain(limits)
        return Answer(header, found[0]) if found else None

    def _run(self, goal: str, values: dict[str, Any], texts: bool, limits: Limits, progress: Progress) -> Chunks:
        header, inputs = self._ask(goal, values)
        progress.statistics.seconds.update(self._backend.seconds)
        try:
            for chunk in self._backend.run(goal, inputs, limits.solutions, texts, limits, progress):
                self._settle()
                yield header, chunk
        except ProgramError as error:
            raise self._typed(error) from None
        finally:
            self._settle()

    def _ask(self, goal: str, values: dict[str, Any]) -> tuple[Header, list[Any]]:
        found = self._headers.get(goal)
        if found is None:
            if len(self._headers) >= _GOALS:
                self._headers.clear()
            names = self._backend.names(goal)
            header = Header([name for name in names if not name.startswith("_")], self._backend.text)
            found = self._headers[goal] = header, frozenset(names)
        header, variables = found
        if not values:
            return header, []
        for name in values:
            if name not in variables:
                raise InputError(f"the goal `{goal}` has no variable {name!r}", hint="inputs are for its variables")
        met: list[Variable] = []
        inputs: list[Any] = [[name, encode(value, met)] for name, value in values.items()]
        if met and (goals := constraints_of(met)):
            if self._isolated and not self._own:
                message = f"a variable that is constrained (`{goals[0]}`) cannot go back to an untrusted program"
                raise InputError(message, hint="pass Variable(name), and write the constraint in the goal")
            inputs.append([None, encode(goals)])
        return header, inputs

    def _typed(self, error: ProgramError) -> ProgramError:
        """The error with its term as a value: it comes packed, as an answer to a goal with one variable.

        A clause that could not be read is why its predicate is unknown: that is said with it.
        """
        if error.term is not None:
            error.term = Answer(Header(("E",), lambda values: ""), error.term)["E"]
        unread = next((one for one in self.warnings if one.kind == "error"), None)
        if unread is not None and "existence_error(procedure" in str(error.term):
            error.hint = "; ".join(filter(None, (error.hint, f"not all of the program could be read: {unread}")))
        return error

    def consult(self, *sources: str | PathLike[str]) -> list[Message]:
        """Load further programs, files or text, in this order, as `[a, b].` does at the toplevel: what that said.

        They see what was loaded before. A file that was loaded is loaded again where it has changed, and so is the same
        text; what another one defines anew replaces what there was, with a warning. A path without a suffix is that of
        a `.pl`. Where the process had to be killed, the next one loads these programs again.

        Raises
        ------
        InputError
            When a file cannot be read.
        ProgramError
            As for a new session; what was loaded before the error stays.
        UnsupportedError
            For a file of an untrusted program, which reads only those that it was started with.
        """
        given = [(abspath(source), False) if is_path(source) else (fspath(source), True) for source in sources]
        if not self._own and self._isolated and not all(is_text for _, is_text in given):
            raise UnsupportedError("an untrusted program reads no further file", hint="pass its text")
        self._headers.clear()
        try:
            messages = [Message.unpacked(one) for one in self._backend.consult(given)[0]]
        except ProgramError as error:
            raise self._typed(error) from None
        finally:
            self._settle()
        self.warnings = [*self.warnings, *messages]
        self.halted = self._backend.halted
        return messages

    def add_facts(
        self, name: str, rows: Iterable[Any], *, columns: Mapping[str, Callable[[Any], Any]] | None = None
    ) -> None:
        """Add facts of a predicate: `add_facts("edge", pairs)`, `add_facts("node", names)`, or a table.

        They come after the clauses that are there. The predicate is dynamic from here on. Where the process had to be
        killed, the next one gets them again.

        Parameters
        ----------
        name
            Of the predicate.
        rows
            A fact each: a tuple or another sequence holds its arguments, a dataclass or NamedTuple does so in its
            fields, and any other value is the one argument; a `str` is a string, `Atom` an atom. Or a table of pandas,
            Polars or PyArrow, with the arguments in the order of its columns; without rows it has no fact.
        columns
            Of a table, functions for the values of some columns, by their names: `{"city": Atom}`.

        Raises
        ------
        InputError
            With the index of a row that holds no term, or a missing value, and its column in a table.
        ProgramError
            For a predicate of the system.
        """
        if not isinstance(name, str) or not name:
            raise InputError(f"{brief(name)} is not the name of a predicate", hint='add_facts("edge", pairs)')
        table = Rows(rows, columns, _fact_value, _is_one, "a term of Prolog")
        packed = [*table]
        arities = {len(row) for row in packed} | ({len(table.columns)} if table.columns is not None else set())
        try:
            self._backend.add_facts(name, sorted(arities), packed)
        except ProgramError as error:
            raise self._typed(error) from None

    def exports(self) -> list[tuple[str, int]]:
        """What the loaded files offer, name and arity: what modules export, and all that the other files define."""
        return self._backend.exports()

    def main(self) -> str | None:
        """The goal of `:- initialization(Goal, main)`, if a loaded file has one. Loading does not run it."""
        return self._backend.main()

    def halt(self, *, limits: Limits = UNLIMITED) -> int | None:
        """End the program as `halt/0` does: its goals of `at_halt/1` run. Its exit code.

        None when there is nothing to end: it has ended, it has no process of its own, or `cancel_halt/1` was called.
        """
        if not self._own or not self._backend.alive:
            return None
        with self.query("halt", limits=limits) as stream:
            for _ in stream:
                pass
        return stream.exit_code

    def close(self) -> None:
        """Close the queries that are still open."""
        for stream in list(self._streams):
            stream.close()
        self._backend.close()
        if self._copier is not None:
            self._copier.finish()
