"""Seats played by any program: it is started for every request, reads it as JSON and writes its reply.

`command:PROGRAM ARGUMENTS`. On standard input comes one JSON object, then the end of the file:

    {"protocol": "gridwars.command.v1",
     "benchmark": "grid-wars", "rules_version": 1,
     "part": 2,                 the round, turn or match, from 1
     "seat": 0, "alias": "Bolt",
     "attempt": 1,              2 where the first reply was not taken
     "rejection": null,         then {"reason": ..., "further": ..., "reply": ...}
     "observation": {...}}      all that the seat may see, as the benchmark has it

Standard output, to its end, is the reply, read as a model's would be. A program that fails, says too much or
takes too long has given no reply. It is stopped with everything that it has started, and sees no environment
variable that may hold a secret unless it is named: `--set a.environment='["MY_KEY"]'`. Nor can it read the
log, where this system can keep it from there; the seat's record says whether it could.
"""

from __future__ import annotations

import asyncio
import errno
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence

import msgspec

from gridwars.benchmarks.contract import Benchmark, Outcome, Reply, Request
from gridwars.canonical import Json
from gridwars.log.events import Message, SeatRecord
from gridwars.policies.confinement import Confinement, confine_command, find_confinement
from gridwars.policies.making import Making
from gridwars.policies.parameters import Parameter, Shape, check_parameters
from gridwars.policies.policy import Answer, Asking, Phase, PlayStopped, PolicyError, Progress
from gridwars.policies.processes import Said, choose_environment, run_program

KIND = "command"
PROTOCOL = "gridwars.command.v1"
DEFAULT_TIMEOUT_SECONDS = 300
MOST_BYTES = 1_000_000
"""Of a reply."""

_WORDS_LENGTH = 200

_SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
"""What keeps any program from being started, so that the seat's is not to blame."""


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set for such a seat.

    Attributes:
        timeout_seconds: of one request.
        environment: names of variables that the program sees besides the plain ones.
    """

    timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS
    environment: tuple[str, ...] = ()


PARAMETERS: Mapping[str, Parameter] = {
    "timeout_seconds": Parameter(Shape.INTEGER, "How long one request may take.", minimum=1),
    "environment": Parameter(Shape.LIST, "Variables that the program sees besides the plain ones."),
}
"""The same for `--help-set`."""


class CommandPolicy:
    """One program, started anew for every request."""

    scripted = False

    def __init__(self, record: SeatRecord, benchmark: Benchmark) -> None:
        self.record = record
        self._benchmark = benchmark
        try:
            self._arguments = msgspec.convert(record.parameters["arguments"], tuple[str, ...])
            self._parameters = msgspec.convert(record.parameters["parameters"], Parameters)
        except (KeyError, msgspec.ValidationError) as error:
            raise PolicyError(f'seat "{record.policy}": the log holds no command for it: {error}') from None

    @property
    def program(self) -> str:
        return self._arguments[0] if self._arguments else ""

    def find_warning(self) -> str:
        if find_confinement() is not Confinement.NONE:
            return ""
        return (
            f"{self.program}, a program, can read the growing log, with the seed and what others have "
            f"handed in: this system has no Landlock (Linux 5.13 or newer) to prevent it; the log says so"
        )

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        asking.watch(Progress(request.seat, request.attempt, Phase.ASKED))
        seconds = self._parameters.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                said = await run_program(
                    confine_command(str(asking.hidden), self._arguments),
                    self._render_request(request),
                    choose_environment(self._parameters.environment),
                    most_bytes=MOST_BYTES,
                )
        except TimeoutError:
            return _give_none(f"the program gave no reply within {seconds} s")
        except OSError as error:
            problem = f"the program cannot be started: {error.strerror}"
            if error.errno in _SHORTAGES:
                place = f'seat "{KIND}:{self.record.policy}"'
                raise PlayStopped(f"{place}: {problem}; this machine lacks what it takes") from None
            return _give_none(problem)
        return _read(said)

    def _render_request(self, request: Request) -> bytes:
        return msgspec.json.encode(
            {
                "protocol": PROTOCOL,
                "benchmark": self._benchmark.name,
                "rules_version": self._benchmark.rules_version,
                "part": request.part,
                "seat": request.seat,
                "alias": self.record.alias,
                "attempt": request.attempt,
                "rejection": request.rejection,
                "observation": request.observation,
            }
        )


def make_command(text: str, making: Making) -> CommandPolicy:
    """The policy for a command line, in the shell's quoting; no shell runs it.

    Raises:
        PolicyError: for a program that is not there, and for a parameter that is wrong.
    """
    place = f'seat "{KIND}:{text}"'
    try:
        arguments = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise PolicyError(f"{place}: the command line cannot be split: {error}") from None
    if not arguments:
        raise PolicyError(f"{place}: no program is named; write {KIND}:./agent.py")
    if shutil.which(arguments[0]) is None:
        raise PolicyError(f'{place}: there is no program "{arguments[0]}" that can be executed')
    check_parameters(f"{KIND}:{text}", making.parameters, PARAMETERS)
    parameters = msgspec.convert(dict(making.parameters), Parameters)
    kept: dict[str, Json] = {
        "arguments": list(arguments),
        "parameters": msgspec.to_builtins(parameters),
        "confinement": find_confinement().value,
    }
    return CommandPolicy(SeatRecord(text, KIND, making.alias, kept), making.benchmark)


def restore_command(record: SeatRecord, benchmark: Benchmark) -> CommandPolicy:
    """The policy that a log's record describes.

    Raises:
        PolicyError: where there is no such program, rather than none of its replies, or where it would see
            more than before.
    """
    policy = CommandPolicy(record, benchmark)
    # A log of an older version does not say.
    confinement = record.parameters.get("confinement", Confinement.NONE)
    if confinement not in (Confinement.NONE, find_confinement()):
        raise PolicyError(
            f'seat "{KIND}:{record.policy}": its program was kept from the log ("{confinement}"), which this '
            f"system cannot do; resume where play was begun"
        )
    program = policy.program
    if shutil.which(program) is None:
        raise PolicyError(
            f'seat "{KIND}:{record.policy}": there is no program "{program}" here; '
            f"resume in the directory in which play was begun"
        )
    return policy


def _read(said: Said) -> Answer:
    if len(said.output) > MOST_BYTES:
        return _give_none(f"the program said more than {MOST_BYTES} bytes")
    if said.exit_code != 0:
        assert said.exit_code is not None, "only a program that said too much has no exit code"
        ending = f"exit code {said.exit_code}" if said.exit_code > 0 else f"signal {-said.exit_code}"
        words = " ".join(said.errors.decode("utf-8", "replace").split())[-_WORDS_LENGTH:]
        return _give_none(f"the program ended with {ending}{f': {words}' if words else ''}")
    text = said.output.decode("utf-8", "surrogateescape")  # so that whoever reads it can name what is wrong
    if not text.strip():
        return Answer(Reply(None, failure="the program's reply is empty", outcome=Outcome.EMPTY))
    return Answer(Reply(text))


def _give_none(failure: str) -> Answer:
    return Answer(Reply(None, failure=failure, outcome=Outcome.INVALID))
