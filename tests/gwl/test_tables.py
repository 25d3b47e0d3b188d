"""The kept tables of the grammar are those of the grammar and of the lark that the lock names."""

from __future__ import annotations

import pickle
from importlib.resources import files

import pytest

from gwl import parser
from gwl.errors import CompileError
from gwl.parser import parse_source, render_tables

RENEWAL = (
    "run: python -c \"import gwl.parser as p; open('gwl/grammar.tables', 'wb').write(p.render_tables())\""
)


def test_kept_tables_are_those_of_the_grammar() -> None:
    kept_key, _, kept = files("gwl").joinpath("grammar.tables").read_bytes().partition(b"\n")
    key, _, tables = render_tables().partition(b"\n")
    assert kept_key == key, RENEWAL
    assert _list_moves(kept) == _list_moves(tables), RENEWAL


def test_tables_of_another_lark_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lark.__version__", "0.0.0")
    parser._load_grammar.cache_clear()

    def refuse(*_: object) -> object:
        raise AssertionError("these tables are of another version")

    monkeypatch.setattr("pickle.loads", refuse)
    try:
        assert len(parse_source(["while true:", "  place()"]).statements) == 1
        with pytest.raises(CompileError):
            parse_source(["while true"])
    finally:
        parser._load_grammar.cache_clear()


def _list_moves(tables: bytes) -> list[list[str]]:
    """What each state does on each terminal, whatever numbers lark gave the states."""
    saved = pickle.loads(tables)
    table = saved["data"]["parser"]["parser"]
    rules = {number: str(rule) for number, rule in saved["memo"].items()}
    moves = []
    for actions in table["states"].values():
        moves.append(
            sorted(
                f"{table['tokens'][token]}: {rules[target['@']] if kind else 'shift'}"
                for token, (kind, target) in actions.items()
            )
        )
    assert len(moves) > 100
    return sorted(moves)
