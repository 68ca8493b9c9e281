/** <module> Read the source of a program: its clauses and their goals, with their places

The text is read, not loaded: nothing of the program runs. Goals are those that the author wrote, before goal
expansion, which clause/2 does not give.

A clause is a list

    [Kind, From, To, Name, Arity, BodyFrom, BodyTo, Goals, Variables, Cuts, Labels, Head]

  - Kind: `clause`, `fact` or `grammar` (a rule with `-->`), `other` (rules with `=>` and those of CHR).
  - From, To: offsets of the term in the text, in characters from 0. BodyFrom is -1 where there is no body.
  - Variables: the names of its variables.
  - Cuts: how many of the body's goals have to be left as they are since a cut comes after them.
  - Labels: `true` when a goal anywhere in the body labels, otherwise `false`.
  - Head: `[From, To]` of the arguments of the head that restrict what it unifies with, of a `clause` or `fact`: those
    that are not variables, and variables that stand for an argument before them, too.

A goal is a list [Kind, From, To, Name, Arity, Variables, Parts, Depth].

  - Kind: `goal`; `constraint`; `search` (labelling); `test` (not monotonic: negation, if-then-else, var/1);
    `fixed` (a cut, a side effect, or what comes before a cut); `terminal` (of a grammar rule).
  - Depth: 0 for a goal of the body or of a disjunction in it; 1 for one in a branch of an if-then-else.
  - Parts: `[Kind, From, To, Path, Text]` of parts of the goal: `leaf` (an atomic part of a compound argument),
    `argument` (a whole argument), `closure` (an argument that is a constraint without its last arguments).
  - `braces` follows for a goal in the braces of a grammar rule.
*/

:- module(lpbridge_source,
          [ source/4,       % +Text, +Operators, +Libraries, -Source
            open_source/2,  % +Text, -Stream
            next_term/6,    % +Stream, +Module, -Term, -Position, -Names, -Singletons
            reading_module/1, % -Module
            directive/2,    % +Directive, +Module
            load_directive/2, % +Directive, -Files
            defines/3,      % +Clause, -Name, -Arity
            name_arity/3,   % +Callable, -Name, -Arity
            sub_goal/2,     % +Term, -Goal
            plain/2,        % +Position0, -Position
            span/3          % +Position, -From, -To
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- autoload(library(prolog_xref), [xref_public_list/3]).   % takes longer to load than all of this
:- use_module(lpbridge_goal, [control/3]).

:- dynamic
    library_of/1,           % Name: a library that the text loads
    defined/2.              % Name, Arity: predicates that the text defines

%!  source(+Text, +Operators, +Libraries, -Source) is det.
%
%   Source is [Clauses, Libraries, Effects, Module]. Operators are `[Priority, Type, Name]` each, to begin with;
%   Libraries are names of libraries that are known to be loaded, and in Source those that the text loads. Effects is
%   `true` when the text changes clauses (assert/1, retract/1) or looks at them (clause/2), and otherwise `false`. Module is that of a module
%   file, otherwise `user`.

source(Text, Operators, Libraries, [Clauses, Loaded, Effects, Name]) :-
    retractall(library_of(_)),
    retractall(defined(_, _)),
    reading_module(Module),
    forall(member([Priority, Type, Name], Operators), catch(op(Priority, Type, Module:Name), _, true)),
    setup_call_cleanup(
        open_source(Text, Stream),
        read_terms(Stream, Module, Terms),
        close(Stream)),
    findall(Library, library_of(Library), Loaded),
    append(Libraries, Loaded, Known),
    maplist(clause_of(Known), Terms, Clauses0),
    append(Clauses0, Clauses),
    ( changes_clauses(Terms) -> Effects = true ; Effects = false ),
    ( Terms = [term((:- module(Name0, _)), _, _)|_], atom(Name0) -> Name = Name0 ; Name = user ).

:- dynamic module_number/1.
module_number(0).

%!  reading_module(-Module) is det.
%
%   Module is a fresh one, for the operators and flags of a text that is read.

reading_module(Module) :-
    retract(module_number(N0)),
    N is N0 + 1,
    assertz(module_number(N)),
    atom_concat(lpbridge_reading_, N, Module).

changes_clauses(Terms) :-
    member(term(Term, _, _), Terms),
    sub_goal(Term, Goal),
    name_arity(Goal, Name, Arity),
    memberchk(Name/Arity, [assert/1, asserta/1, assertz/1, retract/1, retractall/1, assert/2, clause/2, clause/3]),
    !.

sub_goal(Term, Goal) :- sub_term(Goal, Term), callable(Goal).

                /*******************************
                *            READING           *
                *******************************/

%!  open_source(+Text, -Stream) is det.
%
%   Stream reads Text. A first line `#!...` of a script is skipped.

open_source(Text, Stream) :-
    open_string(Text, Stream),
    (   peek_string(Stream, 2, "#!")
    ->  skip(Stream, 0'\n)
    ;   true
    ).

%!  next_term(+Stream, +Module, -Term, -Position, -Names, -Singletons) is det.
%
%   The next term of a source, read with the operators and flags of Module. A syntax error is raised; the term after it can
%   be read then. The handlers of quasi quotations are not called.

next_term(Stream, Module, Term, Position, Names, Singletons) :-
    read_term(Stream, Term,
              [ module(Module), subterm_positions(Position), variable_names(Names), singletons(Singletons),
                syntax_errors(error), dotlists(false), quasi_quotations(_)
              ]).

read_terms(Stream, Module, Terms) :-
    next_term(Stream, Module, Term, Position, Names, _),
    (   Term == end_of_file
    ->  Terms = []
    ;   note(Term, Module),
        Terms = [term(Term, Position, Names)|Terms1],
        read_terms(Stream, Module, Terms1)
    ).

note((:- Directive), Module) :- !, ignore(catch(directive(Directive, Module), _, true)).
note((?- _), _) :- !.
note(Term, _) :- defines(Term, Name, Arity), !, ( defined(Name, Arity) -> true ; assertz(defined(Name, Arity)) ).
note(_, _).

defines((Head :- _), Name, Arity) :- !, head(Head, Name, Arity).
defines((Head0 => _), Name, Arity) :-
    !,
    ( nonvar(Head0), Head0 = (Head, _) -> true ; Head = Head0 ),
    head(Head, Name, Arity).
defines((Head0 --> _), Name, Arity) :-
    !,
    ( nonvar(Head0), Head0 = (Head, _) -> true ; Head = Head0 ),
    head(Head, Name, Arity0),
    Arity is Arity0 + 2.
defines(Head, Name, Arity) :- head(Head, Name, Arity).

head(Head, _, _) :- var(Head), !, fail.
head(_:Head, Name, Arity) :- !, head(Head, Name, Arity).
head(Head, Name, Arity) :- callable(Head), name_arity(Head, Name, Arity).

%!  name_arity(+Callable, -Name, -Arity) is det.
%
%   As functor/3, of `f()`, too.

name_arity(Term, Name, Arity) :-
    (   compound(Term)
    ->  compound_name_arity(Term, Name, Arity)
    ;   Name = Term, Arity = 0
    ).

%!  directive(+Directive, +Module) is semidet.
%
%   Do what a directive says about the reading of what comes after it: operators, flags, libraries. Nothing else is run.

directive((A, B), Module) :- !, ignore(directive(A, Module)), directive(B, Module).
directive(module(_, Exports), Module) :- !, operators(Exports, Module).
directive(op(Priority, Type, Names), Module) :- !, op_in(Priority, Type, Names, Module).
directive(set_prolog_flag(Flag, Value), Module) :-
    memberchk(Flag, [double_quotes, back_quotes, rational_syntax, character_escapes, var_prefix]),
    !,
    set_prolog_flag(Module:Flag, Value).
directive(Directive, Module) :- load_directive(Directive, Files), loads(Files, Module).

load_directive(use_module(Files), Files).
load_directive(use_module(File, _), File).
load_directive(reexport(Files), Files).
load_directive(reexport(File, _), File).
load_directive(autoload(Files), Files).
load_directive(autoload(File, _), File).
load_directive(ensure_loaded(Files), Files).
load_directive(consult(Files), Files).
load_directive(load_files(Files), Files).
load_directive(load_files(Files, _), Files).
load_directive([File|Files], [File|Files]).

loads(Specs, Module) :- is_list(Specs), !, forall(member(Spec, Specs), ignore(loads(Spec, Module))).
loads(library(Library), Module) :-
    !,
    ( compound(Library) -> term_to_atom(Library, Name) ; Name = Library ),
    assertz(library_of(Name)),
    ignore(exported_operators(library(Library), Module)).
loads(_, _).

%   The file is read up to its module header, not loaded. Only files of the system.
exported_operators(Spec, Module) :-
    absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)]),
    current_prolog_flag(home, Home),
    sub_atom(Path, 0, _, _, Home),
    xref_public_list(Path, Path, [exports(Exports)]),
    operators(Exports, Module).

operators(Exports, Module) :-
    is_list(Exports),
    forall(member(op(Priority, Type, Names), Exports), op_in(Priority, Type, Names, Module)).

op_in(Priority, Type, _:Names, Module) :- !, op_in(Priority, Type, Names, Module).
op_in(Priority, Type, Names, Module) :- op(Priority, Type, Module:Names).

                /*******************************
                *            CLAUSES           *
                *******************************/

clause_of(_, term((:- _), _, _), []) :- !.
clause_of(_, term((?- _), _, _), []) :- !.
clause_of(Libraries, term(Term, Position0, Names), Clauses) :-
    plain(Position0, Position),
    (   kind(Term, Position, Libraries, Kind, Body, BodyPosition)
    ->  true
    ;   Kind = fact, BodyPosition = none
    ),
    (   defines(Term, Name, Arity)
    ->  span(Position, From, To),
        clause_parts(Kind, Body, BodyPosition, Names, Libraries, BodyFrom, BodyTo, Goals, Cuts),
        names(Term, Names, Variables),
        ( labels(Body) -> Labels = true ; Labels = false ),
        findall([PartFrom, PartTo], head_part(Kind, Term, Position, PartFrom, PartTo), Head),
        Clauses = [[Kind, From, To, Name, Arity, BodyFrom, BodyTo, Goals, Variables, Cuts, Labels, Head]]
    ;   Clauses = []
    ).

head_part(clause, (Head :- _), term_position(_, _, _, _, [Position, _]), From, To) :-
    !,
    head_part(fact, Head, Position, From, To).
head_part(fact, Head, Position0, From, To) :-
    plain(Position0, term_position(_, _, _, _, Positions)),
    Head \= _:_,
    nth1(N, Positions, Position),
    arg(N, Head, Argument),
    (   nonvar(Argument)
    ->  true
    ;   arg(Before, Head, Other), Before < N, Other == Argument
    ->  true
    ),
    span(Position, From, To).

labels(Body) :-
    nonvar(Body),
    sub_goal(Body, Goal),
    name_arity(Goal, Name, Arity),
    search(Name/Arity, _),
    !.

clause_parts(Kind, Body, BodyPosition, Names, Libraries, BodyFrom, BodyTo, Goals, Cuts) :-
    memberchk(Kind, [clause, grammar]),
    !,
    span(BodyPosition, BodyFrom, BodyTo),
    (   Kind == clause
    ->  body(Body, BodyPosition, context(Names, Libraries, 0), Goals0, [])
    ;   grammar(Body, BodyPosition, context(Names, Libraries, 0), Goals0, [])
    ),
    before_cut(Goals0, Goals, Cuts).
clause_parts(_, _, _, _, _, -1, -1, [], 0).

kind((_ :- Body), term_position(_, _, _, _, [_, Position]), _, clause, Body, Position).
kind((_ --> Body), term_position(_, _, _, _, [_, Position]), _, grammar, Body, Position).
kind((_ => _), _, _, other, true, none).
kind(Term, _, Libraries, other, true, none) :-
    memberchk(chr, Libraries),
    functor(Term, Name, 2),
    memberchk(Name, [<=>, ==>, @, \, pragma]).

%   What stands before a cut decides whether the clauses after this one count: it is left as it is.
before_cut(Goals0, Goals, Cuts) :-
    append(Before, [Cut|After], Goals0),
    has_cut(Cut),
    \+ ( member(Later, After), has_cut(Later) ),
    !,
    maplist(fix, Before, Fixed),
    append(Fixed, [Cut|After], Goals),
    length(Fixed, Fewer),
    Cuts is Fewer + 1.
before_cut(Goals, Goals, 0).

has_cut([fixed, _, _, !, 0|_]) :- !.
has_cut([_, _, _, _, _, _, _, cut]).

fix([_|Goal], [fixed|Goal]).

%   The names of the variables in a term.
names(Term, Names, Known) :-
    term_variables(Term, Variables),
    findall(Name, ( member(Name=Variable, Names), contains_var(Variable, Variables) ), Known).

                /*******************************
                *             GOALS            *
                *******************************/

%   Positions without the parentheses around.
plain(parentheses_term_position(_, _, Position0), Position) :- !, plain(Position0, Position).
plain(Position, Position).

span(Position, From, To) :- arg(1, Position, From), arg(2, Position, To).

body(Goal, Position, Context) -->
    { var(Goal) },
    !,
    one(goal, call(Goal), Position, Context).
body((A, B), Position, Context) -->
    { plain(Position, term_position(_, _, _, _, [PA, PB])) },
    !,
    body(A, PA, Context),
    body(B, PB, Context).
body(Goal, Position, Context) -->
    { nonvar(Goal), conditional(Goal) },
    !,
    one(test, Goal, Position, Context),
    branches(Goal, Position, Context).
body((A ; B), Position, Context) -->
    { plain(Position, term_position(_, _, _, _, [PA, PB])),
      \+ visible_cut((A ; B))
    },
    !,
    body(A, PA, Context),
    body(B, PB, Context).
body(_:Goal, Position0, Context) -->
    { plain(Position0, term_position(_, _, _, _, [_, _])), nonvar(Goal), control(Goal, _, _) },
    !,
    one(fixed, Goal, Position0, Context).
body(Goal, Position, context(Names, Libraries, Depth)) -->
    { kind_of(Goal, Libraries, Kind) },
    one(Kind, Goal, Position, context(Names, Libraries, Depth)).

conditional((A ; _)) :- nonvar(A), ( A = (_ -> _) ; A = (_ *-> _) ), !.
conditional((_ -> _)).
conditional((_ *-> _)).

%   The goals in the branches of an if-then-else, for proofs.
branches(Goal, Position, context(Names, Libraries, _)) -->
    { plain(Position, term_position(_, _, _, _, [PA, PB])) },
    (   { Goal = (If ; Else), nonvar(If), ( If = (_ -> _) ; If = (_ *-> _) ) }
    ->  branches(If, PA, context(Names, Libraries, 1)),
        body(Else, PB, context(Names, Libraries, 1))
    ;   { arg(2, Goal, Then) },
        body(Then, PB, context(Names, Libraries, 1))
    ).

one(Kind0, Goal0, Position, context(Names, Libraries, Depth0)) -->
    { span(Position, From, To),
      plain(Position, Plain),
      ( nonvar(Goal0), Goal0 = Module:Goal1, atom(Module), nonvar(Goal1) -> Goal = Goal1 ; Goal = Goal0 ),
      name_arity(Goal, Name, Arity),
      names(Goal0, Names, Known),
      findall(Part, part(Goal, Plain, Libraries, Names, Part), Parts),
      (   Kind0 == fixed, Goal == !
      ->  Kind = fixed, Depth = Depth0
      ;   visible_cut(Goal)
      ->  Kind = fixed, Depth = cut
      ;   has_effect(Goal)
      ->  Kind = fixed, Depth = Depth0
      ;   Kind = Kind0, Depth = Depth0
      )
    },
    [[Kind, From, To, Name, Arity, Known, Parts, Depth]].

visible_cut(Goal) :- var(Goal), !, fail.
visible_cut(!).
visible_cut((A, B)) :- ( visible_cut(A) ; visible_cut(B) ), !.
visible_cut((A ; B)) :- ( visible_cut(A) ; visible_cut(B) ), !.
visible_cut((_ -> B)) :- visible_cut(B).
visible_cut((_ *-> B)) :- visible_cut(B).

%   A side effect somewhere in a control construct.
has_effect(Goal) :-
    ( conditional(Goal) ; Goal = (_ , _) ; Goal = (_ ; _) ; Goal = (\+ _) ; Goal = once(_) ; Goal = forall(_, _) ;
      Goal = ignore(_) ; Goal = findall(_, _, _) ),
    sub_goal(Goal, Sub),
    callable(Sub),
    name_arity(Sub, Name, Arity),
    effect(Name/Arity),
    !.

kind_of(Goal0, Libraries, Kind) :-
    ( Goal0 = _:Goal, nonvar(Goal) -> true ; Goal = Goal0 ),
    name_arity(Goal, Name, Arity),
    (   defined(Name, Arity)
    ->  Kind = goal
    ;   constraint(Name/Arity, Library), known(Library, Libraries)
    ->  Kind = constraint
    ;   search(Name/Arity, Library), known(Library, Libraries)
    ->  Kind = search
    ;   effect(Name/Arity)
    ->  Kind = fixed
    ;   test(Name/Arity)
    ->  Kind = test
    ;   Kind = goal
    ).

known(-, _) :- !.
known(Library, Libraries) :- memberchk(Library, Libraries), !.

constraint(Name/2, clpfd) :-
    memberchk(Name, [ #=, #\=, #<, #>, #=<, #>=, in, ins, #\/, #/\, #\, #<==>, #==>, #<==, element, tuples_in,
                      global_cardinality, cumulative, chain, lex_chain ]).
constraint(Name/1, clpfd) :-
    memberchk(Name, [#\, all_different, all_distinct, circuit, cumulative, disjoint2, lex_chain]).
constraint(Name/3, clpfd) :- memberchk(Name, [sum, element, global_cardinality, automaton]).
constraint(scalar_product/4, clpfd).
constraint(automaton/8, clpfd).
constraint(sat/1, clpb).
constraint({}/1, clpq).
constraint({}/1, clpr).
constraint(dif/2, -).

search(label/1, clpfd).
search(labeling/2, clpfd).
search(indomain/1, clpfd).
search(labeling/1, clpb).

%   A cut, input and output, the database, global variables: run as they are, in every fragment.
effect(!/0).
effect(Name/Arity) :-
    memberchk(Name/Arity,
              [ assert/1, asserta/1, assertz/1, retract/1, retractall/1, abolish/1, nl/0, nl/1, write/1,
                write/2, print/1, print/2, writeln/1, writeln/2, writeq/1, write_canonical/1, write_term/2,
                write_term/3, format/1, format/2, format/3, tab/1, put_char/1, put_char/2, read/1, read/2,
                read_term/2, read_term/3, get_char/1, get_char/2, see/1, seen/0, tell/1, told/0, open/3, open/4,
                close/1, flush_output/0, flush_output/1, consult/1, halt/0, halt/1, throw/1, catch/3,
                b_setval/2, b_getval/2, nb_setval/2, nb_getval/2, setarg/3, nb_setarg/3, flag/3, gensym/2,
                random/1, random/3, random_between/3, random_member/2, print_message/2, shell/1, shell/2,
                use_module/1, abort/0, garbage_collect/0, statistics/2, get_time/1, tnot/1, call_cleanup/2,
                setup_call_cleanup/3, abolish_all_tables/0, portray_clause/1, listing/1, with_output_to/2,
                put_attr/3 ]).

%   Not monotonic: with less bound, or fewer goals, it may fail where it succeeded.
test(Name/Arity) :-
    memberchk(Name/Arity,
              [ (\+)/1, not/1, var/1, nonvar/1, (==)/2, (\==)/2, (\=)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2,
                (?=)/2, integer/1, float/1, number/1, rational/1, atom/1, atomic/1, string/1, compound/1,
                callable/1, is_list/1, ground/1, is_dict/1, must_be/2, is_of_type/2, copy_term/2, compare/3,
                sort/2, msort/2, sort/4, predsort/3, list_to_set/2, findall/3, findall/4, bagof/3, setof/3,
                forall/2, aggregate_all/3, aggregate_all/4, once/1, ignore/1, memberchk/2, subsumes_term/2,
                term_variables/2, include/3, exclude/3, partition/4, fd_dom/2, fd_inf/2, fd_sup/2, fd_size/2,
                fd_var/1, fd_degree/2, limit/2, order_by/2, distinct/1, distinct/2, call_nth/2, frozen/2,
                call_residue_vars/2, copy_term/3, nb_current/2, subtract/3, delete/3, intersection/3, union/3,
                is_set/1 ]).

                /*******************************
                *            GRAMMAR           *
                *******************************/

grammar(Body, Position, Context) -->
    { var(Body) },
    !,
    one(goal, Body, Position, Context).
grammar((A, B), Position, Context) -->
    { plain(Position, term_position(_, _, _, _, [PA, PB])) },
    !,
    grammar(A, PA, Context),
    grammar(B, PB, Context).
grammar(Body, Position, Context) -->
    { conditional(Body) },
    !,
    one(fixed, Body, Position, Context).
grammar(Body, Position, Context) -->
    { alternatives(Body, A, B),
      plain(Position, term_position(_, _, _, _, [PA, PB])),
      \+ visible_cut((A ; B))
    },
    !,
    grammar(A, PA, Context),
    grammar(B, PB, Context).
grammar({Goal}, Position, Context) -->
    { plain(Position, brace_term_position(_, _, Inner)) },
    !,
    in_braces(Goal, Inner, Context).
grammar(Body, Position, Context) -->
    { grammar_kind(Body, Kind) },
    one(Kind, Body, Position, Context).

alternatives((A ; B), A, B).
alternatives((A '|' B), A, B).

%   Marked, because what is put around them is another thing than around a nonterminal.
in_braces(Goal, Position, Context) -->
    { body(Goal, Position, Context, Goals0, []),
      maplist(marked, Goals0, Goals)
    },
    list(Goals).

marked(Goal, Marked) :- append(Goal, [braces], Marked).

list([]) --> [].
list([X|Xs]) --> [X], list(Xs).

grammar_kind(!, fixed) :- !.
grammar_kind([], fixed) :- !.
grammar_kind(\+ _, fixed) :- !.
grammar_kind(Body, terminal) :- ( is_list(Body) ; string(Body) ; Body = [_|_] ), !.
grammar_kind(_, goal).

                /*******************************
                *             PARTS            *
                *******************************/

part(Goal, term_position(_, _, _, _, Positions), _, Names, [argument, From, To, Path, Name]) :-
    compound(Goal),
    Goal \= (\+ _),
    nth1(N, Positions, Position),
    arg(N, Goal, Argument),
    span(Position, From, To),
    ( var(Argument), member(Name0=Variable, Names), Variable == Argument -> Name = Name0 ; Name = '' ),
    ( nonvar(Argument) ; Name \== '' ),
    atom_number(Path, N).
part(Goal, term_position(_, _, _, _, Positions), _, _, [leaf, From, To, Path, Written]) :-
    compound(Goal),
    nth1(N, Positions, Position),
    arg(N, Goal, Argument),
    compound(Argument),
    format(atom(Path0), '~w', [N]),
    leaf(Argument, Position, Path0, Path, Leaf, From, To),
    format(string(Written), '~q', [Leaf]).
part(Goal, term_position(_, _, _, _, [Position|_]), Libraries, _, [closure, From, To, '', Name]) :-
    compound(Goal),
    functor(Goal, maplist, Arity),
    arg(1, Goal, Closure),
    callable(Closure),
    functor(Closure, Name, Arity0),
    More is Arity0 + Arity - 1,
    kind_of_closure(Name/More, Libraries),
    span(Position, From, To).

kind_of_closure(Name/Arity, Libraries) :-
    \+ defined(Name, Arity),
    constraint(Name/Arity, Library),
    known(Library, Libraries),
    !.

%   The atomic parts of an argument, with the way to them: `[I]` is an element of a list, `.N` an argument.
leaf(Term, Position0, Path0, Path, Leaf, From, To) :-
    plain(Position0, Position),
    (   Position = list_position(_, _, Elements, _),
        nonvar(Term)
    ->  nth1(N, Elements, ElementPosition),
        element(N, Term, Element),
        format(atom(Path1), '~w[~d]', [Path0, N]),
        leaf(Element, ElementPosition, Path1, Path, Leaf, From, To)
    ;   Position = term_position(_, _, _, _, Positions),
        compound(Term)
    ->  nth1(N, Positions, ArgumentPosition),
        arg(N, Term, Argument),
        format(atom(Path1), '~w.~d', [Path0, N]),
        leaf(Argument, ArgumentPosition, Path1, Path, Leaf, From, To)
    ;   atomic(Term),
        Term \== [],
        Position = From-To
    ->  Path = Path0, Leaf = Term
    ).

element(1, [Element|_], Element) :- !.
element(N, [_|Rest], Element) :- N1 is N - 1, element(N1, Rest, Element).
