#!/usr/bin/env python3
"""A complete client behind the backend protocol, implementing only the specifications.

It keeps channels apart by host and options, connects lazily, waits out its backoff, and sends
pings. If its profile has a monitor, it destroys every channel when the category of the network
changes. IDs such as D9 or P6 name the requirements that a rule implements.

All jitter is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Optional

from handover_backend import Backend, JSONObject, Refused, Skipped, digest_of, serve
from reference_rules import (
    CANCELLED, CLIENT_CLOSED, CONNECTIVITY_LOST, CONNECT_TIMED_OUT, DEADLINE_EXCEEDED, ENDS,
    FAILED_FAST, KEEPALIVE_TIMEOUT, NEVER, NOT_CREATED, POLICIES, Backoff, Deadlines, End, Monitor,
    Timing, channel_key)

IDLE = "IDLE"
CONNECTING = "CONNECTING"
READY = "READY"
TRANSIENT_FAILURE = "TRANSIENT_FAILURE"
SHUTDOWN = "SHUTDOWN"


class Call:
    """A call from its start to its single end."""

    def __init__(self, event: JSONObject, channel: Channel) -> None:
        self.id: str = event["id"]
        self.channel = channel
        self.fails_fast: bool = event.get("failFast", False)
        self.awaits_token: bool = event.get("token", False)
        #: Whether the user has finished the request.
        self.is_complete: bool = event.get("complete", True)
        #: The connection that carries the running call.
        self.connection: Optional[Connection] = None
        #: The number and total bytes of messages that wait for a connection.
        self.queued_messages = 0
        self.queued_bytes = 0


class Connection:
    """A connection from the attempt to its end."""

    def __init__(self, number: int, channel: Channel) -> None:
        self.number = number
        self.channel = channel
        self.is_established = False
        #: Whether the server accepts no new calls on it (GOAWAY).
        self.is_draining = False
        self.call_count = 0
        self.last_read = 0
        self.pings_without_data = 0
        self.awaits_pong = False


class Channel:
    """A pooled channel: it represents one key permanently, with or without a real channel (P3)."""

    def __init__(self, host: Optional[str], options: JSONObject, timing: Timing) -> None:
        self.host = host
        self.options = options
        self.timing = timing
        self.forget()

    def forget(self) -> None:
        """Discards the real channel with all its calls."""
        #: The state, which is SHUTDOWN without a real channel.
        self.state = SHUTDOWN
        self.number = 0
        self.backoff = Backoff(self.timing)
        #: The earliest start of the next attempt.
        self.not_before = 0
        #: The connection being established or in use.
        self.connection: Optional[Connection] = None
        #: The connections that only finish their calls.
        self.draining: list[Connection] = []
        #: The unfinished calls in order of their start, and the number of calls that wait for a
        #: connection.
        self.calls: dict[Call, None] = {}
        self.waiting_count = 0


class Client:
    """The client: its monitor, its channels and their calls."""

    #: The number of pings that may be sent before the client must send data (B6).
    MAXIMUM_PINGS_WITHOUT_DATA = 2
    #: The maximum delay, in microseconds, after which a running client notices a deadline.
    LONGEST_DELAY = 1_000_000

    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        config = run["config"]
        self.policy = POLICIES[run["profile"]]
        self.monitor = Monitor(run["initial"])
        self.timing = Timing.of_run(config)
        #: The time for which a channel without calls is kept (P6), or None for no limit.
        self.idle: Optional[int] = config.get("idle")
        #: Whether calls are notified of a category change before the pool (M15); random runs use
        #: both.
        self.calls_hear_first: bool = config.get("observers") == "calls"
        self.out = out
        self.now: int = run["now"]
        self.channels: dict[Any, Channel] = {}
        self.calls: dict[str, Call] = {}
        self.connections: dict[int, Connection] = {}
        self.last_connection = 0
        self.last_channel = 0
        self.last_order = 0
        self.call_deadlines: Deadlines[Call] = Deadlines()
        #: The end of an attempt, or of a backoff that a call waits for.
        self.attempt_deadlines: Deadlines[Channel] = Deadlines()
        self.unused_deadlines: Deadlines[Channel] = Deadlines()
        #: The next ping, or the end of the wait for its answer.
        self.ping_deadlines: Deadlines[Connection] = Deadlines()
        #: Whether the client was suspended when the current deadline was due.
        self.is_overdue = False
        self.due: tuple[tuple[Deadlines[Any], Callable[[Any], None]], ...] = (
            (self.call_deadlines, lambda call: self.end(call, DEADLINE_EXCEEDED)),
            (self.attempt_deadlines, self.attempt_is_due),
            (self.unused_deadlines, lambda channel: self.destroy(channel, "unused")),
            (self.ping_deadlines, self.ping_is_due),
        )

    # The monitor

    def flags_changed(self, flags: Collection[str]) -> None:
        """Destroys every channel if the category has changed, in any direction (D9, C8)."""
        if not self.policy.monitors:
            return
        change = self.monitor.observe(flags)
        if change is not None:
            self.report("notify", {"from": change[0], "to": change[1]})
            if self.calls_hear_first:
                self.end_bound_calls()
            self.destroy_all("transition")

    # Calls

    def start(self, event: JSONObject) -> None:
        """Starts a call of the user."""
        call = Call(event, self.pooled(event["host"], event.get("options", {})))
        self.calls[call.id] = call
        if call.awaits_token:
            # The call is bound to no channel, so that a category change does not end it (C6).
            self.report("fetchToken", call.id)
        elif call.channel.host is None:
            self.finish(call, NOT_CREATED)
            return
        else:
            self.bind(call)
        if event.get("deadline") is not None:
            self.arm(self.call_deadlines, call, event["deadline"])
        if not call.awaits_token:
            self.proceed(call)

    def token_arrived(self, id: str) -> None:
        """Continues a call that has waited for its token as if it started now (C6)."""
        call = self.calls.get(id)
        if call is None or not call.awaits_token:
            return
        call.awaits_token = False
        if call.channel.host is None:
            self.finish(call, NOT_CREATED)
            return
        self.bind(call)
        self.proceed(call)

    def bind(self, call: Call) -> None:
        """Binds a call to its channel, which is created if necessary (D1, P4)."""
        channel = call.channel
        is_new = channel.state == SHUTDOWN
        if is_new:
            self.last_channel += 1
            channel.number = self.last_channel
            self.move(channel, IDLE)
        channel.calls[call] = None
        channel.waiting_count += 1
        self.unused_deadlines.disarm(channel)
        self.report("bound", {"call": call.id, "channel": channel.number, "new": is_new})

    def proceed(self, call: Call) -> None:
        """Runs a bound call as far as the state of its channel permits."""
        channel = call.channel
        connection = channel.connection
        if connection is not None:
            if connection.is_established:
                self.run(call, connection)
                self.note_sent(connection)
        # The delay of the last attempt may still be running, even in IDLE after GOAWAY.
        elif self.now >= channel.not_before:
            self.connect(channel)
        elif call.fails_fast and channel.state == TRANSIENT_FAILURE:
            self.end(call, FAILED_FAST)
        else:
            self.await_backoff(channel)

    def run(self, call: Call, connection: Connection) -> None:
        """Passes a waiting call to an established connection."""
        call.channel.waiting_count -= 1
        call.connection = connection
        connection.call_count += 1
        self.report("send", {"connection": connection.number, "call": call.id})
        if call.queued_messages:
            self.report("send", {"connection": connection.number, "call": call.id,
                               "messages": call.queued_messages, "bytes": call.queued_bytes})
        if call.is_complete:
            self.report("finish", {"connection": connection.number, "call": call.id})

    def send(self, event: JSONObject) -> None:
        """Sends a message of the user."""
        call = self.calls.get(event["call"])
        if call is None or call.is_complete:
            return
        if call.connection is None:
            call.queued_messages += 1
            call.queued_bytes += event["bytes"]
            return
        self.report("send", {"connection": call.connection.number, "call": call.id,
                           "messages": 1, "bytes": event["bytes"]})
        self.note_sent(call.connection)

    def finish_requests(self, id: str) -> None:
        """Finishes the request of a call."""
        call = self.calls.get(id)
        if call is None or call.is_complete:
            return
        call.is_complete = True
        if call.connection is not None:
            self.report("finish", {"connection": call.connection.number, "call": call.id})
            self.note_sent(call.connection)

    def cancel(self, id: str) -> None:
        """Cancels a call for the user; a call that has ended is not affected (C5)."""
        call = self.calls.get(id)
        if call is not None:
            self.end(call, CANCELLED)

    def received(self, event: JSONObject) -> None:
        """Handles data from the server."""
        if "connection" in event:
            connection = self.connections.get(event["connection"])
            if connection is not None:
                self.note_read(connection)
            return
        call = self.calls.get(event["call"])
        if call is None or call.connection is None:
            return
        self.note_read(call.connection)
        if "status" in event:
            self.end(call, End(event["status"], event.get("message", "")), told_by_server=True)
        else:
            self.report("deliver", call.id)

    def end(self, call: Call, how: End, told_by_server: bool = False) -> None:
        """Ends one call, and removes it from its channel and connection."""
        if call.awaits_token:
            self.finish(call, how)
            return
        channel, connection = call.channel, call.connection
        # A connection that no longer exists receives no reset.
        if connection is not None and connection.number not in self.connections:
            connection = None
        if connection is not None and not told_by_server:
            self.report("reset", {"connection": connection.number, "call": call.id})
        del channel.calls[call]
        if call.connection is None:
            channel.waiting_count -= 1
            # A backoff that no call waits for triggers no attempt (D4).
            if channel.waiting_count == 0 and channel.state != CONNECTING:
                self.attempt_deadlines.disarm(channel)
        self.finish(call, how)
        if connection is not None:
            connection.call_count -= 1
            if connection.call_count == 0:
                self.connection_is_unused(connection)
        self.keep_for_a_while(channel)

    def finish(self, call: Call, how: End) -> None:
        """Reports the end of a call to the user; no other method does."""
        self.call_deadlines.disarm(call)
        del self.calls[call.id]
        self.report("ended", {"call": call.id, "status": how.status, "message": how.message})

    # Channels

    def pooled(self, host: str, options: JSONObject) -> Channel:
        """Returns the pooled channel of a host and options, which is created if necessary (P3)."""
        key = channel_key(host, options)
        channel = self.channels.get(key)
        if channel is None:
            channel = Channel(key[0], options, self.timing.with_options(options))
            self.channels[key] = channel
        return channel

    def move(self, channel: Channel, state: str, reason: Optional[str] = None) -> None:
        """Changes the state of a real channel, and reports it (B8)."""
        channel.state = state
        report = {"channel": channel.number, "host": channel.host, "options": channel.options,
                  "state": state}
        if reason is not None:
            report["reason"] = reason
        self.report("channel", report)

    def keep_for_a_while(self, channel: Channel) -> None:
        """Starts the destroy delay of a channel whose last call has ended (P6)."""
        if self.idle is not None and channel.state != SHUTDOWN and not channel.calls:
            self.arm(self.unused_deadlines, channel, self.now + self.idle)

    def disconnect(self, event: JSONObject) -> None:
        """Disconnects a channel for the user; has no effect without a real channel (P10)."""
        if event["disconnect"] == "*":
            self.destroy_all("disconnected")
            return
        key = channel_key(event["disconnect"], event.get("options", {}))
        channel = self.channels.get(key)
        if channel is not None and channel.state != SHUTDOWN:
            self.destroy(channel, "disconnected")

    def destroy_all(self, reason: str) -> None:
        """Destroys all real channels, in the order of the first calls of their keys (P11)."""
        for channel in self.channels.values():
            if channel.state != SHUTDOWN:
                self.destroy(channel, reason)

    def end_bound_calls(self) -> None:
        """Cancels the pending work of all bound calls and ends them (C2)."""
        for channel in list(self.channels.values()):
            for call in list(channel.calls):
                self.end(call, CONNECTIVITY_LOST)

    def destroy(self, channel: Channel, reason: str, how: Optional[End] = None) -> None:
        """Destroys a real channel: closes its connections first, then ends its calls (C4)."""
        if channel.connection is not None:
            self.close_connection(channel.connection)
        for connection in channel.draining[::-1]:
            self.close_connection(connection)
        self.attempt_deadlines.disarm(channel)
        self.unused_deadlines.disarm(channel)
        calls = list(channel.calls)
        self.move(channel, SHUTDOWN, reason)
        # The next channel does not inherit the failures of this one (P12).
        channel.forget()
        for call in calls:
            self.finish(call, how or ENDS[reason])

    def close(self) -> None:
        """Closes the client for the user; calls without a channel end too."""
        self.destroy_all("clientClosed")
        for call in list(self.calls.values()):
            self.finish(call, CLIENT_CLOSED)

    # Connections

    def connect(self, channel: Channel) -> None:
        """Begins a connection attempt (B1)."""
        self.move(channel, CONNECTING)
        self.last_connection += 1
        connection = Connection(self.last_connection, channel)
        self.connections[connection.number] = connection
        channel.connection = connection
        channel.not_before = self.now + channel.backoff.delay
        self.report("connect", {"connection": connection.number, "host": channel.host,
                              "channel": channel.number})
        given_up = max(channel.not_before, self.now + channel.timing.connect_timeout)
        self.arm(self.attempt_deadlines, channel, given_up)

    def await_backoff(self, channel: Channel) -> None:
        """Schedules an attempt at the end of the backoff, because a call waits for it (D4, D5)."""
        if channel not in self.attempt_deadlines:
            self.arm(self.attempt_deadlines, channel, channel.not_before)

    def attempt_is_due(self, channel: Channel) -> None:
        """Handles an attempt that took too long (S5), or the end of a backoff."""
        connection = channel.connection
        if connection is not None:
            self.report("close", {"connection": connection.number})
            self.attempt_failed(connection, CONNECT_TIMED_OUT)
        else:
            self.connect(channel)

    def connected(self, event: JSONObject) -> None:
        """Handles an established connection: the waiting calls run (D5a)."""
        connection = self.connections.get(event["connection"])
        if connection is None or connection.is_established:
            return
        channel = connection.channel
        self.attempt_deadlines.disarm(channel)
        connection.is_established = True
        connection.last_read = self.now
        channel.backoff.succeeded()
        self.move(channel, READY)
        for call in channel.calls:
            if call.connection is None:
                self.run(call, connection)
        self.arm_ping(connection)

    def connect_failed(self, event: JSONObject) -> None:
        """Handles a failed attempt that the transport reports."""
        connection = self.connections.get(event["connection"])
        if connection is not None and not connection.is_established:
            self.attempt_failed(connection, failure(event), event["reason"])

    def attempt_failed(self, connection: Connection, how: End, reason: str = "") -> None:
        """Handles a failed attempt: the waiting calls end (D5b), and the backoff grows."""
        channel = connection.channel
        del self.connections[connection.number]
        channel.connection = None
        self.attempt_deadlines.disarm(channel)
        channel.backoff.failed()
        self.move(channel, TRANSIENT_FAILURE)
        if reason == "nameResolutionFailed" and not self.policy.name_failure_ends_calls:
            if channel.waiting_count:
                self.await_backoff(channel)
            return
        for call in [call for call in channel.calls if call.connection is None]:
            self.end(call, how)

    def broken(self, event: JSONObject) -> None:
        """Handles a lost connection that the transport reports."""
        connection = self.connections.get(event["connection"])
        if connection is None:
            return
        if connection.is_established:
            self.connection_broke(connection, failure(event))
        else:
            self.attempt_failed(connection, failure(event), event["reason"])

    def connection_broke(self, connection: Connection, how: End) -> None:
        """Handles a lost connection: its calls end, and its channel follows the policy."""
        channel = connection.channel
        self.forget_connection(connection)
        if self.policy.broken_connection_destroys_channel:
            self.destroy(channel, "broken", how)
            return
        # If the broken connection only finished its calls, the channel keeps its state.
        if channel.state == READY and channel.connection is None:
            self.move(channel, TRANSIENT_FAILURE)
        for call in [call for call in channel.calls if call.connection is connection]:
            self.end(call, how)

    def draining(self, event: JSONObject) -> None:
        """Handles GOAWAY: the channel becomes idle, and its calls continue (B8)."""
        connection = self.connections.get(event["connection"])
        if connection is None or not connection.is_established:
            return
        self.note_read(connection)
        if connection.is_draining:
            return
        channel = connection.channel
        connection.is_draining = True
        channel.draining.append(connection)
        channel.connection = None
        self.move(channel, IDLE)
        if connection.call_count == 0:
            self.close_connection(connection)

    def connection_is_unused(self, connection: Connection) -> None:
        """Handles the end of a connection's last call; a draining connection is closed."""
        if connection.is_draining:
            self.close_connection(connection)
        elif not connection.channel.timing.pings_without_calls and not connection.awaits_pong:
            self.ping_deadlines.disarm(connection)

    def close_connection(self, connection: Connection) -> None:
        """Closes a connection, or cancels an attempt."""
        self.report("close", {"connection": connection.number})
        self.forget_connection(connection)

    def forget_connection(self, connection: Connection) -> None:
        """Removes a connection from the tables."""
        channel = connection.channel
        del self.connections[connection.number]
        self.ping_deadlines.disarm(connection)
        if channel.connection is connection:
            channel.connection = None
        else:
            channel.draining.remove(connection)

    # Pings (B6, B7)

    def arm_ping(self, connection: Connection) -> None:
        """Schedules the next ping, unless there are no calls or too many pings were sent."""
        timing = connection.channel.timing
        if (timing.ping_after is not None
                and (connection.call_count > 0 or timing.pings_without_calls)
                and not connection.awaits_pong
                and connection.pings_without_data < self.MAXIMUM_PINGS_WITHOUT_DATA):
            due = max(connection.last_read + timing.ping_after, self.now)
            self.arm(self.ping_deadlines, connection, due)

    def note_sent(self, connection: Connection) -> None:
        """Records that the client sent data on the connection; a reset does not count (B6)."""
        connection.pings_without_data = 0
        if connection not in self.ping_deadlines:
            self.arm_ping(connection)

    def note_read(self, connection: Connection) -> None:
        """Records received data, which proves that the connection works."""
        connection.last_read = self.now
        connection.awaits_pong = False
        self.ping_deadlines.disarm(connection)
        self.arm_ping(connection)

    def ping_is_due(self, connection: Connection) -> None:
        """Sends a ping, or handles a missing answer to the last one."""
        timing = connection.channel.timing
        if connection.awaits_pong and timing.waits_again and self.is_overdue:
            self.arm(self.ping_deadlines, connection, self.now + timing.ping_timeout)
            return
        if connection.awaits_pong:
            self.report("close", {"connection": connection.number})
            self.connection_broke(connection, KEEPALIVE_TIMEOUT)
            return
        connection.awaits_pong = True
        connection.pings_without_data += 1
        self.report("ping", {"connection": connection.number})
        due = self.now + connection.channel.timing.ping_timeout
        self.arm(self.ping_deadlines, connection, due)

    # Time

    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        """Sets a deadline; deadlines with the same time are handled in the order of setting."""
        self.last_order += 1
        deadlines.arm(owner, due, self.last_order)

    def time_elapsed(self) -> None:
        """Handles all deadlines that are due, one by one."""
        while True:
            firsts = [(first, deadlines, act) for deadlines, act in self.due
                      if (first := deadlines.first()) is not None]
            if not firsts:
                return
            (due, _, owner), deadlines, act = min(firsts, key=lambda entry: entry[0][:2])
            if due > self.now:
                return
            deadlines.disarm(owner)
            self.is_overdue = due + self.LONGEST_DELAY < self.now
            act(owner)

    def deadlines(self) -> JSONObject:
        """Returns the next deadline, and those that keep a run from ending."""
        calls, attempts, unused, pings = (
            first[0] if (first := deadlines.first()) is not None else NEVER
            for deadlines, _ in self.due)
        pressing = min(calls, attempts)
        earliest = min(pressing, unused, pings)
        answer = {"deadline": earliest if earliest < NEVER else None,
                  "pressing": pressing if pressing < NEVER else None}
        if pings < NEVER:
            answer["keepalive"] = pings
        return answer

    def state(self) -> object:
        """Returns the state that determines behavior, without assigned numbers.

        For deadlines it contains only whether they are set, not their times.
        """
        waiting = [self.state_of_call(call) for call in self.calls.values() if call.awaits_token]
        return (self.monitor.category,
                [self.state_of_channel(key, channel) for key, channel in self.channels.items()],
                waiting)

    def state_of_channel(self, key: Any, channel: Channel) -> object:
        """Returns the state that determines the behavior of a channel."""
        if channel.state == SHUTDOWN:
            return key
        own = [channel.connection] if channel.connection is not None else []
        connections = own + channel.draining[::-1]
        return (key, channel.state, channel.backoff.delay, channel.not_before > self.now,
                channel in self.attempt_deadlines, channel in self.unused_deadlines,
                [(one.is_established, one.is_draining, one.pings_without_data, one.awaits_pong,
                  one in self.ping_deadlines) for one in connections],
                [(self.state_of_call(call),
                  connections.index(call.connection) if call.connection in connections else None)
                 for call in channel.calls])

    def state_of_call(self, call: Call) -> object:
        """Returns the state that determines the behavior of a call."""
        return (call.channel.host, call.fails_fast, call.awaits_token, call.is_complete,
                call.queued_messages, call.queued_bytes, call in self.call_deadlines)

    def report(self, what: str, how: Any) -> None:
        """Reports an action of the client."""
        self.out.append({what: how})


def failure(event: JSONObject) -> End:
    """Returns how calls end with a failed connection, as reported by the transport (S3, S7)."""
    return End(event.get("status", "UNAVAILABLE"), event["message"])


class Reference(Backend):
    """The client as a backend."""

    name = "reference"
    capabilities = ("streaming", "background", "tokens", "keepalive", "options", "channels",
                    "monitor", "batch", "observers", "digest")
    profiles = tuple(POLICIES)
    #: The class of the client; subclasses may replace it.
    client_type = Client

    client: Client

    def open(self, run: JSONObject) -> None:
        """Begins a run with a new client."""
        if run["profile"] not in POLICIES:
            raise Skipped(f"there is no client for the profile {run['profile']}")
        self.client = client = self.client_type(run, self.out)
        self.handlers = {
            "flags": lambda event: client.flags_changed(event["flags"]),
            "call": lambda event: client.start(event["call"]),
            "token": lambda event: client.token_arrived(event["token"]),
            "send": lambda event: client.send(event["send"]),
            "finish": lambda event: client.finish_requests(event["finish"]),
            "cancel": lambda event: client.cancel(event["cancel"]),
            "disconnect": client.disconnect,
            "connected": lambda event: client.connected(event["connected"]),
            "connectFailed": lambda event: client.connect_failed(event["connectFailed"]),
            "broken": lambda event: client.broken(event["broken"]),
            "draining": lambda event: client.draining(event["draining"]),
            "received": lambda event: client.received(event["received"]),
        }

    def event(self, now: int, event: JSONObject) -> None:
        """Passes an event to the client."""
        for member in event:
            handler = self.handlers.get(member)
            if handler is not None:
                self.step(now)
                handler(event)
                return
        raise Refused(f"there is no event {', '.join(event) or 'without a member'}")

    def advance(self, now: int) -> None:
        """Makes the client handle due deadlines."""
        self.step(now)
        self.client.time_elapsed()

    def close(self, now: int) -> None:
        """Closes the client."""
        self.step(now)
        self.client.close()

    def step(self, now: int) -> None:
        """Gives the client the time, and the list for its actions."""
        self.client.now = now
        self.client.out = self.out

    def deadlines(self) -> JSONObject:
        """Returns the client's deadlines."""
        return self.client.deadlines()

    def digest(self, now: int) -> str:
        """Returns a digest of the client's state."""
        self.step(now)
        return digest_of(self.client.state())


if __name__ == "__main__":
    serve(Reference())
