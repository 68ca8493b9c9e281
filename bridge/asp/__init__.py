"""clingo for any program: ground once, solve many, decode, consequences, optimisation.

from bridge import asp
with asp.Program("queens.lp", n=8) as program:
    for model in program.models():
        print(model["queen"])
"""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # the public names, once
    from bridge.asp.best import Paid as Paid
    from bridge.asp.best import Priced as Priced
    from bridge.asp.bounds import Bounds as Bounds
    from bridge.asp.bounds import Optimum as Optimum
    from bridge.asp.decode import INFIMUM as INFIMUM
    from bridge.asp.decode import SUPREMUM as SUPREMUM
    from bridge.asp.decode import Constant as Constant
    from bridge.asp.decode import Extreme as Extreme
    from bridge.asp.decode import Function as Function
    from bridge.asp.decode import String as String
    from bridge.asp.decode import encode as encode
    from bridge.asp.decode import facts as facts
    from bridge.asp.model import Model as Model
    from bridge.asp.model import Printed as Printed
    from bridge.asp.program import Program as Program
    from bridge.asp.results import Core as Core
    from bridge.asp.results import Grounding as Grounding
    from bridge.asp.results import Solved as Solved
    from bridge.asp.running.text_output import write_ground as write_ground
    from bridge.outcome import Count as Count
else:
    __getattr__, __dir__ = _exports(__name__)
