"""Runs campaigns in worker processes, by turns, until the time is over or all rounds are done."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait

from fuzz.campaign import Case, Tally, campaign_class, case_of
from fuzz.worker import Done, Found, Worker

#: Seconds that a worker works before it reports.
CHUNK = 1.0

#: Failures of a kind that are kept; further ones are counted.
KEPT = 5

#: Cases tried to make one failure smaller, and of those that hang or crash; and the seconds for one, and for all.
TRIES, COSTLY_TRIES = 400, 60
PATIENCE, PATIENCE_FOR_ALL = 20.0, 120.0


@dataclass
class Figures:
    """What a campaign did.

    Attributes
    ----------
    cases, skipped
        Cases that were checked, and those that were too large.
    seconds
        Of one worker, summed over the workers.
    tally
        Numbers of what was done beside the cases.
    """

    cases: int = 0
    skipped: int = 0
    seconds: float = 0.0
    tally: Tally = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Cases a second of one worker."""
        return self.cases / self.seconds if self.seconds else 0.0


@dataclass
class Record:
    """What a run did.

    Attributes
    ----------
    failures
        The first of each kind.
    times
        How often each kind failed.
    interrupted
        Whether Ctrl-C came before the end.
    """

    seed: int
    jobs: int
    figures: dict[str, Figures]
    failures: dict[str, Found] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    interrupted: bool = False

    def total(self, unit: str) -> int:
        """All cases of a unit: instances or inputs."""
        return sum(of.cases for name, of in self.figures.items() if campaign_class(name).unit == unit)

    def take(self, done: Done) -> None:
        of = self.figures[done.campaign]
        of.cases += done.cases
        of.skipped += done.skipped
        of.seconds += done.seconds
        of.tally.update(done.tally)
        for found in done.failures:
            self.fail(found)

    def fail(self, found: Found) -> None:
        self.times[found.kind] += 1
        known = self.failures.get(found.kind)
        if known is None or (self.times[found.kind] <= KEPT and len(str(found.case)) < len(str(known.case))):
            self.failures[found.kind] = found


@dataclass
class _Task:
    """A chunk that a worker has: the numbers of its cases."""

    name: str
    first: int
    number: int
    began: float


@dataclass
class Runner:
    """A run.

    Parameters
    ----------
    names
        The campaigns.
    seed
        Of the run.
    jobs
        Worker processes.
    seconds, rounds
        When to stop; with `rounds`, each campaign checks so many rounds, whatever time that takes.
    """

    names: Sequence[str]
    seed: int
    jobs: int
    seconds: float | None
    rounds: int | None
    on_progress: Callable[[Record], object] = lambda record: None

    def run(self) -> Record:
        record = Record(self.seed, self.jobs, {name: Figures() for name in self.names})
        next_number = dict.fromkeys(self.names, 0)
        spent = dict.fromkeys(self.names, 0.0)
        started = time.monotonic()
        again: list[_Task] = []
        workers = [Worker() for _ in range(self.jobs)]
        busy: dict[Worker, _Task] = {}

        def left(name: str) -> int | None:
            if self.rounds is None:
                return None
            return self.rounds * campaign_class(name).round - next_number[name]

        def task() -> _Task | None:
            if again:
                return again.pop()
            if self.seconds is not None and time.monotonic() - started >= self.seconds:
                return None
            open_names = [name for name in self.names if left(name) != 0]
            if not open_names:
                return None
            name = min(open_names, key=lambda one: spent[one] / campaign_class(one).weight)
            rate = record.figures[name].rate
            number = max(1, int(rate * CHUNK)) if rate else min(4, campaign_class(name).round)
            most = left(name)
            number = number if most is None else min(number, most)
            first, next_number[name] = next_number[name], next_number[name] + number
            spent[name] += number / rate if rate else CHUNK / 10
            return _Task(name, first, number, time.monotonic())

        def give(worker: Worker) -> None:
            one = task()
            if one is not None:
                busy[worker] = one
                worker.line.send(("run", one.name, self.seed, one.first, one.number))

        try:
            for worker in workers:
                give(worker)
            told = time.monotonic()
            while busy:
                ready = wait([worker.line for worker in busy], 1.0)
                for worker in [one for one in busy if one.line in ready or one.stuck]:
                    one = busy.pop(worker)
                    try:
                        if worker.line not in ready:
                            raise EOFError
                        record.take(worker.line.recv())
                    except (EOFError, OSError):
                        again += self._lost(worker, one, record)
                    give(worker)
                if time.monotonic() - told >= 5:
                    told = time.monotonic()
                    record.seconds = told - started
                    self.on_progress(record)
            record.seconds = time.monotonic() - started
            self._reduce(workers[0], record)
        except KeyboardInterrupt:
            record.interrupted = True
            record.seconds = record.seconds or time.monotonic() - started
        finally:
            for worker in workers:
                worker.close()
        return record

    def _lost(self, worker: Worker, task: _Task, record: Record) -> list[_Task]:
        """A case ended the process: report it, and have the others of the chunk checked by a new one.

        Those before it are checked again, for their report was lost.
        """
        number = int(worker.progress[0])
        check, how = worker.end()
        worker.start()
        if not task.first <= number < task.first + task.number:
            raise RuntimeError(f"a worker could not begin: {how}")
        campaign = campaign_class(task.name)()
        case = case_of(campaign, self.seed, number)
        record.fail(Found(task.name, self.seed, number, check, how, case))
        record.figures[task.name].cases += 1
        after = _Task(task.name, number + 1, task.first + task.number - number - 1, task.began)
        before = _Task(task.name, task.first, number - task.first, task.began)
        return [one for one in (before, after) if one.number]

    def _reduce(self, worker: Worker, record: Record) -> None:
        due = time.monotonic() + PATIENCE_FOR_ALL
        for kind, found in record.failures.items():
            record.failures[kind] = smallest(worker, found, min(PATIENCE, due - time.monotonic()))


def smallest(worker: Worker, found: Found, seconds: float = PATIENCE) -> Found:
    """A failure of the same kind of which no smaller case is known, in a bounded number of tries and of seconds."""
    due = time.monotonic() + seconds
    campaign = campaign_class(found.campaign)()
    left = COSTLY_TRIES if found.check in ("hang", "crash") else TRIES

    def smaller(cases: Iterable[Case]) -> Found | None:
        nonlocal left
        for case in cases:
            if left == 0 or time.monotonic() > due:
                return None
            left -= 1
            wrong = worker.check(found.campaign, case)
            if wrong is not None:
                one = Found(found.campaign, found.seed, found.number, *wrong, case)
                if one.kind == found.kind:
                    return one
        return None

    while (one := smaller(campaign.smaller(found.case))) is not None:
        found = one
    return found


def one_case(name: str, case: Case, seed: int = 0, number: int = 0) -> Record:
    """Check one case in a process of its own; a failure is reduced."""
    record = Record(seed, 1, {name: Figures(cases=1)})
    worker = Worker()
    try:
        wrong = worker.check(name, case)
        if wrong is not None:
            record.fail(smallest(worker, Found(name, seed, number, *wrong, case)))
    finally:
        worker.close()
    return record
