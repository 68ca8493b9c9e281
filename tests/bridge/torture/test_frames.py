"""What a worker may send: nothing that ends, blocks or confuses its caller."""

from __future__ import annotations

import random
import resource
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgpack
import pytest
from patience import PATIENCE

from bridge.asp import Program
from bridge.asp.running.remote import Remote as AspRemote
from bridge.errors import BridgeError, SolverError
from bridge.isolation import frames
from bridge.isolation.frames import FrameError, pack, unpack
from bridge.isolation.worker import GRACE, Worker
from bridge.limits import Limits
from bridge.outcome import Progress, Stream
from bridge.prolog import Session
from bridge.prolog.remote import Remote as PrologRemote

JOB = "torture.writes_bytes"

#: These ended the caller with SIGSEGV when frames were read by `marshal`.
MARSHAL = bytes.fromhex("7ba90172000000004e30")

VALUES: list[Any] = [
    None, True, False, 0, -1, 2**31, -(2**31), 2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 2**4000, -(2**4000), 0.5, float("inf"),
    "", "text", "ünï\0", "\ud800", "a\udfffb", b"", b"\x00\xff", [], (), [()], ([],), (1, "a"), [1, (2, [3, (4,)])], {}, {"a": (1,), "b": [2]},
    [[1, 2], [None, "f", 1]], (None, True, (0,)),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_what_is_sent_arrives(value: Any) -> None:
    found = unpack(pack(value))
    assert repr(found) == repr(value)
    assert type(found) is type(value)


def test_nested_as_deep_as_it_goes() -> None:
    value: Any = 1
    for depth in range(500):
        value = (value,) if depth % 2 else [value]
    assert unpack(pack(value)) == value
    for _ in range(100_000):
        value = [value]
    with pytest.raises(FrameError, match="cannot be sent"):
        pack(value)
    while isinstance(value, list | tuple):  # without recursion
        (value,) = value


@pytest.mark.parametrize("value", [object(), {1: 2}, {1, 2}, 1j], ids=lambda value: type(value).__name__)
def test_what_is_no_plain_data_is_not_sent(value: Any) -> None:
    if value == {1: 2}:  # written, and refused when it is read: numbers as keys can be chosen to collide
        with pytest.raises(FrameError):
            unpack(pack(value))
        return
    with pytest.raises(FrameError, match="cannot be sent"):
        pack(value)


MALFORMED = {
    "marshal's crash": MARSHAL,
    "nothing": b"",
    "cut": pack([1, 2, "three"])[:-2],
    "too much": pack([1]) + b"\x00",
    "an array of four thousand million": b"\xdd\xff\xff\xff\xff",
    "a map of four thousand million": b"\xdf\xff\xff\xff\xff",
    "a string of four thousand million": b"\xdb\xff\xff\xff\xff",
    "bytes of four thousand million": b"\xc6\xff\xff\xff\xff",
    "an extension of four thousand million": b"\xc9\xff\xff\xff\xff\x02",
    "no UTF-8": b"\xa2\xff\xfe",
    "arrays in arrays": b"\x91" * 1_000_000,
    "arrays in arrays, all there": b"\x91" * 1_000_000 + b"\xc0",
    "maps in maps": b"\x81\xa1a" * 1_000_000,
    "a key that is a list": b"\x81\x90\x01",
    "a key that is a number": b"\x81\x01\x01",
    "an unknown extension": b"\xd4\x05a",
    "extensions in extensions": b"\xc9\x00\x00\x10\x00\x01" * 1000,
    "a byte that means nothing": b"\xc1",
    "a time out of range": b"\xd7\xff" + b"\xff" * 8,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_bytes_are_an_error(name: str) -> None:
    with pytest.raises(FrameError):
        unpack(MALFORMED[name])


def test_random_bytes_are_read_or_refused() -> None:
    """Random ones, and sound ones with some bytes changed: whatever is read is plain data."""
    chance = random.Random(12)
    sound = [pack(["items", 3, [value]]) for value in VALUES]
    for _ in range(50_000):
        if chance.random() < 0.3:
            data = chance.randbytes(chance.randrange(40))
        else:
            changed = bytearray(chance.choice(sound))
            for _ in range(chance.randrange(1, 4)):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            data = bytes(changed)
        try:
            value = unpack(data)
        except FrameError:
            continue
        repr(value)


# A worker that sends them


@pytest.fixture(params=["trusted", "untrusted"])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    made = Worker(JOB, untrusted=request.param == "untrusted")
    yield made
    made.close()


def ask(worker: Worker, *call: Any, **limits: Any) -> Stream[Any]:
    kept = Limits(**limits)
    return Stream(lambda progress: worker.ask(call, progress, kept), kept)


def sound(worker: Worker) -> None:
    """The next question has a new process, and is answered."""
    assert ask(worker, "sound").collect().solutions == ("sound",)


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_frame_is_an_error_of_its_question(worker: Worker, name: str) -> None:
    worker.start()
    first = worker.pid
    with pytest.raises(SolverError, match="cannot be read"):
        ask(worker, "content", MALFORMED[name]).collect()
    sound(worker)
    assert worker.pid != first


MESSAGES: dict[str, Any] = {
    "a number": 7,
    "no number": ["items", "x", []],
    "an unknown kind": ["surprise", 1, None],
    "another readiness": ["ready", 1, []],
    "nothing in it": ["items", 1],
    "no list": ["items", 1, 5],
    "an end without an account": ["done", 1, {}],
    "an end that is none": ["done", 1, [1, None, None, None, None, {}, {}]],
    "an unknown limit": ["done", 1, [False, "x" * 99, None, None, None, {}, {}]],
    "a remark that is a list": ["done", 1, [False, None, None, [], None, {}, {}]],
    "seconds that are words": ["done", 1, [False, None, None, None, None, {"a": "b"}, {}]],
    "an error of no kind": ["error", 1, [False, None, None, None, None, {}, {}], ["no such kind", "m", None, None]],
    "an error that is a number": ["error", 1, [False, None, None, None, None, {}, {}], 5],
    "an error without words": ["error", 1, [False, None, None, None, None, {}, {}], ["input", 5, None, None]],
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_that_means_nothing(worker: Worker, name: str) -> None:
    with pytest.raises(SolverError, match="cannot be read"):
        ask(worker, "content", pack(MESSAGES[name])).collect()
    sound(worker)


def test_a_length_beyond_all_measure(worker: Worker) -> None:
    """It is refused at once, before four gigabytes are awaited or allocated."""
    with pytest.raises(SolverError, match=r"4,294,967,295 bytes"):
        ask(worker, "bytes", b"\xff\xff\xff\xff" + b"x" * 100).collect()
    sound(worker)


def test_a_frame_that_never_ends_keeps_the_limit(worker: Worker) -> None:
    worker.start()
    outcome = ask(worker, "bytes", struct.pack("!I", 1000) + b"x", seconds=0.2).collect()
    assert (outcome.solutions, outcome.limit, outcome.rung) == ((), "seconds", "kill")
    sound(worker)


def test_a_frame_that_is_cut_off(worker: Worker) -> None:
    outcome = ask(worker, "leave", struct.pack("!I", 1000) + b"x").collect()
    assert (outcome.solutions, outcome.limit) == ((), "halt")
    sound(worker)


@pytest.mark.usefixtures("little_grace")
def test_answers_without_an_end_keep_the_limit(worker: Worker) -> None:
    """A process that goes on sending after its time, and does not stop when it is asked to."""
    worker.start()
    found = 0
    begun = time.monotonic()
    with ask(worker, "flood", 1, seconds=0.1) as stream:
        for _ in stream:
            found += 1
            if time.monotonic() - begun > PATIENCE:
                pytest.fail("it goes on and on")
    assert found
    assert (stream.limit, stream.rung) == ("seconds", "kill")
    sound(worker)


def test_an_answer_that_is_too_large_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker(JOB, untrusted=True)
    with pytest.raises(SolverError, match=r"an answer cannot be sent: .* bytes in one piece are too many") as caught:
        ask(worker, "large", frames.MOST_UNTRUSTED + 1).collect()
    assert caught.value.partial.solutions == (1,)
    assert ask(worker, "large", frames.MOST_UNTRUSTED // 2).collect().complete
    worker.close()


def test_several_questions_at_once_all_end(worker: Worker) -> None:
    with ask(worker, "endless") as outer:
        assert next(outer) == 0
        with pytest.raises(SolverError):
            ask(worker, "content", MARSHAL).collect()
        with pytest.raises(SolverError):
            outer.collect()
    sound(worker)


# What the solvers' own sides make of it


def lying(monkeypatch: pytest.MonkeyPatch, remote: Any, *answers: Any) -> None:
    """Have the worker of a program give these answers from here on, whatever is asked."""
    worker = remote._worker

    def ask(call: Any, progress: Progress, limits: Limits = Limits(), convert: Any = iter) -> Iterator[Any]:  # noqa: B008
        from bridge.isolation.worker import _Question

        question = _Question(1, call, progress, limits, convert, None)
        worker._questions.append(question)
        try:
            try:
                worker._understand(frames.pack(["items", 1, list(answers)]))
            except FrameError as error:
                worker._distrust(str(error))
            if question.error is not None:
                raise question.error
            progress.complete = True
            yield from progress.waiting
        finally:
            worker._questions.remove(question)

    monkeypatch.setattr(worker, "ask", ask)


LIES: list[Any] = [None, 5, "x", b"123", b"12345678", ("lines", "a", 5, "x", []), ("part", 7), [5], [["x"]], [[1, 2, 3]], {"a": 1}, {"steps": "x"}, (1, 2, 3, 4), ["f"] * 5, [[1, "a", [["f"]]]], [[1, 5, []]]]


@pytest.mark.parametrize("lie", LIES, ids=repr)
def test_clingos_side(lie: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with Program("{ a; b(1) }.") as program:
        assert isinstance(program._backend, AspRemote)
        with monkeypatch.context() as patch:
            lying(patch, program._backend, lie)
            for question in (
                lambda: [str(model) for model in program.models()],
                lambda: [str(model) for model in program.printed()],
                lambda: program.literals("b", 1),
                lambda: program.inside().ground_facts(),
                lambda: program.grounding(),
                lambda: program.warnings,
            ):
                with suppress(BridgeError):
                    question()
        assert len(program.models().collect().solutions) == 4, "the next question has a new process"


def test_a_model_of_atoms_that_were_not_described(monkeypatch: pytest.MonkeyPatch) -> None:
    with Program("a.") as program:
        assert isinstance(program._backend, AspRemote)
        lying(monkeypatch, program._backend, struct.pack("Q", 12345))
        with pytest.raises(SolverError, match="not described"):
            print([str(model) for model in program.models()])


PROLOG_LIES: list[Any] = [*LIES, [True, "o", 1], [True, "o", [1], 5, "x"], [True, "o", [], [], []], [True, "no such"], [True, "n", [3, "f"]], [True, "n", [-2, 10**9]], [True, "d", 1, [[], 2]], [None]]  # fmt: skip


@pytest.mark.parametrize("lie", PROLOG_LIES, ids=repr)
def test_prologs_side(lie: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with Session("a(1). a(2).\n") as session:
        assert isinstance(session._backend, PrologRemote)
        session.first("a(X)")  # its names are known
        with monkeypatch.context() as patch:
            lying(patch, session._backend, lie)
            for question in (
                lambda: [(answer["X"], str(answer), answer.residual) for answer in session.query("a(X)")],
                lambda: session.query("b(X, Y)").collect(),
                session.exports,
                session.main,
            ):
                with suppress(BridgeError):
                    question()
        assert [answer["X"] for answer in session.query("a(X)")] == [1, 2], "the next question has a new process"


def test_reading_takes_no_more_than_a_multiple_of_the_frame() -> None:
    """The worst for its size: a frame of empty lists. It bounds what a hostile answer costs the caller."""
    count = 1 << 20
    data = b"\xdd" + struct.pack("!I", count) + b"\x90" * count
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    value = unpack(data)
    taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1024 if sys.platform == "linux" else 1)
    assert len(value) == count
    assert taken < 100 * len(data)


def test_msgpack_is_the_compiled_one() -> None:
    """The one in Python is slower, and recurs."""
    assert msgpack.Packer.__module__.endswith("_cmsgpack")


assert GRACE < 1
