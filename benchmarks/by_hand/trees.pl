insert(nil, X, t(nil,X,nil)).
insert(t(L,Y,R), X, t(L1,Y,R)) :- X < Y, insert(L, X, L1).
insert(t(L,Y,R), X, t(L,Y,R1)) :- X >= Y, insert(R, X, R1).
build([], T, T).
build([X|Xs], T0, T) :- insert(T0, X, T1), build(Xs, T1, T).
walk(nil, []).
walk(t(L,X,R), Xs) :- walk(L, A), walk(R, B), append(A, [X|B], Xs).
sorted(L, S) :- build(L, nil, T), walk(T, S).
leaves(nil, 0).
leaves(t(nil,_,nil), 1) :- !.
leaves(t(L,_,R), N) :- leaves(L, A), leaves(R, B), N is A + B.

% goal: sorted([3,1,2],S)
% goal: sorted([],S)
% goal: leaves(t(t(nil,1,nil),2,nil),N)
% goal: leaves(t(t(nil,1,nil),2,t(nil,3,nil)),N)
% fault: insert(nil, X, t(nil,X,nil)).\n =>
% fault: X < Y, insert => insert
% fault: build([], T, T).\n =>
% fault: walk(nil, []).\n =>
% fault: [X|B] => B
% fault: leaves(t(nil,_,nil), 1) :- !.\n =>
% fault: build(Xs, T1, T) => build(Xs, T0, T)
% fault: sorted(L, S) :- build(L, nil, T), walk(T, S) => sorted(L, S) :- build(L, nil, T), walk(S, T)
