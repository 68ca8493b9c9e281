"""`python -m fuzz`: run the campaigns, and say what was tried and what failed."""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import signal
import sys
from pathlib import Path

from fuzz.campaign import NAMES, campaign_class, case_of
from fuzz.report import as_json, as_page, as_text, summary
from fuzz.runner import Record, Runner, one_case


def main() -> int:
    """The exit code: 0 without failures, 1 with some, 2 for a wrong call, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, help="how long to run (60, unless --rounds is given)")
    parser.add_argument("--rounds", type=int, help="run by number of cases: the same cases on every machine")
    parser.add_argument("--seed", type=int, help="of the run; without it, a new one")
    parser.add_argument("--jobs", type=int, help="worker processes; as many as there are cores, unless said")
    parser.add_argument("--only", metavar="NAME,...", help=f"some of: {', '.join(NAMES)}")
    parser.add_argument("--case", metavar="SEED:NUMBER", help="check one case again; with --only NAME")
    parser.add_argument("--replay", metavar="FILE", help="check the case in a JSON file; `-` is standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--save", metavar="FILE", help="write the page of results")
    chosen = parser.parse_args()
    names = chosen.only.split(",") if chosen.only else list(NAMES)
    if unknown := [name for name in names if name not in NAMES]:
        parser.error(f"there is no campaign {unknown[0]!r}; some of: {', '.join(NAMES)}")
    if chosen.replay:
        text = sys.stdin.read() if chosen.replay == "-" else Path(chosen.replay).read_text(encoding="utf-8")
        told = json.loads(text)
        record = one_case(told["campaign"], told["case"])
    elif chosen.case:
        seed, _, number = chosen.case.partition(":")
        if len(names) != 1 or not (seed.isdigit() and number.isdigit()):
            parser.error("--case is SEED:NUMBER, together with one campaign: --only NAME")
        campaign = campaign_class(names[0])()
        record = one_case(names[0], case_of(campaign, int(seed), int(number)), int(seed), int(number))
    else:
        record = _run(chosen, names)
    print(json.dumps(as_json(record), ensure_ascii=False) if chosen.json else as_text(record))
    if chosen.save:
        command = shlex.join(["python", "-m", "fuzz", *sys.argv[1:]])
        Path(chosen.save).write_text(as_page(record, command), encoding="utf-8")
    return 130 if record.interrupted else 1 if record.times else 0


def _run(chosen: argparse.Namespace, names: list[str]) -> Record:
    seed = random.SystemRandom().randrange(1 << 32) if chosen.seed is None else chosen.seed
    seconds = chosen.seconds or (None if chosen.rounds else 60.0)
    jobs = chosen.jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    told = sys.stderr.isatty()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was done is reported, as after Ctrl-C

    def on_progress(record: Record) -> None:
        if told:
            print(f"\r{summary(record)}", end="", file=sys.stderr, flush=True)

    record = Runner(names, seed, jobs, seconds, chosen.rounds, on_progress).run()
    if told:
        print(file=sys.stderr)
    return record


if __name__ == "__main__":
    sys.exit(main())
