"""Waits ten times longer after each loss of a connection, and never forgets a loss."""
from stream import FIXED, connected, read, subscribe, wait

pause = 0.2
while True:
    try:
        with connected() as wire:
            if not FIXED:
                pause *= 10
            subscribe(wire)
            read(wire)
    except OSError as error:
        print(error, flush=True)
    wait(pause / 10 if pause > 0.2 else 0.2)
