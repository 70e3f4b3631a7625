#!/usr/bin/env python3
"""A client in real time and its servers over plain TCP, as an example with real sockets.

    handover run FILE --backend 'lab:python3 live.py' --server 'python3 live.py --server'

Handover does not define the protocol between client and server. Here it consists of lines such as
`start CALL KIND TAKES`, `message CALL` and `end CALL`. The client has one connection to each host
and keeps it.

--monitor     closes every connection when the category of the network changes
--keepalive   makes the kernel end a connection after one second without an acknowledgment
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any, Awaitable, Callable

JSON = dict[str, Any]


def write(line: JSON) -> None:
    """Writes a line for the harness and flushes it."""
    print(json.dumps(line), flush=True)


async def serve(hello: JSON, take: Callable[[JSON], Awaitable[None]]) -> None:
    """Executes commands; each is answered immediately, even if its effects follow later."""
    commands = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    async for line in commands:
        command = json.loads(line)
        if command["cmd"] == "start":
            write({"version": 1, "time": "real", **hello})
        elif command["cmd"] == "stop":
            return
        else:
            await take(command)
            write({"seq": command["seq"], "out": []})


class Client:
    """The client: a connection to each host, and the calls on it."""

    def __init__(self, options: set[str]) -> None:
        self.options = options
        self.calls: dict[str, str] = {}  # with their hosts
        self.connections: dict[str, asyncio.Task[asyncio.StreamWriter]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.hello = {"name": "live" + "".join(sorted(options)).replace("--", "-"),
                      "role": "client", "capabilities": ["streaming", "disconnect"]}

    async def take(self, command: JSON) -> None:
        """Executes a command of the harness."""
        if command["cmd"] == "open":
            self.hosts = command["hosts"]
            if "--monitor" in self.options:
                self.monitor()
        elif command["cmd"] == "close":
            self.lose_all("CANCELLED", "the client was closed")
        elif call := command["event"].get("call"):
            self.calls[call["id"]] = call["host"]
            takes = "-" if call["takes"] is None else call["takes"]
            self.do(self.send(call["id"], f"start {call['id']} {call['kind']} {takes}"))
            if call["deadline"] is not None:
                asyncio.get_running_loop().call_later(
                    (call["deadline"] - command["now"]) / 1e6, self.end, call["id"],
                    "DEADLINE_EXCEEDED", "the deadline has passed")
        elif call := command["event"].get("send", {}).get("call"):
            self.do(self.send(call, f"send {call}"))
        elif call := command["event"].get("finish"):
            self.do(self.send(call, f"finish {call}"))
        elif call := command["event"].get("cancel"):
            self.end(call, "CANCELLED", "the user cancelled the call")
        elif host := command["event"].get("disconnect"):
            for name in list(self.connections) if host == "*" else [host]:
                self.lose(name, "UNAVAILABLE", "the user disconnected the host")

    def do(self, work: Any) -> None:
        """Starts an asynchronous operation."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def send(self, call: str, line: str) -> None:
        """Sends a line of a call, over a new connection if there is none."""
        host = self.calls.get(call)
        if host is None:
            return
        if host not in self.connections:
            self.connections[host] = asyncio.ensure_future(self.connect(host))
        try:
            (await asyncio.shield(self.connections[host])).write(line.encode() + b"\n")
        except OSError as error:
            self.lose(host, "UNAVAILABLE", str(error))

    async def connect(self, host: str) -> asyncio.StreamWriter:
        """Connects to a host."""
        if host not in self.hosts:
            raise OSError(f"there is no host {host}")
        where = self.hosts[host]
        reader, writer = await asyncio.open_connection(where["address"], where["port"])
        if "--keepalive" in self.options:
            plain = writer.get_extra_info("socket")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1_000)
        self.do(self.listen(host, reader, writer))
        return writer

    async def listen(
            self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Reads from the server until the connection ends."""
        reason = "the server has closed the connection"
        try:
            async for line in reader:
                what, call = line.decode().split()
                if what == "end":
                    self.end(call, "OK", "")
                elif call in self.calls:
                    write({"out": [{"deliver": call}]})
        except OSError as error:
            reason = str(error)
        connection = self.connections.get(host)
        if connection is not None and connection.done() and connection.result() is writer:
            self.lose(host, "UNAVAILABLE", reason)

    def lose(self, host: str, status: str, message: str) -> None:
        """Ends the connection to a host and its calls; the next call connects again."""
        connection = self.connections.pop(host, None)
        if connection is not None and not connection.cancel() and not connection.exception():
            connection.result().transport.abort()
        for call in [call for call, of in self.calls.items() if of == host]:
            self.end(call, status, message)

    def lose_all(self, status: str, message: str) -> None:
        """Ends all connections."""
        for host in list(self.connections):
            self.lose(host, status, message)

    def end(self, call: str, status: str, message: str) -> None:
        """Ends a call, once."""
        if self.calls.pop(call, None) is not None:
            write({"out": [{"ended": {"call": call, "status": status, "message": message}}]})

    def monitor(self) -> None:
        """Subscribes to kernel events about links and routes (RTMGRP_LINK, RTMGRP_IPV4_ROUTE)."""
        self.category = category()
        kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        kernel.bind((0, 0x1 | 0x40))
        asyncio.get_running_loop().add_reader(kernel, self.network_changed, kernel)

    def network_changed(self, kernel: socket.socket) -> None:
        """Reads the network state again, because any kernel event can mean a change."""
        kernel.recv(65_536)
        before, self.category = self.category, category()
        if before != self.category:
            self.lose_all("UNAVAILABLE", f"the network changed from {before} to {self.category}")


def category() -> str:
    """Returns the category of the network of the best default route."""
    with open("/proc/net/route", encoding="ascii") as table:
        routes = [line.split() for line in table.readlines()[1:]]
    best = min(((int(route[6]), route[0]) for route in routes if route[1] == "00000000"),
               default=(0, ""))[1]
    return "Cellular" if best.startswith("wwan") else "WiFi" if best else "None"


class Server:
    """The servers of all hosts, each of which has its own address."""

    hello = {"name": "live-server", "role": "server",
             "capabilities": ["accept", "refuse", "close"]}

    def __init__(self) -> None:
        self.listeners: dict[str, asyncio.Server] = {}
        self.writers: dict[asyncio.StreamWriter, str] = {}

    async def take(self, command: JSON) -> None:
        """Executes a command of the harness."""
        if command["cmd"] == "open":
            self.hosts = command["hosts"]
            for host in self.hosts:
                await self.accept(host)
        elif command["cmd"] == "event":
            fault = command["event"]["server"]
            await getattr(self, fault["do"])(fault["host"])

    async def accept(self, host: str) -> None:
        """Accepts new connections."""
        if host not in self.listeners:
            where = self.hosts[host]
            self.listeners[host] = await asyncio.start_server(
                lambda reader, writer: self.listen(host, reader, writer),
                where["address"], where["port"])

    async def refuse(self, host: str) -> None:
        """Refuses new connections; existing ones stay open."""
        if listener := self.listeners.pop(host, None):
            listener.close()

    async def close(self, host: str) -> None:
        """Closes the existing connections."""
        for writer in [writer for writer, of in self.writers.items() if of == host]:
            writer.close()

    async def listen(
            self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves a client until its connection ends."""
        self.writers[writer] = host
        kinds: dict[str, str] = {}
        takes: dict[str, str] = {}
        try:
            async for line in reader:
                what, call, *more = line.decode().split()
                if what == "start":
                    kinds[call], takes[call] = more
                if what != "send":
                    self.begin(writer, call, kinds[call], takes[call], what == "finish")
        except (OSError, asyncio.CancelledError):
            pass  # The client has disconnected, or the whole program ends.
        del self.writers[writer]
        writer.close()

    def begin(
            self, writer: asyncio.StreamWriter, call: str, kind: str, takes: str,
            is_complete: bool) -> None:
        """Ends a call after its duration, counted from the complete request; a stream without a
        duration continues forever."""
        if takes == "-" and kind != "unary":
            if not is_complete:
                self.stream(writer, call)
        elif is_complete or kind in ("unary", "streaming"):
            seconds = 0 if takes == "-" else int(takes) / 1e6
            asyncio.get_running_loop().call_later(seconds, self.say, writer, f"end {call}")

    def stream(self, writer: asyncio.StreamWriter, call: str) -> None:
        """Sends a message every 200 ms."""
        if writer in self.writers:
            self.say(writer, f"message {call}")
            asyncio.get_running_loop().call_later(0.2, self.stream, writer, call)

    def say(self, writer: asyncio.StreamWriter, line: str) -> None:
        """Sends a line to a client if it is still connected."""
        if writer in self.writers:
            writer.write(line.encode() + b"\n")


if __name__ == "__main__":
    wanted = set(sys.argv[1:])
    if unknown := wanted - {"--server", "--monitor", "--keepalive"}:
        sys.exit(f"live.py: there is no option {', '.join(sorted(unknown))}")
    program = Server() if "--server" in wanted else Client(wanted)
    asyncio.run(serve(program.hello, program.take))
