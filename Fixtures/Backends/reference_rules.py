"""The basic parts of the reference client: constants, names, timing and deadlines."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Hashable, Optional, TypeVar

from handover_backend import JSONObject

#: The end of time; a deadline at this time is never due.
NEVER = 2**63 - 1


@dataclass(frozen=True)
class Policy:
    """The properties that distinguish the specified clients."""

    #: Whether a category change destroys all channels.
    monitors: bool
    #: Whether a broken connection destroys its channel (D9), or only makes it fail (D2).
    broken_connection_destroys_channel: bool = False
    #: Whether a failed name lookup ends calls; in an older version it did not (#13627, B11).
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
    """The end of a call."""

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

#: The end of a channel's calls, by the reason for destroying the channel.
ENDS = {
    "transition": CONNECTIVITY_LOST,
    "disconnected": DISCONNECTED,
    "unused": DISCONNECTED,
    "clientClosed": CLIENT_CLOSED,
}

RESOLVER_PREFIXES = ("dns:", "unix:", "ipv4:", "ipv6:")


def normalised(host: str) -> Optional[str]:
    """Returns the host in normal form (P1, H5), or None if no channel can be created for it."""
    if host.startswith(RESOLVER_PREFIXES):
        return host
    scheme, slashes, rest = host.partition("://")
    if slashes and all(letter.isalnum() or letter in "+-." for letter in scheme):
        host = rest
    for mark in "/?#":
        host = host.partition(mark)[0]
    # The colons of an IP literal are in brackets; a port follows them.
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
    """Returns the key of a pooled channel: its host and options (P1, P2)."""
    return normalised(host), tuple(sorted((name, str(value)) for name, value in options.items()))


def category(flags: Collection[str]) -> str:
    """Returns the category of flags according to the specified table (M1)."""
    if "Reachable" not in flags or "ConnectionRequired" in flags:
        return "None"
    return "Cellular" if "IsWWAN" in flags else "WiFi"


class Monitor:
    """Monitors the flags, and notifies only if their category changes (M9)."""

    def __init__(self, initial: JSONObject) -> None:
        # If the first read fails, the first callback is a change (M8). Otherwise the initial state
        # causes no notification (M7).
        is_readable = initial.get("monitor") != "unreadable"
        self.category = category(initial["flags"]) if is_readable else "Unknown"

    def observe(self, flags: Collection[str]) -> Optional[tuple[str, str]]:
        """Returns the categories before and after a change, or None if there is no change."""
        before, self.category = self.category, category(flags)
        # None to WiFi is a change like any other (M11).
        return (before, self.category) if before != self.category else None


@dataclass(frozen=True)
class Timing:
    """The settings of a channel's backoff and pings."""

    initial: int
    multiplier: Fraction
    maximum: int
    connect_timeout: int
    #: The silence after which a connection is pinged, or None for no pings.
    ping_after: Optional[int] = None
    ping_timeout: int = 0
    pings_without_calls: bool = False
    #: Whether a client that was suspended at the ping timeout waits again for the answer.
    waits_again: bool = False

    @staticmethod
    def of_run(config: JSONObject) -> Timing:
        """Returns the settings of a run."""
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
        """Returns the settings of the channels with certain options."""
        timing = self
        # Zero means "use the default" (B5).
        for field, option in (("connect_timeout", "connectMinTimeout"),
                              ("initial", "connectInitialBackoff"),
                              ("maximum", "connectMaxBackoff")):
            if options.get(option):
                timing = replace(timing, **{field: options[option]})
        # An interval sets both values, so that a missing timeout is set to zero (B6).
        if options.get("keepaliveInterval"):
            timing = replace(
                timing, ping_after=options["keepaliveInterval"],
                ping_timeout=options.get("keepaliveTimeout", 0), pings_without_calls=False)
        return timing


class Backoff:
    """The delay between the starts of two attempts (B1, B3)."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.delay = 0
        self.succeeded()

    def failed(self) -> None:
        """Increases the next delay."""
        multiplier = self.timing.multiplier
        longer = self.delay * multiplier.numerator // multiplier.denominator
        self.delay = min(longer, self.timing.maximum)

    def succeeded(self) -> None:
        """Resets the delay (D6, B4)."""
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
        """Sets the deadline of an owner, and replaces a previous one."""
        if due < NEVER:
            self._armed[owner] = (due, order)
            heapq.heappush(self._heap, (due, order, owner))

    def disarm(self, owner: Owner) -> None:
        """Removes the deadline of an owner."""
        self._armed.pop(owner, None)

    def due(self, owner: Owner) -> Optional[int]:
        """Returns the deadline of an owner, or None if it has none."""
        armed = self._armed.get(owner)
        return armed and armed[0]

    def first(self) -> Optional[tuple[int, int, Owner]]:
        """Returns the time, the order number and the owner of the earliest deadline."""
        heap = self._heap
        # Removed and replaced deadlines stay in the heap until they reach the top.
        while heap and self._armed.get(heap[0][2]) != heap[0][:2]:
            heapq.heappop(heap)
        return heap[0] if heap else None
