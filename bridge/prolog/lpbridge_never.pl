/** <module> Checks of `lint`: goals and predicates that never succeed, or not as they are meant
*/

:- module(lpbridge_never,
          [ never/5         % ?Check, -File, -Position, -Words, -Certain
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(lpbridge_arithmetic).
:- use_module(lpbridge_failing).
:- use_module(lpbridge_meaning).
:- use_module(lpbridge_program).
:- use_module(lpbridge_source).

:- discontiguous never/5.

                /*******************************
                *        OTHER ARITIES         *
                *******************************/

%   A clause with an argument more or less stands among those of a predicate of the same name, and nothing else calls it
never('PL032', File, HP, [Shown, Others], true) :-
    \+ expands,
    item(N, Name, Arity, File, Unit, Branch, _, _, _, _),
    Unit \= tests(_),
    neighbour(File, Unit, Branch, N, -1, Before, Name/Other),
    Other =\= Arity,
    (   follows(File, Unit, Branch, N, Name/Arity, Name/Other, Last)
    ->  \+ ( clause_of(Name, Arity, Elsewhere, _, _, _, _), ( Elsewhere < N ; Elsewhere > Last ) )
    ;   facts_only(Name, Other, [Before, _|_]),
        facts_only(Name, Arity, [N])
    ),
    \+ asked_for(Name, Arity),
    once(clause_of(Name, Arity, N, _, _, _, c(Kind, _, HP, _, _, _, _))),
    shown(Kind, Name, Arity, Shown),
    shown(Kind, Name, Other, Others).

neighbour(File, Unit, Branch, N, Step, Next, Name/Arity) :-
    Next is N + Step,
    item(Next, Name, Arity, File, Unit, Branch, _, _, _, _).

%   After the clauses of one predicate, of which Last is the last one, those of the other one go on.
follows(File, Unit, Branch, N, This, Other, Last) :-
    neighbour(File, Unit, Branch, N, 1, Next, Name/Arity),
    ( Name/Arity == Other -> Last = N ; Name/Arity == This, follows(File, Unit, Branch, Next, This, Other, Last) ).

facts_only(Name, Arity, Ns) :-
    findall(N-Body, clause_of(Name, Arity, N, _, _, _, c(clause, _, _, Body, _, _, _)), Clauses),
    forall(member(_-Body, Clauses), Body == true),
    findall(N, member(N-_, Clauses), Ns0),
    msort(Ns0, Sorted),
    reverse(Sorted, Ns).

%   Something other than the predicate itself may call it.
asked_for(Name, Arity) :- declared(_, Name, Arity), !.
asked_for(Name, Arity) :- exported(Name, Arity, _, _), !.
asked_for(Name, Arity) :-
    clause_of(Caller, CallerArity, _, _, _, _, c(Kind, _, _, Body, BP, _, _)),
    Caller/CallerArity \== Name/Arity,
    BP \== none,
    (   memberchk(Kind, [clause, rule])
    ->  called(Body, BP, Name, Arity, _, _)
    ;   nonterminal(Body, BP, Name, Arity, _, _)
    ),
    !.
asked_for(Name, Arity) :-
    item(_, -, 0, _, _, _, (:- Directive), Position0, _, _),
    plain(Position0, term_position(_, _, _, _, [P])),
    called(Directive, P, Name, Arity, _, _),
    !.

                /*******************************
                *        NEVER MATCHES         *
                *******************************/

%   A call that no clause of its predicate matches
never('PL033', File, P, [Shown, At, Why, Variable], true) :-
    body_of(_, _, _, Kind, File, _, c(_, _, Body, BP, Names)),
    within(Kind, Body, BP, Goal, P),
    compound(Goal),
    name_arity(Goal, Name, Arity),
    head(Name, Arity),
    \+ changes(Name, Arity),
    \+ declared(dynamic_later, Name, Arity),
    \+ meta(Name, Arity, _),
    \+ ( clause_of(Name, Arity, _, _, _, _, c(Read, Head, _, _, _, _, _)), ( Read \== clause ; Head = Goal ) ),
    findall(N-Head, clause_of(Name, Arity, N, _, _, _, c(clause, Head, _, _, _, _, _)), Heads),
    Heads \== [],
    ( near(Goal, Heads, N, Why) -> line_words(N, At) ; span(P, At, _), Why = "" ),
    (   arg(_, Goal, Small), atom(Small), member(Variable=_, Names), downcase_atom(Variable, Small)
    ->  true
    ;   Variable = ''
    ),
    shown(clause, Name, Arity, Shown).

                /*******************************
                *        NEVER SUCCEEDS        *
                *******************************/

%   Each clause of a predicate calls the predicate again
never('PL034', File, HP, [Shown, End], true) :-
    \+ expands,
    setof(Name/Arity, a_predicate(Name, Arity), All),
    succeeding(All, [], Good),
    member(Name/Arity, All),
    \+ memberchk(Name/Arity, Good),
    \+ declared(_, Name, Arity),
    once(clause_of(Name, Arity, _, File, _, _, c(Kind, Head, HP, _, _, _, _))),
    forall(clause_of(Name, Arity, _, _, _, _, c(Kind0, _, _, Body, BP, _, _)),
           calls_itself(Kind0, Body, BP, Name, Arity)),
    \+ may_be_meant(Name, Arity, []),
    shown(Kind, Name, Arity, Shown),
    \+ finding('PL032', _, _, _, [Shown|_], _),
    ( end_of(Kind, Head, End) -> true ; End = "" ).

a_predicate(Name, Arity) :- item(_, Name, Arity, _, _, _, _, _, _, _), Name \== (-).

calls_itself(Kind, Body, BP, Name, Arity) :-
    BP \== none,
    ( memberchk(Kind, [clause, rule]) -> conjunct(Body, BP, Goal, _) ; grammar_conjunct(Body, BP, Goal) ),
    nonvar(Goal),
    callable(Goal),
    ( memberchk(Kind, [clause, rule]) -> name_arity(Goal, Name, Arity) ; predicate_of(grammar, Goal, Name, Arity) ),
    !.

grammar_conjunct(Body, BP, Goal) :- conjunct(Body, BP, Goal, _), Goal \= {_}.

%   A loop may be meant where something else is done than to compute: it prints, reads, waits, or ends by an error.
may_be_meant(Name, Arity, Seen) :-
    \+ memberchk(Name/Arity, Seen),
    clause_of(Name, Arity, _, _, _, _, c(_, _, _, Body, BP, _, _)),
    BP \== none,
    sub_goal(Body, Goal),
    name_arity(Goal, Other, OtherArity),
    (   head(Other, OtherArity)
    ->  may_be_meant(Other, OtherArity, [Name/Arity|Seen])
    ;   built_in(Other, OtherArity)
    ->  functor(Head, Other, OtherArity),
        \+ computes(Head)
    ;   in_library(Other, OtherArity, Library),
        \+ memberchk(Library, [lists, apply, aggregate, pairs, ordsets, assoc, clpfd])
    ),
    !.

computes(Goal) :-
    memberchk(Goal,
              [ [_|_], (_, _), (_ ; _), (_ -> _), (_ *-> _), \+ _, !, true, _ = _, _ \= _, _ == _, _ \== _, {_}, call(_) ]),
    !.
computes(Goal) :- arithmetic(Goal, _), !.
computes(Goal) :- type_test(Goal), !.
computes(Goal) :-
    memberchk(Goal,
              [ length(_, _), between(_, _, _), succ(_, _), plus(_, _, _), atom_length(_, _), atom_chars(_, _),
                atom_codes(_, _), functor(_, _, _), arg(_, _, _), findall(_, _, _), _ =.. _ ]),
    !.
computes(Goal) :- current_arithmetic_function(Goal).

%   The predicates of which a clause may succeed: none of its goals is of another one.
succeeding(All, Good0, Good) :-
    findall(Name/Arity,
            ( member(Name/Arity, All),
              \+ memberchk(Name/Arity, Good0),
              clause_of(Name, Arity, _, _, _, _, c(Kind, _, _, Body, BP, _, _)),
              \+ ( BP \== none, bad_goal(Kind, Body, BP, All, Good0) )
            ),
            New0),
    sort(New0, New),
    ( New == [] -> Good = Good0 ; append(New, Good0, Good1), succeeding(All, Good1, Good) ).

bad_goal(Kind, Body, BP, All, Good) :-
    conjunct(Body, BP, Goal, _),
    callable(Goal),
    (   memberchk(Kind, [clause, rule])
    ->  name_arity(Goal, Name, Arity)
    ;   Goal \= {_}, predicate_of(grammar, Goal, Name, Arity)
    ),
    memberchk(Name/Arity, All),
    \+ memberchk(Name/Arity, Good).

%   The head of a clause for the empty list, or for nothing.
end_of(clause, Head, End) :-
    compound(Head),
    Head =.. [Name|Arguments],
    once(( member(List, Arguments), nonvar(List), List = [_|_] )),
    maplist(ended, Arguments, Ended),
    Base =.. [Name|Ended],
    format(string(End), "~W", [Base, [quoted(true), numbervars(true), spacing(next_argument)]]).

ended(Argument, []) :- nonvar(Argument), Argument = [_|_], !.
ended(_, '$VAR'('_')).

                /*******************************
                *           TEMPLATES          *
                *******************************/

%   `findall(X, p(Y), L)`
never('PL036', File, P, [Name, Collects], true) :-
    body_of(_, _, _, clause, File, _, c(Head, _, Body, BP, Names)),
    goals(Body, BP, Goals),
    append(Before, [goal(Goal, P)|_], Goals),
    collects(Goal, Template, Of),
    term_variables(Template, [First|More]),
    \+ ( member(Variable, [First|More]), ( occurs(Variable, Of) ; occurs(Variable, Head-Before) ) ),
    callable(Of),
    \+ Of = (_:_),
    name_of(First, Names, Name),
    \+ sub_atom(Name, 0, _, _, '_'),
    name_arity(Goal, Name0, Arity),
    shown(clause, Name0, Arity, Collects).

collects(Goal, Template, Of) :-
    nonvar(Goal),
    memberchk(Goal, [findall(Template, Of, _), findall(Template, Of, _, _), bagof(Template, Of, _), setof(Template, Of, _)]).

                /*******************************
                *           DIVISION           *
                *******************************/

%   `half(N) :- M is N / 2, half(M).` and a clause with an integer
never('PL037', File, EP, [Op, Line], true) :-
    body_of(Name, Arity, _, clause, File, Unit, c(Head, _, Body, BP, _)),
    compound(Head),
    goals(Body, BP, Goals),
    member(goal(Evaluation, P), Goals),
    nonvar(Evaluation),
    Evaluation = (Half is Expression),
    var(Half),
    nonvar(Expression),
    Expression = Whole / K,
    var(Whole),
    integer(K),
    K > 1,
    arg(N, Head, Same),
    Same == Whole,
    member(goal(Call, _), Goals),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(N, Call, Passed),
    Passed == Half,
    \+ ( sub_goal(Body, Part),
         memberchk(Part, [_ mod _, _ rem _, gcd(_, _), _ // _, integer(_), floor(_), truncate(_), even(_), divides(_, _)])
       ),
    clause_of(Name, Arity, Base, File, Unit, [], c(clause, Other, _, _, _, _, _)),
    arg(N, Other, Number),
    integer(Number),
    !,
    argument_position(P, 2, EP),
    line_words(Base, Line),
    Op = (/).

                /*******************************
                *        SMALL LETTERS         *
                *******************************/

%   `grandparent(x, z) :- parent(x, y), parent(y, z).`
never('PL038', File, P, [Letter, Upper], true) :-
    body_of(_, _, _, clause, File, _, c(Head, HP, Body, BP, _)),
    ground(Head-Body),
    compound(Head),
    goals(Body, BP, Goals),
    once(( arg(_, Head, Letter),
           letter(Letter),
           member(goal(Goal, _), Goals),
           compound(Goal),
           arg(_, Goal, Also),
           Also == Letter,
           \+ ( clause_of(_, _, _, _, _, _, c(clause, Fact, _, _, none, _, _)), occurrence(Letter, Fact) )
         )),
    once(place_of(Letter, Head, HP, From, To)),
    P = From-To,
    upcase_atom(Letter, Upper).

letter(Letter) :- atom(Letter), atom_length(Letter, 1), char_type(Letter, lower).

                /*******************************
                *            LISTS             *
                *******************************/

%   `rev([H|T], [R, H]) :- rev(T, R).` makes a list in a list
never('PL039', File, P, [Name, From, To], true) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, HP, Body, _, Names)),
    compound(Head),
    arg(N, Head, List),
    is_list(List),
    List = [Variable, Other],
    var(Variable),
    var(Other),
    passed_on(Body, Predicate, Arity, N, Variable),
    \+ passed_on(Body, Predicate, Arity, N, Other),
    arg(M, Head, Given),
    M \== N,
    nonvar(Given),
    Given = [First|_],
    First == Other,
    argument_position(HP, N, P),
    plain(P, list_position(_, _, [_, OtherP], _)),
    span(OtherP, From, To),
    name_of(Variable, Names, Name).
%   `rev([H|T], [R|H]) :- rev(T, R).` has an element for the rest of a list
never('PL039', File, P, [Name, From, To], true) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, HP, Body, _, Names)),
    compound(Head),
    arg(N, Head, List),
    nonvar(List),
    List = [Variable|Other],
    var(Variable),
    var(Other),
    passed_on(Body, Predicate, Arity, N, Variable),
    arg(M, Head, Given),
    M \== N,
    nonvar(Given),
    Given = [First|_],
    First == Other,
    argument_position(HP, N, P),
    plain(P, list_position(_, _, _, OtherP)),
    span(OtherP, From, To),
    name_of(Variable, Names, Name).
%   `append(R, H, L)` where H is an element
never('PL040', File, AP, [Name], false) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, _, Body, BP, Names)),
    compound(Head),
    arg(_, Head, List),
    nonvar(List),
    List = [Element|Rest],
    var(Element),
    var(Rest),
    goals(Body, BP, Goals),
    member(goal(append(A, B, _), P), Goals),
    var(A),
    B == Element,
    member(goal(Call, _), Goals),
    compound(Call),
    compound_name_arity(Call, Predicate, Arity),
    occurs(Rest, Call),
    occurs(A, Call),
    argument_position(P, 2, AP),
    name_of(Element, Names, Name).

                /*******************************
                *           RESULTS            *
                *******************************/

%   `triple([X|Xs], Ys) :- ..., triple(Xs, [Y|Ys])` and `triple([], [])`
never('PL041', File, AP, [From, To], true) :-
    body_of(Name, Arity, N, clause, File, Unit, c(Head, _, Body, BP, _)),
    compound(Head),
    goals(Body, BP, Goals),
    member(goal(Call, P), Goals),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(K, Head, Result),
    var(Result),
    arg(K, Call, Longer),
    nonvar(Longer),
    Longer = [_|Tail],
    Tail == Result,
    findall(End, ( clause_of(Name, Arity, M, _, Unit, _, c(_, Other, _, _, _, _, _)), M \== N, arg(K, Other, End) ), Ends),
    Ends = [_|_],
    forall(member(End, Ends), End == []),
    argument_position(P, K, AP),
    plain(AP, list_position(_, _, _, TP)),
    span(TP, From, To).
%   `double([X|Xs], Ys) :- ..., double(Xs, [Ys, Y])`
never('PL041', File, AP, [Result], true) :-
    body_of(Name, Arity, _, clause, File, _, c(Head, _, Body, BP, Names)),
    compound(Head),
    goals(Body, BP, Goals),
    member(goal(Call, P), Goals),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    arg(K, Head, Variable),
    var(Variable),
    arg(K, Call, Nested),
    is_list(Nested),
    Nested = [_, _|_],
    member(Element, Nested),
    Element == Variable,
    !,
    argument_position(P, K, AP),
    name_of(Variable, Names, Result).
%   `add([], _).` and `add([X|Xs], N) :- M is N + X, add(Xs, M).`
never('PL042', File, HP, [Shown, K, Line, Next], true) :-
    body_of(Name, Arity, N, clause, File, Unit, c(Head, HP, Body, _, Names)),
    compound(Head),
    arg(K, Head, Old),
    adds_only(Name, Arity, K, Head, Body, New),
    Old \== New,
    \+ ( clause_of(Name, Arity, M, _, Unit, _, c(_, Other, _, Goals, _, _, _)),
         M \== N,
         \+ adds_only(Name, Arity, K, Other, Goals, _)
       ),
    clause_of(Name, Arity, Base, _, Unit, [], c(clause, _, _, End, _, _, _)),
    \+ passed_on(End, Name, Arity),
    !,
    shown(clause, Name, Arity, Shown),
    line_words(Base, Line),
    name_of(New, Names, Next).

%   Argument K of a head is only added to and handed on to the predicate itself, as New, or not looked at.
adds_only(Name, Arity, K, Head, Body, New) :-
    arg(K, Head, Old),
    var(Old),
    findall(x, occurrence(Old, Head), [_]),
    findall(x, occurrence(Old, Body), Uses),
    (   Uses == []
    ->  New = Old
    ;   Uses = [_],
        sub_goal(Body, Call),
        compound(Call),
        compound_name_arity(Call, Name, Arity),
        arg(K, Call, New),
        var(New),
        (   New == Old
        ->  true
        ;   sub_goal(Body, Sum),
            Sum = (Out is Expression),
            Out == New,
            occurs(Old, Expression),
            findall(x, occurrence(New, Head-Body), [_, _])
        )
    ),
    !.

passed_on(Body, Name, Arity) :- sub_goal(Body, Call), name_arity(Call, Name, Arity), !.

                /*******************************
                *         SIDE EFFECTS         *
                *******************************/

%   Each clause goes back at its end: `clear :- retract(item(_)), fail.`
never('PL045', File, FP, [Shown], false) :-
    \+ expands,
    a_predicate(Name, Arity),
    \+ declared(_, Name, Arity),
    findall(N, clause_of(Name, Arity, N, _, _, _, _), Ns),
    last(Ns, Last),
    forall(member(N, Ns), ( clause_of(Name, Arity, N, _, _, _, c(clause, _, _, Body, BP, _, _)), goes_back(Body, BP, _) )),
    clause_of(Name, Arity, Last, File, _, _, c(_, _, _, Body, BP, _, _)),
    goes_back(Body, BP, FP),
    truth_counts(Name, Arity),
    shown(clause, Name, Arity, Shown).

%   It is a goal in question, or something comes after its call.
truth_counts(Name, Arity) :- question(Goal), name_arity(Goal, Name, Arity), !.
truth_counts(Name, Arity) :-
    body_of(_, _, _, clause, _, _, c(_, _, Body, BP, _)),
    goals(Body, BP, Goals),
    append(_, [goal(Goal, _)|[_|_]], Goals),
    callable(Goal),
    name_arity(Goal, Name, Arity),
    !.

goes_back(Body, BP, FP) :-
    BP \== none,
    goals(Body, BP, Goals),
    append([_|_], [goal(Fail, FP)], Goals),
    memberchk(Fail, [fail, false]),
    \+ ( member(goal(Goal, _), Goals), memberchk(Goal, [!, repeat, throw(_), halt, halt(_)]) ).

%   What is set by b_setval/2 in forall/2 and the like is undone when these go back
never('PL047', File, P, [Outside], true) :-
    body_of(_, _, _, Kind, File, _, c(_, _, Body, BP, _)),
    within(Kind, Body, BP, Outer, OP),
    goes_back_over(Outer, N),
    arg(N, Outer, Inner),
    argument_position(OP, N, IP),
    within(clause, Inner, IP, Goal, P),
    nonvar(Goal),
    Goal = b_setval(_, _),
    name_arity(Outer, Name, Arity),
    shown(clause, Name, Arity, Outside).

goes_back_over(Goal, _) :- var(Goal), !, fail.
goes_back_over(forall(_, _), 1).
goes_back_over(forall(_, _), 2).
goes_back_over(findall(_, _, _), 2).
goes_back_over(aggregate_all(_, _, _), 2).
goes_back_over(\+ _, 1).

%   A variable that has a value only within forall/2, findall/3 or a negation
never('PL048', File, P, [Name, Outside, From, To], Certain) :-
    body_of(Predicate, Arity, _, clause, File, _, c(Head, _, Body, BP, Names)),
    goals(Body, BP, Goals),
    append(Before, [goal(Outer, P)|After], Goals),
    inside(Outer, Inner, Rest),
    term_variables(Inner, Variables),
    member(Variable, Variables),
    \+ occurs(Variable, Before),
    \+ occurs(Variable, Rest),
    (   member(goal(User, UP), After),
        occurs(Variable, User)
    ->  \+ occurs(Variable, Head),
        needs(User, Variable),
        span(UP, From, To),
        Certain = true
    ;   Outer = forall(_, _),
        \+ occurs(Variable, After),
        compound(Head),
        arg(K, Head, Argument),
        Argument == Variable,
        From = 0, To = 0,
        ( asked(Predicate, Arity, K) -> Certain = true ; Certain = false, only_given_by(Inner, Variable) )
    ),
    name_of(Variable, Names, Name),
    name_arity(Outer, OuterName, OuterArity),
    shown(clause, OuterName, OuterArity, Outside).

inside(Goal, _, _) :- var(Goal), !, fail.
inside(forall(A, B), A-B, []).
inside(findall(A, B, L), A-B, L).
inside(aggregate_all(A, B, L), A-B, L).
inside(\+ A, A, []).

%   The goal prints the variable, evaluates it or compares it.
needs(Goal, Variable) :- arithmetic(Goal, Evaluated), !, occurs(Variable, Evaluated).
needs(Goal, Variable) :- memberchk(Goal, [write(Printed), writeln(Printed), print(Printed), format(_, Printed)]), occurs(Variable, Printed).

%   It is the result of arithmetic, or an element of a list that is open.
only_given_by(Goal, Variable) :- sub_goal(Goal, Part), nonvar(Part), Part = (Result is _), Result == Variable, !.
only_given_by(Goal, Variable) :- sub_goal(Goal, Part), nonvar(Part), Part = append(_, _, Result), Result == Variable, !.

                /*******************************
                *          EXCEPTIONS          *
                *******************************/

%   `catch(..., error(type_error, _), ...)` catches nothing
never('PL046', File, P, [Meant], true) :-
    body_of(_, _, _, Kind, File, _, c(_, _, Body, BP, _)),
    within(Kind, Body, BP, Goal, GP),
    nonvar(Goal),
    Goal = catch(_, Catcher, _),
    nonvar(Catcher),
    \+ ( thrown(Ball), \+ Ball \= Catcher ),
    (   Catcher = error(Formal, _),
        nonvar(Formal),
        meant_formal(Formal, Formal1)
    ->  Meant0 = error(Formal1, '_')
    ;   a_formal(Catcher)
    ->  copy_term(Catcher, Formal1),
        Meant0 = error(Formal1, '_')
    ),
    argument_position(GP, 2, P),
    \+ \+ ( numbervars(Meant0, 0, _, [singletons(true)]),
            format(string(Text), "~W", [Meant0, [quoted(false), numbervars(true), spacing(next_argument)]]),
            nb_setval(lpbridge_meant, Text)
          ),
    nb_getval(lpbridge_meant, Meant).

%   What the program itself may throw.
thrown(Ball) :- clause_of(_, _, _, _, _, _, c(_, _, _, Body, _, _, _)), sub_goal(Body, Goal), nonvar(Goal), Goal = throw(Ball).

formal(type_error(_, _)).
formal(domain_error(_, _)).
formal(existence_error(_, _)).
formal(permission_error(_, _, _)).
formal(representation_error(_)).
formal(evaluation_error(_)).
formal(resource_error(_)).
formal(syntax_error(_)).

a_formal(instantiation_error).
a_formal(Formal) :- compound(Formal), formal(Formal).

meant_formal(Name, Formal) :- atom(Name), formal(Formal), functor(Formal, Name, _), !.
meant_formal(Name, evaluation_error(Name)) :- memberchk(Name, [zero_divisor, undefined, float_overflow, float_underflow]), !.
meant_formal(Term, Formal) :-
    compound(Term),
    functor(Term, Name, Arity),
    formal(Formal),
    functor(Formal, Name, Other),
    Other =\= Arity,
    Name \== existence_error,
    !.
