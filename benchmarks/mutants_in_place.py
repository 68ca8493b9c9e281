"""A plugin of pytest for `benchmarks.mutants`: tests are collected once, and run in a fork for each text of a module.

In the fork the functions of the module get the code of the other text. That takes milliseconds where a process of its
own takes seconds. Where only another process reads the module, nothing is noticed here: a survivor is tested again.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import signal
import types
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep

import pytest

#: The variable with the name of a file, which has the name of a `module` and the `texts`; it gets what was `noticed`.
GIVEN = "LPBRIDGE_MUTANTS"


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    file = Path(os.environ[GIVEN])
    given = json.loads(file.read_text(encoding="utf-8"))
    module, began = import_module(given["module"]), monotonic()
    plain = Path(str(module.__file__)).read_text(encoding="utf-8")
    assert not _noticed(session, module, plain, 600), "the tests fail as they are"
    seconds = 5 + 5 * (monotonic() - began)
    noticed = [_noticed(session, module, text, seconds) for text in given["texts"]]
    file.write_text(json.dumps({**given, "noticed": noticed}), encoding="utf-8")
    return True


def _noticed(session: pytest.Session, module: types.ModuleType, text: str, seconds: float) -> bool:
    """Whether a test fails, or takes too long, with another text of a module."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            _change(module, text)
            code = int(_fails(session))
        finally:
            os._exit(code)
    end = monotonic() + seconds
    try:
        while monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return status != 0
            sleep(0.005)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return True
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it has started


def _fails(session: pytest.Session) -> bool:
    for item, after in zip(session.items, [*session.items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return True
    return False


def _change(module: types.ModuleType, text: str) -> None:
    """Give the functions of a module the code of another text. What else differs is as it was."""
    codes = list(_codes(compile(text, str(module.__file__), "exec", dont_inherit=True)))
    of = {code.co_qualname: code for code in codes}
    times = Counter(code.co_qualname for code in codes)
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__module__ == module.__name__:
            code = of.get(one.__code__.co_qualname)
            if code and times[code.co_qualname] == 1 and code.co_freevars == one.__code__.co_freevars:
                one.__code__ = code


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The functions of a module and its classes."""
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            if one.co_flags & inspect.CO_NEWLOCALS:
                yield one
            else:
                yield from _codes(one)
