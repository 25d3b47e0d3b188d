"""`gwl lsp`: the language server, with the meanings models are told; `gwl` finds it as an entry point."""

from __future__ import annotations

import sys

import click

from gridwars.cli.console import examples

LIBRARIES = ("pygls", "lsprotocol")


@click.command(
    epilog=examples(
        "gwl lsp                                    (an editor starts it, and speaks to it)",
        "",
        "Neovim 0.11, in init.lua:",
        '  vim.filetype.add({ extension = { gwl = "gwl" } })',
        '  vim.lsp.config("gwl", { cmd = { "gwl", "lsp" }, filetypes = { "gwl" } })',
        '  vim.lsp.enable("gwl")',
        "",
        "Helix, in languages.toml:",
        "  [language-server.gwl]",
        '  command = "gwl"',
        '  args = ["lsp"]',
        "  [[language]]",
        '  name = "gwl"',
        '  scope = "source.gwl"',
        '  file-types = ["gwl"]',
        '  language-servers = ["gwl"]',
        "",
        "VS Code: gwl/editors/vscode/README.md",
    )
)
@click.option("--stdio", is_flag=True, help="Nothing else is there; many editors pass it.")
def command(stdio: bool) -> None:
    """Serve an editor over standard input and output.

    A language server: errors and warnings of gwl check while you type, what a name means, completion,
    gwl fmt, where a name is declared, and the list of procs and globals.

    \b
    It needs: pip install 'gridwars[lsp]'
    In a checkout: pip install '.[lsp]'
    """
    try:
        from gwl.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in LIBRARIES:
            raise
        raise click.UsageError(
            f"{error.name} is not installed; the language server needs: pip install 'gridwars[lsp]', "
            "in a checkout: pip install '.[lsp]'"
        ) from error
    from gridwars.benchmarks.registry import get_benchmark
    from gridwars.prompting.folder import prompts_path
    from gridwars.prompting.templates import name_templates, render_chapter
    from gwl.lsp.meanings import read_meanings

    if sys.stdin.isatty():
        click.echo(
            "gwl lsp waits for an editor on standard input; gwl lsp --help says how to set one up", err=True
        )
    benchmark = get_benchmark("grid-wars")
    system, _, _ = name_templates(benchmark)
    serve(read_meanings(render_chapter(benchmark, prompts_path(), system)))
