"""Remembers forever that a lookup failed, if it failed quickly and the device had a network."""
import socket
import time

from stream import FIXED, connected, read, subscribe, wait


def has_network():
    """Returns whether the device has a default route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return probe.connect_ex(("192.0.2.1", 9)) == 0


failure = None
while True:
    begin = time.monotonic()
    try:
        if failure and not FIXED:
            raise failure
        with connected() as wire:
            subscribe(wire)
            read(wire)
    except socket.gaierror as error:
        print(error, flush=True)
        if has_network() and time.monotonic() - begin < 1:
            failure = error
    except OSError as error:
        print(error, flush=True)
    wait()
