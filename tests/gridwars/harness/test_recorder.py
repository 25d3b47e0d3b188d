"""A recorder keeps the log's order, writes what waits at once, and loses nothing to a cancelled caller."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from gridwars.benchmarks.contract import Event
from gridwars.harness.recorder import Recorder
from gridwars.log.errors import LogWriteError
from gridwars.log.events import Text
from gridwars.log.writer import LogWriter


class SlowWriter:
    """Takes groups once a test lets it; the real one's stand-in."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.let = threading.Semaphore(0)
        self.failure: LogWriteError | None = None

    def append(self, events: Sequence[Event]) -> None:
        self.let.acquire()
        if self.failure is not None:
            raise self.failure
        self.groups.append([event.text for event in events if isinstance(event, Text)])


def make_recorder() -> tuple[Recorder, SlowWriter, list[str]]:
    writer = SlowWriter()
    told: list[str] = []
    recorder = Recorder(cast(LogWriter, writer), lambda event: told.append(cast(Text, event).text))
    return recorder, writer, told


def make_events(text: str) -> list[Event]:
    return [Text("", f"{text}{number}") for number in (1, 2)]


def test_what_comes_while_a_write_is_under_way_goes_with_the_next_in_order() -> None:
    async def run() -> None:
        recorder, writer, told = make_recorder()
        tasks = []
        for text in "abcd":
            tasks.append(asyncio.ensure_future(recorder.record(make_events(text))))
            await asyncio.sleep(0.01)
        writer.let.release()
        await tasks[0]
        assert told == ["a1", "a2"]
        assert not tasks[1].done()
        writer.let.release()
        await asyncio.gather(*tasks)
        assert writer.groups == [["a1", "a2"], ["b1", "b2", "c1", "c2", "d1", "d2"]]
        assert told == [text for group in writer.groups for text in group]

    asyncio.run(run())


def test_events_of_a_cancelled_caller_are_written_and_told_of() -> None:
    async def run() -> None:
        recorder, writer, told = make_recorder()
        task = asyncio.ensure_future(recorder.record(make_events("a")))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        writer.let.release()
        await recorder.finish()
        assert told == ["a1", "a2"]

    asyncio.run(run())


def test_a_failed_write_is_told_to_all_whose_events_were_in_it() -> None:
    async def run() -> list[object]:
        recorder, writer, told = make_recorder()
        writer.failure = LogWriteError(Path("log.jsonl"), "no space left")
        writer.let.release(2)
        tasks = [recorder.record(make_events(text)) for text in "ab"]
        results: list[object] = list(await asyncio.gather(*tasks, return_exceptions=True))
        await recorder.finish()
        assert told == []
        return results

    assert [type(result) for result in asyncio.run(run())] == [LogWriteError, LogWriteError]
