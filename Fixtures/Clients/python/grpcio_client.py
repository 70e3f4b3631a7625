#!/usr/bin/env python3
"""A client under test that uses grpcio with default settings and one channel for each host.

usage: client.py [--keepalive]    pings after one second without an answer, even without calls
"""

from __future__ import annotations

import queue
import sys
import threading
from typing import Any, Iterator, Optional

import grpc

from lines import JSONObject, Lines, serve

#: The kinds of calls, with the methods of the server.
METHODS = {"unary": "Unary", "streaming": "ServerStream", "client-streaming": "ClientStream",
           "bidi": "Bidi"}
#: The settings of `--keepalive`, in the notation of a scenario's `config`.
EAGER = {"time": 1_000_000, "timeout": 1_000_000, "withoutCalls": True}


class Call:
    """A call of the user, and the messages that the user still sends."""

    def __init__(self, started: JSONObject) -> None:
        self.id: str = started["id"]
        self.kind: str = started["kind"]
        self.messages: queue.SimpleQueue[Optional[bytes]] = queue.SimpleQueue()
        self.rpc: Any = None

    def requests(self) -> Iterator[bytes]:
        """Yields the messages until the last one of the user."""
        return iter(self.messages.get, None)


class Client:
    """The channels and calls of a run."""

    def __init__(self, lines: Lines, is_eager: bool) -> None:
        self.lines = lines
        self.hello = {"name": "grpcio-keepalive" if is_eager else "grpcio", "role": "client",
                      "capabilities": ["streaming", "keepalive", "disconnect"]}
        self.keepalive: Optional[JSONObject] = EAGER if is_eager else None
        self.hosts: JSONObject = {}
        self.channels: dict[str, grpc.Channel] = {}
        self.calls: dict[str, Call] = {}

    # Commands

    def open(self, run: JSONObject) -> None:
        """Begins a run; the first call connects."""
        self.hosts = run["hosts"]
        self.keepalive = run["config"].get("keepalive") or self.keepalive

    def event(self, now: int, event: JSONObject) -> None:
        """Executes an action of the user."""
        if "call" in event:
            self.start(now, event["call"])
        elif "send" in event:
            sent = event["send"]
            self.calls[sent["call"]].messages.put(bytes(sent["bytes"]))
        elif "finish" in event:
            self.calls[event["finish"]].messages.put(None)
        elif "cancel" in event:
            rpc = self.calls[event["cancel"]].rpc
            if rpc is not None:
                rpc.cancel()
        elif "disconnect" in event:
            self.disconnect(event["disconnect"])
        else:
            raise ValueError(f"unknown action of the user: {event}")

    def close(self) -> None:
        """Closes the channels, which ends their remaining calls."""
        self.disconnect("*")

    # Channels

    def options(self) -> list[tuple[str, int]]:
        """Returns the channel options: the library's defaults except for the keepalive."""
        # A proxy from the environment is not reachable in the lab.
        options = [("grpc.enable_http_proxy", 0)]
        if self.keepalive is not None:
            options += [
                ("grpc.keepalive_time_ms", self.keepalive["time"] // 1_000),
                ("grpc.keepalive_timeout_ms", self.keepalive["timeout"] // 1_000),
                ("grpc.keepalive_permit_without_calls", int(self.keepalive["withoutCalls"])),
                ("grpc.http2.max_pings_without_data", 0),
            ]
        return options

    def channel(self, host: str) -> grpc.Channel:
        """Returns the permanent channel of a host."""
        if host not in self.channels:
            place = self.hosts[host]
            target = f"{place['address']}:{place['port']}"
            self.channels[host] = grpc.insecure_channel(target, options=self.options())
        return self.channels[host]

    def disconnect(self, host: str) -> None:
        """Closes the channel of a host, or all channels; later calls create new ones."""
        for name in [name for name in self.channels if host in ("*", name)]:
            self.channels.pop(name).close()

    # Calls

    def start(self, now: int, started: JSONObject) -> None:
        """Starts a call, whose end another thread reports."""
        call = Call(started)
        self.calls[call.id] = call
        if started["host"] not in self.hosts:
            # The scenario names a host without a server.
            self.tell_end(call, "UNAVAILABLE", "there is no such host")
            return
        takes, deadline = started["takes"], started["deadline"]
        settings = {
            "timeout": None if deadline is None else (deadline - now) / 1e6,
            "metadata": None if takes is None else (("handover-takes", str(takes)),),
        }
        channel = self.channel(started["host"])
        method = f"/handover.Calls/{METHODS[call.kind]}"
        if call.kind == "unary":
            call.rpc = channel.unary_unary(method).future(b"", **settings)
        elif call.kind == "client-streaming":
            call.rpc = channel.stream_unary(method).future(call.requests(), **settings)
        elif call.kind == "streaming":
            call.rpc = channel.unary_stream(method)(b"", **settings)
        else:
            call.rpc = channel.stream_stream(method)(call.requests(), **settings)
        if call.kind in ("streaming", "bidi"):
            threading.Thread(target=self.hear, args=[call], daemon=True).start()
        else:
            call.rpc.add_done_callback(lambda _: self.ended(call))

    def hear(self, call: Call) -> None:
        """Reads all messages before it reports the end, so that no message follows the end."""
        try:
            for _ in call.rpc:
                self.lines.tell(deliver=call.id)
        except grpc.RpcError:
            pass  # The error is the end of the call, which is reported below.
        self.ended(call)

    def ended(self, call: Call) -> None:
        """Reports the end of a call that was sent."""
        # A thread of the library waits for messages until there are no more.
        call.messages.put(None)
        self.tell_end(call, call.rpc.code().name, call.rpc.details() or "")

    def tell_end(self, call: Call, status: str, message: str) -> None:
        """Reports the end of a call, once per call."""
        self.lines.tell(ended={"call": call.id, "status": status, "message": message})


if __name__ == "__main__":
    LINES = Lines()
    serve(LINES, Client(LINES, is_eager="--keepalive" in sys.argv[1:]))
