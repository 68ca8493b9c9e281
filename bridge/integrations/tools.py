"""The tools of `lpbridge mcp`: each takes a program, calls one function of the bridge, and answers twice.

It answers in what a language model reads in a moment, as `--brief` does, and with the object that the command of its
name prints under `--json`.

A program is a text, a path in one folder, or a name under which one is **kept**; several of these are one program.
**Edits** change it for one question. Programs are confined and limited as `lpbridge run --untrusted` does it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import bridge
from bridge.cli.schemas import Failed
from bridge.cli.values import answer_json, model_json
from bridge.common.english import how_ended, listed
from bridge.common.files import inside, read_program
from bridge.common.languages import is_path, language_of_path, language_of_text
from bridge.common.warned import as_json as warnings_json
from bridge.errors import InputError
from bridge.limits import Limits
from bridge.outcome import Outcome

#: Bytes of memory for a clingo program; SWI-Prolog has a limit of its own.
MEMORY = 1_000_000_000

#: The most programs that are kept, and the most characters of them together.
KEPT, CHARACTERS = 100, 20_000_000

_NAME = re.compile(r"(?P<name>[A-Za-z][\w-]{0,63})(@(?P<hash>[0-9a-f]+))?", re.ASCII)

_STRINGS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
_TEXT = "the text of a program, the path of a .lp or .pl file, or the name of one that is kept (NAME, or NAME@HASH)"
_EDIT: dict[str, Any] = {"type": "object", "properties": {"old": {"type": "string"}, "new": {"type": "string"}}}
_EDIT |= {"required": ["old", "new"], "additionalProperties": False}
_WHAT_IF = "what if: texts of the program to replace, for this call; `old` stands there once, and is empty to add `new`"

Source = str | Path
#: What `Tools.sources` has made of an argument.
Program = Annotated[list[Source], {**_STRINGS, "description": f"{_TEXT}; a list, where it has several"}]
Facts = Annotated[list[Source] | None, {**_STRINGS, "description": "facts of the instance: edge(a,b). ..."}]
Instances = Annotated[Sequence[str], {"description": "instances, each the text of its facts"}]
Edits = Annotated[list[dict[str, str]], {"type": "array", "items": _EDIT, "description": _WHAT_IF}]
Goal = Annotated[str | None, {"description": "of Prolog: the goal, such as path(a, X)"}]
Constants = Annotated[dict[str, str | int] | None, {"description": "of clingo: values for #const"}]
Seconds = Annotated[float, {"description": "time limit", "exclusiveMinimum": 0, "maximum": 120}]
Answers = Annotated[int, {"description": "how many answers, at most", "minimum": 1, "maximum": 100}]

#: The arguments that are programs.
PROGRAMS = frozenset(("program", "other", "against", "generator", "facts"))


class Kept(TypedDict):
    """A program that is kept: its name, the hash of its text, and the names and hashes of all that are."""

    name: str
    hash: str
    lines: int
    programs: dict[str, str]


class Found(NamedTuple):
    """An answer of a tool: as text, and as JSON."""

    text: str
    data: dict[str, Any]


class Tools:
    """The tools, for programs that are trusted, and may read files and run scripts, or not."""

    def __init__(self, folder: str, *, trusted: bool) -> None:
        self._folder = folder
        self._confined: dict[str, Any] = {} if trusted else {"untrusted": True}
        self._kept: dict[str, tuple[str, ...]] = {}
        self._lock = Lock()

    # Programs

    def sources(self, program: str | list[str], edits: Sequence[dict[str, str]] = ()) -> list[Source]:
        """Texts, and paths that are in the folder: no other file is ever opened, or quoted in an error."""
        found: list[Source] = []
        for one in [program] if isinstance(program, str) else program:
            if (name := _NAME.fullmatch(one)) is not None:
                found += self._named(name["name"], name["hash"])
            else:
                found.append(Path(inside(self._folder, one)) if is_path(one) else one)
        return list[Source](_edited(_texts(found), edits)) if edits else found

    def _named(self, name: str, digest: str | None) -> tuple[str, ...]:
        texts = self._kept.get(name)
        if texts is None:
            names = f"kept: {listed(sorted(self._kept))}" if self._kept else "none is kept: `register` keeps one"
            raise InputError(f"no program is kept as {name}, and a text has a dot at its end", hint=names)
        if digest is not None and digest != _hash(texts):
            raise InputError(f"{name} has changed: it is {name}@{_hash(texts)}", hint="ask again with this hash")
        return texts

    def _asp(self, program: Sequence[Source], constants: dict[str, Any] | None = None) -> bridge.AspProblem:
        return bridge.AspProblem(*program, constants=constants, memory=MEMORY, **self._confined)

    def _problem(self, program: list[Source], goal: str | None, constants: dict[str, Any] | None = None) -> Any:
        if goal is None:
            return self._asp(program, constants)
        if constants:
            raise InputError("`constants` are for clingo", hint="leave them out, or leave the goal out")
        return bridge.PrologProblem(program, goal, **self._confined)

    def register(self, name: str, program: Program) -> Found:
        """Keep a program under a name, with the hash of its text: in other calls the name stands for it. With `edits`
        of one that is kept: change it; as NAME@HASH only where it is still what it was."""
        if (match := _NAME.fullmatch(name)) is None or match["hash"]:
            raise InputError(f"{name[:80]!r} is not a name", hint="a letter, then letters, digits, _ and -")
        texts = tuple(_texts(program))
        with self._lock:
            kept = {**self._kept, name: texts}
            if len(kept) > KEPT or sum(len(one) for each in kept.values() for one in each) > CHARACTERS:
                most = f"at most {KEPT} programs of {CHARACTERS:,} characters together are kept"
                raise InputError(most, hint="register a new one under a name that is there")
            self._kept = kept
        hashes = {one: _hash(each) for one, each in sorted(kept.items())}
        lines = sum(one.count("\n") + (not one.endswith("\n")) for one in texts)
        return Found(f"{name}@{hashes[name]}", {"name": name, "hash": hashes[name], "lines": lines, "programs": hashes})

    # Questions

    def run(self, program: Program, goal: Goal = None, constants: Constants = None, answers: Answers = 3,
            optimal: Annotated[bool, {"description": "of clingo: only answers of least cost"}] = False,
            seconds: Seconds = 10) -> Found:
        """Run a program: its answers. Constraints that a Prolog answer leaves open are part of it."""
        problem = self._problem(program, goal, constants)
        limits = Limits(seconds, answers, memory=MEMORY)
        if goal is None:
            return _models(problem, limits, optimal)
        if optimal:
            raise InputError("`optimal` is for clingo", hint="leave it out, or leave the goal out")
        return _answers(problem, limits)

    def diagnose(self, program: Program, goal: Goal = None, constants: Constants = None,
                 seconds: Seconds = 10) -> Found:
        """Why a program has no answer: the rules and facts that clash, and what to take away. Or what is left open."""
        from bridge.cli.diagnose import certain_beside
        from bridge.cli.of_goals import noticed_beside

        problem = self._problem(program, goal, constants)
        found = bridge.diagnose(problem, limits=Limits(seconds=seconds))
        return _beside(found, certain_beside(found) if goal is None else noticed_beside(problem, found))

    def why(self, program: Program,
            atom: Annotated[str | None, {"description": "of clingo: an atom, such as at(math,1)"}] = None,
            absent: Annotated[bool, {"description": "why the atom does not hold"}] = False,
            rather_than: Annotated[str | None, {"description": "another atom: why the first and not this one"}] = None,
            cost: Annotated[bool, {"description": "in place of an atom: why the lowest cost is not lower"}] = False,
            goal: Goal = None, constants: Constants = None, seconds: Seconds = 10) -> Found:
        """Why an atom holds or not: the rules that force it, forbid it, or derive it. Of a goal: the proof of its first
        answer."""
        from bridge.cli.certain import certain_of_goal
        from bridge.cli.why import certain_beside

        problem = self._problem(program, goal, constants)
        if goal is not None:
            return _beside(bridge.why(problem, limits=Limits(seconds=seconds)), certain_of_goal(problem))
        question: dict[str, Any] = {"holds": not absent, "rather_than": rather_than, "cost": cost}
        found = bridge.why(problem, atom, limits=Limits(seconds=seconds), **question)
        return _beside(found, certain_beside(problem, found)[0])

    def lint(self, program: Program, instances: Annotated[bool, {"description": "of clingo: ground it, too"}] = False,
             language: Literal["clingo", "prolog"] | None = None, seconds: Seconds = 10) -> Found:
        """What is probably wrong in a program, by its text: misspelt predicates, unsafe variables, and so on."""
        first = program[0]
        own = language_of_path(str(first)) if isinstance(first, Path) else language_of_text(first)
        limits = Limits(seconds=seconds)
        if (language or own) == "prolog":
            from bridge.linting.prolog import lint_prolog

            return _found(lint_prolog(program, alone=bool(self._confined), limits=limits))
        return _found(bridge.lint(self._asp(program), instances=instances, limits=limits))

    def profile(self, program: Program, goal: Goal = None, constants: Constants = None, seconds: Seconds = 20) -> Found:
        """Why a program is slow or large: which rule or goal, and rewritings that keep the answers."""
        from bridge.cli.certain import certain_of, certain_of_goal

        problem = self._problem(program, goal, constants)
        found = bridge.profile(problem, limits=Limits(seconds=seconds))
        warnings = () if found.grounding is None else found.grounding.warnings
        return _beside(found, certain_of(problem, warnings) if goal is None else certain_of_goal(problem))

    def debug(self, program: Program,
              missing: Annotated[Sequence[str], {"description": "atoms that some answer should have, together"}] = (),
              unwanted: Annotated[Sequence[str], {"description": "atoms that no answer should have"}] = (),
              against: Annotated[list[Source] | None, {**_STRINGS, "description": "a program that is right"}] = None,
              facts: Facts = None, goal: Goal = None, seconds: Seconds = 20) -> Found:
        """Which line of a program with wrong answers is wrong, and a repair: say what is missing or unwanted, or give a
        program that is right; tests in the program's comments count, too."""
        given: dict[str, Any] = {"missing": missing, "unwanted": unwanted, "limits": Limits(seconds=seconds)}
        if goal is not None:
            return _found(bridge.debug(self._problem(program, goal), **given))
        if facts:
            given["instances"] = self._asp(facts).sources
        if against is not None:
            given["against"] = self._asp(against)
        return _found(bridge.debug(self._asp(program), **given))

    def test(self, program: Program, seconds: Seconds = 10) -> Found:
        """Run the tests in the comments of a clingo program: `%! test NAME: models 2`, then `%! fact p(1).` lines.
        Expected is one of sat, unsat, unique, several, models N, cost N, every ATOMS, some ATOMS, no ATOMS."""
        return _found(bridge.test(self._asp(program), name_lines=seconds / 2, limits=Limits(seconds=seconds)))

    def compare(
        self,
        program: Program,
        other: Program,
        show: Annotated[str | None, {"description": "predicates that count: cell/3,edge/2"}] = None,
        facts: Instances = (),
        generator: Annotated[list[Source] | None, {**_STRINGS, "description": "its answers are instances"}] = None,
        seconds: Seconds = 10,
    ) -> Found:
        """Whether two clingo programs have the same answers; if not, a smallest instance on which they differ."""
        instances: Any = [source for one in facts for source in self._asp(self.sources(one)).sources] or None
        if generator is not None:
            if facts:
                raise InputError("the instances are facts, or come from a generator, not both", hint="leave one out")
            instances = bridge.Generator(self._asp(generator))
        given: dict[str, Any] = {"instances": instances, "show": show, "deadline": 3 * seconds}
        programs = self._asp(program), self._asp(other)
        return _found(bridge.compare(*programs, **given, limits=Limits(seconds=seconds)))


#: The tools, in the order in which they are listed.
TOOLS: tuple[Callable[..., Found], ...] = (
    Tools.run, Tools.diagnose, Tools.why, Tools.lint, Tools.debug, Tools.test, Tools.compare, Tools.profile,
    Tools.register,
)  # fmt: skip


def forms_of(tool: str) -> tuple[Any, ...]:
    """The forms of a tool's object: those of the command of that name, and of an error."""
    from bridge.cli.forms import FORMS

    return (*FORMS.get(tool, (Kept,)), Failed)


def _texts(sources: Sequence[Source]) -> list[str]:
    return [one if isinstance(one, str) else read_program(one) for one in sources]


def _edited(texts: list[str], edits: Sequence[dict[str, str]]) -> list[str]:
    for number, edit in enumerate(edits, 1):
        old, new = edit["old"], edit["new"]
        if not old:
            texts.append(new)
            continue
        if (times := sum(one.count(old) for one in texts)) != 1:
            hint = "quote more of the lines around it" if times else "quote the program as it stands there"
            raise InputError(f"edit {number}: the old text stands {times} times in the program", hint=hint)
        texts = [one.replace(old, new) for one in texts]
    return texts


def _hash(texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode(errors="surrogatepass")).hexdigest()[:12]


def _found(found: Any) -> Found:
    from bridge.cli.brief import brief

    return Found(brief(found), found.to_json())


def _beside(found: Any, certain: Sequence[Any]) -> Found:
    """A result, and what lint is certain of in the program."""
    from bridge.cli.brief import brief
    from bridge.cli.certain import first_of

    text = "\n".join([*first_of(certain), brief(found)])
    return Found(text, {**found.to_json(), "lint": [one.to_json() for one in certain]})


def _models(problem: bridge.AspProblem, limits: Limits, optimal: bool) -> Found:
    from bridge.cli.run_clingo import ended_json, notes_json

    with problem.program(limits=limits) as program:
        found = program.optimal(limits=limits) if optimal else program.models(project=True, limits=limits).collect()
        warnings = program.warnings
        data = ended_json(found, len(found.solutions)) | {"warnings": warnings_json(warnings)}
        data["models"] = [model_json(one) for one in found.solutions]
    lines = [f"answer {number}{_cost(one)}: {one}" for number, one in enumerate(found.solutions, 1)]
    lines.append(_end(found))
    remarks: list[str] = []
    if optimal:
        proved = bool(found.solutions) and all(one.proved for one in found.solutions)
        data |= {"costs": [list(one.cost) for one in found.solutions], "optimal": proved}
        remarks = [] if proved or found.complete else ["that none is better is not proved"]
    else:
        data |= (more := notes_json(found.statistics, "this question"))
        remarks = [one.replace("--optimal", "optimal: true") for one in more.get("notes", [])]
    return Found("\n".join([*lines, *remarks, *warnings]), data)


def _answers(problem: bridge.PrologProblem, limits: Limits) -> Found:
    from bridge.cli.run_prolog import ended_json

    with problem.session(limits) as session:
        if session.halted is not None:
            data = {"exit_code": session.halted, "warnings": warnings_json(session.warnings)}
            return Found(f"the program ended its process with {session.halted} while it was loaded", data)
        with session.query(problem.query, limits=limits) as stream:
            found = stream.collect()
            undefined = sum(one.truth == "undefined" for one in found.solutions)
            data = ended_json(stream, undefined) | {"warnings": warnings_json(session.warnings)}
        data["answers"] = [answer_json(one) for one in found.solutions]
    lines = [f"answer {number}: {one}" for number, one in enumerate(found.solutions, 1)]
    return Found("\n".join([*lines, _end(found)]), data)


def _cost(model: bridge.asp.Model) -> str:
    return f" (cost {', '.join(map(str, model.cost))}{', the least' * model.proved})" if model.cost else ""


def _end(found: Outcome[Any]) -> str:
    """How a search ended."""
    if found.limit not in (None, "solutions"):
        return how_ended(found.limit, "before more was known")
    if not found.solutions:
        return "no answer (proved). Next: diagnose says which rules and facts clash."
    return "these are all" if found.complete else "there may be more: ask for more answers"
