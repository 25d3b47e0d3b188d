"""The guard around every test keeps the outside network out and this machine's in."""

from __future__ import annotations

import socket

import pytest


def test_outside_address_is_refused() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client,
        pytest.raises(AssertionError, match=r"192\.0\.2\.1"),
    ):
        client.connect(("192.0.2.1", 80))


def test_outside_datagram_is_refused() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client,
        pytest.raises(AssertionError, match=r"192\.0\.2\.1"),
    ):
        client.sendto(b"x", ("192.0.2.1", 9))


def test_outside_name_is_not_looked_up() -> None:
    with pytest.raises(AssertionError, match=r"model\.invalid"):
        socket.create_connection(("model.invalid", 443))


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            client.sendall(b"x")
        connection, _ = server.accept()
        with connection:
            assert connection.recv(1) == b"x"
