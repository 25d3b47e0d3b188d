"""An editor's side of the Language Server Protocol: a `gwl lsp` process, asked over its pipes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from queue import Queue
from types import TracebackType
from typing import Any, Self

Message = dict[str, Any]  # Any: JSON as it comes

URI = "file:///warriors/mine.gwl"
REPLY_SECONDS = 120


class LanguageClient:
    """One server process; every wait is bounded."""

    def __init__(self, **capabilities: Any) -> None:  # Any: JSON
        command = [sys.executable, "-m", "gwl", "lsp", "--stdio"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._messages: Queue[Message | None] = Queue()
        self._last_id = 0
        threading.Thread(target=self._read, daemon=True).start()
        self.server = self.request("initialize", {"processId": None, "capabilities": capabilities})
        self.notify("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def request(self, method: str, params: Message | None) -> Any:  # Any: JSON
        """The result; what the server says meanwhile of other things is dropped."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._last_id:
                assert "error" not in message, message["error"]
                return message.get("result")

    def notify(self, method: str, params: Message | None) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, line: int, character: int) -> Any:  # Any: JSON
        """What the server answers of a place in the open text."""
        position = {"line": line, "character": character}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position})

    def open(self, text: str) -> list[Message]:
        """Opens a text and returns its diagnostics."""
        document = {"uri": URI, "languageId": "gwl", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.wait_for_diagnostics()

    def change(self, text: str) -> list[Message]:
        document = {"uri": URI, "version": 2}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.wait_for_diagnostics()

    def format(self) -> Any:  # Any: JSON
        options = {"tabSize": 2, "insertSpaces": True}
        return self.request("textDocument/formatting", {"textDocument": {"uri": URI}, "options": options})

    def wait_for_diagnostics(self) -> list[Message]:
        while True:
            message = self._receive()
            assert message.get("method") != "window/showMessage", message
            if message.get("method") == "textDocument/publishDiagnostics":
                found: list[Message] = message["params"]["diagnostics"]
                return found

    def leave(self) -> int:
        """Says goodbye as editors do, and returns the server's exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(REPLY_SECONDS)

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> Message:
        message = self._messages.get(timeout=REPLY_SECONDS)
        assert message is not None, "the server is gone"
        return message

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.removeprefix(b"Content-Length: "))
            while stream.readline() != b"\r\n":
                pass
            self._messages.put(json.loads(stream.read(length)))
        self._messages.put(None)
