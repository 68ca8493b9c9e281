:- module(golomb, [golomb/2, shortest/2]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(error)).
:- use_module(library(lists)).

/** <module> Golomb rulers: marks on a ruler, no two pairs of which are equally far apart

Sample queries are at the end of the file.
*/

%!  golomb(?Marks, ?Length) is nondet.
%
%   Marks are the positions on a ruler of that Length, in ascending order and from 0. Nothing is searched, except for
%   the number of marks where that is open.

golomb(Marks, Length) :-
    Marks = [0, _|_],
    length(Marks, Count),
    last(Marks, Length),
    Length #=< Count * Count,       % for every number of marks tried so far, a shorter ruler is known
    chain(Marks, #<),
    distances(Marks, Distances),
    Distances ins 1..sup,
    all_distinct(Distances).

%   The distances of all pairs of marks.
distances([], []).
distances([M|Ms], Distances) :-
    from(Ms, M, Distances, Rest),
    distances(Ms, Rest).

from([], _, Distances, Distances).
from([N|Ns], M, [D|Distances0], Distances) :-
    D #= N - M,
    from(Ns, M, Distances0, Distances).

%!  shortest(+Count, -Marks) is semidet.
%
%   Marks are a ruler of Count marks that is as short as possible.

shortest(Count, Marks) :-
    must_be(nonneg, Count),
    length(Shortest, Count),
    golomb(Shortest, Length),
    first_reading(Shortest),
    once(labeling([min(Length)], Shortest)),
    Marks = Shortest.

%   A ruler can be read from either end; this is the reading whose first distance is no larger than its last.
first_reading(Marks) :-
    Marks = [_, Second|_],
    reverse(Marks, [Last, Penultimate|_]),
    Second #=< Last - Penultimate.

/** <examples>

?- shortest(5, Marks).
Marks = [0, 1, 4, 9, 11].

?- shortest(4, [0, 1, 5, 7]).                               % a ruler, but there are shorter ones
false.

?- length(Marks, 4), golomb(Marks, 6), label(Marks).
Marks = [0, 1, 4, 6] ;
Marks = [0, 2, 5, 6].

?- golomb([0, 1, 4, 6], Length).                            % the other way round
Length = 6.

?- golomb([0, 1, 2, 6], Length).
false.
*/
