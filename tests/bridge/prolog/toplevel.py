"""What SWI-Prolog's own toplevel prints, to compare with. Asked once for all goals about a program."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from patience import PATIENCE

from bridge.prolog.locate import find

#: Printed after each goal.
_MARK = "end of the answer"


@cache
def printed(goals: tuple[str, ...], program: str = "", libraries: tuple[str, ...] = ("clpfd",)) -> dict[str, str]:
    """The first answer to each of these goals about a program, with abbreviation switched off.

    The goals are asked one after another. They must leave no choice point, and change nothing.
    """
    installation = find()
    assert installation is not None
    flags = "quoted(true), portray(true), spacing(next_argument), max_depth(0)"
    uses = "".join(f"use_module(library({library})), " for library in libraries)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.pl"
        file.write_text(program, encoding="utf-8")
        run = subprocess.run(
            [installation.swipl, "-q", "-g", f"{uses}set_prolog_flag(answer_write_options, [{flags}])", file],
            input="".join(f"{goal}.\nwriteln('{_MARK}').\n" for goal in goals),
            capture_output=True, text=True, check=True, timeout=PATIENCE,
        )  # fmt: skip
    *texts, rest = run.stdout.split(f"{_MARK}\ntrue.\n")
    assert (len(texts), rest.strip()) == (len(goals), ""), run.stdout
    return {goal: text.strip() for goal, text in zip(goals, texts, strict=True)}
