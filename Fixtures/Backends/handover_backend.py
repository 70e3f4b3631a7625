"""The backend protocol of Handover, version 1, for programs under test.

Copy this file next to your adapter. Write a subclass of `Backend`, and pass an instance to `serve`:

    class MyClient(Backend):
        name = "my-client"
        ...

    serve(MyClient())

The loop reads one command per line from standard input, and writes one answer per line to standard
output. It does not interpret channels and calls; your backend does.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any, BinaryIO, Optional, Sequence

VERSION = 1

JSONObject = dict[str, Any]


class Refused(Exception):
    """A command that the backend cannot execute; the case gets the verdict ERROR."""


class Skipped(Exception):
    """A run that the backend does not support; the case gets the verdict UNSUPPORTED."""


class Backend:
    """A client or a transport under test.

    Append the actions of the backend to `out` in order; the loop empties it for each answer.
    """

    name = "backend"
    #: The role of the backend: "client" or "transport".
    role = "client"
    capabilities: Sequence[str] = ()
    #: The supported profiles, or None for every profile that has calls.
    profiles: Optional[Sequence[str]] = None

    def __init__(self) -> None:
        self.out: list[JSONObject] = []

    def open(self, run: JSONObject) -> None:
        """Begins a run, and discards the state of the previous run."""
        raise NotImplementedError

    def event(self, now: int, event: JSONObject) -> None:
        """Handles an event."""
        raise NotImplementedError

    def advance(self, now: int) -> None:
        """Executes everything that is due."""
        raise NotImplementedError

    def close(self, now: int) -> None:
        """Closes the client or transport."""
        raise NotImplementedError

    def deadlines(self) -> JSONObject:
        """Returns the time of the next deadline; see `deadline` in the protocol."""
        return {"deadline": None}

    def digest(self, now: int) -> str:
        """Returns a string that is equal for states with equal behavior (capability `digest`)."""
        raise Refused("there are no digests")


class Loop:
    """Reads commands and writes answers until the command `stop`."""

    def __init__(self, backend: Backend, commands: BinaryIO, answers: BinaryIO) -> None:
        self.backend = backend
        self.commands = commands
        self.answers = answers
        # Created once, because json.dumps would create an encoder for each line. Non-ASCII
        # characters are escaped, so that no reader interprets U+2028 as the end of a line.
        self.encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def run(self) -> None:
        """Serves until the command `stop` or the end of the input."""
        while True:
            line = self.commands.readline()
            if not line:
                return
            command = json.loads(line)
            if command.get("cmd") == "stop":
                return
            self.write(self.answer(command))

    def write(self, answer: JSONObject) -> None:
        """Writes and flushes one answer."""
        self.answers.write(self.encode(answer).encode("ascii") + b"\n")
        self.answers.flush()

    def hello(self) -> JSONObject:
        """Returns the handshake, which describes the backend and its capabilities."""
        hello = {"version": VERSION, "name": self.backend.name, "role": self.backend.role,
                 "time": "virtual", "capabilities": list(self.backend.capabilities)}
        if self.backend.profiles is not None:
            hello["profiles"] = list(self.backend.profiles)
        return hello

    def answer(self, command: JSONObject) -> JSONObject:
        """Executes one command."""
        name = command.get("cmd")
        if name == "start":
            if command.get("version") != VERSION:
                return {"error": f"this backend speaks version {VERSION} of the protocol"}
            return self.hello()
        if name == "batch":
            return {"answers": [self.step("event", step) for step in command["events"]]}
        return self.step(name, command)

    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        """Executes one command or one event of a batch."""
        backend = self.backend
        backend.out = []
        answer: JSONObject = {}
        if "seq" in command:
            answer["seq"] = command["seq"]
        try:
            if name == "event":
                backend.event(command["now"], command["event"])
            elif name == "advance":
                backend.advance(command["now"])
            elif name == "open":
                backend.open(command)
            elif name == "close":
                backend.close(command["now"])
            elif name == "digest":
                answer["digest"] = backend.digest(command["now"])
                return answer
            else:
                raise Refused(f"there is no command {name!r}")
        except Skipped as reason:
            answer["skipped"] = str(reason)
            return answer
        except Refused as reason:
            answer["error"] = str(reason)
            return answer
        answer["out"] = backend.out
        answer.update(backend.deadlines())
        return answer


def digest_of(*state: object) -> str:
    """Returns a short digest of a state, which must not contain sets or objects without a repr."""
    return hashlib.blake2b(repr(state).encode(), digest_size=16).hexdigest()


def own_standard_output() -> BinaryIO:
    """Reserves standard output for the protocol; other output goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def serve(backend: Backend) -> None:
    """Serves a backend on standard input and standard output."""
    Loop(backend, sys.stdin.buffer, own_standard_output()).run()
