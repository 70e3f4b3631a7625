"""When requests and responses arrive over a slow or narrow network without loss (page Quality)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Optional

from common import JSON, Agenda, microseconds

#: Bytes of headers in a packet, and of framing that a rate also counts.
HEADERS, FRAMING = 40, 14
#: The bytes of each item that is sent.
REQUEST, RESPONSE, END_OF_REQUESTS, MESSAGE_OVERHEAD = 100, 100, 9, 14
MAXIMUM_PACKET = 1_500


@dataclass
class Direction:
    """One direction of the network; times are microseconds."""

    delay: int
    kilobits: Optional[int]
    busy_until: int = 0
    #: The arrival of the last data of each connection, because data arrives in order.
    arrivals: dict[str, int] = field(default_factory=dict)

    def send(self, now: int, size: int, connection: str) -> int:
        """Sends some bytes, and returns the time of their arrival."""
        packets = max(1, -(-size // (MAXIMUM_PACKET - HEADERS)))
        sent = now
        if self.kilobits:
            bits = (size + packets * (HEADERS + FRAMING)) * 8
            sent = max(self.busy_until, now) + bits * 1_000 // self.kilobits
            self.busy_until = sent
        arrival = max(sent + self.delay, self.arrivals.get(connection, 0))
        self.arrivals[connection] = arrival
        return arrival

    def json(self) -> JSON:
        """The value of the key `quality`."""
        quality: JSON = {}
        if self.delay:
            quality["delay"] = microseconds(self.delay)
        if self.kilobits:
            quality["rate"] = f"{self.kilobits}kbit"
        return quality


@dataclass
class Call:
    """One call with a connection of its own host; times are microseconds."""

    name: str
    host: str
    connect: int
    takes: int
    start: int
    is_unary: bool
    messages: list[tuple[int, int]] = field(default_factory=list)
    finish: Optional[int] = None
    is_open: bool = False
    is_finished: bool = False
    queued: list[int] = field(default_factory=list)


def scenario(rng: random.Random, name: str) -> JSON:
    """A random scenario with its expectations."""
    def direction() -> Direction:
        return Direction(rng.choice([0, 0, 1_000, 40_000, 333_000]),
                         rng.choice([None, None, 8, 64, 1_000]))

    timeline: list[tuple[int, JSON]] = []
    if rng.random() < 0.5:
        up = direction()
        down = Direction(up.delay, up.kilobits)
        timeline.append((0, {"network": {"id": "n", "quality": up.json()}}))
    else:
        up, down = direction(), direction()
        for key, lane in (("up", up), ("down", down)):
            quality = {**lane.json(), "direction": key}
            timeline.append((0, {"network": {"id": "n", "quality": quality}}))

    calls = []
    for number in range(rng.randint(1, 3)):
        call = Call(f"c{number}", f"h{number}.example:443", rng.choice([0, 50_000, 123_000]),
                    rng.choice([0, 10_000, 700_000]), rng.choice([0, 0, 7_000, 300_000]),
                    rng.random() < 0.5)
        calls.append(call)
        kind = "unary" if call.is_unary else "client-streaming"
        timeline.append((call.start, {"call": {
            "id": call.name, "host": call.host, "kind": kind, "takes": microseconds(call.takes)}}))
        if call.is_unary:
            continue
        time = call.start
        for _ in range(rng.randint(0, 3)):
            time += rng.choice([1_000, 50_000, 2_000_000])
            size = rng.choice([1, 100, 1_446, 1_447, 5_000])
            call.messages.append((time, size))
            timeline.append((time, {"send": {"call": call.name, "bytes": size}}))
        call.finish = time + rng.choice([0, 1_000, 1_500_000])
        timeline.append((call.finish, {"finish": call.name}))

    agenda = Agenda()
    ends: dict[str, int] = {}

    def start(now: int, call: Call) -> None:
        agenda.add(up.send(now, 0, call.name) + call.connect, 1, accept, call)

    def accept(now: int, call: Call) -> None:
        agenda.add(down.send(now, 0, call.name), 1, opened, call)

    def opened(now: int, call: Call) -> None:
        call.is_open = True
        up.send(now, REQUEST, call.name)
        if call.queued:
            up.send(now, sum(size + MESSAGE_OVERHEAD for size in call.queued), call.name)
        if call.is_unary or call.is_finished:
            send_end(now, call)

    def send_end(now: int, call: Call) -> None:
        agenda.add(up.send(now, END_OF_REQUESTS, call.name) + call.takes, 1, respond, call)

    def respond(now: int, call: Call) -> None:
        ends[call.name] = down.send(now, RESPONSE, call.name)

    def message(now: int, call: Call, size: int) -> None:
        if call.is_open:
            up.send(now, size + MESSAGE_OVERHEAD, call.name)
        else:
            call.queued.append(size)

    def finish(now: int, call: Call) -> None:
        call.is_finished = True
        if call.is_open:
            send_end(now, call)

    for call in calls:
        agenda.add(call.start, 0, start, call)
        for time, size in call.messages:
            agenda.add(time, 0, message, call, size)
        if call.finish is not None:
            agenda.add(call.finish, 0, finish, call)
    agenda.run()
    timeline.sort(key=lambda entry: entry[0])
    return {
        "format": 1, "id": name, "profiles": [rng.choice(["sockets", "cfstream", "linux-sockets"])],
        "initial": {}, "networks": {"n": {"kind": "wifi", "state": "default"}},
        "hosts": {call.host: {"connect": microseconds(call.connect)} for call in calls},
        "config": {"until": "1h"},
        "timeline": [{"at": microseconds(time), **entry} for time, entry in timeline],
        "expect": [{"call": call.name, "status": "OK", "at": microseconds(ends[call.name])}
                   for call in calls],
    }
