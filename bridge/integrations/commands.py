"""The commands of the doors; what each needs is imported when it is called."""

from __future__ import annotations

import click


@click.command()
@click.option("--folder", type=click.Path(exists=True, file_okay=False), default=".", metavar="DIR",
              help="The folder of the programs that may be named by path.  [default: this one]")
@click.option("--trusted", is_flag=True, help="Programs may read files and run scripts.")
def mcp(folder: str, trusted: bool) -> None:
    """Offer run, diagnose, why, lint, debug, test, compare and profile as tools to agents.

    It speaks the Model Context Protocol over standard input and output. Programs are confined as by
    `lpbridge run --untrusted`, and limited in time and memory. An answer is a short text, and the object that the
    command prints under --json. A path is that of a program, by its suffix, in --folder; nothing of another file is
    read or shown. The tool `register` keeps programs under names. To register the server, for example:

    \b
    {"mcpServers": {"lpbridge": {"command": "lpbridge", "args": ["mcp"]}}}
    """
    from bridge.integrations.mcp_server import serve

    serve(folder, trusted=trusted)


@click.command()
def lsp() -> None:
    """Check programs while you type, in an editor.

    It speaks the Language Server Protocol over standard input and output, for .lp and .pl: findings of `lpbridge lint`
    with their remedies, definitions, references, names, and repairs by the tests beside a file. While you type nothing
    of a program runs. Needs the extra `lsp`.
    """
    from bridge.integrations.lsp_server import serve

    serve()


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="NAME=FILE[:COLUMNS]...")
def facts(tables: tuple[str, ...]) -> None:
    """Print the rows of tables (CSV, Parquet) as facts: NAME is the predicate, COLUMNS its arguments.

    A column of a CSV file holds integers, or strings. Needs the extra `tables`.

    \b
    lpbridge facts job=jobs.csv | lpbridge run plan.lp -
    lpbridge facts job=jobs.parquet:name,hours edge=edges.csv
    """
    from bridge.integrations.tables import facts_of

    for table in tables:
        for text in facts_of(table):
            click.echo(text, nl=False)
