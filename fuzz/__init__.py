"""Campaigns that look for wrong answers: random cases, each compared with a naive solution or with the solver itself.

    python -m fuzz --seconds 600 --seed 1 --only crossword,asp --json

- A **campaign** makes cases from random numbers and checks one case at a time (`fuzz.campaign`).
- A **case** is plain JSON. The seed of a run and a number determine it.
- A **failure** is a case that the check refuses. It is reduced to a smallest case before it is reported.

Puzzles are compared with `fuzz.naive`, which shares no code with the package under test.
"""
