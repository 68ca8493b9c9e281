"""`serve`: the workbench in the browser."""

from __future__ import annotations

import click

from bridge.cli.kit import JOBS
from bridge.errors import MissingSolverError
from bridge.puzzles.cli.options import puzzles_option

#: The default port.
PORT = 8765


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any that is free.")
@click.option("--open", "open_it", is_flag=True, help="Open the page in the browser.")
@click.option("--jobs", type=JOBS, metavar="N", help="Worker processes.  [default: the cores, 2 at least]")
@puzzles_option
def serve(port: int, open_it: bool, jobs: int | None) -> None:
    """The workbench: draw or paste a puzzle in the browser, and have it analysed.

    The server is reachable from this machine only, and connects to no other. Ctrl-C stops it. It needs the extra `web`:
    pip install 'lpbridge[web]'.

    \b
    lpbridge puzzle serve --open
    """
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingSolverError(f"the workbench needs {error.name}", hint="pip install 'lpbridge[web]'") from None
    from bridge.batching import available_cores
    from bridge.isolation import walls, without
    from bridge.puzzles.web.app import serve as serve_pages

    def ready(url: str) -> None:
        if missing := [wall for wall in walls() if wall.essential and not wall.up]:
            click.echo(f"lpbridge: {without(missing)}: what pages send is confined without", err=True)
        click.echo(f"the workbench is at {url} (Ctrl-C stops it)")
        if open_it:
            import threading
            import webbrowser

            # In a thread: a browser of the terminal comes back when it is closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    serve_pages(port, jobs or max(2, available_cores()), ready)
