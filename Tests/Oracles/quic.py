"""How calls over QUIC end when networks change (page QUIC, RFC 9000).

Each call has a host and therefore a connection of its own. Covered: migration and its limits, the
idle timeout, networks that change or lose their uplink, NAT, roaming, and the background.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Optional

from common import JSON, Ambiguous, Times, milliseconds
from stories import (Entry, Network, Story, StoryCall, document, draw_call_entries, draw_networks,
                     draw_suspension)


@dataclass
class Call(StoryCall):
    """A call and its connection over QUIC."""

    is_open: bool = False
    #: Whether the server does not know the client's new address yet (after NAT).
    is_address_unknown: bool = False
    #: Identifies the server's validation of a new address.
    check: Optional[object] = None
    #: Connection IDs that are left, and how often the connection migrated to each network.
    spare_ids: int = 0
    migrations: dict[str, int] = field(default_factory=dict)
    #: The network and identity of the validation of a new path.
    validation: Optional[tuple[str, object]] = None
    idle_timer: int = 0
    has_sent_since: bool = False
    #: Data in the socket of a stopped process.
    holds_response: bool = False


class Run(Story[Call]):
    """The device and its calls over QUIC."""

    def __init__(self, rng: random.Random, networks: dict[str, Network], default: Optional[str],
                 migrates: bool, allows_migration: bool, maximum_migrations: int, has_ids: bool,
                 idle: int, with_nat: bool):
        super().__init__(rng, networks, default)
        self.migrates = migrates
        self.allows_migration = allows_migration
        self.maximum_migrations = maximum_migrations
        self.has_ids = has_ids
        self.idle = idle
        self.with_nat = with_nat

    def sends(self, call: Call) -> bool:
        assert call.network
        return self.networks[call.network].is_alive and not call.has_old_address

    def end(self, now: int, call: Call, status: str, message: Optional[str]) -> None:
        call.is_lost = True
        self.ends.setdefault(call.name, (status, message, now))

    # The idle timeout counts from the last packet received, or the first one sent after that.

    def received(self, now: int, call: Call) -> None:
        call.has_sent_since = False
        self.restart_idle_timer(now, call)

    def sent(self, now: int, call: Call) -> None:
        if not call.has_sent_since:
            call.has_sent_since = True
            self.restart_idle_timer(now, call)

    def restart_idle_timer(self, now: int, call: Call) -> None:
        call.idle_timer += 1
        self.agenda.add(now + self.idle, 4, self.idle_timeout, call, call.idle_timer)

    def idle_timeout(self, now: int, call: Call, timer: int) -> None:
        if self.is_over(call) or call.idle_timer != timer:
            return
        call.is_lost = True
        if not self.is_suspended:
            self.end(now, call, "UNAVAILABLE", "Connection timed out")

    # Calls

    def begin(self, now: int, call: Call) -> None:
        self.started.append(call)
        call.network = self.default
        if self.default is None:
            self.end(now, call, "UNAVAILABLE", "Network is unreachable")
            return
        if not self.networks[self.default].is_alive:
            raise Ambiguous
        self.agenda.add(now + call.connect, 2, self.opened, call)

    def opened(self, now: int, call: Call) -> None:
        if self.is_over(call):
            return
        if self.is_suspended or not self.sends(call):
            raise Ambiguous
        call.is_open = True
        self.received(now, call)
        call.request_waits = True
        self.write(now, call)

    def write(self, now: int, call: Call) -> None:
        if not self.is_over(call):
            call.is_unacknowledged = True
            self.sent(now, call)
            self.progress(now, call)

    def progress(self, now: int, call: Call) -> None:
        if self.is_over(call) or not call.is_open or not self.sends(call):
            return
        if self.is_suspended:
            if not call.is_address_unknown:
                # The kernel keeps datagrams for the stopped process. Data that was lost gets no
                # acknowledgment, because the process does not send it again.
                call.holds_response = call.holds_response or call.response_waits
            return
        if call.is_unacknowledged:
            if call.request_waits:
                call.request_waits = False
                if call.takes is not None:
                    self.agenda.add(now + call.takes, 2, self.respond, call)
            if not call.is_address_unknown:
                call.is_unacknowledged = False
                self.received(now, call)
            elif call.check is None:
                call.check = object()
                self.agenda.add(now + call.connect, 2, self.address_checked, call, call.check)
        if call.response_waits and not call.is_address_unknown:
            self.received(now, call)
            self.end(now, call, "OK", None)

    def address_checked(self, now: int, call: Call, check: object) -> None:
        if self.is_over(call) or call.check is not check:
            return
        if self.is_suspended or not self.sends(call):
            raise Ambiguous
        call.check = None
        call.is_address_unknown = False
        call.is_unacknowledged = False
        self.received(now, call)
        self.progress(now, call)

    def resume(self, now: int) -> None:
        self.is_suspended = False
        for call in self.started:
            if call.name in self.ends:
                continue
            if call.holds_response:
                self.end(now, call, "OK", None)
            elif call.is_lost:
                self.end(now, call, "UNAVAILABLE", "Connection timed out")
            else:
                self.progress(now, call)
                self.migrate(now, call)

    # Migration

    def migrate(self, now: int, call: Call) -> None:
        if self.is_over(call) or not self.migrates:
            return
        target = self.default
        if call.validation and call.validation[0] != target:
            call.validation = None
        if target is None or target == call.network and not call.has_old_address:
            return
        if not call.is_open or call.validation:
            raise Ambiguous
        if self.is_suspended or not self.allows_migration:
            return
        if call.spare_ids == 0:
            if self.has_ids:
                raise Ambiguous
            return
        if call.migrations.get(target, 0) >= self.maximum_migrations:
            return
        if not self.networks[target].is_alive:
            raise Ambiguous
        call.spare_ids -= 1
        call.migrations[target] = call.migrations.get(target, 0) + 1
        call.validation = (target, object())
        # A PATH_CHALLENGE is a packet too.
        self.sent(now, call)
        self.agenda.add(now + call.connect, 2, self.validated, call, call.validation)

    def validated(self, now: int, call: Call, validation: tuple[str, object]) -> None:
        if self.is_over(call) or call.validation is not validation:
            return
        if self.is_suspended or not self.networks[validation[0]].is_alive:
            raise Ambiguous
        call.validation = None
        call.network = validation[0]
        call.has_old_address = False
        call.is_address_unknown = False
        call.check = None
        call.spare_ids += 1
        self.received(now, call)
        self.progress(now, call)

    # Entries about networks

    def change(self, now: int, word: str, name: str) -> Optional[JSON]:
        network, entry = self.networks[name], {"id": name}
        met = self.open_calls(name)
        if any(not call.is_open for call in met):
            return None
        if word == "up":
            if network.is_captive or network.is_up:
                return None
            network.is_up = True
            entry["become"] = "up"
        elif word == "default":
            if network.is_captive or not network.is_up or self.default == name:
                return None
            if any(not call.is_open and not self.is_over(call) for call in self.started):
                return None
            self.default = name
            entry["become"] = "default"
            for call in self.started:
                self.migrate(now, call)
        elif word == "down":
            if not network.is_up:
                return None
            network.is_up = False
            was_default = self.default == name
            if was_default:
                self.default = None
            entry["become"] = "down"
            for call in self.started:
                if call.network == name or was_default:
                    self.migrate(now, call)
        elif word in ("captive", "validated", "uplink"):
            state = network.change(word, is_used=bool(met))
            if state is None:
                return None
            entry.update(state)
        elif not network.is_up:
            return None
        elif word == "nat" or word == "roam" and self.with_nat:
            if not met:
                return None
            if word == "nat":
                entry["nat"] = self.rng.choice(["forget", "rebind-port", "rebind-addr"])
            else:
                entry["roam"] = "new-router"
            for call in met:
                if call.validation or call.check:
                    raise Ambiguous
                call.is_address_unknown = True
        else:
            entry["roam"] = self.rng.choice(["same-address", "new-address"])
            if entry["roam"] == "new-address":
                for call in met:
                    call.has_old_address = True
                for call in met:
                    self.migrate(now, call)
        self.progress_all(now)
        return entry


def scenario(rng: random.Random, name: str) -> JSON:
    """A random scenario with its expectations."""
    profile = rng.choice(["quic", "quic", "quic-stays"])
    names = rng.sample(["lte", "home", "cafe"], rng.randint(1, 3))
    default = rng.choice(names)
    networks, declared = draw_networks(rng, names, default)
    idle = rng.choice([5_000, 12_000, 30_000])
    ids = rng.choice([1, 1, 1, 0, 3])
    maximum = rng.choice([5, 5, 1, 2])
    allows = rng.random() < 0.9
    config: JSON = {"idleTimeout": milliseconds(idle), "connectionIds": ids,
                    "maxMigrations": maximum, "migration": "allowed" if allows else "refused"}
    with_nat = rng.random() < 0.4
    words = ["nat", "nat", "roam", "uplink"] if with_nat else [
        "up", "default", "default", "down", "captive", "validated", "uplink", "roam"]
    times = Times(rng, distance=120)

    calls: dict[str, Call] = {}
    entries: list[Entry] = []
    for number in range(rng.randint(1, 3)):
        kind = rng.choice(["unary", "bidi", "streaming"])
        call = Call(
            f"c{number}", times.draw(0, 3_000), kind,
            takes=rng.choice([10, 1_500, 4_003, 9_001, 20_007]) if kind == "unary" else None,
            connect=rng.choice([10, 20, 50, 100]), spare_ids=ids)
        calls[call.name] = call
        entries += draw_call_entries(rng, times, call, maximum_sends=4, latest=25_000)
    if rng.random() < 0.3:
        entries += draw_suspension(times, 2_000, 150, entries)
    for _ in range(rng.randint(1, 6)):
        entries.append((times.draw(400, 18_000), rng.choice(words), rng.choice(names), {}))

    run = Run(rng, networks, default, profile == "quic", allows, maximum, ids > 0, idle, with_nat)
    timeline = run.play(entries, calls)
    return document(name, profile, declared, list(calls.values()),
                    {"quic": config, "until": "100s"}, timeline, run.ends)
