"""Commands that take the paths of programs: diagnose, count, explain, why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

from bridge.cli.brief import LENGTH

ROOT = Path(__file__).parents[3]
TIMETABLE = [str(ROOT / "examples" / "why" / name) for name in ("timetable.lp", "monday.lp")]
COLOURS = "{ c(N, C) : C = (x; y) } = 1 :- n(N). n(1..2). :- c(1, C), c(2, C).\n#show c/2.\n"


@pytest.fixture
def colours(tmp_path: Path) -> str:
    (tmp_path / "colours.lp").write_text(COLOURS)
    return str(tmp_path / "colours.lp")


def data(*words: str) -> dict[str, object]:
    result = called(*words, "--json")
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def test_the_verdict_only(colours: str) -> None:
    result = called("diagnose", "--only", "verdict", colours)
    assert result.returncode == 0
    assert "ambiguous: there are two answer sets or more" in result.stdout
    assert "c(1,x) c(2,y)" in result.stdout
    assert called("diagnose", "--only", "verdict", "--expect", "unique", colours).returncode == 1
    assert called("diagnose", "--only", "verdict", "--expect", "impossible", *TIMETABLE).returncode == 0
    assert called("diagnose", "--expect", "impossible", *TIMETABLE).returncode == 0


def test_count(colours: str) -> None:
    assert called("count", colours).stdout == "2 answer sets\n"
    assert data("count", colours)["number"] == 2
    assert called("count", *TIMETABLE).stdout == "0 answer sets\n"


@pytest.mark.parametrize("command", ["count", "explain"])
def test_what_is_for_clingo_names_what_there_is_for_prolog(tmp_path: Path, command: str) -> None:
    (tmp_path / "p.pl").write_text("p(1).\n")
    wrong = called(command, tmp_path / "p.pl", "--goal", "p(X)")
    assert wrong.returncode == 2
    assert "`lpbridge run FILE.pl --goal GOAL -n 0`" in wrong.stderr



def test_what_is_open_only(colours: str) -> None:
    assert called("diagnose", "--only", "open", colours).stdout == "open:\n  c(1): x, y\n  c(2): x, y\n"
    assert "nothing is open" in called("diagnose", "--only", "open", *TIMETABLE).stdout


def test_diagnose_says_what_varies_together(colours: str) -> None:
    text = called("diagnose", colours).stdout
    assert "c(1), c(2) vary together, in 2 ways: x y; y x" in text
    assert "one fact more leaves exactly one answer set" in text


def test_diagnose_as_json_gcc_and_sarif() -> None:
    found = data("diagnose", *TIMETABLE)
    assert found["verdict"] == "impossible"
    clashes = found["clashes"]
    assert isinstance(clashes, list)
    assert {rule["line"] for rule in clashes[0]["rules"]} == {13, 16, 19}
    lines = called("diagnose", *TIMETABLE, "--format", "gcc").stdout.splitlines()
    assert f"{TIMETABLE[0]}:16:1: error: clash: a teacher gives one lesson at a time." in lines
    log = json.loads(called("diagnose", *TIMETABLE, "--format", "sarif").stdout)
    assert log["version"] == "2.1.0"
    places = [one["locations"][0]["physicalLocation"] for one in log["runs"][0]["results"]]
    assert {"startLine": 19, "startColumn": 1} in [place["region"] for place in places]


@pytest.mark.parametrize("verb", ["diagnose", "lint"])
def test_two_forms_are_refused(verb: str) -> None:
    for other in ("--brief", "--json"):
        for form in ("gcc", "sarif"):
            done = called(verb, *TIMETABLE, other, "--format", form)
            assert (done.returncode, f"{other} and --format {form} are two forms" in done.stderr) == (2, True), done.stderr


def test_standard_input() -> None:
    result = called("diagnose", "-", "--language", "clingo", stdin=":- not a.\na :- b.\n")
    assert result.returncode == 0, result.stderr
    assert ":- not a." in result.stdout


def test_why_shows_one_derivation_or_all(tmp_path: Path) -> None:
    (tmp_path / "t.lp").write_text("e(a,b). e(b,c). e(a,c). r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z).\n")
    one = called("why", str(tmp_path / "t.lp"), "r(a,c)").stdout
    assert "  this is one of 2 derivations, none of them shorter; --all shows all\n" in one
    assert "e(b,c)" not in one.partition("these force it")[0]
    every = called("why", str(tmp_path / "t.lp"), "r(a,c)", "--all").stdout
    assert every.index("  1 of 2:\n") < every.index("e(a,c)") < every.index("  2 of 2:\n") < every.index("e(b,c)")


def test_why() -> None:
    result = called("why", *TIMETABLE, "at(art,3)", "-c", "slots=4")
    assert result.returncode == 0
    assert "at(art,3) is in no answer set" in result.stdout
    assert "absence of ada" in result.stdout
    found = data("why", *TIMETABLE, "at(art,9)", "-c", "slots=4")
    assert found["status"] == "no"
    assert found["missing"] == [
        {
            "atom": "at(art,9)",
            "kind": "choice",
            "file": TIMETABLE[0],
            "line": 13,
            "column": 1,
            "bindings": {"L": "art", "S": "9"},
            "lacking": "slot(9)",
            "needed": ["slot(9)"],
        }
    ]
    assert (
        "other choices: at("
        in called("why", *TIMETABLE, "at(art,1)", "--rather-than", "at(art,2)", "-c", "slots=4").stdout
    )


def test_what_is_given_is_named_where_it_matters() -> None:
    asked = ("why", *TIMETABLE, "at(art,1)", "--rather-than", "at(art,2)", "-c", "slots=4")
    text = called(*asked, "--given", "at(math, 2)", "--given", "at(music,4)").stdout
    assert "  given: at(math,2)\n" in text
    assert "other choices" not in text
    found = data("why", *TIMETABLE, "at(art,2)", "--given", "at(math,2)", "-c", "slots=4")
    assert (found["status"], found["given"]) == ("no", ["at(math,2)"])
    assert "at(math,2)" in found["clash"]["clues"]  # type: ignore[index]
    forced = ("why", *TIMETABLE, "at(art,4)", "--given", "not at(art,1)", "--given", "not at(art,2)", "-c", "slots=4")
    assert ">given: not at(art,1)</text>" in called(*forced, "-F", "svg").stdout.replace("\N{NO-BREAK SPACE}", " ")


def test_a_contrast_of_atoms_that_are_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "hidden.lp"
    path.write_text("{ a; b; c }. :- a, b. d :- c. #show d/0.\n")
    assert "nothing forbids it" in called("why", str(path), "d", "--rather-than", "b").stdout
    assert "given: a" in called("why", str(path), "d", "--rather-than", "b", "--given", "a").stdout


def test_why_as_a_graph() -> None:
    graph = called("why", *TIMETABLE, "at(art,1)", "-c", "slots=4", "--format", "dot").stdout
    assert '"at(art,1)" -> "lesson(art)";' in graph
    assert graph.startswith('digraph "at(art,1)" {')


def test_why_as_a_picture(tmp_path: Path) -> None:
    asked = ("why", *TIMETABLE, "at(art,1)", "-c", "slots=4")
    svg = called(*asked, "--format", "svg").stdout
    assert svg.startswith("<svg ")
    assert ">lesson(art)</text>" in svg
    file = tmp_path / "why.svg"
    assert "derived in an answer set" in called(*asked, "-o", str(file)).stdout
    assert file.read_text() == svg
    assert called(*asked, "-o", str(tmp_path / "why.svg"), "--format", "svg", "--theme", "dark").stdout == ""
    assert file.read_text() != svg
    called(*asked, "-o", str(tmp_path / "why.dot"))
    assert (tmp_path / "why.dot").read_text().startswith("digraph")
    wrong = called(*asked, "-o", "why.jpeg")
    assert (wrong.returncode, "end it in .svg" in wrong.stderr) == (2, True)
    path = tmp_path / "family.pl"
    path.write_text("parent(a, b).\nancestor(X, Y) :- parent(X, Y).\n")
    proof = ("why", str(path), "ancestor(a, X)")
    assert called(*proof).stdout == called("why", path, "--goal", "ancestor(a, X)").stdout
    assert ">parent(a, b)</text>" in called(*proof, "--format", "svg").stdout


def test_atoms_that_look_like_options(tmp_path: Path) -> None:
    path = tmp_path / "minus.lp"
    path.write_text("a. -b :- a. -c(1). -tall.\n")
    for atom in ("-b", "-c(1)", "-nowhere(1,2)"):
        assert data("why", str(path), atom)["question"] == atom
    assert data("why", str(path), "-b", "-F", "text")["question"] == "-b"
    assert data("why", str(path), "a", "--given", "-b")["question"] == "a"
    wrong = called("why", str(path), "-tall")
    assert wrong.returncode == 2
    assert "lpbridge why FILE... -- '-tall'" in wrong.stderr
    assert "-g stands after --" in called("why", str(path), "-good").stderr


def test_the_column_tells_statements_of_one_line_apart(tmp_path: Path) -> None:
    path = tmp_path / "line.lp"
    path.write_text("c(1). c(2). :- c(1), not d. { d } :- c(2). :- d.\ne.\n")
    text = called("diagnose", str(path)).stdout
    assert f"  {path}:1:1: c(1)." in text
    assert f"  c(1).  ({path}:1:1)   then there is one answer set" in text
    assert f"  {path}:1:13: :- c(1), not d." in text
    found = data("diagnose", str(path))
    clash = found["clashes"][0]  # type: ignore[index]
    assert {rule["name"] for rule in clash["rules"]} == {f"{path}:1:13", f"{path}:1:44"}
    assert f"{path}:1:44: error: clash: :- d." in called("diagnose", str(path), "--format", "gcc").stdout
    tried = data("diagnose", str(path), "--try", f"{path}:1:13")
    assert tried["variants"] == [{"changes": [f"without {path}:1:13"], "verdict": "unique"}]
    path.write_text("a. b :- a. { c } :- b.\ne.\n")
    assert f"b  (by {path}:1:4)" in called("why", str(path), "c").stdout
    assert f"e  (fact {path}:2)" in called("why", str(path), "e").stdout


def test_a_constant_that_is_not_there() -> None:
    wrong = called("diagnose", *TIMETABLE, "--try", "slot=4", "--try", "slots=4")
    assert wrong.returncode == 2
    assert "the program has no constant 'slot'; did you mean 'slots'?" in wrong.stderr
    for command in ("run", "count", "explain", "ground", "diagnose", "diagnose --only open"):
        wrong = called(*command.split(), *TIMETABLE, "-c", "slot=4")
        assert wrong.returncode == 2, command
        assert "the program has no constant 'slot'; did you mean 'slots'?" in wrong.stderr, command


@pytest.mark.slow
def test_a_line_for_each_part() -> None:
    lines = [json.loads(line) for line in called("diagnose", *TIMETABLE, "--jsonl").stdout.splitlines()]
    assert lines[0]["verdict"] == "impossible"
    assert lines[0]["removals"]["size"] == 1
    assert [next(iter(line)) for line in lines[1:]] == ["clash", *["removal"] * (len(lines) - 2)]
    assert len(lines) > 9
    goal = called("diagnose", str(ROOT / "examples/why/rooms.pl"), "--goal", "meetings(S)", "--jsonl").stdout
    assert ["clash" in json.loads(line) for line in goal.splitlines()] == [False, True]


def test_why_no_lower_cost(tmp_path: Path) -> None:
    path = tmp_path / "cost.lp"
    path.write_text("1 { a; b }.\n:- a, not c.\n{ c }.\n#minimize { 1,a : a; 3,b : b; 1,c : c }.\n")
    result = called("why", str(path), "--cost")
    assert "the lowest cost is 2" in result.stdout
    assert f"{path}:2:1: :- a, not c." in result.stdout
    assert f"{path}:1:1: 1 {{ a; b }}." in result.stdout
    assert "minimises nothing" in called("why", str(TIMETABLE[0]), "--cost").stderr


def test_explain(tmp_path: Path) -> None:
    path = tmp_path / "steps.lp"
    path.write_text(
        "{ at(X, 1..3) } = 1 :- X = (p; q; r).\n:- at(X, P), at(Y, P), X < Y.\n:- not at(p, 1).\n:- at(q, 2).\n"
    )
    result = called("explain", str(path))
    assert result.stdout.splitlines()[0].startswith("  1. at(p,1):")
    assert "at(r,2)" in result.stdout
    assert data("explain", str(path))["complete"] is True
    lines = [json.loads(line) for line in called("explain", str(path), "--jsonl").stdout.splitlines()]
    assert lines == data("explain", str(path))["steps"]


@pytest.mark.slow
def test_repairs_of_a_goal_do_not_name_the_goal_itself(tmp_path: Path) -> None:
    path = tmp_path / "tight.pl"
    path.write_text(":- use_module(library(clpfd)).\ntight(A, B) :- [A, B] ins 0..3, A + 4 #=< B.\n")
    lines = called("diagnose", path, "--goal", "tight(A, B)").stdout.splitlines()
    repairs = lines[lines.index("There is an answer without any one of these:") + 1 :]
    assert [line.split(f"  {path}")[0] for line in repairs[:2]] == ["  [A, B] ins 0..3", "  A + 4 #=< B"]
    assert not any("<goal>" in line for line in repairs)


@pytest.mark.slow
def test_a_prolog_goal() -> None:
    path = str(ROOT / "examples" / "why" / "rooms.pl")
    result = called("diagnose", path, "--goal", "meetings(Starts)")
    assert "These 4 constraints cannot hold together" in result.stdout
    several = called("diagnose", path, "--goal", "X in 9..13, Y = 1, apart(9, X)").stdout
    assert several.splitlines()[1:5] == ["  X = 11,", "  Y = 1.", "  X = 12,", "  Y = 1."]
    assert "a --goal is missing" in called("diagnose", path).stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["diagnose", "missing.lp"], "no such file; check the path"),
        (["diagnose", "examples/why/rooms.pl", "meetings(S)"], "no such file; a goal stands after --goal"),
        (["diagnose", *TIMETABLE, "--try", "nothing"], "no rule 'nothing' to leave out"),
        (["diagnose", *TIMETABLE, "--goal", "p"], "--goal is for Prolog"),
        (["why", "examples/why/rooms.pl"], "a goal is missing"),
        (["why", TIMETABLE[0]], "an atom is missing"),
        (["why", *TIMETABLE, "at(art,"], "at(art,"),
        (["why", *TIMETABLE, "at(art,1)"], "the program has no answer set; `diagnose` says why"),
        (["why", *TIMETABLE, "p:-q"], "not an atom"),
    ],
)
def test_wrong_calls(words: list[str], told: str) -> None:
    result = called(*words)
    assert result.returncode == 2
    assert told in result.stderr


def test_an_untrusted_program_is_confined(tmp_path: Path) -> None:
    path = tmp_path / "untrusted.lp"
    path.write_text('#include "/etc/passwd".\n:- not a.\n')
    result = called("diagnose", str(path), "--untrusted")
    assert result.returncode == 2
    assert "include" in result.stderr
    path.write_text(":- not a.\na :- b.\n")
    result = called("diagnose", str(path), "--untrusted")
    assert result.returncode == 0, result.stderr
    assert ":- not a." in result.stdout


@pytest.fixture
def including(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "inc.lp").write_text("b(1).\n:- a(2).\n")
    (tmp_path / "main.lp").write_text('#include "sub/inc.lp".\na(1..2).\n:- a(X), b(X).\n')
    (tmp_path / "sub" / "facts.lp").write_text("c(1..2).\n")
    (tmp_path / "rules.lp").write_text('#include "sub/facts.lp".\nd(X) :- c(X).\n')
    (tmp_path / "bad.lp").write_text("a :- b(.\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("diagnose", "main.lp", "sub/inc.lp"),
        ("diagnose", "main.lp", "sub/inc.lp", "--json"),
        ("why", "rules.lp", "sub/facts.lp", "d(1)"),
        ("diagnose", "sub/../bad.lp"),
        ("ground", "bad.lp"),
        ("ground", "bad.lp", "--text"),
        ("run", "bad.lp"),
    ],
)
def test_files_of_an_untrusted_program_are_named_as_given(words: tuple[str, ...], including: Path) -> None:
    usual = called(*words, folder=including)
    untrusted = called(*words, "--untrusted", folder=including)
    assert (untrusted.returncode, untrusted.stdout, untrusted.stderr) == (usual.returncode, usual.stdout, usual.stderr)
    assert ".lp:" in usual.stdout + usual.stderr
    assert str(including) not in usual.stdout + usual.stderr


@pytest.mark.parametrize("files", [("main.lp", "sub/inc.lp"), ("sub/inc.lp", "main.lp"), ("sub/../main.lp",)])
def test_a_file_that_is_included_and_given_counts_once(files: tuple[str, ...], including: Path) -> None:
    text = called("diagnose", *files, folder=including).stdout
    assert text.count(":2:1: :- a(2).") == 1
    (sets,) = [line for line in text.splitlines() if line.startswith("take away")]
    assert sets == "take away 2 rules or facts, one of these sets:"
    assert text.count("then there is one answer set") == 6
    assert "5 ground rules" in called("profile", *files, folder=including).stdout


def test_steps_of_a_program_that_is_not_incremental(colours: str) -> None:
    assert "note: this is about step 3\n" in called("diagnose", "--only", "verdict", colours, "--steps", "3").stdout


def test_an_answer_set_without_atoms_is_no_empty_line(tmp_path: Path) -> None:
    (tmp_path / "none.lp").write_text("")
    text = called("diagnose", "--only", "verdict", str(tmp_path / "none.lp")).stdout
    assert text == "unique: there is exactly one answer set\nanswer set\n  (without an atom that is shown)\n"


@pytest.mark.slow
def test_warnings_are_in_each_answer(tmp_path: Path) -> None:
    path = tmp_path / "typo.lp"
    path.write_text("p(1..2). { q(X) : p(X) }.\n:- q(X), not pp(X), X > 1.\n")
    warning = "info: atom does not occur in any rule head:"
    ways = [("run",), ("run", "--brave"), ("run", "--optimal"), ("run", "--count"), ("diagnose",), ("diagnose", "--only", "verdict")]
    for command, *options in [*ways, ("count",), ("ground",), ("ground", "--facts"), ("why", "q(1)")]:
        words = [command, str(path), *options]
        (found,) = json.loads(called(*words, "--json").stdout)["warnings"]
        assert found == {"file": str(path), "line": 2, "column": 14, "level": "info", "message": f"{warning.removeprefix('info: ')} pp(X)"}
        shown = called(*words)
        assert warning in shown.stdout + shown.stderr, words
    lines = called("diagnose", str(path), "--format", "gcc").stdout.splitlines()
    assert lines[0] == f"{path}:2:14: warning: atom does not occur in any rule head: pp(X)"


def test_of_two_unsafe_rules_both_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "unsafe.lp"
    path.write_text("p(X) :- not q(X).\nq(1).\nr(Y, Z) :- q(Y).\n")
    for command in ("diagnose", "run", "count", "ground"):
        wrong = called(command, str(path))
        assert wrong.returncode == 2
        assert [f"lpbridge: {path}:{place} is unsafe" in wrong.stderr for place in ("1:3: `X`", "3:6: `Z`")] == [True, True], command
        assert "    3 | r(Y, Z) :- q(Y).\n" in wrong.stderr


@pytest.mark.parametrize("command", ["run", "diagnose", "count", "ground", "why --cost", "profile"])
def test_all_errors_of_a_clingo_program_are_shown(tmp_path: Path, command: str) -> None:
    lines = ["p(1..2).", "p(X) :- , q.", "r(X) :- not p(X).", "t :- p(1) p(2).", "s(X) :- p(Y).", "u(."]
    (tmp_path / "wrong.lp").write_text("\n".join(lines))
    places = [(2, 9), (3, 3), (4, 11), (5, 3), (6, 2)]
    done = called(*command.split(), "wrong.lp", folder=tmp_path)
    assert done.returncode == 2
    first = [line.split(": ")[1] for line in done.stderr.splitlines() if line.startswith("lpbridge: ")]
    assert first == [f"wrong.lp:{line}:{column}" for line, column in places]
    data = json.loads(called(*command.split(), "wrong.lp", "--json", folder=tmp_path).stdout)
    assert [(one["file"], one["line"], one["column"]) for one in data["errors"]] == [("wrong.lp", *place) for place in places]
    begins = ["syntax error", "`X` is unsafe", "something is missing before `p`", "`X` is unsafe", "`(` is not closed"]
    assert all(one["message"].startswith(begin) for one, begin in zip(data["errors"], begins, strict=True))


def test_all_errors_of_several_files_are_shown_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "b.lp").write_text("a :- b c.\np(X).\n#include \"c.lp\".\n")
    (tmp_path / "a.lp").write_text("q(X).\nb :- b c.\n")
    (tmp_path / "c.lp").write_text("r(X).\n")
    found = json.loads(called("run", "b.lp", "a.lp", "--json", folder=tmp_path).stdout)["errors"]
    assert sorted((one["file"], one["line"]) for one in found) == [("a.lp", 1), ("a.lp", 2), ("b.lp", 1), ("b.lp", 2), ("c.lp", 1)]


@pytest.mark.parametrize("command", ["run --strict -g p(X)", "diagnose -g p(X)", "why -g p(X)", "test", "debug --missing p(2)"])
def test_all_errors_of_a_prolog_program_are_shown(tmp_path: Path, command: str) -> None:
    (tmp_path / "wrong.pl").write_text("p(1).\nq(X) :- p(X), .\nr(1) p(2).\ns(1.\n")
    data = called(*command.split(), "wrong.pl", "--json", folder=tmp_path)
    assert data.returncode == 2
    found = json.loads(data.stdout)["errors"]
    assert [(one["file"].rpartition("/")[2], one["line"], one["column"] is None) for one in found] == [("wrong.pl", line, False) for line in (2, 3, 4)]


def test_what_clingo_warns_of_in_every_test_is_in_the_json(tmp_path: Path) -> None:
    (tmp_path / "typo.lp").write_text("b :- a.\n:- c, egde(1).\n\n%! test one: sat\n%! fact a.\n\n%! test two: cost 0\n%! fact c.\n#minimize { 0 : b }.\n")
    (warned,) = json.loads(called("test", "typo.lp", "--json", folder=tmp_path).stdout)["warnings"]
    message = "atom does not occur in any rule head: egde(1)"
    assert warned == {"file": "typo.lp", "line": 2, "column": 7, "level": "info", "message": message}


BRIEF = {
    "clash.lp": "p(1..40). q(1..40).\n" + "".join(f"r{n} :- p({n}), q({n}). {':- r' + str(n) if n == 7 else 's'}.\n" for n in range(1, 40)),
    "open.lp": "{ a }. { b }. :- a, b.\n",
    "long.lp": "{ chosen(1..300) }.\n" + "".join(f":- not chosen({n}).\n" for n in range(1, 301)) + ":- #count { X : chosen(X) } > 299.\n",
    "typo.lp": "edge(1,2).\n{ in(X) : edge(X,_) }.\n:- in(X), egde(X,_).\n",
    "tested.lp": "{ a; b }.\n" + "".join(f"%! test t{n}: models {4 if n < 60 else 3}\n\n" for n in range(61)),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "there", "missing"),
    [
        ("diagnose clash.lp", ["clash.lp:8", "cannot hold together", "take away this:"], ["any one of"]),
        ("diagnose open.lp", ["ambiguous", "exactly one"], []),
        ("diagnose long.lp --smallest", ["cannot hold together", "left out)", "take away this:"], []),
        ("why typo.lp in(1)", ["in(1) is in some", "typo.lp:2"], []),
        ("debug open.lp --unwanted a", ["open.lp:1:1", "a repair", "+"], []),
        ("lint typo.lp", ["typo.lp:3:11", "egde"], []),
        ("test tested.lp --no-debug", ["failed", "t60", "60 passed, 1 failed"], ["t59"]),
        ("compare open.lp typo.lp --show a/0,b/0,in/1", ["an answer that"], ["conflicts"]),
    ],
)  # fmt: skip
def test_in_brief(tmp_path: Path, words: str, there: list[str], missing: list[str]) -> None:
    for name, text in BRIEF.items():
        (tmp_path / name).write_text(text)
    done = called(*words.split(), "--brief", folder=tmp_path)
    assert 0 < len(done.stdout) <= LENGTH, done.stderr
    assert all(word in done.stdout for word in there), done.stdout
    assert not any(word in done.stdout for word in missing), done.stdout


def test_why_ends_with_the_command_that_names_the_wrong_line(tmp_path: Path) -> None:
    program = tmp_path / "it is.lp"
    program.write_text("{ a }.\nb :- a, not a.\n")
    for atom, should, wish in (("a", "should not", "unwanted"), ("b", "should", "missing")):
        done = called("why", program, atom)
        assert done.stderr == f"if it {should} hold, this names the wrong line: lpbridge debug '{program}' --{wish} {atom}\n"
        assert called("why", program, atom, "--json").stderr == ""


def test_before_an_error_of_a_goal_stands_what_the_text_shows(tmp_path: Path) -> None:
    """And what SWI-Prolog warned of, if it is about a clause that was running."""
    file = tmp_path / "p.pl"
    file.write_text("other(Y).\ncheck(Z) :- half(V, E), E > 2.\nhalf(V, E) :- E is V / 2, true.\nlength([], 0).\n")
    got = called("diagnose", str(file), "--goal", "check(1)")
    first, second, third, fourth, *_ = got.stderr.splitlines()
    assert first.startswith(f"{file}:2:7: info: `Z` stands only here")
    assert second.startswith(f"{file}:2:18: info: `V` stands only here")
    assert third.startswith(f"{file}:4:1: error: length/2 is built in")
    assert fourth.startswith(f"lpbridge: {file}:3:15: ")
    assert "V is open when half/2 is called from line 2" in fourth
    found = json.loads(called("diagnose", str(file), "--goal", "check(1)", "--json").stdout)
    assert "V is open" in found["error"]["hint"]
    file.write_text("p(1).\n\té(X) :- q(X) r.\n")
    got = called("diagnose", str(file), "--goal", "p(X)")
    assert got.stderr.splitlines()[0] == f"lpbridge: {file}:2:15: operator expected"
