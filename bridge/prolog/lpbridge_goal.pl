/** <module> Goals as people type them */

:- module(lpbridge_goal,
          [ goal_of_text/4,  % +Module, +Text, -Goal, -Bindings
            control/3        % +Goal, -A, -B
          ]).
:- set_module(base(system)).
:- use_module(library(error)).

%!  goal_of_text(+Module, +Text, -Goal, -Bindings) is det.
%
%   Goal is read from Text with the operators and flags of Module; Bindings are its variables, as Name=Variable.
%
%   @error type_error(goal, Goal) for a variable, a number, a clause, a directive, or a goal with its prompt.

goal_of_text(Module, Text, Goal, Bindings) :-
    string_concat(Text, "\n. ", Clause),
    setup_call_cleanup(
        open_string(Clause, Stream),
        ( read_term(Stream, Goal, [module(Module), variable_names(Bindings)]),
          read_to_the_end(Stream)
        ),
        close(Stream)),
    (   \+ callable(Goal)
    ->  type_error(goal, Goal)
    ;   functor(Goal, Name, Arity),
        memberchk(Name/Arity, [(:-)/1, (?-)/1, (:-)/2, (-->)/2]),
        \+ predicate_property(Module:Goal, defined)
    ->  type_error(goal, Goal)
    ;   true
    ).

%   A dot of the goal's own may come before that which was added, and nothing else.
read_to_the_end(Stream) :-
    stream_property(Stream, position(Position)),
    read_string(Stream, _, Rest),
    split_string(Rest, "", " \t\n.", [Rest1]),
    (   Rest1 == ""
    ->  true
    ;   stream_position_data(line_count, Position, Line),
        stream_position_data(line_position, Position, Column),
        stream_position_data(char_count, Position, Count),
        Before is Count - 1,                % as syntax errors have it
        throw(error(syntax_error(end_of_clause_expected), stream(Stream, Line, Column, Before)))
    ).

%!  control(+Goal, -A, -B) is semidet.
%
%   Goal is a conjunction, a disjunction or an implication of A and B.

control((A, B), A, B).
control((A ; B), A, B).
control((A -> B), A, B).
control((A *-> B), A, B).
