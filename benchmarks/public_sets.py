"""`python -m benchmarks.public_sets CHECKOUTS`: `lpbridge run` beside `clingo` and `swipl` on public sets of programs.

CHECKOUTS is a folder with a checkout of each repository in `SETS` (`OWNER/NAME`, `OWNER+NAME` or `NAME`), at the commit
that stands there; `--clone` makes those that are missing, with git. Programs are compared as `benchmarks.compatibility`
does it. `--write` puts what was run and what came of it into docs/compatibility.md.

- ASP: each file of a set; in a folder that has encodings and instances (`encoding*.lp`, `instance*.lp`), each encoding
  with the first instance.
- Prolog: each file with the queries of its comment `/** <examples> ?- ... */`, and each program of a notebook of SWISH
  (`.swinb`) with the queries that follow it.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.compatibility import VERDICTS, Case, Finding, add_programs, programs_of, table
from benchmarks.measure import machine
from bridge.common.languages import language_of_path

PAGE = Path(__file__).parent.parent / "docs" / "compatibility.md"
BEGIN, END = "<!-- made by python -m benchmarks.public_sets -->", "<!-- end -->"


@dataclass(frozen=True)
class PublicSet:
    """Programs of a public repository.

    Attributes
    ----------
    repository, commit
        On GitHub.
    folders
        Those that are run, with all below them.
    what
        What they are.
    """

    repository: str
    commit: str
    folders: tuple[str, ...]
    what: str


SETS = (
    PublicSet(
        "potassco/clingo",
        "920d06bcda7dd420814ce50953feff260a60fd8b",
        ("examples/clingo", "examples/gringo", "examples/reify", "app/clingo/tests/lp", "app/clingo/tests/python"),
        "examples and tests of clingo",
    ),
    PublicSet(
        "potassco/guide",
        "26fba894654e88aa511c2a547e69afe1ae0f23fa",
        ("examples",),
        "examples of the Potassco guide",
    ),
    PublicSet(
        "SWI-Prolog/swish",
        "4fb6acb97bedf993ec406a2ef324eeb2a16c49e3",
        ("examples",),
        "example programs and notebooks of SWISH, with their queries",
    ),
)

#: What cannot be compared, and why: names of cases, with wildcards.
NOT_COMPARABLE = {
    "*/examples/io.pl ?- *": "reads from the terminal",
    "*?- *random*": "random",
    "*?- *time(*": "prints times",
}


def checkout(public: PublicSet, folder: Path, clone: bool) -> Path:
    """The checkout of a set, made if it is missing and `clone`."""
    owner, name = public.repository.split("/")
    for place in (folder / owner / name, folder / f"{owner}+{name}", folder / name):
        if place.is_dir():
            return place
    if not clone:
        sys.exit(f"no checkout of {public.repository} in {folder}: --clone makes it")
    place = folder / f"{owner}+{name}"
    url = f"https://github.com/{public.repository}"
    subprocess.run(["git", "clone", "--quiet", "--filter=blob:none", "--no-checkout", url, str(place)], check=True)
    subprocess.run(["git", "-C", str(place), "checkout", "--quiet", public.commit], check=True)
    return place


def cases(public: PublicSet, root: Path, scratch: Path) -> Iterator[Case]:
    """What is run of a set. Programs of notebooks are written into `scratch`."""
    for folder in public.folders:
        for path in sorted([root / folder, *(root / folder).rglob("*")]):
            if path.is_dir():
                yield from _asp(public, root, path)
            elif language_of_path(path) == "prolog":
                text = path.read_text(encoding="utf-8", errors="replace")
                yield from _prolog(public, str(path.relative_to(root)), path, queries(text))
            elif path.suffix == ".swinb":
                yield from _notebook(public, root, path, scratch)


def _asp(public: PublicSet, root: Path, folder: Path) -> Iterator[Case]:
    files = sorted(path for path in folder.iterdir() if path.is_file() and language_of_path(path) == "clingo")
    encodings = [path for path in files if path.name.startswith("encoding")]
    instances = [path for path in files if path.name.startswith("instance")]
    if encodings and instances:
        files = [path for path in files if path not in (*encodings, *instances)]
        for encoding in encodings:
            yield _case(public, root, (encoding, instances[0]))
    for path in files:
        yield _case(public, root, (path,))


def _case(public: PublicSet, root: Path, paths: tuple[Path, ...]) -> Case:
    name = " ".join(str(path.relative_to(root)) for path in paths)
    return Case(name, public.repository, paths, reason=_reason(name))


def _prolog(public: PublicSet, name: str, path: Path, goals: Sequence[str]) -> Iterator[Case]:
    for goal in goals or ["true"]:
        called = f"{name} ?- {' '.join(goal.split())}"
        yield Case(called, public.repository, (path,), goal=goal, reason=_reason(f"{public.repository}/{called}"))


def _reason(name: str) -> str | None:
    return next((why for pattern, why in NOT_COMPARABLE.items() if fnmatch(name, pattern)), None)


_EXAMPLES = re.compile(r"/\*\*\s*<examples>(.*?)\*/", re.DOTALL)
_QUERY = re.compile(r"\?-\s*(.*?)\.\s*(?=\?-|\Z)", re.DOTALL)
_CELL = re.compile(r'<div class="nb-cell (program|query)"([^>]*)>(.*?)</div>', re.DOTALL)


def queries(text: str) -> list[str]:
    """The example queries in the comments of a program, without the final dots."""
    comments = [re.sub(r"^\s*%.*", "", comment, flags=re.MULTILINE) for comment in _EXAMPLES.findall(text)]
    return [query[1].strip() for comment in comments for query in _QUERY.finditer(comment)]


def _notebook(public: PublicSet, root: Path, path: Path, scratch: Path) -> Iterator[Case]:
    background: list[str] = []
    program, goals, number = "", list[str](), 0

    def flush() -> Iterator[Case]:
        if goals and (program or background):
            file = scratch / f"{path.stem}_{number}.pl"
            file.write_text("\n".join([*background, program]), encoding="utf-8")
            yield from _prolog(public, f"{path.relative_to(root)}#{number}", file, goals)

    for kind, attributes, text in _CELL.findall(path.read_text(encoding="utf-8", errors="replace")):
        cell = html.unescape(text).strip()
        if kind == "query":
            goals.append(cell.removesuffix("."))
            continue
        yield from flush()
        goals, number = [], number + 1
        if 'data-background="true"' in attributes:
            background.append(cell)
            program = ""
        else:
            program = f"{cell}\n"
    yield from flush()


def cause(finding: Finding) -> str:
    """What a finding has in common with others: its reason without places and names."""
    why = finding.why.split(" -- lpbridge:")[0]
    why = re.sub(r"\S*/?[\w.+#-]+\.(lp|pl|lp4|asp)(:\d+)*(:\d+)?:?\s*", "", why)
    why = re.sub(r"`[^`]*`|'[^']*'|\"/[^\"]*\"|(?<![\w<])/[\w.+/-]+", "...", why)
    return re.sub(r"\d+", "N", why)[:110].strip() or "(no reason)"


def page(findings: Sequence[Finding], seconds: float, most: int) -> str:
    """The part of docs/compatibility.md that tells what was run, and what came of it."""
    lines = [
        "## Public sets", "",
        f"`python -m benchmarks.public_sets CHECKOUTS --clone --write` makes this part. Up to {most} answers, "
        f"{seconds:g} s for the solver, {3 * seconds:g} s for lpbridge. {machine()}", "",
        "| set | commit | what |", "|---|---|---|",
    ]  # fmt: skip
    for each in SETS:
        link = f"[{each.repository}](https://github.com/{each.repository})"
        lines.append(f"| {link} | {each.commit[:7]} | {each.what} |")
    lines += ["", table(findings), ""]
    for verdict in VERDICTS[1:]:
        by_cause: dict[tuple[str, str], list[Finding]] = defaultdict(list)
        for finding in findings:
            if finding.verdict == verdict:
                by_cause[finding.kind, cause(finding)].append(finding)
        if not by_cause:
            continue
        lines += [f"**{verdict.capitalize()}**, by cause", "", "| | cause | programs | such as |", "|---|---|--:|---|"]
        for (kind, why), some in sorted(by_cause.items(), key=lambda item: (-len(item[1]), item[0])):
            lines.append(f"| {kind} | {_cell(why)} | {len(some)} | {_cell(some[0].name[:90])} |")
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return "<code>" + html.escape(text, quote=False).replace("|", "&#124;") + "</code>"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.public_sets",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--clone", action="store_true", help="clone what is missing, with git")
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}, in place of what was there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every finding into a file")
    parser.add_argument("--from", dest="made", type=Path, metavar="FILE", help="findings of --json, in place of a run")
    add_programs(parser, seconds=10)
    chosen = parser.parse_args()
    if chosen.made:
        findings = [Finding(**each) for each in json.loads(chosen.made.read_text(encoding="utf-8"))]
    else:
        findings = _run(chosen)
    if chosen.json:
        text = json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False)
        chosen.json.write_text(text, encoding="utf-8")
    made = page(findings, chosen.seconds, chosen.n)
    if chosen.write:
        before = PAGE.read_text(encoding="utf-8")
        head, _, rest = before.partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n{made}{END}{rest.partition(END)[2]}", encoding="utf-8")
    else:
        print(made)


def _run(chosen: argparse.Namespace) -> list[Finding]:
    with tempfile.TemporaryDirectory(prefix="lpbridge-") as scratch, ThreadPoolExecutor(chosen.jobs) as pool:
        todo = []
        for public in SETS:
            root = checkout(public, chosen.checkouts.resolve(), chosen.clone)
            todo += [case for case in cases(public, root, Path(scratch)) if fnmatch(case.name, chosen.only)]
        findings, counts = [], Counter[str]()
        for done, finding in enumerate(pool.map(programs_of(chosen).find, todo), 1):
            findings.append(finding)
            counts[finding.verdict] += 1
            print(f"\r\033[K{done} of {len(todo)}: {dict(counts)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return findings


if __name__ == "__main__":
    main()
