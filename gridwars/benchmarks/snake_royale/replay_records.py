"""Whether what a replay says beside its table of turns agrees with it: who sat where, and every directive.

Not covered, since nothing in a replay tells what is right: what seats were called and said (players' names
and tokens, policies' labels and baselines, `say`, the detail, cause and attempt of a fallback), how long
things took (latencies, deadlines and spacing, the guard's remaining seconds), and how it was drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gridwars.benchmarks.contract import Finding
from gridwars.benchmarks.snake_royale.replay_format import DEAD, DirectiveRecord, Register, Replay
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    COLOURS,
    DIRECTION_CODES,
    DIRECTIONS,
    SEATS,
    draw_spawn_deal,
    list_anchors,
)


def check_records(replay: Replay) -> Iterator[Finding]:
    """Everything beside the turns that does not agree with them or with the configuration."""
    yield from _check_config(replay)
    yield from _check_seats(replay)
    yield from _check_directives(replay)


def _check_config(replay: Replay) -> Iterator[Finding]:
    config = replay.config
    deal = draw_spawn_deal(config.seed)
    derived: dict[str, object] = {
        "num_agents": len(SEATS),
        "aliases": ALIASES,
        "colours": tuple(COLOURS[anchor] for anchor in deal),
        "spawn_anchors": list_anchors(config.to_config()),
    }
    kinds = {each.slot: each.kind.value for each in replay.records if isinstance(each, Register)}
    if len(kinds) == len(SEATS):
        derived["policy_kinds"] = tuple(kinds[seat] for seat in SEATS)
    recorded = {name: getattr(config, name) for name in derived}
    if not any(value for name, value in recorded.items() if name != "num_agents"):
        return  # a configuration that says nothing beside the rules
    for name, value in derived.items():
        if recorded[name] != value:
            yield Finding(0, f"config.{name}", str(recorded[name]), str(value))


def _check_seats(replay: Replay) -> Iterator[Finding]:
    deal = draw_spawn_deal(replay.config.seed)
    slots = sorted(join.slot for join in replay.joins)
    if slots and slots != list(SEATS):
        yield Finding(0, "joins", str(slots), str(list(SEATS)))
    registers = [(index, each) for index, each in enumerate(replay.records) if isinstance(each, Register)]
    slots = sorted(register.slot for _, register in registers)
    if slots and slots != list(SEATS):
        yield Finding(registers[0][0], "slot", str(slots), str(list(SEATS)))
    for index, register in registers:
        for name, derived in (("alias", ALIASES[register.slot]), ("colour", COLOURS[deal[register.slot]])):
            recorded = getattr(register, name)
            if recorded != derived:
                yield Finding(index, name, recorded, derived, seat=register.slot)


def _check_directives(replay: Replay) -> Iterator[Finding]:
    """One for each living seat of every turn, if there are any, with the direction that the table has."""
    rows = dict(enumerate(replay.turns, start=1))
    counts: Counter[tuple[int, int]] = Counter()
    last = 0
    for index, record in enumerate(replay.records):
        if not isinstance(record, DirectiveRecord):
            continue
        last, seat, part = index, record.slot, record.turn
        counts[part, seat] += 1
        if record.alias != ALIASES[seat]:
            yield Finding(index, "alias", record.alias, ALIASES[seat], seat=seat, part=part)
        if part not in rows:
            yield Finding(index, "turn", str(part), f"1 to {len(rows)}", seat=seat)
            continue
        code = rows[part].codes[seat]
        if code != DIRECTION_CODES[record.dir]:
            derived = "dead" if code == DEAD else DIRECTIONS[code].value
            yield Finding(index, "dir", record.dir, derived, seat=seat, part=part)
    if not counts:
        return
    for part, row in rows.items():
        for seat in SEATS:
            due = int(row.codes[seat] != DEAD)
            if counts[part, seat] != due:
                recorded, derived = f"{counts[part, seat]} directives", f"{due}"
                yield Finding(last, "k", recorded, derived, seat=seat, part=part)
