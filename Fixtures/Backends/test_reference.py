#!/usr/bin/env python3
"""Tests of the backends in this folder: the reference against the built-in client, and others.

usage: HANDOVER=PATH python3 test_reference.py
       python3 test_reference.py --measure

The built-in client is the oracle. It runs every scenario, and its traces contain its events and
actions. For the same events the reference must produce the same actions. Without a command in
HANDOVER or in the path as `handover`, these tests are skipped.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import wrong
import wrong_transport
from handover_backend import Backend, JSONObject, Loop
from minimal import Adapter
from reference import Reference
from reference_rules import NEVER, POLICIES
from transport import Transport

HERE = Path(__file__).resolve().parent
SCENARIOS = HERE.parent.parent / "Scenarios"
PROTOCOL = HERE.parent / "Protocol"
#: The time for which a channel without calls is kept if the scenario does not specify it.
IDLE = {"sockets": None, "sockets-monitor": 30_000_000, "cfstream": 30_000_000,
        "sockets-2017": None}
#: The messages of failures (S3, S5, S7).
MESSAGES = {
    "networkUnreachable": "Network is unreachable",
    "nameResolutionFailed": "Name resolution failed",
    "connectTimedOut": "connect() timed out",
    "refused": "Connection refused",
    "aborted": "Software caused connection abort",
    "reset": "Connection reset by peer",
    "timedOut": "Connection timed out",
    "closed": "Socket closed",
    "keepaliveTimeout": "keepalive timeout",
    "streamAborted": "CFStream error: POSIX domain, code 53, Software caused connection abort",
    "streamReset": "CFStream error: POSIX domain, code 54, Connection reset by peer",
    "streamTimedOut": "CFStream error: POSIX domain, code 60, Operation timed out",
}


class Trace:
    """The events and actions of the built-in client in a case, in the protocol's notation."""

    def __init__(self, lines: list[str]) -> None:
        records = [json.loads(line) for line in lines]
        self.header: JSONObject = records[0]
        self.scenario: str = self.header["scenario"]
        self.has_interceptors = bool(self.header.get("links"))
        self.calls: dict[str, JSONObject] = {call["call"]: call for call in self.header["calls"]}
        #: The numbers of connections and channels by the built-in client's identifiers, in order of
        #: creation.
        self.connections: dict[tuple[int, int], int] = {}
        self.channels: dict[tuple[int, int], int] = {}
        #: The options of pooled channels by their indices.
        self.options: dict[int, JSONObject] = {}
        #: Each event with its time, the actions, and the time since which the application has run.
        self.steps: list[tuple[int, JSONObject, list[JSONObject], int]] = []
        self.initial: JSONObject = {"flags": [], "app": "foreground"}
        runs_since = 0
        for record in records[1:]:
            kind = next(key for key in record if key != "at")
            name, what = next(iter(record[kind].items()))
            if name == "appMoved":
                runs_since = record["at"] if what["to"] == "foreground" else NEVER
            elif name == "initialRead":
                self.initial["flags"] = what["flags"] or []
                self.initial["app"] = "background" if runs_since == NEVER else "foreground"
                if what["flags"] is None:
                    self.initial["monitor"] = "unreadable"
            elif kind == "event":
                self.steps.append((record["at"], self.event(name, what), [], runs_since))
            elif kind == "effect":
                self.steps[-1][2].append(self.effect(name, what))

    @property
    def open_command(self) -> JSONObject:
        """Returns the command that begins the run."""
        header = self.header
        config = dict(header["config"])
        numerator, denominator = config["backoff"]["multiplier"]
        config["backoff"] = dict(
            config["backoff"], multiplier=numerator / denominator, jitter=0)
        config.setdefault("idle", IDLE[header["profile"]])
        return {"cmd": "open", "seq": 1, "now": 0, "scenario": self.scenario,
                "profile": header["profile"], "config": config, "initial": self.initial}

    def commands(self) -> Iterator[tuple[JSONObject, list[JSONObject], int]]:
        """Yields the commands of the run with the expected actions and the application's start
        time."""
        yield self.open_command, [], 0
        for place, (at, event, effects, runs_since) in enumerate(self.steps):
            command = {"seq": place + 2, "now": at}
            if "cmd" in event:
                yield {"cmd": event["cmd"], **command}, effects, runs_since
            else:
                yield {"cmd": "event", **command, "event": event}, effects, runs_since

    @property
    def is_plain(self) -> bool:
        """Returns whether the run uses only unary calls and no capabilities."""
        started = [event["call"] for _, event, _, _ in self.steps if "call" in event]
        return (
            "keepalive" not in self.header["config"]
            and all(runs_since == 0 for *_, runs_since in self.steps)
            and all(call["complete"] and not call["token"] and not call["options"]
                    for call in started)
            and not any(event.get("received", {}).get("message") for _, event, _, _ in self.steps))

    def without_channels(self) -> Trace:
        """Returns the trace without records about channels and the monitor."""
        plain = copy.copy(self)
        plain.steps = []
        for at, event, effects, runs_since in self.steps:
            seen = [effect for effect in effects
                    if not effect.keys() & {"channel", "bound", "notify"}]
            plain.steps.append((at, event, [without_channel(one) for one in seen], runs_since))
        return plain

    def event(self, name: str, what: JSONObject) -> JSONObject:
        """Returns an event in the protocol's notation."""
        if name == "callStarted":
            return self.call_started(what)
        if name in ("callback", "resynchronized"):
            event = {"flags": what["flags"]}
            return {**event, "resynchronized": True} if name == "resynchronized" else event
        if name == "messageQueued":
            return {"send": {"call": what["call"], "bytes": what["bytes"]}}
        if name in ("tokenArrived", "requestFinished", "callCancelled"):
            words = {"tokenArrived": "token", "requestFinished": "finish",
                     "callCancelled": "cancel"}
            return {words[name]: what["call"]}
        if name in ("timeElapsed", "closed"):
            return {"cmd": "advance" if name == "timeElapsed" else "close"}
        if name == "disconnectAllRequested":
            return {"disconnect": "*"}
        if name == "disconnectRequested":
            host = self.header["hosts"][self.header["endpoints"][what["endpoint"]]]
            return {"disconnect": host, "options": self.options.get(what["endpoint"], {})}
        if name == "messageReceived":
            return {"received": {"call": what["call"], "message": True}}
        if name == "streamEnded":
            return {"received": {"call": what["call"], "status": what["status"]}}
        connection = self.connections[tuple(what["connection"])]
        if name == "pongReceived":
            return {"received": {"connection": connection, "pong": True}}
        if name == "dataReceived":
            return {"received": {"connection": connection, "data": True}}
        words = {"connected": "connected", "connectFailed": "connectFailed",
                 "connectionBroken": "broken", "connectionDraining": "draining"}
        about: JSONObject = {"connection": connection}
        if "failure" in what:
            reason = what["failure"]
            about.update(reason=reason, message=MESSAGES[reason], status=(
                "UNKNOWN" if reason.startswith("stream") else "UNAVAILABLE"))
        return {words[name]: about}

    def call_started(self, what: JSONObject) -> JSONObject:
        """Returns the start of a call; its host and options come from the scenario."""
        call = self.calls[what["call"]]
        options = dict(call.get("options", {}))
        options.update(text.split("=", 1) for text in options.pop("others", []))
        self.options[what["endpoint"]] = options
        return {"call": {
            "id": what["call"], "host": self.header["hosts"][call["host"]], "kind": "unary",
            "deadline": what["deadline"], "failFast": what["failsFast"],
            "token": what["awaitsToken"], "complete": what["requestIsComplete"],
            "options": options}}

    def effect(self, name: str, what: JSONObject) -> JSONObject:
        """Returns an action in the protocol's notation."""
        if name == "notify":
            return {name: what}
        if name == "fetchToken":
            return {"fetchToken": what["call"]}
        if name == "deliverMessage":
            return {"deliver": what["call"]}
        if name == "endCall":
            return {"ended": {key: what[key] for key in ("call", "status", "message")}}
        if name in ("channelCreated", "channelMoved", "channelDestroyed"):
            report = {"channel": self.channel(what), "state": what.get("to", "IDLE")}
            if name == "channelDestroyed":
                report.update(state="SHUTDOWN", reason=what["reason"])
            return {"channel": report}
        if name == "callBound":
            return {"bound": {"call": what["call"], "channel": self.channel(what),
                              "new": what["isNew"]}}
        connection = tuple(what["connection"])
        if name == "openConnection":
            self.connections[connection] = len(self.connections) + 1
            return {"connect": {"connection": self.connections[connection],
                                "channel": self.channel(what)}}
        number = self.connections[connection]
        words = {"closeConnection": "close", "startStream": "send", "sendMessages": "send",
                 "finishStream": "finish", "resetStream": "reset", "sendPing": "ping"}
        order: JSONObject = {"connection": number}
        if "call" in what:
            order["call"] = what["call"]
        if name == "sendMessages":
            order.update(messages=what["count"], bytes=what["bytes"])
        return {words[name]: order}

    def channel(self, what: JSONObject) -> int:
        """Returns the number of a channel."""
        return self.channels.setdefault(tuple(what["channel"]), len(self.channels) + 1)


def without_channel(effect: JSONObject) -> JSONObject:
    """Returns an action without its channel."""
    if "connect" not in effect:
        return effect
    return {"connect": {"connection": effect["connect"]["connection"]}}


def comparable(out: list[JSONObject]) -> list[JSONObject]:
    """Returns actions without the fields that the built-in client writes differently."""
    result = []
    for effect in out:
        (name, what), = effect.items()
        if name in ("channel", "connect"):
            what = {key: value for key, value in what.items() if key not in ("host", "options")}
        result.append({name: what})
    return result


def difference(
        backend: Backend, trace: Trace, loop_type: type[Loop] = Loop) -> Optional[str]:
    """Returns the first step in which a backend differs from a trace, or None."""
    loop = loop_type(backend, sys.stdin.buffer, sys.stdout.buffer)
    deadline: Optional[int] = None
    for command, effects, runs_since in trace.commands():
        now = command["now"]
        # A suspended client has no deadlines, and closing a client does not depend on them.
        if command["cmd"] != "close" and deadline is not None and max(deadline, runs_since) < now:
            return f"{trace.scenario}: nothing happened at the deadline {deadline}"
        if command["cmd"] == "advance" and (deadline is None or now < deadline):
            return f"{trace.scenario}: {command}: the deadline is {deadline}"
        answer = loop.answer(command)
        if "out" not in answer:
            return f"{trace.scenario}: {command}: {answer}"
        if comparable(answer["out"]) != effects:
            return f"{trace.scenario}: {command}:\n  {answer['out']}\n  not\n  {effects}"
        deadline = answer["deadline"]
    return None


def handover() -> Optional[str]:
    """Returns the path of the command, or None if it is not available."""
    return os.environ.get("HANDOVER") or shutil.which("handover")


@functools.lru_cache(maxsize=None)
def traces(profile: str) -> list[Trace]:
    """Returns the traces of all scenarios of a profile with calls and without interceptors."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "Scenarios")
        for file in SCENARIOS.rglob("*.json"):
            scenario = json.loads(file.read_text())
            # Traces use the time of the run, which differs from the time of a client whose clock
            # stops.
            if scenario.get("config", {}).get("clock") == "monotonic":
                continue
            # The reference uses no jitter.
            scenario.setdefault("config", {}).setdefault("backoff", {})["jitter"] = 0
            copy = plain / file.relative_to(SCENARIOS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(json.dumps(scenario))
        subprocess.run(
            [handover() or "handover", "run", str(plain), "--profile", profile,
             "-o", f"trace={folder}/traces"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        read = [Trace(file.read_text().splitlines())
                for file in sorted(Path(folder, "traces").rglob("*.jsonl"))]
    return [trace for trace in read if not trace.has_interceptors and trace.steps]


@unittest.skipUnless(handover(), "HANDOVER does not name a command")
class OracleTests(unittest.TestCase):
    """Compares the reference with the built-in client."""

    def test_the_reference_does_what_the_built_in_client_does(self) -> None:
        backend = Reference()
        for profile in POLICIES:
            with self.subTest(profile=profile):
                played = traces(profile)
                self.assertGreater(len(played), 100)
                differences = [difference(backend, trace) for trace in played]
                self.assertEqual([one for one in differences if one], [])

    def test_the_minimal_backend_does_the_same_with_plain_unary_calls(self) -> None:
        backend = Adapter()
        played = [trace for trace in traces("sockets-monitor") if trace.is_plain]
        self.assertGreater(len(played), 100)
        differences = [difference(backend, trace.without_channels()) for trace in played]
        self.assertEqual([one for one in differences if one], [])

    def test_every_fault_of_the_client_can_be_seen(self) -> None:
        faults = [fault for fault in wrong.FAULTS.values() if fault.verdict == "FAILED"]
        for profile in {fault.profile for fault in faults}:
            played = traces(profile)
            for fault in faults:
                if fault.profile != profile:
                    continue
                with self.subTest(fault=fault.name):
                    backend = fault.backend()
                    self.assertTrue(
                        any(difference(backend, trace, fault.loop) for trace in played))


class Process:
    """A backend in a separate process."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *arguments], cwd=HERE, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, command: JSONObject) -> Any:
        """Sends a command and reads the answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self) -> int:
        """Stops the backend, and returns its exit status."""
        with self.process:
            self.process.communicate(b'{"cmd":"stop"}\n', timeout=60)
        return self.process.returncode


RUN = {"cmd": "open", "seq": 1, "now": 0, "scenario": "a", "profile": "sockets-monitor",
       "config": {"backoff": {"initial": 1000000, "multiplier": 1.6, "jitter": 0.2,
                              "max": 120000000, "minConnectTimeout": 20000000},
                  "idle": 30000000, "seed": 1},
       "initial": {"flags": ["Reachable", "IsWWAN"], "app": "foreground"}}


def call(id: str) -> JSONObject:
    """Returns the start of a unary call."""
    return {"call": {"id": id, "host": "api.example:443", "kind": "unary", "deadline": None,
                     "failFast": False, "token": False, "complete": True, "options": {}}}


class ProtocolTests(unittest.TestCase):
    """Tests the loop over pipes."""

    def test_every_good_backend_keeps_to_the_protocol(self) -> None:
        for file in ("reference.py", "minimal.py"):
            with self.subTest(file=file):
                backend = Process(file)
                hello = backend.ask({"cmd": "start", "version": 1, "later": True})
                self.assertEqual((hello["version"], hello["role"]), (1, "client"))
                self.assertEqual(backend.ask(RUN)["out"], [])
                answer = backend.ask({"cmd": "sing", "seq": 2, "now": 0})
                self.assertEqual(answer["seq"], 2)
                self.assertIn("error", answer)
                answer = backend.ask({"cmd": "event", "seq": 3, "now": 0, "event": call("a")})
                self.assertIn("connect", [next(iter(one)) for one in answer["out"]])
                answer = backend.ask({"cmd": "close", "seq": 4, "now": 5})
                self.assertIn("ended", [next(iter(one)) for one in answer["out"]])
                self.assertIsNone(answer["deadline"])
                self.assertEqual(backend.stop(), 0)

    def test_a_batch_is_answered_as_its_events_would_be(self) -> None:
        events = [{"seq": 2, "now": 0, "event": call("a")},
                  {"seq": 3, "now": 9, "event": {"connected": {"connection": 1}}},
                  {"seq": 4, "now": 9, "event": {"flags": ["Reachable"]}}]
        one_by_one, together = Process("reference.py"), Process("reference.py")
        for backend in (one_by_one, together):
            backend.ask({"cmd": "start", "version": 1})
            backend.ask(RUN)
        answers = [one_by_one.ask({"cmd": "event", **event}) for event in events]
        self.assertEqual(together.ask({"cmd": "batch", "events": events}), {"answers": answers})
        self.assertEqual((one_by_one.stop(), together.stop()), (0, 0))

    def test_a_backend_whose_harness_is_gone_leaves(self) -> None:
        backend = Process("reference.py")
        with backend.process:
            backend.process.communicate(timeout=60)
        self.assertEqual(backend.process.returncode, 0)

    def test_another_version_is_refused(self) -> None:
        backend = Process("reference.py")
        self.assertIn("error", backend.ask({"cmd": "start", "version": 2}))
        self.assertEqual(backend.stop(), 0)


class FaultTests(unittest.TestCase):
    """Tests the wrong backends."""

    def test_the_list_names_every_fault(self) -> None:
        listed = subprocess.run(
            [sys.executable, "wrong.py", "--list"], cwd=HERE, stdout=subprocess.PIPE, check=True)
        lines = listed.stdout.decode().splitlines()
        self.assertGreaterEqual(len(lines), 100)
        self.assertEqual([line.split("\t")[0] for line in lines], list(wrong.FAULTS))
        for line in lines:
            name, verdict, profile, scenario, _, meaning = line.split("\t")
            self.assertIn(verdict, ("FAILED", "ERROR", "PASSED"), name)
            self.assertIn(profile, POLICIES, name)
            self.assertTrue((SCENARIOS / f"{scenario}.json").is_file(), name)
            self.assertTrue(meaning)

    def test_the_wrong_transports_are_listed_too(self) -> None:
        listed = subprocess.run([sys.executable, "wrong_transport.py", "--list"], cwd=HERE,
                                stdout=subprocess.PIPE, check=True)
        lines = listed.stdout.decode().splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines], list(wrong_transport.FAULTS))
        for line in lines:
            name, verdict, profile, scenario, _, meaning = line.split("\t")
            self.assertIn(verdict, ("FAILED", "ERROR"), name)
            self.assertIn(profile, POLICIES, name)
            self.assertTrue((SCENARIOS / f"{scenario}.json").is_file(), name)
            self.assertTrue(meaning)


@unittest.skipUnless(importlib.util.find_spec("jsonschema"), "jsonschema is not installed")
class SchemaTests(unittest.TestCase):
    """Tests the schemas of both directions."""

    def setUp(self) -> None:
        import jsonschema
        self.validators = {}
        for direction in ("commands", "answers", "transport-commands", "transport-answers"):
            schema = json.loads((PROTOCOL / f"{direction}-1.schema.json").read_text())
            jsonschema.Draft7Validator.check_schema(schema)
            self.validators[direction] = jsonschema.Draft7Validator(schema)

    def test_they_accept_what_is_right_and_refuse_what_is_wrong(self) -> None:
        # Real time has additional commands, which the schemas of clients include.
        real_time = {f"real-time-{direction}": self.validators[direction]
                     for direction in ("commands", "answers")}
        for name, validator in {**self.validators, **real_time}.items():
            for ending, is_right in ((".jsonl", True), ("-refused.jsonl", False)):
                examples = PROTOCOL / "examples" / (name + ending)
                for number, line in enumerate(examples.read_text().splitlines(), 1):
                    with self.subTest(file=examples.name, line=number):
                        self.assertEqual(validator.is_valid(json.loads(line)), is_right)

    def test_they_accept_what_the_reference_answers_to_the_examples(self) -> None:
        loop = Loop(Reference(), sys.stdin.buffer, sys.stdout.buffer)
        for line in (PROTOCOL / "examples" / "commands.jsonl").read_text().splitlines():
            command = json.loads(line)
            if command["cmd"] != "stop":
                self.validators["answers"].validate(loop.answer(command))

    def test_they_accept_what_the_transport_answers_to_the_examples(self) -> None:
        loop = Loop(Transport(), sys.stdin.buffer, sys.stdout.buffer)
        for line in (PROTOCOL / "examples" / "transport-commands.jsonl").read_text().splitlines():
            command = json.loads(line)
            # The transport does not declare faults.
            if command["cmd"] != "stop" and not {"server", "names", "transport", "ping"} & set(
                    command.get("event", {})):
                self.validators["transport-answers"].validate(loop.answer(command))

    @unittest.skipUnless(handover(), "HANDOVER does not name a command")
    def test_they_accept_what_is_said_in_scenarios(self) -> None:
        loop = Loop(Reference(), sys.stdin.buffer, sys.stdout.buffer)
        for trace in traces("sockets-monitor")[::5]:
            for command, _, _ in trace.commands():
                self.validators["commands"].validate(command)
                self.validators["answers"].validate(loop.answer(command))


def measure(count: int = 20_000) -> float:
    """Returns the number of round trips per second of the reference over pipes."""
    backend = Process("reference.py")
    backend.ask({"cmd": "start", "version": 1})
    backend.ask(RUN)
    backend.ask({"cmd": "event", "seq": 2, "now": 0, "event": call("a")})
    # The commands are prepared in advance, so that only the backend is measured.
    lines = [
        json.dumps({"cmd": "event", "seq": place + 3, "now": place,
                    "event": {"flags": ["Reachable", "IsWWAN"]}}).encode() + b"\n"
        for place in range(count)]
    commands, answers = backend.process.stdin, backend.process.stdout
    assert commands and answers
    started = time.perf_counter()
    for line in lines:
        commands.write(line)
        commands.flush()
        answers.readline()
    rate = count / (time.perf_counter() - started)
    backend.stop()
    return rate


if __name__ == "__main__":
    if "--measure" in sys.argv:
        print(f"{measure():.0f} round trips a second")
    else:
        unittest.main()
