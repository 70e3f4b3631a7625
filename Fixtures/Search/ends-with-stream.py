"""Takes the end of the stream for the end of its work."""
from stream import FIXED, connected, stop, subscribe, wait

while True:
    try:
        with connected() as wire:
            subscribe(wire)
            while data := wire.recv(4096):
                print(len(data), flush=True)
        if not FIXED:
            stop()
    except OSError as error:
        print(error, flush=True)
    wait()
