"""`gwl reference`: the language as models are told of it, for people; `gwl` finds it as an entry point."""

from __future__ import annotations

import click

CHAPTER = "gwl_reference.md.j2"


@click.command()
def command() -> None:
    """Print the reference of GWL, word for word what models are told of it."""
    from gridwars.benchmarks.registry import get_benchmark
    from gridwars.prompting.folder import prompts_path
    from gridwars.prompting.templates import render_chapter

    click.echo(render_chapter(get_benchmark("grid-wars"), prompts_path(), CHAPTER).rstrip())
