"""What SWI-Prolog's own toplevel prints, to compare with. Asked once for each goal: tests run here and in a worker."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from patience import PATIENCE

from bridge.prolog.locate import find


@cache
def printed(goal: str, program: str = "", libraries: tuple[str, ...] = ("clpfd",)) -> str:
    """The answers to a goal about a program, with abbreviation switched off."""
    installation = find()
    assert installation is not None
    flags = "quoted(true), portray(true), spacing(next_argument), max_depth(0)"
    uses = "".join(f"use_module(library({library})), " for library in libraries)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.pl"
        file.write_text(program, encoding="utf-8")
        run = subprocess.run(
            [installation.swipl, "-q", "-g", f"{uses}set_prolog_flag(answer_write_options, [{flags}])", file],
            input=f"{goal}.\n", capture_output=True, text=True, check=True, timeout=PATIENCE,
        )  # fmt: skip
    return run.stdout.strip()
