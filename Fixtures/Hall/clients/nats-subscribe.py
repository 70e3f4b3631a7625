"""Subscribes to a subject with nats-py. Usage: nats-subscribe.py [remedy]"""
import asyncio
import sys

import nats

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(ping_interval=1, max_outstanding_pings=2)


async def report(error=None):
    print(repr(error), flush=True)


async def main():
    client = await nats.connect("nats://api.example:4222", error_cb=report,
                                disconnected_cb=report, **OPTIONS)
    subscription = await client.subscribe("c")
    async for message in subscription.messages:
        print(message.data, flush=True)


asyncio.run(main())
