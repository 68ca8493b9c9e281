"""Results of untrusted programs, which come as text: every kind of value, and what is refused."""

from __future__ import annotations

from math import isnan
from typing import Any

import pytest

from bridge.errors import SolverError
from bridge.prolog import Session
from bridge.prolog._line import parsed

VALUES: list[tuple[str, Any]] = [
    ("12", 12), ("-7", -7), ("9223372036854775807", 2**63 - 1), ("X is 2**4000", 2**4000), ("X is -(2**70)", -(2**70)),
    ("1.5", 1.5), ("-0.25", -0.25), ("1.0e100", 1e100), ("X is inf", float("inf")), ("X is -inf", float("-inf")),
    ("a", "a"), ("''", ""), (r"""'it"s \\ x'""", 'it"s \\ x'), (r'"tab\tline\n"', "tab\tline\n"), ("'é€😀'", "é€😀"),
    (r"'\x7f\\x1\'", "\x7f\x01"), ("'[1'", "[1"), ("[]", []), ("[a, [1, ''], \"s\"]", ["a", [1, ""], "s"]),
]  # fmt: skip


def test_every_value_comes_as_it_is() -> None:
    with Session(":- dynamic p/1.", untrusted=True, allow_missing_walls=True) as session:
        for written, value in VALUES:
            answer = session.first(written if written.startswith("X is") else f"X = {written}")
            assert answer is not None, written
            assert answer["X"] == value, written
        answer = session.first("X is nan")
        assert answer is not None
        assert isnan(answer["X"])


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[1", b"nil", b'{"integer": 5}', b'{"integer": "xyz"}', b'{"eval": "os:system(ls)"}', b'"\n"', b"[" * 99999,
        b"9" * 9999, b'[1] [2]',
    ],
)  # fmt: skip
def test_what_is_not_of_this_form_is_refused(data: bytes) -> None:
    with pytest.raises(SolverError, match="not in the bridge's form"):
        parsed(data)
