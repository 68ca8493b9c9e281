"""Random small programs, a statement a line, with what plain clingo says of some of their statements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import clingo
from hypothesis import strategies as st

from bridge.problem.asp_oracle import AtomFact, StatementPremise

_ATOMS = ("a", "b", "c", "e", "p(1)", "p(2)", "q(1)", "q(2)", "-a")


@dataclass(frozen=True)
class Line:
    """A statement in three forms.

    Attributes
    ----------
    text
        As it stands in the program.
    free
        What is left when it does not have to hold: nothing, or the choice without its bounds.
    body
        The body, as literals; empty of a fact.
    """

    text: str
    free: str
    body: str = ""

    def freely(self, number: int) -> str:
        """As it is when it holds or not, as a choice of its own says."""
        if self.free == self.text:
            return self.text
        switch = f"free({number})"
        separator = "; " if ":-" in self.text else " :- "
        return f"{{ {switch} }}. {self.free} {self.text.removesuffix('.')}{separator}{switch}."


literals = st.one_of(
    st.builds(lambda sign, atom: f"{sign}{atom}", st.sampled_from(["", "", "not "]), st.sampled_from(_ATOMS)),
    st.sampled_from(
        [
            "#count { X : q(X) } >= 1",
            "#count { X : p(X) } < 2",
            "#sum { 1,x : a; 2,y : b; -1,z : c } > 0",
            "#sum { X : q(X) } != 2",
            "not #count { X : p(X); a : a } > 1",
            "q(X) : p(X)",
            "p(1..2)",
            "p(_)",
            "not q(_)",
            "not not a",
            "1 { a; b }",
        ]
    ),
)
bodies = st.lists(literals, max_size=3, unique=True).map("; ".join)


def _line(head: str, body: str, free: str = "") -> Line:
    after = f" :- {body}" if body else ""
    return Line(f"{head}{after}.", f"{free}{after}." if free else "", body)


rules = st.one_of(
    st.builds(_line, st.sampled_from(_ATOMS), bodies),
    st.builds(_line, st.sampled_from(_ATOMS), st.just("")),
    st.builds(_line, st.sampled_from(["a ; b", "q(1) ; c", "p(1..2)", "p(1;2)", "-a"]), bodies),
    st.builds(lambda body: Line(f":- {body}.", "", body), bodies.filter(bool)),
    st.builds(
        lambda choice, bounds, body: _line(bounds.format(choice), body, choice),
        st.sampled_from(["{ a; b; c }", "{ q(X) : p(X) }", "{ q(1..2) }", "{ e }", "{ p(1;2); -a }"]),
        st.sampled_from(["{0}", "{0} = 1", "1 {0}", "{0} 1"]),
        bodies,
    ),
    st.builds(lambda body: _line("p(X)", f"q(X); {body}" if body else "q(X)"), bodies),
    st.just(Line("#external e.", "#external e.")),
)

programs = st.lists(rules, min_size=2, max_size=7, unique=True)


def text_of(lines: Iterable[Line]) -> str:
    """The program."""
    return "".join(f"{line.text}\n" for line in lines)


def answer_sets(text: str, most: int = 0) -> list[set[str]]:
    """The answer sets of a program by plain clingo."""
    control = clingo.Control([str(most), "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[set[str]] = []
    control.solve(on_model=lambda model: found.append({str(one) for one in model.symbols(atoms=True)}))
    return found


def can_hold(lines: list[Line], premises: Iterable[StatementPremise | AtomFact], more: str = "") -> bool:
    """Whether plain clingo finds an answer set in which the premises hold; whether other statements do is free.

    Facts of one statement with several are told by their atoms.
    """
    kept, facts, text = set[int](), set[str](), [more]
    for one in premises:
        if isinstance(one, AtomFact):
            text.append(f":- {'not ' if one.holds else ''}{one.atom}.")
        elif one.is_fact:
            facts.add(str(one))
        else:
            kept |= {(statement.place.line or 0) - 1 for statement in one.statements}
    for number, line in enumerate(lines):
        if number in kept:
            text.append(line.text)
        elif not line.body and line.free == "" and ";" not in line.text.replace("p(1;2)", ""):
            atoms = answer_sets(line.text)[0]
            text += [f"{atom}." if f"{atom}." in facts else f"{{ {atom} }}." for atom in atoms]
        else:
            text.append(line.freely(number))
    return bool(answer_sets("\n".join(text), 1))
