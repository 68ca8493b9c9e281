"""Atoms as instances of one's own classes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest

from bridge.asp import INFIMUM, Constant, Extreme, Function, Model, Program, facts
from bridge.asp.decode import Atoms
from bridge.errors import InputError

LATIN = Path(__file__).parent.parent.parent.parent / "encodings" / "latin_square" / "latin_square.lp"


def only(text: str) -> Model:
    with Program(text) as program:
        (model,) = program.models()
    return model


class Day(StrEnum):
    MON, TUE, ODD = "mon", "tue", "Not a name"


class Rank(IntEnum):
    LOW, HIGH = 1, 2


class Kind(Enum):
    TEXT, NUMBER = "night shift", 7


@dataclass(frozen=True)
class Shift:
    day: Day
    rank: Rank
    kind: Kind
    begins: datetime
    on: date
    at: time


def test_members_of_enums_and_dates_go_in_and_come_back() -> None:
    shifts = [
        Shift(Day.MON, Rank.LOW, Kind.TEXT, datetime(2024, 1, 2, 3, 4), date(2024, 2, 29), time(5, 6)),
        Shift(Day.ODD, Rank.HIGH, Kind.NUMBER, datetime(1999, 12, 31), date(1, 1, 1), time(23, 59, 59)),
    ]
    text = facts(shifts)
    assert text.startswith('shift(mon,1,"night shift","2024-01-02T03:04:00","2024-02-29","05:06:00").\n')
    assert sorted(only(text).read(Shift), key=lambda one: one.rank) == shifts
    assert only('shift("mon",1,7,"2024-01-02","2024-02-29","05:06").').read(Shift)[0].day is Day.MON
    for wrong in ('shift(wed,1,7,"2024-01-02","2024-02-29","05:06").', 'shift(mon,1,7,"2024-01-02","2024-02-30","05:06").', 'shift(f(1),1,7,"2024-01-02",1,"05:06").'):
        with pytest.raises(InputError, match=r"should be a (Day|date)"):
            only(wrong).read(Shift)


class Cell(NamedTuple):
    row: int
    column: int
    value: int


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True)
class Segment:
    start: Point
    end: Point


@dataclass
class Mutable:
    x: int


class Holder(NamedTuple):
    inside: Mutable


@dataclass(frozen=True)
class Leaf:
    pass


@dataclass(frozen=True)
class Tree:
    left: Tree | Leaf
    right: Tree | Leaf


@dataclass(frozen=True, kw_only=True)
class Named:
    name: str
    kind: Constant


class Mixed(NamedTuple):
    a: int | str
    b: tuple[int, Constant]
    c: tuple[int, ...]
    d: Function
    e: Extreme
    f: Any
    g: Annotated[int, "metres"]
    h: tuple  # type: ignore[type-arg]
    i: Extreme | int


def test_namedtuples_and_dataclasses() -> None:
    model = only("cell(1,2,3). point(1,2). segment(point(1,2), point(3,4)). other. -cell(4,5,6).")
    assert model.read(Cell) == [Cell(1, 2, 3)]
    assert model.read(Cell, "-cell") == [Cell(4, 5, 6)]
    assert model.read(Point) == [Point(1, 2)]
    assert model.read(Segment) == [Segment(Point(1, 2), Point(3, 4))]
    assert model.read(Mutable) == []


def test_every_annotation() -> None:
    model = only('m("x", (1, c), (1, 2, 3), f(1), #inf, q, 5, (1, "a"), 3). m(1, (2, d), (), -f(1), #sup, (1,), 6, (), #inf).')
    first, second = sorted(model.read(Mixed, "m"), key=lambda mixed: mixed.g)
    assert first == ("x", (1, Constant("c")), (1, 2, 3), Function("f", (1,)), INFIMUM, Constant("q"), 5, (1, "a"), 3)
    assert second[:4] == (1, (2, Constant("d")), (), Function("f", (1,), False))


def test_recursive_classes_and_keywords() -> None:
    model = only('tree(tree(leaf, leaf), leaf). named("n", k).')
    assert model.read(Tree) == [Tree(Tree(Leaf(), Leaf()), Leaf())]
    assert model.read(Named) == [Named(name="n", kind=Constant("k"))]


def test_what_is_immutable_is_shared_and_what_is_not_is_not() -> None:
    with Program("1 { a; b } 1. point(1,2). mutable(1). holder(mutable(2)).") as program:
        one, two = program.models()
    assert one.read(Point)[0] is two.read(Point)[0]
    assert one.read(Mutable)[0] is not two.read(Mutable)[0]
    one.read(Mutable)[0].x = 7
    one.read(Holder)[0].inside.x = 7
    assert (one.read(Mutable), two.read(Holder)) == ([Mutable(1)], [Holder(Mutable(2))])


@pytest.mark.parametrize(
    ("atom", "cls", "message"),
    [
        ('cell(1,"a",3)', Cell, 'the field column of cell(1,"a",3) should be an integer, not "a"'),
        ("cell(1,a,3)", Cell, "the field column of cell(1,a,3) should be an integer, not a"),
        ("cell(1,2)", Cell, "cell(1,2) should be of 3 arguments, as Cell is, not 2"),
        ("named(n,k)", Named, "the field name of named(n,k) should be a quoted string, not n"),
        ('named("n","k")', Named, 'the field kind of named("n","k") should be a constant, not "k"'),
        (
            "segment(point(1,2),point(1,x))",
            Segment,
            "the field end.y of segment(point(1,2),point(1,x)) should be an integer, not x",
        ),
        (
            "segment(point(1,2),dot(1,2))",
            Segment,
            "the field end of segment(point(1,2),dot(1,2)) should be a compound term point(...), not dot(1,2)",
        ),
        ("segment(-point(1,2),3)", Segment, "the field start of segment(-point(1,2),3) should be a compound term point(...), not -point(1,2)"),
        ("tree(leaf,1)", Tree, "the field right of tree(leaf,1) should be Tree or Leaf, not 1"),
    ],
)
def test_an_atom_that_does_not_fit_is_named(atom: str, cls: type, message: str) -> None:
    model = only(f"{atom}.")
    for _ in range(2):
        with pytest.raises(InputError) as raised:
            model.read(cls)
        assert raised.value.message == message


def test_a_class_that_does_not_fit_clingo_is_refused() -> None:
    class Wrong(NamedTuple):
        x: float

    class Ünique(NamedTuple):
        x: int

    model = only("wrong(1). x(2).")
    with pytest.raises(InputError, match=r"Wrong\.x is annotated float"):
        model.read(Wrong)
    with pytest.raises(InputError, match="not a dataclass or NamedTuple"):
        model.read(int)
    with pytest.raises(InputError, match="gives no name"):
        model.read(Ünique)
    assert model.read(Ünique, "x") == [Ünique(2)]


def test_a_table_that_came_from_elsewhere() -> None:
    table = Atoms()
    table.update({0: ("cell", (1, 2, 3)), 1: ("other", ())})
    assert Model([0, 1], table).read(Cell) == [Cell(1, 2, 3)]


def test_what_was_made_of_an_atom_is_made_once() -> None:
    made = []

    @dataclass(frozen=True)
    class Counted:
        row: int
        column: int
        value: int

        def __post_init__(self) -> None:
            made.append(self)

    with Program(LATIN, n=4) as program:
        cells = [cell for model in program.models() for cell in model.read(Counted, "cell")]
    assert (len(cells), len(set(cells)), len(made)) == (576 * 16, 64, 64)
