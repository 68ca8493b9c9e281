"""The Python packages that engines need: whether they are installed, and in which version."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bridge.errors import MissingSolverError

#: The extras of lpbridge that install packages.
EXTRAS = {"ortools": "cp"}


def is_installed(package: str) -> bool:
    """Whether a package is installed. It is not imported."""
    return find_spec(package) is not None


def load(module: str) -> Any:
    """A module of a package.

    Raises
    ------
    MissingSolverError
        If the package is not installed, or cannot be loaded here.
    """
    package = module.partition(".")[0]
    _require(package)
    try:
        return import_module(module)
    except (ImportError, OSError, RuntimeError) as error:
        raise MissingSolverError(f"{package} does not load: {error}") from error


def _require(package: str) -> None:
    if not is_installed(package):
        wanted = f"lpbridge[{EXTRAS[package]}]" if package in EXTRAS else package
        raise MissingSolverError(f"{package} is not installed", hint=f"pip install '{wanted}'")


def version_of(package: str) -> str:
    """The version of an installed package. It is not imported.

    Raises
    ------
    MissingSolverError
        If it is not installed. The hint is the command that installs it.
    """
    _require(package)
    from importlib import metadata  # with the email package: a third of the time that a command takes to start

    return metadata.version(package)
