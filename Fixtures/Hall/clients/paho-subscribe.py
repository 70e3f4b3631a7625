"""Subscribes to a topic with paho-mqtt. Usage: paho-subscribe.py [remedy]"""
import sys

import paho.mqtt.client as mqtt

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(keepalive=2)

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect = lambda client, *_: client.subscribe("c")
client.on_message = lambda _, __, message: print(message.payload, flush=True)
client.on_disconnect = lambda *reasons: print(reasons[3], flush=True)
client.connect("api.example", **OPTIONS)
client.loop_forever()
