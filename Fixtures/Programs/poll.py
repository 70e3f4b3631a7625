"""Sends requests repeatedly over one connection, with a timeout of 3 s for each answer.

Usage: poll.py HOST [tls]
"""
import http.client
import sys
import time

kind = http.client.HTTPSConnection if "tls" in sys.argv else http.client.HTTPConnection
while True:
    connection = kind(sys.argv[1], timeout=3)
    try:
        while True:
            connection.request("GET", "/poll/1")
            print(connection.getresponse().read(), flush=True)
    except (OSError, http.client.HTTPException) as error:
        print(error, flush=True)
    connection.close()
    time.sleep(0.2)
