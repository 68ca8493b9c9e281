"""What a problem is, whatever it comes from: a clingo program, a Prolog program with a goal, or what a part adds."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

#: What a solution of a problem is: a model, an answer to a goal, a grid.
S = TypeVar("S")


class Problem(Generic[S]):
    """Something that can be asked: has it a solution, which, and why?"""

    __slots__ = ()

    noun: ClassVar[str]  #: What people call it: `a clingo program`.
    #: The module that answers questions about it; `bridge.analysis.ask` imports it when the first one is asked.
    answers: ClassVar[str]
