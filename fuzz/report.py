"""A record as text, as JSON and as the page `benchmarks/results/fuzz.md`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from benchmarks.measure import machine
from fuzz.campaign import campaign_class
from fuzz.runner import Record
from fuzz.worker import Found

#: So much of a case is printed as text; as JSON it is printed in full.
LONGEST = 1500


def rerun(found: Found) -> str:
    """The command that checks the case again, from its seed."""
    return f"python -m fuzz --only {found.campaign} --case {found.seed}:{found.number}"


def as_text(record: Record) -> str:
    lines = []
    for name, of in record.figures.items():
        unit = campaign_class(name).unit
        skipped = f", {of.skipped:,} too large" if of.skipped else ""
        rate = f"{of.rate:,.0f} a second" if of.rate >= 10 else f"{of.rate:.1f} a second"
        lines.append(f"{name}: {of.cases:,} {unit}{skipped}, {rate} and job")
        if of.tally:
            lines.append("    " + ", ".join(f"{what} {number:,}" for what, number in sorted(of.tally.items())))
    lines.append(summary(record))
    for kind, found in record.failures.items():
        lines += [
            "",
            f"FAILED ({record.times[kind]} times) {kind}",
            f"    {found.message}",
            f"    seed {found.seed}, case {found.number}; the smallest case found:",
            f"    {json.dumps({'campaign': found.campaign, 'case': found.case})[:LONGEST]}",
            f"    again: {rerun(found)}",
            "    the smallest alone: python -m fuzz --replay FILE, with the object above in the file",
        ]
    return "\n".join(lines)


def summary(record: Record) -> str:
    ended = "interrupted after" if record.interrupted else "in"
    number = sum(record.times.values())
    failures = f"{number:,} failures of {len(record.times)} kinds" if number else "no failure"
    return (
        f"{record.total('instances'):,} instances, {record.total('inputs'):,} inputs {ended} {record.seconds:,.0f} s "
        f"(seed {record.seed}, {record.jobs} jobs): {failures}"
    )


def as_json(record: Record) -> dict[str, Any]:
    return {
        "seed": record.seed,
        "jobs": record.jobs,
        "seconds": round(record.seconds, 1),
        "interrupted": record.interrupted,
        "instances": record.total("instances"),
        "inputs": record.total("inputs"),
        "campaigns": {
            name: {
                "unit": campaign_class(name).unit,
                "cases": of.cases,
                "skipped": of.skipped,
                "seconds": round(of.seconds, 1),
                "rate": round(of.rate, 1),
                "done": dict(sorted(of.tally.items())),
            }
            for name, of in record.figures.items()
        },
        "failures": [
            {
                "campaign": found.campaign,
                "kind": kind,
                "times": record.times[kind],
                "seed": found.seed,
                "number": found.number,
                "message": found.message,
                "case": found.case,
                "rerun": rerun(found),
            }
            for kind, found in record.failures.items()
        ],
    }


def as_page(record: Record, command: str) -> str:
    """The page that `--save` writes."""
    rows = ["| campaign | cases | too large | a second and job | of these |", "|---|--:|--:|--:|---|"]
    for name, of in record.figures.items():
        done = ", ".join(f"{what} {number:,}" for what, number in sorted(of.tally.items()))
        rows.append(f"| {name} | {of.cases:,} {campaign_class(name).unit} | {of.skipped:,} | {of.rate:,.1f} | {done} |")
    failures = [
        f"- {kind}, {record.times[kind]} times: `{json.dumps(found.case, ensure_ascii=False)[:LONGEST]}`"
        for kind, found in record.failures.items()
    ]
    parts = [
        "# Campaigns against brute force and against the solvers",
        f"`{command}`, {datetime.now(UTC):%Y-%m-%d}",
        machine(),
        f"**{summary(record)}.**",
        "\n".join(rows),
        "\n".join(failures),
        "What a case is, and what it is compared with, is in `fuzz/`; cases that are too large for brute force are not "
        "counted.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
