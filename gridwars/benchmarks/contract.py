"""What a benchmark is to the harness: a deterministic machine that asks for decisions and takes them.

An `Episode` opens a `Batch` of `Request`s, one for each seat that must decide now. Whoever answers for
a seat returns a `Reply`; the episode reads it into a `Decision` or says why not (`Rejection`). With a
decision for every request, in seat order, `advance` yields events in groups: the consumer makes each
group durable before it asks for the next, which is how decisions are sealed before anything is
computed from them. Nothing here knows a clock, a file or a provider.

An episode is a pure function of (configuration, seats, decisions, early end): that is what lets a
resumed run repeat it from the log and an audit check it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

import msgspec

from gridwars.benchmarks.presentation import Block, Picture, Span
from gridwars.canonical import Json

if TYPE_CHECKING:
    from gridwars.vectors import Runner

SEED_OPTION = "seed"
"""The option that every benchmark has: what tells one episode from another of the same run."""


class Origin(StrEnum):
    """Where a decision came from."""

    LLM = "llm"
    """The first reply of a policy that was asked (a model, a program, a person)."""
    RETRY = "retry"
    """The repair attempt's reply."""
    FALLBACK = "fallback"
    """Played for a seat that gave no usable reply."""
    SCRIPTED = "scripted"
    """A built-in or a file, taken verbatim."""


class Observation(msgspec.Struct, frozen=True):
    """All that a seat may see at one moment; every benchmark has its own subclass."""


class Rejection(msgspec.Struct, frozen=True):
    """Why a reply was not taken, in words for its author.

    Attributes:
        reason: the first thing that is wrong.
        further: what else is, for the repair; "" for nothing.
        reply: the text that was not taken, as received; "" where none came.
    """

    reason: str
    further: str = ""
    reply: str = ""


class Request(msgspec.Struct, frozen=True):
    """One seat is asked for one decision.

    Attributes:
        part: the number of its batch, from 1; logs have always called it so.
        seat: from 0.
        attempt: 1, or 2 for the repair.
        rejection: what was wrong with the first attempt, for the repair.
    """

    part: int
    seat: int
    attempt: int
    observation: Observation
    rejection: Rejection | None = None

    @property
    def key(self) -> tuple[int, int, int]:
        return (self.part, self.seat, self.attempt)


class Batch(msgspec.Struct, frozen=True):
    """The requests of one moment, in seat order; all are asked at the same time.

    Attributes:
        part: its number, from 1: of the round in Grid Wars, of the turn in Snake Royale.
    """

    part: int
    requests: tuple[Request, ...]


class Outcome(StrEnum):
    """How a request ended."""

    VALID = "valid"
    REPAIRED = "repaired"
    """Taken after reading had put something right."""
    INVALID = "invalid"
    """Unreadable, or its decision cannot be played."""
    TRUNCATED = "truncated"
    """The model ran into its output limit, and what it had written could not be taken."""
    REFUSED = "refused"
    EMPTY = "empty"
    """An answer without any text."""
    VOID = "void"
    """Nobody could be reached: the network or the provider failed."""
    THROTTLED = "throttled"
    """The provider turned the calls away, for their number or its load."""
    LATE = "late"
    """The batch's deadline came first."""
    BUDGET = "budget"
    """No money, or no time of the episode, was left to ask with."""
    WITHHELD = "withheld"
    """The server gave the seat's key away in the answer, which is therefore nowhere kept."""

    @property
    def is_void(self) -> bool:
        """Whether it is no answer by no fault of the policy, which is never a loss on merit."""
        return self in _VOIDS


_VOIDS = frozenset({Outcome.VOID, Outcome.THROTTLED, Outcome.LATE, Outcome.BUDGET, Outcome.WITHHELD})


class Reply(msgspec.Struct, frozen=True):
    """What came back for a request.

    Attributes:
        text: the reply as received; None where none came, and then `failure` says why.
        scripted: true for a built-in or a file: the text is the decision itself and is never repaired.
        failure: why there is no text, or why it ends where it does, in words that may be shown to the seat;
            "" where it is whole.
        outcome: what is known before the text is read: VALID where it may be taken, TRUNCATED where it
            stops at the output limit, REFUSED, EMPTY or one that is void where there is nothing to take.
    """

    text: str | None
    scripted: bool = False
    failure: str = ""
    outcome: Outcome = Outcome.VALID


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=False):
    """A line of the log, its envelope aside; every kind is a subclass with its own tag."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat submitted, after reading; every benchmark has its own subclass.

    Attributes:
        repairs: what reading put right in the reply, by name.
    """

    seat: int
    origin: Origin
    repairs: tuple[str, ...] = ()


class Results(msgspec.Struct, frozen=True):
    """What every benchmark reports at the end; subclasses add their own columns.

    Attributes:
        scores: by seat, exact: an integer or a fraction such as "309/20" as text.
        ranking: seats from first to last.
        reason: why the episode ended.
    """

    scores: tuple[str, ...]
    ranking: tuple[int, ...]
    reason: str


class Episode(Protocol):
    @property
    def aliases(self) -> tuple[str, ...]:
        """The seats' names in the game; no policy name may be derived from one."""
        ...

    def open(self) -> Batch | None:
        """The requests that must be answered now; None once the episode is over. Repeatable."""
        ...

    def read(self, request: Request, reply: Reply) -> Decision | Rejection: ...

    def fallback(self, request: Request, reason: str, outcome: Outcome = Outcome.INVALID) -> Decision:
        """What is played for a seat that gave nothing usable, and how its last request ended."""
        ...

    def advance(self, decisions: Sequence[Decision]) -> Iterator[Sequence[Event]]:
        """Takes one decision per request of the open batch, in seat order, and plays on.

        Yields groups of events: first what seals the decisions, then what followed from them. The
        next group is computed only when it is asked for. Must be run to its end.
        """
        ...

    def stop_early(self, recorded: Event | None = None) -> Iterator[Sequence[Event]]:
        """Ends the episode before its next batch: because the clock says so, or as a log has it.

        Args:
            recorded: the end that the log holds; of its reason, which nothing derives, is taken what may
                end an episode early.
        """
        ...

    def decision_of(self, event: Event) -> Decision | None:
        """The decision that a sealing event of the open batch recorded; None for other events."""
        ...

    def results(self) -> Results:
        """Results of the parts played so far; final once `open` returns None."""
        ...


class Finding(msgspec.Struct, frozen=True):
    """One thing an audit found to differ from what it derived itself.

    Attributes:
        sequence: the event's number in the log.
        field: path of the value inside the event, such as `stats[2].tiles`.
        recorded, derived: both values as text.
        seat, tick: where the difference is one of a seat or can be placed in time.
    """

    sequence: int
    field: str
    recorded: str
    derived: str
    seat: int | None = None
    part: int | None = None
    tick: int | None = None


ReplayAudit = Callable[[bytes], Iterator[Finding]]
"""Derives a recording in a foreign format again; a finding's sequence is the index of its event there.

Raises:
    ReplayError: where the recording cannot be read.
"""


class Transcript(msgspec.Struct, frozen=True):
    """A whole episode away from its log, as formats of others hold it.

    Attributes:
        aliases, policy_names: by seat.
        events: those of the benchmark, in order, to the end.
    """

    config: msgspec.Struct
    aliases: tuple[str, ...]
    policy_names: tuple[str, ...]
    events: tuple[Event, ...]


class ReplayCodec(NamedTuple):
    """Reads and writes whole episodes in the format of another implementation.

    Attributes:
        decode: raises ReplayError for what is no such recording, or holds what a log can't.
        encode: raises ReplayError for an episode that has not ended.
        magic: what a file begins with, where the format is not a JSON object that names its protocol.
    """

    protocol: str
    decode: Callable[[bytes], Transcript]
    encode: Callable[[Transcript], bytes]
    magic: bytes = b""


Baseline = Callable[[Observation], str]
"""A scripted policy: from what a seat sees to a reply text, the same always."""


class Search(NamedTuple):
    """A scripted player that searches for its replies.

    Attributes:
        make: from a budget to the player, which is the same for the same budget.
        default_budget: what is spent on one reply, counted in `budget_noun` (`battles`).
    """

    make: Callable[[int], Baseline]
    default_budget: int
    budget_noun: str


class Player(NamedTuple):
    """Who plays a seat without anybody being asked.

    Attributes:
        decide: from what the seat sees to its reply.
        script: the text that `decide` gives whatever it sees; "" where that depends.
    """

    decide: Baseline
    script: str = ""


class Bout(NamedTuple):
    """An episode between scripted players.

    Attributes:
        players: by seat; one may sit at several.
    """

    seed: int
    players: tuple[Player, ...]


class Starts(NamedTuple):
    """All that chance can do to an episode whose players draw nothing.

    Attributes:
        config: of an episode in which chance decides once; a score's mean over `seeds` is exactly what it is
            over all seeds in the episode that was asked about.
        seeds: one for each way in which that episode can begin, all of them equally likely.
    """

    config: msgspec.Struct
    seeds: tuple[int, ...]


class Rematch(NamedTuple):
    """One part of a played episode, to be played anew as an episode of its own, on any seed and seating.

    Attributes:
        config: of that episode, its seed aside.
        players: by seat, with what they submitted.
        scores: by seat, as played, exact as in `Results`; none where it was not played.
        remarks: seats, and what a reader of their scores should know of what they submitted.
    """

    part: int
    config: msgspec.Struct
    players: tuple[Player, ...]
    scores: tuple[str, ...]
    remarks: tuple[tuple[int, str], ...] = ()


class BaselineNote(NamedTuple):
    """What a person wants to know of a baseline.

    Attributes:
        description: one line.
        source: its text, where it is written in the game's own language; else "".
    """

    description: str
    source: str = ""


class Option(msgspec.Struct, frozen=True):
    """One number or choice of a benchmark's configuration, as command lines and files name it.

    Attributes:
        name: field name of the configuration, snake_case.
        default: also fixes the type; None: an integer that may be left out, a tuple: a list of texts.
        minimum, maximum: inclusive, for integers.
    """

    name: str
    default: int | str | bool | tuple[str, ...] | None
    help: str
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()


class Recording(NamedTuple):
    """What an episode's log says, as a view needs it.

    Attributes:
        seat_names: by seat, the policy's name.
        events: those of the benchmark, in order.
    """

    config: msgspec.Struct
    seat_names: Sequence[str]
    events: Sequence[Event]


class Worksheet(NamedTuple):
    """A file for a person's editor.

    Attributes:
        suffix: of its name, by which an editor knows the language.
    """

    text: str
    suffix: str


class Key(StrEnum):
    """A key that is no character, by what it is called on the screen."""

    UP = "↑"
    DOWN = "↓"
    LEFT = "←"
    RIGHT = "→"
    ENTER = "Enter"
    SPACE = "Space"
    ESCAPE = "Esc"
    BACKSPACE = "Backspace"


class Stroke(NamedTuple):
    """What may be answered with one key.

    Attributes:
        keys: any of which stands for it: `Key`s, and characters in lower case.
        description: what it would do, on one line.
    """

    keys: tuple[str, ...]
    reply: str
    description: str


class Keyboard(NamedTuple):
    """How a person plays a seat with single keys; all that is shown comes from the observation.

    Attributes:
        list_strokes: from what the seat sees, and a line that the person wrote, to what can be answered. None
            of their keys is `e`, `q` or `?`, nor `t` where lines can be written.
        draw: what the seat sees, for a terminal; with True in fewer lines, if need be in colours alone.
        help: what a beginner should know of the picture and the keys.
        line_noun: what a written line is, as a verb (`say`); "" where there is none.
        line_length: the most characters that it holds.
    """

    list_strokes: Callable[[Observation, str], Sequence[Stroke]]
    draw: Callable[[Observation, bool], Sequence[tuple[Span, ...]]]
    help: tuple[str, ...] = ()
    line_noun: str = ""
    line_length: int = 0


class Pace(NamedTuple):
    """How a benchmark's episodes are timed.

    Attributes:
        batch_seconds: how long a batch may be thought about, where nobody says otherwise.
        plays_on: what follows once the episode's time is used up: True for a play to its end in which
            nobody is asked any more, False for an early end.
        is_quick: whether what follows from decisions is computed in less than a change of threads takes.
    """

    batch_seconds: int
    plays_on: bool
    is_quick: bool = False


Painter = Callable[[Event], Iterator[Picture]]
"""Told an episode's events in their order, gives the pictures that each adds to the part being played.

They are to be drawn before the next event; one whose pictures are not wanted is told of all the same.
"""


class View(Protocol):
    """The pictures and tables of one benchmark."""

    part_noun: str
    """What a viewer selects of an episode: `round`, `match`."""
    batch_noun: str
    """What a seat is asked once in: `round`, `turn`. Batches are counted through the whole episode."""
    moment_noun: str
    """What a part is played in, and each has a picture: `tick`, `turn`."""

    def ends_batch(self, event: Event) -> bool:
        """Whether all that follows from one batch has been played once this event is recorded."""
        ...

    def ends_part(self, event: Event) -> bool:
        """Whether a part has been played once this event is recorded."""
        ...

    def count_parts(self, recording: Recording) -> int:
        """How many parts have begun; they are numbered from 1."""
        ...

    def render_summary(self, recording: Recording) -> Sequence[Block]:
        """Who stands where and why: standings first, one row for every part."""
        ...

    def tell_result(self, recording: Recording) -> Sequence[str]:
        """Who won and why, in sentences; none before anything was played."""
        ...

    def render_part(self, recording: Recording, part: int) -> Sequence[Block]:
        """One part in full, every seat's diagnostics with it."""
        ...

    def iterate_pictures(
        self, recording: Recording, part: int, *, compact: bool = False
    ) -> Iterator[Picture]:
        """One part from before its first moment to its end, derived again; none where it was not played.

        Args:
            compact: draw for a terminal of 24 lines, in colours alone if need be.
        """
        ...

    def start_pictures(self, config: msgspec.Struct, *, compact: bool = False) -> Painter:
        """The pictures of all parts, as `iterate_pictures` has them, while an episode goes on."""
        ...


class Benchmark(Protocol):
    """One game. Implementations are stateless; one instance each is in `registry`."""

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    dialogue_version: ClassVar[int]
    """Raised when a moment is shown to a seat, or a reply read, in another way than before: the rules stay,
    but what a seat of an older log was told, and what its replies came to, may not be derived alike."""
    seat_counts: ClassVar[range]
    options: ClassVar[tuple[Option, ...]]
    event_types: ClassVar[tuple[type[Event], ...]]
    """Its own kinds of event, `end` included; the log decodes them by tag."""
    baselines: ClassVar[Mapping[str, Baseline]]
    default_seats: ClassVar[tuple[str, ...]]
    """Baselines that fill the seats which nobody named, by seat."""
    baseline_notes: ClassVar[Mapping[str, BaselineNote]]
    """Of every baseline, in the order in which they are shown."""
    search: ClassVar[Search | None]
    """A strong player without a model; None where there is none."""
    pace: ClassVar[Pace]
    keyboard: ClassVar[Keyboard | None]
    """None where a reply is too much for a key, so that a person writes it in an editor."""
    replay_audits: ClassVar[Mapping[str, ReplayAudit]]
    """Recordings it can check besides its logs, by the `protocol` that they name or begin as."""
    replay_codec: ClassVar[ReplayCodec | None]
    """For import and export; None where nobody else records this game."""
    vector_runners: ClassVar[Mapping[str, Runner]]
    """Runs its golden vectors, by the kind that a file's name begins with."""

    def configure(self, options: Mapping[str, Json]) -> msgspec.Struct:
        """The checked configuration; missing options take their defaults.

        Raises:
            ConfigurationError: names the field, the value and the range.
        """
        ...

    def count_most_batches(self, config: msgspec.Struct) -> int:
        """How many batches an episode opens if it ends no sooner than it must; for estimates only."""
        ...

    def make_view(self) -> View:
        """Its tables and pictures."""
        ...

    def __hash__(self) -> int:
        """What is derived from a benchmark alone may be kept by it."""
        ...

    def prompt_facts(self) -> Mapping[str, Json]:
        """Numbers and words of the rules, for the prompt templates; the same however it is configured."""
        ...

    def tell_moment(self, observation: Observation) -> Mapping[str, Json]:
        """What prompt templates may show beside an observation, computed from it alone; {} for nothing."""
        ...

    def sample_observations(self) -> Sequence[Observation]:
        """Invented moments that between them hold every kind of thing a seat may be shown, the fullest last.

        Prompt templates are tried on them before a seat is asked anything.
        """
        ...

    def render_reply(self, decision: Decision, *, scripted: bool) -> str:
        """A text that `Episode.read` takes as this decision, repairs and origin aside.

        Args:
            scripted: whether it is to be read as a scripted reply, which holds no more than a file does.
        """
        ...

    def render_worksheet(self, observation: Observation, problem: str, draft: str) -> Worksheet:
        """What a person edits who plays this seat: what it sees, and below that its last script.

        Args:
            problem: what is wrong with the draft, or was with the last reply; "" for nothing.
            draft: the worksheet as the person left it, to be gone on with; "" at first.
        """
        ...

    def read_worksheet(self, text: str) -> str | Rejection:
        """The reply that a worksheet says, checked as far as that needs no episode."""
        ...

    def check_script(self, text: str) -> str | None:
        """What keeps a file's text from being a seat's scripted reply, for its author; None if nothing."""
        ...

    def review_script(self, text: str) -> str:
        """What is likely a mistake in a file's text, or a person's, that can be a reply; "" for nothing."""
        ...

    def start(self, config: msgspec.Struct) -> Episode: ...

    def play_bouts(
        self, config: msgspec.Struct, bouts: Sequence[Bout], *, threads: int = 1
    ) -> Iterator[Results]:
        """Plays whole episodes between scripted players in memory, and yields what each came to, in order.

        Args:
            config: of all, their seeds aside.
            threads: how many may be played at a time, where the benchmark can.
        """
        ...

    def list_starts(self, config: msgspec.Struct, players: Sequence[Player]) -> Starts | None:
        """What to play instead of seeds; None where one of them may draw, or chance has too many ways.

        Args:
            players: who sits in the bouts, however many.
        """
        ...

    def list_rematches(self, config: msgspec.Struct, events: Sequence[Event]) -> Sequence[Rematch]:
        """The parts decided so far, where a decision stands alone; none where it answers its moment."""
        ...

    def audit(self, config: msgspec.Struct, events: Sequence[tuple[int, Event]]) -> Iterator[Finding]:
        """Derives the episode again from its sealed decisions and compares everything recorded.

        Args:
            config: as recorded in the log's start event.
            events: (sequence number, event) of every event of this benchmark, in order; a log that
                was cut stops anywhere, and what is there is compared all the same.
        """
        ...


class ReplayError(ValueError):
    """A recording in a foreign format that cannot be read; the message names the place."""


class ConfigurationError(ValueError):
    """A configuration value that cannot be; the message names field, value and range."""
