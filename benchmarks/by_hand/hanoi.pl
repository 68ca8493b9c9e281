hanoi(0, _, _, _, []).
hanoi(N, A, B, C, Moves) :- N > 0, M is N - 1, hanoi(M, A, C, B, M1), hanoi(M, C, B, A, M2), append(M1, [A-B|M2], Moves).
gcd(X, 0, X) :- X > 0.
gcd(X, Y, G) :- Y > 0, Z is X mod Y, gcd(Y, Z, G).
prime(2).
prime(N) :- N > 2, \+ divisible(N, 2).
divisible(N, D) :- D * D =< N, N mod D =:= 0.
divisible(N, D) :- D * D < N, D1 is D + 1, divisible(N, D1).
coins(0, _, []).
coins(S, [C|Cs], [C|Rest]) :- S >= C, S1 is S - C, coins(S1, [C|Cs], Rest).
coins(S, [_|Cs], Rest) :- S > 0, coins(S, Cs, Rest).

% goal: hanoi(2,a,b,c,M)
% goal: gcd(12,18,G)
% goal: prime(9)
% goal: prime(7)
% goal: prime(4)
% goal: coins(5,[2,1],L)
% fault: hanoi(M, A, C, B, M1) => hanoi(M, A, B, C, M1)
% fault: N > 0, M is => M is
% fault: X mod Y => X // Y
% fault: D * D =< N => D * D < N
% fault: gcd(Y, Z, G) => gcd(X, Z, G)
% fault: [A-B|M2] => [B-A|M2]
% fault: coins(S1, [C|Cs], Rest) => coins(S1, Cs, Rest)
% fault: S > 0, coins => coins
% fault: S >= C,  =>
% fault: \+ divisible => divisible
% fault: =:= 0 => =:= 1
% fault: prime(2).\n =>
% fault: gcd(X, 0, X) :- X > 0.\n => gcd(_, 0, 0).\n
