"""The command `lpbridge`, also as `python -m bridge`."""

import gc
import signal

# A command makes objects that stay and few cycles: to look for cycles after every 700 objects, as Python does unless
# told otherwise, is a tenth of the time from its start to its answer. (Before the imports, which make most objects.)
gc.set_threshold(50_000, 20, 20)

# Ctrl-C during the imports ends the process without a traceback.
_usual = signal.getsignal(signal.SIGINT)
if _usual is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from bridge.cli import main  # noqa: E402

signal.signal(signal.SIGINT, _usual)

if __name__ == "__main__":
    main()
