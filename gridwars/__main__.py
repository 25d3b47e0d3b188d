"""Lets `python -m gridwars` be the `gridwars` command."""

from gridwars.cli.main import main

main()
