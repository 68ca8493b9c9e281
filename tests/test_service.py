"""The example of a service, with a few of the requests of `benchmarks/service.py`."""

from __future__ import annotations

import pytest

from benchmarks.service import run


@pytest.mark.slow
def test_a_service_answers_all_clients() -> None:
    lines = run(25, 1)
    first, last = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:])
    assert int(first[1]) == int(first[3]) + int(first[4]) + int(first[6]) > 20
    assert int(last[3]) == 225
