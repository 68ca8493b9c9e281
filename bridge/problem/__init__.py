"""Problems: named rules and given facts, put to a solver as questions (`bridge.problem.questions`)."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.problem.asp import AspProblem as AspProblem
    from bridge.problem.asp_oracle import signature as signature
    from bridge.problem.asp_oracle import warnings_of as warnings_of
    from bridge.problem.clauses import PROLOG as PROLOG
    from bridge.problem.clauses import Clause as Clause
    from bridge.problem.clauses import Goal as Goal
    from bridge.problem.clauses import Reader as Reader
    from bridge.problem.clauses import Source as Source
    from bridge.problem.fragments import line_of as line_of
    from bridge.problem.front import is_prolog as is_prolog
    from bridge.problem.front import sources_of as sources_of
    from bridge.problem.posted import Posted as Posted
    from bridge.problem.posted import PostedConstraint as PostedConstraint
    from bridge.problem.problem import Problem as Problem
    from bridge.problem.prolog import PrologProblem as PrologProblem
    from bridge.problem.prolog import text_of as text_of
    from bridge.problem.questions import Reply as Reply
    from bridge.problem.questions import by_name as by_name
    from bridge.problem.questions import some as some
    from bridge.problem.residual import Residual as Residual
else:
    __getattr__, __dir__ = _exports(__name__)
