#!/usr/bin/env python3
"""Transports with one injected fault each, to test whether a harness detects it.

usage: wrong_transport.py FAULT     the small transport with that fault
       wrong_transport.py --list    every fault: its name, the verdict it deserves, a profile, the
                                    scenario that must have this verdict on it, the items that the
                                    scenario then shows to be broken, and what the fault is

FAILED is the verdict on a transport that differs from its profile. ERROR is the verdict on a
transport that reports an impossible event.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from handover_backend import JSONObject, serve
from transport import Call, Connection, Transport


@dataclass(frozen=True)
class Fault:
    """An injected fault."""

    name: str
    verdict: str
    profile: str
    #: The bundled scenario that must have this verdict, and the requirements that it then shows to
    #: be violated.
    scenario: str
    items: str
    meaning: str
    transport: type[Transport]


FAULTS: dict[str, Fault] = {}


def fault(
    name: str, verdict: str, profile: str, meaning: str, by: str, items: str = ""
) -> Callable[[type[Transport]], type[Transport]]:
    """Adds a class to the list."""
    def add(transport: type[Transport]) -> type[Transport]:
        FAULTS[name] = Fault(name, verdict, profile, by, items, meaning, transport)
        return transport
    return add


# Network changes.

@fault("never-tells-of-a-loss", "FAILED", "cfstream",
       "stalls when an event must arrive (D10)",
       by="cfstream/wifi-appears", items="D10")
class NeverTellsOfALoss(Transport):
    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        return True


@fault("breaks-at-once", "FAILED", "sockets",
       "breaks when TCP must stall (D8)",
       by="background/hotspot-change", items="D8b")
class BreaksAtOnce(Transport):
    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        return False


@fault("forgets-the-background", "FAILED", "sockets",
       "breaks in the background when TCP must stall (D8b)",
       by="background/round-trip-is-not-seen", items="D8b")
class ForgetsTheBackground(Transport):
    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        return super().stalls(old, {**new, "app": "foreground"})


@fault("breaks-what-is-kept-alive", "FAILED", "sockets",
       "loses connections over an interface that stays up",
       by="transitions/link-left-stays-up")
class BreaksWhatIsKeptAlive(Transport):
    def loses(self, connection: Connection, old: JSONObject, new: JSONObject) -> bool:
        return connection.path in (old["path"], *old["alive"])


@fault("never-goes-on", "FAILED", "sockets",
       "stays stalled when the device is back",
       by="background/round-trip-is-not-seen")
class NeverGoesOn(Transport):
    def resume(self, connection: Connection) -> None:
        pass


@fault("loses-what-is-buffered", "FAILED", "sockets",
       "loses the buffered data of a stall",
       by="transitions/away-and-back")
class LosesWhatIsBuffered(Transport):
    def resume(self, connection: Connection) -> None:
        connection.held.clear()
        super().resume(connection)


@fault("never-gives-up", "FAILED", "sockets",
       "waits forever for an acknowledgment",
       by="stalls/quarter-of-an-hour")
class NeverGivesUp(Transport):
    def write(self, connection: Connection, arrival: Callable[[], None]) -> None:
        self.pass_on(connection, arrival)


# Connections.

@fault("connects-while-unreachable", "FAILED", "sockets",
       "connects without a network",
       by="calls/failed-call-is-never-sent")
class ConnectsWhileUnreachable(Transport):
    def connect(self, number: int, host: str) -> None:
        self.place = {**self.place, "path": self.place["path"] or "nowhere"}
        super().connect(number, host)


@fault("hangs-while-unreachable", "FAILED", "sockets",
       "reports no failure without a network",
       by="calls/failed-call-is-never-sent")
class HangsWhileUnreachable(Transport):
    def fail(self, connection: Connection, reason: str) -> None:
        if reason != "networkUnreachable":
            super().fail(connection, reason)


@fault("gives-another-reason", "FAILED", "sockets",
       "reports a lost network as a reset by the server",
       by="transitions/hotspot-change")
class GivesAnotherReason(Transport):
    def fail(self, connection: Connection, reason: str) -> None:
        super().fail(connection, "reset" if reason == "aborted" else reason)


@fault("ignores-close", "ERROR", "sockets-monitor",
       "continues to use connections that the client has closed",
       by="background/hotspot-change-while-it-runs")
class IgnoresClose(Transport):
    def event(self, now: int, event: JSONObject) -> None:
        if "close" not in event:
            super().event(now, event)


@fault("connects-twice", "ERROR", "sockets",
       "reports the same connection twice",
       by="pool/connects-lazily")
class ConnectsTwice(Transport):
    def establish(self, connection: Connection) -> None:
        super().establish(connection)
        super().establish(connection)


@fault("unknown-connection", "ERROR", "sockets",
       "reports a connection that the client did not order",
       by="pool/connects-lazily")
class UnknownConnection(Transport):
    def establish(self, connection: Connection) -> None:
        super().establish(connection)
        self.report("connected", connection=1_000_000)


class WithServers(Transport):
    """A transport whose servers may refuse connections, send no settings, or change."""

    capabilities = (*Transport.capabilities, "servers")

    def open(self, run: JSONObject) -> None:
        super().open(run)
        self.servers: dict[str, str] = {host["host"]: host["server"] for host in run["hosts"]}
        self.hosts: dict[int, str] = {}
        #: The connections that are established in TCP.
        self.arrived: set[int] = set()
        #: The actions of silent servers, which run when the servers read again.
        self.delayed: list[tuple[str, Callable[[], None]]] = []

    def connect(self, number: int, host: str) -> None:
        self.hosts[number] = host
        super().connect(number, host)

    def event(self, now: int, event: JSONObject) -> None:
        if "server" not in event:
            super().event(now, event)
            return
        self.now = now
        host, what = event["server"]["host"], event["server"]["do"]
        mine = [one for one in self.connections.values() if self.hosts[one.number] == host]
        if what in ("accept", "refuse", "silent"):
            self.servers[host] = what
            for connection in mine:
                has_arrived = connection.number in self.arrived
                if what == "accept" and has_arrived and not connection.is_open:
                    self.establish(connection)
            delayed, self.delayed = self.delayed, []
            for where, action in delayed:
                self.when_it_reads(where, action)
        elif what == "goaway":
            for connection in mine:
                self.report("draining", connection=connection.number)
        else:
            for connection in mine:
                self.fail(connection, "closed" if what == "close" else what)

    def establish(self, connection: Connection) -> None:
        """Handles an established TCP connection; an accepting server sends its settings next."""
        self.arrived.add(connection.number)
        server = self.servers[self.hosts[connection.number]]
        if server == "refuse":
            self.fail(connection, "refused")
        elif server == "accept":
            super().establish(connection)

    def arrive(self, name: str, what: JSONObject, connection: Connection) -> None:
        if connection.number in self.connections:
            self.when_it_reads(self.hosts[connection.number],
                               lambda: Transport.arrive(self, name, what, connection))

    def answer(self, call: Call) -> None:
        self.when_it_reads(self.hosts[call.connection.number],
                           lambda: Transport.answer(self, call))

    def message(self, call: Call) -> None:
        self.when_it_reads(self.hosts[call.connection.number],
                           lambda: Transport.message(self, call))

    def when_it_reads(self, host: str, action: Callable[[], None]) -> None:
        """Executes a server's action, now or when the server is no longer silent."""
        if self.servers[host] == "silent":
            self.delayed.append((host, action))
        else:
            action()


@fault("takes-the-handshake-for-a-success", "FAILED", "sockets",
       "is connected after the TCP handshake, without waiting for the server's SETTINGS (B4)",
       by="backoff/settings-come-late", items="B4")
class TakesTheHandshakeForASuccess(WithServers):
    def establish(self, connection: Connection) -> None:
        if self.servers[self.hosts[connection.number]] == "silent":
            Transport.establish(self, connection)
        else:
            super().establish(connection)


# Calls.

@fault("answers-twice", "ERROR", "sockets",
       "reports the end of a call twice",
       by="pool/connects-lazily")
class AnswersTwice(Transport):
    def answer(self, call: Call) -> None:
        super().answer(call)
        super().answer(call)


@fault("delivers-after-the-end", "ERROR", "sockets",
       "reports a message after the end of a call",
       by="pool/connects-lazily")
class DeliversAfterTheEnd(Transport):
    def answer(self, call: Call) -> None:
        super().answer(call)
        self.pass_on(call.connection, lambda: self.report("received", call=call.id, message=True))


@fault("never-answers", "FAILED", "sockets",
       "reads requests and does not answer them",
       by="pool/connects-lazily")
class NeverAnswers(Transport):
    def finish(self, call: Optional[Call]) -> None:
        pass


@fault("waits-after-the-run", "FAILED", "sockets",
       "still waits for something after the run",
       by="pool/connects-lazily")
class WaitsAfterTheRun(Transport):
    def close(self, now: int) -> None:
        self.after(1, lambda: None)


def main() -> Optional[str]:
    """Runs a fault, or lists all faults."""
    if sys.argv[1:] == ["--list"]:
        for one in FAULTS.values():
            print(one.name, one.verdict, one.profile, one.scenario, one.items, one.meaning,
                  sep="\t")
        return None
    if len(sys.argv) != 2 or sys.argv[1] not in FAULTS:
        return __doc__
    serve(FAULTS[sys.argv[1]].transport())
    return None


if __name__ == "__main__":
    sys.exit(main())
