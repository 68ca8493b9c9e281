"""The workbench in the browser: `lpbridge puzzle serve`.

- A **question** is a request of a page about a puzzle: look, explain, compare engines, generate.
- An answer is a sequence of **parts**, one line of JSON each, the most important first.
- The **pool** holds the worker processes: confined, limited, and killed if they do not stop.

The server process only serves files and forwards lines. Input of a page is parsed in a worker that may not write files,
start processes or open connections, and that is replaced when it fails.
"""
