#!/usr/bin/env python3
"""The smallest useful backend: a client that manages its own channels, and its adapter.

`Toy` represents your client, and `Adapter` is everything you have to write for it. It declares only
unary calls, so scenarios with other features are UNSUPPORTED, and it reports no channels.
"""

from __future__ import annotations

from typing import Any, Optional

from handover_backend import Backend, JSONObject, Refused, digest_of, serve
from reference_rules import category, normalised


class Host:
    """The client's state of one host."""

    def __init__(self, name: str, first_delay: int) -> None:
        self.name = name
        self.connection: Optional[int] = None
        self.is_ready = False
        self.has_failed = False
        self.calls: dict[str, Optional[int]] = {}  # with the connection that carries each
        self.delay = first_delay
        self.not_before = 0


class Toy:
    """A client with one connection to each host, and alarms for everything that takes time."""

    def __init__(self, config: JSONObject, initial: JSONObject, out: list[JSONObject]) -> None:
        self.backoff, self.idle = config["backoff"], config["idle"]
        self.out, self.now = out, 0
        is_readable = initial.get("monitor") != "unreadable"
        self.category = category(initial["flags"]) if is_readable else "Unknown"
        self.hosts: dict[str, Host] = {}
        self.alarms: dict[tuple[str, str], int] = {}
        self.connections: dict[int, Host] = {}
        self.last_connection = 0

    def host(self, call: str) -> Optional[Host]:
        """Returns the host of a call that is running or waiting."""
        return next((host for host in self.hosts.values() if call in host.calls), None)

    def start(self, call: str, name: str, deadline: Optional[int], fails_fast: bool) -> None:
        """Starts a call of the user."""
        if normalised(name) is None:
            self.report("ended", call=call, status="UNAVAILABLE",
                      message="Failed to create call or channel.")
            return
        host = self.hosts.setdefault(name, Host(name, self.backoff["initial"]))
        host.calls[call] = None
        self.alarms.pop(("forget", name), None)
        if deadline is not None:
            self.alarms["give_up", call] = deadline
        if host.is_ready:
            self.send(host, call)
        elif host.connection is None and self.now >= host.not_before:
            self.connect(name)
        elif host.connection is None and fails_fast and host.has_failed:
            self.end(host, call, "UNAVAILABLE", "Channel is in TRANSIENT_FAILURE.")
        elif host.connection is None:
            self.alarms["connect", name] = host.not_before

    def connect(self, name: str) -> None:
        """Begins a connection attempt."""
        host, rules = self.hosts[name], self.backoff
        self.last_connection += 1
        host.connection = self.last_connection
        self.connections[host.connection] = host
        host.not_before = self.now + host.delay
        self.alarms["time_out", name] = max(host.not_before, self.now + rules["minConnectTimeout"])
        self.report("connect", connection=host.connection, host=name)

    def connected(self, connection: int) -> None:
        """Handles a successful attempt."""
        host = self.connections.get(connection)
        if host is None or host.is_ready:
            return
        host.is_ready, host.has_failed, host.delay = True, False, self.backoff["initial"]
        self.alarms.pop(("time_out", host.name), None)
        for call in host.calls:
            if host.calls[call] is None:
                self.send(host, call)

    def send(self, host: Host, call: str) -> None:
        """Sends a call."""
        host.calls[call] = host.connection
        self.report("send", connection=host.connection, call=call)
        self.report("finish", connection=host.connection, call=call)

    def time_out(self, name: str) -> None:
        """Ends an attempt that took too long."""
        connection = self.hosts[name].connection
        if connection is not None:
            self.report("close", connection=connection)
            self.lost(connection, "UNAVAILABLE", "connect() timed out")

    def lost(self, connection: int, status: str, message: str) -> None:
        """Handles a failed attempt or a broken connection."""
        host = self.connections.pop(connection, None)
        if host is None:
            return
        was_attempt = connection == host.connection and not host.is_ready
        if connection == host.connection:
            host.connection, host.is_ready, host.has_failed = None, False, True
        if was_attempt:
            longer = int(host.delay * self.backoff["multiplier"])
            host.delay = min(longer, self.backoff["max"])
            self.alarms.pop(("time_out", host.name), None)
        carrier = None if was_attempt else connection
        for call in [call for call in host.calls if host.calls[call] == carrier]:
            self.end(host, call, status, message)

    def draining(self, connection: int) -> None:
        """Handles GOAWAY: running calls continue, and the next call connects."""
        host = self.connections.get(connection)
        if host is not None and host.connection == connection:
            host.connection, host.is_ready = None, False
            if connection not in host.calls.values():
                self.close_connection(connection)

    def end(self, host: Host, call: str, status: str, message: str, resets: bool = False) -> None:
        """Ends a call."""
        carrier = host.calls.pop(call)
        self.alarms.pop(("give_up", call), None)
        if resets and carrier in self.connections:
            self.report("reset", connection=carrier, call=call)
        self.report("ended", call=call, status=status, message=message)
        if carrier in self.connections and carrier != host.connection:
            if carrier not in host.calls.values():
                self.close_connection(carrier)
        if None not in host.calls.values():
            self.alarms.pop(("connect", host.name), None)
        if not host.calls and self.idle is not None:
            self.alarms["forget", host.name] = self.now + self.idle

    def give_up(self, call: str) -> None:
        """Ends a call at its deadline."""
        self.stop(call, "DEADLINE_EXCEEDED", "Deadline Exceeded")

    def stop(self, call: str, status: str, message: str) -> None:
        """Ends a call on the client's initiative."""
        host = self.host(call)
        if host is not None:
            self.end(host, call, status, message, resets=True)

    def answered(self, call: str, status: str) -> None:
        """Handles the end of a call by the server."""
        host = self.host(call)
        if host is not None:
            self.end(host, call, status, "")

    def close_connection(self, connection: int) -> None:
        """Closes a connection that is no longer needed."""
        del self.connections[connection]
        self.report("close", connection=connection)

    def flags_changed(self, flags: list[str]) -> None:
        """Ends everything if the category has changed, so that the next call connects again."""
        before, self.category = self.category, category(flags)
        if before != self.category:
            self.forget_all("UNAVAILABLE", "Connectivity lost.")

    def disconnect(self, name: str) -> None:
        """Disconnects a host or all hosts for the user."""
        if name == "*":
            self.forget_all("UNAVAILABLE", "Channel disconnected.")
        elif name in self.hosts:
            self.forget(name, "UNAVAILABLE", "Channel disconnected.")

    def forget_all(self, status: str, message: str) -> None:
        """Ends everything."""
        for name in list(self.hosts):
            self.forget(name, status, message)

    def forget(self, name: str, status: str = "", message: str = "") -> None:
        """Removes a host and everything that belongs to it."""
        host = self.hosts.pop(name)
        own = [number for number, of in self.connections.items() if of is host]
        for connection in reversed(own):  # its current one first, then those that drain
            self.close_connection(connection)
        for call in list(host.calls):
            self.end(host, call, status, message)
        for alarm in ("connect", "time_out", "forget"):
            self.alarms.pop((alarm, name), None)

    def ring(self) -> None:
        """Executes everything that is due, the earliest first."""
        while self.alarms:
            alarm = min(self.alarms, key=lambda alarm: self.alarms[alarm])
            if self.alarms[alarm] > self.now:
                return
            del self.alarms[alarm]
            getattr(self, alarm[0])(alarm[1])

    def state(self) -> object:
        """Returns the state that determines behavior, without connection numbers and times."""
        return self.category, [self.state_of(host) for host in self.hosts.values()]

    def state_of(self, host: Host) -> object:
        """Returns the same for one host."""
        own = [number for number, of in self.connections.items() if of is host]
        places = {number: place for place, number in enumerate(own)}
        return (host.name, host.is_ready, host.has_failed, host.delay,
                host.not_before > self.now, len(own), places.get(host.connection or 0),
                [name for name in ("connect", "time_out", "forget")
                 if (name, host.name) in self.alarms],
                [(places.get(carrier or 0), ("give_up", call) in self.alarms)
                 for call, carrier in host.calls.items()])

    def report(self, what: str, **how: Any) -> None:
        """Reports an action of the client."""
        self.out.append({what: how})


class Adapter(Backend):
    """The adapter that passes the harness's events to the toy."""

    name = "minimal"
    capabilities = ("digest",)
    profiles = ("sockets-monitor",)

    def open(self, run: JSONObject) -> None:
        self.toy = Toy(run["config"], run["initial"], self.out)

    def event(self, now: int, event: JSONObject) -> None:
        self.wake(now)
        toy = self.toy
        if "flags" in event:
            toy.flags_changed(event["flags"])
        elif what := event.get("call"):
            toy.start(what["id"], what["host"], what["deadline"], what["failFast"])
        elif what := event.get("cancel"):
            toy.stop(what, "CANCELLED", "Canceled by app")
        elif what := event.get("connected"):
            toy.connected(what["connection"])
        elif what := event.get("connectFailed") or event.get("broken"):
            toy.lost(what["connection"], what.get("status", "UNAVAILABLE"), what["message"])
        elif what := event.get("draining"):
            toy.draining(what["connection"])
        elif what := event.get("received"):
            toy.answered(what["call"], what["status"])
        elif what := event.get("disconnect"):
            toy.disconnect(what)
        else:
            raise Refused(f"there is no event {', '.join(event)}")

    def advance(self, now: int) -> None:
        self.wake(now)
        self.toy.ring()

    def close(self, now: int) -> None:
        self.wake(now)
        self.toy.forget_all("CANCELLED", "Client closed.")

    def digest(self, now: int) -> str:
        self.wake(now)
        return digest_of(self.toy.state())

    def wake(self, now: int) -> None:
        self.toy.now, self.toy.out = now, self.out

    def deadlines(self) -> JSONObject:
        alarms = self.toy.alarms
        pressing = [due for (name, _), due in alarms.items() if name != "forget"]
        return {"deadline": min(alarms.values(), default=None),
                "pressing": min(pressing, default=None)}


if __name__ == "__main__":
    serve(Adapter())
