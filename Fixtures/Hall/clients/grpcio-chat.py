"""Sends messages on a bidirectional call with grpcio. Usage: grpcio-chat.py [remedy]"""
import sys
import time

import grpc

OPTIONS = []
if "remedy" in sys.argv:
    OPTIONS = [("grpc.keepalive_time_ms", 2000), ("grpc.keepalive_timeout_ms", 1000)]


def messages():
    while True:
        yield b"hello"
        time.sleep(0.3)


channel = grpc.insecure_channel("api.example:50051", options=OPTIONS)
while True:
    try:
        for message in channel.stream_stream("/echo.Echo/Chat")(messages()):
            print(message, flush=True)
    except grpc.RpcError as error:
        print(error.code(), error.details(), flush=True)
    time.sleep(0.2)
