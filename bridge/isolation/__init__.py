"""Jobs in processes of their own: all programs that may not return, or harm their process, run this way.

    worker = Worker("bridge.prolog.job")
    for answer in worker.ask(("run", goal), progress, limits=Limits(seconds=2)): ...
    worker.close()

`worker` is the caller's side; `process` starts processes, by a `fork_server` where the system has fork; `job_loop` is
the worker's side. `resources` and `sandbox` limit what a worker may do, and `watchdog` stops a solver that runs in C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.isolation.wall import Wall


def walls() -> list[Wall]:
    """The operating system's walls around untrusted jobs on this machine: tried, in a process of its own."""
    from bridge.isolation.probe import found

    return found()
