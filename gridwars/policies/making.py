"""What policies are made of: the text that an operator writes for a seat, its parameters, the prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gridwars.benchmarks.contract import Benchmark
from gridwars.policies.policy import Policy, PolicyError
from gridwars.policies.prices import PriceTable


@dataclass(frozen=True, slots=True)
class Making:
    """What a maker is given besides the text.

    Attributes:
        parameters: by name, as the operator gave them (`--set a.effort=low`), with the values that TOML
            has; `strategy` is one of them. A maker refuses every name that it does not know.
    """

    alias: str
    benchmark: Benchmark
    parameters: Mapping[str, object] = field(default_factory=dict)
    prices: PriceTable = field(default_factory=PriceTable)


Maker = Callable[[str, Making], Policy]
"""Makes the policy of a seat from what stands behind the prefix: `MODEL` in `anthropic:MODEL`.

Raises:
    PolicyError: where it cannot be filled; nothing has been paid for by then.
"""


def require_no_parameters(seat: str, making: Making) -> None:
    """For a policy that has nothing to set.

    Raises:
        PolicyError: names the seat and the first parameter.
    """
    for name in making.parameters:
        raise PolicyError(f'seat "{seat}" takes no parameters, and no strategy; {name} is set for it')
