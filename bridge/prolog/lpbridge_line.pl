/** <module> Results as text: the way from Prolog to Python for untrusted programs

janus turns any term that Prolog returns into a Python object, and evaluates Python on the way: what is in a term
`eval(os:system(Command))` is called. So nothing that an untrusted program could have a hand in is returned through janus. The result of a call is
put into a string here, which Python fetches by libswipl's PL_get_string() and reads as data (`_line.py`).

| plain data                  | text                                              |
|-----------------------------|---------------------------------------------------|
| integer                     | `i`, its digits (`0x` for a large one), `;`       |
| float                       | `f`, its digits, `;`                              |
| text in Latin-1             | `s`, its length, `:`, the text                    |
| any other text              | `u`, its length, `:`, its codes, `;` after each   |
| list                        | `l`, its length, `;`, its items                   |
| @(none), @(true), @(false)  | `n`, `t`, `b`                                     |
*/

:- module(lpbridge_line,
          [ put/3,           % +Module, +Predicate, +Inputs
            result/1,        % -Text
            ask/1,           % +Inputs
            chunk/1          % -Text
          ]).
:- set_module(base(system)).
:- use_module(library(lists)).
:- use_module(library(error)).
:- use_module(lpbridge_errors).

%!  put(+Module, +Predicate, +Inputs) is det.
%
%   Call a deterministic predicate of the bridge with Inputs and one output, and keep that for result/1: as the list
%   `[1, Output]`, or `[0, Error]` where it raised an error. An abort goes on.

put(Module, Predicate, Inputs) :-
    append(Inputs, [Output], Arguments),
    Goal =.. [Predicate|Arguments],
    catch(( call(Module:Goal) -> Kept = [1, Output] ; Kept = [0, "goal failed"] ), error(Error, _), true),
    (   nonvar(Error)
    ->  term_to_atom(Error, Atom),
        Kept = [0, Atom]
    ;   true
    ),
    text(Kept, Text),
    nb_setval(lpbridge_line, Text).

%!  result(-Text) is det.
%
%   The text of what put/3 kept. It is forgotten.

result(Text) :-
    nb_getval(lpbridge_line, Text),
    nb_setval(lpbridge_line, "").

%!  ask(+Inputs) is det.
%!  chunk(-Text) is nondet.
%
%   The chunks of lpbridge:chunks/6, called with these Inputs, as texts.

ask(Inputs) :- nb_setval(lpbridge_line, Inputs).

chunk(Text) :-
    nb_getval(lpbridge_line, Inputs),
    catch(chunk(Inputs, Text), error(Formal, Context), failed(error(Formal, Context), Text)).

chunk([Level, Id, Inputs, Most, Texts], Text) :-
    lpbridge:chunks(Level, Id, Inputs, Most, Texts, Chunk),
    text(Chunk, Text).

failed(Error, Text) :-
    told(Error, Told),
    text([0, error, 0, [], [], Told], Text).

text(Data, Text) :- with_output_to(string(Text), put_data(Data)).

put_data(Data) :- var(Data), !, instantiation_error(Data).
put_data(Data) :- integer(Data), !, write(i), put_integer(Data), write(;).
put_data(Data) :- float(Data), !, write(f), write(Data), write(;).
put_data([]) :- !, write('l0;').
put_data([Item|Items]) :-
    !,
    must_be(list, Items),
    length([Item|Items], Length),
    write(l), write(Length), write(;),
    put_all([Item|Items]).
put_data(Data) :- atom(Data), !, put_text(Data).
put_data(Data) :- string(Data), !, atom_string(Atom, Data), put_text(Atom).
put_data(@(Data)) :- constant(Data, Text), !, write(Text).
put_data(Data) :- domain_error(plain_data, Data).

%   Python reads large integers fast in hexadecimal digits only.
put_integer(Integer) :- abs(Integer) < 1 << 62, !, write(Integer).
put_integer(Integer) :- Integer < 0, !, Positive is -Integer, format("-0x~16r", [Positive]).
put_integer(Integer) :- format("0x~16r", [Integer]).

put_all([]).
put_all([Item|Items]) :- put_data(Item), put_all(Items).

put_text(Atom) :-
    atom_length(Atom, Length),
    (   blob(Atom, text)
    ->  write(s), write(Length), write(:), write(Atom)
    ;   write(u), write(Length), write(:),
        atom_codes(Atom, Codes),
        forall(member(Code, Codes), ( write(Code), write(;) ))
    ).

constant(none, n).
constant(true, t).
constant(false, b).
