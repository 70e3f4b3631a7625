"""Receives messages with websocket-client. Usage: websocket-client-socket.py [remedy]"""
import sys

import websocket

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(ping_interval=2, ping_timeout=1)

app = websocket.WebSocketApp(
    "ws://api.example/",
    on_message=lambda _, message: print(message, flush=True),
    on_error=lambda _, error: print(error, flush=True))
while True:
    app.run_forever(reconnect=1, **OPTIONS)
