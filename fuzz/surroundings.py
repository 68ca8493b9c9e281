"""Every command of `lpbridge` in odd surroundings: streams, files, names, the environment, limits, Ctrl-C.

Held against what is promised of the command line: the exit code is 0, 1, 2 or 130; what is wrong is a sentence and no
traceback, once; with `--json` what is printed is one object; what was found before an end from outside is kept; and
no process is left over.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Literal

import click

from fuzz.campaign import Campaign, Case, Failure, Skipped, Tally, demand

ROOT = Path(__file__).parent.parent
SUDOKU = "1..4\n..1.\n.1..\n4..1\n"

#: The arguments of each command: LP, MORE, LOOP, PL, PLT, TXT, CSV are files; OUT is one to be written.
COMMANDS: dict[str, list[str]] = {
    "run": [
        "LP", "LP MORE -n 0", "LP --count", "LP --optimal", "PL --goal p(X) -n 0", "PL", "LP --brave", "LP --untrusted",
        "PL -g loop(X)", "LOOP", "MANY -n 0", "PL -g many(X) -n 0",
    ],
    "diagnose": ["LP", "LP MORE", "PL --goal p(9)", "LP --only verdict", "LOOP"],
    "why": ["LP a", "LP --not b", "PL --goal p(1)", "LP a -o OUT", "LP --cost"],
    "debug": ["LP --missing b", "LP --against MORE", "PL --missing p(9)", "LP --unwanted a --fix"],
    "lint": ["LP", "LP MORE", "PL", "LP --fix"],
    "profile": ["LP", "PL --goal p(X)", "LOOP"],
    "test": ["LP", "PL PLT", "LP --junit OUT"],
    "compare": ["LP MORE", "LP LP", "PL PL --goal p(X)"],
    "batch": ["run LP MORE", "check LP MORE -o OUT", "count LP MORE LP"],
    "count": ["LP", "LOOP"],
    "ground": ["LP", "LP --text", "LP --facts", "LOOP --text"],
    "explain": ["LP"],
    "mutate": ["LP --against MORE"],
    "judge": ["LP MORE", "PL PLT --goal p(X)"],
    "facts": ["job=CSV", "job=CSV:name"],
    "mcp": [""],
    "lsp": [""],
    "schema": ["run", "diagnose"],
    "doctor": [""],
    "install-prolog": ["--help"],
    "completion": ["bash", "fish"],
    "puzzle check": ["sudoku TXT", "LP TXT"],
    "puzzle diagnose": ["sudoku TXT"],
    "puzzle explain": ["sudoku TXT"],
    "puzzle grade": ["sudoku TXT"],
    "puzzle solve": ["sudoku TXT", "sudoku TXT --engine mac"],
    "puzzle residual": ["sudoku TXT"],
    "puzzle count": ["sudoku TXT"],
    "puzzle compare": ["sudoku TXT --engine asp --engine mac"],
    "puzzle generate": ["sudoku --size 4"],
    "puzzle batch": ["solve sudoku TXT", "check sudoku TXT -o OUT"],
    "puzzle draw": ["sudoku TXT -o OUT.svg", "sudoku TXT -o OUT.pdf"],
    "puzzle sheet": ["sudoku TXT -o OUT.pdf"],
    "puzzle convert": ["TXT OUT.json --from text", "TXT -"],
    "puzzle csp": ["sudoku TXT"],
    "puzzle goal-csp": ["PL --goal p(X)"],
    "puzzle serve": ["--no-browser"],
    "puzzle engines": [""],
    "puzzle kinds": [""],
    "puzzle new-kind": ["odd"],
    "puzzle report": ["--help"],
}  # fmt: skip

LP = "%! test one: models 2\n{ a; b } = 1. c :- a.\n:~ a. [1]\n"
FILES = {
    "LP": ("one.lp", LP),
    "MORE": ("more.lp", "{ a; b } = 1. c :- b. % \u00e9\n"),
    "MANY": ("many.lp", "{ a(1..16) }.\n"),
    "LOOP": ("loop.lp", "q(0). q(X+1) :- q(X).\n"),
    "PL": ("one.pl", "p(1). p(2).\nloop(X) :- loop(Y), X is Y + 1.\nmany(X) :- between(1, 40000, X).\n"),
    "PLT": ("one.plt", ":- begin_tests(one).\ntest(a) :- user:p(1).\n:- end_tests(one).\n"),
    "TXT": ("one.txt", SUDOKU),
    "CSV": ("one.csv", "name,hours\nann,3\nbob,4\n"),
}

#: What may be odd: for each, its values.
ODD: dict[str, list[Any]] = {
    "stdout": ["closed", "full", "gone", "file"],
    "stderr": ["closed", "full", "gone"],
    "stdin": ["closed", "text", "binary"],
    "bytes": ["crlf", "bom", "utf16", "latin1", "no end", "nul", "empty", "long line", "half", "gzip"],
    "kind": ["fifo", "folder", "missing", "unreadable", "loop", "null", "vanishes", "dash", "two dashes", "same"],
    "name": [
        "with blanks.", "new\nline.", "-dash.", "\u4e2d\u6587\u0440.", "a" * 200 + ".", "co:lon.", "quo'te\"s.",
        "per%cent.", "\udcff.",
    ],
    "env": [
        "no home", "home is nowhere", "LANG=C", "LC_ALL=tr_TR.UTF-8", "TMPDIR", "COLUMNS=1", "TERM=dumb", "no path",
        "PYTHONUTF8=0",
    ],
    "limit": ["files 24", "files 64", "memory 300", "memory 700", "size 0", "size 4096", "processes 0"],
    "folder": ["read-only", "removed"],
    "devices": ["no /dev/shm"],
    "signal": ["interrupt", "interrupt twice", "terminate"],
    "options": ["-t 0.5", "-t 0.01", "--json", "--json", "--jsonl", "--memory 100M"],
}  # fmt: skip

#: Arguments of `run` with many answers, and what may end it meanwhile.
MANY = ["MANY -n 0", "PL -g many(X) -n 0"]
ENDS = [{"signal": one} for one in ODD["signal"]] + [{"options": "-t 0.5"}, {"options": "-t 1"}]
#: What changes nothing of the answers that are printed.
_BESIDE = {"signal", "options", "env", "stdin", "stderr", "devices"}

#: Seconds after which a command hangs: the longest that is asked for is stopped before.
HANG = 60.0
_ENDLESS = ("loop", "LOOP", "serve")
_CLONE_NEWNS = 0x20000
_MS_BIND, _MS_MOVE, _MS_REC, _MS_PRIVATE = 0x1000, 0x2000, 0x4000, 0x40000
_PR_SET_CHILD_SUBREAPER, _PR_CAPBSET_DROP = 36, 24
_libc = ctypes.CDLL(None, use_errno=True)


_LIMITS = {
    "files": resource.RLIMIT_NOFILE,
    "memory": resource.RLIMIT_AS,
    "size": resource.RLIMIT_FSIZE,
    "processes": resource.RLIMIT_NPROC,
}


def _without_shared_memory(new: bytes) -> None:
    """Put a /dev without shm in place of this process's, at `new` first: a folder that is there."""

    def mount(source: bytes, target: bytes, kind: bytes, flags: int) -> None:
        if _libc.mount(source, target, kind, ctypes.c_ulong(flags), None):
            raise OSError(ctypes.get_errno(), "mount", target)

    if _libc.unshare(_CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    mount(b"none", b"/", b"", _MS_REC | _MS_PRIVATE)
    mount(b"tmpfs", new, b"tmpfs", 0)
    for name in (b"null", b"zero", b"full", b"random", b"urandom", b"tty"):
        os.close(os.open(new + b"/" + name, os.O_CREAT | os.O_WRONLY))
        mount(b"/dev/" + name, new + b"/" + name, b"", _MS_BIND)
    os.symlink(b"/proc/self/fd", new + b"/fd")
    mount(new, b"/dev", b"", _MS_MOVE)


@cache
def may_mount() -> bool:
    """Whether a process like this one may have a /dev of its own."""
    with tempfile.TemporaryDirectory(prefix="fuzz-surroundings-") as folder:
        try:
            without = partial(_without_shared_memory, os.fsencode(folder))
            return subprocess.run(["test", "-e", "/dev/shm"], preexec_fn=without).returncode != 0
        except subprocess.SubprocessError:
            return False


def commands() -> list[str]:
    """The names of all commands."""
    from bridge.cli import lpbridge

    def under(command: click.Command, path: tuple[str, ...]) -> Iterator[str]:
        if not isinstance(command, click.Group):
            yield " ".join(path)
            return
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from under(found, (*path, name))

    return [*under(lpbridge, ())]


class Surroundings(Campaign):
    name: ClassVar[str] = "surroundings"
    unit: ClassVar[Literal["instances", "inputs"]] = "inputs"
    round: ClassVar[int] = 4

    def __init__(self) -> None:
        self._commands = commands()
        unknown = set(self._commands) ^ set(COMMANDS)
        assert not unknown, f"no arguments for {unknown}"
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # what is left over becomes a child of this process

    def make(self, chance: Random) -> Case:
        if chance.random() < 0.1:
            moment = round(0.3 + chance.random() * 2.0, 3)
            return {"command": "run", "arguments": chance.choice(MANY), "odd": chance.choice(ENDS), "moment": moment}
        command = chance.choice(self._commands)
        odd = {one: chance.choice(ODD[one]) for one in chance.sample(sorted(ODD), chance.choice([1, 1, 1, 2, 2, 3]))}
        moment = round(chance.random() * 1.5, 3)
        return {"command": command, "arguments": chance.choice(COMMANDS[command]), "odd": odd, "moment": moment}

    def smaller(self, case: Case) -> Iterator[Case]:
        for one in case["odd"]:
            yield {**case, "odd": {name: value for name, value in case["odd"].items() if name != one}}

    def check(self, case: Case, tally: Tally) -> None:
        folder = Path(tempfile.mkdtemp(prefix="fuzz-surroundings-"))
        try:
            _Run(case, folder).check()
        finally:
            _writable(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _writable(folder: Path) -> None:
    with suppress(OSError):
        folder.chmod(0o700)
        for one in folder.iterdir():
            if one.is_dir() and not one.is_symlink():
                one.chmod(0o700)


class _Run:
    """A command, its surroundings, and what came of it."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.odd: dict[str, str] = case["odd"]
        self.moment: float = case["moment"]
        self.folder = folder
        self.words = [*case["command"].split(), *filter(None, case["arguments"].split(" "))]
        self.endless = any(word in _ENDLESS for word in self.words) or "loop(X)" in self.words
        self._later: list[Callable[[], None]] = []
        self._before = self._children()

    # The surroundings

    def _file(self, word: str) -> str:
        name, text = FILES[word]
        suffix = name.partition(".")[2]
        if (given := self.odd.get("name")) is not None:
            name = f"{given}{suffix}"
        path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
        kind = self.odd.get("kind")
        if kind == "missing":
            return name
        if kind in ("dash", "two dashes"):
            return "-"
        if kind == "null":
            return "/dev/null"
        if kind == "folder":
            os.makedirs(path, exist_ok=True)
            return name
        if kind == "loop":
            with suppress(FileExistsError):
                os.symlink(path, path)
            return name
        data = self._bytes(text)
        if kind == "fifo":
            with suppress(FileExistsError):
                os.mkfifo(path)
            threading.Thread(target=_feed, args=(path, data), daemon=True).start()
            return name
        with open(path, "wb") as file:
            file.write(data)
        if kind == "unreadable":
            os.chmod(path, 0)
        if kind == "vanishes":
            self._later.append(lambda: os.unlink(path))
        return name

    def _bytes(self, text: str) -> bytes:
        data = text.encode()
        kinds: dict[str, Callable[[], bytes]] = {
            "crlf": lambda: data.replace(b"\n", b"\r\n"),
            "bom": lambda: b"\xef\xbb\xbf" + data,
            "utf16": lambda: text.encode("utf-16"),
            "latin1": lambda: text.encode("latin-1") + b"% \xe9\xff\n",
            "no end": lambda: data.rstrip(b"\n"),
            "nul": lambda: data + b"\0",
            "empty": lambda: b"",
            "long line": lambda: b"%" + b"x" * 3_000_000 + b"\n" + data,
            "half": lambda: data[: len(data) // 2],
            "gzip": lambda: b"\x1f\x8b" + data,
        }
        return kinds.get(self.odd.get("bytes", ""), lambda: data)()

    def _environment(self) -> dict[str, str]:
        kept = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
        kept |= {name: value for name, value in os.environ.items() if name.startswith("LPBRIDGE_")}
        kept |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}  # a limit on the size of files would cut them
        odd = self.odd.get("env", "")
        if odd == "no home":
            del kept["HOME"]
        elif odd == "home is nowhere":
            kept["HOME"] = "/nonexistent/home"
        elif odd == "TMPDIR":
            kept["TMPDIR"] = "/nonexistent/tmp"
        elif odd == "no path":
            del kept["PATH"]
        elif "=" in odd:
            name, _, value = odd.partition("=")
            kept[name] = value
        return kept

    def _confined(self) -> None:
        """In the child, before the command."""
        if "devices" in self.odd:
            _without_shared_memory(os.fsencode(self.folder / "dev"))
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's `&` has it ignored, and commands inherit that
        for capability in (1, 2, 24):  # root, too, is refused what a mode forbids, and beyond a limit
            _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        name, _, number = self.odd.get("limit", "").partition(" ")
        if name:
            value = int(number) * (1 << 20 if name == "memory" else 1)
            resource.setrlimit(_LIMITS[name], (value, value))
        if self.odd.get("folder") == "removed":
            os.rmdir(os.getcwd())
        for descriptor, stream in ((0, "stdin"), (1, "stdout"), (2, "stderr")):
            if self.odd.get(stream) == "closed":
                os.close(descriptor)

    def _stream(self, name: str) -> Any:
        kind = self.odd.get(name)
        if kind == "full":
            return open("/dev/full", "wb")
        if kind == "file":
            return open(self.folder / "printed", "wb")
        return subprocess.PIPE

    # What comes of it

    def check(self) -> None:
        words = [self._file(word) if word in FILES else word for word in self.words]
        words = [f"job={self._file('CSV')}{word[7:]}" if word.startswith("job=CSV") else word for word in words]
        words = [word.replace("OUT", "out") for word in words]
        option = self.odd.get("options", "")
        if option and not (option.startswith("-t") and self.words[0] == "schema"):
            words += option.split()
        if self.endless and "-t" not in words and "signal" not in self.odd and "serve" not in words:
            words += ["-t", "2"]
        cwd = self.folder
        if self.odd.get("folder") == "read-only":
            self.folder.chmod(0o500)
        if self.odd.get("folder") == "removed":
            words = [str(self.folder / word) if (self.folder / word).exists() else word for word in words]
            cwd = self.folder / "gone"
            cwd.mkdir()
        stdin = {"text": b"{ a }.\n", "binary": bytes(range(256))}.get(self.odd.get("stdin", ""), b"")
        out, err = self._stream("stdout"), self._stream("stderr")
        if "devices" in self.odd:
            if not may_mount():
                raise Skipped("this process may mount nothing")
            (self.folder / "dev").mkdir()
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bridge", *map(os.fsencode, words)],
            cwd=cwd,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=err,
            preexec_fn=self._confined,
            start_new_session=True,
        )
        for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
            if self.odd.get(name) == "gone" and stream is not None:
                stream.close()
                setattr(process, name, None)
        threading.Thread(target=self._disturb, args=(process,), daemon=True).start()
        try:
            printed, said = process.communicate(stdin, timeout=HANG)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure("hang", f"it has not ended after {HANG:g} s: {self._shown(words)}") from None
        finally:
            for one in (out, err):
                if hasattr(one, "close"):
                    one.close()
        self._judge(words, process.returncode, printed or b"", said or b"")
        if " ".join(self.words[1:]) in MANY and self.odd.keys() <= _BESIDE and "--" not in option:
            self._kept(words, (printed or b"").splitlines())
        self._left(words)

    def _disturb(self, process: subprocess.Popen[bytes]) -> None:
        time.sleep(self.moment)
        for one in self._later:
            with suppress(OSError):
                one()
        sign = self.odd.get("signal", "interrupt" if "serve" in self.words else "")
        if "serve" in self.words:
            time.sleep(3)
        for _ in range(2 if sign == "interrupt twice" else 1 if sign else 0):
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM if sign == "terminate" else signal.SIGINT)
            time.sleep(0.1)
        if sign and {"mcp", "lsp"} & {*self.words}:
            time.sleep(1)

    def _shown(self, words: list[str]) -> str:
        return f"lpbridge {' '.join(map(repr, words))} with {self.odd}"

    def _judge(self, words: list[str], code: int, printed: bytes, said: bytes) -> None:
        text, shown = said.decode("utf-8", "replace"), self._shown(words)
        sign = self.odd.get("signal", "interrupt" if "serve" in self.words else "")
        # Before the first line of the command is run, Python itself says what happens.
        early = "bridge/cli" not in text and (bool(sign) or self.odd.get("limit", "").startswith(("memory", "files")))
        own = {-signal.SIGTERM} if sign == "terminate" else {-signal.SIGINT, 130} if sign else set()
        own |= {127, 134, -signal.SIGABRT} if early and not sign else set()
        demand("exit code", code in {0, 1, 2} | own, f"{code}: {shown}\n{text[-1500:]}")
        wrong = any(word in text for word in ("Traceback (most recent", "Exception ignored", "a bug in lpbridge"))
        demand("traceback", not wrong or early, f"{shown}\n{text[-2500:]}")
        if code in (1, 2) and self.odd.keys().isdisjoint({"stdout", "stderr", "signal"}):
            demand("silence", bool(text.strip() or printed.strip()), f"{code}: {shown}")
        lines = [line for line in text.splitlines() if line.startswith("lpbridge: ")]
        demand("told twice", len(lines) == len(set(lines)), f"{shown}\n{text[-1500:]}")
        if "--json" in words and self.odd.get("stdout") is None and (code in (0, 2) or (code == 1 and printed)):
            try:
                json.loads(printed)
            except ValueError:
                asked = "--help" in words or "No such option" in text
                demand("json", asked, f"{code}: {shown}\n{printed[-500:]!r}\n{text[-1000:]}")

    def _kept(self, words: list[str], lines: list[bytes]) -> None:
        """The answers that are printed are the first of all; the last line says how it ended, or is half an answer."""
        every = _every_answer(" ".join(self.words))
        kept = lines[:-1]
        demand("kept", kept == every[: len(kept)], f"{self._shown(words)}: not a beginning of all: {kept[-4:]!r}")

    def _children(self) -> set[int]:
        found: set[int] = set()
        for one in Path("/proc/self/task").iterdir():
            with suppress(OSError):
                found |= {*map(int, (one / "children").read_text().split())}
        return found

    def _left(self, words: list[str]) -> None:
        """Fork servers end when they notice that nobody is there: they get a few seconds."""
        until = time.monotonic() + 10
        while (left := self._alive()) and time.monotonic() < until:
            time.sleep(0.05)
        if left:
            about = []
            for one in left:
                with suppress(OSError):
                    about.append(Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:200])
            for one in left:
                with suppress(OSError):
                    os.kill(one, signal.SIGKILL)
            raise Failure("process left", f"{self._shown(words)}: {about}")

    def _alive(self) -> set[int]:
        alive = set()
        for one in self._children() - self._before:
            with suppress(OSError):
                done, _ = os.waitpid(one, os.WNOHANG)
                if done == 0:
                    alive.add(one)
        return alive


@cache
def _every_answer(words: str) -> list[bytes]:
    """The lines that a command with many answers prints when nothing disturbs it."""
    with tempfile.TemporaryDirectory(prefix="fuzz-surroundings-") as folder:
        run = _Run({"command": words, "arguments": "", "odd": {}, "moment": 0.0}, Path(folder))
        given = [run._file(word) if word in FILES else word for word in run.words]
        command = [sys.executable, "-P", "-m", "bridge", *given]
        done = subprocess.run(command, cwd=folder, env=run._environment(), capture_output=True, check=True)
    return done.stdout.splitlines()


def _feed(path: bytes, data: bytes) -> None:
    """Write into a pipe, once, as soon as somebody reads it."""
    until = time.monotonic() + HANG
    while time.monotonic() < until and os.path.exists(path):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
            continue
        os.set_blocking(descriptor, True)
        with suppress(OSError):
            os.write(descriptor, data)
        os.close(descriptor)
        return
