"""clingo in a process of its own: a `Local` in a worker.

When the worker was killed (a grounding that would not stop), the next call starts another one and repeats the calls
that changed the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from bridge.asp.functions import Call, Check
from bridge.asp.model import Printed
from bridge.asp.running.packing import CALLS, Lower, Opening, Receiver, Steps, Warned, unpack
from bridge.asp.types import Source
from bridge.errors import BridgeError, InputError
from bridge.isolation.frames import FrameError
from bridge.isolation.plain import form_of
from bridge.isolation.process import Output
from bridge.isolation.worker import Worker
from bridge.limits import UNLIMITED, Limits

if TYPE_CHECKING:
    from bridge.asp.given import Given
    from bridge.asp.reading.outline import Outline

JOB = "bridge.asp.running.job"


class Host:
    """A worker for several programs, which are read once for all of them.

    Of files, an untrusted worker can read only those among `sources`. The process was `started` so often: what was
    opened in an earlier one is gone. It may free the programs in `closed`.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: Sequence[str] = (),
        untrusted: bool = False,
        allow_missing_walls: bool = False,
        output: Output = "inherit",
        call: Call | None = None,
    ) -> None:
        self.sources, self.options = list(sources), list(options)
        self.untrusted, self.started, self.receiver = untrusted, 0, Receiver()
        self._numbers = count()
        self.closed: list[int] = []
        self.worker = Worker(
            JOB,
            output=output,
            untrusted=untrusted,
            readable=[source for kind, source in sources if kind == "file"],
            allow_missing_walls=allow_missing_walls,
            functions=partial(_reply, call),
        )

    def begin(self) -> None:
        """Note that the process is a new one, if it is."""
        if not self.worker.alive:
            self.started += 1
            self.receiver, self.closed = Receiver(), []

    def number(self) -> int:
        return next(self._numbers)

    def outline(self, sources: Sequence[Source] | None = None, limits: Limits = UNLIMITED) -> Outline:
        """The statements of the program that the sources are, which is not loaded; or of others."""
        read = self.sources if sources is None else sources
        return cast("Outline", self._ask("read", read, self.options, CALLS["outline"].unpack, limits))

    def demanded(self, given: Given, *arguments: Any, limits: Limits = UNLIMITED) -> list[str] | None:
        """The plain facts of a program that some rules can depend on; the arguments are those of `demand.demanded`."""
        found = self._ask("demanded", *given, form_of(list[str] | None).read, limits, given.options, *arguments)
        return cast("list[str] | None", found)

    def tied(self, given: Given, *arguments: Any, limits: Limits = UNLIMITED) -> list[str]:
        """The places of rules whose instances few facts tell; the arguments are those of `demand.tied`."""
        return cast("list[str]", self._ask("tied", *given, form_of(list[str]).read, limits, *arguments))

    def _ask(
        self,
        question: str,
        sources: Sequence[Source],
        options: Sequence[str],
        read: Callable[[Any], Any],
        limits: Limits,
        *arguments: Any,
    ) -> Any:
        self.begin()
        call = (question, -1, list(sources), list(options), self.untrusted, *arguments)
        return self.worker.call(call, limits, read=read)

    def close(self) -> None:
        self.worker.close()


class Remote:
    """Stands for a `Local` in a worker: the methods that `CALLS` lists are called there.

    The `limits` are for loading. The `host` is its worker, of its `own` unless it is shared with other programs.
    """

    def __init__(self, opening: Opening, host: Host, limits: Limits, own: bool) -> None:
        self._opening, self._host, self._own = tuple(opening), host, own
        self._worker = host.worker
        self._changes: list[tuple[str, tuple[Any, ...]]] = []
        self._warned: list[str] = []
        self._closed, self._number, self._started = False, self._host.number(), 0
        self._loading = limits
        if self._own:
            try:
                self._worker.call(self._message("warnings"), limits)
            except BaseException:  # the caller gets no object to close
                self._host.close()
                raise

    @property
    def _opened(self) -> bool:
        """Whether the process has the program. If not, the next call loads it there first."""
        return self._worker.alive and self._started == self._host.started

    def _message(self, name: str, *arguments: Any) -> tuple[Any, ...]:
        if self._opened:
            return (name, self._number, *arguments)
        self._host.begin()
        self._started = self._host.started
        closed, self._host.closed = self._host.closed, []
        return ("open", self._number, closed, self._opening, list(self._changes), (name, *arguments))

    def _ready(self) -> None:
        if self._closed:
            raise InputError("the program is closed", hint="make a new one")
        if self.busy:
            raise InputError("a search of this program is still open", hint="use it up or close it first")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in CALLS:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return partial(self._stream if CALLS[name].streams else self._call, name)

    def _call(self, name: str, *arguments: Any, limits: Limits | None = None) -> Any:
        self._ready()
        changes, opened = CALLS[name].changes, self._opened
        limits = limits or (UNLIMITED if opened else self._loading)
        if not opened and not self._own and name in ("add", "state_externals"):  # checked when the program is loaded
            self._changes.append((name, arguments))
            return None
        try:
            answer = self._worker.call(self._message(name, *arguments), limits, read=CALLS[name].unpack)
        except BaseException:
            self._started = self._started if opened else 0  # perhaps it was not loaded
            raise
        if changes:
            self._changes.append((name, arguments))
        return answer

    def _stream(self, name: str, *arguments: Any) -> Iterator[Any]:
        *values, limits, progress = arguments
        self._ready()
        opened, message = self._opened, self._message(name, *values)
        counters, receiver = progress.statistics.counters, self._host.receiver
        receiver.begin()
        try:
            convert = partial(receiver.answers, CALLS[name])
            for item in self._worker.ask(message, progress, limits, convert):
                if type(item) is Steps:
                    counters["steps"] = item
                elif type(item) is Warned:
                    self._warned = item
                elif type(item) is Lower:
                    progress.bounded(tuple(item))
                else:
                    if type(item) is Printed and item.step is not None:
                        counters["steps"] = item.step + 1
                    yield item
        except BridgeError:
            self._started = self._started if opened else 0
            raise
        finally:
            answers = [item for item in progress.waiting if type(item) not in (Steps, Warned, Lower)]
            progress.waiting.clear()
            progress.waiting.extend(answers)

    @property
    def busy(self) -> bool:
        return self._worker.asking

    def warnings(self) -> list[str]:
        """What clingo has warned of; while a search is open, by its first answer."""
        without = ""
        if missing := self._worker.missing_walls:
            from bridge.isolation.wall import without as sentence

            without = sentence(missing)
        warned = self._warned if self.busy else self._call("warnings")
        return [*([without] if without else []), *warned]

    def close(self) -> None:
        if self.busy:
            raise BridgeError("a search of this program is still open", hint="close the stream of models first")
        if self._own:
            self._worker.close()
        elif self._opened and not self._closed:
            self._host.closed.append(self._number)
        self._closed = True


def _reply(call: Call | None, question: Any, check: Check) -> Any:
    """Call a function for the worker: its results as text, False where there is no such function.

    None asks for a reply alone: what was sent before has been read then.
    """
    if question is None:
        return True
    if call is None:
        raise FrameError("a call of a function, and there are none")
    try:
        name, arguments = question
        values = [unpack(argument) for argument in arguments]
        form_of(str).read(name)
    except (ValueError, TypeError) as error:  # its process may be damaged
        raise FrameError(f"no call of a function: {error}") from None
    found = call(name, values, check)
    return False if found is None else found
