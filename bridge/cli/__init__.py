"""The command `lpbridge`: parse the arguments, call one function, print the result.

Exit codes: 0 the command did its work, whatever the verdict; 1 it did not (an expectation not met, engines that
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
from bridge.cli.failures import ended
from bridge.common.lazy import load

#: Each command, the place where it is defined, and its line in `lpbridge --help`. It is imported when it is used.
_COMMANDS = {
    "check": ("bridge.puzzles.cli.check:check", "Has a puzzle or program one solution, several or none? What is open?"),
    "solve": ("bridge.puzzles.cli.solve:solve", "Print solutions as they are found."),
    "residual": (
        "bridge.puzzles.cli.residual:residual",
        "Print open cells, their possible values, and the constraints on them.",
    ),
    "grade": ("bridge.puzzles.cli.grade:grade", "How hard is a puzzle: which techniques solve it without search?"),
    "diagnose": ("bridge.cli.diagnose:diagnose", "Why has a program or puzzle no solution, or several? How to fix it?"),
    "why": ("bridge.cli.why:why", "Why does an atom hold, or not? Why is the cost no lower? Why this answer?"),
    "explain": ("bridge.puzzles.cli.explain:explain", "Solve a puzzle step by step, each step with its reasons."),
    "draw": ("bridge.puzzles.cli.draw:draw", "Draw a puzzle or a result: SVG, PNG, PDF or text."),
    "sheet": ("bridge.puzzles.cli.sheet:sheet", "Set puzzles on pages to be printed, with grades and answers."),
    "generate": ("bridge.puzzles.cli.generate:generate", "Make new puzzles with exactly one solution."),
    "count": ("bridge.puzzles.cli.count:count", "Count solutions or answer sets, exactly or as a lower bound."),
    "convert": (
        "bridge.puzzles.cli.convert:convert",
        "Write puzzles in another format: ipuz, .puz, game IDs, links, facts.",
    ),
    "csp": (
        "bridge.puzzles.cli.csp:csp",
        "Print a puzzle, or what a goal posts, as a CSP: variables, domains, constraints.",
    ),
    "compare": ("bridge.cli.compare:compare", "Compare engines on puzzles, or any programs: where do they differ?"),
    "mutate": ("bridge.cli.mutate:mutate", "Change an encoding's rules one at a time: do its tests notice?"),
    "serve": (
        "bridge.puzzles.cli.serve:serve",
        "The workbench in the browser: draw or paste a puzzle and have it analysed.",
    ),
    "batch": ("bridge.puzzles.cli.batch:batch", "Run one command on many puzzles, with all cores or a cluster."),
    "run": ("bridge.cli.run:run", "Run any .lp or .pl program, as it is."),
    "ground": ("bridge.cli.ground:ground", "Ground a program: its facts, its text, its size."),
    "engines": ("bridge.puzzles.cli.listings:engines", "List the engines and their abilities."),
    "puzzles": ("bridge.puzzles.cli.listings:puzzles", "List the puzzles and their options."),
    "report": ("bridge.puzzles.cli.report:report", "Reproduce the student reports that the puzzles come from."),
    "doctor": ("bridge.cli.system:doctor", "Check the installation, with a remedy for every problem."),
    "install-prolog": ("bridge.cli.system:install_prolog", "Find or install SWI-Prolog, and build janus against it."),
    "completion": ("bridge.cli.completion:completion", "Print the shell completion script for bash, zsh or fish."),
}


class _Commands(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = load(_COMMANDS[cmd_name][0])
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word in _COMMANDS or word.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        from bridge.common.languages import SUFFIXES

        near = get_close_matches(word, _COMMANDS, 1)
        meant = f"run {word}" if word.endswith(tuple(SUFFIXES)) else near[0] if near else ""
        hint = f" (do you mean `lpbridge {meant}`?)" if meant else ""
        raise click.UsageError(f"No such command {word!r}{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(bridge.__version__, prog_name="lpbridge")
def lpbridge() -> None:
    """Run clingo and SWI-Prolog programs, find out why they have no answer or several, and analyse puzzles.

    \b
    lpbridge run queens.lp -c n=8 -n 0            any program, as it is
    lpbridge run rooms.pl --goal 'rooms(X, Y)'    answers, with residual constraints
    lpbridge diagnose timetable.lp monday.lp      which rules and facts clash
    lpbridge why timetable.lp 'at(art,3)'         what forces an atom, or forbids it
    lpbridge compare mine.lp yours.pl ...         do they have the same answers?
    \b
    lpbridge check sudoku puzzle.txt              unique, ambiguous or impossible?
    lpbridge diagnose sudoku puzzle.txt           what clashes, what is open, what to change
    lpbridge explain sudoku puzzle.txt            step by step, with reasons
    lpbridge residual sudoku puzzle.txt -e clpfd  what propagation leaves open
    lpbridge generate sudoku --size 9             a new one
    lpbridge compare sudoku *.txt -e asp,clpfd    engines side by side

    In place of `sudoku` any kind of puzzle may stand (`lpbridge puzzles`), or the path of its file. A file - is
    standard input. `lpbridge COMMAND --help` describes a command.
    """


def main() -> None:
    """The entry point: errors become one line on stderr, or one JSON object on stdout under `--json`."""
    streams.guard()
    code = ended(lambda: lpbridge.main(prog_name="lpbridge", standalone_mode=False))
    code = code or ended(sys.stdout.flush)
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback for Ctrl-C from here on
    # At exit, Python would search all objects for cycles, for 10 ms.
    gc.freeze()
    sys.exit(code)


__all__ = ["lpbridge", "main"]
