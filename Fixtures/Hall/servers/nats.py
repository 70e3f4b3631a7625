"""A minimal NATS server, which publishes on the subscribed subject every 300 ms. Usage: nats.py"""
import asyncio
import json

INFO = json.dumps({"server_id": "lab", "version": "2.9.0", "max_payload": 1048576, "headers": True})


async def publish(writer, subject, identifier):
    while True:
        writer.write(f"MSG {subject} {identifier} 5\r\nhello\r\n".encode())
        await writer.drain()
        await asyncio.sleep(0.3)


async def serve(reader, writer):
    writer.write(f"INFO {INFO}\r\n".encode())
    while line := await reader.readline():
        words = line.decode().split()
        if words[0] == "PING":
            writer.write(b"PONG\r\n")
        elif words[0] == "SUB":
            asyncio.ensure_future(publish(writer, words[1], words[-1]))


async def main():
    server = await asyncio.start_server(serve, None, 4222)
    await server.serve_forever()


asyncio.run(main())
