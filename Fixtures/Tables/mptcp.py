"""A server and a client of Multipath TCP, which send lines each 200 ms.

Usage: mptcp.py server | client [endpoints]

With `endpoints`, the client uses its addresses on both networks from the start. The kernel then
opens a second subflow. Without it, the kernel knows the address of the first subflow only.
"""
import json
import socket
import subprocess
import sys
import threading
import time

MPTCP = socket.IPPROTO_MPTCP if hasattr(socket, "IPPROTO_MPTCP") else 262


def serve():
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, MPTCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", 9000))
    listener.listen()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=drip, args=(connection,), daemon=True).start()


def drip(connection):
    try:
        while True:
            connection.send(b"hello\n")
            time.sleep(0.2)
    except OSError as error:
        print(error, flush=True)


def add_endpoints():
    subprocess.run(["ip", "mptcp", "limits", "set", "subflow", "4", "add_addr_accepted", "4"],
                   check=True)
    listed = subprocess.run(["ip", "-4", "-j", "address"], capture_output=True, check=True)
    for link in json.loads(listed.stdout):
        for address in link["addr_info"]:
            if link["ifname"] in ("wlan0", "wwan0"):
                subprocess.run(["ip", "mptcp", "endpoint", "add", address["local"],
                                "dev", link["ifname"], "subflow"], check=True)


if sys.argv[1] == "server":
    serve()
if "endpoints" in sys.argv:
    add_endpoints()
client = socket.socket(socket.AF_INET, socket.SOCK_STREAM, MPTCP)
client.connect((socket.gethostbyname("api.example"), 9000))
while data := client.recv(4_096):
    print(data.decode(), end="", flush=True)
