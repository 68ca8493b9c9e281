"""What every package uses and no user sees: files, languages, lazy imports, JSON, English."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.as_json import Extended as Extended
    from bridge.as_json import Json as Json
    from bridge.as_json import Key as Key
    from bridge.as_json import short as short
    from bridge.common.arguments import named_arguments as named_arguments
    from bridge.common.cells import guarded as guarded
    from bridge.common.cells import plain as plain
    from bridge.common.closing import Closing as Closing
    from bridge.common.english import LIMITS as LIMITS
    from bridge.common.english import TOO_LARGE as TOO_LARGE
    from bridge.common.english import end_lines as end_lines
    from bridge.common.english import how_ended as how_ended
    from bridge.common.english import listed as listed
    from bridge.common.english import plural as plural
    from bridge.common.english import table as table
    from bridge.common.files import AS_LATIN_1 as AS_LATIN_1
    from bridge.common.files import GZIP as GZIP
    from bridge.common.files import Hints as Hints
    from bridge.common.files import check_writable as check_writable
    from bridge.common.files import path_of as path_of
    from bridge.common.files import read_bytes as read_bytes
    from bridge.common.files import read_program as read_program
    from bridge.common.files import read_source as read_source
    from bridge.common.files import read_text as read_text
    from bridge.common.files import refuse_other_format as refuse_other_format
    from bridge.common.files import shown_name as shown_name
    from bridge.common.files import shown_path as shown_path
    from bridge.common.files import standard_input as standard_input
    from bridge.common.files import unpacked as unpacked
    from bridge.common.files import unreadable as unreadable
    from bridge.common.files import write_whole as write_whole
    from bridge.common.languages import Language as Language
    from bridge.common.languages import is_path as is_path
    from bridge.common.languages import language_of_path as language_of_path
    from bridge.common.lazy import exports as exports
    from bridge.common.lazy import load as load
    from bridge.common.lazy import regex as regex
    from bridge.common.parts import Part as Part
    from bridge.common.parts import Pictured as Pictured
    from bridge.common.slips import is_slip as is_slip
    from bridge.common.slips import meant as meant
    from bridge.common.slips import nearest as nearest
    from bridge.common.warned import WARNINGS as WARNINGS
    from bridge.common.warned import Warned as Warned
    from bridge.common.warned import as_json as as_json
    from bridge.public import export as export
    from bridge.public import public as public
else:
    __getattr__, __dir__ = _exports(__name__)
