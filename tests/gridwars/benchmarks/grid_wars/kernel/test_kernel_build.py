"""The module that the package keeps is the one that its sources give, and is rebuilt only where it is not."""

from __future__ import annotations

import importlib.util
import shutil
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from gridwars.benchmarks.grid_wars.kernel import build
from tests.project.installation import ROOT

needs_compiler = pytest.mark.slow


@pytest.fixture
def copy(tmp_path: Path) -> ModuleType:
    """The build of a copy of the kernel's folder."""
    folder = tmp_path / "kernel"
    shutil.copytree(build.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return _load(folder / "build.py")


def test_developers_have_the_compiler_that_made_the_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert build.COMPILER in project["optional-dependencies"]["kernel"]


@needs_compiler
def test_the_kept_module_is_what_the_compiler_makes_of_the_sources() -> None:
    assert build.check() is None


@needs_compiler
def test_the_bytes_do_not_depend_on_where_they_are_built(
    copy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    assert copy.compile_module() == build.MODULE.read_bytes()


def test_a_changed_source_makes_the_module_stale(copy: ModuleType) -> None:
    assert not copy.is_stale()
    source = copy.FOLDER / "tick.c"
    source.write_bytes(source.read_bytes() + b"\n")
    assert copy.is_stale()
    assert "not built from the present sources" in copy.check()


def test_line_ends_of_a_checkout_do_not_make_it_stale(copy: ModuleType) -> None:
    source = copy.FOLDER / "tick.c"
    source.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    assert not copy.is_stale()


def test_a_missing_module_is_stale(copy: ModuleType) -> None:
    copy.MODULE.unlink()
    assert copy.is_stale()


def test_the_packaging_hook_asks_for_a_compiler_only_for_a_stale_module(copy: ModuleType) -> None:
    hook = _load(copy.FOLDER / "build_hook.py").KernelBuildHook(str(copy.FOLDER), {}, None, None, "", "wheel")
    assert hook.dependencies() == []
    copy.MODULE.unlink()
    assert hook.dependencies() == [build.COMPILER]


@needs_compiler
def test_the_packaging_hook_rebuilds_a_stale_module(copy: ModuleType) -> None:
    copy.MODULE.unlink()
    _load(copy.FOLDER / "build_hook.py").KernelBuildHook(
        str(copy.FOLDER), {}, None, None, "", "wheel"
    ).initialize("standard", {})
    assert copy.MODULE.read_bytes() == build.MODULE.read_bytes()
    assert not copy.is_stale()


def _load(path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(f"copied_{path.stem}", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
