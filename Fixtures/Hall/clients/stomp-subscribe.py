"""Subscribes to a destination with stomp.py. Usage: stomp-subscribe.py [remedy]"""
import sys
import time

import stomp

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(heartbeats=(2000, 2000))


class Printer(stomp.ConnectionListener):
    def on_message(self, frame):
        print(frame.body, flush=True)

    def on_heartbeat_timeout(self):
        print("heartbeat timeout", flush=True)


connection = stomp.Connection([("api.example", 61613)], **OPTIONS)
connection.set_listener("", Printer())
while True:
    try:
        if not connection.is_connected():
            connection.connect(wait=True)
            connection.subscribe("/queue/c", id="1")
    except stomp.exception.StompException as error:
        print(repr(error), flush=True)
    time.sleep(0.2)
