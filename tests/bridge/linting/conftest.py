"""Prolog programs are read by one process in each module, as in editors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import cache
from unittest.mock import patch

import pytest

from bridge.limits import Limits
from bridge.linting import prolog
from bridge.prolog import Session


@pytest.fixture(autouse=True, scope="module")
def _one_process_reads_all() -> Iterator[None]:
    with ExitStack() as stack:
        open_session = prolog.lint_session
        opened = cache(lambda: stack.enter_context(open_session()))

        def shared(limits: Limits) -> nullcontext[Session]:
            return nullcontext(opened())

        with patch.object(prolog, "lint_session", shared):
            yield
