"""The parts of the reference client that decide nothing by themselves: numbers, names and words."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Hashable, Optional, TypeVar

from handover_backend import JSONObject

#: The end of time: what would be due then never is.
NEVER = 2**63 - 1


@dataclass(frozen=True)
class Policy:
    """What tells one documented client from another."""

    #: Whether a change of category destroys all channels.
    monitors: bool
    #: Whether a broken connection destroys its channel (D9), or leaves it to fail (D2).
    broken_connection_destroys_channel: bool = False
    #: Whether calls end with a failed look-up of the name; once they did not (#13627, B11).
    name_failure_ends_calls: bool = True


POLICIES = {
    "sockets": Policy(monitors=False),
    "sockets-monitor": Policy(monitors=True),
    "cfstream": Policy(monitors=False),
    "sockets-2017": Policy(
        monitors=True, broken_connection_destroys_channel=True, name_failure_ends_calls=False),
}


@dataclass(frozen=True)
class End:
    """How a call ends."""

    status: str
    message: str = ""


CONNECTIVITY_LOST = End("UNAVAILABLE", "Connectivity lost.")
NOT_CREATED = End("UNAVAILABLE", "Failed to create call or channel.")
DISCONNECTED = End("UNAVAILABLE", "Channel disconnected.")
FAILED_FAST = End("UNAVAILABLE", "Channel is in TRANSIENT_FAILURE.")
CONNECT_TIMED_OUT = End("UNAVAILABLE", "connect() timed out")
KEEPALIVE_TIMEOUT = End("UNAVAILABLE", "keepalive timeout")
CANCELLED = End("CANCELLED", "Canceled by app")
DEADLINE_EXCEEDED = End("DEADLINE_EXCEEDED", "Deadline Exceeded")
CLIENT_CLOSED = End("CANCELLED", "Client closed.")

#: How the calls of a channel end that is destroyed for a reason.
ENDS = {
    "transition": CONNECTIVITY_LOST,
    "disconnected": DISCONNECTED,
    "unused": DISCONNECTED,
    "clientClosed": CLIENT_CLOSED,
}

RESOLVER_PREFIXES = ("dns:", "unix:", "ipv4:", "ipv6:")


def normalised(host: str) -> Optional[str]:
    """The host as the pool's key has it (P1, H5); None where no channel can be made for it."""
    if host.startswith(RESOLVER_PREFIXES):
        return host
    scheme, slashes, rest = host.partition("://")
    if slashes and all(letter.isalnum() or letter in "+-." for letter in scheme):
        host = rest
    for mark in "/?#":
        host = host.partition(mark)[0]
    # The colons of a literal address stand in brackets; a port comes after them.
    bracket = host.rfind("]") + 1
    tail, colon, port = host[bracket:].rpartition(":")
    name = host[:bracket] + (tail if colon else port)
    is_bracketed = name.startswith("[")
    if (not name or (is_bracketed and len(name) < 3) or (":" in name and not is_bracketed)
            or any(letter.isspace() for letter in host)):
        return None
    if not colon:
        return f"{name}:443"
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        return None
    return f"{name}:{int(port)}"


def channel_key(host: str, options: JSONObject) -> tuple[Optional[str], tuple[Any, ...]]:
    """What tells pooled channels apart: the host and the options (P1, P2)."""
    return normalised(host), tuple(sorted((name, str(value)) for name, value in options.items()))


def category(flags: Collection[str]) -> str:
    """The documents' table, in its order (M1)."""
    if "Reachable" not in flags or "ConnectionRequired" in flags:
        return "None"
    return "Cellular" if "IsWWAN" in flags else "WiFi"


class Monitor:
    """Watches the flags, and tells only when their category changes (M9)."""

    def __init__(self, initial: JSONObject) -> None:
        # Where the first read fails, the first callback is a change (M8); else nobody is told of
        # what was there at the beginning (M7).
        is_readable = initial.get("monitor") != "unreadable"
        self.category = category(initial["flags"]) if is_readable else "Unknown"

    def observe(self, flags: Collection[str]) -> Optional[tuple[str, str]]:
        """The change that observers must be notified of: the categories before and after."""
        before, self.category = self.category, category(flags)
        # None to WiFi is a change like any other (M11).
        return (before, self.category) if before != self.category else None


@dataclass(frozen=True)
class Timing:
    """The numbers of a channel's backoff and pings."""

    initial: int
    multiplier: Fraction
    maximum: int
    connect_timeout: int
    #: How long a connection may be silent before it is pinged; None where it never is.
    ping_after: Optional[int] = None
    ping_timeout: int = 0
    pings_without_calls: bool = False
    #: Whether a client that did not run when an answer was due waits for it once more.
    waits_again: bool = False

    @staticmethod
    def of_run(config: JSONObject) -> Timing:
        """The numbers of a run."""
        backoff, keepalive = config["backoff"], config.get("keepalive")
        timing = Timing(
            initial=backoff["initial"], multiplier=Fraction(str(backoff["multiplier"])),
            maximum=backoff["max"], connect_timeout=backoff["minConnectTimeout"])
        if keepalive is None:
            return timing
        return replace(
            timing, ping_after=keepalive["time"], ping_timeout=keepalive["timeout"],
            pings_without_calls=keepalive["withoutCalls"],
            waits_again=keepalive.get("overduePing") == "wait-again")

    def with_options(self, options: JSONObject) -> Timing:
        """The numbers of the channels of a key."""
        timing = self
        # Zero means "leave the default" (B5).
        for field, option in (("connect_timeout", "connectMinTimeout"),
                              ("initial", "connectInitialBackoff"),
                              ("maximum", "connectMaxBackoff")):
            if options.get(option):
                timing = replace(timing, **{field: options[option]})
        # An interval sends both, so that a time-out left out is sent as zero (B6).
        if options.get("keepaliveInterval"):
            timing = replace(
                timing, ping_after=options["keepaliveInterval"],
                ping_timeout=options.get("keepaliveTimeout", 0), pings_without_calls=False)
        return timing


class Backoff:
    """How long after the start of an attempt the next one may start (B1, B3)."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.delay = 0
        self.succeeded()

    def failed(self) -> None:
        """The next delay is longer."""
        multiplier = self.timing.multiplier
        longer = self.delay * multiplier.numerator // multiplier.denominator
        self.delay = min(longer, self.timing.maximum)

    def succeeded(self) -> None:
        """The delays start over (D6, B4)."""
        self.delay = min(self.timing.initial, self.timing.maximum)


Owner = TypeVar("Owner", bound=Hashable)


class Deadlines(Generic[Owner]):
    """At most one deadline for each owner, the earliest first."""

    def __init__(self) -> None:
        self._armed: dict[Owner, tuple[int, int]] = {}
        self._heap: list[tuple[int, int, Owner]] = []

    def __contains__(self, owner: Owner) -> bool:
        return owner in self._armed

    def arm(self, owner: Owner, due: int, order: int) -> None:
        """Sets the deadline of an owner, in place of the one it may have."""
        if due < NEVER:
            self._armed[owner] = (due, order)
            heapq.heappush(self._heap, (due, order, owner))

    def disarm(self, owner: Owner) -> None:
        """Takes the deadline of an owner away."""
        self._armed.pop(owner, None)

    def due(self, owner: Owner) -> Optional[int]:
        """When the deadline of an owner is due; None if it has none."""
        armed = self._armed.get(owner)
        return armed and armed[0]

    def first(self) -> Optional[tuple[int, int, Owner]]:
        """When the earliest is due, its place among those armed, and whose it is."""
        heap = self._heap
        # What was disarmed or replaced stays in the heap until it comes up.
        while heap and self._armed.get(heap[0][2]) != heap[0][:2]:
            heapq.heappop(heap)
        return heap[0] if heap else None
