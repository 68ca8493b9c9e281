:- module(compatibility, []).

/** <module> The toplevel, made readable for programs

Loaded before a program (`swipl compatibility.pl program.pl`), it has the toplevel put a frame around each answer and
each error of its first goal: the character 1, a word, the character 2, the text that the toplevel prints, the character
3. After the first goal the toplevel ends. Terms are printed in full.
*/

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(Term, Kind, Lines) :-
    compatibility:message(Term, Kind, Lines).

message(_, Kind, Lines) :-
    prolog_load_context(source, _),
    !,
    Kind == error,
    say(loading, Lines).
message(Term, _, Lines) :-
    frame(Term, Frame),
    say(Frame, Lines),
    (   Frame == more
    ->  true
    ;   halt
    ).

frame(query(more(_, _, _)), more).
frame(query(yes(_, _, _)), last).
frame(query(yes(_, _)), last).
frame(query(no), no).
frame(query(done), stopped).
frame(unhandled_exception(_), error).
frame(dwim_undefined(_, _), error).
frame(error(_, _), error).              % one that the debugger traps because it is not caught

say(Frame, Lines) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    format(user_output, "~c~w~c~s~c", [1, Frame, 2, Text, 3]),
    flush_output(user_output).

:- set_prolog_flag(answer_write_options, [quoted(true), portray(true), spacing(next_argument), max_depth(0)]).
:- set_prolog_flag(toplevel_print_anon, false).
