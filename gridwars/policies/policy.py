"""Who answers for a seat: the one protocol that built-ins, files, programs, people and models share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from gridwars.benchmarks.contract import Event, Reply, Request
from gridwars.clock import Clock
from gridwars.log.events import Message, SeatRecord

INTERRUPTED = "interrupted"
"""Why play stopped that a person stopped."""


class Phase(StrEnum):
    """Where a seat stands while its batch is open."""

    WAITING = "waiting"
    """For its turn: a limit on concurrent calls, a paused provider, a budget; `detail` says for what."""
    ASKED = "asked"
    STREAMING = "streaming"
    EDITING = "editing"
    """A person has the terminal: nothing else may write to it."""
    RETRYING = "retrying"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """What a live view shows of one seat; nothing is derived from it.

    Attributes:
        detail: such as `2/6 in 12 s because 429`.
        token_count: received so far, 0 where unknown.
    """

    seat: int
    attempt: int
    phase: Phase
    detail: str = ""
    token_count: int = 0


Watcher = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
    """The watcher of a run that nobody watches."""


class Asking(Protocol):
    """What the harness lends to a policy for one answer."""

    @property
    def clock(self) -> Clock: ...

    @property
    def deadline(self) -> float:
        """When the batch closes, on the clock's monotonic scale; the policy is cancelled then."""
        ...

    @property
    def hidden(self) -> Path:
        """What no foreign program may read: the episode's log, or the whole folder of its run."""
        ...

    async def record(self, events: Sequence[Event]) -> None:
        """Makes events durable before it returns, such as a failed call that was paid for."""
        ...

    def watch(self, progress: Progress) -> None: ...

    async def reserve_call(self) -> str:
        """Waits until the budget has room for a further call; why it never will, in words, else "".

        A policy asks before every call but the first, once it has recorded the failed one.

        Raises:
            EpisodeStopped: where it is the run's budget that has none.
        """
        ...

    def find_stop_reason(self) -> str:
        """Why play is to stop, in words; "" while it goes on. No person is asked any further then."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with what must become durable together with it, such as the call that brought it."""

    reply: Reply
    events: tuple[Event, ...] = ()


class Policy(Protocol):
    """One seat's answerer, made for one episode.

    Attributes:
        record: what the log keeps of it; enough to make it again when the episode is resumed.
        scripted: true where answers cost nothing and are a pure function of record and observation,
            so that they need no log of their own.
    """

    @property
    def record(self) -> SeatRecord: ...

    @property
    def scripted(self) -> bool: ...

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        """What will be sent, message by message; none where the observation itself is handed over."""
        ...

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        """Answers one request.

        Whatever the world does is a value: a `Reply` without text that says why. Cancellation (the
        batch's deadline) must leave nothing running.

        Args:
            prompt: what `render_prompt` gave for this request.

        Raises:
            PlayStopped: where going on would burn money or cannot work: the log stays resumable.
        """
        ...


@runtime_checkable
class AnswersAtOnce(Protocol):
    """A scripted policy that computes its answers in this process, with nothing to wait for."""

    def answer_at_once(self, request: Request) -> Reply: ...


@runtime_checkable
class StandsBy(Protocol):
    """A policy that depends on something that may be down for a while."""

    async def stand_by(self, tell: Callable[[str], None]) -> None:
        """Waits, within bounds, while it is known to be down; called before the batch's time counts.

        Args:
            tell: told what is waited for and what ends that, where there is a wait.
        """
        ...


@runtime_checkable
class Prompted(Protocol):
    """A policy whose prompts are rendered, so that whoever has its templates can render them again."""

    @property
    def template_texts(self) -> Sequence[str]:
        """The templates, which a log holds once."""
        ...


def list_template_texts(policies: Sequence[Policy]) -> tuple[str, ...]:
    """The templates of all policies' prompts, each once."""
    texts = (text for policy in policies if isinstance(policy, Prompted) for text in policy.template_texts)
    return tuple(dict.fromkeys(texts))


class PolicyError(ValueError):
    """A seat cannot be filled as asked; the message names the seat's text and what would be right."""


class PlayStopped(Exception):  # noqa: N818  not an error of this program: the world's, and resumable
    """The run must stop before this batch is decided; the message says why and what would help."""


class EpisodeStopped(PlayStopped):
    """Only this episode must stop; what others have begun may go on."""
