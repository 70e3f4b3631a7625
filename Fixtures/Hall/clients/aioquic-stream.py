"""Reads a stream over QUIC with aioquic. Usage: aioquic-stream.py [remedy]"""
import asyncio
import ssl
import sys

from aioquic.asyncio import connect
from aioquic.quic.configuration import QuicConfiguration


async def ping(connection):
    while True:
        await asyncio.sleep(1)
        await connection.ping()


async def main():
    while True:
        options = QuicConfiguration(alpn_protocols=["drip"], verify_mode=ssl.CERT_NONE)
        try:
            async with connect("api.example", 4433, configuration=options) as connection:
                reader, writer = await connection.create_stream()
                writer.write(b"hello\n")
                if "remedy" in sys.argv:
                    pings = asyncio.ensure_future(ping(connection))
                while line := await reader.readline():
                    print(line, flush=True)
        except OSError as error:
            print(repr(error), flush=True)
        await asyncio.sleep(0.2)


asyncio.run(main())
