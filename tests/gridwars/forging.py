"""Logs changed by somebody who knows how a chain is made: every digest fits again, and so does the head."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from gridwars.canonical import hash_text, render_canonical
from gridwars.log.events import Start
from gridwars.log.head import Head, write_head
from gridwars.log.line import FIRST_PREVIOUS
from gridwars.log.run_digest import recompute_run_digest

Document = dict[str, Any]
"""An event with its time; what the chain adds is left out."""


class Forgery:
    """The events of a log, to be changed."""

    def __init__(self, log: Path) -> None:
        self.documents: list[Document] = []
        for line in log.read_bytes().splitlines():
            document = json.loads(line)
            del document["seq"], document["prev"]
            self.documents.append(document)

    @property
    def start(self) -> Document:
        return self.documents[0]

    def find(self, kind: str, number: int = 1, **fields: object) -> int:
        """The index of the nth event of a kind with these values."""
        found = [
            index
            for index, document in enumerate(self.documents)
            if document["kind"] == kind and fields.items() <= document.items()
        ]
        return found[number - 1]

    def get(self, kind: str, number: int = 1, **fields: object) -> Document:
        return self.documents[self.find(kind, number, **fields)]

    def remove(self, kind: str, number: int = 1, **fields: object) -> int:
        index = self.find(kind, number, **fields)
        del self.documents[index]
        return index

    def replace_text(self, old: str, new: str) -> None:
        """Puts another text in the place of a logged one, and its digest wherever the old one's stood."""
        whole = json.dumps(self.documents).replace(hash_text(old), hash_text(new))
        self.documents = json.loads(whole)
        self.get("text", digest=hash_text(new))["text"] = new

    def renew_run_digest(self) -> None:
        """As whoever changes the first line does, since its digest can be computed by anybody."""
        fields = {name: value for name, value in self.start.items() if name != "time"}
        self.start["run"]["digest"] = recompute_run_digest(msgspec.convert(fields, Start))

    def write(self, path: Path) -> Path:
        """A log and a head, whole in every link."""
        lines: list[bytes] = []
        previous = FIRST_PREVIOUS
        for sequence, document in enumerate(self.documents, start=1):
            fields = {"seq": sequence, "time": document["time"], "prev": previous, **document}
            lines.append(render_canonical(fields, sort_keys=False).encode())
            previous = sha256(lines[-1]).hexdigest()
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        write_head(path, Head(len(lines), previous))
        return path


Change = Callable[[Forgery], int]
"""Changes a log; gives the index of the event in which that must be found."""
