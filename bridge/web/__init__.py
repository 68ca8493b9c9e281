"""The workbench in the browser: `lpbridge serve`.

- A **question** is what a page asks of a puzzle: look at it, explain it, compare engines on it, make a new one.
- An answer comes in **parts**, a line of JSON each, the most important first.
- The **pool** has the processes that answer: confined, limited, and killed when they do not stop.

The one idea: this process serves files and carries lines, and nothing else. What a page sends is read by a process that
may neither write nor start nor connect to anything, and which is thrown away when it misbehaves.
"""
