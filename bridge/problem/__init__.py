"""Problems: named rules and given facts, put to a solver as questions (`bridge.problem.questions`)."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.problem.asp import AspProblem as AspProblem
    from bridge.problem.asp_oracle import signature as signature, warnings_of as warnings_of
    from bridge.problem.clauses import PROLOG as PROLOG, Clause as Clause, Goal as Goal, Reader as Reader
    from bridge.problem.clauses import Source as Source
    from bridge.problem.fragments import line_of as line_of
    from bridge.problem.front import is_prolog as is_prolog, sources_of as sources_of
    from bridge.problem.posted import Posted as Posted, PostedConstraint as PostedConstraint
    from bridge.problem.problem import Problem as Problem
    from bridge.problem.prolog import PrologProblem as PrologProblem, text_of as text_of
    from bridge.problem.questions import Reply as Reply, by_name as by_name, some as some
    from bridge.problem.residual import Residual as Residual
else:
    __getattr__, __dir__ = _exports(__name__)
