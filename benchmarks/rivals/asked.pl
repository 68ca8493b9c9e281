:- use_module(library(solution_sequences)).

%   asked(+Module): says `ready`; then goals on standard input, one a line, are proved in Module, the rows of each answer
%   are written, and `end`.

asked(Module) :-
    writeln(ready),
    flush_output,
    repeat,
    read(Question),
    (   Question == end_of_file
    ->  !
    ;   catch(told(Question, Module), Error, (print_message(silent, Error), format("error ~q~n", [Error]))),
        flush_output,
        fail
    ).

told(ask(Rows, Goal, Limit), Module) :-
    (   Limit == inf
    ->  Asked = Module:Goal
    ;   Asked = limit(Limit, Module:Goal)
    ),
    forall(Asked, (print(Rows), nl)),
    write(end), nl.
