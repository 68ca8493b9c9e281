"""Builds the wheels of a release into dist/: `make wheels`.

    lpbridge-VERSION-py3-none-any.whl          everything in Python
    lpbridge-VERSION-cp3XX-...whl              the same with the imperative search compiled (where there is a compiler)
    lpbridge_prolog-VERSION-cp3XX-...whl       SWI-Prolog and janus for this Python, for Linux

The last one is a private copy of SWI-Prolog (as `lpbridge install-prolog` makes it, from Debian's packages), the
shared libraries that it needs beside glibc, and janus, compiled here. It installs without a compiler, without root and
without apt. Each library finds the others from its own place (`$ORIGIN`), so the folder may be anywhere.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bridge.install import private  # noqa: E402
from bridge.install.janus import REQUIREMENT, STANDARD  # noqa: E402
from bridge.prolog.locate import COMPANION, Installation, find, inspect, show_version  # noqa: E402

#: What every Linux has that runs Python's own wheels (PEP 600); any other library is put into the wheel.
GLIBC = re.compile(r"(linux-vdso|ld-linux[\w-]*|lib(c|m|dl|pthread|rt|util|resolv|gcc_s|crypt))\.so")

#: Parts of the copy that no program needs.
NOT_NEEDED = shutil.ignore_patterns(
    "test", "demo", "include", "cmake", "man", "menu", "texmf", "pkgconfig", "lintian", "*tcmalloc*", "test_*.so",
    "sweep-module.so",
)  # fmt: skip

#: `swipl` asks for another allocator, which would bring the C++ library with it; glibc's does.
ALLOCATOR = "libtcmalloc_minimal.so.4"

LIBRARIES = "usr/lib/lpbridge"

WRAPPER = """\
#!/bin/sh
top=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
export SWI_HOME_DIR="$top/usr/lib/swi-prolog"
exec "$top/{swipl}" "$@"
"""


def call(*command: str, **environment: str) -> str:
    """Run a command; what it printed is shown when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


# lpbridge itself ------------------------------------------------------------------------------------------------------


def own_wheels(target: Path) -> None:
    """The wheel in Python only, and the one with the compiled search unless there is no compiler.

    The latter says which glibc it needs, in place of this Linux: PyPI takes no other.
    """
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(target), str(ROOT)]
    call(*pip, HATCH_BUILD_NO_HOOKS="true")
    with tempfile.TemporaryDirectory() as folder:
        call(*(folder if word == str(target) else word for word in pip))
        (wheel,) = Path(folder).glob("*.whl")
        if wheel.name.endswith("-none-any.whl"):  # no compiler
            return
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(files := Path(folder) / "files")
        (record,) = files.glob("*.dist-info/RECORD")
        record.unlink()
        here = wheel.stem.split("-", 2)[2]
        tag = f"{here.rpartition('-')[0]}-{platform(files)}"
        about = record.with_name("WHEEL")
        about.write_text(about.read_text("utf-8").replace(here, tag), "utf-8")
        packed(files, target / f"{wheel.stem.replace(here, tag)}.whl")


# SWI-Prolog and janus -------------------------------------------------------------------------------------------------


def private_copy(work: Path) -> Installation:
    """The private copy of this machine, or a new one."""
    found = find()
    if found is None or not found.private:
        private.make(work / "made", print)
        found = inspect(work / "made" / "bin" / "swipl")
    return found


def needed_libraries(file: Path, beside: Path) -> dict[str, Path | None]:
    """The shared libraries of a file that a machine may not have, and where they are here, None if nowhere."""
    shown = call("ldd", str(file), LD_LIBRARY_PATH=str(beside))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+|not found)", shown, re.MULTILINE))
    return {
        name: Path(path) if path.startswith("/") else None for name, path in found.items() if not GLIBC.match(name)
    }


def copy_prolog(prolog: Installation, target: Path) -> None:
    """The copy without links, for a wheel has none, and with the libraries that it needs."""
    top = prolog.swipl.parent.parent
    shutil.copytree(top, target, ignore=NOT_NEEDED, ignore_dangling_symlinks=True)
    libraries = target / LIBRARIES
    libraries.mkdir()
    for library in target.rglob("libswipl.so*"):
        library.unlink()
    shutil.copy(prolog.libswipl, libraries / "libswipl.so.9")
    (swipl,) = target.glob("usr/lib/swi-prolog/bin/*/swipl")
    patchelf("--remove-needed", ALLOCATOR, swipl)
    extensions = [*target.glob("usr/lib/swi-prolog/lib/*/*.so")]
    programs = [swipl, libraries / "libswipl.so.9", *extensions]
    for program in programs:
        for name, path in needed_libraries(program, libraries).items():
            if path is None:
                if program not in extensions:
                    sys.exit(f"{program.name} needs {name}, which this machine has not")
                program.unlink()  # a library that lpbridge does not use
                break
            if not (libraries / name).exists():
                shutil.copy(path, libraries / name)
                licence(path, target)
    for program in (*(path for path in programs if path.exists()), *libraries.iterdir()):
        set_search_path(program, os.path.relpath(libraries, program.parent))
    shutil.rmtree(target / "usr" / "bin")
    wrapper = target / "bin" / "swipl"
    wrapper.write_text(WRAPPER.format(swipl=swipl.relative_to(target)), "utf-8")
    wrapper.chmod(0o755)


def licence(library: Path, target: Path) -> None:
    """Put the licence of a library of Debian's beside those of SWI-Prolog."""
    real = library.resolve()
    for path in (real, Path("/usr") / real.relative_to("/"), Path("/") / real.relative_to("/usr")):
        done = subprocess.run(["dpkg", "-S", str(path)], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            package = done.stdout.split(":")[0]
            folder = target / "usr" / "share" / "doc" / package
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path("/usr/share/doc") / package / "copyright", folder)
            return
    sys.exit(f"no package of this machine has {library}: its licence is not known")


def set_search_path(program: Path, libraries: str) -> None:
    """Let a program find its libraries from where it is itself."""
    patchelf("--set-rpath", f"$ORIGIN/{libraries}", program)


def patchelf(*words: object) -> None:
    """patchelf of this environment; the file is the last word."""
    file = Path(str(words[-1]))
    file.chmod(0o755)
    call(str(Path(sys.executable).parent / "patchelf"), *map(str, words))


def add_janus(prolog: Installation, package: Path, work: Path) -> str:
    """janus, compiled for this Python and this copy, beside the package; returns its version."""
    options = ["--no-binary", "janus-swi", "--no-cache-dir", "--no-deps", "--quiet", "--wheel-dir", str(work / "janus")]
    path = os.pathsep.join([str(prolog.swipl.parent), os.environ["PATH"]])
    settings = {"PATH": path, "SWIPL": str(prolog.swipl), "CFLAGS": STANDARD}
    call(sys.executable, "-m", "pip", "wheel", *options, REQUIREMENT, **settings)
    (wheel,) = (work / "janus").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "janus-files")
    janus = package.parent / "janus_swi"
    shutil.copytree(work / "janus-files" / "janus_swi", janus, ignore=shutil.ignore_patterns("*.c"))
    for text in (work / "janus-files").glob("*.dist-info/**/LICENSE*"):
        folder = package / "swi-prolog" / "usr" / "share" / "doc" / "janus-swi"
        folder.mkdir(exist_ok=True)
        shutil.copy(text, folder / "copyright")
    (extension,) = janus.glob("_swipl*.so")
    set_search_path(extension, os.path.relpath(package / "swi-prolog" / LIBRARIES, janus))
    return wheel.name.split("-")[1]


# The wheel ------------------------------------------------------------------------------------------------------------


def companion_wheel(target: Path, version: str) -> Path:
    """The wheel with SWI-Prolog and janus."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prolog = private_copy(work)
        package = work / "wheel" / COMPANION
        package.mkdir(parents=True)
        copy_prolog(prolog, package / "swi-prolog")
        janus = add_janus(prolog, package, work)
        record = {"version": show_version(prolog.version), "janus": janus, "libraries": LIBRARIES}
        (package / "prolog.json").write_text(json.dumps(record) + "\n", "utf-8")
        (package / "__init__.py").write_text('"""SWI-Prolog and janus, as lpbridge finds them."""\n', "utf-8")
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        tag = f"{python}-{python}-{platform(work / 'wheel')}"
        info = work / "wheel" / f"{COMPANION}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {COMPANION.replace('_', '-')}\nVersion: {version}\n"
            f"Summary: SWI-Prolog {record['version']} and janus {janus} for lpbridge, without compiler and root\n"
            f"License: BSD-2-Clause (SWI-Prolog, janus); of its libraries: {COMPANION}/swi-prolog/usr/share/doc\n"
            f"Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*\n"
            "Description-Content-Type: text/plain\n\n"
            "SWI-Prolog and janus, as lpbridge finds them when both packages are in one environment.\n",
            "utf-8",
        )
        (info / "WHEEL").write_text(
            f"Wheel-Version: 1.0\nGenerator: lpbridge\nRoot-Is-Purelib: false\nTag: {tag}\n", "utf-8"
        )
        return packed(work / "wheel", target / f"{COMPANION}-{version}-{tag}.whl")


def platform(folder: Path) -> str:
    """The platform of a wheel: this machine's, and the oldest glibc with which all that is in a folder runs."""
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_").removeprefix("linux_")
    return f"manylinux_{'_'.join(map(str, glibc_of(folder)))}_{machine}"


def glibc_of(folder: Path) -> tuple[int, ...]:
    """The oldest glibc with which all that is in a folder runs: the newest version of a symbol that it asks for."""
    found = {(2, 17)}
    for file in folder.rglob("*"):
        if file.is_file() and file.read_bytes()[:4] == b"\x7fELF":
            versions = re.findall(rb"GLIBC_(2\.\d+)\b", file.read_bytes())
            found |= {tuple(map(int, version.split(b"."))) for version in versions}
    return max(found)


def packed(folder: Path, wheel: Path) -> Path:
    """The folder as a wheel, with its record of hashes; the same files give the same bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    (info,) = folder.glob("*.dist-info")
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            name = path.relative_to(folder).as_posix()
            content = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}\n")
            add(archive, name, content, path.stat().st_mode)
        record = f"{info.name}/RECORD"
        add(archive, record, "".join([*lines, f"{record},,\n"]).encode())
    return wheel


def add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o100644) -> None:
    """Put a file into an archive, with the time that hatchling gives to all files."""
    entry = zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0))
    entry.external_attr = (mode & 0o100755 | 0o644) << 16
    archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="the folder of the wheels (dist)")
    parser.add_argument("--only", choices=["lpbridge", "prolog"], help="one of the two packages")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    if options.only != "prolog":
        own_wheels(options.to)
    if options.only != "lpbridge":
        from bridge import __version__

        companion_wheel(options.to, __version__)
    for wheel in sorted(options.to.glob("*.whl")):
        print(f"{wheel.stat().st_size / 1e6:6.1f} MB  {wheel}")


if __name__ == "__main__":
    main()
