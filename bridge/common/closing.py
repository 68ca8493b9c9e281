"""`with` for what has to be closed."""

from __future__ import annotations

from typing import NoReturn, Self, SupportsIndex

from bridge.errors import InputError


class Closing:
    """Base class of what is closed at the end of a `with` block."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        hint = "give the other process what it is made of: files, texts, options"
        raise InputError(f"a {type(self).__name__} is of this process: it cannot be copied or pickled", hint=hint)

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
