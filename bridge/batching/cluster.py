"""Batches on a Dask cluster.

    dask scheduler                              # on one machine
    dask worker tcp://HOST:8786 --nthreads 1    # on each machine, as many as it has cores
    lpbridge batch diagnose timetable.lp -i days/ --scheduler tcp://HOST:8786 -o results.jsonl

Dask sends chunks to workers that are free, and sends the chunk of a worker that died to another. A chunk that
killed several workers (as many as `distributed.scheduler.allowed-failures` says) comes back as lost.

Sent are a job and a chunk, packed as for a worker of this machine, and lines. lpbridge has to be installed on every
machine, in the same version. Dask pickles each task; here that is the name of `on_worker`, two byte strings and the
versions. Its schedulers and workers run what they are sent, so they must be trusted.
"""

from __future__ import annotations

import queue
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from bridge.batching.executors import Answered, Lost
from bridge.batching.items import Chunk, Job, answering
from bridge.errors import MissingSolverError, SolverError, UnsupportedError
from bridge.isolation import frames

if TYPE_CHECKING:
    from distributed import Client, Future

#: Seconds to wait for a scheduler, and for a first worker.
PATIENCE = 10.0

#: Seconds between two counts of the workers.
OFTEN = 1.0

#: Packages that must have the same version on every machine: results depend on them, and so does the form of chunks.
PACKAGES = ("lpbridge", "clingo")


def versions() -> dict[str, str]:
    """The versions on this machine, by name: Python up to the minor version, and packages."""
    found = {"Python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def refuse_others(here: Mapping[str, str], there: Mapping[str, Mapping[str, str] | str]) -> None:
    """Refuse workers, by address, with other versions than this machine; a text is the reason why none are known."""
    for address, found in there.items():
        if isinstance(found, str):
            wrong = found
        else:
            differing = (name for name in (*here, *found) if here.get(name) != found.get(name))
            name = next(differing, None)
            if name is None:
                continue
            wrong = f"{name} is {found.get(name, 'missing')} there, and {here.get(name, 'missing')} here"
        raise UnsupportedError(f"the worker at {address} is not like this machine: {wrong}",
                               hint="install the same versions everywhere")


class Cluster:
    """The workers of a Dask cluster, as an executor; `scheduler` is an address, or a connected client, which stays
    open.

    Raises MissingSolverError when Dask is not installed, UnsupportedError when a worker has other versions, SolverError
    when there is no scheduler at this address, or it has no worker.
    """

    pace: ClassVar[float] = 0.5

    def __init__(self, job: Job, scheduler: str | Client) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingSolverError("Dask is not installed", hint="pip install 'lpbridge[cluster]'") from None
        self._own = isinstance(scheduler, str)
        self._client: Client = _connect(Client, scheduler) if isinstance(scheduler, str) else scheduler
        self._done: queue.SimpleQueue[tuple[int, Future]] = queue.SimpleQueue()
        self._under_way: dict[int, Future] = {}
        self._here = versions()
        self._job = frames.pack([job.module, job.pack()])
        self._capacity, self._look_again = 2, 0.0
        try:
            self._look_over()
        except BaseException:
            self.close()
            raise

    @property
    def capacity(self) -> int:
        """Two chunks for each thread of the workers, which are counted about once a second."""
        if monotonic() >= self._look_again:
            threads: dict[str, int] = self._client.nthreads()
            self._capacity, self._look_again = max(2, 2 * sum(threads.values())), monotonic() + OFTEN
        return self._capacity

    def submit(self, number: int, chunk: Chunk) -> None:
        # The job is sent with every chunk: data kept on workers are lost with the last worker that has them.
        future = self._client.submit(on_worker, self._job, frames.pack([*chunk]), self._here, pure=False)
        self._under_way[number] = future
        future.add_done_callback(lambda done: self._done.put((number, done)))

    def take(self) -> Answered | Lost:
        """As of `Workers`; UnsupportedError when a worker that joined later has other versions, SolverError without a
        cluster.
        """
        from distributed import KilledWorker

        while True:
            with suppress(queue.Empty):  # with a timeout, so that Ctrl-C and a lost connection are noticed
                number, future = self._done.get(timeout=0.5)
                break
            if self._client.status not in ("running", "connecting"):
                raise SolverError("the cluster is gone", hint="--resume goes on with another")
        del self._under_way[number]
        if future.status == "cancelled":
            raise SolverError("the cluster is gone", hint="--resume goes on with another")
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            return number, "the workers that had it died"
        if isinstance(error, ImportError):
            raise UnsupportedError(f"a worker has no lpbridge: {error}", hint="install it on every machine")
        if error is not None:
            raise error
        lines, seconds = future.result()
        return number, lines, seconds

    def close(self) -> None:
        """Cancel the chunks under way."""
        with suppress(Exception):  # the connection may be lost
            self._client.cancel(list(self._under_way.values()), force=True)
        self._under_way.clear()
        if self._own:
            self._client.close()

    def _look_over(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise SolverError("the cluster has no worker", hint="start some: dask worker ADDRESS") from None

        def asked() -> Any:  # sent as code, so that a worker without lpbridge can answer
            try:
                from bridge.batching.cluster import versions
            except ImportError as error:
                return f"it has no lpbridge ({error})"
            return versions()

        refuse_others(self._here, self._client.run(asked))


def _connect(client: type[Client], address: str) -> Client:
    try:
        return client(address, timeout=PATIENCE, set_as_default=False, name="lpbridge")
    except (OSError, TimeoutError, ValueError) as error:
        raise SolverError(f"no scheduler answers at {address}: {error}", hint="start one: dask scheduler") from None


def on_worker(job: bytes, chunk: bytes, here: Mapping[str, str]) -> tuple[bytes, float]:
    """The task of a worker of the cluster: the lines of a chunk. Job and chunk are packed."""
    found = versions()
    if found != here:
        refuse_others(here, {_address(): found})
    module, data = frames.unpack(job)
    answerer = answering(module)
    return answerer.answers(answerer.unpack(data), frames.unpack(chunk))


def _address() -> str:
    from distributed import get_worker

    return str(get_worker().address)
