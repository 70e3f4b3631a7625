#!/usr/bin/env python3
"""Backends that are wrong in one way each, to see whether a harness notices.

usage: wrong.py FAULT     the reference with that fault
       wrong.py --list    every fault: its name, the verdict it deserves, and what it is

FAILED is the verdict on a client that breaks a rule: on at least one scenario of sockets-monitor.
ERROR is the verdict on a backend that breaks the protocol. PASSED is for what looks wrong and is
right.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Optional, Union

from handover_backend import JSONObject, Loop, VERSION, own_standard_output
from reference import IDLE, SHUTDOWN, Call, Channel, Client, Connection, Reference
from reference_rules import CONNECTIVITY_LOST, Deadlines, End, category


@dataclass(frozen=True)
class Fault:
    """One way to be wrong."""

    name: str
    verdict: str
    meaning: str
    client: type[Client] = Client
    loop: type[Loop] = Loop

    def backend(self) -> Reference:
        """The reference with the fault of the client, if it is one of the client."""
        backend = Reference()
        backend.client_type = self.client
        return backend


FAULTS: dict[str, Fault] = {}

Faulty = Union[type[Client], type[Loop]]


def fault(name: str, verdict: str, meaning: str) -> Callable[[Any], Any]:
    """Puts a class on the list."""
    def add(faulty: Faulty) -> Faulty:
        if issubclass(faulty, Client):
            FAULTS[name] = Fault(name, verdict, meaning, client=faulty)
        else:
            FAULTS[name] = Fault(name, verdict, meaning, loop=faulty)
        return faulty
    return add


# The client does what no client should do.

@fault("ignores-none-to-wifi", "FAILED", "does not react where the WiFi returns (M11, C8)")
class IgnoresNoneToWiFi(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        if (self.monitor.category, category(flags)) == ("None", "WiFi"):
            self.monitor.observe(flags)
        else:
            super().flags_changed(flags)


@fault("ignores-connection-required", "FAILED", "does not look at ConnectionRequired (M1)")
class IgnoresConnectionRequired(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        super().flags_changed([flag for flag in flags if flag != "ConnectionRequired"])


@fault("reacts-to-every-callback", "FAILED", "takes every callback for a transition (M9)")
class ReactsToEveryCallback(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        self.monitor.category = "Unknown"
        super().flags_changed(flags)


@fault("destroys-at-same-category", "FAILED",
       "destroys channels where only other flags change (M4, M9)")
class DestroysAtSameCategory(Client):
    last_flags: Optional[set[str]] = None

    def flags_changed(self, flags: Collection[str]) -> None:
        if self.last_flags not in (None, set(flags)):
            self.monitor.category = "Unknown"
        self.last_flags = set(flags)
        super().flags_changed(flags)


@fault("misses-wifi-a-to-b", "FAILED", "waits for a callback where another hotspot is joined (M12)")
class MissesWiFiAToB(Client):
    # No category changes, so that only the broken connection tells of it (D3b).
    def broken(self, event: JSONObject) -> None:
        if event["reason"] != "aborted":
            super().broken(event)


@fault("keeps-the-channel", "FAILED", "ends the calls at a transition, and keeps the channel (D9)")
class KeepsTheChannel(Client):
    def destroy_all(self, reason: str) -> None:
        if reason != "transition":
            super().destroy_all(reason)
            return
        for channel in self.channels.values():
            for call in list(channel.calls):
                self.end(call, CONNECTIVITY_LOST)


@fault("ends-cancelled", "FAILED", "ends calls CANCELLED at a transition (C9)")
class EndsCancelled(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, End("CANCELLED") if how is CONNECTIVITY_LOST else how)


@fault("ends-unknown", "FAILED", "ends calls UNKNOWN at a transition (C2)")
class EndsUnknown(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, End("UNKNOWN", how.message) if how is CONNECTIVITY_LOST else how)


@fault("ends-twice", "FAILED", "tells the end of a call at a transition twice (C5)")
class EndsTwice(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, how)
        if how is CONNECTIVITY_LOST:
            self.tell("ended", {"call": call.id, "status": how.status, "message": how.message})


@fault("ends-late", "FAILED", "tells the end of a call one second after the transition (C2)")
class EndsLate(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.lost: set[Call] = set()

    def finish(self, call: Call, how: End) -> None:
        if how is not CONNECTIVITY_LOST or call in self.lost:
            self.lost.discard(call)
            super().finish(call, how)
            return
        # The call is bound to nothing any more; its deadline will end it.
        self.lost.add(call)
        call.awaits_token = True
        self.arm(self.call_deadlines, call, self.now + 1_000_000)

    def end(self, call: Call, how: End, told_by_server: bool = False) -> None:
        super().end(call, CONNECTIVITY_LOST if call in self.lost else how, told_by_server)

    def token_arrived(self, id: str) -> None:
        if self.calls.get(id) not in self.lost:
            super().token_arrived(id)


@fault("never-ends", "FAILED", "tells nobody of the end of a call at a transition (C10)")
class NeverEnds(Client):
    def finish(self, call: Call, how: End) -> None:
        if how is CONNECTIVITY_LOST:
            self.lose(call)
        else:
            super().finish(call, how)

    def lose(self, call: Call) -> None:
        """Forgets a call without a word."""
        self.call_deadlines.disarm(call)
        del self.calls[call.id]


@fault("loses-a-call-of-the-same-instant", "FAILED",
       "loses a call that starts in the instant of a transition (C10)")
class LosesACallOfTheSameInstant(NeverEnds):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.started: dict[str, int] = {}

    def start(self, event: JSONObject) -> None:
        self.started[event["id"]] = self.now
        super().start(event)

    def finish(self, call: Call, how: End) -> None:
        if self.started[call.id] == self.now:
            super().finish(call, how)
        else:
            Client.finish(self, call, how)


@fault("fails-finished-calls", "FAILED", "ends calls at a transition that have ended (C5)")
class FailsFinishedCalls(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.finished: list[str] = []

    def finish(self, call: Call, how: End) -> None:
        super().finish(call, how)
        self.finished.append(call.id)

    def destroy_all(self, reason: str) -> None:
        finished = self.finished if reason == "transition" else []
        self.finished = []
        super().destroy_all(reason)
        for id in finished:
            self.tell("ended", {"call": id, "status": CONNECTIVITY_LOST.status,
                                "message": CONNECTIVITY_LOST.message})


@fault("fails-calls-without-token", "FAILED",
       "ends calls at a transition that wait for their token (C6)")
class FailsCallsWithoutToken(Client):
    def destroy_all(self, reason: str) -> None:
        super().destroy_all(reason)
        for call in list(self.calls.values()):
            self.finish(call, CONNECTIVITY_LOST)


@fault("sends-after-the-end", "FAILED",
       "sends calls that failed with their network when it returns (#10302)")
class SendsAfterTheEnd(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.late: list[Call] = []

    def finish(self, call: Call, how: End) -> None:
        super().finish(call, how)
        if how is CONNECTIVITY_LOST:
            self.late.append(call)

    def run(self, call: Call, connection: Connection) -> None:
        for other in self.late:
            if other.channel is call.channel:
                self.tell("send", {"connection": connection.number, "call": other.id})
        self.late = [other for other in self.late if other.channel is not call.channel]
        super().run(call, connection)


@fault("reconnects-before-the-next-call", "FAILED",
       "connects at a transition, and not with the next call (D1, D4)")
class ReconnectsBeforeTheNextCall(Client):
    def destroy_all(self, reason: str) -> None:
        lost = [channel for channel in self.channels.values() if channel.state != SHUTDOWN]
        super().destroy_all(reason)
        if reason != "transition":
            return
        for channel in lost:
            self.last_channel += 1
            channel.number = self.last_channel
            self.move(channel, IDLE)
            self.connect(channel)


@fault("ignores-goaway", "FAILED", "starts calls on a connection after GOAWAY (B8)")
class IgnoresGoAway(Client):
    def draining(self, event: JSONObject) -> None:
        pass


@fault("cuts-backoff", "FAILED", "waits half of each backoff (B1)")
class CutsBackoff(Client):
    def connect(self, channel: Channel) -> None:
        super().connect(channel)
        channel.not_before = self.now + channel.backoff.delay // 2


@fault("never-resets-backoff", "FAILED", "goes on with long delays after a success (D6)")
class NeverResetsBackoff(Client):
    def connected(self, event: JSONObject) -> None:
        delays = {channel: channel.backoff.delay for channel in self.channels.values()}
        super().connected(event)
        for channel, delay in delays.items():
            channel.backoff.delay = delay


@fault("ignores-deadlines", "FAILED", "never ends a call at its deadline (D5)")
class IgnoresDeadlines(Client):
    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        if deadlines is not self.call_deadlines:
            super().arm(deadlines, owner, due)


@fault("destroys-unused-at-once", "FAILED", "does not keep a channel without calls for 30 s (P6)")
class DestroysUnusedAtOnce(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.idle = 0


@fault("tires", "FAILED", "makes no attempt after the third that failed in a row (B1, D4)")
class Tires(Client):
    def connect(self, channel: Channel) -> None:
        if channel.backoff.delay < 4 * channel.timing.initial:
            super().connect(channel)


# The backend does what no backend should do.

class Spoiling(Loop):
    """A loop that spoils its answers to events."""

    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        answer = super().step(name, command)
        if name == "event" and "out" in answer:
            self.spoil(answer)
        return answer

    def spoil(self, answer: JSONObject) -> None:
        """Spoils an answer before it is written."""


@fault("one-digest", "PASSED", "has one digest for all its states; only explorations ask for it")
class OneDigest(Loop):
    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        answer = super().step(name, command)
        return {**answer, "digest": "x"} if "digest" in answer else answer


@fault("no-digest", "PASSED", "does as the reference and has no digests")
class NoDigest(Loop):
    def hello(self) -> JSONObject:
        hello = super().hello()
        return {**hello, "capabilities": [word for word in hello["capabilities"]
                                          if word != "digest"]}


@fault("bad-version", "ERROR", "speaks a later version of the protocol")
class BadVersion(Loop):
    def hello(self) -> JSONObject:
        return {**super().hello(), "version": VERSION + 1}


@fault("lies-about-capabilities", "ERROR", "declares channels, and reports none")
class LiesAboutCapabilities(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["out"] = [effect for effect in answer["out"]
                         if "channel" not in effect and "bound" not in effect]
        for effect in answer["out"]:
            effect.get("connect", {}).pop("channel", None)


@fault("hang", "ERROR", "never answers the first event of a run")
class Hang(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        # As long as there is a harness; nobody must be left behind.
        self.commands.read()


@fault("dies-in-the-middle", "ERROR", "exits at the third event")
class DiesInTheMiddle(Spoiling):
    events = 0

    def spoil(self, answer: JSONObject) -> None:
        self.events += 1
        if self.events == 3:
            sys.stderr.write("wrong.py: this is the end\n")
            sys.stderr.flush()
            os._exit(3)


@fault("long-line", "ERROR", "answers with a line of 2 MiB")
class LongLine(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["note"] = "x" * (2 << 20)


@fault("u2028", "PASSED", "writes U+2028 as it is, which JSON allows: it is no end of a line")
class U2028(Loop):
    def write(self, answer: JSONObject) -> None:
        text = self.encode({**answer, "note": "a\u2028b\u2029c\u0085d"})
        for letter in "\u2028\u2029\u0085":
            text = text.replace(f"\\u{ord(letter):04x}", letter)
        self.answers.write(text.encode("utf-8") + b"\n")
        self.answers.flush()


@fault("bad-utf8", "ERROR", "writes a byte that is no UTF-8")
class BadUTF8(Spoiling):
    def write(self, answer: JSONObject) -> None:
        line = self.encode(answer).encode("ascii").replace(b"?", b"\xff")
        self.answers.write(line + b"\n")
        self.answers.flush()

    def spoil(self, answer: JSONObject) -> None:
        answer["note"] = "?"


@fault("half-a-line", "ERROR", "writes half of an answer, and exits")
class HalfALine(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        line = self.encode(answer).encode("ascii")
        self.answers.write(line[:len(line) // 2])
        self.answers.flush()
        os._exit(0)


@fault("out-of-order-seq", "ERROR", "answers with the number of the next event")
class OutOfOrderSeq(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["seq"] += 1


@fault("writes-text", "ERROR", "prints to standard output")
class WritesText(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        self.answers.write(b"an event came\n")


@fault("unasked-line", "ERROR", "writes a second answer that nobody asked for")
class UnaskedLine(Loop):
    def write(self, answer: JSONObject) -> None:
        super().write(answer)
        if "out" in answer:
            super().write(answer)


@fault("unknown-call", "ERROR", "ends a call that nobody started")
class UnknownCall(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["out"].append({"ended": {"call": "nobody's", "status": "OK", "message": ""}})


@fault("unknown-connection", "ERROR", "closes a connection that it never made")
class UnknownConnection(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["out"].append({"close": {"connection": 1_000_000}})


@fault("unknown-status", "ERROR", "ends calls with a status that there is not")
class UnknownStatus(Loop):
    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        answer = super().step(name, command)
        for effect in answer.get("out", []):
            if "ended" in effect:
                effect["ended"]["status"] = "BROKEN"
        return answer


@fault("no-out", "ERROR", "answers with neither out, skipped nor error")
class NoOut(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        del answer["out"]


def main() -> Optional[str]:
    """Runs a fault, or lists them."""
    if sys.argv[1:] == ["--list"]:
        for one in FAULTS.values():
            print(one.name, one.verdict, one.meaning, sep="\t")
        return None
    if len(sys.argv) != 2 or sys.argv[1] not in FAULTS:
        return __doc__
    chosen = FAULTS[sys.argv[1]]
    chosen.loop(chosen.backend(), sys.stdin.buffer, own_standard_output()).run()
    return None


if __name__ == "__main__":
    sys.exit(main())
