"""Reads a stream without a timeout, and exits when it ends. Usage: drip.py URL"""
import sys
import urllib.request

with urllib.request.urlopen(sys.argv[1]) as answer:
    while line := answer.readline():
        print(line.decode().rstrip(), flush=True)
