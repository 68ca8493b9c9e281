:- use_module(latin_square).
:- use_module(library(clpfd)).
:- use_module(library(plunit)).

:- begin_tests(latin_square).

test(all_squares_of_orders_1_to_4, Ns == [1, 2, 12, 576]) :-
    maplist([Order, N]>>( length(Rows, Order), solutions(Rows, [], N) ), [1, 2, 3, 4], Ns).

test(all_diagonal_squares_of_orders_1_to_4, Ns == [1, 0, 0, 48]) :-
    maplist([Order, N]>>( length(Rows, Order), solutions(Rows, [diagonal], N) ), [1, 2, 3, 4], Ns).

test(all_reduced_squares_of_orders_1_to_5, Ns == [1, 1, 1, 4, 56]) :-
    maplist([Order, N]>>( length(Rows, Order), solutions(Rows, [reduced], N) ), [1, 2, 3, 4, 5], Ns).

test(some_need_no_search, Rows == [[1, 3, 2], [2, 1, 3], [3, 2, 1]]) :-
    Rows = [[1, _, 2], [_, 1, _], [_, _, _]],
    latin_square(Rows).

test(both_constraints_have_the_same_squares, Ns == [2, 2]) :-
    maplist([Distinct, N]>>aggregate_all(
                               count,
                               ( Rows = [[_, 1, _, _], [_, _, 2, _], [_, 3, _, _], [_, _, _, 4]],
                                 latin_square(Rows, Distinct),
                                 append(Rows, Cells),
                                 label(Cells) ),
                               N),
            [all_distinct, all_different], Ns).

% The second row can only be 3 or 4 in its first two cells, and that takes them from the others.
test(all_distinct_is_the_default, Domains == [1..2, 1..2]) :-
    Rows = [[_, _, _, _], [A, B, C, D]|_],
    length(Rows, 4),
    [A, B] ins 3..4,
    latin_square(Rows),
    maplist(fd_dom, [C, D], Domains).
test(all_different_sees_less, Domains == [1..4, 1..4]) :-
    Rows = [[_, _, _, _], [A, B, C, D]|_],
    length(Rows, 4),
    [A, B] ins 3..4,
    latin_square(Rows, all_different),
    maplist(fd_dom, [C, D], Domains).
test(what_is_distinct_is_one_of_two, throws(error(_, _))) :-
    latin_square([[_]], all_equal).
test(the_number_of_rows_is_known, error(instantiation_error)) :-
    latin_square(_).

test(ragged_rows_are_no_square, fail) :-
    latin_square([[_, _], [_]]).

% Each rule's smallest violation.
test(twice_in_a_row, fail) :-
    latin_square([[1, 1], [_, _]]).
test(twice_in_a_column, fail) :-
    latin_square([[1, _], [1, _]]).
test(twice_in_the_diagonal, fail) :-
    diagonal([[1, _], [_, 1]]).
test(twice_in_the_antidiagonal, fail) :-
    diagonal([[_, 1], [1, _]]).
test(first_row_not_in_order, fail) :-
    reduced([[_, 1], [_, _]]).
test(first_column_not_in_order, fail) :-
    reduced([[_, _], [1, _]]).

solutions(Rows, Variants, N) :-
    aggregate_all(count,
                  ( latin_square(Rows),
                    state(Variants, Rows),
                    append(Rows, Cells),
                    labeling([ff], Cells) ),
                  N).

state([], _).
state([Variant|Variants], Rows) :-
    call(Variant, Rows),
    state(Variants, Rows).

:- end_tests(latin_square).
