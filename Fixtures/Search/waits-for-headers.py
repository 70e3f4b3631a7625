"""Has a timeout for the body of an answer, but none for its headers."""
from stream import FIXED, connected, read, subscribe, wait

while True:
    try:
        with connected() as wire:
            subscribe(wire)
            if not FIXED:
                wire.settimeout(None)
            head = wire.recv(4096)
            print(len(head), flush=True)
            wire.settimeout(1.5)
            if head:
                read(wire)
    except OSError as error:
        print(error, flush=True)
    wait()
