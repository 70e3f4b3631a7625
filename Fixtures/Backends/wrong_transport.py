#!/usr/bin/env python3
"""Transports that are wrong in one way each, to see whether a harness notices.

usage: wrong_transport.py FAULT     the small transport with that fault
       wrong_transport.py --list    every fault: its name, the verdict it deserves, the profile on
                                    which some scenario shows it, and what it is

FAILED is the verdict on a transport that does not do what a profile says. ERROR is the verdict on
one that reports what cannot be.
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
    """One way to be wrong."""

    name: str
    verdict: str
    profile: str
    meaning: str
    transport: type[Transport]


FAULTS: dict[str, Fault] = {}


def fault(
    name: str, verdict: str, profile: str, meaning: str
) -> Callable[[type[Transport]], type[Transport]]:
    """Puts a class on the list."""
    def add(transport: type[Transport]) -> type[Transport]:
        FAULTS[name] = Fault(name, verdict, profile, meaning, transport)
        return transport
    return add


# Paths that are left.

@fault("never-tells-of-a-loss", "FAILED", "cfstream",
       "stalls where an event always arrives (D10)")
class NeverTellsOfALoss(Transport):
    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        return True


@fault("breaks-at-once", "FAILED", "sockets", "breaks where TCP stalls (D8)")
class BreaksAtOnce(Transport):
    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        return False


@fault("forgets-the-background", "FAILED", "sockets",
       "breaks where a stall in the background is documented (D8b)")
class ForgetsTheBackground(Transport):
    def stalls(self, old: JSONObject, new: JSONObject) -> bool:
        return super().stalls(old, {**new, "app": "foreground"})


@fault("breaks-what-is-kept-alive", "FAILED", "sockets",
       "loses connections over an interface that stays up")
class BreaksWhatIsKeptAlive(Transport):
    def loses(self, connection: Connection, old: JSONObject, new: JSONObject) -> bool:
        return connection.path in (old["path"], *old["alive"])


@fault("never-goes-on", "FAILED", "sockets", "stays stalled when the device is back")
class NeverGoesOn(Transport):
    def resume(self, connection: Connection) -> None:
        pass


@fault("loses-what-is-buffered", "FAILED", "sockets",
       "goes on after a stall without what waited")
class LosesWhatIsBuffered(Transport):
    def resume(self, connection: Connection) -> None:
        connection.held.clear()
        super().resume(connection)


@fault("never-gives-up", "FAILED", "sockets", "waits for ever for what is not acknowledged")
class NeverGivesUp(Transport):
    def write(self, connection: Connection, arrival: Callable[[], None]) -> None:
        self.pass_on(connection, arrival)


# Connections.

@fault("connects-while-unreachable", "FAILED", "sockets", "connects where there is no network")
class ConnectsWhileUnreachable(Transport):
    def connect(self, number: int, host: str) -> None:
        self.place = {**self.place, "path": self.place["path"] or "nowhere"}
        super().connect(number, host)


@fault("hangs-while-unreachable", "FAILED", "sockets",
       "says nothing where there is no network")
class HangsWhileUnreachable(Transport):
    def fail(self, connection: Connection, reason: str) -> None:
        if reason != "networkUnreachable":
            super().fail(connection, reason)


@fault("gives-another-reason", "FAILED", "sockets", "calls a lost path a reset of the far side")
class GivesAnotherReason(Transport):
    def fail(self, connection: Connection, reason: str) -> None:
        super().fail(connection, "reset" if reason == "aborted" else reason)


@fault("ignores-close", "ERROR", "sockets-monitor",
       "goes on with connections that the client has closed")
class IgnoresClose(Transport):
    def event(self, now: int, event: JSONObject) -> None:
        if "close" not in event:
            super().event(now, event)


@fault("connects-twice", "ERROR", "sockets", "reports the same connection twice")
class ConnectsTwice(Transport):
    def establish(self, connection: Connection) -> None:
        super().establish(connection)
        super().establish(connection)


@fault("unknown-connection", "ERROR", "sockets", "reports a connection that nobody asked for")
class UnknownConnection(Transport):
    def establish(self, connection: Connection) -> None:
        super().establish(connection)
        self.tell("connected", connection=1_000_000)


# Calls.

@fault("answers-twice", "ERROR", "sockets", "tells the end of a call twice")
class AnswersTwice(Transport):
    def answer(self, call: Call) -> None:
        super().answer(call)
        super().answer(call)


@fault("delivers-after-the-end", "ERROR", "sockets", "tells of a message after the end of a call")
class DeliversAfterTheEnd(Transport):
    def answer(self, call: Call) -> None:
        super().answer(call)
        self.pass_on(call.connection, lambda: self.tell("received", call=call.id, message=True))


@fault("never-answers", "FAILED", "sockets", "reads requests and answers none")
class NeverAnswers(Transport):
    def finish(self, call: Optional[Call]) -> None:
        pass


@fault("waits-after-the-run", "FAILED", "sockets", "still waits for something after the run")
class WaitsAfterTheRun(Transport):
    def close(self, now: int) -> None:
        self.after(1, lambda: None)


def main() -> Optional[str]:
    """Runs a fault, or lists them."""
    if sys.argv[1:] == ["--list"]:
        for one in FAULTS.values():
            print(one.name, one.verdict, one.profile, one.meaning, sep="\t")
        return None
    if len(sys.argv) != 2 or sys.argv[1] not in FAULTS:
        return __doc__
    serve(FAULTS[sys.argv[1]].transport())
    return None


if __name__ == "__main__":
    sys.exit(main())
