"""A process that checks cases, and the parent's side of it.

The parent sees which case is under way, so that one that never ends, or ends the process, is known by its number.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fuzz.campaign import Campaign, Case, Failure, Skipped, Tally, campaign_class, case_of

#: One case may make the process grow by so much: bytes.
MOST_MEMORY = 512 << 20

#: Seconds of one case, and bytes of a process, beyond which it is killed. Most cases take less than 0.1 seconds.
HANG, HUGE = 90.0, 2 << 30


@dataclass
class Found:
    """A failure: its case, what was checked, and what was wrong."""

    campaign: str
    seed: int
    number: int
    check: str
    message: str
    case: Case

    @property
    def kind(self) -> str:
        """The same for failures that have the same cause, as far as can be told."""
        words = self.message.split(":")[0] if self.check in ("exception", "crash") else ""
        return f"{self.campaign}: {self.check} {words}".strip()


@dataclass
class Done:
    """What a worker did since its last message."""

    campaign: str
    cases: int = 0
    skipped: int = 0
    seconds: float = 0.0
    tally: Tally = field(default_factory=Counter)
    failures: list[Found] = field(default_factory=list)


def attempt(campaign: Campaign, case: Case, tally: Tally) -> tuple[str, str] | None:
    """Check a case: None when it is answered rightly, otherwise the check and the message.

    Raises
    ------
    Skipped
        When it is too large.
    """
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        campaign.check(case, tally)
    except Failure as failure:
        return failure.check, failure.message
    except (Skipped, KeyboardInterrupt):
        raise
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(last.filename)}:{last.lineno}"
        return "exception", f"{type(error).__name__} at {place}: {error}"
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if grown * (1 if sys.platform == "darwin" else 1024) > MOST_MEMORY:
        return "memory", f"the process grew by {grown >> 10} MB"
    return None


def serve(line: Connection, progress: Any, folder: str) -> None:
    """Check the cases that the parent asks for, until it closes the line.

    Temporary files go into the folder, which the parent removes; what is printed goes to the file `said` there.
    """
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    file = os.open(f"{folder}/said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for standard in (1, 2):
        os.dup2(file, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    campaigns: dict[str, Campaign] = {}

    def campaign_of(name: str) -> Campaign:
        if name not in campaigns:
            campaigns[name] = campaign_class(name)()
        return campaigns[name]

    with suppress(EOFError, BrokenPipeError):
        while True:
            kind, name, *rest = line.recv()
            if kind == "check":
                line.send(_checked(campaign_of(name), rest[0], progress))
            else:
                line.send(_run(campaign_of(name), progress, *rest))
    for campaign in campaigns.values():
        campaign.close()


def _checked(campaign: Campaign, case: Case, progress: Any) -> tuple[str, str] | None:
    progress[0], progress[1] = -1, time.monotonic()
    try:
        return attempt(campaign, case, Counter())
    except Skipped:
        return None
    finally:
        progress[1] = 0


def _run(campaign: Campaign, progress: Any, seed: int, first: int, number: int) -> Done:
    done = Done(campaign.name)
    started = time.perf_counter()
    for index in range(first, first + number):
        progress[0], progress[1] = index, time.monotonic()
        case = case_of(campaign, seed, index)
        try:
            wrong = attempt(campaign, case, done.tally)
        except Skipped:
            done.skipped += 1
            continue
        done.cases += 1
        if wrong is not None:
            done.failures.append(Found(campaign.name, seed, index, *wrong, json.loads(json.dumps(case))))
    progress[1] = 0
    done.seconds = time.perf_counter() - started
    return done


class Worker:
    """The parent's side."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-", ignore_cleanup_errors=True)
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self.progress = context.RawArray("d", 2)  # number of the case, and when it began
        self.process = context.Process(target=serve, args=(theirs, self.progress, self._folder.name))
        self.process.start()
        theirs.close()

    @property
    def stuck(self) -> str | None:
        """Why the process is to be killed, if it is."""
        began = self.progress[1]
        if began and time.monotonic() - began > HANG:
            return f"not done in {HANG:g} s"
        try:
            resident = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except OSError:  # it has ended, or the system has no such file
            return None
        return f"takes more than {HUGE >> 30} GB" if resident * os.sysconf("SC_PAGE_SIZE") > HUGE else None

    def end(self) -> tuple[str, str]:
        """Kill the process, if it lives; what kind of failure that is, and how it ended."""
        if (why := self.stuck) is not None:
            self.process.kill()
        self.process.join(1)
        code = self.process.exitcode
        if code is None:
            self.process.kill()
            self.process.join()
        self.line.close()
        if why is not None:
            return "hang", why
        if code is not None and code < 0:
            return "crash", f"the process died of {signal.Signals(-code).name}"
        said = Path(self._folder.name) / "said"
        lines = said.read_text(encoding="utf-8", errors="replace").strip().splitlines() if said.exists() else []
        return "crash", f"the process ended with exit code {code}: {lines[-1] if lines else 'it said nothing'}"

    def check(self, name: str, case: Case) -> tuple[str, str] | None:
        """Check one case; the end of the process is a failure, and another is started."""
        wrong: tuple[str, str] | None
        try:
            self.line.send(("check", name, case))
            while not self.line.poll(1):
                if self.stuck:
                    raise EOFError
            wrong = self.line.recv()
        except (EOFError, OSError):
            wrong = self.end()
            self.start()
        return wrong

    def close(self) -> None:
        """Let it end by itself: it has processes of its own to end."""
        self.line.close()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._folder.cleanup()
