"""`lint`: what is probably wrong in a program, without an answer that is expected.

>>> from bridge.problem.asp import AspProblem
>>> for finding in lint(AspProblem("edge(a, b). node(X) :- egde(X, _).")).findings:
...     print(finding.id, finding.place.line, finding)
LP003 1 nothing derives egde/2 (did you mean edge?)
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import encode, internals
from bridge.asp.reading import (
    COMPUTED,
    QUOTES,
    Constants,
    Parsed,
    Signature,
    constant_set_by,
    elements_of,
    is_atom,
    key,
    names_in,
    no_theory,
    nodes,
    placed,
    unsafe_variables,
)
from bridge.asp.running import option_for
from bridge.common import TOO_LARGE, named_arguments, public, regex
from bridge.errors import BridgeError, InputError, LimitError, Place, ProgramError
from bridge.limits import Deadline, LimitName, Limits, takes_limits
from bridge.linting import counting, effects, meaning  # noqa: F401  (their checks register themselves)
from bridge.linting.checks import binding, variable_meant
from bridge.linting.endless import ENDLESS
from bridge.linting.findings import CHECKS, Check, Finding, Hit, declare
from bridge.linting.instances import EACH, NOTHING, Instances
from bridge.linting.program import Known, Source, Statement
from bridge.linting.result import LIMITS, Lint, of_findings
from bridge.problem import AspProblem, is_prolog

if TYPE_CHECKING:
    from bridge.problem import PrologProblem

#: clingo cannot read the program.
SYNTAX = declare("LP001", "syntax", "error")
#: A variable that no literal of the body binds has no values: clingo refuses the rule.
UNSAFE = declare("LP002", "unsafe-variable", "error")
#: clingo refuses the program for something else, which its message says.
REFUSED = declare("LP019", "refused", "error")


#: The bytes of a program that is ground unasked, and the seconds that this may take.
SMALL, SOON = 20_000, 5.0


def check_of(name: str) -> Check:
    """A check by its id or name; InputError when there is none."""
    for one in CHECKS.values():
        if name.upper() == one.id or name == one.name:
            return one
    raise InputError(f"there is no check {name!r}", hint=f"the checks are {', '.join(sorted(CHECKS))}")


@public("bridge")
@takes_limits("seconds")
def lint(
    problem: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    instances: bool = False,
    given: Iterable[Signature] = (),
    limits: Limits = LIMITS,
) -> Lint:
    """What is probably wrong in a program.

    Parameters
    ----------
    problem
        A clingo program, a Prolog program with a goal, or the paths of files.
    instances
        Of a clingo program: whether to ground it, and to find rules that never fire and constraints that never exclude.
    given
        Of a clingo program: predicates that come from elsewhere, name and arity.
    limits
        Seconds, for the checks of a clingo program, for its grounding, or for a Prolog program.

    Raises
    ------
    InputError
        When it is not a program, or a file cannot be read.
    """
    if is_prolog(problem):
        if instances:
            raise InputError("a Prolog program is not ground", hint="without --instances")
        from bridge.linting.prolog import lint_prolog  # here, so that a clingo program does without it
        from bridge.problem import PrologProblem

        if isinstance(problem, PrologProblem):
            return lint_prolog(list(problem.sources), whole=True, alone=problem.untrusted, limits=limits)
        return lint_prolog(_sources(problem), whole=False, alone=False, limits=limits)
    if isinstance(problem, str | PathLike | list | tuple):
        problem = AspProblem(*_sources(problem))
    if not isinstance(problem, AspProblem):
        raise InputError(f"{type(problem).__name__} is not a program", hint='bridge.program("rules.lp")')
    return _of_asp(problem, instances, given, limits)


#: The checks whose remarks explain what clingo remarks in the same line; those that say what a rule means; and what
#: is certain of a program whose part `base` alone is ground, and of one that is run.
_EXPLAIN = ("LP018", "LP023", "LP035")
_MEANING = ("LP007", "LP021", "LP025", "LP029", "LP033", "LP035", "LP037", "LP043", "LP045", "LP056")
_DIVISIONS = ast.BinaryOperator.Division, ast.BinaryOperator.Modulo

_BASE, _RUN, _BLANK = "LP039", ("LP033", "LP037", "LP038", "LP043"), NOTHING.id


@named_arguments
def certain(
    problem: AspProblem,
    remarked: Collection[Place] = (),
    rules: Collection[Place] = (),
    running: bool = False,
    unsatisfiable: bool = False,
    blank: bool = False,
) -> tuple[Finding, ...]:
    """What is certainly wrong in a clingo program that has been loaded, so that no variable of it is unsafe.

    Of places where clingo remarks something also what explains it; of rules that are in question, by their places, what
    they mean; of a program that is run with its options, what these leave out; of one without an answer set, the
    constraints that exclude all of them by themselves; of one with an answer that is blank, what has no atom.
    """
    wanted = {_BASE: None} | (dict.fromkeys(_RUN) if running else {}) | ({_BLANK: None} if blank else {})
    wanted |= {EACH.id: None} if unsatisfiable else {}
    lines = dict[str, set[tuple[str, int | None]]]()
    for places, checks in ((remarked, _EXPLAIN), (rules, _MEANING)):
        for name in checks if places else ():
            lines.setdefault(name, set()).update(map(_line, places))
    found = _of_asp(problem, False, (), LIMITS, loaded={*wanted, *lines}).findings
    return tuple(
        one for one in found
        if one.level != "info" or one.id in wanted or _line(one.place) in lines[one.id]
    )


def _line(place: Place) -> tuple[str, int | None]:
    """File and line; a text has several names."""
    return "" if (place.file or "<").startswith("<") else str(place.file), place.line


@named_arguments
def never_ends(problem: AspProblem) -> tuple[Finding, ...]:
    """The recursions of a clingo program by which its grounding certainly does not end."""
    source = Source(problem.backend.parsed(), Constants(problem.options).unknown)
    found = CHECKS[ENDLESS].findings(CHECKS[ENDLESS].run(source))  # type: ignore[misc]
    return tuple(one for one in found if one.level != "info")


def unlike_clingo_6(problem: AspProblem) -> list[str]:
    """The arithmetic of a program that has other values in clingo 6, each with its place."""
    large = [one for one in lint(problem, instances=True).findings if one.id == "LP045"]
    lines = [f"{one.place}: clingo 6 is exact; in clingo 5 {one}" for one in large]
    words = "clingo 6 rounds quotients down, clingo 5 towards 0: -7/2 is -4, and -3"
    for one in problem.backend.parsed():
        of = (each for statement in one.nodes for each in nodes(statement) if each.ast_type is ASTType.BinaryOperation)
        lines += [f"{one.source.place(node)}: {words}" for node in of if node.operator_type in _DIVISIONS]
    return list(dict.fromkeys(lines))


def lint_text(
    problem: AspProblem, beside: Iterable[Signature] = (), *, ground: bool = False, known: Known | None = None
) -> Lint:
    """The same of a clingo program by its text alone, unless it is small and may be ground.

    The predicates of files `beside` it are given, but for those that it derives itself. Of an earlier form of the text,
    its statements are `known`.
    """
    return _of_asp(problem, False if ground else None, beside, LIMITS, known=known)


def _sources(of: Any) -> list[str | PathLike[str]]:
    return [of] if isinstance(of, str | PathLike) else list(of)


def _of_asp(
    problem: AspProblem,
    instances: bool | None,  # None: not even where it is small
    given: Iterable[Signature],
    limits: Limits,
    loaded: Collection[str] | None = None,
    known: Known | None = None,
) -> Lint:
    """The findings; of a program that has been loaded, without remarks but those of some checks."""
    try:
        parsed = problem.backend.parsed()
    except ProgramError as error:
        return Lint(tuple(_syntax(error)))
    outer = Constants([*problem.options, *(f"--const={name}=0" for name in problem.constants)]).unknown
    source = Source(parsed, outer, () if instances is None else given, problem.options, known)
    if instances is None:
        source.given |= {*given} - source.heads.keys() - source.stated
    found = [*_refused(problem, source, parsed)] if loaded is None else []
    limit: LimitName | None = None
    deadline = Deadline(limits.seconds)
    for one in CHECKS.values():
        if deadline.expired():
            limit = "seconds"
            break
        if not one.id.startswith("LP") or one.run is None:
            continue
        if loaded is None or one.level != "info" or one.id in loaded:
            hits = one.findings(one.run(source))
            found += (each for each in hits if loaded is None or each.level != "info" or one.id in loaded)
    notes: tuple[str, ...] = ()
    small = not source.scripts and sum(len(one.data) for one in source.texts.values()) <= SMALL
    asked = instances or (small and instances is not None)
    refused = any(one.level == "error" or one.id == ENDLESS for one in found)
    if asked and limit is None and not refused:
        within = limits if instances or limits.seconds is None else replace(limits, seconds=min(SOON, limits.seconds))
        ground, limit, notes = _ground(problem, source, within, instances is True, loaded)
        found += ground
        sure = {(one.id, one.place) for one in found if one.level == "warning"}
        found = [one for one in found if one.level != "info" or (one.id, one.place) not in sure]
    if source.scripts:
        notes = (*notes, "the script was not run: what it does is not known")
    texts = {file: text.data for file, text in source.texts.items()}
    statements: dict[str, list[tuple[int, int]]] = {file: [] for file in texts}
    for each in [*source.statements, *source.directives]:
        place = each.node.location
        statements.setdefault(each.file, []).append((place.begin.line, place.end.line))
    return of_findings(found, texts, {file: sorted(lines) for file, lines in statements.items()}, limit, notes)


def _syntax(error: ProgramError) -> Iterator[Finding]:
    for one in (error, *error.others):
        place = one.where or Place()
        end = (place.line or 1, (place.column or 1) + 1)
        check = UNSAFE if "` is unsafe: " in one.message else SYNTAX
        words = f"{one.message}; {one.hint}" if one.hint else one.message
        yield Finding(check.id, check.name, check.level, place, end, words)


# What clingo refuses

_PLACE = regex(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)-[\d:]+")
_NO_SUPPORT = "support not available"


def _refused(problem: AspProblem, source: Source, parsed: Sequence[Parsed]) -> Iterator[Finding]:
    """What clingo refuses when it checks the program: it gets the statements, grounds nothing, and runs nothing."""
    logged = _refusals(problem, parsed)
    if not logged:
        return
    begins: dict[tuple[str, int, int], Statement] = {}
    variables: dict[tuple[str, int, int], tuple[Statement, AST]] = {}
    for statement in [*source.statements, *source.directives]:
        begin = statement.node.location.begin
        begins.setdefault((statement.file, begin.line, begin.column), statement)
        for node in statement.nodes(ASTType.Variable):
            variables[(statement.file, *key(node)[:2])] = statement, node
    unsafe: dict[tuple[int, str], tuple[Statement, AST]] = {}
    for message in logged:
        begin = _PLACE.match(message)
        place = None if begin is None else (begin["file"], int(begin["line"]), int(begin["column"]))
        unsafe_at = filter(None, map(_PLACE.match, unsafe_variables(message).values()))
        known = [variables.get((one["file"], int(one["line"]), int(one["column"]))) for one in unsafe_at]
        if known and None not in known:
            for statement, node in filter(None, known):
                unsafe.setdefault((id(statement), node.name), (statement, node))
        else:
            yield _refusal(message, place, begins)
    found: dict[int, list[AST]] = {}
    for statement, node in unsafe.values():
        found.setdefault(id(statement), []).append(node)
    statements = {id(statement): statement for statement, _ in unsafe.values()}
    for number, of in found.items():
        yield from UNSAFE.findings(_unsafe(statements[number], of, source))


def _refusals(problem: AspProblem, parsed: Sequence[Parsed]) -> list[str]:
    """The errors that clingo logs of a program, each with its notes."""
    logged: list[str] = []

    def log(code: clingo.MessageCode, text: str) -> None:
        if code is clingo.MessageCode.RuntimeError:
            logged.append(text.strip())

    constants = [f"--const={name}={encode(value)}" for name, value in problem.constants.items()]
    constants += [option for option in problem.options if constant_set_by(option) is not None]
    with internals.logging():
        control = clingo.Control(["--warn=none", *constants], logger=log, message_limit=10_000)
        take = None
        if problem.theory is not None:
            from bridge.asp.running import Theory

            theory = Theory(problem.theory, ())
            theory.register(control)
            take = theory.rewrite
        try:
            with ast.ProgramBuilder(control) as builder:
                for node in (node for one in parsed for node in one.nodes):
                    if node.ast_type is ASTType.Script:
                        logged += _of_script(node)
                    elif take is not None:
                        take(node, builder.add)
                    else:
                        builder.add(node)
            control.ground([])
        except RuntimeError as error:
            if not logged:
                logged.append(str(error))
    return [placed(one, {of.file: of.text for of in parsed}) for one in logged]


def _of_script(node: AST) -> Iterator[str]:
    """What is wrong with a script: it is compiled, and not run."""
    begin = node.location.begin
    place = f"{begin.filename}:{begin.line}:{begin.column}-{begin.column + 1}"
    if node.name != "python":
        try:
            clingo.Control().add("base", [], f"#script ({node.name}) #end.")
        except RuntimeError as error:
            if _NO_SUPPORT in str(error):
                yield f"{place}: error: {node.name} {_NO_SUPPORT}"
    else:
        try:
            compile(node.code, begin.filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            line = begin.line + ((getattr(error, "lineno", None) or 1) - 1)
            place = f"{begin.filename}:{line}:1-2"
            yield f"{place}: error: the script is not Python: {getattr(error, 'msg', None) or error}"


def _refusal(
    message: str, place: tuple[str, int, int] | None, begins: Mapping[tuple[str, int, int], Statement]
) -> Finding:
    """A finding in clingo's words."""
    words = message.partition(": error: ")[2] or message
    first, *notes = words.split("\n")
    notes = [re.sub(r"^.*?:(\d+):[\d:-]+: note: ", r"line \1: ", note.strip()) for note in notes]
    sentence = " ".join([first, *notes])
    if place is None:
        return Finding(REFUSED.id, REFUSED.name, REFUSED.level, Place(), (1, 1), sentence)
    if (undefined := no_theory(message)) and (hint := option_for(undefined)):
        sentence += f"; {hint}"
    if (statement := begins.get(place)) is not None:
        (found,) = REFUSED.findings(iter([Hit(statement, statement.node, sentence)]))
        return found
    end = place[1], place[2] + 1
    return Finding(REFUSED.id, REFUSED.name, REFUSED.level, Place(*place), end, sentence)


def _unsafe(statement: Statement, found: Sequence[AST], source: Source) -> Iterator[Hit]:
    """The variables of a statement that no literal binds."""
    unsafe = {node.name for node in found}
    for node in found:
        name = node.name
        others = names_in([statement.node]) - unsafe
        words = f"`{name}` is unsafe: no literal of the body binds it"
        if name == "_":
            yield Hit(statement, node, words)
            continue
        if (pool := _pool(name, statement)) is not None:
            words += f"; `{statement.text.of(pool)}` makes a rule of each alternative, and not each binds {name}"
            whole = pool.atom.symbol.ast_type is ASTType.Pool
            yield Hit(statement, node, words, ", ".join(map(str, pool.atom.symbol.arguments)) if whole else None)
            continue
        if (inside := _within(name, statement)) is not None:
            literal = None if inside[1] else binding(name, statement, source)
            sentence = f"{words}; {inside[0]}" + (f"; {literal} would" if literal else "")
            yield Hit(statement, node, sentence, inside[1] or literal)
            continue
        more = QUOTES.format(name.strip("'")) if name.startswith("'") else _computed(name, statement)
        if more is not None:
            yield Hit(statement, node, f"{words}; {more}")
            continue
        denied = [atom for atom in statement.atoms if atom.role == "negative" and name in map(str, atom.arguments)]
        if denied:
            words += ", and `not` binds nothing"
        if {atom.signature for atom in denied} & {atom.signature for atom in statement.scopes[0].positive()}:
            others = set()  # another atom of the same predicate is meant
        other = variable_meant(name, statement, source, others)
        constant = name[0].lower() + name[1:]
        known = source.names[constant] or constant in source.constants
        is_fact = statement.kind is ASTType.Rule and not list(statement.node.body) and not others
        if other is None and name[0] != "_" and (known or (is_fact and len(name) > 1)):
            words += "; what begins with a capital letter is a variable"
            yield Hit(statement, node, words, constant)
            continue
        literal = binding(name, statement, source)
        literal = None if literal in [str(atom.node) for atom in denied] else literal
        yield Hit(statement, node, words + (f"; {literal} would" if literal else ""), other or literal)


def _pool(name: str, statement: Statement) -> AST | None:
    """A literal of the body with alternatives, not all of which have a variable."""
    one: AST
    for one in filter(is_atom, getattr(statement.node, "body", ())):
        for pool in (each for each in nodes(one) if each.ast_type is ASTType.Pool):
            if len({name in names_in([each]) for each in pool.arguments}) == 2:
                return one
    return None


def _computed(name: str, statement: Statement) -> str | None:
    """What a term of a positive atom means that has a variable in arithmetic."""
    for atom in statement.scopes[0].positive():
        for term in atom.arguments:
            if name in names_in([term]) and term.ast_type is ASTType.BinaryOperation:
                return COMPUTED.format(statement.text.of(term))
    return None


def _within(name: str, statement: Statement) -> tuple[str, str | None] | None:
    """What an atom means that would bind a variable, and stands in braces or in a condition; and what to write."""
    body = sorted(getattr(statement.node, "body", ()), key=lambda one: statement.text.span(one))
    for at, one in enumerate(body):
        within = [each for element in elements_of(one) for each in element]
        found = next((each for each in within if is_atom(each) and name in names_in([each])), None)
        if found is None:
            continue
        if one.ast_type is not ASTType.ConditionalLiteral:
            return "what stands in braces binds nothing outside of them", None
        text, condition = statement.text.of, sorted(one.condition, key=lambda each: statement.text.span(each))
        before = body[at - 1] if at else None
        if before is not None and name in names_in([before]) and name not in names_in([statement.node.head]):
            begin, end = statement.text.span(before)[1], statement.text.span(one)[0]
            if statement.text.data[begin:end].strip() == b",":
                whole = f"{text(before)} : {', '.join(map(text, condition))}"
                words = f"`{text(before)}` is a literal of its own, since the comma behind it ends it, and only "
                return f"{words}`{text(one.literal)}` stands under the condition", whole
        if found in condition[1:] and name not in names_in([one.literal, *condition[: condition.index(found)]]):
            words = f"`{text(found)}` belongs to the condition, which goes on behind a comma"
            return f"{words}: a semicolon ends it", f"; {text(found)}"
        return "a condition, and what stands before its `:`, bind nothing outside", None
    return None


# What grounding says

def _ground(
    problem: AspProblem, source: Source, limits: Limits, remarks: bool, loaded: Collection[str] | None
) -> tuple[list[Finding], LimitName | None, tuple[str, ...]]:
    """What its instances show, with remarks about bodies without an instance, if wanted."""
    found: list[Finding] = []
    here = Instances(problem, source, limits)
    parts = [here.values()]
    parts += [here.constraints()] if loaded is None or EACH.id in loaded else []
    parts += [here.nothing()] if loaded is None or NOTHING.id in loaded else []
    parts += [here.remarks(remarks)] if loaded is None else []
    other_bytes = any(one.data.decode("utf-8", "replace").encode() != one.data for one in source.texts.values())
    try:
        # A question is UTF-8: the letters of its strings would not be those of a program whose bytes are none.
        if not other_bytes or all(str(one.node).isascii() for one in source.statements):
            for check, hit in itertools.chain.from_iterable(parts):
                found += check.findings(iter([hit]))
    except BridgeError as error:
        if error.message == TOO_LARGE:
            with suppress(BridgeError):
                return [one for check, hit in here.totals() for one in check.findings(iter([hit]))], None, ()
        limit: LimitName | None = "seconds" if isinstance(error, LimitError) else None
        return found, limit if remarks else None, (f"it was not ground: {error.message}",) if remarks else ()
    return found, None, ()

