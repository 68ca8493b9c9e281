% lists turned round, with an accumulator
% goal: rev([a,b,c], R)
% goal: rev([], R)
% goal: palindrome([a,b,a])
% goal: palindrome([a,b])
rev(L, R) :- rev(L, [], R).
rev([], R, R).
rev([X|Xs], A, R) :- rev(Xs, [X|A], R).
palindrome(L) :- rev(L, L).
