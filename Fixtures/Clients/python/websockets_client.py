#!/usr/bin/env python3
"""A client under test that uses websockets, with one WebSocket for all calls to a host.

usage: websockets_client.py [--ping]    pings after one second, and timeouts of one second
"""

from __future__ import annotations

import asyncio
import json
from typing import Optional

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from asynchronous import Call, Inboxes, SharingClient, main

#: Without `close_timeout`, a failed ping is followed by ten seconds of waiting for a close frame.
PING = {"ping_interval": 1, "ping_timeout": 1, "close_timeout": 1}


class Channel:
    """A WebSocket and the calls that it carries."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.inboxes = socket, Inboxes()
        self.reader = asyncio.ensure_future(self.read())

    async def read(self) -> None:
        """Distributes the lines of the server until the WebSocket is closed."""
        try:
            while True:
                word, call = str(await self.socket.recv()).split()
                self.inboxes.put(call, word)
        except ConnectionClosed as error:
            self.inboxes.lose(error)


class WebSockets(SharingClient):
    """A client with one WebSocket for each host."""

    name = "websockets"
    remedy = "ping"

    async def connect(self, authority: str) -> Channel:
        settings = PING if self.has_remedy else {}
        return Channel(await connect(f"ws://{authority}/", proxy=None, **settings))

    async def make(self, call: Call) -> None:
        channel = await self.connection(call.authority)

        async def send(message: Optional[bytes]) -> None:
            await channel.socket.send(f"{'finish' if message is None else 'send'} {call.id}")

        with channel.inboxes.inbox(call.id) as inbox:
            await channel.socket.send(f"start {call.id} {call.kind} {json.dumps(call.takes)}")
            async with call.sending(send):
                while await inbox.next() == "message":
                    call.deliver()


if __name__ == "__main__":
    main(WebSockets)
