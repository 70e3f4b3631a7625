"""Receives WebSocket messages with aiohttp. Usage: aiohttp-socket.py [remedy]"""
import asyncio
import sys

import aiohttp

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(heartbeat=2)


async def main():
    async with aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.ws_connect("ws://api.example/", **OPTIONS) as socket:
                    async for message in socket:
                        print(message.data, flush=True)
            except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                print(repr(error), flush=True)
            await asyncio.sleep(0.2)


asyncio.run(main())
