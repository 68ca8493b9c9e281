"""The state of a new program's process after random changes of its caller, against a fresh `swipl` or `clingo`.

The caller is this process: it changes its folder, environment, mask of new files, path of modules and limits. The fork
servers run since the first case: what they have of an earlier one would be seen.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bridge import asp
from bridge.limits import Limits
from bridge.prolog import Atom, Session
from bridge.prolog.locate import current
from fuzz.campaign import Campaign, Case, Tally, demand, expect

FOLDERS = ("first", "second", "a folder", "größer", "q'uote")
VARIABLES: dict[str, tuple[str, ...]] = {
    "FUZZ_A": ("", "one", "a=b", "größer", "two words"),
    "FUZZ_B": ("1", "2"),
    "TZ": ("UTC-5", "UTC+3", "UTC"),
    "TMP": ("/tmp", "/var/tmp"),
    "HOME": ("/", "/var", "/usr"),
}
MASKS = (0o000, 0o022, 0o027, 0o077)
LIMITS = {"CORE": (0, 4096), "NOFILE": (200, 256, 300)}

#: The wrapper of a private swipl sets some; the others are the shell's own.
_NOT_COMPARED = (
    *("SWI_HOME_DIR", "LD_LIBRARY_PATH", "PYTHONPATH", "GLIBC_TUNABLES"),
    *("_", "SHLVL", "PWD", "OLDPWD", "LINES", "COLUMNS"),
)

PROLOG = {
    "folder": "working_directory(X, X)",
    "full name": "absolute_file_name('data.txt', X)",
    "file": "read_file_to_string('data.txt', X, [])",
    "open": "setup_call_cleanup(open('data.txt', read, S), read_string(S, _, X), close(S))",
    "consult": "user:consult(facts), user:fact(X)",
    "module": "user:use_module(exporting), user:exported(X)",
    "unloaded": "user:consult(facts), unload_file(facts), ( source_file(user:fact(_), F) -> X = F ; X = none )",
    "folder of a process": "piped(pwd, X)",
    "variable": "( getenv('FUZZ_A', X) -> true ; X = none )",
    "environment": 'piped(env, T), split_string(T, "\\n", "", L), exclude(not_compared, L, K), msort(K, X)',
    "mask": "piped(umask, X)",
    "limits": "piped('ulimit -c; ulimit -n', X)",
    "number": "current_prolog_flag(pid, P), piped('echo $PPID', T), number_string(Q, T), ( P == Q -> X = p ; X = q )",
    "executable": "current_prolog_flag(executable, E), ( access_file(E, execute) -> X = runs ; X = E )",
    "zone": "stamp_date_time(0, X, local)",
    "temporary": "tmp_file(a, F), file_directory_name(F, X)",
    "home": "expand_file_name('~', X)",
    "sleep": "limited(sleep(20), X)",
    "pipe": "use_module(library(unix)), pipe(R, _), limited(read(R, _), X)",
    "connection": "use_module(library(socket)), tcp_socket(S), tcp_bind(S, _), tcp_listen(S, 1), "
    "limited(tcp_accept(S, _, _), X)",
    "message": "limited(thread_get_message(never), X)",
    "loop": "limited((repeat, fail), X)",
    "thread": "thread_create(sleep(0), T), thread_join(T, X)",
    "signals": "current_prolog_flag(signals, X)",
}
_PROLOG = """
:- use_module(library(readutil)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(time)).
:- dynamic kept/1.
piped(Command, Text) :- setup_call_cleanup(open(pipe(Command), read, S), read_string(S, _, Text), close(S)).
limited(Goal, Error) :- catch(( call_with_time_limit(0.05, Goal), Error = none ), Error, true).
not_compared(Line) :- member(Name, [%s]), string_concat(Name, "=", Start), string_concat(Start, _, Line), !.
answer(Name, Text) :-
    catch(( probe(Name, X0) -> X = X0 ; X = no ), E, ( E = error(F, _) -> X = F ; X = E )),
    format(string(Text), "~q", [X]).
answers :- forall(clause(probe(Name, _), _), ( answer(Name, Text), format("~w\t~q~n", [Name, Text]) )).
"""

CLINGO = {
    "folder": "os.getcwd()",
    "file": "open('data.txt').read()",
    "variable": "os.environ.get('FUZZ_A', 'none')",
    "environment": "';'.join(sorted(k + '=' + v for k, v in os.environ.items() if k not in NOT_COMPARED))",
    "mask": "mask()",
    "limits": "str([resource.getrlimit(n) for n in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE)])",
    "zone": "str(time.localtime(0))",
    "home": "os.path.expanduser('~')",
    "temporary": "tempfile.gettempdir()",
    "module": "__import__('fuzz_module').WORD",
    "folder of a process": "subprocess.run(['pwd'], capture_output=True, text=True).stdout",
    "number": "str(str(os.getpid()) == os.readlink('/proc/self'))",
}
_CLINGO = """
#script (python)
import os, resource, subprocess, tempfile, time
from clingo import String
NOT_COMPARED = %r
def mask():
    mask = os.umask(0)
    os.umask(mask)
    return oct(mask)
def answer(name):
    try:
        return String(eval(PROBES[name.string]).replace("\\n", "|").replace('"', "''"))
    except Exception as error:
        return String(type(error).__name__)
PROBES = %r
#end.
#include "facts.lp".
answer(N, @answer(N)) :- probe(N).
#show answer/2.
#show fact/1.
"""

#: `python -m clingo` runs no scripts.
_FRESH_CLINGO = """
import sys
from clingo import Application, clingo_main
from clingo.script import enable_python

class Fresh(Application):
    def main(self, control, files):
        for file in files:
            control.load(file)
        control.ground()
        control.solve()

enable_python()
sys.exit(clingo_main(Fresh(), sys.argv[1:]))
"""

_ATOM = re.compile(r'\w+\((?:"(?:[^"\\]|\\.)*",?)*\)')

BLOCKING = ("sleep(60)", "thread_get_message(never)", "repeat, sleep(0.01), fail")


class ProcessStates(Campaign):
    """Folder, environment, mask, limits, module path, number, files, time limits of a new process."""

    name = "process-state"
    round = 6

    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-")
        self._folder = Path(self._temporary.name).resolve()
        for name in FOLDERS:
            folder = self._folder / name
            folder.mkdir()
            texts = {
                "data.txt": f"data of {name}\n",
                "facts.pl": f'fact("{name}").\n',
                "facts.lp": f'fact("{name}").\n',
                "exporting.pl": f":- module(exporting, [exported/1]).\nexported({len(name)}).\n",
            }
            for file, text in texts.items():
                (folder / file).write_text(text, encoding="utf-8")
            modules = folder / "modules"
            modules.mkdir()
            (modules / "fuzz_module.py").write_text(f"WORD = {name!r}\n", encoding="utf-8")

    def make(self, chance: Random) -> Case:
        language = chance.choice(["prolog", "prolog", "clingo"])
        changes: list[list[Any]] = [["folder", chance.choice(FOLDERS)]]
        for _ in range(chance.randint(0, 4)):
            kind = chance.choice(["variable", "variable", "mask", "path", "limit"])
            if kind == "variable":
                variable = chance.choice([*VARIABLES])
                changes.append([kind, variable, chance.choice([None, *VARIABLES[variable]])])
            elif kind == "limit":
                limit = chance.choice([*LIMITS])
                changes.append([kind, limit, chance.choice(LIMITS[limit])])
            else:
                changes.append([kind, chance.choice(MASKS) if kind == "mask" else chance.choice(FOLDERS)])
        probes = [*(PROLOG if language == "prolog" else CLINGO)]
        chosen = chance.sample(probes, chance.randint(3, 8))
        return {"language": language, "changes": changes, "probes": chosen, "blocking": chance.choice(BLOCKING)}

    def check(self, case: Case, tally: Tally) -> None:
        compare = self._prolog if case["language"] == "prolog" else self._clingo
        tally[case["language"]] += 1
        tally["probes"] += len(case["probes"])
        with _restored():
            if case["language"] == "prolog":
                with Session("p.") as before:
                    here = str(before.first("working_directory(X, X), getenv('PATH', Y)"))
                    self._change(case["changes"])
                    compare(case)
                    expect("a session of before", here, str(before.first("working_directory(X, X), getenv('PATH', Y)")))
            else:
                self._change(case["changes"])
                compare(case)

    def smaller(self, case: Case) -> Iterator[Case]:
        for key in ("probes", "changes"):
            if len(case[key]) > 1:
                yield from ({**case, key: [*case[key][:i], *case[key][i + 1 :]]} for i in range(len(case[key])))

    def close(self) -> None:
        self._temporary.cleanup()

    def _change(self, changes: list[list[Any]]) -> None:
        os.chdir(self._folder / FOLDERS[0])
        for kind, *values in changes:
            if kind == "folder":
                os.chdir(self._folder / values[0])
            elif kind == "mask":
                os.umask(values[0])
            elif kind == "path":
                sys.path.insert(0, str(self._folder / values[0] / "modules"))
            elif kind == "limit":
                number = getattr(resource, f"RLIMIT_{values[0]}")
                hard = resource.getrlimit(number)[1]
                resource.setrlimit(number, (values[1] if hard < 0 else min(values[1], hard), hard))
            elif values[1] is None:
                os.environ.pop(values[0], None)
            else:
                os.environ[values[0]] = values[1]

    def _prolog(self, case: Case) -> None:
        names = ", ".join(f'"{name}"' for name in _NOT_COMPARED)
        probes = "".join(f"probe('{name}', X) :- {PROLOG[name]}.\n" for name in case["probes"])
        text = _PROLOG % names + probes
        path = self._folder / "program.pl"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o644)
        command = [str(current().swipl), "-q", "-g", "answers", "-t", "halt", str(path)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout
        fresh = dict(line.split("\t", 1) for line in lines.splitlines())
        with Session(text, output="nowhere") as session:
            for name in case["probes"]:
                answer = session.first("answer(N, T), format(string(S), '~q', [T])", N=Atom(name))
                assert answer is not None
                expect(name, fresh[name], answer["S"], f"?- {PROLOG[name]}")
            session.first("assertz(kept(1))")
            outcome = session.query(case["blocking"], limits=Limits(seconds=0.05)).collect()
            expect("a limit", ([], "seconds"), ([*outcome.solutions], outcome.limit), case["blocking"])
            expect("what is kept", "X = 1.", str(session.first("kept(X)")), case["blocking"])

    def _clingo(self, case: Case) -> None:
        facts = "".join(f'probe("{name}"). ' for name in case["probes"])
        text = _CLINGO % (_NOT_COMPARED, {name: CLINGO[name] for name in case["probes"]}) + facts + "\n"
        path = self._folder / "program.lp"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o644)
        modules = os.pathsep.join(filter(None, sys.path))
        done = subprocess.run(
            [sys.executable, "-c", _FRESH_CLINGO, "--outf=0", "-V0", str(path)],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": modules},
        )
        demand("clingo", done.returncode in (10, 30), done.stderr[-300:])
        (fresh,) = [line for line in done.stdout.splitlines() if line.startswith(("answer", "fact"))]
        with asp.Program(path, output="nowhere") as program:
            found = sorted(_ATOM.findall(str(program.first())))
        expect("answer set", sorted(_ATOM.findall(fresh)), found)


@contextmanager
def _restored() -> Iterator[None]:
    """What is changed in here of this process is put back."""
    folder, path, variables, mask = os.getcwd(), [*sys.path], os.environ.copy(), os.umask(0o022)
    limits = {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in LIMITS}
    try:
        yield
    finally:
        os.chdir(folder)
        os.umask(mask)
        sys.path[:] = path
        for name in {*os.environ} - {*variables}:
            del os.environ[name]
        os.environ.update(variables)
        for name, limit in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), limit)
