"""Exits when its connections are refused three times in a row."""
import sys

from stream import FIXED, connected, read, subscribe, wait

refused = 0
while True:
    try:
        with connected() as wire:
            refused = 0
            subscribe(wire)
            read(wire)
    except ConnectionRefusedError as error:
        refused += 1
        if refused == 3 and not FIXED:
            sys.exit(str(error))
    except OSError as error:
        print(error, flush=True)
    wait()
