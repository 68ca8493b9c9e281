"""The text of clingo programs: statements and their places, names, syntax trees, switches, what clingo says of them."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.asp.decode import Atom as Atom
    from bridge.asp.decode import is_name as is_name
    from bridge.asp.decode import written as written
    from bridge.asp.given import given_of as given_of
    from bridge.asp.given import source_of as source_of
    from bridge.asp.reading.constants import Constants as Constants
    from bridge.asp.reading.context import COMPARISONS as COMPARISONS
    from bridge.asp.reading.context import KEPT as KEPT
    from bridge.asp.reading.context import Column as Column
    from bridge.asp.reading.context import Context as Context
    from bridge.asp.reading.context import arguments_of as arguments_of
    from bridge.asp.reading.context import atoms as atoms
    from bridge.asp.reading.context import baseless as baseless
    from bridge.asp.reading.context import body_signatures as body_signatures
    from bridge.asp.reading.context import constant_of as constant_of
    from bridge.asp.reading.context import function_of as function_of
    from bridge.asp.reading.context import growing as growing
    from bridge.asp.reading.context import head_atoms as head_atoms
    from bridge.asp.reading.context import head_signatures as head_signatures
    from bridge.asp.reading.context import is_data as is_data
    from bridge.asp.reading.context import is_void as is_void
    from bridge.asp.reading.context import key as key
    from bridge.asp.reading.context import signature_of as signature_of
    from bridge.asp.reading.context import signatures as signatures
    from bridge.asp.reading.context import variables as variables
    from bridge.asp.reading.mend import mended as mended
    from bridge.asp.reading.messages import COMPUTED as COMPUTED
    from bridge.asp.reading.messages import QUOTES as QUOTES
    from bridge.asp.reading.messages import Messages as Messages
    from bridge.asp.reading.messages import no_theory as no_theory
    from bridge.asp.reading.messages import unsafe_variables as unsafe_variables
    from bridge.asp.reading.names import TEST as TEST
    from bridge.asp.reading.names import RuleName as RuleName
    from bridge.asp.reading.names import Switching as Switching
    from bridge.asp.reading.names import read_names as read_names
    from bridge.asp.reading.names import shown_in_name as shown_in_name
    from bridge.asp.reading.outline import Facts as Facts
    from bridge.asp.reading.outline import Outline as Outline
    from bridge.asp.reading.outline import Signature as Signature
    from bridge.asp.reading.outline import plain as plain
    from bridge.asp.reading.parsed import STRING as STRING
    from bridge.asp.reading.parsed import Parsed as Parsed
    from bridge.asp.reading.parsed import SourceText as SourceText
    from bridge.asp.reading.scripts import Scripts as Scripts
    from bridge.asp.reading.source import OPERATORS as OPERATORS
    from bridge.asp.reading.source import TEXT as TEXT
    from bridge.asp.reading.source import bytes_of as bytes_of
    from bridge.asp.reading.source import check as check
    from bridge.asp.reading.source import check_options as check_options
    from bridge.asp.reading.source import constant_set_by as constant_set_by
    from bridge.asp.reading.source import includes_incmode as includes_incmode
    from bridge.asp.reading.source import read_file as read_file
    from bridge.asp.reading.source import term as term
    from bridge.asp.reading.text import Change as Change
    from bridge.asp.reading.text import Kind as Kind
    from bridge.asp.reading.text import Span as Span
    from bridge.asp.reading.text import Text as Text
    from bridge.asp.reading.text import diff_of as diff_of
    from bridge.asp.reading.text import differing as differing
    from bridge.asp.reading.text import texts_of as texts_of
    from bridge.asp.reading.text import with_own_includes as with_own_includes
    from bridge.asp.reading.trees import Kept as Kept
    from bridge.asp.reading.trees import Named as Named
    from bridge.asp.reading.trees import alternatives as alternatives
    from bridge.asp.reading.trees import atom_of as atom_of
    from bridge.asp.reading.trees import elements_of as elements_of
    from bridge.asp.reading.trees import equal as equal
    from bridge.asp.reading.trees import has_anonymous as has_anonymous
    from bridge.asp.reading.trees import in_order as in_order
    from bridge.asp.reading.trees import is_aggregate as is_aggregate
    from bridge.asp.reading.trees import is_atom as is_atom
    from bridge.asp.reading.trees import is_choice as is_choice
    from bridge.asp.reading.trees import is_constraint as is_constraint
    from bridge.asp.reading.trees import names_in as names_in
    from bridge.asp.reading.trees import needs_and_gives as needs_and_gives
    from bridge.asp.reading.trees import nodes as nodes
    from bridge.asp.reading.trees import number_of as number_of
    from bridge.asp.reading.trees import parameters_of as parameters_of
    from bridge.asp.types import Source as Source
else:
    __getattr__, __dir__ = _exports(__name__)
