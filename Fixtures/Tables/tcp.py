#!/usr/bin/env python3
"""Measures when the kernel gives up a TCP connection whose packets are lost.

usage: tcp.py syn|idle|busy [user_timeout=MS] [keepalive=IDLE/INTERVAL/COUNT]

syn connects to a server that does not answer. idle and busy connect to a server whose packets are
lost 3 s after the start of the lab. idle sends nothing. busy receives a stream, and sends data
after the packets are lost. The last line is the error and the seconds since the connection attempt
(syn), since the connection was established (idle), or since the data was sent (busy).
"""

import errno
import select
import socket
import sys
import time

# The connection is established shortly before the packets are lost, so that no keepalive probe is
# answered before.
CONNECT_AT = {"syn": 0, "idle": 2.3, "busy": 1.5}
#: The packets are certainly lost by this time.
LOST_AT = 3.8


def main():
    began = time.monotonic()
    mode, options = sys.argv[1], dict(part.split("=") for part in sys.argv[2:])
    time.sleep(CONNECT_AT[mode])
    connection = socket.socket()
    if "user_timeout" in options:
        milliseconds = int(options["user_timeout"])
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    if "keepalive" in options:
        idle, interval, count = map(int, options["keepalive"].split("/"))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, idle)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, interval)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, count)
    start = time.monotonic()
    try:
        connection.connect(("192.0.2.7", 80))
    except OSError as error:
        return report(error.errno, start)
    start = time.monotonic()
    if mode == "busy":
        connection.send(b"GET /stream HTTP/1.1\r\nHost: api.example\r\n\r\n")
        connection.setblocking(False)
        while time.monotonic() < began + LOST_AT:
            select.select([connection], [], [], 0.1)
            try:
                connection.recv(65536)
            except BlockingIOError:
                pass
        start = time.monotonic()
        connection.send(b"late")
    poll = select.poll()
    poll.register(connection, 0)
    poll.poll()
    report(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), start)


def report(error, start):
    print(errno.errorcode.get(error, error), round(time.monotonic() - start, 2), flush=True)


main()
