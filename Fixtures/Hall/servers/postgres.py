"""A minimal PostgreSQL server, which notifies each client every 300 ms after LISTEN.

A real server refuses to run as root. Queries have one row without columns. Usage: postgres.py
"""
import asyncio
import struct


def message(kind, body=b""):
    return kind + struct.pack("!i", len(body) + 4) + body


READY = message(b"Z", b"I")
GREETING = b"".join([
    message(b"R", struct.pack("!i", 0)), message(b"K", struct.pack("!ii", 1, 1)),
    *(message(b"S", name + b"\0" + value + b"\0") for name, value in (
        (b"server_version", b"15.0"), (b"client_encoding", b"UTF8"), (b"TimeZone", b"UTC"),
        (b"integer_datetimes", b"on"), (b"standard_conforming_strings", b"on"))), READY])
DONE = message(b"C", b"LISTEN\0")
#: The answers to the messages of the extended query protocol.
ANSWERS = {b"P": message(b"1"), b"B": message(b"2"), b"C": message(b"3"), b"E": DONE,
           b"S": READY, b"Q": DONE + READY}


async def notify(writer):
    while True:
        await asyncio.sleep(0.3)
        writer.write(message(b"A", struct.pack("!i", 1) + b"c\0hello\0"))
        await writer.drain()


async def serve(reader, writer):
    while True:
        (length,) = struct.unpack("!i", await reader.readexactly(4))
        (code,) = struct.unpack("!i", (await reader.readexactly(length - 4))[:4])
        if code == 196608:
            break
        # The client requests encryption first.
        writer.write(b"N")
    writer.write(GREETING)
    while (kind := await reader.readexactly(1)) != b"X":
        (length,) = struct.unpack("!i", await reader.readexactly(4))
        body = await reader.readexactly(length - 4)
        if kind == b"D":
            # A statement also has parameters, of which there are none.
            parameters = message(b"t", struct.pack("!h", 0)) if body[:1] == b"S" else b""
            writer.write(parameters + message(b"n"))
        writer.write(ANSWERS.get(kind, b""))
        if kind in b"QP" and b"LISTEN" in body:
            asyncio.ensure_future(notify(writer))


async def main():
    server = await asyncio.start_server(serve, None, 5432)
    await server.serve_forever()


asyncio.run(main())
