"""Reads TOML that anybody may have written: what is wrong with it has one class of error, and a place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

_LONGEST_NUMBER = 4300
"""Digits; Python reads no longer one."""
_TOO_LONG = re.compile(rf"[0-9_]{{{_LONGEST_NUMBER + 1},}}")


def parse_toml(
    text: str, *, parse_float: Callable[[str], Any] = float
) -> dict[str, Any]:  # Any: as tomllib has it
    """The document's table.

    Raises:
        tomllib.TOMLDecodeError: says what is wrong and, where it is known, in which line.
    """
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("values are nested too deeply") from None
    except ValueError as error:
        number = _TOO_LONG.search(text)
        if number is None:
            raise tomllib.TOMLDecodeError(str(error)) from None
        line = text.count("\n", 0, number.start()) + 1
        problem = f"a number has more than {_LONGEST_NUMBER} digits (at line {line}, column 1)"
        raise tomllib.TOMLDecodeError(problem) from None
