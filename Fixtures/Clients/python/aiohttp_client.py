#!/usr/bin/env python3
"""A client under test that uses aiohttp, which speaks HTTP/1.1.

usage: aiohttp_client.py [--tcp-timeout]    timeouts of TCP of one second
"""

from __future__ import annotations

import socket
from typing import Any

import aiohttp

from asynchronous import TCP_TIMEOUT, Call, Client, main


def tcp_timeout_socket(address: Any) -> socket.socket:
    """Returns a socket for an element of the result of `getaddrinfo`."""
    family, kind, protocol, _, _ = address
    result = socket.socket(family, kind, protocol)
    for option in TCP_TIMEOUT:
        result.setsockopt(*option)
    return result


class AIOHTTP(Client):
    """A client with one session for all hosts."""

    name = "aiohttp"
    remedy = "tcp-timeout"

    async def begin(self) -> None:
        factory = tcp_timeout_socket if self.has_remedy else None
        connector = aiohttp.TCPConnector(socket_factory=factory)
        self.session = aiohttp.ClientSession(connector=connector)

    async def make(self, call: Call) -> None:
        body = call.body() if call.sends else None
        async with self.session.post(call.url, data=body, headers=call.headers) as response:
            response.raise_for_status()
            async for _ in response.content:
                call.deliver()


if __name__ == "__main__":
    main(AIOHTTP)
