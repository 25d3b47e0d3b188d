"""Tokens and characters in the words of a message."""

from __future__ import annotations

import unicodedata

from gwl.tokens import KEYWORDS, Token, TokenKind


def describe(token: Token) -> str:
    """A token as it was found."""
    match token.kind:
        case TokenKind.NEWLINE:
            return "the end of the line"
        case TokenKind.END:
            return "the end of the script"
        case TokenKind.INTEGER:
            return f"the number {shorten(token.text)}"
        case _ if token.text in KEYWORDS:
            return f'the keyword "{token.text}"'
        case _:
            return f'"{shorten(token.text)}"'


def describe_character(character: str) -> str:
    """A character, whether it can be shown or not."""
    if character == '"':
        return "'\"'"
    if character.isascii() and character.isprintable():
        return f'"{character}"'
    point = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    label = f"{point} {name}" if name else point
    if character.isprintable() and not unicodedata.combining(character):
        return f'"{character}" ({label})'
    return label


def shorten(text: str, width: int = 40) -> str:
    """The text, cut where it is longer than `width`."""
    return text if len(text) <= width else text[: width - 3] + "..."
