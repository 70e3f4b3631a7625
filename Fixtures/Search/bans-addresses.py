"""Bans an address of the device when the device leaves it, and never uses the address again."""
import socket

from stream import FIXED, connected, subscribe, wait


def address():
    """Returns the address from which the device sends now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]


current, banned = None, set()
while True:
    try:
        now = address()
        if current and now != current:
            banned.add(current)
        current = now
        if now in banned and not FIXED:
            raise OSError(f"{now} is banned")
        with connected() as wire:
            subscribe(wire)
            while address() == current and wire.recv(4096):
                pass
    except OSError as error:
        print(error, flush=True)
    wait()
