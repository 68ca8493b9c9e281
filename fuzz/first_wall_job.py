"""The job for untrusted Prolog programs with its first wall alone, which tells what a program has reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog import _janus, job_untrusted
from bridge.prolog.job_untrusted import confine, pending

__all__ = ["confine", "pending", "serve", "warm"]

#: A program adds facts to its own modules, and nothing else: hooks and static predicates of all other modules stay what
#: they are. Data of the system and of the bridge are dynamic.
_WITNESS = """
:- module(fuzz_witness, [remember/0, reached/1]).
:- dynamic before/3.

fixed(Module:Head, Generation) :-
    current_module(Module),
    Module \\== fuzz_witness,
    '$c_current_predicate'(_, Module:Head),
    '$get_predicate_attribute'(Module:Head, defined, 1),
    \\+ '$get_predicate_attribute'(Module:Head, imported, _),
    \\+ '$get_predicate_attribute'(Module:Head, foreign, 1),
    (   '$get_predicate_attribute'(Module:Head, (dynamic), 1)
    ->  '$get_predicate_attribute'(Module:Head, (multifile), 1)
    ;   true
    ),
    ( '$get_predicate_attribute'(Module:Head, last_modified_generation, Generation) -> true ; Generation = 0 ).

remember :-
    forall(current_module(Module), assertz(before(module, Module, 0))),
    forall(fixed(Goal, Generation), assertz(before(predicate, Goal, Generation))),
    forall(( current_prolog_flag(Flag, Value), outward(Flag) ), assertz(before(flag, Flag, Value))).

outward(sandboxed_load).
outward(autoload).
outward(unknown).
outward(protect_static_code).

reached(What) :-
    before(predicate, Goal, Generation),
    \\+ admin(Goal),
    \\+ ( fixed(Goal, Now), Now == Generation ),
    format(string(What), "~q was changed", [Goal]).
reached(What) :-
    before(module, Module, _),
    Module \\== lpbridge_untrusted,
    fixed(Module:Head, _),
    \\+ before(predicate, Module:Head, _),
    \\+ admin(Module:Head),
    format(string(What), "~q was added", [Module:Head]).
reached(What) :-
    before(flag, Flag, Value),
    \\+ current_prolog_flag(Flag, Value),
    format(string(What), "the flag ~q was changed", [Flag]).
reached("a fact was added to what is not the program's") :-
    before(module, Module, _),
    Module \\== lpbridge_untrusted,
    '$c_current_predicate'(_, Module:canary).
reached("a flag was made") :- current_prolog_flag(canary, _).
reached("a variable of the environment was set") :- getenv(canary, _).
reached("the environment was read") :- getenv('PATH', Path), catch(lpbridge_untrusted:got(Path), _, fail).
reached("a global variable was set") :- nb_current('$canary', _).

admin(system:'$init_goal'(_, _, _)).
admin(system:'$load_context_module'(_, _, _)).
admin(_:'$exported_op'(_, _, _)).
admin(system:trie_gen_compiled(_, _)).
admin(system:trie_gen_compiled(_, _, _)).
"""


def warm() -> None:
    """Start Prolog, and put up the first wall alone."""
    job_untrusted.load()
    _janus.janus().consult("fuzz_witness", data=_WITNESS)
    job_untrusted.first_wall()
    _janus.janus().query_once("fuzz_witness:remember")


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """As for any untrusted program; `reached` tells what a program has reached that it must not."""
    if call[0] == "reached":
        with suppress(_janus.janus().PrologError):  # what a goal has undone may come this late
            _janus.janus().query_once("true")
        found = list(_janus.janus().query("fuzz_witness:reached(What)"))
        yield [row["What"] for row in found], 1
        progress.complete = True
        return
    yield from job_untrusted.serve(call, limits, progress)
