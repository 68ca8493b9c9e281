"""A language server for clingo and Prolog programs: `lpbridge lsp`.

While one types, the text is read, and nothing of it runs: no directive, no script. A clingo program is ground when it
is opened or saved, as `lint` grounds it. Tests, repairs and runs are commands, about files as they are saved; the next
key cancels them.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

import bridge
from bridge.batching.pool import Pool
from bridge.cli.brief import brief, shortened
from bridge.common.closing import Closing
from bridge.common.english import how_ended, plural
from bridge.common.languages import language_of_path
from bridge.errors import BridgeError, InputError, MissingSolverError
from bridge.limits import Limits
from bridge.linting.folder import Files, Offsets
from bridge.linting.occurrences import Occurrence
from bridge.linting.result import Lint

try:
    from lsprotocol import types
    from pygls.exceptions import JsonRpcInvalidParams
    from pygls.lsp.server import LanguageServer
    from pygls.uris import from_fs_path, to_fs_path
except ModuleNotFoundError:
    raise MissingSolverError("the package pygls is not installed", hint="pip install 'lpbridge[lsp]'") from None

#: Seconds without a key after which a text is read, and those of a command.
DEBOUNCE, RUN, REPAIR = 0.1, 10.0, 30.0

_LEVELS = ("", "error", "warning", "info")
_GOAL = re.compile(r"^[ \t]*%?[ \t]*\?-[ \t]*(?P<goal>\S.*?)\.[ \t]*$", re.MULTILINE)
_COMMENTS = re.compile(r"(?:^[ \t]*%[^\n]*\n){2,}", re.MULTILINE)
_HALVES = re.compile("[\ud800-\udfff]")
_NAME = {"clingo": re.compile(r"_*[a-z][\w']*", re.ASCII), "prolog": re.compile(r"[a-z]\w*")}


class Editor(Closing):
    """The programs that an editor has open, and what is answered about them."""

    COMMANDS = ("run", "why_none", "test", "find_wrong_line", "repair")

    def __init__(self, server: LanguageServer) -> None:
        self._server, self._files = server, Files()
        self._reader, self._questions = Pool(1, waiting=10_000), Pool(2)
        self._versions: dict[str, int | None] = {}  # of what is open
        self._found: dict[str, tuple[str, Lint]] = {}  # of a text
        self._marks: dict[str, list[types.Diagnostic]] = {}  # the lines that are probably wrong
        self._titles: dict[str, dict[str, str]] = {}  # of code lenses, by what a command has found
        self._asked: dict[str, asyncio.Task[None]] = {}  # what the next key cancels

    def close(self) -> None:
        for one in (self._reader, self._questions, self._files):
            one.close()

    def _path(self, of: Any) -> str:
        return str(self._server.workspace.get_text_document(getattr(of, "text_document", of).uri).path)

    def _offsets(self, path: str, text: str | None = None) -> Offsets:
        units = self._server.workspace.position_codec.client_num_units
        return Offsets(self._files.text(path) if text is None else text, units)

    # Texts

    async def opened(self, params: Any) -> None:
        workspace = self._server.workspace
        folders = [*map(to_fs_path, workspace.folders)] or [workspace.root_path]
        self._files.folders = [one for one in folders if one]
        await self.changed(params)
        await self._look(params.text_document.uri, ground=True)

    async def changed(self, params: Any) -> None:
        """Note a text; when no key comes for a moment, say what is wrong in it."""
        uri, path = params.text_document.uri, self._path(params)
        document = self._server.workspace.get_text_document(uri)
        if document.language_id == "perl":
            return
        prolog = document.language_id == "prolog"
        self._files.languages[path] = language_of_path(path) or ("prolog" if prolog else "clingo")
        self._files.unsaved[path] = _HALVES.sub("\ufffd", document.source)
        self._versions[uri] = version = document.version  # pygls changes the document itself
        self._marks.pop(uri, None)
        if (asked := self._asked.pop(uri, None)) is not None and asked.cancel():
            self._show("stopped, since the file has changed")
        await asyncio.sleep(DEBOUNCE)
        if self._versions.get(uri) == version:
            await self._look(uri)

    async def _look(self, uri: str, *, ground: bool = False) -> None:
        """Publish what is wrong in a text, unless it is another one by then."""
        document = self._server.workspace.get_text_document(uri)
        path, version = str(document.path), self._versions.get(uri)
        if uri not in self._versions or (ground and self._files.language(path) != "clingo"):
            return
        text, pool = self._files.unsaved[path], self._questions if ground else self._reader

        def is_current() -> bool:
            return uri in self._versions and self._versions[uri] == version

        found = await pool.run(lambda: self._files.lint(path, text, ground=ground) if is_current() else None)
        if found is not None and is_current():
            self._found[uri] = text, found
            self._publish(uri, path)

    def _publish(self, uri: str, path: str) -> None:
        text, found = self._found.get(uri, ("", Lint(())))
        offsets = self._offsets(path, text)
        said = [
            types.Diagnostic(_range(offsets, *offsets.span(one)), str(one),
                             severity=types.DiagnosticSeverity(_LEVELS.index(one.level)), code=one.id,
                             source="lpbridge")
            for one in found.findings
        ]
        said += self._marks.get(uri, ())
        version = self._versions.get(uri)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, said, version))

    async def saved(self, params: Any) -> None:
        uri = params.text_document.uri
        await self._look(uri, ground=True)
        if "test" in self._titles.get(uri, ()):
            self.begin("test", uri)

    async def closed(self, params: Any) -> None:
        uri, path = params.text_document.uri, self._path(params)
        for known in (self._versions, self._found, self._marks, self._titles):
            known.pop(uri, None)
        self._files.unsaved.pop(path, None)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    # Predicates

    async def _at(self, params: Any) -> tuple[str, Occurrence | None]:
        path = self._path(params)
        return path, await self._reader.run(self._files.at, path, _offset(self._offsets(path), params.position))

    async def _places(self, params: Any) -> list[tuple[str, Occurrence]]:
        path, one = await self._at(params)
        return [] if one is None else await self._reader.run(self._files.places, path, one.signature)

    def _location(self, path: str, one: Occurrence) -> types.Location:
        return types.Location(from_fs_path(path) or path, _range(self._offsets(path), one.begin, one.end))

    async def definition(self, params: Any) -> list[types.Location]:
        found = await self._places(params)
        role = "head" if any(one.role == "head" for _, one in found) else "declaration"
        return [self._location(path, one) for path, one in found if one.role == role]

    async def references(self, params: Any) -> list[types.Location]:
        every = params.context.include_declaration
        return [self._location(path, one) for path, one in await self._places(params) if every or one.role == "use"]

    async def hover(self, params: Any) -> types.Hover | None:
        found = await self._places(params)
        if not found:
            return None
        heads = list({(path, one.statement): (path, one) for path, one in found if one.role == "head"}.values())
        name, arity = found[0][1].signature
        by = f"derived by {plural(len(heads), 'statement')}" if heads else "derived by nothing here"
        words = [f"**{name}/{arity}**, {by}, used {plural(sum(one.role == 'use' for _, one in found), 'time')}"]
        words += filter(None, [self._files.comment(path, one) for path, one in heads[:1]])
        rules = [self._files.text(path)[slice(*one.statement)] for path, one in heads[:5]]
        if rules:
            words.append("\n".join(["```prolog", *rules, *["..."] * (len(heads) > 5), "```"]))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(words)))

    async def rename(self, params: Any) -> types.WorkspaceEdit | None:
        path, one = await self._at(params)
        if one is None:
            return None
        if _NAME[self._files.language(path)].fullmatch(params.new_name) is None:
            raise InputError(f"{params.new_name!r} is not a name of a predicate")
        return self._edit(await self._reader.run(self._files.renamed, path, one.signature, params.new_name))

    def _edit(self, changed: dict[str, str]) -> types.WorkspaceEdit:
        """The edit that gives files other texts; of one that is open, for its present version."""
        edits = []
        for path, text in changed.items():
            uri = from_fs_path(path) or path
            of = types.OptionalVersionedTextDocumentIdentifier(uri, self._versions.get(uri))
            offsets = self._offsets(path)
            lines = [types.TextEdit(_range(offsets, *span), by) for *span, by in offsets.edits(text)]
            edits.append(types.TextDocumentEdit(of, lines))
        return types.WorkspaceEdit(document_changes=edits)

    # A file

    async def symbols(self, params: Any) -> list[types.DocumentSymbol]:
        path = self._path(params)
        offsets, found = self._offsets(path), await self._reader.run(self._files.occurrences, path)
        made = []
        for (name, arity), group in groupby((one for one in found if one.role == "head"), lambda one: one.signature):
            first, *rest = group
            end = max(first.end, *(one.statement[1] for one in (first, *rest)))
            whole, own = _range(offsets, first.statement[0], end), _range(offsets, first.begin, first.end)
            made.append(types.DocumentSymbol(f"{name}/{arity}", types.SymbolKind.Function, whole, own))
        return made

    async def folding(self, params: Any) -> list[types.FoldingRange]:
        path = self._path(params)
        offsets, found = self._offsets(path), await self._reader.run(self._files.occurrences, path)
        comments = {(one.start(), one.end() - 1) for one in _COMMENTS.finditer(self._files.text(path))}
        lines = ((span, _range(offsets, *span)) for span in {one.statement for one in found} | comments)
        kinds = dict.fromkeys(comments, types.FoldingRangeKind.Comment)
        return [
            types.FoldingRange(one.start.line, one.end.line, kind=kinds.get(span))
            for span, one in sorted(lines)
            if one.start.line < one.end.line
        ]

    async def lenses(self, params: Any) -> list[types.CodeLens]:
        uri, path = params.text_document.uri, self._path(params)
        offsets, titles = self._offsets(path), self._titles.get(uri, {})
        made: list[tuple[int, types.Command]] = []
        goals = [(one.start(), one["goal"]) for one in _GOAL.finditer(self._files.text(path))]
        for at, goal in goals if self._files.language(path) == "prolog" else [(0, "")]:
            made.append((at, _command("run", "run", uri, goal)))
            if f"run {goal}" in titles:
                made.append((at, _command("why_none", titles[f"run {goal}"], uri, goal)))
        if self._files.tests(path) is not None:
            made.append((0, _command("test", titles.get("test", "run the tests"), uri)))
        return [types.CodeLens(_range(offsets, at, at), command=command) for at, command in made]

    async def actions(self, params: Any) -> list[types.CodeAction]:
        uri, path = params.text_document.uri, self._path(params)
        text, found = self._found.get(uri, ("", Lint(())))
        made: list[types.CodeAction] = []
        if text == self._files.unsaved.get(path):
            offsets = self._offsets(path)
            begin, end = _offset(offsets, params.range.start), _offset(offsets, params.range.end)
            for one in found.findings:
                first, last = offsets.span(one)
                if first <= end and begin <= last and (one.fix or one.suggestion):
                    changed = await self._reader.run(self._files.fixed, path, text, one, found)
                    if changed is not None:
                        title = f"write {one.suggestion}" if one.suggestion else one.sentence
                        edit = self._edit({path: changed})
                        made.append(types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit))
        if (expected := self._files.expected(path)) is not None:
            by = "repair by the reference" if "against" in expected[1] else "repair so that the tests pass"
            for name, title in (("find_wrong_line", "find the wrong line"), ("repair", by)):
                made.append(types.CodeAction(title, types.CodeActionKind.QuickFix, command=_command(name, title, uri)))
        return made

    # Commands

    def begin(self, name: str, uri: str, goal: str = "") -> None:
        """Begin what a command does with a file as it is saved; the next key cancels it."""
        path = self._path(types.TextDocumentIdentifier(uri))
        if not self._files.is_saved(path):
            self._show("save the file first: a command is about what is saved")
            return
        if (before := self._asked.pop(uri, None)) is not None:
            before.cancel()
        self._asked[uri] = asyncio.ensure_future(self._done(name, uri, path, goal))

    async def _done(self, name: str, uri: str, path: str, goal: str) -> None:
        try:
            await getattr(self, name)(uri, path, goal)
        except BridgeError as error:
            self._show(str(error))

    def _show(self, text: str) -> None:
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, shortened(text)))

    async def run(self, uri: str, path: str, goal: str) -> None:
        limits = Limits(seconds=RUN, solutions=3)
        found = await self._questions.run(lambda: bridge.solutions(self._problem(path, goal), limits=limits).collect())
        lines = [f"answer {number}: {one}" for number, one in enumerate(found.solutions, 1)]
        none = found.complete and not lines
        self._title(uri, f"run {goal}", "no answer: why none?" if none else None)
        self._show("\n".join(lines) or ("no answer" if none else how_ended(found.limit)))

    async def why_none(self, uri: str, path: str, goal: str) -> None:
        why = partial(bridge.diagnose, self._problem(path, goal), limits=Limits(seconds=RUN))
        self._show(brief(await self._questions.run(why)))

    def _problem(self, path: str, goal: str) -> Any:
        prolog = self._files.language(path) == "prolog"
        return bridge.PrologProblem([Path(path)], goal) if prolog else bridge.AspProblem(Path(path))

    async def test(self, uri: str, path: str, goal: str) -> None:
        program, tests = self._files.tests(path) or _no_test()
        found = await self._questions.run(bridge.test, program, tests, limits=Limits(seconds=RUN))
        wrong = [f"{len(found.of(one))} {one}" for one in ("failed", "undecided") if found.of(one)]
        self._title(uri, "test", f"tests: {', '.join(wrong) or f'{len(found.passed)} passed'}")
        if wrong:
            self._show(brief(found))

    async def _debugged(self, path: str) -> tuple[list[Path], Any]:
        program, given = self._files.expected(path) or _no_test()
        by_goals = "against" in given and self._files.language(path) == "prolog"
        goals = [one["goal"] for one in _GOAL.finditer(self._files.text(path))] if by_goals else []
        asked: Any = [bridge.PrologProblem(program, goal) for goal in goals] or program
        return program, await self._questions.run(bridge.debug, asked, limits=Limits(seconds=REPAIR), **given)

    async def find_wrong_line(self, uri: str, path: str, goal: str) -> None:
        _, found = await self._debugged(path)
        offsets = self._offsets(path)
        self._marks[uri] = [
            types.Diagnostic(_range(offsets, begin := offsets.of(one.place), begin + len(one.text)),
                             f"probably wrong: {one.sentence}", severity=types.DiagnosticSeverity.Warning,
                             source="lpbridge debug")
            for one in found.suspects
            if one.place.file == path
        ]
        self._publish(uri, path)
        if not self._marks[uri]:
            self._show(brief(found))

    async def repair(self, uri: str, path: str, goal: str) -> None:
        program, found = await self._debugged(path)
        if found.repair is None:
            self._show(brief(found))
            return
        lines = dict.fromkeys(one.place.line for one in found.suspects if one.repair is found.repair)
        sentence = f"line {', '.join(map(str, lines))}: the program now {found.repair.proved_by}"
        edit = types.ApplyWorkspaceEditParams(self._edit({str(program[0]): found.repair.text}), label=sentence)
        self._asked.pop(uri, None)  # what the edit changes is no key that cancels it
        done = await self._server.workspace_apply_edit_async(edit)
        self._show(sentence if done.applied else f"not applied ({done.failure_reason or 'refused'}): {sentence}")

    def _title(self, uri: str, name: str, title: str | None) -> None:
        known = {one: of for one, of in self._titles.get(uri, {}).items() if one != name}
        self._titles[uri] = known | ({name: title} if title else {})
        workspace = self._server.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self._server.workspace_code_lens_refresh(None)


def _no_test() -> NoReturn:
    raise InputError("there is no test", hint="write some in the file, or beside it")


def _range(offsets: Offsets, begin: int, end: int) -> types.Range:
    return types.Range(types.Position(*offsets.position(begin)), types.Position(*offsets.position(end)))


def _offset(offsets: Offsets, position: types.Position) -> int:
    return offsets.offset(position.line, position.character)


def _command(name: str, title: str, *given: str) -> types.Command:
    return types.Command(title, f"lpbridge.{name}", arguments=list(given))


def _features(editor: Editor) -> Iterator[tuple[str, Callable[[Any], Any], Any]]:
    yield types.TEXT_DOCUMENT_DID_OPEN, editor.opened, None
    yield types.TEXT_DOCUMENT_DID_CHANGE, editor.changed, None
    yield types.TEXT_DOCUMENT_DID_SAVE, editor.saved, None
    yield types.TEXT_DOCUMENT_DID_CLOSE, editor.closed, None
    yield types.TEXT_DOCUMENT_DEFINITION, editor.definition, None
    yield types.TEXT_DOCUMENT_REFERENCES, editor.references, None
    yield types.TEXT_DOCUMENT_HOVER, editor.hover, None
    yield types.TEXT_DOCUMENT_RENAME, editor.rename, None
    yield types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, editor.symbols, None
    yield types.TEXT_DOCUMENT_FOLDING_RANGE, editor.folding, None
    yield types.TEXT_DOCUMENT_CODE_LENS, editor.lenses, None
    yield types.TEXT_DOCUMENT_CODE_ACTION, editor.actions, types.CodeActionOptions([types.CodeActionKind.QuickFix])


async def _answered(answer: Callable[[Any], Any], params: Any) -> Any:
    try:
        return await answer(params)
    except BridgeError as error:
        raise JsonRpcInvalidParams(str(error)) from None


def _of_command(editor: Editor, name: str) -> Callable[..., None]:
    return lambda *given: editor.begin(name, *given)


def serve() -> None:
    """Speak over standard input and output, until the client ends it."""
    made = LanguageServer("lpbridge", bridge.__version__, types.TextDocumentSyncKind.Full)
    with Editor(made) as editor, os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:  # which pygls closes
        for method, answer, options in _features(editor):
            made.feature(method, options)(partial(_answered, answer))
        for name in Editor.COMMANDS:
            made.command(f"lpbridge.{name}")(_of_command(editor, name))
        made.start_io(stdout=output)
