%   Programs in the style of those that language models write: each begins with a line of its own, and is asked solve(X).
%% word problem, clpq
:- use_module(library(clpq)).
% Natalia sold clips to 48 friends in April, and half as many in May.
solve(Total) :- { April = 48, May = April / 2, Total = April + May }.
%% word problem, clpq with a rational
:- use_module(library(clpq)).
solve(X) :- { Weng = 12, Minutes = 50, X = Weng * Minutes / 60 }.
%% word problem, clpr
:- use_module(library(clpr)).
solve(X) :- { Half = 15.5, 2 * X = Half + 3 }.
%% word problem, is
:- initialization(main).
price(apple, 3). price(pear, 5).
bought(apple, 4). bought(pear, 2).
total(T) :- findall(C, (bought(I, N), price(I, P), C is N * P), Cs), sum_list(Cs, T).
solve(X) :- total(X).
main :- total(T), format("The total is ~w~n", [T]).
%% initialization main, halt behind it
:- initialization(main, main).
main :- solve(X), print(X), nl, halt.
solve(X) :- X is 17 * 3.
%% initialization main that halts
:- initialization(main).
solve(X) :- X is 3 * 4 + 5.
main :- solve(X), format("~w~n", [X]), halt.
%% main of library(main)
:- use_module(library(main)).
:- initialization(main, main).
main(_) :- solve(X), print(X).
solve(18).
%% a directive that halts behind what it solves
solve(19).
:- solve(X), writeln(X), halt(0).
%% halt where it is not reached
solve(X) :- member(X, [1, 2]), ( X > 2 -> halt ; true ).
%% simplex
:- use_module(library(simplex)).
solve(V) :- gen_state(S0), constraint([x, y] =< 20, S0, S1), constraint([x] =< 12, S1, S2), maximize([3*x, 2*y], S2, S), objective(S, V).
%% clpfd, send more money
:- use_module(library(clpfd)).
puzzle([S,E,N,D] + [M,O,R,E] = [M,O,N,E,Y]) :-
    Vars = [S,E,N,D,M,O,R,Y], Vars ins 0..9, all_different(Vars),
    S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y,
    M #\= 0, S #\= 0.
solve(Vs) :- puzzle(P), term_variables(P, Vs), label(Vs).
%% clpfd, knapsack
:- use_module(library(clpfd)).
solve(V) :- Xs = [A,B,C], Xs ins 0..1, 3*A + 4*B + 5*C #=< 8, V #= 30*A + 50*B + 60*C, once(labeling([max(V)], Xs)).
%% clpfd, queens
:- use_module(library(clpfd)).
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), labeling([ff], Qs).
safe([]). safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).
no_attack(_, [], _).
no_attack(Q, [Q1|Qs], D) :- Q #\= Q1, abs(Q - Q1) #\= D, D1 is D + 1, no_attack(Q, Qs, D1).
solve(Qs) :- once(queens(6, Qs)).
%% clpfd, sudoku of four
:- use_module(library(clpfd)).
sudoku(Rows) :- length(Rows, 4), maplist(same_length(Rows), Rows), append(Rows, Vs), Vs ins 1..4, maplist(all_distinct, Rows), transpose(Rows, Cs), maplist(all_distinct, Cs).
solve(Rows) :- Rows = [[1,_,_,_],[_,2,_,_],[_,_,3,_],[_,_,_,4]], sudoku(Rows), append(Rows, Vs), once(label(Vs)).
%% clpfd, reified
:- use_module(library(clpfd)).
solve([A,B,C]) :- [A,B,C] ins 0..1, A #<==> (B #= 0), B #<==> (C #= 1), C #= 1, label([A,B,C]).
%% clpfd, scheduling
:- use_module(library(clpfd)).
solve(Ss) :- Ss = [S1,S2,S3], Ss ins 0..10, cumulative([task(S1,3,_,1,_),task(S2,2,_,1,_),task(S3,2,_,1,_)], [limit(1)]), S1 #< S2, S2 #< S3, once(label(Ss)).
%% clpb
:- use_module(library(clpb)).
solve([X,Y]) :- sat(X * ~Y), labeling([X,Y]).
%% zebra puzzle by member
right_of(X, Y, [Y,X|_]). right_of(X, Y, [_|T]) :- right_of(X, Y, T).
next_to(X, Y, L) :- right_of(X, Y, L) ; right_of(Y, X, L).
solve(Owner) :-
    Hs = [h(_,norwegian,_,_,_),_,h(_,_,_,milk,_),_,_],
    member(h(red,english,_,_,_), Hs), member(h(green,_,_,coffee,_), Hs), member(h(_,spanish,dog,_,_), Hs),
    member(h(_,ukrainian,_,tea,_), Hs), right_of(h(green,_,_,_,_), h(ivory,_,_,_,_), Hs),
    member(h(_,_,snails,_,winston), Hs), member(h(yellow,_,_,_,kools), Hs),
    next_to(h(_,_,_,_,chesterfield), h(_,_,fox,_,_), Hs), next_to(h(_,_,_,_,kools), h(_,_,horse,_,_), Hs),
    member(h(_,_,_,orange_juice,lucky), Hs), member(h(_,japanese,_,_,parliament), Hs),
    next_to(h(_,norwegian,_,_,_), h(blue,_,_,_,_), Hs), member(h(_,Owner,zebra,_,_), Hs), !.
%% family tree
:- dynamic parent/2, male/1.
parent(tom, bob). parent(bob, ann). parent(bob, pat). male(tom). male(bob).
grandfather(X, Z) :- parent(X, Y), parent(Y, Z), male(X).
solve(L) :- setof(Z, grandfather(tom, Z), L).
%% ancestors with tabling
:- table ancestor/2.
edge(a,b). edge(b,c). edge(c,a).
ancestor(X, Y) :- ancestor(X, Z), edge(Z, Y).
ancestor(X, Y) :- edge(X, Y).
solve(L) :- findall(Y, ancestor(a, Y), L0), sort(L0, L).
%% tabling with min
:- table path(_, _, min).
e(a,b,1). e(b,c,2). e(a,c,5).
path(X, Y, C) :- e(X, Y, C).
path(X, Y, C) :- path(X, Z, C0), e(Z, Y, C1), C is C0 + C1.
solve(C) :- path(a, c, C).
%% tabling with lattice
:- table longest(_, lattice(longer/3)).
longer(A, B, C) :- length(A, N), length(B, M), ( N >= M -> C = A ; C = B ).
w(k, [a]). w(k, [a,b]).
longest(K, L) :- w(K, L).
solve(L) :- longest(k, L).
%% fibonacci with memory
:- dynamic memo/2.
fib(N, F) :- memo(N, F), !.
fib(N, N) :- N < 2, !.
fib(N, F) :- N1 is N - 1, N2 is N - 2, fib(N1, F1), fib(N2, F2), F is F1 + F2, assertz(memo(N, F)).
solve(F) :- fib(60, F).
%% counter by retract and assert
:- dynamic counter/1.
counter(0).
increment :- retract(counter(N)), N1 is N + 1, assertz(counter(N1)).
solve(N) :- forall(between(1, 5, _), increment), counter(N).
%% retractall, and declared at run time
setup :- retractall(fact(_)), assertz(fact(1)), assertz(fact(2)).
:- dynamic(fact/1).
solve(S) :- setup, aggregate_all(sum(X), fact(X), S).
%% global variables
:- initialization(nb_setval(total, 0)).
add(X) :- nb_getval(total, T), T1 is T + X, nb_setval(total, T1).
solve(T) :- maplist(add, [1, 2, 3]), nb_getval(total, T).
%% b_setval
solve(X) :- b_setval(v, 1), ( b_setval(v, 2), fail ; true ), b_getval(v, X).
%% flag and gensym
:- use_module(library(gensym)).
solve(X-N) :- reset_gensym(node), gensym(node, X), flag(visits, N0, N0 + 1), flag(visits, N, N).
%% aggregate
:- use_module(library(aggregate)).
age(peter, 7). age(ann, 11). age(pat, 8).
solve(max(A, N)-C) :- aggregate_all(max(A0, N0), age(N0, A0), max(A, N)), aggregate_all(count, age(_, _), C).
%% aggregate with grouping
:- use_module(library(aggregate)).
sale(ann, 3). sale(bob, 4). sale(ann, 5).
solve(L) :- findall(P-S, aggregate(sum(X), sale(P, X), S), L).
%% bagof with a free variable
likes(ann, tea). likes(bob, tea). likes(bob, milk).
solve(L) :- findall(D-Ps, bagof(P, likes(P, D), Ps), L).
%% yall
:- use_module(library(yall)).
solve(L) :- maplist([X, Y]>>(Y is X * X), [1, 2, 3], L).
%% yall with free variables, foldl, include
:- use_module(library(apply)).
:- use_module(library(yall)).
solve(S) :- N = 2, include({N}/[X]>>(0 is X mod N), [1,2,3,4], L), foldl([X,A0,A]>>(A is A0 + X), L, 0, S).
%% partition and exclude
solve(A-B) :- partition([X]>>(X < 3), [1,5,2,4], A, B0), exclude([X]>>(X =:= 5), B0, B).
%% apply_macros
:- use_module(library(apply_macros)).
double(X, Y) :- Y is 2 * X.
solve(L) :- maplist(double, [1,2,3], L0), forall(member(X, L0), X > 0), L = L0.
%% grammar of sentences
sentence(s(NP, VP)) --> noun_phrase(NP), verb_phrase(VP).
noun_phrase(np(D, N)) --> [D], { member(D, [the, a]) }, [N], { member(N, [cat, dog]) }.
verb_phrase(vp(V, NP)) --> [V], { memberchk(V, [sees, chases]) }, noun_phrase(NP).
solve(T) :- phrase(sentence(T), [the, cat, chases, a, dog]), !.
%% grammar of expressions
:- set_prolog_flag(double_quotes, codes).
expr(V) --> term(T), expr_rest(T, V).
expr_rest(A, V) --> "+", !, term(T), { B is A + T }, expr_rest(B, V).
expr_rest(V, V) --> [].
term(V) --> digits(Ds), { Ds \= [], number_codes(V, Ds) }.
digits([D|T]) --> [D], { code_type(D, digit) }, !, digits(T).
digits([]) --> [].
solve(V) :- phrase(expr(V), "12+30").
%% dcg/basics
:- use_module(library(dcg/basics)).
item(K-V) --> string_without(`=`, Ks), "=", integer(V), { atom_codes(K, Ks) }.
items([I|Is]) --> item(I), ( ";" -> items(Is) ; { Is = [] } ).
solve(L) :- string_codes("a=1;b=22", Cs), phrase(items(L), Cs).
%% dcg/high_order
:- use_module(library(dcg/basics)).
:- use_module(library(dcg/high_order)).
solve(L) :- atom_codes('1, 2, 3', Cs), phrase(sequence(integer, (",", blanks), L), Cs).
%% pushback and call//N
look(X), [X] --> [X].
any([]) --> []. any([H|T]) --> [H], any(T).
solve(X) :- phrase((look(X), any(_)), [a, b]).
%% generated texts by a grammar
ab --> []. ab --> [a], ab, [b].
solve(L) :- length(L, 4), phrase(ab, L).
%% strings
solve(S) :- split_string("the quick brown fox", " ", "", Ws), maplist(string_length, Ws, Ls), sum_list(Ls, N), atomic_list_concat(Ws, '-', A), string_concat(A, "!", S0), string_upper(S0, S1), format(string(S), "~s ~d", [S1, N]).
%% reversal of words
solve(X) :- atom_chars(racecar, Cs), reverse(Cs, Rs), ( Cs == Rs -> X = palindrome ; X = no ).
%% caesar
shift(N, C0, C) :- ( code_type(C0, lower) -> C is (C0 - 0'a + N) mod 26 + 0'a ; C = C0 ).
solve(A) :- atom_codes('hello world', Cs0), maplist(shift(3), Cs0, Cs), atom_codes(A, Cs).
%% sub_atom, char_code, upcase
solve(L) :- findall(S, sub_atom(banana, _, 2, _, S), L0), sort(L0, L1), maplist(upcase_atom, L1, L).
%% library(strings)
:- use_module(library(strings)).
solve(L) :- dedent_lines("  a\n    b\n", D, []), string_lines(D, L).
%% read a term from text
solve(X) :- term_to_atom(f(A, B, A), T), read_term_from_atom(T, Y, []), Y = f(1, 2, _), arg(3, Y, X), A = 1, B = 2.
%% term_string and number_vars
solve(S) :- term_string(T, "foo(X, Y, X)"), copy_term(T, U), numbervars(U, 0, _), with_output_to(string(S), print(U)).
%% format, all kinds of columns
solve(S) :- format(string(S), "~w~t~10||~a~t~5+~2f~n~e ~q ~c~*c", [ab, cd, 3.14159, 2.0, 'A b', 65, 3, 0'x]).
%% output is a value
solve(S) :- with_output_to(string(S), ( write(a), nl, forall(member(X, [1,2]), ( write(X), write(' ') )), print('B') )).
%% assoc
:- use_module(library(assoc)).
count([], A, A).
count([X|Xs], A0, A) :- ( get_assoc(X, A0, N) -> N1 is N + 1 ; N1 = 1 ), put_assoc(X, A0, N1, A1), count(Xs, A1, A).
solve(L) :- empty_assoc(E), count([a,b,a], E, A), assoc_to_list(A, L).
%% pairs, msort, predsort
:- use_module(library(pairs)).
solve(L) :- Ps = [b-2, a-1, c-2], transpose_pairs(Ps, Q), group_pairs_by_key(Q, G), pairs_keys_values(G, K, V), predsort([O, A, B]>>compare(O, B, A), K, K1), L = K1/V.
%% ordsets, ugraphs
:- use_module(library(ordsets)).
:- use_module(library(ugraphs)).
solve(X) :- vertices_edges_to_ugraph([], [a-b, b-c], G), top_sort(G, T), reachable(b, G, R), ord_subtract(T, R, X).
%% rbtrees and heaps
:- use_module(library(rbtrees)).
:- use_module(library(heaps)).
solve(K-V) :- list_to_heap([3-c, 1-a], H), get_from_heap(H, _, K, _), rb_new(T0), rb_insert(T0, K, one, T), rb_lookup(K, V, T).
%% option
:- use_module(library(option)).
solve(A-B) :- Os = [depth(3)], option(depth(A), Os), option(width(B), Os, 7).
%% solution sequences
:- use_module(library(solution_sequences)).
p(3). p(1). p(2). p(1).
solve(L) :- findall(X, limit(2, order_by([desc(X)], distinct(X, p(X)))), L).
%% random with a seed
:- use_module(library(random)).
solve(N) :- set_random(seed(42)), random_between(1, 6, X), ( X >= 1, X =< 6 -> N = ok ; N = no ), random_permutation([1,2,3], P), length(P, 3), random_member(_, [a,b]).
%% dates without a clock
:- use_module(library(date)).
solve(D) :- parse_time('2024-02-28', iso_8601, T), T1 is T + 2 * 86400, format_time(atom(D), '%Y-%m-%d', T1).
%% a clock that is only looked at
solve(ok) :- get_time(T), statistics(runtime, [R|_]), statistics(cputime, C), T > 0, integer(R), C >= 0.
%% refused: chr
:- use_module(library(chr)).
:- chr_constraint gcd(?natural).
gcd(0) <=> true.
gcd(N) \ gcd(M) <=> N =< M | L is M mod N, gcd(L).
solve(X) :- gcd(9), gcd(6), find_chr_constraint(gcd(X)).
%% refused: nb_set
:- use_module(library(nb_set)).
solve(L) :- empty_nb_set(S), add_nb_set(a, S), add_nb_set(b, S), nb_set_to_list(S, L).
%% planner of blocks, breadth first
move(s(F, T), load(X), s(F1, [X|T])) :- length(T, N), N < 2, select(X, F, F1).
move(s(F, [X|T]), unload(X), s([X|F], T)).
bfs([[S|P]|_], _, G, R) :- G = S, !, reverse([S|P], R).
bfs([[S|P]|Q], V, G, R) :- findall([N,S|P], ( move(S, _, N), \+ memberchk(N, V) ), Ns), findall(N, member([N|_], Ns), Vs), append(V, Vs, V1), append(Q, Ns, Q1), bfs(Q1, V1, G, R).
solve(N) :- bfs([[s([a,b], [])]], [s([a,b], [])], s([], [_, _]), R), length(R, N).
%% water jugs, depth by depth
jug(X-Y, 4-Y) :- X < 4. jug(X-Y, X-3) :- Y < 3. jug(_-Y, 0-Y). jug(X-_, X-0).
jug(X-Y, A-B) :- X + Y >= 4, Y > 0, A = 4, B is Y - (4 - X). jug(X-Y, A-0) :- X + Y =< 4, Y > 0, A is X + Y.
jug(X-Y, A-B) :- X + Y >= 3, X > 0, B = 3, A is X - (3 - Y). jug(X-Y, 0-B) :- X + Y =< 3, X > 0, B is X + Y.
path(S, S, [S]). path(S, G, [S|P]) :- jug(S, T), path(T, G, P).
solve(N) :- length(P, N), path(0-0, 2-_, P), !.
%% hanoi, printed
hanoi(0, _, _, _) :- !.
hanoi(N, A, B, C) :- M is N - 1, hanoi(M, A, C, B), format("move from ~w to ~w~n", [A, B]), hanoi(M, C, B, A).
solve(done) :- hanoi(3, left, right, middle).
%% expert system with explanation
:- op(700, xfx, is_a). :- op(800, fx, if). :- op(790, xfx, then).
if X is_a bird then X is_a animal.
tweety is_a bird.
prove(G, fact(G)) :- clause_of(G).
prove(G, by(B)) :- if B then G, prove(B, _).
clause_of(tweety is_a bird).
solve(P) :- prove(tweety is_a animal, P).
%% meta interpreter
:- dynamic app/3.
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
mi(true) :- !. mi((A, B)) :- !, mi(A), mi(B). mi(G) :- clause(G, B), mi(B).
solve(X) :- mi(app([1], [2], X)).
%% exceptions
safe_div(X, Y, Z) :- catch(Z is X / Y, error(evaluation_error(E), _), ( print_message(silent, format("~w", [E])), Z = E )).
solve(Z) :- safe_div(1, 0, Z).
%% throw of a term of one's own, cleanup
solve(X) :- catch(setup_call_cleanup(true, throw(my_error(7)), true), my_error(X), true).
%% between, forall, once, ignore, if-then-else, soft cut
solve(L) :- findall(X, ( between(1, 20, X), ( X mod 3 =:= 0 -> true ; fail ), \+ X = 9, once(( member(X, [3,6,18,12]) ; true )), ignore(fail), ( member(X, [3]) *-> true ; true ) ), L).
%% dicts
solve(X) :- dict_create(D, point, [x-1, y-2]), get_dict(x, D, A), D2 = D.put(y, 5), X is A + D2.y.
%% coroutines
solve(X-Y) :- freeze(Y, Y > 3), when(ground(X), Y is X + 3), dif(X, 0), X = 2.
%% module of one's own
:- module(bank, [solve/1]).
:- use_module(library(lists)).
balance(ann, 10).
solve(B) :- balance(ann, B0), sum_list([B0, 5], B).
%% discontiguous, ensure_loaded, style
:- discontiguous a/1, b/1.
:- style_check(-singleton).
:- ensure_loaded(library(lists)).
a(1). b(1). a(2).
solve(L) :- findall(X-Y, ( a(X), b(Y) ), L).
%% set operations and last, nth0, sumlist
solve(X) :- list_to_set([a,b,a], S), union(S, [c], U), subtract(U, [b], D), nth0(1, D, E), last(U, L), max_list([1,4,2], M), sumlist([1,2], T), numlist(1, 3, N), exclude(==(2), N, N1), X = [E, L, M, T, N1].
%% codes and characters
solve(A) :- length(L, 3), maplist(=(x), L), atomic_list_concat(L, ',', A0), string_code(1, A0, C), char_code(Ch, C), atom_concat(Ch, A0, A).
%% refused: univ, functor, copy_term, call/N
solve(X) :- G =.. [plus, 1, 2], call(G, Y), functor(T, f, 2), arg(1, T, Y), arg(2, T, b), copy_term(T, X).
%% a table on the screen
row(Ws) :- forall(member(W, Ws), ( write(W), tab(2) )), nl.
solve(ok) :- row([a, b]), print_message(informational, format("rows: ~w", [1])), writeq('A'), write_canonical("s"), put_char(x), write_term(f(X, 'b c'), [quoted(true)]), X = 1.
%% numbers
solve(X) :- succ(P, 4), A is gcd(12, 18) + P, B is 2 ** 0.5, C is max(A, truncate(B)), X is C rdiv 6.
%% a text that grows in a global variable
solve(S) :- nb_setval(acc, ""), forall(between(1, 4, I), ( nb_getval(acc, A), format(string(B), "~w~d", [A, I]), nb_setval(acc, B) )), nb_getval(acc, S).
%% tokenizer with char types
tokens([]) --> [].
tokens([T|Ts]) --> ws, tok(T), !, ws, tokens(Ts).
ws --> [C], { char_type(C, space) }, !, ws. ws --> [].
tok(n(N)) --> ds(Ds), { Ds = [_|_], number_chars(N, Ds) }.
tok(p(C)) --> [C], { memberchk(C, [+, *, '(', ')']) }.
ds([D|T]) --> [D], { char_type(D, digit(_)) }, ds(T). ds([]) --> [].
solve(Ts) :- string_chars("12 * (3+4)", Cs), once(phrase(tokens(Ts), Cs)).
%% facts that are nowhere declared
solve(X) :- assertz(fact_of(1)), assertz(fact_of(2)), aggregate_all(max(Y), fact_of(Y), X).
%% rules that are added at run time
:- dynamic rule/1.
solve(X) :- assertz((rule(Y) :- member(Y, [1,2]))), findall(Z, rule(Z), X).
%% input that is not there
solve(X) :- read_term(user_input, T, []), ( T == end_of_file -> X = nothing ; X = T ).
%% ground facts by term_to_atom and a loop over lines
solve(L) :- split_string("p(1).\np(2).", "\n", "", Ls), maplist([S, T]>>( sub_string(S, 0, _, 1, S1), term_to_atom(T, S1) ), Ls, L).
%% input by characters and lines
solve([A, B, C, D, E]) :- get_char(A), peek_char(B), read_line_to_string(user_input, C), read_line_to_codes(user_input, D), read_string(user_input, _, E), at_end_of_stream.
%% prints a clause, collects garbage, has no prompt
solve(1) :- portray_clause((p(X) :- q(X, _), \+ r)), garbage_collect, prompt(_, '').
%% dynamic as a goal
solve(N) :- dynamic(count/1), dynamic([a/1, b/2]), assertz(count(3)), count(N).
%% tail of a search: limits on inferences and depth
solve(R) :- call_with_depth_limit(member(_, [a]), 10, D), ( integer(D) -> R = in ; R = out ).
%% refused: call_with_time_limit
:- use_module(library(time)).
solve(X) :- call_with_time_limit(5, X = 1).
%% call_with_inference_limit
solve(R) :- call_with_inference_limit(( repeat, fail ), 1000, R).
%% tnot and well-founded negation
:- table win/1.
win(X) :- m(X, Y), tnot(win(Y)).
m(a, b). m(b, c).
solve(L) :- findall(X, win(X), L).
%% text of atoms and strings
solve(X) :- atom_concat(abc, Y, abcdef), atom_string(A, "q"), term_to_atom(f(A), T), sformat_(T, Y, X).
sformat_(A, B, C) :- format(atom(C), '~a|~a', [A, B]).
%% text of parts
solve(X) :- atomics_to_string([a, 1, "b"], X).
%% listing of facts as text
:- dynamic q/1.
q(1). q(2).
solve(S) :- with_output_to(string(S), listing(q/1)).
