% Three meetings of two hours in one room. Without labelling, the answer is what the
% constraints leave open; with the goal  meetings(Starts), label(Starts)  it is hours.

:- use_module(library(clpfd)).

meetings([Board, Team, Review]) :-
    [Board, Team, Review] ins 9..14,
    apart(Board, Team),
    apart(Board, Review),
    apart(Team, Review),
    Board #< Team,
    Review #>= 12.

apart(A, B) :-
    A + 2 #=< B #\/ B + 2 #=< A.
