% Run: swipl -g run_tests -t halt lpbridge_posted.plt

:- use_module(library(plunit)).
:- use_module(library(clpfd)).
:- use_module(lpbridge_posted, []).

q(['X'=X, 'Ys'=[Y]]) :-
    lpbridge_posted:post(1, ['X'=X, 'Y'=Y], [X, Y] ins 1..2),
    lpbridge_posted:post(2, ['X'=X, 'Y'=Y], X #> Y),
    lpbridge_posted:post(3, ['Z'=Z, 'X'=X], Z #= 1 + 1),
    lpbridge_posted:post(4, ['X'=X, 'Y'=Y, 'Z'=Z], X + Y #= Z),
    lpbridge_posted:labelled(label([X, Y])).

structure(['N'=N]) :- lpbridge_posted:post(1, ['N'=N], N #= 2), length(_, N).

choice(['X'=X]) :- member(X, [1, 2]), lpbridge_posted:post(1, [], X #> 0).

called(['Xs'=Xs]) :- Xs = [_, _], lpbridge_posted:at(1), maplist(all_distinct, [Xs]).

waiting(['X'=X]) :- freeze(X, true), lpbridge_posted:post(1, [], X #> 0).

far(['X'=X]) :- lpbridge_posted:post(1, [], X #> 5000).

recorded(Query, Reply) :- lpbridge_posted:record(Query, 1_000_000, false, [], Reply).

:- begin_tests(posted).

test(recorded, Texts == ["[X, Ys[1]]ins 1..2", "X#>Ys[1]", "X+Ys[1]#=2"]) :-
    recorded(q(_), [one, 3]),
    lpbridge_posted:instances(Instances),
    findall(Text, member([_, Text, _, _], Instances), Texts).

test(follows, Reply == [same, 3]) :- recorded(q(_), _), lpbridge_posted:follows(q(_), 1_000_000, Reply).

test(hold, Replies == [fails, succeeds]) :-
    recorded(q(_), _),
    findall(Reply,
            ( member(Indices, [[1, 2, 3], [1, 2]]), lpbridge_posted:hold(Indices, true, 1_000_000, Reply) ),
            Replies).

test(open, Reply == open) :-
    lpbridge_posted:record(far(_), 1_000_000, false, [], [one, _]),
    lpbridge_posted:hold([1], true, 1_000_000, Reply).

test(domains, Domains == [['X', [1, 2]], ['Ys[1]', [1, 2]]]) :- recorded(q(_), _), lpbridge_posted:domains(Domains).

test(what_the_program_goes_on_with, Word == several) :- recorded(structure(_), [Word|_]).

test(several, Word == several) :- recorded(choice(_), [Word|_]).

test(called_by_its_name, Texts == ["all_distinct([Xs[1], Xs[2]])"]) :-
    recorded(called(_), _),
    lpbridge_posted:instances(Instances),
    findall(Text, member([_, Text, _, _], Instances), Texts).

test(waits, Word == waits) :- recorded(waiting(_), [Word|_]).

test(posted_as_usual, fail) :- q(_).

:- end_tests(posted).
