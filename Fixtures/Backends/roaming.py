#!/usr/bin/env python3
"""A client in real time whose calls survive: its connection has an identifier and no address.

    handover run FILE --backend 'lab:python3 roaming.py' --server 'python3 roaming.py --server'

The client and the servers of live.py, over UDP as QUIC uses it: each datagram names its connection,
so that the server answers wherever the last one came from. What was not acknowledged is sent again
with each datagram, and the client sends one each 100 ms, needed or not.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from typing import Any

from live import Client, Server, serve

#: How often a client sends, and how long it hears nothing before it gives up, in seconds.
PERIOD = 0.1
CONNECT_PATIENCE = 1.0
PATIENCE = 2.4


class Wire:
    """Lines in both directions, each once and in their order, for as long as the other end is
    heard of; whoever reads and writes takes it for a stream."""

    def __init__(self, name: str, socket: asyncio.DatagramTransport, peer: Any) -> None:
        self.name = name
        self.socket = socket
        self.peer = peer
        self.reader = asyncio.StreamReader()
        self.transport = self
        self.unacknowledged: dict[int, str] = {}
        self.sent = 0
        self.received = 0
        self.heard_at: float | None = None

    def write(self, line: bytes) -> None:
        """Sends a line, now and until it is acknowledged."""
        self.sent += 1
        self.unacknowledged[self.sent] = line.decode()
        self.send()

    def send(self) -> None:
        """Sends all that is due."""
        lines = list(self.unacknowledged.items())[:20]
        datagram = {"name": self.name, "received": self.received, "lines": lines}
        self.socket.sendto(json.dumps(datagram).encode(), self.peer)

    def take(self, datagram: dict[str, Any]) -> bool:
        """Takes a datagram in; whether there was something new."""
        self.heard_at = asyncio.get_running_loop().time()
        for number in [number for number in self.unacknowledged if number <= datagram["received"]]:
            del self.unacknowledged[number]
        before = self.received
        for number, line in datagram["lines"]:
            if number == self.received + 1 and not self.reader.at_eof():
                self.received = number
                self.reader.feed_data(line.encode())
        return self.received > before

    def close(self) -> None:
        """Ends it; the other end finds out by itself."""
        self.reader.feed_eof()

    abort = close


class Datagrams(asyncio.DatagramProtocol):
    """Hands datagrams to whoever wants them; what cannot be sent now is sent again."""

    def __init__(self, take: Any) -> None:
        self.take = take

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.take(json.loads(data), addr)


class RoamingClient(Client):
    """The client of live.py, with other connections."""

    def __init__(self) -> None:
        super().__init__(set())
        self.hello["name"] = "roaming"

    async def connect(self, host: str) -> Any:
        """Makes the connection to a host; it is there when the server was heard of."""
        if host not in self.hosts:
            raise OSError(f"nobody can be called {host}")
        where = self.hosts[host]
        wires: list[Wire] = []

        def take(datagram: dict[str, Any], _: Any) -> None:
            if wires[0].take(datagram):
                wires[0].send()

        # Not connected: the kernel chooses the source anew for each datagram.
        socket, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: Datagrams(take), local_addr=("0.0.0.0", 0))
        wire = Wire(uuid.uuid4().hex, socket, (where["address"], where["port"]))
        wires.append(wire)
        self.do(self.listen(host, wire.reader, wire))
        self.do(self.keep(host, wire))
        return wire

    async def keep(self, host: str, wire: Wire) -> None:
        """Sends each 100 ms, and gives the connection up when nothing was heard for long."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not wire.reader.at_eof():
            wire.send()
            await asyncio.sleep(PERIOD)
            silence = loop.time() - (wire.heard_at or begun)
            if silence > (CONNECT_PATIENCE if wire.heard_at is None else PATIENCE):
                self.lose(host, "UNAVAILABLE", "nothing is heard of the server")
        wire.socket.close()


class RoamingServer(Server):
    """The servers of live.py, with other connections."""

    hello = {"name": "roaming-server", "role": "server", "capabilities": ["accept"]}

    def __init__(self) -> None:
        super().__init__()
        self.wires: dict[str, Wire] = {}

    async def accept(self, host: str) -> None:
        """Takes what comes to the host's address."""
        if host in self.listeners:
            return
        where = self.hosts[host]

        def take(datagram: dict[str, Any], peer: Any) -> None:
            wire = self.wires.get(datagram["name"])
            if wire is None:
                wire = self.wires[datagram["name"]] = Wire(datagram["name"], socket, peer)
                asyncio.ensure_future(self.listen(host, wire.reader, wire))
            # Wherever it comes from now, it is the same connection.
            wire.peer = peer
            wire.take(datagram)
            wire.send()

        socket, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: Datagrams(take), local_addr=(where["address"], where["port"]))
        self.listeners[host] = socket


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - {"--server"}:
        sys.exit(f"roaming.py: there is no option {', '.join(sorted(unknown))}")
    program = RoamingServer() if sys.argv[1:] else RoamingClient()
    asyncio.run(serve(program.hello, program.take))
