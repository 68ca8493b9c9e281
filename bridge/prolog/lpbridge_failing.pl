/** <module> Why a call fails

What a failing call means by the language's own rules: a negation asks whether there is none at all, bagof/3 fails where
nothing is found, `==` binds nothing, a string is not an atom.
*/

:- module(lpbridge_failing,
          [ reasons/5,      % +Calls, +Heads, +Effects, -Unmatched, -Reasons
            near/4          % +Call, +Heads, -At, -Why
          ]).
:- set_module(base(system)).
:- use_module(library(lists), [append/3, list_to_set/2, member/2, min_member/2, nth1/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(lpbridge_types).

%!  reasons(+Calls, +Heads, +Effects, -Unmatched, -Reasons) is det.
%
%   Calls are [Number, Text, Written] each, in the order in which they were made: the number of the goal, what was
%   called, and the goal as it is written. Heads are the heads of the program's clauses, as texts. Unmatched are the
%   numbers from 1 of the calls that no clause of their predicate matches. Reasons are [Sort, At, Text] each: Sort is
%   `call`, `else` (a call of `( If -> Then )`) or `head`, and At the number of that. Where Effects is `true`, goals of
%   the program are not called again.

reasons(Calls0, Heads, Effects, Unmatched, Reasons) :-
    findall(call(N, Number, Call, Open), read_call(Calls0, N, Number, Call, Open), Calls),
    findall(N-Head, ( nth1(N, Heads, Text), catch(term_string(Head, Text), error(_, _), fail) ), Heads1),
    findall(N, ( member(call(N, _, Call, _), Calls), unmatched(Call, Heads1) ), Unmatched),
    findall([head, At, Why],
            ( member(N, Unmatched), memberchk(call(N, _, Call, _), Calls), near(Call, Heads1, At, Why) ),
            Near),
    findall([Sort, N, Why],
            ( append(Before, [call(N, Number, Call, Open)|_], Calls),
              ( Call = ( _ -> _ ) -> Sort = else ; Sort = call ),
              (   not_a_list(Call, Why)
              ->  true
              ;   Sort == else
              ->  fails(Call, Effects),
                  \+ ( member(call(_, Number, Earlier, _), Before), fails(Earlier, Effects) ),
                  once(why(Call, Open, Effects, Why))
              ;   \+ memberchk(call(_, Number, _, _), Before),
                  forall(member(call(_, Number, Each, _), Calls), fails(Each, Effects)),
                  once(why(Call, Open, Effects, Why))
              )
            ),
            Others),
    append(Near, Others, Both),
    list_to_set(Both, Reasons).

read_call(Calls, N, Number, Call, Open) :-
    nth1(N, Calls, [Number, Text, Written]),
    catch(( term_string(Call, Text), term_string(Goal, Written, [variable_names(Names)]) ), error(_, _), fail),
    findall(Name,
            ( member(Name=Variable, Names), \+ sub_atom(Name, 0, _, _, '_'), open_in(Goal, Call, Variable) ),
            Open).

open_in(Goal, Call, Variable) :- \+ \+ ( subsumes_term(Goal, Call), Goal = Call, var(Variable) ).

unmatched(Call, Heads) :-
    predicate_property(user:Call, defined),
    \+ predicate_property(user:Call, built_in),
    \+ predicate_property(user:Call, imported_from(_)),
    \+ clause(user:Call, _),
    % A unification after the neck may be compiled into the head: as the clause was written, it matches.
    \+ member(_-Call, Heads).

%!  near(+Call, +Heads, -At, -Why) is semidet.
%
%   Heads are N-Head each. At is the number of one that differs from Call in the fewest arguments, and Why what the
%   difference is.

near(Call, Heads, At, Why) :-
    findall(Count-N, ( member(N-Head, Heads), other_arguments(Call, Head, Pairs), length(Pairs, Count) ), Counts),
    min_member(Least-_, Counts),
    member(Least-At, Counts),
    memberchk(At-Head, Heads),
    other_arguments(Call, Head, Pairs),
    member(A-B, Pairs),
    difference(A, B, Why),
    !.
%   It stands in a clause, as an argument of something else.
near(Call, Heads, At, Why) :-
    compound(Call),
    member(At-Head, Heads),
    compound(Head),
    functor(Head, Name, Arity),
    \+ memberchk(Name/Arity, [(:-)/2, (-->)/2, (:-)/1]),
    arg(_, Head, Part),
    same_predicate(Call, Part),
    \+ Call \= Part,
    !,
    printed(Part, Shown),
    format(string(Why), "~w stands here as an argument: this is a clause of ~q", [Shown, Name/Arity]).
%   An argument that is in the way of each of them.
near(Call, Heads, At, Why) :-
    findall(N-Head, ( member(N-Head, Heads), same_predicate(Call, Head) ), [At-First|Others]),
    arg(K, Call, Given),
    nonvar(Given),
    findall(Text, ( member(_-Head, [At-First|Others]), arg(K, Head, Taken), Taken \= Given, printed(Taken, Text) ), Texts0),
    length(Texts0, Number),
    length([At|Others], Number),
    list_to_set(Texts0, Texts),
    length(Texts, Different),
    Different =< 6,
    !,
    atomic_list_concat(Texts, ', ', All),
    printed(Given, Shown),
    ( Different =:= 1 -> Have = "each clause has" ; Have = "the clauses have" ),
    format(string(Why), "argument ~d of the call is ~w, and ~w ~w there", [K, Shown, Have, All]).

same_predicate(Call, Head) :- compound(Call), compound(Head), functor(Call, Name, Arity), functor(Head, Name, Arity).

other_arguments(Call, Head, Pairs) :-
    same_predicate(Call, Head),
    findall(A-B, ( arg(N, Call, A), arg(N, Head, B), A \= B ), Pairs).

                /*******************************
                *          DIFFERENCES         *
                *******************************/

%!  difference(+Called, +Written, -Text) is semidet.
%
%   What makes two terms differ that seem to be the same, or are of different sorts.

difference(A, B, Text) :- atomic(A), atomic(B), A \== [], B \== [], !, atomic_difference(A, B, Text).
difference(A, B, Text) :- number(B), evaluates(A, Value), !, sums(A, Value, Text).
difference(A, B, Text) :- number(A), evaluates(B, Value), !, sums(B, Value, Text).
difference(A, B, Text) :- a_list(A), \+ a_list(B), !, list_and_other(A, B, Text).
difference(A, B, Text) :- a_list(B), \+ a_list(A), !, list_and_other(B, A, Text).
difference(A, B, Text) :-
    compound(A),
    compound(B),
    functor(A, Name, Arity),
    functor(B, Name, Arity),
    !,
    arg(N, A, X),
    arg(N, B, Y),
    X \= Y,
    !,
    difference(X, Y, Text).

atomic_difference(A, B, Text) :-
    text_of(A, Same),
    text_of(B, Same),
    sort_of(A, SortA),
    sort_of(B, SortB),
    SortA \== SortB,
    !,
    format(string(Text), "~q is ~w, and ~q is ~w: they are never the same", [A, SortA, B, SortB]).
atomic_difference(A, B, Text) :-
    number(A),
    number(B),
    A =:= B,
    !,
    format(string(Text), "~w and ~w are equal numbers (=:=), but an integer and a float do not unify", [A, B]).
atomic_difference(A, B, Text) :-
    atom(A),
    atom(B),
    dwim_match(A, B),
    format(string(Text), "~q is not ~q: a slip?", [A, B]).

text_of(Term, Text) :- format(string(Text), "~w", [Term]).

sort_of(Term, "a string") :- string(Term), !.
sort_of(Term, "an atom") :- atom(Term), !.
sort_of(Term, "a number") :- number(Term).

evaluates(Term, Value) :- compound(Term), ground(Term), \+ a_list(Term), catch(Value is Term, error(_, _), fail).

sums(Term, Value, Text) :-
    format(string(Text), "~q is a term, not its value ~w: only `is` and comparisons of numbers evaluate", [Term, Value]).

a_list(Term) :- nonvar(Term), ( Term = [_|_] -> true ; Term == [] ).

list_and_other(List, Other, Text) :-
    nonvar(Other),
    List = [_|_],
    format(string(Text), "~p is a list, and ~p is not", [List, Other]).

                /*******************************
                *            CALLS             *
                *******************************/

%   What a goal of the system or of a library gives when it is called again.
fails(Call, Effects) :- once_within(Call, Effects, false).

once_within(Call, Effects, Truth) :-
    callable(Call),
    ( predicate_property(user:Call, built_in) -> true ; predicate_property(user:Call, imported_from(_)) ),
    ( Effects == true -> \+ calls_program(Call) ; true ),
    catch(call_with_inference_limit(( user:Call -> Truth0 = true ; Truth0 = false ), 100_000, Result), _, fail),
    Result \== inference_limit_exceeded,
    Truth = Truth0.

calls_program(Call) :-
    predicate_property(user:Call, meta_predicate(Spec)),
    arg(N, Spec, Meta),
    ( integer(Meta) -> true ; memberchk(Meta, [^, //]) ),
    arg(N, Call, Goal),
    sub_term(Inner, Goal),
    callable(Inner),
    \+ predicate_property(user:Inner, built_in),
    !.

%   A solution of a goal of the program.
solution(Goal) :-
    catch(call_with_inference_limit(once(user:Goal), 100_000, Result), _, fail),
    Result \== inference_limit_exceeded.

%   An argument is no list where a predicate of the library works on one.
not_a_list(Call, Why) :-
    compound(Call),
    predicate_property(user:Call, imported_from(Library)),
    memberchk(Library, [lists, apply]),
    functor(Call, Name, Arity),
    lists_of(Name, Arity, Ns),
    member(N, Ns),
    arg(N, Call, Other),
    nonvar(Other),
    Other \== [],
    Other \= [_|_],
    !,
    printed(Other, Shown),
    format(string(Why), "argument ~d is ~w, which is not a list", [N, Shown]).

%!  why(+Call, +Open, +Effects, -Text) is nondet.
%
%   Why Call, which fails, does so. Open are the names of its variables that have no value.

why(\+ Goal0, Open, _, Text) :-
    copy_term(Goal0, Goal),
    solution(Goal),
    negated(Goal, Open, Text).
why(not(Goal), Open, Effects, Text) :- why(\+ Goal, Open, Effects, Text).
why(Call, _, _, Text) :-
    memberchk(Call, [bagof(_, Goal0, _), setof(_, Goal0, _)]),
    inner(Goal0, Goal),
    \+ solution(Goal),
    functor(Call, Name, _),
    printed(Goal, Shown),
    format(string(Text), "~w has no answer, and ~w/3 fails where nothing is found; findall/3 gives [] then",
           [Shown, Name]).
why(forall(Goal, Test), _, _, Text) :-
    solution(( Goal, \+ Test )),
    printed(Goal, Shown),
    printed(Test, Tested),
    format(string(Text), "~w holds, and ~w does not", [Shown, Tested]).
why(( If -> _ ), _, _, Text) :-
    \+ solution(If),
    printed(If, Shown),
    inmost(10, If, Inmost),
    ( Inmost == If -> As = "" ; printed(Inmost, Why), format(string(As), ", as ~w is false there", [Why]) ),
    format(string(Text), "its condition ~w is false~w, and there is no else: ( ... -> ... ; true )", [Shown, As]).
why(Call, Open, _, Text) :-
    memberchk(Call, [A \= B, dif(A, B)]),
    Call = (_ \= _),
    A = B,
    Open = [Name|_],
    format(string(Text),
           "~w has no value there, and could be made equal: put it after what gives ~w a value, or write dif/2",
           [Name, Name]).
why(_ == _, [Name|_], _, Text) :-
    format(string(Text), "~w has no value there: `==` compares and binds nothing, `=` unifies", [Name]).
why(Call, _, _, Text) :-
    memberchk(Call, [A = B, A == B, member(A, [B|_]), memberchk(A, [B|_])]),
    difference(A, B, Text).
why(aggregate_all(What, Goal0, _), _, _, Text) :-
    memberchk(What, [max(_), min(_), max(_, _), min(_, _)]),
    inner(Goal0, Goal),
    \+ solution(Goal),
    functor(What, Name, _),
    printed(Goal, Shown),
    format(string(Text), "~w has no answer, and ~w fails where there is nothing to take it of", [Shown, Name]).
why(Call, _, _, Text) :-
    counts_from(Call, N, List, First),
    integer(N),
    functor(Call, Name, _),
    (   N < First
    ->  format(string(Text), "~w/3 counts from ~d", [Name, First])
    ;   is_list(List),
        length(List, Length),
        N >= Length + First,
        format(string(Text), "~w/3 counts from ~d, and there are ~d", [Name, First, Length])
    ).
why(L is Expression, _, _, Text) :-
    catch(Value is Expression, error(_, _), fail),
    (   number(L)
    ->  format(string(Text), "the right side is ~w, and the left one has the value ~w already", [Value, L])
    ;   format(string(Text), "the left side is ~q, and only the right one is evaluated: it is ~w", [L, Value])
    ).
why(between(Low, High, _), _, _, Text) :-
    integer(Low),
    integer(High),
    Low > High,
    format(string(Text), "there is no integer from ~w to ~w", [Low, High]).
why(maplist(Closure, List), _, false, Text) :-
    is_list(List),
    nth1(N, List, Element),
    Closure \= _/_,
    Goal = call(Closure, Element),
    \+ solution(Goal),
    !,
    printed(Element, Shown),
    format(string(Text), "it does for element ~d, ~w", [N, Shown]).
%   A result that is another one.
why(Call, _, Effects, Text) :-
    functor(Call, Name, Arity),
    Arity > 1,
    \+ memberchk(Name/Arity,
                 [ (=)/2, (==)/2, (\==)/2, (\=)/2, (<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, (is)/2, member/2,
                   memberchk/2 ]),
    ( Effects == true -> \+ calls_program(Call) ; true ),
    copy_term(Call, Copy),
    arg(Arity, Copy, Given),
    nonvar(Given),
    setarg(Arity, Copy, Result),
    ( predicate_property(user:Call, built_in) -> true ; predicate_property(user:Call, imported_from(_)) ),
    solution(findall(Result, limit(2, Copy), [Result])),       % of several, none is the result
    Result \= Given,
    printed(Result, Shown),
    printed(Given, GivenShown),
    ( difference(Given, Result, More) -> true ; More = "" ),
    ( More == "" -> Colon = "" ; Colon = ": " ),
    format(string(Text), "its last argument is ~w, and not ~w~w~w", [Shown, GivenShown, Colon, More]).
why(Call, _, _, Text) :-
    ground(Call),
    Call \= _:_,
    printed(Call, Shown),
    format(string(Text), "it is called as ~w", [Shown]).

%   The condition that makes a goal fail whose only clause is such a call again.
inmost(Levels, Goal, Inmost) :-
    Levels > 0,
    findall(Goal-Body, catch(clause(user:Goal, Body), error(_, _), fail), [Goal-( If -> Then )]),
    (   solution(If)
    ->  Then = ( Next -> _ ), \+ solution(Next)
    ;   Next = If
    ),
    !,
    Less is Levels - 1,
    inmost(Less, Next, Inmost).
inmost(_, Goal, Goal).

counts_from(nth0(N, List, _), N, List, 0).
counts_from(nth1(N, List, _), N, List, 1).
counts_from(arg(N, Term, _), N, Arguments, 1) :- compound(Term), compound_name_arguments(Term, _, Arguments).

inner(_^Goal0, Goal) :- !, inner(Goal0, Goal).
inner(Goal, Goal).

negated(Goal, Open, Text) :-
    printed(Goal, Shown),
    (   Open = [Name|_]
    ->  format(string(Text),
               "~w holds. ~w has no value there, so that `\\+` asks whether there is none at all: \
what gives ~w a value belongs before it",
               [Shown, Name, Name])
    ;   format(string(Text), "~w holds", [Shown])
    ).

printed(Term, Text) :-
    copy_term_nat(Term, Copy),
    numbervars(Copy, 0, _, [singletons(true)]),
    format(string(Text), "~W",
           [Copy, [quoted(true), numbervars(true), portray(true), max_depth(12), spacing(next_argument), priority(999)]]).
