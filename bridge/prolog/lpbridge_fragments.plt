% Run: swipl -g run_tests -t halt lpbridge_fragments.plt

:- use_module(library(plunit)).
:- use_module(lpbridge_fragments).

p(X) :- ( on(1) -> X = a ; true ), ( on(2) -> X = b ; true ).

ask(Goal, Off, Reply) :-
    start(Off),
    (   catch(call_with_inference_limit(Goal, 1000, Result), Error, true)
    ->  true
    ;   Result = fails
    ),
    reply(Result, Error, Reply).

:- begin_tests(fragments).

test(fails, Reply == [fails, "", [1, 2]]) :- ask(user:p(_), [], Reply).

test(generalised, [true(Word == succeeds), nondet]) :- ask(user:p(_), [2], [Word|_]).

test(does_not_end, Word == inferences) :- ask((repeat, fail), [], [Word|_]).

test(raises, Word-Text == raises-"type_error(evaluable,foo/0)") :- ask(_ is foo, [], [Word, Text, _]).

test(memory, Word == memory) :- ask(throw(error(resource_error(memory), _)), [], [Word|_]).

test(given, X-Y == 1-2) :-
    start([8]),
    given(7, X, 1),
    given(8, Y, 1),
    Y = 2.

:- end_tests(fragments).
