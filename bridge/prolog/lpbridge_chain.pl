/** <module> The chain of calls in which a goal stands that does not end

A goal is run for some inferences. When they are spent, the frames of the stack say which call was made by which: what
changes from call to call in a recursion says why it goes on. Of a tabled predicate the answers in its table say so.
*/

:- module(lpbridge_chain,
          [ chain/3             % :Goal, +Inferences, -Chain
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, last/2, nth1/3, reverse/2]).
:- use_module(library(pairs), [pairs_keys/2, pairs_keys_values/3]).
:- use_module(library(solution_sequences), [limit/2]).
:- use_module(library(prolog_wrap), [wrap_predicate/4, unwrap_predicate/2]).

:- meta_predicate chain(0, +, -).
:- multifile prolog:prolog_exception_hook/5.
:- dynamic prolog:prolog_exception_hook/5.
:- dynamic
    seen/1,                 % Predicates or calls, those of the innermost frame first
    answers/2.              % Predicate, Answers

%   Calls of a recursion that are looked at, those that are told; answers of a table, and sizes of an argument.
looked_at(10).
told(3).
answers_looked_at(30).
sizes_looked_at(5).

%   The innermost calls are left out: they may be about to fail.
innermost(3).

prolog:prolog_exception_hook(inference_limit_exceeded, _, Frame, _, _) :-
    nb_current(lpbridge_chain, Wanted),
    Wanted \== none,
    nb_setval(lpbridge_chain, none),
    findall(One, ( frame(Frame, F), wanted(Wanted, F, One) ), Seen),
    assertz(lpbridge_chain:seen(Seen)),
    tables,
    fail.

%!  chain(:Goal, +Inferences, -Chain) is det.
%
%   Chain is [Kind, Name, Arity, Line, Number, Argument, Calls, Passed] of the recursion in which Goal, run for all its
%   answers, stands after so many inferences: Number is that of its calls, and Calls are the first ones and the last, as
%   text. Kind is
%
%     - `same`: the calls are variants of each other;
%     - `constrained`: so they are, but for constraints on their variables;
%     - `expression`: Argument is an arithmetic term that grows, and the others stay;
%     - `grows`: Argument is a term that grows, and the others stay;
%     - `down`, `up`: Argument is an integer; Passed is [Value, Line] of a clause that it has passed, or [];
%     - `other`: none of these;
%     - `table`: the predicate is tabled, and Argument grows in its answers, which are Calls.
%
%   It is [] where the goal ends, or stands in no recursion.

chain(Goal, Inferences, Chain) :-
    (   looked(predicates, Goal, Inferences, Predicates),
        most(Predicates, M:Name/Arity, Line),
        functor(Head, Name, Arity),
        setup_call_cleanup(
            wrap_predicate(M:Head, lpbridge_chain, Wrapped, lpbridge_chain:called_as(Head, Wrapped)),
            looked(calls, Goal, Inferences, Calls0),
            unwrap_predicate(M:Name/Arity, lpbridge_chain)),
        reverse(Calls0, Pairs),
        pairs_keys_values(Pairs, Constrained, Calls),
        looked_at(Number),
        innermost(Few),
        length(Inner, Few),
        length(Last, Number),
        append(Outer, Inner, Calls),
        append(_, Last, Outer),
        kind(Last, Outer, M:Name/Arity, Kind0, Argument, Passed),
        ( Kind0 == same, memberchk(true, Constrained) -> Kind = constrained ; Kind = Kind0 ),
        length(Outer, Depth),
        texts(Outer, Texts)
    ->  Chain = [Kind, Name, Arity, Line, Depth, Argument, Texts, Passed]
    ;   answers(_:Name/Arity, Answers),
        growing(Answers, Argument, Sorted)
    ->  length(Answers, Number),
        texts(Sorted, Texts),
        Chain = [table, Name, Arity, 0, Number, Argument, Texts, []]
    ;   Chain = []
    ).

looked(Wanted, Goal, Inferences, Seen) :-
    retractall(seen(_)),
    retractall(answers(_, _)),
    abolish_all_tables,
    setup_call_cleanup(
        nb_setval(lpbridge_chain, Wanted),
        catch(call_with_inference_limit(( Goal, fail ; true ), Inferences, _), _, true),
        nb_setval(lpbridge_chain, none)),
    retract(seen(Seen)).

frame(Frame, Frame).
frame(Frame, F) :-
    prolog_frame_attribute(Frame, parent, Parent),
    frame(Parent, F).

wanted(predicates, Frame, PI-Line) :-
    prolog_frame_attribute(Frame, clause, Clause),
    clause_property(Clause, file(File)),
    \+ ( current_prolog_flag(home, Home), sub_atom(File, 0, _, _, Home) ),
    clause_property(Clause, predicate(PI)),
    PI = M:Name/Arity,
    \+ sub_atom(M, 0, _, _, lpbridge),
    Name/Arity \== lpbridge_query/1,
    clause_property(Clause, line_count(Line)).
wanted(calls, Frame, Call) :-
    prolog_frame_attribute(Frame, predicate_indicator, lpbridge_chain:called_as/3),
    prolog_frame_attribute(Frame, argument(1), Copy),
    prolog_frame_attribute(Frame, argument(2), Constrained),
    Call = Constrained-Copy.

%   Keeps a call as it was made, since variables are bound later, in a frame of its own.
called_as(Head, Goal) :-
    copy_term(Head, Copy, Constraints),
    ( Constraints == [] -> Constrained = false ; Constrained = true ),
    called_as(Copy, Constrained, Goal).

called_as(Copy, Constrained, Goal) :-
    call(Goal),
    kept(Copy, Constrained).

%   What a clause still needs is not garbage.
kept(_, _).

%   The predicate that most of the calls are of, and the line of its clause that most of them stand in.
most(Seen, PI, Line) :-
    pairs_keys(Seen, All),
    frequent(All, Most, PI),
    looked_at(Least),
    innermost(Few),
    Most >= Least + Few,
    findall(At, member(PI-At, Seen), Lines),
    frequent(Lines, _, Line).

frequent(All, Most, Value) :-
    sort(All, Different),
    aggregate_all(max(Number, One),
                  ( member(One, Different), aggregate_all(count, member(One, All), Number) ),
                  max(Most, Value)).

kind(Last, _, _, same, 0, []) :-
    member(Period, [1, 2, 3]),
    repeats(Last, Period),
    !.
kind(Last, [First|_], PI, Kind, N, Passed) :-
    PI = _:_/Arity,
    between(1, Arity, N),
    maplist(arg(N), Last, Values),
    changes(Values, Kind),
    ( memberchk(Kind, [grows, expression]) -> others_stay(Last, N, Arity) ; true ),
    arg(N, First, From),
    last(Values, To),
    passed(Kind, PI, N, From, To, Passed),
    !.
kind(_, _, _, other, 0, []).

repeats(Calls, Period) :-
    length(Before, Period),
    append(Before, Rest, Calls),
    append(Same, Before1, Calls),
    length(Before1, Period),
    maplist([A, B]>>(A =@= B), Same, Rest).

changes(Values, down) :- maplist(integer, Values), steps(Values, Step), Step < 0, !.
changes(Values, up) :- maplist(integer, Values), steps(Values, Step), Step > 0, !.
changes(Values, Kind) :-
    maplist(nonvar, Values),
    maplist(size, Values, Sizes),
    sort(Sizes, Sizes),
    last(Values, Value),
    ( expression(Value) -> Kind = expression ; Kind = grows ).

%   Where another argument changes, it may be the one that comes to an end.
others_stay(Calls, N, Arity) :-
    findall(Others,
            ( member(Call, Calls),
              findall(Value, ( between(1, Arity, I), I =\= N, arg(I, Call, Value) ), Others)
            ),
            All),
    repeats(All, 1).

steps([A, B|Rest], Step) :- Step is B-A, same_steps([B|Rest], Step).

same_steps([_], _).
same_steps([A, B|Rest], Step) :- Step =:= B-A, same_steps([B|Rest], Step).

size(Term, Size) :- compound(Term), !, term_size(Term, Size).
size(_, 0).

expression(Term) :- number(Term), !.
expression(Term) :-
    compound(Term),
    Term =.. [Name|Arguments],
    memberchk(Name, [+, -, *, /, //, mod, **, ^]),
    maplist(expression, Arguments).

%   A clause without a recursive call in which the argument is an integer between the first value and the last.
passed(Kind, M:Name/Arity, N, From, To, Passed) :-
    memberchk(Kind, [down, up]),
    integer(From),
    !,
    functor(Head, Name, Arity),
    findall([Value, Line],
            ( clause(M:Head, _, Clause),
              arg(N, Head, Value),
              integer(Value),
              Value =< max(From, To),
              Value >= min(From, To),
              clause_property(Clause, line_count(Line))
            ),
            All),
    msort(All, Sorted),
    (   Kind == down
    ->  last([[]|Sorted], Passed)
    ;   append(Sorted, [[]], [Passed|_])
    ).
passed(_, _, _, _, _, []).

texts(Calls, Texts) :-
    told(Number),
    (   length(First, Number),
        append(First, [_|Rest], Calls),
        last(Rest, Last)
    ->  append(First, [Last], Some)
    ;   Some = Calls
    ),
    maplist(text, Some, Texts).

text(Goal, Text) :-
    copy_term_nat(Goal, Copy),
    numbervars(Copy, 0, _, [singletons(true)]),
    format(string(Text), '~W', [Copy, [quoted(true), numbervars(true), portray(true), spacing(next_argument), max_depth(12)]]).

                /*******************************
                *            TABLES            *
                *******************************/

tables :-
    forall(( current_table(M:Variant, Trie),
             trie_property(Trie, value_count(Count)),
             answers_looked_at(Least),
             Count >= Least,
             \+ sub_atom(M, 0, _, _, lpbridge)
           ),
           ( functor(Variant, Name, Arity),
             term_variables(Variant, Variables),
             Key =.. [ret|Variables],
             findall(Variant, limit(500, trie_gen(Trie, Key)), Answers),
             assertz(answers(M:Name/Arity, Answers))
           )).

%   The argument that has values of many sizes.
growing(Answers, Argument, Sorted) :-
    Answers = [First|_],
    functor(First, _, Arity),
    between(1, Arity, Argument),
    maplist(arg(Argument), Answers, Values),
    maplist(size, Values, Sizes),
    sort(Sizes, Different),
    length(Different, Number),
    sizes_looked_at(Least),
    Number >= Least,
    !,
    findall(Size-Answer, ( nth1(I, Answers, Answer), nth1(I, Sizes, Size) ), Pairs),
    keysort(Pairs, Ordered),
    findall(Answer, member(_-Answer, Ordered), Sorted).
