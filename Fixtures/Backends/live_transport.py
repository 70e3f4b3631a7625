#!/usr/bin/env python3
"""A transport in real time over plain TCP: real sockets below the built-in client.

    handover run FILE --backend 'lab:python3 live_transport.py' --server 'python3 live.py --server'

It opens the connections that the client orders and reports only what the kernel reports. It does
not learn that the device has left a network. Its servers are those of live.py.
"""

from __future__ import annotations

import asyncio
import errno
from typing import Any, Optional

from live import JSON, serve, write

#: The kernel's errors of established connections, in the protocol's terms.
LOSSES = {errno.ECONNABORTED: "aborted", errno.ECONNRESET: "reset", errno.EPIPE: "reset",
          errno.ETIMEDOUT: "timedOut", errno.EHOSTUNREACH: "timedOut",
          errno.ENETUNREACH: "timedOut"}
#: The kernel's errors of connection attempts; any other error means that there was no network.
FAILURES = {errno.ECONNREFUSED: "refused", errno.ETIMEDOUT: "connectTimedOut",
            errno.ECONNRESET: "reset", errno.ECONNABORTED: "aborted"}


def report(name: str, **what: Any) -> None:
    """Reports an event to the client immediately."""
    write({"out": [{name: what}]})


class Transport:
    """The connections, and the calls on them."""

    hello = {"name": "live-transport", "role": "transport", "capabilities": ["streaming"]}

    def __init__(self) -> None:
        self.tasks: dict[int, asyncio.Task[None]] = {}
        self.writers: dict[int, asyncio.StreamWriter] = {}
        self.kinds: dict[str, str] = {}  # of the calls that have not ended

    async def take(self, command: JSON) -> None:
        """Executes a command of the harness."""
        if command["cmd"] == "close":
            for number in list(self.tasks):
                self.forget(number)
        elif command["cmd"] == "event":
            name, order = next(iter(command["event"].items()))
            if name == "connect":
                connection = self.connect(order["connection"], order["address"], order["port"])
                self.tasks[order["connection"]] = asyncio.ensure_future(connection)
            elif name == "close":
                self.forget(order["connection"])
            else:
                self.order(name, order["call"], order)

    def order(self, name: str, call: str, order: JSON) -> None:
        """Executes an order about a call, in the protocol of the servers."""
        if name == "send" and "kind" in order:
            self.kinds[call] = order["kind"]
            takes = "-" if order["takes"] is None else order["takes"]
            self.say(order["connection"], f"start {call} {order['kind']} {takes}")
        elif name == "send":
            self.say(order["connection"], f"send {call}")
        elif name == "reset":
            # The server has no command for this, so its further answers are ignored.
            self.kinds.pop(call, None)
        elif self.kinds.get(call) in ("client-streaming", "bidi"):
            # For all other kinds, the server knows that the request is complete.
            self.say(order["connection"], f"finish {call}")

    def say(self, number: int, line: str) -> None:
        """Sends a line; if the connection is lost, this was already reported."""
        if writer := self.writers.get(number):
            writer.write(line.encode() + b"\n")

    async def connect(self, number: int, address: str, port: int) -> None:
        """Connects, and reads from the server until the connection ends."""
        try:
            reader, writer = await asyncio.open_connection(address, port)
        except OSError as error:
            reason = FAILURES.get(error.errno or 0, "networkUnreachable")
            report("connectFailed", connection=number, reason=reason)
            return
        self.writers[number] = writer
        report("connected", connection=number)
        loss: Optional[str] = None
        try:
            async for line in reader:
                self.receive(*line.decode().split())
        except OSError as error:
            loss = LOSSES.get(error.errno or 0)
        if self.forget(number):
            report("broken", connection=number, reason=loss or "closed")

    def receive(self, what: str, call: str) -> None:
        """Handles a line of the server about a call."""
        if call not in self.kinds:
            return
        if what == "end":
            del self.kinds[call]
            report("received", call=call, status="OK")
        else:
            report("received", call=call, message=True)

    def forget(self, number: int) -> bool:
        """Ends a connection, and returns whether it existed."""
        task = self.tasks.pop(number, None)
        if writer := self.writers.pop(number, None):
            writer.transport.abort()
        elif task is not None:
            task.cancel()
        return task is not None


if __name__ == "__main__":
    transport = Transport()
    asyncio.run(serve(transport.hello, transport.take))
