"""clingo for any program: ground once, solve many, decode, consequences, optimisation.

    from bridge import asp
    with asp.Program("queens.lp", n=8) as program:
        for model in program.models():
            print(model["queen"])
"""

from bridge.asp.decode import INFIMUM, SUPREMUM, Constant, Extreme, Function, encode, facts
from bridge.asp.model import Model
from bridge.asp.profile import Profile, StatementProfile, profile
from bridge.asp.program import Program
from bridge.asp.results import Core, Count, Grounding, Solved
from bridge.asp.text_output import write_ground

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
    "Profile",
    "Program",
    "Solved",
    "StatementProfile",
    "encode",
    "facts",
    "profile",
    "write_ground",
]
