"""Walls: the means of the operating system that confine untrusted programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.as_json import Json

#: Without these an untrusted program is not run, unless the caller allows it.
ESSENTIAL = ("Landlock", "seccomp")


@dataclass(frozen=True, slots=True)
class Wall(Json):
    """One means of the operating system by which untrusted programs are confined.

    Attributes
    ----------
    name
        `Landlock`, `seccomp`, `network namespace`, ...
    up
        True when it stands.
    why
        Why it does not; or more about it, as its version.
    """

    name: str
    up: bool
    why: str = ""

    _json = ("name up essential why",)

    @property
    def essential(self) -> bool:
        """Untrusted programs are not run without it, unless the caller allows that."""
        return self.name in ESSENTIAL


def without(missing: Sequence[Wall]) -> str:
    """A sentence about the walls that do not stand."""
    return "; ".join(f"this machine does not put up {wall.name} ({wall.why})" for wall in missing)


def warm() -> None:
    """Of a job that is asked nothing, whose worker shows the walls: there is nothing to load."""
