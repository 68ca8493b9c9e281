/** <module> Answers: bindings, what constrains them, their truth, and their text

A definite answer crosses as the values of the reported variables: the value itself if there is one such variable, and
otherwise the list of them. Any other answer crosses as

    [True, o, Values, Residuals, Text, Delays, Program]

  - Residuals: the goals that constrain the values, each `[Term, Text]`. They come from attributed variables, and from
    the collectors of residual_goals/1: the constraints that CHR keeps in its store.
  - Text: what the toplevel prints; None where answer_text/3 can make it from the values alone.
  - Delays: empty for an answer that is true. For one that is undefined in the well-founded semantics (tabling with
    negation) the goals that it depends on, each `[Term, Text]`, as call_delays/2 gives them.
  - Program: the clauses of delays_residual_program/2, each `[Term, Text]`. Empty where Delays is empty, or where the
    flag toplevel_list_wfs_residual_program is false.

One copy_term/3 over everything takes the constraints off the variables, so that values, goals and text agree on which
variable is which. The copy's variables are named as the toplevel names them: by the query's own names where they have
one, otherwise `_A`, `_B`, ...
*/

:- module(lpbridge_answers,
          [ answer/4,        % +Values, +Asked, +Delays, -Carried
            term_value/2,    % +Term, -Carried
            stored_goals/1,  % -Goals
            storing/0,
            answer_text/3    % +Module, +Values, -Text
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(wfs), [delays_residual_program/2]).
:- use_module(lpbridge_terms).

:- set_prolog_flag(toplevel_name_variables, true).

%!  answer(+Values, +Asked, +Delays, -Carried) is det.
%
%   Asked is asked(Told, Named, Module, Texts, Stored). Told are the reported variables as Name=Value, and Values their
%   values; Named the variables that came with a name in an input. Texts is `true` when each answer is to bring its text
%   along. Stored are the goals that were stored before the query began, see stored_goals/1.

answer([Value], asked(_, _, _, @(false), _), true, Carried), atomic(Value), \+ storing => encode_atomic(Value, Carried).
answer(Values, asked(Told, Named, Module, Texts, _), true, Carried),
  ground(Values), acyclic_term(Values), \+ storing =>
    maplist(encode, Values, Carrieds),
    (   Texts == @(true)
    ->  bindings_text(Told, Named, Module, [], true, Text), open_answer(Carrieds, [], Text, [], [], Carried)
    ;   definite(Carrieds, Carried)
    ).
answer(_, asked(Told, Named, Module, Texts, Stored), Delays0, Carried) =>
    use_names(Named),
    append(Named, Told, Bindings0),
    length(Named, Silent),
    stored_since(Stored, New),
    residual_program(Delays0, Module, Program0),
    open_term(Bindings0, New, Delays0-Program0, Bindings, Goals, Delays-Program),
    length(NamedCopy, Silent), append(NamedCopy, ToldCopy, Bindings), !,
    (   Goals == [], Delays == true, Texts == @(false), ground(Bindings), acyclic_term(Bindings)
    ->  maplist(value, ToldCopy, Carrieds),     % CHR is there, and its store is empty
        definite(Carrieds, Carried)
    ;   (   Goals == [], Delays == true, Texts == @(false), acyclic_term(Bindings)
        ->  Text = @(none)
        ;   Goals == [], Delays == true         % what is cyclic is shown by names, and a copy shares less
        ->  bindings_text(Told, Named, Module, [], true, Text)
        ;   bindings_text(ToldCopy, NamedCopy, Module, Goals, Delays, Text)
        ),
        opened(Bindings, Goals, Delays-Program, Silent, Module, Values, Residuals, DelaysCarried, ProgramCarried),
        open_answer(Values, Residuals, Text, DelaysCarried, ProgramCarried, Carried)
    ).

%!  term_value(+Term, -Carried) is det.
%
%   Carried is any Term as it crosses: as an answer to a query with one variable, without its text.

term_value(Term, Carried), ground(Term), acyclic_term(Term) => encode(Term, Carried).
term_value(Term, Carried) =>
    use_names([]),
    open_term(['E'=Term], [], true, Bindings, Goals, _),
    opened(Bindings, Goals, true-[], 0, user, Values, Residuals, _, _),
    open_answer(Values, Residuals, "", [], [], Carried).

definite([Carried0], Carried) => Carried = Carried0.
definite(Carrieds, Carried) => Carried = Carrieds.

open_answer(Values, Residuals, Text, Delays, Program, [@(true), o, Values, Residuals, Text, Delays, Program]).

opened(Bindings0, Goals0, Delays0-Program0, Silent, Module, Values, Residuals, Delays, Program) :-
    '$toplevel':omit_qualifiers(Goals0, Module, Goals2),
    maplist(unqualified, Goals2, Goals1),
    without_cycles(Bindings0-Goals1, Bindings-Goals),
    delay_goals(Delays0, Module, DelayGoals),
    term_variables([Bindings, Goals, DelayGoals, Program0], Variables),
    findall(Variables-[ProgramTexts0|Texts],
            ( named(Bindings, Silent, t(Goals, DelayGoals)),
              name_others(Program0),
              maplist(maplist(goal_text(Module, 999)), [Goals, DelayGoals], Texts),
              maplist(goal_text(Module, 1200), Program0, ProgramTexts0)
            ),
            [Names-[ProgramTexts, GoalTexts, DelayTexts]]),
    maplist(name_copy, Variables, Names),
    length(Skipped, Silent),
    append(Skipped, Told, Bindings),
    !,
    maplist(value, Told, Values),
    maplist(residual, Goals, GoalTexts, Residuals),
    maplist(residual, DelayGoals, DelayTexts, Delays),
    maplist(residual, Program0, ProgramTexts, Program).

                /*******************************
                *          UNDEFINED           *
                *******************************/

%   The clauses that the delays of an answer depend on; none where the toplevel is not to list them.
residual_program(true, _, []) :- !.
residual_program(_, _, []) :-
    \+ current_prolog_flag(toplevel_list_wfs_residual_program, true),
    !.
residual_program(Delays, Module, Program) :-
    delays_residual_program(Module:Delays, Module:Program0),
    exclude('$messages':system_undefined, Program0, Program).

delay_goals(true, _, []) :- !.
delay_goals(Delays0, Module, Goals) :-
    '$toplevel':omit_qualifier(Delays0, Module, Delays),
    conjuncts(Delays, Goals).

conjuncts((A, B), [A|Goals]) :- !, conjuncts(B, Goals).
conjuncts(Goal, [Goal]).

%   Variables of the residual program that are in no other part of the answer.
name_others(Program) :-
    term_variables(Program, Variables),
    foldl(name_other, Variables, 1, _).

name_other('$VAR'(Name), N, N1) :-
    atom_concat('_P', N, Name),
    N1 is N + 1.

                /*******************************
                *         STORED GOALS         *
                *******************************/

%!  storing is semidet.
%
%   Some library collects residual goals that are in no attribute of a variable: library(chr) does.

storing :- '$toplevel':residual_goal_collector(_), !.

%!  stored_goals(-Goals) is det.
%
%   The residual goals that are in no attribute of a variable, with their variables.

stored_goals(Goals) :-
    (   storing
    ->  prolog:residual_goals(Goals, [])
    ;   Goals = []
    ).

%   Without those that were there before: the constraints of a query that this one was put within.
stored_since(Stored, New) :-
    stored_goals(Goals),
    foldl(without, Stored, Goals, New).

without(Goal, [Goal1|Goals], Goals) :- Goal1 == Goal, !.
without(Goal, [Goal1|Goals0], [Goal1|Goals]) :- !, without(Goal, Goals0, Goals).
without(_, [], []).

                /*******************************
                *           BINDINGS           *
                *******************************/

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

%!  open_term(+Term, +Stored, +Undefined, -Copy, -Goals, -UndefinedCopy) is det.
%
%   Copy is Term without the constraints on its variables, which are Goals, after those Stored. As copy_term/3 at the
%   toplevel, which first projects the constraints on the variables that are shown (clpr). But an attribute whose own
%   goals cannot be had, since a user's attribute_goals//1 raises an error, is reported as put_attr/3.

open_term(Term, Stored, Undefined0, Copy, Goals, Undefined) :-
    catch('$toplevel':project_constraints(Term, []), error(_, _), true),
    All = all(Term, Stored, Undefined0),
    catch(copy_term(All, all(Copy, StoredCopy, Undefined), Goals0), Error, true),
    (   var(Error)
    ->  true
    ;   not_an_abort(Error),
        term_attvars(All, Variables),
        findall(All-Goals1,
                ( phrase(variables_goals(Variables), Goals1),
                  maplist(del_attrs, Variables)
                ),
                [all(Copy, StoredCopy, Undefined)-Goals0])
    ),
    append(StoredCopy, Goals0, Goals).

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

goal_text(Module, Priority, Goal, Text) :-
    print_options(Module, Goal, Options),
    with_output_to(string(Text0), write_term(Goal, [priority(Priority)|Options])),
    plain(Text0, Text).

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

%   Named variables of inputs are printed by name, whatever the name: cells are called r4c1. As part of what is being
%   written, so that a blank separates the name from letters before it. (A name as of a variable is printed anyway, and
%   '$VAR'(foo) may be a term of the program's own.)
write_name('$VAR'(Name), _) :-
    atom(Name),
    nb_current(lpbridge_names, names(Names)),
    get_assoc(Name, Names, true),
    write_term(Name, [partial(true)]).
write_name('$lpbridge_blob'(Text), _) :-
    atom(Text),
    write_term(Text, [partial(true)]).

use_names(Named) :-
    findall(Name-true, ( member(Name=_, Named), \+ as_of_variable(Name) ), Pairs0),
    sort(Pairs0, Pairs),
    list_to_assoc(Pairs, Names),
    b_setval(lpbridge_names, names(Names)).

as_of_variable(Name) :-
    atom_codes(Name, [Code|Codes]),
    code_type(Code, prolog_var_start),
    forall(member(Other, Codes), code_type(Other, prolog_identifier_continue)).

%   The answer as the toplevel prints it, the goals that constrain it and what it is undefined by included, without the
%   depth limit at which the toplevel abbreviates (as after typing `w`). The bindings of named inputs are not part of
%   it, their names are.

bindings_text(Told, Named, Module, Goals, Delays, Text) :-
    include(open_binding, Named, Open),
    append(Open, Told, Bindings0),
    current_prolog_flag(answer_write_options, Before),
    '$current_typein_module'(TypeIn),
    print_options(Module, Bindings0-Goals, Options),
    setup_call_cleanup(
        ( set_prolog_flag(answer_write_options, Options), '$set_typein_module'(Module) ),
        findall(Text0, toplevel_text(Bindings0, Module, Goals, Delays, Text0), [Text1]),
        ( set_prolog_flag(answer_write_options, Before), '$set_typein_module'(TypeIn) )),
    split_string(Text1, "", " \n", [Text2]),
    plain(Text2, Text).

%   The toplevel itself does not always manage goals about a cyclic term: then cycles are shown as goals too.
toplevel_text(Bindings, Module, Goals, Delays, Text) :-
    catch(toplevel_text_(Bindings, Module, Goals, Delays, Text), error(representation_error(acyclic_term), _), fail),
    !.
toplevel_text(Bindings0, Module, Goals0, Delays, Text) :-
    without_cycles(Bindings0-Goals0, Bindings-Goals),
    toplevel_text_(Bindings, Module, Goals, Delays, Text).

toplevel_text_(Bindings0, Module, Goals, Delays0, Text) :-
    '$toplevel':translate_bindings(Bindings0, Bindings, [], Goals, Module:Residuals),
    '$toplevel':omit_qualifier(Delays0, Module, Delays),
    '$toplevel':name_vars(Bindings, t(Residuals, Delays)),
    phrase('$messages':translate_message(query(yes(Bindings, Delays, Residuals))), Lines0),
    maplist(line_here, Lines0, Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

%   The toplevel lists the residual program on its own output, wherever the message goes.
line_here(ansi(wfs(_), '~@', ['$messages':list_clauses(Program)]), '~@'-[lpbridge_answers:list_clauses(Program)]) :- !.
line_here(Line, Line).

list_clauses(Program0) :-
    exclude('$messages':system_undefined, Program0, Program),
    current_output(Out),
    ( loaded_arithmetic -> Unload = false ; Unload = true ),
    forall(member(Clause, Program), portray_clause(Out, Clause, [indent(4)])),
    (   Unload == true
    ->  forall(arithmetic_expansion(Reference), erase(Reference))
    ;   true
    ).

%   portray_clause/3 loads library(listing), which brings library(arithmetic) along: that changes how arithmetic is
%   compiled, and what its errors say. A program that has not loaded it itself is to be compiled as before.
loaded_arithmetic :- arithmetic_expansion(_), !.

arithmetic_expansion(Reference) :-
    ( clause(system:goal_expansion(_, _), _, Reference) ; clause(system:term_expansion(_, _), _, Reference) ),
    clause_property(Reference, file(File)),
    sub_atom(File, _, _, 0, '/library/arithmetic.pl').

open_binding(_=Value) :- var(Value).

%!  answer_text(+Module, +Values, -Text) is det.
%
%   An answer without residual goals, given as `[Name, Carried]` each, as the toplevel prints it.

answer_text(Module, Values, Text) :-
    no_names(Names0),
    bound(Values, Bindings, Names0, Names),
    names(Names, Named0),
    exclude(told(Bindings), Named0, Named),
    use_names(Named),
    bindings_text(Bindings, Named, Module, [], true, Text).

bound([], [], Named, Named).
bound([[Name, Carried]|Values], [Name=Value|Bindings], Named0, Named) :-
    decode(Carried, Value, Named0, Named1),
    bound(Values, Bindings, Named1, Named).

%   Names that the toplevel gives itself, and names of the query, are not names of inputs.
told(Bindings, Name=_) :-
    (   sub_atom(Name, 0, 1, _, '_')
    ->  true
    ;   memberchk(Name=_, Bindings)
    ).
