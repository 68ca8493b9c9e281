"""Ctrl-C between two answers, and not within one."""

# ruff: noqa: PT012 where in the block it comes is what is tested

from __future__ import annotations

import os
import signal

import pytest

from bridge.common.interrupts import awaited, deferred


def _press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("waits", [False, True])
def test_it_comes_at_the_end_or_in_the_next_wait(waits: bool) -> None:
    done = []
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), deferred():
        with deferred():
            _press()
            done.append("taken")
        done.append("shown")
        if waits:
            with awaited():
                done.append("waited")
        done.append("more")
    assert done == ["taken", "shown", *([] if waits else ["more"])]
    assert signal.getsignal(signal.SIGINT) is before


def test_it_ends_a_wait_at_once_and_comes_at_once_when_pressed_again() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), deferred(), awaited():
        _press()
        done.append("waited")
    with pytest.raises(KeyboardInterrupt), deferred():
        _press()
        done.append("once")
        _press()
        done.append("twice")
    assert done == ["once"]


def test_what_comes_is_not_deferred_any_more() -> None:
    with pytest.raises(KeyboardInterrupt), deferred():
        try:
            with awaited():
                _press()
        except KeyboardInterrupt:
            with awaited():  # to stop the search, which takes a moment
                pass
            raise
