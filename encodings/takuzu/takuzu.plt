:- use_module(takuzu).
:- use_module(library(clpfd)).
:- use_module(library(plunit)).

:- begin_tests(takuzu).

test(propagation_solves_an_easy_one, Rows == [[0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0]]) :-
    Rows = [[_, _, 0, 1], [1, 0, _, 1], [0, _, 1, 0], [1, _, _, _]],
    takuzu(Rows),
    ground(Rows).

% Known counts: lambdas that lose a variable's constraints once made 1,048 of the 72.
test(all_of_size_2, N == 2) :- count(2, 2, distinct, N).
test(all_of_size_3, N == 84) :- count(3, 3, distinct, N).
test(all_of_size_4, N == 72) :- count(4, 4, distinct, N).
test(all_of_size_4_with_lines_that_repeat, N == 90) :- count(4, 4, repeat, N).
test(all_of_4_rows_and_6_columns, N == 96) :- count(4, 6, distinct, N).
test(all_of_2_rows_and_4_columns, N == 0) :- count(2, 4, distinct, N).

test(ragged_rows_are_no_takuzu, fail) :-
    takuzu([[_, _], [_]]).

test(lines_that_are_given_determine_others_without_search, Row == [0, 1, 1, 0, 0, 1]) :-
    length(Rows, 6),
    Rows = [[0, 1, 0, 1, 0, 1], [0, 1, _, _, 0, 1]|_],
    takuzu(Rows),
    nth1(2, Rows, Row).
test(lines_of_odd_length_may_differ_in_one_cell, Row == [1, 0, 1]) :-
    Rows = [[0, 0, 1], [1, _, 1], [_, _, _]],
    takuzu(Rows),
    nth1(2, Rows, Row).
test(one_difference_is_enough_in_odd_lines, Row == [0, 1, 1, 0, 1]) :-
    takuzu:differ([0, 1, 0, 0, 1], Row),
    Row = [0, 1, _, 0, 1],
    Row ins 0..1.
test(lines_wait_until_it_matters, Cell-Other == 1-0) :-
    [Cell, Other] ins 0..1,
    takuzu:differ([0, 1, 0, 1], [First, 1, Cell, Other]),
    First in 0..1,
    var(Cell),
    First = 0.
test(equal_lines_with_variables_in_common, fail) :-
    takuzu:differ([A, B], [A, B]).
test(every_pair_of_lines_that_differ, Ns == [2, 30, 30, 380]) :-
    maplist(pairs_that_differ, [2, 3, 4, 5], Ns).

test(repeat_is_a_mode_of_lines, throws(error(_, _))) :-
    takuzu([[_, _], [_, _]], maybe).
test(the_number_of_rows_is_known, error(instantiation_error)) :-
    takuzu(_).
test(the_length_of_the_rows_is_known, error(instantiation_error)) :-
    takuzu([_]).
test(one_row_tells_the_length_of_all, Rows = [[_, _], [_, _]]) :-
    Rows = [_, [0, _]],
    takuzu(Rows).

% Each rule's smallest violation.
test(three_in_a_row, fail) :- takuzu([[0, 0, 0], [_, _, _], [_, _, _]]).
test(three_in_a_column, fail) :- takuzu([[1, _, _], [1, _, _], [1, _, _]]).
test(unbalanced_row, fail) :- takuzu([[0, 0], [_, _]]).
test(unbalanced_column, fail) :- takuzu([[1, _], [1, _]]).
test(equal_rows, fail) :- takuzu([[0, 1, 1], [_, _, _], [0, 1, 1]]).
test(equal_columns, fail) :- takuzu([[0, _, 0], [1, _, 1], [1, _, 1]]).
test(equal_rows_may_be_allowed) :- takuzu([[0, 1, 1], [1, 0, 0], [0, 1, 1]], repeat).

% Balanced lines in pairs, of which the lines differ.
pairs_that_differ(Length, N) :-
    aggregate_all(count,
                  ( length(As, Length), length(Bs, Length),
                    append(As, Bs, Cells),
                    Cells ins 0..1,
                    balanced(As, Length), balanced(Bs, Length),
                    takuzu:differ(As, Bs),
                    label(Cells) ),
                  N).

balanced(Cells, Length) :-
    Ones in 0..Length,
    Ones #>= Length // 2,
    Ones #=< (Length + 1) // 2,
    sum(Cells, #=, Ones).

count(Height, Width, Lines, N) :-
    length(Rows, Height),
    length(Row, Width),
    maplist(same_length(Row), Rows),
    aggregate_all(count, ( takuzu(Rows, Lines), append(Rows, Cells), labeling([ffc], Cells) ), N).

:- end_tests(takuzu).
