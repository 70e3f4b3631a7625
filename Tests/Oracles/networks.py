"""How calls over TCP end when networks change (pages Networks and the profile pages).

Each call has a host and therefore a connection of its own. Covered: networks that come up, go down,
linger, become the default, have a captive portal or lose their uplink; one-way loss; NAT; roaming;
the background. Profiles: TCP sockets on iOS and Linux, and CFStream, each with and without a monitor.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Optional

from common import JSON, Ambiguous, Times, milliseconds
from stories import (Entry, Network, Story, StoryCall, document, draw_call_entries,
                     draw_networks, draw_suspension)

CATEGORIES = {"wifi": "WiFi", "ethernet": "WiFi", "cellular": "Cellular"}
ABORTED = "Software caused connection abort"
RESET = "Connection reset by peer"


@dataclass
class Call(StoryCall):
    """A call and its connection over TCP."""

    is_silent: bool = False
    #: The treatment of packets of a flow that the router does not know: "drop" or "reset".
    unknown: Optional[str] = None
    #: Identifies the running TCP timeout.
    timeout: int = 0
    #: The events that a suspended application receives on return.
    pending: list[tuple[str, Optional[str]]] = field(default_factory=list)
    is_overdue: bool = False


class Run(Story[Call]):
    """The device and its calls over TCP."""

    def __init__(self, rng: random.Random, profile: str, networks: dict[str, Network],
                 default: Optional[str], tcp_timeout: int, times: Times):
        super().__init__(rng, networks, default)
        self.transport = profile.replace("-monitor", "")
        self.has_monitor = profile.endswith("-monitor")
        self.tcp_timeout = tcp_timeout
        self.times = times
        self.has_callback = False
        self.held_category = self.category
        self.last_category = self.category

    # The device

    @property
    def category(self) -> str:
        return CATEGORIES[self.networks[self.default].kind] if self.default else "None"

    def default_changed(self, now: int, left: Optional[str]) -> None:
        # At one instant the callback comes before the reports of the transport.
        if self.has_monitor and self.category != self.last_category:
            self.callback(now)
        self.last_category = self.category
        if self.transport == "cfstream" and self.default not in (None, left):
            for call in self.started:
                if call.network not in (None, self.default) and not call.is_silent:
                    self.break_connection(now, call)

    def callback(self, now: int) -> None:
        if self.is_suspended:
            self.has_callback = True
        elif self.category != self.held_category:
            self.held_category = self.category
            for call in self.started:
                if call.name not in self.ends:
                    call.is_lost = True
                    self.ends[call.name] = ("UNAVAILABLE", "Connectivity lost.", now)

    def go_down(self, now: int, name: str, then: Optional[str] = None) -> None:
        self.networks[name].is_up = False
        self.networks[name].linger = None
        if self.default == name:
            self.default = None
            self.default_changed(now, name)
        for call in self.open_calls(name):
            if then == "silent":
                call.is_silent = True
            elif then == "reset":
                self.break_connection(now, call, RESET)
            elif self.transport == "cfstream" or self.transport == "sockets" and not self.is_suspended:
                self.break_connection(now, call)

    def resume(self, now: int) -> None:
        self.is_suspended = False
        if self.has_callback:
            self.has_callback = False
            self.callback(now)
        for call in self.started:
            if call.name in self.ends:
                continue
            if call.pending:
                self.ends[call.name] = (*call.pending[0], now)
            elif call.is_overdue:
                self.ends[call.name] = ("DEADLINE_EXCEEDED", "Deadline Exceeded", now)

    # Calls

    def end(self, now: int, call: Call, status: str, message: Optional[str]) -> None:
        if call.name in self.ends:
            return
        if self.is_suspended:
            call.pending.append((status, message))
        else:
            self.ends[call.name] = (status, message, now)

    def break_connection(self, now: int, call: Call, message: str = ABORTED) -> None:
        if not self.is_over(call) and call.network:
            call.is_lost = True
            self.end(now, call, "UNAVAILABLE", message)

    def begin(self, now: int, call: Call) -> None:
        self.started.append(call)
        call.network = self.default
        if self.default is None:
            self.ends[call.name] = ("UNAVAILABLE", "Network is unreachable", now)
            return
        network = self.networks[self.default]
        if not network.is_alive or network.loss != "none":
            raise Ambiguous
        self.agenda.add(now + call.connect, 2, self.opened, call)
        if call.deadline:
            self.agenda.add(now + call.deadline, 3, self.deadline, call)

    def opened(self, now: int, call: Call) -> None:
        if self.is_over(call):
            return
        if self.is_suspended:
            raise Ambiguous
        self.write(now, call, is_request=True)

    def write(self, now: int, call: Call, is_request: bool = False) -> None:
        if self.is_over(call):
            return
        call.request_waits = call.request_waits or is_request
        if call.is_unacknowledged:
            self.progress(now, call)
            return
        call.is_unacknowledged = True
        call.timeout += 1
        timeout = call.timeout
        self.progress(now, call)
        if call.is_unacknowledged and not call.is_lost:
            self.agenda.add(now + self.tcp_timeout, 2, self.gives_up, call, timeout)

    def gives_up(self, now: int, call: Call, timeout: int) -> None:
        if call.timeout == timeout and call.is_unacknowledged:
            self.break_connection(now, call, "Connection timed out")

    def deadline(self, now: int, call: Call) -> None:
        if self.is_suspended:
            call.is_overdue = True
        elif call.name not in self.ends:
            self.ends[call.name] = ("DEADLINE_EXCEEDED", "Deadline Exceeded", now)

    def progress(self, now: int, call: Call) -> None:
        if call.network is None or self.is_over(call):
            return
        network = self.networks[call.network]
        reaches = network.is_alive and not call.has_old_address
        sends = reaches and network.loss != "requests"
        receives = reaches and network.loss != "answers"
        if call.is_unacknowledged and sends:
            if call.unknown == "reset":
                if not receives:
                    raise Ambiguous
                self.break_connection(now, call, RESET)
                return
            if call.unknown is None:
                if call.request_waits:
                    call.request_waits = False
                    if call.takes is not None:
                        self.agenda.add(now + call.takes, 2, self.respond, call)
                if receives:
                    call.is_unacknowledged = False
        if call.response_waits and receives and call.unknown is None:
            call.response_waits = False
            call.is_lost = True
            self.end(now, call, "OK", None)

    # Entries about networks

    def change(self, now: int, word: str, name: str) -> Optional[JSON]:
        network, entry = self.networks[name], {"id": name}
        met = self.open_calls(name)
        if word == "up":
            if network.is_captive or network.is_up and network.linger is None:
                return None
            network.is_up, network.linger = True, None
            entry["become"] = "up"
        elif word == "default":
            if network.is_captive or not network.is_up:
                return None
            if self.default == name and network.linger is None:
                return None
            left, self.default, network.linger = self.default, name, None
            entry["become"] = "default"
            self.default_changed(now, left)
        elif word == "down":
            if not network.is_up:
                return None
            then = self.rng.choice([None, None, None, "silent", "reset"])
            passes = network.is_alive and network.loss == "none"
            if then == "reset" and (not passes or any(call.unknown for call in met)):
                return None
            entry["become"] = "down"
            if then:
                entry["then"] = then
            self.go_down(now, name, then)
        elif word == "losing":
            linger = self.rng.choice([501, 2003, 7001])
            if not network.is_up or self.default in (None, name):
                return None
            if not self.times.is_free(now + linger):
                return None
            self.times.reserve(now + linger)
            network.linger = token = object()
            entry.update(become="losing", linger=milliseconds(linger))
            self.agenda.add(now + linger, 1, self.linger_ends, name, token)
        elif word in ("captive", "validated", "uplink"):
            state = network.change(word, is_used=bool(met))
            if state is None:
                return None
            entry.update(state)
        elif not network.is_up:
            return None
        elif word == "loss":
            loss = self.rng.choice(["requests", "answers", "none"])
            if loss != "none" and not met:
                return None
            network.loss = entry["loss"] = loss
        elif word == "nat":
            if not met:
                return None
            kind = self.rng.choice(["forget", "rebind-port", "rebind-addr"])
            unknown = self.rng.choice([None, "drop", "reset"])
            entry["nat"] = kind
            if unknown:
                entry["unknown"] = unknown
            effect = unknown or ("drop" if kind == "forget" else "reset")
            if any(call.unknown not in (None, effect) for call in met):
                # The page does not define a second router's treatment of unknown flows.
                raise Ambiguous
            for call in met:
                call.unknown = effect
        else:
            kind = self.rng.choice(["same-address", "new-router", "new-address"])
            entry["roam"] = kind
            for call in met:
                if kind == "new-router":
                    if call.unknown == "reset":
                        raise Ambiguous
                    call.unknown = "drop"
                elif kind == "new-address":
                    if self.transport == "linux-sockets" or self.transport == "sockets" \
                            and self.is_suspended:
                        call.has_old_address = True
                    else:
                        self.break_connection(now, call)
        self.progress_all(now)
        return entry

    def linger_ends(self, now: int, name: str, token: object) -> None:
        if self.networks[name].linger is token:
            self.go_down(now, name)


CHANGES = ["up", "default", "down", "losing", "captive", "validated", "uplink", "uplink", "loss",
           "nat", "nat", "roam"]

def scenario(rng: random.Random, name: str) -> JSON:
    """A random scenario with its expectations."""
    profile = rng.choice(["sockets", "cfstream", "linux-sockets"]) + rng.choice(["", "-monitor"])
    names = ["lte", "home", "cafe"] if rng.random() < 0.7 else ["home", "lte", "wire"]
    names = names[:rng.randint(1, 3)]
    default = rng.choice([*names, None])
    networks, declared = draw_networks(rng, names, default)
    tcp_timeout = rng.choice([4_000, 9_000, 30_000])
    times = Times(rng, distance=60)

    calls: dict[str, Call] = {}
    entries: list[Entry] = []
    for number in range(rng.randint(1, 4)):
        kind = rng.choice(["unary", "bidi", "streaming"])
        call = Call(
            f"c{number}", times.draw(0, 6_000), kind,
            takes=rng.choice([10, 700, 3_001, 8_003, 20_007]) if kind == "unary" else None,
            deadline=rng.choice([None, None, 3_501, 10_003]), connect=rng.choice([0, 20, 50]))
        calls[call.name] = call
        entries += draw_call_entries(rng, times, call, maximum_sends=3, latest=20_000)
    if rng.random() < 0.35:
        entries += draw_suspension(times, 1_000, 100, entries)
    for _ in range(rng.randint(0, 6)):
        entries.append((times.draw(300, 18_000), rng.choice(CHANGES), rng.choice(names), {}))

    run = Run(rng, profile, networks, default, tcp_timeout, times)
    timeline = run.play(entries, calls)
    config: JSON = {"tcpTimeout": milliseconds(tcp_timeout), "until": "100s", "idle": "1h",
                    "backoff": {"jitter": 0}}
    return document(name, profile, declared, list(calls.values()), config, timeline, run.ends)
