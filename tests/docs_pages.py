"""The pages as a reader goes through them, block by block, in a folder that has the examples; CONTRIBUTING.md has the rules.

What a page shows beside or below what is typed has to come out: `Reader.read` says what did not.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
from command import called_bytes
from shared_data import ROOT

from bridge.puzzles.kinds import registry

#: The pages that have a test of their own, because they are built in a copy of the repository.
ELSEWHERE = {"docs/adding-a-puzzle.md": "tests/puzzles/test_adding_a_puzzle.py"}

PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if str(path.relative_to(ROOT)) not in ELSEWHERE
)

#: Pictures that pages show, each made by a command of the page that shows it.
IMAGES = ROOT / "docs" / "images"

_FENCE = re.compile(r"^( *)```(\w*)(?: title=\"([^\"]+)\")?$")
_NOT_RUN = re.compile(r"^ *<!-- not run: (.+) -->$")

#: The commands that are run; `make` and `pip` are only looked up.
RUN = {"lpbridge", "clingo", "swipl", "echo", "cat"}

#: Seconds for a program that is no Python function.
SECONDS = 300


@dataclass(frozen=True)
class Block:
    """A fenced block: what language it says it is in, and the line of its first line in the page."""

    language: str
    title: str | None
    not_run: str | None
    line: int
    text: str


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    """The blocks of a page; one that is not closed, or a fence that is written otherwise, is an error."""
    found: list[Block] = []
    lines = text_of(page).splitlines()
    at = 0
    while at < len(lines):
        if lines[at].lstrip().startswith("```"):
            head = _FENCE.match(lines[at])
            assert head, f'{page}:{at + 1}: write it as ```LANGUAGE, or ```LANGUAGE title="FILE"'
            indent, language, title = head.groups()
            end = lines.index(f"{indent}```", at + 1)
            why = _NOT_RUN.match(lines[at - 1]) if at else None
            text = "".join(line.removeprefix(indent) + "\n" for line in lines[at + 1 : end])
            found.append(Block(language, title, why[1] if why else None, at + 2, text))
            at = end
        at += 1
    return found


class Reader:
    """Does what a page says, in a folder of its own.

    Parameters
    ----------
    page
        Its path from the root of the repository.
    folder
        Empty; it gets the examples and the encodings.
    """

    def __init__(self, page: str, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.names: dict[str, Any] = {"__name__": "page"}
        self.wrong: list[str] = []
        for name in ("examples", "encodings"):
            shutil.copytree(ROOT / name, folder / name)
        # A page that adds a file to the package works on a copy of it, in processes of its own.
        self.copied = any((block.title or "").startswith("bridge/") for block in blocks(page))
        if self.copied:
            shutil.copytree(ROOT / "bridge", folder / "bridge")

    def read(self) -> list[str]:
        """What is not as the page says, each with its line. The kinds that its blocks register end with it."""
        with patch.dict(registry._added), patch.dict(registry._read):
            return self._checked()

    def _checked(self) -> list[str]:
        for block in blocks(self.page):
            if block.title:
                self._put(block)
            elif block.language == "python":
                self._python(block)
            elif block.language in ("console", "sh"):
                for number, typed, shown in _commands(block):
                    self._command(f"{self.page}:{number}", typed, shown, block)
            elif block.language == "json":
                for line in block.text.splitlines():
                    json.loads(line)
            elif block.language != "text":
                told = block.language or "no language"
                self.wrong.append(f"{self.page}:{block.line}: no test for a block of {told}")
        self.wrong += [
            f"{self.page}: {name} is not what is made here; copy {self.folder / name} to {IMAGES}"
            for name in self.images()
            if (self.folder / name).read_bytes() != (IMAGES / name).read_bytes()
        ]
        return self.wrong

    def images(self) -> list[str]:
        """The pictures kept beside the pages that this page has made."""
        return [path.name for path in IMAGES.iterdir() if (self.folder / path.name).exists()]

    def _put(self, block: Block) -> None:
        """A block with a title is a file; a `diff` is a change of one."""
        path = self.folder / str(block.title)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_patched(path, block.text) if block.language == "diff" else block.text, encoding="utf-8")

    def _python(self, block: Block) -> None:
        """Run it, and hold every value that a comment tells against the value."""
        if block.not_run:
            compile(block.text, self.page, "exec")
            return
        told = _told(block.text)
        seen: dict[int, list[Any]] = {line: [] for line in told}

        def shown(line: int, value: Any) -> Any:
            seen[line].append(_texts(value))
            return value

        tree = _Watched(told).visit(ast.parse(block.text))
        ast.increment_lineno(tree, block.line - 1)
        self.names["__shown__"] = shown
        exec(compile(ast.fix_missing_locations(tree), self.page, "exec", dont_inherit=True), self.names)
        for line, comment in told.items():
            if not any(_is_told(text, comment) for texts in seen[line] for text in texts):
                self.wrong.append(f"{self.page}:{block.line + line - 1}: {seen[line]}, but the page says {comment}")

    def _command(self, place: str, typed: str, shown: list[str], block: Block) -> None:
        if not typed or typed.startswith(("#", ". ")):  # a comment; an environment is activated
            return
        for option in unknown_options(typed):
            self.wrong.append(f"{place}: there is no option {option}: {typed}")
        if (checked := _only_checked(typed)) is not None:
            self.wrong += [f"{place}: {wrong}" for wrong in checked]
            return
        if block.not_run:
            return
        if foreign := {stage.split()[0] for stage in _stages(typed)} - RUN:
            self.wrong.append(f"{place}: {foreign} is not run here; say `<!-- not run: why -->` before the block")
            return
        code, printed = self.run(typed)
        if block.language == "sh" and (code != 0 or not (printed or " -o " in typed or " > " in typed)):
            self.wrong.append(f"{place}: `{typed}` ends with {code} and prints {printed!r}")
        if block.language == "console" and (missing := _missing(shown, printed.splitlines())):
            self.wrong.append(f"{place}: `{typed}` prints\n{printed}\nand the page shows\n{missing}")

    def run(self, typed: str) -> tuple[int, str]:
        """What a line ends with and prints, both streams together; `> FILE` at its end is obeyed."""
        code, piped, told = 0, b"", b""
        typed, target = (into[1], into[2]) if (into := re.fullmatch(r"(.*) > ([\w.-]+)", typed)) else (typed, None)
        stages = [shlex.split(stage, comments=True) for stage in _stages(typed)]
        for stage in stages:
            last = stage is stages[-1] and not target
            if stage[0] == "lpbridge" and not self.copied:
                done = called_bytes(*stage[1:], stdin=piped, folder=self.folder, merged=last)
                code, piped, said = done.returncode, done.stdout, done.stderr
            else:
                code, piped, said = self._in_another(stage, piped, last)
            told += said
        if target:
            (Path(self.folder) / target).write_bytes(piped)
            piped = b""
        return code, (told + piped).decode("utf-8", "replace")

    def _in_another(self, words: list[str], stdin: bytes, merged: bool) -> tuple[int, bytes, bytes]:
        environment = {**os.environ, "PYTHONPATH": str(self.folder if self.copied else ROOT)}
        done = subprocess.run(
            _program(words), input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            cwd=self.folder, env=environment, timeout=SECONDS, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr or b""


def _commands(block: Block) -> Iterator[tuple[int, str, list[str]]]:
    """The lines that are typed, and below each what is shown; in a `sh` block every line is typed.

    A command of the environment that `make setup` makes is the one of this environment.
    """
    typed: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if block.language == "sh":
            typed.append((number, line.strip().removeprefix(".venv/bin/"), []))
        elif line.startswith("$ "):
            typed.append((number, line[2:].removeprefix(".venv/bin/"), []))
        else:
            typed[-1][2].append(line)
    return iter(typed)


def _stages(typed: str) -> list[str]:
    """The commands of a pipe; a bar in quotes is not a pipe."""
    words = shlex.shlex(typed, posix=False, punctuation_chars="|")
    words.whitespace_split = True
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    return [" ".join(stage) for stage in stages]


def _program(words: list[str]) -> list[str]:
    """What the first word is where the tests are."""
    from bridge.prolog.locate import current

    name, *rest = words
    if name == "swipl":
        return [str(current().swipl), *rest]
    python = {"lpbridge": ["-m", "bridge"], "clingo": ["-m", "clingo"], "python": []}
    return [sys.executable, *python[name], *rest] if name in python else words


def _only_checked(typed: str) -> list[str] | None:
    """What is wrong with a line that is not run because it installs something or takes long; None for other lines."""
    words = shlex.split(typed, comments=True)
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return [f"there is no target {word}" for word in words[1:] if "=" not in word and word not in targets]
    if words[:2] == ["pip", "install"]:
        extras = re.findall(r"\[([a-z,-]+)\]", typed)
        declared = re.findall(r"^([a-z]+) = \[", text_of("pyproject.toml"), re.MULTILINE)
        return [f"there is no extra {extra}" for some in extras for extra in some.split(",") if extra not in declared]
    return None


def commands() -> dict[str, Any]:
    """The commands of lpbridge by name."""
    from bridge.cli import lpbridge

    def below(group: click.Group, before: str) -> Iterator[tuple[str, click.Command]]:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield f"{before}{name}", command
            if isinstance(command, click.Group):
                yield from below(command, f"{before}{name} ")

    context = click.Context(lpbridge)
    return dict(below(lpbridge, ""))


def command_of(words: list[str]) -> str:
    """The command that a line names: `run`, `puzzle check`."""
    return " ".join(words[: 2 if words[0] == "puzzle" else 1])


def options(name: str) -> set[str]:
    """The options of a command, `-n` and `--solutions` alike."""
    parameters = commands()[name].params
    return {"-h", "--help"} | {option for each in parameters for option in (*each.opts, *each.secondary_opts)}


def unknown_options(typed: str) -> list[str]:
    """The options in a line that the command of lpbridge does not have, or the command itself."""
    found = []
    for stage in re.findall(r"\blpbridge ([a-z][^|`]*)", typed):
        words = shlex.split(stage, comments=True)
        words = words[: words.index("--")] if "--" in words else words  # what follows is for the program, or its solver
        if "VERB" in words[:2]:  # any of them
            continue
        if (name := command_of(words)) not in commands():
            found.append(name)
        else:
            known = options(name)
            found += [word for word in words if re.match(r"--?[a-z]", word) and word.split("=")[0] not in known]
    return found


def _missing(shown: list[str], printed: list[str]) -> str:
    """The lines that are not printed where the page shows them; `...` is any number of lines, or any part of one."""
    any_lines = r"(?:.*\n)*?"
    pattern = "".join(
        any_lines if line == "..." else ".*?".join(map(re.escape, line.split("..."))) + r"\n" for line in shown
    )
    text = "".join(line.rstrip() + "\n" for line in printed).rstrip()
    found = re.fullmatch(pattern, f"{text}\n" if text else "")
    return "" if found else "\n".join(shown)


def _patched(path: Path, diff: str) -> str:
    """A file with the lines of a diff changed: those without a sign, and those with a minus, stand there in a row."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path.name} has {text.count(before)} places like\n{before}"
    return text.replace(before, after)


# Values told by comments

#: A comment that begins like this tells a value: a number, a text, something in brackets, a call, a name of Python's.
_VALUE = re.compile(r"-?\d|['\"(\[{<]|[A-Z]\w*\(|(?:True|False|None)\b")


def _told(code: str) -> dict[int, str]:
    """The comments behind code that tell a value, by line."""
    tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    return {
        token.start[0]: text
        for token in tokens
        if token.type == tokenize.COMMENT
        and token.line[: token.start[1]].strip()
        and _VALUE.match(text := token.string.lstrip("# "))
    }


class _Watched(ast.NodeTransformer):
    """Has `__shown__(line, value)` hear of the value of every statement that a comment tells the value of."""

    def __init__(self, told: dict[int, str]) -> None:
        self._told = told

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        return self._watched(node)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        return self._watched(node)

    def visit_Return(self, node: ast.Return) -> ast.Return:
        return self._watched(node)

    def _watched(self, node: Any) -> Any:
        line = node.end_lineno
        if line in self._told and node.value is not None:
            call = ast.Call(ast.Name("__shown__", ast.Load()), [ast.Constant(line), node.value], [])
            node.value = ast.copy_location(call, node.value)
        return node


def _texts(value: Any) -> set[str]:
    """How a value may be written in a comment; taken at once, since it may be closed later."""
    texts = {repr(value), str(value)}
    if isinstance(value, tuple):
        texts.add(repr(value)[1:-1])
    if isinstance(value, list):  # terms as they are printed; atoms, which have no order, in order
        texts.add(f"[{', '.join(map(str, value))}]")
        if all(type(each) is tuple for each in value):
            texts.add(repr(sorted(value)))
    return texts


def _is_told(text: str, comment: str) -> bool:
    """Does a comment begin with this text? `...` in it is any part; then come words, behind a sign."""
    pattern = ".*?".join(map(re.escape, comment.split("...")))
    if re.fullmatch(pattern, text, re.DOTALL):
        return True
    return any(
        re.fullmatch(".*?".join(map(re.escape, comment[:end].split("..."))), text, re.DOTALL)
        for end in (found.start() for found in re.finditer(r"[:;,]? ", comment))
    )
