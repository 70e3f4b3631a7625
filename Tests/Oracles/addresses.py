"""Which address a client connects to, and when (page Addresses, RFC 8305, RFC 6147)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Optional

from common import JSON, Agenda, Ambiguous, Times, expectations, milliseconds, End

HOST = "a.example:443"
#: The client abandons an attempt without an answer after this time.
ATTEMPT_LIMIT = 20_000


@dataclass
class Address:
    """One address of the host; times are milliseconds."""

    ip: str
    is_ipv6: bool
    connect: Optional[int]
    answer: str


def candidates(addresses: list[Address], family: str, nat64: bool) -> list[Address]:
    """The addresses that a network carries, in the order of the name server's answer."""
    has_ipv6 = any(address.is_ipv6 for address in addresses)
    found = []
    for address in addresses:
        if address.is_ipv6:
            if family != "ipv4":
                found.append(address)
        elif family != "ipv6":
            found.append(address)
        elif nat64 and not has_ipv6:
            # DNS64 makes an IPv6 address only for a name that has none.
            found.append(Address(address.ip, True, address.connect, address.answer))
    return found


def interleaved(addresses: list[Address]) -> list[Address]:
    """Alternating families, starting with the family of the first address."""
    first = [a for a in addresses if a.is_ipv6 == addresses[0].is_ipv6]
    second = [a for a in addresses if a.is_ipv6 != addresses[0].is_ipv6]
    order = []
    while first or second:
        for family in (first, second):
            if family:
                order.append(family.pop(0))
    return order


class Reachability:
    """When each address loses all packets; at first, none does."""

    def __init__(self, changes: list[tuple[int, str, bool]]):
        #: Times, addresses, and whether the address is reachable from then on; in order.
        self.changes = changes

    def passes(self, ip: str, now: int) -> bool:
        """Whether packets from and to an address pass."""
        states = [True]
        for time, changed, is_reachable in self.changes:
            if changed == ip and time == now:
                raise Ambiguous
            if changed == ip and time < now:
                states.append(is_reachable)
        return states[-1]

    def next_pass(self, ip: str, now: int) -> Optional[int]:
        """The first time from now on at which packets pass, or None."""
        if self.passes(ip, now):
            return now
        returns = [time for time, changed, is_reachable in self.changes
                   if changed == ip and is_reachable and time > now]
        return min(returns, default=None)


class Race:
    """The attempts to connect to several addresses.

    `outcome` is ("accepted", time, address) or ("refused", time, None); None if neither happens
    before the limit.
    """

    def __init__(self, addresses: list[Address], delay: Optional[int], connect: int, refuses: bool,
                 reachability: Reachability, begin: int, limit: int):
        self.addresses = addresses
        self.delay = delay
        self.connect = connect
        self.refuses = refuses
        self.reachability = reachability
        self.outcome: Optional[tuple[str, int, Optional[Address]]] = None
        self._started = 0
        self._refused = 0
        self._timer = 0
        self._agenda = Agenda()
        self._agenda.add(begin, 1, self._start, 0)
        self._agenda.run(until=limit)

    def _start(self, now: int, timer: int) -> None:
        if timer != self._timer or self._started == len(self.addresses) or self.outcome:
            return
        address = self.addresses[self._started]
        self._started += 1
        # A server that refuses does so at every address.
        answer = "refuse" if self.refuses else address.answer
        if answer != "nothing":
            self._send(now, answer, address)
        self._timer += 1
        if self.delay is not None:
            self._agenda.add(now + self.delay, 1, self._start, self._timer)

    def _send(self, now: int, answer: str, address: Address) -> None:
        """Sends a first packet, which is sent again when its address is reachable again."""
        duration = self.connect if address.connect is None else address.connect
        again = self.reachability.next_pass(address.ip, now + duration)
        if again is None:
            return
        if again > now + duration:
            self._agenda.add(again, 0, self._send, answer, address)
        else:
            self._agenda.add(now + duration, 0, self._answered, answer, address)

    def _answered(self, now: int, answer: str, address: Address) -> None:
        if self.outcome:
            return
        if answer == "accept":
            self.outcome = ("accepted", now, address)
            return
        self._refused += 1
        if self._refused == len(self.addresses):
            self.outcome = ("refused", now, None)
            return
        self._timer += 1
        self._agenda.add(now, 1, self._start, self._timer)


def scenario(rng: random.Random, name: str) -> JSON:
    """A random scenario with its expectations."""
    family = rng.choice(["both", "both", "ipv4", "ipv6"])
    nat64 = family == "ipv6" and rng.random() < 0.5
    addresses = []
    for number in range(1, rng.randint(1, 5) + 1):
        is_ipv6 = rng.random() < 0.5
        addresses.append(Address(
            f"2001:db8::{number:x}" if is_ipv6 else f"192.0.2.{number}", is_ipv6,
            rng.choice([None, 20, 70, 130, 260, 400, 900]),
            rng.choice(["accept", "accept", "refuse", "nothing"])))
    connect = rng.choice([0, 50, 110, 300])
    refuses = rng.random() < 0.15
    delay = rng.choice([None, None, 33, 100, 250, 1000])
    answer = rng.choice([None, None, None, "list", "fail", "hang"])
    takes = rng.choice([1, 10, 500])
    lookup = rng.choice([None, None, (20, 20), (0, 300), (1_500, 40)])
    times = Times(rng, 0)
    starts = sorted(times.draw(0, 9_000) for _ in range(rng.choice([1, 2, 3, 4])))
    # The answers that entries set, each with its time.
    changes = sorted(
        ((times.draw(0, 9_000), rng.sample(addresses, rng.randint(1, len(addresses))))
         for _ in range(rng.choice([0, 0, 1, 2, 3]))), key=lambda change: change[0])
    turns: list[tuple[int, str, bool]] = []
    if rng.random() < 0.5:
        turns = sorted((times.draw(0, 12_000), rng.choice(addresses).ip, rng.random() < 0.4)
                       for _ in range(rng.randint(1, 5)))
    reachability = Reachability(turns)

    host: JSON = {"connect": milliseconds(connect), "addresses": []}
    if refuses:
        host["server"] = "refuse"
    for address in addresses:
        entry: JSON = {"ip": address.ip}
        if address.connect is not None:
            entry["connect"] = milliseconds(address.connect)
        if address.answer != "accept":
            entry["answer"] = address.answer
        host["addresses"].append(entry if len(entry) > 1 else address.ip)
    network: JSON = {"kind": rng.choice(["wifi", "cellular", "ethernet"]), "state": "default"}
    if family != "both":
        network["addresses"] = family
    if nat64:
        network["nat64"] = True
    if lookup:
        network["lookup"] = {"ipv4": milliseconds(lookup[0]), "ipv6": milliseconds(lookup[1])}
    own: Optional[list[Address]] = None
    if answer == "list":
        own = rng.sample(addresses, rng.randint(1, len(addresses)))
        network["names"] = {HOST: [address.ip for address in own]}
    elif answer:
        network["names"] = {HOST: answer}
    config: JSON = {"backoff": {"jitter": 0}}
    if delay is not None:
        config["happyEyeballs"] = milliseconds(delay)

    accepted = {address.ip: 0 for address in addresses}

    def end(start: int) -> Optional[End]:
        """How a call ends whose channel is new, so that its name is looked up at its start.

        None if it never ends.
        """
        if answer == "fail":
            return "UNAVAILABLE", "Name resolution failed", start
        if answer == "hang":
            return "UNAVAILABLE", "connect() timed out", start + ATTEMPT_LIMIT
        changed = [addresses] + [answered for time, answered in changes if time < start]
        usable = candidates(own or changed[-1], family, nat64)
        begin = start + max(lookup or (0, 0))
        if not usable:
            return "UNAVAILABLE", "Network is unreachable", begin
        order = usable if delay is None else interleaved(usable)
        outcome = Race(order, delay, connect, refuses, reachability, begin,
                       start + ATTEMPT_LIMIT).outcome
        if outcome is None:
            return "UNAVAILABLE", "connect() timed out", start + ATTEMPT_LIMIT
        if outcome[0] == "refused":
            return "UNAVAILABLE", "Connection refused", outcome[1]
        assert outcome[2]
        accepted[outcome[2].ip] += 1
        # The answer waits on the way while its address loses all packets.
        answered = reachability.next_pass(outcome[2].ip, outcome[1] + takes)
        return None if answered is None else ("OK", None, answered)

    calls = [f"c{start}" for start in starts]
    ends = {call: how for call, start in zip(calls, starts) if (how := end(start))}
    entries: list[tuple[int, JSON]] = [
        (time, {"names": {"host": HOST, "addresses": [address.ip for address in answered]}})
        for time, answered in changes]
    entries += [
        (time, {"server": {"host": HOST, "reachable" if is_reachable else "unreachable": ip}})
        for time, ip, is_reachable in turns]
    for number, start in enumerate(starts):
        entries.append((start, {"call": {
            "id": f"c{start}", "host": HOST, "takes": milliseconds(takes),
            "options": {"channelID": number}}}))
    return {
        "format": 1, "id": name, "profiles": [rng.choice(["sockets", "cfstream", "linux-sockets"])],
        "initial": {}, "networks": {"n": network}, "hosts": {HOST: host}, "config": config,
        "timeline": [{"at": milliseconds(time), **entry}
                     for time, entry in sorted(entries, key=lambda entry: entry[0])],
        "expect": expectations(calls, ends) + [
            {"server": {"host": HOST, "accepted": count, "address": ip}}
            for ip, count in accepted.items()],
    }
