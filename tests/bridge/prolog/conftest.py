"""Sessions run in a worker here, as users have it; in some modules, and where `@pytest.mark.local` stands, in this process."""

from __future__ import annotations

from collections.abc import Iterator

import both_ways
import pytest

#: Where both ways could differ: answers, values, errors, streams that are not read to the end.
BOTH = frozenset({"test_values", "test_texts_of_terms", "test_errors", "test_streams"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    both_ways.parametrize(metafunc, BOTH)


@pytest.fixture(autouse=True, scope="module")
def process(request: pytest.FixtureRequest) -> Iterator[str]:
    yield from both_ways.process(request, "Session")
