"""pytest collects the tests of logic programs; installing lpbridge registers this plugin.

Collected are `test_*.lp`, `*_test.lp` and `*.plt`; other `.lp` and `.pl` files that hold tests (`%! test`,
asp-selftest, plunit) where they are named on the command line, and all of them with `lp_files = *.lp *.pl *.plt` in
the configuration. Each test is an item with its file and line; of a failed one the reason is shown, and of a `.lp`
file the line that is probably wrong, with a repair. `--lp-cov` shows which rules the tests use.

For tests in Python there are the fixture `lp`, which makes problems of files beside the test, and `assert_models`,
`assert_unsat` and `assert_equivalent` in `bridge.integrations.assertions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # a run of pytest without logic programs loads nothing of the bridge
    from bridge.debugging.coverage import Covered
    from bridge.debugging.testing import Tested, Testing

#: Files whose tests are collected without being named.
FILES = ("test_*.lp", "*_test.lp", "*.plt")

#: Seconds for finding the line that makes the tests of a file fail.
DEBUGGING = 5.0

_UNIT = re.compile(r"^:-\s*(begin|end)_tests\(\s*(\w+)", re.MULTILINE)
_CASE = re.compile(r"^test(?:\((?P<name>'[^']*'|\w+))?", re.MULTILINE)

_COVERED = pytest.StashKey[dict[tuple[str, int, int], "Covered"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lpbridge", "logic programs")
    group.addoption("--lp-cov", action="store_true", help="show which rules of .lp programs their tests use")
    group.addoption("--lp-cov-report", metavar="lcov:FILE", help="write that for other tools")
    parser.addini("lp_files", "patterns of files whose tests are collected", type="args", default=list(FILES))
    parser.addini("lp_seconds", "the time limit of each test of a logic program", default="10")


def pytest_configure(config: pytest.Config) -> None:
    report = config.getoption("--lp-cov-report")
    if report and not report.startswith("lcov:"):
        raise pytest.UsageError(f"--lp-cov-report {report}: only lcov:FILE is known")
    config.stash[_COVERED] = {}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix not in (".lp", ".pl", ".plt"):
        return None
    named = parent.session.isinitpath(file_path)
    if not named and not any(file_path.match(pattern) for pattern in parent.config.getini("lp_files")):
        return None
    kind = AspFile if file_path.suffix == ".lp" else PrologFile
    return kind.from_parent(parent, path=file_path)


class ProgramItem(pytest.Item):
    """A test of a logic program."""

    def __init__(self, *, line: int, run: Callable[[], Tested], **given: Any) -> None:
        super().__init__(**given)
        self.line, self.run = line, run

    def runtest(self) -> None:
        found = self.run()
        if found.status == "skipped":
            pytest.skip(found.reason or "")
        if found.status != "passed":
            raise _Failed(found)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from bridge.errors import BridgeError

        if isinstance(excinfo.value, _Failed):
            from bridge.debugging.testing import result_text

            found = excinfo.value.found
            reason = dedent(result_text(found).partition("\n")[2]) or f"{found.test.place}: {found.status}"
            why = self.parent.why() if isinstance(self.parent, AspFile) else ""
            return "\n\n".join(filter(None, [reason, why]))
        if isinstance(excinfo.value, BridgeError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name


class _Failed(Exception):
    def __init__(self, found: Tested) -> None:
        super().__init__(found.reason)
        self.found = found


class ProgramFile(pytest.File):
    """A file with tests of logic programs."""

    @property
    def limits(self) -> Any:
        from bridge.limits import Limits

        return Limits(seconds=float(self.config.getini("lp_seconds")))

    def item(self, name: str, line: int, run: Callable[[], Tested]) -> ProgramItem:
        item: ProgramItem = ProgramItem.from_parent(self, name=name, line=line, run=run)
        return item


class AspFile(ProgramFile):
    """A `.lp` file: a program with tests in its comments, or tests of the program beside it."""

    _debugged = False

    @cached_property
    def program(self) -> list[Path]:
        """The program: `queens.lp` of a `test_queens.lp` or `queens_test.lp` of tests alone; otherwise the file."""
        from bridge.debugging.expectations import is_file_of_tests
        from bridge.errors import InputError

        if not is_file_of_tests(self.path):
            return []
        name = self.path.stem.removeprefix("test_").removesuffix("_test")
        for folder in (self.path.parent, self.path.parent.parent):
            if (beside := folder / f"{name}.lp") != self.path and beside.is_file():
                return [beside]
        raise InputError(
            f"{self.path} holds only tests, and there is no {name}.lp beside it",
            hint='include the program that they are for: #include "program.lp".',
        )

    def collect(self) -> Iterator[pytest.Item]:
        from bridge.debugging.expectations import tests_of
        from bridge.errors import BridgeError

        try:
            found = tests_of(self.path)
            if found:
                self.program  # noqa: B018 its error belongs to the file
        except BridgeError as error:
            raise self.CollectError(str(error)) from None
        for test in found:
            line = test.place.line or 1
            yield self.item(test.name, line, partial(self.tested, test.name, line))

    def test(self, **more: Any) -> Testing:
        import bridge

        tests = [self.path] if self.program else []
        return bridge.test(self.program or [self.path], tests, **more)

    def tested(self, name: str, line: int) -> Tested:
        coverage = self.config.getoption("--lp-cov") or self.config.getoption("--lp-cov-report") is not None
        found = self.test(name=name, coverage=bool(coverage), limits=self.limits)
        covered = self.config.stash[_COVERED]
        for one in found.coverage or ():
            key = (one.place.file or "", one.place.line or 0, one.place.column or 0)
            if key not in covered or one.tests:
                covered[key] = one
        return next(one for one in found.results if one.test.place.line == line)

    def why(self) -> str:
        """The line that is probably wrong, with a repair; once for all tests of the file."""
        if self._debugged:
            return ""
        self._debugged = True
        found = self.test(name_lines=DEBUGGING, limits=self.limits)
        return "" if found.debugging is None else found.debugging.text()


class PrologFile(ProgramFile):
    """A `.plt` file, or a `.pl` file with blocks of plunit, which runs all of them at once."""

    def collect(self) -> Iterator[pytest.Item]:
        text = self.path.read_text(encoding="utf-8", errors="replace")
        borders = [(match.start(), match[1] == "begin", match[2]) for match in _UNIT.finditer(text)]
        for match in _CASE.finditer(text):
            before = [(begins, unit) for start, begins, unit in borders if start < match.start()]
            if before and before[-1][0]:
                line = text.count("\n", 0, match.start()) + 1
                name = (match["name"] or "test").strip("'")
                yield self.item(f"{before[-1][1]}:{name}", line, partial(self.results, line))

    @cached_property
    def found(self) -> Testing:
        import bridge

        beside = self.path.with_suffix(".pl")
        files = [beside] if self.path.suffix == ".plt" and beside.is_file() else [self.path]
        return bridge.test(files, limits=self.limits)

    def results(self, line: int) -> Tested:
        for one in self.found.results:
            if one.test.place.line == line and Path(one.test.place.file or "").name == self.path.name:
                return one
        pytest.skip("plunit does not run it")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    covered = list(config.stash[_COVERED].values())
    if report := config.getoption("--lp-cov-report"):
        from bridge.debugging.coverage import lcov

        Path(report.removeprefix("lcov:")).write_text(lcov(covered), encoding="utf-8")
    if covered and config.getoption("--lp-cov"):
        terminalreporter.section("coverage of logic programs")
        for line in coverage_lines(covered, config.rootpath):
            terminalreporter.write_line(line)


def coverage_lines(covered: list[Covered], root: Path) -> list[str]:
    """A table as that of pytest-cov, a file a line; statements are rules and constraints."""
    files: dict[str, list[Covered]] = {}
    for one in sorted(covered, key=lambda one: (one.place.file or "", one.place.line or 0)):
        name = one.place.file or ""
        files.setdefault(str(Path(name).relative_to(root)) if Path(name).is_relative_to(root) else name, []).append(one)
    width = max(map(len, [*files, "Name"]))
    lines = [f"{'Name':{width}}   Stmts   Miss  Cover   Missing"]
    for name, statements in files.items():
        missed = [one for one in statements if not one.tests]
        share = 100 * (len(statements) - len(missed)) // len(statements)
        missing = ", ".join(str(one.place.line) for one in missed)
        lines.append(f"{name:{width}}  {len(statements):6} {len(missed):6} {share:5}%   {missing}".rstrip())
    return lines


@pytest.fixture
def lp(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Makes a problem of `.lp` files beside the test: `lp("queens.lp", n=4)`; of a `.pl` file with `goal=`."""
    folder = request.path.parent

    def problem(*files: str, goal: str | None = None, **constants: Any) -> Any:
        import bridge

        paths = [folder / file for file in files]
        return bridge.program(*paths, **constants) if goal is None else bridge.goal(paths[0], goal)

    return problem
