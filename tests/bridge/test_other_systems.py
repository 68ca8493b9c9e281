"""A Python from which what Windows has not is taken away: what docs/installation.md says still works there."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, signal, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl", "pwd", "grp", "termios"):
            raise ModuleNotFoundError(name)

for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())
for name in ("fork", "getuid", "geteuid", "setsid", "killpg", "sched_getaffinity", "register_at_fork", "sysconf"):
    delattr(os, name)
for name in ("SIGALRM", "SIGVTALRM", "SIGPROF", "SIGKILL", "SIGCHLD", "SIGPIPE", "SIGHUP", "setitimer", "pthread_kill"):
    delattr(signal, name)

import bridge
from bridge import asp

with asp.Program("{ a }. b. #minimize { 1 : a }.", isolated=False) as program:
    print(program.first(), len(list(program.models())), program.optimal().solutions[0].cost)
print(bridge.lint("p(X) :- q.").findings[0].id)
"""


def test_clingo_in_this_process_and_lint() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["b", "2", "(0,)", "LP002"], ran.stderr
