"""`--watch`: a program runs again when one of its files changes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from os import stat, stat_result
from pathlib import Path

import click

from bridge.cli.failures import ended
from bridge.cli.programs import say
from bridge.common.english import plural
from bridge.common.languages import SUFFIXES, Language

#: Seconds between two looks at the files.
INTERVAL = 0.2

#: Where one file names another.
_INCLUDES: dict[Language, re.Pattern[str]] = {
    "clingo": re.compile(r"#\s*include\s*\"([^\"]+)\""),
    "prolog": re.compile(
        r"\b(?:include|consult|ensure_loaded|use_module|load_files|reexport)\(\s*'?([\w./-]+)'?\s*[,)]"
        r"|^:-\s*\[\s*'?([\w./-]+)'?\s*\]",
        re.MULTILINE,
    ),
}

#: What differs between two states of a file.
_Stamp = tuple[int, int, int]


def again_and_again(files: Sequence[str], language: Language, once: Callable[[], int]) -> int:
    """Run `once`, and again whenever one of the files has changed, until Ctrl-C. The exit code is that of Ctrl-C."""
    named = [Path(file) for file in files if file != "-"]
    if not named:
        raise click.UsageError("--watch needs a file to watch: standard input is read only once")
    while True:
        watched = {path: _stamp(path) for path in _with_includes(named, language)}
        if ended(once) == 130:
            return 130
        click.echo(f"lpbridge: watching {plural(len(watched), 'file')}; Ctrl-C ends it", err=True)
        changed = _wait(watched)
        say(f"\n---- {time.strftime('%H:%M:%S')}  {', '.join(map(str, changed))}")


def _wait(watched: dict[Path, _Stamp | None]) -> list[Path]:
    """Wait until files have changed, and stay as they are for an interval; those files.

    A file that is missing is about to be replaced, as editors do it.
    """
    seen = dict(watched)
    while True:
        time.sleep(INTERVAL)
        now = {path: _stamp(path) for path in watched}
        settled, seen = now == seen, now
        changed = [path for path, stamp in now.items() if stamp is not None and stamp != watched[path]]
        if changed and settled:
            return changed


def _stamp(path: Path) -> _Stamp | None:
    try:
        about: stat_result = stat(path)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def _with_includes(files: Iterable[Path], language: Language) -> list[Path]:
    """The files, and those that they include or load, as far as their text names them plainly."""
    found: dict[Path, Path] = {}
    waiting = list(files)
    while waiting:
        path = waiting.pop(0)
        if path.resolve() in found:
            continue
        found[path.resolve()] = path
        for match in _INCLUDES[language].finditer(_text(path)):
            name = next(filter(None, match.groups()))
            places = (Path(name), path.parent / name) if language == "clingo" else (path.parent / name,)
            endings = ("", *(suffix for suffix, of in SUFFIXES.items() if of == language == "prolog"))
            candidates = (place.with_name(place.name + ending) for place in places for ending in endings)
            waiting += [candidate for candidate in candidates if candidate.is_file()][:1]
    return list(found.values())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
