"""Subscribes some time after it has connected, but not if the connection before ended early."""
from stream import FIXED, connected, read, subscribe, wait

is_pending = False
while True:
    try:
        with connected() as wire:
            was_pending, is_pending = is_pending, True
            wire.settimeout(0.5)
            try:
                if not wire.recv(1):
                    raise ConnectionError("the server ended the connection")
            except TimeoutError:
                pass
            if was_pending and not FIXED:
                wire.settimeout(None)
            else:
                wire.settimeout(1.5)
                subscribe(wire)
                is_pending = False
            read(wire)
    except OSError as error:
        print(error, flush=True)
    wait()
