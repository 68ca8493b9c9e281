"""Integers of more than 32 bits are refused wherever they come in; clingo itself would wrap them."""

from __future__ import annotations

from pathlib import Path

import clingo.ast
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp import Program
from bridge.asp.source import check
from bridge.errors import InputError, ProgramError

FINE = [
    "p(2147483647, -2147483648).",
    "p(0x7FFFFFFF, 0b1111111111111111111111111111111, 0o17777777777).",
    "% 4294967296\np.",
    "%* 4294967296 %* 4294967296 *% 4294967296 *% p.",
    '"4294967296".\np("4294967296", "\\"4294967296").',
    "a4294967296. p_4294967296(X4294967296'4294967296).",
    "#script (lua) x = 4294967296 #end.",
    '#show "%". % 4294967296',
]


@pytest.mark.parametrize("text", FINE)
def test_what_fits_is_let_through(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("p(2147483648).", "1:3"),
        ("p.\n  q(1, 99999999999).", "2:8"),
        ("p(-2147483649).", "1:4"),
        ("p(0x80000000).", "1:3"),
        ("p(0b11111111111111111111111111111111).", "1:3"),
        ("p(0o40000000000).", "1:3"),
        ('%* "*% p(4294967296).', "1:10"),
        ('p("%*"). q(4294967296).', "1:12"),
        ("%* %* *% *%\np(4294967296).", "2:3"),
        ("#const n = 4294967296.", "1:12"),
        ("p(" + "9" * 6000 + ").", "1:3"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, text: str, where: str) -> None:
    file = tmp_path / "program.lp"
    file.write_text(text)
    with pytest.raises(ProgramError, match="does not fit in clingo's 32-bit integers, in `") as raised:
        Program(file)
    assert str(raised.value.where) == f"{file}:{where}"
    with pytest.raises(ProgramError, match="32-bit") as raised:
        Program(text + "\n")
    assert str(raised.value.where) == f"<block>:{where}"
    with Program("a.") as program, pytest.raises(ProgramError, match="32-bit"):
        program.add(text)


def test_included_files_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    main, middle, last = tmp_path / "main.lp", tmp_path / "sub" / "middle.lp", tmp_path / "sub" / "last.lp"
    main.write_text('#include "sub/middle.lp". #include "main.lp". #include "not_there.lp".\n')
    middle.write_text('% #include "nothing.lp".\n#include "last.lp".\n')
    last.write_text("a.\np(4294967296).\n")
    with pytest.raises(ProgramError, match="32-bit") as raised:
        Program(main)
    assert raised.value.where is not None
    assert Path(raised.value.where.file or "").resolve() == last.resolve()
    assert (raised.value.where.line, raised.value.where.column) == (2, 3)
    last.write_text("% 4294967296\np(1).\n")
    main.write_text('#include "sub/middle.lp".\n')
    with Program(main) as program:
        assert [model["p"] for model in program.models()] == [[(1,)]]


def test_other_ways_in() -> None:
    with pytest.raises(InputError, match="32-bit"):
        Program("p(n).", n=2**31)
    with pytest.raises(ProgramError, match="32-bit"):
        Program("p(n).", options=["-c", "n=99999999999"])
    with pytest.raises(ProgramError, match="NUL"):
        Program("a.\0 b.")
    with Program("{ p(1) }. #external e(0).") as program:
        for text in ("p(4294967297)", "not p(4294967297)"):
            with pytest.raises(InputError, match="32-bit"):
                program.models(assuming=[text]).collect()
        with pytest.raises(InputError, match="32-bit"):
            program.assign_external("e(4294967296)", True)
        with pytest.raises(InputError, match="32-bit"):
            program.ground(("step", 2**31))
        with pytest.raises(InputError, match="Unicode"):
            program.models(assuming=['p("\ud800")']).collect()
    with pytest.raises(InputError, match="Unicode"):
        Program('p("\ud800").')


PIECES = ["p(4294967296).", "%*", "*%", "%", "\n", 's("', '").', "q(1).", '\\\\', '\\"', "a4294967296.", " "]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=10))
def test_numbers_are_told_from_comments_and_strings_as_clingo_does_it(pieces: list[str]) -> None:
    text = "".join(pieces)
    statements: list[str] = []
    try:
        clingo.ast.parse_string(text, lambda statement: statements.append(str(statement)), logger=lambda *_: None)
    except RuntimeError:
        return  # no program
    if "p(0)." in statements:
        with pytest.raises(ProgramError):
            check(text)
    else:
        check(text)


def test_only_what_may_hold_a_large_number_is_gone_through_token_by_token(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Token:
        def search(self, text: str, at: int) -> None:
            asked.append(text)

    monkeypatch.setattr("bridge.asp.source._TOKEN", Token())
    check("".join(f"edge({i},{i + 1}). % from {i}\n" for i in range(1000)))
    assert asked == []
    check("edge(1,12345678901).")
    assert asked == ["edge(1,12345678901)."]
