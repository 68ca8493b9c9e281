:- use_module(lpbridge_sandbox).
:- use_module(lpbridge_denied).
:- use_module(lpbridge_line).
:- use_module(library(plunit)).

:- begin_tests(formats).

test(a_directive, [forall(member(Format, ["~W", 'a~2W', `~*W`, "~`xW", "~``W~w~t~30|~:W", "~~~W"]))]) :-
    lpbridge_sandbox:has_directive(Format, 0'W).

test(no_directive, [forall(member(Format, ["W", "~~W", "~w W", '~`W~w', "", "~a~", "~`", "~12"])), fail]) :-
    lpbridge_sandbox:has_directive(Format, 0'W).

test(what_calls, [forall(member(Element, [ '~@'-[true], ansi(bold, '~@', [true]), ansi(bold, '~w~@', [x, true], ctx),
        url(x, '~@'-[true]), prefix('~@'-[true]), '~W'-[x, [portray_goal(y)]],
        '~W'-[x, [quoted(true), portray_goal(_)]],
        '~@'-_, f(x)-[], 1-[] ]))]) :-
    lpbridge_sandbox:calls(Element).

test(what_does_not_call, [forall(member(Element, [ '~w'-[x], ansi(bold, '~q ~p', [x, y]), nl, flush, 'text',
        url(x), begin(x, y),
        '~W'-[x, [quoted(true)]], '~W'-[x, [portray_goal(lpbridge_answers:write_name)]],
        '~@'-[lpbridge_answers:list_clauses([])], '~~@'-[] ])), fail]) :-
    lpbridge_sandbox:calls(Element).

:- end_tests(formats).

:- begin_tests(goals).

looked_at(Goal) :- catch(lpbridge_sandbox:look(Goal, lpbridge_untrusted, []), error(_, _), fail).

test(refused, [forall(member(Goal, [ setarg(1, _, _), system:setarg(1, _, _), nb_setarg(1, _, _),
        nb_linkarg(1, _, _), b_set_dict(a, _, _),
        put_attr(_, freeze, x), assertz((a => b)), assert((a --> b)), asserta((:- a)), p('$VAR'(3)), p([f('$VAR'(0))]),
        print_message(error, foo), message_to_string(foo, _), term_string(_, a, [portray_goal(x)]),
        '$tabling':'$moded_wrap_tabled'(_, _, shell(x), _, _) ])), throws(error(lpbridge_refused(_, _), _))]) :-
    lpbridge_sandbox:look(Goal, lpbridge_untrusted, []).

test(not_known_yet, [forall(member(Goal, [print_message(error, _), print_message(_, x), term_string(_, a, _)])),
                     throws(error(instantiation_error, _))]) :-
    lpbridge_sandbox:look(Goal, lpbridge_untrusted, []).

test(looked_at_only, [forall(member(Goal, [ arg(1, _, _), put_attr(_, domain, x), assertz(a), assertz(f(_)),
        p('$VAR'('X')), p('$VAR'(_)),
        print_message(error, format("~w", [x])), term_string(_, a, [quoted(true)]),
        '$tabling':'$moded_wrap_tabled'(_, _, ( var(A) -> true ; '$uninstantiation_error'(A) ), _, _),
        '$tabling':'$moded_wrap_tabled'(_, _, ( var(_), var(_) -> true ; '$tabling':instantiated_moded_arg(_) ), _, _)
        ]))]) :-
    looked_at(Goal).

test(a_predicate_of_the_program_by_the_same_name) :-
    assertz(lpbridge_untrusted:message_to_string(_, _)),
    looked_at(message_to_string(foo, _)),
    abolish(lpbridge_untrusted:message_to_string/2).

:- end_tests(goals).

:- begin_tests(line).

test(text, [forall(member(Data-Text, [ 1-"1", -2-"-2", [1, []]-"[1,[]]", abc-"\"abc\"", "é"-"\"\\u00e9\"",
        '☃!'-"\"\\u2603!\"", @(none)-"null", @(true)-"true", @(false)-"false", ''-"\"\"", 1.5-"1.5" ])),
             true(Found == Text)]) :-
    lpbridge_line:text(Data, Found).

test(large, Text == "{\"integer\":\"100000000000000000\"}") :- Large is 1 << 68, lpbridge_line:text(Large, Text).

test(large_and_negative, Text == "{\"integer\":\"-100000000000000000\"}") :-
    Large is -(1 << 68),
    lpbridge_line:text(Large, Text).

test(what_is_not_plain, [forall(member(Data, [f(x), eval(x), _, @(x), prolog(x), [1|_]])), error(_)]) :-
    lpbridge_line:text(Data, _).

:- end_tests(line).

:- begin_tests(denied).

%   Every foreign predicate by which the three systems of this kind reach out.
test(not_kept, [forall(member(PI, [ open/4, open/3, see/1, shell/2, getenv/2, setenv/2,
        open_shared_object/3, delete_file/1, thread_create/3, win_shell/3, redefine_system_predicate/1,
        unwrap_predicate/2, '$qlf_load'/2, '$vm_assert'/3, '$engine_create'/3, fast_read/2, a_new_one/1 ])), fail]) :-
    PI = Name/Arity,
    lpbridge_denied:is_kept(Name, Arity).

test(kept, [forall(member(PI, [(==)/2, (!)/0, functor/3, '$record_clause'/3, read_term/3, open_string/2]))]) :-
    PI = Name/Arity,
    lpbridge_denied:is_kept(Name, Arity).

:- end_tests(denied).
