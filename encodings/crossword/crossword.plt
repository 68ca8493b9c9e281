:- use_module(crossword).
:- use_module(library(clpfd)).
:- use_module(library(plunit)).

:- begin_tests(crossword).

test(the_worked_example_of_report_5, Fills == [["TARS", "RATA", "TART", "STAR"]]) :-
    findall(Fill, fill(["TART", "TARS", "RATA", "STAR"], Fill), Fills).

test(a_word_may_stand_twice_where_nobody_forbids_it, N == 2) :-
    grid(Rows),
    codes(["TART", "TARS", "RATA", "STAR"], Words),
    slots(Rows, Slots),
    crossword:numbered(Words, 1, Table),
    maplist(crossword:as_long(Table), Slots, Tables),
    filling(Slots, Tables, Numbers),
    aggregate_all(count, label(Numbers), N).

test(slots_across_then_down, Slots == [[a, b], [e, f, g], [i, j, k], [a, e, i], [b, f, j], [g, k]]) :-
    letters([[a, b, #], [e, f, g], [i, j, k]], Rows, Names),
    slots(Rows, Found),
    maplist(maplist(name_of(Names)), Found, Slots).

test(single_cells_are_no_slots, Slots == []) :-
    slots([[#, _], [_, #]], Slots).

test(each_word_is_placed_once, Row == [99, 97, 116, #, 46, 46]) :-
    Rows = [[_, _, _, #, _, _]],
    codes(["cat"], Words),
    slots(Rows, Sites),
    placing(Rows, 46-122, Sites, Words, Places),
    labeling([ff], Places),
    blank(Rows, 46),
    Rows = [Row].

test(a_word_longer_than_any_slot, fail) :-
    Rows = [[_, _, _]],
    slots(Rows, Sites),
    codes(["ocean"], Words),
    placing(Rows, 46-122, Sites, Words, _).

test(letters_that_are_given_stay, Fills == [["TARS", "RATA", "TART", "STAR"]]) :-
    findall([A, B, C, D],
            ( grid(Rows),
              Rows = [[_, _, _, 0'S]|_],
              codes(["TART", "TARS", "RATA", "STAR"], Words),
              crossword(Rows, Words),
              read_off(Rows, [A, B, C, D])
            ),
            Fills).

test(only_a_hash_is_black, error(type_error(letter_code, c))) :-
    crossword([[c, a, t]], [[d, o, g]]).
test(only_a_hash_is_black_for_slots, error(type_error(letter_code, '.'))) :-
    slots([[_, '.', _]], _).
test(only_a_hash_is_black_for_placing, error(type_error(_, c))) :-
    placing([[c, _]], 46-122, [], [], _).
test(the_grid_is_known, error(instantiation_error)) :-
    crossword([[_, _|_]], []).

% Each rule's smallest violation.
test(no_word_of_the_list, fail) :-
    codes(["ab"], Words),
    crossword([[0'a, 0'c]], Words).
test(crossing_words_that_do_not_agree, fail) :-
    codes(["ab", "cd"], Words),
    crossword([[_, _], [_, #]], Words).
test(a_word_twice, fail) :-
    codes(["aa"], Words),
    crossword([[_, _], [_, #]], Words).

grid([[_, _, _, _], [_, #, #, _], [_, _, _, _], [_, #, #, _]]).

fill(Strings, Fill) :-
    grid(Rows),
    codes(Strings, Words),
    crossword(Rows, Words),
    read_off(Rows, Fill).

read_off(Rows, Fill) :-
    slots(Rows, Slots),
    maplist(text, Slots, Fill).

codes(Strings, Words) :-
    maplist(string_codes, Strings, Words).

text(Codes, String) :-
    string_codes(String, Codes).

% Grids of names: each name becomes a variable, the same name the same one.
letters(Names, Rows, Pairs) :-
    maplist(maplist(cell_of), Names, Rows),
    append(Names, Flat),
    append(Rows, Cells),
    pairs_keys_values(Pairs, Flat, Cells).

cell_of(Name, Cell) :-
    (   Name == #
    ->  Cell = #
    ;   true
    ).

name_of(Pairs, Cell, Name) :-
    member(Name-Known, Pairs),
    Known == Cell,
    !.

:- end_tests(crossword).
