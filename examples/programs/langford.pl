:- module(langford, [langford/2, langford/3]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(lists)).

/** <module> Langford pairs: 1, 1, 2, 2, ..., N, N in a row, with K numbers between the two that are K

Sample queries are at the end of the file.
*/

%!  langford(?N, ?Ks) is nondet.
%!  langford(?N, ?Ks, -Places) is nondet.
%
%   The row Ks is made of Langford pairs. Places are those of the first 1, the first 2 and so on: they decide the row,
%   so that they are what to label. Nothing is searched, except for N where that and the length of Ks are open.

langford(N, Ks) :- langford(N, Ks, _).

langford(N, Ks, Places) :-
    Length #= 2 * N,
    N #> 0,
    length(Ks, Length),
    Ks ins 1..N,
    length(Places, N),
    pairs_placed(Places, 1, Ks, All),
    all_distinct(All).

%   K, K + 1, ... have their first places in a list, and all places of theirs are in another.
pairs_placed([], _, _, []).
pairs_placed([P|Ps], K, Ks, [P, Q|All]) :-
    Q #= P + K + 1,
    element(P, Ks, K),
    element(Q, Ks, K),
    K1 #= K + 1,
    pairs_placed(Ps, K1, Ks, All).

/** <examples>

?- langford(3, Ks, Places), label(Places).
Ks = [3, 1, 2, 1, 3, 2], Places = [2, 3, 1] ;
Ks = [2, 3, 1, 2, 1, 3], Places = [3, 1, 2].

?- aggregate_all(count, ( langford(7, Ks, Ps), labeling([ff], Ps) ), Count).
Count = 52.

?- langford(N, [2,3,1,2,1,3]).                              % the other way round
N = 3.

?- langford(5, Ks, Places), label(Places).
false.
*/
