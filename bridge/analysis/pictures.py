"""Reasons and proofs as graphs.

>>> import bridge
>>> timetable = bridge.program("examples/why/timetable.lp", "examples/why/monday.lp", slots=4)
>>> picture(bridge.why(timetable, "at(art,1)")).save("why.svg")  # rules, facts and choices behind an atom
"""

from __future__ import annotations

from functools import singledispatch

from bridge.analysis.answer_pictures import drawn
from bridge.analysis.cores import Clash
from bridge.analysis.program_diagnosis import ProgramDiagnosis
from bridge.analysis.proofs import Proof
from bridge.analysis.why import Reasons
from bridge.asp.model import Model
from bridge.asp.trace import Why
from bridge.common.parts import added
from bridge.drawing.answers import AnswersDrawing
from bridge.drawing.drawable import Drawable
from bridge.drawing.graph import Graph, Node, Role
from bridge.drawing.page import Note
from bridge.errors import UnsupportedError
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import AtomFact, StatementPremise
from bridge.public import public


@public("bridge")
@singledispatch
def picture(thing: object) -> Drawable:
    """A picture of an answer set, or of several beside each other; of reasons, proofs and clashes; of what parts add.

    Raises
    ------
    UnsupportedError
        For anything else.
    """
    tuple(added("pictures"))  # those that parts register, if they are not imported yet
    found = picture.dispatch(type(thing))
    if found is not picture.dispatch(object):
        return found(thing)
    raise UnsupportedError(
        f"there is no picture of a {type(thing).__name__}",
        hint="the result of why, a proof, a diagnosis with a clash; a problem that has a picture, or a result about it",
    )


@picture.register
def _of_model(model: Model) -> AnswersDrawing:
    """Graphs, boards and steps of plans, by the form of the atoms."""
    return drawn([model])


@picture.register(list)
def _of_models(models: list[Model]) -> AnswersDrawing:
    """The same of several, with what differs lit."""
    if not models or not all(isinstance(one, Model) for one in models):
        raise UnsupportedError("there is a picture of a list of answer sets, and of no other list")
    return drawn(models)


@picture.register
def of_reasons(found: Reasons) -> Graph:
    """The derivation of an atom; or what forces, forbids or excludes it; or the proof of an answer."""
    if found.proof is not None:
        return of_proof(found.proof)
    if not isinstance(found.problem, AspProblem):
        raise UnsupportedError("there is no picture of a goal without an answer", hint="of a proof there is")
    steps = found.trace.steps if found.trace is not None and found.rather_than is None else ()
    if steps:
        nodes = tuple(_step_node(one, found) for one in reversed(steps))
        used = dict.fromkeys(one.place for one in steps if one.kind != "fact")
        texts = {one.place: one.text for one in found.problem.outline.every()}
        rules = tuple(f"{found.problem.backend.where(place)}: {texts.get(place, '')}" for place in used)
        notes = [Note("Rules", rules, code=True)] if rules else []
        if found.clash is not None and found.clash.premises:
            lines = tuple(map(_line_of, found.clash.premises))
            notes.append(Note(f"{found.heading[:1].upper()}{found.heading[1:]}", lines, code=True))
        return Graph(found.question, nodes, f"{found.sentence}.", tuple(notes))
    premises = [] if found.clash is None else _premise_nodes(found.clash)
    lacking = [
        Node(f"{one.lacking} does not hold", found._placed(one), "other")
        for one in (found.trace.missing if found.trace is not None else ())
        if one.lacking
    ]
    needs = tuple(node.id for node in (*premises, *lacking))
    nothing = found.trace is not None and not found.trace.missing and not premises
    caption = "No rule has it in its head." if nothing else ""
    return Graph(found.question, (Node(found.sentence, needs=needs), *premises, *lacking), caption)


@picture.register
def _of_program_diagnosis(found: ProgramDiagnosis) -> Graph:
    """The rules and facts of the first clash."""
    if not found.clashes:
        raise UnsupportedError(f"there is no picture of a program that is {found.verdict}", hint="of a clash there is")
    premises = _premise_nodes(found.clashes[0])
    minimal = " Without any one of them there is an answer set." if found.clashes[0].minimal else ""
    caption = f"These rules and facts cannot hold together.{minimal}"
    whole = Node("no answer set", needs=tuple(node.id for node in premises))
    return Graph(found.problem.title, (whole, *premises), caption)


@picture.register
def of_proof(proof: Proof) -> Graph:
    """The proof as a tree."""
    every = [one for _, one in proof]
    key = {id(one): f"goal {number}" for number, one in enumerate(every)}
    roles: dict[str, Role] = {"clause": "rule", "fact": "fact", "query": "rule"}
    nodes = tuple(
        Node(one.goal, one.where, roles.get(one.reason, "other"), tuple(key[id(part)] for part in one.parts),
             key=key[id(one)])
        for one in every
    )
    used = {one.where: one.text for one in every if one.reason == "clause"}
    notes = (Note("Clauses", tuple(f"{where}: {text}" for where, text in used.items()), code=True),) if used else ()
    return Graph(proof.goal, nodes, "", notes)


def _step_node(one: Why, found: Reasons) -> Node:
    roles: dict[str, Role] = {"fact": "fact", "choice": "choice", "disjunction": "choice"}
    absent = tuple(f"not {atom}" for atom in one.negative)
    needs = (*one.positive, *one.inside, *one.theory)
    return Node(one.atom, found._placed(one), roles.get(one.kind, "rule"), needs, absent)


def _premise_nodes(clash: Clash[StatementPremise]) -> list[Node]:
    """A node for each rule, fact and choice."""
    found = []
    for one in clash.premises:
        if isinstance(one, AtomFact):
            found.append(Node(str(one), role="choice"))
        elif one.is_fact:
            found.append(Node(str(one), one.where, "fact"))
        else:
            said = ": ".join(part for part in (one.where, one.sentence) if part)
            found.append(Node(one.text, said, key=str(one)))
    return found


def _line_of(one: StatementPremise | AtomFact) -> str:
    if isinstance(one, AtomFact):
        return f"given: {one}"
    return f"{one.where}: {one if one.is_fact else one.text}"
