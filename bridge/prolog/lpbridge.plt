:- use_module(lpbridge).
:- use_module(lpbridge_terms).
:- use_module(lpbridge_answers).
:- use_module(lpbridge_errors).
:- use_module(lpbridge_load).
:- use_module(library(plunit)).
:- use_module(library(clpfd)).

:- dynamic goals/1.

goals(0).

%   The chunks of a goal, as [Status, Answers, Error] each.
run(Text, Inputs, Most, Chunks) :-
    retract(goals(Id0)),
    Id is Id0 + 1,
    assertz(goals(Id)),
    variables(user, Text, Id, _),
    findall([Status, Answers, Error],
            limit(Most, chunks(0, Id, Inputs, Most, @(false), [_, Status, _, _, Answers, Error])),
            Chunks).

%   As Python does: no more answers are requested after Most.
:- meta_predicate limit(+, 0).

limit(Most, Goal) :-
    State = count(0),
    call(Goal),
    Goal = _:chunks(_, _, _, _, _, [_, _, _, _, Answers, _]),
    arg(1, State, Count0),
    length(Answers, Length),
    Count is Count0 + Length,
    nb_setarg(1, State, Count),
    ( Count >= Most -> ! ; true ).

answers(Text, Inputs, Answers) :-
    run(Text, Inputs, 1000000, Chunks),
    findall(Answer, ( member([_, Some, _], Chunks), member(Answer, Some) ), Answers).

there_and_back(Term, Back) :-
    encode(Term, Carried),
    no_names(None),
    decode(Carried, Back, None, _).

nested(0, x) :- !.
nested(N, f(Term)) :- N1 is N - 1, nested(N1, Term).

:- begin_tests(terms).

test(there_and_back, Back == Term) :-
    Term = f(a, 1, 2.5, [x, [y]], g(h), 'Two Words', [], "text", 1r3, h(), '[]', point{a: 1, b: [c]}),
    there_and_back(Term, Back).

test(partial_lists, Back =@= [a, b|_]) :- there_and_back([a, b|_], Back).

test(deep, Back == Term) :- nested(50000, Term), there_and_back(Term, Back).

test(deep_is_flat, true(Depth < 1000)) :-
    nested(50000, Term),
    encode(Term, Carried),
    depth(Carried, Depth).

test(deep_lists_and_dicts, Back == Term) :-
    Inner = [1, p{k: [2, "s"], m: g()}, [3|x]],
    deeper(150, Inner, Term),
    there_and_back(Term, Back).

test(atoms_and_strings_are_told_apart, A-S == abc-[@(none), "abc"]) :-
    encode(abc, A),
    encode("abc", S).

test(half_a_surrogate_pair, Back == Term) :-
    atom_codes(Half, [0'a, 0xD800]),
    string_codes(String, [0xDFFF]),
    dict_pairs(Dict, Half, [Half-1]),
    Term0 =.. [Half, Half, String, Dict],
    deeper(150, Term0, Deep),
    Term = [Term0, Deep],
    there_and_back(Term, Back).

test(half_a_surrogate_pair_as_codes, Carried-Plain == [@(true), s, [0'a, 0xD800]]-"a\uFFFD") :-
    atom_codes(Half, [0'a, 0xD800]),
    encode(Half, Carried),
    plain(Half, Plain).

test(a_large_integer_in_pieces, Term =:= (5 << 128) + 7) :-
    no_names(None),
    decode([@(true), i, 64, [7, 0, 5]], Term, None, None).

test(the_same_name_is_the_same_variable) :-
    no_names(None),
    decode([@(true), t, [[-1, 3], [@(true), v, x], [@(true), v, y], [@(true), v, x]]], [X1, Y, X2], None, Names),
    names(Names, Named),
    X1 == X2,
    X1 \== Y,
    length(Named, 2).

test(as_much_work_for_each_of_many_names_as_for_each_of_few, true(Many < 6 * Few)) :-   % 16 times if it were quadratic
    inferences(500, 16, Few),
    inferences(8000, 1, Many).

inferences(Count, Times, Inferences) :-
    findall([@(true), v, Name], ( between(1, Count, N), atom_concat('_V', N, Name) ), Carried),
    no_names(None),
    statistics(inferences, Before),
    forall(between(1, Times, _), decode([@(true), t, [[-1, Count]|Carried]], _, None, _)),
    statistics(inferences, After),
    Inferences is After - Before.

test(nameless_variables_are_fresh) :-
    no_names(None),
    decode([@(true), t, [[-1, 2], [@(true), v, '_'], [@(true), v, '_']]], [X, Y], None, None),
    X \== Y.

depth(Term, 0) :- \+ is_list(Term), !.
depth([], 0) :- !.
depth(Terms, Depth) :-
    findall(D, ( member(Term, Terms), depth(Term, D) ), Ds),
    max_list(Ds, Depth0),
    Depth is Depth0 + 1.

deeper(0, Term, Term) :- !.
deeper(N, Term0, [N|Term]) :- N1 is N - 1, deeper(N1, Term0, Term1), Term = [Term1].

:- end_tests(terms).

:- begin_tests(goals).

test(the_variables_of_a_goal, Names == ['X', '_Y', 'Z']) :- variables(user, "foo(X, _Y, Z)", a, Names).

test(a_goal_that_is_none, [Line, Column] == [1, 6]) :-
    variables(user, "foo(", b, [@(none), [Text, _, Line, Column|_]]),
    once(sub_string(Text, _, _, _, "Syntax error")).

test(inputs_are_bound, Answers == [[Reversed, List]]) :-
    List = [@(true), t, [[-1, 2], 1, 3]],
    Reversed = [@(true), t, [[-1, 2], 3, 1]],
    answers("reverse(L, R)", [['R', List]], Answers).

:- end_tests(goals).

:- begin_tests(chunks).

test(the_first_come_one_by_one, Chunks == [[more, [1], []], [more, [2], []], [more, [3], []], [complete, [4], []]]) :-
    run("between(1, 4, X)", [], 100, Chunks).

test(all_in_their_order, Answers == Numbers) :-
    numlist(1, 20000, Numbers),
    answers("between(1, 20000, X)", [], Answers).

test(the_last_without_a_choice_point_is_known_to_be, Chunks == [[complete, [1], []]]) :- run("X = 1", [], 1, Chunks).

test(never_more_than_asked_for, Seen == 7) :-
    nb_setval(lpbridge_seen, 0),
    run("between(1, inf, X), nb_setval(lpbridge_seen, X)", [], 7, Chunks),
    nb_getval(lpbridge_seen, Seen),
    last(Chunks, [more, _, []]).

test(an_error_comes_after_the_answers_before_it, Answers == [1, 2]) :-
    run("X = 1 ; X = 2 ; X is foo + 1", [], 100, Chunks),
    findall(Answer, ( member([_, Some, _], Chunks), member(Answer, Some) ), Answers),
    last(Chunks, [error, _, [Text|_]]),
    once(sub_string(Text, _, _, _, "not a function")).

test(what_waits_is_seen_from_another_thread, Answers == [65, 66]) :-
    thread_self(Me),
    thread_create(run("between(1, 66, X) ; thread_send_message(Me, ready), repeat, fail", [['Me', Me]], 100, _), Thread),
    thread_get_message(ready),
    pending(Thread, 0, [_, _, _, Waiting]),
    thread_signal(Thread, abort),
    thread_join(Thread, _),
    findall(X, member([X, _], Waiting), Answers).

test(phases_are_counted_whether_they_succeed_or_fail, Names == [one, two]) :-
    variables(user, "phase(one, numlist(1, 1000, _)), \\+ phase(two, ( numlist(1, 1000, _), fail ))", phases, _),
    once(chunks(0, phases, [], 1, @(false), [_, _, _, Phases|_])),
    findall(Name, ( member([Name, Inferences, _], Phases), Inferences > 1000 ), Names).

:- end_tests(chunks).

:- begin_tests(answers).

test(a_definite_answer_is_its_values, Answers == [[1, a], [2, a]]) :- answers("member(X, [1, 2]), Y = a", [], Answers).

test(one_value_is_itself, Answers == [1, [@(true), t, [[-1, 1], 2]], [@(true), t, [[1, f], a]]]) :-
    answers("member(X, [1, [2], f(a)])", [], Answers).

test(an_open_answer_has_residuals_and_text) :-
    answers("X in 1..3", [], [[@(true), o, [X], [[Goal, GoalText]], Text, [], []]]),
    X == [@(true), v, 'X'],
    Goal == [@(true), t, [[2, in], [@(true), v, 'X'], [2, '..'], 1, 3]],
    GoalText == "X in 1..3",
    Text == "X in 1..3.".

test(named_inputs_name_the_residual, GoalText == "r1c1 in 1..3") :-
    answers("X in 1..3", [['X', [@(true), v, r1c1]]], [[_, _, _, [[_, GoalText]], _, [], []]]).

test(cycles_are_residual_goals, Residuals == [[[@(true), t, [[2, =], X, [1, f], X]], "X=f(X)"]]) :-
    X = [@(true), v, 'X'],
    answers("X = f(X)", [], [[_, _, [X], Residuals, Text, [], []]]),
    Text == "X = f(X).".

test(attribute_goals_that_raise_do_no_harm, GoalText == "put_attr(X, lpbridge_plt, 1)") :-
    answers("put_attr(X, lpbridge_plt, 1)", [], [[_, _, _, [[_, GoalText]], _, [], []]]).

test(an_undefined_answer_has_delays_and_program, Delays-Program == [[p, "p"]]-["p:-tnot(q)", "q:-tnot(p)"]) :-
    answers("p", [], [[@(true), o, [], [], Text, Delays, Clauses]]),
    maplist([[_, Clause], Clause]>>true, Clauses, Program),
    Text == "% WFS residual program\n    p :-\n        tnot(q).\n    q :-\n        tnot(p).\np.".

test(an_answer_is_true_or_undefined_by_itself, Delays == [[], [[p, "p"]], []]) :-
    answers("X = f(_) ; X = f(_), p ; X = f(_)", [], Answers),
    maplist([[_, _, _, _, _, One, _], One]>>true, Answers, Delays).

test(what_is_stored_is_residual, Texts == ["stored(1)", "X in 1..2"]) :-
    answers("b_setval(lpbridge_plt_stored, [stored(1)]), X in 1..2", [], [[_, _, _, Residuals, _, [], []]]),
    maplist([[_, Text], Text]>>true, Residuals, Texts).

test(what_was_stored_before_is_not, Residuals == [["stored(2)"]]) :-
    b_setval(lpbridge_plt_stored, [stored(1)]),
    answers("b_setval(lpbridge_plt_stored, [stored(2), stored(1)])", [], Answers),
    findall(Texts, ( member([_, _, _, Goals|_], Answers), findall(Text, member([_, Text], Goals), Texts) ), Residuals).

test(variables_of_the_user_are_no_variables, Answers == [[@(true), t, [[1, '$VAR'], 'X']]]) :-
    answers("X = '$VAR'('X')", [], Answers).

test(a_term_of_the_program_s_own_is_no_name, Text == "X = '$VAR'(foo).") :-
    answer_text(user, [['X', [@(true), t, [[1, '$VAR'], foo]]]], Text).

test(any_term_is_a_value, Carried == [@(true), t, [[2, f], [@(none), "s"], 1]]) :- term_value(f("s", 1), Carried).

test(an_open_term_is_as_an_answer, Values == [[@(true), t, [[3, f], A, B, A]]]) :-
    A = [@(true), v, '_A'],
    B = [@(true), v, '_'],
    term_value(f(X, _, X), [@(true), o, Values, [], _, [], []]).

test(a_definite_answer_as_text, Text == "X = [1, a].") :- answer_text(user, [['X', [@(true), t, [[-1, 2], 1, a]]]], Text).

test(what_is_too_deep_to_write_is_abbreviated, true) :-
    nested(100000, Term),
    encode(Term, Carried),
    answer_text(user, [['X', Carried]], Text),
    string_length(Text, Length),
    Length < 1000.

:- end_tests(answers).

:- table p/0, q/0.

p :- tnot(q).
q :- tnot(p).

%   As library(chr) has one.
:- residual_goals(stored).

stored --> { nb_current(lpbridge_plt_stored, Goals) }, !, Goals.
stored --> [].

lpbridge_plt:attribute_goals(_) --> { throw(oops) }.

:- begin_tests(loading).

test(errors_while_loading_are_collected) :-
    load_text(plt_wrong, '<plt_wrong>', "p(1).\np(2) p(3).\nq(X).\n", Messages),
    memberchk([error, _, 2, _, _|_], Messages),
    memberchk([warning, _, 3, _, _|_], Messages).

test(what_a_text_defines, Predicates == [[p, 1], [q, 2]]) :-
    load_text(plt_defines, '<plt_defines>', "q(1, 2).\np(1).\n", []),
    exports(plt_defines, ['<plt_defines>'], Predicates).

test(main_is_told_and_not_run, Goal == 'go(1)') :-
    load_text(plt_main, '<plt_main>', ":- initialization(go(1), main).\ngo(_) :- throw(ran).\n", []),
    main(plt_main, ['<plt_main>'], Goal).

test(no_main, Goal == @(none)) :- main(plt_none, [], Goal).

test(an_error_has_its_term, Formal-Rest == [[2, type_error], integer, a]-[[warning, 2]]) :-
    load_text(plt_throws, '<plt_throws>', ":- must_be(integer, a).\n:- fail.\np(1).\n", Messages),
    Messages = [[error, _, 1, 0, _, [@(true), o, [[@(true), t, [[2, error], A, B, C, _]]]|_]]|Messages1],
    Formal = [A, B, C],
    findall([Kind, Line], ( member([Kind, _, Line|_], Messages1), Line > 1 ), Rest),
    plt_throws:p(1).

:- end_tests(loading).

:- begin_tests(errors).

test(an_error_says_where_it_was_raised, Term == [@(true), t, [[2, error], instantiation_error, [2, context]|Context]]) :-
    append([[2, (:)], system, [2, /], atom_length, 2], [V], Context),
    V = [@(true), v, '_'],
    catch_with_backtrace(( atom_length(_, 1), true ), Error, true),
    told(Error, [Text, _, _, _, [@(true), o, [Term]|_], [Goal|_], _]),
    once(sub_string(Text, 0, _, _, "atom_length/2: ")),
    once(sub_string(Goal, 0, _, _, "atom_length(")).

test(a_term_that_is_too_large_is_not_told, Term == @(none)) :-
    numlist(1, 60000, Numbers),
    told(Numbers, [_, _, _, _, Term, [], _]).

:- end_tests(errors).

:- begin_tests(begin).

test(arguments_and_paths, Words-Folders == [a, b]-['/one', '/two']) :-
    working_directory(Here, Here),
    lpbridge_worker:begin([a, b], [[plt_alias, '/one'], [plt_alias, '/two']], Here, true),
    current_prolog_flag(argv, Words),
    findall(Folder, user:file_search_path(plt_alias, Folder), Folders).

:- end_tests(begin).
