"""What a campaign is: it makes random cases, checks one of them, and proposes smaller ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar, Literal, cast

from bridge.common.lazy import load

#: Plain JSON.
Case = dict[str, Any]

#: Numbers of what was done, by name.
Tally = Counter[str]


class Failure(Exception):
    """A case was answered wrongly.

    Parameters
    ----------
    check
        What was checked, in a word or two: the same for all failures of one kind.
    message
        What was expected and what came.
    """

    def __init__(self, check: str, message: str) -> None:
        super().__init__(check, message)
        self.check, self.message = check, message


class Skipped(Exception):
    """The case is too large for brute force. It is counted apart."""


def expect(check: str, expected: object, found: object, what: str = "") -> None:
    """Compare.

    Raises
    ------
    Failure
        When they are not equal.
    """
    if expected != found:
        raise Failure(check, f"{what or check}: expected {_short(expected)}, found {_short(found)}")


def demand(check: str, holds: bool, message: str) -> None:
    """Refuse the case with a message unless a condition holds.

    Raises
    ------
    Failure
        When it does not hold.
    """
    if not holds:
        raise Failure(check, message)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:400]}..."


class Campaign(ABC):
    """One kind of case. A worker process makes one object and uses it for all its cases."""

    #: The name on the command line.
    name: ClassVar[str]
    #: Whether a case is an instance (a puzzle, a program) or an input (bytes for a parser).
    unit: ClassVar[Literal["instances", "inputs"]] = "instances"
    #: The share of the time, relative to the other campaigns.
    weight: ClassVar[float] = 1.0
    #: Cases in a round of `--rounds`.
    round: ClassVar[int] = 4

    @abstractmethod
    def make(self, chance: Random) -> Case:
        """A random case."""

    @abstractmethod
    def check(self, case: Case, tally: Tally) -> None:
        """Check a case. Exceptions other than `Skipped` are failures.

        Parameters
        ----------
        case
            What `make` or `smaller` gave.
        tally
            To be told what was done beside the case itself.

        Raises
        ------
        Failure
            When the answer is wrong.
        Skipped
            When the case is too large.
        """

    @abstractmethod
    def smaller(self, case: Case) -> Iterator[Case]:
        """Cases that are a little smaller, the smallest first."""

    def close(self) -> None:  # noqa: B027  (most have nothing to end)
        """End processes that the campaign started."""


#: The classes of the campaigns by name, imported when used.
_CAMPAIGNS = {
    "sudoku": "fuzz.sudoku:Sudokus",
    "latin-square": "fuzz.latin_square:LatinSquares",
    "futoshiki": "fuzz.futoshiki:Futoshikis",
    "magic-square": "fuzz.magic_square:MagicSquares",
    "takuzu": "fuzz.takuzu:Takuzus",
    "crossword": "fuzz.crossword:Crosswords",
    "kinds": "fuzz.kinds:Kinds",
    "techniques": "fuzz.techniques:TechniqueSteps",
    "csp": "fuzz.csp:Csps",
    "asp": "fuzz.asp:AspPrograms",
    "files": "fuzz.files:Files",
    "clashes": "fuzz.clashes:Clashes",
    "reasons": "fuzz.clashes:Reasons",
    "compared": "fuzz.compared:Compared",
    "repairs": "fuzz.repairs:Repairs",
    "goal-repairs": "fuzz.goal_repairs:GoalRepairs",
    "proofs": "fuzz.proofs:Proofs",
    "verdicts": "fuzz.verdicts:Verdicts",
    "prolog": "fuzz.prolog:PrologPrograms",
    "goals": "fuzz.goals:Goals",
    "process-state": "fuzz.process_state:ProcessStates",
    "parsers": "fuzz.parsers:Parsers",
    "programs": "fuzz.programs:ProgramTexts",
    "lint": "fuzz.linted:Linted",
    "frames": "fuzz.frames:Frames",
    "first-wall": "fuzz.first_wall:FirstWall",
    "surroundings": "fuzz.surroundings:Surroundings",
}

NAMES = tuple(_CAMPAIGNS)


def campaign_class(name: str) -> type[Campaign]:
    """The class of a campaign."""
    return cast("type[Campaign]", load(_CAMPAIGNS[name]))


def case_of(campaign: Campaign, seed: int, number: int) -> Case:
    """The case of a number in the run with a seed."""
    return campaign.make(Random(f"{seed} {campaign.name} {number}"))
