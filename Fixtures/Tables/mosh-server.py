"""Starts mosh-server, and sends its key to each client that connects to TCP port 60000.

Usage: mosh-server.py
"""
import os
import re
import socket
import subprocess

started = subprocess.run(["mosh-server", "new", "-i", "0.0.0.0", "-p", "60001", "--", "cat"],
                         env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True, text=True,
                         check=True)
key = re.search(r"MOSH CONNECT 60001 (\S+)", started.stdout).group(1)
listener = socket.create_server(("0.0.0.0", 60000))
while True:
    connection, _ = listener.accept()
    connection.sendall(key.encode())
    connection.close()
