"""Receives messages with websockets. Usage: websockets-socket.py [remedy]"""
import asyncio
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(ping_interval=1, ping_timeout=2, close_timeout=1)


async def main():
    async for socket in connect("ws://api.example/", **OPTIONS):
        try:
            async for message in socket:
                print(message, flush=True)
        except ConnectionClosed as error:
            print(error, flush=True)


asyncio.run(main())
