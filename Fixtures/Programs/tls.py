"""Accepts TLS connections, and forwards their bytes to another port of this machine.

Usage: tls.py FOLDER PORT TARGET. The folder contains the certificate tls.pem and its key tls.key.
"""
import asyncio
import ssl
import sys

folder, port, target = sys.argv[1:]


async def forward(reader, writer):
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def serve(reader, writer):
    try:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", int(target))
    except OSError:
        writer.close()
        return
    await asyncio.gather(forward(reader, inner_writer), forward(inner_reader, writer))


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/tls.pem", f"{folder}/tls.key")
    server = await asyncio.start_server(serve, None, int(port), ssl=context)
    await server.serve_forever()


asyncio.run(main())
