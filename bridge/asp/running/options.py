"""Options of clingo's command line that a question decides, or that do nothing in a library.

How many models there are to be, and which, is part of the question: such an option is followed where the question
leaves it open, and refused otherwise. What was set is read off clingo's own configuration, however it was spelt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bridge.asp.types import Mode
from bridge.errors import BridgeError, InputError, ProgramError, UnsupportedError

_MODELS = "limits=Limits(solutions=5) says how many models (in the shell -n 5)"
#: Options that the clingo command has and its library has not, or ignores; and what there is in their place.
INSTEAD = {
    "Positional Option": _MODELS,
    "compute": "assume literals",
    "enable-python": "leave it out: scripts run in a process of its own",
    "fast-exit": "leave it out",
    "help": "`clingo --help=3` lists the options of the search",
    "mode": "`lpbridge ground` grounds without solving",
    "out-atomf": "use --json",
    "out-hide-aux": "use #show",
    "out-ifs": "use --json",
    "outf": "use --json, or --jsonl",
    "output": "`lpbridge ground --text` prints the ground program",
    "pre": "`lpbridge ground --text` prints the ground program",
    "quiet": "use --count, or --json",
    "text": "`lpbridge ground --text` prints the ground program",
    "time-limit": "limits=Limits(seconds=5) limits the time (in the shell -t 5)",
    "verbose": "leave it out: --json has the statistics",
    "version": "`lpbridge doctor` shows versions",
}
#: Those of them that the library takes, and does nothing with; and those that it takes for others that begin so.
_IGNORED, _TAKEN_FOR_OTHERS = ("output", "verbose"), ("mode", "pre")


class Chosen(NamedTuple):
    """What the options say of the search; clingo's defaults where they say nothing.

    `enum_mode` is `auto`, `bt`, `record`, `domRec`, `brave` or `cautious`; `opt_mode` is `opt`, `optN`, `enum` or
    `ignore`, with bounds: `enum,5`; `solve_limit` is conflicts and restarts.
    """

    enum_mode: str = "auto"
    opt_mode: str = "opt"
    opt_stop: str = "no"
    solve_limit: str = "umax,umax"
    project: str = "no"
    models: str = "-1"
    stats: str = "0"
    opt_given: bool = False

    @property
    def prints_models(self) -> bool:
        """Whether clingo's own program prints models with these options, and nothing else."""
        return self.enum_mode not in ("brave", "cautious") and (not self.opt_given or self.opt_mode == "ignore")

    def check(self) -> None:
        """Refuse what every question decides by itself, with what to use in its place."""
        refused = {
            "--models": (self.models, "-1", _MODELS),
            "--project": (self.project, "no", "project=True projects (in the shell --project)"),
            "--stats": (self.stats, "0", "results have `statistics` (in the shell --json shows them)"),
            "--opt-stop": (self.opt_stop, "no", "optimal() with a limit on seconds keeps the best model found"),
        }
        for name, (value, default, hint) in refused.items():
            if value != default:
                raise InputError(f"the option {name}={value} is not for clingo here", hint=hint)
        if self.enum_mode in ("brave", "cautious"):
            hint = f"{self.enum_mode}() asks for them (in the shell --{self.enum_mode})"
            raise InputError(f"the option --enum-mode={self.enum_mode} is a question of its own", hint=hint)

    def opt_mode_of(self, mode: Mode) -> str:
        """clingo's optimization mode for a question: costs are minimised by `optimal` alone. Refuses another option."""
        word, comma, bounds = self.opt_mode.partition(",")
        if mode in ("optimal", "bounded"):
            if word in ("opt", "optN"):
                return f"optN{comma}{bounds}"
            hint = "models() is for that" if word == "enum" else "leave it out"
        else:
            if word in ("enum", "ignore"):
                return self.opt_mode
            if not self.opt_given:
                return "ignore"
            hint = "optimal() minimises (in the shell --optimal)"
        raise InputError(f"the option --opt-mode={self.opt_mode} contradicts {mode}()", hint=hint)


def chosen(control: Any, options: list[str]) -> Chosen:
    """What the options of a Control say of its search."""
    configuration = control.configuration
    found = {name: getattr(configuration.solve, name) for name in Chosen._fields[:-2]}
    opt_given = any(option.startswith("--opt-m") for option in options)
    return Chosen(**found, stats=configuration.stats, opt_given=opt_given)


def check_ignored(options: list[str]) -> None:
    """Refuse options that clingo's library takes, and does nothing with, or something else."""
    for option in options:
        name = option.partition("=")[0].removeprefix("--") if option.startswith("--") else ""
        short = [ignored for ignored in _IGNORED if len(name) > 2 and ignored.startswith(name)]
        for found in ["verbose"] if option.startswith("-V") else [name] if name in _TAKEN_FOR_OTHERS else short:
            raise UnsupportedError(f"the option {option} has no effect here", hint=INSTEAD[found])


def unknown(error: ProgramError) -> BridgeError:
    """clingo's error about an option, with what there is in its place."""
    quoted = error.message.split("unknown option: ")[-1].strip("'").lstrip("-")
    short = {"h": "help", "q": "quiet", "v": "version", "o": "output"}
    hint = INSTEAD.get(quoted) or INSTEAD.get(short.get(quoted, ""))
    if quoted == "Positional Option":
        return InputError("a number or a file stands among the options", hint=_MODELS)
    if "unknown option" in error.message:
        return InputError(f"clingo's library has no option {quoted!r}", hint=hint or INSTEAD["help"])
    return InputError(error.message.removeprefix("In context '<libclingo>': "), hint=error.hint)
