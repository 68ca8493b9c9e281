/*  Three meetings in one room, two hours each, between 9 and 14 o'clock.

    lpbridge diagnose examples/why/rooms.pl --goal 'meetings(Starts)'
*/
:- use_module(library(clpfd)).

meetings([Board, Team, Review]) :-
    [Board, Team, Review] ins 9..12,
    apart(Board, Team),
    apart(Board, Review),
    apart(Team, Review),
    Board #>= 10.

apart(A, B) :-
    A + 2 #=< B #\/ B + 2 #=< A.
