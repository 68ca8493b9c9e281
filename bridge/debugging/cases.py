"""What is expected of a program, as cases for the solver: from a reference, or from what a person says.

A reference is any program that `bridge.compare` takes: its answers to the instances are right. A clingo program is
asked in the same process as the variants; of others the answers are computed once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, permutations
from os import PathLike, fspath
from pathlib import Path
from time import perf_counter
from typing import Any

import clingo
from clingo.ast import ASTType

from bridge.asp import encode
from bridge.asp.reading import TEXT, Signature, Text, arguments_of, includes_incmode, is_data, signature_of
from bridge.asp.reading import atoms as atoms_of
from bridge.common import is_path, language_of_path, plural, read_source
from bridge.comparison import (
    Generator,
    Instance,
    compared_by,
    constant_value,
    contender,
    derived,
    instance_of,
    listed_predicates,
    results,
    sentence,
    written,
)
from bridge.debugging.trials import Answers, Case, Trials
from bridge.errors import BridgeError, InputError, LimitError, ProgramError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.problem import AspProblem

#: Answers of a clingo reference that are taken one by one; of more, some, and it is asked about others.
MOST = 400

#: So many that differ much from each other, where there are more; and the share of the time that they may take, and
#: that answers on instances near by may take.
_SOME, _SHARE = 100, 0.2

#: Instances of a generator that a search begins with.
BEGIN = 30

#: Answers of another reference.
MOST_OF_OTHERS = 5_000

#: Instances near by that have a fact less, for each one that is given; and facts of which there are more, as of more
#: still no instances are made.
_LESS, _FEW_LESS, _FEW, _MANY = 6, 2, 60, 2_000

#: Seconds that the reference takes from which on smaller instances are tried first; so many times faster it has to be
#: there; and how often they are halved.
_SLOW, _FASTER, _HALVED = 1.0, 3.0, 3

_OTHERS = ", and leaves other predicates as they are"

#: Before the name of a predicate of a program that a rule says in the words of the reference (`submissions`).
OWN = "__own_"

_STRING = re.compile(r'("(?:[^"\\]|\\.)*")')
_ATOM = re.compile(r"\s*(not\s+)?(.+?)\s*", re.DOTALL)

#: How to say what an answer is.
SAY = "bridge.program(..., show='cell/3'), or --show cell/3, says which predicates it consists of"


#: Atoms: names, and arguments as text.
_Atoms = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Expected:
    """What is expected, and the words of it."""

    cases: tuple[Case, ...]  #: The smallest first.
    #: Cases that are near to these: of repairs that are right on all cases, those that are right here come first.
    extra: tuple[Case, ...]
    near: str  #: What a program does beyond that is right on these, in words; empty where they do not tell.
    show: tuple[Signature, ...]  #: The predicates of an answer.
    given: tuple[tuple[str, tuple[str, ...]], ...]  #: The facts of the instances.
    constants: tuple[str, ...]  #: Constants that instances set.
    reference: str | None  #: The text of the reference, where it is a clingo program. It is shown to nobody.
    by: str  #: What a program does that is right, in words: "gives the answers of the reference on the 4 instances".
    notes: tuple[str, ...] = ()  #: Remarks.
    asked: tuple[Case, ...] = ()  #: The instances on which somebody is asked, with nothing expected.
    optimal: bool = False  #: Whether only answers of least cost count.
    #: Predicates that the program derives and an answer does not have: they are not compared.
    left_out: frozenset[Signature] = frozenset()
    results: tuple[Signature, ...] = ()  #: Of `show` those that the reference has for its results.
    smaller: tuple[Case, ...] = ()  #: An instance that is solved faster, where those that are given take long.

    @property
    def compared(self) -> str:
        """By which predicates answers are compared, in words."""
        return sentence(self.show, self.left_out)

    def answered(self, problem: AspProblem, given: GivenInstance, deadline: Deadline) -> Case | None:
        """A further instance, with the answers of the reference; None when it has not all of them in time."""
        case = Case(given.facts, given.constants, self.show, name=given.name, optimal=self.optimal)
        with Trials([case], **problem.confinement) as trials:
            try:
                return _answered(trials, 0, case, self.reference or "", deadline)
            except BridgeError:
                return None


@dataclass(frozen=True)
class GivenInstance:
    """An instance as text, with the values of its constants."""

    facts: str
    constants: Mapping[str, str]
    atoms: tuple[tuple[str, tuple[str, ...]], ...]
    name: str
    stated: tuple[tuple[str, tuple[str, ...]], ...] = ()  #: Plain facts, of one that has rules of its own, too.


def shared_constants(problem: AspProblem, reference: Any) -> dict[str, str]:
    """The constants of a program, which are those of its reference, too; InputError where that has others."""
    shared = problem.constants
    if isinstance(reference, AspProblem) and reference.constants.items() - shared.items():
        raise InputError("the reference has constants that the program has not", hint="give them to the program")
    return {name: encode(value) for name, value in shared.items()}


def instances_given(instances: Any, shared: Mapping[str, str]) -> list[GivenInstance]:
    """The instances of a question: paths, facts as text, `Instance`s, or the first ones of a generator."""
    found: list[GivenInstance] = []
    if isinstance(instances, Generator):
        first = BEGIN if instances.most is None else min(BEGIN, instances.most)
        return [given_of(one, shared) for one in islice(instances.instances(), first)]
    if instances is None:
        return [GivenInstance("", shared, (), "the empty instance")]
    several = instances if isinstance(instances, Sequence) and not isinstance(instances, str) else [instances]
    for one in several:
        if isinstance(one, str | PathLike):
            found.append(_of_text(one, shared))
        else:
            found.append(given_of(instance_of(one), shared))
    if not found:
        raise InputError("there is no instance")
    return sorted(found, key=lambda each: len(each.facts))


def given_of(one: Instance, shared: Mapping[str, str] | None = None) -> GivenInstance:
    """An instance as text."""
    atoms = tuple((name, tuple(map(encode, row))) for name, row in one.facts)
    return GivenInstance(one.text, {**(shared or {}), **one.program_constants}, atoms, one.name)


def with_constants(one: GivenInstance, shared: Mapping[str, str]) -> GivenInstance:
    """An instance with further constants, unless it has others of these names."""
    return replace(one, constants={**shared, **one.constants}) if shared else one


def _of_text(source: str | PathLike[str], shared: Mapping[str, str]) -> GivenInstance:
    """A file or a text of facts: its `#const` are values of constants, so that a program may have its own, too.

    Files that it includes are part of it.
    """
    name, text = read_source(source)
    if "#include" in text:
        text = joined_text(AspProblem(source).sources)
    found = read_given(text, Path(name).stem if name else "", name)
    return replace(found, constants={**found.constants, **shared}) if shared else found


def read_given(text: str, name: str, file: str | None = None) -> GivenInstance:
    """Facts as text; its `#const` are values of constants.

    What has no answer set of its own, or several, is a part of the program that is not in question: only its plain
    facts are known, and no instances near by.
    """
    parsed = Text(text, file)
    constants = {one.name: str(one.value) for one in parsed.statements if one.ast_type is ASTType.Definition}
    data = parsed.data
    for one in reversed(parsed.statements):
        if one.ast_type is ASTType.Definition:
            begin, end = parsed.span(one)
            data = data[:begin] + b" " * (end - begin) + data[end:]
    facts = data.decode()
    try:
        atoms = Instance.of_text(facts, **values_of(constants)).facts if facts.strip() else ()
    except (InputError, LimitError):
        plain = (atom for one in parsed.statements if is_data(one) for atom in atoms_of(one))
        stated = tuple((signature_of(one)[0], tuple(map(str, arguments_of(one)))) for one in plain)
        return GivenInstance(facts, constants, (), name, stated)
    rows = tuple((predicate, tuple(map(encode, row))) for predicate, row in atoms)
    return GivenInstance(facts, constants, rows, name)


@dataclass(frozen=True)
class Asked:
    """Atoms that are missing, that are unwanted, and those of the answer that is meant."""

    missing: Sequence[str] = ()
    unwanted: Sequence[str] = ()
    given: Sequence[str] = ()

    @property
    def wishes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The same as wishes of a case."""
        found: list[tuple[str, tuple[str, ...]]] = []
        context = tuple(literals_of(self.given))
        if self.missing:
            found.append(("some", (*context, *literals_of(self.missing))))
        found += [("none", (*context, one)) for one in literals_of(self.unwanted)]
        return tuple(found)


def expected_of_wishes(
    problem: AspProblem,
    given: Sequence[GivenInstance],
    asked: Asked,
    cases: Sequence[Case],
    deadline: Deadline,
    *,
    by: str | None,
    oracle: bool,
) -> Expected:
    """What a program is held against without a reference: what is asked for, and tests; with `oracle` it is asked."""
    rows, names = _given_of(given)
    wishes = asked.wishes
    if not wishes and not cases and not oracle:
        raise InputError(
            "it is not said what is wrong",
            hint="a reference (--against REF.lp), an atom (--missing, --unwanted), or tests",
        )
    best = bool(problem.optimal)
    wished = [
        Case(one.facts, one.constants, (), None, wishes=wishes, name=one.name, optimal=best) for one in given if wishes
    ]
    said = tuple(problem.show) if problem.show is not None else _of_wishes(wishes)
    bare = [case for case in (*cases, *wished) if case == replace(case, exactly=None, number=None, verdict=None)]
    weak = [case for case in bare if case.wishes and all(kind == "none" for kind, _ in case.wishes)]
    predicates = _predicates(problem, {(name, len(row)) for name, row in rows})
    same, more = _fewer(problem, weak, predicates, deadline), ", and takes answers away only"
    if not same:
        about = _of_wishes(replace(asked, given=()).wishes)
        others = tuple(one for one in predicates if one not in about)
        same, more = _same(problem, wished, others, deadline), _OTHERS
    if len(same) < len(cases) + len(wished):  # it is not known of every instance
        more = ""
    said = said or tuple(dict.fromkeys(one for case in cases for one in case.show))
    by = by or "does what was asked for"
    if not oracle:
        return Expected((*cases, *wished), same, more, said, rows, names, None, by)
    shown = asked_of(problem)
    bare = [Case(one.facts, one.constants, shown, name=one.name, optimal=best) for one in given]
    everything = (*cases, *wished) or tuple(bare)
    return Expected(everything, same, more, shown, rows, names, None, by, (), tuple(bare), best)


def _given_of(
    given: Sequence[GivenInstance],
) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]:
    """The facts of some instances, and the constants that they set."""
    rows = tuple(dict.fromkeys(row for one in given for row in (*one.atoms, *one.stated)))
    return rows, tuple(dict.fromkeys(name for one in given for name in one.constants))


def expected_of_reference(
    problem: AspProblem,
    given: Sequence[GivenInstance],
    asked: Asked,
    cases: Sequence[Case],
    deadline: Deadline,
    reference: Any,
) -> Expected:
    """What a program is held against with a reference: its answers, and what is asked for beside them."""
    rows, names = _given_of(given)
    if not isinstance(reference, AspProblem):
        return _of_contender(problem, reference, given, rows, names, deadline)
    refuse_steps(reference)
    text = joined_text(reference.sources)
    costs = bool(reference.outline.costs)
    shown, notes = shown_of(reference, problem)
    best = next((one.optimal for one in (problem, reference) if one.optimal is not None), costs)
    raw = [Case(one.facts, one.constants, shown, name=one.name, optimal=best) for one in given]
    found: list[Case] = []
    with Trials(raw, **problem.confinement) as trials:
        near, begun = _near(raw, given), perf_counter()
        for number, case in enumerate(raw):
            found.append(_answered(trials, number, case, text, deadline))
        slow = perf_counter() - begun
        until = Deadline(deadline.share(_SHARE))
        with trials.like(near) as others:
            extra = []
            for number, case in enumerate(near):
                if until.expired():
                    break
                try:
                    answered = _answered(others, number, case, text, until)
                except (InputError, LimitError):
                    continue
                if answered.exactly or not all(one.exactly for one in found):  # one without answers may be no instance
                    extra.append(answered)
        smaller = _smaller(raw[0], given[0]) if slow > _SLOW else ()
        first = _first_answered(trials, smaller, text, slow, Deadline(deadline.share(_SHARE)))
    found = [replace(case, wishes=asked.wishes) for case in found]
    of = f"the {len(found)} instances" if len(found) > 1 else "the instance"
    if best and not costs:
        notes = (*notes, "the reference minimises nothing")
    return Expected(
        (*cases, *_in_order(found)),
        tuple(extra),
        f", and on {plural(len(extra), 'instance')} near by",
        shown,
        rows,
        names,
        text,
        f"gives the answers of the reference on {of}",
        tuple(notes),
        left_out=_left_out(shown, problem),
        results=asked_of(reference) if problem.show is None else tuple(sorted(problem.show)),
        optimal=best,
        smaller=first,
    )


def _own_answers(
    problem: AspProblem, cases: Sequence[Case], show: tuple[Signature, ...], deadline: Deadline
) -> Iterator[tuple[Case, Answers]]:
    """The answers of a program itself to cases of which nothing is expected; `limit` where one came first."""
    text = joined_text(problem.sources)
    with Trials([replace(case, show=show, wishes=()) for case in cases], **problem.confinement) as trials:
        for number, case in enumerate(trials.cases):
            try:
                yield case, trials.answers(text, number, MOST, deadline.within(Limits(seconds=5)))
            except LimitError:
                yield case, Answers("limit", ())


def _fewer(
    problem: AspProblem, wished: Sequence[Case], show: tuple[Signature, ...], deadline: Deadline
) -> tuple[Case, ...]:
    """Cases by which answers are taken away only, and not all; none where each answer has what is unwanted."""
    found: list[Case] = []
    text = joined_text(problem.sources)
    for (case, answers), wish in zip(_own_answers(problem, wished, show, deadline), wished, strict=True):
        fine = tuple(one for one in answers.answers if not any(_has(one, literals) for _, literals in wish.wishes))
        if not fine or answers.how not in ("all", "more"):
            return ()
        found.append(replace(case, exactly=fine, complete=answers.how == "all", reference=text, precision=True))
    return tuple(found)


def _predicates(problem: AspProblem, inputs: Collection[Signature]) -> tuple[Signature, ...]:
    """All predicates of a program and its instances: those of facts, too, which a repair may change; none of one that
    cannot be read."""
    try:
        outline = problem.outline
    except BridgeError:
        return ()
    return tuple(sorted(outline.given.union(inputs, *(one.heads | one.body for one in outline.statements))))


def _has(answer: Collection[str], literals: Iterable[str]) -> bool:
    """Whether an answer has some literals, as they are written."""
    atoms = {one.replace(" ", "") for one in answer}
    return all((one.removeprefix("not ").replace(" ", "") in atoms) != one.startswith("not ") for one in literals)


def _same(
    problem: AspProblem, wished: Sequence[Case], show: tuple[Signature, ...], deadline: Deadline
) -> tuple[Case, ...]:
    """Cases by which all else stays as it is: the answers of the program itself, without the predicates asked about."""
    own = _own_answers(problem, wished if show else (), show, deadline)
    return tuple(replace(case, exactly=answers.answers) for case, answers in own if answers.how == "all")


def _in_order(cases: Sequence[Case]) -> list[Case]:
    """The smallest first: those that are solved fastest, and shown best."""
    return sorted(cases, key=lambda one: len(one.facts) + 20 * len(one.exactly or ()))


def _answered(trials: Trials, number: int, case: Case, text: str, deadline: Deadline) -> Case:
    found = trials.answers(text, number, MOST, deadline.within(Limits()))
    if found.how == "refused":
        raise InputError(
            f"the reference cannot be run on {case.name or 'the instance'}", hint="run it alone to see why"
        )
    if found.how == "limit":
        raise LimitError("the reference takes too long", hint="give smaller instances")
    if found.how == "all":
        return replace(case, exactly=found.answers, reference=text)
    some = replace(case, complete=False, reference=text)
    try:
        with trials.like([some]) as varied:
            until = Deadline(deadline.share(_SHARE))
            return replace(some, exactly=varied.answers(text, 0, _SOME, until.within(Limits())).answers)
    except LimitError:
        return replace(some, exactly=found.answers[:_SOME])


def _first_answered(
    trials: Trials, cases: Iterable[Case], text: str, slow: float, deadline: Deadline
) -> tuple[Case, ...]:
    """The first of some cases to which a reference has answers, in a part of the time that it took before."""
    most = slow / _FASTER
    for case in cases:
        if deadline.expired():
            break
        begun = perf_counter()
        with suppress(BridgeError), trials.like([case]) as others:
            answered = _answered(others, 0, case, text, Deadline(min(most, deadline.remaining() or most)))
            if answered.exactly and perf_counter() - begun < most:
                return (answered,)
    return ()


def _smaller(case: Case, given: GivenInstance) -> Iterator[Case]:
    """Instances with half of the facts of the predicate that has most, half of the constants, or both; and so on."""
    atoms, constants = given.atoms, dict(case.constants)
    for _ in range(_HALVED):
        half = {name: str(int(one) // 2) if re.fullmatch(r"\d+", one) else one for name, one in constants.items()}
        rest = atoms
        if 1 < len(atoms) <= _MANY:
            (most, number), *_ = Counter((name, len(row)) for name, row in atoms).most_common(1)
            places = [at for at, (name, row) in enumerate(atoms) if (name, len(row)) == most]
            dropped = {*places[(number + 1) // 2 :]}
            rest = _Form([atoms]).closed(tuple(one for at, one in enumerate(atoms) if at not in dropped)) or atoms
        for some, values in ((rest, constants), (atoms, half), (rest, half)):
            if (some, values) != (atoms, constants):
                facts = case.facts if some is given.atoms else _facts(some)
                yield replace(case, facts=facts, constants=values, name="a smaller instance")
        atoms, constants = rest, half


def _facts(atoms: _Atoms) -> str:
    return " ".join(f"{name}({','.join(row)})." if row else f"{name}." for name, row in atoms)


def _near(cases: Sequence[Case], given: Sequence[GivenInstance]) -> list[Case]:
    """Instances that differ a little from those that are given, and are of the same form.

    Another constant, another number of a fact that is the only one of its predicate, a fact less. Where a fact leaves
    values without what all given instances have of them (an edge of a node that is not there), what is about these
    values goes, too: programs that agree on all instances that are meant may differ on others.
    """
    found: list[Case] = []
    form = _Form([one.atoms if len(one.atoms) <= _MANY else () for one in given])
    for case, one in zip(cases, given, strict=True):
        for name, value in case.constants.items():
            if re.fullmatch(r"-?\d+", value):
                for step in (1, -1):
                    if int(value) + step >= 0:
                        constants = {**case.constants, name: str(int(value) + step)}
                        found.append(replace(case, constants=constants))
        atoms = one.atoms
        if len(atoms) <= _MANY:
            less = islice(form.with_less(atoms), _LESS if len(atoms) <= _FEW else _FEW_LESS)
            found += (replace(case, facts=_facts(rest)) for rest in (*form.with_other_numbers(atoms), *less))
    return found[:24]


class _Form:
    """What some instances have in common: their predicates, and columns whose values stand in another column, too."""

    def __init__(self, instances: Sequence[_Atoms]) -> None:
        columns = [_columns(atoms) for atoms in instances]
        self._always = set.intersection(*({(name, len(row)) for name, row in atoms} for atoms in instances))
        names = dict.fromkeys(name for some in columns for name in some)
        empty = frozenset[str]()
        self._within = [
            (one, other)
            for one, other in permutations(names, 2)
            if all(some.get(one, empty) <= some.get(other, empty) for some in columns)
        ]

    def closed(self, atoms: _Atoms) -> _Atoms | None:
        """The atoms without those of values that stand nowhere any more; None where too much goes."""
        number = len(atoms)
        while True:
            columns = _columns(atoms)
            loose: dict[tuple[str, int, int], set[str]] = {}
            for one, other in self._within:
                loose.setdefault(one, set()).update(columns.get(one, set()) - columns.get(other, set()))
            rest = tuple(
                (name, row)
                for name, row in atoms
                if not any(value in loose.get((name, len(row), at), ()) for at, value in enumerate(row))
            )
            if len(rest) == len(atoms):
                break
            atoms = rest
        if 2 * len(atoms) < number or self._always - {(name, len(row)) for name, row in atoms}:
            return None
        return atoms

    def with_less(self, atoms: _Atoms) -> Iterator[_Atoms]:
        """Instances with a fact less, each another: of each predicate the last, the middle, the first; others."""
        seen: set[_Atoms] = set()
        places: dict[tuple[str, int], list[int]] = {}
        for number, (name, row) in enumerate(atoms):
            places.setdefault((name, len(row)), []).append(number)
        last = [some[-1] for some in places.values()]
        middle = [some[len(some) // 2] for some in places.values()]
        first = [some[0] for some in places.values()]
        for dropped in dict.fromkeys((*last, *middle, *first, *range(len(atoms)))):
            rest = self.closed(atoms[:dropped] + atoms[dropped + 1 :])
            if rest and rest not in seen:
                seen.add(rest)
                yield rest

    def with_other_numbers(self, atoms: _Atoms) -> Iterator[_Atoms]:
        """Instances with another number in a fact that is the only one of its predicate."""
        columns = _columns(atoms)
        for at, (name, row) in enumerate(atoms):
            if len(row) != 1 or not row[0].isdecimal() or sum(one == name for one, _ in atoms) > 1:
                continue
            domains = [other for one, other in self._within if one == (name, 1, 0) and other[1] == 1]
            for value in (int(row[0]) + 1, int(row[0]) - 1):
                if value > 0 and all(str(value) in columns[domain] for domain in domains):
                    yield (*atoms[:at], (name, (str(value),)), *atoms[at + 1 :])


def _columns(atoms: _Atoms) -> dict[tuple[str, int, int], set[str]]:
    found: dict[tuple[str, int, int], set[str]] = {}
    for name, row in atoms:
        for at, value in enumerate(row):
            found.setdefault((name, len(row), at), set()).add(value)
    return found


def literals_of(texts: Sequence[str]) -> list[str]:
    """Atoms as clingo writes them, several in a text with blanks or commas between, each with `not` or without."""
    found: list[str] = []
    for text in texts:
        try:
            (statement,) = Text(f":- {_separated(text)}.").statements
        except (ProgramError, ValueError):
            statement = None
        if statement is None or not statement.body:
            raise InputError(f"{text!r} is not an atom", hint="write it as in at(math,mon)")
        for part in statement.body:
            if part.ast_type is not ASTType.Literal or part.atom.ast_type is not ASTType.SymbolicAtom:
                raise InputError(f"{str(part)!r} is not an atom", hint="write it as in at(math,mon)")
            try:
                clingo.parse_term(str(part.atom), logger=lambda code, text: None)
            except RuntimeError:
                raise InputError(f"{str(part.atom)!r} is not a ground atom", hint="write it as in at(math,1)") from None
            found.append(str(part).replace("; ", ","))
    return found


def _separated(text: str) -> str:
    """A comma between atoms that only blanks part; strings stay."""
    parts = _STRING.split(text.strip().rstrip("."))
    for number in range(0, len(parts), 2):
        tight = re.sub(r"(?<=[\w)])\s*,\s*", ", ", parts[number])
        parts[number] = re.sub(r"(?<!\bnot)(?<=[\w)'])\s+(?!not\b)(?=[a-z_-])", ", ", tight)
    return "".join(parts)


def _of_wishes(wishes: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[Signature, ...]:
    found: dict[Signature, None] = {}
    for _, literals in wishes:
        for statement in Text(f":- {', '.join(literals)}.").statements:
            found.update(dict.fromkeys(map(signature_of, atoms_of(statement))))
    return tuple(found)


def reference_of(against: Any) -> Any:
    """A clingo program as a problem; anything else as it is given."""
    if isinstance(against, AspProblem):
        return against
    several = against if isinstance(against, list | tuple) else [against]
    if all(isinstance(one, str | PathLike) for one in several):
        paths = [fspath(one) for one in several]
        if all(not is_path(path) or language_of_path(path) == "clingo" for path in paths):
            return AspProblem(*[Path(path) if is_path(path) else path for path in paths])
    return against


def refuse_steps(problem: AspProblem) -> None:
    """Raise UnsupportedError for a program that is solved step by step: variants are ground once."""
    if any(includes_incmode(text, file or TEXT) for file, text in map(read_source, problem.sources)):
        message = f"{problem.title} is incremental (#include <incmode>): its steps are not compared"
        hint = "give one horizon: `#const n = 5.`, and `#program base.` with `t = 1..n` in place of `step(t)`"
        raise UnsupportedError(message, hint=hint)


def joined_text(sources: Sequence[str | PathLike[str]]) -> str:
    """The text of several sources, with what they include named as from here."""
    return "\n".join(Text(text, file).data.decode() for file, text in map(read_source, sources))


def shown_of(reference: AspProblem, problem: AspProblem) -> tuple[tuple[Signature, ...], tuple[str, ...]]:
    """What an answer consists of: what was asked for, what the reference shows, or what `compare` would take.

    Of a program that cannot be read, only the results of the reference are known. Raises InputError when that cannot
    be seen, or when the reference derives nothing of it.
    """
    outline, show = reference.outline, problem.show
    if show is None and outline.terms:
        raise InputError("what is an answer? the reference shows terms", hint=SAY)
    if show is not None or outline.shown:
        shown = show if show is not None else outline.shown or frozenset()
        if not (outline.scripts or shown & derived(outline)):
            raise InputError(f"what is an answer? the reference derives no {listed_predicates(shown)}", hint=SAY)
        return tuple(sorted(shown)), ()
    try:
        found = compared_by([outline, problem.outline])
    except BridgeError:
        found = results(outline)
    if not found:
        raise InputError("what is an answer?", hint=SAY)
    return tuple(sorted(found)), (f"an answer is taken to be {listed_predicates(found)}: --show says otherwise",)


def asked_of(problem: AspProblem) -> tuple[Signature, ...]:
    """What somebody is asked about: what the program shows, or its results."""
    outline = problem.outline
    found = outline.shown or results(outline) or derived(outline)
    if not found:
        raise InputError("what is an answer?", hint=SAY)
    return tuple(sorted(found))


def _left_out(shown: Iterable[Signature], problem: AspProblem) -> frozenset[Signature]:
    """What a program derives and an answer does not have; nothing of one that cannot be read."""
    try:
        return derived(problem.outline).difference(shown)
    except BridgeError:
        return frozenset()


def _of_contender(
    problem: AspProblem,
    against: Any,
    given: Sequence[GivenInstance],
    rows: tuple[tuple[str, tuple[str, ...]], ...],
    names: tuple[str, ...],
    deadline: Deadline,
) -> Expected:
    """Cases from the answers of a Prolog goal, or of a Python function."""
    if problem.show is None:
        raise InputError("what is an answer?", hint=SAY)
    shown = tuple(sorted(problem.show))
    found: list[Case] = []
    with contender(against, show=problem.show) as reference:
        for number, one in enumerate(given):
            instance = replace(Instance.of_text(one.facts), constants=values_of(one.constants), name=one.name)
            limits = deadline.within(Limits(solutions=MOST_OF_OTHERS))
            if number == 0:
                reference.prepare(instance, limits)
            outcome = reference.answers(instance, limits).collect()
            if not outcome.complete:
                raise LimitError("the answers of the reference are not all known", hint="give smaller instances")
            answers = tuple(tuple(sorted(map(written, answer))) for answer in outcome.solutions)
            found.append(Case(one.facts, one.constants, shown, answers, name=one.name))
    of = f"the {len(found)} instances" if len(found) > 1 else "the instance"
    by = f"gives the answers of the reference on {of}"
    left_out = _left_out(shown, problem)
    return Expected(tuple(_in_order(found)), (), "", shown, rows, names, None, by, left_out=left_out)


def values_of(constants: Mapping[str, str]) -> dict[str, Any]:
    return {name: constant_value(value) for name, value in constants.items()}
