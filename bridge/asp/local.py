"""clingo in this process: all that touches a `clingo.Control`.

Solving goes on in the calling thread, where the watchdog's `Control.interrupt` stops it: a solver thread (`async_`)
costs a small problem a quarter more. `--forget-on-step=15` throws away what was learnt under the last assumptions,
which accumulates where instances are hard.

`CALLS` in `packing` lists the methods that a program in another process calls. What few programs need (theories, the
syntax tree, derivations) is imported where it is used, so that the others start faster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cached_property, partial
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import clingo

from bridge.asp import _cffi
from bridge.asp.constants import Constants
from bridge.asp.core import ORDERS, Clash, clashes, clashing, smaller
from bridge.asp.decode import is_name
from bridge.asp.functions import Call, Raised, context_of
from bridge.asp.incremental import Steps
from bridge.asp.messages import Messages, bytes_of, in_characters
from bridge.asp.model import Model, More, Printed
from bridge.asp.options import Chosen, check_ignored, chosen, unknown
from bridge.asp.source import TEXT, check, check_options, includes_incmode, may_run, read_file, term
from bridge.asp.symbols import arguments_of, atoms, value_of
from bridge.asp.types import LAST_PART, SWITCH, Assumption, Mentions, Mode, Part, Projection, Source
from bridge.errors import BridgeError, InputError, ProgramError, UnsupportedError
from bridge.isolation.watchdog import Watch
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress

if TYPE_CHECKING:
    from bridge.asp.application import Application
    from bridge.asp.derivation import Firings
    from bridge.asp.externals import Values
    from bridge.asp.ground_rules import GroundRules
    from bridge.asp.names import Switching
    from bridge.asp.outline import Outline, Signature
    from bridge.asp.parsed import Parsed, Reader
    from bridge.asp.results import CaseEnd, Consistent, Core, Grounding
    from bridge.asp.scripts import Scripts
    from bridge.asp.shown import Shown
    from bridge.asp.texts import Printer
    from bridge.asp.theories import Theory
    from bridge.asp.trace import Trace

#: Forget everything that search has learnt (1 variable scores, 2 signs, 4 nogood scores, 8 nogoods) at the next solve.
FORGET = "--forget-on-step=15"

#: A core of more plain facts than these is told only when it has been made smaller.
MOST_NAMED = 1000

#: With more literals than these, a core is made smaller in one order only: a question takes tenths of a second.
MANY = 20_000

#: How a program with switches is searched: restarts by the quality of what is learnt. By a fixed sequence, clasp's
#: default, some programs take ten times as long under assumptions as without (`python -m benchmarks.why --switches`).
RESTARTS = "--restarts=D,100,0.7"

#: How consequences are searched for, unless the options say otherwise: fewer models show all of them when each search
#: begins anew, at the root, by scores that the models before have shaped; for `brave`, atoms are chosen true. A problem
#: with many solutions has its brave consequences after 20 models in place of 60.
_COVERING: dict[str, dict[str, str]] = {
    "brave": {"solver.heuristic": "vsids", "solver.sign_def": "pos", "solver.restart_on_model": "1"},
    "cautious": {"solver.heuristic": "vsids", "solver.restart_on_model": "1"},
}
#: What the names of options that say otherwise begin with.
_STEERING = ("--conf", "--heu", "--sign-d", "--restart-on", "--dom")

T = TypeVar("T")

#: Parts of a program, with arguments as clingo has them.
_Symbols = list[tuple[str, list[clingo.Symbol]]]

_BASE: Part = ("base", ())

#: What a program has that minimises, or that includes a file which may.
_MAY_MINIMIZE = ("#minimi", "#maximi", ":~", "#include")


class _Armed:
    """While this is entered, the solver works: its seconds are counted, and it may be stopped."""

    def __init__(self, watch: Watch, progress: Progress) -> None:
        self._watch, self._seconds = watch, progress.statistics.seconds
        self._seconds.setdefault("solve", 0.0)

    def __enter__(self) -> None:
        self._started = perf_counter()
        self._watch.arm()

    def __exit__(self, *_: object) -> None:
        self._seconds["solve"] += perf_counter() - self._started
        self._watch.disarm()


class Local:
    """One Control, and the program that it was made from.

    Parameters
    ----------
    sources
        Files and texts, in their order.
    options
        Further options of clingo's command line.
    constants
        Values for `#const`, as text.
    switching
        Which rules get switches, if any do.
    theory
        The name of a theory.
    call
        Calls functions of the context.
    scripts
        Gives what runs the program's scripts, when there are any; without it, they are refused.
    reader
        Gives what reads the program, and others with it, when a question needs that.
    tuning
        Options by which models are found faster; consequences are searched for in another way.
    printing
        Whether clingo is to print the models of `printed` itself, where it can: in a worker, which has nothing else to
        print meanwhile.

    Attributes
    ----------
    busy
        True while a search is under way.
    changed
        Whether anything was added, ground or assigned after loading.
    together
        Whether models that are printed wait for others; `printer` has them.
    application
        What prints them instead, if clingo does it itself.
    """

    together = False
    printer: Printer | None = None
    application: Application | None = None

    def __init__(
        self,
        sources: Sequence[Source],
        options: Sequence[str],
        constants: dict[str, str],
        switching: Switching | None = None,
        theory: str | None = None,
        call: Call | None = None,
        scripts: Callable[[], Scripts] | None = None,
        reader: Callable[[], Reader] | None = None,
        tuning: Sequence[str] = (),
        printing: bool = False,
    ) -> None:
        self._switching, self._call = switching, call
        self._make_scripts, self._scripts = scripts, cast("Scripts | None", None)
        self._make_reader = reader or partial(_reader, [*options, *constants_options(constants)], scripts is not None)
        self._sources: tuple[Source, ...] = tuple((kind, source) for kind, source in sources)
        self._open: dict[int, int] | None = None
        self._literals_of: dict[Signature, list[int]] = {}
        self._raised = Raised()
        self._context = self._context_of(call) if call is not None else None
        self._constants = Constants([*constants_options(constants), *options])
        self._theory_name, self._theory_options = theory, list[tuple[str, str]]()
        if theory is not None:
            from bridge.asp.theories import split

            options, self._theory_options = split(theory, options)
        check_ignored(list(options))
        check_options(options)
        self._given = [*constants_options(constants), *options]
        # Among questions about the same rules, what was learnt helps: hard clashes are found in a quarter of the time.
        about_rules = switching is not None and switching.facts is not None
        forget = [] if about_rules or any(option.startswith("--forget") for option in options) else [FORGET]
        self._forgets = not forget  # as the options say
        searched = any(option.startswith(("--restarts", "--no-restarts", "-r", "--config")) for option in options)
        restarts = [RESTARTS] if about_rules and not searched else []
        self._options = [*forget, *restarts, *self._given, *tuning]
        self._steered = any(option.startswith(_STEERING) for option in options)
        self._chosen = Chosen()
        self._loaded: list[tuple[Literal["file", "text"], str, Part]] = []
        self._clash: list[Clash] = []  # of the last search
        self.busy = self._closed = self._searched = self.changed = self._handed = False
        self._incremental = False
        self._stated_externals: dict[str, bool | None] = {}
        # To ask clingo costs as much as to solve a small program.
        self._may_have_theory = self._may_minimize = self._may_have_externals = False
        self._may_hide = any("_" in option for option in options if option.startswith(("-c", "--const")))
        self._exhausted, self._satisfiable = False, cast("bool | None", None)  # of the last solve call
        self._begin()
        started = perf_counter()
        known = [one.text for one in self._parsed()] if about_rules else None
        for number, (kind, source) in enumerate(sources):
            file = TEXT if kind == "text" else source
            if known is not None:  # it was read and checked for all programs of this process
                text = known[number]
                self._enable_scripts(text)
            else:
                text = source if kind == "text" else read_file(source)
                self._check(text, file)
            self._note(kind, source, _BASE, text, file)
            printing = printing and not may_run(text)
        if options:
            self._chosen = chosen(self._control, list(options))
        if printing and theory is None and not self._incremental and self._chosen.prints_models:
            self._apply()
        self._give_all(self._control, self._theory, self._messages)
        self.seconds["load"] += perf_counter() - started
        if options and not self.has_main():
            self._chosen.check()

    def _begin(self) -> None:
        """A new Control, with all that was loaded into the one before; nothing is ground."""
        self._messages = Messages()
        self._ground: set[Part] = set()
        self._steps: Steps | None = None
        self._false: int | None = None
        self._fact: clingo.Symbol | None = None
        self._shown: tuple[int, list[int]] = -1, []  # the facts that are shown, of a program with so many atoms
        self._settings: dict[str, str] = {}  # those that questions change, as they are
        self._usual: dict[str, str] = {}  # what those are that only consequences change
        self._minimizes: bool | None = None
        self._outputs: Shown | None = None
        self._values: Values | None = None
        self._main: Any = None  # what a script's `main` has registered lives as long as its Control
        started = perf_counter()
        if self._scripts is not None:
            self._scripts.begin()
        control, self._theory = self._fresh(self._messages)
        self._use(control)
        self.seconds = {"load": perf_counter() - started}

    def _apply(self) -> None:
        """Take the Control of an application, before anything is loaded."""
        from bridge.asp.application import Application

        with _cffi.logging():
            self.application = Application(self._options, self._messages.log)
        self._use(self.application.control)

    def leave_application(self) -> None:
        """Have a Control that prints nothing: load the program once more, if it has another."""
        if self.application is not None:
            self.application = None
            self._begin()

    def _use(self, control: clingo.Control) -> None:
        self._control = control
        self._search, self._configuration = _cffi.Search(control), _cffi.Settings(control)

    def _fresh(self, messages: Messages) -> tuple[clingo.Control, Theory | None]:
        try:
            with _cffi.logging():
                control = clingo.Control(self._options, logger=messages.log, message_limit=10_000)
        except RuntimeError as error:
            raise unknown(messages.error(str(error))) from None
        theory = None
        if self._theory_name is not None:
            from bridge.asp.theories import Theory

            theory = Theory(self._theory_name, self._theory_options)
            theory.register(control)
        self._give_all(control, theory, messages)
        return control, theory

    def _give_all(self, control: clingo.Control, theory: Theory | None, messages: Messages) -> None:
        """Load the whole program. Of files that come together, those that include the same one have it once."""
        together = self._switching is None and theory is None
        for kind, group in groupby(self._loaded, lambda one: one[0]):
            several = list(group)
            if kind == "file" and together and len(several) > 1:
                lines = [f"#program base. #include {clingo.String(file)}.\n" for _, file, _ in several]
                try:
                    messages.load_files(control, "".join(lines))
                except ProgramError as error:
                    raise self._of_script(error) from None
            else:
                for source in several:
                    self._give(control, theory, messages, *source)

    def _give(
        self,
        control: clingo.Control,
        theory: Theory | None,
        messages: Messages,
        kind: Literal["file", "text"],
        source: str,
        part: Part,
    ) -> None:
        rewrite, switching = theory.rewrite if theory is not None else None, self._switching
        if switching is None and theory is None:
            try:
                messages.load(control, kind, source, part)
            except ProgramError as error:
                raise self._of_script(error) from None
            return
        from bridge.asp.switches import load, load_parsed

        try:
            if switching is not None and switching.facts is not None and (kind, source) in self._sources:
                parsed = self._reader.read(self._sources)[self._sources.index((kind, source))]
                load_parsed(control, parsed, self._chosen_facts(), switching, rewrite, messages)
            else:
                if switching is not None and switching.facts is not None:
                    switching = replace(switching, dropped=())  # added text has places that a source has, too
                load(control, kind, source, part, switching, rewrite, messages)
        except ProgramError as error:
            raise self._of_script(error) from None

    def _chosen_facts(self) -> set[Signature]:
        """The predicates of open facts that cannot be external, since other statements define them, too.

        gringo itself makes an aggregate that is part of a recursion into rules with its atoms in their heads.
        """
        from bridge.asp.statements import aggregated, outline

        facts = set(self._switching.facts or ()) if self._switching is not None else set()
        if not facts:
            return facts
        defined = {head for one in outline(self._parsed()).statements for head in one.heads}
        return facts & defined.union(*(source.computed(aggregated) for source in self._parsed()))

    @cached_property
    def _reader(self) -> Reader:
        """What reads the syntax trees of the sources; made when a question needs them."""
        return self._make_reader()

    def _parsed(self) -> list[Parsed]:
        return self._reader.read(self._sources)

    def _of_script(self, error: ProgramError) -> ProgramError:
        """What a script raised, where clingo reports that as an error of its own."""
        return (self._scripts and self._scripts.take()) or error

    def _note(self, kind: Literal["file", "text"], source: str, part: Part, text: str, file: str = TEXT) -> None:
        """Keep what belongs to the program, to load it whenever a Control is made."""
        self._may_have_theory = self._may_have_theory or "&" in text or "#include" in text
        self._may_minimize = self._may_minimize or any(map(text.__contains__, _MAY_MINIMIZE))
        if not self._may_hide and ("_" in text or "#include" in text or "@" in text):
            from bridge.asp.shown import may_hide

            self._may_hide = may_hide(text, file)
        self._may_have_externals = self._may_have_externals or "#external" in text or "#include" in text
        if not self._ground and self._steps is None:
            self._incremental = self._incremental or includes_incmode(text, file)
        self._loaded.append((kind, source, part))
        self._constants.look(text, file)

    def _check(self, text: str, file: str = TEXT) -> None:
        """Check a text that is about to be loaded, and enable its scripts."""
        check(text, file, scripts=self._make_scripts is not None)
        self._enable_scripts(text)

    def _enable_scripts(self, text: str) -> None:
        if self._make_scripts is not None and self._scripts is None and may_run(text):
            self._scripts = self._make_scripts()
            self._scripts.begin()

    def unknown_constants(self) -> list[str]:
        """The constants that were given values, and are in no program so far."""
        return list(self._constants.unknown)

    def warnings(self) -> list[str]:
        """What clingo remarked up to now."""
        found = self._messages.warnings()
        if self._switching is not None and found:
            from bridge.asp.parsed import placed_warning

            found = [placed_warning(one, self._parsed()) for one in found]
        return [in_characters(one, self._texts) for one in found]

    def _texts(self, name: str) -> list[bytes]:
        """The texts that have a name in clingo's messages."""
        if name in (TEXT, "<string>"):
            return [source.encode("utf-8", "replace") for kind, source, _ in self._loaded if kind == "text"]
        return [data] if (data := bytes_of(name)) is not None else []

    def add(self, text: str, part: str, parameters: Sequence[str]) -> None:
        """Add program text to a part that is not ground yet."""
        self._idle()
        if any(name == part for name, _ in self._ground):
            which = "program" if part == "base" else f"part {part}"
            raise InputError(f"the {which} is ground already", hint="add to it before the first solve")
        self._check(text)
        self.changed = True
        source, of = f"{text}\n", (part, tuple(parameters))
        self._give(self._control, self._theory, self._messages, "text", source, of)
        self._note("text", source, of, text)

    # Grounding

    def ground(self, parts: Sequence[Part]) -> None:
        """Ground `base`, if it is not, and further parts."""
        self._idle()
        if parts and self._is_incremental():
            raise InputError("the program is incremental: it grounds its parts itself", hint="just solve it")
        self.changed = True
        self._ground_base(parts)

    def _ground_base(self, parts: Sequence[Part] = ()) -> None:
        """`base`, and parts with it; in the incremental mode the first step, or all steps at once."""
        if self._last_step is not None and not self._ground:
            steps = Steps(self._control)
            while steps.taken <= self._last_step:
                steps.ground_next(self._ground_parts)
            self._ground_parts([(LAST_PART, ())])
        if not self._is_incremental():
            self._ground_parts([part for part in dict.fromkeys([_BASE, *parts]) if part not in self._ground])
        elif self._steps is None:
            self._steps = Steps(self._control)
            self._remember()
            if self._steps.more(None):
                self._steps.ground_next(self._ground_parts)

    def _remember(self) -> None:
        """What was learnt in one step helps in the next, and is kept, unless the options say otherwise."""
        if not self._forgets:
            cast(Any, self._control.configuration).solver.forget_on_step = "no"

    @property
    def _last_step(self) -> int | None:
        """The step up to which the parts of the program are ground at once."""
        return self._switching.steps if self._switching is not None else None

    def _is_incremental(self) -> bool:
        return self._incremental and self._last_step is None

    def _ground_parts(self, parts: list[Part]) -> None:
        if not parts:
            return
        self._constants.check()
        started = perf_counter()
        symbols = _symbols(parts)
        if self._may_hide and self._outputs is None:
            from bridge.asp.shown import shown

            self._outputs = shown(self._control, self._theory is not None)
        if self._may_have_externals and self._values is None:
            from bridge.asp.externals import Values

            self._values = Values(self._control)
        try:
            with _cffi.logging():
                self._control.ground(symbols, self._context)
        except Exception as error:
            raise self._grounding_error(error, self._messages) from None
        if self._theory is not None:
            self._theory.prepare(self._control)
        if self._may_have_theory and not self._handed:
            from bridge.asp.theories import unconstrained

            for name in unconstrained(self._control, self._theory):
                self._messages.remark(f"no theory gives the atoms &{name} a meaning: the solver chooses them freely")
        self._minimizes = None if self._may_minimize else False
        self._ground.update(parts)
        for atom, value in self._stated_externals.items():
            if (known := self._control.symbolic_atoms[term(atom)]) is not None and known.is_external:
                with _cffi.observed(self._control):
                    self._control.assign_external(known.literal, value)
        self.seconds["ground"] = self.seconds.get("ground", 0.0) + perf_counter() - started

    def _grounding_error(self, error: Exception, messages: Messages) -> Exception:
        """The error to raise where clingo raised another one while it ground."""
        found = self._raised.check(error)
        if found is not error or not isinstance(error, RuntimeError):
            return found
        return self._of_script(messages.error(str(error)))

    def _context_of(self, call: Call) -> Any:
        def script(name: str) -> Any:  # scripts are enabled by the first text that has one
            return self._scripts and self._scripts.function(name)

        return context_of(call, value_of, term, script, self._raised)

    def control(self) -> clingo.Control:
        """clingo's own Control, with all that was loaded."""
        self._idle()
        self._handed = self.changed = True
        return self._control

    def _beside(self, ground: Callable[[clingo.Control, _Symbols], T]) -> T:
        """What a function makes of the program, which it grounds once more, by a Control of its own."""
        self._idle()
        self._constants.check()
        messages = Messages()
        control, theory = self._fresh(messages)
        try:
            with _cffi.logging():
                return ground(control, _symbols([_BASE]))
        except Exception as error:
            raise self._grounding_error(error, messages) from None
        finally:
            del control, theory  # in this order: the propagator is the theory's
            self._messages.adopt(messages)

    def grounding(self, limits: Limits, progress: Progress) -> Iterator[Grounding]:
        """Ground the program once more, and count what comes out."""
        from bridge.asp.grounding import measure

        def counted(control: clingo.Control, parts: _Symbols) -> Grounding:
            if self._incremental:
                Steps(control)
                parts = [*parts, *_symbols([("check", ("0",))])]
            return measure(control, parts, limits, self._context)

        found = self._beside(counted)
        progress.complete = True
        yield found

    def ground_facts(self) -> list[str]:
        """The atoms that are facts, as program text."""
        self._idle()
        self._ground_base()
        return [f"{atom.symbol}." for atom in self._control.symbolic_atoms if atom.is_fact]

    def assign_external(self, atom: str, value: bool | None) -> None:
        """Make an external atom true, false or open."""
        symbol = self._external(atom)
        with _cffi.observed(self._control):
            self._control.assign_external(symbol, value)

    def release_external(self, atom: str) -> None:
        """Make an external atom false for good."""
        symbol = self._external(atom)
        with _cffi.observed(self._control):
            self._control.release_external(symbol)

    def state_externals(self, values: dict[str, bool | None]) -> None:
        """As `assign_external`, when they are ground; atoms that are not external then are left out."""
        self._stated_externals |= values

    def free_externals(self, signatures: Sequence[Signature]) -> list[tuple[str, int, bool]]:
        """The external atoms of some predicates that are true or false, as clingo writes them: the literal of each, and
        its value. From now on they are open.
        """
        self._ground_base()
        found: list[tuple[str, int, bool]] = []
        for name, arity in signatures:
            positive = not name.startswith("-")
            for atom in self._control.symbolic_atoms.by_signature(name.removeprefix("-"), arity, positive):
                if not atom.is_external or self._values is None:
                    continue
                text = str(atom.symbol)
                value = self._values.of.get(atom.literal) if text not in self._stated_externals else None
                value = self._stated_externals.get(text, value)
                if value is not None:
                    found.append((text, atom.literal, value))
                    with _cffi.observed(self._control):
                        self._control.assign_external(atom.literal, None)
        return found

    def _external(self, text: str) -> clingo.Symbol:
        self._idle()
        if self._is_incremental():
            raise InputError("the program is incremental: each search begins it anew", hint="assume literals instead")
        self.changed = True
        self._ground_base()
        symbol = term(text)
        atom = self._control.symbolic_atoms[symbol] if symbol.type is clingo.SymbolType.Function else None
        if atom is None or not atom.is_external:
            raise InputError(f"{text} is not an external atom", hint="declare it with #external, and ground its part")
        return symbol

    def literals(self, name: str, arity: int) -> dict[tuple[Any, ...], int]:
        """The literal of each atom of a predicate (with a minus sign for a negated one)."""
        self._idle()
        self._ground_base()
        atoms_of = _cffi.atoms(self._control, name.removeprefix("-"), arity, not name.startswith("-"))
        found = [one for one in atoms_of if one[1]]  # 0 is that of an atom for which no rule is left
        arguments = arguments_of([number for number, _ in found])
        return {row: literal for row, (_, literal) in zip(arguments, found, strict=True)}

    def mentions(self, name: str, arity: int) -> Mentions:
        """The atoms of a predicate that the rules under each switch are about; see `Program.mentions`."""
        from bridge.asp.mentions import mentions

        context = self._context
        found, others = self._beside(lambda fresh, parts: mentions(fresh, parts, context, name, arity, SWITCH))
        named = {key: list(arguments_of(symbols)) for key, symbols in found.items()}
        keys = dict(zip(named, arguments_of(named), strict=True))
        return [(keys[key], rows) for key, rows in named.items()], [list(arguments_of(symbols)) for symbols in others]

    def ground_rules(self, answer: str) -> GroundRules:
        """The rules of the ground program; see `Program.ground_rules`."""
        from bridge.asp.recorder import ground_rules

        context, read = self._context, atoms.__getitem__
        return self._beside(lambda fresh, parts: ground_rules(fresh, parts, context, read, answer))

    def outline(self) -> Outline:
        """What the program consists of."""
        from bridge.asp.statements import outline

        return outline(self._reader.read((kind, source) for kind, source, _ in self._loaded))

    def open_facts(self, some: Sequence[int | str] | None) -> list[tuple[str, int]]:
        """The plain facts that are open, as clingo writes them, and the literal of each; or those of some."""
        self._idle()
        facts, symbols = self._facts(), self._control.symbolic_atoms
        if some is None:
            literals: Sequence[int] = list(facts)
        else:
            atoms = (one if isinstance(one, int) else symbols[term(one)] for one in some)
            found = (one if isinstance(one, int) else one.literal for one in atoms if one is not None)
            literals = [literal for literal in found if literal in facts]
        return [(str(_cffi.symbol_of(facts[literal])), literal) for literal in literals]

    def _block(self, name: str, arity: int, but: Sequence[int] = ()) -> list[int]:
        """The literals of an `OpenBlock`."""
        self._facts()
        literals, away = self._literals_of[name, arity], set(but)
        return [one for one in literals if one not in away] if away else literals

    def _facts(self) -> dict[int, int]:
        """The plain facts that are open: the literal of each, and its symbol."""
        from bridge.asp.outline import plain

        self._ground_base()
        if self._open is None:
            self._open, self._literals_of = {}, {}
            some, chosen = self._switching.some if self._switching else None, self._chosen_facts()
            stated = {plain(text) for one in self._parsed() for text in one.facts.texts} if chosen else set()
            for signature in dict.fromkeys((self._switching and self._switching.facts) or ()):
                if some is None:
                    found = dict(self._open_of(signature, stated if signature in chosen else None))
                else:
                    found = dict(self._open_among(some, signature))
                self._literals_of[signature] = list(found)
                self._open |= found
        return self._open

    def _open_of(self, signature: Signature, stated: set[str] | None) -> Iterator[tuple[int, int]]:
        """The open facts of a predicate; of one that rules derive, too, only what facts state."""
        for number, literal in _cffi.atoms(self._control, *signature, True):
            if stated is None or (self._open_literal(symbol := _cffi.symbol_of(number)) and str(symbol) in stated):
                yield literal, number

    def _open_among(self, some: Sequence[str], signature: Signature) -> Iterator[tuple[int, int]]:
        """Those that are among some."""
        for symbol in map(term, some):
            if (symbol.name, len(symbol.arguments)) == signature and (literal := self._open_literal(symbol)):
                yield literal, _cffi.ids_of([symbol])[0]

    def _open_literal(self, symbol: clingo.Symbol) -> int:
        """The literal of an atom that is not a fact of the ground program; 0 for others."""
        atom = self._control.symbolic_atoms[symbol]
        return 0 if atom is None or atom.is_fact else atom.literal

    def trace(self, atom: str, holds: bool, possible: bool, assuming: Sequence[Assumption], optimal: bool) -> Trace:
        """Why an atom holds in an answer set, or does not; see `Program.trace`."""
        from bridge.asp.trace import Trace

        self._idle()
        if self._is_incremental():
            raise UnsupportedError("the program is incremental: there is no derivation of its atoms")
        self._ground_base()
        symbol = self._atom_of(atom)
        literals = self._literals(assuming)
        if not possible:
            literals.append(self._literal(atom if holds else f"not {atom}"))
        self._configure("auto", "opt" if optimal else "ignore", False, 0 if optimal else 1)
        model: list[clingo.Symbol] | None = None
        with self._control.solve(yield_=True, assumptions=literals) as handle:
            for found in handle:
                model = list(found.symbols(atoms=True))
        if model is None:
            return Trace(None)
        firings = self._possible_firings() if possible else self._firings(model)
        atoms = tuple(map(str, model))
        if holds:
            steps = tuple(firings.derivation(symbol))
            derivations, every = firings.derivations(symbol) if steps else ([], True)
            several = tuple(map(tuple, derivations)) if len(derivations) > 1 or not every else ()
            steps = min(steps, *several[:1], key=len) if several else steps
            return Trace(atoms, steps, several, every, theory=firings.theory)
        missing = tuple(firings.missing(str(symbol)))
        if not possible or symbol in self._control.symbolic_atoms:
            return Trace(atoms, missing=missing, theory=firings.theory)
        support, ends = firings.support(str(symbol))
        return Trace(atoms, missing=missing, support=tuple(support), ends=tuple(ends), theory=firings.theory)

    def unsupported(self, places: Sequence[str]) -> Trace:
        """What is missing for the first atom that constraints demand and nothing derives; see `Program.unsupported`."""
        from bridge.asp.trace import Trace

        self._idle()
        if self._is_incremental():
            return Trace(None)
        self._ground_base()
        firings = self._possible_firings()
        for atom in firings.demanded(places):
            support, ends = firings.support(atom)
            return Trace(None, support=tuple(support), ends=tuple(ends), wanted=atom)
        return Trace(None)

    def _possible_firings(self) -> Firings:
        """The firings among all atoms that are possible as far as gringo sees."""
        atoms = list(self._control.symbolic_atoms)
        return self._firings([one.symbol for one in atoms if one.is_fact], [one.symbol for one in atoms])

    def _firings(self, atoms: Sequence[clingo.Symbol], possible: Sequence[clingo.Symbol] = ()) -> Firings:
        from bridge.asp.derivation import Firings

        sources: list[Source] = [(kind, source) for kind, source, _ in self._loaded]
        return Firings(sources, atoms, self._plain_control, possible, _symbols(list(self._ground)))

    def _plain_control(self) -> clingo.Control:
        return clingo.Control([*self._given, "--warn=none"], logger=lambda *_: None)

    # Solving

    def has_main(self) -> bool:
        """Do the program's scripts define `main`, which grounds and solves in place of clingo?"""
        return self._last_step is None and self._scripts is not None and self._scripts.entry is not None

    def main(self, models: int | None, limits: Limits, progress: Progress, show: Callable[[Model], object]) -> None:
        """Run the `main` of the program's scripts; `show` gets the models of its solve calls."""
        if self._searched:
            self._begin()
        if self._scripts is None or (entry := self._scripts.entry) is None:
            raise UnsupportedError("no script of the program defines main(prg)", hint="models() solves it")
        # Another module: a process that runs no scripts needs none of it.
        from bridge.asp.scripts import Main, Stopped

        self._searched = True
        self._remember()
        if models is not None:
            cast(Any, self._control.configuration).solve.models = str(models)
        statistics, exhausted = progress.statistics, True
        statistics.seconds.update(self.seconds)

        def take(model: clingo.Model) -> None:
            ids = [*_cffi.ids(model), *_cffi.ids_of(model.symbols(theory=True))]
            cost, priorities = tuple(model.cost), tuple(model.priority)
            show(Model(ids, atoms, cost, priorities, model.optimality_proven, More(control.calls - 1)))

        def finished(result: clingo.SolveResult) -> None:
            nonlocal exhausted
            exhausted = exhausted and _cffi.ended(result).exhausted
            statistics.counters["steps"] = control.calls

        control = self._main = Main(self._control, take, finished, self._context)
        self._idle()
        self.busy, started = True, perf_counter()
        try:
            with Watch(control.stop, limits.seconds) as watch, watch.armed():
                entry(control)
                progress.complete = exhausted
        except Stopped:
            progress.limit, progress.rung = watch.fired, watch.rung
        except MemoryError:
            raise
        except BaseException as error:
            raise self._raised.check(self._error_of_main(error, self._scripts)) from None
        finally:
            self.busy = False
            statistics.spend("solve", started)

    def _error_of_main(self, error: BaseException, scripts: Scripts) -> BridgeError:
        if isinstance(error, BridgeError):
            return error
        if (raised := scripts.take()) is not None:  # by a function that clingo called
            return raised
        if isinstance(error, RuntimeError) and self._messages.failed:
            return self._messages.error(str(error))
        return scripts.error(error)

    def printed(
        self, mode: Mode, assuming: Sequence[Assumption], project: Projection, limits: Limits, progress: Progress
    ) -> Iterator[Printed]:
        """The same as `search` as text, for models that are only printed."""
        if self._incremental or self._scripts is not None:  # which was added
            self.leave_application()
        if self.application is not None:
            yield from cast("Iterator[Printed]", self.search(mode, assuming, project, limits, progress))
            return
        from bridge.asp.texts import Printer

        self.printer = Printer(self.together)
        try:
            yield from cast("Iterator[Printed]", self.search(mode, assuming, project, limits, progress))
        finally:
            self.printer = None

    def search(
        self, mode: Mode, assuming: Sequence[Assumption], project: Projection, limits: Limits, progress: Progress
    ) -> Generator[Model, None, None]:
        """Models as they are found. In `brave` and `cautious` the last is the answer; in `optimal` those `proved`.

        `first` is for a reader of one model: a process of its own does not find others meanwhile.
        `count` yields none: how many there are is in the counter `models` of the statistics.
        """
        if self.has_main():
            raise UnsupportedError("the main(prg) of a script solves this program", hint="Program.main() runs it")
        enum_mode = mode if mode in ("brave", "cautious") else self._chosen.enum_mode
        with self._searching(limits.seconds, progress) as watch:
            more = self._first_round(progress)
            while more:
                literals = self._literals(assuming)
                if not {*map(type, assuming)} <= {int, str}:
                    assuming = literals  # blocks have several
                if mode == "optimal" and self._theory is not None and self._theory.minimizes:
                    yield from self._least(literals, assuming, watch, progress)
                elif mode == "count":
                    self._count(literals, project, limits, watch, progress)
                else:
                    most = 1 if mode == "first" and self._steps is None else 0
                    if self.application is not None and limits.solutions is not None:
                        most = limits.solutions + 1  # or there are no others
                    self._configure(enum_mode, self._chosen.opt_mode_of(mode), project, most)
                    if mode in ("brave", "cautious") and self._theory is None:
                        yield from self._consequences(literals, assuming, watch, progress)
                    elif self.application is not None:
                        yield cast("Any", Printed([]))  # what clingo warns of is sent before answers
                        self._print_all(self.application, literals, assuming, watch, progress)
                    else:
                        yield from self._solve(literals, assuming, mode, watch, progress)
                more = self._steps is not None and self._another_round(self._steps, watch, progress)

    @contextmanager
    def _searching(self, seconds: float | None, progress: Progress) -> Iterator[Watch]:
        """While this is entered, a search is under way, which the watch can stop; afterwards, how it ended is known."""
        self._idle()
        self.busy = True
        try:
            # An incremental program may get a new Control meanwhile.
            with Watch(lambda: self._control.interrupt(), seconds) as watch:
                progress.stop = watch.end
                yield watch
                self._finish(watch, progress)
        finally:
            self.busy = False

    def cases(
        self, name: str, cases: Sequence[Sequence[int]], models: int, conflicts: int, limits: Limits, progress: Progress
    ) -> Iterator[Model | CaseEnd]:
        """The models in each of several cases, those that show the same once; after those of each, how it ended.

        In a case, the atoms `name(N)` of its numbers are true, and the other ones false.
        """
        from bridge.asp.results import CaseEnd

        literals = [(row[0], literal) for row, literal in self.literals(name, 1).items()]
        if self._may_have_theory and next(iter(self._control.theory_atoms), None) is not None:
            raise UnsupportedError("a theory atom may mean something else under an assumption", hint="one by one")
        statistics, opt_mode = progress.statistics, self._chosen.opt_mode_of("models")
        seconds, counters = dict[str, float](), dict[str, int]()
        with self._searching(limits.seconds, progress) as watch:
            self._first_round(progress)
            for numbers in cases:
                true = set(numbers)
                assumed = [literal if number in true else -literal for number, literal in literals]
                self._configure(self._chosen.enum_mode, opt_mode, "show", models, conflicts)
                yield from self._solve(assumed, assumed, "models", watch, progress)
                if watch.fired is not None:
                    break
                spent = {one: now - seconds.get(one, 0.0) for one, now in statistics.seconds.items()}
                counted = {one: now - counters.get(one, 0) for one, now in statistics.counters.items()}
                yield CaseEnd(self._exhausted, {one: it for one, it in spent.items() if it}, counted)
                seconds, counters = dict(statistics.seconds), dict(statistics.counters)
            self._exhausted = watch.fired is None

    def _least(
        self, literals: list[int], assuming: Sequence[Assumption], watch: Watch, progress: Progress
    ) -> Iterator[Model]:
        """The models that a theory finds better and better; proved, the last of them, or all as good as it."""
        theory = self._theory
        assert theory is not None

        def solve(models: int, bound: int | None = None) -> Iterator[Model]:
            with theory.bounded(self._control, bound):
                self._configure(self._chosen.enum_mode, "ignore", False, models)
                yield from self._solve(literals, assuming, "improve", watch, progress)
            if self._minimizes:
                hint = "leave the one or the other out"
                raise UnsupportedError(f"#minimize and what {theory.name} minimises are two objectives", hint=hint)

        best = None
        if theory.variable is None:
            for best in solve(0):
                yield best
            if best is not None and self._exhausted:
                progress.remark = f"{theory.name} finds one optimal model"
                yield best.as_proved()
            return
        bound = theory.initial
        while found := list(solve(1, bound)):
            best = found[0]
            bound = best.cost[0] - 1
            yield best
        if best is not None and self._exhausted:
            for model in solve(0, best.cost[0]):
                yield model.as_proved()

    def consistent(self, assuming: Sequence[Assumption], seconds: float | None) -> Consistent:
        """Whether there is an answer set, or None; the core if there is none; the limit that came first."""
        progress = Progress()
        found = self.search("models", assuming, False, Limits(seconds=seconds), progress)
        with closing(found):
            if next(found, None) is not None:
                return True, [], None
        if progress.complete:
            if len(self._clash) > MOST_NAMED:  # nearly all of them are there because of their order
                self._clash = smaller(self._clash, self._core_of, ORDERS)
            return False, self.core(False), None
        return None, [], progress.limit

    def few_models(self, assuming: Sequence[Assumption], conflicts: int, seconds: float | None) -> tuple[int, bool]:
        """How many answer sets that show different atoms are found in so many conflicts, at most two; are these all?"""
        progress = Progress()
        with self._searching(seconds, progress) as watch:
            self._first_round(progress)
            self._configure(self._chosen.enum_mode, self._chosen.opt_mode_of("count"), "show", 2, conflicts)
            literals = self._literals(assuming)
            with watch.armed():
                result = self._called(self._control.solve, literals)
        return _cffi.numbers(self._control, *_cffi.ENUMERATED)[0], _cffi.ended(result).exhausted

    def clashing_switches(self, seconds: float | None) -> list[tuple[str, list[str]]]:
        """Switches that clash: of each the key, and the values; none where a limit comes first."""
        self._ground_base()
        of = {literal: number for number, literal in _cffi.atoms(self._control, SWITCH, 2, True)}
        satisfiable, _, _ = self.consistent(list(of), seconds)
        if satisfiable is not False:
            return []
        core = smaller(self._clash, self._core_of, ORDERS)
        keys = (_cffi.symbol_of(of[literal]).arguments for literal, _ in core)
        return [(key.string, list(map(str, values.arguments))) for key, values in keys]

    def clashes(
        self,
        assumed: Sequence[Any],  # numbers, and blocks as plain data
        rules: Sequence[int],
        most_rules: int,
        limits: Limits,
        progress: Progress,
    ) -> Iterator[Core]:
        """Cores of some literals, better and better; the last is a small one from which nothing can be left out.

        None of what can hold together, and of what is not worth telling (`MOST_NAMED`).

        Parameters
        ----------
        assumed
            Literals, and blocks of open facts.
        rules
            Those of the literals that are rules.
        most_rules
            With more rules than these, single ones are tried only when they are in the first core.
        """
        from bridge.asp.results import Core

        facts = self._facts()
        literals: list[int] = []
        for one in assumed:
            literals += [one] if isinstance(one, int) else self._block(*one)
        deadline, met, calls, chosen = Deadline(limits.seconds), set[int](), 0, set(rules)

        def ask(some: Sequence[int]) -> tuple[bool | None, Sequence[int]]:
            nonlocal calls
            calls += 1
            if progress.limit is not None:
                return None, ()
            satisfiable, found, progress.limit = self.consistent(some, deadline.remaining())
            core = cast("list[int]", found)
            met.update(literal for literal in core if literal not in facts)
            return satisfiable, core

        def near(core: Sequence[int]) -> Iterator[list[int]]:
            among = [one for one in core if one in chosen]  # these first: they are the likely ones
            if len(chosen) <= most_rules:
                among = list(dict.fromkeys([*among, *(one for one in literals if one in chosen)]))
            given = [one for one in literals if one not in chosen]
            return ([*given, one] for one in among[:most_rules])

        def size(core: Sequence[int]) -> tuple[int, int]:
            return len(core), sum(one in chosen for one in core)

        def found(core: Sequence[int], minimal: bool) -> Core:
            named = [one for one in core if one in facts]
            if not minimal and len(named) > MOST_NAMED:
                core, named = (), []
            names = {one: str(_cffi.symbol_of(facts[one])) for one in named}
            return Core(satisfiable, tuple(core), minimal, tuple(sorted(met)), calls, names)

        satisfiable: bool | None = None
        core: Sequence[int] = ()
        minimal = False
        for core, minimal in clashes(literals, ask, near, size, patience=2 if len(literals) < MANY else 0):
            satisfiable = False
            yield found(core, minimal)
        if satisfiable is None and progress.limit is None:
            satisfiable = True
        yield found(core, minimal)  # with all that was met
        progress.complete = progress.limit is None

    def core(self, refine: bool) -> list[Assumption]:
        """The assumptions of the last search that clash, when it found nothing."""
        self._idle()
        clash = smaller(self._clash, self._core_of) if refine else self._clash
        return [assumption for _, assumption in clash]

    def _core_of(self, literals: list[int]) -> list[int]:
        # A few conflicts are enough to leave out what has nothing to do with it; no second search.
        self._configure("auto", "ignore", False, 1, conflicts=100)
        search = self._search
        try:
            search.start(literals)
            return search.core() if search.result().unsatisfiable else []
        finally:
            search.close()

    # A program is solved once, or in the incremental mode once a step.

    def _first_round(self, progress: Progress) -> bool:
        """Ground what is not ground yet; whether there is anything to solve."""
        if self._steps is not None and self._searched:
            if self._handed:
                hint = "solve it once, or make a new one"
                raise UnsupportedError("an incremental program gets another Control for each search", hint=hint)
            self._begin()  # what was grounded for later steps stands in the way of the first
        if _BASE not in self._ground:
            self._ground_base()
        self._searched = self._exhausted = True
        self._clash, self._satisfiable = [], None
        progress.statistics.seconds.update(self.seconds)
        return self._steps is None or self._count_steps(self._steps, progress)

    def _another_round(self, steps: Steps, watch: Watch, progress: Progress) -> bool:
        """Ground the next step, if there is one to solve after this round."""
        if not steps.more(self._satisfiable):
            return False
        if watch.expired:
            self._exhausted, watch.fired = False, watch.fired or "seconds"
        if not self._exhausted:
            return False
        steps.ground_next(self._ground_parts)
        progress.statistics.seconds.update(self.seconds)
        return self._count_steps(steps, progress)

    @staticmethod
    def _count_steps(steps: Steps, progress: Progress) -> bool:
        if steps.taken:
            progress.statistics.counters["steps"] = steps.taken
        return steps.taken > 0

    def _finish(self, watch: Watch, progress: Progress) -> None:
        if self._exhausted:
            progress.complete = progress.remark is None  # a theory may not have found all that are as good
        elif watch.fired is not None:
            progress.limit, progress.rung = watch.fired, watch.rung
        elif self._chosen.solve_limit != Chosen().solve_limit and progress.limit is None:
            progress.remark = "the option --solve-limit ended the search"

    def _configure(self, enum_mode: str, opt_mode: str, project: Projection, models: int, conflicts: int = 0) -> None:
        projection = _PROJECTIONS.get(project, "no")
        if enum_mode in _COVERING:
            projection = "show"  # otherwise they are those of what #project names
        elif project and self._outputs is not None:
            projection = self._outputs.projection(projection)
        settings = {
            "solve.enum_mode": enum_mode,
            "solve.opt_mode": opt_mode,
            "solve.project": projection,
            "solve.models": str(models),
            "solve.solve_limit": str(conflicts) if conflicts else self._chosen.solve_limit,
            **self._usual,
        }
        if enum_mode in _COVERING and not self._steered:
            settings |= _COVERING[enum_mode]
            for path in _COVERING[enum_mode].keys() - self._usual.keys():
                self._usual[path] = self._configuration.get(path)
        if settings != self._settings:
            for path, value in settings.items():
                if self._settings.get(path) != value:
                    self._configuration.set(path, value)
            self._settings = settings

    # A search is one call of the solver, or one for each model. Each leaves how it ended in `_exhausted` and
    # `_satisfiable`.

    def _called(self, solve: Callable[..., T], *arguments: Any) -> T:
        try:
            return solve(*arguments)
        except RuntimeError as error:
            raise self._messages.error(str(error)) from None

    def _result(self, search: _cffi.SearchPublic, literals: list[int], assuming: Sequence[Assumption]) -> _cffi.Ended:
        """How a search ended; of one without an answer set, what clashes is kept."""
        result = search.result()
        if result.unsatisfiable:
            self._clash = clashing(search.core(), literals, assuming)
        return result

    def _over(self, result: _cffi.Ended, watch: Watch, found: bool) -> bool:
        """Whether a search has ended: a stop that came after the end of an earlier one ends it before it began."""
        self._exhausted, self._satisfiable = result.exhausted, result.satisfiable
        return not result.interrupted or watch.fired is not None or found

    def _once(self, solve: Callable[[], tuple[_cffi.Ended, bool]], watch: Watch, progress: Progress) -> None:
        """A search that is one call, which gives how it ended, and whether anything was found."""
        armed, over = _Armed(watch, progress), False
        self._exhausted = False
        while not over:
            with armed:
                result, found = solve()
            over = self._over(result, watch, found)

    def _consequences(
        self, literals: list[int], assuming: Sequence[Assumption], watch: Watch, progress: Progress
    ) -> Generator[Model, None, None]:
        """The last model, which has the consequences: those before it are not read.

        clingo 5.8 leaves all facts out of the consequences when none is shown, but also of some programs where they
        are. They are then added (`_shown_facts`); shown terms with a condition that is a fact are not.
        """
        search, fact = self._search, self._some_fact()
        found, facts = cast("Sequence[int] | None", None), cast("list[int] | None", [])

        def exhaust() -> tuple[_cffi.Ended, bool]:
            nonlocal found, facts
            try:
                found = self._called(search.exhaust, literals)
                result = self._result(search, literals, assuming)
                lacking = found is not None and fact is not None and not search.contains(fact)
            finally:
                search.close()
            self._add_counters(progress)  # the search for an answer set has counters of its own
            if lacking:
                facts = self._shown_facts(literals)
                found = [*(facts or ()), *(found or ())]
            return result, found is not None

        try:
            self._once(exhaust, watch, progress)
        except KeyboardInterrupt:
            if found is not None:
                progress.waiting.append(_model(found, self._step()))
            raise
        self._exhausted = self._exhausted and facts is not None
        if found is not None:
            yield _model(found, self._step())

    def _some_fact(self) -> clingo.Symbol | None:
        """An atom that is a fact of the ground program."""
        atoms = self._control.symbolic_atoms
        if self._fact is None or (known := atoms[self._fact]) is None or not known.is_fact:
            self._fact = next((atom.symbol for atom in atoms if atom.is_fact), None)
        return self._fact

    def _shown_facts(self, literals: list[int]) -> list[int] | None:
        """The facts that are shown as atoms; None when the search for an answer set was interrupted.

        They are the same in all answer sets, so one is looked at until more is ground.
        """
        search, atoms = self._search, self._control.symbolic_atoms
        size, shown = self._shown
        if size == len(atoms):
            return shown
        self._configure("auto", "ignore", False, 1)
        search.start(literals)
        try:
            if (model := search.model()) is None:
                return None
            terms = set(model.symbols(terms=True))
            symbols = [symbol for symbol in model.symbols(shown=True) if symbol not in terms]
        finally:
            search.close()
        facts = [symbol for symbol in symbols if (atom := atoms[symbol]) is not None and atom.is_fact]
        self._shown = len(atoms), _cffi.ids_of(facts)
        return self._shown[1]

    def _step(self) -> More | None:
        return None if self._steps is None else More(self._steps.taken - 1)

    def _solve(
        self,
        literals: list[int],
        assuming: Sequence[Assumption],
        mode: Mode | Literal["improve"],
        watch: Watch,
        progress: Progress,
    ) -> Generator[Model, None, None]:
        more = self._step()
        search, read = self._reading(mode, more)
        if self.printer is not None:
            read = self.printer.reader(read, more)
        armed, found, result = _Armed(watch, progress), False, None
        self._exhausted = False
        while result is None or not self._over(result, watch, found):
            begun = False
            try:
                while True:
                    model = None
                    try:
                        with armed:
                            if not begun:
                                self._called(search.start, literals)
                                begun = True
                            if (model := read()) is None:
                                result = self._result(search, literals, assuming)
                    except KeyboardInterrupt:
                        if model is not None:
                            progress.waiting.append(_model(model, more))
                        raise
                    if model is None:
                        break
                    found = True
                    yield _model(model, more)
                    if watch.expired:
                        watch.fired = watch.fired or "seconds"
                        search.cancel()
                        result = search.result()
                        break
            finally:
                search.close()
                if begun:
                    self._add_counters(progress)

    def _print_all(
        self,
        application: Application,
        literals: list[int],
        assuming: Sequence[Assumption],
        watch: Watch,
        progress: Progress,
    ) -> None:
        """The same by clingo itself: the application has what is printed."""

        def run() -> tuple[_cffi.Ended, bool]:
            with application.printing():
                try:
                    self._called(self._search.run, literals)
                    result = self._result(self._search, literals, assuming)
                finally:
                    self._search.close()
            self._add_counters(progress)
            (found,) = _cffi.numbers(self._control, *_cffi.ENUMERATED)
            application.check(found)
            return result, found > 0

        self._once(run, watch, progress)

    def _reading(
        self, mode: Mode | Literal["improve"], more: More | None
    ) -> tuple[_cffi.SearchPublic, Callable[[], Any]]:
        """What searches, and the function that goes on to the next model."""
        if self._theory is None:
            return self._search, _optimal_reader(self._search) if mode == "optimal" else self._search.read
        search = self._search
        if mode == "improve":
            search = _cffi.SearchPublic(self._control, self._theory.on_model)
        return search, _theory_reader(search, mode, self._theory, more)

    def _count(
        self, literals: list[int], project: Projection, limits: Limits, watch: Watch, progress: Progress
    ) -> None:
        counters = progress.statistics.counters
        before = counters.setdefault("models", 0)
        opt_mode = self._chosen.opt_mode_of("count")
        most = 0 if limits.solutions is None else limits.solutions - before
        self._configure(self._chosen.enum_mode, opt_mode, project, most)

        def count() -> tuple[_cffi.Ended, bool]:
            result = self._called(self._control.solve, literals)
            counters["models"] += _cffi.numbers(self._control, *_cffi.ENUMERATED)[0]
            self._add_counters(progress)
            return _cffi.ended(result), False

        self._once(count, watch, progress)
        if not self._exhausted and counters["models"] == limits.solutions:
            progress.limit = "solutions"

    def _add_counters(self, progress: Progress) -> None:
        counters = progress.statistics.counters
        for name, number in zip(_cffi.COUNTERS, _cffi.numbers(self._control, *_cffi.COST), strict=True):
            counters[name] = counters.get(name, 0) + number
        if self._minimizes is None:  # once for each ground program
            self._minimizes = _cffi.numbers(self._control, *_cffi.MINIMIZED) != [0]
        objective = self._minimizes or (self._theory is not None and self._theory.minimizes)
        if objective and self._settings["solve.opt_mode"] == "ignore":
            counters["minimize"] = 1

    def _literals(self, assuming: Sequence[Assumption]) -> list[int]:
        if {*map(type, assuming)} <= {int}:  # hundreds, where rules are switches
            return cast("list[int]", list(assuming))
        literals: list[int] = []
        for one in assuming:
            if isinstance(one, str):
                literals.append(self._literal(one))
            else:
                literals += [one] if isinstance(one, int) else self._block(*one)
        return literals

    def _literal(self, assumption: str) -> int:
        text = assumption.strip()
        positive = not text.startswith("not ")
        symbol = self._atom_of(assumption)
        atom = self._control.symbolic_atoms[symbol]
        # An atom that the grounder never met, or found to be false, has no literal.
        literal = (atom.literal if atom is not None else 0) or self._never()
        return literal if positive else -literal

    def _atom_of(self, assumption: str) -> clingo.Symbol:
        """The atom of a literal."""
        try:
            symbol = term(assumption.strip().removeprefix("not ").strip())
            if symbol.type is not clingo.SymbolType.Function or not is_name(symbol.name):
                raise InputError("it is not an atom", hint="write it as in `queen(1,5)` or `not queen(1,5)`")
        except InputError as error:
            raise InputError(f"`{assumption}` is not a literal: {error.message}", hint=error.hint) from None
        return symbol

    def _never(self) -> int:
        if self._false is None:
            with self._control.backend() as backend:
                self._false = int(backend.add_atom())
                # Without a statement of its own, clasp gives its number to an auxiliary atom, as a bounded choice of
                # seven has them: then it may be true.
                backend.add_rule([], [self._false])
        return self._false

    def _idle(self) -> None:
        if self._closed:
            raise InputError("the program is closed", hint="make a new one")
        if self.busy:
            raise InputError("a search of this program is still open", hint="use it up or close it first")

    def close(self) -> None:
        """Free the Control."""
        if self.busy:
            raise BridgeError("a search of this program is still open", hint="close the stream of models first")
        if not self._closed:
            self._closed = True
            self.application = None  # it keeps its Control
            del self._main, self._search, self._configuration, self._control, self._theory  # in this order


def _reader(options: Sequence[str], scripts: bool) -> Reader:
    from bridge.asp.parsed import Reader

    return Reader(options, scripts)


def constants_options(constants: dict[str, str]) -> list[str]:
    """Values for `#const` as options."""
    return [f"--const={name}={value}" for name, value in constants.items()]


def _symbols(parts: list[Part]) -> _Symbols:
    return [(name, [term(argument) for argument in arguments]) for name, arguments in parts]


_PROJECTIONS = {True: "auto", "show": "show", "project": "project"}


def _model(found: Any, more: More | None) -> Any:
    if type(found) is Printed:
        return found
    if type(found) is not Model:  # isinstance takes longer: Model is a Mapping
        return Model(found, atoms, (), (), False, more)
    found._more = found._more or more
    return found


def _optimal_reader(search: _cffi.SearchPublic) -> Callable[[], Model | None]:
    """A function that goes on to the next model, with its cost."""

    def read() -> Model | None:
        model = search.model()
        if model is None:
            return None
        cost = tuple(model.cost)
        # Without anything to minimise clingo proves nothing, and every answer set is as good as any other.
        return Model(_cffi.ids(model), atoms, cost, tuple(model.priority), model.optimality_proven or not cost)

    return read


def _theory_reader(
    search: _cffi.SearchPublic,
    mode: Mode | Literal["improve"],
    theory: Theory,
    more: More | None,
) -> Callable[[], Model | None]:
    """The same with the assignment of a theory; with `improve` each model costs less by the theory's own objective."""
    from bridge.asp.theories import HIDDEN

    step = None if more is None else more.step
    consequences = mode in ("brave", "cautious")

    def read() -> Model | None:
        model = search.model()
        if model is None:
            return None
        ids = [number for number in _cffi.ids(model) if not atoms[number][0].startswith(HIDDEN)]
        details = more if consequences else More(step, theory.assignment(model.thread_id))
        cost: tuple[int, ...] = ()
        if mode == "improve":
            cost = (theory.cost(model),)
        elif mode == "optimal":
            cost = tuple(model.cost)
            return Model(ids, atoms, cost, tuple(model.priority), model.optimality_proven or not cost, details)
        return Model(ids, atoms, cost, (0,) * len(cost), False, details)

    return read
