"""What `lint` is certain of is shown by the commands that answer something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

PROGRAM = "{ q }.\nr :- q.\np.\ns :- p, r.\nnot s :- p.\n#show p/0.\n"
WARNING = ":5:1: warning: `not` in a head derives nothing, and takes nothing away: this is the constraint `:- p, s.` [LP023]"

CLIQUE = "n(1..3). e(1,2). e(2,3).\n{ in(X) : n(X) }.\n:- in(X), in(Y), not e(X,Y).\n#maximize { 1,X : in(X) }.\n#show in/1.\n"


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


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("{ a }.\n#heuristic a. [1,true]\n", "2:1: info: `#heuristic` is ignored"),
        ("i(1..2).\n#program rules.\n{ t(X) : i(X) } = 1.\n", "3:1: info: this is in the part `rules`"),
        ("i(1..2). { t(X) : i(X) }.\n#maximize { t }.\n", "2:13: warning: the first term of a tuple is its weight"),
        ("p.\nnot q :- p.\n", "2:1: info: `not` in a head derives nothing"),
        ("t(1). d(1,3).\nl(T,e-D) :- t(T), d(T,D).\n", "2:5: info: e is not a number, unless `-c e=...` sets it"),
        ("{ m(D,P) : disk(D), peg(P) }.\n#show m/2.\n", "nothing gives disk/1 and peg/1: are the facts in a further file?"),
        ("sensor(Temp).\n", "a fact has no variables: `Temp` is one, since it begins with a capital letter"),
        ("e(1).\nok(X) <- e(X).\n", "head and body of a rule are separated by `:-`"),
        ("peg(a). disk(1..3). on(1..3,a).\n", "there are only facts here, and no rule"),
    ],
)
def test_run_says_what_it_leaves_out(tmp_path: Path, program: str, words: str) -> None:
    assert words in called("run", written(tmp_path, program)).stderr


@pytest.mark.parametrize(
    ("program", "options", "words"),
    [
        ("n(1..2).\n{ h(N) } :- n(N).\n#show h/1.\n", [], "2:1: info: model 1 shows no atom: this chooses any number of h/1"),
        ("{ a; b } = 1.\n{ c }.\n#show a/0. #show b/0.\n", ["-n", "0"], "differ in what is chosen and not shown (c/0)"),
        ("second(9..1).\nbeep(S) :- second(S).\n#show beep/1.\n", [], "1:1: info: `9..1` is empty"),
        ("{ a(1..2) }.\n#minimize { 1,X : a(X) }.\n", ["--optimal"], "`#maximize` is for the opposite"),
        ("j(a;b). h(1..3).\n{ s(J,T) : h(T) } = 1 :- j(J).\n:- s(J,T), s(K,T).\n", [], "`J != K` is missing"),
        ("tax(P*(19/100)) :- P = 200.\n", [], "1:8: warning: `19/100` is 0"),
        (CLIQUE, ["--optimal"], "`X != Y` is missing"),
    ],
)
def test_run_explains_what_it_shows(tmp_path: Path, program: str, options: list[str], words: str) -> None:
    assert words in called("run", written(tmp_path, program), *options).stderr


def test_what_is_maximized_and_cannot_be_chosen_is_not_meant_to_be_minimized(tmp_path: Path) -> None:
    assert "for the opposite" not in called("run", written(tmp_path, CLIQUE), "--optimal").stderr


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("p(X) :- q(X,A) : r(A).", "a condition, and what stands before its `:`, bind nothing outside; give each variable"),
        ("p(X) :- r(X;1).", "`r(X;1)` makes a rule of each alternative, and not each binds X (did you mean r(X), r(1)?)"),
        ("p(X) :- not r(X).", "`not` binds nothing; give each variable a positive literal in the body"),
    ],
)
@pytest.mark.parametrize("command", ["run", "diagnose"])
def test_an_unsafe_variable_is_explained_as_lint_does(tmp_path: Path, command: str, rule: str, words: str) -> None:
    done = called(command, written(tmp_path, f"r(1..2). q(1,1).\n{rule}\n"))
    assert (done.returncode, words in done.stderr) == (2, True)


@pytest.mark.parametrize("program", ["{ a }.\n#show.\n", "{ a; b } = 1.\n#show a/0. #show b/0.\n", "{ a } = 1.\n"])
def test_run_says_nothing_of_what_is_meant(tmp_path: Path, program: str) -> None:
    assert called("run", written(tmp_path, program), "-n", "0").stderr == ""


@pytest.mark.parametrize("command", ["run", "run --json", "diagnose", "why pick(1)", "profile", "lint"])
def test_a_sum_that_clingo_refuses_is_named(tmp_path: Path, command: str) -> None:
    file, (verb, *more) = written(tmp_path, "w(1..3). 1 { pick(X) : w(X) }.\n:- #sum { 2000000000,X : pick(X) } > 3.\n"), command.split()
    done = called(verb, file, *more)
    assert f"{file}:2:4" in done.stdout + done.stderr
    assert "the weights of this sum are 6000000000 together" in done.stdout + done.stderr
    assert "Clasp" not in done.stdout + done.stderr


@pytest.mark.parametrize(("command", "more"), [("diagnose", []), ("why", ["cost(a,-1794967296)"]), ("run", []), ("lint", [])])
def test_a_value_that_has_wrapped_around_is_told(tmp_path: Path, command: str, more: list[str]) -> None:
    done = called(command, written(tmp_path, "base(50000).\ncost(a,X*X) :- base(X).\n"), *more)
    assert "2:8: warning: numbers have 32 bits: with X = 50000 this is 2500000000, and wraps around to -1794967296" in done.stdout + done.stderr


@pytest.mark.parametrize(("command", "more"), [("diagnose", []), ("why", ["b(3)"])])
def test_grounding_without_end_is_not_waited_for(tmp_path: Path, command: str, more: list[str]) -> None:
    assert "[LP050]" in called(command, written(tmp_path, "b(1).\nb(X+1) :- b(X).\n"), *more).stderr


def test_diagnose_names_the_choices_that_leave_the_number_open(tmp_path: Path) -> None:
    rules = "1 { h(N,C) : c(C) } :- n(N).\n{ x; y } = 1.\n1 { one(C) : c(C) } 1.\n2 #sum { N : in(N) : n(N) } 3.\n"
    file = written(tmp_path, f"n(1..2). c(r;g).\n{rules}")
    lines = called("diagnose", file).stdout.splitlines()
    assert lines[1:4] == [f"{file}:2: chooses at least 1 of h/2 for each N", f"{file}:4: chooses exactly 1 of one/1 in all, over C", "open:"]


def test_with_the_option_a_heuristic_is_heeded(tmp_path: Path) -> None:
    file = written(tmp_path, "{ a }.\n#heuristic a. [1,true]\n")
    assert called("run", file, "--", "--heuristic=Domain").stderr == ""


def test_rules_in_question_are_told_with_what_they_mean(tmp_path: Path) -> None:
    program = "x :- y, z. w :- y, x. v :- w, x. { bus; tram }.\ngo :- bus; tram.\n:- not go.\n:- bus, tram.\n"
    assert called("diagnose", written(tmp_path, program)).stdout.split(" [")[0].endswith("where `or` is meant, write a rule for each")
    file = written(tmp_path, "mark(a,3). mark(b,4).\nmean(S/2) :- S = #sum { M,P : mark(P,M) }.\nhas(P) :- mark(P,M).\n")
    assert called("why", file, "has(a)").stdout.endswith("3:18: info: `M` stands only here (did you mean _?) [LP007]\n")


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


def test_of_prolog(tmp_path: Path) -> None:
    file = tmp_path / "p.pl"
    file.write_text('c("Rome").\nask :- c(\'Rome\').\nage(X) :- X > 3.\nok(1).\n')
    failed = called("run", str(file), "--goal", "ask")
    assert failed.stdout.startswith("% false")
    assert f"{file}:2:8: warning: no clause of c/1 matches `c('Rome')`" in failed.stderr
    assert called("run", str(file), "--goal", "ok(X)").stderr == ""  # the goal does not reach that clause
    assert "[PL033]" not in called("run", str(file), "--goal", "ask", "--json").stderr
    (certain,) = json.loads(called("profile", str(file), "--goal", "ask", "--json").stdout)["lint"]
    assert certain["id"] == "PL033"
    assert json.loads(called("why", str(file), "--goal", "ok(X)", "--json").stdout)["lint"] == []


def test_an_error_of_prolog_comes_after_it(tmp_path: Path) -> None:
    file = tmp_path / "p.pl"
    file.write_text("p(X) :- Y == 1, q(X, Y).\np(X) :- foo(X).\nq(1, 1).\n")
    first, *others = called("run", str(file), "--goal", "p(X)").stderr.splitlines()
    assert first.endswith("[PL035]")
    assert "foo/1" in " ".join(others)


def test_diagnose_of_answers_points_on(tmp_path: Path) -> None:
    file = tmp_path / "p.pl"
    file.write_text("p(1).\n")
    told = called("diagnose", str(file), "--goal", "p(X)").stderr
    assert f"lpbridge debug {file} --unwanted GOAL" in told
    assert f"lpbridge why {file} --goal 'p(X)'" in told
    assert called("diagnose", str(file), "--goal", "p(X)", "--json").stderr == ""
