"""Arguments of a wrong kind, to every public function: an error of the bridge, or Python's own about the call itself."""

from __future__ import annotations

import inspect
import io
import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge.common.arguments import fits

TEXT = "{ a; b }.\n"


async def asynchronous(*args: Any, **given: Any) -> int:
    return 1


@pytest.fixture
def wrong(tmp_path: Path) -> Any:
    (tmp_path / "f.lp").write_text(TEXT)
    with open(tmp_path / "f.lp") as file:
        yield {
            "None": None, "an int": 3, "bytes": b"a.", "a list": [1, 2], "a list in a list": [[None]], "an async function": asynchronous,
            "an open file": file, "StringIO": io.StringIO("a."), "a folder": tmp_path, "a missing path": tmp_path / "no.lp",
            "a missing path as text": f"{tmp_path}/no.lp", "a mapping": {"a": 1}, "nan": float("nan"), "nothing": "", "NUL": "a\0.",
            "half a pair": "\udce9.",
        }  # fmt: skip


def _functions() -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for module in (bridge, bridge.asp, bridge.prolog):
        for name in module.__all__:
            if name != "puzzles" and inspect.isfunction(value := getattr(module, name)):  # they may not be there
                found[f"{module.__name__}.{name}"] = value
    for one in (bridge.AspProblem, bridge.PrologProblem, bridge.Pool, bridge.Limits, bridge.asp.Program, bridge.prolog.Session):
        found[one.__qualname__] = one
    return found


def _raw(function: Callable[..., Any], *args: Any, **given: Any) -> str | None:
    """What Python raised somewhere inside; None where there is a result, or an error that the caller can read."""
    try:
        result = function(*args, **given)
        if isinstance(result, bridge.Stream):
            result.collect()
        elif inspect.isgenerator(result):
            list(islice(result, 3))
        elif hasattr(result, "close"):
            result.close()
    except bridge.BridgeError:
        return None
    except TypeError as error:
        frames, trace = [], error.__traceback__
        while trace is not None:
            frames.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        # About the call itself: an argument too many, or one that is missing.
        return None if set(frames) <= {"_raw", "called", "checked"} else f"{type(error).__name__}: {error} in {frames[-1]}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize("name", _functions())
def test_what_python_raises_does_not_come_through(name: str, wrong: dict[str, Any], tmp_path: Path) -> None:
    function = _functions()[name]
    parameters = [*inspect.signature(function).parameters.values()]
    good = {"problem": bridge.program(TEXT), "atom": "a", "goal": "p(X)", "files": "p(1).", "kind": "sudoku", "source": "1...", "file": tmp_path / "out"}
    needed = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    several = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    raw = []
    for (number, (kind, value)), (place, one) in product(enumerate(wrong.items()), enumerate(parameters)):
        if (number + place + len(name)) % 3 == 0 or one.kind is one.VAR_POSITIONAL:  # a third of all pairs
            args = [TEXT] if several else [value if each is one else good.get(each.name, "a.") for each in needed]
            given = {one.name: value} if one not in needed else {}
            if one.kind is one.VAR_POSITIONAL:
                args, given = [value], {}
            if one.kind is not one.VAR_KEYWORD and (found := _raw(function, *args, **given)) is not None:
                raw.append((one.name, kind, found))
    assert not raw


def test_what_a_type_says() -> None:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Literal

    yes: list[tuple[Any, Any]] = [
        (None, None), (1, float), (1, int | None), ("a", str | Path), ("a", Iterable[str]), (["a"], Sequence[str]), ({"a": 1}, Mapping[str, Any]),
        ("a", Literal["a", "b"]), (len, Callable[..., Any]), (object(), Any), (1, "unknown"),
    ]  # fmt: skip
    no: list[tuple[Any, Any]] = [
        (None, int), ("1", int), (b"a", Iterable[str]), ([1], Sequence[str]), ({1: 1}, Mapping[str, Any]), ("c", Literal["a"]),
        (asynchronous, Callable[..., Any]), (3, Callable[..., Any]), ("ab", Iterable[tuple[str, int]]),
    ]  # fmt: skip
    assert all(fits(*one) for one in yes)
    assert not any(fits(*one) for one in no)


@pytest.mark.filterwarnings("ignore:coroutine")
def test_the_error_names_the_argument() -> None:
    with pytest.raises(bridge.InputError, match=r"`on_progress` cannot be 3; it is of the type Callable"):
        bridge.check(bridge.program(TEXT), on_progress=3)  # type: ignore[arg-type]
    with pytest.raises(bridge.InputError, match="the oracle replies"):
        bridge.debug(TEXT, oracle=asynchronous)  # type: ignore[arg-type]
    with pytest.raises(bridge.InputError, match="assumes nothing"):
        bridge.diagnose(bridge.program(TEXT), assuming=["a"])  # type: ignore[call-arg]
    with pytest.raises(ZeroDivisionError):  # a function of the caller's: it raises what it raises
        bridge.debug(TEXT, oracle=lambda _: 1 // 0)  # type: ignore[return-value, arg-type]


def test_what_is_of_this_process() -> None:
    with bridge.asp.Program(TEXT) as program, bridge.prolog.Session("p(1).") as session, bridge.Pool(1) as pool:
        for one in (program, session, pool, program.models()):
            for send in (pickle.dumps, copy, deepcopy):
                with pytest.raises(bridge.InputError, match="cannot be copied or pickled"):
                    send(one)
        with pytest.raises(bridge.InputError, match="await it yourself"):
            pool.submit(asynchronous)


@pytest.mark.parametrize("stdin", [io.StringIO("hello.\n"), io.BytesIO(b"hello.\n")], ids=["text", "bytes"])
def test_standard_input_from_memory(stdin: Any) -> None:
    with bridge.prolog.Session(":- dynamic p/1.\n", stdin=stdin) as session:
        first = session.first("read(X)")
        assert first is not None
        assert first["X"] == "hello"
    for other in (5, "text", object()):
        with pytest.raises(bridge.InputError, match="is not an open file"):
            bridge.prolog.Session("p.", stdin=other)  # type: ignore[arg-type]


def test_lazy_frames_and_tables_without_rows() -> None:
    polars = pytest.importorskip("polars")
    from bridge.integrations.tables import frames

    assert bridge.asp.facts("p", polars.DataFrame({"x": [1, 2]}).lazy()) == "p(1).\np(2).\n"
    with bridge.asp.Program("on_time(1).") as program:
        late = frames(program.models(), columns={"late": ["who"], "on_time": ["who"]})["late"]
        assert (late.columns, late.height) == (["model", "who"], 0)
        with pytest.raises(bridge.InputError):
            frames(program.models().collect())  # type: ignore[arg-type]
    with bridge.prolog.Session("p(1). p(2).") as session, pytest.raises(bridge.InputError, match="is not an answer set"):
        frames(session.query("p(X)"))
    with bridge.prolog.Session("p(1). p(2).") as session:
        assert polars.DataFrame([dict(answer) for answer in session.query("p(X)")]).height == 2
