/** <module> Results as text: the way from Prolog to Python for untrusted programs

janus turns any term that Prolog returns into a Python object, and evaluates Python on the way: what is in a term
`eval(os:system(Command))` is called. So nothing that an untrusted program could have a hand in is returned through janus. The result of a call is
put into a string here, which Python fetches by libswipl's PL_get_string() and reads as data (`_line.py`).

The text is JSON in Latin-1. An integer that is large is `{"integer": "ff"}`, in hexadecimal digits, and a float that is
not finite `{"float": "inf"}`; @(none), @(true) and @(false) are null, true and false.
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
put_data(Data) :- integer(Data), !, put_integer(Data).
put_data(Data) :- float(Data), !, put_float(Data).
put_data([]) :- !, write([]).
put_data([Item|Items]) :-
    !,
    must_be(list, Items),
    write('['), put_data(Item),
    forall(member(Next, Items), ( write(','), put_data(Next) )),
    write(']').
put_data(Data) :- ( atom(Data) ; string(Data) ), !, put_text(Data).
put_data(@(Data)) :- constant(Data, Text), !, write(Text).
put_data(Data) :- domain_error(plain_data, Data).

%   Python reads large integers fast in hexadecimal digits only.
put_integer(Integer) :- abs(Integer) < 1 << 62, !, write(Integer).
put_integer(Integer) :- format("{\"integer\":\"~16r\"}", [Integer]).

put_float(Float) :-
    float_class(Float, Class),
    memberchk(Class, [infinite, nan]),
    !,
    format("{\"float\":\"~w\"}", [Float]).
put_float(Float) :- write(Float).

put_text(Text) :-
    string_codes(Text, Codes),
    put_char('"'),
    (   forall(member(Code, Codes), plain(Code))
    ->  write(Text)
    ;   forall(member(Code, Codes), put_escaped(Code))
    ),
    put_char('"').

plain(Code) :- Code >= 0' , Code < 0'\x7f\, Code =\= 0'", Code =\= 0'\\.

put_escaped(Code) :- plain(Code), !, put_char(Code).
put_escaped(Code) :- Code < 0x10000, !, put_unit(Code).
put_escaped(Code) :-
    High is 0xD800 + ((Code - 0x10000) >> 10),
    Low is 0xDC00 + ((Code - 0x10000) /\ 0x3FF),
    put_unit(High),
    put_unit(Low).

put_unit(Unit) :-
    Number is 0x10000 + Unit,
    format(atom(Digits), "~16r", [Number]),
    sub_atom(Digits, 1, 4, 0, Four),
    write('\\u'),
    write(Four).

constant(none, null).
constant(true, true).
constant(false, false).
