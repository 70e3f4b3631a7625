"""A minimal STOMP server, which sends a message every 300 ms after a subscription.

Usage: stomp.py
"""
import asyncio


async def publish(writer):
    while True:
        writer.write(b"MESSAGE\ndestination:/queue/c\nmessage-id:1\nsubscription:1\n\nhello\0\n")
        await writer.drain()
        await asyncio.sleep(0.3)


async def serve(reader, writer):
    while True:
        frame = (await reader.readuntil(b"\0")).lstrip()
        if frame.startswith((b"CONNECT", b"STOMP")):
            # The messages are more frequent than any heartbeat that a client requests.
            writer.write(b"CONNECTED\nversion:1.1\nheart-beat:1000,1000\n\n\0\n")
        elif frame.startswith(b"SUBSCRIBE"):
            asyncio.ensure_future(publish(writer))


async def main():
    server = await asyncio.start_server(serve, None, 61613)
    await server.serve_forever()


asyncio.run(main())
