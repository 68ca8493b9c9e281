"""What an editor asks of the files of a folder: findings, predicates, remedies, new names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.errors import InputError
from bridge.linting.folder import Files
from bridge.linting.occurrences import of_clingo

ENCODING = "% é😀 what is reached\nreach(1).\nreach(Y) :- reach(X), egde(X,Y).\n#show reach/1.\n"
PROLOG = """:- dynamic seen/1.
%! path(?X, ?Y) is nondet.
%
%  There is a way.
path(X, Y) :- edge(X, Y), \\+ seen(X), maplist(step(X), [Y]), findall(Z, other(Z), _).
digits([D|T]) --> [D], { number(D) }, digits(T).
a, [b] --> digits(_).
:- begin_tests(x).
test(a) :- path(1, 2).
:- end_tests(x).
"""


@pytest.fixture(scope="module")
def files() -> Iterator[Files]:
    with Files() as made:
        yield made


def _found(files: Files, path: Path, text: str) -> list[tuple[str, int | None, int | None]]:
    files.unsaved[str(path)] = text
    return [(one.id, one.place.line, one.place.column) for one in files.lint(str(path)).findings]


def test_predicates_of_the_files_beside_are_known(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "reach.lp"
    assert ("LP003", 3, 23) in _found(files, path, ENCODING)
    (tmp_path / "instance.lp").write_text("edge(1,2).\n")
    (tmp_path / "others.lp").write_text("egde(1,2).\n")
    assert _found(files, path, ENCODING) == []
    own = tmp_path / "own.pl"
    assert [one[0] for one in _found(files, own, "p(X) :- q(X).\n")] == ["PL003"]
    (tmp_path / "others.pl").write_text("q(1).\n")
    assert _found(files, own, "p(X) :- q(X).\n") == []
    assert [one[0] for one in _found(files, own, ":- module(own, [p/1]).\np(X) :- q(X).\n")] == ["PL003"]


def test_an_unused_predicate_may_be_used_beside(files: Files, tmp_path: Path) -> None:
    path, text = tmp_path / "one.lp", "p(1).\nq(X) :- p(X).\n#show p/1.\n"
    assert [one[0] for one in _found(files, path, text)] == ["LP015"]
    (tmp_path / "two.lp").write_text(":- q(2).\n")
    assert _found(files, path, text) == []


@pytest.mark.parametrize("text", ["a(", "#include \"nowhere.lp\".", "a/b.lp", "% \ufffd\na. b :- .", "p(X) :- not q(X).", "\0", ""])
def test_of_each_text_there_are_findings_at_places_in_it(files: Files, tmp_path: Path, text: str) -> None:
    for name in ("x.lp", "x.pl"):
        for _, line, column in _found(files, tmp_path / name, text):
            assert 1 <= (line or 1) <= text.count("\n") + 2
            assert (column or 1) <= max(map(len, text.split("\n"))) + 2


def test_while_one_types_nothing_runs(files: Files, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    program = f'p(1..9).\n#script (python)\nopen("{witness}", "w")\n#end.\nq(@f()).\n'
    _found(files, tmp_path / "script.lp", program)
    files.lint(str(tmp_path / "script.lp"), ground=True)
    goal = f"open('{witness}', write, _)"
    _found(files, tmp_path / "goal.pl", f":- {goal}.\n:- initialization({goal}).\nterm_expansion(_, []) :- {goal}.\np.\n")
    assert not witness.exists()


def test_a_small_program_is_ground_only_where_it_may_be(files: Files, tmp_path: Path) -> None:
    path = str(tmp_path / "small.lp")
    files.unsaved[path] = "p(1..3).\nq(X) :- p(X), X > 5.\n:- q(_).\n"
    few, more = files.lint(path).findings, files.lint(path, ground=True).findings
    assert len(few) < len(more)


def test_a_remedy_is_one_after_which_lint_says_less(files: Files, tmp_path: Path) -> None:
    (tmp_path / "instance.lp").write_text("edge(1,2).\n")
    path = tmp_path / "reach.lp"
    _found(files, path, ENCODING)
    found = files.lint(str(path))
    (one,) = found.findings
    assert files.fixed(str(path), ENCODING, one, found) == ENCODING.replace("egde", "edge")
    doubled = '#include "instance.lp".\nr(X) :- edge(X,X), edge(X,X).\n'
    _found(files, path, doubled)
    found = files.lint(str(path))
    fixed = [files.fixed(str(path), doubled, one, found) for one in found.findings if one.fix is not None]
    assert all(one is None or one.startswith('#include "instance.lp".\n') for one in fixed)


def test_a_remedy_of_a_name_leaves_the_arguments_of_the_call(files: Files, tmp_path: Path) -> None:
    text = 'floor(hall, 1).\ntext("😀", Z) :- florr(hall, Z).\n'
    path = tmp_path / "rooms.pl"
    _found(files, path, text)
    found = files.lint(str(path))
    (one,) = (each for each in found.findings if each.suggestion)
    assert files.fixed(str(path), text, one, found) == text.replace("florr", "floor")


def test_where_predicates_stand(files: Files, tmp_path: Path) -> None:
    text = (
        '% é😀\na(1). b(X) :- a(X), not c(X,"é"), X = #sum{ Y : d(Y) }, e : f. { g(X) : h(X) } 1.\n'
        "-i(1;2). #show b/1. #show X : j(X). broken(. #external k. :~ l(X). [X] #minimize{ X : m(X) }."
    )
    found = of_clingo(text)
    assert [one.begin for one in found] == sorted(one.begin for one in found)
    assert {text[one.begin : one.end] for one in found} == {*"abcdefghijklm"}
    for one in found:
        assert text[one.begin : one.end] == one.signature[0].removeprefix("-")
        assert one.statement[0] <= one.begin <= one.end <= one.statement[1]
    path = str(tmp_path / "path.pl")
    files.unsaved[path] = PROLOG
    found = files.occurrences(path)
    assert {one.signature for one in found if one.role == "head"} == {("path", 2), ("digits", 3), ("a", 2), ("test", 1)}
    uses = {one.signature for one in found if one.role == "use"}
    assert {("edge", 2), ("seen", 1), ("step", 2), ("other", 1), ("digits", 3), ("number", 1), ("path", 2)} <= uses
    assert ("seen", 1) in {one.signature for one in found if one.role == "declaration"}
    for one in found:
        assert PROLOG[one.begin : one.end] == one.signature[0]
    head = next(one for one in found if one.signature == ("path", 2))
    assert files.comment(path, head) == "path(?X, ?Y) is nondet.\n\n There is a way."
    assert files.at(path, head.begin + 2) == head


def test_a_new_name(files: Files, tmp_path: Path) -> None:
    encoding, instance = tmp_path / "reach.lp", tmp_path / "instance.lp"
    instance.write_text("edge(1,2). -edge(2,1).\n")
    text = "% an edge\nreach(Y) :- reach(X), edge(X,Y). #show edge/2.\n%! test one: some edge(1,2)\nedge(edge,1).\n"
    files.unsaved[str(encoding)] = text
    assert files.renamed(str(encoding), ("edge", 2), "arc") == {
        str(encoding): text.replace("edge(X", "arc(X").replace("edge/", "arc/").replace("edge(1", "arc(1").replace("edge(e", "arc(e"),
        str(instance): "arc(1,2). -arc(2,1).\n",
    }
    with pytest.raises(InputError, match="there already"):
        files.renamed(str(encoding), ("reach", 1), "reach")
    path = str(tmp_path / "path.pl")
    files.unsaved[path] = PROLOG
    assert files.renamed(path, ("path", 2), "way") == {path: PROLOG.replace("path(", "way(")}
    for name in ("m", "n"):
        (tmp_path / f"{name}.pl").write_text(f":- module({name}, [both/0]).\nboth.\n")
    with pytest.raises(InputError, match="several modules"):
        files.renamed(str(tmp_path / "m.pl"), ("both", 0), "one")


#: Statements that a change of another line, or of a word before them, makes others.
EDITED = """#const n = 2.
#program base.
p(1..n). q(X) :- p(X), not r(X).
r(X) :- p(X), X > 1. #minimize { X : q(X) }.
:~ q(X). [X@1]  % cost
#external e(X) : p(X). [true]
s(X) :- #count { Y : p(Y), Y < X } = N, X = 1..3, t(N).
{ u(X) : p(X) } 1 :- e(1).
#show q/1. #show r/1.
"""
WORDS = ["minimize", "maximize", "true", "false", "base", "step(t)", "q", "r", "p", "X", "Y", "n", "3", "not ", "\n", "% ", ".", ", "]


def test_findings_are_those_of_a_text_that_is_read_for_the_first_time(tmp_path: Path) -> None:
    chance, path = random.Random(3), str(tmp_path / "edited.lp")
    with Files() as kept, Files() as fresh:
        text = EDITED
        for turn in range(300):
            old, new = chance.sample(WORDS, 2)
            places = [one.start() for one in re.finditer(re.escape(old), text)]
            if not places or len(text) > 2 * len(EDITED) or turn % 20 == 0:
                text = EDITED
            else:
                at = chance.choice(places)
                text = text[:at] + new + text[at + len(old) :]
            for one in (kept, fresh):
                one.unsaved[path] = text
            fresh._statements = "", {}
            assert kept.lint(path) == fresh.lint(path), text
        assert len(kept._statements[1]) > 1


def test_programs_in_subfolders_are_known(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("main.lp", "lib/deep/one.lp", "lib/two.lp", "lib/two.reference.lp", ".hidden/three.lp", "lib/four.pl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("edge(1,2).\n")

    def beside(name: str) -> list[str]:
        return [Path(one).relative_to(tmp_path).as_posix() for one in files.beside(str(tmp_path / name))]

    assert beside("main.lp") == ["lib/deep/one.lp", "lib/two.lp"]
    assert beside("lib/two.lp") == ["lib/deep/one.lp"]
    monkeypatch.setattr(files, "folders", [str(tmp_path)])
    assert beside("lib/two.lp") == ["lib/deep/one.lp", "main.lp"]
    monkeypatch.setattr("bridge.linting.folder.ENTRIES", 3)
    assert beside("main.lp") == []
    assert beside("lib/two.lp") == []
    monkeypatch.setattr("bridge.linting.folder.FILES", 0)
    assert beside("lib/two.lp") == []


def test_which_reference_stands_beside(files: Files, tmp_path: Path) -> None:
    for name in ("a.lp", "b.lp", "b.reference.lp", "c.pl", "c.reference.pl"):
        (tmp_path / name).write_text("p.\n")
    of = [files.expected(str(tmp_path / name)) for name in ("a.lp", "b.lp", "c.pl")]
    assert of[0] is None
    assert of[1:] == [
        ([tmp_path / name], {"tests": [], "against": tmp_path / reference})
        for name, reference in (("b.lp", "b.reference.lp"), ("c.pl", "c.reference.pl"))
    ]


def test_which_tests_stand_beside(files: Files, tmp_path: Path) -> None:
    for name, text in {"a.lp": "p.\n", "b.lp": "p.\n%! test one: sat\n", "a.pl": "p.\n", "b.pl": "p.\n"}.items():
        (tmp_path / name).write_text(text)
    of = [files.tests(str(tmp_path / name)) for name in ("a.lp", "b.lp", "a.pl", "b.pl")]
    assert [one is None for one in of] == [True, False, True, True]
    (tmp_path / "test_a.lp").write_text("%! test one: sat\n")
    (tmp_path / "a.plt").write_text(":- begin_tests(a).\n:- end_tests(a).\n")
    assert files.tests(str(tmp_path / "a.lp")) == ([tmp_path / "a.lp"], [tmp_path / "test_a.lp"])
    assert files.tests(str(tmp_path / "a.plt")) == ([tmp_path / "a.pl"], []) == files.tests(str(tmp_path / "a.pl"))
