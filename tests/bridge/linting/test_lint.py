"""`bridge.lint`: each check finds its example, and is silent where nothing is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

import bridge
from bridge.cli.findings import PlacedMessage, github
from bridge.common.slips import is_slip, meant, nearest
from bridge.errors import InputError, Place
from bridge.linting.findings import entry
from bridge.linting.lint import CHECKS, check_of


def found(program: str, **given: object) -> list[tuple[str, int, str | None]]:
    return [
        (one.id, one.place.line or 0, one.suggestion) for one in bridge.lint(bridge.program(program), **given).findings
    ]  # type: ignore[arg-type]


def ids(check: str, program: str) -> set[str]:
    """The ids of what is found in a program of the language that a check is for."""
    if check.startswith("PL"):
        return {one.id for one in bridge.lint(bridge.goal(program, "true")).findings}
    return {one.id for one in bridge.lint(bridge.program(program), instances=True).findings}


@pytest.mark.parametrize("id", sorted(CHECKS))
def test_each_check_finds_its_example(id: str) -> None:
    assert id in ids(id, entry(CHECKS[id])[1])


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(CHECKS))
def test_a_comment_switches_it_off(id: str) -> None:
    if id == "LP001":  # clingo cannot read it: there are no statements
        return
    assert id not in ids(id, f"% lint: off {id}\n\n{entry(CHECKS[id])[1]}")


def test_a_limit_ends_the_checks() -> None:
    found = bridge.lint("p(X) :- q(X,Y).", limits=bridge.Limits(seconds=1e-9))
    assert found.limit == "seconds"


def test_the_names_of_checks_are_different() -> None:
    assert len({one.name for one in CHECKS.values()}) == len(CHECKS)


def test_a_comment_is_for_the_next_statement_only() -> None:
    program = "q(1).\n% lint: off LP003\np(X) :- qq(X), r.\n:- s(X), X > 1.\n"
    assert [line for id, line, _ in found(program) if id == "LP003"] == [4]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("edge(a,b).\nnode(X) :- egde(X,_).\n", ("LP003", 2, "edge")),
        ("{ colr(1..3) }.\n:- color(1).\n:- color(2).\n", ("LP003", 1, "color")),
        ("edge(a,b).\nnode(X) :- edge(X).\n", ("LP004", 2, "edge/2")),
        ("colour(red).\n:- colour(rde).\n", ("LP006", 2, "red")),
        ('colour("red").\n:- colour(red).\n', ("LP006", 2, '"red"')),
        ("p(1).\nq(Foo) :- p(Fooo).\n", ("LP002", 2, "Fooo")),
        ("{ in(1..3) }.\n:- #sum { W : in(I), weight(I,W) } > 3.\n", ("LP011", 2, "W, I")),
        ("{ in(1..3) }.\n:- #count { I : in(I) } < 0.\n", ("LP012", 2, None)),
        ("{ in(1..3) }.\n:- in(X), in(Y), X < Y, Y < X.\n", ("LP017", 2, None)),
        (
            "a(1). b(1).\nreached(X) :- a(X).\nreachhed(X) :- b(X).\n:- reached(1).\n#show reached/1.\n",
            ("LP015", 3, "reached"),
        ),
        ("#const horizon = 3.\n{ t(0..horzon) }.\n", ("LP006", 2, "horizon")),
        ("edge(a,b). node(a;b).\nreach(Y) :- reach(X), edge(X,Y).\n:- node(X), not reach(X).\n", ("LP003", 2, None)),
        (
            "l(m;p). s(1..2).\n{ at(L,R,S) : s(R), s(S) } = 1 :- l(L).\n:- at(L,S), at(M,S), L != M.\n#show at/3.\n",
            ("LP004", 3, "at/3"),
        ),
        ("{ in(1..3) }.\n:- in(X), not in(X).\n", ("LP017", 2, None)),
        ("lives(ann,paris).\nfrench(X) :- lives(X,Paris).\n", ("LP007", 2, "paris")),
        ("{ in(1..3) }.\n:- in(X), X > 5, 3 > X.\n", ("LP017", 2, None)),
        (
            "node(1..3). edge(1,2).\n{ in(X) : node(X) }\nnb(X,Y) :- edge(X,Y).\n:- nb(X,Y), in(X), in(Y).\n",
            ("LP018", 2, None),
        ),
        ("row(1..3).\n{ q(R,1..n) } = 1 :- row(R).\n", ("LP018", 2, None)),
    ],
)
def test_what_is_meant(program: str, expected: tuple[str, int, str | None]) -> None:
    assert expected in found(program)


@pytest.mark.parametrize(
    "program",
    [
        "{ in(X) : node(X) }.\n:- edge(X,Y), in(X), in(Y).\n",  # its instance is elsewhere
        "reach(X,Y) :- edge(X,Y,_).\n:- reach(X,X).\n",  # another arity is made of it
        "row(1..3). col(1..3). { q(R,C) : col(C) } = 1 :- row(R).\n:- q(R,C), q(R',C), R < R'.\n",
        "p(1..3). { in(X) : p(X) }.\n:~ in(X). [X, X]\n#minimize { 1, X : in(X) }.\n:- #sum { X : in(X) } > 3.\n",
        "#include <incmode>.\n#program step(t).\n{ a(t) }.\n#program check(t).\n:- query(t), not a(t).\n",
        "on(B,L,T+1) :- on(B,L,T), not move(B,T), time(T).\n{ move(B,T) } :- block(B), time(T).\n",  # the first state is an input
        "{ in(X) : n(X) } = k.\n#const k = 2.\nn(1..3).\nlow(X) :- X = #min { Y : in(Y) }, X <= 2, X >= 1.\n:- not low(1).\n",
        "n(1..3). { c(X,N) : n(N) } = 1 :- n(X).\n:- c(X,N), c(Y,N), X < Y.\n:- #sum { N : c(X,N) } != 6.\n",  # N says which
        "#external go(1..2).\n{ a } :- go(X), X > 0.\n",
        "0 { a(1..3) } 2.\n#const n = 3.\n:- a(n).\n:- n > 3, a(1).\n",
        "p(1..2). { q(X,Y) : p(Y) } :- p(X).\nalone(X) :- p(X), not q(Y,X) : q(Y,X).\n",  # there is none
        "goal(0,0,0) :- #false.\nlit(a;b).\nmet(N) :- goal(N,L,_), lit(L).\n:- met(N).\n",
        "#external has(M,C+1) : next(M,C).\nnext(1..3,1).\nhas(M,C) :- has(M,C+1), next(M,C).\n:- next(M,C), has(M,C+1).\n",
    ],
)  # fmt: skip
def test_no_warning_where_nothing_is_wrong(program: str) -> None:
    assert [str(one) for one in bridge.lint(bridge.program(program)).certain] == []


def test_instances_are_needed_for_what_never_fires() -> None:
    program = "p(1..3).\nq(X) :- p(X), X > 5.\n:- p(X), X > 7.\n:- p(X), X < 2.\n{ r }.\nr :- p(9).\n#show r/0.\n"
    ids = "LP008", "LP009"
    assert [(id, line) for id, line, _ in found(program) if id in ids] == [("LP009", 3)]
    several = [(id, line) for id, line, _ in found(program, instances=True) if id in ids]
    assert several == [("LP008", 2), ("LP009", 3), ("LP008", 6)]


def test_places_are_in_characters_and_underline_the_part() -> None:
    lint = bridge.lint(bridge.program('name("é"). node(1). :- name("é"), nod(X), X > 1.\n'))
    (finding,) = lint.findings
    assert (finding.place.column, finding.end) == (35, (1, 41))
    assert list(lint.underlined(finding))[1] == " " * 38 + "^~~~~~"


def answers(path: Path) -> set[frozenset[str]]:
    return {frozenset(str(model).split()) for model in bridge.solutions(bridge.program(path))}


def test_fix_leaves_the_answers_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.lp"
    path.write_text("edge(1,2).\n{ in(X) } :- edge(X,Long).\n:- in(X), X > 1.\n:- in(Y), Y > 1.\n")
    before = answers(path)
    assert called("lint", str(path), "--fix").returncode == 1  # it had warnings
    assert path.read_text() == "edge(1,2).\n{ in(X) } :- edge(X,_).\n:- in(X), X > 1.\n\n"
    assert answers(path) == before
    assert [one[:2] for one in found(path.read_text())] == [("LP009", 3)]


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "a.lp"
    path.write_text("edge(a,b).\nnode(X) :- egde(X,_).\n")
    run = called("lint", str(path))
    assert run.returncode == 1
    assert run.stdout.splitlines()[:3] == [
        f"{path}:2:12: warning: nothing derives egde/2 (did you mean edge?) [LP003]",
        "    node(X) :- egde(X,_).",
        "               ^~~~~~~~~",
    ]
    data = json.loads(called("lint", str(path), "--json").stdout)
    assert data["findings"][0] == {
        "id": "LP003", "name": "undefined-predicate", "level": "warning", "file": str(path), "line": 2, "column": 12,
        "end": {"line": 2, "column": 21}, "sentence": "nothing derives egde/2", "suggestion": "edge",
    }  # fmt: skip
    assert called("lint", str(path), "--format", "gcc").stdout.startswith(f"{path}:2:12: warning: nothing derives")
    sarif = json.loads(called("lint", str(path), "--format", "sarif").stdout)
    assert sarif["runs"][0]["results"][0]["ruleId"] == "LP003"
    (report,) = json.loads(called("lint", str(path), "--format", "gitlab").stdout)
    assert (report["check_name"], report["severity"], report["location"]) == ("LP003", "minor", {"path": str(path), "lines": {"begin": 2}})
    path.write_text(f"\n{path.read_text()}")
    moved = json.loads(called("lint", str(path), "--format", "gitlab").stdout)
    assert [one["fingerprint"] for one in moved] == [report["fingerprint"]]
    path.write_text("edge(a,b).\nnode(X) :- edge(X,_).\n")
    assert called("lint", str(path)).returncode == 0


def test_a_command_of_a_workflow_is_one_line_whatever_is_in_it() -> None:
    found = PlacedMessage(Place("a,b:c%.lp", 1, 2), "note", "50%\nmore::", "LP001")
    assert github(found) == "::notice file=a%2Cb%3Ac%25.lp,line=1,col=2,title=LP001::50%25%0Amore::"


def test_each_file_is_a_program_of_its_own(tmp_path: Path) -> None:
    for name, text in (("one.lp", "p(1..3).\n"), ("two.lp", "q(X) :- p(Y).\n"), ("three.pl", "p :- q.\n")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("one.lp", "two.lp", "three.pl")]
    assert "run .lp and .pl files apart" in called("lint", *files).stderr
    done = called("lint", "--each", *files, "--format", "github")
    assert (done.returncode, [line.partition(" ")[0] for line in done.stdout.splitlines()]) == (1, ["::error", *["::notice"] * done.stdout.count("::notice")])
    assert f"file={files[1]},line=1" in done.stdout
    assert f"file={files[2]},line=1" in done.stdout
    assert called("lint", "--each", *files, "--json").returncode == 1


@pytest.mark.parametrize("id", sorted(CHECKS))
def test_explain(id: str) -> None:
    assert CHECKS[id].name in called("lint", "--explain", id).stdout


def test_diagnose_and_debug_begin_with_what_is_certain(tmp_path: Path) -> None:
    path = tmp_path / "a.lp"
    path.write_text("w(a,3). w(b,3). { in(a;b) }.\n:- #sum { W : in(X), w(X,W) } > 3.\n:- in(a).\n")
    first = (
        f"{path}:2:11: warning: `X` is not in the tuple: two of the same weight count once (did you mean W, X?) [LP011]"
    )
    assert called("diagnose", str(path)).stdout.splitlines()[0] == first
    assert [one["id"] for one in json.loads(called("diagnose", str(path), "--json").stdout)["lint"]] == ["LP011"]
    debugged = called("debug", str(path), "--missing", "in(a)")
    assert debugged.stdout.splitlines()[0] == first


def test_a_check_that_is_not_there() -> None:
    with pytest.raises(InputError, match="LP999"):
        check_of("LP999")


def test_every_syntax_error_is_a_finding() -> None:
    assert [(id, line) for id, line, _ in found("p(1 :- q.\nr(2) s.\n")] == [("LP001", 1), ("LP001", 2)]


def test_the_nearest_name() -> None:
    assert nearest("colr", ["color", "cell"]) == "color"
    assert meant(("edge", 3), [("edge", 2), ("edges", 3)]) == [("edge", 2)]
    assert [is_slip(*pair) for pair in (("edge1", "edge2"), ("row", "col"), ("X", "Y"))] == [False, False, False]


def test_classical_negation_of_what_is_only_derived_as_it_is() -> None:
    text = "bird(tweety). bird(sam). penguin(sam).\nflies(X) :- bird(X), {}(X).\n#show flies/1.\n"
    (found,) = bridge.lint(bridge.program(text.replace("{}", "-penguin"))).findings
    assert (found.id, found.level, found.suggestion) == ("LP003", "warning", "not penguin(X)")
    (found,) = bridge.lint(bridge.program(text.replace("{}", "not -penguin"))).findings
    assert (found.id, found.level, found.suggestion) == ("LP003", "info", None)
    assert not bridge.lint(bridge.program(text.replace("{}", "not penguin"))).findings


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("{ take(X) : X = 1..3 }.\n#maximize { take }.\n#show take/1.\n", "1,X : take(X)"),
        ('{ p }.\n#minimize { "a" : p }.\n#show p/0.\n', None),
        ("#const n = 2.\n{ p }.\n#minimize { n@1 : p }.\n#show p/0.\n", ""),
        ("{ p }.\n#minimize { -2 : p }.\n#show p/0.\n", ""),
    ],
)
def test_a_weight_that_is_a_constant(text: str, suggestion: str | None) -> None:
    hits = [one.suggestion for one in bridge.lint(bridge.program(text)).findings if one.id == "LP034"]
    assert hits == ([] if suggestion == "" else [suggestion])


def test_a_term_that_is_shown_hides_nothing() -> None:
    program = "{ pick(1..2) }.\n{}#show chosen(C) : pick(C).\n"
    (found,) = bridge.lint(bridge.program(program.replace("{}", ""))).findings
    assert (found.id, found.level) == ("LP024", "info")
    assert not bridge.lint(bridge.program(program.replace("{}", "#show.\n"))).findings
