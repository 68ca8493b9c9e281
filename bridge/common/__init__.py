"""What every package uses and no user sees: files, languages, lazy imports, JSON, English."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.as_json import Extended as Extended, Json as Json, Key as Key, short as short
    from bridge.common.arguments import named_arguments as named_arguments
    from bridge.common.cells import guarded as guarded, plain as plain
    from bridge.common.closing import Closing as Closing
    from bridge.common.english import LIMITS as LIMITS, TOO_LARGE as TOO_LARGE, end_lines as end_lines
    from bridge.common.english import how_ended as how_ended, listed as listed, plural as plural, table as table
    from bridge.common.files import AS_LATIN_1 as AS_LATIN_1, GZIP as GZIP, Hints as Hints
    from bridge.common.files import check_writable as check_writable, path_of as path_of, read_bytes as read_bytes
    from bridge.common.files import read_program as read_program, read_source as read_source, read_text as read_text
    from bridge.common.files import refuse_other_format as refuse_other_format, shown_name as shown_name
    from bridge.common.files import shown_path as shown_path, standard_input as standard_input, unpacked as unpacked
    from bridge.common.files import unreadable as unreadable, write_whole as write_whole
    from bridge.common.languages import Language as Language, is_path as is_path, language_of_path as language_of_path
    from bridge.common.lazy import exports as exports, load as load, regex as regex
    from bridge.common.parts import Part as Part, Pictured as Pictured
    from bridge.common.slips import is_slip as is_slip, meant as meant, nearest as nearest
    from bridge.common.texts import split_outside as split_outside
    from bridge.common.warned import WARNINGS as WARNINGS, Warned as Warned, as_json as as_json
    from bridge.public import export as export, public as public
else:
    __getattr__, __dir__ = _exports(__name__)
