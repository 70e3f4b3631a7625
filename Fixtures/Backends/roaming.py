#!/usr/bin/env python3
"""A client in real time whose calls survive network changes, because connections have identifiers.

    handover run FILE --backend 'lab:python3 roaming.py' --server 'python3 roaming.py --server'

It is the client of live.py with its servers, over UDP in the manner of QUIC. Each datagram names
its connection, so that the server answers to the address of the last datagram. Unacknowledged data
is repeated with each datagram, and the client sends a datagram every 100 ms.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from typing import Any

from live import Client, Server, serve

#: The sending interval of a client, and the silence after which it gives up, in seconds.
PERIOD = 0.1
CONNECT_PATIENCE = 1.0
PATIENCE = 2.4


class Wire:
    """A reliable stream of lines in both directions, as long as the other end responds. Readers and
    writers use it like a TCP stream."""

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
        """Sends a line immediately, and repeats it until it is acknowledged."""
        self.sent += 1
        self.unacknowledged[self.sent] = line.decode()
        self.send()

    def send(self) -> None:
        """Sends all unacknowledged lines."""
        lines = list(self.unacknowledged.items())[:20]
        datagram = {"name": self.name, "received": self.received, "lines": lines}
        self.socket.sendto(json.dumps(datagram).encode(), self.peer)

    def take(self, datagram: dict[str, Any]) -> bool:
        """Handles a datagram, and returns whether it contained new lines."""
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
        """Ends the stream; the other end notices the silence."""
        self.reader.feed_eof()

    abort = close


class Datagrams(asyncio.DatagramProtocol):
    """Passes received datagrams on; send errors are ignored, because data is sent again."""

    def __init__(self, take: Any) -> None:
        self.take = take

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.take(json.loads(data), addr)


class RoamingClient(Client):
    """The client of live.py over UDP."""

    def __init__(self) -> None:
        super().__init__(set())
        self.hello["name"] = "roaming"

    async def connect(self, host: str) -> Any:
        """Creates the connection to a host, which is established when the server responds."""
        if host not in self.hosts:
            raise OSError(f"there is no host {host}")
        where = self.hosts[host]
        wires: list[Wire] = []

        def take(datagram: dict[str, Any], _: Any) -> None:
            if wires[0].take(datagram):
                wires[0].send()

        # The socket is not connected, so the kernel chooses the source address for each datagram.
        socket, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: Datagrams(take), local_addr=("0.0.0.0", 0))
        wire = Wire(uuid.uuid4().hex, socket, (where["address"], where["port"]))
        wires.append(wire)
        self.do(self.listen(host, wire.reader, wire))
        self.do(self.keep(host, wire))
        return wire

    async def keep(self, host: str, wire: Wire) -> None:
        """Sends every 100 ms, and ends the connection after a long silence."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not wire.reader.at_eof():
            wire.send()
            await asyncio.sleep(PERIOD)
            silence = loop.time() - (wire.heard_at or begun)
            if silence > (CONNECT_PATIENCE if wire.heard_at is None else PATIENCE):
                self.lose(host, "UNAVAILABLE", "the server does not respond")
        wire.socket.close()


class RoamingServer(Server):
    """The servers of live.py over UDP."""

    hello = {"name": "roaming-server", "role": "server", "capabilities": ["accept"]}

    def __init__(self) -> None:
        super().__init__()
        self.wires: dict[str, Wire] = {}

    async def accept(self, host: str) -> None:
        """Accepts datagrams at the host's address."""
        if host in self.listeners:
            return
        where = self.hosts[host]

        def take(datagram: dict[str, Any], peer: Any) -> None:
            wire = self.wires.get(datagram["name"])
            if wire is None:
                wire = self.wires[datagram["name"]] = Wire(datagram["name"], socket, peer)
                asyncio.ensure_future(self.listen(host, wire.reader, wire))
            # A datagram from another address still belongs to the same connection.
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
