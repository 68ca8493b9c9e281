"""Tools for agents, by the Model Context Protocol: `lpbridge mcp`.

Each tool takes the texts of programs, or paths of programs in one folder, calls one function of the bridge, and answers
in what a language model reads in a moment, as `--brief` does. Programs are confined and limited as
`lpbridge run --untrusted` confines them; an error says what to do next.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, cast

import bridge
from bridge.cli.brief import brief, shortened
from bridge.cli.run_clingo import NOT_MINIMIZED
from bridge.common.english import how_ended
from bridge.common.files import inside
from bridge.common.languages import is_path
from bridge.errors import BridgeError, InputError, MissingSolverError
from bridge.limits import Limits
from bridge.outcome import Outcome

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import Field
except ModuleNotFoundError:
    raise MissingSolverError("the package mcp is not installed", hint="pip install 'lpbridge[mcp]'") from None

#: Bytes of memory for a clingo program; SWI-Prolog has a limit of its own.
MEMORY = 1_000_000_000

INSTRUCTIONS = """\
Run answer set programs (clingo) and Prolog programs (SWI-Prolog: clpfd, CHR, tabling) and find out why they answer as
they do. Programs are given as text, or as the path of a .lp or .pl file in the folder of the server; one of several
files is a list. Prolog needs a goal. When a program has no
answer, call diagnose; when its answers are wrong, call debug with an atom that is missing or unwanted."""

Program = Annotated[
    str | list[str],
    Field(description="the text of a program, or the path of a .lp or .pl file; a list, where it has several"),
]
Goal = Annotated[str | None, Field(description="of Prolog: the goal, such as path(a, X)")]
Constants = Annotated[dict[str, str | int] | None, Field(description="values for #const")]
Seconds = Annotated[float, Field(description="time limit", gt=0, le=120)]


class Tools:
    """The tools, for programs that are trusted, and may read files and run scripts, or not."""

    def __init__(self, folder: str, *, trusted: bool) -> None:
        self._folder = folder
        self._confined: dict[str, Any] = {} if trusted else {"untrusted": True}

    def _sources(self, program: str | list[str]) -> list[str | Path]:
        """Texts, and paths that are in the folder: no other file is ever opened, or quoted in an error."""
        several = [program] if isinstance(program, str) else program
        return [Path(inside(self._folder, one)) if is_path(one) else one for one in several]

    def _problem(
        self, program: str | list[str], goal: str | None = None, constants: dict[str, Any] | None = None
    ) -> Any:
        sources = self._sources(program)
        if goal is not None:
            return bridge.PrologProblem(sources, goal, **self._confined)
        return bridge.AspProblem(*sources, constants=constants, memory=MEMORY, **self._confined)

    def _facts(self, text: str) -> str | Path:
        """An instance, which is no program that may do anything."""
        problem = self._problem(text)
        return cast("str | Path", problem.sources[0])

    def run(
        self,
        program: Program,
        goal: Goal = None,
        constants: Constants = None,
        answers: Annotated[int, Field(description="how many answers, at most", ge=1, le=100)] = 3,
        optimal: Annotated[bool, Field(description="of clingo: only answers of least cost")] = False,
        seconds: Seconds = 10,
    ) -> str:
        """Run a program: its answers. Constraints that a Prolog answer leaves open are part of it."""
        problem = self._problem(program, goal, constants)
        limits = Limits(seconds=seconds, solutions=answers)
        if goal is None:
            return self._models(problem, limits, optimal)
        if optimal:
            raise InputError("`optimal` is for clingo", hint="leave it out, or leave the goal out")
        found = bridge.solutions(problem, limits=limits).collect()
        lines = [f"answer {number}: {one}" for number, one in enumerate(found.solutions, 1)]
        return "\n".join([*lines, _end(found)])

    def _models(self, problem: bridge.AspProblem, limits: Limits, optimal: bool) -> str:
        within = Limits(limits.seconds, limits.solutions, memory=MEMORY)
        with problem.program(limits=within) as program:
            found = program.optimal(limits=within) if optimal else program.models(project=True, limits=within).collect()
            lines = [f"answer {number}{_cost(one)}: {one}" for number, one in enumerate(found.solutions, 1)]
            lines.append(_end(found))
            if optimal and not (found.solutions and all(one.proved for one in found.solutions)) and not found.complete:
                lines.append("that none is better is not proved")
            if found.statistics.counters.get("minimize") and not optimal:
                lines.append(NOT_MINIMIZED.format("this question").replace("--optimal", "optimal: true"))
            return "\n".join([*lines, *program.warnings])

    def diagnose(self, program: Program, goal: Goal = None, constants: Constants = None, seconds: Seconds = 10) -> str:
        """Why a program has no answer: the rules and facts that clash, and what to take away. Or what is left open."""
        return brief(bridge.diagnose(self._problem(program, goal, constants), limits=Limits(seconds=seconds)))

    def debug(
        self,
        program: Program,
        missing: Annotated[list[str], Field(description="atoms that some answer should have, with all of these")] = [],  # noqa: B006
        unwanted: Annotated[list[str], Field(description="atoms that no answer should have")] = [],  # noqa: B006
        against: Annotated[Program | None, Field(description="a program that is right")] = None,
        facts: Annotated[str, Field(description="facts of the instance: edge(a,b). ...")] = "",
        goal: Goal = None,
        seconds: Seconds = 20,
    ) -> str:
        """Which line of a program with wrong answers is wrong, and a repair: say what is missing or unwanted, or give a
        program that is right; tests in the program's comments count, too."""
        given: dict[str, Any] = {"missing": missing, "unwanted": unwanted, "limits": Limits(seconds=seconds)}
        if goal is not None:
            return brief(bridge.debug(self._problem(program, goal), **given))
        if facts:
            given["instances"] = [self._facts(facts)]
        if against is not None:
            given["against"] = self._problem(against)
        return brief(bridge.debug(self._problem(program), **given, **self._confined))

    def test(self, program: Program, seconds: Seconds = 10) -> str:
        """Run the tests in the comments of a clingo program: `%! test NAME: models 2`, then `%! fact p(1).` lines.
        Expected is one of sat, unsat, unique, several, models N, cost N, every ATOMS, some ATOMS, no ATOMS."""
        return brief(bridge.test(self._problem(program), name_lines=seconds / 2, limits=Limits(seconds=seconds)))

    def compare(
        self,
        program: Program,
        other: Program,
        show: Annotated[str | None, Field(description="predicates that count: cell/3,edge/2")] = None,
        facts: Annotated[list[str], Field(description="instances, each the text of its facts")] = [],  # noqa: B006
        generator: Annotated[Program | None, Field(description="a program whose answers are instances")] = None,
        seconds: Seconds = 10,
    ) -> str:
        """Whether two clingo programs have the same answers; if not, a smallest instance on which they differ."""
        programs = [self._problem(program), self._problem(other)]
        limits = Limits(seconds=seconds)
        given: dict[str, Any] = {"instances": [*map(self._facts, facts)] or None, "show": show}
        if generator is not None:
            given["generator"] = self._problem(generator)
        found = bridge.compare(*programs, **given, limits=limits, deadline=3 * seconds)
        return brief(found)


def _cost(model: bridge.asp.Model) -> str:
    if not model.cost:
        return ""
    return f" (cost {', '.join(map(str, model.cost))}{', the least' * model.proved})"


def _end(found: Outcome[Any]) -> str:
    """How a search ended."""
    if found.limit not in (None, "solutions"):
        return how_ended(found.limit, "before more was known")
    if not found.solutions:
        return "no answer (proved). Next: diagnose says which rules and facts clash."
    return "these are all" if found.complete else "there may be more: ask for more answers"


def _answered(tool: Callable[..., str], given: dict[str, Any]) -> str:
    try:
        return shortened(tool(**given))
    except BridgeError as error:
        raise ToolError(shortened(str(error))) from None


def server(folder: str = ".", *, trusted: bool = False) -> MCPServer:
    """The server with its tools, for programs in a folder; `.run()` speaks over standard input and output."""
    made = MCPServer("lpbridge", version=bridge.__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools = Tools(os.path.realpath(folder), trusted=trusted)
    for tool in (tools.run, tools.diagnose, tools.debug, tools.test, tools.compare):

        @wraps(tool)
        async def called(tool: Callable[..., str] = tool, **given: Any) -> str:
            return await asyncio.to_thread(partial(_answered, tool, given))

        made.add_tool(called, structured_output=False)
    return made
