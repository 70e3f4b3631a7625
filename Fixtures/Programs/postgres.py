"""A minimal PostgreSQL server without authentication, which answers each query with one row.

A real server refuses to run as root.

Usage: postgres.py [FOLDER]. With a folder, which contains tls.pem and tls.key, it supports TLS.
"""
import socketserver
import ssl
import struct
import sys


def message(kind, body):
    return kind + struct.pack("!i", len(body) + 4) + body


READY = message(b"Z", b"I")
COLUMN = struct.pack("!h", 1) + b"n\0" + struct.pack("!ihihih", 0, 0, 23, 4, -1, 0)
ROW = struct.pack("!hi", 1, 1) + b"1"
#: The number of a request for TLS, and that of the protocol.
TLS, START = 80877103, 196608
ANSWER = (message(b"T", COLUMN) + message(b"D", ROW) + message(b"C", b"SELECT 1\0") + READY)


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            (length,) = struct.unpack("!i", self.rfile.read(4))
            (code,) = struct.unpack("!i", self.rfile.read(length - 4)[:4])
            if code == START:
                break
            # The client requests encryption first.
            if code != TLS or not context:
                self.wfile.write(b"N")
                continue
            self.wfile.write(b"S")
            stream = context.wrap_socket(self.connection, server_side=True)
            self.rfile, self.wfile = stream.makefile("rb"), stream.makefile("wb", 0)
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


context = None
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{sys.argv[1]}/tls.pem", f"{sys.argv[1]}/tls.key")
Server(("0.0.0.0", 5432), Session).serve_forever()
