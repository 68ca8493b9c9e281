"""A clingo program that is loaded and ground in this process: its Control, and what that was made from.

What few programs need (theories, the syntax tree) is imported where it is used, so that the others start faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import clingo

from bridge.asp import internals
from bridge.asp.functions import Call, Raised, context_of
from bridge.asp.reading.constants import Constants
from bridge.asp.reading.messages import Messages, in_characters, texts_of_file
from bridge.asp.reading.source import TEXT, check, check_options, includes_incmode, may_run, read_file, term
from bridge.asp.running.core import Clash
from bridge.asp.running.incremental import Steps
from bridge.asp.running.options import Chosen, check_ignored, chosen, unknown
from bridge.asp.symbols import value_of
from bridge.asp.types import LAST_PART, SWITCH, Part, Source
from bridge.errors import BridgeError, InputError, ProgramError
from bridge.limits import Limits
from bridge.outcome import Progress

if TYPE_CHECKING:
    from bridge.asp.reading.names import Switching
    from bridge.asp.reading.outline import Signature
    from bridge.asp.reading.parsed import Parsed, Reader
    from bridge.asp.reading.scripts import Scripts
    from bridge.asp.reading.shown import Shown
    from bridge.asp.results import Grounding
    from bridge.asp.running.application import Application
    from bridge.asp.running.theories import Theory

#: Forget everything that search has learnt (1 variable scores, 2 signs, 4 nogood scores, 8 nogoods) at the next solve.
FORGET = "--forget-on-step=15"

#: How a program with switches is searched: restarts by the quality of what is learnt. By a fixed sequence, clasp's
#: default, some programs take ten times as long under assumptions as without (`python -m benchmarks.why --switches`).
RESTARTS = "--restarts=D,100,0.7"

#: What the names of options begin with that say how consequences are searched for.
_STEERING = ("--conf", "--heu", "--sign-d", "--restart-on", "--dom")

T = TypeVar("T")

#: Parts of a program, with arguments as clingo has them.
Symbols = list[tuple[str, list[clingo.Symbol]]]

BASE: Part = ("base", ())

#: What a program has that minimises, or that includes a file which may.
_MAY_MINIMIZE = ("#minimi", "#maximi", ":~", "#include")


class Loaded:
    """One Control, and the program that it was made from.

    Parameters
    ----------
    sources
        Files and texts, in their order.
    options
        Options of clingo's command line, values for `#const` first.
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
    application
        What prints models, if clingo does it itself.
    """

    application: Application | None = None

    def __init__(
        self,
        sources: Sequence[Source],
        options: Sequence[str],
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
        self._make_reader = reader or partial(_reader, options, scripts is not None)
        self._sources: tuple[Source, ...] = tuple((kind, source) for kind, source in sources)
        self._open: dict[int, int] | None = None
        self._literals_of: dict[Signature, list[int]] = {}
        self._raised = Raised()
        self._context = self._context_of(call) if call is not None else None
        self._constants = Constants(options)
        self._theory_name, self._theory_options = theory, list[tuple[str, str]]()
        if theory is not None:
            from bridge.asp.running.theories import split

            options, self._theory_options = split(theory, options)
        check_ignored(list(options))
        check_options(options)
        self._given = list(options)
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
        self.busy = self._closed = self._searched = self._handed = False
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
            self._note(kind, source, BASE, text, file)
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
        self._values: _Values | None = None
        self._main: Any = None  # what a script's `main` has registered lives as long as its Control
        started = perf_counter()
        if self._scripts is not None:
            self._scripts.begin()
        control, self._theory = self._fresh(self._messages)
        self._use(control)
        self.seconds = {"load": perf_counter() - started}

    def _apply(self) -> None:
        """Take the Control of an application, before anything is loaded."""
        from bridge.asp.running.application import Application

        with internals.logging():
            self.application = Application(self._options, self._messages.log)
        self._use(self.application.control)

    def leave_application(self) -> None:
        """Have a Control that prints nothing: load the program once more, if it has another."""
        if self.application is not None:
            self.application = None
            self._begin()

    def _use(self, control: clingo.Control) -> None:
        self._control = control
        self._search = internals.Search(control)

    def _fresh(self, messages: Messages) -> tuple[clingo.Control, Theory | None]:
        try:
            with internals.logging():
                control = clingo.Control(self._options, logger=messages.log, message_limit=10_000)
        except RuntimeError as error:
            raise unknown(messages.error(str(error))) from None
        theory = None
        if self._theory_name is not None:
            from bridge.asp.running.theories import Theory

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
        try:
            if switching is None and theory is None:
                messages.load(control, kind, source, part)
                return
            from bridge.asp.reading.parsed import read_whole
            from bridge.asp.reading.switches import load

            if switching is None or switching.facts is None:
                parsed = read_whole(kind, source, part)
            elif (kind, source) in self._sources:
                parsed = self._parsed()[self._sources.index((kind, source))]
            else:
                parsed = read_whole(kind, source, part)
                switching = replace(switching, dropped=())  # added text has places that a source has, too
            load(control, parsed, self._chosen_facts() if parsed.facts else set(), switching, rewrite, messages)
        except ProgramError as error:
            raise self._of_script(error) from None

    def _chosen_facts(self) -> set[Signature]:
        """The predicates of open facts that cannot be external, since other statements define them, too.

        gringo itself makes an aggregate that is part of a recursion into rules with its atoms in their heads.
        """
        from bridge.asp.reading.statements import aggregated, outline

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
        return (self._scripts and self._scripts.take(self._texts)) or error

    def _note(self, kind: Literal["file", "text"], source: str, part: Part, text: str, file: str = TEXT) -> None:
        """Keep what belongs to the program, to load it whenever a Control is made."""
        self._may_have_theory = self._may_have_theory or "&" in text or "#include" in text
        self._may_minimize = self._may_minimize or any(map(text.__contains__, _MAY_MINIMIZE))
        if not self._may_hide and ("_" in text or "#include" in text or "@" in text):
            from bridge.asp.reading.shown import may_hide

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

    def has_main(self) -> bool:
        return self._last_step is None and self._scripts is not None and self._scripts.entry is not None

    def unknown_constants(self) -> list[str]:
        """The constants that were given values, and are in no program so far."""
        return list(self._constants.unknown)

    def warnings(self) -> list[str]:
        return [in_characters(one, self._texts) for one in self._messages.warnings()]

    def _texts(self, name: str) -> list[bytes]:
        """The texts that have a name in clingo's messages."""
        if name in (TEXT, "<string>"):
            return [source.encode("utf-8", "replace") for kind, source, _ in self._loaded if kind == "text"]
        return texts_of_file(name)

    def add(self, text: str, part: str, parameters: Sequence[str]) -> None:
        self._idle()
        if any(name == part for name, _ in self._ground):
            which = "program" if part == "base" else f"part {part}"
            raise InputError(f"the {which} is ground already", hint="add to it before the first solve")
        self._check(text)
        source, of = f"{text}\n", (part, tuple(parameters))
        self._give(self._control, self._theory, self._messages, "text", source, of)
        self._note("text", source, of, text)

    def ground(self, parts: Sequence[Part]) -> None:
        self._idle()
        if parts and self._is_incremental():
            raise InputError("the program is incremental: it grounds its parts itself", hint="just solve it")
        self._ground_base(parts)

    def _ground_base(self, parts: Sequence[Part] = ()) -> None:
        """`base`, and parts with it; in the incremental mode the first step, or all steps at once."""
        if self._last_step is not None and not self._ground:
            steps = Steps(self._control)
            while steps.taken <= self._last_step:
                steps.ground_next(self._ground_parts)
            self._ground_parts([(LAST_PART, ())])
        if not self._is_incremental():
            self._ground_parts([part for part in dict.fromkeys([BASE, *parts]) if part not in self._ground])
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
        symbols = symbols_of(parts)
        if self._may_hide and self._outputs is None:
            from bridge.asp.reading.shown import Shown

            self._outputs = Shown(self._control, SWITCH if self._theory is None else "__")  # a theory's own atoms
        if self._may_have_externals and self._values is None:
            self._values = _Values(self._control)
        try:
            with internals.logging():
                self._control.ground(symbols, self._context)
        except Exception as error:
            raise self._grounding_error(error, self._messages) from None
        if self._theory is not None:
            self._theory.prepare(self._control)
        if self._may_have_theory and not self._handed:
            from bridge.asp.running.theories import unconstrained

            for name in unconstrained(self._control, self._theory):
                self._messages.remark(f"no theory gives the atoms &{name} a meaning: the solver chooses them freely")
        self._minimizes = None if self._may_minimize else False
        self._ground.update(parts)
        for atom, value in self._stated_externals.items():
            if (known := self._control.symbolic_atoms[term(atom)]) is not None and known.is_external:
                with internals.observed(self._control):
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
        self._idle()
        self._handed = True
        return self._control

    def _beside(self, ground: Callable[[clingo.Control, Symbols], T]) -> T:
        """What a function makes of the program, which it grounds once more, by a Control of its own."""
        self._idle()
        self._constants.check()
        messages = Messages()
        control, theory = self._fresh(messages)
        try:
            with internals.logging():
                return ground(control, symbols_of([BASE]))
        except Exception as error:
            raise self._grounding_error(error, messages) from None
        finally:
            del control, theory  # in this order: the propagator is the theory's
            self._messages.adopt(messages)

    def grounding(self, limits: Limits, progress: Progress) -> Iterator[Grounding]:
        from bridge.asp.running.grounding import measure

        def counted(control: clingo.Control, parts: Symbols) -> Grounding:
            if self._incremental:
                Steps(control)
                parts = [*parts, *symbols_of([("check", ("0",))])]
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
        symbol = self._external(atom)
        with internals.observed(self._control):
            self._control.assign_external(symbol, value)

    def release_external(self, atom: str) -> None:
        symbol = self._external(atom)
        with internals.observed(self._control):
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
                    with internals.observed(self._control):
                        self._control.assign_external(atom.literal, None)
        return found

    def _external(self, text: str) -> clingo.Symbol:
        self._idle()
        if self._is_incremental():
            raise InputError("the program is incremental: each search begins it anew", hint="assume literals instead")
        self._ground_base()
        symbol = term(text)
        atom = self._control.symbolic_atoms[symbol] if symbol.type is clingo.SymbolType.Function else None
        if atom is None or not atom.is_external:
            raise InputError(f"{text} is not an external atom", hint="declare it with #external, and ground its part")
        return symbol

    def _idle(self) -> None:
        if self._closed:
            raise InputError("the program is closed", hint="make a new one")
        if self.busy:
            raise InputError("a search of this program is still open", hint="use it up or close it first")

    def close(self) -> None:
        if self.busy:
            raise BridgeError("a search of this program is still open", hint="close the stream of models first")
        if not self._closed:
            self._closed = True
            self.application = None  # it keeps its Control
            del self._main, self._search, self._control, self._theory  # in this order


class _Values(clingo.Observer):
    """The values that `#external` statements give to their atoms, by literal, which clingo does not tell; None: open.

    An atom that is declared again has the value of the first statement.
    """

    def __init__(self, control: clingo.Control) -> None:
        self.of: dict[int, bool | None] = {}
        control.register_observer(self)

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self.of.setdefault(atom, None if value is clingo.TruthValue.Free else value is clingo.TruthValue.True_)


def _reader(options: Sequence[str], scripts: bool) -> Reader:
    from bridge.asp.reading.parsed import Reader

    return Reader(options, scripts)


def symbols_of(parts: list[Part]) -> Symbols:
    return [(name, [term(argument) for argument in arguments]) for name, arguments in parts]
