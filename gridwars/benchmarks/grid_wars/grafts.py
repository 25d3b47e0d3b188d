"""Large edits of a script: statements and procs of other scripts, and conditions, each put where it may fit.

A block that is taken from a donor brings the globals and procs that it needs and the script lacks; what both
have by the same name stays the script's. All work on lines, by their indentation: what does not compile is no
loss.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from gridwars.rng import NimRand
from gwl.limits import MAX_LINES, MAX_SOURCE_LENGTH

Script = tuple[str, ...]
Item = TypeVar("Item")

_CONDITIONS = (
    "tick() > 100",
    "tiles() > 60",
    "energy() >= BOMBCOST",
    "check(0, 0) != ID",
    "max(max(who(1, 0), who(-1, 0)), max(who(0, 1), who(0, -1))) > 0",
    "max(max(who(2, 0), who(-2, 0)), max(who(0, 2), who(0, -2))) > 0",
    "min(min(check(1, 0), check(-1, 0)), min(check(0, 1), check(0, -1))) >= EMPTY",
)
_ACTIONS = ("place()", "bomb()", "move(1, 0)", "move(0, 1)")

_BRANCHES = ("elif ", "else:")

_GLOBAL = re.compile(r"var (\w+) =")
_PROC = re.compile(r"proc (\w+)\(")
_NAME = re.compile(r"[A-Za-z_]\w*")


def draw_graft(script: Script, donors: Sequence[Script], rand: NimRand) -> Script:
    """The script with a block inserted, replaced or put under a condition; itself where none has room."""
    if not list_code(script) or not all(map(list_code, donors)):
        return script
    match rand.draw_up_to(5):
        case 0:
            grafted = _insert_condition(script, rand)
        case 1:
            grafted = _wrap(script, rand)
        case 2 | 3:
            grafted = _replace_proc(script, _draw(donors, rand), rand)
        case _:
            grafted = _insert_block(script, _draw(donors, rand), rand)
    if not _fits(grafted):
        grafted = tuple(grafted[index] for index in list_code(grafted))
    return grafted if _fits(grafted) else script


def list_code(script: Script) -> list[int]:
    """The lines that are more than a comment: changing others changes nothing."""
    return [index for index, line in enumerate(script) if line.partition("#")[0].strip()]


def _fits(script: Script) -> bool:
    return len(script) <= MAX_LINES and sum(len(line) + 1 for line in script) <= MAX_SOURCE_LENGTH


def _insert_condition(script: Script, rand: NimRand) -> Script:
    block = (f"if {_draw(_CONDITIONS, rand)}:", f"  {_draw(_ACTIONS, rand)}")
    return _insert(script, block, rand)


def _wrap(script: Script, rand: NimRand) -> Script:
    """A statement of the script, with its block, happens under a condition only."""
    start, end = _draw_block(script, rand)
    indentation = _indentation(script[start])
    block = (f"{indentation}if {_draw(_CONDITIONS, rand)}:", *("  " + line for line in script[start:end]))
    return (*script[:start], *block, *script[end:])


def _insert_block(script: Script, donor: Script, rand: NimRand) -> Script:
    start, end = _draw_block(donor, rand)
    depth = len(_indentation(donor[start]))
    block = tuple(line[depth:] for line in donor[start:end])
    return _add_missing(_insert(script, block, rand), donor, block)


def _replace_proc(script: Script, donor: Script, rand: NimRand) -> Script:
    """A proc that both have becomes the donor's."""
    own, other = _list_definitions(script), _list_definitions(donor)
    shared = sorted(
        name
        for name in own.keys() & other.keys()
        if _PROC.match(script[own[name][0]]) and donor[slice(*other[name])] != script[slice(*own[name])]
    )
    if not shared:
        return script
    name = _draw(shared, rand)
    start, end = own[name]
    block = donor[slice(*other[name])]
    return _add_missing((*script[:start], *block, *script[end:]), donor, block)


def _add_missing(script: Script, donor: Script, block: Script) -> Script:
    """The script with what the block needs of the donor before its first line of code."""
    there, definitions = _list_definitions(script), _list_definitions(donor)
    needed: list[str] = []
    names = _list_names(block)
    while names:
        name = names.pop(0)
        if name in definitions and name not in there and name not in needed:
            needed.append(name)
            names += _list_names(donor[slice(*definitions[name])])
    # In the donor's order, in which what a global starts from comes before it.
    needed.sort(key=lambda name: definitions[name])
    added = [line for name in needed for line in donor[slice(*definitions[name])]]
    first = list_code(script)[0]
    return (*script[:first], *added, *script[first:])


def _list_definitions(script: Script) -> dict[str, tuple[int, int]]:
    """Of each global and proc of the top level the lines, from and before."""
    definitions = {}
    for index, line in enumerate(script):
        found = _GLOBAL.match(line) or _PROC.match(line)
        if found:
            definitions[found[1]] = (index, _find_end(script, index))
    return definitions


def _list_names(block: Script) -> list[str]:
    return [name for line in block for name in _NAME.findall(line.partition("#")[0])]


def _insert(script: Script, block: Script, rand: NimRand) -> Script:
    # A further branch can only stand before one.
    places = [
        index
        for index in list_code(script)
        if script[index].lstrip().startswith(_BRANCHES) == block[0].startswith(_BRANCHES)
    ]
    if not places:
        return script
    index = _draw(places, rand)
    indentation = _indentation(script[index])
    return (*script[:index], *(indentation + line for line in block), *script[index:])


def _draw_block(script: Script, rand: NimRand) -> tuple[int, int]:
    """A statement that is no definition, with the lines that are indented below it: from and before."""
    starts = [index for index in list_code(script) if not re.match("var |proc ", script[index])]
    start = _draw(starts or list_code(script), rand)
    return start, _find_end(script, start)


def _find_end(script: Script, start: int) -> int:
    depth = len(_indentation(script[start]))
    code = [index for index in list_code(script) if index >= start]
    end = start + 1
    for index in code[1:]:
        if len(_indentation(script[index])) <= depth:
            break
        end = index + 1
    return end


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _draw(items: Sequence[Item], rand: NimRand) -> Item:
    return items[rand.draw_up_to(len(items) - 1)]
