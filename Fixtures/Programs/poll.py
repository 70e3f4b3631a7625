"""Sends requests repeatedly over one connection, with a timeout of 3 s for each answer.

Usage: poll.py HOST
"""
import http.client
import sys
import time

while True:
    connection = http.client.HTTPConnection(sys.argv[1], timeout=3)
    try:
        while True:
            connection.request("GET", "/poll/1")
            print(connection.getresponse().read(), flush=True)
    except (OSError, http.client.HTTPException) as error:
        print(error, flush=True)
    connection.close()
    time.sleep(0.2)
