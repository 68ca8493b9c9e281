"""Programs against each other: differences, and mutants."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.comparison.answers import Answer as Answer
    from bridge.comparison.answers import value as value
    from bridge.comparison.comparison import Comparison as Comparison
    from bridge.comparison.contenders import Contender as Contender
    from bridge.comparison.contenders import Reason as Reason
    from bridge.comparison.contenders import contender as contender
    from bridge.comparison.instance import Instance as Instance
else:
    __getattr__, __dir__ = _exports(__name__)
