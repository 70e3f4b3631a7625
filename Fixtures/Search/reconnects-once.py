"""Replaces its first connection when that fails, and no later one."""
from stream import FIXED, connected, read, stop, subscribe, wait

connections = 0
while True:
    try:
        with connected() as wire:
            connections += 1
            subscribe(wire)
            read(wire)
    except OSError as error:
        print(error, flush=True)
    if connections >= 2 and not FIXED:
        stop()
    wait()
