:- module(hanoi, [hanoi/2, plan/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists)).

/** <module> The towers of Hanoi: discs on three pegs, all on the first, shall be on the third

One disc is moved at a time, and none ever lies on a smaller one. A state is the list of the pegs of the discs, the
smallest disc first; a move is disc-peg. Sample queries are at the end of the file.
*/

%!  hanoi(?N, ?Moves) is nondet.
%
%   Moves are a shortest way to bring N discs from the first peg to the third.

hanoi(N, Moves) :-
    1 #=< N,
    N #=< Length,               % implied: it leaves finitely many N when only Moves are given
    Length #= 2 ^ N - 1,
    length(Moves, Length),
    indomain(N),
    numlist(1, N, Discs0),
    reverse(Discs0, Discs),
    phrase(tower(Discs, 1, 3, 2), Moves).

%   The moves of a tower, its largest disc first.
tower([], _, _, _) --> [].
tower([Disc|Discs], From, To, Via) -->
    tower(Discs, From, Via, To),
    [Disc-To],
    tower(Discs, Via, To, From).

%!  plan(?State0, ?Moves, ?State) is nondet.
%
%   Moves lead from State0 to State by the rules. With `length(Moves, _)` before it, shortest plans come first.

plan(State, [], State).
plan(State0, [Disc-Peg|Moves], State) :-
    moved(State0, 1, Disc, Peg, State1),
    plan(State1, Moves, State).

%   The first of the discs, which are numbered from D, goes to another peg, or it lies on neither of the two pegs.
moved([From|Pegs], D, D, To, [To|Pegs]) :-
    member(To, [1, 2, 3]),
    To #\= From.
moved([Peg|Pegs0], D, Disc, To, [Peg|Pegs]) :-
    D1 #= D + 1,
    moved(Pegs0, D1, Disc, To, Pegs),
    nth1(Place, Pegs0, From0, Rest),
    nth1(Place, Pegs, To, Rest),
    From0 #\= To,
    Peg #\= From0,
    Peg #\= To.

/** <examples>

?- hanoi(2, Moves).
Moves = [1-2, 2-3, 1-3].

?- hanoi(N, [1-2, 2-3, 1-3]).                               % the other way round
N = 2.

?- hanoi(3, Moves), plan([1,1,1], Moves, State).            % the recipe keeps the rules
?- length(Moves, _), plan([1,1,1], Moves, [3,3,3]).         % found by search: seven moves
*/
