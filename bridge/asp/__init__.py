"""clingo for any program: ground once, solve many, decode, consequences.

    from bridge import asp
    with asp.Program("queens.lp", n=8) as program:
        for model in program.models():
            print(model["queen"])
"""

from bridge.asp.decode import INFIMUM, SUPREMUM, Constant, Function, Model, encode, facts
from bridge.asp.program import Program

__all__ = ["INFIMUM", "SUPREMUM", "Constant", "Function", "Model", "Program", "encode", "facts"]
