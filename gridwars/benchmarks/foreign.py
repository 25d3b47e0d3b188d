"""Tells in whose format a recording is: a JSON object names its protocol, others begin with a mark."""

from __future__ import annotations

import json
from collections.abc import Mapping

from gridwars.benchmarks.contract import Benchmark


def find_protocol(data: bytes, benchmarks: Mapping[str, Benchmark]) -> str | None:
    """The protocol of a recording, known to a benchmark or not; None for what is no recording."""
    if not data.lstrip().startswith(b"{"):
        codecs = (each.replay_codec for each in benchmarks.values() if each.replay_codec is not None)
        return next(
            (codec.protocol for codec in codecs if codec.magic and data.startswith(codec.magic)), None
        )
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    protocol = value.get("protocol") if isinstance(value, dict) and "seq" not in value else None
    return protocol if isinstance(protocol, str) else None
