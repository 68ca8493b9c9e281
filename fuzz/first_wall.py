"""Random attacks on the first wall of `--untrusted` Prolog, judged alone: the second and the third are not there.

A program of random pieces (what is done while it loads, a hook, a way to write a head or a goal) carries a payload that
only something forbidden can run, and random goals. It is to be refused or to have no effect: no file, no variable of
the environment, no flag, and nothing added to or taken from what is not the program's own (`first_wall_job.py`).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bridge.errors import BridgeError, LimitError
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand

LIMITS = Limits(seconds=5, memory=1 << 30)

#: What must not run.
PAYLOADS = (
    "shell('touch TRACE')", "open('TRACE', write, S), close(S)", "tell('TRACE'), told", "setenv(canary, 1)",
    "create_prolog_flag(canary, 1, [])", "nb_setval('$canary', 1)", "system:assertz(canary)", "user:assertz(canary)",
    "lists:assertz(canary)", "lists:(true, asserta(canary))",
    "assertz(user:portray(canary))", "assertz(sandbox:safe_primitive(system:shell(_)))",
    "retractall(lpbridge_sandbox:seal(_, _))", "getenv('PATH', V), assertz(got(V))",
    "set_prolog_flag(sandboxed_load, false)", "set_prolog_flag(unknown, fail)", "load_files(library(lists), [])",
    "load_files(library(sandbox), [])", "load_files(library(process), [if(not_loaded)])",
    "use_module(library(process)), process_create('/bin/touch', ['TRACE'], [])", "py_call(os:mkdir('TRACE'))",
    "janus:py_call(os:mkdir('TRACE'))", "thread_create(shell('touch TRACE'))",
    "sandbox:assertz((safe_goal(_) :- true))", "abolish(sandbox:safe_goal/1)",
    "unwrap_predicate(system:'$valid_directive'/1, lpbridge_sandbox)", "set_module(sandbox:class(user))",
    "'$set_predicate_attribute'(sandbox:safe_goal(_), system, false)",
    "redefine_system_predicate(sandbox:safe_goal(_))", "wrap_predicate(sandbox:safe_goal(_), canary, _, true)",
    "add_import_module(sandbox, lpbridge_untrusted, start)", "@(assertz(canary), user)",
    "open_shared_object('TRACE', _)", "compile_aux_clauses([user:canary])", "module(user)",
    "prolog_listen(abort, shell('touch TRACE'))", "lpbridge_load:load_text(user, 'TRACE', \"portray(_).\", _)",
)  # fmt: skip

#: Goals made of goals. `N` is the name of a predicate that calls the payload.
WRAPPERS = (
    "GOAL", "call((GOAL))", "call(call, (GOAL))", "\\+ (GOAL)", "catch(throw(x), _, (GOAL))", "findall(x, (GOAL), _)",
    "forall(true, (GOAL))", "setof(X, X^(X = 1, GOAL), _)", "bagof(X, lpbridge_untrusted:X^(X = 1, GOAL), _)",
    "aggregate_all(count, (GOAL), _)", "freeze(F, (GOAL)), F = 1", "when(ground(W), (GOAL)), W = 1",
    "dif(A, 1), put_attr(A, lpbridge_untrusted, x), A = 2", "maplist([Y]>>(GOAL), [1])",
    "foldl([_, Z, Z]>>(GOAL), [1], 0, _)", "predsort([_, _, _]>>(GOAL), [b, a], _)", "call([G]>>call(G), (GOAL))",
    "setup_call_cleanup(true, true, (GOAL))", "call_cleanup(true, (GOAL))", "with_output_to(string(_), (GOAL))",
    "format('~@', [(GOAL)])", "format(atom(_), '~w~@', [x, (GOAL)])", "format('~p', [canary])",
    "format('~W', [x, [portray(true), portray_goal([_, _]>>(GOAL))]])",
    "print_message(error, format('~@', [(GOAL)]))", "message_to_string(format('~@', [(GOAL)]), _)",
    "print_message(error, canary)", "throw(error(canary, context('~@'-[(GOAL)], x)))", "phrase(({GOAL}), [], _)",
    "phrase(call([_, _]>>(GOAL)), [], _)", "call_with_depth_limit((GOAL), 10, _)",
    "call_with_inference_limit((GOAL), 1000, _)", "call_with_time_limit(1, (GOAL))", "limit(1, (GOAL))",
    "order_by([asc(O)], (O = 1, GOAL))", "distinct(D, (D = 1, GOAL))", "call_nth((GOAL), 1)", "call_time((GOAL), _)",
    "tnot((GOAL))", "undo((GOAL))", "snapshot((GOAL))", "transaction((GOAL))", "sig_atomic((GOAL))",
    "reset((GOAL), _, _)", "shift((GOAL))", "ignore((GOAL))", "once((GOAL))", "apply(call, [(GOAL)])",
    "term_to_atom(T, 'N'), call(T)", "term_string(T, \"N\"), T", "T =.. [N], T", "atom_to_term('N', T, _), call(T)",
    "assertz((later :- GOAL)), later", "assertz((later => GOAL)), later", "assertz(fact((GOAL))), fact(T), call(T)",
    "b_setval(v, (GOAL)), b_getval(v, T), T", "C = c(true), setarg(1, C, (GOAL)), arg(1, C, T), T",
    "C = c(true), nb_setarg(1, C, (GOAL)), arg(1, C, T), T", "D = _{a: (GOAL)}, call(D.a)",
    "engine_create(x, (GOAL), E), engine_next(E, _)", "thread_create((GOAL), I), thread_join(I)",
    "lpbridge_untrusted:(GOAL)", "user:(GOAL)", "system:(GOAL)", "lpbridge_untrusted:user:(GOAL)", "@((GOAL), user)",
    "@(lpbridge_untrusted:(GOAL), system)", "sandbox:safe_call((GOAL))", "lists:(GOAL)",
    "put_attr(A, freeze, lpbridge_untrusted:(GOAL)), A = 1", "put_attr(A, when, call((GOAL))), A = 1",
    "copy_term(A, _, Gs), maplist(call, Gs)",
    "put_attr(A, lpbridge_untrusted, (GOAL)), copy_term(A, _, Gs), maplist(call, Gs)", "clause(N, B), call(B)",
    "expand_goal(N, T), call(T)", "( true ; GOAL )", "( fail -> true ; GOAL )", "( true *-> GOAL ; true )",
    "not((GOAL))", "N", "call(N)", "call(lpbridge_untrusted:N)",
    "string_code(1, \"a\", _), char_conversion(a, b), GOAL", "op(700, xfx, user:canary), GOAL",
    "prolog_cut_to(_), GOAL", "nb_setval(v, 1), GOAL", "freeze(F, (GOAL)), nb_setval(v, F), nb_getval(v, B), B = 1",
    "nb_setval(v, (GOAL)), nb_getval(v, T), call(T)", "write_term(x, [portray_goal([_, _]>>(GOAL))])",
    "listing((GOAL))",
    "format(user_error, '~@', [(GOAL)])", "phrase(dcg_high_order:sequence([_, _, _]>>(GOAL), _), [a])",
    "phrase(dcg_high_order:foreach((GOAL), []), [])", "use_module(library(lists), [append/3 as N]), GOAL",
    "read_term_from_atom('N', T, []), call(T)",
)  # fmt: skip

#: Statements of a program.
STATEMENTS = (
    ":- GOAL.", "?- GOAL.", ":- initialization((GOAL)).", ":- initialization((GOAL), now).",
    ":- initialization((GOAL), main).", ":- initialization(lpbridge_untrusted:(GOAL)).", ":- if((GOAL)).\n:- endif.",
    ":- if(fail).\n:- elif((GOAL)).\n:- endif.", "N :- GOAL.", "N => GOAL.", "N --> { GOAL }.",
    "N, { true } => GOAL.", "HEAD :- GOAL.", "HEAD => GOAL.", "HEAD, true => GOAL.", "HEAD ?=> GOAL.", "HEAD.",
    "HEAD --> { GOAL }.", "HEAD, [x] --> { GOAL }.", "MODULE:(HEAD :- GOAL).", "MODULE:(HEAD => GOAL).",
    "MODULE:(:- GOAL).", "'$source_location'(f, 1):(HEAD :- GOAL).", "MODULE:(MODULE:HEAD :- MODULE:(GOAL)).",
    ":- MODULE:(GOAL).", ":- @((GOAL), MODULE).", ":- DECLARE DECLARED.", ":- DECLARE([DECLARED]).",
    ":- DECLARE((own/1, DECLARED)).", ":- DECLARE((DECLARED as subsumptive)).", ":- MODULE:DECLARE(DECLARED).",
    ":- table p(_, lattice(MODULE:HOOKNAME/3)).\np(1, 2).", ":- table p(_, po(N/2)).\np(1, 2).\np(1, 3).",
    ":- use_module(LIBRARY).", ":- use_module(LIBRARY, []).", ":- use_module(LIBRARY, [append/3 as N]).",
    ":- ensure_loaded(LIBRARY).", ":- load_files(LIBRARY, []).", ":- load_files(LIBRARY, [if(changed)]).",
    ":- load_files(LIBRARY).", ":- [LIBRARY].", ":- consult(LIBRARY).", ":- reexport(LIBRARY).",
    ":- reexport(LIBRARY, []).", ":- autoload(LIBRARY).", ":- autoload(LIBRARY, [process_create/3]).",
    ":- include(LIBRARY).", ":- MODULE:use_module(LIBRARY).", ":- true, load_files(LIBRARY, []).",
    ":- expects_dialect(sicstus).", ":- module(MODULE, []).", ":- module(MODULE).", ":- module(fresh, []).",
    ":- set_module(base(MODULE)).", ":- add_import_module(MODULE, lpbridge_untrusted, start).",
    ":- set_prolog_flag(FLAG).", ":- op(200, xfy, MODULE:(:-)).", ":- op(0, fx, :-).", ":- op(700, xfx, canary).",
    ":- style_check(-singleton).", ":- encoding(utf8).", ":- residual_goals(N).", ":- quasi_quotation_syntax(N).",
    "q({|N(x)||text|}).", "term_expansion(a, (:- GOAL)).\na.",
    "term_expansion(a, [(HEAD :- GOAL), (:- initialization((GOAL)))]).\na.", "term_expansion(a, b) :- GOAL.\na.",
    "term_expansion(end_of_file, [(:- GOAL), end_of_file]).", "goal_expansion(x, (GOAL)).\n:- x.",
    "goal_expansion(x, y) :- GOAL.\nt :- x.", "goal_expansion(x, _, (GOAL), _).\n:- x.",
    "term_expansion(a, _, '$source_location'(f, 1):(HEAD :- GOAL), _).\na.",
    "function_expansion(x, y, (GOAL)).\nt :- p(x).", "attr_unify_hook(_, _) :- GOAL.",
    "attribute_goals(_) --> { GOAL }.", "attr_portray_hook(_, _) :- GOAL.", "project_attributes(_, _) :- GOAL.",
    "portray(_) :- GOAL.", "exception(_, _, retry) :- GOAL.", "'$tabled'(_, _) :- GOAL.", "X.f() := Y :- GOAL.",
    ":- freeze(F, N), nb_setval(v, F).", ":- freeze(F, later(F)), nb_setval(v, f(F)).\nlater(_) :- GOAL.",
    ":- dynamic(N/0).", ":- initialization(N).",
    ":- use_module(library(apply_macros)).\nt :- maplist([_]>>(GOAL), [1]).",
    ":- use_module(library(clpfd)).\nt :- X #> 1, X #< 3, GOAL.", "t :- GOAL.", "own(1).",
)  # fmt: skip

MODULES = (
    "user", "system", "prolog", "sandbox", "lpbridge_sandbox", "lpbridge_untrusted", "lists", "fresh",
    "lpbridge_untrusted:user", "lpbridge_untrusted:sandbox",
)  # fmt: skip

#: What the system, the sandbox and the libraries call by name.
HOOKS = (
    "portray(_)", "message_hook(_, _, _)", "prolog_load_file(_, _)", "file_search_path(library, '.')",
    "term_expansion(_, _)", "goal_expansion(_, _)", "exception(_, _, _)", "safe_primitive(_)", "safe_meta(_, [])",
    "safe_directive(_)", "safe_global_variable(_)", "safe_goal(_)", "sandbox_allowed_clause(_)",
    "sandbox_allowed_directive(_)", "sandbox_allowed_expansion(_)", "sandbox_allowed_goal(_)", "message(_, _, _)",
    "error_message(_, _, _)", "prolog_list_goal(_)", "available(process)", "given(_, _)", "safe_meta_predicate(_)",
    "safe_prolog_flag(_, _)", "trusted(_)", "append(_, _, _)", "comment_hook(_, _, _)", "prolog_event_hook(_)",
    "fresh(_)", "prolog_file_type(_, _)", "library_directory('/tmp')", "debug_print_hook(_, _, _)",
    "unknown_predicate(_)", "residual_goal_collector(_)", "'$exported_op'(_, _, _)", "has_type(_, _)",
)  # fmt: skip

DECLARATIONS = (
    "dynamic", "multifile", "discontiguous", "table", "public", "volatile", "thread_local", "meta_predicate",
    "non_terminal", "module_transparent", "initialization", "export", "import",
)  # fmt: skip

LIBRARIES = (
    "library(sandbox)", "library(lists)", "library(apply)", "library(process)", "library(readutil)", "library(clpfd)",
    "library(janus)", "library(prolog_wrap)", "library(shell)", "library(unix)", "library(error)", "library(assoc)",
    "library(sort)", "library('../sandbox')", "library(dialect/sicstus)", "user", "'/etc/passwd'", "'../x'",
    "swi(library/sandbox)",
)  # fmt: skip

FLAGS = (
    "sandboxed_load, false", "unknown, fail", "write_attributes, portray", "protect_static_code, false",
    "double_quotes, atom", "generate_debug_info, false", "autoload, true", "access_level, system",
)  # fmt: skip

#: Goals that are asked for.
GOALS = (
    "GOAL", "N", "t", "true", "X = f(Y)", "print(a)", "p(1, X)", "put_attr(X, lpbridge_untrusted, 1), X = 2",
    "put_attr(X, lpbridge_untrusted, 1)", "own(X)", "GOAL, GOAL", "x", "undefined_one", "nb_getval(v, F), F = 1",
    "nb_getval(v, f(F)), F = 1",
)  # fmt: skip

_PIECE = re.compile(r"GOAL|HOOKNAME|HEAD|MODULE|DECLARED|DECLARE|LIBRARY|FLAG|\bN\b")


class FirstWall(Campaign):
    """Programs and goals that try to get by the first wall of untrusted Prolog."""

    name = "first-wall"
    unit = "inputs"
    weight = 1.0
    round = 12

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-")

    def make(self, chance: Random) -> Case:
        statements = chance.choices(STATEMENTS, k=chance.choice([1, 1, 2, 3, 4, 6]))
        goals = chance.choices(GOALS, k=chance.choice([1, 1, 2, 3]))
        if chance.random() < 0.5:
            statements.append("N :- GOAL.")
        parts = {"program": statements, "goals": goals}
        return {part: [_filled(chance, one) for one in pieces] for part, pieces in parts.items()}

    def check(self, case: Case, tally: Tally) -> None:
        trace = Path(self._folder.name, "trace")
        program, goals = [[one.replace("TRACE", str(trace)) for one in case[part]] for part in ("program", "goals")]
        opening: tuple[object, ...] = ("open", [("\n".join(program) + "\n", True)], False)
        calls = [opening, *(("run", goal, [], None, True) for goal in goals)]
        worker = Worker("fuzz.first_wall_job")
        try:
            for call in calls:
                progress = Progress()
                try:
                    list(worker.ask(call, progress, LIMITS))
                    tally["allowed"] += 1
                    if progress.limit is not None:
                        raise Skipped  # its process is gone
                except LimitError:
                    raise Skipped from None
                except BridgeError as error:
                    demand("crash", error.__class__.__name__ == "ProgramError", str(error))
                    tally["refused"] += 1
            (reached,) = worker.ask(("reached",), Progress(), LIMITS)
        finally:
            worker.close()
        left = trace.exists()
        if left:
            trace.rmdir() if trace.is_dir() else trace.unlink()
        demand("trace", not left, "a file was written")
        demand("reached", not reached, "; ".join(reached[:5]))

    def smaller(self, case: Case) -> Iterator[Case]:
        for part in ("program", "goals"):
            for index in range(len(case[part])):
                if part == "program" or len(case[part]) > 1:
                    yield {**case, part: case[part][:index] + case[part][index + 1 :]}

    def close(self) -> None:
        self._folder.cleanup()


def _filled(chance: Random, piece: str, depth: int = 0) -> str:
    """A piece with random pieces in the places of its capitals."""

    def one(match: re.Match[str]) -> str:
        match match[0]:
            case "GOAL":
                inner = chance.choice(WRAPPERS) if depth < 3 and chance.random() < 0.6 else chance.choice(PAYLOADS)
                return _filled(chance, inner, depth + 1)
            case "HEAD":
                hook = chance.choice(HOOKS)
                return hook if chance.random() < 0.2 else f"{chance.choice(MODULES)}:{hook}"
            case "HOOKNAME":
                return chance.choice(HOOKS).partition("(")[0]
            case "MODULE":
                return chance.choice(MODULES)
            case "DECLARED":
                hook = chance.choice(HOOKS)
                return f"{chance.choice(MODULES)}:{hook.partition('(')[0]}/{hook.count(',') + 1}"
            case "DECLARE":
                return chance.choice(DECLARATIONS)
            case "LIBRARY":
                return chance.choice(LIBRARIES)
            case "FLAG":
                return chance.choice(FLAGS)
            case _:
                return "attack"

    return _PIECE.sub(one, piece)
