/** <module> What a session needs in a process of its own: less memory, and a printer

Predicates for Python have their output last, which is `true` where there is nothing to tell.
*/

:- module(lpbridge_worker,
          [ link/1,            % -True
            warm/2,            % +Libraries, -True
            limit_memory/2,    % +Bytes, -True
            stop_by_alarm/1,   % -True
            remember/2,        % +Module, -True
            changed/2,         % +Module, -Predicates
            begin/4,           % +Arguments, +Paths, +Here, -True
            begin_output/1,    % -True
            operators/2,       % +Module, -Text
            add_facts/5        % +Module, +Name, +Arities, +Rows, -Error
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(lpbridge_errors).
:- use_module(lpbridge_terms).

%!  link(-True) is det.
%
%   What a library would import from another one when it first calls it is imported now, where both are in memory: no
%   stop, limit or second thread can come in between.

link(true) :-
    forall(( current_predicate(Module:'$autoload'/3),
             Module:'$autoload'(Spec, _, Import),
             absolute_file_name(Spec, File, [file_type(prolog), access(read), file_errors(fail)]),
             source_file(File)
           ),
           imported(Import, Module, File)).

imported(all, Module, File) :- @(use_module(File), Module).
imported(import(Predicates), Module, File) :- @(use_module(File, Predicates), Module).

%!  warm(+Libraries, -True) is det.
%
%   Load libraries now, so that programs find them loaded. Only for programs that load them anyway: library(clpfd) brings
%   library(apply_macros) along, which changes how everything after it is compiled.

warm(Libraries, true) :-
    forall(member(Library, Libraries), use_module(library(Library), [])),
    link(_).

%!  limit_memory(+Bytes, -True) is det.
%
%   The stacks may take so many bytes, and so may the clauses of the program.

limit_memory(Bytes, true) :-
    set_prolog_flag(stack_limit, Bytes),
    set_module(user:program_space(Bytes)).

%!  stop_by_alarm(-True) is det.
%
%   From here on SIGALRM aborts what runs.

stop_by_alarm(true) :- on_signal(alrm, _, lpbridge_worker:alarm).

alarm(_) :- abort.

:- dynamic was/2.           % Head, Generation

%!  remember(+Module, -True) is det.
%!  changed(+Module, -Predicates) is det.
%
%   Predicates are those, as text, that Module had when it was remembered, and whose clauses are others now. Not those
%   that are dynamic.

remember(Module, true) :-
    retractall(was(_, _)),
    forall(( current_predicate(_, Module:Head), static_generation(Module:Head, Generation) ),
           assertz(was(Head, Generation))).

changed(Module, Predicates) :-
    findall(Text,
            (   was(Head, Generation),
                \+ static_generation(Module:Head, Generation),
                functor(Head, Name, Arity),
                format(string(Text), '~q', [Name/Arity])
            ),
            Predicates).

static_generation(Goal, Generation) :-
    \+ '$get_predicate_attribute'(Goal, imported, _),
    \+ '$get_predicate_attribute'(Goal, (dynamic), 1),
    '$get_predicate_attribute'(Goal, last_modified_generation, Generation).

%!  begin(+Arguments, +Paths, +Here, -True) is det.
%
%   As swipl is started in Here: Arguments are the program's (flag `argv`), and Paths are `[Alias, Folder]` each
%   (option `-p`). Prolog remembers its folder: that of the process may have changed since it was started.

begin(Arguments, Paths, Here, true) :-
    own_process(_),
    working_directory(_, Here),
    set_prolog_flag(argv, Arguments),
    current_prolog_flag(executable, Executable),
    set_prolog_flag(os_argv, [Executable|Arguments]),
    reverse(Paths, LastFirst),
    forall(member([Alias, Folder], LastFirst), asserta(user:file_search_path(Alias, Folder))),
    (   memberchk([pack, _], Paths)
    ->  attach_packs
    ;   true
    ).

%!  begin_output(-True) is det.
%
%   What the program prints goes to the standard output of the process, in UTF-8: also after halt/1, which had it go
%   nowhere.

begin_output(true) :-
    stream_property(Output, file_no(1)),
    !,
    set_stream(Output, encoding(utf8)),
    set_stream(Output, alias(user_output)),
    set_output(Output).
begin_output(true).

%!  add_facts(+Module, +Name, +Arities, +Rows, -Error) is det.
%
%   Each row becomes a clause of a dynamic predicate, whose arguments are the row's values. There is one of each of the
%   Arities, also without a row. Error is as in told/2; None where nothing was wrong.

add_facts(Module, Text, Arities, Rows, Error) :-
    atom_string(Name, Text),
    catch(( forall(member(Arity, Arities), dynamic(Module:Name/Arity)),
            forall(member(Row, Rows), add_fact(Module, Name, Row)),
            Error = @(none)
          ),
          Caught,
          told(Caught, Error)).

add_fact(Module, Name, Row) :-
    no_names(Named),
    foldl(decode, Row, Arguments, Named, _),
    Fact =.. [Name|Arguments],
    assertz(Module:Fact).

%!  operators(+Module, -Text) is det.
%
%   Where the operators of a module differ from those of every program, as directives. (To declare all of them is an
%   error: the comma is not to be declared, not even as what it is.)

operators(Module, Text) :-
    findall(Line,
            ( differing_op(Module, Priority, Type, Name),
              format(string(Line), ':- op(~q, ~q, ~q).~n', [Priority, Type, Name])
            ),
            Lines),
    atomics_to_string(Lines, Text).

% What is gone comes first: one of another type may be in its place.
differing_op(Module, 0, Type, Name) :-
    current_op(_, Type, system:Name),
    \+ current_op(_, Type, Module:Name).
differing_op(Module, Priority, Type, Name) :-
    current_op(Priority, Type, Module:Name),
    \+ current_op(Priority, Type, system:Name).
