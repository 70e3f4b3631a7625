#!/usr/bin/env python3
"""A whole client behind the backend protocol: what the documents say, and nothing else.

It keeps channels apart by host and options, connects lazily, waits out its backoff, pings, and
destroys every channel at a change of the network's category where its profile has a monitor.
Letters and numbers such as D9 or P6 name the items of the documents that a rule follows.

Every jitter is zero.
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
    """A call from its start to its one end."""

    def __init__(self, event: JSONObject, channel: Channel) -> None:
        self.id: str = event["id"]
        self.channel = channel
        self.fails_fast: bool = event.get("failFast", False)
        self.awaits_token: bool = event.get("token", False)
        #: Whether the user has ended the requests.
        self.is_complete: bool = event.get("complete", True)
        #: What carries it, once it runs.
        self.connection: Optional[Connection] = None
        #: Messages, and their bytes, that wait for a connection.
        self.queued_messages = 0
        self.queued_bytes = 0


class Connection:
    """A connection, from the attempt to make it until it is no more."""

    def __init__(self, number: int, channel: Channel) -> None:
        self.number = number
        self.channel = channel
        self.is_established = False
        #: Whether the server takes no new calls on it (GOAWAY).
        self.is_draining = False
        self.call_count = 0
        self.last_read = 0
        self.pings_without_data = 0
        self.awaits_pong = False


class Channel:
    """A pooled channel: it stands for one key for ever, and holds a real channel or not (P3)."""

    def __init__(self, host: Optional[str], options: JSONObject, timing: Timing) -> None:
        self.host = host
        self.options = options
        self.timing = timing
        self.forget()

    def forget(self) -> None:
        """The real channel is gone, with all its calls."""
        #: SHUTDOWN where there is no real channel.
        self.state = SHUTDOWN
        self.number = 0
        self.backoff = Backoff(self.timing)
        #: The earliest start of the next attempt.
        self.not_before = 0
        #: The connection being made, or in use.
        self.connection: Optional[Connection] = None
        #: Those that only finish their calls.
        self.draining: list[Connection] = []
        #: The unfinished calls in the order of their start, and how many wait for a connection.
        self.calls: dict[Call, None] = {}
        self.waiting_count = 0


class Client:
    """The client: its monitor, its channels and their calls."""

    #: Pings that may be sent before the client must send data (B6).
    MAXIMUM_PINGS_WITHOUT_DATA = 2
    #: How late, in microseconds, a client that runs may notice a deadline.
    LONGEST_DELAY = 1_000_000

    def __init__(self, run: JSONObject, out: list[JSONObject]) -> None:
        config = run["config"]
        self.policy = POLICIES[run["profile"]]
        self.monitor = Monitor(run["initial"])
        self.timing = Timing.of_run(config)
        #: How long a channel without calls is kept (P6); None keeps it for ever.
        self.idle: Optional[int] = config.get("idle")
        #: Whether calls hear of a change of category before the pool (M15); drawn may be either.
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
        #: Whether the client did not run when the deadline was due that it handles now.
        self.is_overdue = False
        self.due: tuple[tuple[Deadlines[Any], Callable[[Any], None]], ...] = (
            (self.call_deadlines, lambda call: self.end(call, DEADLINE_EXCEEDED)),
            (self.attempt_deadlines, self.attempt_is_due),
            (self.unused_deadlines, lambda channel: self.destroy(channel, "unused")),
            (self.ping_deadlines, self.ping_is_due),
        )

    # The monitor

    def flags_changed(self, flags: Collection[str]) -> None:
        """A change of category destroys every channel, whatever the categories are (D9, C8)."""
        if not self.policy.monitors:
            return
        change = self.monitor.observe(flags)
        if change is not None:
            self.tell("notify", {"from": change[0], "to": change[1]})
            if self.calls_hear_first:
                self.end_bound_calls()
            self.destroy_all("transition")

    # Calls

    def start(self, event: JSONObject) -> None:
        """The user starts a call."""
        call = Call(event, self.pooled(event["host"], event.get("options", {})))
        self.calls[call.id] = call
        if call.awaits_token:
            # Bound to no channel, so that a transition does not end it (C6).
            self.tell("fetchToken", call.id)
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
        """A call that has waited for its token goes on as if it started now (C6)."""
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
        """Binds a call to its channel, which is made where there is none (D1, P4)."""
        channel = call.channel
        is_new = channel.state == SHUTDOWN
        if is_new:
            self.last_channel += 1
            channel.number = self.last_channel
            self.move(channel, IDLE)
        channel.calls[call] = None
        channel.waiting_count += 1
        self.unused_deadlines.disarm(channel)
        self.tell("bound", {"call": call.id, "channel": channel.number, "new": is_new})

    def proceed(self, call: Call) -> None:
        """Does for a call that was bound what its channel's state allows."""
        channel = call.channel
        connection = channel.connection
        if connection is not None:
            if connection.is_established:
                self.run(call, connection)
                self.note_sent(connection)
        # The last attempt's delay may still run, in IDLE after GOAWAY too.
        elif self.now >= channel.not_before:
            self.connect(channel)
        elif call.fails_fast and channel.state == TRANSIENT_FAILURE:
            self.end(call, FAILED_FAST)
        else:
            self.await_backoff(channel)

    def run(self, call: Call, connection: Connection) -> None:
        """Hands a call that waits to an established connection."""
        call.channel.waiting_count -= 1
        call.connection = connection
        connection.call_count += 1
        self.tell("send", {"connection": connection.number, "call": call.id})
        if call.queued_messages:
            self.tell("send", {"connection": connection.number, "call": call.id,
                               "messages": call.queued_messages, "bytes": call.queued_bytes})
        if call.is_complete:
            self.tell("finish", {"connection": connection.number, "call": call.id})

    def send(self, event: JSONObject) -> None:
        """The user sends a message."""
        call = self.calls.get(event["call"])
        if call is None or call.is_complete:
            return
        if call.connection is None:
            call.queued_messages += 1
            call.queued_bytes += event["bytes"]
            return
        self.tell("send", {"connection": call.connection.number, "call": call.id,
                           "messages": 1, "bytes": event["bytes"]})
        self.note_sent(call.connection)

    def finish_requests(self, id: str) -> None:
        """The user ends the requests of a call."""
        call = self.calls.get(id)
        if call is None or call.is_complete:
            return
        call.is_complete = True
        if call.connection is not None:
            self.tell("finish", {"connection": call.connection.number, "call": call.id})
            self.note_sent(call.connection)

    def cancel(self, id: str) -> None:
        """The user cancels a call; one that has ended hears nothing more (C5)."""
        call = self.calls.get(id)
        if call is not None:
            self.end(call, CANCELLED)

    def received(self, event: JSONObject) -> None:
        """Something of the server arrives."""
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
            self.tell("deliver", call.id)

    def end(self, call: Call, how: End, told_by_server: bool = False) -> None:
        """Ends one call, and takes it out of its channel and off its connection."""
        if call.awaits_token:
            self.finish(call, how)
            return
        channel, connection = call.channel, call.connection
        # A connection that is no more is not told.
        if connection is not None and connection.number not in self.connections:
            connection = None
        if connection is not None and not told_by_server:
            self.tell("reset", {"connection": connection.number, "call": call.id})
        del channel.calls[call]
        if call.connection is None:
            channel.waiting_count -= 1
            # A backoff that nobody waits for wakes nobody (D4).
            if channel.waiting_count == 0 and channel.state != CONNECTING:
                self.attempt_deadlines.disarm(channel)
        self.finish(call, how)
        if connection is not None:
            connection.call_count -= 1
            if connection.call_count == 0:
                self.connection_is_unused(connection)
        self.keep_for_a_while(channel)

    def finish(self, call: Call, how: End) -> None:
        """Tells the user how a call ended: the only place that does."""
        self.call_deadlines.disarm(call)
        del self.calls[call.id]
        self.tell("ended", {"call": call.id, "status": how.status, "message": how.message})

    # Channels

    def pooled(self, host: str, options: JSONObject) -> Channel:
        """The pooled channel of a host and options, made where they are new (P3)."""
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
        self.tell("channel", report)

    def keep_for_a_while(self, channel: Channel) -> None:
        """Starts the destroy delay of a channel whose last call ended (P6)."""
        if self.idle is not None and channel.state != SHUTDOWN and not channel.calls:
            self.arm(self.unused_deadlines, channel, self.now + self.idle)

    def disconnect(self, event: JSONObject) -> None:
        """The user disconnects a channel; without a real one nothing happens (P10)."""
        if event["disconnect"] == "*":
            self.destroy_all("disconnected")
            return
        key = channel_key(event["disconnect"], event.get("options", {}))
        channel = self.channels.get(key)
        if channel is not None and channel.state != SHUTDOWN:
            self.destroy(channel, "disconnected")

    def destroy_all(self, reason: str) -> None:
        """Destroys every real channel there is, in the order of their keys' first calls (P11)."""
        for channel in self.channels.values():
            if channel.state != SHUTDOWN:
                self.destroy(channel, reason)

    def end_bound_calls(self) -> None:
        """Each call cancels what it has under way and ends (C2)."""
        for channel in list(self.channels.values()):
            for call in list(channel.calls):
                self.end(call, CONNECTIVITY_LOST)

    def destroy(self, channel: Channel, reason: str, how: Optional[End] = None) -> None:
        """Destroys a real channel: its connections are closed, then its calls are told (C4)."""
        if channel.connection is not None:
            self.close_connection(channel.connection)
        for connection in channel.draining[::-1]:
            self.close_connection(connection)
        self.attempt_deadlines.disarm(channel)
        self.unused_deadlines.disarm(channel)
        calls = list(channel.calls)
        self.move(channel, SHUTDOWN, reason)
        # The next channel knows nothing of the failures of this one (P12).
        channel.forget()
        for call in calls:
            self.finish(call, how or ENDS[reason])

    def close(self) -> None:
        """The user closes the client: calls that never got a channel end too."""
        self.destroy_all("clientClosed")
        for call in list(self.calls.values()):
            self.finish(call, CLIENT_CLOSED)

    # Connections

    def connect(self, channel: Channel) -> None:
        """Begins an attempt to connect (B1)."""
        self.move(channel, CONNECTING)
        self.last_connection += 1
        connection = Connection(self.last_connection, channel)
        self.connections[connection.number] = connection
        channel.connection = connection
        channel.not_before = self.now + channel.backoff.delay
        self.tell("connect", {"connection": connection.number, "host": channel.host,
                              "channel": channel.number})
        given_up = max(channel.not_before, self.now + channel.timing.connect_timeout)
        self.arm(self.attempt_deadlines, channel, given_up)

    def await_backoff(self, channel: Channel) -> None:
        """Wakes a channel at the end of its backoff, because a call waits for it (D4, D5)."""
        if channel not in self.attempt_deadlines:
            self.arm(self.attempt_deadlines, channel, channel.not_before)

    def attempt_is_due(self, channel: Channel) -> None:
        """An attempt took too long (S5), or a backoff is over."""
        connection = channel.connection
        if connection is not None:
            self.tell("close", {"connection": connection.number})
            self.attempt_failed(connection, CONNECT_TIMED_OUT)
        else:
            self.connect(channel)

    def connected(self, event: JSONObject) -> None:
        """The connection is usable: the calls that wait run (D5a)."""
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
        """The transport says that an attempt failed."""
        connection = self.connections.get(event["connection"])
        if connection is not None and not connection.is_established:
            self.attempt_failed(connection, failure(event), event["reason"])

    def attempt_failed(self, connection: Connection, how: End, reason: str = "") -> None:
        """An attempt failed: the calls that wait for it end (D5b), and the backoff grows."""
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
        """The transport says that a connection is no more."""
        connection = self.connections.get(event["connection"])
        if connection is None:
            return
        if connection.is_established:
            self.connection_broke(connection, failure(event))
        else:
            self.attempt_failed(connection, failure(event), event["reason"])

    def connection_broke(self, connection: Connection, how: End) -> None:
        """A connection is no more: the calls on it end, and its channel follows the policy."""
        channel = connection.channel
        self.forget_connection(connection)
        if self.policy.broken_connection_destroys_channel:
            self.destroy(channel, "broken", how)
            return
        # A channel whose broken connection only finished its calls stays what it is.
        if channel.state == READY and channel.connection is None:
            self.move(channel, TRANSIENT_FAILURE)
        for call in [call for call in channel.calls if call.connection is connection]:
            self.end(call, how)

    def draining(self, event: JSONObject) -> None:
        """The server takes no new calls: the channel is idle, and its calls go on (B8)."""
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
        """The last call left a connection; one that drains is closed."""
        if connection.is_draining:
            self.close_connection(connection)
        elif not connection.channel.timing.pings_without_calls and not connection.awaits_pong:
            self.ping_deadlines.disarm(connection)

    def close_connection(self, connection: Connection) -> None:
        """Closes a connection, or gives an attempt up."""
        self.tell("close", {"connection": connection.number})
        self.forget_connection(connection)

    def forget_connection(self, connection: Connection) -> None:
        """Takes a connection out of the tables."""
        channel = connection.channel
        del self.connections[connection.number]
        self.ping_deadlines.disarm(connection)
        if channel.connection is connection:
            channel.connection = None
        else:
            channel.draining.remove(connection)

    # Pings (B6, B7)

    def arm_ping(self, connection: Connection) -> None:
        """Arms the next ping: none without calls unless permitted, none past the limit."""
        timing = connection.channel.timing
        if (timing.ping_after is not None
                and (connection.call_count > 0 or timing.pings_without_calls)
                and not connection.awaits_pong
                and connection.pings_without_data < self.MAXIMUM_PINGS_WITHOUT_DATA):
            due = max(connection.last_read + timing.ping_after, self.now)
            self.arm(self.ping_deadlines, connection, due)

    def note_sent(self, connection: Connection) -> None:
        """The client sent data on the connection; a reset is no data (B6)."""
        connection.pings_without_data = 0
        if connection not in self.ping_deadlines:
            self.arm_ping(connection)

    def note_read(self, connection: Connection) -> None:
        """Something was read from the connection: it lives."""
        connection.last_read = self.now
        connection.awaits_pong = False
        self.ping_deadlines.disarm(connection)
        self.arm_ping(connection)

    def ping_is_due(self, connection: Connection) -> None:
        """It is time for a ping, or the last one was not answered."""
        timing = connection.channel.timing
        if connection.awaits_pong and timing.waits_again and self.is_overdue:
            self.arm(self.ping_deadlines, connection, self.now + timing.ping_timeout)
            return
        if connection.awaits_pong:
            self.tell("close", {"connection": connection.number})
            self.connection_broke(connection, KEEPALIVE_TIMEOUT)
            return
        connection.awaits_pong = True
        connection.pings_without_data += 1
        self.tell("ping", {"connection": connection.number})
        due = self.now + connection.channel.timing.ping_timeout
        self.arm(self.ping_deadlines, connection, due)

    # Time

    def arm(self, deadlines: Deadlines[Any], owner: Any, due: int) -> None:
        """Sets a deadline; of those due together, the one armed first comes first."""
        self.last_order += 1
        deadlines.arm(owner, due, self.last_order)

    def time_elapsed(self) -> None:
        """Does what is due, one by one."""
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
        """When the client wants to be told of the time, and which deadlines keep a run going."""
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
        """All that decides how the client goes on, without the numbers that it has given.

        Of its deadlines it says which are armed, and not when they are due.
        """
        waiting = [self.state_of_call(call) for call in self.calls.values() if call.awaits_token]
        return (self.monitor.category,
                [self.state_of_channel(key, channel) for key, channel in self.channels.items()],
                waiting)

    def state_of_channel(self, key: Any, channel: Channel) -> object:
        """What decides how a channel goes on."""
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
        """What decides how a call goes on."""
        return (call.channel.host, call.fails_fast, call.awaits_token, call.is_complete,
                call.queued_messages, call.queued_bytes, call in self.call_deadlines)

    def tell(self, what: str, how: Any) -> None:
        """Reports what the client does."""
        self.out.append({what: how})


def failure(event: JSONObject) -> End:
    """How calls end with a connection that failed, as the transport words it (S3, S7)."""
    return End(event.get("status", "UNAVAILABLE"), event["message"])


class Reference(Backend):
    """The client as a backend."""

    name = "reference"
    capabilities = ("streaming", "background", "tokens", "keepalive", "options", "channels",
                    "monitor", "batch", "observers", "digest")
    profiles = tuple(POLICIES)
    #: What plays a run; others may put theirs here.
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
        """Hands the client a fact."""
        for member in event:
            handler = self.handlers.get(member)
            if handler is not None:
                self.step(now)
                handler(event)
                return
        raise Refused(f"there is no event {', '.join(event) or 'without a member'}")

    def advance(self, now: int) -> None:
        """Lets the client do what is due."""
        self.step(now)
        self.client.time_elapsed()

    def close(self, now: int) -> None:
        """Closes the client."""
        self.step(now)
        self.client.close()

    def step(self, now: int) -> None:
        """Lends the client the time, and the list of what it does."""
        self.client.now = now
        self.client.out = self.out

    def deadlines(self) -> JSONObject:
        """When the client wants to be told of the time."""
        return self.client.deadlines()

    def digest(self, now: int) -> str:
        """What tells the client's states apart."""
        self.step(now)
        return digest_of(self.client.state())


if __name__ == "__main__":
    serve(Reference())
