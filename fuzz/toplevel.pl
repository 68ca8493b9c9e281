/** <module> The toplevel, made readable for programs

It puts a frame around each answer and each error: the character 1, a word, the character 2, the text that the toplevel
prints, the character 3. The text goes to the stream that the toplevel prints to, because some messages write to it
while they are printed.
*/

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(Term, _, Lines) :-
    '$fuzz_frame'(Term, Frame),
    !,
    format(user_output, "~c~w~c", [1, Frame, 2]),
    print_message_lines(user_output, '', Lines),
    format(user_output, "~c", [3]),
    flush_output(user_output).

'$fuzz_frame'(query(more(_, _, _)), more).
'$fuzz_frame'(query(yes(_, _, _)), last).
'$fuzz_frame'(query(yes(_, _)), last).
'$fuzz_frame'(query(no), no).
'$fuzz_frame'(query(done), stopped).
'$fuzz_frame'(unhandled_exception(_), error).
'$fuzz_frame'(dwim_undefined(_, _), error).
'$fuzz_frame'(error(_, _), error).

:- set_prolog_flag(answer_write_options, [quoted(true), portray(true), spacing(next_argument), max_depth(0)]).
:- set_prolog_flag(toplevel_print_anon, false).
:- set_prolog_flag(debug_on_error, false).
