"""Random pure Prolog programs through `prolog.Session`, compared with what a real toplevel prints.

The answers of tabled predicates have no order, nor has a residual program: those of tabling are compared as sets.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from bridge.errors import BridgeError, ProgramError
from bridge.limits import Limits
from bridge.prolog import Session
from fuzz.campaign import Campaign, Case, Failure, Skipped, Tally
from fuzz.toplevel import Reply, Stuck, Toplevel, bare

#: Answers compared of each goal; where they have no order, of goals that have no more than so many.
MOST, MOST_OF_SETS = 12, 200

#: Where a session died, so many processes with janus alone are asked.
ALONE = 12

_ALONE = """
import sys
from bridge.prolog.locate import import_janus
janus = import_janus()
janus.consult(sys.argv[1])
janus.query_once("alone_")
"""

KINDS = {"pure": 4, "terms": 2, "clpfd": 4, "tabling": 3, "chr": 2, "coroutines": 3, "grammars": 3}


class PrologPrograms(Campaign):
    """Lists, arithmetic, clpfd, tabling with negation, CHR, dif and freeze, grammars."""

    name = "prolog"
    weight = 2.0
    round = 3

    def __init__(self) -> None:
        self._toplevel: Toplevel | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-")

    def make(self, chance: Random) -> Case:
        (kind,) = chance.choices([*KINDS], [*KINDS.values()])
        program, goals = _MAKERS[kind](chance)
        isolated = kind in ("tabling", "chr") or chance.random() < 0.6
        return {"kind": kind, "program": program, "goals": goals, "isolated": isolated}

    def check(self, case: Case, tally: Tally) -> None:
        text = "\n".join(case["program"]) + "\n"
        kind, isolated = case["kind"], case["isolated"]
        goals = [", ".join(goal) for goal in case["goals"]]
        most = MOST_OF_SETS if kind == "tabling" else MOST
        replies = self._asked(text, goals, most, fresh=False)
        tally[kind] += 1
        tally["goals"] += len(goals)
        tally["answers"] += sum(len(reply.answers) for reply in replies)
        with Session(text, isolated=isolated, output="nowhere") as session:
            for number, goal in enumerate(goals):
                if kind == "tabling" and replies[number].end == "stopped":
                    raise Skipped
                found = _found(session, goal, most)
                if _same(kind, replies[number], found, most):
                    continue
                if found.end == "crash" and self._janus_dies(text, goal):
                    tally["SWI-Prolog dies in janus alone"] += 1
                    continue
                # What earlier programs have left behind may be the reason: a fresh toplevel decides.
                reply = self._asked(text, goals[: number + 1], most, fresh=True)[number]
                if not _same(kind, reply, found, most):
                    raise Failure(kind, f"?- {goal}. swipl: {_shown(reply)} -- lpbridge: {_shown(found)}")

    def smaller(self, case: Case) -> Iterator[Case]:
        goals = case["goals"]
        if len(goals) > 1:
            yield from ({**case, "goals": [goal]} for goal in goals)
            yield from ({**case, "goals": goals[:i] + goals[i + 1 :]} for i in range(len(goals)))
        elif goals and len(goals[0]) > 1:
            yield from ({**case, "goals": [goals[0][:i] + goals[0][i + 1 :]]} for i in range(len(goals[0])))
        program = case["program"]
        yield from ({**case, "program": program[:i] + program[i + 1 :]} for i in range(len(program)))
        if not case["isolated"]:
            yield {**case, "isolated": True}

    def close(self) -> None:
        if self._toplevel is not None:
            self._toplevel.close()
        self._folder.cleanup()

    def _asked(self, text: str, goals: list[str], most: int, *, fresh: bool) -> list[Reply]:
        """What the toplevel prints for some goals, with a program loaded."""
        if fresh and self._toplevel is not None:
            self._toplevel.close()
            self._toplevel = None
        if self._toplevel is None:
            self._toplevel = Toplevel()
        path = Path(self._folder.name) / "program.pl"
        path.write_text(text, encoding="utf-8")
        try:
            # Each in a toplevel of its own would cost a start; what a program defines goes with its file.
            self._toplevel.ask(f"load_files(user:'{path}', [silent(true)])", 1)
            replies = [self._toplevel.ask(goal, most) for goal in goals]
            self._toplevel.ask(f"abolish_all_tables, unload_file('{path}')", 1)
        except Stuck:
            self._toplevel = None
            raise Skipped from None
        return replies

    def _janus_dies(self, text: str, goal: str) -> bool:
        """Whether SWI-Prolog dies of a goal without lpbridge, too: in a process with janus alone, in some of so many.

        Tabling of SWI-Prolog 9.2.9 has such a fault (`unify_key`, pl-trie.c); it depends on where terms are in memory.
        """
        path = Path(self._folder.name) / "alone.pl"
        path.write_text(f"{text}\nalone_ :- findall(t, ({goal}), _).\n", encoding="utf-8")
        words = [sys.executable, "-c", _ALONE, str(path)]
        return any(subprocess.run(words, capture_output=True).returncode < 0 for _ in range(ALONE))


def _found(session: Session, goal: str, most: int) -> Reply:
    """What lpbridge says, in the form of a reply."""
    answers: list[str] = []
    try:
        with session.query(goal, limits=Limits(solutions=most)) as stream:
            for answer in stream:  # one by one: those before an error are kept
                answers.append(bare(str(answer)))  # noqa: PERF401
            end = "no" if stream.complete else "stopped"
            if stream.limit not in (None, "solutions"):
                end = str(stream.limit)
    except ProgramError:
        end = "error"
    except BridgeError as error:
        end = f"{type(error).__name__}: {error}"
    return Reply(tuple(answers), end)


def _same(kind: str, expected: Reply, found: Reply, most: int) -> bool:
    ends = "error" if expected.end == "error" else "stopped" if expected.end == "stopped" else "no"
    # A search that stops at the limit may or may not know that there are no more.
    stopped = len(found.answers) == most and {ends, found.end} == {"no", "stopped"}
    if ends != found.end and not stopped:
        return False
    one, other = map(_normal, expected.answers), map(_normal, found.answers)
    if kind == "tabling":
        return Counter("\n".join(sorted(text.split("\n"))) for text in one) == Counter(
            "\n".join(sorted(text.split("\n"))) for text in other
        )
    return list(one) == list(other)


def _normal(text: str) -> str:
    """Without blanks around lines, with made-up variables named by their order, and the module of programs here."""
    names: dict[str, str] = {}
    text = re.sub(r"\blpbridge_session_\d+:", "user:", text)
    text = re.sub(r"\b_(?:[A-Z]|G?\d+|S)\d*\b", lambda found: names.setdefault(found[0], f"_V{len(names)}"), text)
    return "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


def _shown(reply: Reply) -> str:
    return f"{' ;; '.join(' '.join(text.split()) for text in reply.answers[:6])} [{reply.end}]"


# Programs and goals. A goal is a list of conjuncts.

Made = tuple[list[str], list[list[str]]]


def _constant(chance: Random) -> str:
    return chance.choice(["a", "b", "c", "1", "2", "0", "[]", "f(a)", "[1,2]", "'A b'", "-1"])


def _term(chance: Random, depth: int = 2) -> str:
    if depth == 0 or chance.random() < 0.4:
        return chance.choice(
            ["X", "Y", "Z", "_", "a", "b", "1", "2.5", '"st r"', "'Q'", "[]", "-3", "{}", "'\\n'", "é"]
        )
    kind = chance.randrange(7)
    inner = [_term(chance, depth - 1) for _ in range(chance.randint(1, 3))]
    if kind == 0:
        return f"[{','.join(inner)}]"
    if kind == 1:
        return f"[{','.join(inner)}|{_term(chance, depth - 1)}]"
    if kind == 2:
        return f"({inner[0]} {chance.choice(['+', '-', '*', '=', ':-', ',', '->', 'is', '^', ':'])} {inner[-1]})"
    if kind == 3:
        return f"{{{inner[0]}}}"
    if kind == 4:
        name = chance.choice(["-", "+", "\\+", "@", "dynamic"])
        return f"{name}({inner[0]})"
    return f"{chance.choice(['f', 'g', 'point'])}({','.join(inner)})"


def _variable(chance: Random) -> str:
    return chance.choice("XXYYZ")


def _argument(chance: Random) -> str:
    return _variable(chance) if chance.random() < 0.65 else _constant(chance)


def _call(chance: Random, predicates: list[tuple[str, int]]) -> str:
    """A goal that terminates whatever its variables hold."""
    kind = chance.randrange(14)
    if kind < 5 and predicates:
        name, arity = chance.choice(predicates)
        return f"{name}({','.join(_argument(chance) for _ in range(arity))})"
    x, y = _variable(chance), _variable(chance)
    simple = [
        f"member({x}, [a, {y}, 1])", f"append({x}, {y}, [1, 2])", f"{x} = f({y}, 1)", f"{x} \\= {_argument(chance)}",
        f"between(1, 3, {x})", f"{x} == {y}", f"atom({x})", f"length({x}, 2)", f"nth0({x}, [a, b, c], {y})",
        f"select({x}, [1, 2, 3], {y})",
        f"{x} is {chance.randint(0, 5)} {chance.choice(['+', '*', '-', '//', 'mod'])} 2",
        f"{x} is {y} + 1", f"msort([b, {x}, a], {y})", f"{x} =.. [f, {y}]", f"copy_term({x}-{y}, Z)", "true", "fail",
        f"atom_length({x}, {y})", f"reverse([1, {x}], {y})", f"{x} @< f({y})", f"sum_list([1, 2], {x})",
        f"sort(0, @>=, [1, 3, 2], {x})", f"last([a, {x}], {y})", f"permutation([1, 2, 3], {x})",
        f"{x} = {_term(chance)}",
    ]  # fmt: skip
    if kind < 11 or not predicates:
        return chance.choice(simple)
    inner = _call(chance, predicates)
    return chance.choice(
        [f"\\+ {inner}", f"findall({x}, {inner}, {y})", f"once({inner})", f"({inner} ; {chance.choice(simple)})",
         f"({inner} -> {chance.choice(simple)} ; {chance.choice(simple)})", f"forall({inner}, {chance.choice(simple)})",
         f"catch({inner}, error(_, _), {x} = caught)", f"aggregate_all(count, {inner}, {x})"]
    )  # fmt: skip


def _pure(chance: Random) -> Made:
    predicates: list[tuple[str, int]] = []
    program = []
    for level in range(chance.randint(1, 4)):
        name, arity = f"p{level}", chance.randint(1, 2)
        for _ in range(chance.randint(1, 3)):
            head = f"{name}({','.join(_argument(chance) for _ in range(arity))})"
            body = [_call(chance, predicates) for _ in range(chance.randint(0, 2))]
            program.append(f"{head} :- {', '.join(body)}." if body else f"{head}.")
        predicates.append((name, arity))
    program += ["path(X, Y) :- edge(X, Y).", "path(X, Z) :- edge(X, Y), path(Y, Z)."]
    program += [f"edge({one}, {chance.randint(one + 1, 5)})." for one in (chance.randint(1, 4) for _ in range(4))]
    predicates.append(("path", 2))
    return program, [[_call(chance, predicates) for _ in range(chance.randint(1, 3))] for _ in range(8)]


def _terms(chance: Random) -> Made:
    goals = []
    for _ in range(10):
        goal = [f"{chance.choice('TUXY')} = {_term(chance, 3)}" for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.3:
            goal.append(chance.choice([
                "X = 1r3", "X is 2 ** 100", "X is 10 / 4", "X is 1.0e10", "X is inf", "X = 0'a", "X = `ab`",
                'string_concat("a", "b c", X)', "X = _{a: 1}", "X = point{x: 1, y: Y}", "atom_codes(X, [0'a, 32])",
                "X = '\\t'", "X = \"q\\\"q\"", "X = f(X)", "X = [Y|X]", "atom_chars(hello, X)", "X = 'hello'(1)",
                "X = - 1", "X = -(1)", "X = 1 - -1", "X = a:b:c", "X = (a :- b, c)", "X = [a|b]", "X = \"\"", "X = ''",
            ]))  # fmt: skip
        goals.append(goal)
    return [], goals


def _clpfd(chance: Random) -> Made:
    def expression(depth: int = 1) -> str:
        if depth == 0 or chance.random() < 0.4:
            return chance.choice(["X", "Y", "Z", "X", "Y", str(chance.randint(-2, 5))])
        kind = chance.choice(["+", "+", "-", "*", "//", "mod", "max", "abs"])
        if kind == "abs":
            return f"abs({expression(depth - 1)})"
        if kind == "max":
            return f"{chance.choice(['max', 'min'])}({expression(depth - 1)}, {expression(depth - 1)})"
        return f"({expression(depth - 1)} {kind} {expression(depth - 1)})"

    def relation() -> str:
        sign = chance.choice(["#=", "#=", "#\\=", "#<", "#=<", "#>", "#>="])
        return f"{expression(2)} {sign} {expression()}"

    goals = []
    for _ in range(10):
        goal = []
        if chance.random() < 0.85:
            goal.append(f"[X, Y, Z] ins {chance.randint(-2, 1)}..{chance.randint(1, 5)}")
        for _ in range(chance.randint(1, 3)):
            goal.append(chance.choice([  # noqa: PERF401
                relation(), relation(), relation(), "all_different([X, Y, Z])", "all_distinct([X, Y, Z])",
                f"sum([X, Y, Z], {chance.choice(['#=', '#=<', '#>'])}, {chance.randint(0, 8)})",
                "tuples_in([[X, Y]], [[0, 1], [1, 2], [2, 0]])", f"({relation()}) #<==> B", "element(X, [2, 4, 1], Y)",
                f"X in {chance.randint(0, 2)}..3 \\/ 5..{chance.randint(6, 9)}", f"({relation()}) #\\/ ({relation()})",
                f"scalar_product([1, 2, -1], [X, Y, Z], #=, {chance.randint(0, 4)})", "lex_chain([[X, Y], [Y, Z]])",
                "X = Y", "fd_dom(X, D)", "Z = 1",
            ]))  # fmt: skip
        if goal[0].startswith("[X") and chance.random() < 0.4:
            goal.append(chance.choice(["label([X, Y, Z])", "labeling([ff], [X, Y])", "labeling([max(X)], [X, Y, Z])"]))
        goals.append(goal)
    return [":- use_module(library(clpfd))."], goals


def _tabling(chance: Random) -> Made:
    program = [":- table p/0, q/0, r/0, s/0, t/0, win/1, reach/2."]
    names = ["p", "q", "r", "s", "t"]
    for name in names:
        for _ in range(chance.choice([0, 1, 1, 1, 2])):
            literals = [chance.choice(["tnot({})", "tnot({})", "{}"]) for _ in range(chance.randint(0, 2))]
            body = [literal.format(chance.choice(names)) for literal in literals]
            program.append(f"{name} :- {', '.join(body)}." if body else f"{name}.")
        program.append(f"{name} :- fail.")
    program += ["win(X) :- move(X, Y), tnot(win(Y)).", "move(z, z1)."]
    places = "abcde"
    program += [f"move({chance.choice(places)}, {chance.choice(places)})." for _ in range(chance.randint(1, 6))]
    program += ["reach(X, Y) :- move(X, Y).", "reach(X, Y) :- reach(X, Z), move(Z, Y)."]
    goals = [[name] for name in names] + [["win(X)"], [f"win({chance.choice(places)})"], ["reach(a, X)"]]
    goals += [
        [chance.choice(["win(X)", "p", "q"]), chance.choice(["reach(X, Y)", "r", "s", "win(Y)"])] for _ in range(2)
    ]
    return program, goals


def _chr(chance: Random) -> Made:
    program = [
        ":- use_module(library(chr)).",
        ":- chr_constraint gcd(+int), leq(?any, ?any), a(?any), b(?any), c(?any).",
    ]
    program += [
        "gcd(0) <=> true.", "gcd(N) \\ gcd(M) <=> N =< M | L is M - N, gcd(L).", "leq(X, X) <=> true.",
        "leq(X, Y), leq(Y, X) <=> X = Y.", "leq(X, Y) \\ leq(X, Y) <=> true.", "leq(X, Y), leq(Y, Z) ==> leq(X, Z).",
    ]  # fmt: skip
    rules = [
        "a(X), b(X) <=> c(X).", "a(X) ==> b(X).", "a(X) \\ a(X) <=> true.", "b(X) \\ b(X) <=> true.", "b(1) <=> fail.",
        "c(X) \\ c(Y) <=> X = Y.", "a(X) \\ b(Y) <=> X == Y | true.", "b(X) ==> var(X) | c(X).",
        "c(X) <=> nonvar(X) | true.",
    ]  # fmt: skip
    program += chance.sample(rules, chance.randint(1, 5))
    goals = []
    for _ in range(8):
        goal = []
        for _ in range(chance.randint(1, 4)):
            x, y = chance.choice("XYZ"), chance.choice("XYZ1")
            goal.append(chance.choice([
                f"leq({x}, {y})", f"leq({x}, {y})", f"a({y})", f"b({x})", f"c({y})", f"gcd({chance.randint(0, 12)})",
                f"{x} = {y}", f"member({x}, [1, 2])", f"a({chance.choice('12')})",
            ]))  # fmt: skip
        goals.append(goal)
    return program, goals


def _coroutines(chance: Random) -> Made:
    goals = []
    for _ in range(10):
        goal = []
        for _ in range(chance.randint(1, 4)):
            x, y = chance.choice("XYZ"), chance.choice("XYZ")
            goal.append(chance.choice([
                f"dif({x}, {y})", f"dif({x}, {_constant(chance)})", f"dif(f({x}, {y}), f({_constant(chance)}, Z))",
                f"freeze({x}, {y} = {_constant(chance)})", f"freeze({x}, member({y}, [1, 2]))",
                f"{x} = {_constant(chance)}",
                f"when(ground({x}+{y}), Z = {_constant(chance)})", f"when(?=({x}, {y}), true)", f"{x} = {y}",
                f"when((nonvar({x}) ; ground({y})), W = 1)", f"member({x}, [1, a])", f"frozen({x}, G)",
                f"copy_term({x}, {y}, Gs)", f"call_residue_vars(dif({x}, 1), Vs)", f"{x} = f({y})",
            ]))  # fmt: skip
        goals.append(goal)
    return [], goals


def _grammars(chance: Random) -> Made:
    """Each nonterminal calls those before it, and itself behind a terminal; what is put back is less than was read."""
    program = ["any(X) --> [X].", "twice(G, X) --> call(G, X), call(G, X).", "is(X, X) --> []."]
    names: list[str] = []

    def part(after: str) -> str:
        x = _variable(chance)
        simple = [
            f"[{chance.choice('abc')}]", f"[{x}]", "[a, b]", "[]", '"ab"', f"{{ {x} = {_constant(chance)} }}", "!",
            f"{{ member({x}, [a, b]) }}", f"\\+ [{chance.choice('abc')}]", f"call(any, {x})", f"call(is({x}), b)",
            f"twice(any, {x})", "{ true }, !", f"any({x})", f"call([Y, R, R] >> (Y = {x}), {x})",
        ]  # fmt: skip
        if after:
            simple += [after, after]
        if names:
            simple += [f"{chance.choice(names)}({_argument(chance)})" for _ in range(6)]
        made = chance.choice(simple)
        kind = chance.random()
        if kind < 0.1:
            return f"( {made} ; {chance.choice(simple)} )"
        if kind < 0.2:
            return f"( {made} -> {chance.choice(simple)} ; {chance.choice(simple)} )"
        return f"( {made} | [] )" if kind < 0.25 else f"\\+ ( {made} )" if kind < 0.3 else made

    for level in range(chance.randint(1, 4)):
        name = f"n{level}"
        for _ in range(chance.randint(1, 3)):
            body = [part(f"[{chance.choice('abc')}], {name}({_variable(chance)})") for _ in range(chance.randint(1, 3))]
            head = f"{name}({_argument(chance)})"
            if chance.random() < 0.2:
                head, body = f"{head}, [{chance.choice('abcX')}]", ["[_, _]", *body]
            program.append(f"{head} --> {', '.join(body)}.")
        names.append(name)
    goals = []
    for _ in range(8):
        called = ", ".join(f"{chance.choice(names)}({_variable(chance)})" for _ in range(chance.randint(1, 2)))
        if chance.random() < 0.2:
            called = f"( {called} ; [{_variable(chance)}] )"
        tokens = [chance.choice(["a", "b", "c", "a", "b", "Z", "_"]) for _ in range(chance.randint(0, 5))]
        text = chance.choice([f"[{', '.join(tokens)}]"] * 5 + ["`abab`", '"ab"', "Ls", "foo", "[a, b|c]"])
        rest = chance.choice(["", "", "", ", Rest", ", []", ", [b]"])
        before = ["between(0, 3, N)", "length(Ls, N)"] if text == "Ls" else []
        goals.append([*before, f"phrase(({called}), {text}{rest})"])
    return program, goals


_MAKERS: dict[str, Any] = {
    "pure": _pure, "terms": _terms, "clpfd": _clpfd, "tabling": _tabling, "chr": _chr, "coroutines": _coroutines,
    "grammars": _grammars,
}  # fmt: skip
