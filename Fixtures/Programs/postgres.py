"""A minimal PostgreSQL server without authentication, which answers each query with one row.

A real server refuses to run as root. Usage: postgres.py
"""
import socketserver
import struct


def message(kind, body):
    return kind + struct.pack("!i", len(body) + 4) + body


READY = message(b"Z", b"I")
COLUMN = struct.pack("!h", 1) + b"n\0" + struct.pack("!ihihih", 0, 0, 23, 4, -1, 0)
ROW = struct.pack("!hi", 1, 1) + b"1"
ANSWER = (message(b"T", COLUMN) + message(b"D", ROW) + message(b"C", b"SELECT 1\0") + READY)


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            (length,) = struct.unpack("!i", self.rfile.read(4))
            (code,) = struct.unpack("!i", self.rfile.read(length - 4)[:4])
            if code == 196608:
                break
            # The client requests encryption first.
            self.wfile.write(b"N")
        self.wfile.write(message(b"R", struct.pack("!i", 0)) + READY)
        while kind := self.rfile.read(1):
            (length,) = struct.unpack("!i", self.rfile.read(4))
            self.rfile.read(length - 4)
            if kind == b"X":
                return
            self.wfile.write(ANSWER)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("0.0.0.0", 5432), Session).serve_forever()
