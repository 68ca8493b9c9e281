"""Every test of a session runs twice: in this process, and in a worker. `@pytest.mark.local`: in this process only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge.prolog import Session


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    local = metafunc.definition.get_closest_marker("local") is not None
    metafunc.parametrize("process", ["here"] if local else ["here", "worker"], indirect=True, scope="module")


@pytest.fixture(autouse=True, scope="module")
def process(request: pytest.FixtureRequest) -> Iterator[str]:
    defaults = Session.__init__.__kwdefaults__
    Session.__init__.__kwdefaults__ = defaults | {"isolated": request.param == "worker"}
    yield str(request.param)
    Session.__init__.__kwdefaults__ = defaults
