"""A QUIC server that sends a line every 300 ms on each stream. It needs aioquic.

Usage: quic.py FOLDER, which contains the certificate quic.pem and its key quic.key.
"""
import asyncio
import sys

from aioquic.asyncio import serve
from aioquic.quic.configuration import QuicConfiguration


async def drip(writer):
    while True:
        writer.write(b"hello\n")
        await asyncio.sleep(0.3)


async def main():
    configuration = QuicConfiguration(is_client=False, alpn_protocols=["drip"])
    configuration.load_cert_chain(f"{sys.argv[1]}/quic.pem", f"{sys.argv[1]}/quic.key")
    await serve("::", 4433, configuration=configuration,
                stream_handler=lambda _, writer: asyncio.ensure_future(drip(writer)))
    await asyncio.Event().wait()


asyncio.run(main())
