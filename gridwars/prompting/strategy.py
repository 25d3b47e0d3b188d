"""An operator's advice to a model: a file with a head in TOML and a body that is a template.

+++
name = "hunter"
version = 1
notes = "Kills pay more than paint."
+++
Bomb what stands still. {% if seen.round == seen.rounds %}Nothing is left to lose.{% endif %}
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from gridwars.canonical import hash_text
from gridwars.files import read_file
from gridwars.prompting.errors import PromptError, suggest
from gridwars.prompting.folder import prompts_path
from gridwars.toml_reading import parse_toml

MOST_BYTES = 32_000
"""Of a strategy's file: each of its tokens is paid for in every request."""

FENCE = "+++"
_HEAD_HOLDS = (
    'a head holds name = "...", version = 1, notes = "..." and perhaps benchmark = "..." and hints = false'
)
_TOML_PLACE = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)")


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a strategy.

    Attributes:
        version: raised by its author whenever the body changes.
        notes: one line for whoever chooses between strategies; no model sees it.
        benchmark: the only one that it fits; "" where it fits all.
        hints: whether the prompt shows what a program worked out for the model, where a game has that.
    """

    name: str
    version: Annotated[int, msgspec.Meta(ge=1)]
    notes: str
    benchmark: str = ""
    hints: bool = True


@dataclass(frozen=True, slots=True)
class Strategy:
    """One strategy.

    Attributes:
        body: the template.
        body_line: number of the body's first line in the file.
        source: the whole file.
        file: what errors call it.
    """

    head: Head
    body: str
    body_line: int
    source: str
    file: str

    def fits(self, benchmark: str) -> bool:
        return self.head.benchmark in ("", benchmark)

    @property
    def name(self) -> str:
        return self.head.name

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hash_text(self.source)


def load_strategy(text: str, folder: Path | None = None) -> Strategy:
    """The strategy that an operator named: one of `folder`'s by name, or a file by its path.

    Args:
        text: a path where it holds a `/` or a dot.
        folder: by default the project's own strategies.

    Raises:
        PromptError: where there is no such strategy, or it is not written as one.
    """
    folder = prompts_path() / "strategies" if folder is None else folder
    path = Path(text) if "/" in text or "\\" in text or "." in text else folder / f"{text}.md"
    try:
        content = read_file(path, MOST_BYTES)
    except FileNotFoundError:
        raise PromptError(f'there is no strategy "{text}"; {suggest(text, _list_names(folder))}') from None
    except OSError as error:
        raise PromptError(f'strategy "{text}": cannot read {path}: {error.strerror}') from error
    try:
        source = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise PromptError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    strategy = parse_strategy(source, str(path))
    if strategy.name != path.stem:
        remedy = f'write name = "{path.stem}", or rename the file to {strategy.name}.md'
        raise PromptError.at(str(path), 2, f'the name "{strategy.name}" is not the file\'s; {remedy}')
    return strategy


def list_strategies(folder: Path | None = None) -> tuple[Strategy, ...]:
    """All strategies of a folder, by name.

    Raises:
        PromptError: for the first that is not written as one.
    """
    folder = prompts_path() / "strategies" if folder is None else folder
    return tuple(load_strategy(name, folder) for name in _list_names(folder))


def parse_strategy(source: str, file: str) -> Strategy:
    """The strategy that a file's text describes.

    Raises:
        PromptError: names the line and what would be right.
    """
    lines = source.split("\n")
    if lines[0].rstrip() != FENCE:
        raise PromptError.at(file, 1, f'a strategy begins with a line "{FENCE}", then its head in TOML')
    end = next((index for index, line in enumerate(lines) if index and line.rstrip() == FENCE), None)
    if end is None:
        raise PromptError.at(file, len(lines), f'the head never ends; close it with a line "{FENCE}"')
    return Strategy(
        head=_parse_head(lines[1:end], file),
        body="\n".join(lines[end + 1 :]),
        body_line=end + 2,
        source=source,
        file=file,
    )


def _parse_head(lines: list[str], file: str) -> Head:
    try:
        return msgspec.convert(parse_toml("\n".join(lines)), Head)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else len(lines)
        problem = _TOML_PLACE.sub("", str(error)).strip()
    except msgspec.ValidationError as error:
        problem = str(error).replace(" - at `$.", " at `")
        keys = re.findall(r"`(\w+)`", problem)
        line = next((n for n, text in enumerate(lines, 1) if text.lstrip().startswith(keys[-1])), len(lines))
    raise PromptError.at(file, line + 1, f"{problem}; {_HEAD_HOLDS}")


def _list_names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.md"))
