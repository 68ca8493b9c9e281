"""Many programs against one that is right, as those of a class: a row each, whatever becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from time import perf_counter
from typing import Any, Literal

from bridge.asp.reading import Signature, Text, atoms, signature_of
from bridge.common import Json, how_ended, plural, public, read_source, regex, short
from bridge.comparison import derived, signatures
from bridge.debugging.cases import OWN, asked_of, reference_of, shown_of
from bridge.debugging.debug import debug
from bridge.debugging.result import Debugging
from bridge.errors import BridgeError, InputError, brief
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted
from bridge.problem import AspProblem, PrologProblem, is_prolog

#: What became of a program: `error` where it could not be run, or the reference could not.
Status = Literal["right", "wrong", "undecided", "error"]

_ATOM = regex(r"\s*([\w']+)\s*\(([\w\s,']+)\)\s*")

#: Of each program, unless said otherwise.
LIMITS = Limits(seconds=20.0)


@public("bridge")
@dataclass(frozen=True, slots=True)
class Submission(Json):
    """What became of one program.

    Attributes
    ----------
    file
        Its file.
    status
        `right`, `wrong`, `undecided` (a limit came first), or `error` (the solver refuses it).
    found
        What `debug` found; None with an error.
    error
        Why it could not be run, or which limit came first.
    renamed
        Predicates of the program that were taken for those of the reference: `chosen/1` for `in/1`.
    seconds
        What it took.
    """

    file: str
    status: Status
    found: Debugging | None
    error: str | None
    renamed: Mapping[str, str]
    seconds: float

    __repr__ = short

    def __str__(self) -> str:
        return self.text()

    def text(self, *, hint: bool = False) -> str:
        """The row in a line: of what is wrong the first suspect; with `hint` its line only."""
        if self.found is None or self.status == "error":
            return f"{self.status}: {' '.join((self.error or '').split())}"
        if self.status == "right":
            return f"right: {self.found.proved_by}"
        if self.status == "undecided":
            return f"undecided: {self.error}"
        part = f" ({self.passed} of {plural(self.cases, 'case')} right)" if self.passed and self.cases > 1 else ""
        if not self.found.suspects:
            return f"{self.status}: no line could be named{part}"
        first = self.found.suspects[0]
        sentence = first.sentence.split(": ")[0]
        return f"{self.status}: line {first.place.line}" + ("" if hint else f": {sentence}") + part

    @property
    def passed(self) -> int | None:
        """On how many of the `cases`, instances or goals, it does what is expected; None where that is not known."""
        return None if self.found is None else self.found.passed

    @property
    def cases(self) -> int:
        """The number of instances or goals."""
        return 0 if self.found is None else self.found.cases

    _json = ("file status passed cases error renamed seconds debug=found",)


@public("bridge")
@dataclass(frozen=True, slots=True)
class Submissions(Json):
    """The result of `submissions`: a row for each program, in the order in which they were given."""

    rows: tuple[Submission, ...]

    def __iter__(self) -> Iterator[Submission]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, status: Status) -> tuple[Submission, ...]:
        """Those with a status."""
        return tuple(row for row in self.rows if row.status == status)

    def __str__(self) -> str:
        return self.text()

    def text(self, *, hint: bool = False) -> str:
        """A line for each program, and a sum."""
        width = max((len(row.file) for row in self.rows), default=0)
        lines = [f"{row.file:{width}}  {row.text(hint=hint)}" for row in self.rows]
        numbers = [(len(self.of(status)), status) for status in ("right", "wrong", "undecided", "error")]
        parts = ", ".join(f"{number} {status}" for number, status in numbers if number)
        return "\n".join([*lines, f"{plural(len(self.rows), 'program')}: {parts}"])

    _json = ("submissions=rows",)


@public("bridge")
@takes_limits("seconds")
def submissions(
    files: Iterable[str | PathLike[str]],
    *,
    against: Any,
    instances: Any = None,
    show: str | Iterable[str] | None = None,
    rename: Mapping[str, str] | None = None,
    untrusted: bool = True,
    allow_missing_walls: bool = False,
    limits: Limits = LIMITS,
    on_progress: Callable[[Submission], object] | None = None,
) -> Submissions:
    """Hold many programs against one that is right, and name the wrong line of each that is not.

    Parameters
    ----------
    files
        The programs, a file each. One that cannot be read, or ended by a limit, is a row as any other.
    against, instances
        As for `bridge.debug`; nothing of the reference's text is in the result. The constants of a reference are those
        of the programs, too (`bridge.program("right.lp", n=4)`), and its goals (`bridge.goal`) are theirs.
    show
        The predicates of an answer: `"at/2"`. By default what the reference shows, or chooses.
    rename
        Names in the programs for those of the reference: `{"chosen/1": "in/1"}`, or with the order of the arguments,
        `{"at(L,S)": "at(S,L)"}`. Where a program has no rule for a predicate of an answer, and a choice of one other
        predicate with as many arguments, that is taken for it.
    untrusted, allow_missing_walls
        As for `asp.Program`; programs of others are confined.
    limits
        Seconds for each program.
    on_progress
        Called with each row as soon as it is known.

    Raises
    ------
    InputError
        When the reference or the instances cannot be read.
    Interrupted
        On Ctrl-C, with the rows so far in `partial`.
    """
    given: dict[str, Any] = {"against": against, "instances": instances, "limits": limits}
    reference = reference_of(against)
    like: dict[str, Any] = {"constants": reference.constants} if isinstance(reference, AspProblem) else {}
    programs = [files] if isinstance(files, str | PathLike) else list(files) if isinstance(files, Iterable) else [files]
    for one in programs:
        if not isinstance(one, str | PathLike):
            raise InputError(f"{brief(one)} is not the path of a program", hint='give paths: ["anna.lp", "ben.lp"]')
    if isinstance(reference, AspProblem) and not is_prolog(against):
        # An error of the reference or of the instances, before any program is looked at.
        debug(AspProblem(*reference.sources, show=show, **like), **given)
    like |= {"show": show, "untrusted": untrusted, "allow_missing_walls": allow_missing_walls}
    rows: list[Submission] = []
    try:
        for file in programs:
            rows.append(_row(file, rename or {}, given, like))
            if on_progress is not None:
                on_progress(rows[-1])
    except (KeyboardInterrupt, Interrupted):
        raise Interrupted(Submissions(tuple(rows))) from None
    return Submissions(tuple(rows))


def _row(
    file: str | PathLike[str], rename: Mapping[str, str], given: Mapping[str, Any], like: Mapping[str, Any]
) -> Submission:
    begun = perf_counter()
    name = fspath(file)
    found: Debugging | None = None
    error: str | None = None
    renamed: dict[str, str] = {}
    try:
        if is_prolog(file):
            found = debug(PrologProblem([file], "true", like["untrusted"], like["allow_missing_walls"]), **given)
        else:
            problem = AspProblem(file, **like)
            reference = reference_of(given["against"])
            renamed = _renamed(problem, rename, reference)
            if renamed:
                # A predicate with its own arguments in another order needs a name of its own first.
                own = {_signature(one) for one, other in renamed.items() if _signature(one) == _signature(other)}
                before = {one: OWN + one if _signature(one) in own else one for one in renamed}
                bridges = [_bridging(before[one], other) for one, other in renamed.items()]
                problem = AspProblem(_apart(file, own), *bridges, **like)
                if problem.show is None and isinstance(reference, AspProblem):
                    problem = problem.showing(_shown(problem, renamed, reference))
            found = debug(problem, **given)
    except BridgeError as wrong:
        error = str(wrong)
    status: Status = "error" if found is None else "right" if found.right else "wrong"
    if found is not None and found.refused is not None:
        status, error = "error", found.refused
    elif found is not None and found.endless is not None and not found.right:
        if found.repair is None:
            place = f" (line {found.suspects[0].place.line}?)" if found.suspects else ""
            status, error = "undecided", f"it does not end in its time on {found.endless}{place}"
    elif found is not None and not found.right and found.limit is not None and not (found.instance or found.suspects):
        status, error = "undecided", how_ended(found.limit)
    return Submission(name, status, found, error, renamed, perf_counter() - begun)


def _renamed(problem: AspProblem, rename: Mapping[str, str], reference: Any) -> dict[str, str]:
    """Predicates of a program that stand for those of an answer: those that are said, and those that can be seen."""
    found = dict(rename)
    if not isinstance(reference, AspProblem):
        return found
    try:
        known, statements = reference.outline, problem.outline.statements
    except BridgeError:  # debug says so, or makes the program one that can be read
        return found
    heads = {head for one in statements for head in one.heads}
    chosen = {head for one in statements if one.kind in ("choice", "disjunction") for head in one.heads}
    chosen -= derived(known)
    for signature in asked_of(reference) if problem.show is None else sorted(problem.show):
        others = [one for one in chosen if one[1] == signature[1]]
        if signature not in heads and len(others) == 1 and signature not in map(_signature, found.values()):
            found[_written(others[0])] = _written(signature)
    return found


def _shown(problem: AspProblem, renamed: Iterable[str], reference: AspProblem) -> frozenset[Signature]:
    """What an answer consists of, without what a program calls otherwise."""
    shown, _ = shown_of(reference, problem)
    return frozenset(shown) - ({_signature(one) for one in renamed} - derived(reference.outline))


def _signature(text: str) -> Signature:
    name, arguments = _atom(text)
    return name, len(arguments)


def _written(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"


def _bridging(one: str, other: str) -> str:
    """A rule by which the atoms of a predicate are those of another, too."""
    name, arguments = _atom(one)
    meant, arguments_meant = _atom(other)
    if sorted(arguments) != sorted(arguments_meant):
        hint = "they have different numbers of arguments" if "(" not in one + other else "write arc(X,Y)=edge(Y,X)"
        raise InputError(f"{one} cannot stand for {other}", hint=hint)
    return f"{_written_atom(meant, arguments_meant)} :- {_written_atom(name, arguments)}."


def _atom(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the arguments of `edge/2` or `edge(X,Y)`."""
    if (found := _ATOM.fullmatch(text)) is not None:
        return found[1], tuple(one.strip() for one in found[2].split(","))
    ((name, arity),) = signatures(text)
    return name, tuple(f"X{number}" for number in range(1, arity + 1))


def _written_atom(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({','.join(arguments)})" if arguments else name


def _apart(file: str | PathLike[str], predicates: Collection[Signature]) -> str | PathLike[str]:
    """A program whose atoms of some predicates have another name, for rules that say what they are."""
    if not predicates:
        return file
    name, text = read_source(file)
    parsed = Text(text, name)
    data = parsed.data
    found = (one for statement in parsed.statements for one in atoms(statement) if signature_of(one) in predicates)
    for at in sorted({parsed.span(one.symbol)[0] for one in found}, reverse=True):
        data = data[:at] + OWN.encode() + data[at:]
    return data.decode()
