"""`lpbridge install-prolog`, `lpbridge doctor` and `lpbridge completion`: the machine and its shell."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from bridge.cli.shared import exit_code, json_option, print_json


@click.command("install-prolog")
@click.option("--yes", "-y", is_flag=True, help="Agree to installing the distribution's package with root's rights.")
@click.option("--prefix", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Where a private copy goes, should one be needed [default: ~/.local/share/lpbridge/swi-prolog].")
@click.option("--remove", "removing", is_flag=True, help="Remove the private copy, and the record of it.")
@json_option
def install_prolog(yes: bool, prefix: Path | None, removing: bool, as_json: bool) -> None:
    """Install SWI-Prolog and janus, its interface to Python.

    An installed SWI-Prolog from 9.1.12 on is used as it is. Otherwise the distribution's package (apt, dnf, brew) is
    installed if it is new enough, after asking if that needs root. Otherwise, on Debian and Ubuntu, Debian's packages
    are unpacked into a folder of your own, without root and without changing the system. Then janus is compiled, which
    needs a C compiler and Python's headers.

    Running it again is harmless: it finds what is installed. It can be stopped at any time and started again.
    --remove takes the private copy away again. janus is a package of Python (`pip uninstall janus-swi`), and a package
    of the distribution is its own matter (`apt remove swi-prolog-nox`).

    \b
    LPBRIDGE_SWIPL           the swipl to use, no other
    LPBRIDGE_HOME            the folder that private copies go to
    LPBRIDGE_DEBIAN_MIRROR   where Debian's packages come from

    \b
    Examples:
      lpbridge install-prolog
      lpbridge install-prolog --yes                 no questions: in a container, in CI
      lpbridge install-prolog --prefix /opt/swipl
    """
    if removing:
        _remove(prefix, as_json)
        return
    from bridge.install.prolog import install
    from bridge.prolog.locate import show_version

    def agree(question: str) -> bool:
        if yes:
            return True
        return sys.stdin.isatty() and click.confirm(question, default=True, err=True)

    def say(step: str) -> None:
        click.echo(step, err=True)

    report = install(agree=agree, say=say, prefix=prefix.expanduser().absolute() if prefix else None)
    if as_json:
        print_json(report.to_json())
        return
    installation = report.installation
    versions = f"SWI-Prolog {show_version(installation.version)} with janus {report.janus.version}"
    click.echo(f"{versions} {'is ready' if report.changed else 'is there'}: {installation.swipl}")


def _remove(prefix: Path | None, as_json: bool) -> None:
    from bridge.install.private import remove
    from bridge.prolog.locate import private_folder

    place = prefix.expanduser().absolute() if prefix else private_folder()
    removed = remove(place)
    if as_json:
        print_json({"removed": str(place) if removed else None})
    else:
        click.echo(f"{place} is removed" if removed else f"there is no private copy at {place}")
        click.echo("janus is left, if it was built: pip uninstall janus-swi")


@click.command("doctor")
@json_option
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check this machine: Python, clingo, SWI-Prolog, its libraries, janus, and the sandbox for untrusted programs.

    The line `search` says whether imperative search is compiled; as pure Python it is slower, with the same results.

    Prints the version and the path of each, and a remedy for each problem. The exit code is 0 if there is no problem
    and 1 otherwise. SWI-Prolog is optional: clingo and the imperative engines work without it. Then come the optional
    packages; then the walls of the operating system around untrusted programs: a missing one is not a problem in
    itself, but `run --untrusted` refuses without Landlock and seccomp. Nothing is changed.

    \b
    Examples:
      lpbridge doctor
      lpbridge doctor --json | jq '.findings[] | select(.ok | not)'
    """
    from bridge.install.doctor import examine, examine_extras
    from bridge.isolation import walls as walls_of

    findings, walls = examine() + examine_extras(), walls_of()
    well = all(finding.well for finding in findings)
    if as_json:
        data = {"ok": well, "findings": [finding.to_json() for finding in findings]}
        data["walls"] = [wall.to_json() for wall in walls]
        print_json(data)
    else:
        width = max([*(len(finding.name) for finding in findings), *(len(wall.name) for wall in walls)])
        for finding in findings:
            if finding.ok:
                click.echo(f"ok       {finding.name:{width}}  {finding.version or '':8}  {finding.path or ''}".rstrip())
            else:
                place = f" ({finding.path})" if finding.path else ""
                word = "absent" if finding.optional else "problem"
                click.echo(f"{word:8} {finding.name:{width}}  {finding.problem}{place}")
                click.echo(f"         {'':{width}}  {finding.remedy}")
        for wall in walls:
            word = "wall" if wall.up else "NO WALL" if wall.essential else "no wall"
            click.echo(f"{word:8} {wall.name:{width}}  {wall.why}".rstrip())
        if any(wall.essential and not wall.up for wall in walls):
            click.echo(f"         {'':{width}}  untrusted programs are refused here, but with --allow-missing-walls")
    ctx.exit(exit_code(well))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    bash:  lpbridge completion bash >> ~/.bashrc
    zsh:   lpbridge completion zsh >> ~/.zshrc
    fish:  lpbridge completion fish > ~/.config/fish/completions/lpbridge.fish
    """
    from bridge.cli import lpbridge

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(lpbridge, {}, "lpbridge", "_LPBRIDGE_COMPLETE").source())
