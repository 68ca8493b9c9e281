expr(X) --> term(X0), expr_rest(X0, X).
expr_rest(Acc, X) --> "+", !, term(Y), { Acc1 is Acc + Y }, expr_rest(Acc1, X).
expr_rest(Acc, X) --> "-", !, term(Y), { Acc1 is Acc - Y }, expr_rest(Acc1, X).
expr_rest(X, X) --> [].
term(X) --> digits(Ds), { number_codes(X, Ds) }.
digits([D|T]) --> digit(D), digits(T).
digits([D]) --> digit(D).
digit(D) --> [D], { code_type(D, digit) }.
value(A, X) :- atom_codes(A, Cs), phrase(expr(X), Cs).

% goal: value('12+3-4',X)
% goal: value('7',X)
% goal: value('1+',X)
% fault: Acc1 is Acc - Y => Acc1 is Y - Acc
% fault: expr_rest(X, X) --> [].\n =>
% fault: digits([D]) --> digit(D).\n => digits([]) --> digit(_).\n
% fault: expr_rest(Acc1, X).\nexpr_rest(X => expr_rest(Acc, X).\nexpr_rest(X
% fault: , { code_type(D, digit) } =>
% fault: term(X0), expr_rest(X0, X) => term(X0), expr_rest(X, X0)
% fault: { Acc1 is Acc + Y } => { Acc1 is Acc }
