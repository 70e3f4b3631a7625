"""Consumes a queue with aio-pika. Usage: aio-pika-consume.py [remedy]"""
import asyncio
import sys

import aio_pika

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(heartbeat=2, reconnect_interval=1)


async def main():
    connection = await aio_pika.connect_robust(host="api.example", **OPTIONS)
    channel = await connection.channel()
    queue = await channel.declare_queue("q")
    async with queue.iterator(no_ack=True) as messages:
        async for message in messages:
            print(message.body, flush=True)


asyncio.run(main())
