"""Sends a datagram to an echo server every 300 ms from an unbound socket, ignoring the answers.

Usage: udp.py HOST
"""
import socket
import sys
import time

address = (socket.gethostbyname(sys.argv[1]), 7)
wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
wire.settimeout(0.3)
number = 0
while True:
    number += 1
    before = time.monotonic()
    try:
        wire.sendto(b"%d" % number, address)
        print(wire.recv(100), flush=True)
    except OSError as error:
        print(error, flush=True)
    time.sleep(max(0, before + 0.3 - time.monotonic()))
