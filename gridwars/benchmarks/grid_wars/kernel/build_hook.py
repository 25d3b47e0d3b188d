"""The packaging hook: rebuilds `kernel.wasm` when it does not fit its sources.

Only then does it ask for a compiler.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelBuildHook(BuildHookInterface[Any]):  # Any: it serves every kind of build
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        build = _load_build()
        return [build.COMPILER] if build.is_stale() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # Any: hatchling's own
        build = _load_build()
        if build.is_stale():
            build.build()


def _load_build() -> ModuleType:
    """`build.py` beside this file, by its path: the package is not installed yet."""
    specification = importlib.util.spec_from_file_location(
        "kernel_build", Path(__file__).with_name("build.py")
    )
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
