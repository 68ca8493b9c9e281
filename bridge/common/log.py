"""The logger named `bridge`, for programs that use logging: it is not imported for those that do not."""

from __future__ import annotations

import sys


def log(level: str, message: str, *arguments: object) -> None:
    """Log a message: `debug`, `info` or `warning`. No program text and no data of users belongs in one."""
    if (logging := sys.modules.get("logging")) is not None:
        logger = logging.getLogger("bridge")
        if not logger.handlers:  # a library says nothing by itself
            logger.addHandler(logging.NullHandler())
        getattr(logger, level)(message, *arguments)
