"""The import contracts cover every room that exists."""

from __future__ import annotations

import tomllib

from tests.project.installation import ROOT

LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS = {contract["type"] + ":" + contract["name"]: contract for contract in LINTER["contracts"]}


def test_every_benchmark_is_kept_from_the_others() -> None:
    rooms = [path.parent for path in (ROOT / "gridwars" / "benchmarks").glob("*/__init__.py")]
    folders = [room for room in rooms if (room / "rules.py").exists()]
    assert {room.name for room in rooms} - {folder.name for folder in folders} == {"kit"}
    contract = CONTRACTS["independence:No benchmark imports another"]
    assert set(contract["modules"]) == {f"gridwars.benchmarks.{folder.name}" for folder in folders}


def test_every_room_has_its_layer() -> None:
    package = ROOT / "gridwars"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    rooms |= {path.stem for path in package.glob("*.py")} - {"__init__"}
    assert "benchmarks" in rooms
    layers = CONTRACTS["layers:Imports go down only"]["layers"]
    placed = {name for layer in layers for name in layer.replace("|", ":").replace(" ", "").split(":")}
    assert placed == {f"gridwars.{room}" for room in rooms} | {"gwl"}
