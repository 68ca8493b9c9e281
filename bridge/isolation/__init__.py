"""Jobs in processes of their own: all programs that may not return, or harm their process, run this way.

    worker = Worker("bridge.prolog.job")
    for answer in worker.ask(("run", goal), progress, limits=Limits(seconds=2)): ...
    worker.close()

`worker` is the caller's side; `process` starts processes, by a `fork_server` where the system has fork; `job_loop` is
the worker's side. `resources` and `sandbox` limit what a worker may do, and `watchdog` stops a solver that runs in C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.isolation.frames import FrameError as FrameError
    from bridge.isolation.frames import pack as pack
    from bridge.isolation.frames import unpack as unpack
    from bridge.isolation.plain import form_of as form_of
    from bridge.isolation.process import prepare as prepare
    from bridge.isolation.wall import Wall
    from bridge.isolation.wall import without as without
    from bridge.isolation.watchdog import Watch as Watch
    from bridge.isolation.worker import Worker as Worker
else:
    __getattr__, __dir__ = _exports(__name__)


def walls() -> list[Wall]:
    """The operating system's walls around untrusted jobs on this machine: tried, in a process of its own."""
    from contextlib import closing

    from bridge.isolation.worker import Worker

    with closing(Worker("bridge.isolation.wall", untrusted=True, allow_missing_walls=True)) as worker:
        worker.start()
        return list(worker.walls)
