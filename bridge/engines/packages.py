"""The Python packages that engines need: whether they are installed, and in which version. None is imported."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec

from bridge.errors import MissingSolverError

#: The extras of lpbridge that install packages.
EXTRAS = {"ortools": "cp", "pychoco": "cp"}


def is_installed(package: str) -> bool:
    """Whether a package is installed."""
    return find_spec(package) is not None


def required(package: str) -> None:
    """Check that a package is installed.

    Raises
    ------
    MissingSolverError
        If it is not. The hint is the command that installs it.
    """
    if not is_installed(package):
        wanted = f"lpbridge[{EXTRAS[package]}]" if package in EXTRAS else package
        raise MissingSolverError(f"{package} is not installed", hint=f"pip install '{wanted}'")


def version_of(package: str) -> str:
    """The version of an installed package.

    Raises
    ------
    MissingSolverError
        If it is not installed.
    """
    required(package)
    return metadata.version(package)
