/** <module> Checks of `lint`: goals and predicates that never succeed, or not as they are meant
*/

:- module(lpbridge_never, []).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(lpbridge_arithmetic).
:- use_module(lpbridge_failing).
:- use_module(lpbridge_meaning).
:- use_module(lpbridge_program).
:- use_module(lpbridge_source).

:- discontiguous finds/5.

                /*******************************
                *        OTHER ARITIES         *
                *******************************/

%   A clause with an argument more or less stands among those of a predicate of the same name, and nothing else calls it
finds('PL032', File, HP, [Shown, Others], true) :-
    item(N, Name, Arity, File, Unit, Branch, _, _, _, _),
    Unit \= tests(_),
    neighbour(File, Unit, Branch, N, -1, Before, Name/Other),
    Other =\= Arity,
    (   follows(File, Unit, Branch, N, Name/Arity, Name/Other, Last)
    ->  \+ ( clause_of(Name, Arity, Elsewhere, _, _, _, _), ( Elsewhere < N ; Elsewhere > Last ) )
    ;   facts_only(Name, Other, [Before, _|_]),
        facts_only(Name, Arity, [N])
    ),
    \+ asked_for(Name, Arity),
    once(clause_of(Name, Arity, N, _, _, _, c(Kind, _, HP, _, _, _, _))),
    shown(Kind, Name, Arity, Shown),
    shown(Kind, Name, Other, Others).

neighbour(File, Unit, Branch, N, Step, Next, Name/Arity) :-
    Next is N + Step,
    item(Next, Name, Arity, File, Unit, Branch, _, _, _, _).

%   After the clauses of one predicate, of which Last is the last one, those of the other one go on.
follows(File, Unit, Branch, N, This, Other, Last) :-
    neighbour(File, Unit, Branch, N, 1, Next, Name/Arity),
    ( Name/Arity == Other -> Last = N ; Name/Arity == This, follows(File, Unit, Branch, Next, This, Other, Last) ).

facts_only(Name, Arity, Ns) :-
    findall(N-Body, clause_of(Name, Arity, N, _, _, _, c(clause, _, _, Body, _, _, _)), Clauses),
    forall(member(_-Body, Clauses), Body == true),
    findall(N, member(N-_, Clauses), Ns0),
    msort(Ns0, Sorted),
    reverse(Sorted, Ns).

%   Something other than the predicate itself may call it.
asked_for(Name, Arity) :- declared(_, Name, Arity), !.
asked_for(Name, Arity) :- exported(Name, Arity, _, _), !.
asked_for(Name, Arity) :-
    clause_of(Caller, CallerArity, _, _, _, _, Clause),
    Caller/CallerArity \== Name/Arity,
    called_in(Clause, Name, Arity, _, _),
    !.
asked_for(Name, Arity) :-
    item(_, -, 0, _, _, _, (:- Directive), Position0, _, _),
    plain(Position0, term_position(_, _, _, _, [P])),
    called(Directive, P, Name, Arity, _, _),
    !.

                /*******************************
                *        NEVER MATCHES         *
                *******************************/

%   A call that no clause of its predicate matches
finds('PL033', File, P, [Shown, At, Why, Variable], true) :-
    a_goal(File, c(_, _, _, _, Names), Goal, P),
    compound(Goal),
    name_arity(Goal, Name, Arity),
    head(Name, Arity),
    \+ changes(Name, Arity),
    \+ declared(dynamic_later, Name, Arity),
    \+ meta(Name, Arity, _),
    \+ ( clause_of(Name, Arity, _, _, _, _, c(Read, Head, _, _, _, _, _)), ( Read \== clause ; Head = Goal ) ),
    findall(N-Head, clause_of(Name, Arity, N, _, _, _, c(clause, Head, _, _, _, _, _)), Heads),
    Heads \== [],
    ( near(Goal, Heads, N, Why) -> line_words(N, At) ; span(P, At, _), Why = "" ),
    (   arg(_, Goal, Small), atom(Small), member(Variable=_, Names), downcase_atom(Variable, Small)
    ->  true
    ;   Variable = ''
    ),
    shown(clause, Name, Arity, Shown).

                /*******************************
                *        NEVER SUCCEEDS        *
                *******************************/

%   Each clause of a predicate calls the predicate again
finds('PL034', File, HP, [Shown, As], true) :-
    setof(Name/Arity, a_predicate(Name, Arity), All),
    member(Name/Arity, All),
    \+ declared(_, Name, Arity),
    once(clause_of(Name, Arity, _, File, _, _, c(Kind, Head, HP, _, _, _, _))),
    forall(clause_of(Name, Arity, _, _, _, _, c(Kind0, Head0, _, Body, BP, _, _)),
           ( BP \== none, computes(Kind0, Head0, Body, BP), calls_itself(Kind0, Body, BP, Name, Arity) )),
    shown(Kind, Name, Arity, Shown),
    \+ finding('PL032', _, _, _, [Shown|_], _),
    ( end_of(Kind, Head, As) -> true ; As = "" ).

a_predicate(Name, Arity) :- item(_, Name, Arity, _, _, _, _, _, _, _), Name \== (-).

%   It takes a list or a text apart, or only calculates and looks at facts: in another recursion a loop may be meant,
%   which reads or waits.
computes(clause, Head, _, _) :- compound(Head), arg(_, Head, List), nonvar(List), List = [_|_], !.
computes(clause, Head, Body, BP) :-
    name_arity(Head, Name, Arity),
    forall(conjunct(Body, BP, Goal, _),
           ( callable(Goal),
             ( arithmetic(Goal, _) -> true ; name_arity(Goal, N, A), ( N/A == Name/Arity -> true ; head(N, A), facts_only(N, A, _) ) )
           )).
computes(grammar, _, Body, BP) :- conjunct(Body, BP, Terminal, _), nonvar(Terminal), ( Terminal = [_|_] ; string(Terminal) ), !.

calls_itself(Kind, Body, BP, Name, Arity) :-
    conjunct(Body, BP, Goal, _),
    callable(Goal),
    Goal \= {_},
    predicate_of(Kind, Goal, Name, Arity),
    !.

%   The head of a clause for the empty list, or for nothing.
end_of(clause, Head, As) :-
    compound(Head),
    Head =.. [Name|Arguments],
    once(( member(List, Arguments), nonvar(List), List = [_|_] )),
    maplist(ended, Arguments, Ended),
    Base =.. [Name|Ended],
    format(string(As), ", as for `~W`", [Base, [quoted(true), numbervars(true), spacing(next_argument)]]).

ended(Argument, []) :- nonvar(Argument), Argument = [_|_], !.
ended(_, '$VAR'('_')).

                /*******************************
                *            LISTS             *
                *******************************/

%   `rev([H|T], [R, H]) :- rev(T, R).` makes a list in a list; `[R|H]` has an element for the rest of one
finds('PL039', File, P, [Kind, Name, From, To], true) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, HP, Body, _, Names)),
    compound(Head),
    arg(N, Head, List),
    nonvar(List),
    ( is_list(List) -> List = [Variable, Other] ; List = [Variable|Other] ),
    var(Variable),
    var(Other),
    passed_on(Body, Predicate, Arity, N, Variable),
    \+ passed_on(Body, Predicate, Arity, N, Other),
    arg(M, Head, Given),
    M \== N,
    nonvar(Given),
    Given = [First|_],
    First == Other,
    argument_position(HP, N, P),
    plain(P, list_position(_, _, Elements, Rest)),
    ( Rest == none -> Elements = [_, OtherP], Kind = element ; OtherP = Rest, Kind = rest ),
    span(OtherP, From, To),
    name_of(Variable, Names, Name).

                /*******************************
                *           RESULTS            *
                *******************************/

%   `triple([X|Xs], Ys) :- ..., triple(Xs, [Y|Ys])` and `triple([], [])`
finds('PL041', File, AP, [From, To], true) :-
    body_of(Name, Arity, N, clause, File, Unit, c(Head, _, Body, BP, _)),
    compound(Head),
    goals(Body, BP, Goals),
    member(goal(Call, P), Goals),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(K, Head, Result),
    var(Result),
    arg(K, Call, Longer),
    nonvar(Longer),
    Longer = [_|Tail],
    Tail == Result,
    findall(End, ( clause_of(Name, Arity, M, _, Unit, _, c(_, Other, _, _, _, _, _)), M \== N, arg(K, Other, End) ), Ends),
    Ends = [_|_],
    forall(member(End, Ends), End == []),
    argument_position(P, K, AP),
    plain(AP, list_position(_, _, _, TP)),
    span(TP, From, To).
%   `add([], _).` and `add([X|Xs], N) :- M is N + X, add(Xs, M).`
finds('PL042', File, HP, [Shown, K, Line, Next], true) :-
    body_of(Name, Arity, N, clause, File, Unit, c(Head, HP, Body, _, Names)),
    compound(Head),
    arg(K, Head, Old),
    adds_only(Name, Arity, K, Head, Body, New),
    Old \== New,
    \+ ( clause_of(Name, Arity, M, _, Unit, _, c(_, Other, _, Goals, _, _, _)),
         M \== N,
         \+ adds_only(Name, Arity, K, Other, Goals, _)
       ),
    clause_of(Name, Arity, Base, _, Unit, [], c(clause, _, _, End, _, _, _)),
    \+ passed_on(End, Name, Arity),
    !,
    shown(clause, Name, Arity, Shown),
    line_words(Base, Line),
    name_of(New, Names, Next).

%   Argument K of a head is only added to and handed on to the predicate itself, as New, or not looked at.
adds_only(Name, Arity, K, Head, Body, New) :-
    arg(K, Head, Old),
    var(Old),
    occurrences_of_var(Old, Head, 1),
    occurrences_of_var(Old, Body, Uses),
    (   Uses == 0
    ->  New = Old
    ;   Uses == 1,
        sub_goal(Body, Call),
        compound(Call),
        compound_name_arity(Call, Name, Arity),
        arg(K, Call, New),
        var(New),
        (   New == Old
        ->  true
        ;   sub_goal(Body, Sum),
            Sum = (Out is Expression),
            Out == New,
            contains_var(Old, Expression),
            occurrences_of_var(New, Head-Body, 2)
        )
    ),
    !.

passed_on(Body, Name, Arity) :- sub_goal(Body, Call), name_arity(Call, Name, Arity), !.

                /*******************************
                *         SIDE EFFECTS         *
                *******************************/

%   What is set by b_setval/2 in forall/2 and the like is undone when these go back
finds('PL047', File, P, [Outside], true) :-
    a_goal(File, c(_, _, _, _, _), Outer, OP),
    goes_back_over(Outer, N),
    arg(N, Outer, Inner),
    argument_position(OP, N, IP),
    within(clause, Inner, IP, Goal, P),
    nonvar(Goal),
    Goal = b_setval(_, _),
    name_arity(Outer, Name, Arity),
    shown(clause, Name, Arity, Outside).

goes_back_over(Goal, _) :- var(Goal), !, fail.
goes_back_over(forall(_, _), 1).
goes_back_over(forall(_, _), 2).
goes_back_over(findall(_, _, _), 2).
goes_back_over(aggregate_all(_, _, _), 2).
goes_back_over(\+ _, 1).

                /*******************************
                *          EXCEPTIONS          *
                *******************************/

%   `catch(..., error(type_error, _), ...)` catches nothing
finds('PL046', File, P, [Meant], true) :-
    a_goal(File, c(_, _, _, _, _), Goal, GP),
    nonvar(Goal),
    Goal = catch(_, Catcher, _),
    nonvar(Catcher),
    \+ ( thrown(Ball), \+ Ball \= Catcher ),
    (   Catcher = error(Formal, _),
        nonvar(Formal),
        meant_formal(Formal, Formal1)
    ->  Meant0 = error(Formal1, '_')
    ;   a_formal(Catcher)
    ->  copy_term(Catcher, Formal1),
        Meant0 = error(Formal1, '_')
    ),
    argument_position(GP, 2, P),
    copy_term_nat(Meant0, Meant1),
    numbervars(Meant1, 0, _, [singletons(true)]),
    format(string(Meant), "~W", [Meant1, [quoted(false), numbervars(true), spacing(next_argument)]]).

%   What the program itself may throw.
thrown(Ball) :- clause_of(_, _, _, _, _, _, c(_, _, _, Body, _, _, _)), sub_goal(Body, Goal), nonvar(Goal), Goal = throw(Ball).

formal(type_error(_, _)).
formal(domain_error(_, _)).
formal(existence_error(_, _)).
formal(permission_error(_, _, _)).
formal(representation_error(_)).
formal(evaluation_error(_)).
formal(resource_error(_)).
formal(syntax_error(_)).

a_formal(instantiation_error).
a_formal(Formal) :- compound(Formal), formal(Formal).

meant_formal(Name, Formal) :- atom(Name), formal(Formal), functor(Formal, Name, _), !.
meant_formal(Name, evaluation_error(Name)) :- memberchk(Name, [zero_divisor, undefined, float_overflow, float_underflow]), !.
meant_formal(Term, Formal) :-
    compound(Term),
    functor(Term, Name, Arity),
    formal(Formal),
    functor(Formal, Name, Other),
    Other =\= Arity,
    Name \== existence_error,
    !.
