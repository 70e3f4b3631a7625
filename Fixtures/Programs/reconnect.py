"""Reads a stream, and reconnects after 3 s without data, until the process is terminated.

Usage: reconnect.py URL
"""
import sys
import time
import urllib.request

while True:
    try:
        with urllib.request.urlopen(sys.argv[1], timeout=3) as answer:
            while line := answer.readline():
                print(line.decode().rstrip(), flush=True)
    except OSError as error:
        print(error, flush=True)
    time.sleep(0.2)
