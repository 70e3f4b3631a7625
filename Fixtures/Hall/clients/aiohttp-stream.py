"""Reads a stream with aiohttp. Usage: aiohttp-stream.py [remedy]"""
import asyncio
import sys

import aiohttp

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(timeout=aiohttp.ClientTimeout(total=None, sock_connect=3, sock_read=3))


async def main():
    async with aiohttp.ClientSession(**OPTIONS) as session:
        while True:
            try:
                async with session.get("http://api.example/drip") as answer:
                    async for line in answer.content:
                        print(line, flush=True)
            except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                print(repr(error), flush=True)
            await asyncio.sleep(0.2)


asyncio.run(main())
