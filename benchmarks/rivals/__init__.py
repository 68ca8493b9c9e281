"""The rivals: other solvers on the same instances, with the same question, checked by the same rules.

- A **rival** is a library or a program that people would use instead (`table.py`); ours stand in the same table.
- A **contender** is what a rival does with one kind of puzzle: a function from an instance and a number of solutions to
  grids. It builds its model anew each time, as a user of that library would.
- A **task** is a kind of puzzle, a question and instances (`tasks.py`).

The one idea: each rival runs in a process of its own (`child.py`), in an environment that has it. So one that hangs is
killed, one that crashes is reported, one that is missing is not an error, and none can disturb another.
"""
