:- use_module(lpbridge).
:- use_module(library(plunit)).
:- use_module(library(clpfd)).

:- begin_tests(lpbridge).

test(terms_cross_and_come_back, Back == Term) :-
    Term = f(a, 1, 2.5, [x, [y]], g(h), 'Two Words', []),
    lpbridge:encode(Term, Carried),
    lpbridge:decode(Carried, Back, [], []).

test(atoms_and_strings_are_told_apart, A-S == -(a, abc)-"abc") :-
    lpbridge:encode(abc, A),
    lpbridge:encode("abc", S).

test(a_string_on_the_way_in, Term == "abc") :-
    lpbridge:decode(-(s, abc), Term, [], []).

test(the_same_name_is_the_same_variable) :-
    lpbridge:decode([-(v, x), -(v, y), -(v, x)], [X1, Y, X2], [], Named),
    X1 == X2,
    X1 \== Y,
    length(Named, 2).

test(nameless_variables_are_fresh) :-
    lpbridge:decode([-(v, '_'), -(v, '_')], [X, Y], [], []),
    X \== Y.

test(the_variables_of_a_goal, Names == ['X', '_Y', 'Z']) :-
    variables(user, "foo(X, _Y, Z)", Names).

test(a_goal_that_is_none) :-
    variables(user, "foo(", -(error, Text, _, _)),
    once(sub_string(Text, _, _, _, "Syntax error")).

test(a_ground_answer_is_its_values, Answers == [[1], [2]]) :-
    findall(Answer, answer(user, "member(X, [1, 2])", [], Answer), Answers).

test(inputs_are_bound, Answer == [[3, 1]]) :-
    answer(user, "reverse(L, R)", [-('L', [1, 3])], [_|Answer]).

test(an_open_answer_has_residuals_and_text) :-
    answer(user, "X in 1..3", [], -([X], [-(Goal, GoalText)], Text)),
    X == -(v, 'X'),
    Goal == -(t, in, [-(v, 'X'), -(t, '..', [1, 3])]),
    GoalText == "X in 1..3",
    Text == "X in 1..3.".

test(named_inputs_name_the_residual, GoalText == "r1c1 in 1..3") :-
    answer(user, "X in 1..3", [-('X', -(v, r1c1))], -(_, [-(_, GoalText)], _)).

test(an_error_is_an_answer) :-
    answer(user, "X is foo + 1", [], -(error, Text, _, _)),
    once(sub_string(Text, _, _, _, "not a function")).

test(a_ground_answer_as_text, Text == "X = [1, a].") :-
    ground_text(user, [-('X', [1, -(a, a)])], Text).

test(phases_are_counted_whether_they_succeed_or_fail, Names == [one, two]) :-
    phase(one, numlist(1, 1000, _)),
    \+ phase(two, ( numlist(1, 1000, _), fail )),
    phases(Phases),
    findall(Name, ( member(-(Name, Inferences, _), Phases), Inferences > 1000 ), Names).

test(phases_are_told_of_once, Phases == []) :-
    phase(one, true),
    phases(_),
    phases(Phases).

test(errors_while_loading_are_collected) :-
    consult_text(plt_wrong, "p(1).\np(2) p(3).\nq(X).\n", Messages),
    memberchk(-(error, _, 2, _, _), Messages),
    memberchk(-(warning, _, 3, _, _), Messages).

:- end_tests(lpbridge).
