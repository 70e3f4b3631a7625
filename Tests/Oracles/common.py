"""Parts that all oracles share: an event queue, random draws, and the notation of scenarios.

An oracle writes random scenarios and computes how each call must end. It is written from the pages
of the documentation and from RFCs, and shares no code with Handover.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from typing import Any, Optional

JSON = dict[str, Any]


class Ambiguous(Exception):
    """The specification does not decide this scenario, so it is not used."""


def microseconds(time: int) -> str:
    """A time of a scenario."""
    return f"{time}us"


def milliseconds(time: int) -> str:
    """A time of a scenario."""
    return f"{time}ms"


class Agenda:
    """Actions in the order of their times; actions at one time run by phase, then in order."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Callable[..., None], tuple[Any, ...]]] = []
        self._count = 0

    def add(self, time: int, phase: int, action: Callable[..., None], *arguments: Any) -> None:
        """Schedules `action(time, *arguments)`."""
        self._count += 1
        heapq.heappush(self._heap, (time, phase, self._count, action, arguments))

    def run(self, until: Optional[int] = None) -> None:
        """Runs all actions before a time, or all actions."""
        while self._heap and (until is None or self._heap[0][0] < until):
            time, _, _, action, arguments = heapq.heappop(self._heap)
            action(time, *arguments)


class Times:
    """Random times with a minimum distance, so that no two events are simultaneous."""

    def __init__(self, random_source: random.Random, distance: int) -> None:
        self._random = random_source
        self.distance = distance
        self._used: set[int] = set()

    def is_free(self, time: int) -> bool:
        """Whether a time is far enough from all others."""
        return all(abs(time - other) > self.distance for other in self._used)

    def reserve(self, time: int) -> None:
        """Marks a time as used."""
        self._used.add(time)

    def draw(self, low: int, high: int) -> int:
        """A free time between two bounds."""
        for _ in range(100):
            time = self._random.randint(low, high)
            if self.is_free(time):
                self.reserve(time)
                return time
        raise Ambiguous


#: How a call ends: a status, a message or None, and a time in milliseconds.
End = tuple[str, Optional[str], int]


def expectations(calls: list[str], ends: dict[str, End]) -> list[JSON]:
    """Returns the expectations that state how each call ends, or that it never ends."""
    expected: list[JSON] = []
    for call in calls:
        if call not in ends:
            expected.append({"never": {"call": call}})
            continue
        status, message, time = ends[call]
        expectation: JSON = {"call": call, "status": status, "at": milliseconds(time)}
        if message is not None:
            expectation["message"] = message
        expected.append(expectation)
    return expected
