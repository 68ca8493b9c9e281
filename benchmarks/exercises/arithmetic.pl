% length, sum, maximum, factorial, powers
% goal: len([a,b,c], N)
% goal: total([1,2,3], S)
% goal: biggest([1,4,2], M)
% goal: fact(4, F)
% goal: power(2, 3, P)
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
total([], 0).
total([X|T], S) :- total(T, R), S is R + X.
biggest([X], X).
biggest([X|T], X) :- biggest(T, M), X >= M.
biggest([X|T], M) :- biggest(T, M), X < M.
fact(0, 1).
fact(N, F) :- N > 0, M is N - 1, fact(M, G), F is N * G.
power(_, 0, 1).
power(B, N, P) :- N > 0, M is N - 1, power(B, M, Q), P is B * Q.
