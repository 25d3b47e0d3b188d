"""What models are asked with: templates and strategies in files, rendered from what a seat may see.

`make_prompter` joins a benchmark's templates with a strategy, `restore_prompter` does it for a resumed
run, and `Prompter.render` makes the messages of a request.
"""

from __future__ import annotations

from gridwars.prompting.errors import PromptError
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.prompter import (
    Prompter,
    UnknownTemplatesError,
    list_installed_texts,
    make_prompter,
    restore_prompter,
)
from gridwars.prompting.strategy import Strategy, list_strategies, load_strategy

__all__ = [
    "PromptError",
    "Prompter",
    "Strategy",
    "UnknownTemplatesError",
    "list_installed_texts",
    "list_strategies",
    "load_strategy",
    "make_prompter",
    "prompts_path",
    "restore_prompter",
]
