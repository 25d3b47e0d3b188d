"""Seats played by a file: its text is the decision, the same every time it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridwars.benchmarks.contract import Benchmark, Reply, Request
from gridwars.canonical import hash_text
from gridwars.files import read_file
from gridwars.log.events import FILE_KIND, Message, SeatRecord
from gridwars.policies.making import Making, require_no_parameters
from gridwars.policies.policy import Answer, Asking, PolicyError

MAX_FILE_BYTES = 1_000_000


class FilePolicy:
    """A file's text, kept whole in the seat's record, so that a resumed run needs no file."""

    scripted = True

    def __init__(self, record: SeatRecord, benchmark: Benchmark) -> None:
        text = record.file_text
        if text is None:
            raise PolicyError(f'seat "{record.policy}": the log holds no text for this file')
        self.record = record
        self._text = text
        self._benchmark = benchmark

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    def find_warning(self) -> str:
        """What its author should look at; the file is played nevertheless."""
        found = self._benchmark.review_script(self._text)
        return f'seat "{self.record.policy}" can be played, but look at it:\n{found}' if found else ""

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        return Answer(Reply(text=self._text, scripted=True))


def make_file(text: str, making: Making) -> FilePolicy:
    """The policy for a path.

    Raises:
        PolicyError: for a file that is missing, too large, not UTF-8, or refused by the benchmark.
    """
    require_no_parameters(text, making)
    path = Path(text)
    try:
        content = read_file(path, MAX_FILE_BYTES)
    except OSError as error:
        raise PolicyError(f'seat "{text}": cannot read the file: {error.strerror}') from error
    try:
        script = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PolicyError(
            f'seat "{text}": byte {error.start} is not UTF-8; save the file as UTF-8'
        ) from error
    problem = making.benchmark.check_script(script)
    if problem is not None:
        raise PolicyError(f'seat "{text}" cannot be played:\n{problem}')
    return FilePolicy(
        SeatRecord(
            policy=path.name,
            kind=FILE_KIND,
            alias=making.alias,
            parameters={"text": script},
            digest=hash_text(script),
        ),
        making.benchmark,
    )


def restore_file(record: SeatRecord, benchmark: Benchmark) -> FilePolicy:
    return FilePolicy(record, benchmark)
