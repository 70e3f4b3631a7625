#!/usr/bin/env python3
"""The server of all gRPC clients under test, implemented with grpcio.

It answers after the time in the header `handover-takes`, in microseconds, or never without the
header. During a stream it sends a message every 200 ms. Clients may send pings at any rate.
"""

from __future__ import annotations

import threading
import time
from concurrent import futures
from typing import Any, Iterator, Optional

import grpc

from lines import JSONObject, Lines, serve

#: The interval between two messages of a stream, in seconds.
SILENCE = 0.2
#: Without these options, a server answers a keepalive ping every second with GOAWAY,
#: `too_many_pings`.
OPTIONS = [("grpc.http2.min_recv_ping_interval_without_data_ms", 100),
           ("grpc.http2.max_ping_strikes", 0),
           ("grpc.keepalive_permit_without_calls", 1)]
#: The maximum number of concurrent calls, each of which uses a thread.
CALLS = 64
#: The time for which calls continue after a GOAWAY, in seconds: longer than any run.
GRACE = 3_600.0


class Answer:
    """The time of the answer to one call."""

    def __init__(self, context: grpc.ServicerContext) -> None:
        takes = dict(context.invocation_metadata()).get("handover-takes")
        self.takes: Optional[float] = None if takes is None else int(takes) / 1e6
        self.is_over = threading.Event()
        if not context.add_callback(self.is_over.set):
            self.is_over.set()

    def wait(self) -> None:
        """Waits until the answer is due or the call has ended."""
        self.is_over.wait(self.takes)

    def messages(self, is_asked: threading.Event) -> Iterator[bytes]:
        """Yields messages until the answer is complete, counted from the complete request."""
        end: Optional[float] = None
        while True:
            if end is None and self.takes is not None and is_asked.is_set():
                end = time.monotonic() + self.takes
            rest = SILENCE if end is None else min(SILENCE, end - time.monotonic())
            if rest <= 0 or self.is_over.wait(rest):
                return
            yield b"message"


def read_all(requests: Iterator[bytes], is_asked: threading.Event) -> None:
    """Reads everything that the client sends."""
    try:
        for _ in requests:
            pass
        is_asked.set()
    except Exception:  # The library defines no specific exception: the client has disconnected.
        pass


def unary(_: bytes, context: grpc.ServicerContext) -> bytes:
    """Returns one answer to one request."""
    Answer(context).wait()
    return b"answer"


def server_stream(_: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
    """Yields messages in answer to one request."""
    is_asked = threading.Event()
    is_asked.set()
    return Answer(context).messages(is_asked)


def client_stream(requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
    """Returns one answer to all messages."""
    answer = Answer(context)
    read_all(requests, threading.Event())
    answer.wait()
    return b"answer"


def bidi(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
    """Reads messages and yields messages."""
    is_asked = threading.Event()
    threading.Thread(target=read_all, args=[requests, is_asked], daemon=True).start()
    return Answer(context).messages(is_asked)


HANDLERS = {
    "Unary": grpc.unary_unary_rpc_method_handler(unary),
    "ServerStream": grpc.unary_stream_rpc_method_handler(server_stream),
    "ClientStream": grpc.stream_unary_rpc_method_handler(client_stream),
    "Bidi": grpc.stream_stream_rpc_method_handler(bidi),
}


class Servers:
    """The servers of a run, one for each host."""

    hello: JSONObject = {"name": "grpcio-server", "role": "server", "capabilities": ["goaway"]}

    def __init__(self) -> None:
        self.places: dict[str, str] = {}
        self.servers: dict[str, Any] = {}

    def open(self, run: JSONObject) -> None:
        """Starts the servers of all hosts."""
        for host, place in run["hosts"].items():
            self.places[host] = f"{place['address']}:{place['port']}"
            self.listen(host)

    def listen(self, host: str) -> None:
        """Starts the server of one host."""
        server = grpc.server(futures.ThreadPoolExecutor(CALLS), options=OPTIONS)
        generic = grpc.method_handlers_generic_handler("handover.Calls", HANDLERS)
        server.add_generic_rpc_handlers((generic,))
        server.add_insecure_port(self.places[host])
        server.start()
        self.servers[host] = server

    def event(self, _: int, event: JSONObject) -> None:
        """Sends GOAWAY on all open connections of a host; running calls continue."""
        fault = event["server"]
        if fault["do"] != "goaway":
            raise ValueError(f"this server cannot {fault['do']}")
        self.servers[fault["host"]].stop(GRACE)
        self.listen(fault["host"])

    def close(self) -> None:
        """Stops all servers."""
        for server in self.servers.values():
            server.stop(None)


if __name__ == "__main__":
    serve(Lines(), Servers())
