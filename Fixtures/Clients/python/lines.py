"""The backend protocol of Handover in real time: one JSON object per line in each direction.

One thread reads the commands and answers them in order. Each thread reports events immediately when
it observes them, without a command.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, Callable, Protocol

JSONObject = dict[str, Any]


class Program(Protocol):
    """A client or a server that Handover controls."""

    #: The additional members of the answer to `start`, besides the version and the kind of time.
    hello: JSONObject

    def open(self, run: JSONObject) -> None:
        """Begins the run."""

    def event(self, now: int, event: JSONObject) -> None:
        """Executes an action of the user or the server."""

    def close(self) -> None:
        """Ends everything that remains."""


class Lines:
    """Standard output, which all threads share."""

    def __init__(self) -> None:
        # Standard output is reserved for the protocol, so other output goes to standard error.
        self.output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self.lock = threading.Lock()

    def write(self, line: JSONObject) -> None:
        """Writes one complete line and flushes it."""
        text = json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"
        with self.lock:
            self.output.write(text)
            self.output.flush()

    def tell(self, **what: Any) -> None:
        """Reports an event."""
        self.write({"out": [what]})


def serve(lines: Lines, program: Program) -> None:
    """Executes commands until `stop` or the end of the input."""
    commands: dict[str, Callable[[JSONObject], None]] = {
        "open": program.open,
        "event": lambda command: program.event(command["now"], command["event"]),
        "close": lambda command: program.close(),
    }
    for line in sys.stdin.buffer:
        command = json.loads(line)
        name = command["cmd"]
        if name == "stop":
            break
        if name == "start":
            lines.write({"version": 1, "time": "real", **program.hello})
            continue
        try:
            commands[name](command)
            lines.write({"seq": command["seq"], "out": []})
        except Exception as error:  # The harness must get any error in its report.
            lines.write({"seq": command.get("seq"), "error": f"{name}: {error!r}"})
    # Threads of the library may still wait for calls that will never be answered.
    lines.output.flush()
    os._exit(0)
