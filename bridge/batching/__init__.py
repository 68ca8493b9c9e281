"""One question put to many instances: workers here or on a cluster, lines of results that can be gone on with."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.batching.executors import available_cores as available_cores
    from bridge.batching.flow import answered as answered, executor_for as executor_for
    from bridge.batching.items import Chunk as Chunk, Item as Item, kept as kept, line_of as line_of
    from bridge.batching.parquet import results_in as results_in
else:
    __getattr__, __dir__ = _exports(__name__)
