"""`with` for what has to be closed."""

from __future__ import annotations

from typing import Self


class Closing:
    """Base class of what is closed at the end of a `with` block."""

    def close(self) -> None:
        """End it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
