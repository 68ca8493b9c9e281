:- module(cryptarithm, [cryptarithm/3]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(error)).

/** <module> Cryptarithms: words that add up when each letter stands for a digit of its own

The rules only; send_more_money.pl and its like give the words. A word is the list of its letters, and a letter is a
variable, or its digit where that is known.
*/

%!  cryptarithm(+Letters, +Addends, +Sum) is semidet.
%
%   The words Addends add up to the word Sum. Letters are the different letters of them. Nothing is searched.

cryptarithm(Letters, Addends, Sum) :-
    maplist(must_be(list), [Letters, Sum|Addends]),
    Letters ins 0..9,
    all_different(Letters),
    maplist(word_value, [Sum|Addends], [Total|Values]),
    sum(Values, #=, Total).

%   Word, which does not begin with 0, is Value in decimal notation.
word_value([L|Ls], Value) :-
    L #\= 0,
    letters_value(Ls, L, Value).

letters_value([], Value, Value).
letters_value([L|Ls], Value0, Value) :-
    letters_value(Ls, 10 * Value0 + L, Value1),
    Value #= Value1.
