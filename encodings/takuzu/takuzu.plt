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

% Each rule's smallest violation.
test(three_in_a_row, fail) :- takuzu([[0, 0, 0], [_, _, _], [_, _, _]]).
test(three_in_a_column, fail) :- takuzu([[1, _, _], [1, _, _], [1, _, _]]).
test(unbalanced_row, fail) :- takuzu([[0, 0], [_, _]]).
test(unbalanced_column, fail) :- takuzu([[1, _], [1, _]]).
test(equal_rows, fail) :- takuzu([[0, 1, 1], [_, _, _], [0, 1, 1]]).
test(equal_columns, fail) :- takuzu([[0, _, 0], [1, _, 1], [1, _, 1]]).
test(equal_rows_may_be_allowed) :- takuzu([[0, 1, 1], [1, 0, 0], [0, 1, 1]], repeat).

count(Height, Width, Lines, N) :-
    length(Rows, Height),
    length(Row, Width),
    maplist(same_length(Row), Rows),
    aggregate_all(count, ( takuzu(Rows, Lines), append(Rows, Cells), labeling([ffc], Cells) ), N).

:- end_tests(takuzu).
