#!/usr/bin/env python3
"""Gets http://api.example/ once, with the HTTP library that the argument names.

usage: get.py urllib|requests|httpx|grpcio|asyncio|asyncio-happy
"""

import asyncio
import sys

URL = "http://api.example/"


async def connect(**options):
    reader, writer = await asyncio.open_connection("api.example", 80, **options)
    writer.write(b"GET / HTTP/1.0\r\nHost: api.example\r\n\r\n")
    await reader.read()
    writer.close()


if sys.argv[1] == "urllib":
    import urllib.request

    urllib.request.urlopen(URL).read()
elif sys.argv[1] == "requests":
    import requests

    requests.get(URL)
elif sys.argv[1] == "httpx":
    import httpx

    httpx.get(URL)
elif sys.argv[1] == "grpcio":
    import grpc

    # The server does not speak HTTP/2, so only the connection attempts count.
    grpc.channel_ready_future(grpc.insecure_channel("api.example:80")).result(timeout=5)
elif sys.argv[1] == "asyncio":
    asyncio.run(connect())
else:
    asyncio.run(connect(happy_eyeballs_delay=0.25))
