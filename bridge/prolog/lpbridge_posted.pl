/** <module> The constraints that a goal posts, recorded in place of being posted

A program prepared by `bridge.problem.posted` calls post/3 with each constraint. While it is recorded, the constraint
is noted, with its variables, and not posted, and nothing is labelled: what the goal would post is a set of
**instances** of the constraints of the source. Two kinds are run at once, since the program goes on with their
result:

  - what is ground, such as `N #> 0` at the beginning of a recursion;
  - `X #= Expression` where the expression is ground and X is a new variable, such as `D1 #= D0 + 1`.

The record is that of the goal only when it has one answer. Whether the program would have posted the same constraints
had they been posted is checked by a second run, see follows/3.
*/

:- module(lpbridge_posted,
          [ record/5,       % :Query, +Limit, +Free, +Local, -Reply
            follows/3,      % :Query, +Limit, -Reply
            instances/1,    % -Instances
            domains/1,      % -Domains
            hold/4,         % +Indices, +Label, +Limit, -Reply
            post/3,         % +Number, +Bindings, :Constraint
            post/4,
            post/5,
            post/6,
            post/7,
            at/1,           % +Number
            given/3,        % +Number, -Value, +Given
            labelled/1      % :Goal
          ]).
%   Goals of the program run in here as `Module:Goal` gives them, which `user` lends to this module: no base(system).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs), [pairs_keys/2, pairs_keys_values/3]).
:- use_module(library(prolog_wrap)).
:- use_module(library(solution_sequences)).

:- op(700, xfx, [#=, #\=, #<, #>, #=<, #>=, in, ins]).

:- meta_predicate
    record(:, +, +, +, -),
    follows(:, +, -),
    post(+, +, :),
    post(+, +, :, ?),
    post(+, +, :, ?, ?),
    post(+, +, :, ?, ?, ?),
    post(+, +, :, ?, ?, ?, ?),
    labelled(:).

:- dynamic
    mode/1,                 % recording, following
    local/1,                % Number: of constraints that are posted, not recorded
    free/0,                 % what the query gives in lists is recorded, too
    followed/1,             % Number: of the constraints posted in the second run
    recorded/3.             % Query's variables, instances, numbers in order

                /*******************************
                *           RECORDING          *
                *******************************/

%!  record(:Query, +Limit, +Free, +Local, -Reply) is det.
%
%   Record what Query posts, within so many inferences. Free is `true` when constants in lists of the query are
%   recorded as equations, too. Local are the numbers of constraints that are posted. Reply is [Word, Number]: `one`
%   and the number of instances (`waits` when goals wait for variables besides), or `none`, `several`, `inferences`,
%   `raises` and 0.

record(Module:Query, Limit, Free, Local, [Word, Number]) :-
    retractall(recorded(_, _, _)),
    retractall(local(_)),
    forall(member(N, Local), assertz(local(N))),
    retractall(free),
    ( Free == true -> assertz(free) ; true ),
    wrap_constraints,
    arg(1, Query, Variables),
    in_mode(recording,
            catch(call_with_inference_limit(
                      findall(Variables-Log,
                              limit(2, ( b_setval(lpbridge_log, log([], Variables)),
                                         b_setval(lpbridge_at, 0),
                                         Module:Query,
                                         b_getval(lpbridge_log, log(Log, _))
                                       )),
                              Answers),
                      Limit, Result),
                  Error, true)),
    (   nonvar(Error)
    ->  raised(Error, Word), Number = 0
    ;   Result == inference_limit_exceeded
    ->  Word = inferences, Number = 0
    ;   Answers = [Values-Reversed]
    ->  reverse(Reversed, Events),
        convlist(instance, Events, Instances),
        numbers(Events, 0, Numbers),
        assertz(recorded(Values, Instances, Numbers)),
        length(Instances, Number),
        term_attvars(Answers, Waiting),
        ( Waiting == [] -> Word = one ; Word = waits )
    ;   Answers == []
    ->  Word = none, Number = 0
    ;   Word = several, Number = 0
    ).

instance(instance(Number, Bindings, Goal), instance(Number, Bindings, Goal)).
instance(wrapped(Number, Goal), instance(Number, [], Goal)).
instance(given(Number, Value, Given), instance(Number, [], user:(Value = Given))).

%   The numbers of the constraints that post/3 was called with, and how many instances came before each.
numbers([], _, []).
numbers([Event|Events], N0, Numbers) :-
    (   instance(Event, _)
    ->  N is N0 + 1
    ;   N = N0
    ),
    (   ( Event = run(Number) ; Event = instance(Number, _, _) )
    ->  Numbers = [Number-N0|Numbers1]
    ;   Numbers = Numbers1
    ),
    numbers(Events, N, Numbers1).

in_mode(Mode, Goal) :-
    setup_call_cleanup(
        assertz(mode(Mode)),
        ignore(Goal),
        retractall(mode(_))).

raised('$aborted', _) :- !, throw('$aborted').
raised(unwind(abort), _) :- !, throw(unwind(abort)).
raised(inference_limit_exceeded, inferences) :- !.
raised(_, raises).

%!  follows(:Query, +Limit, -Reply) is det.
%
%   Run Query with its constraints posted. Reply is [Word, Number]: `same` when these are those that were recorded, in
%   their order, up to a Number of them after which propagation fails (-1 when it does not); `differs` otherwise.

follows(Module:Query, Limit, [Word, Number]) :-
    retractall(followed(_)),
    Result = run(fails),
    in_mode(following,
            catch(( call_with_inference_limit(once(Module:Query), Limit, How),
                    nb_setarg(1, Result, How)
                  ),
                  Error,
                  ( raised(Error, How), nb_setarg(1, Result, How) ))),
    findall(N, followed(N), Followed),
    recorded(_, Instances, Numbers),
    arg(1, Result, Ending),
    (   pairs_keys(Before, Followed),
        append(Before, Rest, Numbers),
        same(Ending, Rest, Followed, Instances, Number0)
    ->  Word = same, Number = Number0
    ;   Word = differs, Number = 0
    ).

%   It failed after these: what is recorded before the next one counts.
same(fails, [Next|_], _, _, Number) :- !, Next = _-Number.
same(fails, [], _, Instances, Number) :- !, length(Instances, Number).
same(Ending, [], _, _, -1) :- memberchk(Ending, [!, true]).

%!  post(+Number, +Bindings, :Constraint) is semidet.
%
%   The constraint of the source with that number. Bindings are its variables, `Name = Variable` each. Arguments are
%   added to Constraint where there are more.

post(Number, Bindings, Module:Constraint) :-
    mode(Mode),
    !,
    post_in(Mode, Number, Bindings, Module:Constraint).
post(_, _, Module:Constraint) :- call(Module:Constraint).

post(Number, Bindings, Module:Closure, A) :-
    extended(Closure, [A], Constraint), post(Number, Bindings, Module:Constraint).
post(Number, Bindings, Module:Closure, A, B) :-
    extended(Closure, [A, B], Constraint), post(Number, Bindings, Module:Constraint).
post(Number, Bindings, Module:Closure, A, B, C) :-
    extended(Closure, [A, B, C], Constraint), post(Number, Bindings, Module:Constraint).
post(Number, Bindings, Module:Closure, A, B, C, D) :-
    extended(Closure, [A, B, C, D], Constraint), post(Number, Bindings, Module:Constraint).

extended(Closure, More, Constraint) :-
    Closure =.. List0,
    append(List0, More, List),
    Constraint =.. List.

post_in(following, Number, _, Goal) :-
    assertz(followed(Number)),
    call(Goal).
post_in(recording, Number, Bindings, Module:Constraint) :-
    (   ( ground(Constraint) ; local(Number) ; defines(Constraint) )
    ->  push(run(Number)),
        run(Module:Constraint)
    ;   push(instance(Number, Bindings, Module:Constraint))
    ).

%   Not recorded: what the constraint calls are not constraints of the program.
run(Goal) :-
    setup_call_cleanup(
        retractall(mode(_)),
        once(Goal),
        assertz(mode(recording))).

push(Event) :-
    b_getval(lpbridge_log, log(Log, Variables)),
    b_setval(lpbridge_log, log([Event|Log], Variables)).

%   X #= Expression with a ground expression, and X in nothing that was recorded and not in the query.
defines(X #= Expression) :- defines(X, Expression), !.
defines(Expression #= X) :- defines(X, Expression).

defines(X, Expression) :-
    var(X),
    ground(Expression),
    b_getval(lpbridge_log, Log),
    term_variables(Log, Variables),
    \+ ( member(Variable, Variables), Variable == X ).

%!  at(+Number) is det.
%
%   Constraints that are called from somewhere else, by maplist/2 for instance, belong to the goal of that number.

at(Number) :-
    (   mode(recording)
    ->  b_setval(lpbridge_at, Number)
    ;   true
    ).

%!  given(+Number, -Value, +Given) is det.
%
%   Value is Given, which is a constant in the query.

given(Number, Value, Given) :-
    (   mode(recording), free
    ->  push(given(Number, Value, Given))
    ;   Value = Given
    ).

%!  labelled(:Goal) is nondet.
%
%   Goal labels: it is not called while constraints are recorded.

labelled(Goal) :-
    (   mode(_)
    ->  true
    ;   call(Goal)
    ).

%   A constraint that is called by its name, not as written in the source.
wrap_constraints :-
    (   current_module(clpfd)
    ->  forall(wrapped(Head), wrap(clpfd:Head))
    ;   true
    ).

wrap(Module:Head) :-
    wrap_predicate(Module:Head, lpbridge_posted, Wrapped,
                   lpbridge_posted:constraint_called(Module:Head, Wrapped)).

wrapped(_ #= _). wrapped(_ #\= _). wrapped(_ #< _). wrapped(_ #> _). wrapped(_ #=< _). wrapped(_ #>= _).
wrapped(_ in _). wrapped(_ ins _). wrapped(all_different(_)). wrapped(all_distinct(_)). wrapped(sum(_, _, _)).
wrapped(scalar_product(_, _, _, _)). wrapped(tuples_in(_, _)). wrapped(element(_, _, _)). wrapped(circuit(_)).
wrapped(global_cardinality(_, _)). wrapped(chain(_, _)). wrapped(lex_chain(_)). wrapped(cumulative(_, _)).

constraint_called(Module:Constraint, Wrapped) :-
    (   mode(recording),
        \+ internal(Module:Constraint)
    ->  (   ground(Constraint)
        ->  run(Wrapped)
        ;   b_getval(lpbridge_at, Number),
            push(wrapped(Number, Module:Constraint))
        )
    ;   call(Wrapped)
    ).

%   The library calls its own constraints, too: it is the first on the stack that is neither the constraint itself nor
%   a predicate of the system that calls others.
internal(Module:Constraint) :-
    functor(Constraint, Name, Arity),
    prolog_current_frame(Frame),
    caller(Frame, Module:Name/Arity, Caller),
    Caller == Module.

caller(Frame, Called, Caller) :-
    prolog_frame_attribute(Frame, predicate_indicator, Indicator0),
    ( Indicator0 = _:_ -> Indicator = Indicator0 ; Indicator = system:Indicator0 ),
    (   ( Indicator == Called ; Indicator = Between:_, between(Between) )
    ->  prolog_frame_attribute(Frame, parent, Parent),
        caller(Parent, Called, Caller)
    ;   Indicator = Caller:_
    ).

between(Module) :- memberchk(Module, [lpbridge_posted, system, apply, lists, yall, '$attvar']).

                /*******************************
                *           INSTANCES          *
                *******************************/

%!  instances(-Instances) is det.
%
%   What was recorded, `[Number, Text, Bindings, Term]` each. Bindings are `[Name, Text]` of the variables in the
%   source. In Term a variable is `'$variable'(Name)`; it has the name by which the query reaches it: `Qs[2]` is the
%   second element of the list Qs.

instances(Instances) :-
    recorded(Variables, Recorded, _),
    \+ \+ ( name_all(Variables, Recorded),
            findall(Instance, ( member(One, Recorded), instance_data(One, Instance) ), Data),
            nb_setval(lpbridge_instances, Data)
          ),
    nb_getval(lpbridge_instances, Instances).

instance_data(instance(Number, Bindings, Module:Goal), [Number, Text, Named, Term]) :-
    text(Module, Goal, Text),
    findall([Name, Value], ( member(Name=Variable, Bindings), text(Module, Variable, Value) ), Named),
    data(Goal, Term).

%   With the operators of the module in which it is posted.
text(Module, Term, Text) :-
    format(string(Text), '~W',
           [Term, [module(Module), quoted(true), portray_goal(lpbridge_posted:variable), portray(true),
                   spacing(next_argument)]]).

%   The names are not names of variables to Prolog, which would quote them.
variable('$VAR'(Name), _) :- write(Name).

data('$VAR'(Name), '$variable'(Name)) :- !.
data(Term, Term) :- atomic(Term), !.
data(Term, Data) :-
    compound_name_arguments(Term, Name, Arguments),
    maplist(data, Arguments, Arguments1),
    compound_name_arguments(Data, Name, Arguments1).

%   First by the lists of the query, then by the names in the clauses, then by the terms of the query.
name_all(Variables, Recorded) :-
    findall(Name, member(Name=_, Variables), Used),
    maplist(name_binding(lists), Variables),
    foldl(name_instance, Recorded, Used, _),
    maplist(name_binding(terms), Variables),
    term_variables(Variables-Recorded, Others),
    foldl(name_other, Others, 1, _).

%   goal(Name)=Goal is a goal of the query, whose arguments are named after it.
name_binding(How, goal(Name)=Goal) :-
    !,
    Goal =.. [_|Arguments],
    (   Arguments = [Argument]
    ->  name_term(How, Argument, Name)
    ;   foldl(name_argument(How, Name), Arguments, 1, _)
    ).
name_binding(How, Name=Value) :- name_term(How, Value, Name).

%   By the way to it from the query's variable.
name_term(_, Term, Name) :- var(Term), !, Term = '$VAR'(Name).
name_term(_, '$VAR'(_), _) :- !.
name_term(How, [First|Rest], Name) :- !, name_elements([First|Rest], How, 1, Name).
name_term(terms, Term, Name) :-
    compound(Term),
    !,
    compound_name_arguments(Term, _, Arguments),
    foldl(name_argument(terms, Name), Arguments, 1, _).
name_term(_, _, _).

name_elements(List, _, _, _) :- var(List), !.
name_elements([], _, _, _) :- !.
name_elements([Element|Rest], How, N, Name) :-
    !,
    (   nonvar(Element), Element = Key-Value, atomic(Key)
    ->  format(atom(Path), '~w[~w]', [Name, Key]), name_term(How, Value, Path)
    ;   format(atom(Path), '~w[~d]', [Name, N]), name_term(How, Element, Path)
    ),
    N1 is N + 1,
    name_elements(Rest, How, N1, Name).
name_elements(_, _, _, _).

name_argument(How, Name, Argument, N, N1) :-
    format(atom(Path), '~w.~d', [Name, N]),
    name_term(How, Argument, Path),
    N1 is N + 1.

%   By its name in the clause, with a number where another variable has that name.
name_instance(instance(_, Bindings, _), Used0, Used) :- foldl(name_local, Bindings, Used0, Used).

name_local(Name=Variable, Used, [Local|Used]) :-
    var(Variable),
    !,
    unused(Name, 1, Used, Local),
    Variable = '$VAR'(Local).
name_local(_, Used, Used).

unused(Name, 1, Used, Name) :- \+ memberchk(Name, Used), !.
unused(Name, N, Used, Local) :-
    N1 is N + 1,
    format(atom(Local0), '~w_~d', [Name, N1]),
    (   memberchk(Local0, Used)
    ->  unused(Name, N1, Used, Local)
    ;   Local = Local0
    ).

name_other('$VAR'(Name), N, N1) :-
    format(atom(Name), '_~d', [N]),
    N1 is N + 1.

                /*******************************
                *           QUESTIONS          *
                *******************************/

%!  hold(+Indices, +Label, +Limit, -Reply) is det.
%
%   Can the instances with these indices, from 1, hold together? Reply is `fails` when they cannot, `succeeds` when
%   they can. With Label `true` all variables are labelled; without a finite domain, values from -1000 to 1000 are
%   tried, and the reply is `open` when there are none among these. `inferences` when the limit comes first. With
%   Label `false` only propagation is asked.

hold(Indices, Label, Limit, Reply) :-
    recorded(_, Instances0, _),
    chosen(Indices, 1, Instances0, Instances),
    (   catch(call_with_inference_limit(held(Instances, Label, Word), Limit, Result), Error, true)
    ->  (   nonvar(Error)
        ->  raised(Error, Reply)
        ;   Result == inference_limit_exceeded
        ->  Reply = inferences
        ;   Reply = Word
        )
    ;   Reply = fails
    ).

chosen([], _, _, []) :- !.
chosen([Index|Indices], N, [Instance|Instances0], Instances) :-
    N1 is N + 1,
    (   Index == N
    ->  Instances = [Instance|Instances1],
        chosen(Indices, N1, Instances0, Instances1)
    ;   chosen([Index|Indices], N1, Instances0, Instances)
    ).

held(Instances, Label, Word) :-
    maplist(posted, Instances),
    (   Label == true
    ->  term_variables(Instances, Variables),
        include(of_clpfd, Variables, All0),
        partition(finite, All0, Finite, Infinite),
        (   Infinite == []
        ->  label_all(Finite), !,
            Word = succeeds
        ;   append(Infinite, Finite, All),
            member(Most, [20, 1000]),
            call_with_inference_limit(( maplist(bounded(Most), Infinite), label_all(All) ), 300_000, Within),
            Within \== inference_limit_exceeded
        ->  Word = succeeds
        ;   label_all(Finite)
        ->  Word = open
        ;   fail
        )
    ;   Word = succeeds
    ).

posted(instance(_, _, Goal)) :- once(Goal).

%   Only variables of library(clpfd) have domains; those of clpb, clpq, clpr and dif are decided when they are posted.
of_clpfd(Variable) :- current_module(clpfd), clpfd:fd_var(Variable).

finite(Variable) :- clpfd:fd_size(Variable, Size), integer(Size).

bounded(Most, Variable) :-
    Least is -Most,
    clpfd:in(Variable, '..'(Least, Most)).

label_all([]) :- !.
label_all(Variables) :- clpfd:labeling([ff], Variables), !.

%!  domains(-Domains) is det.
%
%   The values of each variable after all that was recorded is posted, `[Name, Values]` each, or of those that only
%   have domains posted where the rest cannot hold. Values is `infinite` where there is no finite domain, or one of
%   more than 100,000 values.

domains(Domains) :-
    recorded(Variables, Instances, _),
    term_variables(Variables-Instances, Plain),
    copy_term(t(Plain, Variables, Instances), t(Names, NamedVariables, Named)),
    name_all(NamedVariables, Named),
    pairs_keys_values(Pairs, Plain, Names),
    \+ \+ ( (   maplist(posted, Instances)
            ->  true
            ;   include(domain, Instances, Only),
                ignore(maplist(posted, Only))
            ),
            findall([Name, Values], ( member(Variable-'$VAR'(Name), Pairs), values(Variable, Values) ), Data),
            nb_setval(lpbridge_domains, Data)
          ),
    nb_getval(lpbridge_domains, Domains).

domain(instance(_, _, _:(_ in _))).
domain(instance(_, _, _:(_ ins _))).

values(Value, [Value]) :- integer(Value), !.
values(Variable, Values) :-
    current_module(clpfd),
    clpfd:fd_size(Variable, Size),
    integer(Size),
    Size =< 100000,
    !,
    clpfd:fd_dom(Variable, Domain),
    findall(Value, in_domain(Domain, Value), Values).
values(_, infinite).

in_domain(Value, Value) :- integer(Value), !.
in_domain(Term, Value) :-
    compound_name_arguments(Term, Name, [Low, High]),
    (   Name == (..)
    ->  between(Low, High, Value)
    ;   ( in_domain(Low, Value) ; in_domain(High, Value) )
    ).
