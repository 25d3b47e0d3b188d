"""The fast twin of the reference engine: C compiled to one WebAssembly module, and what plays battles with it.

`program.h` to `kernel.h` say what goes in and out, `tick.c` is the law, `machine.c` runs warriors. The same
bytes run here, under wasmtime (`fast`), and in a browser.
"""
