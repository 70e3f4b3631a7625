"""Subscribes to a topic with gmqtt. Usage: gmqtt-subscribe.py [remedy]"""
import asyncio
import sys

from gmqtt import Client

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(keepalive=2)


async def received(client, topic, payload, qos, properties):
    print(payload, flush=True)
    return 0


async def main():
    client = Client("handover")
    client.on_connect = lambda client, *_: client.subscribe("c")
    client.on_message = received
    client.on_disconnect = lambda *_: print("disconnected", flush=True)
    await client.connect("api.example", **OPTIONS)
    await asyncio.Event().wait()


asyncio.run(main())
