/** <module> Variants of a program tried on goals

A variant is a text. Its clauses are added to a module of their own, which is emptied afterwards; of its directives, those
are run that say how clauses are read or used (libraries, operators, tabling, dynamic predicates), and no others.
*/

:- module(lpbridge_trials,
          [ trial/5,            % +Text, +Goals, +Most, +Inferences, -Results
            spectrum/4,         % +Text, +Goals, +Inferences, -Spectrum
            effects/6,          % +Text, +Goals, +Inferences, +Names, +Added, -Effects
            prepare/2           % +Text, +Goals
          ]).

:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(modules)).
:- use_module(library(occurs)).
:- use_module(lpbridge_goal).
% Of the library, what may be added to programs.
:- use_module(library(aggregate), []).
:- use_module(library(assoc), []).
:- use_module(library(backcomp), []).
:- use_module(library(ordsets), []).
:- use_module(library(pairs), []).
:- use_module(library(yall), []).

:- dynamic
    found/1,                    % Answer
    entered/1.                  % Line

:- initialization(nb_setval(lpbridge_seen, none)).

%!  trial(+Text, +Goals, +Most, +Inferences, -Results) is det.
%
%   Results has, for each goal, a list: how it ended, its answers as strings, and its inferences. It ends with `all` answers found, with
%   `more` than Most, by the `limit` on inferences or memory, or by an error, whose text stands there; with
%   `not a goal` where the text of a goal is none. Where the text itself cannot
%   be loaded, Results is a list of one such list, with -1 inferences. With Inferences as first(Inferences) a goal that needs
%   more of them is the last one.

trial(Text, Goals, Most, Inferences, Results) :-
    set_prolog_flag(stack_limit, 64 000 000),
    catch(in_temporary_module(Module,
                              lpbridge_trials:loaded(Text, Module),
                              lpbridge_trials:results(Goals, Module, Most, Inferences, Results)),
          Error,
          ( message_of(Error, Message),
            Results = [[Message, [], -1]]
          )).

%!  spectrum(+Text, +Goals, +Inferences, -Spectrum) is det.
%
%   Spectrum has, for each goal, a list of the lines on which the clauses begin that it enters: their heads unify with
%   a call. The last one comes first. It is empty where the text cannot be loaded.

spectrum(Text, Goals, Inferences, Spectrum) :-
    noted(lpbridge_line, 0, Text, Module, lines(Goals, Module, Inferences, Spectrum), Spectrum).

%   Results of a goal on a text while something is noted; [] where the text cannot be loaded.

noted(Key, Value, Text, Module, Goal, Results) :-
    setup_call_cleanup(
        nb_setval(Key, Value),
        catch(in_temporary_module(Module, lpbridge_trials:loaded(Text, Module), lpbridge_trials:Goal), _, Results = []),
        nb_setval(Key, none)).

:- initialization(nb_setval(lpbridge_line, none)).

lines([], _, _, []).
lines([Goal|Goals], Module, Inferences, [Lines|Spectrum]) :-
    retractall(entered(_)),
    result(Module, 1, Inferences, Goal, _),
    findall(Line, entered(Line), Lines),
    lines(Goals, Module, Inferences, Spectrum).

%!  enter(+Line) is det.
%
%   Note that a clause is entered that begins on a line.

enter(Line) :-
    (   entered(Line0),
        !,
        Line0 == Line
    ->  true
    ;   retractall(entered(Line)),
        asserta(entered(Line))
    ).

%!  prepare(+Text, +Goals) is det.
%
%   Load what Text and Goals use of the library without a directive. While inferences are counted, it might be
%   loaded in part.

prepare(Text, Goals) :-
    catch(in_temporary_module(Module,
                              lpbridge_trials:loaded(Text, Module),
                              lpbridge_trials:libraries(Module, Goals)),
          _,
          true).

libraries(Module, Goals) :-
    forall(( called(Module, Goals, Term),
             sub_term(Part, Term),
             callable(Part),
             functor(Part, Name, Arity0),
             between(0, 2, More),
             Arity is Arity0+More,
             '$find_library'(Module, Name, Arity, _, Library)
           ),
           catch(load_files(lpbridge_trials:Library, [if(not_loaded), imports([]), silent(true)]), _, true)).

called(Module, _, Body) :-
    current_predicate(_, Module:Head),
    \+ predicate_property(Module:Head, imported_from(_)),
    clause(Module:Head, Body).
called(Module, Goals, Goal) :-
    member(Text, Goals),
    catch(goal_of_text(Module, Text, Goal, _), _, fail).

%!  effects(+Text, +Goals, +Inferences, +Names, +Added, -Effects) is det.
%
%   What each of the texts Added would do as a goal at the place of Text where it calls reached(Values), with the values
%   of the variables Names while Goals run: `nothing` that changes anything, `failure` each time, or `something`. All is
%   `nothing` where the place is not reached.

effects(Text, Goals, Inferences, Names, Added, Effects) :-
    Goal = effects_in(Module, Goals, Inferences, Names, Added, Effects),
    noted(lpbridge_seen, seen(0, []), Text, Module, Goal, Effects).

effects_in(Module, Goals, Inferences, Names, Added, Effects) :-
    results(Goals, Module, 1, Inferences, _),
    nb_getval(lpbridge_seen, seen(_, Seen)),
    nb_setval(lpbridge_seen, none),
    maplist(atom_string, Atoms, Names),
    statistics(inferences, Now),
    Until is Now+1 000 000,
    maplist(effect(Module, Atoms, Seen, Until), Added, Effects).

%!  reached(+Values) is det.
%
%   Note the first values of variables with which a place is reached.

reached(Values) :-
    nb_getval(lpbridge_seen, Noted),
    (   Noted = seen(Number, Seen),
        Number < 40,
        \+ ( member(Seen1, Seen), Seen1 =@= Values )
    ->  Next is Number+1,
        nb_setval(lpbridge_seen, seen(Next, [Values|Seen]))
    ;   true
    ).

%   What there is no time for may do something.

effect(Module, Names, Seen, Until, Text, Effect) :-
    statistics(inferences, Now),
    (   Now > Until
    ->  Effect = something
    ;   catch(goal_of_text(Module, Text, Goal, Bindings), _, fail)
    ->  effect_of(Seen, Module:Goal, Names, Bindings, nothing, Effect)
    ;   Effect = nothing
    ).

effect_of([], _, _, _, Effect, Effect).
effect_of([Values|Seen], Goal, Names, Bindings, Effect0, Effect) :-
    findall(One, effect_once(Goal, Names, Bindings, Values, One), [One]),
    (   memberchk(One, [something, limit])
    ->  ( One == limit -> Effect = Effect0 ; Effect = something )
    ;   ( One == failure -> Effect1 = failure ; Effect1 = Effect0 ),
        effect_of(Seen, Goal, Names, Bindings, Effect1, Effect)
    ).

%   An error is nothing: a test that ends in one does not pass. Nor is what needs many inferences.

effect_once(Goal, Names, Bindings, Values, Effect) :-
    state(Values, Before),
    maplist(bound(Bindings), Names, Values),
    (   catch(call_with_inference_limit(Goal, 5 000, Result), _, Result = error)
    ->  (   Result == inference_limit_exceeded
        ->  Effect = limit
        ;   ( Result == error ; state(Values, After), After =@= Before )
        ->  Effect = nothing
        ;   Effect = something
        )
    ;   Effect = failure
    ).

state(Values, Copy-Goals) :- copy_term(Values, Copy, Goals).

bound(Bindings, Name, Value) :- ( memberchk(Name=Value0, Bindings) -> Value0 = Value ; true ).

loaded(Text, Module) :-
    style_check(-singleton),
    style_check(-discontiguous),
    nb_setval(lpbridge_quotes, string),
    setup_call_cleanup(open_string(Text, Stream),
                       clauses(Stream, Module),
                       close(Stream)).

clauses(Stream, Module) :-
    repeat,
    nb_getval(lpbridge_quotes, Quotes),
    read_term(Stream, Term, [module(Module), term_position(Position), double_quotes(Quotes)]),
    (   Term == end_of_file
    ->  !
    ;   ( nb_getval(lpbridge_line, none) -> true ; stream_position_data(line_count, Position, Line),
                                                   nb_setval(lpbridge_line, Line) ),
        '$set_source_module'(Old, Module),
        call_cleanup(taken(Term, Module), '$set_source_module'(_, Old)),
        fail
    ).

taken((:- Directive), Module) :-
    !,
    (   nonvar(Directive),
        Directive = set_prolog_flag(double_quotes, Quotes),
        ground(Quotes),
        memberchk(Quotes, [codes, chars, atom, string])
    ->  nb_setval(lpbridge_quotes, Quotes)          % of the text: goals are read as at the toplevel
    ;   declared(Directive, Predicates)
    ->  ignore(catch(Module:dynamic(Predicates), _, true))
    ;   harmless(Directive)
    ->  ignore(catch(Module:Directive, _, true))
    ;   true
    ).
taken(Term, Module) :-
    catch(expand_term(Term, Clauses), _, Clauses = Term),
    added(Clauses, Module).

added([], _) :-
    !.
added([Clause|Clauses], Module) :-
    !,
    added(Clause, Module),
    added(Clauses, Module).
added((:- Directive), Module) :-
    !,
    taken((:- Directive), Module).
added(Clause0, Module) :-
    nb_getval(lpbridge_line, Line),
    (   Line == none
    ->  Clause = Clause0
    ;   Enter = lpbridge_trials:enter(Line),
        entering(Clause0, Enter, Clause)
    ),
    assertz(Module:Clause).

entering((Head :- Body), Enter, (Head :- Enter, Body)) :- !.
entering((Head => Body), Enter, (Head => Enter, Body)) :- !.
entering(Head, Enter, (Head :- Enter)).

%   What these declare exists without clauses, too. Clauses are asserted: of a static predicate, none could be.

declared(Directive, Predicates) :-
    nonvar(Directive),
    memberchk(Directive, [dynamic(Predicates), discontiguous(Predicates), multifile(Predicates)]).

harmless(Directive) :-
    nonvar(Directive),
    memberchk(Directive,
              [ use_module(_), use_module(_, _), ensure_loaded(library(_)), op(_, _, _), table(_),
                encoding(_)
              ]).

results([], _, _, _, []).
results([Goal|Goals], Module, Most, Inferences, [Result|Results]) :-
    ( Inferences = first(Number) -> true ; Number = Inferences ),
    result(Module, Most, Number, Goal, Result),
    (   Inferences = first(_),
        Result = [limit|_]
    ->  Results = []
    ;   results(Goals, Module, Most, Inferences, Results)
    ).

result(Module, Most, Inferences, Text, [End, Answers, Used]) :-
    retractall(found(_)),
    statistics(inferences, Before),
    catch(run(Module, Text, Most, Inferences, End), Error, message_of(Error, End)),
    statistics(inferences, After),
    Used is After-Before,
    findall(Answer, found(Answer), Answers),
    retractall(found(_)).

run(Module, Text, Most, Inferences, End) :-
    (   catch(goal_of_text(Module, Text, Goal, Bindings), error(_, _), fail)
    ->  run_goal(Module, Goal, Bindings, Most, Inferences, End)
    ;   End = "not a goal"
    ).

run_goal(Module, Goal, Bindings, Most, Inferences, End) :-
    State = number(0),
    (   call_with_inference_limit(enough(Module:Goal, Bindings, Most, State), Inferences, Result)
    ->  (   Result == inference_limit_exceeded
        ->  End = limit
        ;   End = more
        )
    ;   End = all
    ).

%   One answer more, until there are more than enough.

enough(Goal, Bindings, Most, State) :-
    call(Goal),
    arg(1, State, Number),
    (   Number >= Most
    ->  true
    ;   Next is Number + 1,
        nb_setarg(1, State, Next),
        answer(Bindings, Answer),
        assertz(found(Answer)),
        fail
    ).

answer(Bindings, Answer) :-
    exclude(hidden, Bindings, Visible),
    copy_term(Visible, Copy, Residual),
    numbervars(Copy-Residual, 0, _),
    append(Copy, Residual, Parts),
    maplist(written, Parts, Texts),
    atomic_list_concat(Texts, ', ', Joined),
    atom_string(Joined, Answer).

hidden(Name=_) :- sub_atom(Name, 0, _, _, '_').

written(Part, Text) :-
    (   Part = (Name=Value),
        atom(Name)
    ->  format(string(Text), "~w = ~W", [Name, Value, [quoted(true), numbervars(true), spacing(next_argument)]])
    ;   Part = Module:Goal,
        atom(Module)
    ->  format(string(Text), "~W", [Goal, [quoted(true), numbervars(true), module(Module), spacing(next_argument)]])
    ;   format(string(Text), "~W", [Part, [quoted(true), numbervars(true), spacing(next_argument)]])
    ).

message_of(Error, Message) :-
    (   Error = error(resource_error(_), _)
    ->  Message = limit
    ;   Error = error(existence_error(procedure, Unknown), _)
    ->  ( Unknown = _:Name/Arity -> true ; Unknown = Name/Arity ),
        format(string(Message), "error: unknown procedure ~q", [Name/Arity])
    ;   Error = error(Formal, _)
    ->  format(string(Message), "error: ~q", [Formal])
    ;   format(string(Message), "error: ~q", [Error])
    ).
