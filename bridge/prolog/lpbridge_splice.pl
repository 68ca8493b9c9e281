/** <module> Load files with their text changed

Whatever loads one of these files, a session or another file, gets the changed text under the file's own name, so that
lines, relative paths and modules are those of the file.
*/

:- module(lpbridge_splice,
          [ splice/2        % +File, +Text
          ]).
:- set_module(base(system)).

:- dynamic
    spliced/2,              % File, Text
    loading/1.              % File

%!  splice(+File, +Text) is det.
%
%   From now on the file has this text.

splice(File0, Text) :-
    atom_string(File, File0),
    retractall(spliced(File, _)),
    assertz(spliced(File, Text)).

:- multifile user:prolog_load_file/2.
:- dynamic user:prolog_load_file/2.

user:prolog_load_file(Module:Spec, Options) :-
    lpbridge_splice:spliced(_, _),
    lpbridge_splice:load_spliced(Module, Spec, Options).

load_spliced(Module, Spec, Options) :-
    absolute_file_name(Spec, File, [file_type(prolog), access(read), file_errors(fail)]),
    spliced(File, Text),
    \+ loading(File),
    (   source_file(File)               % it is imported, not loaded again
    ->  setup_call_cleanup(
            assertz(loading(File)),
            load_files(Module:File, [if(not_loaded)|Options]),
            retractall(loading(File)))
    ;   setup_call_cleanup(
            open_string(Text, Stream),
            ( set_stream(Stream, file_name(File)),
              load_files(Module:File, [stream(Stream)|Options])
            ),
            close(Stream))
    ).
