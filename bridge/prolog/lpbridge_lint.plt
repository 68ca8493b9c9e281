% Run: swipl -g run_tests -t halt lpbridge_lint.plt

:- use_module(library(plunit)).
:- use_module(lpbridge_lint).

%   The checks that find something in a text, and the part of the first finding.
checks(Text, Checks) :-
    lint([text], [[text, '', Text]], [], [Findings|_]),
    findall(Check, member([Check|_], Findings), Checks).

part(Text, Part) :-
    lint([text], [[text, '', Text]], [], [[[_, _, From, To|_]|_]|_]),
    Length is To - From,
    sub_string(Text, From, Length, _, Part).

:- begin_tests(lint).

test(nothing, Checks == []) :- checks("p(X) :- q(X).\nq(1).\n", Checks).

test(nothing_runs, [setup(nb_setval(lint_ran, false)), true(Ran == false)]) :-
    checks(":- nb_setval(lint_ran, true).\n:- initialization(nb_setval(lint_ran, true)).\n", _),
    nb_getval(lint_ran, Ran).

test(operators, Checks == []) :- checks(":- op(700, xfx, ===>).\na ===> b.\n", Checks).

test(operators_are_of_the_text_alone, Checks == ['PL001']) :-
    checks(":- op(700, xfx, ===>).\na ===> b.\n", _),
    checks("a ===> b.\n", Checks).

test(all_syntax_errors, Checks == ['PL001', 'PL001']) :- checks("p(1.\nq(1).\nr s.\n", Checks).

test(part, Part == "r(X)") :- part("p(X) :- q(X), r(X).\nq(1).\n", Part).

test(closure, Part == "nop") :- part("p(X) :- maplist(nop, X).\n", Part).

test(grammar, Part == "tale(X)") :- part("story(X) --> [once], tale(X).\n", Part).

test(wanted, Wanted == []) :- lint([text], [[text, '', ":- use_module(nowhere).\n"]], [], [_, Wanted|_]).

test(open, Open == ["a file that is not there"]) :-
    lint([text], [[text, '', ":- use_module(nowhere).\n"]], [], [_, _, _, _, Open|_]).

test(whole, Whole == true) :-
    lint([text], [[text, '', ":- module(m, []).\n"]], [], [_, _, _, _, _, Whole|_]).

:- end_tests(lint).
