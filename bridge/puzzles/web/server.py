"""Serves the workbench on a local port until Ctrl-C."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from bridge.errors import InputError
from bridge.puzzles.web.app import application
from bridge.puzzles.web.guard import NAMES
from bridge.puzzles.web.pool import Pool

ADDRESS = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """A socket that listens on a local port; 0 is any free port."""
    # With the protocol number of TCP asyncio disables Nagle's algorithm, so that lines are sent without delay.
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.bind((ADDRESS, port))
        line.listen(128)
    except OSError as error:
        line.close()
        said = (error.strerror or str(error)).lower()
        hint = "is a workbench running there? `--port 0` takes any that is free"
        raise InputError(f"port {port} cannot be had: {said}", hint=hint) from None
    return line


class Server(uvicorn.Server):
    """A server on a socket that listens, which cancels running answers on shutdown; `run` it with `sockets=[line]`."""

    def __init__(self, line: socket.socket, jobs: int) -> None:
        self.pool = Pool(jobs)
        app = application(self.pool, [f"{name}:{line.getsockname()[1]}" for name in NAMES])
        config = uvicorn.Config(
            app,
            log_level="error",  # invalid requests are not logged
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        )
        super().__init__(config)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop. A second Ctrl-C has no effect: the first takes two seconds at most."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.pool.end_answers()
        # On a busy machine an answer may take longer, and is cancelled: nobody who leaves waits for that traceback.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def serve(port: int, jobs: int, ready: Callable[[str], object]) -> None:
    """Serve until Ctrl-C, which raises KeyboardInterrupt; `ready` is called with the address."""
    # asyncio warns when a client disconnects during an answer; errors are still logged.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    with listening(port) as line:
        ready(f"http://{ADDRESS}:{line.getsockname()[1]}/")
        Server(line, jobs).run(sockets=[line])
