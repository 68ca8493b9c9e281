/** <module> Predicates that are functions of the caller (`context=` of a session) */

:- module(lpbridge_functions, [define/2]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(janus)).
:- use_module(library(lists)).
:- use_module(lpbridge_answers, [term_value/2]).
:- use_module(lpbridge_terms, [decode/4, no_names/1]).

%!  define(+Functions, -True) is det.
%
%   Functions are `[Name, Inputs]` each: a predicate of `user` whose last argument is the result.

define(Functions, true) :- maplist(define, Functions).

define([Name, Inputs]) :-
    length(Arguments, Inputs),
    append(Arguments, [Result], All),
    Head =.. [Name|All],
    assertz(( lpbridge_context:Head :- lpbridge_functions:called(Name, Arguments, Result) )),
    functor(Head, _, Arity),
    @(export(Name/Arity), lpbridge_context),
    @(import(lpbridge_context:Name/Arity), user).

%   Each value of an iterator is asked for when the one before it was not enough.
called(Name, Arguments, Result) :-
    maplist(term_value, Arguments, Carried),
    setup_call_cleanup(
        ask([call, Name, Carried], Reply),
        result(Reply, Result),
        finish(Reply)).

result([Number, [Carried|_]], Result) :-
    (   Number == @(none)
    ->  value(Carried, Result)
    ;   value(Carried, Result)
    ;   ask([next, Number], Reply),
        result(Reply, Result)
    ).

finish([@(none)|_]) :- !.
finish([Number|_]) :- ask([close, Number], _).

value(Carried, Value) :-
    no_names(Names),
    decode(Carried, Value0, Names, _),
    Value = Value0.

ask(Call, Reply) :- py_call('bridge.prolog.job':asked(Call), Reply).
