"""The contest: rivals take turns on the same instances, each in its own process, and every answer is checked.

- An **answer** is right when every grid keeps the puzzle's rules, no grid comes twice, and no contestant has found more
  than the contender said there are. Neither reputation nor a majority counts.
- A contender whose answer is wrong is **disqualified** in that task, and what was wrong is shown.

In each round the contenders come one after the other, each with all instances, as in a batch; both orders are shuffled
anew, with a fixed seed. The first round warms up and is not counted. A contender that has run out of time three times
in a task is not asked for the rest of it.
"""

from __future__ import annotations

import json
import os
import queue
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import ceil, floor
from pathlib import Path
from typing import Any

from benchmarks.rivals.table import ENUMERATE, PROVE, Rival
from bridge.puzzles.kinds import Puzzle

ROOT = Path(__file__).parents[2]

#: So many failures in a task, and a contender is not asked again in it.
PATIENCE = 3

#: To begin, and to check 161,280 squares, a process has so many seconds.
STARTING, CHECKING = 120.0, 600.0

#: Told beyond the limit before the process is killed, in seconds; an answer that late is out of time all the same.
GRACE = 0.5


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a task, by a name that tells where it is from."""

    name: str
    puzzle: Puzzle


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: so many solutions at most, None for all; in words; and how many there must be, where known."""

    words: str
    limit: int | None
    expected: int | None = None


UNIQUE = Question("solution and proof of uniqueness", 2, 1)
FIRST = Question("first solution", 1, 1)
EVERY = Question("all solutions as Python values", None)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Without `seconds` nothing did, and `failure` says why."""

    seconds: float | None
    count: int = 0
    digest: str = ""
    failure: str = ""


class Contestant:
    """A rival's process: started when first asked, killed when late, started again then."""

    def __init__(self, rival: Rival, python: str = sys.executable) -> None:
        self.rival = rival
        self.version: str | None = None
        self.missing: str | None = None
        self._command = [python, "-m", "benchmarks.rivals.child", rival.name]
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._loaded: set[str] = set()

    def present(self) -> bool:
        """Whether the rival is installed; starts the process to ask it."""
        if self._process is None and self.missing is None:
            self._start()
        return self.missing is None

    def solve(self, instance: Instance, limit: int | None, seconds: float) -> Answer:
        if not self.present():
            return Answer(None, failure=str(self.missing))
        if instance.name not in self._loaded:
            self._loaded.add(instance.name)
            self._send({"load": instance.name, "kind": instance.puzzle.kind, "data": instance.puzzle.to_json()})
        self._send({"solve": instance.name, "limit": limit})
        said = self._hear(seconds + GRACE)
        if isinstance(said, str):
            return Answer(None, failure=said)
        if "error" in said:
            return Answer(None, failure=said["error"])
        if said["seconds"] > seconds:
            return Answer(None, failure="out of time")
        return Answer(said["seconds"], said["count"], said["digest"])

    def check(self, instance: Instance) -> str | None:
        """What is wrong with the last answer by the puzzle's rules."""
        self._send({"check": instance.name})
        said = self._hear(CHECKING)
        return said if isinstance(said, str) else said["wrong"]

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            # Its group: a Prolog that it started would go on for ever.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                assert stream is not None
                stream.close()
        self._process = None
        self._loaded.clear()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            start_new_session=True,
            env={**os.environ, **_alone(), **_prolog(self.rival)},
        )
        self._lines = queue.Queue()
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()
        said = self._hear(STARTING)
        if isinstance(said, str):
            self.missing = f"does not start: {said}"
        elif "missing" in said:
            self.missing = said["missing"]
            self.close()
        else:
            self.version = said["version"]

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it has died: what is heard next says so

    def _hear(self, seconds: float) -> dict[str, Any] | str:
        """The next line; or what became of the process, which has ended then."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self.close()
            return "out of time"
        if line is None:
            assert self._process is not None
            code = self._process.wait()
            self.close()
            return f"the process died ({code})"
        said: dict[str, Any] = json.loads(line)
        return said


def _read(lines: Iterable[str], into: queue.Queue[str | None]) -> None:
    for line in lines:
        into.put(line)
    into.put(None)


def _alone() -> dict[str, str]:
    """One thread each."""
    return dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def _prolog(rival: Rival) -> dict[str, str]:
    """Where PySwip finds the SWI-Prolog that lpbridge uses."""
    if rival.package != "pyswip":
        return {}
    from bridge.prolog.locate import find

    found = find()
    return {"SWI_HOME_DIR": str(found.home), "LIBSWIPL_PATH": str(found.libswipl)} if found else {}


@dataclass(slots=True)
class Score:
    """How a contender did in a task: seconds of each counted answer, and how the others failed."""

    name: str
    ours: bool
    abilities: str
    limit: int | None
    times: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    skipped: int = 0
    disqualified: str | None = None

    @property
    def asked(self) -> int:
        """How many answers were wanted in the rounds that count."""
        return len(self.times) + len(self.failures) + self.skipped

    def quantile(self, share: float) -> float | None:
        """Of all counted answers, between two in proportion; None where one that failed has a part in it."""
        place = share * (self.asked - 1)
        if not self.asked or ceil(place) >= len(self.times):
            return None
        ordered = sorted(self.times)
        low, high = ordered[floor(place)], ordered[ceil(place)]
        return low + (high - low) * (place - floor(place))

    @property
    def median(self) -> float | None:
        """None when half of the answers, or more, failed."""
        return self.quantile(0.5)


def limit_for(rival: Rival, question: Question) -> int | None:
    """How many solutions a rival is asked for; 0 when it cannot be asked this at all.

    A contender that cannot prove is asked for the first solution instead of the only one, and marked.
    """
    if question.limit == 2 and PROVE not in rival.abilities:
        return 1
    if question.limit is None and ENUMERATE not in rival.abilities:
        return 0
    return question.limit


def contest(
    contestants: Sequence[Contestant],
    question: Question,
    instances: Sequence[Instance],
    *,
    rounds: int,
    seconds: float,
    seed: int = 20,
    told: Callable[[str], object] = lambda line: None,
) -> list[Score]:
    """Let contestants take turns, and judge their answers.

    Parameters
    ----------
    rounds
        Rounds that count, after one that does not.
    seconds
        For one instance, model and answer included.
    told
        Called with the name of whom is asked next.
    """
    asked = [c for c in contestants if limit_for(c.rival, question) != 0]
    scores = {c.rival.name: _score(c, question) for c in asked}
    referee = Referee(question, instances)
    lost: dict[str, dict[str, str]] = {c.rival.name: {} for c in asked}
    shuffle = random.Random(seed).shuffle
    for number in range(rounds + 1):
        for contestant, instance in _turns(asked, instances, shuffle):
            name = contestant.rival.name
            score = scores[name]
            if instance.name in lost[name]:
                if number:
                    score.failures.append(lost[name][instance.name])
            elif len(lost[name]) >= PATIENCE:
                score.skipped += number > 0
            else:
                told(f"{name}: {instance.name}")
                answer = contestant.solve(instance, score.limit, seconds)
                if answer.seconds is None:
                    lost[name][instance.name] = answer.failure
                    if number:
                        score.failures.append(answer.failure)
                    continue
                referee.hear(name, instance, score.limit, answer, partial(contestant.check, instance))
                if number:
                    score.times.append(answer.seconds)
    for name, why in referee.wrong().items():
        scores[name].disqualified = why
    return list(scores.values())


def _turns(
    asked: Iterable[Contestant], instances: Iterable[Instance], shuffle: Callable[[list[Any]], object]
) -> Iterable[tuple[Contestant, Instance]]:
    order = list(asked)
    shuffle(order)
    for contestant in order:
        mixed = list(instances)
        shuffle(mixed)
        for instance in mixed:
            yield contestant, instance


def _score(contestant: Contestant, question: Question) -> Score:
    rival = contestant.rival
    abilities = "/".join(str(ability) for ability in rival.abilities)
    return Score(f"{rival.name} {contestant.version}", rival.ours, abilities, limit_for(rival, question))


class Referee:
    """Collects answers, and finds at the end which contestants were wrong."""

    def __init__(self, question: Question, instances: Iterable[Instance]) -> None:
        self._question = question
        self._good: dict[str, set[str]] = {instance.name: set() for instance in instances}
        self._heard: dict[str, dict[str, tuple[int | None, int, str]]] = {name: {} for name in self._good}
        self._wrong: dict[str, str] = {}

    def hear(
        self, name: str, instance: Instance, limit: int | None, answer: Answer, check: Callable[[], str | None]
    ) -> None:
        """Take an answer. A new one is checked by the puzzle's rules.

        Parameters
        ----------
        check
            Says what is wrong with the grids of the answer.
        """
        good = self._good[instance.name]
        if answer.digest not in good:
            if broken := check():
                self._wrong.setdefault(name, f"{instance.name}: {broken}")
                return
            good.add(answer.digest)
        before = self._heard[instance.name].setdefault(name, (limit, answer.count, answer.digest))
        if before[1] != answer.count or (before[2] != answer.digest and self._complete(limit, answer.count)):
            self._wrong.setdefault(name, f"{instance.name}: said {before[1]} solutions, then {answer.count} others")

    def wrong(self) -> dict[str, str]:
        """The contestants with wrong answers, and what was wrong with the first of them."""
        for instance, heard in self._heard.items():
            for name, (limit, count, digest) in heard.items():
                if why := self._lacking(heard, limit, count, digest):
                    self._wrong.setdefault(name, f"{instance}: {why}")
        return self._wrong

    def _lacking(
        self, heard: Mapping[str, tuple[int | None, int, str]], limit: int | None, count: int, digest: str
    ) -> str | None:
        expected = self._question.expected
        if expected is not None and self._complete(limit, count) and count != expected:
            return f"{count} solutions, but there are {expected}"
        for other, (_, more, another) in heard.items():
            wanted = more if limit is None else min(more, limit)
            if count < wanted:
                return f"{count} solutions and no more, but {other} has {more}"
            # Another contestant has as many, but different ones: so each has missed some.
            if count == more and another != digest and self._complete(limit, count):
                return f"{count} solutions and no more, but {other} has others"
        return None

    @staticmethod
    def _complete(limit: int | None, count: int) -> bool:
        """Whether an answer says that there are no more."""
        return limit is None or count < limit
