/** <module> What a goal costs, clause by clause and goal by goal

The counters are those of library(prolog_coverage), which the virtual machine keeps: how often each clause was entered,
and how often each goal of its body was called and had an answer. They are exact, and the same in each run. While they
run, arithmetic is not compiled and counts as calls: the inferences of a goal are those of a run without them.
*/

:- module(lpbridge_profile,
          [ counted/4,          % :Goal, +Most, +Searches, -Numbers
            answers/1,          % -Answers
            inferences/3,       % :Goal, +Most, -Inferences
            clauses/1,          % -Clauses
            goals/6,            % +File, +Line, +Name, +Arity, +Nth, -Goals
            propagators/1,      % -Propagators
            patterns/5          % +Module, +Name, +Arity, :Goal, -Numbers
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists)).
:- use_module(library(prolog_breakpoints), []).
:- use_module(library(prolog_clause), [clause_info/4]).
:- use_module(library(prolog_wrap), [wrap_predicate/4, unwrap_predicate/2]).

:- meta_predicate
    counted(0, +, +, -),
    inferences(0, +, -),
    patterns(+, +, +, 0, -).

%!  counted(:Goal, +Most, +Searches, -Numbers) is det.
%
%   Run Goal for so many answers. Numbers are its answers, its inferences, and those of Searches, names of predicates of
%   library(clpfd) that search. What clauses/1 and goals/3 say is of the last run, also when it was stopped.

counted(Goal, Most, Searches, [Answers, Inferences, Searched]) :-
    '$cov_reset',
    nb_setval(lpbridge_answers, 0),
    setup_call_cleanup(
        ( nb_setval(lpbridge_searched, 0),
          forall(search(Searches, Name/Arity, Head),
                 wrap_predicate(clpfd:Head, lpbridge_profile, Wrapped, lpbridge_profile:searched(Wrapped)))
        ),
        ( statistics(inferences, Before),
          setup_call_cleanup('$cov_start'(Level), answers(Goal, Most), '$cov_stop'(Level)),
          statistics(inferences, After)
        ),
        forall(search(Searches, Name/Arity, _), unwrap_predicate(clpfd:Name/Arity, lpbridge_profile))),
    answers(Answers),
    Inferences is After-Before,
    nb_getval(lpbridge_searched, Searched).

answers(Goal, Most) :-
    (   call(Goal),
        nb_getval(lpbridge_answers, Before),
        Now is Before+1,
        nb_setval(lpbridge_answers, Now),
        Now >= Most
    ->  true
    ;   true
    ).

%!  answers(-Answers) is det.
%
%   The answers of the last goal that was counted, also when it was stopped. It fails where none was counted: in a process
%   that has taken the place of one that ended.

answers(Answers) :- nb_current(lpbridge_answers, Answers).

%!  inferences(:Goal, +Most, -Inferences) is det.
%
%   The inferences of Goal for so many answers, as statistics/2 counts them, without those of this predicate: `true` has 1.

inferences(Goal, Most, Inferences) :-
    spent(true, 1, _, _),           % the first time has to load
    spent(true, 1, One, _),
    spent(Goal, Most, All, Times),
    Inferences is max(1, All - Times * (One - 1)).

spent(Goal, Most, Sum, Times) :-
    State = spent(0, 0, 0),
    (   resumes(State),
        (   call(Goal),
            pauses(State),
            (   arg(3, State, Answers),
                Answers >= Most
            ;   resumes(State),
                fail
            )
        ;   pauses(State),
            fail
        )
    ->  true
    ;   true
    ),
    State = spent(_, Sum, Times).

resumes(State) :-
    statistics(inferences, Now),
    nb_setarg(1, State, Now).

pauses(State) :-
    statistics(inferences, Now),
    State = spent(Begun, Sum0, Times0),
    Sum is Sum0 + Now - Begun,
    Times is Times0 + 1,
    nb_setarg(2, State, Sum),
    nb_setarg(3, State, Times).

search(Searches, Name/Arity, Head) :-
    current_module(clpfd),
    member(Name/Arity, Searches),
    functor(Head, Name, Arity),
    predicate_property(clpfd:Head, defined).

%   The inferences of a goal, from each of its calls and redos to the next exit or failure.
searched(Goal) :-
    State = from(_),
    resumes(State),
    (   call(Goal),
        ends(State),
        (   true
        ;   resumes(State),
            fail
        )
    ;   ends(State),
        fail
    ).

ends(State) :-
    arg(1, State, Begun),
    statistics(inferences, Now),
    nb_getval(lpbridge_searched, Before),
    Sum is Before+Now-Begun,
    nb_setval(lpbridge_searched, Sum).

%!  clauses(-Clauses) is det.
%
%   A list [File, Line, Name, Arity, Nth, Module, Enters, Exits] for each clause of a file that was entered, but for those
%   of the system. Nth tells those of a predicate in one line apart, from 0.

clauses(Clauses) :-
    current_prolog_flag(home, Home),
    findall([File, Line, Name, Arity, Nth, Module, Enters, Exits],
            ( '$cov_data'(clause(Clause), Enters, Exits),
              clause_property(Clause, file(File)),
              \+ sub_atom(File, 0, _, _, Home),
              clause_property(Clause, line_count(Line)),
              clause_property(Clause, predicate(Module:Name/Arity)),
              nth_in_line(Clause, File, Line, Module:Name/Arity, Nth)
            ),
            Clauses).

nth_in_line(Clause, File, Line, Module:Name/Arity, Nth) :-
    functor(Head, Name, Arity),
    nth_clause(Module:Head, Index, Clause),
    aggregate_all(count,
                  ( between(1, Index, I),
                    I < Index,
                    nth_clause(Module:Head, I, Other),
                    clause_property(Other, line_count(Line)),
                    clause_property(Other, file(File))
                  ),
                  Nth).

%!  goals(+File, +Line, +Name, +Arity, +Nth, -Goals) is det.
%
%   A list [Start, Name, Arity, Calls, Exits] for each goal that was called in the clause, as clauses/1 tells it, in their
%   order: its offset in the file, from 0, and its predicate. Start is -1 where the text of the clause cannot be told from
%   what it was expanded to.

goals(File, Line, Of, OfArity, Nth, Goals) :-
    findall([Start, Name, Arity, Calls, Exits],
            ( '$cov_data'(clause(Clause), _, _),
              clause_property(Clause, file(File)),
              clause_property(Clause, line_count(Line)),
              clause_property(Clause, predicate(Module:Of/OfArity)),
              nth_in_line(Clause, File, Line, Module:Of/OfArity, Nth),
              positions(Clause, Positions),
              '$break_pc'(Clause, At, Next),
              '$cov_data'(call_site(Clause, Next), Calls, Exits),
              '$fetch_vm'(Clause, At, _, Instruction),
              called(Instruction, Name, Arity),
              start(Clause, Next, Positions, Start)
            ),
            Goals).

positions(Clause, Positions) :-
    clause_info(Clause, _, Positions, _),
    !.
positions(_, none).

called(Instruction, Name, Arity) :-
    compound(Instruction),
    arg(_, Instruction, Procedure),
    strip_module(Procedure, _, Name/Arity),
    !.

start(Clause, Next, Positions, Start) :-
    Positions \== none,
    '$clause_term_position'(Clause, Next, Path),
    catch(prolog_breakpoints:range(Path, Positions, Position), _, fail),
    !,
    arg(1, Position, Start).
start(_, _, _, -1).

%!  propagators(-Propagators) is det.
%
%   A list [Name, Runs] for each kind of propagator of library(clpfd) that was run, the most frequent first.

propagators(Propagators) :-
    findall(Runs-Name,
            ( '$cov_data'(clause(Clause), Runs, _),
              clause_property(Clause, predicate(clpfd:run_propagator/2)),
              clause(clpfd:run_propagator(Propagator, _), _, Clause),
              callable(Propagator),
              functor(Propagator, Name, _)
            ),
            Pairs),
    sort(1, @>=, Pairs, Sorted),
    findall([Name, Runs], member(Runs-Name, Sorted), Propagators).

%!  patterns(+Module, +Name, +Arity, :Goal, -Numbers) is det.
%
%   How often Module:Name/Arity is called while Goal runs for all its answers, and with how many different arguments.

patterns(Module, Name, Arity, Goal, [Calls, Different]) :-
    functor(Head, Name, Arity),
    trie_new(Trie),
    nb_setval(lpbridge_patterns, patterns(Trie, 0)),
    setup_call_cleanup(
        wrap_predicate(Module:Head, lpbridge_profile, Wrapped, ( lpbridge_profile:note(Head), Wrapped )),
        forall(Goal, true),
        unwrap_predicate(Module:Name/Arity, lpbridge_profile)),
    nb_getval(lpbridge_patterns, patterns(_, Calls)),
    aggregate_all(count, trie_gen(Trie, _), Different).

note(Head) :-
    nb_getval(lpbridge_patterns, Patterns),
    Patterns = patterns(Trie, Calls),
    Now is Calls+1,
    nb_setarg(2, Patterns, Now),
    copy_term_nat(Head, Copy),
    ignore(trie_insert(Trie, Copy)).
