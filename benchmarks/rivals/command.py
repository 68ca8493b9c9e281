"""`python -m benchmarks rivals`: run the contest, and print its tables in Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.measure import machine
from benchmarks.rivals.contest import ROOT, Contestant, Score, contest, limit_for
from benchmarks.rivals.table import ENGINES, Rival, rivals
from benchmarks.rivals.tasks import SHORT, TASKS, Selection, Task, chosen

#: Made by `make bench-rivals`: an environment of their own, so that developing lpbridge does not need them.
ENVIRONMENT = ROOT / ".venv-bench" / "bin" / "python"

#: Longer ones of what was wrong are cut.
SHOWN = 300


#: What a contender raises that has no model for an instance.
UNABLE = "NotImplementedError"


def table(task: Task, instances: int, scores: Sequence[Score]) -> str:
    """A task's table: the fastest first, then those that did not answer half of it, then the disqualified.

    What is out of time is longer than all else: where a quartile, or the worst, is such a one, there is a `…`.
    """
    first = _first(score for score in scores if score.ours)
    best = first.median if first else None
    lines = [
        f"### {task.title}",
        "",
        f"{task.question.words}; {instances} instance{'s' if instances > 1 else ''}. Milliseconds.",
        "",
        "| | can | median | quartiles | worst | answered | median to best of ours |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    notes = []
    for score in sorted(scores, key=_place):
        if not score.times and score.failures and all(why.startswith(UNABLE) for why in score.failures):
            continue
        name = f"**{score.name}**" if score.ours else score.name
        if score.limit != task.question.limit:
            name += " (first solution only)"
        if score.disqualified:
            name += " (disqualified)"
            notes.append(f"- {score.name} was wrong: {_cut(score.disqualified)}")
        notes += [f"- {score.name}: {_cut(why)}" for why in sorted({*score.failures} - {"out of time"})]
        ratio = f"{score.median / best:.2f}" if best and _counts(score) and score.median else ""
        cells = [name, score.abilities, _ms(score.median, score), _range(score), _number(score.quantile(1))]
        lines.append(f"| {' | '.join([*cells, f'{len(score.times)} of {score.asked}', ratio])} |")
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def summary(rows: Iterable[tuple[Task, Sequence[Score]]]) -> str:
    """One line per task: the best of ours beside the best of the others."""
    lines = ["### Summary", "", "| | best of ours | ms | best rival | ms | times faster |", "|---|---|--:|---|--:|--:|"]
    for task, scores in rows:
        ours = _first(score for score in scores if score.ours)
        rival = _first(score for score in scores if not score.ours and score.limit == task.question.limit)
        ratio = f"{rival.median / ours.median:.2f}" if ours and rival and ours.median and rival.median else ""
        best = [(found.name, _ms(found.median, found)) if found else ("none", "") for found in (ours, rival)]
        lines.append(f"| {task.title} | {' | '.join([*best[0], *best[1], ratio])} |")
    return "\n".join(lines) + "\n"


def _first(scores: Iterable[Score]) -> Score | None:
    return min((score for score in scores if _counts(score)), key=_place, default=None)


def _counts(score: Score) -> bool:
    return score.disqualified is None and score.median is not None


def _place(score: Score) -> tuple[bool, bool, float]:
    return score.disqualified is not None, score.median is None, score.median or 0.0


def _ms(seconds: float | None, score: Score) -> str:
    if seconds is None:
        return "out of time" if "out of time" in score.failures else "failed"
    return _number(seconds)


def _range(score: Score) -> str:
    return " – ".join(_number(score.quantile(share)) for share in (0.25, 0.75))


def _number(seconds: float | None) -> str:
    if seconds is None:
        return "…"
    return f"{seconds * 1000:.3g}" if seconds < 1 else f"{seconds * 1000:,.0f}"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def run(
    tasks: Sequence[Task],
    contestants: Sequence[Contestant],
    selection: Selection,
    rounds: int | None = None,
    seconds: float | None = None,
    quiet: bool = False,
) -> Iterable[tuple[Task, int, list[Score]]]:
    """Each task with the number of its instances and its scores, as they are there."""
    for task in tasks:
        instances = task.instances(selection)
        able = [
            c
            for c in contestants
            if task.kind in c.rival.kinds and limit_for(c.rival, task.question) != 0 and c.present()
        ]

        def told(line: str, title: str = task.title) -> None:
            if not quiet and sys.stderr.isatty():
                sys.stderr.write(f"\r\033[K{title}: {line}"[:110])
                sys.stderr.flush()

        scores = contest(
            able,
            task.question,
            instances,
            rounds=rounds or task.rounds,
            seconds=seconds or task.seconds,
            told=told,
        )
        told("")
        yield task, len(instances), scores


def picked(names: str | None, every: Sequence[Rival]) -> list[Rival]:
    """Rivals of whose names one of the words, between commas, is a part.

    Raises
    ------
    KeyError
        For a word that is in no name.
    """
    words = [word.strip().lower() for word in names.split(",")] if names else [""]
    if lost := [word for word in words if not any(word in rival.name.lower() for rival in every)]:
        raise KeyError(lost[0])
    return [rival for rival in every if any(word in rival.name.lower() for word in words)]


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks rivals", description=__doc__)
    parser.add_argument(
        "--tasks", metavar="NAMES", default="", help=f"some of: {', '.join(TASKS)}; or the word before -"
    )
    parser.add_argument("--rivals", metavar="NAMES", help="parts of the names of those to run, ours too: clingo,choco")
    parser.add_argument("--engines", default=",".join(ENGINES), help="engines of ours (default: %(default)s)")
    parser.add_argument("--rounds", type=int, help="rounds that count, after one that does not")
    parser.add_argument("--seconds", type=float, help="for one instance, in place of each task's own limit")
    parser.add_argument("--instances", type=int, default=8, help="of each sort, at most (default: %(default)s)")
    parser.add_argument("--words", type=Path, default=SHORT, help="the word list for crosswords")
    parser.add_argument(
        "--python", default=str(ENVIRONMENT), help="the Python that has the rivals (default: %(default)s)"
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the tables to FILE too")
    said = parser.parse_args(argv)
    try:
        said.tasks = chosen([name.strip() for name in said.tasks.split(",") if name.strip()])
        said.rivals = picked(said.rivals, rivals(tuple(said.engines.split(","))))
    except KeyError as error:
        parser.error(f"there is no {error}")
    return said


def main(argv: Sequence[str]) -> None:
    said = arguments(argv)
    python = said.python if Path(said.python).exists() else sys.executable
    contestants = [Contestant(rival, sys.executable if rival.ours else python) for rival in said.rivals]
    parts: list[str] = []

    def tell(text: str) -> None:
        parts.append(text)
        print(text, flush=True)

    tell(f"`python -m benchmarks {' '.join(['rivals', *argv])}`\n\n{machine()}\n")
    for contestant in contestants:
        if not contestant.present():
            tell(f"- {contestant.rival.name}: {contestant.missing}")
    rows = []
    try:
        for task, number, scores in run(
            said.tasks, contestants, Selection(said.instances, said.words), said.rounds, said.seconds
        ):
            tell("\n" + table(task, number, scores))
            rows.append((task, scores))
    finally:
        for contestant in contestants:
            contestant.close()
    tell(summary(rows))
    if said.save:
        said.save.write_text("\n".join(parts), encoding="utf-8")
