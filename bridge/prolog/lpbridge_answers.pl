/** <module> Answers: bindings, what constrains them, and their text

A definite answer crosses as the values of the variables told of: the value itself where there is one such variable, and
otherwise the list of them. An answer that leaves something open crosses as `[True, o, Values, Residuals, Text]`: each
residual goal `[Term, Text]`; Text None where answer_text/4 can make it from the values alone.

One copy_term/3 over everything takes the constraints off the variables, so that values, goals and text agree on which
variable is which. The copy's variables are named as the toplevel names them: by the query's own names where they have
one, otherwise `_A`, `_B`, ...
*/

:- module(lpbridge_answers,
          [ answer/6,        % +Values, +Told, +Named, +Module, +Texts, -Carried
            answer_text/3    % +Module, +Values, -Text
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(lpbridge_terms).

:- set_prolog_flag(toplevel_name_variables, true).

%!  answer(+Values, +Told, +Named, +Module, +Texts, -Carried) is det.
%
%   Told are the variables told of as Name=Value, and Values their values; Named the variables that came with a name in
%   an input. Texts is `true` when each answer is to bring its text along.

answer([Value], _, _, _, @(false), Carried), atomic(Value) => encode_atomic(Value, Carried).
answer(Values, Told, Named, Module, Texts, Carried), ground(Values), acyclic_term(Values) =>
    maplist(encode, Values, Carrieds),
    (   Texts == @(true)
    ->  bindings_text(Told, Named, Module, [], Text), Carried = [@(true), o, Carrieds, [], Text]
    ;   Carrieds = [Carried0]
    ->  Carried = Carried0
    ;   Carried = Carrieds
    ).
answer(_, Told, Named, Module, Texts, Carried) =>
    append(Named, Told, Bindings0),
    length(Named, Silent),
    without_attributes(Bindings0, Bindings, Goals),
    (   Goals == [], Texts == @(false), acyclic_term(Bindings)
    ->  Text = @(none)
    ;   length(NamedCopy, Silent), append(NamedCopy, ToldCopy, Bindings), !,
        bindings_text(ToldCopy, NamedCopy, Module, Goals, Text)
    ),
    opened(Bindings, Goals, Silent, Module, Values, Residuals),
    Carried = [@(true), o, Values, Residuals, Text].

opened(Bindings0, Goals0, Silent, Module, Values, Residuals) :-
    '$toplevel':omit_qualifiers(Goals0, Module, Goals2),
    maplist(unqualified, Goals2, Goals1),
    without_cycles(Bindings0-Goals1, Bindings-Goals),
    term_variables(Bindings-Goals, Variables),
    findall(Variables-Texts,
            ( named(Bindings, Silent, Goals),
              maplist(goal_text(Module), Goals, Texts)
            ),
            [Names-Texts]),
    maplist(name_copy, Variables, Names),
    length(Skipped, Silent),
    append(Skipped, Told, Bindings),
    !,
    maplist(value, Told, Values),
    maplist(residual, Goals, Texts, Residuals).

value(_=Value, Carried) :- encode(Value, Carried).

residual(Goal, Text, [Carried, Text]) :- encode(Goal, Carried).

unqualified(Goal0, Goal) :- strip_module(Goal0, _, Goal).

%   Names of inputs first; of several names that the query has for one variable, the toplevel uses the last.
named(Bindings, Silent, Goals) :-
    term_variables(Bindings-Goals, Variables),
    maplist(name_cycle, Variables),
    length(Inputs, Silent),
    append(Inputs, Told, Bindings),
    !,
    maplist(name_binding, Inputs),
    reverse(Told, LastFirst),
    maplist(name_binding, LastFirst),
    prolog:name_vars(Bindings, Goals).

name_binding(Name=Value) :- ( var(Value) -> Value = '$VAR'(Name) ; true ).

name_cycle(Variable) :- ( variable_name(Variable, Name), Name \== '_' -> Variable = '$VAR'(Name) ; true ).

name_copy(Variable, '$VAR'(Name)) :- !, name_variable(Variable, Name).
name_copy(_, _).

%!  without_attributes(+Term, -Copy, -Goals) is det.
%
%   As copy_term/3 at the toplevel, which first projects the constraints on the variables that are shown (clpr). But an
%   attribute whose own goals cannot be had, since a user's attribute_goals//1 raises an error, is told of as put_attr/3.

without_attributes(Term, Copy, Goals) :-
    catch('$toplevel':project_constraints(Term, []), error(_, _), true),
    catch(copy_term(Term, Copy, Goals), Error, true),
    (   var(Error)
    ->  true
    ;   not_an_abort(Error),
        term_attvars(Term, Variables),
        findall(Term-Goals0,
                ( phrase(variables_goals(Variables), Goals0),
                  maplist(del_attrs, Variables)
                ),
                [Copy-Goals])
    ).

not_an_abort(Error) :-
    (   memberchk(Error, ['$aborted', unwind(abort)])
    ->  throw(Error)
    ;   true
    ).

variables_goals([]) --> [].
variables_goals([Variable|Variables]) -->
    { get_attrs(Variable, Attributes) },
    attributes_goals(Attributes, Variable),
    variables_goals(Variables).

attributes_goals([], _) --> [].
attributes_goals(att(Module, Value, Attributes), Variable) -->
    (   { catch(phrase(Module:attribute_goals(Variable), Goals), Error, (not_an_abort(Error), fail)) }
    ->  Goals
    ;   [put_attr(Variable, Module, Value)]
    ),
    attributes_goals(Attributes, Variable).

%!  without_cycles(+Term0, -Term) is det.
%
%   Term is Bindings-Goals where each cycle has become a variable and a goal Variable=Value, as the toplevel shows it.

without_cycles(Term, Term) :-
    acyclic_term(Term),
    !.
without_cycles(Term0, Bindings-Goals) :-
    '$factorize_term'(Term0, Bindings-Goals0, Shared),
    cycles(Shared, Cycles),
    name_cycles(Cycles, Bindings, 1),
    append(Goals0, Cycles, Goals).

cycles([], []).
cycles([Variable=Value|Shared], Cycles) :-
    (   Variable = Value, acyclic_term(Variable)
    ->  cycles(Shared, Cycles)
    ;   Cycles = [Variable=Value|Cycles0],
        cycles(Shared, Cycles0)
    ).

%   Named `_S1` unless the cycle is itself the value of a variable of the query.
name_cycles([], _, _).
name_cycles([Variable=_|Cycles], Bindings, N) :-
    (   member(_=Value, Bindings), Value == Variable
    ->  name_cycles(Cycles, Bindings, N)
    ;   atom_concat('_S', N, Name),
        name_variable(Variable, Name),
        Next is N + 1,
        name_cycles(Cycles, Bindings, Next)
    ).

                /*******************************
                *             TEXT             *
                *******************************/

goal_text(Module, Goal, Text) :-
    print_options(Module, Goal, Options),
    with_output_to(string(Text), write_term(Goal, [priority(999)|Options])).

print_options(Module, Term,
              [ module(Module), quoted(true), spacing(next_argument), max_depth(Depth),
                portray(true), portray_goal(lpbridge_answers:write_name)
              ]) :-
    (   acyclic_term(Term), deeper([Term], 2000)
    ->  Depth = 100
    ;   Depth = 0
    ).

%   One of Terms is nested so many levels deep. write_term/2 recurs in C and would end the process; such a term is
%   abbreviated, as the toplevel abbreviates all. Level by level, a list being one level.
deeper([_|_], 0) :- !.
deeper([Term|Terms], Levels) :-
    phrase(parts([Term|Terms]), Parts),
    Less is Levels - 1,
    deeper(Parts, Less).

parts([]) --> [].
parts([Term|Terms]) --> { compound(Term) }, !, parts_of(Term), parts(Terms).
parts([_|Terms]) --> parts(Terms).

parts_of(Term) --> { is_list(Term) }, !, Term.
parts_of(Term) --> { compound_name_arguments(Term, _, Arguments) }, Arguments.

%   Named variables are printed by name, whatever the name: cells are called r4c1.
write_name('$VAR'(Name), _) :-
    atom(Name),
    write(Name).

%   The answer as the toplevel prints it, the goals that constrain it included, without the depth limit at which the
%   toplevel abbreviates (as after typing `w`). The bindings of named inputs are not part of it, their names are.

bindings_text(Told, Named, Module, Goals, Text) :-
    include(open_binding, Named, Open),
    append(Open, Told, Bindings0),
    current_prolog_flag(answer_write_options, Before),
    print_options(Module, Bindings0-Goals, Options),
    setup_call_cleanup(
        set_prolog_flag(answer_write_options, Options),
        findall(Text0, toplevel_text(Bindings0, Module, Goals, Text0), [Text1]),
        set_prolog_flag(answer_write_options, Before)),
    split_string(Text1, "", " \n", [Text]).

%   The toplevel itself does not always manage goals about a cyclic term: then cycles are shown as goals too.
toplevel_text(Bindings, Module, Goals, Text) :-
    catch(toplevel_text_(Bindings, Module, Goals, Text), error(representation_error(acyclic_term), _), fail),
    !.
toplevel_text(Bindings0, Module, Goals0, Text) :-
    without_cycles(Bindings0-Goals0, Bindings-Goals),
    toplevel_text_(Bindings, Module, Goals, Text).

toplevel_text_(Bindings0, Module, Goals, Text) :-
    prolog:translate_bindings(Bindings0, Bindings, [], Goals, Module:Residuals),
    phrase('$messages':translate_message(query(yes(Bindings, true, Residuals))), Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

open_binding(_=Value) :- var(Value).

%!  answer_text(+Module, +Values, -Text) is det.
%
%   An answer without residual goals, given as `[Name, Carried]` each, as the toplevel prints it.

answer_text(Module, Values, Text) :-
    bound(Values, Bindings, [], Named0),
    exclude(told(Bindings), Named0, Named),
    bindings_text(Bindings, Named, Module, [], Text).

bound([], [], Named, Named).
bound([[Name, Carried]|Values], [Name=Value|Bindings], Named0, Named) :-
    decode(Carried, Value, Named0, Named1),
    bound(Values, Bindings, Named1, Named).

%   Names that the toplevel gives itself, and names of the query, are no names of inputs.
told(Bindings, Name=_) :-
    (   sub_atom(Name, 0, 1, _, '_')
    ->  true
    ;   memberchk(Name=_, Bindings)
    ).
