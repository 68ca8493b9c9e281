:- module(takuzu,
          [ takuzu/1,           % +Rows
            takuzu/2            % +Rows, +Lines
          ]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(when)).

/** <module> Takuzu with constraints over finite domains

A Takuzu is a list of rows of equal length, each a list of zeros, ones and variables: as many zeros as ones in every
row and column (in an odd one, one of them has one more), never three alike side by side, no two rows and no two
columns the same. takuzu/1 states the rules and searches nothing; labelling is a separate step:

```
?- Rows = [[_,_,0,1], [1,0,_,1], [0,_,1,0], [1,_,_,_]], takuzu(Rows).
?- length(Rows, 6), maplist(same_length(Rows), Rows), takuzu(Rows), append(Rows, Cells), labeling([ffc], Cells).
```

All domains have two values, so `ff` orders nothing; `ffc` takes the cell with the most constraints first.
*/

%!  takuzu(+Rows) is semidet.
%
%   Rows are a Takuzu whose lines are all different.
%
%   @throws instantiation_error if the number of rows is open, or the length of all of them

takuzu(Rows) :-
    takuzu(Rows, distinct).

%!  takuzu(+Rows, +Lines) is semidet.
%
%   Rows are a Takuzu. Lines is `distinct`, or `repeat` where equal rows and equal columns are allowed.
%
%   @throws instantiation_error if the number of rows is open, or the length of all of them

takuzu(Rows, Lines) :-
    must_be(list, Rows),
    must_be(oneof([distinct, repeat]), Lines),
    (   member(Row, Rows),
        is_list(Row)
    ->  true
    ;   Rows = [Row|_],
        must_be(list, Row)
    ),
    maplist(same_length(Row), Rows),
    transpose(Rows, Columns),
    append(Rows, Cells),
    Cells ins 0..1,
    maplist(line, Rows),
    maplist(line, Columns),
    repeated(Lines, Rows),
    repeated(Lines, Columns).

%!  line(?Cells) is semidet.
%
%   Cells are balanced, and no three neighbours are alike.

line(Cells) :-
    length(Cells, Length),
    Least is Length // 2,
    Most is (Length + 1) // 2,
    Ones in Least..Most,
    sum(Cells, #=, Ones),
    no_three_alike(Cells).

no_three_alike([A,B,C|Cells]) :-
    !,
    A + B + C #>= 1,
    A + B + C #=< 2,
    no_three_alike([B,C|Cells]).
no_three_alike(_).

%!  repeated(+Lines, +Cells) is semidet.
%
%   No two lists of Cells are the same, if Lines are to be `distinct`.

repeated(repeat, _).
repeated(distinct, Lines) :-
    all_differ(Lines).

all_differ([]).
all_differ([Line|Lines]) :-
    maplist(differ(Line), Lines),
    all_differ(Lines).

%!  differ(?Line1, ?Line2) is semidet.
%
%   The balanced lines Line1 and Line2 differ: in one cell at least, and in two where their length is even, because a 0
%   in place of a 1 asks for a 1 in place of a 0.

differ(Line1, Line2) :-
    length(Line1, Length),
    AtLeast is 2 - Length mod 2,
    pairs_keys_values(Pairs, Line1, Line2),
    differ_in(Pairs, AtLeast).

%!  differ_in(?Pairs, +AtLeast) is semidet.
%
%   So many of Pairs, cells of two lines side by side, have different values. One pair more is watched; once only as
%   many are undecided as have to differ, all of them do.

differ_in(Pairs, AtLeast) :-
    undecided(Pairs, AtLeast, 0, Watched, Rest, More),
    length(Watched, Number),
    (   More =< 0
    ->  true
    ;   Number > More
    ->  append(Watched, Rest, Open),
        any_decided(Watched, Decided),
        when(Decided, differ_in(Open, More))
    ;   Number =:= More,
        maplist(unequal, Watched)
    ).

%   The first undecided pairs, one more of them than must still differ, and the pairs behind them.
undecided([], More, _, [], [], More).
undecided([A-B|Pairs], More0, Number0, Watched, Rest, More) :-
    (   Number0 > More0
    ->  Watched = [], Rest = [A-B|Pairs], More = More0
    ;   A == B
    ->  undecided(Pairs, More0, Number0, Watched, Rest, More)
    ;   integer(A), integer(B)
    ->  More1 is More0 - 1,
        undecided(Pairs, More1, Number0, Watched, Rest, More)
    ;   Watched = [A-B|Watched1],
        Number is Number0 + 1,
        undecided(Pairs, More0, Number, Watched1, Rest, More)
    ).

any_decided([A-B], ?=(A, B)).
any_decided([A-B,C-D|Pairs], (?=(A, B) ; Decided)) :-
    any_decided([C-D|Pairs], Decided).

unequal(A-B) :-
    A #\= B.
