:- use_module(futoshiki).
:- use_module(library(clpfd)).
:- use_module(library(plunit)).

:- begin_tests(futoshiki).

test(report_1_5x5_without_givens, Squares == [Square]) :-
    Square = [[1, 5, 3, 4, 2], [4, 3, 2, 1, 5], [5, 4, 1, 2, 3], [2, 1, 5, 3, 4], [3, 2, 4, 5, 1]],
    report(Less),
    length(Rows, 5),
    findall(Rows, solution(Rows, Less), Squares).

test(report_1_5x5_with_givens_is_impossible, fail) :-
    report(Less),
    solution([[_, _, _, _, _], [_, 3, _, _, 2], [_, _, _, _, _], [_, _, _, _, _], [_, _, _, _, _]], Less).

test(without_inequalities_it_is_a_latin_square, N == 576) :-
    length(Rows, 4),
    aggregate_all(count, solution(Rows, []), N).

test(cells_need_not_be_neighbours, N == 192) :-
    length(Rows, 4),
    aggregate_all(count, solution(Rows, [[1, 1, 4, 4]]), N).

test(some_need_no_search, Row == [1, 2, 3]) :-
    futoshiki([Row, [_, _, _], [_, _, _]], [[1, 1, 1, 2], [1, 2, 1, 3]]).

test(the_number_of_rows_is_known, error(instantiation_error)) :-
    futoshiki(_, []).

% Each rule's smallest violation.
test(twice_in_a_row, fail) :-
    futoshiki([[1, 1], [_, _]], []).
test(twice_in_a_column, fail) :-
    futoshiki([[1, _], [1, _]], []).
test(the_smaller_is_not_less, fail) :-
    futoshiki([[2, 1], [_, _]], [[1, 1, 1, 2]]).
test(equal_is_not_less, fail) :-
    futoshiki([[1, _], [_, 1]], [[1, 1, 2, 2]]).
test(a_cycle, fail) :-
    length(Rows, 9),
    futoshiki(Rows, [[1, 1, 1, 2], [1, 2, 2, 2], [2, 2, 1, 1]]).
test(no_such_cell, fail) :-
    futoshiki([[_, _], [_, _]], [[1, 1, 1, 3]]).

solution(Rows, Less) :-
    futoshiki(Rows, Less),
    append(Rows, Cells),
    labeling([ff], Cells).

report([ [1, 3, 1, 2], [2, 3, 1, 3], [1, 3, 1, 4], [2, 2, 3, 2], [3, 3, 3, 4],
         [3, 4, 3, 5], [4, 1, 5, 1], [4, 2, 5, 2], [5, 3, 5, 4] ]).

:- end_tests(futoshiki).
