"""Parts of the oracles about networks that change while calls are running.

Each call has a host and therefore a connection of its own. Times are milliseconds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

from common import JSON, Agenda, Ambiguous, End, Times, expectations, milliseconds

KINDS = {"lte": "cellular", "home": "wifi", "cafe": "wifi", "wire": "ethernet"}


@dataclass
class Network:
    """The state of a network."""

    kind: str
    is_up: bool
    is_captive: bool = False
    has_uplink: bool = True
    loss: str = "none"
    #: Identifies the current linger.
    linger: Optional[object] = None

    @property
    def is_alive(self) -> bool:
        """Whether packets pass, apart from one-way loss."""
        return self.is_up and not self.is_captive and self.has_uplink

    def change(self, word: str, is_used: bool) -> Optional[JSON]:
        """Changes the portal or the uplink, and returns the entry's value, or None if the change is
        not possible now."""
        if not self.is_up:
            return None
        if word == "uplink":
            if self.has_uplink and not is_used:
                return None
            self.has_uplink = not self.has_uplink
            return {"uplink": "up" if self.has_uplink else "down"}
        if self.is_captive == (word == "captive"):
            return None
        self.is_captive = word == "captive"
        return {"become": word}


@dataclass
class StoryCall:
    """A call and its connection."""

    name: str
    start: int
    kind: str
    takes: Optional[int]
    connect: int
    deadline: Optional[int] = None
    network: Optional[str] = None
    is_lost: bool = False
    is_unacknowledged: bool = False
    request_waits: bool = False
    response_waits: bool = False
    #: Whether the device no longer has the address of the connection.
    has_old_address: bool = False

    @property
    def host(self) -> str:
        return f"{self.name}.example:443"


CallT = TypeVar("CallT", bound=StoryCall)
#: A timeline entry: its time, its value, its call or network, and its text if known.
Entry = tuple[int, str, object, JSON]


class Story(Generic[CallT]):
    """The device, its networks and the calls of one scenario."""

    def __init__(self, rng: random.Random, networks: dict[str, Network], default: Optional[str]):
        self.rng = rng
        self.networks = networks
        self.default = default
        self.agenda = Agenda()
        self.started: list[CallT] = []
        self.ends: dict[str, End] = {}
        self.is_suspended = False

    # Methods that each oracle implements

    def begin(self, now: int, call: CallT) -> None:
        raise NotImplementedError

    def write(self, now: int, call: CallT) -> None:
        raise NotImplementedError

    def resume(self, now: int) -> None:
        raise NotImplementedError

    def progress(self, now: int, call: CallT) -> None:
        """Delivers what the path lets through."""
        raise NotImplementedError

    def change(self, now: int, word: str, name: str) -> Optional[JSON]:
        """Changes a network, and returns the entry; None if the change is not possible now."""
        raise NotImplementedError

    # Methods shared by all oracles

    def is_over(self, call: CallT) -> bool:
        return call.is_lost or call.name in self.ends

    def open_calls(self, network: str) -> list[CallT]:
        return [call for call in self.started
                if call.network == network and not self.is_over(call)]

    def respond(self, now: int, call: CallT) -> None:
        call.response_waits = True
        self.progress(now, call)

    def progress_all(self, now: int) -> None:
        for call in self.started:
            self.progress(now, call)

    def play(self, entries: list[Entry], calls: dict[str, CallT]) -> list[JSON]:
        """Runs the scenario to its end, and returns the timeline of the possible entries."""
        timeline: list[JSON] = []
        for time, word, subject, entry in sorted(entries, key=lambda entry: entry[0]):
            self.agenda.run(until=time)
            if word == "call":
                self.begin(time, calls[str(subject)])
            elif word == "send":
                self.write(time, calls[str(subject)])
            elif word == "suspend":
                self.is_suspended = True
            elif word == "resume":
                self.resume(time)
            else:
                change = self.change(time, word, str(subject))
                if change is None:
                    continue
                entry = {"network": change}
            timeline.append({"at": milliseconds(time), **entry})
        self.agenda.run(until=100_000)
        return timeline


def draw_networks(rng: random.Random, names: list[str],
                  default: Optional[str]) -> tuple[dict[str, Network], JSON]:
    """The networks of a scenario, and their declarations."""
    networks, declared = {}, {}
    for name in names:
        state = "default" if name == default else rng.choice(["up", "down"])
        networks[name] = Network(KINDS[name], state != "down")
        declared[name] = {"kind": KINDS[name], "state": state}
    return networks, declared


def draw_call_entries(rng: random.Random, times: Times, call: StoryCall, maximum_sends: int,
                      latest: int) -> list[Entry]:
    """The start of a call, and what the user sends on it."""
    text: JSON = {"id": call.name, "host": call.host, "kind": call.kind}
    if call.takes is not None:
        text["takes"] = milliseconds(call.takes)
    if call.deadline:
        text["deadline"] = milliseconds(call.deadline)
    entries: list[Entry] = [(call.start, "call", call.name, {"call": text})]
    for _ in range(rng.randint(0, maximum_sends) if call.kind == "bidi" else 0):
        time = times.draw(call.start + times.distance + 1, latest)
        entries.append((time, "send", call.name, {"send": {"call": call.name, "bytes": 100}}))
    return entries


def draw_suspension(times: Times, earliest: int, shortest: int,
                    entries: list[Entry]) -> list[Entry]:
    """A period in the background that contains no other entry."""
    begin = times.draw(earliest, 12_000)
    end = times.draw(begin + shortest, 22_000)
    if any(begin < entry[0] < end for entry in entries):
        raise Ambiguous
    return [(begin, "suspend", None, {"app": "background"}),
            (end, "resume", None, {"app": "foreground"})]


def document(name: str, profile: str, declared: JSON, calls: Sequence[StoryCall], config: JSON,
             timeline: list[JSON], ends: dict[str, End]) -> JSON:
    """The scenario file of a story."""
    return {
        "format": 1, "id": name, "profiles": [profile], "initial": {}, "networks": declared,
        "hosts": {call.host: {"connect": milliseconds(call.connect)} for call in calls},
        "config": config, "timeline": timeline,
        "expect": expectations([call.name for call in calls], ends),
    }
