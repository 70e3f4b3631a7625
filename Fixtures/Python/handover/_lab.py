"""A client of `handover lab serve`, which keeps one lab and changes it on request."""

from __future__ import annotations

import collections
import json
import os
import select
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, Sequence

from handover._command import find_command

#: The version of the protocol.
PROTOCOL = 1
#: The time in seconds in which an answer must arrive. A server of the caller may need a minute.
ANSWER_TIMEOUT = 120.0
#: The time in seconds between two observations.
PERIOD = 0.1
#: The time in seconds in which the lab must end after its input was closed.
END_TIMEOUT = 30.0


class LabError(Exception):
    """The lab failed, or a request was not accepted."""


class LabUnavailable(LabError):
    """This machine cannot make a lab; the message is the reason."""


@dataclass(frozen=True)
class Connection:
    """A connection of the programs in the lab. Times are seconds since the lab was made."""

    #: The local endpoint and the server, such as `10.64.1.2:40000 to api.example:80`.
    name: str
    opened: float
    #: The time at which the program released the connection, or None while it is open.
    closed: float | None
    #: Whether the server ever answered.
    answered: bool
    #: How often application data arrived.
    payloads: int
    last_payload: float | None


@dataclass(frozen=True)
class Outage:
    """The time without application data after a network change, in seconds."""

    #: The time of the change.
    since: float
    #: The time from the change until a new connection would work.
    unusable: float
    #: The time from the change until application data arrived, or None if none has arrived.
    recovers: float | None
    #: The part of that time in which a new connection would have worked.
    delay: float | None
    #: How many connections the programs tried.
    attempts: int
    #: How long the programs have been observed since the change.
    watched: float
    #: Why the length is unknown: `silent-before`, `no-network`, or None.
    doubt: str | None
    #: How the last program ended, or None while a program is running.
    program_end: str | None


@dataclass(frozen=True)
class ProgramState:
    """A program in the lab."""

    running: bool
    #: The exit status, or None while it is running or if a signal ended it.
    status: int | None
    #: The signal that ended it, or None.
    signal: int | None
    #: The end of what it wrote to standard output and standard error.
    output: str


@dataclass(frozen=True)
class Observation:
    """What happened in the lab until now."""

    #: The time in seconds since the lab was made.
    at: float
    #: The network changes, and the end of the last program, as pairs of time and text.
    moves: list[tuple[float, str]]
    #: The latest connections, in the order in which they were opened.
    connections: list[Connection]
    #: The number of all connections.
    connection_count: int
    outages: list[Outage]
    programs: list[ProgramState]
    #: The number of processes in the lab, including those that a program left behind.
    processes: int

    @property
    def payloads(self) -> int:
        """How often application data arrived on the latest connections."""
        return sum(connection.payloads for connection in self.connections)

    @property
    def open_connections(self) -> list[Connection]:
        """The connections that the programs hold."""
        return [connection for connection in self.connections if connection.closed is None]


@dataclass
class Program:
    """A program that a test started in a lab."""

    network: Network = field(repr=False)
    #: The number of the program in its lab, counted from 1.
    number: int
    command: list[str]

    @property
    def state(self) -> ProgramState:
        """The current state of the program."""
        return self.network.observe().programs[self.number - 1]

    @property
    def output(self) -> str:
        """The end of what the program wrote."""
        return self.state.output

    def wait(self, timeout: float = 60.0) -> ProgramState:
        """Waits until the program has ended, and returns how."""
        seen = self.network.wait_until(
            lambda seen: not seen.programs[self.number - 1].running, timeout,
            f"{self.command[0]} to end")
        return seen.programs[self.number - 1]

    def wait_for_output(self, text: str, timeout: float = 60.0) -> None:
        """Waits until the program has written a text."""
        self.network.wait_until(
            lambda seen: text in seen.programs[self.number - 1].output, timeout,
            f"{self.command[0]} to write {text!r}")

    def stop(self) -> None:
        """Ends the program with all its children."""
        self.network.request({"cmd": "stop", "program": self.number}, "stopped")


class Network:
    """A lab with one device, whose network a test changes step by step.

    Use it as a context manager: the lab and all programs in it end with the block.
    """

    def __init__(
        self, first: str = "wifi", *, server: Iterable[str] = (), condition: Iterable[str] = (),
        platform: str | None = None, until: str = "10min",
    ) -> None:
        self._arguments = ["lab", "serve", "--network", first, "--until", until]
        for command in _listed(server):
            self._arguments += ["--server", command]
        for one in _listed(condition):
            self._arguments += ["--condition", one]
        if platform is not None:
            self._arguments += ["--platform", platform]
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._errors: collections.deque[str] = collections.deque(maxlen=20)
        self._reader: threading.Thread | None = None
        self._last: Observation | None = None

    # The beginning and the end

    def __enter__(self) -> Network:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Makes the lab.

        Raises LabUnavailable if this machine cannot make one.
        """
        command = find_command()
        self._process = subprocess.Popen(
            [command, *self._arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self._reader = threading.Thread(target=self._keep_errors, daemon=True)
        self._reader.start()
        try:
            ready = self._answer()
            if ready.get("kind") != "ready" or ready.get("v") != PROTOCOL:
                raise LabError(f"{command} has another protocol: {ready}")
        except BaseException:
            self._end()
            raise

    def close(self) -> None:
        """Ends all programs and removes the lab; the report stays."""
        if self._process is None:
            return
        self._observe_if_possible()
        self._end()

    def _observe_if_possible(self) -> None:
        try:
            self.observe()
        except LabError:
            # The lab has failed, and the last observation is the best one.
            pass

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                # The process has ended already.
                pass
        try:
            process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join(END_TIMEOUT)
        if process.stderr is not None:
            process.stderr.close()

    # Requests

    def run(
        self, program: Sequence[str | os.PathLike[str]], env: Mapping[str, str] | None = None
    ) -> Program:
        """Starts a program on the device; `env` changes environment variables."""
        words = [os.fspath(word) for word in program]
        request: dict[str, Any] = {"cmd": "start", "program": words}
        if env:
            request["environment"] = dict(env)
        return Program(self, self.request(request, "started")["program"], words)

    def move(self, to: str) -> None:
        """Changes the network, such as to `cellular`; returns when the change is complete."""
        self.request({"cmd": "move", "to": to}, "moved")

    def quality(self, condition: str) -> None:
        """Changes the quality of a medium, such as `wifi:delay=80ms,loss=1%`."""
        self.request({"cmd": "quality", "condition": condition}, "changed")

    def observe(self) -> Observation:
        """Returns what happened until now."""
        self._last = _observation(self.request({"cmd": "observe"}, "observed"))
        return self._last

    def request(self, request: Mapping[str, Any], kind: str) -> dict[str, Any]:
        """Sends a request of the protocol, and returns the answer of this kind."""
        process = self._process
        if process is None or process.stdin is None:
            raise LabError("the lab is not open")
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            # The lab has ended, and its last line is the reason.
            pass
        answer = self._answer()
        if answer.get("kind") == "error":
            raise LabError(f"{answer.get('message')} ({answer.get('hint')})")
        if answer.get("kind") != kind:
            raise LabError(f"the lab answered {answer}")
        return answer

    def _answer(self) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
        end = time.monotonic() + ANSWER_TIMEOUT
        while b"\n" not in self._rest:
            rest = end - time.monotonic()
            if rest <= 0:
                raise LabError(f"the lab gave no answer within {ANSWER_TIMEOUT:.0f} s")
            if not poll.poll(rest * 1000):
                continue
            data = os.read(descriptor, 65_536)
            if not data:
                # The last message arrives a little later than the end of the answers.
                if self._reader is not None:
                    self._reader.join(END_TIMEOUT)
                raise LabError(f"the lab has ended{self._messages()}")
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise LabError(f"the lab answered {line[:200]!r}")
        if answer.get("kind") == "ended":
            unavailable = answer.get("reason") == "no-lab"
            raise (LabUnavailable if unavailable else LabError)(str(answer.get("message")))
        return answer

    def _keep_errors(self) -> None:
        process = self._process
        if process is None or process.stderr is None:
            return
        for line in process.stderr:
            self._errors.append(line.decode(errors="replace").rstrip())

    def _messages(self) -> str:
        return ":\n" + "\n".join(self._errors) if self._errors else ""

    # Waits and assertions

    def wait_until(
        self, condition: Callable[[Observation], bool], timeout: float = 60.0,
        what: str = "the condition",
    ) -> Observation:
        """Waits until an observation meets a condition, and returns it."""
        end = time.monotonic() + timeout
        while True:
            seen = self.observe()
            if condition(seen):
                return seen
            if time.monotonic() > end:
                raise AssertionError(f"waited {timeout:g} s for {what}")
            time.sleep(PERIOD)

    def wait_for_data(self, count: int = 3, timeout: float = 60.0) -> Observation:
        """Waits until application data has arrived `count` times since now.

        A change has an effect only on a program that has received data.
        """
        before = self.observe().payloads
        return self.wait_until(
            lambda seen: seen.payloads >= before + count, timeout, f"data to arrive {count} times")

    def assert_recovers(
        self, within: float = 5.0, attempts: int | None = None, timeout: float = 60.0
    ) -> Outage:
        """Checks that data arrives again after the last change, and returns the outage.

        `within` is the longest accepted time in seconds from the moment at which a new connection
        would work. `attempts` is the largest accepted number of connections that were tried.
        """
        end = time.monotonic() + timeout
        while True:
            seen = self.observe()
            if not seen.outages:
                raise AssertionError(
                    "no change took a network away from a program that had received data; "
                    "call wait_for_data() before move()")
            outage = seen.outages[-1]
            if outage.recovers is not None:
                break
            if outage.program_end is not None:
                raise AssertionError(
                    f"the program ended ({outage.program_end}) and received no data after the "
                    "change")
            if outage.doubt is None and outage.watched > within:
                raise AssertionError(
                    f"no data arrived within {within:g} s, although a new connection would work")
            if time.monotonic() > end:
                raise AssertionError(
                    f"no data arrived within {timeout:g} s"
                    + ("; the device has no network" if outage.doubt == "no-network" else ""))
            time.sleep(PERIOD)
        delay = outage.delay if outage.delay is not None else outage.recovers
        if delay > within:
            raise AssertionError(
                f"data arrived {delay:.3f} s after a new connection would work, "
                f"not within {within:g} s")
        if attempts is not None and outage.attempts > attempts:
            raise AssertionError(
                f"the program tried {outage.attempts} connections, more than {attempts}")
        return outage

    # The report

    def report(self) -> str:
        """Returns a text with what happened until now or until the end, for people."""
        if self._process is not None:
            self._observe_if_possible()
        seen = self._last
        if seen is None:
            return "\n".join(self._errors) or "nothing was observed"
        lines = [f"network changes until {seen.at:.3f} s"]
        lines += [f"  {at:9.3f}  {name}" for at, name in seen.moves]
        lines.append(f"connections: {seen.connection_count}")
        lines += [f"  {_described(connection)}" for connection in seen.connections[-20:]]
        lines += [f"outage {_described_outage(outage)}" for outage in seen.outages]
        for number, program in enumerate(seen.programs, 1):
            lines.append(f"program {number}: {_described_end(program)}")
            lines += [f"  | {line}" for line in program.output.splitlines()[-20:]]
        return "\n".join(lines)


def network(first: str = "wifi", **options: Any) -> Network:
    """Returns a lab whose device begins on a network: `wifi`, `cellular` or `hotspot`.

    Options: `server`, commands that start servers of yours; `condition`, such as
    `wifi:delay=80ms`; `platform`; `until`, the longest time of the lab.
    """
    return Network(first, **options)


def _listed(values: Iterable[str]) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _seconds(value: int | None) -> float | None:
    return None if value is None else value / 1e6


def _observation(answer: Mapping[str, Any]) -> Observation:
    return Observation(
        at=answer["at_us"] / 1e6,
        moves=[(move["at_us"] / 1e6, move["text"]) for move in answer["moves"]],
        connections=[
            Connection(
                name=one["name"], opened=one["opened_us"] / 1e6,
                closed=_seconds(one.get("closed_us")), answered=one["answered"],
                payloads=one["payloads"], last_payload=_seconds(one.get("last_payload_us")))
            for one in answer["connections"]
        ],
        connection_count=answer["connection_count"],
        outages=[
            Outage(
                since=one["since_us"] / 1e6, unusable=one["unusable_us"] / 1e6,
                recovers=_seconds(one.get("recovers_us")), delay=_seconds(one.get("delay_us")),
                attempts=one["attempts"], watched=one["watched_us"] / 1e6,
                doubt=one.get("doubt"), program_end=one.get("program_end"))
            for one in answer["outages"]
        ],
        programs=[
            ProgramState(
                running=one["running"], status=one.get("status"), signal=one.get("signal"),
                output=one["output"])
            for one in answer["programs"]
        ],
        processes=answer["processes"])


def _described(connection: Connection) -> str:
    end = "open" if connection.closed is None else f"closed at {connection.closed:.3f} s"
    data = f"data {connection.payloads} times"
    if connection.last_payload is not None:
        data += f", last at {connection.last_payload:.3f} s"
    answer = "" if connection.answered else ", never answered"
    return f"{connection.name}: opened at {connection.opened:.3f} s, {end}, {data}{answer}"


def _described_outage(outage: Outage) -> str:
    if outage.recovers is not None:
        result = f"data after {outage.recovers:.3f} s"
    else:
        result = f"no data in {outage.watched:.3f} s"
    end = f", the program ended ({outage.program_end})" if outage.program_end else ""
    return f"at {outage.since:.3f} s: {result}, {outage.attempts} connections tried{end}"


def _described_end(program: ProgramState) -> str:
    if program.running:
        return "running"
    if program.signal is not None:
        return f"ended by signal {program.signal}"
    return f"ended with status {program.status}"
