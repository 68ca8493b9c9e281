"""Programs run in a worker here, as users have it; in some modules, and where `@pytest.mark.local` stands, in this process."""

from __future__ import annotations

from collections.abc import Iterator

import both_ways
import pytest

#: Where both ways could differ: answers, values, functions that clingo calls, errors.
BOTH = frozenset({"test_solving", "test_typed", "test_functions", "test_incremental", "test_theories", "test_names"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    both_ways.parametrize(metafunc, BOTH)


@pytest.fixture(autouse=True, scope="module")
def process(request: pytest.FixtureRequest) -> Iterator[str]:
    yield from both_ways.process(request, "Program")
