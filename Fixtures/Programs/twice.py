"""Reads server-sent events, and subscribes twice after 3 s without a byte.

Usage: twice.py HOST

The second subscription is the mistake that this program shows: each event then arrives twice.
"""
import select
import socket
import sys
import time


def subscribe():
    stream = socket.create_connection((sys.argv[1], 80), 3)
    stream.sendall(b"GET /drip HTTP/1.1\r\nHost: " + sys.argv[1].encode() + b"\r\n\r\n")
    return stream


streams = [subscribe()]
while True:
    ready = select.select(streams, [], [], 3)[0]
    for stream in ready:
        stream.recv(4096)
    if ready:
        continue
    for stream in streams:
        stream.close()
    streams = []
    while len(streams) < 2:
        try:
            streams.append(subscribe())
        except OSError:
            time.sleep(0.2)
