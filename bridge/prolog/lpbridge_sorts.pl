/** <module> Checks of `lint`: terms of sorts that never meet

What sorts of terms the arguments of a predicate may have where it succeeds is computed from all its clauses, as a least
fixpoint. A goal that gets a term of none of these sorts never succeeds. See lpbridge_types.pl for sorts.
*/

:- module(lpbridge_sorts,
          [ sorts/0         % PL043
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(lpbridge_arithmetic).
:- use_module(lpbridge_meaning).
:- use_module(lpbridge_program).
:- use_module(lpbridge_source).
:- use_module(lpbridge_types).

%   More clauses, or rounds, take long.
most(2 000).
rounds(8).

:- dynamic
    analysed/2,             % Name, Arity: its clauses are all known
    success/3.              % Name, Arity, Sorts of the arguments where it succeeds; none: it has not so far

sorts :-
    retractall(analysed(_, _)),
    retractall(success(_, _, _)),
    findall(x, item(_, _, _, _, _, _, _, _, _, _), Items),
    length(Items, Number),
    most(Most),
    Number =< Most,
    forall(( head(Name, Arity), is_known(Name, Arity) ), assertz(analysed(Name, Arity))),
    rounds(Rounds),
    fixpoint(Rounds),
    forall(( body_of(_, _, _, Kind, File, _, c(Head, _, Body, BP, Names)), memberchk(Kind, [clause, rule]) ),
           ( given(Head, Env), flow(Body, BP, report(File, Names), Env, _) )),
    forall(question(Goal), ( asked_clash(Goal) -> true ; true )),
    fail.
sorts.

is_known(Name, Arity) :-
    \+ changes(Name, Arity),
    \+ ( declared(Kind, Name, Arity), \+ memberchk(Kind, [(discontiguous), (table), (public)]) ),
    \+ ( clause_of(Name, Arity, _, _, _, Branch, c(Kind, _, _, _, _, _, _)), ( Kind \== clause ; Branch \== [] ) ).

fixpoint(0) :-
    !,
    forall(( analysed(Name, Arity), unsteady(Name, Arity, _) ), retractall(analysed(Name, Arity))).
fixpoint(Rounds) :-
    findall(success(Name, Arity, Sorts), ( analysed(Name, Arity), unsteady(Name, Arity, Sorts) ), Changed),
    (   Changed == []
    ->  true
    ;   forall(member(success(Name, Arity, Sorts), Changed),
               ( retractall(success(Name, Arity, _)), assertz(success(Name, Arity, Sorts)) )),
        Less is Rounds - 1,
        fixpoint(Less)
    ).

%   With what is known of the others, it succeeds with other sorts than were known.
unsteady(Name, Arity, Sorts) :-
    findall(Each, ( clause_of(Name, Arity, _, _, _, _, Clause), clause_sorts(Clause, Each) ), [First|More]),
    foldl(either_each, More, First, Sorts),
    \+ success(Name, Arity, Sorts).

either_each(As, Bs, Cs) :- maplist(either, As, Bs, Cs).

clause_sorts(c(_, Head, _, Body, BP, _, _), Sorts) :-
    given(Head, Env0),
    (   BP == none
    ->  Env = Env0
    ;   has_dict(Body)
    ->  Env = []
    ;   flow(Body, BP, quiet, Env0, Env)
    ),
    Env \== bottom,
    ( compound(Head) -> compound_name_arguments(Head, _, Arguments) ; Arguments = [] ),
    maplist(sort_in(Env), Arguments, Sorts).

                /*******************************
                *             FLOW             *
                *******************************/

%   What is known of variables is b(Variable, Sort, From) each, in a list: From is `head`, or the span of the goal that
%   has given the variable its sort. It is `bottom` where a goal does not succeed.

given(Head, Env) :- term_variables(Head, Variables), maplist(open_in_head, Variables, Env).

open_in_head(Variable, b(Variable, any, head)).

known(Variable, Env, Sort, From) :- member(b(Other, Sort0, From0), Env), Other == Variable, !, Sort = Sort0, From = From0.

sort_in(Env, Term, Sort) :- sort_in(Term, Env, 0, Sort).

sort_in(Term, Env, _, Sort) :- var(Term), !, ( known(Term, Env, Sort0, _) -> Sort = Sort0 ; Sort = any ).
sort_in(Term, _, _, [number]) :- number(Term), !.
sort_in(Term, _, _, [string]) :- string(Term), !.
sort_in([], _, _, [nil]) :- !.
sort_in(Term, _, _, Sort) :- atom(Term), !, ( current_arithmetic_function(Term) -> Sort = any ; Sort = [atom] ).
sort_in(_, _, 20, any) :- !.
sort_in([Element|Rest], Env, Depth, [cons(Sort)]) :-
    !,
    Deeper is Depth + 1,
    sort_in(Element, Env, Deeper, Sort1),
    sort_in(Rest, Env, Deeper, Sort2),
    elements(Sort2, Elements),
    either([cons(Sort1)], [cons(Elements)], [cons(Sort)]).
sort_in(_:_, _, _, any) :- !.       % a meta-argument
sort_in(Term, _, _, [Name/Arity]) :- compound_name_arity(Term, Name, Arity).

%   Term is of the sort from now on.
becomes(_, _, _, bottom, bottom) :- !.
becomes(Term, Sort, From, Env0, Env) :-
    (   Sort == []
    ->  Env = bottom
    ;   var(Term)
    ->  (   append(Before, [b(Other, Old, _)|After], Env0),
            Other == Term
        ->  both(Old, Sort, New),
            ( New == [] -> Env = bottom ; New == Old -> Env = Env0 ; append(Before, [b(Term, New, From)|After], Env) )
        ;   Env = [b(Term, Sort, From)|Env0]
        )
    ;   Term = [Element|Rest]
    ->  elements(Sort, Elements),
        (   Elements == []
        ->  Env = Env0
        ;   becomes(Element, Elements, From, Env0, Env1),
            becomes(Rest, [nil, cons(Elements)], From, Env1, Env)
        )
    ;   Env = Env0
    ).

%!  flow(+Body, +Position, +Report, +Env0, -Env) is det.
%
%   Env is what is known after Body. Report is `quiet`, or report(File, Names): then a goal that never succeeds is noted.

flow(_, _, _, bottom, Env) :- !, Env = bottom.
flow(Goal, _, _, Env, Env) :- var(Goal), !.
flow(Goal, P0, Report, Env0, Env) :- plain(P0, P), flow_(Goal, P, Report, Env0, Env).

flow_((A, B), term_position(_, _, _, _, [PA, PB]), Report, Env0, Env) :-
    !,
    flow(A, PA, Report, Env0, Env1),
    flow(B, PB, Report, Env1, Env).
flow_((If -> Then ; Else), term_position(_, _, _, _, [term_position(_, _, _, _, [PI, PT]), PE]), Report, Env0, Env) :-
    !,
    flow(If, PI, quiet, Env0, Env1),
    flow(Then, PT, Report, Env1, Env2),
    flow(Else, PE, Report, Env0, Env3),
    one_of(Env2, Env3, Env).
flow_((If -> Then), term_position(_, _, _, _, [PI, PT]), Report, Env0, Env) :-
    !,
    flow(If, PI, quiet, Env0, Env1),
    flow(Then, PT, Report, Env1, Env).
flow_((A ; B), term_position(_, _, _, _, [PA, PB]), Report, Env0, Env) :-
    !,
    flow(A, PA, Report, Env0, Env1),
    flow(B, PB, Report, Env0, Env2),
    one_of(Env1, Env2, Env).
flow_(findall(Template, Goal, List), P, Report, Env0, Env) :-
    !,
    argument_position(P, 2, PG),
    flow(Goal, PG, Report, Env0, Env1),
    ( Env1 == bottom -> Sort = [nil] ; sort_in(Env1, Template, Elements), Sort = [nil, cons(Elements)] ),
    arguments(findall(_, _, List), [any, any, Sort], P, Report, Env0, Env).
flow_(aggregate_all(What, Goal, Result), P, Report, Env0, Env) :-
    !,
    argument_position(P, 2, PG),
    flow(Goal, PG, Report, Env0, _),
    ( nonvar(What), aggregates(What, Sort) -> true ; Sort = any ),
    arguments(aggregate_all(_, _, Result), [any, any, Sort], P, Report, Env0, Env).
flow_(Test, P, _, Env0, Env) :- test_sort(Test, Variable, Sort), !, start(P, From), becomes(Variable, Sort, From, Env0, Env).
flow_(A = B, P, Report, Env0, Env) :- !, equal(A, B, P, Report, Env0, Env).
flow_(A == B, P, Report, Env0, Env) :- !, equal(A, B, P, Report, Env0, Env).
flow_(A is B, P, Report, Env0, Env) :-
    !,
    numbers(B, P, Report, Env0, Env1),
    arguments(A is B, [[number], any], P, Report, Env1, Env).
flow_(Goal, P, Report, Env0, Env) :- arithmetic(Goal, Evaluated), !, numbers(Evaluated, P, Report, Env0, Env).
flow_(Goal, P, Report, Env0, Env) :-
    callable(Goal),
    name_arity(Goal, Name, Arity),
    Arity > 0,
    !,
    (   head(Name, Arity)
    ->  (   \+ analysed(Name, Arity)
        ->  Env = Env0
        ;   success(Name, Arity, Sorts)
        ->  arguments(Goal, Sorts, P, Report, Env0, Env)
        ;   Env = bottom
        )
    ;   arguments(Name, Arity, Types),
        ( built_in(Name, Arity) -> true ; imported(Name, Arity) -> true ; in_library(Name, Arity) )
    ->  types(Types, Goal, Env0, Sorts),
        arguments(Goal, Sorts, P, Report, Env0, Env)
    ;   Env = Env0
    ).
flow_(Goal, _, _, _, bottom) :- memberchk(Goal, [fail, false]), !.
flow_(_, _, _, Env, Env).

aggregates(count, [number]).
aggregates(sum(_), [number]).
aggregates(max(_, _), [max/2]).
aggregates(min(_, _), [min/2]).
aggregates(bag(_), [nil, cons(any)]).
aggregates(set(_), [nil, cons(any)]).

start(P, From-To) :- span(P, From, To).

test_sort(number(X), X, [number]).
test_sort(integer(X), X, [number]).
test_sort(float(X), X, [number]).
test_sort(string(X), X, [string]).
test_sort(is_list(X), X, [nil, cons(any)]).
test_sort(atom(X), X, [atom, nil]).

%   What is known in one of two ways.
one_of(bottom, Env, Env) :- !.
one_of(Env, bottom, Env) :- !.
one_of(Env1, Env2, Env) :- maplist(either_in(Env2), Env1, Env).

either_in(Env, b(V, Sort1, From), b(V, Sort, From)) :-
    ( known(V, Env, Sort2, _) -> either(Sort1, Sort2, Sort) ; Sort = any ).

equal(A, B, P, Report, Env0, Env) :-
    sort_in(Env0, A, SortA),
    sort_in(Env0, B, SortB),
    (   clash(SortA, SortB)
    ->  ( ( nonvar(A), nonvar(B) ) -> true ; differ(A, SortA, B, SortB, P, Report, Env0) ),
        Env = bottom
    ;   both(SortA, SortB, Sort),
        start(P, From),
        becomes(A, Sort, From, Env0, Env1),
        becomes(B, Sort, From, Env1, Env)
    ).

differ(_, _, _, _, _, quiet, _) :- !.
differ(A, SortA, B, SortB, P, report(File, Names), Env) :-
    ( var(A) -> Variable-Sort-Other = A-SortA-SortB ; Variable-Sort-Other = B-SortB-SortA ),
    note(Variable, Sort, Other, equal, 0, '', P, File, Names, Env).

note(Term, Sort, Other, What, N, Hint, P, File, Names, Env) :-
    (   var(Term)
    ->  name_of(Term, Names, Name),
        ( known(Term, Env, _, From-To) -> true ; From-To = 0-0 )
    ;   Name = '',
        From-To = 0-0
    ),
    described(Sort, Given),
    described(Other, Wanted),
    span(P, Begin, End),
    (   finding(_, File, Begin0, End0, _, true),        % another check has said what is wrong
        Begin0 =< Begin,
        End =< End0
    ->  true
    ;   found('PL043', File, Begin, End, [What, N, Name, From, To, Given, Wanted, Hint], true)
    ).

%   Variables of a term that is evaluated.
numbers(Term, P, Report, Env0, Env) :-
    term_variables(Term, Variables),
    numbers_(Variables, P, Report, Env0, Env).

numbers_([], _, _, Env, Env).
numbers_([V|Vs], P, Report, Env0, Env) :-
    (   known(V, Env0, Sort, _),
        Sort \== any,
        \+ ( member(Shape, Sort), ( Shape == number ; Shape = _/_ ; Shape == cons(any) ) ),
        \+ ( member(cons(Elements), Sort), \+ clash(Elements, [number]) ),
        Sort \== [nil]
    ->  ( Report = report(File, Names) -> note(V, Sort, [number], evaluated, 0, '', P, File, Names, Env0) ; true ),
        Env = bottom
    ;   numbers_(Vs, P, Report, Env0, Env)
    ).

%   The sorts of the arguments of a goal of the system.
types(Types, Goal, Env, Sorts) :-
    name_arity(Goal, Name, Arity),
    findall(N-Sort, ( nth1(N, Types, Type), arg(N, Goal, Argument), type_in(Type, Argument, Env, Sort) ), Pairs),
    findall(Sort, member(_-Sort, Pairs), Sorts0),
    (   in_list(Name, Arity, N, L)
    ->  arg(L, Goal, List),
        sort_in(Env, List, ListSort),
        elements(ListSort, Elements),
        ( Elements == [] -> Sorts = Sorts0 ; replaced(N, Elements, Sorts0, Sorts) )
    ;   same_elements(Name, Arity, [N, M])
    ->  arg(N, Goal, One),
        sort_in(Env, One, OneSort),
        elements(OneSort, Elements),
        ( memberchk(Elements, [any, []]) -> Sorts = Sorts0 ; replaced(M, [nil, cons(Elements)], Sorts0, Sorts) )
    ;   Sorts = Sorts0
    ).

type_in(gives(Type), Argument, Env, Sort) :-
    !,
    ( var(Argument), \+ known(Argument, Env, _, _) -> sort_of_type(Type, Sort) ; Sort = any ).
type_in(Type, _, _, Sort) :- sort_of_type(Type, Sort).

replaced(N, Sort, Sorts0, Sorts) :-
    nth1(N, Sorts0, _, Others),
    nth1(N, Sorts, Sort, Others).

arguments(Goal, Sorts, P, Report, Env0, Env) :-
    length(Sorts, Arity),
    numlist(1, Arity, Ns),
    foldl(argument(Goal, Sorts, P, Report), Ns, Env0, Env).

argument(_, _, _, _, _, bottom, bottom) :- !.
argument(Goal, Sorts, P, Report, N, Env0, Env) :-
    nth1(N, Sorts, Sort),
    arg(N, Goal, Argument),
    sort_in(Env0, Argument, Given),
    (   clash(Given, Sort)
    ->  (   Report = report(File, Names)
        ->  ( argument_position(P, N, AP) -> true ; AP = P ),
            name_arity(Goal, Name, Arity),
            shown(clause, Name, Arity, Shown),
            ( hint(Goal, Sorts, N, Given, Env0, Hint) -> true ; Hint = '' ),
            note(Argument, Given, Sort, Shown, N, Hint, AP, File, Names, Env0)
        ;   true
        ),
        Env = bottom
    ;   both(Given, Sort, Both),
        ( Both == [] -> New = Given ; New = Both ),
        start(P, From),
        becomes(Argument, New, From, Env0, Env)
    ).

%   Arguments in the wrong order; `0..N-1`; a list of lists.
hint(Goal, Sorts, N, Given, Env, exchanged(N, M)) :-
    nth1(N, Sorts, Sort),
    nth1(M, Sorts, Other),
    M \== N,
    Other \== any,
    \+ clash(Given, Other),
    arg(M, Goal, Argument),
    sort_in(Env, Argument, Instead),
    Instead \== any,
    \+ clash(Instead, Sort).
hint(Goal, _, N, _, _, range) :-
    arg(N, Goal, Argument),
    nonvar(Argument),
    ( Argument = Range + _ ; Argument = Range - _ ),
    compound(Range),
    compound_name_arity(Range, .., 2).
hint(_, Sorts, N, Given, _, each) :-
    nth1(N, Sorts, Sort),
    length(Sorts, 1),
    elements(Given, Elements),
    \+ memberchk(Elements, [any, []]),
    \+ clash(Elements, Sort).

                /*******************************
                *        GOALS ASKED FOR       *
                *******************************/

%   A goal in question that has a term of a sort that no clause takes: the finding is at the goal of a clause that gives
%   a variable of the head its sort, or at the first clause.
asked_clash(Goal) :-
    name_arity(Goal, Name, Arity),
    success(Name, Arity, Sorts),
    analysed(Name, Arity),
    nth1(N, Sorts, Sort),
    arg(N, Goal, Argument),
    nonvar(Argument),
    sort_in([], Argument, Given),
    clash(Given, Sort),
    (   clause_of(Name, Arity, _, File, _, _, c(_, Head, _, Body, BP, _, Names)),
        BP \== none,
        \+ has_dict(Body),
        given(Head, Env0),
        flow(Body, BP, quiet, Env0, Env),
        Env \== bottom,
        arg(N, Head, Place),
        gives(Place, Given, Env, Variable, Begin-End)
    ->  ( lacks_brackets(Variable, Given, Env) -> name_of(Variable, Names, Hint) ; Hint = '' )
    ;   clause_of(Name, Arity, _, File, _, _, c(_, _, HP, _, _, _, _)),
        span(HP, Begin, End),
        Hint = head
    ),
    !,
    shown(clause, Name, Arity, Shown),
    format(string(Text), "~W", [Argument, [quoted(true), max_depth(6), spacing(next_argument)]]),
    described(Given, Is),
    described(Sort, Wanted),
    found('PL043', File, Begin, End, [Shown, N, Text, -1, 0, Is, Wanted, Hint], true).

%   A variable of an argument that never has the sort which is given there, and the span of the goal that says so.
gives(Variable, Given, Env, Variable, From) :-
    var(Variable),
    !,
    known(Variable, Env, Sort, From),
    From \== head,
    clash(Given, Sort).
gives([Element|Rest], Given, Env, Variable, From) :-
    elements(Given, Elements),
    ( gives(Element, Elements, Env, Variable, From) -> true ; gives(Rest, Given, Env, Variable, From) ).

%   It is an element, and is used as a list.
lacks_brackets(Variable, Given, Env) :-
    elements(Given, Elements),
    Elements \== [],
    known(Variable, Env, Sort, _),
    memberchk(nil, Sort),
    clash(Elements, Sort).

