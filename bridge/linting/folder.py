"""What an editor asks of the files of a folder: findings, predicates, tests.

Texts of the editor come before those of the disk. Nothing of a program runs here.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate
from pathlib import Path
from typing import Any

from bridge.asp.reading import TEST, Signature, Text, with_own_includes
from bridge.common import Closing, Language, language_of_path, read_program
from bridge.errors import BridgeError, InputError, Place
from bridge.linting.findings import Finding
from bridge.linting.lint import lint_text
from bridge.linting.occurrences import Occurrence, of_clingo, of_prolog
from bridge.linting.program import Known
from bridge.linting.prolog import lint_prolog, lint_session
from bridge.linting.result import Lint
from bridge.problem import AspProblem
from bridge.prolog import Session

#: Of a folder with more programs, or more entries in all its subfolders, less is looked at, and of a longer program
#: nothing is known.
FILES, ENTRIES, BYTES = 200, 2_000, 1_000_000

#: Between the name of a program and its suffix, this is the name of its reference.
_REFERENCE = ".reference"

_NAME = re.compile(r"-?[\w']+")
_DOCUMENTED = re.compile(r"^[ \t]*%!.*$", re.MULTILINE)
_UNIT = re.compile(r"^[ \t]*:-\s*begin_tests\(", re.MULTILINE)
_COMMENT = re.compile(r"((?:^[ \t]*%[^\n]*\n)+|/\*(?:(?!\*/).)*\*/\s*)\Z", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^[ \t]*(?:%+!?|/\*+!?|\*+/|\*(?!/))[ \t]?|\s*\*/\s*$", re.MULTILINE)


class Files(Closing):
    """Files by path; `unsaved` has those that are open in the editor."""

    def __init__(self) -> None:
        self.unsaved: dict[str, str] = {}
        self.folders: list[str] = []  #: Those that the editor has opened.
        self.languages: dict[str, Language] = {}  #: Of those that are open.
        self._disk: dict[str, tuple[tuple[int, int], str]] = {}
        self._known: dict[str, tuple[str, list[Occurrence]]] = {}
        self._session: Session | None = None
        self._statements: tuple[str, Known] = "", {}  # of the clingo program that was read last, in the thread of keys

    def close(self) -> None:
        if self._session is not None:
            self._session.close()

    def language(self, path: str) -> Language:
        return self.languages.get(path) or language_of_path(path) or "clingo"

    def text(self, path: str) -> str:
        """The text of a file; OSError or InputError where there is none."""
        if path in self.unsaved:
            return self.unsaved[path]
        about = os.stat(path)
        stamp = about.st_mtime_ns, about.st_size
        if self._disk.get(path, (None, ""))[0] != stamp:
            self._disk[path] = stamp, read_program(path)
        return self._disk[path][1]

    def beside(self, path: str) -> list[str]:
        """The other programs in the same language of the editor's folder that a file is in, and of its subfolders.

        Where it has too many, and in no such folder, those of the file's own folder. References are none of them.
        """
        own = os.path.dirname(path)
        root = max((one for one in self.folders if Path(path).is_relative_to(one)), key=len, default=own)
        for folder, deep in (root, True), (own, True), (own, False):
            found = _programs(folder, self.language(path), deep)
            if found is not None:
                return sorted(one for one in found if one != path and not Path(one).stem.endswith(_REFERENCE))
        return []

    def occurrences(self, path: str) -> list[Occurrence]:
        """Where predicates stand in a file; none of one that cannot be read."""
        try:
            if path not in self.unsaved and os.stat(path).st_size > BYTES:
                return []
            text = self.text(path)
        except (OSError, InputError):
            return []
        known = self._known.get(path)
        if known is None or known[0] != text:
            known = self._known[path] = text, self._read(path, text)
        return known[1]

    def _read(self, path: str, text: str) -> list[Occurrence]:
        if self.language(path) == "clingo":
            return of_clingo(text)
        with suppress(BridgeError), self._prolog() as session:
            return of_prolog(text, session)
        return []

    @contextmanager
    def _prolog(self) -> Iterator[Session]:
        """The process that reads Prolog; after an error, the next one is new."""
        session, self._session = self._session or lint_session(), None
        try:
            yield session
        except BaseException:
            session.close()
            raise
        self._session = session

    def at(self, path: str, offset: int) -> Occurrence | None:
        """The predicate at an offset."""
        return next((one for one in self.occurrences(path) if one.begin <= offset <= one.end), None)

    def places(self, path: str, signature: Signature) -> list[tuple[str, Occurrence]]:
        """Where a predicate stands: in a file, and in those beside it."""
        every = ((file, one) for file in (path, *self.beside(path)) for one in self.occurrences(file))
        return [(file, one) for file, one in every if _unsigned(one.signature) == _unsigned(signature)]

    def comment(self, path: str, occurrence: Occurrence) -> str:
        """The comment before a statement."""
        found = _COMMENT.search(self.text(path)[: occurrence.statement[0]][-4000:])
        return "" if found is None else _MARK.sub("", found[0]).strip()

    # Findings

    def lint(self, path: str, text: str | None = None, *, ground: bool = False) -> Lint:
        """What is wrong in a file by its text, or in another text of it; predicates of files beside it are known.

        A clingo program may be ground, in a process of its own; no script of it runs.
        """
        text = self.text(path) if text is None else text
        roles: dict[str, set[Signature]] = {"head": set(), "use": set(), "declaration": set()}
        for file in self.beside(path):
            for one in self.occurrences(file):
                roles[one.role].add(one.signature)
        try:
            if self.language(path) == "clingo":
                if not ground and self._statements[0] != path:
                    self._statements = path, {}
                statements = None if ground else self._statements[1]
                found = lint_text(self.problem(path, text), roles["head"], ground=ground, known=statements)
            else:
                with self._prolog() as session:
                    found = lint_prolog([Path(path)], session=session, unsaved={**self.unsaved, path: text})
        except BridgeError as error:
            place = error.where or Place()
            at = place.line or 1, place.column or 1
            return Lint((Finding("LP001", "syntax", "error", Place(path, *at), at, error.message),), texts={})
        own = [one for one in found.findings if (one.place.file or "<").startswith(("<", path))]
        elsewhere = {"LP015": roles["use"], "PL003": roles["head"], "PL004": roles["head"]}
        if any(one.id in elsewhere for one in own):
            here = self.occurrences(path) if self.unsaved.get(path) == text else self._read(path, text)
            signatures, offsets = {one.begin: one.signature for one in here}, Offsets(text)
            # What stands beside a module is not in it.
            known = {} if any(one.signature == ("module", 2) for one in here) else elsewhere
            own = [one for one in own if signatures.get(offsets.of(one.place)) not in known.get(one.id, ())]
        return replace(found, findings=tuple(own))

    def renamed(self, path: str, signature: Signature, name: str) -> dict[str, str]:
        """The texts of the files that name a predicate, with another name for it, also in comments `%!`.

        Raises InputError where they would then say something else.
        """
        files = {file: self.occurrences(file) for file in (path, *self.beside(path))}
        old, new = _unsigned(signature), (name, signature[1])
        heads = [found for found in files.values() if any(_is_head(one, old) for one in found)]
        if len(heads) > 1 and any(one.signature == ("module", 2) for found in heads for one in found):
            raise InputError("several modules have a predicate of this name")
        every = {_unsigned(one.signature) for found in files.values() for one in found}
        if new in every:
            raise InputError(f"{name}/{signature[1]} is there already")
        alone = sum(one[0] == old[0] for one in every) == 1
        written = re.compile(rf"(?<![\w']){re.escape(old[0])}(?![\w'])")
        changed: dict[str, str] = {}
        for file, before in files.items():
            text = self.text(file)
            spans = {(one.begin, one.end) for one in before if _unsigned(one.signature) == old}
            for comment in _DOCUMENTED.finditer(text) if alone else ():
                spans |= {one.span() for one in written.finditer(text, *comment.span())}
            for begin, end in sorted(spans, reverse=True):
                text = text[:begin] + name + text[end:]
            expected = [new if _unsigned(one.signature) == old else _unsigned(one.signature) for one in before]
            if spans and [_unsigned(one.signature) for one in self._read(file, text)] != expected:
                raise InputError("with this name the program would say something else", where=Place(file))
            changed |= {file: text} if spans else {}
        return changed

    def problem(self, path: str, text: str) -> AspProblem:
        """A clingo program as the editor has it; what it includes has its whole path, since a text has no folder."""
        return AspProblem(f"{Text(text, path).data.decode()}\n")

    def fixed(self, path: str, text: str, finding: Finding, found: Lint) -> str | None:
        """The text after the remedy of a finding; None where there is none after which lint has less to say.

        A suggestion takes the place of the part that the finding is about, or of the name that it begins with: of that
        first where it is a call.
        """
        this = finding.id, finding.sentence

        def said(one: Lint) -> Counter[tuple[str, str]]:
            every = ((each.id, each.sentence) for each in one.findings if each.level != "info")
            return Counter(every) + Counter(this for each in one.findings if (each.id, each.sentence) == this)

        remedies = self._remedies(path, text, finding, found)
        return next((one for one in remedies if said(self.lint(path, one)) < said(found)), None)

    def _remedies(self, path: str, text: str, finding: Finding, found: Lint) -> Iterator[str]:
        if finding.fix is not None:
            (changed,) = Lint((finding,), texts=found.texts).fixed().values()
            yield with_own_includes(changed.removesuffix("\n" * (self.language(path) == "clingo")), text)
        elif finding.suggestion is not None:
            begin, end = Offsets(text).span(finding)
            name = _NAME.match(text, begin, end)
            ends = [end] if name is None else [end, name.end()]
            for last in sorted(ends, reverse=not text.startswith("(", ends[-1])):  # a call keeps its arguments
                yield text[:begin] + finding.suggestion + text[last:]

    # What is saved

    def is_saved(self, path: str) -> bool:
        """Whether the editor's text is that of the file."""
        with suppress(OSError, InputError):
            return self.unsaved.get(path) == read_program(path)
        return False

    def expected(self, path: str) -> tuple[list[Path], dict[str, Any]] | None:
        """The program that a file belongs to, and what `debug` holds it against; None where nothing is there.

        That is its tests, and the program `NAME.reference.lp` beside it.
        """
        tests, here = self.tests(path), Path(path)
        reference = here.with_suffix(f"{_REFERENCE}{here.suffix}")
        of = {"against": reference} if reference.is_file() else {}
        program, files = tests or ([here], [])
        return (program, {"tests": files, **of}) if tests or of else None

    def tests(self, path: str) -> tuple[list[Path], list[Path]] | None:
        """The program that a file belongs to, and the files of its tests; None where there are none."""
        here = Path(path)
        if self.language(path) == "prolog":
            program, suite = here.with_suffix(".pl"), here.with_suffix(".plt")
            program = program if here.suffix == ".plt" and program.is_file() else here
            own = suite.is_file() or _UNIT.search(self.text(path))
            return ([program], []) if own else None
        files = [here.with_name(f"test_{here.name}"), here.with_name(f"{here.stem}_test{here.suffix}")]
        files = [one for one in files if one.is_file()]
        return ([here], files) if files or any(map(TEST.match, self.text(path).splitlines())) else None


def _programs(folder: str, language: Language, deep: bool) -> list[str] | None:
    """The programs of a folder, perhaps also those of its subfolders; None where there are too many."""
    found, entries = list[str](), 0
    for where, folders, names in os.walk(folder):
        entries += len(folders) + len(names)
        paths = (os.path.join(where, name) for name in names)
        found += [one for one in paths if language_of_path(one) == language and os.path.isfile(one)]
        if (deep and entries > ENTRIES) or len(found) > FILES:
            return None
        folders[:] = [one for one in folders if deep and not one.startswith(".")]
    return found


def _is_head(one: Occurrence, signature: Signature) -> bool:
    return one.role == "head" and _unsigned(one.signature) == signature


def _unsigned(signature: Signature) -> Signature:
    return signature[0].removeprefix("-"), signature[1]


class Offsets:
    """The offsets of a text, its places (lines end with a line feed), and its positions as an editor counts them.

    A position is a line and a number of units of a client, from 0; `units` counts those of a text.
    """

    def __init__(self, text: str, units: Callable[[str], int] = len) -> None:
        self._text, self._units = text, units
        self._lines = [0, *(end.end() for end in re.finditer("\n", text))]
        self._starts = [0, *(end.end() for end in re.finditer("\r\n|\n|\r", text))]

    def of(self, place: Place) -> int:
        line = min(place.line or 1, len(self._lines))
        end = self._lines[line] - 1 if line < len(self._lines) else len(self._text)
        return min(self._lines[line - 1] + (place.column or 1) - 1, end)

    def span(self, finding: Finding) -> tuple[int, int]:
        """Where the part begins and ends that a finding is about."""
        begin = self.of(finding.place)
        return begin, max(begin, self.of(Place(None, *finding.end)))

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        return line, self._units(self._text[self._starts[line] : offset])

    def offset(self, line: int, number: int) -> int:
        """The offset of a position; of one behind the end of its line or of the text, this end."""
        if line >= len(self._starts):
            return len(self._text)
        begin, *end = self._starts[line : line + 2]
        of_line = self._text[begin : end[0] if end else len(self._text)].rstrip("\r\n")
        units = 0
        for at, character in enumerate(of_line):
            if units >= number:
                return begin + at
            units += self._units(character)
        return begin + len(of_line)

    def edits(self, changed: str) -> Iterator[tuple[int, int, str]]:
        """The lines in which another text differs: begin, end, what stands there."""
        old, new = self._text.splitlines(keepends=True), changed.splitlines(keepends=True)
        begins = [0, *accumulate(map(len, old))]
        for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind != "equal":
                yield begins[i], begins[j], "".join(new[k:m])
