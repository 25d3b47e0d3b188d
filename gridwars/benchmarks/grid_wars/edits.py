"""Edits of a script, drawn at random: most still compile, and a few are better.

Small ones change a number, an operator or a line; large ones (`grafts.py`) bring statements from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from gridwars.benchmarks.grid_wars.grafts import Script, draw_graft, list_code
from gridwars.rng import NimRand

MOST_DRAWS = 50
"""Of edits that a script has no place for, before it is left as it is."""


LARGE_SHARE = 4
"""Of the edits one in so many is a large one, where there is a donor."""


def draw_edit(script: Script, rand: NimRand, donors: Sequence[Script] = ()) -> Script:
    """The script with one number, operator, line or block changed; it need not compile.

    Args:
        donors: other scripts, of which it may take statements and procs.
    """
    for _ in range(MOST_DRAWS):
        if donors and rand.draw_up_to(LARGE_SHARE - 1) == 0:
            edited = draw_graft(script, donors, rand)
        else:
            edited = _EDITS[rand.draw_up_to(len(_EDITS) - 1)](script, rand)
        if edited != script:
            return edited
    return script


def _change_number(script: Script, rand: NimRand) -> Script:
    return _replace_one(script, _NUMBER, _draw_near, rand)


def _change_parameter(script: Script, rand: NimRand) -> Script:
    return _replace_one(script, _PARAMETER, _draw_near, rand)


def _change_operator(script: Script, rand: NimRand) -> Script:
    return _replace_one(script, _OPERATOR, _draw_alternative, rand)


def _remove_line(script: Script, rand: NimRand) -> Script:
    code = list_code(script)
    if len(code) < 2:
        return script
    index = code[rand.draw_up_to(len(code) - 1)]
    return (*script[:index], *script[index + 1 :])


def _exchange_lines(script: Script, rand: NimRand) -> Script:
    code = list_code(script)
    if len(code) < 2:
        return script
    place = rand.draw_up_to(len(code) - 2)
    upper, lower = code[place], code[place + 1]
    lines = list(script)
    lines[upper], lines[lower] = script[lower], script[upper]
    return tuple(lines)


def _repeat_line(script: Script, rand: NimRand) -> Script:
    """A copy of any line, at the indentation of the line that it comes to stand before."""
    code = list_code(script)
    if not code:
        return script
    line = script[code[rand.draw_up_to(len(code) - 1)]].strip()
    index = code[rand.draw_up_to(len(code) - 1)]
    indentation = script[index][: len(script[index]) - len(script[index].lstrip())]
    return (*script[:index], indentation + line, *script[index:])


_EDITS: tuple[Callable[[Script, NimRand], Script], ...] = (
    _change_number,
    _change_number,
    _change_number,
    _change_parameter,
    _change_parameter,
    _change_operator,
    _remove_line,
    _exchange_lines,
    _repeat_line,
)

_NUMBER = re.compile(r"(?<![\w])\d{1,9}(?!\w)")
_PARAMETER = re.compile(r"^var \w+ = -?(\d{1,9}) *$")
"""A global that starts as a plain number: more often than not what its author would try other values of."""
_ALTERNATIVES: Mapping[str, tuple[str, ...]] = {
    "==": ("!=", "<=", ">="),
    "!=": ("==", "<", ">"),
    "<=": ("<", "==", ">="),
    ">=": (">", "==", "<="),
    "<": ("<=", "!=", ">"),
    ">": (">=", "!=", "<"),
    "+": ("-",),
    "-": ("+",),
    "and": ("or",),
    "or": ("and",),
    "true": ("false",),
    "false": ("true",),
}
_OPERATOR = re.compile(r"[=!<>]=|(?<!\.)[<>]|[+-]|\b(?:and|or|true|false)\b")


def _draw_near(text: str, rand: NimRand) -> str:
    number = int(text)
    step = (1, 1, 2, max(1, number // 4), max(1, number // 2), number)[rand.draw_up_to(5)]
    return str(max(0, number + (step if rand.draw_up_to(1) else -step)))


def _draw_alternative(text: str, rand: NimRand) -> str:
    choices = _ALTERNATIVES[text]
    return choices[rand.draw_up_to(len(choices) - 1)]


def _replace_one(
    script: Script, pattern: re.Pattern[str], change: Callable[[str, NimRand], str], rand: NimRand
) -> Script:
    """One match outside comments, or its group, replaced; each is as likely."""
    places = [
        (index, *match.span(match.lastindex or 0))
        for index, line in enumerate(script)
        for match in pattern.finditer(line.partition("#")[0])
    ]
    if not places:
        return script
    index, start, end = places[rand.draw_up_to(len(places) - 1)]
    line = script[index]
    changed = line[:start] + change(line[start:end], rand) + line[end:]
    return (*script[:index], changed, *script[index + 1 :])
