/** <module> Proofs: which clauses an answer was derived by

A program prepared by `bridge.analysis.proofs` notes, in a variable that backtracking undoes, where it enters and
leaves clauses and goals. When the query has an answer, the notes that are left are its derivation. The program runs
as it is, with its cuts; what is in negation, findall/3, tables or libraries leaves no notes, and is a leaf of the
proof. The program does not see the notes: its goals clause/2 and retract/1 find the clauses as they were written.
*/

:- module(lpbridge_proof,
          [ prove/4,        % :Query, +Number, +Limit, -Reply
            enter/2,        % +Clause, +Head
            leave/1,        % +Clause
            called/2,       % +Goal, +Term
            done/1,         % +Goal
            clause_/2,      % :Head, ?Body
            retract_/1      % :Clause
          ]).
%   Goals of the program run in here as `Module:Goal` gives them, which `user` lends to this module: no base(system).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(solution_sequences)).

:- meta_predicate prove(:, +, +, -), clause_(:, ?), retract_(:).

:- multifile user:goal_expansion/2.

user:goal_expansion(clause(Head, Body), lpbridge_proof:clause_(Head, Body)) :- of_program.
user:goal_expansion(retract(Clause), lpbridge_proof:retract_(Clause)) :- of_program.

of_program :-
    prolog_load_context(module, Module),
    Module \== lpbridge_proof,
    module_property(Module, class(user)).

%!  prove(:Query, +Number, +Limit, -Reply) is det.
%
%   The derivation of the answer with that number, from 1, within so many inferences. Reply is [Word, Events, Leaves];
%   Word is `proved`, `fails`, `inferences`, `memory` or `raises`. Events are `[entered, Clause, Text]`,
%   `[left, Clause, ""]`, `[called, Goal, Text]` and `[done, Goal, ""]`, in the order of the run, with the bindings of
%   the answer. Leaves are the program's predicates whose calls may leave no notes: `[Predicate, table]` and
%   `[Predicate, dynamic]`.

prove(Query, Number, Limit, [Word, Events, Leaves]) :-
    proof(Query, Number, Limit, Word, Events),
    findall([Predicate, Kind], leaf(Predicate, Kind), Leaves).

leaf(Predicate, Kind) :-
    module_property(Module, class(user)),
    member(Property-Kind, [(dynamic)-(dynamic), tabled-(table)]),
    predicate_property(Module:Head, Property),
    \+ predicate_property(Module:Head, imported_from(_)),
    functor(Head, Name, Arity),
    format(string(Predicate), '~w/~d', [Name, Arity]).

proof(Module:Query, Number, Limit, Word, Events) :-
    b_setval(lpbridge_proof, []),
    (   catch(call_with_inference_limit(call_nth(Module:Query, Number), Limit, Result), Error, true)
    ->  (   nonvar(Error)
        ->  raised(Error, Word), Events = []
        ;   Result == inference_limit_exceeded
        ->  Word = inferences, Events = []
        ;   Word = proved,
            arg(1, Query, Bindings),
            b_getval(lpbridge_proof, Reversed),
            copy_term(Bindings-Reversed, Copy-Reversed1, _),
            name(Copy, Reversed1),
            reverse(Reversed1, Notes),
            maplist(event, Notes, Events)
        )
    ;   Word = fails, Events = []
    ).

raised('$aborted', _) :- !, throw('$aborted').
raised(unwind(abort), _) :- !, throw(unwind(abort)).
raised(error(resource_error(_), _), memory) :- !.
raised(inference_limit_exceeded, inferences) :- !.  % thrown where the program itself catches
raised(_, raises).

enter(Clause, Head) :- note(entered(Clause, Head)).
leave(Clause) :- note(left(Clause)).
called(Goal, Term) :- note(called(Goal, Term)).
done(Goal) :- note(done(Goal)).

note(Note) :-
    b_getval(lpbridge_proof, Notes),
    b_setval(lpbridge_proof, [Note|Notes]).

event(entered(Clause, Head), [entered, Clause, Text]) :- text(Head, Text).
event(left(Clause), [left, Clause, ""]).
event(called(Goal, Term), [called, Goal, Text]) :- text(Term, Text).
event(done(Goal), [done, Goal, ""]).

text(Term, Text) :-
    ( current_module(clpfd) -> Module = clpfd ; Module = user ),    % for its operators
    format(string(Text), '~W',
           [Term, [module(Module), quoted(true), numbervars(true), portray(false), max_depth(0),
                   spacing(next_argument)]]).

%!  clause_(:Head, ?Body) is nondet.
%!  retract_(:Clause) is nondet.
%
%   The same as clause/2 and retract/1, of the clauses without their notes.

clause_(Head, Body) :-
    clause(Head, Noted),
    without_notes(Noted, Body).

retract_(Module:Clause) :-
    (   Clause = (Head :- Body)
    ->  true
    ;   Head = Clause,
        Body = true
    ),
    clause(Module:Head, Noted, Reference),
    without_notes(Noted, Body),
    erase(Reference).

without_notes(Noted, Body) :-
    (   notes(Noted)
    ->  Body = true
    ;   plain(Noted, Plain),
        Body = Plain
    ).

notes(Goal) :- var(Goal), !, fail.
notes((A, B)) :- notes(A), notes(B).
notes(lpbridge_proof:_).

plain(Goal, Goal) :- var(Goal), !.
plain((A, B), Plain) :- notes(A), !, plain(B, Plain).
plain((A, B), Plain) :- notes(B), !, plain(A, Plain).
plain(Goal, Plain) :-
    branches(Goal),
    !,
    compound_name_arguments(Goal, Name, Goals),
    maplist(without_notes, Goals, Plains),
    compound_name_arguments(Plain, Name, Plains).
plain(Goal, Goal).

branches((_, _)).
branches((_ ; _)).
branches((_ -> _)).
branches((_ *-> _)).

%   The variables of the query keep their names, others are called _1, _2, ...
name(Bindings, Notes) :-
    maplist(name_binding, Bindings),
    term_variables(Notes, Variables),
    foldl(name_variable, Variables, 1, _).

name_binding(Name=Value) :- ( var(Value) -> Value = '$VAR'(Name) ; true ).

name_variable('$VAR'(Name), N, N1) :-
    atom_concat('_', N, Name),
    N1 is N + 1.
