"""Consumes a queue with pika. Usage: pika-consume.py [remedy]"""
import sys
import time

import pika
from pika.exceptions import AMQPError

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(heartbeat=2)

while True:
    try:
        connection = pika.BlockingConnection(pika.ConnectionParameters("api.example", **OPTIONS))
        for _, _, body in connection.channel().consume("q", auto_ack=True):
            print(body, flush=True)
    except (AMQPError, OSError) as error:
        print(repr(error), flush=True)
    time.sleep(0.2)
