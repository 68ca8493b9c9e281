"""The command `lpbridge`, also as `python -m bridge`."""

import signal

# Ctrl-C during the imports ends the process without a traceback.
_usual = signal.getsignal(signal.SIGINT)
if _usual is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import atexit  # noqa: E402
import gc  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402
from contextlib import suppress  # noqa: E402

# A command makes objects that stay and few cycles: to look for cycles after every 700 objects, as Python does unless
# told otherwise, is a tenth of the time from its start to its answer. (Before the imports, which make most objects.)
gc.set_threshold(50_000, 20, 20)

from bridge import cli  # noqa: E402
from bridge.common import own_process  # noqa: E402


def main() -> None:
    """Be the command, and end the process.

    Python would take its modules apart first, a tenth of the time of a short command. That is left out where nobody
    waits for it: no other thread is to be waited for, and no profiler or debugger looks on.
    """
    own_process.is_command = True
    try:
        signal.signal(signal.SIGINT, _usual)
        cli.main()
    except KeyboardInterrupt:  # outside of what `cli.main` looks after
        os._exit(130)
    except SystemExit as ended:
        watched = sys.getprofile() or sys.gettrace() or sys.flags.inspect
        others = [one for one in threading.enumerate() if not one.daemon and one is not threading.main_thread()]
        if type(ended.code) is int and not (watched or others):
            atexit._run_exitfuncs()
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(ended.code)
        raise


if __name__ == "__main__":
    main()
