/** <module> What is probably wrong in a Prolog program, by its text

A finding is a list [Check, File, From, To, Words, Certain]: the id of the check, the name of the file, offsets in
characters from 0, what there is to say (see bridge/linting/prolog.py), and `true` or `false`.

Here are the checks of names, of the order of clauses and of left recursion.
*/

:- module(lpbridge_lint,
          [ lint/4,         % +Given, +Texts, +Goals, -Result
            occurrences/2   % +Text, -Occurrences
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(lpbridge_errors).
:- use_module(lpbridge_arithmetic).
:- use_module(lpbridge_meaning).
:- use_module(lpbridge_never).
:- use_module(lpbridge_sorts).
:- use_module(lpbridge_program).
:- use_module(lpbridge_source).

:- discontiguous finds/5.

%!  lint(+Given, +Texts, +Goals, -Result) is det.
%
%   Given are the names of the files in question. Texts are `[File, Path, Text]` each: these, and those that they load as
%   far as they are known; Path is '' for a text that is not a file. Goals are the texts of goals in question. Result is [Findings, Wanted, Statements, Known, Open,
%   Whole, Failed]:
%
%     - Wanted: the paths of local files that the program loads and whose text is not in Texts;
%     - Statements: `[File, From, To]` of each term;
%     - Known: [Own, Others], `[Name, Arity]` each, of the program and of the system, where something is undefined;
%     - Open: why predicates may be defined that the text does not show, texts;
%     - Whole: `true` where a file is a module or begins by itself;
%     - Failed: the checks that came to an error, `[Check, Text]` each.

lint(Given, Texts, Goals, [Findings, Wanted, Statements, Known, Open, Whole, Failed]) :-
    clear,
    forall(member([File, Path, Text], Texts), note_text(File, Path, Text)),
    forall(member(File, Given), read_given(File)),
    forall(member(Goal, Goals), note_goal(Goal)),
    findall([Check, Message], ( check(Check, Run), failed(Run, Message) ), Failed),
    findall([Check, File, From, To, Words, Certain], finding(Check, File, From, To, Words, Certain), Findings0),
    list_to_set(Findings0, Findings),
    findall(Path, wanted(Path), Wanted0),
    sort(Wanted0, Wanted),
    findall([File, From, To], statement(File, From, To), Statements),
    known(Known),
    findall(Reason, open(Reason), Open0),
    sort(Open0, Open),
    ( whole -> Whole = true ; Whole = false ).

%!  occurrences(+Text, -Occurrences) is det.
%
%   Where the names of predicates stand in a text: [Name, Arity, Role, From, To, Begin, End] each. Role is `head`, `use`, or
%   `declaration` for `Name/Arity` in a directive; Begin and End are those of the term.

occurrences(Text, Occurrences) :-
    clear,
    note_text('<text>', '', Text),
    read_given('<text>'),
    findall([Name, Arity, Role, From, To, Begin, End],
            ( occurrence(Name, Arity, Role, At, Position), name_span(At, From, To), span(Position, Begin, End) ),
            Occurrences0),
    sort(Occurrences0, Occurrences).

occurrence(Name, Arity, head, At, Position) :-
    clause_of(Name, Arity, _, _, _, _, c(Kind, Head, HP, _, _, Position, _)),
    (   memberchk(Kind, [grammar, grammar_rule]), nonvar(Head), Head = (_, _)    % with a pushback
    ->  plain(HP, term_position(_, _, _, _, [At, _]))
    ;   At = HP
    ).
occurrence(Name, Arity, use, At, Position) :-
    Clause = c(_, _, _, _, _, Position, _),
    clause_of(_, _, _, _, _, _, Clause),
    called_in(Clause, Name, Arity, _, At).
occurrence(Name, Arity, Role, At, Position) :-
    item(_, -, 0, _, _, _, Term, Position, _, _),
    nonvar(Term), ( Term = (:- Directive) ; Term = (?- Directive) ),
    plain(Position, term_position(_, _, _, _, [P])),
    (   called(Directive, P, Name, Arity, _, At), Role = use
    ;   specified(Directive, P, Name, Arity, At), Role = declaration
    ).

specified(Term, Position, Name, Arity, At) :-
    compound(Term),
    (   ( Term = Name/Arity ; Term = Name//Less, integer(Less), Arity is Less + 2 ), atom(Name), integer(Arity)
    ->  plain(Position, term_position(_, _, _, _, [At, _]))
    ;   sub_position(Term, Position, Sub, SubPosition),
        specified(Sub, SubPosition, Name, Arity, At)
    ).

name_span(Position0, From, To) :-
    plain(Position0, Position),
    ( Position = term_position(_, _, From, To, _) -> true ; Position = From-To ).

failed(Goal, Message) :-
    catch(( forall(Goal, true), fail ), Error, true),
    told(Error, [Message|_]).

known([Own, Others]) :-
    (   finding(Check, _, _, _, _, _),
        Check == 'PL003'
    ->  findall([Name, Arity], own(Name, Arity), Own0),
        sort(Own0, Own),
        findall([Name, Arity], other(Name, Arity), Others0),
        sort(Others0, Others)
    ;   Own = [], Others = []
    ).

other(Name, Arity) :- imported(Name, Arity).
other(Name, Arity) :- predicate_property(system:Head, iso), functor(Head, Name, Arity).
other(Name, Arity) :-
    '$c_current_predicate'(_, system:Head),
    functor(Head, Name, Arity),
    \+ sub_atom(Name, 0, _, _, $).
other(Name, Arity) :- '$in_library'(Name, Arity, _), \+ sub_atom(Name, 0, _, _, $).

                /*******************************
                *            CHECKS            *
                *******************************/

%   Each clause of finds/5 in these modules is one of a check: file, position, words and whether it is certain. Where the
%   clauses are not what is written, only variables are looked at.
check(Check, ( Module:finds(Check, File, Position, Words, Certain), found(Check, File, Position, Words, Certain) )) :-
    member(Module, [lpbridge_lint, lpbridge_arithmetic, lpbridge_meaning, lpbridge_never]),
    setof(One, F^P^W^C^B^clause(Module:finds(One, F, P, W, C), B), Checks),
    member(Check, Checks),
    ( Check == 'PL002' -> true ; \+ expands ).
check('PL043', sorts) :- \+ expands.

finds('PL002', File, From-To, [Variable, Others, Earlier, Later, Part, Argument], false) :-
    item(_, Name, _, File, _, _, Term, Position, Names, Singletons0),
    Name \== (-),
    exclude(marked, Singletons0, Singletons),
    Singletons \== [],
    \+ ( style_off(File, Style), Style == singleton ),
    \+ has_dict(Term),
    findall(Other, ( member(Other=V, Names), \+ ( member(_=S, Singletons), S == V ) ), Others),
    nth1(N, Singletons, Variable=Value),
    \+ ( free_variable(Term, Free), Free == Value ),
    ( rest_of_list(Term, Value) -> Part = rest ; Part = '' ),
    findall(Before, ( nth1(M, Singletons, Before=_), M < N ), Earlier),
    findall(After, ( nth1(M, Singletons, After=_), M > N ), Later),
    once(place_of(Value, Term, Position, From, To)),
    ( left_open(Term, Value, Argument) -> true ; Argument = '' ).

%   An argument of a fact, which a recursive clause of the predicate hands back from itself.
left_open(Fact, Value, K) :-
    compound(Fact),
    arg(K, Fact, Argument),
    Argument == Value,
    compound_name_arity(Fact, Name, Arity),
    clause_of(Name, Arity, _, _, _, _, c(clause, Head, _, Body, _, _, _)),
    arg(K, Head, Result),
    sub_goal(Body, Call),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(K, Call, Passed),
    term_variables(Passed, Variables),
    member(Same, Variables),
    contains_var(Same, Result),
    \+ Passed == Result,
    !.

%   The rest of a list that an argument of the head takes apart, whose first element is used.
rest_of_list(Term, Rest) :-
    nonvar(Term),
    ( Term = (Head :- Body) ; Term = (Head => Body) ),
    compound(Head),
    arg(_, Head, List),
    compound(List),
    List = [First|Last],
    Last == Rest,
    var(First),
    contains_var(First, Body),
    !.

marked(Name=_) :- sub_atom(Name, 0, _, _, '_').

                /*******************************
                *           UNDEFINED          *
                *******************************/

finds('PL003', File, Position, [Name, Arity, Kind, Library, Value], true) :-
    called_here(File, _, Branch, Name, Arity, Kind, Position),
    Branch == [],
    \+ defined(Name, Arity),
    \+ sub_atom(Name, 0, _, _, $),
    ( forgotten(Kind, Name, Arity, Library) -> true ; Library = '' ),
    ( Arity =:= 0, value_in(Name, Shown, At) -> Value = [Shown, At] ; Value = [] ).
finds('PL003', File, Span, [Name, Arity, export, '', []], true) :-
    exported(Name, Arity, File, Span),
    \+ defined(Name, Arity),
    \+ open(_).

%   An atom is an argument of a fact.
value_in(Atom, Shown, At) :-
    clause_of(Name, Arity, N, _, _, _, c(clause, Head, _, _, none, _, _)),
    compound(Head),
    arg(_, Head, Argument),
    Argument == Atom,
    !,
    shown(clause, Name, Arity, Shown),
    line_words(N, At).

called_here(File, Unit, Branch, Name, Arity, Kind, Position) :-
    clause_of(_, _, _, File, Unit, Branch, Clause),
    called_in(Clause, Name, Arity, Kind, Position).
called_here(File, Unit, Branch, Name, Arity, directive, Position) :-
    item(_, -, 0, File, Unit, Branch, (:- Directive), Position0, _, _),
    plain(Position0, term_position(_, _, _, _, [P])),
    conjunct(Directive, P, Goal, GoalPosition),
    callable(Goal),
    (   initial(Goal, GoalPosition, Sub, SubPosition)
    ->  called(Sub, SubPosition, Name, Arity, _, Position)
    ;   name_arity(Goal, Name, Arity),
        \+ Goal = _:_,
        \+ known_directive(Goal),
        Position = GoalPosition
    ).

%   What is a directive only, and no predicate.
known_directive(Goal) :- memberchk(Goal, [module(_, _), if(_), elif(_), else, endif, include(_)]), !.
known_directive(Goal) :- declaration(Goal, _, _), !.
known_directive(Goal) :- load_directive(Goal, _), !.

initial(initialization(Goal), Position, Goal, P) :- plain(Position, term_position(_, _, _, _, [P|_])).
initial(initialization(Goal, _), Position, Goal, P) :- plain(Position, term_position(_, _, _, _, [P|_])).

                /*******************************
                *        ORDER OF CLAUSES      *
                *******************************/

finds('PL005', File, HP, [Shown, Line], true) :-
    setof(File-Unit, a_clause_in(File, Unit), Places),
    member(File-Unit, Places),
    \+ ( style_off(File, Style), Style == (discontiguous) ),
    findall(clause(N, Name, Arity, Branch), item(N, Name, Arity, File, Unit, Branch, _, _, _, _), Items0),
    exclude(no_clause, Items0, Items),
    apart(Items, none, [], Apart),
    member(N-Earlier, Apart),
    clause_of(Name, Arity, N, File, Unit, _, c(Kind, _, HP, _, _, _, _)),
    \+ declared((discontiguous), Name, Arity),
    \+ ( Unit = tests(_), memberchk(Name, [test, setup, cleanup]) ),
    line_words(Earlier, Line),
    shown(Kind, Name, Arity, Shown).

a_clause_in(File, Unit) :- item(_, Name, _, File, Unit, _, _, _, _, _), Name \== (-).

no_clause(clause(_, -, _, _)).

%   Where the clauses of a predicate begin again, and where they began. One after it that goes on is not one more.
apart([], _, _, []).
apart([clause(N, Name, Arity, Branch)|Items], Before, Seen, Apart) :-
    (   Before == Name/Arity
    ->  Apart = Apart1, Seen1 = Seen
    ;   memberchk(seen(Name, Arity, First), Seen),
        Branch == []
    ->  Apart = [N-First|Apart1],
        Seen1 = Seen
    ;   Apart = Apart1,
        Seen1 = [seen(Name, Arity, N)|Seen]
    ),
    apart(Items, Name/Arity, Seen1, Apart1).

finds('PL006', File, HP2, [From], true) :-
    clause_of(Name, Arity, N, File, Unit, Branch, c(Kind, Head, _, Body, BP, Position, _)),
    \+ changes(Name, Arity),
    cuts_at_once(Kind, Head, Body, BP),
    clause_of(Name, Arity, Later, File, Unit, Branch, c(Kind, Head2, HP2, _, _, _, _)),
    Later > N,
    plain_head(Head2),
    subsumes_term(Head, Head2),
    span(Position, From, _),
    span(HP2, From2, To2),
    \+ finding('PL006', File, From2, To2, _, _).

%   The cut comes before anything that may fail.
cuts_at_once(rule, Head, _, _) :- plain_head(Head).
cuts_at_once(Kind, Head, Body, BP) :-
    memberchk(Kind, [clause, grammar]),
    plain_head(Head),
    BP \== none,
    findall(Goal, conjunct(Body, BP, Goal, _), Goals),
    append(Before, [Cut|_], Goals),
    Cut == !,
    !,
    maplist(always, Before).

always(Goal) :- nonvar(Goal), memberchk(Goal, [true, nl, write(_), writeln(_), print(_)]).

finds('PL007', File, HP, [Line], Certain) :-
    retractall(seen_clause(_, _)),
    clause_of(Name, Arity, N, File, Unit, Branch, c(Kind, Head, HP, Body, _, _, _)),
    clause_key(Kind, Head, Body, Key),
    ( first_clause(Name, Arity, Key, File, Unit, Branch, Kind, Head, Body, Earlier) -> true ; assertz(seen_clause(Key, N)), fail ),
    span(HP, From, To),
    \+ finding('PL006', File, From, To, _, _),
    line_words(Earlier, Line),
    ( Body == true -> Certain = false ; Certain = true ).

:- dynamic seen_clause/2.       % Key, N

clause_key(Kind, Head, Body, Key) :- catch(variant_hash(c(Kind, Head, Body), Key), error(_, _), fail).

first_clause(Name, Arity, Key, File, Unit, Branch, Kind, Head, Body, N) :-
    seen_clause(Key, N),
    clause_of(Name, Arity, N, File, Unit, Branch, c(Kind, Head1, _, Body1, _, _, _)),
    (Head1-Body1) =@= (Head-Body),
    !.

                /*******************************
                *        LEFT RECURSION        *
                *******************************/

finds('PL008', File, P, [Shown, Via, Tabled], Certain) :-
    clause_of(Name, Arity, N, File, Unit, Branch, c(Kind, Head, _, Body, BP, _, _)),
    memberchk(Kind, [clause, grammar]),
    Branch == [],
    BP \== none,
    plain_head(Head),
    first(Body, BP, Goal, P),
    callable(Goal),
    copy_term(Goal, Copy),
    once(leads_back(Copy, Kind, Name/Arity, Head, N, Unit, [Name/Arity], Via)),
    descends(Name, Arity, N, Unit),
    ( meant_to_go_on(Name, Arity, N, Unit, Head, Body, BP) -> Certain = false ; Certain = true ),
    shown(Kind, Name, Arity, Shown),
    ( Certain == true, \+ grows(Goal, Head) -> Tabled = true ; Tabled = false ).

%   `p(X) :- p(f(X)).` calls another variant each time: a table does not end it.
grows(Goal, Head) :-
    compound(Goal),
    term_variables(Head, Given),
    arg(_, Goal, Argument),
    compound(Argument),
    term_variables(Argument, Variables),
    member(Variable, Variables),
    contains_var(Variable, Given),
    !.

%!  leads_back(+Goal, +Kind, +Predicate, +Head, +N, +Unit, +Seen, -Via) is nondet.
%
%   Goal matches the clause with Head, clause N, as it is, or a later clause whose first goal leads back. Via are the
%   predicates on the way.

leads_back(Goal, Kind, Name/Arity, Head, _, _, _, []) :-
    predicate_of(Kind, Goal, Name, Arity),
    subsumes_term(Head, Goal),
    !.
leads_back(Goal, Kind, Predicate, Head, N, Unit, Seen, [Shown|Via]) :-
    predicate_of(Kind, Goal, Name, Arity),
    \+ memberchk(Name/Arity, Seen),
    clause_of(Name, Arity, Later, _, Unit, [], c(Kind, Other, _, Body, BP, _, _)),
    Later > N,
    BP \== none,
    plain_head(Other),
    subsumes_term(Other, Goal),
    descends(Name, Arity, Later, Unit),
    Other = Goal,
    first(Body, BP, First, _),
    callable(First),
    leads_back(First, Kind, Predicate, Head, N, Unit, [Name/Arity|Seen], Via),
    shown(Kind, Name, Arity, Shown).

%   No earlier clause ends the descent, and no table does.
descends(Name, Arity, N, Unit) :-
    \+ declared(table, Name, Arity),
    \+ changes(Name, Arity),
    \+ ( clause_of(Name, Arity, Earlier, _, Unit, _, c(_, _, _, Body, _, _, _)),
         Earlier < N,
         sub_goal(Body, Goal),
         memberchk(Goal, [!, halt, throw(_), (_ -> _)])
       ).

%   `nat(N) :- nat(M), N is M + 1.` enumerates, and after another clause `p(X) :- p(X).` tries that again, as repeat/0: that
%   it does not end may be meant.
meant_to_go_on(Name, Arity, N, Unit, Head, Body, _) :-
    Head == Body,
    clause_of(Name, Arity, Earlier, _, Unit, _, _),
    Earlier < N,
    !.
meant_to_go_on(Name, Arity, _, _, _, Body, BP) :-
    functor(Recursive, Name, Arity),
    conjunct(Body, BP, Goal, _),
    nonvar(Goal),
    Goal \= Recursive,
    memberchk(Goal, [_ is _, succ(_, _), plus(_, _, _), '#='(_, _)]),
    !.

                /*******************************
                *             NAMES            *
                *******************************/

finds('PL013', File, HP, [Shown, Colon], true) :-
    setof(File-Name/Arity, N^U^B^T^P^Ns^S^item(N, Name, Arity, File, U, B, T, P, Ns, S), All),
    member(File-Name/Arity, All),
    functor(Head, Name, Arity),
    predicate_property(system:Head, iso),
    once(clause_of(Name, Arity, _, File, _, [], c(Kind, Own, HP, _, _, _, _))),
    ( nonvar(Own), Own = (First, _), nonvar(First), First = (_ : _) -> Colon = true ; Colon = false ),
    shown(Kind, Name, Arity, Shown).
