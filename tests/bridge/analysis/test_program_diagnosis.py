"""Diagnoses of clingo programs: clashes against the definition, on plain text; repairs, what is open, what to add."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE, given_time

import bridge
from bridge import AspProblem, Limits, Verdict
from bridge.analysis.program_diagnosis import ProgramDiagnosis
from bridge.asp import Program
from bridge.errors import InputError, ProgramError, UnsupportedError

RULES = """\
{ at(L, S) : slot(S) } = 1 :- lesson(L).

%! teacher {T}: a teacher gives one lesson at a time.
:- at(L, S), at(M, S), L < M, teaches(T, L), teaches(T, M).

%! away {T}: a teacher who is away gives no lesson.
:- at(L, S), teaches(T, L), away(T, S).

#const slots = 3.
slot(1..slots).
#show at/2.
"""
MONDAY = "lesson(math; physics; art; music).\nteaches(ada, (math; physics; art)). teaches(bob, music).\naway(ada, 3).\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "rules.lp").write_text(RULES)
    (tmp_path / "monday.lp").write_text(MONDAY)
    return str(tmp_path / "rules.lp"), str(tmp_path / "monday.lp")


def here(text: str, **how: object) -> ProgramDiagnosis:
    """The diagnosis of a text."""
    return bridge.diagnose(AspProblem(f"{text}\n"), **how)  # type: ignore[call-overload,no-any-return]


def test_a_timetable_that_cannot_be(files: tuple[str, str]) -> None:
    problem = bridge.program(*files)
    found = bridge.diagnose(problem, instances=True, variants=["slots=4", "away {T}", "slots=9"])
    assert found.verdict is Verdict.IMPOSSIBLE
    assert found.clashes is not None
    (clash,) = found.clashes
    assert clash.minimal
    assert clash.smallest
    lines = [(Path(one.place.file or "").name, one.place.line, str(one)) for one in clash.rules]
    assert lines == [("rules.lp", 1, f"{files[0]}:1"), ("rules.lp", 4, "teacher ada"), ("rules.lp", 7, "away ada")]
    assert [rule.sentence for rule in clash.rules][1:] == [
        "a teacher gives one lesson at a time.",
        "a teacher who is away gives no lesson.",
    ]
    assert "music" not in str(clash)
    assert sorted(str(fact) for fact in clash.facts) == [
        "away(ada,3).",
        "lesson(art).",
        "lesson(math).",
        "lesson(physics).",
        "teaches(ada,art).",
        "teaches(ada,math).",
        "teaches(ada,physics).",
    ]
    assert found.instances is not None
    assert ("L", "art") in found.instances.rules[0].bindings
    assert found.removals is not None
    assert found.removals.complete
    assert {len(one) for one in found.removals.sets} == {1}
    assert {str(one) for (one,) in found.removals.sets} == {str(one) for one in clash.premises}
    assert found.variants is not None
    assert [(one.changes, str(one.verdict)) for one in found.variants] == [
        (("-c slots=4",), "ambiguous"),
        (("without away {T}",), "ambiguous"),
        (("-c slots=9",), "ambiguous"),
    ]
    data = found.to_json()
    assert data["clashes"][0]["rules"][1]["line"] == 4
    assert data["verdict"] == "impossible"


def test_what_is_open(files: tuple[str, str]) -> None:
    found = bridge.diagnose(bridge.program(*files, slots=4))
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.open is not None
    assert found.open["at(math)"] == (1, 2, 4)
    assert found.open["at(music)"] == (1, 2, 3, 4)
    assert found.ambiguity is not None
    assert (found.ambiguity.number, found.ambiguity.complete) == (24, True)
    assert found.ambiguity.counts["at(math)"] == {1: 8, 2: 8, 4: 8}
    assert found.additions is not None
    assert found.additions.size == 3


@pytest.mark.parametrize("text", ["{ a; b }.", "{ c(N, C) : C = (x; y) } = 1 :- n(N). n(1..2). :- c(1, C), c(2, C)."])
def test_an_addition_leaves_one_answer_set(text: str) -> None:
    found = here(text)
    assert found.additions is not None
    for one in found.additions.sets:
        facts = "".join(f":- {'' if str(fact).startswith('not ') else 'not '}{fact.atom}." for fact in one)
        control = clingo.Control(["0", "--warn=none"])
        control.add("base", [], text + facts)
        control.ground()
        with control.solve(yield_=True) as models:
            assert sum(1 for _ in models) == 1


def test_a_choice_of_several_arguments_is_one_variable() -> None:
    text = """course(ai; db). day(1..2). hour(9..10).
    { at(D, C, H) : day(D), hour(H) } = 1 :- course(C).
    :- at(D, ai, H), (D, H) != (2, 10).
    :- at(D, ai, H), at(D, db, H)."""
    found = here(f"{text}\n#show at/3.")
    assert found.open == {"at(db)": ((1, 9), (1, 10), (2, 9))}
    assert found.backbone == {"at(ai)": (2, 10)}
    assert found.ambiguity is not None
    assert found.ambiguity.counts == {"at(db)": {(1, 9): 1, (1, 10): 1, (2, 9): 1}}
    assert "  at(db): (1,9) (1), (1,10) (1), (2,9) (1)\n" in str(found)
    assert "the same in all answer sets: at(ai) = (2,10)\n" in str(found)
    assert found.to_json()["open"] == {"at(db)": ["(1,9)", "(1,10)", "(2,9)"]}
    steps = [str(step.fact) for step in bridge.explain(AspProblem(f"{text} :- at(D, db, H), (D, H) != (1, 9).\n"))]
    assert steps == ["at(2,ai,10)", "at(1,db,9)"]


def test_groups_and_backbone() -> None:
    colours = "{ c(N, C) : C = (x; y) } = 1 :- n(N). n(1..2). :- c(1, C), c(2, C)."
    found = here(f"{colours} d. {{ e }}. :- not e. #show c/2. #show e/0.")
    assert found.backbone == {"e": True}
    assert found.ambiguity is not None
    assert found.ambiguity.groups is not None
    (group,) = found.ambiguity.groups
    assert group.cells == ("c(1)", "c(2)")
    assert group.ways == (("x", "y"), ("y", "x"))


def test_one_answer_set() -> None:
    found = here("{ a }. :- not a.")
    assert found.verdict is Verdict.UNIQUE
    assert str(found.solutions[0]) == "a"
    assert found.clashes == ()
    assert bridge.check(AspProblem("{ a }. :- not a.\n")).verdict is Verdict.UNIQUE


def test_the_verdict_alone() -> None:
    problem = AspProblem("{ a; b }.\n")
    found = bridge.check(problem, residual="none")
    assert (found.verdict, len(found.solutions), found.possible) == (Verdict.AMBIGUOUS, 2, None)
    assert bridge.check(problem).possible is not None
    for wanted in ({"propagation": "mac"}, {"residual": "propagated"}):
        with pytest.raises(UnsupportedError, match="no residual of propagation"):
            bridge.check(problem, **wanted)
    with pytest.raises(InputError, match="'all' is not a residual; it is one of both, exact"):
        bridge.check(problem, residual="all")  # type: ignore[call-overload]


@pytest.mark.slow
def test_a_limit_says_so_and_keeps_what_there_is() -> None:
    queens = Path(__file__).parents[3] / "examples" / "programs" / "queens.lp"
    found = bridge.diagnose(bridge.program(queens, n=60), limits=Limits(seconds=0.3))
    assert found.limit == "seconds"
    assert found.clashes in (None, ())


def test_a_contradiction_of_definitions_alone() -> None:
    found = here("{ p }.\nbad :- p, not bad.\nworse :- not p, not worse.")
    assert found.clashes is not None
    assert [one.place.line for one in found.clashes[0].premises] == [2, 3]


def test_an_odd_loop_elsewhere_is_part_of_the_clash() -> None:
    found = here("q(1) :- not r(1). r(1) :- not q(1).\nfail :- q(1), not fail.\n:- r(1).")
    assert found.clashes is not None
    assert {2, 3} <= {one.place.line for one in found.clashes[0].premises}


def test_a_head_that_derives_nothing_is_a_constraint() -> None:
    found = here("{ a }.\nnot a :- b.\nnot not a.\nb.")
    assert found.clashes is not None
    assert [(one.place.line, one.kind) for one in found.clashes[0].premises] == [
        (2, "constraint"),
        (3, "constraint"),
        (4, "fact"),
    ]


def test_statements_of_one_name_are_one_rule() -> None:
    found = here("{ a; b }.\n\n%! both: a and b.\n:- not a.\n:- not b.\n\n:- a, b.")
    assert found.clashes is not None
    first, second = found.clashes[0].rules
    assert str(first) == "both"
    assert [one.place.line for one in first.statements] == [4, 5]
    assert second.place.line == 7


def test_what_is_always_is_never_in_question() -> None:
    found = here("%! always: it is so.\n:- not a.\n\n{ a }.\n:- a.")
    assert found.clashes is not None
    assert [one.place.line for one in found.clashes[0].premises] == [5]


def test_a_name_that_does_not_fit_is_no_error() -> None:
    found = here("%! of {X}: nothing binds it.\n:- not a.\n\n{ a }.\n:- a.")
    assert found.clashes is not None
    assert [one.place.line for one in found.clashes[0].premises] == [2, 5]


@pytest.mark.slow
def test_an_aggregate_that_assigns_keeps_its_facts() -> None:
    """With switches for the facts, gringo would have to try every sum."""
    facts = "".join(f"weight({number},{2**number}). " for number in range(1, 24))
    text = f"{facts}\ntotal(T) :- T = #sum {{ W, X : weight(X, W) }}.\n:- total(T), T > 100."
    found = given_time(lambda seconds: here(text, limits=Limits(seconds=seconds)), lambda found: found.clashes)
    assert 3 in [one.place.line for one in found.clashes[0].premises]


def test_wrong_input() -> None:
    with pytest.raises(InputError, match="no rule 'nowhere' to leave out"):
        here(":- not a. a :- b.", variants=["nowhere"])
    with pytest.raises(ProgramError, match="syntax error"):
        here("a :- b,.")
    with pytest.raises(UnsupportedError, match="asp does"):
        bridge.diagnose(AspProblem("a.\n"), engine="mac")


# Against the definition

ATOMS = "abcd"
literals = st.builds(lambda negated, atom: f"{'not ' * negated}{atom}", st.booleans(), st.sampled_from(ATOMS))
bodies = st.lists(literals, min_size=1, max_size=3, unique=True).map(", ".join)
statements = st.one_of(
    st.sampled_from(ATOMS).map(lambda atom: f"{atom}."),
    st.builds(lambda head, body: f"{head} :- {body}.", st.sampled_from(ATOMS), bodies),
    bodies.map(lambda body: f":- {body}."),
    st.builds(lambda one, two, body: f"{one} | {two} :- {body}.", st.sampled_from("ab"), st.sampled_from("cd"), bodies),
)


def consistent(lines: list[str]) -> bool:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground()
    return bool(control.solve().satisfiable)


@pytest.mark.slow
@given(st.lists(statements, min_size=2, max_size=7, unique=True), st.sets(st.sampled_from(ATOMS), max_size=2))
@settings(max_examples=30, deadline=None)
def test_a_clash_is_a_minimal_strong_inconsistency(rules: list[str], chosen: set[str]) -> None:
    """No program that has all its statements, and any others, has an answer set; without one of them, some has."""
    choices = [f"{{ {atom} }}." for atom in sorted(chosen)]
    found = here("\n".join([*rules, *choices]), effort=None, repairs=50)
    assert (found.verdict is Verdict.IMPOSSIBLE) == (not consistent([*rules, *choices]))
    if found.verdict is not Verdict.IMPOSSIBLE:
        return
    programs = [set(some) for number in range(len(rules) + 1) for some in combinations(range(len(rules)), number)]
    good = [some for some in programs if consistent([*choices, *(rules[number] for number in some)])]

    def possible(kept: set[int]) -> bool:
        return any(kept <= some for some in good)

    assert found.clashes is not None
    (clash,) = found.clashes
    lines = {(one.place.line or 0) - 1 for one in clash.premises}
    assert clash.minimal
    assert not possible(lines)
    assert all(possible(lines - {one}) for one in lines)
    if clash.smallest:
        fewer = (set(some) for some in combinations(range(len(rules)), len(lines) - 1))
        assert all(map(possible, fewer))
    assert found.removals is not None
    if found.removals.complete and found.removals.sets:
        away = {frozenset((one.place.line or 0) - 1 for one in some) for some in found.removals.sets}
        best = min(len(rules) - len(some) for some in good)
        assert found.removals.size == best
        everything = set(range(len(rules)))
        assert away == {frozenset(everything - some) for some in good if len(rules) - len(some) == best}


def test_classical_negation_clashes_by_itself() -> None:
    found = here("a. -a.\n:- b.")
    assert found.clashes is not None
    assert sorted(map(str, found.clashes[0].premises)) == ["-a.", "a."]
    assert found.removals is not None
    assert found.removals.size == 1
    assert len(found.removals.sets) == 2


def test_implied_that_is_not_implied() -> None:
    found = here("%! implied\n:- a.\n\na.")
    assert found.verdict is Verdict.IMPOSSIBLE
    assert (found.clashes, found.limit) == (None, None)
    assert "do not follow" in found.notes[-1]


def test_terms_that_are_shown() -> None:
    found = here("{ p(1..3) } = 1. #show X : p(X).")
    assert found.verdict is Verdict.AMBIGUOUS
    assert set(found.open or ()) == {"p(1)", "p(2)", "p(3)"}
    assert any("terms" in note for note in found.notes)
    assert here("{ p(1..3) } = 1. #show X : p(X). #show q/0. { q }. :- q.").open == {}


@pytest.mark.parametrize(
    ("text", "atom", "status"),
    [
        ("c :- not c; b.", "c", "no"),
        ("#external e. [true] a :- e.", "a", "every"),
        ('p("a:b;c").', 'p("a:b;c")', "every"),
        ("{ a }. b :- a.", "b", "some"),
        ("a.\na; b.", "q", "no"),  # in line 2 of a text, as the statements of the question
    ],
)
def test_why(text: str, atom: str, status: str) -> None:
    found = bridge.why(AspProblem(f"{text}\n"), atom)
    assert found.status == status
    assert found.to_json()["status"] == status
    if status != "no":
        assert found.trace is not None
        assert found.trace.steps[-1].atom == atom


@pytest.mark.parametrize(
    "text",
    [
        "{a;b}. :~ #count{1:a;2:b} < 1. [1]",
        "{ a }. :- not a. :~ a. [2@p] #const p=3.",
        "a. :~ X = #sum { 3 : a }. [X@1+1]",
    ],
)
def test_why_a_cost(text: str) -> None:
    found = bridge.why(AspProblem(f"{text}\n"), cost=True)
    assert found.cost is not None
    assert found.clash is not None


def test_what_cannot_be_asked_why() -> None:
    for wrong in ("5", "a,b", "b.c", "a."):
        with pytest.raises(InputError, match="not an atom"):
            bridge.why(AspProblem("a. b.\n"), wrong)
    with pytest.raises(InputError, match="with what is given"):
        bridge.why(AspProblem("a. { b }.\n"), "b", given=["not a"])


def test_why_of_what_nothing_can_derive_in_a_program_without_answer_sets() -> None:
    found = str(bridge.why(AspProblem("{ key }.\nin :- door.\ndoor :- in, key.\n:- not in.\n"), "in"))
    assert found.startswith("in is in no answer set: nothing can derive it\n")
    assert "this is a circle: in and door support each other" in found
    assert found.endswith("note: the program has no answer set at all; `diagnose` says why")
    with pytest.raises(InputError, match="no answer set"):
        bridge.why(AspProblem("{ key }. :- key. :- not key."), "key")


def test_count_of_a_program() -> None:
    assert bridge.count(AspProblem("{ a; b }. #show a/0.\n")).number == 2


@pytest.mark.parametrize("rule", [":- lesson(L), not plased(L).", ":- lesson(L), plased(L)."])
def test_the_warnings_of_clingo_come_first_whatever_the_verdict(rule: str) -> None:
    rules = "{ at(L, 1..2) } = 1 :- lesson(L). lesson(math).\nplaced(L) :- at(L, _), L + 1 < 3.\n"
    problem = bridge.AspProblem(f"{rules}{rule}\n")
    column = rule.index("plased") + 1
    warnings = (
        "<string>:2:24-25: info: operation undefined: (L+1)",
        f"<string>:3:{column}-{column + 9}: info: atom does not occur in any rule head: plased(L)",
    )
    found = [bridge.diagnose(problem), bridge.check(problem)]
    for one in [*found, bridge.why(problem, "lesson(math)")] if "not" not in rule else found:
        assert sorted(one.warnings) == sorted(warnings)
        lines = {line.removesuffix(" (did you mean placed/1?)") for line in str(one).splitlines()[:2]}
        lines = {line.removesuffix(": this has no value, so such an instance of the rule is left out") for line in lines}
        assert lines == set(warnings)
        assert sorted((told["line"], told["level"]) for told in one.to_json()["warnings"]) == [(2, "info"), (3, "info")]
    defined = bridge.AspProblem(f"lesson(math). {rule}\n#defined plased/1.\n")
    assert bridge.diagnose(defined).warnings == bridge.check(defined).warnings == ()


def test_why_of_a_body_that_needs_the_value_of_an_aggregate() -> None:
    text = "p(1). q(1) :- N = #count { X : p(X), X > 1 }, N > 0."
    with Program(text) as program:
        reasons = program.why("q(1)", limits=Limits(seconds=PATIENCE))
    assert "q(1) is in no answer set" in str(reasons)


def test_why_of_a_body_with_a_condition_about_a_variable_bound_later() -> None:
    with Program("d(1). q(1). p(a) :- not q(X); not q(Z) : d(Z), Z < X; d(X).") as program:
        assert "p(a) is in no answer set" in str(program.why("p(a)", limits=Limits(seconds=PATIENCE)))


def test_answers_that_differ_in_shown_terms_alone_have_no_additions() -> None:
    with Program("{ p(1..2) }. #show x(X) : p(X). #show a/0. a :- p(1).") as program:
        found = program.diagnose(limits=Limits(seconds=PATIENCE))
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.additions is not None
    assert not found.additions.sets


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "{ a; b; c }. :- not a, not b. #minimize { 2 : a; 2 : b; 1,c : c }.",
        "{ p(1..3) } = 2. #show p/1. #maximize { X@2,X : p(X) ; 1@1 : p(1) }. :- p(1), p(3).",
        "{ p(1..3) }. :~ #count { X : p(X) } < 2. [3] :~ p(X), X > 1. [X@2, X] #show q(X) : p(X).",
        "{ p(1..3) } = 1.",
        "{ -a; b }. :~ not b. [1] a :- b, not -a.",
    ],
)
def test_among_the_answer_sets_of_least_cost(text: str) -> None:
    problem = AspProblem(text)
    with Program(text) as program:
        best = program.optimal().solutions
        every = program.count().number
    least = AspProblem(text, optimal=True)
    found = [bridge.diagnose(least), bridge.check(least)]
    assert bridge.count(least).number == len({str(model) for model in best})
    assert {str(model) for model in bridge.solutions(least)} == {str(model) for model in best}
    assert bridge.residual(least).open == (found[1].open or {})
    for one in found:
        assert one.verdict is (Verdict.UNIQUE if len(best) == 1 else Verdict.AMBIGUOUS)
        assert {str(model) for model in one.solutions} <= {str(model) for model in best}
        assert one.cost == (best[0].cost or None)
        assert one.to_json()["cost"] == (list(best[0].cost) or None)
    if found[0].ambiguity is not None:
        assert found[0].ambiguity.number == len({str(model) for model in best})
    costs = any(word in text for word in ("#minimize", "#maximize", ":~"))
    assert ("optimal answer set" in str(found[0])) == costs
    plain = bridge.diagnose(problem)
    assert plain.ambiguity is not None
    assert plain.ambiguity.number == every
    assert any("--optimal" in note for note in plain.notes) == costs


def test_answer_sets_of_least_cost_are_not_asked_for_where_there_are_none() -> None:
    impossible = AspProblem("{ a; b }. :- a. :- not a. #minimize { 1 : b }.", optimal=True)
    found = bridge.diagnose(impossible)
    assert (found.verdict, found.cost) == (Verdict.IMPOSSIBLE, None)
    assert len(found.clashes or ()) == 1
    assert bridge.check(impossible).verdict is Verdict.IMPOSSIBLE
    assert bridge.check(impossible, residual="none").verdict is Verdict.IMPOSSIBLE
    best = AspProblem("{ a; b }. #minimize { 1 : a ; 1 : b }.", optimal=True)
    assert bridge.check(best, residual="none").verdict is Verdict.UNIQUE
    with pytest.raises(UnsupportedError, match="incremental"):
        bridge.diagnose(AspProblem("{ a }. #minimize { 1 : a }.", steps=1, optimal=True))
    with pytest.raises(UnsupportedError, match="only clingo programs have"):
        bridge.diagnose(bridge.PrologProblem(["p(1).\n"], "p(X)"), instances=True)  # type: ignore[call-overload]


#: A planner whose law of inertia for q/1 is wrong, and its goal.
PLANNER = "{ do(a, T); do(b, T) } = 1 :- T = 1..2. q(T) :- do(a, T). q(T) :- q(T), T = 1..2."
GOAL = ":- not q(2). :- do(a, 2)."


def test_what_to_ask_where_a_clash_has_no_rule_for_what_is_absent() -> None:
    found = bridge.diagnose(AspProblem(f"{PLANNER} {GOAL}"))
    assert {rule.kind for rule in found.clashes[0].rules} <= {"constraint", "choice"}  # type: ignore[index]
    assert [note for note in found.notes if "q/1" in note and "`why`" in note]
    # Nothing is said where no rule derives what is absent, and where the clash has rules that derive something.
    for text in ("{ a; b } = 1. :- not a. :- not b.", "a :- b. b. :- a, not c. c :- d. { d }. :- d."):
        assert not [note for note in bridge.diagnose(AspProblem(text)).notes if "`why`" in note]


@pytest.mark.parametrize(
    ("goal", "atom"),
    [
        (":- not at(hall,3).", "at(hall,3)"),
        (":- meant(P), not at(P,3).", "at(hall,3)"),
        (":- { at(hall,T) : time(T) } < 1.", "at(hall,0)"),
        (":- not 1 { at(hall,T); at(yard,T) : time(T) }.", "at(hall,_)"),
        (":- #count { T : at(hall,T), time(T) } = 0.", "at(hall,0)"),
        (":- not at(hall,T) : time(T).", "at(hall,0)"),
        (":- not done. done :- at(hall,T), time(T).", "done"),
    ],
)
def test_a_goal_that_nothing_can_derive(goal: str, atom: str) -> None:
    text = "time(0..3). meant(hall). at(office,0). { go(T) : time(T) }.\nat(P,T+1) :- at(P,T), time(T), not go(T).\n"
    found = bridge.diagnose(AspProblem(f"{text}{goal}"), limits=Limits(seconds=PATIENCE))
    assert found.unsupported is not None
    assert found.unsupported.wanted == atom
    assert f"nothing can derive {atom}:\n  {atom} needs " in str(found)
    assert "(<string>:2)" in str(found)


def test_a_goal_that_something_can_derive() -> None:
    text = "time(0..3). { go(T) : time(T) }. at(hall,T+1) :- go(T). :- go(T)."
    for goal in (":- not at(hall,3).", ":- { at(hall,T) } < 1.", ":- go(T), not at(yard,T).", ":- at(office,1). at(office,1)."):
        assert bridge.diagnose(AspProblem(f"{text} {goal}")).unsupported is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{ a; b }. :- not c. c :- d.", "that leaves several answer sets"),
        ("{ a; b }. c. :- c.", "each leaves several answer sets"),
        ("a. :- a.", None),
    ],
)
def test_what_removals_leave(text: str, says: str | None) -> None:
    found = str(bridge.diagnose(AspProblem(text), limits=Limits(seconds=PATIENCE)))
    assert [line for line in found.splitlines() if "leaves several" in line] == ([says] if says else [])


def test_with_what_is_given_the_rules_lack_what_they_lack_there() -> None:
    given = ["do(a,1)", "do(b,2)"]
    found = bridge.why(AspProblem(PLANNER), "q(2)", given=given)
    assert found.status == "no"
    assert found.trace is not None
    assert [one.lacking for one in found.trace.missing] == ["do(a,2)", "q(2)"]
    assert "the rules for it, in an answer set with what is given:\n" in str(found)
    without = bridge.why(AspProblem(PLANNER), "q(3)")
    assert "q(3) needs do(a,3) (<string>:1:41) or 3 = (1..2) (<string>:1:59)" in str(without)


def test_warnings_name_the_file_where_plain_facts_were_read_apart(tmp_path: Path) -> None:
    (tmp_path / "facts.lp").write_text("e(1,2,5). e(2,3,1).\n\n")
    (tmp_path / "rules.lp").write_text("n(1). n(2).\nr(1). r(B) :- r(A), e(A, B).\n:- not r(3).\n")
    (tmp_path / "more.lp").write_text("m(1).\nq :- m(1),\n  not r(1,2).\n")
    found = bridge.diagnose(bridge.program(*(tmp_path / name for name in ("facts.lp", "rules.lp", "more.lp"))))
    assert found.verdict is Verdict.IMPOSSIBLE
    told = "info: atom does not occur in any rule head:"
    wanted = [f"{tmp_path}/rules.lp:2:21-28: {told} e(A,B)", f"{tmp_path}/more.lp:3:7-13: {told} r(1,2)"]
    assert sorted(found.warnings) == sorted(wanted)


def test_an_unsafe_rule_is_told_without_what_clingo_and_switches_make_of_it() -> None:
    with pytest.raises(ProgramError) as error:
        bridge.diagnose(AspProblem("n(1).\n{ c(N, C) } = 1 :- n(N).\n:- c(N, C), not n(M), not n(L).\n"))
    texts = [one.message for one in (error.value, *error.value.others)]
    assert [one.partition(", in `")[0] for one in texts] == [
        "`C` is unsafe: no literal of the body binds it",
        "`M` is unsafe: no literal of the body binds it",
        "`L` is unsafe: no literal of the body binds it",
    ]


def test_a_derivation_is_shown_in_an_answer_set_of_least_cost() -> None:
    found = bridge.why(AspProblem("{ a; b; c }. x :- a. #maximize { 1,b : b; 1,c : c }."), "x")
    assert found.trace is not None
    assert {*(found.trace.model or ())} == {"a", "b", "c", "x"}
    assert "the answer set is one of least cost among those with it" in found.notes


def test_without_what_is_given_a_rule_lacks_only_what_holds_nowhere() -> None:
    found = bridge.why(AspProblem("{ a; b }. :- a, b. x :- a, b. x :- a, c. #external c."), "x")
    assert found.trace is not None
    assert [one.lacking for one in found.trace.missing] == ["", ""]
    assert "its body can hold as far as gringo sees" not in str(found), "the clash says more"


def test_externals_stay_as_they_are_assigned_in_further_questions() -> None:
    with Program("#external e. { x; z }. :- not x, e. #minimize { 1 : x }. #show x/0. #show z/0.") as program:
        program.assign_external("e", True)
        best = program.diagnose(optimal=True, limits=Limits(seconds=PATIENCE))
        reasons = program.why("x", limits=Limits(seconds=PATIENCE))
    assert (best.cost, best.open) == ((1,), {"z": (False, True)})
    assert reasons.status == "every"
    assert [rule.text for rule in reasons.clash.rules] == ["#external e.", ":- not x, e."]


@pytest.mark.parametrize(
    ("text", "values", "says"),
    [
        ("#external e.\n:- e.", {"e": True}, "e is true: it is set by assign_external"),
        ("#external e. [free]\n:- not e.", {"e": False}, "e is false: it is set by assign_external"),
        ("#external e.\n:- not e.", {}, "e is false: nothing sets it"),
        ("#external e. [true]\n:- e.", {}, "e is true: its statement says so"),
        ("d(1).\n#external -e(X) : d(X).\n:- not -e(1).", {}, "-e(1) is false: nothing sets it"),
    ],
)
def test_the_value_of_an_external_is_a_premise(text: str, values: dict[str, bool], says: str) -> None:
    with Program(text) as program:
        for atom, value in values.items():
            program.assign_external(atom, value)
        found = program.diagnose(limits=Limits(seconds=PATIENCE))
    assert found.verdict is Verdict.IMPOSSIBLE
    lines = str(found).splitlines()
    (line,) = (number for number, one in enumerate(text.splitlines(), 1) if "#external" in one)
    assert f"      {says}" in lines
    assert f"  <string>:{line}:1: {text.splitlines()[line - 1]}" in lines
    assert {one.place.line for one in found.clashes[0].premises} == {line, line + 1}
    assert list(map(str, found.removals.sets[0])) == [says.partition(":")[0]]


def test_an_external_that_is_open_is_no_premise() -> None:
    with Program("#external e.\n:- e.\n:- not e.") as program:
        program.assign_external("e", None)
        found = program.diagnose(limits=Limits(seconds=PATIENCE))
    assert [one.text for one in found.clashes[0].premises] == [":- e.", ":- not e."]


def test_why_with_externals() -> None:
    with Program("#external e.\nb :- not e.\nc :- e.") as program:
        assert [str(one) for one in program.why("c").clash.premises] == ["e is false"]
        program.assign_external("e", True)
        assert [str(one) for one in program.why("b").clash.premises] == ["e is true"]
        assert "    e  (external)" in str(program.why("c")).splitlines()


def test_names_that_begin_with_an_underscore() -> None:
    assert bridge.diagnose(AspProblem("{ _a(1..3) } = 1. #show _a/1.")).verdict is Verdict.AMBIGUOUS
    assert bridge.count(AspProblem("{ _a(1..3) } = 1. #show _a/1.")).number == 3
    assert bridge.why(AspProblem("{ p' }. :- p'."), "p'").status == "no"
    compared = bridge.compare(AspProblem("{ _a(1..3) }. :- _a(1), _a(2)."), AspProblem("{ _a(1..3) }."))
    assert "_a(1) _a(2)" in str(compared)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("e(1,2,3). e(1). :- e(X, Y).", "e/1 or e/3"),
        ("placed(1). { a }. a :- plased(X).", "placed/1"),
        ("placed(1,2). { a }. a :- plased(X).", None),
        ("{ a }. :- a, unknown(X).", None),
        ("{ -p(1) }. :- p(X).", "-p/1"),
        ("is_gender(a). { a }. :- a, is_agegroup(X).", None),  # another name
        ("{ a }. r(X) :- r(X, Y). :- a, r(1).", None),  # derived from it
    ],
)
def test_what_is_perhaps_meant_by_an_atom_that_nothing_derives(text: str, meant: str | None) -> None:
    hint = f" (did you mean {meant}?)" if meant else ""
    found = bridge.diagnose(AspProblem(text))
    (warning,) = found.warnings
    assert str(found).splitlines()[0] == f"{warning}{hint}"
    assert str(bridge.why(AspProblem(text), "zzz")).splitlines()[0] == f"{warning}{hint}"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a : b; c.\na :- b.\nb :- c.", [1, 2, 3]),
        ("a.\nb :- a.\na : a :- b.", [1, 2, 3]),
        ("a : b.\n{ c }.", [1]),
        ("%! always\n:- p.\n\np.", [4]),
        (":- e; 1 { c; d }.\n%! always\n:- b.\n\nb :- not c.", [5]),
        ("#edge (1,2) : a.\n#edge (2,1) : b.\na.\nb.\nc.", [3, 4]),
    ],
)
def test_a_clash_is_never_empty_where_something_can_help(text: str, lines: list[int]) -> None:
    found = bridge.diagnose(AspProblem(text), limits=Limits(seconds=PATIENCE))
    (clash,) = found.clashes
    assert (sorted(one.place.line for one in clash.premises), clash.minimal) == (lines, True)
    assert sorted(one.place.line for (one,) in found.removals.sets) == lines


MEETING = """\
person(jane). person(john).
day(mon). day(tue).
available(jane) :- not on(mon).
available(john) :- on(tue).
meet :- available(X) : person(X).
on(X) : day(X) :- meet.
"""


@pytest.mark.parametrize(
    ("text", "atom", "says"),
    [
        (
            MEETING,
            "meet",
            """\
  meet needs available(john) (<string>:5)
  available(john) needs on(tue) (<string>:4)
  on(tue) needs meet (<string>:6)
this is a circle: meet, available(john) and on(tue) support each other, and nothing else gives them""",
        ),
        (
            "a :- b. a :- c.\nb :- a.\nc :- a, d. { d }.",
            "a",
            """\
  a needs b (<string>:1:1) or c (<string>:1:9)
  b needs a (<string>:2)
  c needs a (<string>:3:1)
this is a circle: a, b and c support each other, and nothing else gives them""",
        ),
        (
            "p(X) :- q(X,Y), p(Y).\nq(1,2).\n{ q(2,1) }.",
            "p(1)",
            """\
  p(1) needs p(2) (<string>:1)
  p(2) needs p(1) (<string>:1)
this is a circle: p(1) and p(2) support each other, and nothing else gives them""",
        ),
        (
            "a :- 2 { b; c }.\nb :- a.\n{ c }.",
            "a",
            """\
  a needs b (<string>:1)
  b needs a (<string>:2)
this is a circle: a and b support each other, and nothing else gives them""",
        ),
        ("{ a } :- a.", "a", "  a needs a (<string>:1)\nthis is a circle: a supports itself, and nothing else gives it"),
        ("a :- b.\nb :- c.", "a", "  a needs b (<string>:1)\n  b needs c (<string>:2)\nnothing gives c"),
        (
            "reach(a). reach(X) :- reach(Y), edge(Y,X).\nedge(b,c).",
            "reach(c)",
            """\
  reach(c) needs reach(b) (<string>:1:11)
  reach(b) needs edge(_,b) (<string>:1:11)
nothing gives edge(_,b)""",
        ),
        ("p :- d(X), X > 2, not q.\nd(1). q.", "p", "  p needs 1 > 2 (<string>:1)"),
        ("p :- not q.\nq.", "p", "  p needs not q, but q always holds (<string>:1)"),
        (
            "time(0..9). { go(T) : time(T) }. :- go(T), at(b,T+1).\nat(a,0).\nat(P,T+1) :- at(P,T), not go(T), time(T+1).",
            "at(b,9)",
            """\
  at(b,9) needs at(b,8), which needs at(b,7), and so on (<string>:3)
<string>:3 only passes it on: nothing gives a first one""",
        ),
    ],
)
def test_why_says_what_an_atom_would_need_that_nothing_derives(text: str, atom: str, says: str) -> None:
    found = bridge.why(AspProblem(text), atom, limits=Limits(seconds=PATIENCE))
    assert f"{atom} is in no answer set: nothing can derive it\n{says}" in str(found)


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("a :- b.\na :- c.\nb :- a.\nc :- d.\n{ d }.\n:- a.", "a"),
        ("#external e.\na :- e.\na :- a.", "a"),
        ("{ a } :- not b. :- a.", "a"),
    ],
)
def test_an_atom_that_a_rule_can_derive_does_not_lack_support(text: str, atom: str) -> None:
    found = bridge.why(AspProblem(text), atom, limits=Limits(seconds=PATIENCE))
    assert (found.status, found.underivable) == ("no", False)
    assert "these forbid it" in str(found)


def test_what_forbids_an_atom_with_circular_support() -> None:
    found = bridge.why(AspProblem(MEETING), "meet", limits=Limits(seconds=PATIENCE))
    assert [str(one) for one in found.clash.premises] == ["person(john)."], "with it, meet needs itself"
    assert found.heading == "without this, there are answer sets with it"


def test_a_search_that_an_option_ends_is_no_verdict() -> None:
    pigeons = "{ in(P, 1..7) } = 1 :- P = 1..8. :- in(P, H), in(P', H), P < P'."
    found = bridge.diagnose(AspProblem(pigeons, options=["--solve-limit=1"]), limits=Limits(seconds=PATIENCE))
    assert (found.verdict, found.limit) == (Verdict.UNKNOWN, "nodes")
    assert "the option --solve-limit ended the search" in found.notes


def test_a_disjunction_that_depends_on_what_others_can_derive() -> None:
    """gringo leaves out of a head what has a condition that nothing derives: without line 3 there is no answer either."""
    lines = ["b :- d; not d : c.", "c : b; d :- b; d : b.", "{ c; d } = 1 :- not not b.", "c : b."]
    found = bridge.diagnose(AspProblem("\n".join(lines)))
    assert found.clashes is not None
    assert found.removals is not None
    assert not found.clashes[0].minimal
    assert [[one.place.line for one in away] for away in found.removals.sets] == [[4]]
    assert not found.removals.complete


def test_removals_are_not_complete_where_a_disjunction_depends_on_what_others_can_derive() -> None:
    """Without line 3 there is an answer, too: nothing derives b then."""
    lines = ["d : b; a.", "b : c; a :- not d; d : c.", "{ c; a } = 1.", "c.", "{ a; c } = 1 :- 1 { a; c }; d.", "d."]
    found = bridge.diagnose(AspProblem("\n".join([*lines, ":- -a."])))
    assert found.removals is not None
    assert not found.removals.complete


def test_a_disjunction_without_conditions_does_not_depend_on_what_others_can_derive() -> None:
    found = bridge.why(AspProblem("a.\nq(1) ; c :- #count { X : q(X) } >= 1."), "a")
    assert found.clash is not None
    assert found.clash.minimal


def test_a_constant_and_a_string_of_the_same_text_are_two_values() -> None:
    found = bridge.diagnose(AspProblem('{ p("a"); p(a) }.'))
    assert found.ambiguity is not None
    assert found.ambiguity.number == 4
    assert found.residual is not None
    assert sorted(found.residual.open) == ['p("a")', "p(a)"]


def test_edges_are_not_in_question_and_that_is_said() -> None:
    text = "{ e(1,2); e(2,1) }.\n#edge (X,Y) : e(X,Y).\n"
    note = "that the edges of #edge have no circle (<string>:2:1) is not in question, and may be a part of the clash"
    assert note in bridge.diagnose(AspProblem(f"{text}:- not e(1,2). :- not e(2,1).")).notes
    assert note in bridge.why(AspProblem(f"{text}e(1,2)."), "e(2,1)").notes
    assert not bridge.diagnose(AspProblem("a. :- a.")).notes


#: Statements of which clingo says something, after facts that it does not parse with them.
REMARKED = [
    "m(M) :- M = #max { S + D : c(S, D) }. #minimize { M : m(M) }.",
    "m(M) :- M = #sum { X : c(X, _) }. c(a, 1).",
    "m(N) :- N = #count { c(X, Y) }.",
    "m(X + 1) :- c(X, _). c(a, 1).",
    "m :- c(1, 2), not lacking(3).",
    "m(X) :- c(X, _), Y < 3.",
    ":- #sum { X, Y : c(X, Y) } > 3, c(_, Y).",
    "m(X) :- n(X). m(X) :- X = f(1) / 2, c(1, 2).",
]


def places(lines: Iterable[str]) -> set[str]:
    """The file and line of each message and each note."""
    return {found[0] for line in lines for found in re.finditer(r"[\w./-]+:\d+(?=:\d+)", line)}


@pytest.mark.parametrize("statement", REMARKED)
@pytest.mark.parametrize("beside", ["", "q(1).\n\n\nr(X) :- q(X).", "q(7,\n7).\n{ c(X, 1, 1) : q(X, _) }. r(S) :- q(S, _)."])
def test_what_clingo_says_has_the_file_that_it_is_about(tmp_path: Path, statement: str, beside: str) -> None:
    files = [tmp_path / name for name in ("one.lp", "two.lp")[: 2 if beside else 1]]
    files[0].write_text(f"d(1). d(2).\n\n{statement}\n")
    for file in files[1:]:
        file.write_text(beside)
    said: list[str] = []
    control = clingo.Control(logger=lambda _, text: said.append(text))
    with suppress(RuntimeError):
        for file in files:
            control.load(str(file))
        control.ground()
    assert said or statement.startswith(":- #sum")
    try:
        found = [*bridge.diagnose(bridge.program(*files)).warnings]
    except ProgramError as error:
        found = [f"{error.where}: {error}", *(f"{one.where}: {one}" for one in error.others)]
    assert places(found) == places(said), (found, said)
