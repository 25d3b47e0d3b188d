"""A model's seat for the command line, without a network: `talker:STRATEGY` seats that are paid for."""

from __future__ import annotations

import pytest

from gridwars.policies import registry
from gridwars.policies.making import Making
from tests.gridwars.paid_talker import KIND, PaidTalker, Talkers, make_record

PROGRAM = "```gwl\nwhile true:\n  place()\n  move(1, 0)\n```"
USED = 50
"""Tokens of one call, and its microdollars."""


@pytest.fixture
def talkers(monkeypatch: pytest.MonkeyPatch) -> Talkers:
    made = Talkers(say=lambda request: PROGRAM)

    def make(text: str, making: Making) -> PaidTalker:
        record = make_record(making.alias, strategy=str(making.parameters.get("strategy", text)))
        return PaidTalker(record, made.say)

    monkeypatch.setitem(registry.KINDS, KIND, made.restore)
    monkeypatch.setitem(registry.MAKERS, KIND, make)
    monkeypatch.setattr(registry, "PROVIDERS", {**registry.PROVIDERS, KIND: "none"})
    return made
