/** <module> The clauses of a program as `lint` reads them, and what it declares and loads

The text is read, not loaded: nothing of the program runs. Of its directives those count that say how the text is read
(operators, flags), what it loads, and what is declared.

An *item* is a term of a file that was given or that such a file includes. Its *unit* is the module or the block of tests
that it is in, its *branch* the list of branches of conditional compilation: what is in one is never compared with what is
outside, since it is not known whether it counts.
*/

:- module(lpbridge_program,
          [ clear/0,
            note_text/3,      % +File, +Path, +Text
            read_given/1,     % +File
            note_goal/1,      % +Text
            asked/3,          % Name, Arity, N: a goal in question has a variable there
            question/1,       % Goal: one of the goals in question
            found/5,          % +Check, +File, +Position, +Words, +Certain
            found/6,          % +Check, +File, +From, +To, +Words, +Certain
            finding/6,        % Check, File, From, To, Words, Certain
            wanted/1,         % Path
            statement/3,      % File, From, To
            open/1,           % Reason: predicates may be defined that the text does not show
            whole/0,          % a module, or a program that begins by itself
            expands/0,        % the clauses are not what is written
            item/10,          % Number, Name, Arity, File, Unit, Branch, Term, Position, Names, Singletons
            clause_of/7,      % ?Name, ?Arity, ?N, -File, -Unit, -Branch, -Clause
            plain_head/1,     % +Head
            predicate_of/4,   % +Kind, +Goal, -Name, -Arity
            line_words/2,     % +N, -From
            head/2,           % Name, Arity: the program has a clause of it
            declared/3,       % Kind, Name, Arity
            imported/2,       % Name, Arity
            exported/4,       % Name, Arity, File, From-To
            library/1,        % Name
            meta/3,           % Name, Arity, Spec
            style_off/2,      % File, Style
            changes/2,        % +Name, +Arity
            own/2,            % ?Name, ?Arity
            defined/2,        % +Name, +Arity
            built_in/2,       % +Name, +Arity
            in_library/2,     % +Name, +Arity
            in_library/3,     % +Name, +Arity, -Library
            forgotten/4,      % +Kind, +Name, +Arity, -Library
            declaration/3,    % +Directive, -Kind, -Specs
            conjunct/4,       % +Body, +BodyPosition, -Goal, -Position
            first/4,          % +Body, +BodyPosition, -Goal, -Position
            called/6,         % +Body, +BodyPosition, -Name, -Arity, -Kind, -Position
            called_in/5,      % +Clause, -Name, -Arity, -Kind, -Position
            spec_of/2,        % +Goal, -MetaArguments
            grammar_control/3,% +Body, -A, -B
            sub_position/4,   % +Term, +Position, -Sub, -SubPosition
            place_of/5,       % +Part, +Term, +Position, -From, -To
            has_dict/1,       % +Term
            of_dict/1,        % +Term
            shown/4           % +Kind, +Name, +Arity, -Text
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- autoload(library(prolog_xref), [xref_public_list/3]).   % takes longer to load than all of this
:- use_module(lpbridge_errors).
:- use_module(lpbridge_goal, [control/3]).
:- use_module(lpbridge_source).

:- dynamic
    text/3,                 % Path, File, Text
    was_read/1,             % Path
    asked/3,                % Name, Arity, N
    question/1,             % Goal
    wanted/1,               % Path
    item/10,                % Number, Name, Arity, File, Unit, Branch, Term, Position, Names, Singletons
    statement/3,            % File, From, To
    whole/0,                % a module, or a program that begins by itself
    head/2,                 % Name, Arity: the program has a clause of it
    declared/3,             % Kind, Name, Arity
    imported/2,             % Name, Arity
    exported/4,             % Name, Arity, File, From-To
    library/1,              % Name
    meta/3,                 % Name, Arity, Spec
    open/1,                 % Reason: predicates may be defined that the text does not show
    expands/0,              % the clauses are not what is written
    style_off/2,            % File, Style
    finding/6.              % Check, File, From, To, Words, Certain

clear :-
    forall(member(Name/Arity,
                  [ text/3, was_read/1, asked/3, question/1, wanted/1, item/10, statement/3, head/2, declared/3, imported/2, exported/4,
                    whole/0, library/1, meta/3, open/1, expands/0, style_off/2, finding/6 ]),
           ( functor(Head, Name, Arity), retractall(Head) )).

note_text(File0, Path0, Text) :-
    to_atom(File0, File),
    to_atom(Path0, Path),
    assertz(text(Path, File, Text)).

%   The arguments of a goal in question that are variables, but for those that an earlier goal may bind.
note_goal(Text) :-
    reading_module(Module),
    catch(term_string(Goal, Text, [module(Module)]), error(_, _), fail),
    !,
    first_goals(Goal, []).
note_goal(_).

first_goals(Goal, _) :- var(Goal), !.
first_goals((A, B), Seen) :- !, first_goals(A, Seen), term_variables(A-Seen, Seen1), first_goals(B, Seen1).
first_goals(Goal, Seen) :-
    name_arity(Goal, Name, Arity),
    !,
    assertz(question(Goal)),
    forall(( compound(Goal), arg(N, Goal, Variable), var(Variable), \+ ( member(Other, Seen), Other == Variable ) ),
           once_only(asked(Name, Arity, N))).
first_goals(_, _).

to_atom(Text, Atom) :- atom_string(Atom, Text).

found(Check, File, Position, Words, Certain) :-
    span(Position, From, To),
    found(Check, File, From, To, Words, Certain).

found(Check, File, From, To, Words, Certain) :- assertz(finding(Check, File, From, To, Words, Certain)).

once_only(Fact) :- ( call(Fact) -> true ; assertz(Fact) ).

                /*******************************
                *            READING           *
                *******************************/

%   A context is ctx(File, Path, Given, Module, Unit, Branch, Branches): Given is `true` for what is in question, Module has
%   the operators. It is changed in place.

read_given(File0) :-
    to_atom(File0, File),
    text(Path, File, Text),
    !,
    (   Path \== '', was_read(Path)
    ->  true
    ;   assertz(was_read(Path)),
        reading_module(Module),
        read_text(Text, ctx(File, Path, true, Module, user, [], 0))
    ).

read_text(Text, Context) :-
    setup_call_cleanup(
        open_source(Text, Stream),
        read_items(Stream, Context),
        close(Stream)).

read_items(Stream, Context) :-
    repeat,
    character_count(Stream, Before),
    read_item(Stream, Context, End),
    (   End == true
    ;   character_count(Stream, Before)
    ),
    !.

read_item(Stream, Context, End) :-
    arg(4, Context, Module),
    character_count(Stream, Before),
    catch(next_term(Stream, Module, Term, Position, Names, Singletons), Error, true),
    (   nonvar(Error)
    ->  character_count(Stream, After),
        syntax_error(Error, Before, After, Context),
        End = false
    ;   Term == end_of_file
    ->  End = true
    ;   End = false,
        note_statement(Context, Position),
        item(Term, Position, Names, Singletons, Context)
    ).

syntax_error(Error, Before, After, Context) :-
    (   Error = error(syntax_error(_), Place)
    ->  true
    ;   Error = error(Formal, Place), functor(Formal, Kind, _), Kind \== resource_error
    ->  true
    ;   throw(Error)
    ),
    (   arg(3, Context, true)
    ->  told(Error, [Message|_]),
        ( compound(Place), Place = stream(_, _, Column, Previous), integer(Previous), Column > 0 -> At is Previous + 1 ; At = 0 ),
        context(Context, File, Branch),
        ( Branch == [], \+ foreign_operator(Error) -> Certain = true ; Certain = false ),
        (   missing_end(Error, Before, After, Context, Last, What)
        ->  From = Last
        ;   open_comment(Error, File, Before, Begin)
        ->  From = Begin,
            What = ""
        ;   From = At,
            What = ""
        ),
        To is From + 1,
        found('PL001', File, From, To, [Message, Before, After, At, What], Certain)
    ;   assertz(open("a syntax error"))
    ).

%   Where a comment begins that does not end.
open_comment(error(syntax_error(end_of_file_in_block_comment), _), File, Before, Begin) :-
    text(_, File, Text),
    sub_string(Text, Before, _, 0, Rest),
    once(sub_string(Rest, At, _, _, "/*")),
    Begin is Before + At.

%   Last is the offset of the last character of a clause whose dot is missing at the end of a line: with it, this clause
%   and what follows can be read. What says whether a comma does, too.

missing_end(error(syntax_error(Kind), _), Before, After, Context, Last, What) :-
    Length is After - Before,
    Length =< 20 000,
    arg(1, Context, File),
    arg(4, Context, Module),
    text(_, File, Text),
    sub_string(Text, Before, Length, _, Clause),
    (   Kind == end_of_file
    ->  read_alone(Clause, Module, _, End),
        What = "a dot"
    ;   missing_end(Clause, Module, 50, End, What)
    ),
    Last is Before + End - 1.

missing_end(Clause, Module, Lines, End, What) :-
    limit(Lines, sub_string(Clause, Line, 1, After, "\n")),
    sub_string(Clause, 0, Line, _, One),
    read_alone(One, Module, Term, End),
    sub_string(Clause, _, After, 0, Rest),
    (   reads(Rest, Module)
    ->  true
    ;   nonvar(Term), Term = (:- _), begins_clause(Rest)  % its operators may come from what the directive would load
    ->  true
    ;   Fewer is Lines - 1,
        missing_end(Rest, Module, Fewer, _, _)
    ),
    !,
    sub_string(Clause, 0, End, _, Begin),
    sub_string(Clause, End, _, 0, Others),
    atomics_to_string([Begin, ",", Others], Joined),
    ( has_body(Term), reads(Joined, Module) -> What = "a dot or a comma" ; What = "a dot" ).

%   A comma or semicolon where the dot should be.
missing_end(Clause, Module, Lines, End, Wrong) :-
    limit(Lines, sub_string(Clause, Line, 1, After, "\n")),
    sub_string(Clause, 0, Line, _, One),
    member(Wrong, [",", ";"]),
    sub_string(One, At, 1, Left, Wrong),
    sub_string(One, _, Left, 0, Tail),
    split_string(Tail, "", " \t\r", [""]),
    sub_string(One, 0, At, _, Before),
    read_alone(Before, Module, _, _),
    sub_string(Clause, _, After, 0, Rest),
    reads(Rest, Module),
    !,
    End is At + 1.

%   No operator continues what stands before.
begins_clause(Text0) :-
    split_string(Text0, "", " \t\r\n", [Text]),
    (   sub_string(Text, 0, _, _, "%")
    ->  sub_string(Text, Line, 1, _, "\n"), !, sub_string(Text, Line, _, 0, Rest), begins_clause(Rest)
    ;   sub_string(Text, 0, _, _, ":-")
    ->  true
    ;   split_string(Text, "( \t\r\n.", "", [Name|_]), Name \== "", sub_string(Text, 0, 1, _, First),
        char_type(First, csymf), atom_string(Atom, Name), \+ current_op(_, _, Atom)
    ).

has_body(Term) :- nonvar(Term), Term =.. [Arrow, _, _], memberchk(Arrow, [:-, -->, =>]).

%   What a text without its dot says, and where it ends.
read_alone(Text, Module, Term, End) :-
    string_concat(Text, "\n.", Whole),
    read_one(Whole, Module, Term, Position),
    span(Position, _, End).

reads(Text, Module) :- read_one(Text, Module, _, _).

read_one(Text, Module, Term, Position) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        catch(( next_term(Stream, Module, Term, Position, _, _), next_term(Stream, Module, End, _, _, _) ), _, fail),
        close(Stream)),
    Term \== end_of_file,
    End == end_of_file.

%   The operator may come from what is loaded and not there.
foreign_operator(error(syntax_error(Message), _)) :-
    memberchk(Message, [operator_expected, operator_clash, operator_balance]),
    open(Reason),
    memberchk(Reason, ["a library that is not there", "a file that is not there"]),
    !.

context(Context, File, Branch) :- arg(1, Context, File), arg(6, Context, Branch).

note_statement(Context, Position) :-
    (   arg(3, Context, true)
    ->  arg(1, Context, File),
        span(Position, From, To),
        assertz(statement(File, From, To))
    ;   true
    ).

item((:- Directive), Position, Names, Singletons, Context) :-
    !,
    directive_item((:- Directive), Directive, Position, Names, Singletons, Context).
item((?- Directive), Position, Names, Singletons, Context) :-
    !,
    directive_item((?- Directive), Directive, Position, Names, Singletons, Context).
item(Term, Position, Names, Singletons, Context) :-
    ( other_clause(Term) -> ( Term = ':='(_, _) -> once_only(expands) ; true ) ; clause_name(Term, Name, Arity) ),
    !,
    arg(5, Context, Unit),
    (   var(Name)
    ->  add_item(-, 0, Term, Position, Names, Singletons, Context)
    ;   Unit = tests(_)
    ->  add_item(Name, Arity, Term, Position, Names, Singletons, Context),
        once_only(head(Name, Arity))
    ;   ( expansion(Name, Arity) -> once_only(expands) ; true ),
        once_only(head(Name, Arity)),
        add_item(Name, Arity, Term, Position, Names, Singletons, Context)
    ),
    note_changes(Term).
item(Term, Position, _, _, Context) :-
    nonvar(Term),
    Term = (Module:_),
    compound(Module),
    arg(3, Context, true),
    !,
    arg(1, Context, File),
    found('PL013', File, Position, ["", true], true).
item(Term, _, _, _, _) :-
    ( nonvar(Term), Term = (Head :- _) -> true ; Head = Term ),
    ( nonvar(Head), Head = (_:Plain), callable(Plain), name_arity(Plain, Name, Arity), expansion(Name, Arity)
    ->  once_only(expands)
    ;   true
    ),
    note_changes(Term).

%   A rule of CHR, of objects or of another language that library or dialect reads: it is no clause of a predicate.
other_clause(Term) :-
    compound(Term),
    compound_name_arity(Term, Name, 2),
    (   memberchk(Name, [':->', ':<-', ':='])
    ;   library(chr),
        memberchk(Name, ['<=>', '==>', '@', '\\', pragma])
    ).

clause_name(Term, Name, Arity) :-
    nonvar(Term),
    Term = '==>'(Head0, _),
    !,
    ( nonvar(Head0), Head0 = (Head, _) -> true ; Head = Head0 ),
    defines((Head --> true), Name, Arity).
clause_name(Term, Name, Arity) :-
    nonvar(Term),
    ( Term = (Head0 :- _) -> true ; Term = (Head0 --> _) -> true ; Term = (Head0 => _) -> true ; Head0 = Term ),
    nonvar(Head0),
    ( Head0 = (Head, _), Term \= (_ :- _), Term \== Head0 -> true ; Head = Head0 ),
    nonvar(Head),
    Head \= (_:_),
    defines(Term, Name, Arity).

expansion(term_expansion, 2).
expansion(term_expansion, 4).
expansion(goal_expansion, 2).
expansion(goal_expansion, 4).
expansion(dcg_translate_rule, 2).

:- dynamic item_number/1.
item_number(0).

add_item(Name, Arity, Term, Position, Names, Singletons, Context) :-
    (   arg(3, Context, true)
    ->  retract(item_number(N0)),
        N is N0 + 1,
        assertz(item_number(N)),
        context(Context, File, Branch),
        arg(5, Context, Unit),
        assertz(item(N, Name, Arity, File, Unit, Branch, Term, Position, Names, Singletons))
    ;   true
    ).

%   Clauses that the program adds, and predicates that it asks for before it calls them.
note_changes(Term) :-
    forall(( sub_goal(Term, Goal), change(Goal, What) ), note_change(What)).

change(assertz(Clause), clause(Clause)).
change(asserta(Clause), clause(Clause)).
change(assert(Clause), clause(Clause)).
change(assertz(Clause, _), clause(Clause)).
change(asserta(Clause, _), clause(Clause)).
change(assert(Clause, _), clause(Clause)).
change(retractall(Clause), clause(Clause)).
change(Atom, clause(_)) :- memberchk(Atom, [assertz, asserta, assert]).
change(dynamic(Specs), specs(Specs)).
change(dynamic(Specs, _), specs(Specs)).
change(thread_local(Specs), specs(Specs)).
change(current_predicate(Spec), specs(Spec)).
change(current_predicate(Name, _), specs(Name/_)).
change(predicate_property(Head, _), clause(Head)).
change(consult(_), loads).
change(load_files(_, _), loads).
change(load_files(_), loads).
change(ensure_loaded(_), loads).
change(use_foreign_library(_), loads).
change(set_prolog_flag(unknown, _), unknown).
change(unknown(_, _), unknown).

note_change(loads) :- once_only(open("it loads files while it runs")).
note_change(unknown) :- once_only(open("the flag unknown is changed")).
note_change(specs(Specs)) :- declare(dynamic_later, Specs).
note_change(clause(Clause)) :-
    (   added(Clause, Head)
    ->  name_arity(Head, Name, Arity),
        once_only(declared(added, Name, Arity))
    ;   once_only(open("it adds clauses that are not in its text"))
    ).

added(Clause, _) :- var(Clause), !, fail.
added(_:Clause, Head) :- !, added(Clause, Head).
added((Head0 :- _), Head) :- !, added(Head0, Head).
added((Head0 --> _), _) :- nonvar(Head0), !, fail.
added(Head, Head) :- callable(Head).

                /*******************************
                *          DIRECTIVES          *
                *******************************/

directive_item(Term, Directive, Position, Names, Singletons, Context) :-
    add_item(-, 0, Term, Position, Names, Singletons, Context),
    (   var(Directive)
    ->  true
    ;   arg(4, Context, Module),
        ( catch(directive(Directive, Module), error(_, _), true) -> true ; true ),
        ignore(note(Directive, Position, Context))
    ).

note(Goal, _, _) :- var(Goal), !.
note((A, B), Position, Context) :- !, ignore(note(A, Position, Context)), note(B, Position, Context).
note(_:Goal, Position, Context) :- !, note(Goal, Position, Context).
note(module(Name, Exports), Position, Context) :-
    !,
    ( atom(Name) -> nb_setarg(5, Context, Name) ; true ),
    ( arg(3, Context, true) -> once_only(whole) ; true ),
    note_exports(Exports, Position, Context).
note(if(_), _, Context) :- !, branches(if, Context).
note(elif(_), _, Context) :- !, branches(else, Context).
note(else, _, Context) :- !, branches(else, Context).
note(endif, _, Context) :- !, branches(endif, Context).
note(begin_tests(Name), _, Context) :- !, nb_setarg(5, Context, tests(Name)), once_only(library(plunit)).
note(begin_tests(Name, _), _, Context) :- !, nb_setarg(5, Context, tests(Name)), once_only(library(plunit)).
note(end_tests(_), _, Context) :- !, nb_setarg(5, Context, user).
note(style_check(Styles), _, Context) :- !, arg(1, Context, File), note_style(Styles, File).
note(include(Files), _, Context) :- !, each(Files, include_file(Context)).
note(Directive, _, Context) :-
    load_directive(Directive, Files),
    !,
    each(Files, load_file(Context)),
    ( Directive =.. [_, _, Imports], is_list(Imports) -> renamed(Imports) ; true ).
note(import(Specs), _, _) :- !, declare(import, Specs).
note(Directive, _, _) :-
    declaration(Directive, Kind, Specs),
    !,
    declare(Kind, Specs).
note(meta_predicate(Specs), _, _) :- !, each(Specs, note_meta).
note(expects_dialect(_), _, _) :- !, assertz(open("another dialect")).
note(set_prolog_flag(Flag, _), _, _) :- memberchk(Flag, [unknown, emulated_dialect, iso]), !, assertz(open("a flag")).
note(initialization(_), _, _) :- !, once_only(whole).
note(initialization(_, _), _, _) :- !, once_only(whole).
note(Directive, _, _) :-
    note_changes(Directive),
    (   callable(Directive),
        name_arity(Directive, Name, Arity),
        ( built_in(Name, Arity) ; head(Name, Arity) ; harmless(Name) )
    ->  true
    ;   assertz(open("a directive that is not known"))
    ).

%   Directives of libraries that define nothing.
harmless(Name) :-
    memberchk(Name,
              [ debug, nodebug, use_rendering, set_test_options, run_tests, main, time, assertion, must_be, maplist,
                forall, format, writeln, print_message, license, ignore, set_setting_default, garbage_collect ]).

declaration(dynamic(Specs), dynamic, Specs).
declaration(dynamic(Specs, _), dynamic, Specs).
declaration(thread_local(Specs), dynamic, Specs).
declaration(volatile(Specs), volatile, Specs).
declaration(multifile(Specs), multifile, Specs).
declaration(discontiguous(Specs), discontiguous, Specs).
declaration(table(Specs), table, Specs).
declaration(tnot(Specs), table, Specs).
declaration(public(Specs), public, Specs).
declaration(module_transparent(Specs), public, Specs).
declaration(det(Specs), public, Specs).
declaration(non_terminal(Specs), public, Specs).
declaration(chr_constraint(Specs), constraint, Specs).
declaration(constraints(Specs), constraint, Specs).
declaration(chr_type(_), type, []).
declaration(chr_option(_, _), type, []).

branches(if, Context) :-
    arg(6, Context, Branch),
    arg(7, Context, Number0),
    Number is Number0 + 1,
    nb_setarg(7, Context, Number),
    nb_setarg(6, Context, [Number|Branch]).
branches(else, Context) :-
    arg(6, Context, [_|Branch]),
    arg(7, Context, Number0),
    Number is Number0 + 1,
    nb_setarg(7, Context, Number),
    nb_setarg(6, Context, [Number|Branch]).
branches(endif, Context) :-
    arg(6, Context, [_|Branch]),
    nb_setarg(6, Context, Branch).

each(Specs, _) :- var(Specs), !.
each([], _) :- !.
each([Spec|Specs], Goal) :- !, each(Spec, Goal), each(Specs, Goal).
each((A, B), Goal) :- !, each(A, Goal), each(B, Goal).
each(Spec, Goal) :- ignore(call(Goal, Spec)).

declare(Kind, Specs) :- each(Specs, declare_one(Kind)).

declare_one(Kind, Spec as _) :- !, declare(Kind, Spec).
declare_one(Kind, _:Spec) :- !, declare(Kind, Spec).
declare_one(Kind, Name/Arity) :- atom(Name), integer(Arity), !, once_only(declared(Kind, Name, Arity)).
declare_one(Kind, Name//Arity0) :-
    atom(Name),
    integer(Arity0),
    !,
    Arity is Arity0 + 2,
    once_only(declared(Kind, Name, Arity)).
declare_one(Kind, Head) :-
    memberchk(Kind, [table, constraint]),
    callable(Head),
    name_arity(Head, Name, Arity),
    once_only(declared(Kind, Name, Arity)),
    ( Kind == (table), compound(Head), arg(_, Head, Mode), nonvar(Mode) -> once_only(declared(moded_table, Name, Arity)) ; true ).
declare_one(dynamic_later, Name/Arity) :- atom(Name), var(Arity), !, assertz(open("it asks for predicates by name")).

note_style(Styles, File) :- each(Styles, note_style_(File)).
note_style_(File, -(Style)) :- assertz(style_off(File, Style)).

note_meta(_:Head) :- !, note_meta(Head).
note_meta(Head) :-
    callable(Head),
    name_arity(Head, Name, Arity),
    retractall(meta(Name, Arity, _)),
    assertz(meta(Name, Arity, Head)).

note_exports(Exports, Position, Context) :-
    (   is_list(Exports)
    ->  forall(member(Export, Exports), ignore(note_export(Export, Exports, Position, Context)))
    ;   true
    ).

note_export(Export, Exports, Position0, Context) :-
    ( Export = Name/Arity -> true ; Export = Name//Arity0, integer(Arity0), Arity is Arity0 + 2 ),
    atom(Name),
    integer(Arity),
    (   arg(3, Context, true)
    ->  arg(1, Context, File),
        (   plain(Position0, term_position(_, _, _, _, [Position1])),
            plain(Position1, term_position(_, _, _, _, [_, Position2])),
            plain(Position2, list_position(_, _, Positions, _)),
            nth1(N, Exports, Other), Other == Export,
            nth1(N, Positions, Position)
        ->  true
        ;   Position = Position0
        ),
        span(Position, From, To),
        assertz(exported(Name, Arity, File, From-To))
    ;   once_only(imported(Name, Arity))
    ).

renamed(Imports) :-
    forall(( member(Import, Imports), nonvar(Import), Import = (_/Arity as Name), atom(Name) ),
           once_only(imported(Name, Arity))).

%   A library of the system: what it exports. Another file: its definitions, as soon as its text is known.

load_file(_, Spec) :- var(Spec), !.
load_file(_, library(Spec)) :-
    !,
    ( compound(Spec) -> term_to_atom(Spec, Name) ; Name = Spec ),
    once_only(library(Name)),
    (   library_exports(library(Spec), Exports)
    ->  forall(( member(Export, Exports), nonvar(Export), ( Export = N/A -> true ; Export = N//A0, A is A0 + 2 ) ),
               once_only(imported(N, A)))
    ;   assertz(open("a library that is not there"))
    ).
load_file(Context, Spec) :-
    (   local_file(Context, Spec, Path)
    ->  (   was_read(Path)
        ->  true
        ;   text(Path, _, Text)
        ->  assertz(was_read(Path)),
            arg(4, Context, Module),
            loaded(Text, ctx(Path, Path, false, Module, user, [], 0))
        ;   assertz(wanted(Path)),
            assertz(open("a file that is not read"))
        )
    ;   assertz(open("a file that is not there"))
    ).

loaded(Text, Context) :-
    arg(4, Context, Module),
    current_prolog_flag(Module:double_quotes, Quotes),
    read_text(Text, Context),
    set_prolog_flag(Module:double_quotes, Quotes).

include_file(Context, Spec) :-
    (   local_file(Context, Spec, Path),
        text(Path, File, Text)
    ->  (   was_read(Path)
        ->  true
        ;   assertz(was_read(Path)),
            Context = ctx(File0, Path0, _, _, _, _, _),
            nb_setarg(1, Context, File),
            nb_setarg(2, Context, Path),
            read_text(Text, Context),
            nb_setarg(1, Context, File0),
            nb_setarg(2, Context, Path0)
        )
    ;   local_file(Context, Spec, Path)
    ->  assertz(wanted(Path)),
        assertz(open("a file that is not read"))
    ;   assertz(open("a file that is not there"))
    ).

local_file(Context, Spec, Path) :-
    arg(2, Context, Near),
    ( Near == '' -> Options = [] ; file_directory_name(Near, Folder), Options = [relative_to(Folder)] ),
    ( atom(Spec) -> true ; string(Spec) -> true ; compound(Spec), ground(Spec), Spec = _/_ ),
    catch(absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)|Options]), error(_, _), fail).

:- dynamic library_known/2.     % Spec, Exports

library_exports(Spec, Exports) :-
    library_known(Spec, Exports),
    !.
library_exports(Spec, Exports) :-
    ground(Spec),
    catch(absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)]), error(_, _), fail),
    (   catch(xref_public_list(Path, Path, [exports(Exports0)]), error(_, _), fail)
    ->  Exports = Exports0
    ;   Exports = []
    ),
    assertz(library_known(Spec, Exports)).

                /*******************************
                *     WHAT THE SYSTEM HAS      *
                *******************************/

built_in(Name, Arity) :-
    functor(Head, Name, Arity),
    '$c_current_predicate'(_, system:Head),
    predicate_property(system:Head, defined),
    !.

in_library(Name, Arity) :- in_library(Name, Arity, _).

in_library(Name, Arity, Library) :- '$in_library'(Name, Arity, Path), !, file_base_name(Path, Library).

%   Predicates of `user` that the system or the program's own hooks give.
hook(Name, Arity) :-
    functor(Head, Name, Arity),
    '$c_current_predicate'(_, user:Head),
    \+ predicate_property(user:Head, imported_from(_)).

defined(Name, Arity) :- own(Name, Arity), !.
defined(Name, Arity) :- imported(Name, Arity), !.
defined(Name, Arity) :- built_in(Name, Arity), !.
defined(Name, Arity) :- in_library(Name, Arity), !.
defined(Name, Arity) :- hook(Name, Arity), !.

own(Name, Arity) :- head(Name, Arity).
own(Name, Arity) :- declared(Kind, Name, Arity), \+ memberchk(Kind, [(discontiguous), (table), moded_table, (public), (volatile)]).

%   Libraries that are not loaded by themselves, and that programs forget to load.
forgotten(Kind, Name, Arity, Library) :-
    member(Library, [clpfd, clpb, 'dcg/basics', 'dcg/high_order', chr, tabling]),
    term_to_atom(Spec, Library),
    library_exports(library(Spec), Exports),
    (   memberchk(Name/Arity, Exports)
    ->  true
    ;   Kind == nonterminal, Less is Arity - 2, memberchk(Name//Less, Exports)
    ),
    !.

                /*******************************
                *            CLAUSES           *
                *******************************/

%!  clause_of(?Name, ?Arity, ?N, -File, -Unit, -Branch, -Clause) is nondet.
%
%   Clause is c(Kind, Head, HeadPosition, Body, BodyPosition, Position, Names). Kind is `clause` (also a fact), `rule` (=>),
%   `grammar`.

clause_of(Name, Arity, N, File, Unit, Branch, c(Kind, Head, HP, Body, BP, Position, Names)) :-
    item(N, Name, Arity, File, Unit, Branch, Term, Position, Names, _),
    Name \== (-),
    parts(Term, Position, Kind, Head, HP, Body, BP).

parts(Term, Position0, Kind, Head, HP, Body, BP) :-
    plain(Position0, Position),
    (   arrow(Term, Kind, Head, Body)
    ->  Position = term_position(_, _, _, _, [HP, BP])
    ;   Kind = clause, Head = Term, HP = Position, Body = true, BP = none
    ).

arrow((Head :- Body), clause, Head, Body).
arrow((Head --> Body), grammar, Head, Body).
arrow('==>'(Head, Body), grammar_rule, Head, Body).
arrow((Head => Body), rule, Head, Body).

changes(Name, Arity) :- declared(Kind, Name, Arity), memberchk(Kind, [dynamic, multifile, added]), !.

%   The goals of a conjunction, in their order.
conjunct(Goal, P, Goal, P) :- var(Goal), !.
conjunct((A, B), P0, Goal, P) :-
    !,
    plain(P0, term_position(_, _, _, _, [PA, PB])),
    (   conjunct(A, PA, Goal, P)
    ;   conjunct(B, PB, Goal, P)
    ).
conjunct(Goal, P0, Goal, P) :- plain(P0, P).

first(Body, BP, Goal, P) :- once(conjunct(Body, BP, Goal, P)).

predicate_of(clause, Goal, Name, Arity) :- name_arity(Goal, Name, Arity).
predicate_of(grammar, Body, Name, Arity) :- name_arity(Body, Name, Arity0), Arity is Arity0 + 2.

plain_head(Head) :- callable(Head), Head \= (_, _).

shown(Kind, Name, Arity, Shown) :-
    (   memberchk(Kind, [grammar, grammar_rule])
    ->  Less is Arity - 2,
        format(string(Shown), "~q//~d", [Name, Less])
    ;   format(string(Shown), "~q/~d", [Name, Arity])
    ).

%   Offset of an item, for its line.
line_words(N, From) :- item(N, _, _, _, _, _, _, Position, _, _), !, span(Position, From, _).

place_of(Variable, Term, Position, From, To) :-
    Variable == Term,
    !,
    span(Position, From, To).
place_of(Variable, Term, Position0, From, To) :-
    compound(Term),
    sub_position(Term, Position0, Sub, SubPosition),
    place_of(Variable, Sub, SubPosition, From, To).

sub_position(Term, Position0, Sub, SubPosition) :-
    plain(Position0, Position),
    sub_position_(Position, Term, Sub, SubPosition).

sub_position_(term_position(_, _, _, _, Positions), Term, Sub, Position) :-
    nth1(N, Positions, Position),
    arg(N, Term, Sub).
sub_position_(list_position(_, _, Elements, Tail), List, Sub, Position) :-
    list_positions(Elements, Tail, List, Sub, Position).
sub_position_(brace_term_position(_, _, Position), {Sub}, Sub, Position).

list_positions([P|Ps], Tail, [X|Xs], Sub, Position) :-
    !,
    (   Sub = X, Position = P
    ;   list_positions(Ps, Tail, Xs, Sub, Position)
    ).
list_positions([], Tail, Rest, Rest, Tail) :- Tail \== none.

has_dict(Term) :- sub_term(Sub, Term), compound(Sub), ( compound_name_arity(Sub, dict, _) ; of_dict(Sub) ), !.

%   `Dict.key`, which is evaluated before the goal in which it stands.
of_dict(Term) :- compound_name_arity(Term, '.', 2).

                /*******************************
                *             CALLS            *
                *******************************/

%!  called_in(+Clause, -Name, -Arity, -Kind, -At) is nondet.
%!  called(+Body, +Position, -Name, -Arity, -Kind, -At) is nondet.
%
%   Clause, Body calls Name/Arity, itself or through what it is an argument of. Kind is `goal`, `closure` or `nonterminal`.

called_in(c(Clause, _, _, Body, BP, _, _), Name, Arity, Kind, At) :-
    BP \== none,
    (   memberchk(Clause, [clause, rule])
    ->  called(Body, BP, Name, Arity, Kind, At)
    ;   nonterminal(Body, BP, Name, Arity, Kind, At)
    ).

called(Goal, _, _, _, _, _) :- var(Goal), !, fail.
called(Goal, P0, Name, Arity, Kind, At) :-
    plain(P0, P),
    called_(Goal, P, Name, Arity, Kind, At).

called_(Module:Goal, _, _, _, _, _) :- ( Module:Goal = _:_ ), !, fail.
called_(_^Goal, term_position(_, _, _, _, [_, P]), Name, Arity, Kind, At) :- !, called(Goal, P, Name, Arity, Kind, At).
called_(Goal, P, Name, Arity, goal, P) :- callable(Goal), \+ is_list(Goal), name_arity(Goal, Name, Arity).
called_(Goal, term_position(_, _, _, _, Ps), Name, Arity, Kind, At) :-
    compound(Goal),
    spec_of(Goal, Spec),
    arg(N, Spec, Argument),
    arg(N, Goal, Sub),
    nth1(N, Ps, SubP),
    passed(Argument, Sub, SubP, Name, Arity, Kind, At).

passed(Argument, _, _, _, _, _, _) :- var(Argument), !, fail.
passed(0, Goal, P, Name, Arity, Kind, At) :- !, called(Goal, P, Name, Arity, Kind, At).
passed(^, Goal, P, Name, Arity, Kind, At) :- !, called(Goal, P, Name, Arity, Kind, At).
passed(//, Goal, P, Name, Arity, Kind, At) :- !, nonterminal(Goal, P, Name, Arity, Kind, At).
passed(More, Goal, P, Name, Arity, Kind, At) :- integer(More), closure(Goal, More, P, Name, Arity, Kind, At).

closure(Goal, _, _, _, _, _, _) :- var(Goal), !, fail.
closure(Goal, More, P0, Name, Arity, Kind, At) :-
    plain(P0, P),
    closure_(Goal, More, P, Name, Arity, Kind, At).

closure_(_:_, _, _, _, _, _, _) :- !, fail.
closure_('>>'(Parameters, Body), More, term_position(_, _, _, _, [_, P]), Name, Arity, Kind, At) :-
    !,
    ( Parameters = _/List -> true ; List = Parameters ),
    is_list(List),
    length(List, More),
    called(Body, P, Name, Arity, Kind, At).
closure_(_/_, _, _, _, _, _, _) :- !, fail.
closure_(_^_, _, _, _, _, _, _) :- !, fail.
closure_(\_, _, _, _, _, _, _) :- !, fail.
closure_(Goal, More, P, Name, Arity, closure, P) :-
    callable(Goal),
    \+ is_list(Goal),
    name_arity(Goal, Name, Arity0),
    Arity is Arity0 + More.

%   The meta-arguments of a goal, of the program's own predicates as they are declared.
spec_of(Goal, Spec) :-
    name_arity(Goal, Name, Arity),
    (   meta(Name, Arity, Spec0)
    ->  Spec = Spec0
    ;   head(Name, Arity)
    ->  fail
    ;   functor(Head, Name, Arity),
        ( built_in(Name, Arity) -> true ; in_library(Name, Arity) ),
        catch(predicate_property(lpbridge_scratch:Head, meta_predicate(Spec)), error(_, _), fail)
    ).

nonterminal(Body, _, _, _, _, _) :- var(Body), !, fail.
nonterminal(Body, P0, Name, Arity, Kind, At) :-
    plain(P0, P),
    nonterminal_(Body, P, Name, Arity, Kind, At).

nonterminal_(Body, term_position(_, _, _, _, [PA, PB]), Name, Arity, Kind, At) :-
    grammar_control(Body, A, B),
    !,
    (   nonterminal(A, PA, Name, Arity, Kind, At)
    ;   nonterminal(B, PB, Name, Arity, Kind, At)
    ).
nonterminal_(\+ A, term_position(_, _, _, _, [P]), Name, Arity, Kind, At) :- !, nonterminal(A, P, Name, Arity, Kind, At).
nonterminal_({Goal}, brace_term_position(_, _, P), Name, Arity, Kind, At) :- !, called(Goal, P, Name, Arity, Kind, At).
nonterminal_(Body, P, Name, Arity, Kind, At) :-
    callable(Body),
    \+ memberchk(Body, [!, [], {}]),
    \+ Body = [_|_],
    \+ Body = {_},
    \+ Body = _:_,
    name_arity(Body, Name0, Arity0),
    (   Name0 == call, Arity0 > 0
    ->  arg(1, Body, Closure),
        P = term_position(_, _, _, _, [P1|_]),
        More is Arity0 + 1,
        closure(Closure, More, P1, Name, Arity, Kind, At)
    ;   Name = Name0, Arity is Arity0 + 2, Kind = nonterminal, At = P
    ).

grammar_control((A '|' B), A, B).
grammar_control(Body, A, B) :- control(Body, A, B).
