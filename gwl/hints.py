"""What a mistake was probably meant to be."""

from gwl.errors import ErrorCode


def find_hint(code: ErrorCode, source: str, column: int) -> str:
    return ""
