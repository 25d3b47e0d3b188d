"""`gridwars sign`: signs the head of a log, or those of a run, with an SSH key."""

from __future__ import annotations

from pathlib import Path

import click

from gridwars.cli.console import examples, json_option, make_plain, print_json
from gridwars.cli.exit_codes import ExitCode


@click.command(
    epilog=examples(
        "gridwars sign runs/duel --key ~/.ssh/id_ed25519",
        'echo "me@example.org $(cat ~/.ssh/id_ed25519.pub)" > signers',
        "gridwars audit runs/duel --signer signers",
    )
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--key",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A private SSH key's file, or the public one's where the agent has the private key.",
)
@json_option
def command(path: Path, key: Path, as_json: bool) -> ExitCode:
    """Sign a log, or the logs of a run, with an SSH key.

    What is signed is the digest of each log's last line, on which all lines before depend: the head file
    beside a log, or run.heads in the folder of a run. The signature stands beside it as .sig. It proves
    that a log is the one that was signed, and not that what stands in it is true.
    """
    from gridwars.audit.published import write_heads
    from gridwars.log.signing import sign_file

    file = write_heads(path)
    signature = sign_file(file, key)
    if as_json:
        print_json({"path": str(path), "heads": str(file), "signature": str(signature)})
    else:
        click.echo(make_plain(f"{signature}: signs {file}"))
    return ExitCode.OK
