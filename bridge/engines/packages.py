"""The Python packages of optional engines: which are installed, and in which version.

    >>> version("no-such-package") is None
    True
"""

from __future__ import annotations

from functools import cache
from importlib import metadata
from importlib.util import find_spec

from bridge.errors import MissingSolverError

#: The extra that installs each.
EXTRAS = {"ortools": "cp", "pychoco": "cp"}


@cache
def version(package: str) -> str | None:
    """The version of an installed package; None if it is not installed. The package is not imported."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def is_installed(package: str) -> bool:
    """Whether the module of that name can be found. The package is not imported."""
    return find_spec(package) is not None


def required(package: str) -> None:
    """Check that a package is installed.

    Raises
    ------
    MissingSolverError
        If it is not. The hint is the command that installs it.
    """
    if not is_installed(package):
        raise MissingSolverError(f"{package} is not installed", hint=f"pip install 'lpbridge[{EXTRAS[package]}]'")
