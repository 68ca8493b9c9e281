"""Integers of more than 32 bits are refused wherever they come in; clingo itself would wrap them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import trunc
from pathlib import Path

import clingo
import clingo.ast
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp import Program
from bridge.asp.reading.messages import Messages
from bridge.asp.reading.source import check, term
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
    'p("größe", "＃").  % größe\n%* ö %* " *% ＃ *% q.\n#script (lua) "ö #end.',
    "p(-2147483648).",
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


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("a.\np(＃).", "2:3", r"U\+FF03 FULLWIDTH NUMBER SIGN.*`p\(＃\)\.`; write '#' in its place"),
        ('p("öö").  größe.', "1:13", r"U\+00F6.*in double quotes"),
        ("a.\u00a0b.", "1:3", "U.00A0 NO-BREAK SPACE.*write ' '"),
        ("\ufeffa.", "1:1", "U.FEFF.*byte order mark"),
        ("a.\r\nb :- 😀.", "2:6", "U.1F600"),
        ("a.\u2028b.", "1:3", "U.2028"),
        ("p(١٢).", "1:3", "ARABIC-INDIC DIGIT ONE"),
        ("a. %* ö *%\nb(x’).", "2:4", "U.2019"),
        ("a(" + "1;" * 5000 + "ß).", "1:10003", r"U.00DF.*`\.\.\.[1;]{197}ß\)\.`"),
    ],
)
def test_characters_beyond_ascii(tmp_path: Path, text: str, where: str, message: str) -> None:
    file = tmp_path / "program.lp"
    file.write_bytes(text.encode())
    with pytest.raises(ProgramError, match=message) as raised:
        Program(file)
    assert str(raised.value.where) == f"{file}:{where}"
    with pytest.raises(ProgramError, match=message) as raised:
        Program(text + "\n")
    assert str(raised.value.where) == f"<block>:{where}"
    (tmp_path / "main.lp").write_text('#include "program.lp".')
    with pytest.raises(ProgramError, match=message) as raised:
        Program(tmp_path / "main.lp")
    assert str(raised.value.where) == f"{file}:{where}"
    with Program("a.") as program, pytest.raises(ProgramError, match=message):
        program.add(text)


def test_messages_of_any_bytes() -> None:
    # A string that does not end: clingo goes through what follows byte by byte, and logs each.
    with pytest.raises(ProgramError, match='lexer error, unexpected "') as raised:
        Program('p("ö"). q("größe ＃\n')
    assert str(raised.value.where) == "<block>:1:11"  # in characters, not bytes
    assert "in `p(\"ö\"). q(\"größe ＃`" in raised.value.message


def test_bytes_that_are_no_utf_8_are_latin_1(tmp_path: Path) -> None:
    (tmp_path / "bad.lp").write_bytes(b'p("\xff").')
    (tmp_path / "main.lp").write_text('#include "bad.lp".')
    for file in ("bad.lp", "main.lp"):
        with Program(tmp_path / file) as program:
            assert str(program.first()) == 'p("ÿ")'


def test_lines_as_windows_ends_them(tmp_path: Path) -> None:
    (tmp_path / "crlf.lp").write_bytes(b"a.\r\n% c\r\nb :- a.\r\n")
    with Program(tmp_path / "crlf.lp") as program:
        assert [str(model) for model in program.models()] == ["a b"]
    (tmp_path / "crlf.lp").write_bytes(b"a.\r\nb(.\r\n")
    with pytest.raises(ProgramError, match=r"in `b\(\.`") as raised:
        Program(tmp_path / "crlf.lp")
    assert str(raised.value.where) == f"{tmp_path / 'crlf.lp'}:2:2"


TERMS = {
    "1+1": "2", "p(2*(3-1), -5)": "p(4,-5)", "2**30": "1073741824", "(-2)**31": "-2147483648", "-2147483648": "-2147483648",
    "2**-1": "0", "(-1)**99999999": "-1", "-7/2": "-3", "-7\\2": "-1", "~5": "-6", "5?3": "7", "|-3|": "3", 'f("a*b-2", - 5)': 'f("a*b-2",-5)',
    "-a": "-a", "p(-a)": "p(-a)",
}  # fmt: skip


@pytest.mark.local
@pytest.mark.parametrize(("text", "expected"), TERMS.items())
def test_a_term_may_compute(text: str, expected: str) -> None:
    assert str(term(text)) == expected == str(clingo.parse_term(text))


@pytest.mark.local
@pytest.mark.parametrize(
    "text",
    [
        "2**31", "2**40", "p(1, 2**40)", "65536*65536", "2147483647+1", "-2147483648-1", "-(-2147483648)", "--2147483648",
        "|-2147483648|", "9**9**9**9", "(-2)**33", "f(2147483647*2-2147483648)",
        # These end the process when clingo computes them.
        "1\\0", "1/0", "-2147483648/-1", "-2147483648\\-1",
    ],
)  # fmt: skip
def test_a_term_that_clingo_would_wrap_around(text: str) -> None:
    with pytest.raises(InputError, match=r"32-bit|divides by zero"):
        term(text)


#: A term, and its value; None where a step does not fit in 32 bits.
Computed = tuple[str, int | None]


def fitting(value: int | Fraction) -> int | None:
    number = trunc(value)
    return number if -(2**31) <= number < 2**31 else None


def binary(left: Computed, operator: str, right: Computed) -> Computed:
    text, (a, b) = f"({left[0]} {operator} {right[0]})", (left[1], right[1])
    if a is None or b is None or (operator in "/\\" and (b == 0 or fitting(Fraction(a, b)) is None)):
        return text, None
    if operator == "**":
        return text, 0 if b < 0 else fitting(a**b) if abs(a) < 2 or b < 99 else None
    values: dict[str, Callable[[], int | Fraction]] = {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: Fraction(a, b),
        "\\": lambda: a - b * trunc(Fraction(a, b)), "&": lambda: a & b, "?": lambda: a | b, "^": lambda: a ^ b,
    }  # fmt: skip
    return text, fitting(values[operator]())


def negated(inner: Computed) -> Computed:
    return f"-({inner[0]})", None if inner[1] is None else fitting(-inner[1])


numbers = (st.integers(-(2**31), 2**31 - 1) | st.integers(-40, 40)).map(lambda number: (str(number), number))
operators = st.sampled_from(["+", "-", "*", "/", "\\", "**", "&", "?", "^"])
computed: st.SearchStrategy[Computed] = st.recursive(
    numbers, lambda inner: st.builds(binary, inner, operators, inner) | inner.map(negated), max_leaves=4
)


@pytest.mark.local
@settings(max_examples=50)
@given(computed)
def test_a_term_is_computed_as_clingo_does_it_or_refused(term_and_value: Computed) -> None:
    text, value = term_and_value
    if value is None:
        with pytest.raises(InputError, match=r"32-bit|divides by zero"):
            term(text)
    else:
        assert term(text).number == value


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
    for options in (["-c", "n=2**40"], ["-cn=2**31"], ["--const=n=-2147483648/-1"]):
        with pytest.raises(InputError, match="32-bit"):
            Program("p(n).", options=options)
    with Program("p(n).", options=["-c", "n=2*4"]) as program:
        assert [str(model) for model in program.models()] == ["p(8)"]
    with pytest.raises(ProgramError, match="NUL"):
        Program("a.\0 b.")
    with Program("{ p(1) }. #external e(0).") as program:
        for text in ("p(4294967297)", "not p(4294967297)", "p(2**40)", "not p(65536 * 65536)"):
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


PIECES = ["ö", "p(4294967296).", "%*", "*%", "%", "\n", 's("', '").', "q(1).", '\\\\', '\\"', "a4294967296.", " "]


@pytest.mark.local
@settings(max_examples=83)
@given(st.lists(st.sampled_from(PIECES), max_size=10))
def test_numbers_are_told_from_comments_and_strings_as_clingo_does_it(pieces: list[str]) -> None:
    text = "".join(pieces)
    statements: list[str] = []
    try:
        # Without a logger: clingo 5.8 cuts what it quotes in the middle of a character, and its logger ends the process.
        clingo.ast.parse_string(text, lambda statement: statements.append(str(statement)), message_limit=0)
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

    monkeypatch.setattr("bridge.asp.reading.source._TOKEN", Token())
    check("".join(f"edge({i},{i + 1}). % from {i}\n" for i in range(1000)))
    assert asked == []
    check("edge(1,12345678901).")
    assert asked == ["edge(1,12345678901)."]


@pytest.mark.local
def test_ctrl_c_while_clingo_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    # In the logger it cannot be raised through clingo, which would end the process.
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Messages, "log", press)
    with pytest.raises(KeyboardInterrupt):
        Program("a(.")
    with Program("a :- b.") as program, pytest.raises(KeyboardInterrupt):  # b occurs in no head
        program.ground()
