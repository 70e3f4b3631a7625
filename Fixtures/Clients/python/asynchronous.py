"""The common part of the clients under test that use asyncio.

A client is a subclass of `Client`. `main` runs it with the arguments of the command line.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import socket
import threading
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, Optional

from lines import JSONObject, Lines, serve

#: With these options, the kernel ends a connection whose peer acknowledges nothing for one second.
TCP_TIMEOUT = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
               (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1),
               (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1),
               (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1_000)]

#: The longest wait for the connections of a new client, in seconds.
FIRST_ATTEMPT = 10.0

Send = Callable[[Optional[bytes]], Awaitable[None]]


class Call:
    """A call of the user, and the messages that the user still sends."""

    def __init__(self, lines: Lines, started: JSONObject, place: Optional[JSONObject]) -> None:
        self.lines, self.place = lines, place
        self.id: str = started["id"]
        self.kind: str = started["kind"]
        #: The time of the server's answer in microseconds, or None for never.
        self.takes: Optional[int] = started["takes"]
        self.messages: asyncio.Queue[Optional[bytes]] = asyncio.Queue()
        self.task: Optional[asyncio.Future[None]] = None

    @property
    def sends(self) -> bool:
        """Returns whether the user sends messages after the start."""
        return self.kind in ("client-streaming", "bidi")

    @property
    def authority(self) -> str:
        """Returns the address and port of the server."""
        if self.place is None:
            # The scenario names a host without a server.
            raise ConnectionError("there is no such host")
        return f"{self.place['address']}:{self.place['port']}"

    @property
    def url(self) -> str:
        return f"http://{self.authority}/{self.kind}"

    @property
    def headers(self) -> dict[str, str]:
        """Returns the header that tells the server when to answer."""
        return {} if self.takes is None else {"handover-takes": str(self.takes)}

    async def body(self) -> AsyncIterator[bytes]:
        """Yields the messages until the last one of the user."""
        while (message := await self.messages.get()) is not None:
            yield message

    @contextlib.asynccontextmanager
    async def sending(self, send: Send) -> AsyncIterator[None]:
        """Passes the messages of the user, and then None, to a function while the block runs."""
        async def forward() -> None:
            async for message in self.body():
                await send(message)
            await send(None)

        task = asyncio.ensure_future(forward()) if self.sends else None
        try:
            yield
        finally:
            if task is not None:
                task.cancel()

    def deliver(self) -> None:
        """Reports a message of the server."""
        self.lines.tell(deliver=self.id)


class Client:
    """A client under test, whose calls are tasks of an event loop in a thread."""

    name = "client"
    capabilities = ["streaming"]
    #: The option of the command line that selects the remedy, without the hyphens.
    remedy = ""

    def __init__(self, lines: Lines, has_remedy: bool) -> None:
        self.lines, self.has_remedy = lines, has_remedy
        name = f"{self.name}-{self.remedy}" if has_remedy else self.name
        self.hello = {"name": name, "role": "client", "capabilities": self.capabilities}
        self.hosts: JSONObject = {}
        self.calls: dict[str, Call] = {}
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    async def begin(self) -> None:
        """Creates the client; the first call connects."""

    async def make(self, call: Call) -> None:
        """Makes a call, and raises an error if the call fails."""
        raise NotImplementedError

    # Commands

    def open(self, run: JSONObject) -> None:
        self.hosts = run["hosts"]
        self.on_loop(self.begin())

    def event(self, now: int, event: JSONObject) -> None:
        self.on_loop(self.act(now, event))

    def close(self) -> None:
        """Leaves the calls to the end of the process."""

    def on_loop(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def act(self, now: int, event: JSONObject) -> None:
        """Executes an action of the user."""
        if "call" in event:
            started = event["call"]
            call = Call(self.lines, started, self.hosts.get(started["host"]))
            self.calls[call.id] = call
            deadline = started["deadline"]
            limit = None if deadline is None else (deadline - now) / 1e6
            call.task = asyncio.ensure_future(self.make(call))
            asyncio.ensure_future(self.finish(call, call.task, limit))
        elif "send" in event:
            sent = event["send"]
            self.calls[sent["call"]].messages.put_nowait(bytes(sent["bytes"]))
        elif "finish" in event:
            self.calls[event["finish"]].messages.put_nowait(None)
        elif "cancel" in event:
            task = self.calls[event["cancel"]].task
            if task is not None:
                task.cancel()
        else:
            raise ValueError(f"unknown action of the user: {event}")

    async def finish(self, call: Call, task: asyncio.Future[None], limit: Optional[float]) -> None:
        """Waits for the end of a call, and reports it."""
        # `asyncio.wait` keeps the user's deadline apart from timeouts of the library.
        await asyncio.wait({task}, timeout=limit)
        status, message = "OK", ""
        if not task.done():
            # The library may need the network to clean up, so the report does not wait for it.
            task.cancel()
            status, message = "DEADLINE_EXCEEDED", "Deadline Exceeded"
        elif task.cancelled():
            status, message = "CANCELLED", "Cancelled by the user"
        elif error := task.exception():
            status, message = "UNAVAILABLE", f"{type(error).__name__}: {error}"
        self.lines.tell(ended={"call": call.id, "status": status, "message": message})


class Inbox(asyncio.Queue[Any]):
    """What a shared connection has received for one call."""

    async def next(self) -> Any:
        """Returns the next item, or raises the error of the connection."""
        item = await self.get()
        if isinstance(item, Exception):
            raise item
        return item


class Inboxes:
    """The inboxes of the calls that share a connection."""

    def __init__(self) -> None:
        self.known: dict[Any, Inbox] = {}
        self.is_lost = False

    @contextlib.contextmanager
    def inbox(self, key: Any) -> Iterator[Inbox]:
        """Creates an inbox for the time of a call."""
        self.known[key] = Inbox()
        try:
            yield self.known[key]
        finally:
            del self.known[key]

    def put(self, key: Any, item: Any) -> None:
        """Adds an item; items of calls that have ended are dropped."""
        if key in self.known:
            self.known[key].put_nowait(item)

    def lose(self, error: Exception) -> None:
        """Fails all calls of the connection."""
        self.is_lost = True
        for inbox in self.known.values():
            inbox.put_nowait(error)


class SharingClient(Client):
    """A client with one connection for each host.

    The client connects when it is created. The next call replaces a connection that was lost.
    """

    def __init__(self, lines: Lines, has_remedy: bool) -> None:
        super().__init__(lines, has_remedy)
        self.connections: dict[str, asyncio.Future[Any]] = {}

    async def begin(self) -> None:
        places = [f"{place['address']}:{place['port']}" for place in self.hosts.values()]
        attempts = asyncio.gather(*map(self.connection, places), return_exceptions=True)
        # The first call repeats an attempt that fails.
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(attempts, FIRST_ATTEMPT)

    async def connect(self, authority: str) -> Any:
        """Returns a new connection to an address and port, which has a property `inboxes`."""
        raise NotImplementedError

    async def connection(self, authority: str) -> Any:
        """Returns the connection to an address and port."""
        task = self.connections.get(authority)
        if task is None or task.done() and (task.exception() or task.result().inboxes.is_lost):
            task = asyncio.ensure_future(self.connect(authority))
            self.connections[authority] = task
        # The end of one call must not end the attempt of the others.
        return await asyncio.shield(task)


def main(client: type[Client]) -> None:
    """Runs a client with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=client.__doc__)
    parser.add_argument(f"--{client.remedy}", dest="has_remedy", action="store_true",
                        help="use the remedy instead of the default settings")
    has_remedy = parser.parse_args().has_remedy
    lines = Lines()
    serve(lines, client(lines, has_remedy))
