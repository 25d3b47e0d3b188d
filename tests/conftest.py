"""What holds for every test: no network but this machine's own, and options that buy longer runs."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest

hypothesis.settings.register_profile("no-deadline", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("no-deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="Also run the tests marked `slow`, as CI does.")
    parser.addoption(
        "--fuzz-seconds",
        type=float,
        default=60 if os.environ.get("CI") else 5,
        metavar="N",
        help="How long the fuzz tests run, all together (default: 5, in CI 60; an hour is 3600).",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    slow = {item for item in items if item.get_closest_marker("slow")}
    config.hook.pytest_deselected(items=sorted(slow, key=lambda item: item.nodeid))
    items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session", autouse=True)
def _no_outside_network() -> Iterator[None]:
    """Refuses every address and name outside this machine; processes started by a test are their own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, _guard_address(getattr(socket.socket, name)))
        patch.setattr(socket, "getaddrinfo", _guard_name(socket.getaddrinfo))
        yield


def _guard_address(
    method: Callable[..., Any],
) -> Callable[..., Any]:  # Any: passes through whatever socket takes
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _require_local(arguments[-1][0])
        return method(self, *arguments)

    return guarded


def _guard_name(function: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(host: str | bytes | None, *arguments: Any, **options: Any) -> Any:
        if host is not None:
            _require_local(host.decode() if isinstance(host, bytes) else host)
        return function(host, *arguments, **options)

    return guarded


def _require_local(host: str) -> None:
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if not local and host != "":
        raise AssertionError(f"a test reached for the network: {host}")
