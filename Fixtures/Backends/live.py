#!/usr/bin/env python3
"""A client in real time, and its servers, over plain TCP: the protocol with sockets of one's own.

    handover run FILE --backend 'lab:python3 live.py' --server 'python3 live.py --server'

What the two say to each other is their own affair; here it is a line for each thing. `start ID
TAKES` begins a call (microseconds; `-` never ends by itself), `end ID` ends it, `message ID`
comes every 200 ms on streams. The client has one connection to each host and keeps it.

`--monitor` closes every connection when the category of the network changes. `--keepalive` lets
the kernel give up what is not acknowledged, and ask on connections that are quiet.
"""

from __future__ import annotations

import heapq
import json
import os
import selectors
import socket
import sys
import time
from typing import Any, Callable, Optional

JSON = dict[str, Any]


class Lines:
    """Whole lines of a file descriptor that never blocks."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.rest = descriptor, b""
        os.set_blocking(descriptor, False)

    def read(self) -> Optional[list[str]]:
        """The lines that are there; None at the end."""
        data = os.read(self.descriptor, 65_536)
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [line.decode() for line in lines] if data else None


class Program:
    """What client and servers share: one loop over everything that can be read, and alarms."""

    hello: JSON = {}

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.alarms: list[tuple[float, int, Callable[[], None]]] = []
        self.count = 0

    def watch(self, source: Any, read: Callable[[], None]) -> None:
        """Calls something whenever a source can be read."""
        self.selector.register(source, selectors.EVENT_READ, read)

    def after(self, microseconds: int, ring: Callable[[], None]) -> None:
        """Calls something later."""
        self.count += 1
        heapq.heappush(self.alarms, (time.monotonic() + microseconds / 1e6, self.count, ring))

    def run(self) -> None:
        """Does what the harness says until it says stop."""
        commands = Lines(0)
        self.watch(0, lambda: self.obey(commands.read()))
        while True:
            wait = max(0.0, self.alarms[0][0] - time.monotonic()) if self.alarms else None
            for key, _ in self.selector.select(wait):
                key.data()
            while self.alarms and self.alarms[0][0] <= time.monotonic():
                heapq.heappop(self.alarms)[2]()

    def obey(self, lines: Optional[list[str]]) -> None:
        """Carries out commands; each is answered at once, whatever comes of it later."""
        for line in lines if lines is not None else ['{"cmd":"stop"}']:
            command = json.loads(line)
            if command["cmd"] == "stop":
                sys.exit(0)
            if command["cmd"] == "start":
                self.write(self.hello)
                continue
            self.take(command)
            self.write({"seq": command["seq"], "out": []})

    def take(self, command: JSON) -> None:
        """Carries out open, event or close."""
        raise NotImplementedError

    def write(self, answer: JSON) -> None:
        """Writes a line to the harness; nothing may be kept back."""
        print(json.dumps(answer), flush=True)


class Client(Program):
    """The client: a connection to each host, and calls on it."""

    def __init__(self, monitors: bool, keeps_alive: bool) -> None:
        super().__init__()
        self.monitors, self.keeps_alive = monitors, keeps_alive
        name = "live" + "-monitor" * monitors + "-keepalive" * keeps_alive
        self.hello = {"version": 1, "name": name, "role": "client", "time": "real",
                      "capabilities": ["streaming", "disconnect"]}
        self.connections: dict[str, socket.socket] = {}
        self.calls: dict[str, str] = {}

    def take(self, command: JSON) -> None:
        if command["cmd"] == "open":
            self.hosts = command["hosts"]
            if self.monitors:
                self.begin_to_monitor()
        elif command["cmd"] == "event":
            self.user_does(command["now"], command["event"])
        else:
            self.lose_all("CANCELLED", "the client was closed")

    def user_does(self, now: int, event: JSON) -> None:
        """What the user of the client does."""
        if call := event.get("call"):
            self.calls[call["id"]] = call["host"]
            if call["deadline"] is not None:
                late = call["id"], "DEADLINE_EXCEEDED", "the deadline has passed"
                self.after(call["deadline"] - now, lambda: self.end(*late))
            takes = "-" if call["takes"] is None else call["takes"]
            self.send(call["host"], f"start {call['id']} {call['kind']} {takes}")
        elif cancelled := event.get("cancel"):
            self.end(cancelled, "CANCELLED", "the user has had enough")
        elif host := event.get("disconnect"):
            for name in list(self.connections) if host == "*" else [host]:
                self.lose(name, "UNAVAILABLE", "the user has disconnected it")
        elif told := event.get("finish") or event.get("send", {}).get("call"):
            if told in self.calls:
                self.send(self.calls[told], f"{'finish' if 'finish' in event else 'send'} {told}")

    def send(self, host: str, line: str) -> None:
        """Sends a line to a host, over a new connection where there is none."""
        try:
            self.connection(host).sendall(line.encode() + b"\n")
        except BlockingIOError:
            pass  # The network takes no more: nobody knows yet whether it ever will.
        except OSError as error:
            self.lose(host, "UNAVAILABLE", str(error))

    def connection(self, host: str) -> socket.socket:
        """The connection to a host."""
        if host not in self.connections:
            where = self.hosts[host]
            made = socket.create_connection((where["address"], where["port"]), timeout=10)
            if self.keeps_alive:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                for option, value in [(socket.TCP_KEEPIDLE, 1), (socket.TCP_KEEPINTVL, 1),
                                      (socket.TCP_USER_TIMEOUT, 2_000)]:
                    made.setsockopt(socket.IPPROTO_TCP, option, value)
            lines = Lines(made.fileno())
            self.connections[host] = made
            self.watch(made, lambda: self.hear(host, lines))
        return self.connections[host]

    def hear(self, host: str, lines: Lines) -> None:
        """The server says something, or is gone."""
        try:
            heard = lines.read()
        except OSError as error:
            return self.lose(host, "UNAVAILABLE", str(error))
        if heard is None:
            return self.lose(host, "UNAVAILABLE", "the server has closed the connection")
        for what, call in (line.split() for line in heard):
            if what == "end":
                self.end(call, "OK", "")
            elif call in self.calls:
                self.write({"out": [{"deliver": call}]})

    def lose(self, host: str, status: str, message: str) -> None:
        """The connection to a host is gone, and its calls with it."""
        if connection := self.connections.pop(host, None):
            self.selector.unregister(connection)
            connection.close()
        for call in [call for call, of in self.calls.items() if of == host]:
            self.end(call, status, message)

    def lose_all(self, status: str, message: str) -> None:
        """Every connection goes, and every call."""
        for host in {*self.connections, *self.calls.values()}:
            self.lose(host, status, message)

    def end(self, call: str, status: str, message: str) -> None:
        """A call ends, once."""
        if self.calls.pop(call, None) is not None:
            self.write({"out": [{"ended": {"call": call, "status": status, "message": message}}]})

    def begin_to_monitor(self) -> None:
        """Asks the kernel to tell of changes of links and routes (RTMGRP_LINK, IPV4_ROUTE)."""
        self.category = category()
        kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        kernel.bind((0, 0x1 | 0x40))
        self.watch(kernel, lambda: self.network_changed(kernel.recv(65_536)))

    def network_changed(self, _: bytes) -> None:
        """What the event says does not matter: the kernel is asked how things are."""
        before, self.category = self.category, category()
        if before != self.category:
            self.lose_all("UNAVAILABLE", f"the network went from {before} to {self.category}")


def category() -> str:
    """The category of the network that the best default route leads to."""
    with open("/proc/net/route", encoding="ascii") as table:
        routes = [line.split() for line in table.readlines()[1:]]
    best = min(((int(route[6]), route[0]) for route in routes
                if route[1] == "00000000" and int(route[3], 16) & 0x1), default=(0, ""))[1]
    return "Cellular" if best.startswith("wwan") else "WiFi" if best else "None"


class Server(Program):
    """All the servers: each host has an address of its own."""

    hello = {"version": 1, "name": "live-server", "role": "server", "time": "real",
             "capabilities": ["accept", "refuse", "close"]}

    def take(self, command: JSON) -> None:
        if command["cmd"] == "open":
            self.hosts = command["hosts"]
            self.listeners: dict[str, socket.socket] = {}
            self.connections: dict[socket.socket, str] = {}
            for host in self.hosts:
                self.listen(host)
        elif command["cmd"] == "event":
            fault = command["event"]["server"]
            {"accept": self.listen, "refuse": self.refuse, "close": self.close}[fault["do"]](
                fault["host"])

    def listen(self, host: str) -> None:
        """Takes new connections."""
        if host not in self.listeners:
            where = self.hosts[host]
            listener = socket.create_server((where["address"], where["port"]))
            self.listeners[host] = listener
            self.watch(listener, lambda: self.accept(host, listener.accept()[0]))

    def refuse(self, host: str) -> None:
        """Takes none."""
        if listener := self.listeners.pop(host, None):
            self.selector.unregister(listener)
            listener.close()

    def close(self, host: str) -> None:
        """Closes those that there are."""
        for connection in [one for one, of in self.connections.items() if of == host]:
            self.forget(connection)

    def accept(self, host: str, connection: socket.socket) -> None:
        """A client has come."""
        lines = Lines(connection.fileno())
        self.connections[connection] = host
        self.watch(connection, lambda: self.hear(connection, lines))

    def hear(self, connection: socket.socket, lines: Lines) -> None:
        """A client says something, or is gone."""
        try:
            heard = lines.read()
        except OSError:
            heard = None
        if heard is None:
            return self.forget(connection)
        for what, call, *more in (line.split() for line in heard):
            if what == "start":
                kind, takes = more
                if takes != "-":
                    self.after(int(takes), lambda call=call: self.send(connection, f"end {call}"))
                elif kind != "unary":
                    self.stream(connection, call)
                else:
                    self.send(connection, f"end {call}")

    def stream(self, connection: socket.socket, call: str) -> None:
        """A message every 200 ms, for as long as the connection is there."""
        if connection in self.connections:
            self.send(connection, f"message {call}")
            self.after(200_000, lambda: self.stream(connection, call))

    def send(self, connection: socket.socket, line: str) -> None:
        """Sends a line; a connection that is gone is heard of by reading."""
        if connection in self.connections:
            try:
                connection.sendall(line.encode() + b"\n")
            except OSError:
                pass

    def forget(self, connection: socket.socket) -> None:
        """A connection is over."""
        del self.connections[connection]
        self.selector.unregister(connection)
        connection.close()


if __name__ == "__main__":
    options = set(sys.argv[1:])
    if unknown := options - {"--server", "--monitor", "--keepalive"}:
        sys.exit(f"live.py: there is no option {', '.join(sorted(unknown))}")
    if "--server" in options:
        Server().run()
    Client("--monitor" in options, "--keepalive" in options).run()
