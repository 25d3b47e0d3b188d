"""Compiles the kernel's C into `kernel.wasm`, which the package keeps beside a hash of what it was made from.

Users need no compiler: the file is rebuilt only where that hash no longer fits the sources, by the `ziglang`
wheel, whose clang gives the same bytes everywhere. Only the standard library is imported here, since the
package's build hook runs this file before the package exists.

    python -m gridwars.benchmarks.grid_wars.kernel.build            rebuild
    python -m gridwars.benchmarks.grid_wars.kernel.build --check    rebuild elsewhere and compare
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
MODULE = FOLDER / "kernel.wasm"
SOURCE_HASH = FOLDER / "kernel.wasm.sources"
"""Holds `compute_source_hash` as of the build of `MODULE`."""

COMPILER = "ziglang==0.17.1"
"""What `python -m ziglang` must be to give the same bytes."""

_TARGET = ("-target", "wasm32-freestanding", "-nostdlib")
_COMPILE = ("-std=c11", "-fno-builtin", "-fno-unroll-loops", "-Wall", "-Wextra", "-Werror", "-c")
_LINK = ("-Wl,--no-entry", "-Wl,--strip-all")
_HOT = frozenset({"machine.c", "digest.c"})
"""Compiled for speed; the rest, where it makes no difference, for size."""


def compute_source_hash() -> str:
    """SHA-256 of all that decides the module's bytes: sources, compiler and options."""
    digest = hashlib.sha256(repr((COMPILER, _TARGET, _COMPILE, _LINK, sorted(_HOT))).encode())
    for file in sorted((*FOLDER.glob("*.c"), *FOLDER.glob("*.h"))):
        text = file.read_bytes().replace(b"\r\n", b"\n")  # A checkout may have changed the line ends.
        digest.update(f"\0{file.name}\0".encode() + text)
    return digest.hexdigest()


def is_stale() -> bool:
    """Whether the module is missing or was made from something else than the present sources."""
    if not MODULE.is_file() or not SOURCE_HASH.is_file():
        return True
    return SOURCE_HASH.read_text().strip() != compute_source_hash()


def compile_module() -> bytes:
    """The module compiled from the present sources.

    Raises:
        subprocess.CalledProcessError: when the compiler refuses; it has said why on standard error.
    """
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for source in sorted(FOLDER.glob("*.c")):
            objects.append(Path(folder, source.stem + ".o"))
            level = "-O2" if source.name in _HOT else "-Os"
            _run_compiler(*_TARGET, *_COMPILE, level, "-o", str(objects[-1]), str(source))
        module = Path(folder, "kernel.wasm")
        _run_compiler(*_TARGET, *_LINK, "-o", str(module), *map(str, objects))
        return module.read_bytes()


def build() -> None:
    """Writes the module and the hash of its sources."""
    MODULE.write_bytes(compile_module())
    SOURCE_HASH.write_text(compute_source_hash() + "\n")


def check() -> str | None:
    """What is wrong with the module that the package keeps, or None."""
    if is_stale():
        return f"{MODULE.name} was not built from the present sources; run this without --check"
    if compile_module() != MODULE.read_bytes():
        return f"{MODULE.name} is not what {COMPILER} makes of the present sources"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description="Compiles the kernel, with the ziglang wheel as compiler.")
    parser.add_argument("--check", action="store_true", help="compare the kept module with a new build")
    if parser.parse_args().check:
        sys.exit(check())
    build()
    print(f"{MODULE}: {MODULE.stat().st_size} bytes")


def _run_compiler(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", "cc", *arguments], check=True)  # noqa: S603 - our own


if __name__ == "__main__":
    main()
