#!/usr/bin/env python3
"""The server of all clients under test except those of gRPC, implemented with Hypercorn.

usage: web_server.py FOLDER, which contains the certificate quic.pem and its key quic.key

On each port it serves HTTP/1.1, HTTP/2 and WebSocket over TCP without TLS, and HTTP/3 over QUIC.

- HTTP: the path is the kind of the call. The response ends after the time in the header
  `handover-takes`, in microseconds, or never without the header. A stream contains a line every
  200 ms.
- WebSocket: the client sends `start CALL KIND TAKES`, `send CALL` and `finish CALL`. The server
  sends `message CALL` and `end CALL`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
import threading
import time
from typing import Any, AsyncIterator, Optional

from hypercorn.asyncio import serve as serve_asgi
from hypercorn.config import Config

from lines import JSONObject, Lines, serve

#: The interval between two messages of a stream, in seconds.
SILENCE = 0.2
#: A connection without calls stays open for longer than any run, in seconds.
IDLE = 3_600.0


class Answer:
    """The answer to one call, counted from the complete request."""

    def __init__(self, kind: str, takes: Optional[int]) -> None:
        self.kind, self.takes = kind, takes
        self.is_complete = asyncio.Event()
        if kind in ("unary", "streaming"):
            self.is_complete.set()
        self.end = asyncio.ensure_future(self.wait())

    @property
    def is_stream(self) -> bool:
        return self.kind in ("streaming", "bidi")

    async def wait(self) -> None:
        """Waits until the answer is due."""
        await self.is_complete.wait()
        if self.takes is None:
            await asyncio.Event().wait()
        else:
            await asyncio.sleep(self.takes / 1e6)

    async def messages(self) -> AsyncIterator[bytes]:
        """Yields messages until the answer is complete or the client has gone."""
        while True:
            await asyncio.wait([self.end], timeout=SILENCE if self.is_stream else None)
            if self.end.done():
                return
            yield b"message\n"


async def respond(scope: Any, receive: Any, send: Any) -> None:
    """Answers a request."""
    takes = dict(scope["headers"]).get(b"handover-takes")
    answer = Answer(scope["path"].strip("/"), None if takes is None else int(takes))

    async def read() -> None:
        while (event := await receive())["type"] != "http.disconnect":
            if not event.get("more_body", False):
                answer.is_complete.set()
        answer.end.cancel()

    reader = asyncio.ensure_future(read())
    is_started = False

    async def write(body: bytes, more_body: bool) -> None:
        nonlocal is_started
        if not is_started:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            is_started = True
        await send({"type": "http.response.body", "body": body, "more_body": more_body})

    async for message in answer.messages():
        await write(message, True)
    if not answer.end.cancelled():
        await write(b"", False)
    reader.cancel()


async def converse(receive: Any, send: Any) -> None:
    """Answers the calls on a WebSocket."""
    answers: dict[str, Answer] = {}
    tasks = set()

    async def write(call: str, answer: Answer) -> None:
        async for _ in answer.messages():
            await send({"type": "websocket.send", "text": f"message {call}"})
        if not answer.end.cancelled():
            await send({"type": "websocket.send", "text": f"end {call}"})

    while (event := await receive())["type"] != "websocket.disconnect":
        if event["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
            continue
        word, call, *rest = event["text"].split()
        if word == "start":
            answers[call] = Answer(rest[0], json.loads(rest[1]))
            tasks.add(asyncio.ensure_future(write(call, answers[call])))
        elif word == "finish":
            answers[call].is_complete.set()
    for answer in answers.values():
        answer.end.cancel()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Handles what the server receives, as ASGI defines it."""
    if scope["type"] == "http":
        await respond(scope, receive, send)
    elif scope["type"] == "websocket":
        await converse(receive, send)


class Servers:
    """The servers of a run, one for each host."""

    hello: JSONObject = {"name": "web-server", "role": "server", "capabilities": []}

    def open(self, run: JSONObject) -> None:
        """Starts the servers of all hosts."""
        places = [(place["address"], place["port"]) for place in run["hosts"].values()]
        if not places:
            return
        config = Config()
        config.bind = []
        config.insecure_bind = config.quic_bind = [f"{host}:{port}" for host, port in places]
        config.certfile, config.keyfile = f"{sys.argv[1]}/quic.pem", f"{sys.argv[1]}/quic.key"
        config.keep_alive_timeout = IDLE
        never = asyncio.Event().wait
        threading.Thread(daemon=True, target=lambda: asyncio.run(
            serve_asgi(application, config, shutdown_trigger=never))).start()
        # A port accepts connections when its server is complete.
        for place in places:
            while True:
                with contextlib.suppress(OSError), socket.create_connection(place):
                    break
                time.sleep(0.01)

    def event(self, _: int, event: JSONObject) -> None:
        raise ValueError(f"unknown event: {event}")

    def close(self) -> None:
        """Leaves the connections to the end of the process."""


if __name__ == "__main__":
    serve(Lines(), Servers())
