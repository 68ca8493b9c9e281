"""What the JSON of each premise has: a rule, a fact, a goal, or a constraint that was posted.

Statements of a clingo program are in `bridge.problem.asp_oracle`, goals of a Prolog program in
`bridge.problem.fragments`, constraints that a goal has posted in `bridge.problem.posted`.
"""

from __future__ import annotations

from bridge.as_json import Key

SENTENCE = Key("sentence", str | None, lambda premise: premise.sentence or None)

#: What it is called and what it is, where it begins, and as its author wrote it.
COMMON = ("name kind *place text", SENTENCE)
