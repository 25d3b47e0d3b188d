"""Which exit code an error means: the one place that knows every layer's error classes.

Imported only once something has failed, since it imports all layers.
"""

from __future__ import annotations

from gridwars.audit.published import PublishedError
from gridwars.benchmarks.contract import ConfigurationError, ReplayError
from gridwars.cli.console import make_plain_lines
from gridwars.cli.exit_codes import ExitCode
from gridwars.harness.orchestrator import ResumeError
from gridwars.log.errors import LogError
from gridwars.log.signing import SigningError
from gridwars.policies.policy import PolicyError
from gridwars.policies.prices import PriceError
from gridwars.prompting.errors import PromptError
from gridwars.vectors import VectorError

_CODES: tuple[tuple[type[Exception], ExitCode], ...] = (
    (ConfigurationError, ExitCode.USAGE),
    (PolicyError, ExitCode.USAGE),
    (PromptError, ExitCode.USAGE),
    (PriceError, ExitCode.USAGE),
    (LogError, ExitCode.FILE),
    (PublishedError, ExitCode.FILE),
    (SigningError, ExitCode.FILE),
    (ReplayError, ExitCode.FILE),
    (ResumeError, ExitCode.FILE),
    (VectorError, ExitCode.FILE),
    (OSError, ExitCode.FILE),
)


def find_exit_code(error: Exception) -> ExitCode:
    """The code of the first class that fits; INTERNAL for an error that no layer means for its user."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.INTERNAL)


def describe(error: Exception) -> str:
    """What is said to the user: without Python's own decorations, and safe for any terminal."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return make_plain_lines(text)
