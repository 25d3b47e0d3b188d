"""One instance of the kernel under wasmtime: its memory, and the calls into it.

The only importer of wasmtime, which has no build for every platform.
"""

from __future__ import annotations

import atexit
import weakref
from pathlib import Path

import wasmtime

KERNEL_VERSION = 1
"""Of the shapes in `kernel.h` that `encoding` and `results` know."""

_MODULE = Path(__file__).with_name("kernel.wasm")

_stores: weakref.WeakSet[wasmtime.Store] = weakref.WeakSet()
_compiled: weakref.WeakSet[CompiledKernel] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Frees what wasmtime holds while it still can: its own clean-up fails once modules are torn down."""
    for store in list(_stores):
        store.close()
    for kernel in list(_compiled):
        kernel.close()


class CompiledKernel:
    """The kernel compiled for this machine, for any number of instances and threads."""

    def __init__(self) -> None:
        """Compiles it.

        Raises:
            RuntimeError: where wasmtime cannot do it.
        """
        config = wasmtime.Config()
        config.parallel_compilation = False  # Its threads would be missing, and waited for, after a fork.
        # Without wasmtime's cache, which would run whatever a damaged file has become.
        try:
            self._engine = wasmtime.Engine(config)
            self._module = wasmtime.Module(self._engine, _MODULE.read_bytes())
        except wasmtime.WasmtimeError as error:
            raise RuntimeError(str(error)) from error
        _compiled.add(self)

    def close(self) -> None:
        """Nothing can be started afterwards."""
        self._module.close()
        self._engine.close()

    def start(self) -> WasmKernel:
        store = wasmtime.Store(self._engine)
        _stores.add(store)
        return WasmKernel(store, wasmtime.Instance(store, self._module, []))


class WasmKernel:
    """A `fast.Kernel`. Calls release the interpreter's lock."""

    def __init__(self, store: wasmtime.Store, instance: wasmtime.Instance) -> None:
        self._store = store
        self._exports = instance.exports(store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._load = self._function("load")
        self._play = self._function("play")
        version = self._function("version")(self._store)
        assert version == KERNEL_VERSION, f"the kernel is of version {version}, not {KERNEL_VERSION}"
        self._input: int = self._function("input")(self._store)
        self._output: int = self._function("output")(self._store)

    def load(self, program: bytes) -> int:
        self._memory.write(self._store, program, self._input)
        number: int = self._load(self._store, len(program))
        return number

    def unload(self) -> None:
        self._function("unload")(self._store)

    def play(self, jobs: bytes, count: int, result_size: int) -> bytes:
        self._memory.write(self._store, jobs, self._input)
        played = self._play(self._store, count)
        assert played == count, f"the kernel played {played} of {count} jobs"
        return bytes(self._memory.read(self._store, self._output, self._output + result_size))

    def _function(self, name: str) -> wasmtime.Func:
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return function
