:- module(crossword,
          [ crossword/2,        % +Rows, +Words
            slots/2,            % +Rows, -Slots
            filling/3,          % +Slots, +Tables, -Numbers
            no_word_twice/1,    % +Numbers
            placing/5,          % +Rows, +Codes, +Sites, +Words, -Places
            blank/2             % +Rows, +Blank
          ]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

/** <module> Crossword filling with constraints over finite domains

A grid is a list of rows of equal length, each a list of letters, variables, and `#` for the cells that are black. A
letter is an integer: any code will do, character codes among them. A word is a list of letters.

There are two readings. filling/3: every slot gets a word. placing/5: every word gets a place. Both only state what
must hold; the numbers or places are labelled afterwards:

```
?- Rows = [[A, B, C, D], [E, #, #, F], [G, H, I, J], [K, #, #, L]],
   maplist(string_codes, ["TART", "TARS", "RATA", "STAR"], Words),
   crossword(Rows, Words).
```
*/

%!  crossword(+Rows, +Words) is nondet.
%
%   Every slot of Rows has one of Words, and no two slots the same.
%
%   @throws type_error(letter_code, Cell) if a cell is neither a letter nor a variable nor `#`

crossword(Rows, Words) :-
    slots(Rows, Slots),
    numbered(Words, 1, Table),
    maplist(as_long(Table), Slots, Tables),
    filling(Slots, Tables, Numbers),
    no_word_twice(Numbers),
    labeling([ff], Numbers).

numbered([], _, []).
numbered([Word|Words], N0, [[N0|Word]|Table]) :-
    N #= N0 + 1,
    numbered(Words, N, Table).

as_long(Table, Slot, Fitting) :-
    include(same_length([_|Slot]), Table, Fitting).

%!  slots(+Rows, -Slots) is det.
%
%   Slots are the lines of two or more cells between black ones: those across row by row, then those down, in the order
%   in which they begin when the grid is read row by row.
%
%   @throws type_error(letter_code, Cell) if a cell is neither a letter nor a variable nor `#`

slots(Rows, Slots) :-
    must_be(list, Rows),
    maplist(must_be(list), Rows),
    maplist(maplist(cell), Rows),
    foldl(numbered_runs, Rows, Across0, 1, _),
    append(Across0, Across),
    transpose(Rows, Columns),
    foldl(numbered_runs, Columns, Down0, 1, _),
    append(Down0, Down1),
    maplist(start_row_first, Down1, Down2),
    keysort(Down2, Down),
    append(Across, Down, Keyed),
    pairs_values(Keyed, Slots).

numbered_runs(Line, Runs, I0, I) :-
    I is I0 + 1,
    runs(Line, 1, I0, Runs).

start_row_first((Column-Row)-Run, (Row-Column)-Run).

cell(Cell) :-
    (   ( var(Cell) ; integer(Cell) ; Cell == # )
    ->  true
    ;   type_error(letter_code, Cell)
    ).

%   runs(+Line, +J, +I, -Runs): Runs are the runs of a line from its Jth cell on, each as (I-Start)-Cells.

runs([], _, _, []).
runs([Cell|Cells], J0, I, Runs) :-
    (   Cell == #
    ->  J is J0 + 1,
        runs(Cells, J, I, Runs)
    ;   run(Cells, Run, Rest, J0, J),
        (   Run = []
        ->  Runs = Runs1
        ;   Runs = [(I-J0)-[Cell|Run]|Runs1]
        ),
        runs(Rest, J, I, Runs1)
    ).

run([Cell|Cells], [Cell|Run], Rest, J0, J) :-
    Cell \== #,
    !,
    J1 is J0 + 1,
    run(Cells, Run, Rest, J1, J).
run(Cells, [], Cells, J0, J) :-
    J is J0 + 1.

%!  filling(+Slots, +Tables, -Numbers) is semidet.
%
%   Every slot has a word of its table. A row of a table is [Number|Word]; Numbers are those of the words taken.

filling(Slots, Tables, Numbers) :-
    maplist(slot_number, Slots, Numbers, Rows),
    maplist(one_of, Rows, Tables).

slot_number(Slot, Number, [Number|Slot]).

one_of(Row, Table) :-
    tuples_in([Row], Table).

%!  no_word_twice(+Numbers) is semidet.
%
%   No number occurs twice. all_different/1, because there are many more words than slots.

no_word_twice(Numbers) :-
    all_different(Numbers).

%!  placing(+Rows, +Codes, +Sites, +Words, -Places) is semidet.
%
%   Every word has a place: the number of a site, counted from 1, whose cells hold its letters. Cells take values in
%   Codes, which is Low-High; what no word covers is left open, and blank/2 closes it once the places are known.

placing(Rows, Low-High, Sites, Words, Places) :-
    append(Rows, Cells0),
    exclude(==(#), Cells0, Cells),
    Cells ins Low..High,
    numbered_sites(Sites, 1, Numbered),
    maplist(placed(Numbered), Words, Places).

numbered_sites([], _, []).
numbered_sites([Site|Sites], N0, [N0-Site|Numbered]) :-
    N is N0 + 1,
    numbered_sites(Sites, N, Numbered).

placed(Sites, Word, Place) :-
    include(fits(Word), Sites, Fitting),
    Fitting = [_|_],
    pairs_keys(Fitting, Numbers),
    list_to_domain(Numbers, Domain),
    Place in Domain,
    maplist(if_there(Place, Word), Fitting).

fits(Word, _-Site) :-
    \+ Word \= Site.

list_to_domain([N|Ns], Domain) :-
    foldl(or, Ns, N, Domain).

or(N, Domain, Domain \/ N).

if_there(Place, Word, Number-Site) :-
    Place #= Number #<==> There,
    maplist(if_then(There), Site, Word).

if_then(There, Cell, Letter) :-
    There #==> Cell #= Letter.

%!  blank(+Rows, +Blank) is det.
%
%   The cells of Rows that are still open are Blank.

blank(Rows, Blank) :-
    term_variables(Rows, Open),
    maplist(=(Blank), Open).
