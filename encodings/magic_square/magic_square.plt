:- use_module(magic_square).
:- use_module(library(clpfd)).
:- use_module(library(plunit)).

:- begin_tests(magic_square).

test(order_1, Rows == [[1]]) :-
    length(Rows, 1),
    magic_square(Rows).

test(no_square_of_order_2, fail) :-
    solution(2, magic_square, _).

test(all_of_order_3, N == 8) :-
    aggregate_all(count, solution(3, magic_square, _), N).

test(all_semi_magic_of_order_3, N == 72) :-
    aggregate_all(count, solution(3, semi_magic_square, _), N).

test(one_reduced_of_order_3, all(Rows == [[[2, 9, 4], [7, 5, 3], [6, 1, 8]]])) :-
    solution(3, reduced_magic_square, Rows).

test(one_reduced_of_order_1, all(Rows == [[[1]]])) :-
    solution(1, reduced_magic_square, Rows).

test(permuted_of_orders_1_to_4, Ns == [1, 0, 1, 220]) :-
    findall(N, ( between(1, 4, Order), aggregate_all(count, solution(Order, permuted_magic_square, _), N) ), Ns).

test(permuted_semi_magic_of_order_3, N == 1) :-
    aggregate_all(count, solution(3, permuted_semi_magic_square, _), N).

test(the_centre_of_order_3_is_5, Centres == [5]) :-
    findall(Centre, solution(3, magic_square, [_, [_, Centre, _], _]), Centres0),
    sort(Centres0, Centres).

test(a_first_one_of_order_5) :-
    once(solution(5, magic_square, Rows)),
    Rows = [Row|_],
    sum_list(Row, 65).

test(magic_sums, Sums == [1, 5, 15, 34, 65, 111]) :-
    findall(Sum, ( between(1, 6, N), length(Rows, N), magic_square:magic_sum(Rows, Sum) ), Sums).

test(diagonals, Cells == [a, e, i, c, e, g, a, b, c, d, e, f, g, h, i]) :-
    diagonals_first([[a, b, c], [d, e, f], [g, h, i]], Cells).

test(ragged_rows_are_no_square, fail) :-
    magic_square([[_, _, _], [_, _], [_, _, _]]).

test(the_number_of_rows_is_known, error(instantiation_error)) :-
    magic_square(_).

% Each rule's smallest violation.
test(sum_of_a_row, fail) :-
    magic_square([[1, 2, _], [_, _, _], [_, _, _]]).
test(sum_of_a_column, fail) :-
    magic_square([[1, _, _], [2, _, _], [_, _, _]]).
test(sum_of_a_diagonal, fail) :-
    magic_square([[1, _, _], [_, 2, _], [_, _, _]]).
test(sum_of_the_other_diagonal, fail) :-
    magic_square([[_, _, 1], [_, 2, _], [_, _, _]]).
test(a_value_twice, fail) :-
    magic_square([[5, _, _], [_, _, 5], [_, _, _]]).
test(not_reduced, fail) :-
    Rows = [[2, _, _], [_, _, _], [1, _, _]],
    semi_magic_square(Rows),
    reduced(Rows).

solution(N, Kind, Rows) :-
    length(Rows, N),
    call(Kind, Rows),
    diagonals_first(Rows, Cells),
    labeling([ff], Cells).

reduced_magic_square(Rows) :-
    magic_square(Rows),
    reduced(Rows).

permuted_magic_square(Rows) :-
    magic_square(Rows),
    permuted(Rows).

permuted_semi_magic_square(Rows) :-
    semi_magic_square(Rows),
    semi_permuted(Rows).

:- end_tests(magic_square).
