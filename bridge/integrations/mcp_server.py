"""Tools for agents, by the Model Context Protocol: `lpbridge mcp`.

Each tool takes the text of a program (or the path of a file), calls one function of the bridge, and answers in what a
language model reads in a moment, as `--brief` does. Programs are confined and limited as
`lpbridge run --untrusted` confines them; an error says what to do next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial, wraps
from typing import Annotated, Any

import bridge
from bridge.cli.brief import brief, shortened
from bridge.errors import BridgeError, MissingSolverError
from bridge.limits import Limits

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
they do. Programs are given as text, or as the path of a .lp or .pl file. Prolog needs a goal. When a program has no
answer, call diagnose; when its answers are wrong, call debug with an atom that is missing or unwanted."""

Program = Annotated[str, Field(description="the text of a program, or the path of a .lp or .pl file")]
Goal = Annotated[str | None, Field(description="of Prolog: the goal, such as path(a, X)")]
Constants = Annotated[dict[str, str | int] | None, Field(description="values for #const")]
Seconds = Annotated[float, Field(description="time limit", gt=0, le=120)]


class Tools:
    """The tools, for programs that are trusted, and may read files and run scripts, or not."""

    def __init__(self, *, trusted: bool) -> None:
        self._confined: dict[str, Any] = {} if trusted else {"untrusted": True}

    def _problem(self, program: str, goal: str | None = None, constants: dict[str, Any] | None = None) -> Any:
        if goal is not None:
            return bridge.PrologProblem([program], goal, **self._confined)
        return bridge.AspProblem(program, constants=constants, memory=MEMORY, **self._confined)

    def run(
        self,
        program: Program,
        goal: Goal = None,
        constants: Constants = None,
        answers: Annotated[int, Field(description="how many answers, at most", ge=1, le=100)] = 3,
        seconds: Seconds = 10,
    ) -> str:
        """Run a program: its answers. Constraints that a Prolog answer leaves open are part of it."""
        problem = self._problem(program, goal, constants)
        stream = bridge.solutions(problem, limits=Limits(seconds=seconds, solutions=answers))
        found = stream.collect()
        lines = [f"answer {number}: {one}" for number, one in enumerate(found.solutions, 1)]
        if found.limit not in (None, "solutions"):
            lines.append(f"the limit on {found.limit} came before more was known")
        elif not found.solutions:
            lines.append("no answer (proved). Next: diagnose says which rules and facts clash.")
        else:
            lines.append("these are all" if found.complete else "there may be more: ask for more answers")
        return "\n".join([*lines, *self._warnings(problem)])

    def diagnose(self, program: Program, goal: Goal = None, constants: Constants = None, seconds: Seconds = 10) -> str:
        """Why a program has no answer: the rules and facts that clash, and what to take away. Or what is left open."""
        return brief(bridge.diagnose(self._problem(program, goal, constants), limits=Limits(seconds=seconds)))

    def debug(
        self,
        program: Program,
        missing: Annotated[list[str], Field(description="atoms that some answer should have, with all of these")] = [],  # noqa: B006
        unwanted: Annotated[list[str], Field(description="atoms that no answer should have")] = [],  # noqa: B006
        against: Annotated[str | None, Field(description="a program that is right, as text or path")] = None,
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
            given["instances"] = [facts]
        if against is not None:
            given["against"] = self._problem(against)
        return brief(bridge.debug(program, **given, **self._confined))

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
        generator: Annotated[str | None, Field(description="a program whose answers are instances")] = None,
        seconds: Seconds = 10,
    ) -> str:
        """Whether two clingo programs have the same answers; if not, a smallest instance on which they differ."""
        programs = [self._problem(program), self._problem(other)]
        limits = Limits(seconds=seconds)
        given: dict[str, Any] = {"instances": facts or None, "generator": generator, "show": show}
        found = bridge.compare(*programs, **given, limits=limits, deadline=3 * seconds)
        return brief(found)

    def _warnings(self, problem: Any) -> list[str]:
        if not isinstance(problem, bridge.AspProblem):
            return []
        found = bridge.lint(problem, limits=Limits(seconds=2)).findings
        return [f"{one.place}: {one.sentence}" for one in found if one.level == "error"][:3]


def _answered(tool: Callable[..., str], given: dict[str, Any]) -> str:
    try:
        return shortened(tool(**given))
    except BridgeError as error:
        raise ToolError(shortened(str(error))) from None


def server(*, trusted: bool = False) -> MCPServer:
    """The server with its tools; `.run()` speaks over standard input and output."""
    made = MCPServer("lpbridge", version=bridge.__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools = Tools(trusted=trusted)
    for tool in (tools.run, tools.diagnose, tools.debug, tools.test, tools.compare):

        @wraps(tool)
        async def called(tool: Callable[..., str] = tool, **given: Any) -> str:
            return await asyncio.to_thread(partial(_answered, tool, given))

        made.add_tool(called, structured_output=False)
    return made
