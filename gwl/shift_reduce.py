"""Runs the tables of an LALR parser over a whole source, as fast as plain Python goes.

The library that makes the tables can stop, be copied and asked what it expects at every token; whoever
only wants to know what a source is that has no error need not pay for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gwl.tokens import Token, TokenKind

Choice = Callable[[list[object]], Iterable[object]]
"""Some of a rule's values, those of a repetition one by one."""


class Reduction(NamedTuple):
    """What a rule does where its parts are complete.

    Attributes:
        size: how many parts it has.
        follow: by the state before the parts, the one after the rule.
        make: makes the rule's value of those of its parts; None where it has one part and is worth the same.
        choose: takes the values that `make` wants out of those of the parts; None where it wants all.
    """

    size: int
    follow: Mapping[int, int]
    make: Callable[..., object] | None
    choose: Choice | None


@dataclass(frozen=True, slots=True)
class Tables:
    """An LALR automaton.

    Attributes:
        actions: by state and the kind of the next token, the state behind that token, or what to reduce.
        end: the state in which a whole program was read.
        climbs: by the state before it, a state and the kind of the next token, where the rules of one part
            lead; filled in as they are met. An operand would else go up through every level of precedence.
    """

    actions: Sequence[Mapping[TokenKind, int | Reduction]]
    start: int
    end: int
    climbs: dict[tuple[int, int, TokenKind], int] = field(default_factory=dict)


def parse_tokens(tables: Tables, tokens: Iterable[Token]) -> object | None:
    """The value of all tokens, of which `END` is the last; None where no rule takes one of them."""
    actions, climbs = tables.actions, tables.climbs
    state = tables.start
    states = [state]
    values: list[object] = []
    for token in tokens:
        kind = token.kind
        while True:
            action = actions[state].get(kind)
            if action is None:
                return values[-1] if state == tables.end else None
            if isinstance(action, int):
                state = action
                values.append(token)
                break
            size, follow, make, choose = action
            if make is None:
                way = (states[-2], state, kind)
                state = climbs.get(way) or climbs.setdefault(way, _climb(tables, *way))
                states[-1] = state
                continue
            if size == 1:
                values[-1] = make(values[-1]) if choose is None else make(*choose(values[-1:]))
                states.pop()
            elif size:
                parts = values[-size:]
                del values[-size:], states[-size:]
                values.append(make(*parts) if choose is None else make(*choose(parts)))
            else:
                values.append(make())
            state = follow[states[-1]]
            states.append(state)
        states.append(state)
    return None


def _climb(tables: Tables, before: int, state: int, kind: TokenKind) -> int:
    while True:
        action = tables.actions[state].get(kind)
        if not isinstance(action, Reduction) or action.make is not None:
            return state
        state = action.follow[before]
