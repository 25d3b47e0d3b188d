"""A process that appends to a log until it is killed or refused; what is durable it says on its output.

Arguments: `create` or `open`, the log, and how large the log may grow (0: no bound).
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from gridwars.clock import SystemClock
from gridwars.log.errors import LogError
from gridwars.log.events import Asked, Message
from gridwars.log.writer import LogWriter
from tests.gridwars.toy_log import SMALL, begin


def main(how: str, path: str, largest_size: int) -> None:
    if largest_size:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_size, resource.RLIM_INFINITY))
    start = LogWriter.create if how == "create" else LogWriter.open
    try:
        with start(Path(path), clock=SystemClock()) as writer:
            if writer.sequence == 0:
                writer.append([begin(SMALL)])
            while True:
                print(writer.sequence, flush=True)
                part = writer.sequence
                prompt = (Message("user", "x" * (part % 7) * 1000),)
                writer.append([Asked(part=part, seat=seat, attempt=1, prompt=prompt) for seat in range(3)])
    except LogError as error:
        print(f"{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
