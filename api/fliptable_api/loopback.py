"""Ports of the loopback address."""

from __future__ import annotations

import asyncio
import socket

HOST = "127.0.0.1"
"""The address that this machine alone can reach."""


def is_free(port: int) -> bool:
    """Whether a server may listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


async def comes_free(port: int, tries: int = 50) -> bool:
    """Whether the port is free, or becomes so within ``tries`` looks, 20 ms apart."""
    for _ in range(tries):
        if is_free(port):
            return True
        await asyncio.sleep(0.02)
    return False


def free_port() -> int:
    """A port that is free now; another program may still be faster to take it."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
