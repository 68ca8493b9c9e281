"""`python -m benchmarks.mutants`: do the tests of the modules that promise something notice a change of each guard?

A **mutant** is a module with one change: an operand of `and` or `or` dropped, a guard (`if ...: return`) that never
holds, a condition negated, a comparison or a number changed, a call left out. Each is written into a copy of the tree,
and the tests of its module run there, up to the first that fails. A mutant that passes them all is a **survivor**:
either a test is missing, or the mutant is the same function, and `benchmarks/equal_mutants.json` says why.

    python -m benchmarks.mutants                                 all modules of MODULES
    python -m benchmarks.mutants bridge/asp/running/core.py --jobs 2     one of them
    python -m benchmarks.mutants --save                          and write benchmarks/results/mutants.md

The exit code is 1 when there is a survivor without a reason.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import perf_counter

from benchmarks import mutants_in_place
from benchmarks.measure import machine

ROOT = Path(__file__).parent.parent
REASONS = Path(__file__).with_name("equal_mutants.json")
PAGE = Path(__file__).parent / "results" / "mutants.md"

PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]

#: What each module is tested by, the fastest first.
MODULES: dict[str, list[str]] = {
    "bridge/comparison/containment.py": [
        "tests/bridge/comparison/test_containment_failchecks.py",
        "tests/bridge/comparison/test_containment.py",
    ],
    "bridge/comparison/queries.py": [
        "tests/bridge/comparison/test_containment_failchecks.py",
        "tests/bridge/comparison/test_containment.py",
    ],
    "bridge/asp/running/core.py": ["tests/bridge/analysis/test_core_steps.py"],
    "bridge/asp/hitting.py": ["tests/bridge/asp/test_hitting.py"],
    "bridge/asp/reading/switches.py": ["tests/bridge/asp/test_switches.py"],
    "bridge/asp/reading/demand.py": ["tests/bridge/asp/test_demand.py"],
    "bridge/analysis/cores.py": ["tests/bridge/analysis/test_core_steps.py"],
    "bridge/comparison/family.py": ["tests/bridge/comparison/test_family.py"],
    "bridge/isolation/frames.py": ["tests/bridge/isolation/test_frame_bytes.py"],
    "bridge/isolation/sandbox.py": ["tests/bridge/isolation/test_sandbox_steps.py"],
    "bridge/isolation/landlock.py": ["tests/bridge/isolation/test_landlock_steps.py"],
}

_SWAPS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A change of a module: bytes from `begin` to `end` become `after`."""

    module: str
    where: str  #: The function.
    line: int
    begin: int
    end: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """What names it, wherever its line is."""
        return f"{self.where}: {' '.join(self.before.split())} => {' '.join(self.after.split())}"


class _Mutants(ast.NodeVisitor):
    """The mutants of a module."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.data = module, source.encode()
        self.starts = [0]
        for row in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(row))
        self.names: list[str] = []
        self.found: list[Mutant] = []

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr | ast.stmt) -> str:
        begin, end = self._span(node)
        return self.data[begin:end].decode()

    def _add(self, node: ast.expr | ast.stmt, after: str) -> None:
        begin, end = self._span(node)
        where = ".".join(self.names) or "<module>"
        self.found.append(Mutant(self.module, where, node.lineno, begin, end, self._text(node), after))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self.names.append(node.name)
        for statement in node.body:  # neither annotations nor decorators
            self.visit(statement)
        self.names.pop()

    visit_ClassDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        leaves = isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break) and not node.orelse
        self._add(node.test, "False" if leaves else f"(not ({self._text(node.test)}))")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._add(node.test, f"(not ({self._text(node.test)}))")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word = " and " if isinstance(node.op, ast.And) else " or "
        texts = [f"({self._text(value)})" for value in node.values]
        for number in range(len(texts)):
            self._add(node, f"({word.join(texts[:number] + texts[number + 1 :])})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add(node, f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for number, op in enumerate(node.ops):
            between = self.data[self._span(sides[number])[1] : self._span(sides[number + 1])[0]].decode()
            begin, end = self._span(node)
            left, right = self._span(sides[number])[1], self._span(sides[number + 1])[0]
            word = between.strip(" ()\n")
            if type(op) in _SWAPS and between.count(word) == 1:
                swapped = between.replace(word, _SWAPS[type(op)])
                text = (self.data[begin:left] + swapped.encode() + self.data[right:end]).decode()
                self._add(node, f"({text})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int:
            self._add(node, str(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts are not changed."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._add(node, "pass")
        self.generic_visit(node)


def mutants_of(module: str, source: str) -> list[Mutant]:
    """The mutants of a module, without those that are no program, or the same one."""
    same, found = ast.dump(ast.parse(source)), dict[tuple[int, int, str], Mutant]()
    for one in changes_of(module, source):
        try:
            if ast.dump(ast.parse(changed(source, one))) != same:
                found.setdefault((one.begin, one.end, one.after), one)
        except SyntaxError:
            continue
    return list(found.values())


def changes_of(module: str, source: str) -> list[Mutant]:
    """The mutants of a module, and what is none."""
    finder = _Mutants(module, source)
    finder.visit(ast.parse(source))
    return finder.found


def changed(source: str, mutant: Mutant) -> str:
    """The text of a mutant."""
    data = source.encode()
    return (data[: mutant.begin] + mutant.after.encode() + data[mutant.end :]).decode()


class Copies:
    """Copies of the tree, in each of which one mutant is tested at a time."""

    def __init__(self, number: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lpbridge-mutants-"))
        self.free: SimpleQueue[Path] = SimpleQueue()
        for index in range(number):
            copy = self.folder / str(index)
            for name in ("bridge", "encodings", "examples", "tests", "benchmarks", "fuzz"):
                shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(ROOT / "pyproject.toml", copy)
            self.free.put(copy)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def noticed(self, module: str, texts: Sequence[str], tests: Sequence[str]) -> list[bool]:
        """Which texts of a module the tests notice by what happens in their own process."""
        copy = self.free.get()
        try:
            given = copy / "given.json"
            name = module.removesuffix(".py").replace("/", ".")
            given.write_text(json.dumps({"module": name, "texts": texts}), encoding="utf-8")
            environment = {mutants_in_place.GIVEN: str(given)}
            command = [*PYTEST, "-p", mutants_in_place.__name__, *tests]
            subprocess.run(
                command, cwd=copy, env=self._environment(copy) | environment, stdout=subprocess.DEVNULL, check=False
            )
            found: list[bool] | None = json.loads(given.read_text(encoding="utf-8")).get("noticed")
            if found is None:
                raise SystemExit(f"the tests of {module} fail as it is: {' '.join(tests)}")
            return found
        finally:
            self.free.put(copy)

    @staticmethod
    def _environment(copy: Path) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}

    def passes(self, module: str, text: str | None, tests: Sequence[str], seconds: float) -> bool:
        """Whether the tests pass, with another text of a module."""
        copy = self.free.get()
        file, plain = copy / module, (ROOT / module).read_text(encoding="utf-8")
        try:
            file.write_text(plain if text is None else text, encoding="utf-8")
            with subprocess.Popen(
                [*PYTEST, "-x", *tests], cwd=copy, env=self._environment(copy), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True,
            ) as process:  # fmt: skip
                try:
                    return process.wait(seconds) == 0
                except subprocess.TimeoutExpired:
                    return False
                finally:
                    if process.poll() is None:
                        os.killpg(process.pid, 9)
        finally:
            file.write_text(plain, encoding="utf-8")
            self.free.put(copy)


def survivors(
    module: str, copies: Copies, jobs: int, chosen: re.Pattern[str], most: int | None = None, seed: int = 0
) -> tuple[int, list[Mutant]]:
    """The number of mutants of a module, of all or `most` at random, and those that its tests do not notice."""
    source = (ROOT / module).read_text(encoding="utf-8")
    tests = MODULES[module]
    mutants = [one for one in mutants_of(module, source) if chosen.search(one.key)]
    if most is not None and most < len(mutants):
        mutants = Random(seed).sample(mutants, most)

    def unnoticed(some: Sequence[Mutant]) -> list[Mutant]:
        """Those that are not noticed in the process of the tests."""
        results = copies.noticed(module, [changed(source, one) for one in some], tests)
        return [one for one, seen in zip(some, results, strict=True) if not seen]

    with ThreadPoolExecutor(jobs) as pool:
        left = [one for some in pool.map(unnoticed, [mutants[job::jobs] for job in range(jobs)]) for one in some]
        left.sort(key=lambda one: (one.begin, one.end))
        began = perf_counter()
        if not copies.passes(module, None, tests, 600):
            raise SystemExit(f"the tests of {module} fail as it is: {' '.join(tests)}")
        seconds = 20 + 5 * (perf_counter() - began)

        def survives(one: Mutant) -> bool:
            survived = copies.passes(module, changed(source, one), tests, seconds)
            if survived:
                print(f"{module}:{one.line}: {one.key}", flush=True)
            return survived

        return len(mutants), [one for one, survived in zip(left, pool.map(survives, left), strict=True) if survived]


def page(results: Sequence[tuple[str, int, list[Mutant]]], reasons: dict[str, dict[str, str]]) -> Iterator[str]:
    """The record, in Markdown."""
    yield "# Mutants of the modules that promise something\n"
    yield f"`{' '.join(['python -m benchmarks.mutants', *sys.argv[1:]])}`; {machine()}\n"
    yield "| module | mutants | noticed | the same function | not noticed |\n|---|--:|--:|--:|--:|"
    for module, number, left in results:
        known = sum(one.key in reasons.get(module, {}) for one in left)
        yield f"| `{module}` | {number} | {number - len(left)} | {known} | {len(left) - known} |"
    for module, _, left in results:
        if left:
            yield f"\n## `{module}`\n\n| line | change | why no test notices it |\n|--:|---|---|"
            for one in left:
                change = one.key.replace("|", "\\|")
                yield f"| {one.line} | `{change}` | {reasons.get(module, {}).get(one.key, '**not looked at**')} |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"some of {', '.join(MODULES)}")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="mutants whose change has this regular expression")
    parser.add_argument("--number", type=int, help="so many of each module, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    chosen = parser.parse_args()
    if unknown := [one for one in chosen.modules if one not in MODULES]:
        parser.error(f"{unknown[0]} is not in the table")
    reasons: dict[str, dict[str, str]] = json.loads(REASONS.read_text(encoding="utf-8"))
    copies, results = Copies(chosen.jobs), list[tuple[str, int, list[Mutant]]]()
    try:
        for module in chosen.modules or MODULES:
            only = re.compile(chosen.only)
            results.append((module, *survivors(module, copies, chosen.jobs, only, chosen.number, chosen.seed)))
    finally:
        copies.close()
    text = "\n".join(page(results, reasons)) + "\n"
    print(text)
    if chosen.save:
        PAGE.write_text(text, encoding="utf-8")
    return int(any(one.key not in reasons.get(module, {}) for module, _, left in results for one in left))


if __name__ == "__main__":
    sys.exit(main())
