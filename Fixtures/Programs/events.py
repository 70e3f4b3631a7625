"""Reads server-sent events, and connects again after 3 s without a byte.

Usage: events.py URL resume|restart

With `resume`, the program requests the events after the last one that it received.
"""
import sys
import time
import urllib.request

url, mode = sys.argv[1:]
last = None
while True:
    headers = {"Last-Event-ID": last} if mode == "resume" and last else {}
    try:
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, timeout=3) as stream:
            for line in stream:
                if line.startswith(b"id: "):
                    last = line[4:].decode().strip()
                if line.startswith(b"data: "):
                    print("event", line[6:].decode().strip(), flush=True)
    except OSError as error:
        print("again:", error, flush=True)
        time.sleep(0.2)
