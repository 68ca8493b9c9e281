:- module(australia, [colouring/1, coloured/1]).
:- use_module(library(apply)).
:- use_module(library(pairs)).

/** <module> The map of Australia in three colours: neighbours differ

Sample queries are at the end of the file.
*/

%!  colouring(?Colouring) is semidet.
%
%   Colouring tells the colour of each region, as region-colour, and neighbours differ. Nothing is searched.

colouring([wa-WA, nt-NT, sa-SA, q-Q, nsw-NSW, v-V, t-_]) :-
    maplist(dif(SA), [WA, NT, Q, NSW, V]),
    dif(WA, NT),
    dif(NT, Q),
    dif(Q, NSW),
    dif(NSW, V).

%!  coloured(?Colouring) is nondet.
%
%   Every region has one of three colours.

coloured(Colouring) :-
    pairs_values(Colouring, Colours),
    maplist(colour, Colours).

colour(red).
colour(green).
colour(blue).

/** <examples>

?- colouring([wa-red, nt-Colour|_]).                        % what is known without a search
?- colouring(Colouring), coloured(Colouring).
?- aggregate_all(count, ( colouring(C), coloured(C) ), Count).
Count = 18.

?- colouring([wa-red, nt-red|_]).
false.
*/
