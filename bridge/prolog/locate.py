"""Finds SWI-Prolog and loads it into Python.

Terms:

- An **installation** is a `swipl` that is new enough, with its home folder and its shared library.
- The **record** is a note in the Python environment, written by `lpbridge install-prolog`: the installation that
  janus was compiled against. With it, `import_janus` starts no process.
- A **private copy** is a SWI-Prolog in a folder of its own, with nothing installed in the system.
- The **companion** is the package `lpbridge-prolog`: a private copy and a janus for it, in a wheel (`make wheels`).

    >>> find()
    Installation(version=(9, 2, 9), swipl=PosixPath('/usr/bin/swipl'), ...)
    >>> import_janus().query_once("X is 6*7")["X"]
    42

Every use of Prolog imports this module, so its own expensive imports are inside functions.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from bridge.as_json import Json, Key
from bridge.errors import MissingSolverError

#: The oldest version that janus supports.
MINIMUM = (9, 1, 12)

#: The Prolog libraries that lpbridge uses; a distribution may package some of them separately.
LIBRARIES = ("clpfd", "time", "sandbox", "plunit")

#: The hint of every error about a missing solver.
HINT = "run: lpbridge install-prolog"

#: A file at the top of a private copy, written last: a folder without it is not a private copy, or incomplete.
MARKER = "lpbridge-prefix.json"

#: The package with a SWI-Prolog and a janus of its own.
COMPANION = "lpbridge_prolog"

Version = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Installation(Json):
    """A usable SWI-Prolog."""

    version: Version  #: As three numbers.
    swipl: Path  #: The executable, or the wrapper script of a private copy.
    home: Path  #: The folder with `boot.prc` and the libraries.
    libswipl: Path  #: The shared library that janus is linked with.
    private: bool  #: True for a copy that `install-prolog` made.

    def exists(self) -> bool:
        """Whether its files still exist. No process is started."""
        return self.swipl.is_file() and (self.home / "boot.prc").is_file() and self.libswipl.is_file()

    _json = (
        Key("version", str, lambda self: show_version(self.version)),
        Key("swipl", str, lambda self: str(self.swipl)),
        Key("home", str, lambda self: str(self.home)),
        Key("libswipl", str, lambda self: str(self.libswipl)),
        "private",
    )


def show_version(version: Version) -> str:
    return ".".join(map(str, version))


def parse_version(text: str) -> Version | None:
    """The version in a package's version string (`9.2.9+dfsg-1+b1`, `1:9.3.20`), None where there is none."""
    match = re.match(r"(?:\d+:)?(\d+)\.(\d+)\.(\d+)", text.strip())
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def private_folder() -> Path:
    """The default folder of a private copy: `$LPBRIDGE_HOME`, the XDG data folder, or the usual data folder."""
    if home := os.environ.get("LPBRIDGE_HOME"):
        return Path(home).expanduser().absolute() / "swi-prolog"
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser().absolute() / "lpbridge" / "swi-prolog"


# Finding ---------------------------------------------------------------------------------------------------------


def find() -> Installation | None:
    """The SWI-Prolog to use: `$LPBRIDGE_SWIPL`, else the companion, else `swipl` on PATH, else the private copy.

    The copy that janus was compiled against comes before the one in the usual folder.

    Raises MissingSolverError when `$LPBRIDGE_SWIPL` is set to something unusable: there is no fallback.
    """
    return look()[0]


def look(prefix: Path | None = None) -> tuple[Installation | None, list[str]]:
    """As `find`, with the rejected candidates and the reasons, one line each."""
    if chosen := os.environ.get("LPBRIDGE_SWIPL"):
        try:
            return inspect(Path(chosen).expanduser().absolute()), []
        except MissingSolverError as error:
            raise MissingSolverError(
                f"LPBRIDGE_SWIPL is set, but {error.message}", hint="correct it, or unset it"
            ) from None

    if prefix is None and (packaged := companion()):
        return packaged, []
    passed_over: list[str] = []
    for swipl in _places(prefix):
        try:
            return inspect(swipl), passed_over
        except MissingSolverError as error:
            passed_over.append(error.message)
    return None, passed_over


def _places(prefix: Path | None) -> list[Path]:
    """The candidates, best first."""
    places = []
    if on_path := shutil.which("swipl"):
        places.append(Path(on_path).absolute())
    if prefix is None and (recorded := read_record()) and recorded.private:
        places.append(recorded.swipl)  # made with `install-prolog --prefix`
    own = prefix or private_folder()
    if (own / MARKER).is_file():
        places.append(own / "bin" / "swipl")
    return list(dict.fromkeys(places))


def companion() -> Installation | None:
    """The SWI-Prolog of the companion package in this environment, None without it. No process is started."""
    entry = _companion_entry()
    if entry is None:
        return None
    folder, described = entry
    prefix = folder / "swi-prolog"
    version = parse_version(described["version"])
    library = prefix / described["libraries"] / "libswipl.so.9"
    assert version is not None
    return Installation(version, prefix / "bin" / "swipl", prefix / "usr/lib/swi-prolog", library, private=True)


def _companion_entry() -> tuple[Path, dict[str, str]] | None:
    """The folder of the companion package, and its description: versions and the folder of the shared libraries."""
    from importlib.util import find_spec

    spec = find_spec(COMPANION)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    return folder, json.loads((folder / "prolog.json").read_text("utf-8"))


def inspect(swipl: Path) -> Installation:
    """The installation of an executable, which is run for some ten milliseconds.

    Raises MissingSolverError if it does not run, is too old, or has no shared library; the message says which.
    """
    import subprocess

    try:
        done = subprocess.run(
            [str(swipl), "--dump-runtime-variables"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingSolverError(f"{swipl} does not run: {error}", hint=HINT) from None
    values = runtime_variables(done.stdout)
    number = values.get("PLVERSION", "")
    if done.returncode != 0 or not number.isdigit():
        output = (done.stderr or done.stdout).strip().splitlines()
        raise MissingSolverError(
            f"{swipl} does not say its version: {output[-1] if output else 'no output'}", hint=HINT
        )
    version = (int(number) // 10000, int(number) // 100 % 100, int(number) % 100)
    if version < MINIMUM:
        raise MissingSolverError(
            f"{swipl} is SWI-Prolog {show_version(version)}, older than {show_version(MINIMUM)}", hint=HINT
        )
    libswipl = values.get("PLLIBSWIPL", "")
    if not libswipl or not Path(libswipl).is_file():
        raise MissingSolverError(f"{swipl} has no shared library (libswipl), which Python needs", hint=HINT)
    private = (swipl.parent.parent / MARKER).is_file()
    installation = Installation(version, swipl, Path(values.get("PLBASE", "")), Path(libswipl), private)
    if not installation.exists():
        raise MissingSolverError(f"{swipl} has no boot file in its home {installation.home}", hint=HINT)
    return installation


def runtime_variables(text: str) -> dict[str, str]:
    """The output of `swipl --dump-runtime-variables` (lines such as `PLVERSION="90209";`)."""
    return dict(re.findall(r'^(\w+)="(.*)";?$', text, re.MULTILINE))


# The record ------------------------------------------------------------------------------------------------------


def record_path() -> Path:
    """In the environment, because it is about the environment's janus."""
    return Path(sys.prefix) / "share" / "lpbridge" / "prolog.json"


def read_record() -> Installation | None:
    """The recorded installation if all of it is still there, else None."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        entry = json.loads(record_path().read_text("utf-8"))
        version = parse_version(str(entry["version"]))
        swipl, home, libswipl = (Path(entry[name]) for name in ("swipl", "home", "libswipl"))
        if version is not None:
            recorded = Installation(version, swipl, home, libswipl, bool(entry["private"]))
            return recorded if recorded.exists() else None
    return None


def write_record(installation: Installation) -> None:
    """Note what janus was compiled against. Written atomically: another process may read it."""
    path = record_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        fresh.write_text(json.dumps(installation.to_json(), indent=2) + "\n", "utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


# Loading ---------------------------------------------------------------------------------------------------------


def current() -> Installation:
    """The installation that janus is to be loaded with: the chosen one, else the recorded one, else the one found.

    Raises MissingSolverError when there is none.
    """
    chosen = os.environ.get("LPBRIDGE_SWIPL")
    if not chosen and (packaged := companion()):
        return packaged
    recorded = read_record()
    if recorded and (not chosen or Path(chosen).expanduser().absolute() == recorded.swipl):
        return recorded
    found, passed_over = look()
    if found is None:
        raise MissingSolverError("; ".join(["SWI-Prolog is not installed", *passed_over]), hint=HINT)
    return found


def import_janus() -> ModuleType:
    """The module `janus_swi`, with Prolog started in this process.

    Raises MissingSolverError when one of these is missing, they do not belong together, or the loader refused them.
    """
    if loaded := sys.modules.get("janus_swi"):
        return loaded
    try:
        os.getcwd()
    except FileNotFoundError:  # SWI-Prolog would print an error of its own
        hint = "go to another folder"
        raise MissingSolverError("SWI-Prolog does not start in a folder that is gone", hint=hint) from None
    installation = current()
    check_built_for(installation)
    # libswipl reads it once, when it starts. It is put back because it would mislead another swipl started from here.
    before = os.environ.get("SWI_HOME_DIR")
    os.environ["SWI_HOME_DIR"] = str(installation.home)
    try:
        import janus_swi
    except (ImportError, OSError, RuntimeError) as error:
        raise MissingSolverError(f"janus does not load: {error}", hint=HINT) from error
    finally:
        if before is None:
            del os.environ["SWI_HOME_DIR"]
        else:
            os.environ["SWI_HOME_DIR"] = before
    module: ModuleType = janus_swi
    return module


def janus_extension() -> Path | None:
    """The compiled part of janus in this environment, None when janus is not installed."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from importlib.util import find_spec

    spec = find_spec("janus_swi")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for suffix in EXTENSION_SUFFIXES:
            if (path := Path(folder) / f"_swipl{suffix}").is_file():
                return path
    return None


def installed_janus() -> Path:
    """The compiled part of janus; MissingSolverError when janus is not installed."""
    extension = janus_extension()
    if extension is None:
        raise MissingSolverError("janus (the Python package janus-swi) is not installed", hint=HINT)
    return extension


def check_built_for(installation: Installation) -> None:
    """Make sure that janus would run with this installation's library, before anything of it is started.

    A libswipl that starts with the home of another one ends the process, so this cannot be tried and caught.
    """
    extension = installed_janus()
    try:
        linked = linked_libswipl(extension)
    except OSError as error:
        raise MissingSolverError(f"janus does not load: {error}", hint=HINT) from None
    if linked is not None and not linked.samefile(installation.libswipl):
        raise MissingSolverError(
            f"janus was built against {linked}, but SWI-Prolog's library is {installation.libswipl}", hint=HINT
        )


def linked_libswipl(extension: Path) -> Path | None:
    """The libswipl that the system's loader gives to janus; None if the loader cannot say.

    Raises OSError when the loader finds none; its text says what it looked for.
    """
    import ctypes

    class Found(ctypes.Structure):
        _fields_ = (
            ("file", ctypes.c_char_p),
            ("base", ctypes.c_void_p),
            ("symbol", ctypes.c_char_p),
            ("address", ctypes.c_void_p),
        )

    # The flags that janus itself loads with: Prolog's own extensions need libswipl's symbols.
    library = ctypes.CDLL(str(extension), mode=ctypes.RTLD_GLOBAL)
    found = Found()
    try:
        known = ctypes.CDLL(None).dladdr(ctypes.cast(library.PL_initialise, ctypes.c_void_p), ctypes.byref(found))
    except (AttributeError, TypeError):
        return None
    return Path(os.fsdecode(found.file)).resolve() if known and found.file else None


def describe_janus() -> dict[str, str]:
    """Load janus and say what it is. Run in a process of its own: a libswipl that is broken ends the process."""
    from importlib.metadata import PackageNotFoundError, version

    janus = import_janus()
    try:
        janus_version = version("janus-swi")
    except PackageNotFoundError:  # the companion's
        entry = _companion_entry()
        janus_version = entry[1]["janus"] if entry else "unknown"
    number = int(janus.query_once("current_prolog_flag(version, V)")["V"])
    return {
        "janus": janus_version,
        "extension": str(janus_extension()),
        "swi_prolog": show_version((number // 10000, number // 100 % 100, number % 100)),
    }


__all__ = ["HINT", "MINIMUM", "Installation", "find", "import_janus"]
