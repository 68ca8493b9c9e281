:- module(zebra, [zebra/2, houses/1]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

/** <module> The zebra puzzle: who drinks water, and who owns the zebra?

Five houses in a row, each of a colour, with a resident of a nation, a pet, a drink and a smoke of their own. Sample
queries are at the end of the file.
*/

%!  zebra(?WaterDrinker, ?ZebraOwner) is nondet.
%
%   The nations of the two.

zebra(WaterDrinker, ZebraOwner) :-
    houses(Kinds),
    Kinds = [Nations, _, Pets, Drinks, _],
    memberchk(water-Water, Drinks),
    memberchk(zebra-Zebra, Pets),
    append_values(Kinds, Houses),
    labeling([ff], Houses),
    member(WaterDrinker-Water, Nations),
    member(ZebraOwner-Zebra, Nations).

%!  houses(?Kinds) is semidet.
%
%   Kinds are five lists, of nations, colours, pets, drinks and smokes, that tell the number of the house for each, as
%   thing-house. They fit the clues. Nothing is searched.

houses(Kinds) :-
    Kinds = [ [ english-English, spanish-Spanish, ukrainian-Ukrainian, norwegian-Norwegian, japanese-Japanese ],
              [ red-Red, green-Green, ivory-Ivory, yellow-Yellow, blue-Blue ],
              [ dog-Dog, snails-Snails, fox-Fox, horse-Horse, zebra-_ ],
              [ coffee-Coffee, tea-Tea, milk-Milk, juice-Juice, water-_ ],
              [ old_gold-OldGold, kools-Kools, chesterfields-Chesterfields, lucky_strike-LuckyStrike,
                parliaments-Parliaments ]
            ],
    maplist(one_each, Kinds),
    English #= Red,
    Spanish #= Dog,
    Coffee #= Green,
    Ukrainian #= Tea,
    Green #= Ivory + 1,
    OldGold #= Snails,
    Kools #= Yellow,
    Milk #= 3,
    Norwegian #= 1,
    beside(Chesterfields, Fox),
    beside(Kools, Horse),
    LuckyStrike #= Juice,
    Japanese #= Parliaments,
    beside(Norwegian, Blue).

one_each(Kind) :-
    pairs_values(Kind, Houses),
    Houses ins 1..5,
    all_distinct(Houses).

beside(X, Y) :- abs(X - Y) #= 1.

append_values(Kinds, Houses) :-
    append(Kinds, All),
    pairs_values(All, Houses).

/** <examples>

?- zebra(WaterDrinker, ZebraOwner).
WaterDrinker = norwegian, ZebraOwner = japanese ;
false.

?- houses([Nations|_]).                                     % what propagation alone knows of the nations
?- zebra(spanish, _).
false.
*/
