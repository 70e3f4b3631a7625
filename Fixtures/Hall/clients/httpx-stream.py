"""Reads a stream with httpx, over HTTP/2 if asked. Usage: httpx-stream.py [http2] [remedy]"""
import sys
import time

import httpx

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(timeout=httpx.Timeout(3))
url = "https://api.example/drip" if "http2" in sys.argv else "http://api.example/drip"

while True:
    try:
        with httpx.Client(http2="http2" in sys.argv, **OPTIONS) as client:
            with client.stream("GET", url) as answer:
                for line in answer.iter_lines():
                    print(line, flush=True)
    except httpx.HTTPError as error:
        print(repr(error), flush=True)
    time.sleep(0.2)
