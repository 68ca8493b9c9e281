:- module(magic_sequence, [magic_sequence/1]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(lists)).
:- use_module(library(pairs)).

/** <module> Magic sequences: the number at place I, counted from 0, says how often I occurs in the sequence

Sample queries are at the end of the file.
*/

%!  magic_sequence(?Ns) is nondet.
%
%   Ns is a magic sequence. Nothing is searched, except for a length where that is open.

magic_sequence(Ns) :-
    Ns = [_|_],
    length(Ns, Length),
    Last #= Length - 1,
    numlist(0, Last, Places),
    Ns ins 0..Last,
    pairs_keys_values(Counts, Places, Ns),
    global_cardinality(Ns, Counts),
    sum(Ns, #=, Length),                        % implied: each place is counted once
    scalar_product(Places, Ns, #=, Length).     % implied: so is what the places hold

/** <examples>

?- length(Ns, 4), magic_sequence(Ns), label(Ns).
Ns = [1, 2, 1, 0] ;
Ns = [2, 0, 2, 0] ;
false.

?- length(Ns, 6), magic_sequence(Ns), label(Ns).
false.

?- length(Ns, 10), magic_sequence(Ns).                      % what propagation alone knows

?- length(Ns, 7), Ns = [_, 2|_], magic_sequence(Ns).        % the other way round: a number anywhere is enough
Ns = [3, 2, 1, 1, 0, 0, 0].
*/
