#!/usr/bin/env python3
"""A client under test that uses aioquic, with one HTTP/3 connection for all calls to a host.

usage: aioquic_client.py [--ping]    a ping every second, and an idle timeout of three seconds
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import Any, Optional

from aioquic.asyncio import QuicConnectionProtocol, connect
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, QuicEvent, StreamReset

from asynchronous import Call, Inboxes, SharingClient, main


class Connection(QuicConnectionProtocol):
    """A connection and the calls that it carries."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.http = H3Connection(self._quic)
        self.inboxes = Inboxes()

    def quic_event_received(self, event: QuicEvent) -> None:
        if isinstance(event, ConnectionTerminated):
            self.inboxes.lose(ConnectionError(event.reason_phrase or "the connection was closed"))
        elif isinstance(event, StreamReset):
            self.inboxes.put(event.stream_id, ConnectionError("the server reset the stream"))
        for received in self.http.handle_event(event):
            if isinstance(received, (DataReceived, HeadersReceived)):
                self.inboxes.put(received.stream_id, received)

    async def ping_forever(self) -> None:
        """Sends a ping every second until the connection is lost."""
        with contextlib.suppress(ConnectionError):
            while True:
                await asyncio.sleep(1)
                await self.ping()

    def send(self, stream: int, data: bytes, is_last: bool) -> None:
        self.http.send_data(stream, data, is_last)
        self.transmit()


class AIOQUIC(SharingClient):
    """A client with one connection for each host."""

    name = "aioquic"
    remedy = "ping"

    async def begin(self) -> None:
        # The contexts of the connections stay open until the process ends.
        self.contexts = contextlib.AsyncExitStack()
        await super().begin()

    async def connect(self, authority: str) -> Connection:
        address, port = authority.split(":")
        settings = QuicConfiguration(
            alpn_protocols=H3_ALPN, verify_mode=ssl.CERT_NONE, server_name="api.example")
        if self.has_remedy:
            settings.idle_timeout = 3
        connection: Any = await self.contexts.enter_async_context(
            connect(address, int(port), configuration=settings, create_protocol=Connection))
        if self.has_remedy:
            connection.pings = asyncio.ensure_future(connection.ping_forever())
        return connection

    async def make(self, call: Call) -> None:
        connection = await self.connection(call.authority)
        stream = connection._quic.get_next_available_stream_id()
        headers = {":method": "POST", ":scheme": "https", ":authority": call.authority,
                   ":path": f"/{call.kind}", **call.headers}

        async def send(message: Optional[bytes]) -> None:
            connection.send(stream, message or b"", is_last=message is None)

        with connection.inboxes.inbox(stream) as inbox:
            connection.http.send_headers(
                stream, [(name.encode(), value.encode()) for name, value in headers.items()])
            connection.send(stream, b"", is_last=not call.sends)
            async with call.sending(send):
                while True:
                    received = await inbox.next()
                    for _ in range(getattr(received, "data", b"").count(b"\n")):
                        call.deliver()
                    if received.stream_ended:
                        return


if __name__ == "__main__":
    main(AIOQUIC)
