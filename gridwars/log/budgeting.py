"""Whether the calls of a log were within the budget that it names.

The most that a call may take is set aside before it is made, so before each call there was room for its most
beside all that was charged till then. Of what a call was charged only its most counts: that a provider
counted more than could be is no overdraft of whoever asked. Other episodes of a run are in other logs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from gridwars.benchmarks.contract import Finding
from gridwars.log.events import Budgeted, Called, Start
from gridwars.log.line import Line
from gridwars.log.metering import Allowance, Budget, Spend
from gridwars.log.spending import Accounts


def check_budget(start: Start, lines: Iterable[Line]) -> Iterator[Finding]:
    """Every call that there was no room for."""
    budget = start.limits.budget
    accounts = Accounts(start.seats)
    spent: defaultdict[str, Spend] = defaultdict(Spend)
    total = Spend()
    for line in lines:
        if isinstance(line.event, Budgeted):
            budget = line.event.budget
        if isinstance(line.event, Called) and start.seats[line.event.seat].metering is not None:
            event = line.event
            strategy = start.seats[event.seat].strategy
            most = accounts.find_most(event.key)
            for name, allowance, before in _list_scopes(budget, total, spent[strategy]):
                if lack := _find_lack(allowance, before, most):
                    field = f"(budget of {name})"
                    yield Finding(line.sequence, field, "a call", lack, event.seat, event.part)
        charge = accounts.take(line.event)
        if charge is not None:
            key = getattr(line.event, "key", (0, charge.seat, 0))
            amount = Spend(*map(min, charge.amount, accounts.find_most(key)))
            total = total.plus(amount)
            strategy = start.seats[charge.seat].strategy
            spent[strategy] = spent[strategy].plus(amount)


def _list_scopes(budget: Budget, total: Spend, strategy: Spend) -> Iterator[tuple[str, Allowance, Spend]]:
    yield "the run", budget.run, total
    yield "the episode", budget.episode, total
    yield "the strategy", budget.strategy, strategy


def _find_lack(allowance: Allowance, before: Spend, most: Spend) -> str:
    """Why there was no room for so much more; "" where there was."""
    for noun in Spend._fields:
        limit, spent, more = getattr(allowance, noun), getattr(before, noun), getattr(most, noun)
        if limit is not None and spent + more > limit:
            return f"none, as {spent} of {limit} {noun} were spent and it may take {more}"
    return ""
