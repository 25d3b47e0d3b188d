"""Whole series as the bytes of a reference replay, and back: what the contract asks for, from `replay`."""

from __future__ import annotations

from gridwars.benchmarks.contract import ReplayCodec, Transcript
from gridwars.benchmarks.grid_wars.replay import Series, export_replay
from gridwars.benchmarks.grid_wars.replay_format import PROTOCOL, decode_replay, encode_replay
from gridwars.benchmarks.grid_wars.replay_import import import_replay
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig


def _decode(data: bytes) -> Transcript:
    series = import_replay(decode_replay(data))
    return Transcript(series.config, series.aliases, series.policy_names, series.events)


def _encode(transcript: Transcript) -> bytes:
    config = transcript.config
    assert isinstance(config, GridWarsConfig), "a transcript of another benchmark"
    series = Series(config, transcript.aliases, transcript.policy_names, transcript.events)
    return encode_replay(export_replay(series)) + b"\n"


CODEC = ReplayCodec(PROTOCOL, _decode, _encode)
