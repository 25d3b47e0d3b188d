"""GWL, the warrior language of Grid Wars: compiler and metered machine.

`compile_source` turns source lines into a `Program` or raises `CompileError`; `check_source` lists every diagnostic.
"""
