"""Writes plain values as TOML, for settings that are read back as they were."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def render_toml(document: Mapping[str, object]) -> str:
    """The text of a document: values first, then its tables.

    Raises:
        ValueError: for a value that TOML has no word for, such as null.
    """
    values = {key: value for key, value in document.items() if not isinstance(value, Mapping)}
    lines = [f"{_render_key(key)} = {_render_value(value)}" for key, value in values.items()]
    for key, value in document.items():
        if isinstance(value, Mapping):
            lines += _render_table(_render_key(key), value)
    return "\n".join(lines) + "\n"


def _render_table(name: str, table: Mapping[str, object]) -> list[str]:
    """A table two levels deep; what lies deeper is written inline."""
    lines: list[str] = []
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if plain:
        lines += ["", f"[{name}]", *(f"{_render_key(key)} = {_render_value(v)}" for key, v in plain.items())]
    for key, value in table.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{name}.{_render_key(key)}]"]
            lines += [f"{_render_key(inner)} = {_render_value(v)}" for inner, v in value.items()]
    return lines


def _render_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _render_text(key)


def _render_value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return _render_text(value)
        case list() | tuple():
            return f"[{', '.join(map(_render_value, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{_render_key(key)} = {_render_value(v)}' for key, v in value.items())}}}"
        case _:
            raise ValueError(f"a settings file cannot hold {value!r}")


def _render_text(text: str) -> str:
    """JSON's escapes are TOML's too, but for one character that JSON leaves as it is."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
