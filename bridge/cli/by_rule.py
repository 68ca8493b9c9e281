"""`ground --by-rule`: what each rule of a program costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.cli.programs import say
from bridge.cli.shared import ProgressLine, exit_code, or_partial, print_json, warn
from bridge.common.english import LIMITS, plural
from bridge.limits import Limits

if TYPE_CHECKING:
    from bridge.profiling.grounding_profile import Profile

#: The number of rules that are listed, the largest first; so many characters of each are shown.
LISTED, WIDTH = 20, 60


def by_rule(paths: Sequence[Path], options: Sequence[str], limits: Limits, as_json: bool, **confined: Any) -> int:
    from bridge.profiling.grounding_profile import profile

    def report(found: Profile) -> None:
        first = found.statements[0] if found.statements else None
        where = f", most of them {first.place}" if first is not None and first.rules else ""
        line.show(f"{found.rules:,} ground rules, {found.seconds:.0f} s{where}")

    with ProgressLine(not as_json) as line:
        on_progress = report if line.shown else None
        found, pressed = or_partial(
            lambda: profile(*paths, options=options, limits=limits, on_progress=on_progress, **confined)
        )
    if as_json:
        print_json(found.to_json())
    else:
        warn(found.warnings)
        say(_shown(found))
    return exit_code(found.complete or found.rules > 0, interrupted=pressed)


def _shown(found: Profile) -> str:
    head = f"{plural(found.rules, 'ground rule')} in {found.seconds:.2f} s"
    if not found.complete:
        head = f"stopped by {LIMITS[str(found.limit)]}; so far\n{head}"
    listed = found.statements[:LISTED]
    width = max((len(str(each.place)) for each in listed), default=0)
    lines = [f"{'':{width}}  {'ground rules':>12}  {'atoms':>11}  {'seconds':>8}"]
    for each in listed:
        rules = "" if each.rules is None else f"{each.rules:,}"
        text = each.text if len(each.text) <= WIDTH else f"{each.text[:WIDTH]}..."
        lines.append(f"{each.place!s:{width}}  {rules:>12}  {each.atoms:>11,}  {each.seconds:>8.2f}  {text}")
    more = len(found.statements) - LISTED
    body = "\n".join(lines) if listed else "no rules"
    return f"{head}\n\n{body}" + (f"\n... and {more} smaller ones" if more > 0 else "")
