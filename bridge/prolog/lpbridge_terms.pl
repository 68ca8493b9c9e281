/** <module> Terms as they cross between Prolog and Python

Whatever crosses is made of numbers, text, lists and the constants None, True and False: what janus can carry, and what
Python's marshal can. (janus carries tuples too, but never frees what is in them.)

| Prolog                | crosses as                                                   |
|-----------------------|--------------------------------------------------------------|
| integer, float        | itself; on the way in, a large integer as `[True, i, Bits, Pieces]` |
| rational              | `[True, q, Numerator, Denominator]`                          |
| atom                  | text                                                         |
| string                | `[None, Text]`                                               |
| `[]`                  | the empty list                                               |
| variable              | `[True, v, Name]`                                            |
| blob (stream, clause) | `[True, b, Text]`                                            |
| compound, list, dict  | `[True, t, Tokens]`, see tokens//1                           |
| half a surrogate pair | the text that has it as a list of its codes; such an atom as `[True, s, Codes]` |

janus recurs in C, and the C stack ends after some thousand levels: so what has parts crosses flat.
*/

:- module(lpbridge_terms,
          [ encode/2,        % +Term, -Carried
            encode_atomic/2, % +Atomic, -Carried
            decode/4,        % +Carried, -Term, +Named0, -Named
            no_names/1,      % -Named
            names/2,         % +Named, -Bindings
            name_variable/2, % +Variable, +Name
            variable_name/2, % +Variable, -Name
            plain/2          % +Text, -Plain
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

%!  name_variable(+Variable, +Name) is det.
%
%   Variable crosses under Name. An attribute, since no term that stands for a variable is safe from being the user's.

name_variable(Variable, Name) :- put_attr(Variable, lpbridge_terms, Name).

attr_unify_hook(_, _).

%!  variable_name(+Variable, -Name) is det.
%
%   The name that Variable was given, or `_`.

variable_name(Variable, Name) :-
    get_attr(Variable, lpbridge_terms, Name),
    atom(Name),
    !.
variable_name(_, '_').

%!  encode(+Term, -Carried) is det.
%
%   Carried is Term, which is acyclic, as it crosses to Python.

encode(Term, Carried), atomic(Term) => encode_atomic(Term, Carried).
encode(Term, Carried), var(Term) => variable_name(Term, Name), Carried = [@(true), v, Name].
encode(Term, Carried) => phrase(tokens([Term]), Tokens), Carried = [@(true), t, Tokens].

%!  encode_atomic(+Atomic, -Carried) is det.

encode_atomic(Term, Carried), integer(Term) => Carried = Term.
encode_atomic([], Carried) => Carried = [].
encode_atomic(Term, Carried), blob(Term, text) => Carried = Term.
encode_atomic(Term, Carried), blob(Term, ucs_text) =>       % with characters beyond Latin-1
    text_or_codes(Term, Text),
    ( Text == Term -> Carried = Text ; Carried = [@(true), s, Text] ).
encode_atomic(Term, Carried), string(Term) =>
    atom_string(Atom, Term),
    text_or_codes(Atom, Text),
    ( Text == Atom -> Carried = [@(none), Term] ; Carried = [@(none), Text] ).
encode_atomic(Term, Carried), float(Term) => Carried = Term.
encode_atomic(Term, Carried), rational(Term, Numerator, Denominator) => Carried = [@(true), q, Numerator, Denominator].
encode_atomic(Term, Carried) => format(string(Text), '~w', [Term]), Carried = [@(true), b, Text].

%   Python knows half a surrogate pair, UTF-8 does not, and janus carries UTF-8.
text_or_codes(Atom, Text) :-
    (   blob(Atom, ucs_text),
        atom_codes(Atom, Codes),
        member(Code, Codes),
        between(0xD800, 0xDFFF, Code)
    ->  Text = Codes
    ;   Text = Atom
    ).

%!  plain(+Text, -Plain) is det.
%
%   Plain is a string for people: in place of half a surrogate pair it has the replacement character.

plain(Text, Plain) :-
    atom_string(Atom, Text),
    text_or_codes(Atom, TextOrCodes),
    (   TextOrCodes == Atom
    ->  Plain = Text
    ;   maplist(plain_code, TextOrCodes, Codes),
        string_codes(Plain, Codes)
    ).

plain_code(Code, Plain) :- ( between(0xD800, 0xDFFF, Code) -> Plain = 0xFFFD ; Plain = Code ).

functor_text(Name, Name) :- blob(Name, text), !.
functor_text(Name, Text) :- blob(Name, ucs_text), !, text_or_codes(Name, Text).
functor_text(Name, Text) :- format(atom(Text), '~w', [Name]).

atom_of(Text, Atom) :- ( Text = [_|_] -> atom_codes(Atom, Text) ; Atom = Text ).

tag(Tag, Carried) :-
    var(Tag),
    !,
    variable_name(Tag, Name),
    ( Name == '_' -> Carried = @(none) ; Carried = [@(true), v, Name] ).
tag(Tag, Tag) :- integer(Tag), !.
tag(Tag, Carried) :- functor_text(Tag, Carried).

%!  tokens(+Terms)// is det.
%
%   Each term before its parts, so that nothing recurs however deep it is. What is atomic and a variable is a token as it
%   crosses; what has parts is a list that begins with a number:
%
%     - its arity, 0 or more, and its name;
%     - -1, and the length of a list; -2, and the length of a partial list, whose items come before its tail;
%     - -3, the tag, and the keys of a dict; a tag is a variable too, and None stands for `_`.

tokens([]) --> [].
tokens([Term|Terms]) --> token(Term, Terms).

token(Term, Rest) --> { atomic(Term) }, !, { encode_atomic(Term, Carried) }, [Carried], tokens(Rest).
token(Term, Rest) --> { var(Term) }, !, { variable_name(Term, Name) }, [[@(true), v, Name]], tokens(Rest).
token([X|Xs], Rest) -->
    !,
    { '$skip_list'(Length, [X|Xs], Tail),
      (   Tail == []
      ->  append([X|Xs], Rest, Terms), Kind = -1
      ;   items(Length, [X|Xs], Terms, [Tail|Rest]), Kind = -2
      )
    },
    [[Kind, Length]],
    tokens(Terms).
token(Term, Rest) -->
    { is_dict(Term) },
    !,
    { dict_pairs(Term, Tag, Pairs),
      tag(Tag, Carried),
      pairs_keys_values(Pairs, Keys0, Values),
      maplist(text_or_codes, Keys0, Keys),
      append(Values, Rest, Terms)
    },
    [[-3, Carried|Keys]],
    tokens(Terms).
token(Term, Rest) -->
    { compound_name_arguments(Term, Name0, Arguments),
      functor_text(Name0, Name),
      length(Arguments, Arity),
      append(Arguments, Rest, Terms)
    },
    [[Arity, Name]],
    tokens(Terms).

%   The first items of a list, which is not to be unified with anything: its tail may be a variable.
items(0, _, Rest, Rest) :- !.
items(N, [X|Xs], [X|Items], Rest) :-
    N1 is N - 1,
    items(N1, Xs, Items, Rest).

%!  decode(+Carried, -Term, +Named0, -Named) is det.
%
%   The inverse of encode/2. Named collects the variables that came with a name; the same name is the same variable.
%   It begins as no_names/1; names/2 gives the variables as Name=Variable, the last first.

no_names(named(Empty, [])) :- empty_assoc(Empty).

names(named(_, Bindings), Bindings).

decode([], Term, Named0, Named) => Term = [], Named = Named0.
decode([@(none), Text], Term, Named0, Named) => atom_of(Text, Atom), atom_string(Atom, Term), Named = Named0.
decode([@(true), Kind|Parts], Term, Named0, Named) => decode_kind(Kind, Parts, Term, Named0, Named).
decode(Carried, Term, Named0, Named) => Term = Carried, Named = Named0.

decode_kind(v, [Name], Variable, Named0, Named) :-
    (   Name == '_'
    ->  Named = Named0
    ;   Named0 = named(Tree0, Bindings),
        (   get_assoc(Name, Tree0, Variable0)
        ->  Variable = Variable0, Named = Named0
        ;   put_assoc(Name, Tree0, Variable, Tree), Named = named(Tree, [Name=Variable|Bindings])
        )
    ).
decode_kind(q, [Carried1, Carried2], Term, Named, Named) :-
    decode(Carried1, Numerator, Named, _),
    decode(Carried2, Denominator, Named, _),
    Term is Numerator rdiv Denominator.
decode_kind(i, [Bits, Pieces], Term, Named, Named) :- joined(Pieces, Bits, Term).
decode_kind(s, [Codes], Atom, Named, Named) :- atom_codes(Atom, Codes).
decode_kind(b, [Text], '$lpbridge_blob'(Text), Named, Named).       % only to be printed, see write_name/2
decode_kind(t, [Tokens], Term, Named0, Named) :- read_tokens(Tokens, [Term], Named0, Named).

decode_tag(@(none), _, Named0, Named) => Named = Named0.
decode_tag([@(true), v, Name], Tag, Named0, Named) => decode_kind(v, [Name], Tag, Named0, Named).
decode_tag(Text, Tag, Named0, Named) => atom_of(Text, Tag), Named = Named0.

%   Integers that janus would read digit by digit come in pieces, the lowest first, which are joined two by two.
joined([Piece], _, Piece) :- !.
joined(Pieces0, Bits, Integer) :-
    two_by_two(Pieces0, Bits, Pieces),
    Twice is 2 * Bits,
    joined(Pieces, Twice, Integer).

two_by_two([], _, []).
two_by_two([Piece], _, [Piece]) :- !.
two_by_two([Low, High|Pieces0], Bits, [Piece|Pieces]) :-
    Piece is High << Bits + Low,
    two_by_two(Pieces0, Bits, Pieces).

%   Each token is about the next of the terms that are still open.
read_tokens([], [], Named, Named).
read_tokens([Token|Tokens], [Term|Open0], Named0, Named) :-
    (   Token = [Kind|Shape], integer(Kind)
    ->  shaped(Kind, Shape, Term, Parts, Named0, Named1), append(Parts, Open0, Open)
    ;   decode(Token, Term, Named0, Named1), Open = Open0
    ),
    read_tokens(Tokens, Open, Named1, Named).

shaped(-1, [Length], List, Items, Named0, Named) => length(Items, Length), List = Items, Named = Named0.
shaped(-2, [Length], List, Parts, Named0, Named) =>
    length(Items, Length),
    append(Items, Tail, List),
    append(Items, [Tail], Parts),
    Named = Named0.
shaped(-3, [Tag0|Keys0], Dict, Values, Named0, Named) =>
    decode_tag(Tag0, Tag, Named0, Named),
    maplist(atom_of, Keys0, Keys),
    pairs_keys_values(Pairs, Keys, Values),
    dict_pairs(Dict, Tag, Pairs).
shaped(Arity, [Text], Term, Arguments, Named0, Named) =>
    atom_of(Text, Name),
    length(Arguments, Arity),
    compound_name_arguments(Term, Name, Arguments),
    Named = Named0.
