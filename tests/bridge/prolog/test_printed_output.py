"""`output=` of a session: what a program prints is a value."""

from __future__ import annotations

from io import BytesIO, StringIO
from pathlib import Path

import pytest
from patience import given_time

from bridge.errors import BridgeError, InputError, ProgramError, UnsupportedError
from bridge.limits import Limits
from bridge.prolog import Session

TEXT = ":- writeln('grüß').\np(X) :- member(X, [1, 2, 3]), format('~w~n', [X]).\n"


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_buffer_has_what_was_printed_before_an_answer(untrusted: bool) -> None:
    printed = StringIO()
    with Session(TEXT, output=printed, untrusted=untrusted) as session:
        assert printed.getvalue() == "grüß\n"
        for number, _ in enumerate(session.query("p(X)"), 1):
            assert printed.getvalue().startswith("grüß\n1\n2\n3\n"[: 5 + 2 * number])
        assert printed.getvalue() == "grüß\n1\n2\n3\n"
        assert session.first("p(2)") is not None
        assert printed.getvalue().endswith("3\n2\n")
        with pytest.raises(ProgramError):
            session.first("write(more), X is foo + 1")
        assert printed.getvalue().endswith("more")
        before = len(printed.getvalue())
        session.query("forall(between(1, 20000, _), write(abcdefghij))").collect()  # more than a pipe holds
        assert len(printed.getvalue()) - before == 200_000
        session.query("write(bye), halt").collect()
    assert printed.getvalue().endswith("bye")


def test_it_is_there_when_a_limit_ends_the_query() -> None:
    printed = StringIO()
    with Session("p.\n", output=printed) as session:
        def looped(seconds: float) -> str:
            session.query("write(x), repeat, fail", limits=Limits(seconds=seconds)).collect()
            return printed.getvalue()

        assert set(given_time(looped, bool, 0.1)) == {"x"}


def test_an_untrusted_program_fills_no_host() -> None:
    printed = StringIO()
    with Session("p.\n", output=printed, untrusted=True) as session:
        for _ in range(2):
            found = session.query("repeat, format(\"~`at~100000|\", []), fail", limits=Limits(seconds=1)).collect()
            assert found.limit == "seconds"
    assert len(printed.getvalue()) < 3 << 24


def test_a_file_and_bytes(tmp_path: Path) -> None:
    for untrusted in (False, True):
        data = BytesIO()
        with (tmp_path / "out.txt").open("w") as file:
            for output in (file, data):
                with Session("p :- writeln(hello).\n", output=output, untrusted=untrusted) as session:
                    session.first("p")
        assert data.getvalue() == b"hello\n"
        assert (tmp_path / "out.txt").read_text() == "hello\n"


def test_what_cannot_be_written_to() -> None:
    with pytest.raises(InputError, match="not open for writing"):
        Session("p.\n", output=3)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError):
        Session("p.\n", output=StringIO(), isolated=False)
    with pytest.raises(ProgramError):
        Session("p(.\n", output=StringIO(), strict=True)
    closed = StringIO()
    closed.close()
    with pytest.raises((ValueError, BridgeError)):
        Session(":- writeln(x).\n", output=closed)
