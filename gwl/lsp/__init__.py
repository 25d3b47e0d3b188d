"""The language server behind `gwl lsp`: GWL in any editor that speaks the Language Server Protocol.

`document` counts places as editors do, `names` finds what a script declares, `meanings` reads what the
reference says of each name, `answers` says what an editor is told, and `server` alone knows the protocol.
"""
