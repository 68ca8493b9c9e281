"""`python -m benchmarks.editor`: how soon does `lpbridge lsp` answer, and does it stay right and small?

A client speaks with the server over standard input and output. Measured are the time from a key to the findings, in
files of 1,000 lines, beside the time in which the solver reads the same file; random edits, after each of which places
are held against the text by a naive count of UTF-16; and the memory of the server over many requests.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from bridge.linting.folder import Files

PAGE = Path(__file__).parent / "results" / "editor.md"

#: Seconds after which there should have been findings.
PATIENCE = 120

CLINGO = """\
% Lessons of course {n}: é😀
lesson{n}(math;art;music).
slot{n}(1..4). room{n}(1..2).

% Each lesson has a slot and a room.
{{ at{n}(L,S,R) : slot{n}(S), room{n}(R) }} = 1 :- lesson{n}(L).

% Two lessons never meet.
:- at{n}(L,S,R), at{n}(K,S,R), L < K.
late{n}(L) :- at{n}(L,S,_), S > 2, not early{n}(L). early{n}(art).
"""
PROLOG = """\
%! way{n}(+X, -Y) is nondet.
%
%  There is a way from X to Y: é😀
way{n}(X, Y) :- edge{n}(X, Y).
way{n}(X, Z) :- edge{n}(X, Y), way{n}(Y, Z).

edge{n}(a, b).
edge{n}(b, c).
far{n}(Y) :- findall(X, way{n}(X, Y), Xs), length(Xs, N), N > {n},
    \\+ edge{n}(Y, _), format("~w😀~n", [Y]).
"""

#: What is put in, beside what stands in the text.
PIECES = [*"\n.,()%\"'\t{}X", "\r\n", ":-", "é😀", "not ", "egde(X,Y)", "#show p/1.", "%*", "/*", "\x0c", "\u2028"]


class Client:
    """A client of `lpbridge lsp`, which keeps what the server says."""

    def __init__(self) -> None:
        self._client = LanguageClient("benchmark", "1")
        self._said: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[str] = asyncio.Queue()
        self.edits: asyncio.Queue[types.ApplyWorkspaceEditParams] = asyncio.Queue()
        self.versions: dict[str, int] = {}

        @self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def said(params: types.PublishDiagnosticsParams) -> None:
            self._said.put_nowait(params)

        @self._client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.messages.put_nowait(params.message)

        @self._client.feature(types.WORKSPACE_APPLY_EDIT)
        def applied(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.put_nowait(params)
            return types.ApplyWorkspaceEditResult(applied=True)

    async def __aenter__(self) -> Client:
        await self._client.start_io(sys.executable, "-m", "bridge", "lsp")
        await self._client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        self._client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.wait_for(self._client.shutdown_async(None), PATIENCE)
        self._client.exit(None)
        await self._client.stop()

    @property
    def memory(self) -> int:
        """The bytes of memory that the server has."""
        assert self._client._server is not None
        text = Path(f"/proc/{self._client._server.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) * 1024

    async def open(self, path: Path, text: str) -> Sequence[types.Diagnostic]:
        self.versions[path.as_uri()] = 1
        item = types.TextDocumentItem(path.as_uri(), "clingo" if path.suffix == ".lp" else "prolog", 1, text)
        self._client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.findings(path)

    async def change(self, path: Path, text: str) -> Sequence[types.Diagnostic]:
        """The findings in a new text of a file."""
        self.begin_change(path, text)
        return await self.findings(path)

    def begin_change(self, path: Path, text: str) -> None:
        self.versions[path.as_uri()] += 1
        of = types.VersionedTextDocumentIdentifier(self.versions[path.as_uri()], path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self._client.text_document_did_change(types.DidChangeTextDocumentParams(of, [change]))

    def save(self, path: Path, text: str) -> None:
        path.write_text(text, newline="")
        self._client.text_document_did_save(types.DidSaveTextDocumentParams(self._of(path)))

    async def findings(self, path: Path) -> Sequence[types.Diagnostic]:
        """The next findings in the last version of a file."""
        while True:
            said = await asyncio.wait_for(self._said.get(), PATIENCE)
            if said.uri == path.as_uri() and said.version == self.versions[said.uri]:
                return said.diagnostics

    async def command(self, name: str, path: Path, goal: str = "") -> None:
        await self._client.workspace_execute_command_async(
            types.ExecuteCommandParams(f"lpbridge.{name}", [path.as_uri(), goal])
        )

    def _of(self, path: Path) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(path.as_uri())

    async def ask(self, what: str, path: Path, position: types.Position, new_name: str = "fresh") -> Any:
        """What the server answers to a request about a place."""
        of, client = self._of(path), self._client
        match what:
            case "hover":
                return await client.text_document_hover_async(types.HoverParams(of, position))
            case "definition":
                return await client.text_document_definition_async(types.DefinitionParams(of, position))
            case "references":
                context = types.ReferenceContext(include_declaration=True)
                return await client.text_document_references_async(types.ReferenceParams(context, of, position))
            case "rename":
                return await client.text_document_rename_async(types.RenameParams(of, position, new_name))
            case "symbols":
                return await client.text_document_document_symbol_async(types.DocumentSymbolParams(of))
            case "folding":
                return await client.text_document_folding_range_async(types.FoldingRangeParams(of))
            case "lenses":
                return await client.text_document_code_lens_async(types.CodeLensParams(of))
            case "actions":
                params = types.CodeActionParams(of, types.Range(position, position), types.CodeActionContext([]))
                return await client.text_document_code_action_async(params)
        raise ValueError(what)


ASKED = ("hover", "definition", "references", "symbols", "folding", "lenses", "actions")


# Places, counted naively


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, as the protocol has them."""
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


def offset_of(text: str, position: types.Position) -> int:
    """The offset of a position; ValueError where it is not in the text."""
    lines = lines_of(text)
    line = lines[position.line]
    before = line.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le")
    if 2 * position.character > len(line.encode("utf-16-le")):
        raise ValueError(f"{position} is behind the end of its line")
    return sum(map(len, lines[: position.line])) + len(before)


def part(text: str, of: types.Range) -> str:
    """What stands in a range."""
    begin, end = offset_of(text, of.start), offset_of(text, of.end)
    if begin > end:
        raise ValueError(f"{of} ends before it begins")
    return text[begin:end]


def edited(text: str, edits: Sequence[Any]) -> str:
    """A text after edits."""
    for edit in sorted(edits, key=lambda one: offset_of(text, one.range.start), reverse=True):
        text = text[: offset_of(text, edit.range.start)] + edit.new_text + text[offset_of(text, edit.range.end) :]
    return text


# What is measured


def program(kind: str, blocks: int) -> str:
    """A program with ten lines for each block."""
    return "".join((CLINGO if kind == ".lp" else PROLOG).format(n=number) for number in range(blocks))


def _reading(path: Path) -> float:
    """The seconds in which a solver reads a file."""
    began = time.perf_counter()
    if path.suffix == ".lp":
        from clingo import ast

        ast.parse_files([str(path)], lambda _: None)
    else:
        from bridge.prolog.locate import current

        subprocess.run([current().swipl, "-g", "halt", path], check=True, capture_output=True)
    return time.perf_counter() - began


async def latency(folder: Path, times: int = 20) -> list[tuple[str, float, float]]:
    """Of files of 1,000 lines: the file, the median of seconds from a key to the findings, and that of reading it."""
    found = []
    async with Client() as client:
        for suffix in (".lp", ".pl"):
            path, text = folder / f"long{suffix}", program(suffix, 100)
            path.write_text(text)
            await client.open(path, text)
            taken = []
            for number in range(times):
                began = time.perf_counter()
                await client.change(path, f"{text}% {number}\n")
                taken.append(time.perf_counter() - began)
            reading = statistics.median(_reading(path) for _ in range(5))
            found.append((path.name, statistics.median(taken), reading))
    return found


def _edit(text: str, chance: random.Random) -> str:
    begin = chance.randrange(len(text) + 1)
    end = min(len(text), begin + chance.choice([0, 0, 0, 1, 2, 10]))
    other = chance.randrange(len(text) + 1)
    piece = chance.choice([*PIECES, "", "", text[other : other + chance.randrange(12)]])
    return text[:begin] + piece + text[end:]


async def edits(folder: Path, number: int, seed: int) -> list[str]:
    """Random edits; what was wrong after them: a finding that is not that of the text, a place outside of it."""
    chance, wrong = random.Random(seed), []
    with Files() as naive:
        async with Client() as client:
            texts: dict[Path, str] = {}
            for suffix in (".lp", ".pl"):
                path = folder / f"edited{suffix}"
                texts[path] = program(suffix, 3)
                path.write_text(texts[path], newline="")
                await client.open(path, texts[path])
            for turn in range(number):
                path = chance.choice([*texts])
                if chance.random() < 0.05 or len(texts[path]) > 4000:
                    texts[path] = program(path.suffix, 3)
                before = texts[path]
                text = texts[path] = _edit(before, chance)
                if chance.random() < 0.2:  # faster than they are read
                    client.begin_change(path, before)
                said = await client.change(path, text)
                naive.unsaved[str(path)], naive._statements = text, ("", {})
                expected = [(one.id, str(one)) for one in naive.lint(str(path)).findings]
                try:
                    if [(str(one.code), one.message) for one in said] != expected:
                        raise ValueError("other findings")
                    [part(text, one.range) for one in said]
                    await _asked(client, path, text, chance, naive)
                except Exception as error:
                    wrong.append(f"{seed}:{turn} {path.name}: {error!r}\n{text}")
    return wrong


async def _asked(client: Client, path: Path, text: str, chance: random.Random, naive: Files) -> None:
    """Ask about a place, and hold what is answered against the text."""
    here = naive.occurrences(str(path))
    at = chance.choice(here).begin if here and chance.random() < 0.8 else chance.randrange(len(text) + 1)
    lines = lines_of(text[:at])
    position = types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
    for what in chance.sample(ASKED, 2):
        answer = await client.ask(what, path, position)
        if what in ("definition", "references"):
            name = naive.at(str(path), at)
            for one in answer or ():
                if one.uri == path.as_uri() and name is not None:
                    found = part(text, one.range).strip("'")
                    if found != name.signature[0].removeprefix("-"):
                        raise ValueError(f"{what} of {name.signature} leads to {found!r}")
        elif what == "symbols":
            for one in answer or ():
                if part(text, one.selection_range) not in part(text, one.range):
                    raise ValueError(f"a symbol outside of its range: {one.name}")
        elif what == "folding" and any(one.end_line >= len(lines_of(text)) for one in answer or ()):
            raise ValueError("folding of lines that are not there")


async def requests(folder: Path, number: int, seed: int) -> list[int]:
    """The memory of the server after each tenth of many requests and changes."""
    chance, found = random.Random(seed), []
    async with Client() as client:
        texts = {folder / f"asked{suffix}": program(suffix, 10) for suffix in (".lp", ".pl")}
        for path, text in texts.items():
            path.write_text(text)
            await client.open(path, text)
        for turn in range(number):
            path, text = chance.choice([*texts.items()])
            if turn % 20 == 0:
                client.begin_change(path, f"{text}% {turn}\n")
            line = chance.randrange(100)
            await client.ask(chance.choice(ASKED), path, types.Position(line, chance.randrange(20)))
            if (turn + 1) % max(number // 10, 1) == 0:
                found.append(client.memory)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.editor", description=__doc__)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true", help=f"write {PAGE.name}")
    given = parser.parse_args()
    from benchmarks.measure import machine

    lines = ["# The language server", "", machine(), ""]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines += ["| 1,000 lines | from a key to the findings | the solver reads it | ratio |", "|---|--:|--:|--:|"]
        for file, taken, reading in asyncio.run(latency(folder)):
            lines.append(f"| `{file}` | {taken * 1000:.0f} ms | {reading * 1000:.0f} ms | {taken / reading:.1f} |")
        wrong = asyncio.run(edits(folder, given.edits, given.seed))
        lines += ["", f"{given.edits:,} random edits (seed {given.seed}): {len(wrong)} wrong findings or places."]
        memory = asyncio.run(requests(folder, given.requests, given.seed))
        megabytes = ", ".join(f"{one / 1e6:.0f}" for one in memory)
        lines += ["", f"Memory of the server over {given.requests:,} requests, after each tenth, in MB: {megabytes}."]
    words = f"--edits {given.edits} --requests {given.requests} --seed {given.seed}"
    lines += ["", f"By `python -m benchmarks.editor {words}`."]
    text = "\n".join(lines) + "\n"
    print(text, *wrong, sep="\n")
    if given.save:
        PAGE.write_text(text)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
