"""What commands of a part share with those of the bridge: options, forms of output, exit codes, progress."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.cli.batch import run_batch as run_batch
    from bridge.cli.comparisons import check_files as check_files, compared as compared, form_options as form_options
    from bridge.cli.comparisons import print_comparison as print_comparison
    from bridge.cli.groups import SETTINGS as SETTINGS, LazyGroup as LazyGroup
    from bridge.cli.programs import confinement as confinement, language_of as language_of
    from bridge.cli.programs import program_options as program_options, source_of as source_of
    from bridge.cli.programs import time_limit_of as time_limit_of
    from bridge.cli.schemas import OTHERS as OTHERS, Failed as Failed, Form as Form, LineForms as LineForms
    from bridge.cli.schemas import columns as columns, item as item, name_of as name_of
    from bridge.cli.shared import JOBS as JOBS, MANY as MANY, ProgressLine as ProgressLine, each as each, end as end
    from bridge.cli.shared import exit_code as exit_code, json_option as json_option, jsonl_option as jsonl_option
    from bridge.cli.shared import of_steps as of_steps, or_partial as or_partial, output_option as output_option
    from bridge.cli.shared import print_json as print_json, print_part as print_part, time_option as time_option
    from bridge.cli.shared import together as together
    from bridge.cli.streams import write_styled as write_styled
    from bridge.install.janus import Finding as Finding
else:
    __getattr__, __dir__ = _exports(__name__)
