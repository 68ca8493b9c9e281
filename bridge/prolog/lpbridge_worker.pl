/** <module> What a session needs in a process of its own: less memory, a printer, and for untrusted programs a sandbox

Predicates for Python have their output last, which is `true` where there is nothing to tell.
*/

:- module(lpbridge_worker,
          [ warm_clpfd/1,      % -True
            limit_memory/2,    % +Bytes, -True
            operators/2,       % +Module, -Text
            confine/1,         % -Home
            safe/2             % +Id, -Said
          ]).
:- use_module(library(lists)).
:- use_module(library(error)).
:- use_module(library(prolog_wrap)).
:- use_module(lpbridge_errors).

%!  warm_clpfd(-True) is det.
%
%   Load library(clpfd) now, so that programs find it loaded. Only for programs that load it anyway: it brings
%   library(apply_macros) along, which changes how everything after it is compiled.

warm_clpfd(true) :- use_module(library(clpfd), []).

%!  limit_memory(+Bytes, -True) is det.
%
%   The stacks may take so many bytes, and so may the clauses of the program.

limit_memory(Bytes, true) :-
    set_prolog_flag(stack_limit, Bytes),
    set_module(user:program_space(Bytes)).

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

atomics_to_string(Lines, Text) :-
    atomic_list_concat(Lines, Atom),
    atom_string(Atom, Text).

                 /*******************************
                 *           SANDBOX            *
                 *******************************/

%   Libraries that a confined program may use: what it loads later would be taken for its own.
confined_library(sandbox).
confined_library(clpfd).
confined_library(clpb).
confined_library(aggregate).
confined_library(apply).
confined_library(apply_macros).
confined_library(assoc).
confined_library(dcg/basics).
confined_library(dicts).
confined_library(dif).
confined_library(error).
confined_library(gensym).
confined_library(heaps).
confined_library(lists).
confined_library(nb_set).
confined_library(option).
confined_library(ordsets).
confined_library(pairs).
confined_library(random).
confined_library(rbtrees).
confined_library(readutil).
confined_library(solution_sequences).
confined_library(strings).
confined_library(tabling).
confined_library(ugraphs).
confined_library(when).
confined_library(yall).

%!  confine(-Home) is det.
%
%   From here on what is loaded is loaded as sandboxed: its directives, and the goals that it hooks into the compiler,
%   must be safe (library(sandbox)). That library leaves three ways out, which are closed here: a file may include another
%   one, the conditions of `:- if(Goal)` are not looked at, and a module that is there already may be gone on with, so that
%   its hooks would be the system's own. Home is where the libraries are, which have to remain readable.

confine(Home) :-
    current_prolog_flag(home, Home),
    forall(confined_library(Library), catch(use_module(library(Library), []), _, true)),
    wrap_predicate(sandbox:directive_loads_file(Directive, _), lpbridge_worker, Includes,
                   ( Directive = include(File)
                   -> permission_error(include, file, File)
                   ; Includes
                   )),
    wrap_predicate('$expand':'$eval_if'(Condition), lpbridge_worker, _,
                   lpbridge_worker:holds(Condition)),
    wrap_predicate(system:'$start_module'(Module, _, _, _), lpbridge_worker, Starts,
                   ( lpbridge_worker:is_new(Module)
                   -> Starts
                   ; permission_error(redefine, module, Module)
                   )),
    set_prolog_flag(sandboxed_load, true).

holds(Condition) :-
    expand_goal(Condition, Goal),
    '$current_source_module'(Module),
    sandbox:safe_goal(Module:Goal),
    call(Module:Goal).

is_new(Module) :-
    \+ current_module(Module),
    !.
is_new(_) :-                    % a library's may have been mentioned before it is loaded
    source_location(File, _),
    current_prolog_flag(home, Home),
    atom_concat(Home, Rest, File),
    sub_atom(Rest, 0, _, _, '/library/').

%!  safe(+Id, -Said) is det.
%
%   Said is empty when the goal that lpbridge:variables/4 remembered as Id may be run, and otherwise the reason why not.
%   That goal, and not its text: what is run has been through the goal expansion of the program.

safe(Id, Said) :-
    lpbridge:parsed(Id, Module, Goal, _, _, _),
    catch(( sandbox:safe_goal(Module:Goal),
            Said = ""
          ),
          Error,
          told(Error, [Said|_])).
