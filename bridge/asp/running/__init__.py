"""clingo in a worker: programs that are loaded, ground and searched there; what a caller sends, and gets."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.asp.ground_rules import GroundRules as GroundRules
    from bridge.asp.running.incremental import Steps as Steps
    from bridge.asp.running.job import in_folder as in_folder
    from bridge.asp.running.job import warm as warm
    from bridge.asp.running.theories import Theory as Theory
    from bridge.asp.running.theories import option_for as option_for
    from bridge.asp.symbols import MOST as MOST
    from bridge.asp.symbols import atoms as atoms
    from bridge.asp.symbols import value_of as value_of
    from bridge.asp.trace import Why as Why
else:
    __getattr__, __dir__ = _exports(__name__)
