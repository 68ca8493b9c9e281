"""Why an atom holds in an answer set, or does not: the instances of rules that derive it.

`bridge.asp.running.derivation` finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NotRequired

from bridge.as_json import Json, Key
from bridge.errors import Place

#: Instances of a rule that are shown for an atom that nothing derives, and others where there are more.
INSTANCES = 4


@dataclass(frozen=True, slots=True)
class Why(Json):
    """An instance of a rule that derives an atom, or that does not."""

    atom: str  #: The atom, as clingo writes it.
    place: Place  #: Where the rule stands, and its kind.
    kind: str
    bindings: tuple[tuple[str, str], ...] = ()  #: The values of its variables.
    positive: tuple[str, ...] = ()  #: The atoms that its body needs.
    inside: tuple[str, ...] = ()  #: Atoms that are true inside aggregates and conditions of its body.
    negative: tuple[str, ...] = ()  #: Atoms that must not hold, and do not.
    lacking: str = ""  #: Of a rule that does not derive it: the first literal of its body that does not hold.
    theory: tuple[str, ...] = ()  #: The theory atoms of its body, whose truth was not looked at.
    #: The atoms that `lacking` needs and that do not hold; `_` stands for any term.
    needed: tuple[str, ...] = ()

    _json = (
        "atom kind *place",
        Key("bindings", dict[str, str], lambda self: dict(self.bindings)),
        Key("lacking", NotRequired[str], lambda self: self.lacking or None),
        Key("needed", NotRequired[tuple[str, ...]], lambda self: self.needed or None),
        Key("needs", NotRequired[tuple[str, ...]], lambda self: None if self.lacking else self.positive),
        Key("inside", NotRequired[tuple[str, ...]], lambda self: None if self.lacking else self.inside),
        Key("not", NotRequired[tuple[str, ...]], lambda self: None if self.lacking else self.negative),
        Key("theory", NotRequired[tuple[str, ...]], lambda self: (not self.lacking and self.theory) or None),
    )


@dataclass(frozen=True, slots=True)
class Trace:
    """Why an atom holds in an answer set, or why not."""

    model: tuple[str, ...] | None  #: The true atoms of the answer set; None when there is none of the kind asked for.
    steps: tuple[Why, ...] = ()  #: Of an atom that holds: the derivations, each after those that it needs.
    #: The derivations in the answer set where there are several, those of the fewest atoms first; some of very many.
    derivations: tuple[tuple[Why, ...], ...] = ()
    every: bool = True  #: Whether these are all.
    missing: tuple[Why, ...] = ()  #: Of one that does not: what each rule lacks.
    #: Of one that nothing can derive, whatever is chosen: what the rules lack for it, for the atoms that these need,
    #: and so on; and those among them that nothing gives. None of another atom.
    support: tuple[Why, ...] | None = None
    ends: tuple[str, ...] = ()
    wanted: str = ""  #: The atom that has no support, where a constraint demands it.
    theory: bool = False  #: Whether the program has theory atoms, which are not looked at.
