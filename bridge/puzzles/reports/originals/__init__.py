"""The algorithms of the reports as the reports describe them, kept apart from the engines.

A count of nodes says nothing without the algorithm that it belongs to. Each module here follows one report step by
step, with its order of variables, values and successors, and with its mistakes where a figure depends on them. The
counts are the same on every machine. Nothing outside `bridge.puzzles.reports` uses these modules: the engines are
faster.

- `backtracking`: report 1, the textbook's backtracking search, without inference and with arc consistency.
- `successors`: report 2, state search by a successor operator, with and without forward checking.
- `moves`: report 4, obvious moves first, then every open cell, searched in four orders.
- `placing`: report 5, words placed by forward checking, the most constrained word first.

Report 3 is a Prolog program on `library(clpfd)`: `report3` posts our encoding and labels as the report does.
"""
