/** <module> Errors as they cross to Python: what is wrong, and where */

:- module(lpbridge_errors,
          [ told/2,          % +Error, -Told
            bare/2,          % +Error, -Bare
            lines_text/2,    % +Lines, -Text
            column/4,        % +File, +Before, +Column0, -Column
            plain_place/6,   % +File0, +Line0, +Column0, -File, -Line, -Column
            hold_halt/0,
            own_process/1,   % -True
            halted/1         % -Status
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(prolog_stack)).
:- use_module(library(prolog_wrap)).
:- use_module(lpbridge_terms).
:- use_module(lpbridge_answers).
:- use_module(lpbridge_remedies).

%!  told(+Error, -Told) is det.
%
%   Told is [Text, File, Line, Column, Term, Backtrace, Remedy], with 0 for what is not known; the column counts from 1.
%   Term is the error without its stack, as it crosses (see term_value/2), or None; Backtrace has a line for each goal of
%   the program that was running. Remedy says what to do, see remedy/2, or is empty. Not for an abort, which goes on.

told(Error, _) :-
    memberchk(Error, ['$aborted', unwind(abort)]),
    !,
    throw(Error).
told(Error, [Text, File, Line, Column, Term, Backtrace, Remedy]) :-
    bare(Error, Bare),
    phrase('$messages':translate_message(Bare), Lines),
    lines_text(Lines, Text),
    ( place(Error, File0, Line0, Column0) -> true ; File0 = '', Line0 = 0, Column0 = 0 ),
    plain_place(File0, Line0, Column0, File, Line, Column),
    ( '$term_size'(Bare, 100_000, _), catch(term_value(Bare, Term), error(_, _), fail) -> true ; Term = @(none) ),
    backtrace(Error, Backtrace),
    (   acyclic_term(Error),        % a term that is in itself is not written
        catch(remedy(Error, Remedy0), error(_, _), fail)
    ->  plain(Remedy0, Remedy)
    ;   Remedy = ""
    ).

%!  plain_place(+File0, +Line0, +Column0, -File, -Line, -Column) is det.
%
%   As it crosses: a program may throw errors with any place, and janus evaluates terms eval(Call).

plain_place(File0, Line0, Column0, File, Line, Column) :-
    (   atom(File0), integer(Line0), integer(Column0)
    ->  plain(File0, File), Line = Line0, Column = Column0
    ;   File = '', Line = 0, Column = 0
    ).

%!  bare(+Error, -Bare) is det.
%
%   As catch/3 would have it: in place of the stack, which is for place/4, there is the predicate that raised the error.

bare(error(Formal, Context), error(Formal, context(Caller, Message))) :-
    subsumes_term(context(prolog_stack(_), _), Context),
    !,
    Context = context(_, Message),
    ( kept_caller(Caller) -> true ; true ).
bare(error(syntax_error(Message), stream(_, _, _, _)), error(syntax_error(Message), _)) :- !.
bare(Error, Error).

%   The predicate that raised the error, as the error itself says. The stack takes its place in the error; it is kept
%   when library(prolog_stack) does that.
:- wrap_predicate(prolog_stack:join_stacks(Caller, _, _), lpbridge, Join, ( lpbridge_errors:keep_caller(Caller), Join )).

keep_caller(Caller) :- ( ground(Caller) -> nb_setval(lpbridge_caller, Caller) ; nb_setval(lpbridge_caller, unknown) ).

kept_caller(Caller) :-
    nb_current(lpbridge_caller, Caller),        % the program may have put anything there
    ground(Caller),
    strip_module(system:Caller, Module, Name/Arity),
    atom(Name),
    integer(Arity),
    \+ own_module(Module).

%   The calls on the stack, while it is there.
:- wrap_predicate(prolog_stack:get_prolog_backtrace(_, _, Options), lpbridge, Get,
                  ( Get, lpbridge_remedies:keep_sites(lpbridge_errors:own_file, Options) )).

own_module(Module) :- sub_atom(Module, 0, _, _, lpbridge), \+ sub_atom(Module, 0, _, _, lpbridge_session).

frame_predicate(frame(_, Where, _), Module:Name/Arity) :-
    where_predicate(Where, PI),
    strip_module(user:PI, Module, Name/Arity).

where_predicate(call(PI), PI).
where_predicate(foreign(PI), PI).
where_predicate(pred_line(Text, _), PI) :- catch(term_string(PI, Text), error(_, _), fail).
where_predicate(clause(Clause, _), PI) :- clause_property(Clause, predicate(PI)).

%   As print_prolog_backtrace/2 prints the goals of the program, a line each.
backtrace(error(_, Context), Lines) :-
    subsumes_term(context(prolog_stack(_), _), Context),
    arg(1, Context, prolog_stack(Frames)),
    is_list(Frames),
    !,
    findall(Line, ( member(Frame, Frames), catch(frame_line(Frame, Line), error(_, _), fail) ), Lines).
backtrace(_, []).

frame_line(Frame, Line) :-
    Frame = frame(_, _, Goal),
    Goal \== 0,
    (   frame_place(Frame, File0, Number)
    ->  \+ own_file(File0),
        plain_place(File0, Number, 0, File, _, _),
        format(string(Place), " at ~w:~d", [File, Number])
    ;   frame_predicate(Frame, Module:Name/Arity),
        Name/Arity \== throw/1,
        functor(Head, Name, Arity),
        predicate_property(Module:Head, foreign),
        Place = ""
    ),
    format(string(Text), "~W~w", [Goal, [quoted(true), portray(true), max_depth(10), spacing(next_argument)], Place]),
    plain(Text, Line).

lines_text(Lines, Text) :-
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    normalize_space(string(Text1), Text0),
    plain(Text1, Text).

%   Where the error arose: the innermost clause on the stack that is not of the system's.
place(error(_, Context), File, Line, Column) :-
    nonvar(Context),
    context_place(Context, File, Line, Column).

context_place(file(File, Line, Column0, Offset), File, Line, Column) :- column(File, Offset, Column0, Column).
context_place(stream(_, 1, Column0, Before), '', 1, Column) :- integer(Before), Column0 > 0, !, Column is Before + 2.
context_place(stream(_, Line, Column0, _), '', Line, Column) :- integer(Column0), Column is Column0 + 1.
context_place(context(Stack, _), File, Line, Column) :-
    nonvar(Stack),
    Stack = prolog_stack(Frames),
    is_list(Frames),
    catch(site_place(File, Line, Column), error(_, _), fail),
    atom(File),
    !.
context_place(context(Stack, _), File, Line, 0) :-
    nonvar(Stack),
    Stack = prolog_stack(Frames),
    is_list(Frames),
    member(Frame, Frames),
    catch(frame_place(Frame, File, Line), error(_, _), fail),
    atom(File),
    \+ own_file(File),
    !.

%!  column(+File, +Before, +Column0, -Column) is semidet.
%
%   The column of a syntax error, in characters, from 1. Before is the offset of the character before it; Column0 is the
%   error's own column, which counts bytes, and tabs in another way.

column(_, 0, 0, 1) :- !.
column(File, Before, _, Column) :-
    integer(Before),
    atom(File),
    Offset is Before + 1,
    catch(position(File, Offset, _, Column), error(_, _), fail),
    !.
column(_, _, Column0, Column) :- integer(Column0), Column is Column0 + 1.

%   A frame knows the line of its call when the source can be read again, and else that of its predicate.
frame_place(Frame, File, Line) :-
    prolog_stack_frame_property(Frame, location(File:Line)),
    !.
frame_place(frame(_, pred_line(_, File:Line), _), File, Line).

own_file(File) :-
    current_prolog_flag(home, Home),
    sub_atom(File, 0, _, _, Home),
    !.
own_file(File) :-
    module_property(Module, file(File)),
    sub_atom(Module, 0, _, _, lpbridge),
    !.

                /*******************************
                *             HALT             *
                *******************************/

:- dynamic halt_status/1.

%!  hold_halt is det.
%
%   From now on halt/1, in a goal or in a directive, does not end the process, which is the host's. It aborts the query
%   instead, which no catch/3 of the program stops, and leaves word of it for halted/1.

hold_halt :- wrap_predicate(system:halt(Status), lpbridge, _, lpbridge_errors:halt_asked(Status)).

halt_asked(Status) :-
    must_be(integer, Status),
    at_halt_goals,
    retractall(halt_status(_)),
    assertz(halt_status(Status)),
    end_output,
    ( own, \+ thread_self(main) -> thread_signal(main, abort) ; true ),
    abort.

%   As at the end of swipl: what is written waits in no buffer. Where the process ends with the program, what the abort
%   still runs (cleanup goals, those of catch/3) writes to nowhere: swipl does not run it.
end_output :-
    forall(stream_property(Stream, output), catch(flush_output(Stream), error(_, _), true)),
    (   own
    ->  open_null_stream(Nowhere),
        maplist(set_stream(Nowhere), [alias(user_output), alias(user_error)]),
        set_output(Nowhere)
    ;   true
    ).

:- dynamic
    own/0,                  % the program is alone in this process
    owner/0.                % and its goals of at_halt/1 have not run

%   Fails where one of them calls cancel_halt/1. One that calls halt/1 itself ends them.
at_halt_goals :-
    retract(owner),
    !,
    ( '$run_at_halt' -> true ; assertz(owner), fail ).
at_halt_goals.

%!  own_process(-True) is det.
%
%   The program is alone in this process: what it has registered with at_halt/1 runs when it calls halt/1.

own_process(true) :-
    retractall(own),
    retractall(owner),
    assertz(own),
    assertz(owner).

%!  halted(-Status) is det.
%
%   Did the program call halt/1? Its argument, or None. It is forgotten.

halted(Status) :-
    (   retract(halt_status(Status0))
    ->  Status = Status0
    ;   Status = @(none)
    ).
