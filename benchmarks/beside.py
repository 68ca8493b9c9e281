"""`python -m benchmarks.beside [--python PATH]`: what docs/beside.md shows of other tools, run, and its lines counted.

The other tools are those of `make bench-rivals`; each block prints what its last comments say.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "beside.md"

_CODE = r"```python\n(.*?)```"
_JOB = re.compile(rf"^### (.*?)\n.*?{_CODE}\n\nWith (.*?):\n\n.*?{_CODE}", re.DOTALL | re.MULTILINE)


def jobs() -> list[tuple[str, str, str, str]]:
    """Title, our code, the other tool, its code."""
    return _JOB.findall(PAGE.read_text(encoding="utf-8"))


def lines_of(code: str) -> int:
    """Lines that are neither empty nor a comment."""
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in code.splitlines())


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.beside", description=(__doc__ or "").splitlines()[0])
    default = str(ROOT / ".venv-bench" / "bin" / "python")
    parser.add_argument("--python", default=default, help="that has the other tools")
    given = parser.parse_args(words)
    wrong = 0
    print("| job | lines here | lines with | |\n|---|--:|--:|---|")
    for title, ours, tool, theirs in jobs():
        expected = [line[2:] for line in theirs.splitlines() if line.startswith("# ")]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "job.py"
            file.write_text(theirs, encoding="utf-8")
            ran = subprocess.run([given.python, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
        same = ran.stdout.splitlines() == expected
        wrong += not same
        said = "as the page says" if same else f"not as the page says: {(ran.stdout or ran.stderr).strip()[-200:]!r}"
        print(f"| {title} | {lines_of(ours)} | {lines_of(theirs)} ({tool}) | {said} |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
