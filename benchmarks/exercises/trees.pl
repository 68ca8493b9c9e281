% binary trees
% goal: in(X, t(t(nil,1,nil),2,t(nil,3,nil)))
% goal: size(t(t(nil,1,nil),2,nil), N)
% goal: depth(t(t(nil,1,nil),2,nil), N)
% goal: inorder(t(t(nil,1,nil),2,t(nil,3,nil)), L)
in(X, t(_, X, _)).
in(X, t(L, _, _)) :- in(X, L).
in(X, t(_, _, R)) :- in(X, R).
size(nil, 0).
size(t(L, _, R), N) :- size(L, A), size(R, B), N is A + B + 1.
depth(nil, 0).
depth(t(L, _, R), N) :- depth(L, A), depth(R, B), N is max(A, B) + 1.
inorder(nil, []).
inorder(t(L, X, R), Xs) :- inorder(L, A), inorder(R, B), append(A, [X|B], Xs).
