"""`#script (python)`: in a worker alone, with what it prints, raises and solves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from bridge.asp import Program
from bridge.errors import InputError, ProgramError, UnsupportedError
from bridge.limits import Limits

pytestmark = pytest.mark.local  # once: each test says where it runs

INCREASE = """#script (python)
import clingo
def increase(x):
    return clingo.Number(x.number + 1)
def both(x):
    return [x, increase(x)]
#end.
"""
STEPS = """#script (python)
def main(prg):
    prg.ground([("base", [])])
    prg.solve(on_model=lambda model: print("found", model))
    with prg.solve(yield_=True) as models:
        for model in models:
            print("read", model)
    with prg.solve(async_=True) as handle:
        handle.wait()
    print("end")
#end.
{ a; b }.
"""


def isolated(text: Any, **given: Any) -> Program:
    return Program(text, isolated=True, **given)


def test_functions_of_a_script() -> None:
    with isolated(INCREASE + "p(@increase(1)). q(@both(3)). r(@nothing(1)).") as program:
        assert str(program.first()) == "p(2) q(3) q(4)"
        assert any("'nothing' not found" in warning for warning in program.warnings)
    with isolated("p(@increase(1)).") as program:
        program.add(INCREASE)
        assert str(program.first()) == "p(2)"


def test_scripts_run_in_a_process_of_their_own_only(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"<block>:2:1: scripts run only in a process of their own"):
        Program("a.\n" + INCREASE, isolated=False)
    file = tmp_path / "script.lp"
    file.write_text(INCREASE)
    with pytest.raises(ProgramError, match=r"script.lp:1:1: scripts run only in a process of their own"):
        Program(f'a.\n#include "{file}".', isolated=False)
    with pytest.raises(ProgramError, match="an untrusted program runs no scripts"):
        Program(INCREASE, untrusted=True)
    with Program('% #script (python) x #end.\na("#script (python) #end.").', isolated=False) as program:
        assert program.count().number == 1


def test_lua_is_refused_by_its_name() -> None:
    with pytest.raises(ProgramError, match=r"1:1: lua support not available.*has no Lua"):
        isolated("#script (lua)\nfunction f(x) return x end\n#end.\n")


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("1 / 0", 3, "ZeroDivisionError: division by zero, in `1 / 0`"),
        ("x y", 3, "SyntaxError: invalid syntax"),
        ("import sys; sys.exit(3)", 3, "SystemExit: 3"),
        ("def f(): return g()\ndef g(): return [][1]", 4, r"IndexError: .*called from .*:3"),
        ("def f(): return 5", 5, r"f gave 5, which is not a clingo.Symbol, for @f\(\)"),
    ],
)
def test_what_a_script_raises_has_its_line(tmp_path: Path, body: str, line: int, message: str) -> None:
    file = tmp_path / "wrong.lp"
    file.write_text(f"a.\n#script (python)\n{body}\n#end.\np(@f()).")
    with pytest.raises(ProgramError, match=message) as raised, isolated(file) as program:
        program.ground()
    where = raised.value.where
    assert where is not None
    assert (where.file, where.line) == (str(file), line)


@pytest.mark.parametrize(
    ("body", "place", "message", "hint"),
    [
        ("def f(x):\n  return x", "6:3", r"TypeError: .*, for @f\(a,7\), in `p\(@f\(X,7\)\) :- q\(X\).`", ""),
        ("def f(x, y):\n  return y + 1", "4", r"called for @f\(a,7\) in .*:6:3, in `p\(@f\(X,7\)\) :- q\(X\).`", "clingo.Symbol"),
        ("def f(x, y):\n  return x.number", "4", r"called for @f\(a,7\) in .*:6:3", ".number if it is a number"),
        ("def f(x, y):\n  return 5", "6:3", r"f gave 5, which is not a clingo.Symbol, for @f\(a,7\), in `p", "clingo.Number"),
    ],
)
def test_an_error_of_a_function_names_the_rule_and_the_arguments(
    tmp_path: Path, body: str, place: str, message: str, hint: str
) -> None:
    file = tmp_path / "wrong.lp"
    file.write_text(f"q(a).\n#script (python)\n{body}\n#end.\np(@f(X,7)) :- q(X).")
    with pytest.raises(ProgramError, match=message) as raised, isolated(file) as program:
        program.ground()
    assert str(raised.value.where) == f"{file}:{place}"
    assert hint in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("body", "place", "message"),
    [
        ("return x.nothing", "3", r"called for @f\(7\) in .*:5:12"),
        ("return x[", "3:11", "SyntaxError"),
        ("return 5", "5:12", r"f gave 5.*, for @f\(7\)"),
        ("yield x, x", "5:12", r"f gave \(.*, for @f\(7\)"),
    ],
)
def test_the_place_of_a_call_counts_characters(tmp_path: Path, body: str, place: str, message: str) -> None:
    text = f"#script (python)\ndef f(x):\n  {body}\n#end.\nq(\"ä€\"). p(@f(7)).\n"
    file = tmp_path / "wrong.lp"
    file.write_text(text, "utf-8")
    for source in (file, text):
        with pytest.raises(ProgramError, match=message) as raised, isolated(source) as program:
            program.first()
        assert str(raised.value.where).partition(":")[2] == place


def test_main_solves_as_the_command_does(capfd: pytest.CaptureFixture[str]) -> None:
    with isolated(STEPS) as program:
        assert program.has_main
        with program.main(models=0) as models:
            found = [(str(model), model.step) for model in models]
        assert sorted(found) == sorted((text, step) for text in ("", "a", "b", "a b") for step in range(3))
        assert models.complete
        assert models.statistics.counters["steps"] == 3
        lines = capfd.readouterr().out.splitlines()
        assert sorted(lines[:4]) == ["found ", "found a", "found a b", "found b"]
        assert lines[-1] == "end"
        with program.main() as models:  # again, from the beginning; one model of each search, as clingo has it
            assert [model.step for model in models] == [0, 1, 2]
        assert not models.complete
        assert models.limit is None


def test_main_belongs_to_no_other_question() -> None:
    with isolated(STEPS) as program:
        asked = (lambda: program.models().collect(), program.count, program.brave, program.optimal, program.solve)
        for ask in asked:
            with pytest.raises(UnsupportedError, match="main"):
                ask()
    with isolated("a.") as program:
        assert not program.has_main
        with pytest.raises(UnsupportedError, match="no script"):
            program.main().collect()
        for wrong in (-1, True, "0", 1.5):
            with pytest.raises(InputError):
                program.main(models=wrong)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError), Program("a.", isolated=False) as program:
        program.main()


def test_main_follows_options_that_other_questions_refuse() -> None:
    with isolated(STEPS, options=["--enum-mode=cautious", "0"]) as program, program.main() as models:
        last = {model.step: str(model) for model in models}
    assert last == {0: "", 1: "", 2: ""}
    optimizing = STEPS.replace("{ a; b }.", "{ a; b }. :~ a. [2] :~ not b. [1]")
    with isolated(optimizing) as program, program.main() as models:
        best = {model.step: (str(model), model.cost) for model in models}
    assert best == dict.fromkeys(range(3), ("b", (0,)))


@pytest.mark.slow
def test_main_and_the_end_of_it() -> None:
    with isolated(STEPS) as program:
        with program.main(models=0, limits=Limits(solutions=5)) as models:
            assert len(list(models)) == 5
        assert (models.complete, models.limit) == (False, "solutions")
        with program.main(models=0) as models:
            next(models)
        assert len(program.main(models=0).collect().solutions) == 12  # what was closed leaves no trace
    with isolated("#script (python)\ndef main(prg):\n    while True: pass\n#end.") as program:
        outcome = program.main(limits=Limits(seconds=0.2)).collect()
        assert (outcome.solutions, outcome.limit, outcome.rung) == ((), "seconds", "kill")
    search = "#script (python)\ndef main(prg):\n    prg.ground()\n    try: prg.solve()\n    except Exception: pass\n    prg.solve()\n#end.\n"
    pigeons = "{ in(P, 1..n-1) } = 1 :- P = 1..n. :- in(P, H), in(P', H), P < P'."
    with isolated(search + pigeons, n=12) as program:
        outcome = program.main(limits=Limits(seconds=0.3)).collect()
        assert (outcome.complete, outcome.limit) == (False, "seconds")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("prg.solve(); import sys; sys.exit(3)", r"<block>:4: SystemExit: 3"),
        ("prg.solve(on_model=lambda model: 1 / 0)", "<block>:4: ZeroDivisionError"),
        ("prg.add('base', [], 'x :- y z.'); prg.ground()", "syntax error"),
        ("prg.add('base', [], 'x(@f(1)).'); prg.ground([('base', [])])", "<block>:2: TypeError"),
    ],
)
def test_what_main_raises(body: str, message: str) -> None:
    text = f"#script (python)\ndef f(x): return x + 1\ndef main(prg):\n    {body}\n#end.\n"
    with isolated(text) as program, pytest.raises(ProgramError, match=message):
        program.main().collect()


def test_what_a_script_prints_goes_where_it_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    text = "#script (python)\nimport sys\nprint('out')\nprint('err', file=sys.stderr)\n#end."
    for output, expected in (("inherit", ("out\n", "err\n")), ("nowhere", ("", ""))):
        isolated(text, output=output).close()
        assert tuple(capfd.readouterr()) == expected
    isolated(text, output="stderr").close()
    said = capfd.readouterr()
    assert (said.out, sorted(said.err.split())) == ("", ["err", "out"])


def test_a_script_imports_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helper_of_script.py").write_text("import clingo\nvalue = clingo.Number(7)\n")
    monkeypatch.chdir(tmp_path)
    with isolated("#script (python)\nimport helper_of_script\ndef f(): return helper_of_script.value\n#end.\np(@f()).") as program:
        assert str(program.first()) == "p(7)"


def test_models_come_before_what_is_printed_after_them(capfd: pytest.CaptureFixture[str]) -> None:
    text = "#script (python)\ndef main(prg):\n    prg.ground()\n    prg.solve()\n    print('later', flush=True)\n    while True: pass\n#end.\na."
    with isolated(text) as program, program.main(limits=Limits(seconds=PATIENCE)) as models:
        assert str(next(models)) == "a"
        assert capfd.readouterr().out == ""  # it waits until the model is read
