"""What `lint` is certain of in a program, as it is printed by commands that were asked for something else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from os import PathLike, stat
from typing import TYPE_CHECKING, Any

from bridge.cli.findings import of_warnings
from bridge.cli.programs import asp_problem
from bridge.common.english import listed
from bridge.common.languages import is_path
from bridge.errors import BridgeError, Place

if TYPE_CHECKING:
    from bridge.linting.findings import Finding
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem

#: The most lines, and the most bytes of a program that `run` has looked at.
LINES, BYTES = 3, 50_000

#: So many answers are held against each other.
SEEN = 1_000

#: The check of variables that stand only once.
SINGLE = "LP007"

#: What is said of each variable that is unsafe.
_UNSAFE = "` is unsafe: no literal of the body binds it"

#: Facts of so many predicates, and no rule, are probably an instance.
PREDICATES = 3


class Shown:
    """What of the answers that `run` shows is looked at."""

    def __init__(self) -> None:
        self.none = False  #: Whether there is no answer.
        self.best = False  #: Whether these are best ones.
        self.blank: int | None = None  #: The first answer that shows no atom.
        self.full = False  #: Whether an answer shows one.
        self.same: tuple[int, int] | None = None  #: The first two answers that show the same atoms.
        self._seen: dict[str, int] = {}

    def take(self, first: int, texts: Sequence[str]) -> None:
        """Look at some answers, of which the first has this number."""
        for number, text in enumerate(texts[:SEEN], first):
            self.full = self.full or bool(text.strip())
            if self.blank is None and not text.strip():
                self.blank = number
            if self.same is None and len(self._seen) < SEEN and self._seen.setdefault(text, number) != number:
                self.same = self._seen[text], number


def certain_of(problem: AspProblem, warnings: Sequence[str], endless: bool = False, rules: Collection[Place] = (),
               running: bool = False, unsatisfiable: bool = False, blank: bool = False) -> list[Finding]:
    """What is certainly wrong by the text of a program, and what explains a remark of clingo.

    `endless`: that its grounding never ends has been said. Of `rules`, which are in question, also what they mean;
    `running`: of a program that is run, also what its options leave out; of one without an answer set, or with one that
    shows nothing, also what of its instances explains that.
    """
    from bridge.linting.endless import ENDLESS
    from bridge.linting.lint import certain

    remarked = {one.place for one in of_warnings([" ".join(one.split()) for one in warnings])}
    found = certain(problem, remarked, rules, running, unsatisfiable, blank)
    said = ((ENDLESS,) if endless else ()), ("LP003", "LP004")
    return [one for one in found if one.id not in said[0] and not (one.place in remarked and one.id in said[1])]


def certain_of_goal(problem: PrologProblem) -> list[Finding]:
    """What is certainly wrong by the text with the clauses that a goal reaches."""
    from bridge.linting.prolog import noticed

    here, _ = noticed(problem.sources, [problem.goal], alone=problem.untrusted)
    return [one for one in here if one.level != "info"]


def explain_unsafe(error: BridgeError) -> None:
    """Put what `lint` knows of unsafe variables in place of a hint that holds of all of them."""
    several = [one for one in (error, *getattr(error, "others", ())) if _UNSAFE in one.message and one.where]
    files = dict.fromkeys(str(one.where.file) for one in several)
    if not files or not all(map(is_path, files)) or not is_small(files):
        return
    from bridge.asp.reading.messages import UNSAFE_HINT
    from bridge.linting.lint import lint

    with suppress(BridgeError, OSError):
        found = {(one.place, _UNSAFE in one.sentence): str(one) for file in files for one in lint([file]).findings}
        for one in several:
            words = found.get((one.where, True), "").partition(_UNSAFE)[2].removeprefix("; ").removeprefix(", and ")
            if words and one.hint == UNSAFE_HINT and UNSAFE_HINT not in words:
                one.hint = words if "did you mean" in words else f"{words}; {UNSAFE_HINT}"


def lines(found: Sequence[Finding]) -> list[str]:
    return [f"{one.place}: {one.level}: {one} [{one.id}]" for one in found]


def first_of(found: Sequence[Finding]) -> list[str]:
    more = len(found) - LINES
    return lines(found[:LINES]) + ([f"lpbridge lint says {more} more of this kind"] if more > 0 else [])


def is_small(sources: Iterable[str | PathLike[str]]) -> bool:
    """Whether the files of a program are so short that `run` looks at their text."""
    return sum(stat(one).st_size for one in sources if is_path(one)) <= BYTES


def after_run(sources: Sequence[str | PathLike[str]], warnings: Sequence[str], given: dict[str, Any], endless: bool,
              shown: Shown) -> list[str]:
    """The same for `run`, of a program that is small: its answers have been printed."""
    if not is_small(sources):
        return []
    try:
        problem = asp_problem(sources, given, theory=given["theory"])
        outline = problem.outline
        stated = outline.given.union(*(one.heads for one in outline.statements if one.kind == "fact"))
        rules = outline.scripts or outline.shown or any(one.kind != "fact" for one in outline.statements)
        if len(stated) >= PREDICATES and not rules:
            return ["there are only facts here, and no rule: is the encoding missing, as a further file?"]
        blank = shown.blank is not None
        found = certain_of(problem, warnings, endless, (), True, shown.none or (blank and shown.best), blank)
        return [*first_of(found), *_about(problem, shown, found)]
    except BridgeError:  # the program ran: what its text says is no reason to fail
        return []


def _about(problem: AspProblem, shown: Shown, found: Sequence[Finding]) -> Iterator[str]:
    """Why an answer shows no atom, where it may have some; why two of them show the same."""
    from bridge.asp.reading.context import signatures
    from bridge.asp.reading.trees import how_many, is_choice
    from bridge.linting.instances import NOTHING

    outline = problem.outline
    if outline.shown == frozenset() or outline.terms:  # `#show.`, and terms
        return
    below = set(outline.shown or (one for each in outline.statements for one in each.heads))
    while new := {one for each in outline.statements if each.heads & below for one in each.body} - below:
        below |= new
    choices = [one for one in outline.statements if one.kind == "choice"]
    places = {one.place: one for one in choices if one.heads & below}
    nodes = [(node, one.source.place(node)) for one in problem.backend.parsed() for node in one.nodes]
    for node, place in nodes if shown.best and shown.blank is not None else ():
        # What is maximized, with a minus, is blank where nothing can be chosen.
        costs = node.ast_type.name == "Minimize" and not str(node.weight).startswith("-")
        counted = signatures(node) if costs else set()
        if chosen := {one for each in choices for one in each.heads} & counted:
            words = f"the best answer shows no atom: this is least where nothing of {_names(chosen)} is chosen"
            yield f"{place}: info: {words}; `#maximize` is for the opposite"
    puzzling = shown.blank is not None and not (shown.full or outline.costs)
    puzzling = puzzling and not any(one.id == NOTHING.id for one in found)
    for node, place in nodes if puzzling else ():
        number = how_many(node.head) if place in places and is_choice(node) else ""
        if number == "any number" or number.startswith(("at most", "less than")):
            words = f"this chooses {number} of {_names(places[place].heads)}, so perhaps none"
            words = f"model {shown.blank} shows no atom: {words}; `{{ ATOM : DOMAIN }} = 1` chooses exactly one"
            yield f"{place}: info: {words}"
    others = _names(one for each in choices for one in each.heads - (outline.shown or set()))
    if shown.same is not None and outline.shown is not None and others:
        first, second = shown.same
        words = f"models {first} and {second} show the same atoms: they differ in what is chosen and not shown"
        yield f"{words} ({others}); --project shows each once"


def _names(signatures: Iterable[tuple[str, int]]) -> str:
    return listed(sorted({f"{name}/{arity}" for name, arity in signatures}))
