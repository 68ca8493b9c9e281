/** <module> Checks of `lint`: what is evaluated, and what is not
*/

:- module(lpbridge_arithmetic,
          [ arithmetic/2,     % +Goal, -Evaluated
            changed/3,        % +Goal, -Variable, -Operator
            expression/1,     % +Term
            constraint_of/4   % +Goal, ?Name, -A, -B
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(lpbridge_goal, [control/3]).
:- use_module(lpbridge_program).
:- use_module(lpbridge_source).

:- discontiguous finds/5.

arithmetic(_ is E, E).
arithmetic(A < B, A-B).
arithmetic(A > B, A-B).
arithmetic(A =< B, A-B).
arithmetic(A >= B, A-B).
arithmetic(A =:= B, A-B).
arithmetic(A =\= B, A-B).

%!  changed(+Goal, -Variable, -Operator) is semidet.
%
%   Goal says that a number is itself with something added, as an assignment would.

changed(X is E, X, is) :- var(X), nonvar(E), moves(E, X).
changed(X =:= E, X, =:=) :- var(X), nonvar(E), moves(E, X).
changed(X = E, X, =) :- var(X), nonvar(E), moves(E, X), expression(E).
changed(Goal, X, #=) :- constraint_of(Goal, #=, X, E), var(X), nonvar(E), ( E = A + N ; E = A - N ), A == X, integer(N), N \== 0.

constraint_of(Goal, Name, A, B) :- compound(Goal), compound_name_arguments(Goal, Name, [A, B]).

moves(A + B, X) :- A == X, !, B \== 0.
moves(B + A, X) :- A == X, !, B \== 0.
moves(A - B, X) :- A == X, !, B \== 0.
moves(A * B, X) :- A == X, !, B \== 1.
moves(B * A, X) :- A == X, !, B \== 1.
moves(A / B, X) :- A == X, B \== 1.
moves(A // B, X) :- A == X, B \== 1.

finds('PL009', File, Span, Words, true) :- unbound(Goal, File, Span, Words), Goal \= (_ == _).
finds('PL035', File, Span, Words, true) :- unbound(_ == _, File, Span, Words).

unbound(Goal, File, From-To, [Name, Times, Others]) :-
    clause_of(_, _, _, File, _, Branch, c(Kind, Head, _, Body, BP, _, Names)),
    Branch == [],
    BP \== none,
    \+ has_dict(Body),
    term_variables(Head, Seen),
    ( memberchk(Kind, [clause, rule]) -> flow(Body, BP, Seen, _, Tests, []) ; grammar_flow(Body, BP, Seen, _, Tests, []) ),
    member(test(Variable, Goal, P), Tests),
    \+ ( changed(Goal, Changed, _), Changed == Variable ),
    ( member(Name0=Value, Names), Value == Variable -> Name = Name0 ; Name = '_' ),
    once(place_of(Variable, Goal, P, From, To)),
    findall(Other, ( member(Other=V, Names), V \== Variable ), Others),
    ( occurrences_of_var(Variable, Head-Body, 1) -> Times = once ; Times = later ).

%   A name that is not a function in arithmetic: often a variable that begins with a small letter.
finds('PL014', File, From-To, [Name, Arity, Others], true) :-
    \+ imported(arithmetic_function, _),
    clause_of(_, _, _, File, _, Branch, c(_, _, _, Body, BP, _, Names)),
    Branch == [],
    BP \== none,
    conjunct(Body, BP, Goal, P),
    nonvar(Goal),
    arithmetic(Goal, Evaluated),
    evaluated(Evaluated, Part),
    \+ current_arithmetic_function(Part),
    functor(Part, Name, Arity),
    once(place_of(Part, Goal, P, From, To)),
    findall(Other, member(Other=_, Names), Others).

%   The parts of an arithmetic term that are evaluated, but for numbers, strings, lists, and what a dict has.
evaluated(Term, Term) :- atom(Term), Term \== [].
evaluated(Term, Part) :-
    compound(Term),
    \+ is_list(Term),
    \+ of_dict(Term),
    (   Part = Term
    ;   current_arithmetic_function(Term),
        arg(_, Term, Argument),
        evaluated(Argument, Part)
    ).

%!  flow(+Body, +Position, +Seen0, -Seen)// is det.
%
%   Walk through Body as it runs. Seen are the variables that may be bound; in the list are the tests whose variable cannot
%   be bound: test(Variable, Goal, Position).

flow(Goal, _, Seen, [Goal|Seen]) --> { var(Goal) }, !.
flow(Goal, P0, Seen0, Seen) --> { plain(P0, P) }, flow_(Goal, P, Seen0, Seen).

flow_((A, B), term_position(_, _, _, _, [PA, PB]), Seen0, Seen) --> !, flow(A, PA, Seen0, Seen1), flow(B, PB, Seen1, Seen).
flow_((If ; Else), term_position(_, _, _, _, [PA, PB]), Seen0, Seen) -->
    !,
    flow(If, PA, Seen0, Seen1),
    flow(Else, PB, Seen0, Seen2),
    { append(Seen1, Seen2, Seen) }.
flow_((A -> B), term_position(_, _, _, _, [PA, PB]), Seen0, Seen) --> !, flow(A, PA, Seen0, Seen1), flow(B, PB, Seen1, Seen).
flow_((A *-> B), term_position(_, _, _, _, [PA, PB]), Seen0, Seen) --> !, flow(A, PA, Seen0, Seen1), flow(B, PB, Seen1, Seen).
flow_(\+ A, term_position(_, _, _, _, [P]), Seen0, Seen) --> !, flow(A, P, Seen0, Seen).
flow_(Goal, P, Seen0, Seen) -->
    { arithmetic(Goal, Evaluated) -> true ; Goal = (A == B), ( var(A), Evaluated = A ; var(B), Evaluated = B ) },
    !,
    { term_variables(Evaluated, Variables),
      fresh(Variables, Seen0, Fresh),
      term_variables(Goal, All),
      append(All, Seen0, Seen)
    },
    tests(Fresh, Goal, P).
flow_(Goal, _, Seen0, Seen) --> { term_variables(Goal, Variables), append(Variables, Seen0, Seen) }.

tests([], _, _) --> [].
tests([V|Vs], Goal, P) --> [test(V, Goal, P)], tests(Vs, Goal, P).

fresh(Variables, Seen, Fresh) :- exclude(among(Seen), Variables, Fresh).

among(Variables, Variable) :- contains_var(Variable, Variables).

grammar_flow(Body, _, Seen, [Body|Seen]) --> { var(Body) }, !.
grammar_flow(Body, P0, Seen0, Seen) --> { plain(P0, P) }, grammar_flow_(Body, P, Seen0, Seen).

grammar_flow_(Body, term_position(_, _, _, _, [PA, PB]), Seen0, Seen) -->
    { grammar_control(Body, A, B) },
    !,
    grammar_flow(A, PA, Seen0, Seen1),
    { Body = (_ ; _) -> Seen2 = Seen0 ; Body = (_ '|' _) -> Seen2 = Seen0 ; Seen2 = Seen1 },
    grammar_flow(B, PB, Seen2, Seen3),
    { append(Seen1, Seen3, Seen) }.
grammar_flow_({Goal}, brace_term_position(_, _, P), Seen0, Seen) --> !, flow(Goal, P, Seen0, Seen).
grammar_flow_(Body, _, Seen0, Seen) --> { term_variables(Body, Variables), append(Variables, Seen0, Seen) }.

%   Equations between terms where numbers are meant.
finds('PL010', File, P, [Op, Why, Clpfd, OpFrom, OpTo, Left], Certain) :-
    clause_of(Name, Arity, _, File, _, _, c(Kind, Head, _, Body, BP, _, _)),
    memberchk(Kind, [clause, rule]),
    BP \== none,
    term_variables(Head, Given),
    goal_after(Body, BP, Given, Goal, P, Before),
    equation(Goal, A, B, Op),
    \+ changed(Goal, _, _),
    (   Op \== is,
        never(A, B)
    ->  Why = never, Certain = true
    ;   Op == is
    ->  expression(A), Why = left, Certain = true
    ;   library(clpfd),
        integers(A, B, Body)
    ->  Why = terms, Certain = true
    ;   variable_is(A, B, Variable, _),
        is_number(Variable, Goal, Body)
    ->  Why = number, Certain = true
    ;   memberchk(Op, [=, ==]),
        variable_is(A, B, Variable, Expression),
        (   library(clpfd),
            in_constraint(Variable, Body)
        ->  Why = constraint, Certain = true
        ;   term_variables(Expression, Variables),
            fresh(Variables, Before, []),
            number_meant(Variable, Expression, Name, Arity, Head, Body, Certain)
        ->  Why = evaluated
        )
    ),
    ( var(A) -> Left = true ; Left = false ),
    ( library(clpfd) -> Clpfd = true ; Clpfd = false ),
    P = term_position(_, _, OpFrom, OpTo, _).

%   A goal of a body, and the variables before it.
goal_after(Body, _, _, _, _, _) :- var(Body), !, fail.
goal_after((A, B), P0, Seen0, Goal, P, Before) :-
    !,
    plain(P0, term_position(_, _, _, _, [PA, PB])),
    (   goal_after(A, PA, Seen0, Goal, P, Before)
    ;   term_variables(A, Variables),
        append(Variables, Seen0, Seen),
        goal_after(B, PB, Seen, Goal, P, Before)
    ).
goal_after(Body, P0, Seen, Goal, P, Seen) :- goal_in(Body, P0, Goal, P).

goal_in(Body, _, _, _) :- var(Body), !, fail.
goal_in(Body, P0, Goal, P) :-
    plain(P0, P1),
    (   control(Body, A, B)
    ->  P1 = term_position(_, _, _, _, [PA, PB]),
        ( goal_in(A, PA, Goal, P) ; goal_in(B, PB, Goal, P) )
    ;   Body = (\+ A)
    ->  P1 = term_position(_, _, _, _, [PA]),
        goal_in(A, PA, Goal, P)
    ;   Goal = Body, P = P1
    ).

equation(A = B, A, B, =).
equation(A == B, A, B, ==).
equation(A \= B, A, B, \=).
equation(A \== B, A, B, \==).
equation(A is B, A, B, is).

%   One side is to be evaluated, and the other one is a number or another function: as terms they are never equal.
never(A, B) :- expression(A), ( number(B) ; expression(B) ), A \= B, !.
never(A, B) :- expression(B), number(A), !.

%   Both sides are to be evaluated, and have a variable with a domain; pairs are none.
integers(A, B, Body) :-
    expression(A),
    expression(B),
    \+ ( A = _-_, B = _-_ ),
    term_variables(A-B, Variables),
    member(Variable, Variables),
    in_constraint(Variable, Body),
    !.

expression(Term) :-
    compound(Term),
    operation(Term),
    forall(arg(_, Term, Argument), operand(Argument)).

operand(Argument) :- var(Argument), !.
operand(Argument) :- number(Argument), !.
operand(Argument) :- expression(Argument).

operation(_ + _).
operation(_ - _).
operation(_ * _).
operation(_ / _).
operation(_ // _).
operation(_ mod _).
operation(_ rem _).
operation(_ div _).
operation(_ ** _).
operation(_ ^ _).
operation(abs(_)).
operation(max(_, _)).
operation(min(_, _)).

variable_is(A, B, A, B) :- var(A), expression(B), !.
variable_is(A, B, B, A) :- var(B), expression(A).

%   Another goal of the same conjunction makes the variable a number, before or after: `is` on either side of the equation,
%   and before it a length, a sum or a constraint.
is_number(Variable, Equation, Body) :-
    conjunction(Body, Goals),
    append(Before, [Goal|After], Goals),
    Goal == Equation,
    (   member(Other, Before), makes_number(Other, Number)
    ;   member(Other, After), nonvar(Other), Other = (Number is _)
    ),
    Number == Variable,
    !.

conjunction(Body, [Body]) :- var(Body), !.
conjunction((A, B), Goals) :- !, conjunction(A, As), conjunction(B, Bs), append(As, Bs, Goals).
conjunction(Body, Branch) :-
    control(Body, A, B),
    Body \= (_ -> _),
    ( conjunction(A, Branch) ; conjunction(B, Branch) ).
conjunction((A -> B), Goals) :- conjunction((A, B), Goals).
conjunction(Body, [Body]) :- \+ control(Body, _, _).

makes_number(Goal, _) :- var(Goal), !, fail.
makes_number(N is _, N).
makes_number(length(_, N), N).
makes_number(sum_list(_, N), N).
makes_number(sumlist(_, N), N).
makes_number(between(_, _, N), N).
makes_number(integer(N), N).
makes_number(number(N), N).
makes_number(Goal, N) :-
    compound(Goal),
    compound_name_arity(Goal, Name, 2),
    memberchk(Name, [#=, #\=, #<, #>, #=<, #>=]),
    term_variables(Goal, Variables),
    member(N, Variables).

%   The variable is one of those that a domain or a labelling is about, or of a list that has the name of one: it is an
%   integer, and never a compound term.
in_constraint(Variable, Body) :-
    sub_goal(Body, Goal),
    domain_goal(Goal, Term),
    (   var(Term), sub_goal(Body, (List = Elements)), List == Term
    ->  term_variables(Elements, Variables)
    ;   term_variables(Term, Variables)
    ),
    contains_var(Variable, Variables),
    !.

domain_goal(Goal, Term) :- compound(Goal), compound_name_arity(Goal, Name, 2), memberchk(Name, [in, ins]), arg(1, Goal, Term).
domain_goal(label(Term), Term).
domain_goal(labeling(_, Term), Term).
domain_goal(indomain(Term), Term).
domain_goal(all_different(Term), Term).
domain_goal(all_distinct(Term), Term).

%   The variable is an argument of the head, or is passed on to the predicate's own argument, where a clause or a call has an
%   integer. Not of a predicate whose heads take arithmetic terms apart. It is certain that a clause with an integer does not
%   match what is passed on; a term that is built may be meant, unless a number is part of it.
number_meant(Variable, Expression, Name, Arity, Head, Body, Certain) :-
    (   sub_goal(Body, Call),
        compound(Call),
        compound_name_arity(Call, Name, Arity),
        Passed = true
    ;   Call = Head,
        compound(Call),
        ( sub_term(Part, Expression), number(Part) -> Passed = true ; Passed = false )
    ),
    arg(N, Call, Argument),
    Argument == Variable,
    has_integer(Name, Arity, N, InHead),
    \+ ( clause_of(Name, Arity, _, _, _, _, c(_, Other, _, _, _, _, _)),
         sub_goal(Other, Term),
         expression(Term)
       ),
    !,
    ( Passed == true, InHead == true -> Certain = true ; Certain = false ).

has_integer(Name, Arity, N, true) :-
    clause_of(Name, Arity, _, _, _, _, c(_, Head, _, _, _, _, _)),
    compound(Head),
    arg(N, Head, Value),
    integer(Value),
    !.
has_integer(Name, Arity, N, false) :-
    clause_of(_, _, _, _, _, _, c(_, _, _, Body, _, _, _)),
    sub_goal(Body, Call),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(N, Call, Value),
    integer(Value),
    !.
