/** <module> Checks of `lint`: clauses that mean something else than they seem to say
*/

:- module(lpbridge_meaning,
          [ free_variable/2,  % +Clause, -Variable
            body_of/7,        % ?Name, ?Arity, ?N, -Kind, -File, -Unit, -Clause
            goals/3,          % +Body, +BodyPosition, -Goals
            within/5,         % +Kind, +Body, +BodyPosition, -Goal, -Position
            a_goal/4,         % -File, ?Clause, ?Goal, -Position
            name_of/3,        % +Variable, +Names, -Name
            argument_position/3, % +Position, +N, -ArgumentPosition
            passed_on/5       % +Body, +Name, +Arity, +N, +Variable
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(lpbridge_arithmetic).
:- use_module(lpbridge_goal, [control/3]).
:- use_module(lpbridge_program).
:- use_module(lpbridge_source).
:- use_module(lpbridge_types).

:- discontiguous finds/5.

%!  body_of(?Name, ?Arity, ?N, -Kind, -File, -Unit, -Clause) is nondet.
%
%   Clause is c(Head, HeadPosition, Body, BodyPosition, Names): a clause with a body that is read as it is written.

body_of(Name, Arity, N, Kind, File, Unit, c(Head, HP, Body, BP, Names)) :-
    clause_of(Name, Arity, N, File, Unit, [], c(Kind, Head, HP, Body, BP, _, Names)),
    BP \== none,
    plain_head(Head),
    \+ has_dict(Body).

%   A goal that stands anywhere in a clause.
a_goal(File, Clause, Goal, P) :-
    Clause = c(_, _, Body, BP, _),
    body_of(_, _, _, Kind, File, _, Clause),
    within(Kind, Body, BP, Goal, P).

%   The goals of a body one after the other, goal(Goal, Position) each; a disjunction and the like as a whole.
goals(Body, BP, Goals) :- phrase(goals(Body, BP), Goals).

goals(Body, P0) --> { nonvar(Body), Body = (A, B) }, !, { plain(P0, term_position(_, _, _, _, [PA, PB])) }, goals(A, PA), goals(B, PB).
goals(Goal, P0) --> { plain(P0, P) }, [goal(Goal, P)].

%!  within(+Kind, +Body, +BodyPosition, -Goal, -Position) is nondet.
%
%   A goal of a body, also one that is an argument of another; of a grammar those in braces.

within(Kind, Body, P0, Goal, P) :-
    nonvar(Body),
    plain(P0, P1),
    (   memberchk(Kind, [clause, rule])
    ->  within(Body, P1, Goal, P)
    ;   grammar_control(Body, A, B)
    ->  P1 = term_position(_, _, _, _, [PA, PB]),
        ( within(Kind, A, PA, Goal, P) ; within(Kind, B, PB, Goal, P) )
    ;   Body = {Inner},
        P1 = brace_term_position(_, _, PI),
        within(clause, Inner, PI, Goal, P)
    ).

within(Goal, P, Goal, P) :- callable(Goal), \+ Goal = (_, _), \+ Goal = (_^_).
within(_^Inner, term_position(_, _, _, _, [_, PI]), Goal, P) :- !, within(clause, Inner, PI, Goal, P).
within(Outer, term_position(_, _, _, _, Ps), Goal, P) :-
    compound(Outer),
    spec_of(Outer, Spec),
    arg(N, Spec, Argument),
    nonvar(Argument),
    memberchk(Argument, [0, ^]),
    arg(N, Outer, Inner),
    nth1(N, Ps, PI),
    within(clause, Inner, PI, Goal, P).

%   Variables

shares(Term, Other) :- term_variables(Term, Variables), member(Variable, Variables), contains_var(Variable, Other), !.

name_of(Variable, Names, Name) :- ( member(Name0=Value, Names), Value == Variable -> Name = Name0 ; Name = '_' ).

all_names(Names, All) :- findall(Name, member(Name=_, Names), All).

%   Goals that only ask: they bind nothing.
asks(Goal) :- var(Goal), !, fail.
asks(Goal) :- orders(Goal), !.
asks(Goal) :- compares(Goal), !.
asks(Goal) :- memberchk(Goal, [\+ _, not(_), forall(_, _), ground(_), (_ -> _), (_ -> _ ; _), must_be(_, _)]), !.
asks(Goal) :- type_test(Goal).

%   It compares numbers.
orders(Goal) :- nonvar(Goal), arithmetic(Goal, _), Goal \= (_ is _).

%   The goals that compare numbers at the beginning of others.
tests([goal(Goal, P)|Goals], [goal(Goal, P)|Tests], Rest) :- orders(Goal), !, tests(Goals, Tests, Rest).
tests(Goals, [], Goals).

compares(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, 2),
    memberchk(Name, [\=, \==, ==, dif, @<, @>, @=<, @>=, #\=, #<, #>, #=<, #>=, compare]).

type_test(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, 1),
    memberchk(Name, [var, nonvar, atom, atomic, number, integer, compound, is_list, callable, float, string, ground]).

cuts(Body) :- sub_goal(Body, Goal), Goal == !, !.

%   Goals that print, change the database, or do nothing: they neither bind nor fail.
effect(Goal) :-
    callable(Goal),
    name_arity(Goal, Name, _),
    memberchk(Name, [write, writeln, print, nl, tab, format, write_canonical, writeq, print_message, put_char, true,
                     assertz, asserta, assert, retractall, flush_output]).

                /*******************************
                *   VARIABLES DO NOT CHANGE    *
                *******************************/

%   `N is N + 1`
finds('PL015', File, P, [Name, Op, All], true) :-
    a_goal(File, c(_, _, _, _, Names), Goal, P),
    changed(Goal, Variable, Op),
    name_of(Variable, Names, Name),
    all_names(Names, All).

%   `L = [H|L]`, `append(L, [X], L)`
finds('PL016', File, P, [Name], true) :-
    body_of(_, _, _, Kind, File, _, c(Head, _, Body, BP, Names)),
    within(Kind, Body, BP, Goal, P),
    contains_itself(Goal, Variable),
    occurrences_of_var(Variable, Head-Body, All),
    occurrences_of_var(Variable, Goal, Here),
    ( contains_var(Variable, Head) -> true ; All > Here, \+ starts(Kind, Body, BP, Goal, Variable) ),
    name_of(Variable, Names, Name).

%   Nothing before the goal has the variable: a cyclic term may be meant.
starts(Kind, Body, BP, Goal, Variable) :-
    memberchk(Kind, [clause, rule]),
    goals(Body, BP, Goals),
    member(goal(First, _), Goals),
    contains_var(Variable, First),
    !,
    First == Goal.

contains_itself(A = B, A) :- var(A), compound(B), \+ expression(B), contains_var(A, B), !.
contains_itself(A = B, B) :- var(B), compound(A), \+ expression(A), contains_var(B, A), !.
contains_itself(append(A, B, C), A) :- var(A), A == C, nonvar(B), B = [_|_], !.
contains_itself(append(A, B, C), B) :- var(B), B == C, nonvar(A), A = [_|_].

                /*******************************
                *        NOT EVALUATED         *
                *******************************/

%   `p(X-1)` where p/1 has a clause with a number; `between(1, N-1, X)`
finds('PL017', File, AP, [Shown, Takes, From, To, Names1], true) :-
    body_of(Name, Arity, _, Kind, File, _, c(_, _, Body, BP, Names)),
    within(Kind, Body, BP, Goal, P),
    compound(Goal),
    name_arity(Goal, Callee, CalleeArity),
    (   takes_a_number(Callee, CalleeArity, N),
        ( Callee/CalleeArity == Name/Arity -> true ; \+ evaluates(Callee, CalleeArity, N) ),
        Takes = call
    ;   \+ head(Callee, CalleeArity),
        integers_of(Callee, CalleeArity, Ns),
        member(N, Ns),
        Takes = built_in
    ),
    arg(N, Goal, Expression),
    expression(Expression),
    \+ ground(Expression),
    argument_position(P, N, AP),
    shown(clause, Callee, CalleeArity, Shown),
    span(P, From, To),
    all_names(Names, Names1).
%   `S is H + T` where T is the rest of a list
finds('PL031', File, VP, [Name, Single], true) :-
    body_of(_, _, _, Kind, File, _, c(Head, _, Body, BP, Names)),
    memberchk(Kind, [clause, rule]),
    compound(Head),
    arg(_, Head, List),
    compound(List),
    List = [_|Rest],
    var(Rest),
    within(Kind, Body, BP, Goal, P),
    arithmetic(Goal, Evaluated),
    contains_var(Rest, Evaluated),
    once(place_of(Rest, Goal, P, From, To)),
    VP = From-To,
    name_of(Rest, Names, Name),
    findall(Other, ( member(Other=Value, Names), occurrences_of_var(Value, Head-Body, 1) ), Singles),
    ( Singles = [Single] -> true ; Single = '' ).
%   `len([_|T], N+1) :- len(T, N).`
finds('PL017', File, AP, [Shown, head, From, To, Names1], false) :-
    body_of(Name, Arity, _, clause, File, _, c(Head, HP, Body, _, Names)),
    takes_a_number(Name, Arity, N),
    arg(N, Head, Sum),
    counted(Sum, Variable),
    sub_goal(Body, Call),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(N, Call, Passed),
    Passed == Variable,
    argument_position(HP, N, AP),
    shown(clause, Name, Arity, Shown),
    span(HP, From, To),
    all_names(Names, Names1).

counted(Sum, A) :- nonvar(Sum), ( Sum = A + B ; Sum = B + A ; Sum = A - B ), var(A), integer(B), !.

argument_position(P0, N, AP) :- plain(P0, term_position(_, _, _, _, Ps)), nth1(N, Ps, AP).

%   A clause of the program has an integer there, and none takes a term of arithmetic apart.
takes_a_number(Name, Arity, N) :-
    \+ changes(Name, Arity),
    clause_of(Name, Arity, _, _, _, _, c(clause, Head, _, _, _, _, _)),
    compound(Head),
    arg(N, Head, Number),
    integer(Number),
    \+ ( clause_of(Name, Arity, _, _, _, _, c(_, Other, _, _, _, _, _)),
         compound(Other),
         arg(M, Other, Term),
         compound(Term),
         expression(Term),
         \+ ( M == N, counted(Term, _) )
       ).

evaluates(Name, Arity, N) :-
    clause_of(Name, Arity, _, _, _, _, c(_, Head, _, Body, _, _, _)),
    compound(Head),
    arg(N, Head, Variable),
    var(Variable),
    sub_goal(Body, Goal),
    ( arithmetic(Goal, Evaluated) -> true ; compound(Goal), compares(Goal), Evaluated = Goal ),
    contains_var(Variable, Evaluated),
    !.

                /*******************************
                *           DATABASE           *
                *******************************/

%   `retract(counter(N))` of a predicate that the file defines and does not declare
finds('PL018', File, P, [Shown, Line], true) :-
    body_of(_, _, _, Kind, File, Unit, c(_, _, Body, BP, _)),
    within(Kind, Body, BP, Goal, P),
    modifies(Goal, Head),
    name_arity(Head, Name, Arity),
    \+ is_dynamic(Name, Arity),
    once(clause_of(Name, Arity, N, _, Unit, [], _)),
    line_words(N, Line),
    shown(clause, Name, Arity, Shown),
    \+ ( finding('PL018', File, _, _, [Seen|_], _), Seen == Shown ).

modifies(Goal, Head) :-
    compound(Goal),
    arg(1, Goal, Clause),
    nonvar(Clause),
    ( compound_name_arity(Goal, Name, 1) ; compound_name_arity(Goal, Name, 2), Name \== retract ),
    memberchk(Name, [assertz, asserta, assert, retract, retractall]),
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    callable(Head),
    \+ Head = _:_.

is_dynamic(Name, Arity) :- declared(Kind, Name, Arity), memberchk(Kind, [dynamic, dynamic_later, multifile, constraint]), !.

                /*******************************
                *          CONSTRAINTS         *
                *******************************/

%   Labelling comes before constraints on the same variables
finds('PL019', File, P, [From, To], true) :-
    body_of(_, _, _, clause, File, _, c(_, _, Body, BP, _)),
    library(clpfd),
    goals(Body, BP, Goals),
    append(Before, [goal(Labeling, P)|After], Goals),
    labels(Labeling, Term),
    labelled(Term, Before, Labelled),
    findall(CP, ( member(goal(Goal, CP), After), prunes(Goal, Labelled, After) ), [First|More]),
    last([First|More], Last),
    span(First, From, _),
    span(Last, _, To).

labels(Goal, _) :- var(Goal), !, fail.
labels(label(Term), Term).
labels(labeling(_, Term), Term).
labels(once(Goal), Term) :- labels(Goal, Term).
labels(maplist(Each, Term), Term) :- memberchk(Each, [indomain, label]).

labelled(Term, Before, Term-Elements) :- var(Term), member(goal(Goal, _), Before), nonvar(Goal), Goal = (List = Elements), List == Term, !.
labelled(Term, _, Term-Term).

%   A constraint among labelled variables; not one that computes a variable that stands in no other one.
prunes(Goal, Labelled, After) :-
    constraint(Goal),
    !,
    shares(Goal, Labelled),
    \+ ( constraint_of(Goal, #=, A, B),
         member(Variable, [A, B]),
         var(Variable),
         \+ contains_var(Variable, Labelled),
         findall(x, ( member(goal(Other, _), After), contains_var(Variable, Other) ), [_])
       ),
    \+ ( term_variables(Goal, Variables), member(Variable, Variables), \+ contains_var(Variable, Labelled), computed(Variable, After) ).
%   A predicate of the program that posts constraints on the list.
prunes(Goal, Labelled, _) :-
    callable(Goal),
    shares(Goal, Labelled),
    name_arity(Goal, Name, Arity),
    posts(Name, Arity, []).

%   A later goal gives the variable its value.
computed(Variable, After) :- member(goal(Goal, _), After), nonvar(Goal), ( Goal = (X is _) ; labels(Goal, X) ), contains_var(Variable, X), !.

constraint(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    memberchk(Name/Arity, [#= /2, #\= /2, #< /2, #> /2, #=< /2, #>= /2, all_different/1, all_distinct/1, sum/3, scalar_product/4,
                           tuples_in/2, lex_chain/1, circuit/1, element/3, global_cardinality/2]).

posts(Name, Arity, Seen) :-
    \+ memberchk(Name/Arity, Seen),
    clause_of(Name, Arity, _, _, _, _, c(clause, _, _, Body, _, _, _)),
    sub_goal(Body, Goal),
    \+ memberchk(Goal, [_ ; _, (_ -> _)]),
    (   constraint(Goal)
    ;   name_arity(Goal, Other, OtherArity),
        head(Other, OtherArity),
        posts(Other, OtherArity, [Name/Arity|Seen])
    ),
    !.

                /*******************************
                *        ALL SOLUTIONS         *
                *******************************/

%   Variables that are free in bagof/3 and setof/3 and stand nowhere else
finds('PL020', File, P, [Name, Free, From, To, Bare, All], true) :-
    a_goal(File, c(Head, _, Body, _, Names), Goal, P),
    free_variables(Head-Body, Goal, N, Variables),
    name_arity(Goal, Name, _),
    argument_position(P, N, GP),
    span(GP, From, To),
    arg(N, Goal, Of),
    plain(GP, Plain),
    ( GP == Plain, compound(Of), GP = term_position(_, _, OpFrom, _, _), OpFrom > From -> Bare = true ; Bare = false ),
    findall([Shown, VFrom, VTo],
            ( member(Variable, Variables), name_of(Variable, Names, Shown), once(place_of(Variable, Of, GP, VFrom, VTo)) ),
            Free),
    all_names(Names, All).

%!  free_variable(+Clause, -Variable) is nondet.
%
%   Variable stands only within the goal of a bagof/3 or setof/3 of Clause, and is free there.

free_variable(Clause, Variable) :-
    sub_goal(Clause, Goal),
    free_variables(Clause, Goal, _, Variables),
    member(Variable, Variables).

free_variables(Clause, Goal, N, Free) :-
    collects(Goal, N),
    arg(1, Goal, Template),
    arg(N, Goal, Of),
    \+ has_collected(Of),
    quantified(Of, Template, Bound, Inner),
    callable(Inner),
    term_variables(Inner, Variables),
    include(only_there(Clause, Goal, Bound, Inner), Variables, Free),
    Free \== [].

collects(Goal, 2) :- compound(Goal), compound_name_arity(Goal, Name, 3), memberchk(Name, [bagof, setof]).

has_collected(Of) :- sub_goal(Of, Inner), compound(Inner), ( collects(Inner, _) ; Inner = '>>'(_, _) ), !.

quantified(Of, Bound, Bound, Of) :- var(Of), !.
quantified(Variable^Of, Bound0, Bound, Inner) :- !, quantified(Of, Variable-Bound0, Bound, Inner).
quantified(_:Of, Bound0, Bound, Inner) :- !, quantified(Of, Bound0, Bound, Inner).
quantified(Of, Bound, Bound, Of).

only_there(Clause, Goal, Bound, Inner, Variable) :-
    \+ contains_var(Variable, Bound),
    occurrences_of_var(Variable, Clause, Times),
    occurrences_of_var(Variable, Goal, Times),
    can_bind(Inner, Variable).

%   Not one that stands only in what is negated, or collected by itself.
can_bind(Goal, Variable) :- var(Goal), !, Goal == Variable.
can_bind(Body, Variable) :- control(Body, A, B), !, ( can_bind(A, Variable) -> true ; can_bind(B, Variable) ).
can_bind(Goal, _) :- asks(Goal), !, fail.
can_bind(Goal, _) :- memberchk(Goal, [findall(_, _, _), aggregate_all(_, _, _), findall(_, _, _, _)]), !, fail.
can_bind(Goal, Variable) :-
    contains_var(Variable, Goal),
    \+ ( sub_goal(Goal, Inner), Inner = (Quantified^_), contains_var(Variable, Quantified) ).

                /*******************************
                *            LISTS             *
                *******************************/

%   `[H, T]` where T goes on as the list
finds('PL021', File, P, [From1, To1, From2, To2], true) :-
    body_of(Name, Arity, _, clause, File, _, c(Head, HP, Body, _, _)),
    compound(Head),
    arg(N, Head, List),
    nonvar(List),
    List = [First|Rest],
    nonvar(Rest),
    Rest = [Last|End],
    End == [],
    var(First),
    var(Last),
    First \== Last,
    passed_on(Body, Name, Arity, N, Last),
    \+ passed_on(Body, Name, Arity, N, First),
    argument_position(HP, N, P),
    plain(P, list_position(_, _, [P1, P2], _)),
    span(P1, From1, To1),
    span(P2, From2, To2).

%   `smallest([X, Y|Zs], M) :- ..., smallest([Y, Zs], M)`
finds('PL021', File, P, [From1, To1, From2, To2], true) :-
    body_of(Name, Arity, _, Kind, File, _, c(Head, _, Body, BP, _)),
    memberchk(Kind, [clause, rule]),
    compound(Head),
    arg(N, Head, List),
    rest_of(List, Rest),
    within(Kind, Body, BP, Call, CP),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(N, Call, Passed),
    is_list(Passed),
    Passed = [_, Last],
    Last == Rest,
    argument_position(CP, N, P),
    plain(P, list_position(_, _, [P1, P2], _)),
    span(P1, From1, To1),
    span(P2, From2, To2).

%   The rest of a list of which at least one element is written.
rest_of(List, Rest) :- nonvar(List), List = [_|More], ( var(More) -> Rest = More ; rest_of(More, Rest) ).

passed_on(Body, Name, Arity, N, Variable) :-
    sub_goal(Body, Call),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(N, Call, Argument),
    Argument == Variable,
    !.

                /*******************************
                *           NEGATION           *
                *******************************/

%   What is negated has a variable that only a later goal binds
finds('PL022', File, P, [Kind, Who, From, To0, Start, To], Certain) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, _, Body, BP, Names)),
    goals(Body, BP, Goals),
    append(Before, [goal(Goal, P)|After], Goals),
    negates(Goal, Kind, Variables),
    once(( member(Variable, Variables), bound_later(Variable, Before, After, Binding, _, From-To0) )),
    findall(Index-At, ( member(One, Variables), bound_later(One, Before, After, _, Index, At) ), Ats),
    max_member(_-(_-To), Ats),
    After = [goal(_, StartP)|_],
    span(StartP, Start, _),
    (   contains_var(Variable, Head),
        \+ asked_open(Predicate, Arity, Head, Variable)
    ->  Certain = false,
        domain(Binding, Goal, Head, Before),
        Format = "when `~w` is not given, it has"
    ;   Certain = true,
        Format = "`~w` has"
    ),
    name_of(Variable, Names, Name),
    format(string(Who), Format, [Name]).

%   Of a goal in question, an argument that is open and that nothing binds
finds('PL022', File, P, [open, Name], true) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, _, Body, BP, Names)),
    goals(Body, BP, Goals),
    append(Before, [goal(Goal, P)|After], Goals),
    negates(Goal, negation, Variables),
    member(Variable, Variables),
    asked_open(Predicate, Arity, Head, Variable),
    \+ ( member(goal(Other, _), Before), contains_var(Variable, Other) ),
    \+ ( member(goal(Other, _), After), contains_var(Variable, Other) ),
    name_of(Variable, Names, Name).

asked_open(Name, Arity, Head, Variable) :-
    asked(Name, Arity, N),
    arg(N, Head, Argument),
    Argument == Variable,
    \+ ( arg(M, Head, Other), M \== N, contains_var(Variable, Other) ),
    !.

%   The first goal after a negation that has Variable binds it; To is where it ends.
bound_later(Variable, Before, After, Binding, Index, From-To) :-
    \+ contains_var(Variable, Before),
    once(( nth1(Index, After, goal(Binding, P)), ( Binding == ! ; contains_var(Variable, Binding) ) )),
    binds(Binding, Variable),
    span(P, From, To).

negates(Goal, _, _) :- var(Goal), !, fail.
negates(\+ G, Kind, Variables) :- nonvar(G), opposite(G, Opposite), !, negates(Opposite, Kind, Variables).
negates(\+ G, negation, Variables) :- callable(G), name_arity(G, Name, Arity), head(Name, Arity), term_variables(G, Variables).
negates(not(G), Kind, Variables) :- negates(\+ G, Kind, Variables).
negates(A \= B, unequal, Variables) :- ( var(A) ; var(B) ), !, term_variables(A-B, Variables).
negates(A \== B, different, Variables) :- ( var(A) ; var(B) ), !, term_variables(A-B, Variables).

opposite(A == B, A \== B).
opposite(A = B, A \= B).

%   A goal of the program, with the variable as an argument of its own.
binds(Goal, Variable) :-
    compound(Goal),
    name_arity(Goal, Name, Arity),
    head(Name, Arity),
    arg(_, Goal, Argument),
    Argument == Variable,
    !.

%   The goal says what there is: it is of facts, and of a negation nothing in it is given by what comes before.
domain(Binding, Negated, Head, Others) :-
    name_arity(Binding, Name, Arity),
    \+ ( clause_of(Name, Arity, _, _, _, _, c(_, _, _, Body, _, _, _)), Body \== true ),
    (   negates(Negated, negation, _)
    ->  term_variables(Binding, Variables),
        \+ ( member(Variable, Variables), ( contains_var(Variable, Others) ; \+ contains_var(Variable, Head) ) )
    ;   true
    ).

                /*******************************
                *          CONDITIONS          *
                *******************************/

%   An if-then without else that only prints, before other goals or in forall/2
finds('PL023', File, P, [From, To], false) :-
    body_of(_, _, _, Kind, File, _, c(_, _, Body, BP, _)),
    memberchk(Kind, [clause, rule]),
    (   goals(Body, BP, Goals),
        append(_, [goal(Goal, P)|[_|_]], Goals)
    ;   within(Kind, Body, BP, Outer, OP),
        Outer = forall(_, Goal0),
        argument_position(OP, 2, P0),
        goals(Goal0, P0, [goal(Goal, P)])
    ),
    nonvar(Goal),
    Goal = (_ -> Then),
    plain(P, term_position(_, _, _, _, [If, ThenP])),
    goals(Then, ThenP, Thens),
    Then \== true,
    forall(member(goal(Each, _), Thens), effect(Each)),
    span(If, From, To).

                /*******************************
                *       WHICH CLAUSE IS IT     *
                *******************************/

%   A clause that counts down matches the base case, too
finds('PL024', File, HP, [Line, Number, Name, Sign], true) :-
    body_of(Predicate, Arity, Recursive, clause, File, Unit, c(Head, HP, Body, BP, Names)),
    \+ changes(Predicate, Arity),
    \+ declared(table, Predicate, Arity),
    compound(Head),
    arg(N, Head, Variable),
    var(Variable),
    goals(Body, BP, Goals),
    once(( append(Before, [goal(Call, _)|_], Goals), compound(Call), compound_name_arity(Call, Predicate, Arity) )),
    counts(Before, Variable, Next, Step, How),
    arg(N, Call, Passed),
    Passed == Next,
    \+ cuts(Body),
    \+ ( member(goal(Goal, _), Before), \+ effect(Goal), \+ computes(Goal) ),
    \+ ( arg(M, Head, Compound), compound(Compound), M \== N, arg(M, Call, Part), occurs_in(Part, Compound) ),
    base_case(Predicate, Arity, N, File, Unit, Recursive, Head, Base, Number),
    line_words(Base, Line),
    name_of(Variable, Names, Name),
    ( Step < 0 -> Order = '>' ; Order = '<' ),
    ( How == constraint -> atom_concat(#, Order, Sign) ; Sign = Order ).

occurs_in(Part, Compound) :- var(Part), contains_var(Part, Compound).

computes(Goal) :- nonvar(Goal), ( Goal = (_ is _) -> true ; compound(Goal), compound_name_arity(Goal, #=, 2) ).

counts(Before, Variable, Next, Step, How) :-
    member(goal(Goal, _), Before),
    nonvar(Goal),
    (   Goal = (Next is Expression), How = evaluated
    ;   constraint_of(Goal, #=, A, B), How = constraint,
        ( Next = A, Expression = B ; Next = B, Expression = A )
    ),
    var(Next),
    nonvar(Expression),
    (   Expression = From - K, From == Variable, integer(K), K > 0, Step is -K
    ;   Expression = From + K, From == Variable, integer(K), K \== 0, Step = K
    ),
    !.

%   A clause with an integer there that matches where the recursive one does, and does not cut.
base_case(Name, Arity, N, File, Unit, Recursive, Head, Base, Number) :-
    clause_of(Name, Arity, Base, File, Unit, [], c(clause, Other, _, Body, _, _, _)),
    Base \== Recursive,
    arg(N, Other, Number),
    integer(Number),
    \+ ( sub_goal(Body, Goal), memberchk(Goal, [!, halt, fail, false, throw(_)]) ),
    \+ Head \= Other,
    !.

%   A clause for other elements that also takes those of an earlier clause
finds('PL025', File, HP, [Line, X, Test, How], Certain) :-
    body_of(Name, Arity, Second, clause, File, Unit, c(Head2, HP, Body2, _, Names)),
    takes_apart(J, Head2, Y2, Rest2),
    var(Y2),
    arg(I, Head2, X2),
    var(X2),
    X2 \== Y2,
    recurs(Body2, Name, Arity, I, X2, J, Rest2),
    \+ ( sub_goal(Body2, Asked), ( asks(Asked) ; Asked = (_ ; _) ) ),
    body_of(Name, Arity, First, clause, File, Unit, c(Head1, _, Body1, BP1, _)),
    First < Second,
    arg(I, Head1, X1),
    var(X1),
    takes_apart(J, Head1, Y1, Rest1),
    Y1 == X1,
    recurs(Body1, Name, Arity, I, X1, J, Rest1),
    goals(Body1, BP1, Goals),
    \+ ( Goals = [goal(G, _)|_], G == ! ),
    (   cuts(Body1)
    ->  Certain = false, How = "the cut there does not keep it out when the result is given"
    ;   Certain = true, How = "both are tried"
    ),
    line_words(First, Line),
    name_of(X2, Names, X),
    name_of(Y2, Names, Y),
    (   Y == '_'
    ->  format(string(Test), "dif(~w, Y), with Y for `_`,", [X])
    ;   format(string(Test), "dif(~w, ~w)", [X, Y])
    ).
%   One clause is for `A > B`, another one for `A < B`, and none for equal ones
finds('PL044', File, HP2, [From], false) :-
    body_of(Name, Arity, First, clause, File, Unit, c(Head1, HP1, Body1, BP1, _)),
    alone(Body1, BP1, A, B, Sign),
    \+ changes(Name, Arity),
    body_of(Name, Arity, Second, clause, File, Unit, c(Head2, HP2, Body2, BP2, _)),
    Second > First,
    alone(Body2, BP2, C, D, Sign2),
    numlist(1, Arity, Ns),
    foldl(same_argument(Head1, Head2, A-B), Ns, [], Same),
    ( A == C, B == D, Sign2 =:= -Sign ; A == D, B == C, Sign2 =:= Sign ),
    \+ ( clause_of(Name, Arity, Other, _, _, _, c(_, Head3, _, _, _, _, _)),
         Other \== First,
         Other \== Second,
         \+ ( member(N, Same), arg(N, Head1, A1), arg(N, Head3, A3), A1 \= A3 )
       ),
    span(HP1, From, _).

%   The one test that a body begins with, of numbers that differ.
alone(Body, BP, A, B, Sign) :-
    goals(Body, BP, Goals),
    tests(Goals, [goal(Test, _)], _),
    memberchk(Test-Sign, [(A < B) - (-1), (A > B) - 1]).

%   Argument N of two heads becomes the same one, but for a result: that would make the operands one, or is a constant.
same_argument(Head1, Head2, A-B, N, Same0, Same) :-
    arg(N, Head1, X),
    arg(N, Head2, Y),
    (   X \= Y
    ->  atomic(X), X \== [], atomic(Y), Y \== [],
        Same = Same0
    ;   \+ ( X = Y, A \== B )
    ->  Same = Same0
    ;   subsumes_term(X, Y),
        subsumes_term(Y, X),
        X = Y,
        Same = [N|Same0]
    ).

takes_apart(J, Head, Element, Rest) :- compound(Head), arg(J, Head, List), nonvar(List), List = [Element|Rest].

recurs(Body, Name, Arity, I, X, J, Rest) :-
    sub_goal(Body, Call),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(I, Call, A),
    A == X,
    arg(J, Call, B),
    B == Rest,
    !.

next_clause(Name, Arity, First, Second) :-
    findall(N, ( item(N, Name, Arity, _, _, _, _, _, _, _), N > First ), Ns),
    min_list(Ns, Second).

                /*******************************
                *            TABLES            *
                *******************************/

%   A tabled argument that grows in each round through a relation
finds('PL026', File, AP, [Shown, What], false) :-
    body_of(Name, Arity, _, clause, File, _, c(Head, HP, Body, BP, _)),
    declared(table, Name, Arity),
    \+ declared(moded_table, Name, Arity),
    compound(Head),
    goals(Body, BP, Goals),
    select(goal(Call, _), Goals, Others),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    \+ ( member(goal(Other, _), Others), bounds(Other) ),
    once(( member(goal(Step, _), Others), callable(Step), name_arity(Step, StepName, StepArity), head(StepName, StepArity), shares(Step, Call) )),
    arg(N, Head, Grown),
    arg(N, Call, Before),
    var(Before),
    \+ ( arg(M, Head, Given), M \== N, ( contains_var(Before, Given) ; compound(Given), arg(M, Call, Part), shares(Part, Given) ) ),
    findall(Other, ( member(goal(Other, _), Others), contains_var(Before, Other) ), Uses),
    (   compound(Grown),
        contains_var(Before, Grown),
        Uses == [],
        What = longer
    ;   var(Grown),
        Uses = [_],
        member(goal(Sum, _), Others),
        nonvar(Sum),
        Sum = (Result is Expression),
        Result == Grown,
        compound(Expression),
        contains_var(Before, Expression),
        What = larger
    ),
    argument_position(HP, N, AP),
    shown(clause, Name, Arity, Shown).

%   It tests, or takes a term apart.
bounds(Goal) :- var(Goal), !, fail.
bounds(Goal) :- asks(Goal), !.
bounds(Goal) :- memberchk(Goal, [!, (_ ; _), (_ -> _)]), !.
bounds(Goal) :- Goal \= (_ is _), compound(Goal), arg(_, Goal, Argument), compound(Argument), !.

%   The condition of an if-then-else calls the table that the clause makes
finds('PL027', File, P, [Shown, Outer], true) :-
    body_of(Name, Arity, _, Kind, File, _, c(_, _, Body, BP, _)),
    declared(table, Name, Arity),
    within(Kind, Body, BP, Goal, GP),
    (   Goal = (If -> _), Outer = "the condition of `->`"
    ;   Goal = once(If), Outer = "once/1"
    ),
    plain(GP, term_position(_, _, _, _, [IP|_])),
    goals(If, IP, Goals),
    member(goal(Call, P), Goals),
    callable(Call),
    name_arity(Call, Name, Arity),
    shown(clause, Name, Arity, Shown).

                /*******************************
                *            STRINGS           *
                *******************************/

%   A string or another constant where a list is expected
finds('PL028', File, AP, [Sort, Shown], true) :-
    a_goal(File, c(_, _, _, _, _), Goal, P),
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    \+ head(Name, Arity),
    lists_of(Name, Arity, Ns),
    member(N, Ns),
    arg(N, Goal, Constant),
    atomic(Constant),
    Constant \== [],
    ( string(Constant) -> Sort = string ; Sort = constant ),
    argument_position(P, N, AP),
    shown(clause, Name, Arity, Shown).

                /*******************************
                *           RECURSION          *
                *******************************/

%   `expr(Z) --> term(X), "-", expr(Y), { Z is X - Y }.` groups to the right
finds('PL030', File, P, [Shown, Op, X, Y], true) :-
    body_of(Name, Arity, _, grammar, File, _, c(Head, _, Body, BP, Names)),
    compound(Head),
    goals(Body, BP, Goals),
    append(Before, [goal(Call, P)|After], Goals),
    callable(Call),
    predicate_of(grammar, Call, Name, Arity),
    \+ ( member(goal(Goal, _), After), \+ ( nonvar(Goal), Goal = {_} ) ),
    once(( member(goal(Terminal, _), Before), nonvar(Terminal), ( Terminal = [_|_] ; string(Terminal) ) )),
    member(goal(Left, _), Before),
    callable(Left),
    Left \= {_},
    (   member(goal({Inner}, _), After),
        sub_goal(Inner, Evaluation),
        Evaluation = (Z is Expression),
        contains_var(Z, Head)
    ;   arg(_, Head, Expression)
    ),
    nonvar(Expression),
    constraint_of(Expression, Op, A, B),
    memberchk(Op, [-, /, //]),
    var(A),
    var(B),
    contains_var(A, Left),
    contains_var(B, Call),
    \+ contains_var(A, Call),
    shown(grammar, Name, Arity, Shown),
    name_of(A, Names, X),
    name_of(B, Names, Y).

%   `digits([D]) --> digit(D).` before `digits([D|Ds]) --> digit(D), digits(Ds).`, where the text may go on
finds('PL050', File, HP, [Shown, Line], false) :-
    text_goes_on,
    body_of(Name, Arity, First, grammar, File, Unit, c(Head1, HP, Body1, BP1, _)),
    compound(Head1),
    arg(K, Head1, Short),
    is_list(Short),
    Short = [_|_],
    goals(Body1, BP1, Goals1),
    findall_goals(Goals1, Beginning),
    next_clause(Name, Arity, First, Second),
    body_of(Name, Arity, Second, grammar, File, Unit, c(Head2, _, Body2, BP2, _)),
    takes_apart(K, Head2, _, Rest),
    goals(Body2, BP2, Goals2),
    findall_goals(Goals2, Goals),
    append(Before, [Call], Goals),
    compound(Call),
    predicate_of(grammar, Call, Name, Arity),
    arg(K, Call, Passed),
    Passed == Rest,
    Before =@= Beginning,
    !,
    shown(grammar, Name, Arity, Shown),
    line_words(Second, Line).

findall_goals([], []).
findall_goals([goal(Goal, _)|Goals], [Goal|More]) :- findall_goals(Goals, More).

%   A goal of the program reads the beginning of a text.
text_goes_on :-
    clause_of(_, _, _, _, _, _, c(clause, _, _, Body, _, _, _)),
    sub_goal(Body, Goal),
    Goal = phrase(_, _, Rest),
    Rest \== [],
    !.

%   `predsort(younger, ...)` and `younger(O, _-A, _-B) :- compare(O, A, B).` drop what is equal
finds('PL049', File, P, [Shown, Order], false) :-
    a_goal(File, c(_, _, _, _, _), Goal, P),
    Goal = predsort(Name, _, _),
    atom(Name),
    findall(Head-By, clause_of(Name, 3, _, _, _, _, c(clause, Head, _, By, _, _, _)), [Head-By]),
    sub_goal(By, compare(Order0, A, B)),
    arg(1, Head, Result),
    Result == Order0,
    arg(2, Head, First),
    arg(3, Head, Second),
    A-B \== First-Second,
    format(string(Order), "~q/3", [Name]),
    Shown = "predsort/3".
