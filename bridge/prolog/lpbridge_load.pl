/** <module> Loading programs: what they say while they load, and what they offer then */

:- module(lpbridge_load,
          [ load/3,          % +Module, +File, -Messages
            load_text/4,     % +Module, +Name, +Text, -Messages
            heard/1,         % -Messages
            exports/3,       % +Module, +Files, -Predicates
            main/3           % +Module, +Files, -Goal
          ]).
:- set_module(base(system)).
:- use_module(library(lists)).
:- use_module(lpbridge_errors).

:- thread_local
    listening/0,
    said/1.                 % [Kind, File, Line, Column, Text, Term]

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

%   The first of all hooks; it succeeds, so that nothing is printed to stderr as well.
:- asserta((user:message_hook(Term, Kind, Lines) :-
                lpbridge_load:listening,
                \+ nb_current(lpbridge_silent, true),
                lpbridge_load:note(Kind, Term, Lines))).

note(Kind, Term, Lines) :-
    ( Kind == error ; Kind == warning ),
    !,
    message_place(Term, File0, Line0, Column0),
    plain_place(File0, Line0, Column0, File, Line, Column),
    (   bare_message(Term, Bare)
    ->  phrase('$messages':translate_message(Bare), BareLines)
    ;   BareLines = Lines
    ),
    lines_text(BareLines, Text),
    ( Kind == error, error_term(Term, Error), told(Error, [_, _, _, _, Carried|_]) -> true ; Carried = @(none) ),
    assertz(said([Kind, File, Line, Column, Text, Carried])).

%   The error that a message is about.
error_term(error(Formal, Context), error(Formal, Context)).
error_term(initialization_error(_, Error, _), Error).
error_term(unhandled_exception(Error), Error) :- \+ memberchk(Error, ['$aborted', unwind(abort)]).

%   Without the backtrace, and without the place, which is reported separately.
bare_message(error(Formal, Context), Bare) :- bare(error(Formal, Context), Bare).
bare_message(initialization_error(_, Error0, _:_), Error) :- bare(Error0, Error).
bare_message(unhandled_exception(Error0), unhandled_exception(Error)) :- bare(Error0, Error).

%!  load(+Module, +File, -Messages) is det.
%
%   Load a file into Module. Messages are the errors and warnings that it gave rise to, in place of lines on stderr:
%   each a list [Kind, File, Line, Column, Text, Term], where Term is an error's, as in told/2, or None. A program that
%   calls halt/1 aborts the loading; heard/1 has the messages then.
%
%   A file that is not a module can be loaded into one module only. For the next session it is another file, in the same
%   folder, whose name ends in that of the session's module.

%
%   A module file that has not changed is not loaded again, but its messages are reported again.

load(Module, File, Messages) :-
    listen(load_file(Module, File), Messages0),
    time_file(File, Time),
    (   Messages0 == [],
        said_before(File, Time, Messages)
    ->  true
    ;   Messages = Messages0,
        retractall(said_before(File, _, _)),
        assertz(said_before(File, Time, Messages))
    ).

:- dynamic said_before/3.   % File, Time, Messages

load_file(Module, File) :-
    catch(load_files(Module:File, [if(changed)]), error(permission_error(load, source, _), _), Elsewhere = true),
    (   Elsewhere == true
    ->  format(atom(Name), '~w<~w>', [File, Module]),
        setup_call_cleanup(
            open(File, read, Stream),
            (   set_stream(Stream, file_name(Name)),        % or initialization/1 takes it for the other
                load_files(Module:Name, [stream(Stream)])
            ),
            close(Stream))
    ;   true
    ).

%!  load_text(+Module, +Name, +Text, -Messages) is det.
%
%   As load/3, for program text under the name of a file that there is not.

load_text(Module, Name, Text, Messages) :-
    string_length(Text, Length),
    ( Length =< 100_000 -> assertz(text(Name, Text)) ; true ),
    setup_call_cleanup(
        open_string(Text, Stream),
        listen(load_files(Module:Name, [stream(Stream)]), Messages),
        close(Stream)).

%   For errors that show the goal of a clause: texts that are not files, and files under another name.
:- dynamic text/2.
:- multifile prolog_clause:open_source/2.

prolog_clause:open_source(Name, Stream) :- lpbridge_load:text(Name, Text), !, open_string(Text, Stream).
prolog_clause:open_source(Name, Stream) :-
    sub_atom(Name, Length, _, _, '<lpbridge_session_'),
    sub_atom(Name, 0, Length, _, File),
    exists_file(File),
    open(File, read, Stream).

:- meta_predicate listen(0, -).

listen(Goal, Messages) :-
    retractall(said(_)),
    setup_call_cleanup(
        assertz(listening),
        ( catch(Goal, Error, load_error(Error)) -> true ; true ),
        ( retractall(listening), flush_output(user_output), flush_output(user_error) )),
    heard(Messages).

%!  heard(-Messages) is det.
%
%   The messages that were not told of yet.

heard(Messages) :- findall(Message, retract(said(Message)), Messages).

load_error(Error) :-
    memberchk(Error, ['$aborted', unwind(abort)]),
    !,
    throw(Error).
load_error(Error) :- print_message(error, Error).

%   Some messages know their place themselves; the others are about the term that is being read.
message_place(error(_, Context), File, Line, Column) :-
    nonvar(Context),
    Context = file(File, Line, Column0, Before),
    column(File, Before, Column0, Column),
    !.
message_place(initialization_error(_, _, File:Line), File, Line, 0) :- !.
message_place(initialization_failure(_, File:Line), File, Line, 0) :- !.
message_place(_, File, Line, 0) :-
    source_location(File, Line),
    !.
message_place(_, '', 0, 0).

%!  exports(+Module, +Files, -Predicates) is det.
%
%   What the files that were loaded into Module offer, as [Name, Arity] in alphabetical order: what the module files
%   among them export, and all that the others define.

exports(Module, Files, Predicates) :-
    findall([Name, Arity], offered(Module, Files, Name, Arity), Predicates0),
    sort(Predicates0, Predicates).

offered(_, Files, Name, Arity) :-
    member(File, Files),
    module_property(Exporting, file(File)),
    module_property(Exporting, exports(Indicators)),
    member(Name/Arity, Indicators).
offered(Module, Files, Name, Arity) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, imported_from(_)),
    (   nth_clause(Module:Head, 1, Clause)
    ->  clause_property(Clause, source(File))       % also of what is included
    ;   predicate_property(Module:Head, file(File))
    ),
    loaded_from(Module, Files, File).

%   File is one of Files, or what load/3 made of it.
loaded_from(_, Files, File) :-
    memberchk(File, Files),
    !.
loaded_from(Module, Files, File) :-
    member(Original, Files),
    format(atom(File), '~w<~w>', [Original, Module]),
    !.

%!  main(+Module, +Files, -Goal) is det.
%
%   Goal is what `:- initialization(Goal, main)` in one of the files would run, as text; None without one. With
%   several the last counts, as in swipl.

main(Module, Files, Text) :-
    findall(Goal,
            ( system:'$init_goal'(when(main), Goal, Context),
              nonvar(Context),
              Context = File:_,
              loaded_from(Module, Files, File)
            ),
            Goals),
    (   last(Goals, Goal)
    ->  strip_module(Goal, In, Plain),
        (   In == Module
        ->  format(atom(Text), '~q', [Plain])
        ;   format(atom(Text), '~q', [In:Plain])
        )
    ;   Text = @(none)
    ).
