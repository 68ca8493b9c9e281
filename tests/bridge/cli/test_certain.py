"""What `lint` is certain of is shown by the commands that answer something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import called

PROGRAM = "{ q }.\nr :- q.\np.\ns :- p, r.\nnot s :- p.\n#show p/0.\n"
WARNING = ":5:1: warning: `not` in a head derives nothing, and takes nothing away: this is the constraint `:- p, s.` [LP023]"


def written(folder: Path, program: str) -> str:
    path = folder / "a.lp"
    path.write_text(program)
    return str(path)


def test_run_shows_it_after_the_answers(tmp_path: Path) -> None:
    file = written(tmp_path, PROGRAM)
    run = called("run", file)
    assert run.stdout.startswith("model 1\np\n")
    assert run.stderr == f"lpbridge: {file}{WARNING}\n"
    assert called("run", file, "--json").stderr == ""
    assert called("run", written(tmp_path, PROGRAM.replace("not s", "t"))).stderr == ""


@pytest.mark.parametrize(("command", "more"), [("why", ["p"]), ("profile", []), ("diagnose", []), ("debug", ["--missing", "s"])])
def test_others_begin_with_it(tmp_path: Path, command: str, more: list[str]) -> None:
    file = written(tmp_path, PROGRAM)
    assert called(command, file, *more).stdout.startswith(f"{file}{WARNING}\n")


def test_a_remark_of_clingo_is_explained(tmp_path: Path) -> None:
    program = "{ p(1..3) }.\nleast(M) :- M = #min { X : p(X) }.\nnext(M+1) :- least(M).\n"
    file = written(tmp_path, program)
    run = called("run", file)
    assert "operation undefined" in run.stderr
    assert f"{file}:3:6: info: `#min` of nothing is #sup (line 2)" in run.stderr
    assert "#sup" not in called("run", written(tmp_path, program.replace("least(M).", "least(M), M < #sup."))).stderr


def test_many_are_counted(tmp_path: Path) -> None:
    program = "".join(f"{{ a{n} }}. b{n} :- a{n}. not b{n} :- a{n}.\n" for n in range(5))
    lines = called("why", written(tmp_path, program), "a1").stdout.splitlines()
    assert [line.endswith("[LP023]") for line in lines[:4]] == [True, True, True, False]
    assert lines[3] == "lpbridge lint says 2 more of this kind"


def test_lint_shows_warnings_first_and_remarks_with_v(tmp_path: Path) -> None:
    singles = "e(1,2).\n" + "".join(f"n{n}(X) :- e(X,Y).\n" for n in range(4))
    file = written(tmp_path, singles)
    run = called("lint", file)
    assert (run.stdout.count("[LP007]"), run.stdout.splitlines()[-1]) == (2, "0 warnings, 4 remarks; 2 more with -v")
    assert called("lint", file, "-v").stdout.count("[LP007]") == 4
    file = written(tmp_path, f"{singles}p(1), p(2).\n")
    run = called("lint", file)
    assert (run.stdout.count("[LP"), run.stdout.splitlines()[-1]) == (1, "1 warning, 4 remarks; 4 more with -v")
