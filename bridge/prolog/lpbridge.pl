/** <module> The Prolog side of the bridge

Python calls four predicates of this module: load/3 consults a file, variables/3 parses a goal, answer/4 runs it and
hands out its answers one by one, inferences/1 reads the counter. Whatever crosses over is made of numbers, strings,
lists and tuples (`-`(...)), which is what janus can carry:

| Prolog           | crosses as              |
|------------------|-------------------------|
| number           | itself                  |
| string           | itself; on the way in `-(s, Text)`, since janus makes text an atom |
| list             | list                    |
| atom             | `-(a, Atom)`            |
| variable         | `-(v, Name)`            |
| compound         | `-(t, Name, Arguments)` |

An answer that leaves variables open crosses with its residual goals (copy_term/3), so that no constraint is lost. Its
variables are named as the toplevel names them: by the query's own names where they have one, otherwise `_A`, `_B`, ...
*/

:- module(lpbridge,
          [ load/3,          % +Module, +File, -Messages
            consult_text/3,  % +Module, +Text, -Messages
            variables/3,     % +Module, +Text, -Names
            answer/4,        % +Module, +Text, +Inputs, -Answer
            ground_text/3,   % +Module, +Values, -Text
            inferences/1,    % -Count
            phase/2,         % +Name, :Goal
            phases/1,        % -Phases
            thread_number/1, % -Number
            stop/1           % +Number
          ]).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(prolog_stack)).

:- set_prolog_flag(toplevel_name_variables, true).

                /*******************************
                *           LOADING            *
                *******************************/

:- thread_local
    listening/0,
    said/5.                 % Kind, File, Line, Column, Text

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(Term, Kind, Lines) :-
    lpbridge:listening,
    memberchk(Kind, [error, warning]),
    lpbridge:note(Term, Kind, Lines).

note(Term, Kind, Lines) :-
    message_place(Term, File, Line, Column),
    lines_text(Lines, Text),
    assertz(said(Kind, File, Line, Column, Text)).

%!  load(+Module, +File, -Messages) is det.
%
%   Load a file into Module. Messages are the errors and warnings that it gave rise to, each a tuple
%   (kind, file, line, column, text), in place of lines on stderr.

load(Module, File, Messages) :-
    listen(load_files(Module:File, [if(changed)]), Messages).

%!  consult_text(+Module, +Text, -Messages) is det.
%
%   As load/3, for program text.

consult_text(Module, Text, Messages) :-
    format(atom(Name), '<~w>', [Module]),       % a file of a name may be loaded into one module only
    setup_call_cleanup(
        open_string(Text, Stream),
        listen(load_files(Module:Name, [stream(Stream)]), Messages),
        close(Stream)).

:- meta_predicate listen(0, -).

listen(Goal, Messages) :-
    setup_call_cleanup(
        assertz(listening),
        ( catch(Goal, Error, print_message(error, Error)) -> true ; true ),
        retractall(listening)),
    findall(-(Kind, File, Line, Column, Text), retract(said(Kind, File, Line, Column, Text)), Messages).

message_place(error(syntax_error(_), file(File, Line, Column0, _)), File, Line, Column) :-
    !,
    Column is Column0 + 1.
message_place(_, File, Line, 0) :-
    source_location(File, Line),
    !.
message_place(_, '', 0, 0).

lines_text(Lines, Text) :-
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    normalize_space(string(Text), Text0).

                /*******************************
                *           QUERIES            *
                *******************************/

:- dynamic parsed/4.        % Module, Text, Goal, Names

%!  goal(+Module, +Text, -Goal, -Names) is det.
%
%   Goal is what Text says, read with the operators of Module; Names are its variables as Name = Variable. Each text
%   is parsed once.

goal(Module, Text, Goal, Names) :-
    parsed(Module, Text, Goal, Names),
    !.
goal(Module, Text, Goal, Names) :-
    term_string(Goal, Text, [module(Module), variable_names(Names)]),
    must_be(callable, Goal),
    assertz(parsed(Module, Text, Goal, Names)).

%!  variables(+Module, +Text, -Names) is det.
%
%   Names are the variables of Text. An answer tells of those that do not begin with `_`.

variables(Module, Text, Names) :-
    catch(variables_(Module, Text, Names), Error, failed(Error, Names)).

variables_(Module, Text, Names) :-
    goal(Module, Text, _, Bindings),
    pairs(Bindings, Names).

pairs([], []).
pairs([Name=_|Bindings], [Name|Names]) :- pairs(Bindings, Names).

telling(Bindings, Told) :- exclude(silent, Bindings, Told).

silent(Name=_) :- sub_atom(Name, 0, 1, _, '_').

%!  answer(+Module, +Text, +Inputs, -Answer) is nondet.
%
%   Run the goal that Text says, with variables bound as Inputs tell: tuples (Name, Value). Answer is one of
%
%     - a list: the values of the variables told of, in their order, when they are ground;
%     - a tuple (Values, Residuals, Text) when something is open: each residual goal a tuple (Term, Text), and Text
%       the answer as the toplevel prints it;
%     - a tuple (error, Text, File, Line).

answer(Module, Text, Inputs, Answer) :-
    goal(Module, Text, Goal, Bindings),
    bind_all(Inputs, Bindings, [], Named),
    telling(Bindings, Told),
    catch_with_backtrace(Module:Goal, Error, true),
    (   var(Error)
    ->  found(Told, Named, Module, Answer)
    ;   failed(Error, Answer)
    ).

bind_all([], _, Named, Named).
bind_all([-(Name0, Value0)|Inputs], Bindings, Named0, Named) :-
    atom_string(Name, Name0),
    decode(Value0, Value, Named0, Named1),
    (   memberchk(Name=Variable, Bindings)
    ->  Variable = Value
    ;   existence_error(variable, Name)
    ),
    bind_all(Inputs, Bindings, Named1, Named).

found(Told, _, _, Values) :-
    ground(Told),
    !,
    ground_values(Told, Values).
found(Told, Named, Module, -(Values, Residuals, Text)) :-
    append(Named, Told, Bindings),
    answer_text(Told, Named, Module, Text),
    copy_term(Bindings, Copy, Goals0),
    maplist(unqualified, Goals0, Goals),
    maplist(named, Copy),
    prolog:name_vars(Copy, Goals),
    append(Silent, ToldCopy, Copy),
    same_length(Silent, Named),
    !,
    open_values(ToldCopy, Values),
    maplist(residual(Module), Goals, Residuals).

ground_values([], []).
ground_values([_=Value0|Bindings], [Value|Values]) :-
    encode(Value0, Value),
    ground_values(Bindings, Values).

open_values(Bindings, Values) :- ground_values(Bindings, Values).

named(Name=Value) :- ( var(Value) -> Value = '$VAR'(Name) ; true ).

unqualified(Goal0, Goal) :- strip_module(Goal0, _, Goal).

residual(Module, Goal, -(Term, Text)) :-
    encode(Goal, Term),
    print_options(Module, Options),
    with_output_to(string(Text), write_term(Goal, [priority(999)|Options])).

print_options(Module,
              [ module(Module), quoted(true), spacing(next_argument), max_depth(0),
                portray(true), portray_goal(lpbridge:write_name)
              ]).

%   Named variables are printed by name, whatever the name: cells are called r4c1.
write_name('$VAR'(Name), _) :-
    atom(Name),
    write(Name).

%   The answer as the toplevel prints it, the goals that constrain it included, without the depth limit at which the
%   toplevel abbreviates (as after typing `w`). The bindings of named inputs are not part of it, their names are.

answer_text(Told, Named, Module, Text) :-
    include(open_binding, Named, Open),
    append(Open, Told, Bindings0),
    current_prolog_flag(answer_write_options, Before),
    print_options(Module, Options),
    setup_call_cleanup(
        set_prolog_flag(answer_write_options, Options),
        \+ \+ ( prolog:translate_bindings(Bindings0, Bindings, [], [], Module:Residuals),
                phrase('$messages':translate_message(query(yes(Bindings, true, Residuals))), Lines),
                with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
                normal_text(Text0, Text1),
                nb_setval(lpbridge_text, Text1)
              ),
        set_prolog_flag(answer_write_options, Before)),
    nb_getval(lpbridge_text, Text).

%!  ground_text(+Module, +Values, -Text) is det.
%
%   A ground answer, given as tuples (Name, Value), as the toplevel prints it.

ground_text(Module0, Values, Text) :-
    atom_string(Module, Module0),
    bound(Values, Bindings),
    answer_text(Bindings, [], Module, Text).

bound([], []).
bound([-(Name0, Carried)|Values], [Name=Value|Bindings]) :-
    atom_string(Name, Name0),
    decode(Carried, Value, [], _),
    bound(Values, Bindings).

open_binding(_=Value) :- var(Value).

normal_text(Text0, Text) :- split_string(Text0, "", " \n", [Text]).

%!  inferences(-Count) is det.
%
%   Inferences of this thread so far.

inferences(Count) :- statistics(inferences, Count).

:- thread_local spent/3.

:- meta_predicate phase(+, 0).

%!  phase(+Name, :Goal) is nondet.
%
%   Goal is a phase of the query: what it takes up to its first answer is told of under this name, by phases/1.

phase(Name, Goal) :-
    retractall(spent(Name, _, _)),
    statistics(inferences, Inferences),
    get_time(Time),
    (   Goal
    *-> spend(Name, Inferences, Time)
    ;   spend(Name, Inferences, Time),
        fail
    ).

spend(Name, _, _) :-
    spent(Name, _, _),
    !.
spend(Name, Inferences0, Time0) :-
    statistics(inferences, Inferences1),
    get_time(Time1),
    Inferences is Inferences1 - Inferences0,
    Time is Time1 - Time0,
    assertz(spent(Name, Inferences, Time)).

%!  phases(-Phases) is det.
%
%   Phases are the phases of the last query, tuples (name, inferences, seconds), which are forgotten.

phases(Phases) :-
    findall(-(Name, Inferences, Time), retract(spent(Name, Inferences, Time)), Phases).

%!  thread_number(-Number) is det.
%!  stop(+Number) is det.
%
%   The number of this thread; and abort what runs in the thread with that number. A program cannot catch an abort for
%   good.

thread_number(Number) :-
    thread_self(Thread),
    thread_property(Thread, id(Number)).

stop(Number) :- thread_signal(Number, abort).

                /*******************************
                *            ERRORS            *
                *******************************/

failed(Error, _) :-
    aborted(Error),
    !,
    throw(Error).
failed(Error, -(error, Text, File, Line)) :-
    message_to_codes_(Error, Text),
    ( place(Error, File, Line) -> true ; File = '', Line = 0 ).

aborted('$aborted').
aborted(unwind(abort)).

message_to_codes_(Error, Text) :-
    bare(Error, Bare),
    phrase('$messages':translate_message(Bare), Lines),
    lines_text(Lines, Text).

%   Without the backtrace, which is for place/3.
bare(error(Formal, Context), error(Formal, context(_, Message))) :-
    subsumes_term(context(prolog_stack(_), _), Context),
    !,
    Context = context(_, Message).
bare(Error, Error).

%!  place(+Error, -File, -Line) is semidet.
%
%   Where the error arose: the innermost clause on the stack that is not of the system's.

place(error(_, Context), File, Line) :-
    nonvar(Context),
    context_place(Context, File, Line).

context_place(file(File, Line, _, _), File, Line).
context_place(context(Stack, _), File, Line) :-
    nonvar(Stack),
    Stack = prolog_stack(Frames),
    member(Frame, Frames),
    frame_place(Frame, File, Line),
    \+ own_file(File),
    !.

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
    module_property(lpbridge, file(File)).

                /*******************************
                *            TERMS             *
                *******************************/

%!  encode(+Term, -Carried) is det.
%
%   Carried is Term as it crosses to Python; see the table at the top. Variables have been named.

encode(Term, Carried), number(Term) => Carried = Term.
encode(Term, Carried), string(Term) => Carried = Term.
encode([], Carried) => Carried = [].
encode(Term, Carried), atom(Term) => Carried = -(a, Term).
encode(Term, Carried), var(Term) => Carried = -(v, '_').
encode('$VAR'(Name), Carried), atom(Name) => Carried = -(v, Name).
encode(Term, Carried), is_list(Term) => encode_list(Term, Carried).
encode(Term, Carried), compound(Term) =>
    compound_name_arguments(Term, Name, Arguments0),
    encode_list(Arguments0, Arguments),
    Carried = -(t, Name, Arguments).
encode(Term, Carried) =>
    format(string(Carried), '~w', [Term]).          % a blob: a stream, a clause reference

encode_list([], []).
encode_list([Term|Terms], [Carried|Carrieds]) :-
    encode(Term, Carried),
    encode_list(Terms, Carrieds).

%!  decode(+Carried, -Term, +Named0, -Named) is det.
%
%   The inverse of encode/2. Named collects the variables that came with a name; the same name is the same variable.

decode(-(Tag0, X), Term, Named0, Named) =>
    atom_string(Tag, Tag0),
    decode_tag(Tag, X, Term, Named0, Named).
decode(-(_, Name0, Arguments0), Term, Named0, Named) =>
    atom_string(Name, Name0),
    decode_list(Arguments0, Arguments, Named0, Named),
    compound_name_arguments(Term, Name, Arguments).
decode(Carried, Term, Named0, Named), is_list(Carried) =>
    decode_list(Carried, Term, Named0, Named).
decode(Carried, Term, Named0, Named) =>
    Term = Carried, Named = Named0.

decode_tag(a, Name, Atom, Named, Named) :-
    atom_string(Atom, Name).
decode_tag(s, Text, String, Named, Named) :-
    atom_string(Text, String).
decode_tag(v, Name0, Variable, Named0, Named) :-
    atom_string(Name, Name0),
    (   Name == '_'
    ->  Named = Named0
    ;   memberchk(Name=Variable0, Named0)
    ->  Variable = Variable0, Named = Named0
    ;   Named = [Name=Variable|Named0]
    ).

decode_list([], [], Named, Named).
decode_list([Carried|Carrieds], [Term|Terms], Named0, Named) :-
    decode(Carried, Term, Named0, Named1),
    decode_list(Carrieds, Terms, Named1, Named).
