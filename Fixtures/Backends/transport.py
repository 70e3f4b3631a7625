#!/usr/bin/env python3
"""A small transport with its network and servers, as a starting point for your own.

Handover's channel manager is above it and orders connections and calls; this file determines their
results. Connections are established after their latency. When the device leaves their network, they
stall or break, depending on the profile. Servers answer calls as each call specifies.

No other capabilities are declared, so server faults, failing name lookups and network faults are
never requested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from handover_backend import Backend, JSONObject, Refused, Skipped, serve
from reference_rules import category

Action = Callable[[], None]


class Timer:
    """An action that is scheduled until it is removed from the list."""

    def __init__(self, due: int, action: Action, is_periodic: bool) -> None:
        self.due, self.action, self.is_periodic = due, action, is_periodic


class Connection:
    """A connection from the attempt to its end."""

    def __init__(self, number: int, path: Optional[str]) -> None:
        self.number, self.path = number, path
        self.is_open = False
        self.is_stalled = False
        #: The actions of client and server that wait for the end of a stall.
        self.held: list[Action] = []
        self.give_up: Optional[Timer] = None


class Call:
    """A call as its server knows it."""

    def __init__(self, order: JSONObject, connection: Connection) -> None:
        self.id, self.connection = order["call"], connection
        self.takes, self.every = order["takes"], order["every"]
        self.timers: list[Timer] = []


class Transport(Backend):
    """Everything between the client's orders and their servers."""

    name = "simple-transport"
    role = "transport"
    capabilities = ("streaming", "background", "reads")
    profiles = ("sockets", "sockets-monitor", "cfstream", "sockets-2017")

    def open(self, run: JSONObject) -> None:
        if run["config"]["cfstream"] != "iomgr":
            raise Skipped("it knows the older generation of CFStream only")
        self.now = 0
        self.reports_every_loss = run["profile"] == "cfstream"
        self.tcp_timeout: int = run["config"]["tcpTimeout"]
        self.latency = {host["host"]: host["connect"] for host in run["hosts"]}
        self.place: JSONObject = run["initial"]
        self.connections: dict[int, Connection] = {}
        self.calls: dict[str, Call] = {}
        self.timers: list[Timer] = []

    # Commands

    def event(self, now: int, event: JSONObject) -> None:
        self.now = now
        name, what = next(iter(event.items()))
        if name == "device":
            self.move(what)
        elif name == "connect":
            self.connect(what["connection"], what["host"])
        elif name == "close":
            self.forget(self.connections.get(what["connection"]))
        else:
            # The connection may have broken before the client could notice.
            connection = self.connections.get(what["connection"])
            if connection is not None and connection.is_open:
                self.write(connection, lambda: self.arrive(name, what, connection))

    def advance(self, now: int) -> None:
        self.now = now
        while (timer := self.earliest(self.timers)) is not None and timer.due <= now:
            self.timers.remove(timer)
            timer.action()

    def close(self, now: int) -> None:
        self.timers.clear()

    def deadlines(self) -> JSONObject:
        pressing = self.earliest([timer for timer in self.timers if not timer.is_periodic])
        timer = self.earliest(self.timers)
        return {"deadline": timer and timer.due, "pressing": pressing and pressing.due}

    # Time

    @staticmethod
    def earliest(timers: list[Timer]) -> Optional[Timer]:
        """Returns the timer that is due first; of several, the one that was set first."""
        return min(timers, key=lambda timer: timer.due, default=None)

    def after(self, delay: int, action: Action, is_periodic: bool = False) -> Timer:
        """Schedules an action."""
        timer = Timer(self.now + delay, action, is_periodic)
        self.timers.append(timer)
        return timer

    def cancel(self, timer: Optional[Timer]) -> None:
        """Removes a scheduled action."""
        if timer in self.timers:
            self.timers.remove(timer)

    # Connections

    def connect(self, number: int, host: str) -> None:
        """Begins a connection attempt of the client."""
        connection = self.connections[number] = Connection(number, self.place["path"])
        if connection.path is None:
            self.fail(connection, "networkUnreachable")
        else:
            self.after(self.latency[host], lambda: self.pass_on(
                connection, lambda: self.establish(connection)))

    def establish(self, connection: Connection) -> None:
        """Handles the acceptance by the server."""
        connection.is_open = True
        self.report("connected", connection=connection.number)

    def fail(self, connection: Connection, reason: str) -> None:
        """Reports a connection as lost or never established."""
        self.forget(connection)
        self.report("broken" if connection.is_open else "connectFailed",
                  connection=connection.number, reason=reason)

    def forget(self, connection: Optional[Connection]) -> None:
        """Removes a connection that neither side uses any more."""
        if connection is None or self.connections.pop(connection.number, None) is None:
            return
        connection.held.clear()
        self.cancel(connection.give_up)
        for call in [call for call in self.calls.values() if call.connection is connection]:
            self.end(call)

    def move(self, place: JSONObject) -> None:
        """Moves the device, and resumes, stalls or breaks its connections."""
        old, self.place = self.place, place
        for connection in list(self.connections.values()):
            if connection.path == place["path"] != old["path"]:
                self.resume(connection)
            elif connection.path != place["path"] and self.loses(connection, old, place):
                if self.stalls(old, place):
                    connection.is_stalled = True
                else:
                    self.fail(connection, "aborted")

    def loses(self, connection: Connection, old: JSONObject, new: JSONObject) -> bool:
        """Returns whether a network change removes the path of a connection."""
        if connection.path in old["alive"] and connection.path not in new["alive"]:
            return True
        is_kept = connection.path in new["alive"] and not self.reports_every_loss
        return connection.path == old["path"] and not is_kept

    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        """Returns whether connections stall silently: one of two cases in the specifications."""
        if self.reports_every_loss:
            return False
        is_upgrade = (category(old["flags"]), category(new["flags"])) == ("Cellular", "WiFi")
        return new["app"] == "background" or is_upgrade

    # Bytes

    def write(self, connection: Connection, arrival: Action) -> None:
        """Sends data of the client; the connection ends if no acknowledgment arrives in time."""
        if connection.is_stalled and connection.give_up is None:
            connection.give_up = self.after(
                self.tcp_timeout, lambda: self.fail(connection, "timedOut"))
        self.pass_on(connection, arrival)

    def pass_on(self, connection: Connection, arrival: Action) -> None:
        """Delivers data to the other side, now or after the stall."""
        if connection.number not in self.connections:
            return
        if connection.is_stalled:
            connection.held.append(arrival)
        else:
            arrival()

    def resume(self, connection: Connection) -> None:
        """Resumes a connection, and delivers everything that waited."""
        connection.is_stalled = False
        self.cancel(connection.give_up)
        connection.give_up = None
        held, connection.held = connection.held, []
        for arrival in held:
            arrival()

    # Servers

    def arrive(self, name: str, what: JSONObject, connection: Connection) -> None:
        """Handles data that the client has sent to the server."""
        if name == "send" and "messages" in what:
            self.report("read", call=what["call"], messages=what["messages"])
        elif name == "send":
            call = self.calls[what["call"]] = Call(what, connection)
            self.report("read", call=call.id)
            self.next_message(call)
        elif name == "finish":
            self.finish(self.calls.get(what["call"]))
        elif name == "reset":
            self.end(self.calls.get(what["call"]))
        else:
            raise Refused(f"there is no event {name!r}")

    def next_message(self, call: Call) -> None:
        """Schedules the next message of a call, if its server sends messages."""
        if call.every is not None:
            call.timers.append(self.after(call.every, lambda: self.message(call), True))

    def message(self, call: Call) -> None:
        """Sends a message, and schedules the next one."""
        self.next_message(call)
        self.pass_on(call.connection, lambda: self.report("received", call=call.id, message=True))

    def finish(self, call: Optional[Call]) -> None:
        """Handles the complete request, and schedules the answer."""
        if call is not None and call.takes is not None:
            call.timers.append(self.after(call.takes, lambda: self.answer(call)))

    def answer(self, call: Call) -> None:
        """Sends the complete answer."""
        self.end(call)
        self.pass_on(call.connection, lambda: self.report("received", call=call.id, status="OK"))

    def end(self, call: Optional[Call]) -> None:
        """Removes a call from its server."""
        if call is not None and self.calls.pop(call.id, None) is not None:
            for timer in call.timers:
                self.cancel(timer)

    def report(self, name: str, **what: Any) -> None:
        """Reports an event to the client."""
        self.out.append({name: what})


if __name__ == "__main__":
    serve(Transport())
