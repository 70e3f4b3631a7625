"""Receives WebSocket messages with Tornado. Usage: tornado-socket.py [remedy]"""
import asyncio
import sys

from tornado.websocket import websocket_connect

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(ping_interval=2, ping_timeout=1)


async def main():
    while True:
        try:
            socket = await websocket_connect("ws://api.example/", **OPTIONS)
            while (message := await socket.read_message()) is not None:
                print(message, flush=True)
        except OSError as error:
            print(error, flush=True)
        await asyncio.sleep(0.2)


asyncio.run(main())
