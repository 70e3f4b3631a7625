"""Reads a stream with requests. Usage: requests-stream.py [remedy]"""
import sys
import time

import requests

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(timeout=(3, 3))

while True:
    try:
        with requests.get("http://api.example/drip", stream=True, **OPTIONS) as answer:
            for line in answer.iter_lines():
                print(line, flush=True)
    except requests.RequestException as error:
        print(error, flush=True)
    time.sleep(0.2)
