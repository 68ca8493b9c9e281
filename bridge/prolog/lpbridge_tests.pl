/** <module> The tests of plunit as goals

A test is read, not loaded. Each becomes a goal that succeeds when the test passes; or, of a test that its body should fail,
the body itself, which should not succeed.
*/

:- module(lpbridge_tests,
          [ unit_tests/3    % +Text, +Own, -Tests
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(option)).
:- use_module(lpbridge_source).

%!  unit_tests(+Text, +Own, -Tests) is det.
%
%   Tests are lists [Unit, Name, Offset, Succeeds, Goal]: Offset is where the test begins in Text, Succeeds `true`, `false` or
%   `skipped`. Other clauses, and directives that matter to the reading, are lists [Unit, Text]
%   with the unit that they stand in, or `none`. Own is the module of the program: its predicates are
%   called without it.

unit_tests(Text, Own, Tests) :-
    reading_module(Module),
    setup_call_cleanup(
        open_source(Text, Stream),
        read_tests(Stream, Module, Own, none, Tests),
        close(Stream)).

read_tests(Stream, Module, Own, Unit, Tests) :-
    next_term(Stream, Module, Term, Position, Names, _),
    (   Term == end_of_file
    ->  Tests = []
    ;   arg(1, Position, Offset),
        taken(Term, Offset, Names, Module, Own, Unit, Unit1, Tests, Tests1),
        read_tests(Stream, Module, Own, Unit1, Tests1)
    ).

taken((:- begin_tests(Unit)), _, _, _, _, _, Unit, Tests, Tests) :- !.
taken((:- begin_tests(Unit, _)), _, _, _, _, _, Unit, Tests, Tests) :- !.
taken((:- end_tests(_)), _, _, _, _, _, none, Tests, Tests) :- !.
taken((:- Directive), _, _, Module, _, Unit, Unit, Tests0, Tests) :-
    !,
    ignore(catch(directive(Directive, Module), _, true)),
    (   passed_on(Directive)
    ->  written((:- Directive), [], Module, Text),
        Tests0 = [[Unit, Text]|Tests]
    ;   Tests0 = Tests
    ).
taken(Term, Offset, Names, Module, Own, Unit, Unit, [[UnitText, NameText, Offset, Succeeds, Goal]|Tests], Tests) :-
    Unit \== none,
    test_of(Term, Name, Options, Body),
    !,
    format(string(UnitText), "~w", [Unit]),
    format(string(NameText), "~w", [Name]),
    (   goal_of(Options, Body, Succeeds, Goal0)
    ->  without(Own, Goal0, Goal1),
        written(Goal1, Names, Module, Goal)
    ;   Succeeds = skipped, Goal = ""
    ).
taken(Term, _, Names, Module, Own, Unit, Unit, [[Unit, Clause]|Tests], Tests) :-
    without(Own, Term, Term1),
    written(Term1, Names, Module, Clause).

passed_on(Directive) :- nonvar(Directive), Directive = op(_, _, _).
passed_on(Directive) :- nonvar(Directive), Directive = use_module(library(Library)), Library \== plunit.
passed_on(Directive) :- nonvar(Directive), Directive = use_module(library(_), _).

test_of((test(Name) :- Body), Name, [], Body).
test_of((test(Name, Options) :- Body), Name, Options, Body).
test_of(test(Name), Name, [], true).
test_of(test(Name, Options), Name, Options, true).

%   How plunit judges each: see its manual, "Specification of tests".

goal_of(Options0, Body, Succeeds, Goal) :-
    ( is_list(Options0) -> Options = Options0 ; Options = [Options0] ),
    \+ ( member(Option, Options), nonvar(Option), memberchk(Option, [blocked(_), fixme(_)]) ),
    findall(Kind, ( member(Option, Options), outcome(Option, Kind) ), Kinds),
    (   Kinds = [fail|_],
        \+ ( member(Option, Options), nonvar(Option), wraps(Option) )
    ->  Succeeds = false, Goal = Body
    ;   Succeeds = true,
        judged(Options, Body, Goal0),
        foldl(wrapped, Options, Goal0, Goal)
    ).

wraps(forall(_)).
wraps(setup(_)).
wraps(cleanup(_)).
wraps(condition(_)).

outcome(Option, _) :- var(Option), !, fail.
outcome(fail, fail).
outcome(false, fail).

judged(Options, Body, Goal) :-
    (   member(Option, Options), nonvar(Option), judge(Option, Body, Goal)
    ->  true
    ;   conditions(Options, Conditions),
        conjunction([once(Body)|Conditions], Goal)
    ).

judge(fail, Body, \+ Body).
judge(false, Body, \+ Body).
judge(all(Compared), Body, (findall(Template, Body, Found), Same)) :- compared(Compared, Template, Found, Same).
judge(bag(Compared), Body, (findall(Template, Body, Found0), msort(Found0, Found), msort(Meant0, Meant), Same)) :-
    compared_sets(Compared, Template, Meant0, Found, Meant, Same).
judge(set(Compared), Body, (findall(Template, Body, Found0), sort(Found0, Found), sort(Meant0, Meant), Same)) :-
    compared_sets(Compared, Template, Meant0, Found, Meant, Same).
judge(throws(Error), Body, catch((Body, fail), Thrown, subsumes_term(Error, Thrown))).
judge(exception(Error), Body, catch((Body, fail), Thrown, subsumes_term(Error, Thrown))).
judge(error(Error), Body, catch((Body, fail), Thrown, subsumes_term(error(Error, _), Thrown))).
judge(error(Error, Context), Body, catch((Body, fail), Thrown, subsumes_term(error(Error, Context), Thrown))).

compared(Compared, Template, Found, Same) :-
    Compared =.. [Operator, Template, Meant],
    Same =.. [Operator, Found, Meant].

compared_sets(Compared, Template, Meant0, Found, Meant, Same) :-
    Compared =.. [Operator, Template, Meant0],
    Same =.. [Operator, Found, Meant].

conditions([], []).
conditions([Option|Options], Conditions) :-
    (   nonvar(Option), condition(Option, Condition)
    ->  Conditions = [Condition|Conditions1]
    ;   Conditions = Conditions1
    ),
    conditions(Options, Conditions1).

condition(true(Condition), Condition).
condition(Condition, Condition) :-
    functor(Condition, Name, 2),
    memberchk(Name, [=, \=, ==, \==, =@=, \=@=, =:=, =\=, <, >, =<, >=, @<, @>, @=<, @>=, is]).

conjunction([Goal], Goal) :- !.
conjunction([Goal|Goals], (Goal, More)) :- conjunction(Goals, More).

wrapped(Option, Goal, Goal) :- var(Option), !.
wrapped(forall(Generator), Goal, forall(Generator, Goal)) :- !.
wrapped(setup(Setup), Goal, (Setup, Goal)) :- !.
wrapped(cleanup(Cleanup), Goal, call_cleanup(once(Goal), Cleanup)) :- !.
wrapped(condition(Condition), Goal, (\+ \+ Condition -> Goal ; true)) :- !.
wrapped(_, Goal, Goal).

%   The module of the program itself before a goal goes: its variants are loaded into another one.

without(Own, Term, Plain) :-
    (   var(Term)
    ->  Plain = Term
    ;   Term = Module:Goal, Module == Own
    ->  without(Own, Goal, Plain)
    ;   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments0),
        maplist(without(Own), Arguments0, Arguments),
        compound_name_arguments(Plain, Name, Arguments)
    ;   Plain = Term
    ).

written(Term, Names, Module, Text) :-
    copy_term(Term-Names, Copy-Named),
    maplist(named, Named),
    term_variables(Copy, Others),
    foldl(numbered, Others, 1, _),
    format(string(Text), "~W",
           [Copy, [quoted(true), numbervars(true), module(Module), spacing(next_argument), portray(false)]]).

named(Name=Variable) :- ( var(Variable) -> Variable = '$VAR'(Name) ; true ).

numbered('$VAR'(Name), N0, N) :- atom_concat('_T', N0, Name), N is N0+1.
