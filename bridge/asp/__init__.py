"""clingo for any program: ground once, solve many, decode, consequences, optimisation.

from bridge import asp
with asp.Program("queens.lp", n=8) as program:
    for model in program.models():
        print(model["queen"])
"""

from typing import TYPE_CHECKING, Any

from bridge.asp.decode import INFIMUM, SUPREMUM, Constant, Extreme, Function, encode, facts
from bridge.asp.model import Model, Printed
from bridge.asp.program import Program
from bridge.common.lazy import load

if TYPE_CHECKING:
    from bridge.asp.results import Core as Core
    from bridge.asp.results import Grounding as Grounding
    from bridge.asp.results import Solved as Solved
    from bridge.asp.text_output import write_ground as write_ground
    from bridge.outcome import Count as Count

#: Imported when they are first used: most programs are only solved.
_PLACES = {
    "Core": "bridge.asp.results:Core",
    "Count": "bridge.outcome:Count",
    "Grounding": "bridge.asp.results:Grounding",
    "Solved": "bridge.asp.results:Solved",
    "write_ground": "bridge.asp.text_output:write_ground",
}

__all__ = [
    "INFIMUM",
    "SUPREMUM",
    "Constant",
    "Core",
    "Count",
    "Extreme",
    "Function",
    "Grounding",
    "Model",
    "Printed",
    "Program",
    "Solved",
    "encode",
    "facts",
    "write_ground",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'bridge.asp' has no attribute {name!r}")
    value = globals()[name] = load(_PLACES[name])
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
