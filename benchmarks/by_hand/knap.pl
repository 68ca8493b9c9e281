:- use_module(library(clpfd)).
item(a, 3, 4). item(b, 4, 5). item(c, 2, 3).
knapsack(Cap, Xs, Value) :-
    findall(W, item(_, W, _), Ws),
    findall(V, item(_, _, V), Vs),
    length(Ws, N), length(Xs, N),
    Xs ins 0..1,
    scalar_product(Ws, Xs, #=<, Cap),
    scalar_product(Vs, Xs, #=, Value),
    once(labeling([max(Value)], Xs)).

% goal: knapsack(5, Xs, V)
% goal: knapsack(7,Xs,V)
% fault: #=<, Cap => #>=, Cap
% fault: Xs ins 0..1 => Xs ins 0..2
% fault: max(Value) => min(Value)
% fault: scalar_product(Vs, Xs, #=, Value) => scalar_product(Ws, Xs, #=, Value)
% fault: findall(V, item(_, _, V), Vs) => findall(V, item(_, V, _), Vs)
% fault:     scalar_product(Ws, Xs, #=<, Cap),\n =>
% fault:     Xs ins 0..1,\n =>
% fault: length(Xs, N) => length(Vs, N)
