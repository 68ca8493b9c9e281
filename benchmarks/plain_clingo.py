"""clingo's own program, from the pip package: with incremental mode and Python scripts, and nothing of ours.

`python -m clingo` is another one: it has a main function of its own, so that incremental programs do not run.
"""

import sys

import clingo
from clingo.script import enable_python


class Plain(clingo.Application):
    program_name = "clingo"


if __name__ == "__main__":
    enable_python()
    sys.exit(clingo.clingo_main(Plain(), sys.argv[1:]))
