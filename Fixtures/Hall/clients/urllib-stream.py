"""Reads a stream with urllib. Usage: urllib-stream.py [remedy]"""
import http.client
import sys
import time
import urllib.request

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(timeout=3)

while True:
    try:
        with urllib.request.urlopen("http://api.example/drip", **OPTIONS) as answer:
            for line in answer:
                print(line, flush=True)
    except (OSError, http.client.HTTPException) as error:
        print(error, flush=True)
    time.sleep(0.2)
