"""The values of a running program: Python's `int` and `bool`, and arrays by handle."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias


class Array:
    """One array of one machine; a variable holding it holds this handle.

    Attributes:
        number: its place in the machine's order of creation, from 0.
        items: its integers, overwritten when the literal runs again.
    """

    __slots__ = ("items", "number")

    def __init__(self, number: int, items: list[int]) -> None:
        self.number = number
        self.items = items


Value: TypeAlias = int | Array
"""An `int` that is a `bool` is a GWL boolean; `type(value) is int` tells an integer."""


class ValueKind(IntEnum):
    """The type of a value, as a fault's numbers give it."""

    INTEGER = 0
    BOOLEAN = 1
    ARRAY = 2


def kind_of(value: Value) -> ValueKind:
    if type(value) is Array:
        return ValueKind.ARRAY
    return ValueKind.BOOLEAN if type(value) is bool else ValueKind.INTEGER
