"""The fast twin of the reference engine: C compiled to one WebAssembly module, and what runs it.

`kernel.h` says what goes in and out, `tick.c` is the law and `machine.c` runs the warriors, whose programs
`source.c` checks and `translate.c` rewrites. The same bytes run here, under wasmtime (`fast`), and in a
browser.
"""
