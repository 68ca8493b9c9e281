/** <module> Untrusted programs, first wall: refused before it runs

library(sandbox) follows every goal to what it may call, and refuses what it does not know to be safe. This module
closes the ways that are known around it:

  - A goal that was looked at is changed before it is called: setarg/3 and its like, and rules `Head => Body` that are
    asserted (refused/3); the body of a rule `Head :- Body` is looked at where it is asserted.
  - Text or options that call: `~@` in messages, `~W` and term_string/3 with portray_goal.
  - Goals that are called by the system and were not looked at: the hooks of the program's modules (hook/1), among them
    what `:- table` with `lattice` or `po` makes; the goal of put_attr/3 for `freeze`.
  - Goals that look like others: `'$VAR'(N)`, by which library(sandbox) names what it has looked at.
  - Modules by the name of one that library(sandbox) trusts, or that is there already.
  - Files that are included, conditions of `:- if(Goal)`, libraries that are not there, libraries that are loaded again.
  - Heads and declarations whose last module is another than their first: `m:user:portray(_)`, `user:portray(_) => G`.

SWI-Prolog decides by hooks, and takes an absent one for a yes. Here each place where it decides is this module's:
directives, clauses, expansions, initialization, conditions and files (prepare/1). What decides checks first that it is
still itself (sealed/0); a failure or an error of a check is a refusal.

Second wall: lpbridge_denied.pl.
*/

:- module(lpbridge_sandbox,
          [ libraries/1,     % -True
            prepare/1,       % -True
            safe/2           % +Id, -Said
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(gensym), []).
:- use_module(library(lists)).
:- use_module(library(occurs), []).
:- use_module(library(prolog_wrap)).
:- use_module(library(sandbox)).
:- use_module(lpbridge_denied).
:- use_module(lpbridge_errors).
:- use_module(lpbridge_load).

                 /*******************************
                 *           LIBRARIES          *
                 *******************************/

%   What untrusted programs may use. All of it is loaded before the second wall goes up, and nothing after it.
available(Library) :-
    member(Library,
           [ aggregate, apply, apply_macros, assoc, backcomp, base32, base64, charsio, clpb, clpfd, clpq, clpr,
             codesio, ctypes, date, dcg/basics, dcg/high_order, debug, dicts, dif, edinburgh, error, gensym,
             heaps, intercept, lists, main, occurs, option, ordsets, oset, pairs, prolog_code, random, rbtrees,
             readutil, simplex, solution_sequences, sort, statistics, strings, tabling, terms, ugraphs, utf8,
             varnumbers, when, writef, yall ]).

%   Others that programs load, and why they may not.
unavailable(chr, "its compiled rules change terms in place (setarg/3)").
unavailable(nb_set, "its sets are terms that are changed in place").
unavailable(Library, "it reads and writes files") :- member(Library, [csv, filesex, persistency, pio]).
unavailable(Library, "it starts programs") :- member(Library, [process, shell]).
unavailable(Library, "it reaches the network") :- member(Library, [socket, http/http_open]).
unavailable(thread, "it starts threads").
unavailable(time, "it starts a thread: a limit of the session ends a search").
unavailable(janus, "it calls Python").
unavailable(shlib, "it loads foreign code").

%   What the bridge itself, the system and other libraries load when they need it.
needed(Library) :-
    member(Library, [ listing, nb_set, prolog_clause, prolog_stack, quasi_quotations, sandbox, wfs ]).

:- multifile
    sandbox:safe_global_variable/1,
    sandbox:safe_meta/2,
    sandbox:safe_meta/3,
    sandbox:safe_meta_predicate/1,
    sandbox:safe_primitive/1.

%   safe(Kind, Goals) stands for a clause of library(sandbox) for each goal.
term_expansion(safe(Kind, Goals), Clauses) :-
    findall(sandbox:Clause, ( member(Goal, Goals), Clause =.. [Kind, Goal] ), Clauses).

%   This sets the seed of the generator of this process; its state is a number of the library that makes the numbers.
sandbox:safe_primitive(system:set_random(Option)) :- ( var(Option) -> instantiation_error(Option) ; Option = seed(_) ).

%   These set counters whose names begin with `$gs_`.
safe(safe_primitive, [gensym:reset_gensym, gensym:reset_gensym(_)]).

%   These end the program, and not the process (lpbridge_errors.pl).
safe(safe_primitive, [system:halt, system:halt(_)]).

%   library(main) calls main/1 of the program.
sandbox:safe_meta(prolog_main:main, Context, [Context:main(_)]).

%   A rule that is added is what a clause of the program would be: its body must be safe.
sandbox:safe_meta(assertz(Clause), [Body]) :- added_rule(Clause, Body).
sandbox:safe_meta(asserta(Clause), [Body]) :- added_rule(Clause, Body).
sandbox:safe_meta(system:assert(Clause), [Body]) :- added_rule(Clause, Body).

added_rule(Clause, Body) :-
    nonvar(Clause),
    Clause = ( Head :- Body ),
    callable(Head),
    Head \= _:_,
    \+ rule(Head),
    \+ of_system(Head).

%   These change terms of their own.
safe(safe_primitive, [occurs:occurrences_of_term(_, _, _), occurs:occurrences_of_var(_, _, _)]).

%   These print to the current output, which is nowhere, and call portray/1 of `user`, where no program has any.
safe(safe_primitive,
     [ nl, put_char(_), write(_), writeq(_), write_canonical(_), system:print(_), system:tab(_),
       system:write_term(_, _), system:flush_output ]).
sandbox:safe_meta(prolog_listing:portray_clause(_), []).
sandbox:safe_primitive(system:nl(Stream)) :- own_stream(Stream).
sandbox:safe_primitive(system:write(Stream, _)) :- own_stream(Stream).
sandbox:safe_primitive(system:writeln(Stream, _)) :- own_stream(Stream).
sandbox:safe_primitive(system:writeq(Stream, _)) :- own_stream(Stream).
sandbox:safe_primitive(system:print(Stream, _)) :- own_stream(Stream).
sandbox:safe_primitive(system:tab(Stream, _)) :- own_stream(Stream).
sandbox:safe_primitive(system:flush_output(Stream)) :- own_stream(Stream).
sandbox:safe_meta(system:format(Stream, Format, Arguments), Calls) :-
    nonvar(Stream),
    own_stream(Stream),
    sandbox:format_calls(Format, Arguments, Calls).
sandbox:safe_meta(prolog_listing:listing(Spec), []) :- own_listing(Spec).

own_stream(Stream) :- ( var(Stream) -> instantiation_error(Stream) ; memberchk(Stream, [user_output, user_error]) ).

own_listing(Spec) :- var(Spec), !, instantiation_error(Spec).
own_listing(Name/Arity) :- !, atom(Name), integer(Arity).
own_listing(Name) :- atom(Name).

%   These read text, or the standard input, which is empty.
safe(safe_primitive,
     [ system:read(_), system:read_term(_, _), system:read_term_from_atom(_, _, _), get_char(_), peek_char(_),
       get_code(_), peek_code(_), at_end_of_stream, system:prompt(_, _) ]).
sandbox:safe_primitive(system:read(Stream, _)) :- Stream == user_input.
sandbox:safe_primitive(system:read_term(Stream, _, _)) :- Stream == user_input.
sandbox:safe_primitive(system:get_char(Stream, _)) :- Stream == user_input.
sandbox:safe_primitive(system:peek_char(Stream, _)) :- Stream == user_input.
sandbox:safe_primitive(system:at_end_of_stream(Stream)) :- Stream == user_input.
sandbox:safe_primitive(system:read_string(Stream, _, _)) :- Stream == user_input.
sandbox:safe_meta(read_util:read_line_to_string(Stream, _), []) :- Stream == user_input.
sandbox:safe_meta(read_util:read_line_to_codes(Stream, _), []) :- Stream == user_input.
sandbox:safe_meta(read_util:read_line_to_codes(Stream, _, _), []) :- Stream == user_input.

%   These have no effect on what is looked at.
sandbox:safe_primitive('$syspreds':garbage_collect).
sandbox:safe_meta(dynamic(Declared), []) :- own_declaration(Declared, lpbridge_untrusted).

%   Global variables and flags whose names are the program's: the system's begin with `$`.
sandbox:safe_global_variable(Name) :- own_name(Name).
sandbox:safe_primitive('$syspreds':flag(Name, _, _)) :- own_name(Name).

%   What an attribute calls when the variable is bound was looked at before clauses that are loaded later.
look_at_value(Name, Value) :-
    (   term_attvars(Value, []) ; \+ own_name(Name)   ),
    !.
look_at_value(Name, Value) :- refuse(nb_setval/2, "a constrained variable cannot be kept", nb_setval(Name, Value), []).

own_name(Name) :- var(Name), !, instantiation_error(Name).
own_name(Name) :-
    atom(Name),
    \+ ( member(Prefix, ['$', lpbridge, sandbox]), sub_atom(Name, 0, _, _, Prefix) ).

%   These change terms of their own, and call what their meta-predicate declarations say.
safe(safe_meta_predicate,
     [ solution_sequences:call_nth/2, solution_sequences:distinct/1, solution_sequences:distinct/2,
       solution_sequences:limit/2, solution_sequences:offset/2, solution_sequences:order_by/2,
       solution_sequences:reduced/1, solution_sequences:reduced/3, prolog_statistics:call_time/2,
       prolog_statistics:call_time/3, prolog_statistics:time/1 ]).

%   So do these; library(sandbox) knows of no separator that is more than a nonterminal.
sandbox:safe_meta(dcg_high_order:Goal, Called) :-
    predicate_property(dcg_high_order:Goal, exported),
    predicate_property(dcg_high_order:Goal, meta_predicate(Spec)),
    findall(Type-Argument, ( arg(N, Spec, Type), memberchk(Type, [0, 1, 2, 3, //]), arg(N, Goal, Argument) ), Pairs),
    maplist(lpbridge_sandbox:called, Pairs, Called).

called(// - Body, Goal) :- !, sandbox:expand_nt(Body, _, _, Goal).
called(_-Closure, _) :- strip_module(Closure, _, Plain), var(Plain), !, instantiation_error(Plain).
called(Extra-Closure, Goal) :- sandbox:extend(Extra, Closure, Goal).

%!  libraries(-True) is det.
%
%   Load what untrusted programs may use.

libraries(true) :-
    lpbridge_load:listen(lpbridge_sandbox:load_all, Messages),   % library(tabling) warns that it is not needed
    forall(member([error, _, _, _, Text|_], Messages), resource_error(Text)),
    % library(listing) brings library(arithmetic) along, which changes how arithmetic is compiled.
    forall(( ( clause(system:goal_expansion(_, _), _, Clause) ; clause(system:term_expansion(_, _), _, Clause) ),
             clause_property(Clause, file(File0)),
             sub_atom(File0, _, _, 0, '/library/arithmetic.pl')
           ),
           erase(Clause)).

load_all :- forall(( available(Library) ; needed(Library) ), use_module(library(Library), [])).

%!  prepare(-True) is det.
%
%   From here on what is loaded is loaded as sandboxed: its directives, and the goals that it hooks into the compiler,
%   must be safe.

prepare(true) :-
    forall(reserved_name(Module), assertz(reserved(Module))),
    forall(( current_module(Trusted), Trusted \== lpbridge_untrusted ), assertz(trusted(Trusted))),
    wrap_predicate(sandbox:safe(Goal, Module, Parents, Known, All), lpbridge_sandbox, Safe,
                   ( lpbridge_sandbox:look(Goal, Module, Parents),
                     ( lpbridge_sandbox:absent(Goal, Module) -> All = Known ; Safe )
                   )),
    wrap_predicate(sandbox:safe_goal(_), lpbridge_sandbox, SafeGoal,
                   ( lpbridge_sandbox:look_at_hooks, SafeGoal )),
    wrap_predicate(sandbox:format_calls(Format, _, _), lpbridge_sandbox, FormatCalls,
                   ( lpbridge_sandbox:look_at_format(Format), FormatCalls )),
    wrap_predicate(sandbox:safe_prolog_flag(Flag, Value), lpbridge_sandbox, SafeFlag,
                   ( lpbridge_sandbox:look_at_flag(Flag, Value), SafeFlag )),
    wrap_predicate(system:'$valid_directive'(Directive), lpbridge_sandbox, _,
                   lpbridge_sandbox:valid_directive(Directive)),
    wrap_predicate(system:'$valid_clause'(Clause), lpbridge_sandbox, _,
                   lpbridge_sandbox:valid_clause(Clause)),
    wrap_predicate('$expand':allowed_expansion(Expansion), lpbridge_sandbox, _,
                   lpbridge_sandbox:valid_expansion(Expansion)),
    wrap_predicate('$expand':'$eval_if'(Condition), lpbridge_sandbox, _,
                   lpbridge_sandbox:holds(Condition)),
    wrap_predicate(system:'$initialization'(When, Main, _, Context), lpbridge_sandbox, Register,
                   ( When == main -> system:'$compile_init_goal'(when(main), Main, Context) ; Register )),
    wrap_predicate(prolog_main:set_signals, lpbridge_sandbox, _, true),
    wrap_predicate('$syspreds':nb_setval(Variable, Value), lpbridge_sandbox, Set,
                   ( lpbridge_sandbox:look_at_value(Variable, Value), Set )),
    wrap_predicate(system:'$run_init_goal'(Initialization), lpbridge_sandbox, _,
                   lpbridge_sandbox:run(Initialization)),
    wrap_predicate(system:'$qdo_load_file'(_, File, _, Options), lpbridge_sandbox, Load,
                   ( lpbridge_sandbox:look_at_file(File, Options), Load )),
    wrap_predicate(system:'$start_module'(Started, _, _, _), lpbridge_sandbox, Starts,
                   ( lpbridge_sandbox:look_at_module(Started), Starts )),
    wrap_predicate('$messages':line_element(Stream, Element), lpbridge_sandbox, PrintElement,
                   ( lpbridge_sandbox:calls(Element) -> format(Stream, '~q', [Element]) ; PrintElement )),
    set_prolog_flag(sandboxed_load, true),
    seal.

                 /*******************************
                 *             SEAL             *
                 *******************************/

:- dynamic
    seal/2,                 % Goal, Generation
    trusted/1.              % Module: not the program's

%!  sealed is det.
%
%   What decides is what it was: no clause of it was added or removed, and nothing of the program's is among the hooks.
%
%   @error lpbridge_broken(Goal)

sealed :-
    seal(_, _),
    !,
    (   seal(Goal, Generation),
        \+ generation(Goal, Generation)
    ->  throw(error(lpbridge_broken(Goal), _))
    ;   true
    ).
sealed :- throw(error(lpbridge_broken(lpbridge_sandbox:seal(_, _)), _)).

seal :-
    forall(( wall_module(Module), own_predicate(Module:Head), static(Module:Head) ),
           '$set_predicate_attribute'(Module:Head, system, true)),
    forall(deciding(Goal),
           (   '$get_predicate_attribute'(Goal, defined, 1),
               '$get_predicate_attribute'(Goal, last_modified_generation, Generation)
           ->  assertz(seal(Goal, Generation))
           ;   assertz(seal(Goal, 0))
           )).

deciding(Module:Head) :-
    wall_module(Module),
    own_predicate(Module:Head),
    static(Module:Head).
deciding(Module:Head) :-
    member(Module, [prolog, sandbox, system, user]),
    own_predicate(Module:Head),
    '$get_predicate_attribute'(Module:Head, (multifile), 1),
    \+ ( Module == system, functor(Head, Name, _), sub_atom(Name, 0, _, _, $) ).    % data of the compiler

own_predicate(Goal) :-
    Goal = _:_,
    '$c_current_predicate'(_, Goal),
    \+ '$get_predicate_attribute'(Goal, imported, _),
    \+ '$get_predicate_attribute'(Goal, foreign, 1).

static(Goal) :- \+ '$get_predicate_attribute'(Goal, (dynamic), 1).

%   Of what is undefined, 0; also once it has been imported from a library, at its first call.
generation(Goal, Generation) :-
    (   '$get_predicate_attribute'(Goal, last_modified_generation, Generation)
    ->  true
    ;   Generation == 0,
        (   \+ '$get_predicate_attribute'(Goal, defined, 1)
        ->  true
        ;   '$get_predicate_attribute'(Goal, imported, _)
        )
    ).

wall_module(sandbox).
wall_module(lpbridge_sandbox).
wall_module(lpbridge_denied).

                 /*******************************
                 *          DECISIONS           *
                 *******************************/

%   Nothing but a success of Check, in a system that is still itself, is a yes.
:- meta_predicate allowed(0, +).

allowed(Check, Refusal) :-
    catch(( sealed, once(Check) -> true ; throw(Refusal) ), Error, true),
    (   var(Error)
    ->  true
    ;   Error = error(_, _)
    ->  print_message(error, Error),
        fail
    ;   throw(Error)
    ).

%   May be called.
decide(Goal) :-
    sealed,
    sandbox:safe_goal(Goal).

run(Goal) :-
    decide(Goal),
    call(Goal).

holds(Condition) :-
    expand_goal(Condition, Goal),
    '$current_source_module'(Module),
    decide(Module:Goal),
    call(Module:Goal).

%   Only rules of the program's own modules are the program's; those of libraries are as they were (sealed/0).
valid_expansion(Expansion) :-
    strip_module(Expansion, Module, Goal),
    (   trusted(Module)
    ->  true
    ;   allowed(sandbox:safe_goal(Module:Goal), error(permission_error(call, sandboxed, Module:Goal), _))
    ).

valid_clause(Clause) :- own_clause(Clause), !.       % too often for a look at the seal; nothing of the program's decides
valid_clause(Clause) :-
    print_message(error, error(permission_error(assert, sandboxed_clause, Clause), _)),
    fail.

own_clause(Clause) :-
    '$current_source_module'(Source),
    head(Clause, Source, Module, Head),
    callable(Head),
    Module == Source,
    \+ trusted(Module),
    \+ of_system(Head).

%   A name that begins with a dollar is the system's: it calls such predicates of a module while it loads or imports it.
of_system(Head) :-
    functor(Head, Name, _),
    sub_atom(Name, 0, _, _, $),
    \+ hook(Head).

%   Whose head it is, however it is written.
head(Term, _, _, _) :- var(Term), !, fail.
head(Module0:Term, _, Module, Head) :- !, head(Term, Module0, Module, Head).
head(( Term :- _ ), Module0, Module, Head) :- !, predicate(Term, Module0, Module, Head).
head(( Term => _ ), Module0, Module, Head) :- !, guarded(Term, Module0, Module, Head).
head(?=>(Term, _), Module0, Module, Head) :- !, guarded(Term, Module0, Module, Head).
head(( Term --> _ ), Module0, Module, Head) :- !, nonterminal(Term, Goal), predicate(Goal, Module0, Module, Head).
head(( :- _ ), _, _, _) :- !, fail.
head(( ?- _ ), _, _, _) :- !, fail.
head(Head, Module, Module, Head).

%   What stands left of a neck: with another neck in it, it is a head of (:-)/2.
predicate(Term, _, _, _) :- var(Term), !, fail.
predicate(Module0:Term, _, Module, Head) :- !, predicate(Term, Module0, Module, Head).
predicate(Head, Module, Module, Head).

guarded(Term, _, _, _) :- var(Term), !, fail.
guarded(Module0:Term, _, Module, Head) :- !, guarded(Term, Module0, Module, Head).
guarded(( Term, _ ), Module0, Module, Head) :- !, predicate(Term, Module0, Module, Head).
guarded(Head, Module, Module, Head).

%   Only the head of a grammar rule may have a pushback list; a clause with a head like that is one for (,)/2.
nonterminal(Term, _) :- var(Term), !, fail.
nonterminal(( Term, _ ), Term) :- !.
nonterminal(Term, Term).

valid_directive(Directive) :-
    allowed(own_directive(Directive), error(permission_error(execute, sandboxed_directive, Directive), _)).

own_directive(Qualified) :-
    strip_module(Qualified, Module, Directive),
    '$current_source_module'(Source),
    Module == Source,
    \+ trusted(Module),
    nonvar(Directive),
    (   declaration(Directive, Declared)
    ->  own_declaration(Declared, Source)
    ;   Directive = op(_, _, Names)
    ->  own_operators(Names, Source)
    ;   loading(Directive, File)
    ->  loadable(File)
    ;   loads(Directive)
    ->  fail
    ;   Directive = include(File)
    ->  permission_error(include, file, File)
    ;   prolog:sandbox_allowed_directive(Source:Directive)
    ).

declaration(Directive, Declared) :-
    compound(Directive),
    functor(Directive, _, 1),
    sandbox:safe_pattr(Directive),
    arg(1, Directive, Declared).

%   Of what the program's module defines.
own_declaration(Var, _) :- var(Var), !, instantiation_error(Var).
own_declaration([], _) :- !.
own_declaration([Declared|Rest], Source) :- !, own_declaration(Declared, Source), own_declaration(Rest, Source).
own_declaration(( Declared, Rest ), Source) :- !, own_declaration(Declared, Source), own_declaration(Rest, Source).
own_declaration(( Declared as _ ), Source) :- !, own_declaration(Declared, Source).
own_declaration(Module:Declared, Source) :- !, Module == Source, own_declaration(Declared, Source).
own_declaration(Name/_, _) :- !, atom(Name).
own_declaration(Name//_, _) :- !, atom(Name).
own_declaration(Head, _) :- callable(Head).

own_operators(Var, _) :- var(Var), !, instantiation_error(Var).
own_operators(Module:Names, Source) :- !, Module == Source, own_operators(Names, Source).
own_operators([], _) :- !.
own_operators([Name|Names], Source) :- !, own_operators(Name, Source), own_operators(Names, Source).
own_operators(Name, _) :- atom(Name).

%   Directives that load; as a part of a goal they could change what was looked at.
loading(use_module(File), File).
loading(use_module(File, _), File).
loading(ensure_loaded(File), File).

loads(load_files(_)).
loads(load_files(_, _)).
loads(consult(_)).
loads([_|_]).

loadable(Var) :- var(Var), !, instantiation_error(Var).
loadable([]) :- !.
loadable([File|Files]) :- !, loadable(File), loadable(Files).
loadable(library(Library)) :- !, look_at_library(Library).
loadable(File) :-
    ( atomic(File) -> true ; File = _/_ ),
    absolute_file_name(File, Full, [file_type(prolog), access(read), file_errors(fail)]),
    given(Full),
    !.
loadable(File) :- permission_error(load, file, File).

%   All libraries that may be used are there: files are the program's own, and nothing that is loaded is loaded again.
look_at_file(File, Options) :-
    sealed,
    (   memberchk(stream(_), Options)
    ->  lpbridge_load:listening,
        sub_atom(File, _, _, 0, End),
        sub_atom(End, 0, _, _, '<lpbridge_untrusted')
    ;   given(File)
    ),
    !.
look_at_file(File, _) :- permission_error(load, file, File).

given(File) :- lpbridge_denied:given(File, _).

                 /*******************************
                 *             GOALS            *
                 *******************************/

%!  look(+Goal, +Module, +Parents) is det.
%
%   Before library(sandbox) looks at Goal, called in Module.
%
%   @error lpbridge_refused(PI, Reason) and permission errors

look(Goal, _, _) :-
    var(Goal),
    !.
look(Goal, Module, Parents) :-
    strip_module(Module:Goal, In, Plain),
    (   callable(Plain), atom(In)
    ->  look_at(Plain, In, Goal, Parents)
    ;   true
    ).

look_at(Plain, _, Goal, Parents) :-
    numbered(Plain),
    !,
    functor(Plain, Name, Arity),
    refuse(Name/Arity, "one of its arguments is '$VAR'(N), which stands for any argument", Goal, Parents).
look_at(Plain, In, Goal, Parents) :-
    functor(Plain, Name, Arity),
    definition(In, Plain, Definition),
    (   gone(Definition, Name, Arity)
    ->  permission(Goal, Parents)
    ;   of_database(Plain),
        \+ own_module(In)
    ->  permission(Goal, Parents)
    ;   wall_module(Definition)
    ->  permission(Goal, Parents)
    ;   refused(Definition:Plain, Parents, Reason)
    ->  refuse(Name/Arity, Reason, Goal, Parents)
    ;   true
    ).

%   A program may call what is nowhere: that is an error when it is called, or what assertz/1 has added by then, whose
%   rules were looked at. Nothing of that name can be imported meanwhile.
absent(Goal, Module) :-
    strip_module(Module:Goal, In, Plain),
    callable(Plain),
    own_module(In),
    \+ predicate_property(In:Plain, visible),
    \+ ( '$c_current_predicate'(_, Other:Plain),
         (   '$get_predicate_attribute'(Other:Plain, exported, 1)
         ;   own_module(Other), '$get_predicate_attribute'(Other:Plain, defined, 1)
         )
       ).

%   What sees or changes clauses, those of the module that it is called in: `lists:assertz(_)`.
of_database(dynamic(_)).
of_database(assert(_)).
of_database(asserta(_)).
of_database(assertz(_)).
of_database(retract(_)).
of_database(retractall(_)).
of_database(clause(_, _)).

own_module(lpbridge_untrusted).
own_module(Module) :- program_module(Module).

refuse(PI, Reason, Goal, Parents) :-
    throw(error(lpbridge_refused(PI, Reason), sandbox(Goal, Parents))).

permission(Goal, Parents) :- throw(error(permission_error(call, sandboxed, Goal), sandbox(Goal, Parents))).

definition(In, Goal, Definition) :-
    (   predicate_property(In:Goal, imported_from(Definition0))
    ->  Definition = Definition0
    ;   Definition = In
    ).

%   library(sandbox) names the variables of a goal '$VAR'(0), '$VAR'(1), ... to remember it.
numbered(Term) :-
    compound(Term),
    (   Term = '$VAR'(Number), integer(Number)
    ->  true
    ;   compound_name_arguments(Term, _, Arguments),
        member(Argument, Arguments),
        numbered(Argument)
    ),
    !.

%!  refused(:Goal, +Parents, -Reason) is semidet.
%
%   Goal is not safe, though library(sandbox) says so.
%
%   @error instantiation_error when that is not known of so general a goal; then less general ones are looked at.

refused(system:Goal, _, "it changes a goal that was looked at already") :-
    functor(Goal, Name, Arity),
    memberchk(Name/Arity,
              [ setarg/3, nb_setarg/3, nb_linkarg/3, b_set_dict/3, nb_set_dict/3, nb_link_dict/3, nb_linkval/2 ]).
refused(system:put_attr(_, Module, _), _, "the goal of freeze/2 must be looked at: call freeze/2") :-
    Module == freeze.
refused(system:Goal, _, "it adds a rule that is none of the program's own") :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [Clause]),
    memberchk(Name, [assert, asserta, assertz]),
    other_rule(Clause).
refused('$messages':print_message(Kind, Message), Parents, Reason) :-
    (   var(Kind)
    ->  instantiation(Parents)
    ;   message_refused(Message, Parents, Reason)
    ).
refused('$messages':message_to_string(Message, _), Parents, Reason) :- message_refused(Message, Parents, Reason).
refused(Goal, Parents, "its options may call a goal") :-
    with_options(Goal, Options),
    (   is_list(Options),
        maplist(nonvar, Options)
    ->  \+ maplist(reading_option, Options)
    ;   instantiation(Parents)
    ).
refused(system:load_files(_, _), _, "only a directive can load").
refused(system:use_module(File), Parents, Reason) :- load_refused(File, Parents, Reason).
refused(system:use_module(File, _), Parents, Reason) :- load_refused(File, Parents, Reason).
refused(system:use_module(_, Imports), _, "only a directive can import under another name") :-
    \+ ( is_list(Imports), ground(Imports), \+ ( member(Import, Imports), Import \= _/_, Import \= _//_ ) ).
refused('$tabling':'$moded_wrap_tabled'(_, _, Test, _, _), _, "it is for `:- table` only") :- \+ mode_test(Test).

with_options('$syspreds':term_string(_, _, Options), Options).
with_options(system:read_term(_, Options), Options).
with_options(system:read_term(_, _, Options), Options).
with_options(system:read_term_from_atom(_, _, Options), Options).
with_options(system:write_term(_, Options), Options).

load_refused(File, Parents, _) :- \+ ground(File), !, instantiation(Parents).
load_refused(library(Library), _, _) :- !, \+ available(Library), throw(error(lpbridge_not_available(Library), _)).
load_refused(_, _, "only a directive can load a file").

%   Of rules those with `:-` can be added.
other_rule(Clause) :- rule(Clause), \+ added_rule(Clause, _).

rule(Clause) :-
    compound(Clause),
    functor(Clause, Name, _),
    memberchk(Name, [(:-), (=>), ?=>, (-->), (?-)]).

message_refused(Message, Parents, _) :-
    var(Message),
    !,
    instantiation(Parents).
message_refused(format(Format, Arguments), _, Reason) :-
    !,
    sandbox:format_calls(Format, Arguments, Calls),
    Calls \== [],
    Reason = "its text calls a goal".
message_refused(_, _, "only messages format(Format, Arguments) are known to call nothing").

instantiation(Parents) :- throw(error(instantiation_error, sandbox(_, Parents))).

reading_option(Option) :-
    compound(Option),
    functor(Option, Name, 1),
    memberchk(Name, [ quoted, ignore_ops, max_depth, numbervars, spacing, var_prefix, double_quotes, back_quotes,
                      cycles, dotlists, syntax_errors, no_lists, brace_terms, fullstop, nl, character_escapes,
                      priority, partial, variable_names, variables, singletons, term_position ]).

%   As '$tabling':mode_check/2 makes it.
mode_test(( Tests -> true ; Error )) :-
    var_tests(Tests),
    nonvar(Error),
    ( Error = '$uninstantiation_error'(_) ; Error = '$tabling':instantiated_moded_arg(_) ),
    !.

var_tests(Tests) :- var(Tests), !, fail.
var_tests(( Test, Tests )) :- !, var_tests(Test), var_tests(Tests).
var_tests(var(_)).

                 /*******************************
                 *             TEXT             *
                 *******************************/

%   `~W` takes options, and they may have a goal.
look_at_format(Format) :-
    (   has_directive(Format, 0'W)
    ->  refuse(format/2, "`~W` takes options that may call a goal", format(Format, _), [])
    ;   true
    ).

has_directive(Format, Directive) :-
    \+ var(Format),
    catch(text_to_string(Format, String), _, fail),
    string_codes(String, Codes),
    directive(Codes, Directive),
    !.

%   A tilde, a number (also `*`, or a backquote and a character), a colon, and the directive itself.
directive([0'~|Codes0], Directive) :-
    argument(Codes0, Codes1),
    ( Codes1 = [0':|Codes2] -> true ; Codes2 = Codes1 ),
    Codes2 = [Code|Codes],
    !,
    ( Code == Directive -> true ; directive(Codes, Directive) ).
directive([_|Codes], Directive) :- directive(Codes, Directive).

argument([0'`, _|Codes], Codes) :- !.
argument([0'*|Codes], Codes) :- !.
argument([Code|Codes0], Codes) :- code_type(Code, digit), !, argument(Codes0, Codes).
argument(Codes, Codes).

%   This part of a message would call a goal: the program may throw any term, and the text of an error can be such.
calls(Element) :-
    formatted(Element, Format, Arguments),
    (   \+ catch(text_to_string(Format, _), _, fail)
    ->  true
    ;   has_directive(Format, 0'@)
    ->  \+ ( is_list(Arguments), maplist(printing, Arguments) )
    ;   has_directive(Format, 0'W),
        is_list(Arguments),
        member(Options, Arguments),
        is_list(Options),
        member(Option, Options),
        subsumes_term(portray_goal(_), Option),
        Option \== portray_goal(lpbridge_answers:write_name)
    ),
    !.

formatted(Element, _, _) :- var(Element), !, fail.
formatted(Format-Arguments, Format, Arguments).
formatted(ansi(_, Format, Arguments), Format, Arguments).
formatted(ansi(_, Format, Arguments, _), Format, Arguments).
formatted(url(_, Format-Arguments), Format, Arguments).
formatted(prefix(Format-Arguments), Format, Arguments).

printing(Goal) :- subsumes_term(lpbridge_answers:list_clauses(_), Goal).

look_at_flag(Flag, Value) :-
    (   Flag == write_attributes,
        \+ memberchk(Value, [ignore, dots, write])
    ->  refuse(set_prolog_flag/2, "attributes printed by portray call a goal", set_prolog_flag(Flag, Value), [])
    ;   true
    ).

                 /*******************************
                 *        FILES, MODULES        *
                 *******************************/

look_at_library(Library) :-
    (   ground(Library), available(Library)
    ->  true
    ;   throw(error(lpbridge_not_available(Library), _))
    ).

:- dynamic
    reserved/1,             % Module
    program_module/1.       % Module

%   What is trusted under a module's name must be that module's.
reserved_name(Module) :-
    findall(Name,
            (   clause(sandbox:safe_primitive(Goal), _), qualifier(Goal, Name)
            ;   clause(sandbox:safe_meta(Goal, _), _), qualifier(Goal, Name)
            ;   clause(sandbox:safe_meta(Goal, _, _), _), qualifier(Goal, Name)
            ;   clause(sandbox:safe_meta(Goal), _), qualifier(Goal, Name)
            ;   clause(sandbox:safe_meta_predicate(Goal), _), qualifier(Goal, Name)
            ),
            Names0),
    sort(Names0, Names),
    member(Module, Names).

qualifier(Goal, Name) :-
    nonvar(Goal),
    Goal = Name:_,
    atom(Name).

look_at_module(Module) :-
    (   current_module(Module)
    ->  permission_error(redefine, module, Module)
    ;   reserved(Module)
    ->  permission_error(create, module, Module)
    ;   assertz(program_module(Module))
    ).

                 /*******************************
                 *             HOOKS            *
                 *******************************/

%   What the system calls of a program's module by itself.
hook(attr_unify_hook(_, _)).
hook(attribute_goals(_, _, _)).
hook(attr_portray_hook(_, _)).
hook(project_attributes(_, _)).
hook('$tabled'(_, _)).
hook('$table_mode'(_, _, _)).
hook('$table_update'(_, _, _, _)).

%!  look_at_hooks is det.
%
%   Before any goal: it may have the system call these.

look_at_hooks :-
    nb_current(lpbridge_looking, true),
    !.
look_at_hooks :-
    setup_call_cleanup(
        nb_setval(lpbridge_looking, true),
        forall(( own_module(Module),
                 hook(Hook),
                 '$c_current_predicate'(_, Module:Hook),
                 '$get_predicate_attribute'(Module:Hook, defined, 1),
                 \+ '$get_predicate_attribute'(Module:Hook, imported, _)
               ),
               sandbox:safe_goal(Module:Hook)),
        nb_setval(lpbridge_looking, false)).

                 /*******************************
                 *            RESULTS           *
                 *******************************/

%!  safe(+Id, -Said) is det.
%
%   Said is empty when the goal that lpbridge:variables/4 remembered as Id may be run, and otherwise the reason why not,
%   [Text, Term] as of told/2. That goal, and not its text: what is run has been through the goal expansion of the program.

safe(Id, Said) :-
    lpbridge:parsed(Id, _, Module, Goal, _, _, _),
    catch(( decide(Module:Goal),
            Said = []
          ),
          Error,
          ( told(Error, [Text, _, _, _, Term|_]), Said = [Text, Term] )).

:- multifile prolog:error_message//1.

prolog:error_message(lpbridge_not_available(Library)) -->
    { unavailable(Library, Reason) -> true ; Reason = "not for untrusted programs" },
    [ 'library(~w) is refused: ~w'-[Library, Reason] ].
prolog:error_message(lpbridge_broken(Goal)) -->
    { strip_module(Goal, Module, Head), functor(Head, Name, Arity) },
    [ 'the check of untrusted programs was changed (~q), so that nothing more is allowed'-[Module:Name/Arity] ].
prolog:error_message(lpbridge_refused(PI, Reason)) --> [ '~q is refused: ~w'-[PI, Reason] ].
