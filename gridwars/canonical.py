"""One text for one value: the JSON that is hashed, logged and compared.

Keys are sorted, separators are bare, text stays readable UTF-8 and a lone surrogate (which no UTF-8
file can hold) is written as its JSON escape, so that reading gives back the same value. Floats are
refused: nothing that is hashed may depend on how a platform prints one.
"""

from __future__ import annotations

import hashlib
import json
import re

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
"""What may be hashed and logged: JSON without floats."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def render_canonical(value: Json) -> str:
    """The canonical JSON text of a value, one line.

    Raises:
        TypeError: for a float or anything else that is not `Json`.
    """
    _require_no_float(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def encode_canonical(value: Json) -> bytes:
    return render_canonical(value).encode()


def compute_digest(value: Json) -> str:
    """SHA-256 of the canonical text, as 64 hex digits."""
    return hashlib.sha256(encode_canonical(value)).hexdigest()


def _require_no_float(value: Json) -> None:
    pending: list[object] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, float):
            raise TypeError(f"a float cannot be hashed: {item!r}; use an integer or a fraction as text")
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
