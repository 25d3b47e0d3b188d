"""`gwl reference` prints what models are told of the language, and is found without `gwl` knowing of it."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.cli.reference import command
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.templates import load_templates
from gwl.__main__ import main

ROOT = Path(__file__).parents[3]


def test_reference_is_the_chapter_that_models_are_sent() -> None:
    printed = CliRunner().invoke(command).output
    assert printed.startswith("# GWL, the language\n")
    assert printed.rstrip() in load_templates(GridWars(), prompts_path()).system


def test_gwl_takes_verbs_that_the_project_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project["entry-points"]["gwl.verbs"]
    assert list(declared) == ["reference", "lsp"]

    def list_declared(*, group: str, name: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for own, value in declared.items() if own == name]

    monkeypatch.setattr("importlib.metadata.entry_points", list_declared)
    assert CliRunner().invoke(main, ["reference"]).output.startswith("# GWL, the language\n")
    assert CliRunner().invoke(main, ["referense"]).exit_code == 2
