"""`python -m benchmarks.compatibility FOLDER`: does `lpbridge run` say of other people's programs what the solvers say?

Every program below FOLDER is run twice, by the solver's own program and by `lpbridge run`, and what the two say is
compared: of a `.lp` the answer sets, as a set; of a `.pl` and a goal the answers as the toplevel prints them, in their
order, with what the program itself prints. Both stop after the same number of answers. A program that both refuse, or
end with an error, is told apart from one on which they agree; so is one that swipl loads with errors and runs all the
same, which lpbridge refuses.

Three files in FOLDER may say more:

    goals.json    {"queens.pl": ["queens(8, Qs)", ...], ...}      what to ask of each `.pl`; the others are left out
    groups.json   {"tour": {"files": ["ham.lp", "graph.lp"], "project": false}, ...}     `.lp` that belong together
    skip.json     {"play.pl ?- main": "interactive", "tour": "why", ...}      what cannot be compared, and the reason

Sources, in the table, are the folders two levels down.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import clingo

from benchmarks.measure import machine

#: What the comparison of a program may come to, in the order of the table's columns.
VERDICTS = ("agree", "both refuse", "load errors", "differ", "not comparable")

#: Has the toplevel put a frame around each answer and each error.
FRAMER = Path(__file__).with_suffix(".pl")
FRAME = re.compile("\x01(\\w+)\x02([^\x03]*)\x03")

#: The atoms of a model in clingo's JSON: strings.
VALUES = re.compile(r'"Value": \[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\]')

#: The last line that `run` prints.
END = re.compile(r"% (false|no answer found|[\d,]+ answers?)( \([\d,]+ undefined\))?;")


@dataclass(frozen=True)
class Case:
    """A program to be run: its files, and for Prolog a goal. A `reason` says why it cannot be compared."""

    name: str
    source: str
    files: tuple[Path, ...]
    goal: str | None = None
    project: bool = False
    reason: str | None = None


@dataclass
class Reply:
    """What one of the two said: its answers, or why it gave none.

    The answers of clingo are models, and `complete` tells whether there are no others. Those of Prolog are lines; what
    the program itself `printed`, and the first error while loading, stand apart where they are known.
    """

    answers: list[str] = field(default_factory=list)
    complete: bool = False
    error: str | None = None
    printed: list[str] = field(default_factory=list)
    loading: str | None = None


@dataclass
class Finding:
    """What came of a case; `why` tells of a difference, or why there is nothing to compare."""

    name: str
    kind: str
    source: str
    verdict: str
    why: str = ""
    answers: int = 0


class OutOfTimeError(Exception):
    """A program was not done within its time."""


@dataclass
class Runner:
    """How to start the three programs, how many answers to ask for, and how long to wait for them."""

    clingo: list[str]
    swipl: list[str]
    lpbridge: list[str]
    most: int
    seconds: float

    def plain_asp(self, case: Case, *options: str) -> Reply:
        run = self._run([*self.clingo, *map(str, case.files), "--outf=2", f"--models={self.most}", *options], case)
        if '"Result": "UNKNOWN"' in run.stdout or '"Models": {' not in run.stdout:  # a script may solve nothing
            return Reply(error=brief(run.stderr) or f"exit code {run.returncode}")
        # Found piece by piece: a script may print, and that stands in the midst of clingo's JSON.
        witnesses = [json.loads(f"[{values}]") for values in VALUES.findall(run.stdout)]
        return Reply([model(map(atom_of, values)) for values in witnesses], '"More": "no"' in run.stdout)

    def bridged_asp(self, case: Case, *options: str) -> Reply:
        run = self._lpbridge(case, "--json", *options)
        try:
            found = json.loads(run.stdout)
        except ValueError:
            return Reply(error=brief(run.stderr) or f"exit code {run.returncode} and no JSON")
        if "error" in found:
            return Reply(error=f"{found['error'].get('where') or ''} {found['error']['message']}".strip())
        shown = [{name: rows for name, rows in one.items() if name[:1] != "#"} for one in found["models"]]
        models = [[(name, row) for name, rows in one.items() for row in rows] for one in shown]
        return Reply(list(map(model, models)), bool(found["complete"]))

    def plain_prolog(self, case: Case) -> Reply:
        typed = f"{case.goal}.\n" + ";\n" * (self.most - 1) + ".\n"
        run = self._run([*self.swipl, "-q", str(FRAMER), str(case.files[0])], case, typed)
        frames = FRAME.findall(run.stdout)
        kinds = [kind for kind, _ in frames]
        errors = [text for kind, text in frames if kind == "error"]
        answers = [text for kind, text in frames if kind in ("more", "last")]
        if not kinds or kinds[-1] in ("more", "loading"):
            errors.append("the program left")
        loading = next((brief(text) for kind, text in frames if kind == "loading"), None)
        error = brief(errors[0]) if errors else None
        printed = lines(FRAME.sub("", run.stdout))
        return Reply(lines("\n".join(answers)), error=error, printed=printed, loading=loading)

    def bridged_prolog(self, case: Case) -> Reply:
        assert case.goal is not None
        run = self._lpbridge(case, "--goal", case.goal)
        error = brief(run.stderr) or f"exit code {run.returncode}"
        return Reply(lines(run.stdout), error=error if run.returncode else None)

    def _lpbridge(self, case: Case, *options: str) -> subprocess.CompletedProcess[str]:
        """A run of lpbridge, which may take a few times longer; if it takes more, that is a difference."""
        command = [*self.lpbridge, "run", *map(str, case.files), "-n", str(self.most), *options]
        try:
            return self._run(command, case, patience=3)
        except OutOfTimeError:
            return subprocess.CompletedProcess(command, 1, "", f"not done in {3 * self.seconds:g} s")

    def _run(
        self, command: Sequence[str], case: Case, typed: str = "", patience: int = 1
    ) -> subprocess.CompletedProcess[str]:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace", cwd=case.files[0].parent,
        )  # fmt: skip
        try:
            out, err = process.communicate(typed, timeout=self.seconds * patience)
        except subprocess.TimeoutExpired:
            # As a person would: lpbridge then ends its own worker.
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            raise OutOfTimeError from None
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def find(self, case: Case) -> Finding:
        """Run a case both ways."""
        finding = Finding(case.name, "clingo" if case.goal is None else "SWI-Prolog", case.source, "not comparable")
        try:
            if case.reason:
                finding.why = case.reason
            elif case.goal is None:
                self._find_asp(case, finding)
            else:
                self._find_prolog(case, finding)
        except OutOfTimeError:
            finding.why = f"not done in {self.seconds:g} s"
        return finding

    def _find_asp(self, case: Case, finding: Finding) -> None:
        projected = ("--project",) if case.project else ()
        here = self.plain_asp(case, "--opt-mode=ignore", *projected)
        self._judge_sets(finding, here, self.bridged_asp(case, *projected))
        if finding.verdict == "agree" and any(optimizes(path) for path in case.files):
            try:
                best = self.plain_asp(case, "--opt-mode=optN", "--quiet=1")
            except OutOfTimeError:
                finding.why = "the optimal models were not compared: not done in time"
                return
            self._judge_sets(finding, best, self.bridged_asp(case, "--optimal"))
            finding.why = finding.why and f"optimal models: {finding.why}"

    def _judge_sets(self, finding: Finding, here: Reply, there: Reply) -> None:
        finding.answers = len(here.answers)
        if refused(finding, here, there):
            return
        finding.verdict = "differ"
        if len(here.answers) != len(there.answers):
            finding.why = f"{len(here.answers)} models against {len(there.answers)}"
        elif here.complete and Counter(here.answers) != Counter(there.answers):
            odd = min(set(here.answers) ^ set(there.answers))
            finding.why = f"a model of {'clingo' if odd in here.answers else 'lpbridge'} only: {odd[:200]}"
        elif here.complete > there.complete and len(here.answers) < self.most:
            finding.why = "lpbridge does not say that these are all models"
        else:
            finding.verdict = "agree"

    def _find_prolog(self, case: Case, finding: Finding) -> None:
        here = self.plain_prolog(case)
        there = self.bridged_prolog(case)
        finding.answers = len(here.answers)
        if here.loading and not here.error and there.error:
            finding.verdict, finding.why = "load errors", f"{here.loading} -- lpbridge: {there.error}"
            return
        if refused(finding, here, there):
            return
        # What a program prints may overtake an answer, on either side.
        printed, rest = Counter(here.printed), []
        for line in there.answers:
            if printed[line] > 0:
                printed[line] -= 1
            else:
                rest.append(line)
        if here.answers == rest and not printed.total():
            finding.verdict = "agree"
            return
        finding.verdict = "differ"
        both = zip([*here.answers, "(nothing)"], [*rest, "(nothing)"], strict=False)
        first = next((pair for pair in both if pair[0] != pair[1]), None)
        lost = first or (next(printed.elements(), "(more)"), "(not printed)")
        finding.why = f"swipl: {lost[0][:150]} -- lpbridge: {lost[1][:150]}"


def refused(finding: Finding, here: Reply, there: Reply) -> bool:
    """Whether one of the two gave an error, or both; the finding then says so."""
    if here.error and there.error:
        finding.verdict, finding.why = "both refuse", f"{here.error} -- lpbridge: {there.error}"
    elif here.error or there.error:
        side = "the solver" if here.error else "lpbridge"
        finding.verdict, finding.why = "differ", f"only {side} refuses: {here.error or there.error}"
    return bool(here.error or there.error)


def model(atoms: Iterable[tuple[str, list[Any]]]) -> str:
    return " ".join(sorted(name + json.dumps(arguments) for name, arguments in atoms))


def atom_of(text: str) -> tuple[str, list[Any]]:
    """An atom of clingo, or a term that is shown, as `run --json` tells it: predicate and arguments."""
    try:
        symbol = clingo.parse_term(text, logger=lambda *_: None)
    except RuntimeError:  # what a script or a theory shows need not be a term
        return text, []
    if symbol.type is not clingo.SymbolType.Function:
        return "", [value_of(symbol)]
    return "-" * symbol.negative + symbol.name, list(map(value_of, symbol.arguments))


def value_of(symbol: clingo.Symbol) -> Any:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is not clingo.SymbolType.Function:
        return symbol.string if symbol.type is clingo.SymbolType.String else str(symbol)
    arguments = list(map(value_of, symbol.arguments))
    if not symbol.name:
        return arguments
    if not arguments and symbol.positive:
        return symbol.name
    return {"functor": symbol.name, "args": arguments} | ({} if symbol.positive else {"positive": False})


def lines(text: str) -> list[str]:
    """What was printed, without blanks, without what only ends an answer (`;`, `.`, a last `false.`) or the run, and
    without the numbers in the names of variables that a program writes.
    """
    bare = (re.sub(r"\b_G?\d+\b", "_", re.sub(r"\s+", " ", line)).strip() for line in text.splitlines())
    ended = (re.sub(r"(\s*;|\.)$", "", line) for line in bare)
    return [line for line in ended if line not in ("", "false") and not END.match(line)]


def brief(text: str) -> str:
    return " ".join(text.split())[:300]


def code(path: Path) -> str:
    """A clingo program without its comments."""
    return re.sub(r"%\*.*?\*%|%[^\n]*", "", path.read_text(encoding="utf-8", errors="replace"), flags=re.DOTALL)


def optimizes(path: Path) -> bool:
    return re.search(r"#minimi[sz]e|#maximi[sz]e|:~", code(path)) is not None


def cases(folder: Path) -> Iterator[Case]:
    """Everything to be compared: groups, then the `.lp` files that are in none, then the goals."""

    def listed(name: str) -> dict[str, Any]:
        path = folder / name
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}

    def case(name: str, files: Sequence[str], **more: Any) -> Case:
        paths = tuple(folder / file for file in files)
        source = "/".join(Path(files[0]).parts[:-1][:2]) or "."
        return Case(name, source, paths, reason=skipped.get(name), **more)

    skipped: dict[str, str] = listed("skip.json")
    grouped: set[str] = set()
    for name, group in listed("groups.json").items():
        grouped.update(group["files"])
        yield case(name, group["files"], project=bool(group.get("project")))
    for path in sorted(folder.rglob("*.lp")):
        name = str(path.relative_to(folder))
        if name not in grouped:
            yield case(name, [name])
    for file, goals in listed("goals.json").items():
        for goal in goals:
            yield case(f"{file} ?- {goal}", [file], goal=goal)


def table(findings: Sequence[Finding]) -> str:
    """The findings by solver and source, in Markdown."""
    head = "| | | programs | " + " | ".join(VERDICTS) + " |"
    rows = [head, "|---|---|--:|" + "--:|" * len(VERDICTS)]
    for kind in sorted({finding.kind for finding in findings}):
        of_kind = [finding for finding in findings if finding.kind == kind]
        sources = sorted({finding.source for finding in of_kind})
        rows += [_row(kind, source, [finding for finding in of_kind if finding.source == source]) for source in sources]
        rows.append(_row(f"**{kind}**", "**all**", of_kind))
    return "\n".join(rows)


def _row(kind: str, source: str, findings: Sequence[Finding]) -> str:
    counts = Counter(finding.verdict for finding in findings)
    return f"| {kind} | {source} | {len(findings)} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |"


def add_programs(parser: argparse.ArgumentParser, seconds: float) -> None:
    """The options that say what is run, and how long."""
    plain = Path(__file__).with_name("plain_clingo.py")
    lpbridge = Path(sys.executable).with_name("lpbridge")
    parser.add_argument("-n", type=int, default=200, help="answers to ask for (200)")
    parser.add_argument("-t", "--seconds", type=float, default=seconds, help=f"for each run ({seconds:g})")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="programs at a time (1)")
    parser.add_argument("--only", default="*", metavar="GLOB", help="names to compare, such as 'asp/*'")
    parser.add_argument("--clingo", default=f"{sys.executable} {plain}", help="the clingo program")
    parser.add_argument("--swipl", help="the swipl program")
    parser.add_argument("--lpbridge", default=str(lpbridge), help="the lpbridge program")


def programs_of(chosen: argparse.Namespace) -> Runner:
    """What runs the programs that these options say."""
    if chosen.swipl is None:
        from bridge.prolog.locate import current

        chosen.swipl = str(current().swipl)
    programs = [shlex.split(program) for program in (chosen.clingo, chosen.swipl, chosen.lpbridge)]
    return Runner(programs[0], programs[1], programs[2], chosen.n, chosen.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compatibility",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print every finding as JSON, and no table")
    add_programs(parser, seconds=20)
    chosen = parser.parse_args()
    todo = [case for case in cases(chosen.folder.resolve()) if fnmatch(case.name, chosen.only)]
    runner = programs_of(chosen)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        findings = []
        for done, finding in enumerate(pool.map(runner.find, todo), 1):
            findings.append(finding)
            if finding.verdict == "differ" and not chosen.json:
                print(f"- {finding.kind}, {finding.name}: {finding.why}", flush=True)
            print(f"\r{done} of {len(todo)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if chosen.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False))
    else:
        print(f"\n{machine()}\n\n{table(findings)}")
    sys.exit(any(finding.verdict == "differ" for finding in findings))


if __name__ == "__main__":
    main()
