"""Whether all of this process is the command `lpbridge`: nobody else has threads, locks or open files in it.

Then a worker may be a fork of it, which spares most of its start. `bridge.__main__` says so.
"""

from __future__ import annotations

is_command = False
