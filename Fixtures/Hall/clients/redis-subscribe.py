"""Subscribes to a channel with redis-py. Usage: redis-subscribe.py [remedy]"""
import socket
import sys
import time

import redis

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(socket_keepalive=True, socket_connect_timeout=3, socket_keepalive_options={
        socket.TCP_KEEPIDLE: 1, socket.TCP_KEEPINTVL: 1, socket.TCP_KEEPCNT: 2})

subscription = redis.Redis("api.example", **OPTIONS).pubsub()
subscription.subscribe("c")
while True:
    try:
        for message in subscription.listen():
            print(message["data"], flush=True)
    except redis.RedisError as error:
        print(repr(error), flush=True)
    time.sleep(0.2)
