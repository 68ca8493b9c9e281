/** <module> The Prolog side of the bridge: queries

A query is chunks/7, which hands out the answers of a goal some at a time: the first alone and at once, then more in a
chunk the faster they come.

Answers wait for their chunk in a buffer that outlives the query, so that whatever ends it (an error, an abort, a time
limit) loses none: a global variable for each level of queries within queries, changed in place. Each chunk has a serial
number. pending/3 looks into the buffer at any time, from any thread, and changes nothing: by the serial number and the
count of answers that have arrived already, Python knows which are new.
*/

:- module(lpbridge,
          [ variables/4,     % +Module, +Text, +Id, -Names
            forget/1,        % +Id
            chunks/6,        % +Level, +Id, +Inputs, +Most, +Texts, -Chunk
            waiting/2,       % +Level, -Waiting
            pending/3,       % +Thread, +Level, -Waiting
            phase/2,         % +Name, :Goal
            thread_number/1, % -Number
            stop/1           % +Number
          ]).
:- set_module(base(system)).                % as in all our modules: what a program defines in `user` is not seen here
:- set_module(janus:base(system)).
:- set_module(janus:class(library)).        % make/0 and check/0 look for mistakes in programs
%   What janus has called meanwhile is linked into `user`, where no program could define its own (split_string/4, ...).
:- forall(( '$c_current_predicate'(_, user:Head),
             predicate_property(user:Head, imported_from(system)),
             \+ predicate_property(system:Head, iso)
           ),
           redefine_system_predicate(user:Head)).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(lpbridge_goal).
:- use_module(lpbridge_terms).
:- use_module(lpbridge_errors).
:- use_module(lpbridge_answers).
:- use_module(lpbridge_load).
:- use_module(lpbridge_worker).

:- set_prolog_flag(generate_debug_info, false).
:- set_prolog_flag(optimise, true).        % arithmetic is compiled; for this file only

%   The operators that library(janus) exports into `user`, for Python's constants and values: swipl has none of them, and
%   every module inherits from `user`.
:- op(0, fy, user:(@)).
:- op(0, fx, user:(#)).

                /*******************************
                *            GOALS             *
                *******************************/

:- dynamic parsed/7.        % Id, Variables, Module, Goal, Bindings, Told, Values

%!  variables(+Module, +Text, +Id, -Names) is det.
%
%   Read the goal that Text says with the operators and flags of Module, and remember it as Id. Names are the names of
%   its variables, or `[None, Error]`.

variables(Module, Text, Id, Names) :-
    catch(goal(Module, Text, Id, Names), Error, true),
    (   var(Error)
    ->  true
    ;   told(Error, Told),
        Names = [@(none), Told]
    ).

goal(Module, Text, Id, Names) :-
    goal_of_text(Module, Text, Goal0, Bindings),
    setup_call_cleanup(
        '$set_source_module'(Before, Module),
        expand_goal(Goal0, Goal),
        '$set_source_module'(Before)),
    exclude(hidden, Bindings, Told),            % an answer does not tell of them
    maplist(value, Told, Values),
    % First the variables, the oldest first, or the clause would give them another order than they had when they were
    % read: clpfd sorts by it.
    term_variables(Goal-Bindings, Variables0),
    sort(Variables0, Variables),
    assertz(parsed(Id, Variables, Module, Goal, Bindings, Told, Values)),
    findall(Name, member(Name=_, Bindings), Names).

%!  forget(+Id) is det.

forget(Id) :- retractall(parsed(Id, _, _, _, _, _, _)).

%   Named are the variables that came with a name in an input, Posted the goals that constrain them: the input of no name.
bind_all([], _, Named, Posted) :- !, Named = [], Posted = [].
bind_all(Inputs, Bindings, Named, Posted) :-
    no_names(Names0),
    bind_all(Inputs, Bindings, Names0, Names, Posted),
    names(Names, Named).

bind_all([], _, Named, Named, []).
bind_all([[Name, Carried]|Inputs], Bindings, Named0, Named, Posted) :-
    decode(Carried, Value, Named0, Named1),
    (   Name == @(none)
    ->  Posted = Value,
        Named = Named1
    ;   memberchk(Name=Value, Bindings),
        bind_all(Inputs, Bindings, Named1, Named, Posted)
    ).

before(Goal, Goals, (Goal, Goals)).

hidden(Name=_) :- sub_atom(Name, 0, _, _, '_').

value(_=Value, Value).

                /*******************************
                *           QUERIES            *
                *******************************/

%!  chunks(+Level, +Id, +Inputs, +Most, +Texts, -Chunk) is nondet.
%
%   Run the goal that was remembered as Id, with variables bound as Inputs tell, `[Name, Value]` each. It gives at most
%   Most answers; Texts, `True` or `False`, says whether each brings its text along. Level is that of queries within
%   queries. Chunk is a list:
%
%     - its serial number;
%     - more, complete or error;
%     - the inferences that it took;
%     - the phases that ended, see phase/2: `[Name, Inferences, Seconds]` each;
%     - the answers, see lpbridge_answers.pl;
%     - the error, see told/2, or [].

chunks(Level, Id, Inputs, Most, Texts, Chunk) :-
    statistics(inferences, Inferences),
    buffer(Level, Buffer),
    open_buffer(Buffer, Inferences, Most),
    ( spent(_, _, _) -> retractall(spent(_, _, _)) ; true ),
    parsed(Id, _Variables, Module, Goal, Bindings, Told, Values),
    bind_all(Inputs, Bindings, Named, Posted),
    ( Posted == [] -> Goal1 = Goal ; foldl(before, Posted, Goal, Goal1) ),
    ( Values = [Single], Texts == @(false) -> true ; Single = [] ),
    stored_goals(Stored),
    b_setval(lpbridge_query, query(Module, Goal1, Bindings)),
    answers(Module:Goal1, Single, Values, asked(Told, Named, Module, Texts, Stored), Buffer, Status, Error),
    (   Status == more
    ->  (   chunk(Buffer, more, [], Chunk)
        ;   next_chunk(Buffer),
            fail
        )
    ;   !,
        chunk(Buffer, Status, Error, Chunk)
    ).

%   Answers into the buffer, until the chunk is full or there are no more. What the well-founded semantics of tabling
%   leaves undefined of an answer is in the list of delays, as in '$wfs_call'/2, which this is without its calls.
answers(Module:Goal, Single, Values, Asked, Buffer, Status, ErrorTold) :-
    (   prolog_current_choice(Choice),
        '$tabling':reset_delays,
        catch_with_backtrace(Module:Goal, Error, true),
        '$tbl_delay_list'(Delays),
        (   nonvar(Error)
        ->  true
        ;   integer(Single), Delays == [], \+ '$toplevel':residual_goal_collector(_)
        ->  Carried = Single                    % what is streamed in bulk, without a call
        ;   % an answer too large to be carried is an error after the others
            catch(( delayed(Delays, Module, Delayed), answer(Values, Asked, Delayed, Carried) ), Error, true)
        ),
        (   nonvar(Error)
        ->  Status = error,
            told(Error, ErrorTold)
        ;   % The answer first, then the count: a concurrent reader never sees a missing answer.
            arg(2, Buffer, Count0),
            Count is Count0 + 1,
            arg(8, Buffer, Answers),
            nb_setarg(Count, Answers, Carried),
            nb_setarg(2, Buffer, Count),
            arg(3, Buffer, Check),
            Count >= Check,
            prolog_current_choice(Now),
            ErrorTold = [],
            (   Now == Choice
            ->  Status = complete
            ;   full(Buffer, Count),
                Status = more
            )
        )
    ;   Status = complete,
        ErrorTold = []
    ).

delayed([], _, true) :- !.
delayed(Delays, Module, Goals) :- '$tabling':delay_goals(Delays, Module, Goals), !.
delayed(_, _, undefined).

%   The buffer's arguments: serial number, count of answers, the count at which to look at the clock, the size of the
%   chunk, answers yet allowed, when the chunk began, inferences then, the answers, and how many chunks came before.

buffer(Level, Buffer) :-
    buffer_name(Level, Name),
    (   nb_current(Name, Buffer)
    ->  true
    ;   nb_setval(Name, buffer(0, 0, 1, 1, 0, 0, 0, answers([]), 0)),
        nb_getval(Name, Buffer)
    ).

buffer_name(0, lpbridge_buffer_0) :- !.
buffer_name(1, lpbridge_buffer_1) :- !.
buffer_name(Level, Name) :- atom_concat(lpbridge_buffer_, Level, Name).

open_buffer(Buffer, Inferences, Most) :-
    nb_setarg(2, Buffer, 0),
    arg(1, Buffer, Serial0),
    Serial is Serial0 + 1,
    nb_setarg(1, Buffer, Serial),
    nb_setarg(3, Buffer, 1),
    arg(4, Buffer, Size),
    (   Size == 1
    ->  true
    ;   nb_setarg(4, Buffer, 1),
        nb_setarg(8, Buffer, answers([]))
    ),
    nb_setarg(5, Buffer, Most),
    nb_setarg(7, Buffer, Inferences),
    nb_setarg(9, Buffer, 0),
    get_time(Now),
    nb_setarg(6, Buffer, Now).

%!  full(+Buffer, +Count) is semidet.
%
%   The chunk is full, or has taken long enough. Otherwise it goes on, and the clock is looked at again after some
%   answers more: looking at it takes as long as a simple answer does.

full(Buffer, Count) :-
    arg(4, Buffer, Size),
    (   Count >= Size
    ->  true
    ;   seconds(Buffer, Seconds),
        (   Seconds > 0.005
        ->  true
        ;   Check is min(Size, Count + 16),
            nb_setarg(3, Buffer, Check),
            fail
        )
    ).

seconds(Buffer, Seconds) :-
    arg(6, Buffer, Started),
    get_time(Now),
    Seconds is Now - Started.

%   Python has the chunk and asks for more.
next_chunk(Buffer) :-
    arg(2, Buffer, Count),
    nb_setarg(2, Buffer, 0),
    arg(1, Buffer, Serial0),
    Serial is Serial0 + 1,
    nb_setarg(1, Buffer, Serial),
    arg(5, Buffer, Most0),
    Most is Most0 - Count,
    nb_setarg(5, Buffer, Most),
    arg(4, Buffer, Size0),
    arg(6, Buffer, Taken),
    arg(9, Buffer, Chunks),
    Chunks1 is Chunks + 1,
    nb_setarg(9, Buffer, Chunks1),
    (   Chunks1 < 64            % the first ones come one by one: none of them waits for a foreign predicate to end
    ->  Size1 = Size0
    ;   Taken < 0.001
    ->  Size1 is min(4000, 4 * Size0)
    ;   Taken > 0.005
    ->  Size1 is max(1, min(Size0, Count) // 4)
    ;   Size1 = Size0
    ),
    Size is min(Size1, Most),
    Check is min(Size, 8),
    nb_setarg(3, Buffer, Check),
    (   Size == Size0
    ->  true
    ;   nb_setarg(4, Buffer, Size),
        functor(Answers, answers, Size),
        nb_setarg(8, Buffer, Answers)
    ),
    statistics(inferences, Inferences),
    nb_setarg(7, Buffer, Inferences),
    get_time(Now),
    nb_setarg(6, Buffer, Now).

chunk(Buffer, Status, ToldOf, Chunk) :-
    flush_output(user_output),
    flush_output(user_error),
    waiting_(Buffer, Serial, Inferences, Phases, Answers),
    (   Status == more
    ->  seconds(Buffer, Seconds),
        nb_setarg(6, Buffer, Seconds)
    ;   true
    ),
    Chunk = [Serial, Status, Inferences, Phases, Answers, ToldOf].

waiting_(Buffer, Serial, Inferences, Phases, Answers) :-
    arg(1, Buffer, Serial),
    arg(2, Buffer, Count),
    arg(7, Buffer, Inferences0),
    arg(8, Buffer, Slots),
    compound_name_arguments(Slots, _, All),
    functor(Slots, _, Size),
    (   Count == Size
    ->  Answers = All
    ;   length(Answers, Count),
        append(Answers, _, All)
    ),
    !,
    (   spent(_, _, _)
    ->  findall([Name, Spent, Time], spent(Name, Spent, Time), Phases)
    ;   Phases = []
    ),
    statistics(inferences, Inferences1),
    Inferences is Inferences1 - Inferences0.

%!  waiting(+Level, -Waiting) is det.
%
%   The answers in the buffer of this thread, as in a chunk: [Serial, Inferences, Phases, Answers].

waiting(Level, [Serial, Inferences, Phases, Answers]) :-
    flush_output(user_output),
    buffer(Level, Buffer),
    waiting_(Buffer, Serial, Inferences, Phases, Answers).

%!  pending(+Thread, +Level, -Waiting) is det.
%
%   As waiting/2, for a query that runs in another thread, whose attention this calls for. [] when that does not answer
%   soon, since it is in a foreign predicate.

pending(Thread, Level, Waiting) :-
    setup_call_cleanup(
        message_queue_create(Queue),
        (   thread_signal(Thread, lpbridge:tell(Level, Queue)),
            thread_get_message(Queue, Told, [timeout(0.05)])
        ->  Waiting = Told
        ;   Waiting = []
        ),
        message_queue_destroy(Queue)).

%   The queue is gone when this comes late.
tell(Level, Queue) :-
    waiting(Level, Waiting),
    catch(thread_send_message(Queue, Waiting), error(_, _), true).

                /*******************************
                *            PHASES            *
                *******************************/

:- thread_local spent/3.

:- meta_predicate phase(+, 0).
:- '$import_all'([phase/2], user, lpbridge, false, weak).

%!  phase(+Name, :Goal) is nondet.
%
%   Goal is a phase of the query: its cost up to its first answer is reported under this name, with the answers.

phase(Name, Goal) :-
    must_be(atom, Name),
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

                /*******************************
                *           THREADS            *
                *******************************/

%!  thread_number(-Number) is det.
%!  stop(+Number) is det.
%
%   The number of this thread; and abort what runs in the thread with that number. A program cannot catch an abort for
%   good.

thread_number(Number) :-
    thread_self(Thread),
    thread_property(Thread, id(Number)).

stop(Number) :- thread_signal(Number, abort).
