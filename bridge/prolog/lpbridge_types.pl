/** <module> Sorts of terms, and what predicates of the system and its libraries take and give

A *sort* is `any`, or the list of the shapes that a term may have: `number`, `atom`, `string`, `nil` for the empty list,
`cons(Sort)` for another list with elements of that sort, and Name/Arity for other compound terms. `[]` is the sort of no
term at all.
*/

:- module(lpbridge_types,
          [ arguments/3,      % ?Name, ?Arity, -Types: of a goal that succeeds
            lists_of/3,       % +Name, +Arity, -Ns: the numbers of the arguments that are lists
            integers_of/3,    % +Name, +Arity, -Ns: of those that are integers
            sort_of_type/2,   % +Type, -Sort
            in_list/4,        % ?Name, ?Arity, -N, -List: argument N is an element of argument List
            same_elements/3,  % ?Name, ?Arity, -Ns: these arguments are lists of the same elements
            both/3,           % +Sort, +Sort, -Sort: of what is of both
            either/3,         % +Sort, +Sort, -Sort: of what is of one of them
            clash/2,          % +Sort, +Sort: nothing but perhaps an empty list is of both
            elements/2,       % +Sort, -Sort: of the elements of lists
            described/2       % +Sort, -Text
          ]).
:- set_module(base(system)).
:- use_module(library(apply), [foldl/4]).
:- use_module(library(lists)).

%!  arguments(?Name, ?Arity, -Types) is nondet.
%
%   The types of the arguments of a goal that succeeds: others make it fail, or raise an error. gives(Type) is what a
%   variable becomes that has no value before; another text may be given.

arguments(append, 2, [list(list), list]).
arguments(append, 3, [list, list, list]).
arguments(arg, 3, [integer, any, any]).
arguments(atom_chars, 2, [any, gives(list(atom))]).
arguments(atom_codes, 2, [any, gives(list(integer))]).
arguments(atom_length, 2, [any, integer]).
arguments(atom_number, 2, [any, number]).
arguments(atom_string, 2, [any, gives(string)]).
arguments(between, 3, [integer, limit, integer]).
arguments(char_code, 2, [atom, integer]).
arguments(delete, 3, [list, any, list]).
arguments(exclude, 3, [any, list, list]).
arguments(foldl, 4, [any, list, any, any]).
arguments(functor, 3, [any, any, integer]).
arguments(include, 3, [any, list, list]).
arguments(intersection, 3, [list, list, list]).
arguments(last, 2, [list, any]).
arguments(length, 2, [list, integer]).
arguments(list_to_set, 2, [list, list]).
arguments(maplist, 2, [any, list]).
arguments(maplist, 3, [any, list, list]).
arguments(max_list, 2, [list(number), number]).
arguments(member, 2, [any, list]).
arguments(memberchk, 2, [any, list]).
arguments(min_list, 2, [list(number), number]).
arguments(msort, 2, [list, list]).
arguments(nth0, 3, [integer, list, any]).
arguments(nth1, 3, [integer, list, any]).
arguments(number_chars, 2, [number, gives(list(atom))]).
arguments(number_codes, 2, [number, gives(list(integer))]).
arguments(number_string, 2, [number, any]).
arguments(numlist, 3, [integer, integer, list(integer)]).
arguments(permutation, 2, [list, list]).
arguments(phrase, 2, [any, list]).
arguments(phrase, 3, [any, list, any]).
arguments(predsort, 3, [any, list, list]).
arguments(reverse, 2, [list, list]).
arguments(select, 3, [any, list, list]).
arguments(sort, 2, [list, list]).
arguments(sort, 4, [any, any, list, list]).
arguments(split_string, 4, [any, any, any, list(string)]).
arguments(string_chars, 2, [any, gives(list(atom))]).
arguments(string_codes, 2, [any, gives(list(integer))]).
arguments(string_concat, 3, [any, any, gives(string)]).
arguments(string_length, 2, [any, integer]).
arguments(string_lower, 2, [any, gives(string)]).
arguments(string_upper, 2, [any, gives(string)]).
arguments(sub_atom, 5, [any, integer, integer, integer, gives(atom)]).
arguments(sub_string, 5, [any, integer, integer, integer, gives(string)]).
arguments(subtract, 3, [list, list, list]).
arguments(succ, 2, [integer, integer]).
arguments(sum_list, 2, [list(number), number]).
arguments(sumlist, 2, [list(number), number]).
arguments(union, 3, [list, list, list]).
arguments(upcase_atom, 2, [any, gives(atom)]).
arguments(downcase_atom, 2, [any, gives(atom)]).
% library(clpfd)
arguments(all_different, 1, [list(integer)]).
arguments(all_distinct, 1, [list(integer)]).
arguments(label, 1, [list(integer)]).
arguments(labeling, 2, [list(option), list(integer)]).
arguments(in, 2, [integer, domain]).
arguments(ins, 2, [list(integer), domain]).
arguments(sum, 3, [list(integer), atom, any]).
arguments(scalar_product, 4, [list(integer), list(integer), atom, any]).
arguments(element, 3, [integer, list(integer), integer]).
arguments(tuples_in, 2, [list(list(integer)), list(list(integer))]).
arguments(transpose, 2, [list(list), list(list)]).

lists_of(Name, Arity, Ns) :- of_type(Name, Arity, [list, list(_)], Ns).

integers_of(Name, Arity, Ns) :- of_type(Name, Arity, [integer, limit], Ns).

of_type(Name, Arity, Wanted, Ns) :-
    arguments(Name, Arity, Types),
    findall(N, ( nth1(N, Types, Type), memberchk(Type, Wanted) ), Ns).

sort_of_type(any, any).
sort_of_type(number, [number]).
sort_of_type(integer, [number]).
sort_of_type(limit, [number, atom]).     % inf
sort_of_type(atom, [atom]).
sort_of_type(string, [string]).
sort_of_type(list, [nil, cons(any)]).
sort_of_type(list(Type), [nil, cons(Sort)]) :- sort_of_type(Type, Sort).
sort_of_type(option, [atom, max/1, min/1]).
sort_of_type(domain, [number, (..)/2, (\/)/2, (\)/1]).

in_list(member, 2, 1, 2).
in_list(memberchk, 2, 1, 2).
in_list(nth0, 3, 3, 2).
in_list(nth1, 3, 3, 2).
in_list(last, 2, 2, 1).
in_list(select, 3, 1, 2).

same_elements(reverse, 2, [1, 2]).
same_elements(permutation, 2, [1, 2]).
same_elements(msort, 2, [1, 2]).
same_elements(sort, 2, [1, 2]).
same_elements(sort, 4, [3, 4]).
same_elements(predsort, 3, [2, 3]).
same_elements(list_to_set, 2, [1, 2]).

both(any, Sort, Sort) :- !.
both(Sort, any, Sort) :- !.
both(A, B, Sort) :- findall(Shape, ( member(One, A), member(Other, B), both_shape(One, Other, Shape) ), Sort).

both_shape(cons(A), cons(B), cons(Sort)) :- !, both(A, B, Sort), Sort \== [].
both_shape(Shape, Shape, Shape).

either(any, _, any) :- !.
either(_, any, any) :- !.
either(A, B, Sort) :-
    append(A, B, All),
    findall(Elements, member(cons(Elements), All), Conses),
    findall(Shape, ( member(Shape, All), Shape \= cons(_) ), Shapes0),
    sort(Shapes0, Shapes),
    (   Conses = [First|More]
    ->  foldl(either, More, First, Elements1),
        ( deep(Elements1, 4) -> Elements2 = any ; Elements2 = Elements1 ),
        Sort = [cons(Elements2)|Shapes]
    ;   Sort = Shapes
    ).

%   A list in a list in a list ...
deep(_, 0) :- !.
deep(Sort, Levels) :- Sort \== any, member(cons(Elements), Sort), Less is Levels - 1, deep(Elements, Less), !.

clash(A, B) :-
    \+ memberchk(A, [any, []]),
    \+ memberchk(B, [any, []]),
    both(A, B, Sort),
    (   Sort == []
    ->  true
    ;   Sort == [nil],
        memberchk(cons(E), A),
        memberchk(cons(F), B),
        E \== [],
        F \== []
    ).

elements(any, any) :- !.
elements(Sort, Elements) :- ( memberchk(cons(Elements0), Sort) -> Elements = Elements0 ; Elements = [] ).

                /*******************************
                *             WORDS            *
                *******************************/

described(any, "any term") :- !.
described(Sort, "a domain such as 1..9") :- sort_of_type(domain, Sort), !.
described(Sort, "a list of options such as ff") :- sort_of_type(list(option), Sort), !.
described(Sort, Text) :-
    ( memberchk(cons(_), Sort) -> exclude_nil(Sort, Shapes) ; Shapes = Sort ),
    findall(Words, ( member(Shape, Shapes), once(shape_words(Shape, Words)) ), All),
    atomics(All, " or ", Text).

exclude_nil(Sort, Shapes) :- findall(Shape, ( member(Shape, Sort), Shape \== nil ), Shapes).

atomics(Texts, Between, Text) :- atomic_list_concat(Texts, Between, Atom), atom_string(Atom, Text).

shape_words(number, "a number").
shape_words(atom, "an atom").
shape_words(string, "a string").
shape_words(nil, "[]").
shape_words(cons(Elements), Words) :-
    (   memberchk(Elements, [any, []])
    ->  Words = "a list"
    ;   findall(Of, ( member(Shape, Elements), once(plural_words(Shape, Of)) ), Ofs0),
        list_to_set(Ofs0, Ofs),
        atomics(Ofs, " or ", Of),
        atomics(["a list of ", Of], "", Words)
    ).
shape_words(Name/Arity, Words) :- term_words(Name/Arity, Text), atomics(["a term ", Text], "", Words).

plural_words(number, "numbers").
plural_words(atom, "atoms").
plural_words(string, "strings").
plural_words(nil, "lists").
plural_words(cons(_), "lists").
plural_words(Name/Arity, Words) :- term_words(Name/Arity, Text), atomics(["terms ", Text], "", Words).

term_words(Name/Arity, Text) :-
    findall('$VAR'('_'), between(1, Arity, _), Arguments),
    compound_name_arguments(Term, Name, Arguments),
    format(string(Text), "~W", [Term, [quoted(true), numbervars(true), spacing(next_argument)]]).
