"""What every test may count on."""

from __future__ import annotations

import signal

# A shell starts what it puts in the background with SIGINT ignored, and so does some CI; the tests of Ctrl-C need it.
signal.signal(signal.SIGINT, signal.default_int_handler)
