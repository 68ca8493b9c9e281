"""How much anybody may ask of the workbench: all its numbers in one place."""

from __future__ import annotations

#: Bytes of a question: a word list of 100,000 words is about a million.
MOST_BYTES = 2_000_000

#: Seconds to send it in.
SENDING = 10.0

#: Questions that wait for a free worker; whoever comes then is told to come again.
MOST_WAITING = 100

#: Seconds that one may wait.
WAITING = 30.0

#: Seconds that a worker has to stop by itself when nobody wants its answer any more, before it is killed.
PATIENCE = 0.15

#: Seconds of each question, and what a worker may take beyond what it had at first.
SECONDS = {
    "look": 8.0,
    "explain": 15.0,
    "compare": 30.0,
    "generate": 20.0,
    "read": 5.0,
    "write": 5.0,
    "picture": 6.0,
    "source": 5.0,
}
MEMORY = 1 << 30

#: Of these, what a diagnosis may take in all, and each engine of a comparison.
LOOK_SECONDS = 6.0
ROW_SECONDS = 3.0

#: A program of the user's own: seconds, memory, answers, and bytes that it may print.
PROGRAM_SECONDS = 10.0
PROGRAM_MEMORY = 512 << 20
MOST_ANSWERS = 100
MOST_OUTPUT = 200_000
