"""Sockets without the module `socket`, where possible: importing it takes every command milliseconds."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from socket import socket

_socket: Any = import_module("_socket")


def pair() -> tuple[socket, socket]:
    first, second = _socket.socketpair()
    return first, second


def of(descriptor: int) -> socket:
    return cast("socket", _socket.socket(fileno=descriptor))
