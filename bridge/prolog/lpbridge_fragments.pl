/** <module> Fragments of a program: goals that can be switched off

A program that was prepared by `bridge.problem.fragments` calls on/1 before its goals. Which goals are off is said by
start/1, and reply/3 says which switches the run came to. The module is safe to be loaded by an untrusted program.
*/

:- module(lpbridge_fragments,
          [ start/1,        % +Off
            on/1,           % +Number
            given/3,        % +Number, -Value, +Given
            any//0,
            calling/2,      % +Number, +Goal
            calls/1,        % -Calls
            reply/3         % +Result, +Error, -Reply
          ]).

:- dynamic
    off/1,                  % Number
    reached/1,              % Number
    called/2.               % Number, Goal

%!  start(+Off) is det.
%
%   Off are the numbers of the switches that are off in the next run.

start(Off) :-
    retractall(off(_)),
    retractall(reached(_)),
    retractall(called(_, _)),
    abolish_all_tables,
    switch_off(Off).

switch_off([]).
switch_off([Number|Numbers]) :-
    assertz(off(Number)),
    switch_off(Numbers).

%!  on(+Number) is semidet.
%
%   The switch of that number is on. It counts as reached.

on(Number) :-
    (   reached(Number)
    ->  true
    ;   assertz(reached(Number))
    ),
    \+ off(Number).

%!  given(+Number, ?Value, +Given) is semidet.
%
%   Value is Given, unless the switch is off.

given(Number, Value, Given) :-
    (   on(Number)
    ->  Value = Given
    ;   true
    ).

%!  calling(+Number, +Goal) is det.
%
%   The goal of that number is about to be called. Variants are noted once.

calling(Number, Goal) :-
    (   called(Number, Known),
        Known =@= Goal
    ->  true
    ;   assertz(called(Number, Goal))
    ).

%!  calls(-Calls) is det.
%
%   Calls are the goals of the last run, in their order: [Number, Text], Text as read_term/2 reads it.

calls(Calls) :-
    findall([Number, Text], ( called(Number, Goal), written(Goal, Text) ), Calls).

written(Goal, Text) :-
    numbervars(Goal, 0, _, [singletons(true)]),
    format(string(Text), '~W', [Goal, [quoted(true), numbervars(true), ignore_ops(false)]]).

%!  any// is det.
%
%   In a grammar rule: any input, for a nonterminal that is switched off.

any(_, _).

%!  reply(+Result, +Error, -Reply) is det.
%
%   Reply is [Word, Text, Reached]. Result is that of call_with_inference_limit/3, or `fails`; Error what was thrown
%   instead. An abort is thrown again.

reply(Result, Error, [Word, Text, Reached]) :-
    (   nonvar(Error)
    ->  raised(Error, Word, Text)
    ;   Text = "",
        word(Result, Word)
    ),
    findall(Number, reached(Number), Reached).

word(fails, fails) :- !.
word(inference_limit_exceeded, inferences) :- !.
word(_, succeeds).

raised('$aborted', _, _) :- !, throw('$aborted').
raised(unwind(abort), _, _) :- !, throw(unwind(abort)).
raised(error(resource_error(_), _), memory, "") :- !.
raised(inference_limit_exceeded, inferences, "") :- !.  % thrown where the program itself catches
raised(error(Formal, _), raises, Text) :- !, format(string(Text), '~q', [Formal]).
raised(Error, raises, Text) :- format(string(Text), '~q', [Error]).
