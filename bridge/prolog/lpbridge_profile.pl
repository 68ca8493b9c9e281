/** <module> What a goal costs, clause by clause and goal by goal

The counters are those of library(prolog_coverage), which the virtual machine keeps: how often each clause was entered,
and how often each goal of its body was called and had an answer. They are exact, and the same in each run.
*/

:- module(lpbridge_profile,
          [ counted/4,          % :Goal, +Most, +Searches, -Numbers
            clauses/1,          % -Clauses
            goals/3,            % +File, +Line, -Goals
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
    patterns(+, +, +, 0, -).

%!  counted(:Goal, +Most, +Searches, -Numbers) is det.
%
%   Run Goal for so many answers. Numbers are its answers, its inferences, and those of Searches, names of predicates of
%   library(clpfd) that search. What clauses/1 and goals/3 say is of the last run, also when it was stopped.

counted(Goal, Most, Searches, [Answers, Inferences, Searched]) :-
    '$cov_reset',
    Count = count(0),
    setup_call_cleanup(
        ( nb_setval(lpbridge_searched, 0),
          forall(search(Searches, Name/Arity, Head),
                 wrap_predicate(clpfd:Head, lpbridge_profile, Wrapped, lpbridge_profile:searched(Wrapped)))
        ),
        ( statistics(inferences, Before),
          setup_call_cleanup('$cov_start'(Level), answers(Goal, Most, Count), '$cov_stop'(Level)),
          statistics(inferences, After)
        ),
        forall(search(Searches, Name/Arity, _), unwrap_predicate(clpfd:Name/Arity, lpbridge_profile))),
    arg(1, Count, Answers),
    Inferences is After-Before,
    nb_getval(lpbridge_searched, Searched).

answers(Goal, Most, Count) :-
    (   call(Goal),
        arg(1, Count, Before),
        Now is Before+1,
        nb_setarg(1, Count, Now),
        Now >= Most
    ->  true
    ;   true
    ).

search(Searches, Name/Arity, Head) :-
    current_module(clpfd),
    member(Name/Arity, Searches),
    functor(Head, Name, Arity),
    predicate_property(clpfd:Head, defined).

%   The inferences of a goal, from each of its calls and redos to the next exit or failure.
searched(Goal) :-
    State = from(_),
    begins(State),
    (   call(Goal),
        ends(State),
        (   true
        ;   begins(State),
            fail
        )
    ;   ends(State),
        fail
    ).

begins(State) :-
    statistics(inferences, Now),
    nb_setarg(1, State, Now).

ends(State) :-
    arg(1, State, Begun),
    statistics(inferences, Now),
    nb_getval(lpbridge_searched, Before),
    Sum is Before+Now-Begun,
    nb_setval(lpbridge_searched, Sum).

%!  clauses(-Clauses) is det.
%
%   A list [File, Line, Name, Arity, Module, Enters, Exits] for each clause of a file that was entered, but for those of
%   the system.

clauses(Clauses) :-
    current_prolog_flag(home, Home),
    findall([File, Line, Name, Arity, Module, Enters, Exits],
            ( '$cov_data'(clause(Clause), Enters, Exits),
              clause_property(Clause, file(File)),
              \+ sub_atom(File, 0, _, _, Home),
              clause_property(Clause, line_count(Line)),
              clause_property(Clause, predicate(Module:Name/Arity))
            ),
            Clauses).

%!  goals(+File, +Line, -Goals) is det.
%
%   A list [Start, Name, Arity, Calls, Exits] for each goal that was called in the clause at a line, in their order: its
%   offset in the file, from 0, and its predicate. Start is -1 where the text of the clause cannot be told from what it
%   was expanded to.

goals(File, Line, Goals) :-
    findall([Start, Name, Arity, Calls, Exits],
            ( '$cov_data'(clause(Clause), _, _),
              clause_property(Clause, file(File)),
              clause_property(Clause, line_count(Line)),
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
