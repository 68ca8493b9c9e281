"""What the rules of a puzzle say: the sentences that stand beside them in its encoding (`%!`, `reading.names`)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from bridge.asp.reading import RuleName, read_names
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.puzzle import Puzzle

_INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)


def sentence(puzzle: Puzzle, name: str) -> str:
    """What the rule of a name says, in a sentence; the name where the encoding has none for it."""
    forms = models(puzzle)
    for rule in _names(forms.encoding, forms.program):
        if text := rule.says(name):
            return text
    return name


def rule_sentences(puzzle: Puzzle, names: list[str]) -> list[str]:
    """The sentences of rules, grouped by sentence: `row 1, row 2: each value at most once`."""
    by_text: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_text.setdefault(sentence(puzzle, name), []).append(name)
    return [f"{', '.join(of)}: {text}" for text, of in by_text.items()]


def is_named(file: str, name: str, program: str = "") -> bool:
    """Whether a comment in an encoding gives this name: a file under `encodings/`, or the text of a program."""
    return any(rule.says(name) is not None for rule in _names(file, program))


@lru_cache(maxsize=64)
def _names(file: str, program: str) -> tuple[RuleName, ...]:
    """The names in an encoding and those that it includes; first those that leave least open: `{N} {D}` fits much."""
    read = list(read_names(program, file).values()) if program else _read(file)
    found = {rule.pattern: rule for rule in read if rule.use == "named"}
    return tuple(sorted(found.values(), key=lambda rule: (len(rule.terms), -len(rule.pattern))))


def _read(file: str) -> list[RuleName]:
    text = Path(encoding(file)).read_text(encoding="utf-8")
    folder = file.rpartition("/")[0]
    found = list(read_names(text, file).values())
    for included in _INCLUDE.findall(text):
        found += _read(re.sub(r"[^/]+/\.\./", "", f"{folder}/{included}"))
    return found
