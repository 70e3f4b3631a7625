"""The backend protocol of Handover in real time: one JSON object a line, in both directions.

Commands are read by one thread and answered in their order. What happens by itself is told by
whatever thread sees it, at once, without having been asked.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, Callable, Protocol

JSONObject = dict[str, Any]


class Program(Protocol):
    """A client or a server under Handover's command."""

    #: What it answers to `start`, beside the version and whose time it is.
    hello: JSONObject

    def open(self, run: JSONObject) -> None:
        """Begins the run."""

    def event(self, now: int, event: JSONObject) -> None:
        """Does what the user, or the server, does now."""

    def close(self) -> None:
        """Ends what is left."""


class Lines:
    """Standard output, shared by all threads."""

    def __init__(self) -> None:
        # Whatever else is printed goes to the log: standard output belongs to the protocol.
        self.output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self.lock = threading.Lock()

    def write(self, line: JSONObject) -> None:
        """Writes one line, whole and at once."""
        text = json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"
        with self.lock:
            self.output.write(text)
            self.output.flush()

    def tell(self, **what: Any) -> None:
        """Tells what has just happened."""
        self.write({"out": [what]})


def serve(lines: Lines, program: Program) -> None:
    """Carries out commands until `stop`, or until nobody is there any more."""
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
        except Exception as error:  # Whatever it is, the harness shall read it in the report.
            lines.write({"seq": command.get("seq"), "error": f"{name}: {error!r}"})
    # Threads of the library may still wait for calls that nobody will ever answer.
    lines.output.flush()
    os._exit(0)
