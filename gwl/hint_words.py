"""Hints that depend on the very word or character that was written."""

from __future__ import annotations

import difflib
import re
import unicodedata

from gwl.tokens import ACTIONS, KEYWORDS, is_integer_in_range


def name_decimal(match: re.Match[str]) -> str:
    """For what follows the digits of a number: its value in decimal digits."""
    digits = re.search(r"[0-9]+$", match.string[: match.start()])
    assert digits is not None, "the pattern stands after a digit"
    literal = digits.group() + match.group()
    if re.fullmatch(r"[0-9]+[eE][0-9]*", literal):
        return "write all digits of a number"
    base = {"x": 16, "b": 2, "o": 8}.get(literal[1:2].lower(), 10) if literal.startswith("0") else 10
    try:
        value = int(literal, base) if base != 10 else int(literal.replace("_", ""))
    except ValueError:
        return ""
    return f"write {value}" if is_integer_in_range(str(value)) else ""


def name_lower_case(match: re.Match[str]) -> str:
    """For a word: the keyword or action that it would be in lower case."""
    word = match.group()
    lower = word.lower()
    return f'write "{lower}" in lower case' if word != lower and lower in (*KEYWORDS, *ACTIONS) else ""


def name_closest_keyword(match: re.Match[str]) -> str:
    """For a word: the keyword or action that it resembles."""
    close = difflib.get_close_matches(match.group().lower(), [*KEYWORDS, *ACTIONS], n=1, cutoff=0.75)
    return f'did you mean "{close[0]}"?' if close and close[0] != match.group() else ""


def name_ascii_twin(match: re.Match[str]) -> str:
    """For a character: the ASCII one that it looks like, or why it is refused."""
    character = match.group()
    twin = unicodedata.normalize("NFKC", character)
    if len(twin) == 1 and twin.isascii():
        return f'write the ASCII character "{twin}"'
    if character.isalpha() or unicodedata.combining(character):
        return "names consist of the letters a-z and A-Z, digits and _"
    return "only comments may hold other than ASCII characters"


def name_surplus_closer(match: re.Match[str]) -> str:
    """For a closing bracket: that it closes nothing."""
    closer = match.group()
    opener = {")": "(", "]": "["}[closer]
    before = match.string[: match.start()]
    return f'no "{opener}" is open here' if before.count(opener) <= before.count(closer) else ""
