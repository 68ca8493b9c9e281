:- use_module(report3).
:- use_module(library(plunit)).

:- begin_tests(sudoku).

test(problem_1_needs_no_search) :-
    problem(1, Rows),
    sudoku(Rows),
    ground(Rows),
    Rows = [[9, 8, 7, 6, 5, 4, 3, 2, 1]|_].

test(problem_2_holds_a_10, fail) :-
    problem(2, Rows),
    sudoku(Rows).

test(problem_3_is_impossible, fail) :-
    problem(3, Rows),
    sudoku(Rows).

test(problem_4_leaves_all_81_cells_open, N == 81) :-
    problem(4, Rows),
    sudoku(Rows),
    term_variables(Rows, Open),
    length(Open, N).

test(problem_5_has_8_solutions, N == 8) :-
    problem(5, Rows),
    solutions(Rows, N).

test(problem_6_leaves_four_cells_open_between_3_and_6) :-
    problem(6, Rows),
    sudoku(Rows),
    term_variables(Rows, Open),
    length(Open, 4),
    maplist([Cell]>>fd_dom(Cell, 3\/6), Open).

test(problem_6_has_2_solutions, N == 2) :-
    problem(6, Rows),
    solutions(Rows, N).

test(problem_8_needs_search, Row == [1, 6, 2, 8, 5, 7, 4, 9, 3]) :-
    problem(8, Rows),
    sudoku(Rows),
    \+ ground(Rows),
    append(Rows, Cells),
    once(labeling([ff], Cells)),
    Rows = [Row|_].

test(all_grids_of_size_4, N == 288) :-
    length(Rows, 4),
    solutions(Rows, N).

test(the_box_may_stand, Boxes == [[a, b, e, f, i, j], [c, d, g, h, k, l], [m, n, q, r, u, v], [o, p, s, t, w, x]]) :-
    sudoku:boxes([[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p], [q, r, s, t], [u, v, w, x]], 3-2, Boxes).

test(boxes_are_as_square_as_can_be, Boxes == [2-2, 2-3, 2-4, 3-3, 2-5, 3-4, 4-4, 5-5]) :-
    maplist(sudoku:squarest_box, [4, 6, 8, 9, 10, 12, 16, 25], Boxes).

test(ragged_rows_are_no_sudoku, fail) :-
    sudoku([[_, _, _, _], [_, _, _], [_, _, _, _], [_, _, _, _]]).

test(the_number_of_rows_is_known, error(instantiation_error)) :-
    sudoku(_).
test(the_box_tells_the_number_of_rows, N-M == 6-6) :-
    sudoku(Rows, 2-3),
    length(Rows, N),
    Rows = [Row|_],
    length(Row, M).
test(the_box_is_known, error(instantiation_error)) :-
    length(Rows, 4),
    sudoku(Rows, _).

% Each rule's smallest violation.
test(twice_in_a_row, fail) :-
    sudoku([[1, _, _, 1], [_, _, _, _], [_, _, _, _], [_, _, _, _]]).
test(twice_in_a_column, fail) :-
    sudoku([[1, _, _, _], [_, _, _, _], [_, _, _, _], [1, _, _, _]]).
test(twice_in_a_box, fail) :-
    sudoku([[1, _, _, _], [_, 1, _, _], [_, _, _, _], [_, _, _, _]]).

solutions(Rows, N) :-
    aggregate_all(count, ( sudoku(Rows), append(Rows, Cells), labeling([ff], Cells) ), N).

:- end_tests(sudoku).
