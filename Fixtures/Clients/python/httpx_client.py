#!/usr/bin/env python3
"""A client under test that uses httpx with HTTP/2.

usage: httpx_client.py [--tcp-timeout]    timeouts of TCP of one second, and none of httpx

httpx sends a whole request before it reads, so it has no calls in both directions.
"""

from __future__ import annotations

import httpx

from asynchronous import TCP_TIMEOUT, Call, Client, main


class HTTPX(Client):
    """A client with one pool for all hosts."""

    name = "httpx"
    capabilities = ["half-duplex"]
    remedy = "tcp-timeout"

    async def begin(self) -> None:
        # HTTP/2 without TLS needs a client that does not offer HTTP/1.1.
        options = TCP_TIMEOUT if self.has_remedy else None
        transport = httpx.AsyncHTTPTransport(http1=False, http2=True, socket_options=options)
        if self.has_remedy:
            self.http = httpx.AsyncClient(transport=transport, timeout=None)
        else:
            self.http = httpx.AsyncClient(transport=transport)

    async def make(self, call: Call) -> None:
        body = call.body() if call.sends else None
        async with self.http.stream("POST", call.url, content=body,
                                    headers=call.headers) as response:
            response.raise_for_status()
            async for _ in response.aiter_lines():
                call.deliver()


if __name__ == "__main__":
    main(HTTPX)
