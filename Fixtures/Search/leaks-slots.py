"""Takes a slot of its pool before it connects, and does not return it if it is refused."""
from stream import FIXED, connected, read, stop, subscribe, wait

slots = 3
while True:
    if slots == 0:
        stop()
    slots -= 1
    try:
        with connected() as wire:
            subscribe(wire)
            read(wire)
    except ConnectionRefusedError as error:
        print(error, flush=True)
        if FIXED:
            slots += 1
    except OSError as error:
        print(error, flush=True)
        slots += 1
    wait()
