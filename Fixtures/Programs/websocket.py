"""Reads messages of a WebSocket, and connects again after 3 s without a byte.

Usage: websocket.py HOST [tls]
"""
import base64
import os
import socket
import ssl
import sys
import time

host = sys.argv[1]


def exactly(stream, count):
    data = b""
    while len(data) < count:
        more = stream.recv(count - len(data))
        if not more:
            raise OSError("the server closed the connection")
        data += more
    return data


def connected():
    if "tls" not in sys.argv:
        return socket.create_connection((host, 80), 3)
    wire = socket.create_connection((host, 443), 3)
    try:
        return ssl.create_default_context().wrap_socket(wire, server_hostname=host)
    except OSError:
        wire.close()
        raise


def listen():
    with connected() as stream:
        key = base64.b64encode(os.urandom(16)).decode()
        stream.sendall((f"GET /ticks HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\n"
                        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += exactly(stream, 1)
        while True:
            length = exactly(stream, 2)[1]
            print(exactly(stream, length).decode(), flush=True)


while True:
    try:
        listen()
    except OSError as error:
        print("again:", error, flush=True)
        time.sleep(0.2)
