/** <module> Variants of a program tried on goals

A variant is a text. Its clauses are added to a module of their own, which is emptied afterwards; of its directives, those
are run that say how clauses are read or used (libraries, operators, tabling, dynamic predicates), and no others.
*/

:- module(lpbridge_trials,
          [ trial/5             % +Text, +Goals, +Most, +Inferences, -Results
          ]).

:- use_module(library(lists)).
:- use_module(library(modules)).
:- use_module(lpbridge_goal).

:- dynamic
    found/1.                    % Answer

%!  trial(+Text, +Goals, +Most, +Inferences, -Results) is det.
%
%   Results has, for each goal, a list: how it ended, its answers as strings, and its inferences. It ends with `all` answers found, with
%   `more` than Most, by the `limit` on inferences, or by an error, whose text stands there; with
%   `not a goal` where the text of a goal is none. Where the text itself cannot
%   be loaded, Results is a list of one such list, with -1 inferences.

trial(Text, Goals, Most, Inferences, Results) :-
    set_prolog_flag(stack_limit, 100 000 000),
    catch(in_temporary_module(Module,
                              lpbridge_trials:loaded(Text, Module),
                              lpbridge_trials:results(Goals, Module, Most, Inferences, Results)),
          Error,
          ( message_of(Error, Message),
            Results = [[Message, [], -1]]
          )).

loaded(Text, Module) :-
    style_check(-singleton),
    style_check(-discontiguous),
    setup_call_cleanup(open_string(Text, Stream),
                       clauses(Stream, Module),
                       close(Stream)).

clauses(Stream, Module) :-
    repeat,
    read_term(Stream, Term, [module(Module)]),
    (   Term == end_of_file
    ->  !
    ;   '$set_source_module'(Old, Module),
        call_cleanup(taken(Term, Module), '$set_source_module'(_, Old)),
        fail
    ).

taken((:- Directive), Module) :-
    !,
    (   declared(Directive, Predicates)
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
added(Clause, Module) :-
    assertz(Module:Clause).

%   What these declare exists without clauses, too. Clauses are asserted: of a static predicate, none could be.

declared(Directive, Predicates) :-
    nonvar(Directive),
    memberchk(Directive, [dynamic(Predicates), discontiguous(Predicates), multifile(Predicates)]).

harmless(Directive) :-
    nonvar(Directive),
    memberchk(Directive,
              [ use_module(_), use_module(_, _), ensure_loaded(library(_)), op(_, _, _), table(_),
                set_prolog_flag(double_quotes, _), encoding(_)
              ]).

results([], _, _, _, []).
results([Goal|Goals], Module, Most, Inferences, [Result|Results]) :-
    result(Module, Most, Inferences, Goal, Result),
    results(Goals, Module, Most, Inferences, Results).

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
    visible(Bindings, Visible),
    copy_term(Visible, Copy, Residual),
    numbervars(Copy-Residual, 0, _),
    append(Copy, Residual, Parts),
    written(Parts, Texts),
    atomic_list_concat(Texts, ', ', Joined),
    atom_string(Joined, Answer).

written([], []).
written([Part|Parts], [Text|Texts]) :-
    (   Part = (Name=Value),
        atom(Name)
    ->  format(string(Text), "~w = ~W", [Name, Value, [quoted(true), numbervars(true), spacing(next_argument)]])
    ;   Part = Module:Goal,
        atom(Module)
    ->  format(string(Text), "~W", [Goal, [quoted(true), numbervars(true), module(Module), spacing(next_argument)]])
    ;   format(string(Text), "~W", [Part, [quoted(true), numbervars(true), spacing(next_argument)]])
    ),
    written(Parts, Texts).

visible([], []).
visible([Name=Value|Bindings], Visible) :-
    (   sub_atom(Name, 0, 1, _, '_')
    ->  Visible = Rest
    ;   Visible = [Name=Value|Rest]
    ),
    visible(Bindings, Rest).

message_of(Error, Message) :-
    (   Error = error(existence_error(procedure, Unknown), _)
    ->  ( Unknown = _:Name/Arity -> true ; Unknown = Name/Arity ),
        format(string(Message), "error: unknown procedure ~q", [Name/Arity])
    ;   Error = error(Formal, _)
    ->  format(string(Message), "error: ~q", [Formal])
    ;   format(string(Message), "error: ~q", [Error])
    ).
