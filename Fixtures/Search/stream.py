"""A stream of lines from a server, with timeouts for connecting and for reading."""
import socket
import sys
import time

#: Whether the client is to behave correctly.
FIXED = "fixed" in sys.argv


def connected():
    """Returns a new connection to the server."""
    wire = socket.create_connection(("api.example", 80), 1)
    wire.settimeout(1.5)
    return wire


def subscribe(wire):
    """Requests the stream."""
    wire.sendall(b"GET /drip HTTP/1.1\r\nHost: api.example\r\n\r\n")


def read(wire):
    """Prints the stream until it ends, and raises an OSError."""
    while data := wire.recv(4096):
        print(len(data), flush=True)
    raise ConnectionError("the server ended the stream")


def wait(seconds=0.2):
    """Waits before the next attempt."""
    time.sleep(seconds)


def stop():
    """Does nothing any more, like a program that waits for an event that never comes."""
    while True:
        time.sleep(60)
