"""Resets its backoff when it wakes, to a value that never grows again."""
import time

from stream import FIXED, connected, read, subscribe, wait

backoff = 0.2
while True:
    try:
        with connected() as wire:
            backoff = 0.2
            subscribe(wire)
            read(wire)
    except OSError as error:
        print(error, flush=True)
    before = time.monotonic()
    wait(max(backoff, 0.02))
    backoff = min(2, 2 * backoff)
    if time.monotonic() - before > backoff + 0.1:
        backoff = 0.2 if FIXED else 0
