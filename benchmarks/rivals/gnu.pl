% The puzzles for GNU Prolog's constraints over finite domains, and a loop that answers questions from standard input.

asked :-
    write(ready), nl,
    flush_output,
    repeat,
    read(Question),
    (   Question == end_of_file
    ->  halt
    ;   catch(told(Question), Error, (write('error '), writeq(Error), nl)),
        flush_output,
        fail
    ).

told(ask(Rows, Goal, Limit)) :-
    g_assign(found, 0),
    (   call(Goal),
        write(Rows), nl,
        g_inc(found),
        g_read(found, Limit)
    ->  true
    ;   true
    ),
    write(end), nl.

% The Latin family.

latin(Rows) :-
    latin_posted(Rows, Cells),
    fd_labelingff(Cells).

sudoku(Rows, Height, Width) :-
    latin_posted(Rows, Cells),
    boxes(Rows, Height, Width, Boxes),
    all_distinct(Boxes),
    fd_labelingff(Cells).

futoshiki(Rows, Less) :-
    latin_posted(Rows, Cells),
    less(Less, Rows),
    fd_labelingff(Cells).

latin_posted(Rows, Cells) :-
    length(Rows, N),
    cells(Rows, Cells),
    fd_domain(Cells, 1, N),
    all_distinct(Rows),
    columns(Rows, Columns),
    all_distinct(Columns).

all_distinct([]).
all_distinct([Line|Lines]) :-
    fd_all_different(Line),
    all_distinct(Lines).

less([], _).
less([[R, C, R1, C1]|Less], Rows) :-
    cell(Rows, R, C, X),
    cell(Rows, R1, C1, Y),
    X #< Y,
    less(Less, Rows).

cell(Rows, R, C, X) :-
    nth(R, Rows, Row),
    nth(C, Row, X).

boxes([], _, _, []).
boxes([Row|Rows], Height, Width, Boxes) :-
    length(Band, Height),
    append(Band, Rest, [Row|Rows]),
    band_boxes(Band, Width, Boxes, Boxes1),
    boxes(Rest, Height, Width, Boxes1).

band_boxes([[]|_], _, Boxes, Boxes) :- !.
band_boxes(Band, Width, [Box|Boxes], Boxes1) :-
    split_all(Band, Width, Parts, Rests),
    cells(Parts, Box),
    band_boxes(Rests, Width, Boxes, Boxes1).

split_all([], _, [], []).
split_all([Row|Rows], Width, [Part|Parts], [Rest|Rests]) :-
    length(Part, Width),
    append(Part, Rest, Row),
    split_all(Rows, Width, Parts, Rests).

% Magic squares.

magic(Rows, Sum) :-
    length(Rows, N),
    cells(Rows, Cells),
    Greatest is N * N,
    fd_set_vector_max(Greatest),
    fd_domain(Cells, 1, Greatest),
    fd_all_different(Cells),
    add_up(Rows, Sum),
    columns(Rows, Columns),
    add_up(Columns, Sum),
    diagonal(Rows, Falling),
    reversed_all(Rows, Mirrored),
    diagonal(Mirrored, Rising),
    add_up([Falling, Rising], Sum),
    fd_labelingff(Cells).

add_up([], _).
add_up([Line|Lines], Sum) :-
    total(Line, Total),
    Total #= Sum,
    add_up(Lines, Sum).

total([X], X) :- !.
total([X|Xs], X + Total) :-
    total(Xs, Total).

diagonal([], []).
diagonal([[X|_]|Rows], [X|Xs]) :-
    rests(Rows, Rows1),
    diagonal(Rows1, Xs).

rests([], []).
rests([[_|Row]|Rows], [Row|Rows1]) :-
    rests(Rows, Rows1).

reversed_all([], []).
reversed_all([Row|Rows], [Reversed|Rows1]) :-
    reverse(Row, Reversed),
    reversed_all(Rows, Rows1).

% Takuzu. (A line as one number, as other solvers have it, is wrong here: a domain with values above the vector's
% maximum loses some of them.)

takuzu(Rows, Lines) :-
    cells(Rows, Cells),
    fd_domain(Cells, 0, 1),
    columns(Rows, Columns),
    lines(Rows, Lines),
    lines(Columns, Lines),
    fd_labelingff(Cells).

lines(Lines, Distinct) :-
    lines_posted(Lines),
    (   Distinct == distinct
    ->  all_differ(Lines)
    ;   true
    ).

lines_posted([]).
lines_posted([Line|Lines]) :-
    length(Line, N),
    Least is N // 2,
    Most is (N + 1) // 2,
    total(Line, Total),
    Ones #= Total,
    fd_domain(Ones, Least, Most),
    no_three(Line),
    lines_posted(Lines).

no_three([X, Y, Z|Line]) :-
    !,
    X + Y + Z #>= 1,
    X + Y + Z #=< 2,
    no_three([Y, Z|Line]).
no_three(_).

all_differ([]).
all_differ([Line|Lines]) :-
    differ_all(Lines, Line),
    all_differ(Lines).

differ_all([], _).
differ_all([Other|Others], Line) :-
    differences(Line, Other, Differences),
    fd_at_least_one(Differences),
    differ_all(Others, Line).

differences([], [], []).
differences([X|Xs], [Y|Ys], [Different|Rest]) :-
    Different #<=> X #\= Y,
    differences(Xs, Ys, Rest).

% Lists.

cells([], []).
cells([Row|Rows], Cells) :-
    cells(Rows, Cells1),
    append(Row, Cells1, Cells).

columns([[]|_], []) :- !.
columns(Rows, [Column|Columns]) :-
    heads(Rows, Column, Rests),
    columns(Rests, Columns).

heads([], [], []).
heads([[X|Xs]|Rows], [X|Column], [Xs|Rests]) :-
    heads(Rows, Column, Rests).
