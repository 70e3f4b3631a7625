"""The backend protocol of Handover, version 1, from the side of a program under test.

Copy this file beside your adapter. Make a subclass of `Backend`, and hand one to `serve`:

    class MyClient(Backend):
        name = "my-client"
        ...

    serve(MyClient())

The loop reads one command a line on standard input and writes one answer a line on standard
output. It knows nothing of channels and calls; all of that is the backend's.
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
    """A command that the backend cannot carry out; the case becomes an ERROR."""


class Skipped(Exception):
    """A run that the backend does not take; the case becomes UNSUPPORTED."""


class Backend:
    """A client or a transport under test.

    What it does is appended to `out`, in its order; the loop empties it for each answer.
    """

    name = "backend"
    #: What it is: "client" or "transport".
    role = "client"
    capabilities: Sequence[str] = ()
    #: The profiles it takes; None for every profile that has calls.
    profiles: Optional[Sequence[str]] = None

    def __init__(self) -> None:
        self.out: list[JSONObject] = []

    def open(self, run: JSONObject) -> None:
        """Begins a run, and forgets the one before."""
        raise NotImplementedError

    def event(self, now: int, event: JSONObject) -> None:
        """Takes a fact."""
        raise NotImplementedError

    def advance(self, now: int) -> None:
        """Does what is due by now."""
        raise NotImplementedError

    def close(self, now: int) -> None:
        """Ends everything."""
        raise NotImplementedError

    def deadlines(self) -> JSONObject:
        """When it wants to be told of the time; see `deadline` in the protocol."""
        return {"deadline": None}

    def digest(self, now: int) -> str:
        """The same text wherever the backend goes on alike; belongs to the capability `digest`."""
        raise Refused("there are no digests")


class Loop:
    """Reads commands and writes answers, until it is told to stop."""

    def __init__(self, backend: Backend, commands: BinaryIO, answers: BinaryIO) -> None:
        self.backend = backend
        self.commands = commands
        self.answers = answers
        # Made once: json.dumps would make an encoder for each line. Everything beyond ASCII is
        # escaped, so that no reader takes U+2028 for the end of a line.
        self.encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def run(self) -> None:
        """Serves until `stop`, or until nobody is there any more."""
        while True:
            line = self.commands.readline()
            if not line:
                return
            command = json.loads(line)
            if command.get("cmd") == "stop":
                return
            self.write(self.answer(command))

    def write(self, answer: JSONObject) -> None:
        """Writes one answer, at once."""
        self.answers.write(self.encode(answer).encode("ascii") + b"\n")
        self.answers.flush()

    def hello(self) -> JSONObject:
        """Says who the backend is and what can be asked of it."""
        hello = {"version": VERSION, "name": self.backend.name, "role": self.backend.role,
                 "time": "virtual", "capabilities": list(self.backend.capabilities)}
        if self.backend.profiles is not None:
            hello["profiles"] = list(self.backend.profiles)
        return hello

    def answer(self, command: JSONObject) -> JSONObject:
        """Carries out one command."""
        name = command.get("cmd")
        if name == "start":
            if command.get("version") != VERSION:
                return {"error": f"this backend speaks version {VERSION} of the protocol"}
            return self.hello()
        if name == "batch":
            return {"answers": [self.step("event", step) for step in command["events"]]}
        return self.step(name, command)

    def step(self, name: Optional[str], command: JSONObject) -> JSONObject:
        """Carries out what has a sequence number."""
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
    """A short text for a state; sets and objects without a representation do not belong in it."""
    return hashlib.blake2b(repr(state).encode(), digest_size=16).hexdigest()


def own_standard_output() -> BinaryIO:
    """Takes standard output for the protocol alone; whatever else is printed goes to the log."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def serve(backend: Backend) -> None:
    """Serves a backend on standard input and standard output."""
    Loop(backend, sys.stdin.buffer, own_standard_output()).run()
