"""The watchdog: it stops what runs too long, raises Ctrl-C where it should, and touches nothing else."""

# The blocks below are what is tested: a key pressed, and a solver that runs on.
# ruff: noqa: PT012, SIM117

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from patience import PATIENCE, until

from bridge.asp import Program
from bridge.isolation import watchdog
from bridge.isolation.watchdog import Watch
from bridge.limits import Limits


class Solver:
    """Something that blocks until it is stopped, as a solver in C does: no Python handler runs meanwhile."""

    def __init__(self) -> None:
        self.stops = 0
        self._stopped = threading.Event()

    def stop(self) -> None:
        self.stops += 1
        self._stopped.set()

    def run(self, seconds: float = PATIENCE) -> bool:
        stopped = self._stopped.wait(seconds)
        self._stopped.clear()
        return stopped


def test_the_time_limit_stops_the_solver() -> None:
    solver = Solver()
    with Watch(solver.stop, 0.1) as watch:
        started = time.perf_counter()
        with watch.armed():
            assert solver.run()
        assert time.perf_counter() - started > 0.05
    assert watch.fired == "seconds"
    assert watch.expired


def test_a_stop_that_does_not_work_is_sent_again() -> None:
    solver = Solver()
    with Watch(solver.stop, 0.05) as watch, watch.armed():
        until(lambda: solver.stops >= 2)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_next_watch_is_served_after_a_stop_that_raised() -> None:
    def raising() -> None:
        raise RuntimeError("not today")

    with Watch(raising, 0.01) as watch, watch.armed():
        until(lambda: watchdog._thread is None)
    solver = Solver()
    with Watch(solver.stop, 0.05) as watch, watch.armed():
        assert solver.run()


def test_no_stop_while_it_is_not_armed() -> None:
    solver = Solver()
    with Watch(solver.stop, 0.05) as watch:
        until(lambda: watch.expired)
        time.sleep(0.1)
        assert solver.stops == 0
        with watch.armed():
            assert solver.run(), "the time is up already: it is stopped as soon as it begins"


def test_many_watches_at_a_time() -> None:
    solvers = [Solver() for _ in range(5)]
    fired = []

    def work(solver: Solver, seconds: float) -> None:
        with Watch(solver.stop, seconds) as watch, watch.armed():
            solver.run()
        fired.append(watch.fired)

    threads = [threading.Thread(target=work, args=(solver, 0.1 * n)) for n, solver in enumerate(solvers, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert fired == ["seconds"] * 5


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_is_raised_when_the_solver_has_returned() -> None:
    solver = Solver()
    with Watch(solver.stop) as watch:
        with pytest.raises(KeyboardInterrupt):
            with watch.armed():
                press()
                # Python's handler has run here: nothing may be raised inside the solver's callbacks.
                inside = solver.run()
        assert inside
        assert watch.fired == "interrupt"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_outside_of_the_solver_is_as_ever() -> None:
    with Watch(lambda: None), pytest.raises(KeyboardInterrupt):
        press()
        time.sleep(1)


def test_a_ctrl_c_that_was_raised_does_not_stop_the_next_search() -> None:
    """The thread may be late: it is held up here until the next search is under way."""
    for _ in range(20):
        solver = Solver()
        with Watch(solver.stop):
            with watchdog._lock:  # as if the thread had not come to run yet
                with pytest.raises(KeyboardInterrupt):
                    press()
                    time.sleep(0.2)
                later = Watch(solver.stop)
                later.__enter__()
                later.arm()
            assert not solver.run(0.05)
            assert later.fired is None
            later.disarm()
            later.__exit__(None, None, None)


def test_somebody_elses_wakeup_descriptor_goes_on_hearing() -> None:
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write)
    try:
        solver = Solver()
        with Watch(solver.stop) as watch, pytest.raises(KeyboardInterrupt):
            with watch.armed():
                press()
                solver.run()
        os.set_blocking(read, True)
        assert signal.SIGINT in os.read(read, 100)
        assert signal.set_wakeup_fd(write) == write, "put back"
    finally:
        signal.set_wakeup_fd(before)
        os.close(read)
        os.close(write)


def test_in_a_forked_child_it_starts_anew() -> None:
    code = """
import os, time, threading
from bridge.isolation.watchdog import Watch
stopped = threading.Event()
with Watch(stopped.set, 0.05) as watch, watch.armed():
    assert stopped.wait(100)
child = os.fork()
stopped.clear()
with Watch(stopped.set, 0.05) as watch, watch.armed():
    ok = stopped.wait(100)
if child == 0:
    os._exit(0 if ok else 1)
print(ok, os.waitpid(child, 0)[1])
"""
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=2 * PATIENCE)
    assert run.stdout == "True 0\n", run.stderr


def test_a_limit_of_very_many_seconds() -> None:
    with Program("{ a }.", isolated=False) as program:
        for seconds in (1e10, 1e300):
            assert program.count(limits=Limits(seconds=seconds)).number == 2
    assert any(thread.name == "lpbridge-watchdog" and thread.is_alive() for thread in threading.enumerate())
