"""Every test of a program runs twice: in this process, and in a worker. `@pytest.mark.local`: in this process only."""

from __future__ import annotations

import pytest

from bridge.asp import Program


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    local = metafunc.definition.get_closest_marker("local") is not None
    metafunc.parametrize("process", ["here"] if local else ["here", "worker"], indirect=True)


@pytest.fixture(autouse=True)
def process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    defaults = Program.__init__.__kwdefaults__ | {"isolated": request.param == "worker"}
    monkeypatch.setattr(Program.__init__, "__kwdefaults__", defaults)
    return str(request.param)
