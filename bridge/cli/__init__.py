"""The command `lpbridge`: parse the arguments, call one function, print the result.

Exit codes: 0 the command did its work, whatever the verdict; 1 it did not (an expectation not met, programs that
disagree, a limit with nothing found); 2 the input or the call was wrong; 130 interrupted.
"""

from __future__ import annotations

import gc
import signal
import sys
from contextlib import suppress

import click

import bridge
from bridge.cli import streams
from bridge.cli.failures import again_when_lost, ended
from bridge.cli.groups import SETTINGS, LazyGroup

#: Each command, the place where it is defined, and its line in `lpbridge --help`. It is imported when it is used.
_COMMANDS = {
    "run": ("bridge.cli.run:run", "Run any .lp or .pl program, as it is."),
    "diagnose": ("bridge.cli.diagnose:diagnose", "Why has a program no answer, or several? What to change?"),
    "why": ("bridge.cli.why:why", "Why does an atom hold, or not? Why is the cost no lower? Why this answer?"),
    "debug": ("bridge.cli.debug:debug", "Which line of a program is wrong, and what should it say?"),
    "lint": ("bridge.cli.lint:lint", "What is probably wrong in a program, by its text alone?"),
    "profile": ("bridge.cli.profile:profile", "Why is a program slow or large? Which rule, and what to change?"),
    "test": ("bridge.cli.test:test", "Run the tests that stand beside a program."),
    "compare": ("bridge.cli.compare:compare", "Have programs the same answers? Where do they differ?"),
    "judge": ("bridge.cli.judge:judge", "A verdict on each of many programs that nobody has read."),
    "batch": ("bridge.cli.batch:batch", "One command on many instances of a program, with all cores."),
    "count": ("bridge.cli.count:count", "Count answer sets, exactly or as a lower bound."),
    "ground": ("bridge.cli.ground:ground", "Ground a program: its facts, its text, its size."),
    "explain": ("bridge.cli.explain:explain", "Derive what is in all answer sets, step by step."),
    "mutate": ("bridge.cli.mutate:mutate", "Change an encoding's rules one at a time: do its tests notice?"),
    "facts": ("bridge.integrations.commands:facts", "Print tables (CSV, Parquet) as facts."),
    "mcp": ("bridge.integrations.commands:mcp", "Offer these as tools to agents (Model Context Protocol)."),
    "lsp": ("bridge.integrations.commands:lsp", "Check programs while you type, in an editor (LSP)."),
    "schema": ("bridge.cli.schema:command", "Print the JSON Schema of what a command prints under --json or --jsonl."),
    "doctor": ("bridge.cli.system:doctor", "Check the installation, with a remedy for every problem."),
    "install-prolog": ("bridge.cli.system:install_prolog", "Find or install SWI-Prolog, and build janus against it."),
    "completion": ("bridge.cli.system:completion", "Print the shell completion script for bash, zsh or fish."),
}

#: The headings of `lpbridge --help`, each with its first command.
_HEADINGS = {"run": "Commands", "count": "More about programs", "facts": "Tables, agents, installation"}


@click.group(cls=LazyGroup, table=_COMMANDS, headings=_HEADINGS, outermost=True, context_settings=SETTINGS)
@click.version_option(bridge.__version__, prog_name="lpbridge")
def lpbridge() -> None:
    """Run clingo and SWI-Prolog programs, and find out why they have no answer, several, or this one.

    \b
    lpbridge run queens.lp -c n=8 -n 0            any program, as it is
    lpbridge run rooms.pl --goal 'rooms(X, Y)'    answers, with residual constraints
    lpbridge compare mine.lp yours.pl ...         do they have the same answers?

    Which command for which trouble (of a .pl, with --goal):

    \b
    no answer, or too many     lpbridge diagnose FILE...
    a wrong answer             lpbridge why FILE... ATOM, then
                               lpbridge debug FILE... --unwanted ATOM, or --missing ATOM
    an error, a warning        lpbridge lint FILE...
    it never ends              lpbridge diagnose FILE...
    it is slow, or too large   lpbridge profile FILE...

    A file - is standard input. `lpbridge COMMAND --help` describes a command.
    """


def main() -> None:
    """The entry point: errors become one line on stderr, or one JSON object on stdout under `--json`."""
    streams.guard()
    again_when_lost()
    code = ended(lambda: lpbridge.main(streams.keep_pipes(sys.argv[1:]), prog_name="lpbridge", standalone_mode=False))
    code = code or ended(sys.stdout.flush)
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback for Ctrl-C from here on
    # At exit, Python would search all objects for cycles, for 10 ms.
    gc.freeze()
    sys.exit(code)


__all__ = ["lpbridge", "main"]
