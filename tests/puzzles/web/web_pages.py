"""What the tests of the workbench have in common: questions, puzzles, and how to wait."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import httpx
from patience import PATIENCE
from shared_data import ROOT

import bridge
from bridge.puzzles.web.pool import Pool

T = TypeVar("T")

#: Node for what the page computes: that of the system, or the one that Playwright brings.
NODE = shutil.which("node") or str(Path(str(find_spec("playwright").origin)).parent / "driver" / "node")

SUDOKUS = ROOT / "examples" / "sudoku"
UNIQUE = bridge.puzzles.load("sudoku", SUDOKUS / "report3-problem1.txt").to_json()
AMBIGUOUS = bridge.puzzles.load("sudoku", SUDOKUS / "report3-problem6.txt").to_json()
EASY = bridge.puzzles.parse("sudoku", "1.....3..4.....2").to_json()
IMPOSSIBLE = {"puzzle": "sudoku", "grid": [[1, 1, None, None], *[[None] * 4] * 3]}

#: A question with a long answer: the diagnosis of an empty square of this order does not end soon.
LONG = {"puzzle": "latin-square", "grid": [[None] * 12] * 12}

JSON = {"Content-Type": "application/json"}

#: Requests without certificates, which take longer to load than an answer to come.
http_get, http_post = partial(httpx.get, verify=False), partial(httpx.post, verify=False)


@dataclass(frozen=True)
class Workbench:
    """A workbench that runs: where, and its workers."""

    url: str
    pool: Pool

    def ask(self, question: str, data: Any, **headers: str) -> list[dict[str, Any]]:
        """The parts of an answer."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        with httpx.Client(verify=False, timeout=PATIENCE) as client:
            answer = client.post(f"{self.url}/ask/{question}", content=body, headers={**JSON, **headers})
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]


def named(parts: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Parts by their names; of several, the last."""
    return {part["part"]: part for part in parts}


def in_a_thread(run: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """A coroutine's result. In a thread of its own: playwright has an event loop in this one."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(lambda: asyncio.run(run())).result()
