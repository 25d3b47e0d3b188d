"""One text for one value: the JSON that is hashed, logged and compared.

Separators are bare, text stays readable UTF-8 and a lone surrogate (which no UTF-8 file can hold) is
written as its JSON escape, so that reading gives back the same value. Floats are refused: nothing that
is hashed may depend on how a platform prints one.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
else:
    Json = Any  # msgspec resolves no recursive alias; what it decodes has been through `parse_canonical`
"""What may be hashed and logged: JSON without floats."""

MAXIMUM_DEPTH = 100
"""Lists and objects inside each other; deeper values exhaust the parser's stack on some platform."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_BYTE = re.compile("(?<![\ud800-\udbff])[\udc80-\udcff]")


class CanonicalError(ValueError):
    """A text that is not the canonical text of any value; the message says why and where."""


def render_canonical(value: Json, *, sort_keys: bool = True) -> str:
    """The canonical JSON text of a value, one line.

    Two halves of a surrogate pair that stand side by side are written as the one character they mean,
    as JSON has no other reading of them.

    Args:
        sort_keys: False keeps the order of the keys, for a reader's sake; then the order is part of
            what is hashed.

    Raises:
        TypeError: for a float or anything else that is not `Json`.
        ValueError: for a value nested deeper than `MAXIMUM_DEPTH`.
    """
    _require_json(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=sort_keys, separators=(",", ":"))
    if _SURROGATE.search(text):
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return joined.encode("utf-8", "backslashreplace").decode()
    return text


def replace_lone_surrogates(text: str) -> str:
    """The text as UTF-8 can hold it: surrogates that pair up joined, others replaced by U+FFFD."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def holds_escaped_bytes(text: str) -> bool:
    """Whether bytes that are no UTF-8 stand in a text, as `surrogateescape` keeps them when it is decoded."""
    return _ESCAPED_BYTE.search(text) is not None


def encode_canonical(value: Json) -> bytes:
    return render_canonical(value).encode()


def hash_text(text: str) -> str:
    """SHA-256 of the text's UTF-8, which may hold lone surrogates, as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def compute_digest(value: Json) -> str:
    """SHA-256 of the canonical text, as 64 hex digits."""
    return hashlib.sha256(encode_canonical(value)).hexdigest()


def parse_canonical(data: bytes, *, sort_keys: bool = True) -> Json:
    """The value whose canonical text this is, to the byte.

    Raises:
        CanonicalError: for anything else: other JSON (blanks, a key twice, a needless escape, a float),
            text that is no JSON, bytes that are no UTF-8, a value too large or too deep to be read.
    """
    try:
        text = data.decode()
        value: Json = json.loads(text, parse_float=_refuse_number, parse_constant=_refuse_number)
        rendered = render_canonical(value, sort_keys=sort_keys)
    except RecursionError:
        raise CanonicalError(f"is nested deeper than {MAXIMUM_DEPTH} levels") from None
    except UnicodeDecodeError as error:
        raise CanonicalError(f"is not UTF-8 (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        raise CanonicalError(f"is not JSON: {error.msg} (character {error.pos + 1})") from None
    except ValueError as error:
        raise CanonicalError(f"is not canonical JSON: {error}") from None
    if rendered != text:
        raise CanonicalError(f"is not canonical JSON (from character {find_difference(rendered, text)})")
    return value


def find_difference(left: str, right: str) -> int:
    """The number, from 1, of the first character that is not the same in both texts."""
    pairs = zip(left, right, strict=False)
    shared = min(len(left), len(right))
    return next((number for number, (a, b) in enumerate(pairs, start=1) if a != b), shared + 1)


def _require_json(value: object) -> None:
    pending: list[tuple[object, int]] = [(value, 1)]
    while pending:
        item, depth = pending.pop()
        match item:
            case float():
                raise TypeError(f"a float cannot be hashed: {item!r}; use an integer or a fraction as text")
            case dict():
                _require_depth(depth)
                for key in item:
                    if not isinstance(key, str):
                        raise TypeError(f"a key must be text: {key!r}")
                pending += [(inner, depth + 1) for inner in item.values() if type(inner) not in _PLAIN]
            case list() | tuple():
                _require_depth(depth)
                pending += [(inner, depth + 1) for inner in item if type(inner) not in _PLAIN]
            case _:
                pass


_PLAIN = frozenset({str, int, bool, type(None)})
"""Values with nothing inside; subclasses are looked at one by one."""


def _require_depth(depth: int) -> None:
    if depth > MAXIMUM_DEPTH:
        raise ValueError(f"nested deeper than {MAXIMUM_DEPTH} levels")


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"a float or constant: {text[:40]}")
