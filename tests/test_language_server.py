"""The language server, through a client over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types
from patience import PATIENCE

from benchmarks.editor import Client, edited, edits, part

CLINGO = """\
% é😀 what can be reached
edge(1,2). edge(2,3).
reach(1).
reach(Y) :- reach(X), edge(X,Y).
#show reach/1.

%! test all: every reach(3)
"""
PROLOG = "%! twice(+X, -Y) is det.\ntwice(X, Y) :- Y is 2 * X.\n% ?- twice(3, 7).\n"
SUITE = ":- begin_tests(t).\ntest(two) :- twice(2, 4).\ntest(three) :- twice(3, 6).\n:- end_tests(t).\n"


async def _until(said: asyncio.Queue[Any], word: str) -> Any:
    while True:
        one = await said.get()
        if word in str(one):
            return one


async def _titles(client: Client, path: Path, wanted: str) -> None:
    """Wait until a code lens says it: what a command found comes a moment after the answer to it."""
    while all(wanted not in one.command.title for one in await client.ask("lenses", path, types.Position(0, 0))):
        await asyncio.sleep(0.05)


async def _a_fault_and_its_remedies(folder: Path) -> None:
    path, other = folder / "reach.lp", folder / "twice.pl"
    for file, text in ((path, CLINGO), (other, PROLOG), (folder / "twice.plt", SUITE)):
        file.write_text(text)
    async with Client() as client:
        # A slip, and its fix.
        assert not await client.open(path, CLINGO)
        faulty = CLINGO.replace("edge(X,Y)", "egde(X,Y)")
        (found,) = await client.change(path, faulty)
        assert (found.code, part(faulty, found.range)) == ("LP003", "egde(X,Y)")
        actions = await client.ask("actions", path, found.range.start)
        fix = next(one for one in actions if one.title == "write edge")
        (change,) = fix.edit.document_changes
        assert edited(faulty, change.edits) == CLINGO
        assert not await client.change(path, CLINGO)
        places = await client.ask("definition", path, types.Position(3, 14))
        assert [(one.range.start.line, part(CLINGO, one.range)) for one in places] == [(2, "reach"), (3, "reach")]
        hover = await client.ask("hover", path, types.Position(3, 24))
        assert "**edge/2**, derived by 2 statements, used 1 time" in hover.contents.value
        # A wrong line, and the repair by the test.
        wrong = CLINGO.replace("edge(X,Y)", "edge(Y,X)")
        assert not await client.change(path, wrong)
        await client.command("test", path)
        await _until(client.messages, "save the file first")
        client.save(path, wrong)
        await client.command("test", path)
        await _titles(client, path, "1 failed")
        await client.command("find_wrong_line", path)
        while not any("probably wrong" in one.message for one in await client.findings(path)):
            pass
        await client.command("repair", path)
        repair = await _until(client.edits, "passes the test")
        (change,) = repair.edit.document_changes
        assert edited(wrong, change.edits) == CLINGO
        assert change.text_document.version == client.versions[path.as_uri()]
        await client.change(path, CLINGO)
        client.save(path, CLINGO)  # the tests have been asked for: they run again
        await _titles(client, path, "1 passed")
        await client.command("run", path)
        await _until(client.messages, "reach(3)")
        # Prolog.
        slip = PROLOG.replace("2 * X", "2 + X")
        await client.open(other, slip)
        client.save(other, slip)
        await client.command("repair", other)
        repair = await _until(client.edits, "line 2")
        assert edited(slip, repair.edit.document_changes[0].edits) == PROLOG
        await client.command("run", other, "twice(3, 7)")
        await _until(client.messages, "no answer")
        await _titles(client, other, "why none?")
        # The next key cancels.
        await client.command("repair", other)
        await client.change(other, PROLOG)
        await _until(client.messages, "stopped")
        assert client.edits.empty()


def test_a_fault_is_seen_while_one_types_and_repaired_by_the_tests(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(_a_fault_and_its_remedies(tmp_path), PATIENCE))


async def _a_repair_by_a_reference(folder: Path) -> None:
    path, other = folder / "reach.lp", folder / "double.pl"
    plain = CLINGO.partition("\n%!")[0] + "\n"
    for file, text in ((path, plain), (other, "double(X, Y) :- Y is 2 * X.\n% ?- double(3, Y).\n")):
        wrong = text.replace("edge(X,Y)", "edge(Y,X)").replace("2 *", "2 +")
        file.with_suffix(f".reference{file.suffix}").write_text(text)
        async with Client() as client:
            await client.open(file, wrong)
            client.save(file, wrong)
            actions = await client.ask("actions", file, types.Position(0, 0))
            assert [one.title for one in actions if one.command] == ["find the wrong line", "repair by the reference"]
            await client.command("repair", file)
            repair = await _until(client.edits, "line ")
            assert edited(wrong, repair.edit.document_changes[0].edits) == text


def test_a_reference_beside_a_program_repairs_it(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(_a_repair_by_a_reference(tmp_path), PATIENCE))


def test_after_random_edits_findings_and_places_are_those_of_the_text(tmp_path: Path) -> None:
    assert asyncio.run(edits(tmp_path, 30, 1)) == []
