"""Sends messages on a bidirectional call with grpclib. Usage: grpclib-chat.py [remedy]"""
import asyncio
import sys

from grpclib.client import Channel
from grpclib.const import Cardinality
from grpclib.encoding.base import CodecBase
from grpclib.exceptions import GRPCError, StreamTerminatedError

TIMEOUT = None
if "remedy" in sys.argv:
    TIMEOUT = 3


class Raw(CodecBase):
    __content_subtype__ = "proto"

    def encode(self, message, message_type):
        return message

    def decode(self, data, message_type):
        return data


async def main():
    while True:
        channel = Channel("api.example", 50051, codec=Raw())
        try:
            kind = Cardinality.STREAM_STREAM
            async with channel.request("/echo.Echo/Chat", kind, bytes, bytes) as stream:
                while True:
                    await stream.send_message(b"hello")
                    print(await asyncio.wait_for(stream.recv_message(), TIMEOUT), flush=True)
                    await asyncio.sleep(0.3)
        except (OSError, GRPCError, StreamTerminatedError, asyncio.TimeoutError) as error:
            print(repr(error), flush=True)
        channel.close()


asyncio.run(main())
