/** <module> What an error means in the clause that raised it, and what to write

SWI-Prolog says which built-in predicate raised an error. What helps is the goal of the program that called it, the
variable that was open or had the wrong value there, and why.

While an error is raised, keep_sites/1 notes the calls on the stack that stand in clauses of the program: which clause,
and what was called. The goal as it is written is read from the file when somebody asks, in site/4. The variables of
that goal stand for what the call had in their places.
*/

:- module(lpbridge_remedies,
          [ keep_sites/2,    % :Own, +Options
            site_place/3,    % -File, -Line, -Column
            position/4,      % +File, +Offset, -Line, -Column
            remedy/2         % +Error, -Text
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(library(prolog_clause)).
:- autoload(library(prolog_xref), [xref_public_list/3]).
:- use_module(library(prolog_stack)).
:- use_module(lpbridge_goal, [control/3]).

:- meta_predicate keep_sites(1, +).

%   Frames that are looked at, and calls from the program that are kept.
frames(200).
kept(3).

%   Levels of the arguments of a call that are kept.
levels(8).

                /*******************************
                *            SITES             *
                *******************************/

%!  keep_sites(:Own, +Options) is det.
%
%   Note the calls on the stack from the frame in Options on, the innermost first: sites(Raised, Sites), where Raised is
%   the goal that raised the error and each site is site(Callee, Clause, PC), or site(Callee, query, 0) for the call by
%   the query. PC is `self` where Clause, entered by Callee, raised the error itself: `X is Y + 1` is compiled. Goals are
%   views, see view/3. A file for which call(Own, File) succeeds is not of the program.

keep_sites(Own, Options) :-
    (   memberchk(frame(Frame), Options),
        frames(Most),
        kept(Sites),
        catch(( frame_view(Frame, Raised),
                own_site(Frame, Own, Found, Found0),
                sites(Frame, Frame, Own, Most, Sites, Found0)
              ),
              error(_, _), fail)
    ->  nb_setval(lpbridge_sites, sites(Raised, Found))
    ;   nb_setval(lpbridge_sites, [])
    ).

own_site(Frame, Own, Sites, Sites0) :-
    (   of_program(Frame, Own, Clause)
    ->  frame_view(Frame, Goal),
        Sites = [site(Goal, Clause, self)|Sites0]
    ;   Sites = Sites0
    ).

of_program(Frame, Own, Clause) :-
    prolog_frame_attribute(Frame, clause, Clause),
    catch(clause_property(Clause, file(File)), error(_, _), fail),
    \+ call(Own, File).

sites(Inner, Frame, Own, Most, Left, Sites) :-
    (   Most > 0, Left > 0,
        prolog_frame_attribute(Frame, parent, Parent)
    ->  Most1 is Most - 1,
        (   prolog_frame_attribute(Parent, predicate_indicator, system:catch_with_backtrace/3)
        ->  frame_view(Inner, Callee),
            Sites = [site(Callee, query, 0)]
        ;   of_program(Parent, Own, Clause),
            prolog_frame_attribute(Frame, pc, PC)
        ->  frame_view(Frame, Callee),
            Sites = [site(Callee, Clause, PC)|Sites1],
            Left1 is Left - 1,
            sites(Parent, Parent, Own, Most1, Left1, Sites1)
        ;   ( control(Parent) -> Inner1 = Inner ; Inner1 = Parent ),
            sites(Inner1, Parent, Own, Most1, Left, Sites)
        )
    ;   Sites = []
    ).

%   What runs the parts of a query.
control(Frame) :-
    prolog_frame_attribute(Frame, predicate_indicator, Indicator),
    strip_module(Indicator, _, Plain),
    memberchk(Plain, [(',')/2, (;)/2, (->)/2, (*->)/2, (\+)/1, call/1, '<meta-call>'/1, catch/3, setup_call_cleanup/3]).

frame_view(Frame, View) :-
    prolog_frame_attribute(Frame, goal, Goal),
    strip_module(user:Goal, _, Plain),
    levels(Levels),
    view(Levels, Plain, View).

%   The library may not be loaded: then no variable is its own.
finite(Library, Variable) :-
    Library:fd_inf(Variable, Inf),
    Library:fd_sup(Variable, Sup),
    integer(Inf),
    integer(Sup).

%!  view(+Levels, +Term, -View) is det.
%
%   View is ground: Term with '$open' for each variable, '$finite' or '$posted' for one of library(clpfd) with a finite
%   domain or without, and '$more' for what is nested deeper.

view(_, Term, View), attvar(Term), get_attr(Term, clpfd, _) =>
    ( finite(clpfd, Term) -> View = '$finite' ; View = '$posted' ).
view(_, Term, View), var(Term) => View = '$open'.
view(_, Term, View), atomic(Term) => View = Term.
view(0, _, View) => View = '$more'.
view(Levels, Term, View) =>
    compound_name_arguments(Term, Name, Arguments0),
    Less is Levels - 1,
    length(Arguments0, Arity),
    (   Arity =< 16
    ->  maplist(view(Less), Arguments0, Arguments),
        compound_name_arguments(View, Name, Arguments)
    ;   View = '$more'
    ).

%!  site_place(-File, -Line, -Column) is semidet.
%
%   Where the innermost goal of the program stands that the error was raised in. Lines and columns count from 1, columns
%   characters.

site_place(File, Line, Column) :-
    nb_current(lpbridge_sites, sites(Raised, [Site|_])),
    called(Site, Raised, source(File, From-_, _, _, _), _),
    position(File, From, Line, Column).

%!  called(+Site, +Raised, -Source, -Pair) is semidet.
%
%   The source of the goal at a site; Pair is Written-View, the goal as it is written and as it was called.

called(Site, Raised, Source, Pair) :-
    Site = site(Callee, _, PC),
    \+ functor(Callee, '.', 3),         % X.Y stands anywhere in the clause, and is called before the goal it stands in
    (   PC == self
    ->  compiled(Site, Source, Pair)
    ;   source(Site, Source),
        Source = source(_, _, _, Goal, _),
        calls(Goal, Callee, Raised, Pair)
    ).

%!  source(+Site, -Source) is semidet.
%
%   Source is source(File, From-To, Clause, Goal, Names): the goal that was called, of the clause as it was compiled, with its
%   offsets in characters; Names are the variables of the clause as Name=Variable.

source(site(_, Reference, PC), Source) :-
    Reference \== query,
    '$clause_term_position'(Reference, PC, Path),
    source_at(Reference, Path, Source).

source_at(Reference, Path, source(File, From-To, Clause, Goal, Names)) :-
    clause_info(Reference, File, Positions, _, [variable_names(Names), head(Head0), body(Body)]),
    strip_module(user:Head0, _, Head),
    Clause = (Head :- Body),
    goal_at(Path, Clause, Goal0),
    strip_module(user:Goal0, _, Goal),
    prolog_stack:find_subgoal(Path, Positions, Position),
    compound(Position),
    arg(1, Position, From),
    arg(2, Position, To).

%   The goal of a clause that raised the error itself: one that is compiled into the clause, `X is Y + 1` where Y was no
%   number, or a variable that was no goal.
compiled(site(Callee, Reference, self), Source, Goal-View) :-
    clause(Head0, Body, Reference),
    strip_module(user:Head0, _, Head),
    leaf_at(Body, Path, Leaf),
    raises(Leaf, Variable, Seen, View),
    ( value_at(Head, Callee, Variable, Value) -> Seen = Value ; Seen = '$open' ),
    ( Leaf = (_ is _) -> \+ number(Seen) ; Seen == '$open' ; \+ atom(Seen), \+ compound(Seen) ),
    !,
    source_at(Reference, [2|Path], Source),
    Source = source(_, _, _, Goal, _).
compiled(site(Callee, Reference, self), Source, Goal-View) :-   % a number stands as a goal within what is called
    clause(_, Body, Reference),
    leaf_at(Body, Path, call(_)),
    !,
    source_at(Reference, [2|Path], Source),
    Source = source(_, _, _, Goal, _),
    View = call(Callee).

raises((_ is Sum), Variable, Seen, ('$open' is View)) :-
    compound(Sum),
    Sum =.. [Operator, Variable, Number],
    memberchk(Operator, [+, -]),
    var(Variable),
    integer(Number),
    View =.. [Operator, Seen, Number].
raises(call(Variable), Variable, Seen, call(Seen)) :- var(Variable).

leaf_at(Goal, [N|Path], Leaf) :-
    nonvar(Goal),
    control(Goal, _, _),
    !,
    member(N, [1, 2]),
    arg(N, Goal, Part),
    leaf_at(Part, Path, Leaf).
leaf_at(Leaf, [], Leaf).

goal_at([], Goal, Goal) :- !.
goal_at([N|Path], Term, Goal) :-
    compound(Term),
    arg(N, Term, Part),
    goal_at(Path, Part, Goal).

%!  position(+File, +Offset, -Line, -Column) is det.
%
%   Where a character of a file stands.

position(File, Offset, Line, Column) :-
    before(File, Offset, Text),
    split_string(Text, "\n", "", Lines),
    length(Lines, Line),
    last(Lines, Last),
    string_length(Last, Length),
    Column is Length + 1.

before(File, Offset, Text) :-
    setup_call_cleanup(
        prolog_clause:try_open_source(File, In),
        ( set_stream(In, newline(detect)), read_silently(In, Offset, Text) ),
        close(In)).

%   What is not UTF-8 was warned of when the file was loaded.
read_silently(In, Length, Text) :-
    setup_call_cleanup(
        nb_setval(lpbridge_silent, true),
        read_string(In, Length, Text),
        nb_setval(lpbridge_silent, false)).

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

:- asserta((user:message_hook(_, warning, _) :- nb_current(lpbridge_silent, true))).

%!  calls(+Goal, +Callee, +Raised, -Pair) is semidet.
%
%   Pair is Written-View, a goal as it is written and as it was called: Goal itself, or the one within Goal that raised
%   the error, where Goal is a negation, findall/3 or the like. Fails where Goal called neither: last-call optimization
%   has taken the clauses between them off the stack.

calls(Goal, Callee, Raised, Pair) :-
    (   same_functor(Goal, Callee)
    ->  (   Callee \== Raised,
            findall(Part, ( part(Goal, Part), Part \== Goal, same_functor(Part, Raised) ), [_]),
            part(Goal, Written), Written \== Goal, same_functor(Written, Raised)
        ->  Pair = Written-Raised
        ;   Pair = Goal-Callee
        )
    ;   part(Goal, Written), same_functor(Written, Raised)
    ->  Pair = Written-Raised
    ;   meta(Goal)
    ->  Pair = Goal-Callee
    ;   of_library(Goal),           % it has called another of the library in its place
        Pair = Goal-unknown
    ).

of_library(Goal) :-
    ( nb_current(lpbridge_query, query(Module, _, _)) -> true ; Module = user ),
    library_predicate(Module:Goal).

library_predicate(Goal) :-
    predicate_property(Goal, implementation_module(Module)),
    module_property(Module, class(Class)),
    memberchk(Class, [system, library]).

%   A variable as a goal, and call/N: what they call has another name.
meta(Goal) :- var(Goal), !.
meta(Goal) :- functor(Goal, call, _).

same_functor(A, B) :-
    nonvar(A), nonvar(B),
    functor(A, Name, Arity),
    functor(B, Name, Arity).

part(Term, Term) :- nonvar(Term).
part(Term, Part) :-
    compound(Term),
    Term \= [_|_],
    arg(_, Term, Argument),
    part(Argument, Part).

                /*******************************
                *           REMEDIES           *
                *******************************/

%!  remedy(+Error, -Text) is semidet.
%
%   Text says of an error that the query raised which part of the program it is about, and what to write.

remedy(error(Formal, Context), Text) :-
    ( nb_current(lpbridge_query, query(Module, _, _)) -> true ; Module = user ),
    once(remedy_(Formal, Context, Module, Format-Arguments)),
    format(string(Text), Format, Arguments).

remedy_(Formal, _, _, "`X.Y` takes the value of Y from a dict X, in SWI-Prolog; the list with X first is `[X|Y]`"-[]) :-
    nb_current(lpbridge_sites, sites(_, [site(Callee, _, _)|_])),
    functor(Callee, '.', 3),
    memberchk(Formal, [instantiation_error, type_error(dict, _)]).
remedy_(Formal, Context, Module, Parts) :-
    b_setval(lpbridge_written, []),
    subsumes_term(context(prolog_stack(_), _), Context),
    nb_current(lpbridge_sites, sites(Raised, Sites)),
    (   Sites = [Site|Callers],
        at(Site, Raised, Callers, At)
    ->  ( at_goal(Formal, Module, At, Parts) ; remedy(Formal, Context, Module, Parts) )
    ;   remedy(Formal, Context, Module, Parts)
    ;   Sites = [Site|_],
        left_the_stack(Site),
        Parts = "the clause that called it is no longer on the stack (last-call optimization): `lpbridge diagnose` finds it"
                -[]
    ).
remedy_(Formal, Context, Module, Parts) :- remedy(Formal, Context, Module, Parts).

%   The goal that is known did not call what raised the error; at/5 has failed.
left_the_stack(_) :- current_prolog_flag(last_call_optimisation, false), !, fail.
left_the_stack(site(_, query, _)) :- !.
left_the_stack(Site) :- Site \= site(_, _, self), source(Site, _).

%   At is at(Goal, View, Names, Head, Before, After, Caller): the goal and how it was called, the variables of its clause,
%   the clause's head, the goals before and after it, and what called the clause: line(N), query or unknown.
at(Site, Raised, Callers, at(Goal, View, Names, Head, Before, After, Caller)) :-
    Site = site(Callee, Kind, _),
    (   Kind == query
    ->  nb_current(lpbridge_query, query(_, Body, Names)),
        Head = query,
        leaves(Body, Leaves),
        (   member(Whole, Leaves),
            calls(Whole, Callee, Raised, Goal-View),
            View \== unknown
        ->  true
        ;   Leaves = [Whole],               % a library's predicate
            of_library(Whole),
            Goal = Whole,
            levels(Levels),
            view(Levels, Goal, View)
        )
    ;   called(Site, Raised, source(File, Span, (Head :- Body), Whole, Names), Goal-View),
        ( Goal == Whole -> keep_text(File, Span, Goal) ; true ),
        leaves(Body, Leaves)
    ),
    !,
    ( around(Body, Whole, Before, After) -> true ; Before = Leaves, After = [] ),
    caller(Callers, Head, Caller).

caller([Site|_], Head, Caller) :-
    Site = site(Callee, Kind, _),
    (   same_functor(Head, Callee)
    ->  true
    ;   source(Site, source(_, _, _, Goal, _)),     % maplist(inc, Xs, Ys)
        functor(Head, Name, _),
        part(Goal, Part),
        functor(Part, Name, _)
    ),
    !,
    (   Kind == query
    ->  Caller = query
    ;   source(Site, source(File, From-_, _, _, _)),
        position(File, From, Line, _)
    ->  Caller = line(Line)
    ;   Caller = unknown
    ).
caller(_, _, unknown).

%   The goals that run before and after one of a body: those of other branches are left out.
around(Body, Goal, [], []) :- Body == Goal, !.
around((A, B), Goal, Before, After) :-
    (   around(A, Goal, Before, After0)
    ->  leaves(B, More),
        append(After0, More, After)
    ;   around(B, Goal, Before0, After),
        leaves(A, Earlier),
        append(Earlier, Before0, Before)
    ).
around((A ; B), Goal, Before, After) :- ( around(A, Goal, Before, After) -> true ; around(B, Goal, Before, After) ).
around((A -> B), Goal, Before, After) :- around((A, B), Goal, Before, After).
around((A *-> B), Goal, Before, After) :- around((A, B), Goal, Before, After).
around(_:Body, Goal, Before, After) :- around(Body, Goal, Before, After).

%   The goals of a body, from left to right, of all branches.
leaves(Goal, [Goal]) :- var(Goal), !.
leaves(Goal, Leaves) :- control(Goal, A, B), !, leaves(A, LeavesA), leaves(B, LeavesB), append(LeavesA, LeavesB, Leaves).
leaves(_:Goal, Leaves) :- nonvar(Goal), !, leaves(Goal, Leaves).
leaves(Goal, [Goal]).

%   Errors in a goal that is known.

at_goal(Formal, _, at(Goal, _, Names, _, _, _, _), Parts) :-
    memberchk(Formal, [instantiation_error, type_error(_, _)]),
    Goal = (Left is List),
    nonvar(List), List = [_|_],
    goal_text(Left = List, Names, Text),
    Parts = "`is` evaluates arithmetic, and a list is not a number: `~w` unifies"-[Text].
at_goal(instantiation_error, _, at(Goal, _, Names, _, _, _, _), Parts) :-
    Goal = atomic_list_concat(List, Text0),
    var(List),
    goal_text(atomic_list_concat(List, ' ', Text0), Names, Text),
    Parts = "atomic_list_concat/2 only joins: with a separator it also splits, as in `~w`"-[Text].
at_goal(instantiation_error, Module, At, Parts) :-
    At = at(Goal, View, Names, _, _, _, _),
    no_function(Goal, Part, Name/Arity),
    compound(Part),
    ( defined_in(Module, Name, Arity) ; More is Arity + 1, defined_in(Module, Name, More) ),
    not_a_function(Name/Arity, Module, Goal, View, Names, At, Parts).
at_goal(instantiation_error, _, At, Parts) :-
    At = at(Goal, View, Names, _, _, _, _),
    needed(Goal, View, Needed),
    findall(Name-Kind, ( member(Part-Seen, Needed), open_variable(Part, Seen, Names, Name, Kind) ), Found0),
    list_to_set(Found0, Found),
    opened(Found, At, Parts).
at_goal(type_error(evaluable, Indicator), Module, At, Parts) :-
    At = at(Goal, View, Names, _, _, _, _),
    not_a_function(Indicator, Module, Goal, View, Names, At, Parts).
at_goal(type_error(Type, _), Module, At, Parts) :-
    memberchk(Type, [character, [], evaluable]),
    At = at(Goal, View, Names, _, _, _, _),
    no_function(Goal, _, Indicator),
    not_a_function(Indicator, Module, Goal, View, Names, At, Parts).
at_goal(type_error(Type, Culprit), _, At, Parts) :-
    memberchk(Type, [character, [], character_code]),
    ( is_list(Culprit) -> true ; string(Culprit) ),
    At = at(Goal, _, Names, _, _, _, _),
    arithmetic(Goal),
    (   culprit(Culprit, At, Is)
    ->  true
    ;   goal_text(Goal, Names, Text),
        format(string(Is), "`~w` has ~p", [Text, Culprit])
    ),
    (   is_list(Culprit)
    ->  What = "a list is not a number: sum_list/2 adds its elements, `[H|T]` takes it apart"
    ;   What = "a text is not a number: number_string/2 and atom_number/2 read one"
    ),
    Parts = "~w; ~w"-[Is, What].
at_goal(type_error(Type, Culprit), _, At, Parts) :-
    text_for_list(Type, Culprit),
    At = at(Goal, _, Names, Head, _, _, _),
    (   culprit(Culprit, At, Is)
    ->  What = "string_chars/2 or string_codes/2 makes one of it"
    ;   goal_text(Goal, Names, Text),
        format(string(Is), "`~w` has a text in double quotes", [Text]),
        (   Head == query
        ->  What = "make one before, by string_chars/2 or string_codes/2, as the terminals of a grammar are: a or 0'a"
        ;   What = "write `:- set_prolog_flag(double_quotes, chars).` (or codes) above the clauses, or string_chars/2"
        )
    ),
    Parts = "~w: that is a string in SWI-Prolog, not a list; ~w"-[Is, What].
at_goal(type_error(callable, Culprit), _, At, "~w: only an atom or a compound term can be called as a goal"-[Is]) :-
    culprit(Culprit, At, Is).
at_goal(type_error(Type, Culprit), _, At, Parts) :-
    culprit(Culprit, At, Is),
    (   is_float(Culprit, Type)
    ->  Parts = "~w: that is a float, and an integer is expected: integer/1 rounds it, // divides integers"-[Is]
    ;   a_type(Type, A),
        Parts = "~w, and ~w is expected"-[Is, A]
    ).
at_goal(domain_error(not_less_than_zero, Culprit), _, At, "~w: it must be 0 or more"-[Is]) :-
    culprit(Culprit, At, Is).
at_goal(domain_error(clpfd_expression, Culprit), _, At, "~w; constraints of library(clpfd) are about integers only"
        -[Is]) :-
    (   culprit(Culprit, At, Is)
    ->  true
    ;   shown(Culprit, Shown),
        format(string(Is), "~w is not an integer", [Shown])
    ).
at_goal(existence_error(matching_rule, _), _, At, "~w: no rule of it takes that"-[Is]) :-
    culprit(_, At, Is).
at_goal(evaluation_error(zero_divisor), _, At, "~w is 0 when `~w` is called: test `~w =\\= 0` before"
        -[Name, Text, Name]) :-
    At = at(Goal, View, Names, _, _, _, _),
    part(Goal, Quotient),
    divides(Quotient),
    arg(2, Quotient, Divisor),
    has_value(Goal, View, Names, Zero, Name),
    number(Zero), Zero =:= 0,
    memberchk(Name=Variable, Names),
    Divisor == Variable,
    goal_text(Goal, Names, Text).

is_float(Culprit, integer) :- float(Culprit).

divides(_ / _).
divides(_ // _).
divides(_ mod _).
divides(_ rem _).
divides(_ div _).

text_for_list(Type, Culprit) :-
    string(Culprit),
    memberchk(Type, [list, list_or_partial_list, list(_), chars, codes, pair]).

a_type(Type, A) :-
    (   atom(Type)
    ->  ( sub_atom(Type, 0, 1, _, First), memberchk(First, [a, e, i, o, u]) -> Article = an ; Article = a ),
        format(string(A), "~w ~w", [Article, Type])
    ;   format(string(A), "~p", [Type])
    ).

arithmetic(Goal) :-
    nonvar(Goal),
    memberchk(Goal, [_ is _, _ =:= _, _ =\= _, _ < _, _ > _, _ =< _, _ >= _]).

%   A part of an arithmetic goal that is no function of arithmetic.
no_function(Goal, Part, Name/Arity) :-
    arithmetic(Goal),
    part(Goal, Part),
    callable(Part), Part \== Goal, Part \= [_|_],
    functor(Part, Name, Arity),
    functor(Expression, Name, Arity),
    \+ current_arithmetic_function(Expression).

%   The parts of a goal that must have values, with their views.
needed(Goal, View, Needed) :-
    (   ( Goal = (_ is Part), View = (_ is Seen) )
    ->  Needed = [Part-Seen]
    ;   same_functor(Goal, View),
        functor(Goal, Assert, 1),
        memberchk(Assert, [assert, asserta, assertz]),
        arg(1, Goal, (_ :- Body)), arg(1, View, (_ :- Seen)),
        open_part(Seen)
    ->  Needed = [Body-Seen]
    ;   Needed = [Goal-View]
    ).

open_variable(Part, Seen, Names, Name, Kind) :-
    var(Part),
    !,
    ( unbound(Seen, Kind) -> true ; open_part(Seen) -> Kind = partly ),
    ( member(Name=Variable, Names), Variable == Part -> true ; Name = '_' ).
open_variable(Part, Seen, Names, Name, Kind) :-
    compound(Part),
    same_functor(Part, Seen),
    arg(N, Part, Argument),
    arg(N, Seen, View),
    open_variable(Argument, View, Names, Name, Kind).

unbound('$open', open).
unbound('$finite', finite).
unbound('$posted', posted).

open_part(Seen) :- sub_term(Open, Seen), unbound(Open, _), !.

%   A variable of the goal, and the value that it had, which is no variable.
has_value(Part, Seen, Names, Value, Name) :-
    var(Part),
    !,
    \+ unbound(Seen, _),
    Seen \== '$more',
    levels(Levels),
    ( var(Value) -> Value = Seen ; view(Levels, Value, View), alike(View, Seen) ),
    member(Name=Variable, Names),
    Variable == Part,
    !.
has_value(Part, Seen, Names, Value, Name) :-
    compound(Part),
    same_functor(Part, Seen),
    arg(N, Part, Argument),
    arg(N, Seen, View),
    has_value(Argument, View, Names, Value, Name).

%   Equal, but for what is too deep in one of them.
alike(A, B) :- ( A == '$more' ; B == '$more' ), !.
alike(A, B) :- atomic(A), !, A == B.
alike(A, B) :-
    same_functor(A, B),
    forall(arg(N, A, ArgumentA), ( arg(N, B, ArgumentB), alike(ArgumentA, ArgumentB) )).

%   A value that a variable of the goal had, in words.
culprit(Value, At, Is) :-
    At = at(Goal, View, Names, _, _, _, _),
    has_value(Goal, View, Names, Value, Name),
    value_of(Name, Value, At, Is).

%   "X is foo when `atom_length(X, N)` is called"
value_of(Name, Value, at(Goal, _, Names, Head, _, _, Caller), Is) :-
    goal_text(Goal, Names, Text),
    shown(Value, Shown),
    (   memberchk(Name=Variable, Names),
        of_head(Variable, Head),
        called_from(Caller, Head, From)
    ->  true
    ;   From = ""
    ),
    format(string(Is), "~w is ~w when `~w` is called~w", [Name, Shown, Text, From]).

of_head(Variable, Head) :- Head \== query, contains_var(Variable, Head).

called_from(line(Line), Head, From) :-
    functor(Head, Name, Arity),
    format(string(From), " (~q is called from line ~d)", [Name/Arity, Line]).
called_from(query, Head, From) :-
    functor(Head, Name, Arity),
    format(string(From), " (~q is called by the goal)", [Name/Arity]).

%   What was open: one variable with the reason, or several.
opened(Found, at(Goal, _, Names, _, _, _, _), Parts) :-
    memberchk(Goal, [label(_), labeling(_, _), indomain(_)]),
    !,
    member(Name-Kind, Found),
    Kind \== finite,
    !,
    goal_text(Goal, Names, Text),
    Parts = "~w has no finite domain when `~w` is called: write ~w in 1..9, or the like, before"-[Name, Text, Name].
opened([Name-Kind|_], at(Goal, _, Names, _, _, _, _), Parts) :-
    memberchk(Kind, [finite, posted]),
    !,
    goal_text(Goal, Names, Text),
    (   Kind == finite
    ->  format(string(Label), "label it before, label([~w])", [Name])
    ;   Label = "it needs a finite domain and label/1 before"
    ),
    (   constraint(Goal, Operator, Constraint)
    ->  format(string(Or), ", or write ~w in place of ~w", [Constraint, Operator])
    ;   Or = ""
    ),
    Parts = "~w is constrained but has no value yet when `~w` is called: ~w~w"-[Name, Text, Label, Or].
opened([Name-partly|_], at(Goal, View, Names, _, _, _, _), Parts) :-
    !,
    memberchk(Name=Variable, Names),
    value_at(Goal, View, Variable, Seen),
    shown(Seen, Shown),
    goal_text(Goal, Names, Text),
    Parts = "~w is ~w when `~w` is called: part of it has no value"-[Name, Shown, Text].
opened([Name-open|_], At, Parts) :-
    At = at(Goal, _, Names, Head, Before, After, Caller),
    memberchk(Name=Variable, Names),
    goal_text(Goal, Names, Text),
    (   Goal = (Left is _), Left == Variable
    ->  member(Number, [1, 2, 3]),
        atom_concat(Name, Number, Fresh),
        \+ memberchk(Fresh=_, Names),
        !,
        Goal = (_ is Expression),
        goal_text(Expression, Names, Right),
        Parts = "~w stands on both sides of `is`, which gives no new value to a variable: with another one, ~w is ~w"
                -[Name, Fresh, Right]
    ;   of_head(Variable, Head),
        \+ last_with(Before, Variable, _)
    ->  functor(Head, Predicate, Arity),
        by(Caller, By),
        one_way(Goal, Name, OneWay),
        Parts = "~w is open when ~q is called~w, and `~w` needs its value~w"-[Name, Predicate/Arity, By, Text, OneWay]
    ;   last_with(Before, Variable, Earlier)
    ->  goal_text(Earlier, Names, EarlierText),
        (   clause_without_value(Earlier, Variable, Line)
        ->  format(string(Why), ": its clause in line ~d gives that argument no value", [Line])
        ;   Why = ""
        ),
        Parts = "~w has no value when `~w` is called: `~w` before it leaves ~w open~w"
                -[Name, Text, EarlierText, Name, Why]
    ;   member(Later, After), nonvar(Later), may_bind(Later, Variable)
    ->  goal_text(Later, Names, LaterText),
        Parts = "~w has no value yet when `~w` is called: put it after `~w`"-[Name, Text, LaterText]
    ;   Parts = "~w has no value when `~w` is called: nothing before it gives ~w one"-[Name, Text, Name]
    ).

%   A clause of a goal's predicate has a variable that stands only there for this argument.
clause_without_value(Goal, Variable, Line) :-
    nb_current(lpbridge_query, query(Module, _, _)),
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    \+ library_predicate(Module:Head),
    arg(N, Goal, Argument),
    Argument == Variable,
    catch(clause(Module:Head, Body, Reference), error(_, _), fail),
    arg(N, Head, Open),
    var(Open),
    term_singletons((Head :- Body), Singletons),
    member(Singleton, Singletons),
    Singleton == Open,
    clause_property(Reference, line_count(Line)),
    !.

last_with(Goals, Variable, Goal) :-
    reverse(Goals, Reversed),
    member(Goal, Reversed),
    nonvar(Goal),
    may_bind(Goal, Variable),
    !.

%   A goal that has the variable, and is not a test or output, nor has it to evaluate.
may_bind((Left is _), Variable) :- !, Left == Variable.
may_bind(Goal, Variable) :-
    contains_var(Variable, Goal),
    functor(Goal, Name, Arity),
    \+ memberchk(Name/Arity,
                 [ (<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, (==)/2, (\==)/2, (\=)/2, (@<)/2, (@>)/2, (@=<)/2,
                   (@>=)/2, dif/2, (\+)/1, var/1, nonvar/1, atom/1, number/1, integer/1, float/1, atomic/1, compound/1,
                   callable/1, is_list/1, string/1, ground/1, write/1, writeln/1, print/1, format/2, must_be/2,
                   atom_length/2, string_length/2
                 ]).

by(line(Line), By) :- format(string(By), " from line ~d", [Line]).
by(query, " by the goal").
by(unknown, "").

one_way(Goal, Name, Text) :-
    (   constraint(Goal, _, Constraint)
    ->  format(string(Text), ": give ~w one before, or write ~w of library(clpfd), which runs both ways", [Name, Constraint])
    ;   functor(Goal, call, _)
    ->  Text = ": a goal must be known when it is called"
    ;   format(string(Text), ": give ~w one before", [Name])
    ).

%   The constraint of library(clpfd) that may stand in place of arithmetic over integers.
constraint(Goal, Operator, Constraint) :-
    arithmetic(Goal),
    functor(Goal, Operator, 2),
    forall(( part(Goal, Part), Part \== Goal ), of_integers(Part)),
    ( Operator == is -> Constraint = #= ; Operator == (=:=) -> Constraint = #= ; Operator == (=\=) -> Constraint = #\=
    ; atom_concat(#, Operator, Constraint) ).

of_integers(Part) :- integer(Part), !.
of_integers(Part) :- functor(Part, Name, 2), memberchk(Name, [+, -, *, //, mod, rem, div, min, max, ^]), !.
of_integers(Part) :- functor(Part, Name, 1), memberchk(Name, [-, abs]).

value_at(Part, Seen, Variable, Value) :-
    (   Part == Variable
    ->  Value = Seen
    ;   compound(Part),
        same_functor(Part, Seen),
        arg(N, Part, Argument),
        arg(N, Seen, View),
        value_at(Argument, View, Variable, Value)
    ).

%   What is no function of arithmetic: a predicate, an atom in place of a variable, a value of a variable.
not_a_function(Name/Arity, _, Goal, View, Names, At, Parts) :-
    Arity > 0,
    functor(Value, Name, Arity),
    has_value(Goal, View, Names, Some, Variable),
    \+ Some \= Value,
    !,
    value_of(Variable, Some, At, Is),
    Parts = "~w, and ~q is not a function of arithmetic"-[Is, Name/Arity].
not_a_function(Test, _, (Result is Value), _, Names, _, Parts) :-
    memberchk(Test, [(>)/2, (<)/2, (>=)/2, (=<)/2, (=:=)/2, (=\=)/2, (=)/2, (\=)/2, (==)/2, (\==)/2, (->)/2, (;)/2]),
    !,
    (   Value = ( If -> Then ; Else )
    ->  findall(Text, ( member(Part, [If, Result is Then, Result is Else]), goal_text(Part, Names, Text) ), Texts),
        Parts = "`is` evaluates no condition: write `( ~w -> ~w ; ~w )`"-Texts
    ;   Parts = "~q is a test, which holds or not and has no value"-[Test]
    ).
not_a_function(Name/Arity, Module, Goal, _, Names, _, Parts) :-
    part(Goal, Part),
    Part \== Goal,
    functor(Part, Name, Arity),
    Arity > 0,
    !,
    goal_text(Part, Names, Text),
    More is Arity + 1,
    (   defined_in(Module, Name, More)
    ->  Part =.. Parts0,
        member(Fresh, ['R', 'R1', 'R2', 'R3']),
        \+ memberchk(Fresh=_, Names),
        append(Parts0, ['$VAR'(Fresh)], Parts1),
        Call =.. Parts1,
        goal_text(Call, Names, CallText),
        Parts = "~q is a predicate, not a function: call `~w` before, and write ~w in place of `~w`"
                -[Name/More, CallText, Fresh, Text]
    ;   defined_in(Module, Name, Arity)
    ->  Parts = "~q is a predicate, not a function: call it in a goal of its own before, and write its result for `~w`"
            -[Name/Arity, Text]
    ;   Parts = "`~w` is not a function of arithmetic"-[Text]
    ).
not_a_function(Name/0, _, Goal, View, Names, At, Parts) :-
    (   has_value(Goal, View, Names, Name, Variable)
    ->  value_of(Variable, Name, At, Is),
        instead(Name, Goal, View, More),
        Parts = "~w, and ~q is not a number~w"-[Is, Name, More]
    ;   arithmetic(Goal),
        \+ ( part(Goal, Part), Part == Name ),
        needed(Goal, View, [Evaluated-_]),
        term_variables(Evaluated, [Only]),          % it can only be the value of this one
        member(Variable=Same, Names),
        Same == Only
    ->  value_of(Variable, Name, At, Is),
        Parts = "~w, and ~q is not a number"-[Is, Name]
    ;   part(Goal, Part),
        Part == Name
    ->  (   member(Other=_, Names),
            downcase_atom(Other, Lower),
            downcase_atom(Name, Lower)
        ->  Parts = "~q is an atom; the variable is ~w"-[Name, Other]
        ;   Parts = "~q is an atom, not a number: a variable begins with a capital letter"-[Name]
        )
    ).

%   What to write for an atom in arithmetic.
instead(Atom, _, _, Text) :-
    atom_number(Atom, Number),
    !,
    format(string(Text), ": in quotes it is an atom, ~w without quotes is the number; atom_number/2 reads one", [Number]).
instead(_, Goal, View, Text) :-
    compound(Goal),
    Goal \= (_ is _),
    compound_name_arguments(Goal, Name, [_, _]),
    memberchk(Name-Order, [(<)-(@<), (>)-(@>), (=<)-(@=<), (>=)-(@>=), (=:=)-(==), (=\=)-(\==)]),
    forall(arg(_, View, Seen), \+ number(Seen)),
    !,
    format(string(Text), ": `~w` compares numbers, `~w` any terms", [Name, Order]).
instead(_, _, _, "").

defined_in(Module, Name, Arity) :-
    functor(Head, Name, Arity),
    predicate_property(Module:Head, defined),
    !.

%   Errors that say all themselves.

remedy(existence_error(procedure, Indicator), _, Module0, Parts) :-
    strip_module(Module0:Indicator, Module, Name/Arity),
    unknown(Module, Name, Arity, Parts).
remedy(permission_error(modify, static_procedure, Indicator0), _, Module0, Parts) :-
    strip_module(Module0:Indicator0, Module, Name/Arity),
    functor(Head, Name, Arity),
    (   library_predicate(Module:Head)
    ->  Parts = "~q is built in and cannot be changed: give yours another name"-[Name/Arity]
    ;   Parts = "only a dynamic predicate can change while the program runs: write `:- dynamic ~q.` before its clauses"
            -[Name/Arity]
    ).
remedy(permission_error(access, private_procedure, Indicator), _, _,
       "the clauses of ~q cannot be read: it is built in, or `:- dynamic ~q.` is missing"-[Indicator, Indicator]).
remedy(permission_error(input, past_end_of_stream, _), _, _,
       "everything was read before: test at_end_of_stream/1, or for end_of_file, which read/1 gives at the end"-[]).
remedy(existence_error(matching_rule, _), _, _,
       "no rule (=>) matches these arguments, which is an error, not a failure: a last rule `Head => fail.` makes it one"
               -[]).
remedy(existence_error(source_sink, File), _, _, Parts) :-
    ( atom(File) ; string(File) ),
    \+ is_absolute_file_name(File),
    working_directory(Folder, Folder),
    Parts = "the path is taken from the folder ~w"-[Folder].
remedy(existence_error(stream, _), _, _, "the stream is closed, or was not opened under this name: open(File, read, S, [alias(Name)])"
        -[]).
remedy(existence_error(variable, Key), _, _, "no value was set before: nb_setval(~q, Value)"-[Key]).
remedy(uninstantiation_error(Value), _, Module, "~q keeps the best value of an argument in its table: call it with a variable there, and compare this with ~p after"
        -[Name/Arity, Value]) :-
    nb_current(lpbridge_query, query(_, Body, _)),
    leaves(Body, Leaves),
    member(Goal, Leaves),
    callable(Goal),
    predicate_property(Module:Goal, tabled),
    arg(_, Goal, Bound),
    Bound == Value,
    !,
    functor(Goal, Name, Arity).
remedy(type_error(free_of_attvar, _), _, _,
       "a tabled predicate takes no constrained variables: post the constraints after its goal, or label the variables before"
               -[]).
remedy(resource_error(_), Stack, _, Parts) :-
    is_dict(Stack),
    ( get_dict(cycle, Stack, Frames) ; get_dict(non_terminating, Stack, Frames) ),
    findall(Predicate,
            ( member(frame(_, Goal0, _), Frames),
              strip_module(Goal0, _, Goal),
              callable(Goal),
              functor(Goal, Name, Arity),
              format(atom(Predicate), '~q', [Name/Arity])
            ),
            Circle0),
    list_to_set(Circle0, Circle),
    Circle = [_|_],
    atomic_list_concat(Circle, ' and ', Names),
    ( Circle = [_] -> Is = "is called within itself" ; Is = "are called within each other" ),
    Parts = "~w ~w again and again: what ends it is missing, comes too late, or the numbers are too large; `lpbridge diagnose` shows the goals"
            -[Names, Is].
remedy(format_argument_type(Letter, Value), _, _, "~~~w is for ~w, and this is ~p: ~~w prints any term, ~~2f a number with two decimals"
        -[Letter, For, Value]) :-
    ( memberchk(Letter, [d, 'D']) -> For = "integers" ; memberchk(Letter, [f, e, g]) -> For = "numbers" ; For = "other terms" ).
remedy(format(Message), _, _, Parts) :-
    sub_string(Message, _, _, 0, "arguments"),
    Parts = "each ~~w, ~~a, ~~d, ~~p, ~~q takes one element of the list; ~~n and ~~~~ take none"-[].

remedy(type_error(goal, Goal), _, _, Parts) :-
    (   var(Goal)
    ->  Parts = "it is only a variable, and a goal must be known when it is called"-[]
    ;   memberchk(Goal, [(_ :- _), (_ --> _), (_ => _)])
    ->  Parts = "it is a rule; rules stand in the file, and a goal asks what follows from them"-[]
    ;   Goal = (?- _)
    ->  Parts = "`?-` is the prompt of the toplevel; leave it out"-[]
    ;   Goal = (:- _)
    ->  Parts = "`:-` begins a directive of a file; leave it out"-[]
    ;   shown_type(Goal, Type),
        Parts = "it is ~w; only an atom or a compound term can be called"-[Type]
    ).

shown_type(Term, "a number") :- number(Term), !.
shown_type(_, "a text in double quotes").

%   Why nothing defines a predicate.
unknown(_, Name, Arity, "rules stand in the file; a goal is what they are asked: `~w`"-[Example]) :-
    memberchk(Name/Arity, [(:-)/2, (-->)/2, (=>)/2]),
    !,
    Example = "p(X)".
unknown(_, Name, Arity, "library(~w) defines it: write `:- use_module(library(~w)).`"-[Library, Library]) :-
    forgotten(Name, Arity, Library),
    !.
unknown(Module, Name, Arity, "~q is called, and ~w is defined"-[Name/Arity, Text]) :-
    findall(Other,
            ( current_predicate(Module:Name/Number),
              functor(Head, Name, Number),
              \+ library_predicate(Module:Head),
              format(atom(Other), '~q', [Name/Number])
            ),
            Others),
    Others = [_|_],
    !,
    atomic_list_concat(Others, ' or ', Text).
unknown(Module, Name, 0, "~q is called as a goal here, and is a value in ~q: compare a variable with it, X == ~q or X \\== ~q"
        -[Name, Predicate/Arity, Name, Name]) :-
    current_predicate(Module:Predicate/Arity),
    functor(Head, Predicate, Arity),
    \+ library_predicate(Module:Head),
    catch(clause(Module:Head, true), error(_, _), fail),
    arg(_, Head, Value),
    Value == Name,
    !.
unknown(Module, Name, Arity, "module ~q defines ~q and does not export it: elsewhere it is ~q:~q"
        -[Other, Name/Arity, Other, Name]) :-
    module_property(Other, class(user)),
    Other \== Module,
    module_property(Other, exports([_|_])),
    current_predicate(Other:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Other:Head, imported_from(_)),
    !.
unknown(Module, Name, Arity, "did you mean ~q?"-[Other/Arity]) :-
    near(Module, Name, Arity, Other),
    !.
unknown(Module, Name, Arity, "nothing has asserted a clause of it yet: `:- dynamic ~q.` makes it fail in place of the error"
        -[Name/Arity]) :-
    asserted(Module, Name, Arity).

%   What the program can see: its own predicates, and for a name that is not short those of the system and of its libraries
%   (not of packages: they run processes, talk to servers and the like).
near(Module, Name, Arity, Other) :-
    (   current_predicate(Module:Other/Arity)
    ;   atom_length(Name, Length),
        Length > 4,
        (   '$in_library'(Other, Arity, Path), \+ sub_atom(Path, _, _, _, '/library/ext/')
        ;   '$c_current_predicate'(_, system:Head1), functor(Head1, Other, Arity), \+ sub_atom(Other, 0, _, _, $)
        )
    ),
    Other \== Name,
    dwim_match(Name, Other).

asserted(Module, Name, Arity) :-
    call_with_inference_limit(lpbridge_remedies:asserts(Module, Name, Arity), 1_000_000, Result),
    Result \== inference_limit_exceeded.

asserts(Module, Name, Arity) :-
    current_predicate(Module:Caller/CallerArity),
    functor(Head, Caller, CallerArity),
    \+ predicate_property(Module:Head, imported_from(_)),
    catch(clause(Module:Head, Body), error(_, _), fail),
    part(Body, Goal),
    compound(Goal),
    compound_name_arguments(Goal, Assert, [Clause0]),
    memberchk(Assert, [assert, asserta, assertz]),
    strip_module(Clause0, _, Clause),
    nonvar(Clause),
    ( Clause = (Fact :- _) -> true ; Fact = Clause ),
    nonvar(Fact),
    functor(Fact, Name, Arity),
    !.

%   Libraries that are not loaded by themselves, and that programs forget to load.
forgotten(Name, Arity, Library) :-
    member(Library, [clpfd, clpb, clpr, 'dcg/basics', 'dcg/high_order', chr, simplex]),
    term_to_atom(Spec, Library),
    absolute_file_name(library(Spec), File, [file_type(prolog), access(read), file_errors(fail)]),
    xref_public_list(File, File, [exports(Exports)]),
    memberchk(Name/Arity, Exports),
    !.

                /*******************************
                *             TEXT             *
                *******************************/

%   The goal of a site is shown as it is written in the file.
keep_text(File, From-To, Goal) :-
    before(File, To, All),
    sub_string(All, From, _, 0, Text0),
    normalize_space(string(Text), Text0),
    string_length(Text, Length),
    Length =< 80,
    \+ sub_string(Text, _, _, _, "%"),
    !,
    b_setval(lpbridge_written, Goal-Text).
keep_text(_, _, _).

goal_text(Goal, _, Text) :-
    nb_current(lpbridge_written, Written-Text0),
    Written == Goal,
    !,
    Text = Text0.
goal_text(Goal, Names, Text) :-
    \+ \+ ( maplist(name, Names),
            term_variables(Goal, Others),
            maplist(=('$VAR'('_')), Others),
            written(Goal, Text0),
            nb_setval(lpbridge_text, Text0)
          ),
    nb_getval(lpbridge_text, Text1),
    Text = Text1.

name(Name=Variable) :- ( var(Variable) -> Variable = '$VAR'(Name) ; true ).

written(Term, Text) :-
    format(string(Text), '~W',
           [Term, [module(clpfd), quoted(true), numbervars(true), portray(false), max_depth(12),
                   spacing(next_argument)]]).

%   A value as it was, from its view.
shown(View, Text) :-
    readable(View, Term),
    written(Term, Text).

readable('$open', '$VAR'('_')) :- !.
readable('$posted', '$VAR'('_')) :- !.
readable('$finite', '$VAR'('_')) :- !.
readable('$more', '$VAR'('...')) :- !.
readable(View, View) :- atomic(View), !.
readable(View, Term) :-
    compound_name_arguments(View, Name, Arguments0),
    maplist(readable, Arguments0, Arguments),
    compound_name_arguments(Term, Name, Arguments).
