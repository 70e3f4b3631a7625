#!/usr/bin/env python3
"""Backends with one injected fault each, to test whether a harness detects it.

usage: wrong.py FAULT     the reference with that fault
       wrong.py --list    every fault: its name, the verdict it deserves, a profile, the scenario
                          that must have this verdict on it, the requirements that it then shows
                          to be broken, and what the fault is

FAILED is the verdict on a client that violates an invariant or a requirement. ERROR is the verdict
on a backend that violates the protocol. PASSED is the verdict on unusual but correct behavior.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional, Union

from handover_backend import JSONObject, Loop, VERSION, own_standard_output
from reference import (
    CONNECTING, IDLE, SHUTDOWN, TRANSIENT_FAILURE, Call, Channel, Client, Connection, Reference)
from reference_rules import (
    CANCELLED, CONNECTIVITY_LOST, DEADLINE_EXCEEDED, ENDS, FAILED_FAST, NEVER, NOT_CREATED, Backoff,
    Deadlines, End, category, normalised)


@dataclass(frozen=True)
class Fault:
    """An injected fault."""

    name: str
    verdict: str
    meaning: str
    #: The bundled scenario that must have this verdict, the requirements that it then shows to be
    #: violated, and its profile.
    scenario: str
    items: str
    profile: str
    client: type[Client] = Client
    loop: type[Loop] = Loop

    def backend(self) -> Reference:
        """Returns the reference, with the fault if it is a fault of the client."""
        backend = Reference()
        backend.client_type = self.client
        return backend


FAULTS: dict[str, Fault] = {}

Faulty = Union[type[Client], type[Loop]]


def fault(
    name: str, verdict: str, meaning: str, by: str = "names/resolution-fails", items: str = "",
    profile: str = "sockets-monitor",
) -> Callable[[Any], Any]:
    """Adds a class to the list."""
    def add(faulty: Faulty) -> Faulty:
        entry = Fault(name, verdict, meaning, by, items, profile)
        is_client = issubclass(faulty, Client)
        FAULTS[name] = replace(entry, **{"client" if is_client else "loop": faulty})
        return faulty
    return add


# Faults of the client.

@fault("ignores-none-to-wifi", "FAILED",
       "does not react when WiFi returns (M11, C8)",
       by="transitions/wifi-none-wifi", items="M11")
class IgnoresNoneToWiFi(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        if (self.monitor.category, category(flags)) == ("None", "WiFi"):
            self.monitor.observe(flags)
        else:
            super().flags_changed(flags)


@fault("ignores-connection-required", "FAILED",
       "ignores the flag ConnectionRequired (M1)",
       by="monitor/table-110-none", items="M1")
class IgnoresConnectionRequired(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        super().flags_changed([flag for flag in flags if flag != "ConnectionRequired"])


@fault("reacts-to-every-callback", "FAILED",
       "treats every callback as a category change (M9)",
       by="monitor/initial-read-is-silent", items="M7")
class ReactsToEveryCallback(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        self.monitor.category = "Unknown"
        super().flags_changed(flags)


@fault("destroys-at-same-category", "FAILED",
       "destroys channels when only other flags change (M4, M9)",
       by="monitor/other-flags-are-ignored", items="M4 M9")
class DestroysAtSameCategory(Client):
    last_flags: Optional[set[str]] = None

    def flags_changed(self, flags: Collection[str]) -> None:
        if self.last_flags not in (None, set(flags)):
            self.monitor.category = "Unknown"
        self.last_flags = set(flags)
        super().flags_changed(flags)


@fault("misses-wifi-a-to-b", "FAILED",
       "keeps a broken connection until a callback arrives after a hotspot change (M12)",
       by="transitions/hotspot-change", items="M12")
class MissesWiFiAToB(Client):
    # The category does not change, so only the broken connection reveals the change (D3b).
    def broken(self, event: JSONObject) -> None:
        if event["reason"] != "aborted":
            super().broken(event)


@fault("keeps-the-channel", "FAILED",
       "ends the calls at a category change, and keeps the channel (D9)",
       by="transitions/every-host-is-hit", items="O4")
class KeepsTheChannel(Client):
    def destroy_all(self, reason: str) -> None:
        if reason != "transition":
            super().destroy_all(reason)
            return
        for channel in self.channels.values():
            for call in list(channel.calls):
                self.end(call, CONNECTIVITY_LOST)


@fault("ends-cancelled", "FAILED",
       "ends calls CANCELLED at a category change (C9)",
       by="transitions/every-host-is-hit", items="O3")
class EndsCancelled(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, End("CANCELLED") if how is CONNECTIVITY_LOST else how)


@fault("ends-unknown", "FAILED",
       "ends calls UNKNOWN at a category change (C2)",
       by="transitions/deadline-at-the-same-instant", items="C2")
class EndsUnknown(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, End("UNKNOWN", how.message) if how is CONNECTIVITY_LOST else how)


@fault("ends-twice", "FAILED",
       "reports the end of a call at a category change twice (rule 1, C5)",
       by="calls/unavailable-not-cancelled")
class EndsTwice(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, how)
        if how is CONNECTIVITY_LOST:
            self.report("ended", {"call": call.id, "status": how.status, "message": how.message})


@fault("ends-late", "FAILED",
       "reports the end of a call one second after the category change (C2)",
       by="transitions/deadline-at-the-same-instant", items="C2")
class EndsLate(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.lost: set[Call] = set()

    def finish(self, call: Call, how: End) -> None:
        if how is not CONNECTIVITY_LOST or call in self.lost:
            self.lost.discard(call)
            super().finish(call, how)
            return
        # The call is no longer bound to a channel; its deadline will end it.
        self.lost.add(call)
        call.awaits_token = True
        self.arm(self.call_deadlines, call, self.now + 1_000_000)

    def end(self, call: Call, how: End, told_by_server: bool = False) -> None:
        super().end(call, CONNECTIVITY_LOST if call in self.lost else how, told_by_server)

    def token_arrived(self, id: str) -> None:
        if self.calls.get(id) not in self.lost:
            super().token_arrived(id)


@fault("never-ends", "FAILED",
       "does not report the end of a call at a category change (C10)",
       by="transitions/every-host-is-hit", items="O3")
class NeverEnds(Client):
    def finish(self, call: Call, how: End) -> None:
        if how is CONNECTIVITY_LOST:
            self.lose(call)
        else:
            super().finish(call, how)

    def lose(self, call: Call) -> None:
        """Removes a call without reporting its end."""
        self.call_deadlines.disarm(call)
        del self.calls[call.id]


@fault("loses-a-call-of-the-same-instant", "FAILED",
       "loses a call that starts at the instant of a category change (C10)",
       by="transitions/first-call-at-the-same-instant", items="C10")
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


@fault("fails-finished-calls", "FAILED",
       "ends calls again at a category change although they have ended (C5)",
       by="clients/idle-connection")
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
            self.report("ended", {"call": id, "status": CONNECTIVITY_LOST.status,
                                "message": CONNECTIVITY_LOST.message})


@fault("fails-calls-without-token", "FAILED",
       "ends calls that wait for their token at a category change (C6)",
       by="calls/waits-for-its-token", items="C6")
class FailsCallsWithoutToken(Client):
    def destroy_all(self, reason: str) -> None:
        super().destroy_all(reason)
        for call in list(self.calls.values()):
            self.finish(call, CONNECTIVITY_LOST)


@fault("sends-after-the-end", "FAILED",
       "sends calls that failed without a network when the network returns (#10302)",
       by="clients/listen-only")
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
                self.report("send", {"connection": connection.number, "call": other.id})
        self.late = [other for other in self.late if other.channel is not call.channel]
        super().run(call, connection)


@fault("reconnects-before-the-next-call", "FAILED",
       "connects at a category change instead of with the next call (D1, D4)",
       by="cfstream/lost-and-restored", items="D4")
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


@fault("cuts-backoff", "FAILED",
       "waits only half of each backoff (B1)",
       by="backoff/delays-grow", items="B1")
class CutsBackoff(Client):
    def connect(self, channel: Channel) -> None:
        super().connect(channel)
        channel.not_before = self.now + channel.backoff.delay // 2


@fault("never-resets-backoff", "FAILED",
       "keeps the long delay after a success (D6)",
       by="backoff/reset-after-a-long-delay", items="D6")
class NeverResetsBackoff(Client):
    def connected(self, event: JSONObject) -> None:
        delays = {channel: channel.backoff.delay for channel in self.channels.values()}
        super().connected(event)
        for channel, delay in delays.items():
            channel.backoff.delay = delay


@fault("ignores-deadlines", "FAILED",
       "never ends a call at its deadline (D5)",
       by="backoff/waits-until-its-deadline", items="D5c")
class IgnoresDeadlines(Client):
    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        if deadlines is not self.call_deadlines:
            super().arm(deadlines, owner, due)


@fault("destroys-unused-at-once", "FAILED",
       "does not keep a channel without calls for 30 s (P6)",
       by="pool/long-call-keeps-its-channel", items="P6")
class DestroysUnusedAtOnce(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.idle = 0


@fault("tires", "FAILED",
       "makes no attempt after three failures in a row (B1, D4)",
       by="backoff/jitter", items="B1")
class Tires(Client):
    def connect(self, channel: Channel) -> None:
        if channel.backoff.delay < 4 * channel.timing.initial:
            super().connect(channel)


# Invariants 1, 2, 4 and 5: ends, notifications, shared channels and waiting calls.

@fault("delivers-after-the-end", "FAILED",
       "delivers a message of a call that has ended (rule 1, C5)",
       by="pool/cancel-of-an-ended-call", items="C5")
class DeliversAfterTheEnd(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, how)
        self.report("deliver", call.id)


@fault("ends-cancelled-calls-again", "FAILED",
       "ends a call that has ended when the user cancels it (rule 1, C5, P13)",
       by="pool/cancel-of-an-ended-call", items="C5")
class EndsCancelledCallsAgain(Client):
    def cancel(self, id: str) -> None:
        if id in self.calls:
            super().cancel(id)
        else:
            self.report("ended", {"call": id, "status": "CANCELLED", "message": ""})


@fault("reports-the-wrong-category", "FAILED",
       "reports a category change from a wrong old category (rule 2, M9)",
       by="monitor/notification-names-both-categories", items="M8 M9")
class ReportsTheWrongCategory(Client):
    def report(self, what: str, how: Any) -> None:
        if what == "notify":
            other = next(name for name in ("WiFi", "None") if name != how["from"])
            how = {**how, "from": other}
        super().report(what, how)


@fault("leaves-connections-open-at-a-transition", "FAILED",
       "closes no connection at a category change (rule 8, D9)",
       by="names/look-up-outlives-its-path", items="D9")
class LeavesConnectionsOpenAtATransition(Client):
    is_destroying = False

    def destroy_all(self, reason: str) -> None:
        self.is_destroying = reason == "transition"
        super().destroy_all(reason)
        self.is_destroying = False

    def report(self, what: str, how: Any) -> None:
        if what != "close" or not self.is_destroying:
            super().report(what, how)


@fault("makes-a-channel-for-each-call", "FAILED",
       "creates a second channel while the first one exists (rule 4, P1)",
       by="pool/one-host-three-spellings", items="P1")
class MakesAChannelForEachCall(Client):
    def pooled(self, host: str, options: JSONObject) -> Channel:
        channel = super().pooled(host, options)
        if channel.state == SHUTDOWN:
            return channel
        other = Channel(channel.host, options, channel.timing)
        self.channels[(host, len(self.channels))] = other
        return other


@fault("uses-a-destroyed-channel", "FAILED",
       "binds a call to the channel that was destroyed last (rule 4, P12)",
       by="pool/call-after-disconnect", items="P12")
class UsesADestroyedChannel(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.destroyed: dict[Channel, int] = {}

    def destroy(self, channel: Channel, reason: str, how: Optional[End] = None) -> None:
        self.destroyed[channel] = channel.number
        super().destroy(channel, reason, how)

    def report(self, what: str, how: Any) -> None:
        if what == "bound" and how["new"]:
            channel = self.calls[how["call"]].channel
            if channel in self.destroyed:
                how = {**how, "channel": self.destroyed[channel], "new": False}
        super().report(what, how)


@fault("starts-one-waiting-call", "FAILED",
       "starts only the first call that waits for a connection (rule 5, D5a)",
       by="calls/deadlines-half-a-millisecond-apart")
class StartsOneWaitingCall(Client):
    is_first: Optional[bool] = None

    def connected(self, event: JSONObject) -> None:
        self.is_first = True
        super().connected(event)
        self.is_first = None

    def run(self, call: Call, connection: Connection) -> None:
        if self.is_first is not False:
            super().run(call, connection)
        if self.is_first:
            self.is_first = False


@fault("waits-after-a-failed-attempt", "FAILED",
       "does not end a call when the attempt that it waits for fails (rule 5, D5b)",
       by="backoff/waits-and-fails", items="D5b")
class WaitsAfterAFailedAttempt(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.policy = replace(self.policy, name_failure_ends_calls=False)

    def attempt_failed(self, connection: Connection, how: End, reason: str = "") -> None:
        super().attempt_failed(connection, how, "nameResolutionFailed")


@fault("ends-before-the-deadline", "FAILED",
       "ends calls 50 ms before their deadlines (rule 5, D5c)",
       by="calls/deadlines-half-a-millisecond-apart", items="D5c")
class EndsBeforeTheDeadline(Client):
    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        early = 50_000 if deadlines is self.call_deadlines else 0
        super().arm(deadlines, owner, max(due - early, self.now))


# Invariants 6, 8 and 10: what is sent, what remains, and the states of channels.

@fault("ends-requests-twice", "FAILED",
       "sends the end of the requests twice (rule 6)",
       by="calls/requests-end-once", items="C5")
class EndsRequestsTwice(Client):
    def report(self, what: str, how: Any) -> None:
        super().report(what, how)
        if what == "finish":
            super().report(what, how)


@fault("sends-messages-after-the-last", "FAILED",
       "sends a message after the end of the requests (rule 6)",
       by="calls/requests-end-once", items="C5")
class SendsMessagesAfterTheLast(Client):
    def report(self, what: str, how: Any) -> None:
        super().report(what, how)
        if what == "finish":
            super().report("send", {**how, "messages": 1, "bytes": 1})


@fault("resets-what-the-server-ended", "FAILED",
       "resets calls that the server has ended (rule 6, C5)",
       by="calls/answer-ends-the-call", items="C5")
class ResetsWhatTheServerEnded(Client):
    def end(self, call: Call, how: End, told_by_server: bool = False) -> None:
        super().end(call, how)


@fault("sends-before-it-is-connected", "FAILED",
       "sends a call while the attempt is still in progress (rule 8, B4)",
       by="backoff/settings-come-late", items="B4")
class SendsBeforeItIsConnected(Client):
    def proceed(self, call: Call) -> None:
        super().proceed(call)
        connection = call.channel.connection
        if connection is not None and call.connection is None:
            self.run(call, connection)


@fault("leaves-connections-open", "FAILED",
       "does not close connections when the user closes the client (rule 8)",
       by="server/closes")
class LeavesConnectionsOpen(Client):
    is_closing = False

    def close(self) -> None:
        self.is_closing = True
        super().close()

    def report(self, what: str, how: Any) -> None:
        if what != "close" or not self.is_closing:
            super().report(what, how)


@fault("skips-connecting", "FAILED",
       "changes channels from IDLE to READY without CONNECTING (rule 10, B8)",
       by="backoff/settings-come-late", items="B8")
class SkipsConnecting(Client):
    def report(self, what: str, how: Any) -> None:
        if what != "channel" or how["state"] != CONNECTING:
            super().report(what, how)


@fault("goes-idle-when-broken", "FAILED",
       "changes channels to IDLE when their connections break (D2, B8)",
       by="pool/states", items="B8 D2")
class GoesIdleWhenBroken(Client):
    def connection_broke(self, connection: Connection, how: End) -> None:
        self.is_breaking = True
        super().connection_broke(connection, how)
        self.is_breaking = False

    is_breaking = False

    def move(self, channel: Channel, state: str, reason: Optional[str] = None) -> None:
        is_wrong = self.is_breaking and state == TRANSIENT_FAILURE
        super().move(channel, IDLE if is_wrong else state, reason)


# Connection attempts.

@fault("does-not-connect-for-the-first-call", "FAILED",
       "connects when the second call of a channel starts (D1)",
       by="background/calls-while-it-runs", items="D1")
class DoesNotConnectForTheFirstCall(Client):
    def proceed(self, call: Call) -> None:
        if len(call.channel.calls) > 1 or call.channel.state != IDLE:
            super().proceed(call)


@fault("connects-for-each-call", "FAILED",
       "opens a connection for each call (D1)",
       by="pool/calls-share-a-connection", items="D1")
class ConnectsForEachCall(Client):
    def proceed(self, call: Call) -> None:
        connection = call.channel.connection
        if connection is not None and connection.is_established and connection.call_count > 0:
            self.draining({"connection": connection.number})
            call.channel.not_before = self.now
        super().proceed(call)


@fault("connects-without-a-call", "FAILED",
       "makes the next attempt although no call waits for it (D4)",
       by="backoff/no-call-no-attempt", items="D4")
class ConnectsWithoutACall(Client):
    def attempt_failed(self, connection: Connection, how: End, reason: str = "") -> None:
        super().attempt_failed(connection, how, reason)
        self.await_backoff(connection.channel)

    def keep_for_a_while(self, channel: Channel) -> None:
        super().keep_for_a_while(channel)
        if channel.state == TRANSIENT_FAILURE and channel.connection is None:
            self.await_backoff(channel)


@fault("ends-calls-in-transient-failure", "FAILED",
       "ends every call that starts in TRANSIENT_FAILURE (D4, D7)",
       by="backoff/waits-until-cancelled", items="D4")
class EndsCallsInTransientFailure(Client):
    def start(self, event: JSONObject) -> None:
        super().start({**event, "failFast": True})


@fault("ignores-fail-fast", "FAILED",
       "makes fail-fast calls wait in TRANSIENT_FAILURE (rule 5, D7)",
       by="backoff/fail-fast", items="D7")
class IgnoresFailFast(Client):
    def start(self, event: JSONObject) -> None:
        super().start({**event, "failFast": False})


@fault("fails-fast-after-the-backoff", "FAILED",
       "ends fail-fast calls after the backoff, and makes no attempt (D4, D7)",
       by="backoff/fail-fast-after-the-backoff", items="D4 D7")
class FailsFastAfterTheBackoff(Client):
    def proceed(self, call: Call) -> None:
        if call.fails_fast and call.channel.state == TRANSIENT_FAILURE:
            self.end(call, FAILED_FAST)
        else:
            super().proceed(call)


@fault("never-lengthens-delays", "FAILED",
       "uses the same delay after each failed attempt (rule 5, B1, B3)",
       by="backoff/delays-grow", items="B1 B3")
class NeverLengthensDelays(Client):
    def attempt_failed(self, connection: Connection, how: End, reason: str = "") -> None:
        super().attempt_failed(connection, how, reason)
        connection.channel.backoff.succeeded()


@fault("lengthens-delays-without-end", "FAILED",
       "uses delays longer than 120 s (B1)",
       by="backoff/two-minutes-at-most", items="B1")
class LengthensDelaysWithoutEnd(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.timing = replace(self.timing, maximum=NEVER)


@fault("doubles-delays", "FAILED",
       "multiplies delays by 2 instead of 1.6 (B1, B3)",
       by="backoff/delays-grow", items="B1 B3")
class DoublesDelays(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.timing = replace(self.timing, multiplier=Fraction(2))


@fault("varies-the-first-delay", "FAILED",
       "makes the first delay 20% longer (B1)",
       by="backoff/jitter", items="B1")
class VariesTheFirstDelay(Client):
    def connect(self, channel: Channel) -> None:
        super().connect(channel)
        if channel.backoff.delay == channel.timing.initial:
            channel.not_before += channel.backoff.delay // 5


@fault("varies-delays-by-half", "FAILED",
       "makes each delay except the first 50% longer (B1)",
       by="backoff/jitter", items="B1")
class VariesDelaysByHalf(Client):
    def connect(self, channel: Channel) -> None:
        super().connect(channel)
        if channel.backoff.delay > channel.timing.initial:
            channel.not_before += channel.backoff.delay // 2


@fault("never-gives-up-an-attempt", "FAILED",
       "waits forever for the answer to an attempt (B1)",
       by="backoff/attempt-as-long-as-the-delay", items="B1")
class NeverGivesUpAnAttempt(Client):
    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        if deadlines is not self.attempt_deadlines or owner.connection is None:
            super().arm(deadlines, owner, due)


@fault("gives-up-attempts-too-early", "FAILED",
       "gives up an attempt after 20 s although its delay is longer (B1)",
       by="backoff/attempt-as-long-as-the-delay", items="B1")
class GivesUpAttemptsTooEarly(Client):
    def connect(self, channel: Channel) -> None:
        super().connect(channel)
        self.arm(self.attempt_deadlines, channel, self.now + channel.timing.connect_timeout)


@fault("resets-backoff-at-the-attempt", "FAILED",
       "resets the backoff when an attempt begins (rule 5, B4, D6)",
       by="backoff/delays-grow", items="B1")
class ResetsBackoffAtTheAttempt(Client):
    def connect(self, channel: Channel) -> None:
        super().connect(channel)
        channel.backoff.succeeded()


# The ends of calls.

@fault("ends-failed-attempts-unknown", "FAILED",
       "ends calls UNKNOWN when the attempt that they wait for fails (rule 5, D5b)",
       by="backoff/waits-and-fails", items="D5b")
class EndsFailedAttemptsUnknown(Client):
    def attempt_failed(self, connection: Connection, how: End, reason: str = "") -> None:
        super().attempt_failed(connection, replace(how, status="UNKNOWN"), reason)


@fault("ends-broken-connections-unknown", "FAILED",
       "ends calls UNKNOWN when their connection breaks (B10)",
       by="server/closes", items="B10")
class EndsBrokenConnectionsUnknown(Client):
    def connection_broke(self, connection: Connection, how: End) -> None:
        super().connection_broke(connection, replace(how, status="UNKNOWN"))


@fault("ends-deadlines-cancelled", "FAILED",
       "ends calls CANCELLED at their deadlines (D5c, B10)",
       by="backoff/waits-until-its-deadline", items="B10 D5c")
class EndsDeadlinesCancelled(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, CANCELLED if how is DEADLINE_EXCEEDED else how)


@fault("ends-cancelled-calls-unavailable", "FAILED",
       "ends calls UNAVAILABLE when the user cancels them (B10)",
       by="calls/cancel-is-sent", items="B10")
class EndsCancelledCallsUnavailable(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, End("UNAVAILABLE", how.message) if how is CANCELLED else how)


@fault("does-not-send-a-cancel", "FAILED",
       "does not reset calls that the user cancels or whose deadline passes (B10)",
       by="calls/cancel-is-sent")
class DoesNotSendACancel(Client):
    def report(self, what: str, how: Any) -> None:
        if what != "reset":
            super().report(what, how)


@fault("gives-calls-a-deadline", "FAILED",
       "ends calls without a deadline after two minutes (P16)",
       by="stalls/nothing-written-nothing-noticed", items="P16")
class GivesCallsADeadline(Client):
    def start(self, event: JSONObject) -> None:
        deadline = event.get("deadline")
        if deadline is None:
            deadline = self.now + 120_000_000
        super().start({**event, "deadline": deadline})


@fault("loses-queued-messages", "FAILED",
       "does not send the messages that waited for a connection (D5a)",
       by="calls/queued-message-is-sent", items="D5a")
class LosesQueuedMessages(Client):
    def run(self, call: Call, connection: Connection) -> None:
        call.queued_messages = 0
        super().run(call, connection)


# Calls that wait for their token, and calls without a channel.

@fault("ignores-deadlines-without-a-token", "FAILED",
       "does not end a call at its deadline while it waits for its token (rule 5, C6)",
       by="calls/deadline-before-the-token", items="C6")
class IgnoresDeadlinesWithoutAToken(Client):
    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        if deadlines is not self.call_deadlines or not owner.awaits_token:
            super().arm(deadlines, owner, due)


@fault("makes-a-channel-before-the-token", "FAILED",
       "creates the channel of a call that still waits for its token (C6)",
       by="calls/no-channel-before-the-token", items="C6")
class MakesAChannelBeforeTheToken(Client):
    def start(self, event: JSONObject) -> None:
        if event.get("token"):
            channel = self.pooled(event["host"], event.get("options", {}))
            if channel.host is not None and channel.state == SHUTDOWN:
                self.last_channel += 1
                channel.number = self.last_channel
                self.move(channel, IDLE)
        super().start(event)


@fault("waits-without-a-channel", "FAILED",
       "does not end a call for which no channel can be created (C13)",
       by="calls/no-channel-can-be-made", items="C13")
class WaitsWithoutAChannel(Client):
    def finish(self, call: Call, how: End) -> None:
        if how is not NOT_CREATED:
            super().finish(call, how)


# The options in channel keys. Handover itself normalizes the spellings of hosts (P1, H5).

@fault("shares-channels-of-other-options", "FAILED",
       "uses one channel for calls with different options (rule 4, P2)",
       by="keepalive/options-of-a-call", items="P2")
class SharesChannelsOfOtherOptions(Client):
    def pooled(self, host: str, options: JSONObject) -> Channel:
        known = [channel for channel in self.channels.values()
                 if channel.host == normalised(host) and channel.host is not None]
        return known[0] if known else super().pooled(host, options)


@fault("ignores-the-backoff-in-options", "FAILED",
       "ignores the timeout and the delay in the options of a call (B5)",
       by="backoff/longest-delay-of-a-call", items="B5")
class IgnoresTheBackoffInOptions(Client):
    def pooled(self, host: str, options: JSONObject) -> Channel:
        channel = super().pooled(host, options)
        if channel.state == SHUTDOWN:
            channel.timing = replace(
                channel.timing, initial=self.timing.initial, maximum=self.timing.maximum,
                connect_timeout=self.timing.connect_timeout)
            channel.backoff = Backoff(channel.timing)
        return channel


@fault("keeps-its-own-ping-timeout", "FAILED",
       "uses the keepalive interval in the options of a call, but not the timeout (B6)",
       by="keepalive/options-of-a-call", items="B6")
class KeepsItsOwnPingTimeout(Client):
    def pooled(self, host: str, options: JSONObject) -> Channel:
        channel = super().pooled(host, options)
        if options.get("keepaliveInterval"):
            channel.timing = replace(channel.timing, ping_timeout=20_000_000)
        return channel


# Pings.

@fault("never-pings", "FAILED",
       "sends no pings (B7)",
       by="keepalive/ping-unanswered", items="B7")
class NeverPings(Client):
    def arm_ping(self, connection: Connection) -> None:
        pass


@fault("never-gives-up-a-ping", "FAILED",
       "keeps a connection whose ping is not answered (B7)",
       by="keepalive/ping-unanswered", items="B7")
class NeverGivesUpAPing(Client):
    def ping_is_due(self, connection: Connection) -> None:
        if not connection.awaits_pong:
            super().ping_is_due(connection)


@fault("pings-without-calls", "FAILED",
       "pings connections that have no calls (B6, B7)",
       by="keepalive/no-call-no-ping", items="B6 B7")
class PingsWithoutCalls(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.timing = replace(self.timing, pings_without_calls=True)


@fault("pings-without-end", "FAILED",
       "sends more than two pings although it sends no data (B7)",
       by="keepalive/two-pings-without-data")
class PingsWithoutEnd(Client):
    MAXIMUM_PINGS_WITHOUT_DATA = 1_000_000


@fault("takes-a-reset-for-data", "FAILED",
       "sends another ping after it has reset a call (B6)",
       by="keepalive/reset-is-no-data", profile="sockets", items="B6")
class TakesAResetForData(Client):
    def report(self, what: str, how: Any) -> None:
        super().report(what, how)
        if what == "reset":
            self.note_sent(self.connections[how["connection"]])


@fault("waits-with-an-overdue-ping", "FAILED",
       "waits a whole interval although the ping of a silent connection is overdue (B7)",
       by="keepalive/overdue-ping", items="B7")
class WaitsWithAnOverduePing(Client):
    def arm_ping(self, connection: Connection) -> None:
        super().arm_ping(connection)
        after = connection.channel.timing.ping_after
        first = self.ping_deadlines.due(connection)
        if after is not None and first == self.now and not connection.awaits_pong:
            self.arm(self.ping_deadlines, connection, self.now + after)


@fault("takes-only-a-pong-for-an-answer", "FAILED",
       "closes a connection that delivers data after a ping (B7)",
       by="keepalive/any-byte-answers-a-ping", items="B7")
class TakesOnlyAPongForAnAnswer(Client):
    is_pong = False

    def received(self, event: JSONObject) -> None:
        self.is_pong = bool(event.get("pong"))
        super().received(event)

    def note_read(self, connection: Connection) -> None:
        if self.is_pong or not connection.awaits_pong:
            super().note_read(connection)


# Connections that the server closes for new calls.

@fault("ignores-goaway", "FAILED",
       "sends new calls on a connection after the server's GOAWAY (B8)",
       by="server/ignores-calls-after-goaway", items="B8")
class IgnoresGoaway(Client):
    def draining(self, event: JSONObject) -> None:
        pass


@fault("keeps-the-channel-when-a-draining-connection-breaks", "FAILED",
       "keeps the channel when a connection breaks after GOAWAY (O6)",
       by="server/goes-away-and-breaks", items="O6", profile="sockets-2017")
class KeepsTheChannelWhenADrainingConnectionBreaks(Client):
    def connection_broke(self, connection: Connection, how: End) -> None:
        policy = self.policy
        if connection.is_draining:
            self.policy = replace(policy, broken_connection_destroys_channel=False)
        super().connection_broke(connection, how)
        self.policy = policy


# Unused channels, and the user's orders.

@fault("keeps-unused-channels", "FAILED",
       "never destroys a channel without calls (P6)",
       by="pool/long-call-keeps-its-channel", items="P6")
class KeepsUnusedChannels(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.idle = None


@fault("destroys-channels-in-use", "FAILED",
       "destroys a channel after 30 s although a call uses it again (P7)",
       by="pool/call-within-30s-keeps-its-channel", items="P7")
class DestroysChannelsInUse(Client):
    def bind(self, call: Call) -> None:
        due = self.unused_deadlines.due(call.channel)
        super().bind(call)
        if due is not None:
            self.arm(self.unused_deadlines, call.channel, due)


@fault("ignores-disconnects", "FAILED",
       "does nothing when the user disconnects a host (P10)",
       by="pool/disconnect-one-host", items="P10")
class IgnoresDisconnects(Client):
    def disconnect(self, event: JSONObject) -> None:
        if event["disconnect"] == "*":
            super().disconnect(event)


@fault("disconnects-every-host", "FAILED",
       "disconnects all hosts when the user disconnects one (P10)",
       by="pool/disconnect-one-host", items="P10")
class DisconnectsEveryHost(Client):
    def disconnect(self, event: JSONObject) -> None:
        super().disconnect({**event, "disconnect": "*"})


@fault("ignores-the-disconnect-of-all-hosts", "FAILED",
       "does nothing when the user disconnects all hosts (P11)",
       by="pool/call-right-after-disconnect-all", items="P11")
class IgnoresTheDisconnectOfAllHosts(Client):
    def disconnect(self, event: JSONObject) -> None:
        if event["disconnect"] != "*":
            super().disconnect(event)


@fault("ends-disconnected-calls-cancelled", "FAILED",
       "ends calls CANCELLED when the user disconnects their host (C11)",
       by="pool/call-after-its-channel-is-gone", items="C11")
class EndsDisconnectedCallsCancelled(Client):
    def finish(self, call: Call, how: End) -> None:
        super().finish(call, CANCELLED if how == ENDS["disconnected"] else how)


@fault("keeps-the-delay-after-a-disconnect", "FAILED",
       "applies the backoff of a destroyed channel to the next channel (P12)",
       by="pool/disconnect-with-waiting-calls")
class KeepsTheDelayAfterADisconnect(Client):
    def destroy(self, channel: Channel, reason: str, how: Optional[End] = None) -> None:
        backoff, not_before = channel.backoff, channel.not_before
        super().destroy(channel, reason, how)
        if reason == "disconnected":
            channel.backoff, channel.not_before = backoff, not_before


@fault("stays-disconnected", "FAILED",
       "never connects again to a host that the user disconnected (P18)",
       by="pool/disconnect-all", items="P18")
class StaysDisconnected(Client):
    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        super().__init__(run, out)
        self.disconnected: set[Channel] = set()

    def destroy(self, channel: Channel, reason: str, how: Optional[End] = None) -> None:
        if reason == "disconnected":
            self.disconnected.add(channel)
        super().destroy(channel, reason, how)

    def connect(self, channel: Channel) -> None:
        if channel not in self.disconnected:
            super().connect(channel)


# Callbacks of the monitor.

@fault("takes-a-local-address-for-wifi", "FAILED",
       "treats IsLocalAddress as WiFi, even on a cellular network (M4)",
       by="monitor/local-address-on-cellular", items="M4")
class TakesALocalAddressForWiFi(Client):
    def flags_changed(self, flags: Collection[str]) -> None:
        if "IsLocalAddress" in flags:
            flags = [flag for flag in flags if flag != "IsWWAN"]
        super().flags_changed(flags)


@fault("ignores-the-second-callback-of-an-instant", "FAILED",
       "ignores a callback if there was one at the same instant (M9)",
       by="monitor/two-callbacks-in-one-instant", items="M9")
class IgnoresTheSecondCallbackOfAnInstant(Client):
    last_callback: Optional[int] = None

    def flags_changed(self, flags: Collection[str]) -> None:
        if self.last_callback != self.now:
            super().flags_changed(flags)
        self.last_callback = self.now


# Faults of the backend.

class Spoiling(Loop):
    """A loop that corrupts its answers to events."""

    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        answer = super().step(name, command)
        if name == "event" and "out" in answer:
            self.spoil(answer)
        return answer

    def spoil(self, answer: JSONObject) -> None:
        """Corrupts an answer before it is written."""


@fault("one-digest", "PASSED", "returns one digest for all states; only explorations request it")
class OneDigest(Loop):
    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        answer = super().step(name, command)
        return {**answer, "digest": "x"} if "digest" in answer else answer


@fault("no-digest", "PASSED", "behaves like the reference, without digests")
class NoDigest(Loop):
    def hello(self) -> JSONObject:
        hello = super().hello()
        return {**hello, "capabilities": [word for word in hello["capabilities"]
                                          if word != "digest"]}


@fault("bad-version", "ERROR", "uses a later version of the protocol")
class BadVersion(Loop):
    def hello(self) -> JSONObject:
        return {**super().hello(), "version": VERSION + 1}


@fault("lies-about-capabilities", "ERROR", "declares channels and reports none")
class LiesAboutCapabilities(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["out"] = [effect for effect in answer["out"]
                         if "channel" not in effect and "bound" not in effect]
        for effect in answer["out"]:
            effect.get("connect", {}).pop("channel", None)


@fault("hang", "ERROR", "never answers the first event of a run")
class Hang(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        # The read ends with the harness, so that no process remains.
        self.commands.read()


@fault("dies-in-the-middle", "ERROR", "exits at the third event",
       by="transitions/every-host-is-hit")
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


@fault("u2028", "PASSED", "writes U+2028 unescaped, which JSON allows; it is not a line end")
class U2028(Loop):
    def write(self, answer: JSONObject) -> None:
        text = self.encode({**answer, "note": "a\u2028b\u2029c\u0085d"})
        for letter in "\u2028\u2029\u0085":
            text = text.replace(f"\\u{ord(letter):04x}", letter)
        self.answers.write(text.encode("utf-8") + b"\n")
        self.answers.flush()


@fault("bad-utf8", "ERROR", "writes a byte that is not valid UTF-8")
class BadUTF8(Spoiling):
    def write(self, answer: JSONObject) -> None:
        line = self.encode(answer).encode("ascii").replace(b"?", b"\xff")
        self.answers.write(line + b"\n")
        self.answers.flush()

    def spoil(self, answer: JSONObject) -> None:
        answer["note"] = "?"


@fault("half-a-line", "ERROR", "writes half of an answer and exits")
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


@fault("unasked-line", "ERROR", "writes a second, unsolicited answer")
class UnaskedLine(Loop):
    def write(self, answer: JSONObject) -> None:
        super().write(answer)
        if "out" in answer:
            super().write(answer)


@fault("unknown-call", "ERROR", "ends a call that was never started")
class UnknownCall(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["out"].append({"ended": {"call": "nobody's", "status": "OK", "message": ""}})


@fault("drops-the-port", "ERROR", "connects to a host without its port (H5)")
class DropsThePort(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        for effect in answer["out"]:
            if "connect" in effect:
                effect["connect"]["host"] = effect["connect"]["host"].rpartition(":")[0]


@fault("unknown-connection", "ERROR", "closes a connection that it never opened")
class UnknownConnection(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        answer["out"].append({"close": {"connection": 1_000_000}})


@fault("unknown-status", "ERROR", "ends calls with a status that does not exist")
class UnknownStatus(Loop):
    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        answer = super().step(name, command)
        for effect in answer.get("out", []):
            if "ended" in effect:
                effect["ended"]["status"] = "BROKEN"
        return answer


@fault("no-out", "ERROR", "writes an answer without out, skipped or error")
class NoOut(Spoiling):
    def spoil(self, answer: JSONObject) -> None:
        del answer["out"]


def main() -> Optional[str]:
    """Runs a fault, or lists all faults."""
    if sys.argv[1:] == ["--list"]:
        for one in FAULTS.values():
            print(one.name, one.verdict, one.profile, one.scenario, one.items, one.meaning,
                  sep="\t")
        return None
    if len(sys.argv) != 2 or sys.argv[1] not in FAULTS:
        return __doc__
    chosen = FAULTS[sys.argv[1]]
    chosen.loop(chosen.backend(), sys.stdin.buffer, own_standard_output()).run()
    return None


if __name__ == "__main__":
    sys.exit(main())
