"""Programs against each other: differences, and mutants."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.asp.reading.outline import signatures as signatures
    from bridge.comparison.answers import Answer as Answer, of_atoms as of_atoms, value as value, written as written
    from bridge.comparison.compare import LIMITS as LIMITS, generator_notes as generator_notes
    from bridge.comparison.compare import instances_of as instances_of, missing as missing, settled as settled
    from bridge.comparison.compare import show_hint as show_hint
    from bridge.comparison.comparison import Comparison as Comparison, answer_text as answer_text
    from bridge.comparison.comparison import scope_text as scope_text
    from bridge.comparison.containment import Prover as Prover
    from bridge.comparison.contenders import AspContender as AspContender, Contender as Contender, Reason as Reason
    from bridge.comparison.contenders import contender as contender
    from bridge.comparison.generator import Generator as Generator
    from bridge.comparison.instance import Instance as Instance, atoms_of_text as atoms_of_text
    from bridge.comparison.instance import constant_value as constant_value, instance_of as instance_of
    from bridge.comparison.instance import variable_of as variable_of
    from bridge.comparison.predicates import compared_by as compared_by, derived as derived
    from bridge.comparison.predicates import listed_predicates as listed_predicates
    from bridge.comparison.predicates import missing_instance as missing_instance, results as results
    from bridge.comparison.predicates import sentence as sentence
    from bridge.comparison.queries import NEGATED as NEGATED, VARIABLE as VARIABLE
else:
    __getattr__, __dir__ = _exports(__name__)
