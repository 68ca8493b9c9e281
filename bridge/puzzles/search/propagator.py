"""The interface of propagators: the propagation of a constraint that is neither ≠ nor a binary relation.

This module is never compiled, so that any class may inherit from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar


class Propagator(ABC):
    """The propagation of a constraint on any number of variables.

    Attributes
    ----------
    scope
        The indices of the variables that it watches; it is woken when one of their domains changes.
    ends_only
        Whether its result depends on the least and the greatest value of each domain alone (the first and the last bit
        of a mask of numbers). It then need not run when other values are removed.
    idempotent
        Whether it always reaches its fixpoint, so that it need not run again because of its own changes.

    A propagator may cache, but its result must depend on `domains` alone: it is not notified of backtracking, and
    searches of problems that share constraints share it, too.
    """

    scope: tuple[int, ...]
    ends_only: ClassVar[bool] = False
    idempotent: ClassVar[bool] = False

    @abstractmethod
    def narrow(self, domains: list[int]) -> Iterable[tuple[int, int]] | None:
        """The domains of the scope that can be reduced.

        Parameters
        ----------
        domains
            The mask of every variable of the network, never 0. Not to be changed.

        Returns
        -------
        Pairs of a variable and its smaller mask, those that change only; None when the constraint cannot be satisfied.
        It must never remove a value of a solution within `domains`, must decide when every variable of the scope has
        one value, and should leave only supported values when all but one have. It must be monotone: what it removes,
        it removes from smaller domains as well. Unless it is `idempotent`, its own changes wake it again.
        """


def nothing() -> None:
    """A `look` without a limit to look at.

    Any `look` has to be Python: only there are signals handled, such as Ctrl-C, and other threads let in. Compiled code
    does neither by itself.
    """
