"""Listens for notifications with psycopg. Usage: psycopg-listen.py [remedy]"""
import sys
import time

import psycopg

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(keepalives_idle=1, keepalives_interval=1, keepalives_count=2)

while True:
    try:
        with psycopg.connect("host=api.example user=a", autocommit=True, **OPTIONS) as connection:
            connection.execute("LISTEN c")
            for notification in connection.notifies():
                print(notification.payload, flush=True)
    except psycopg.Error as error:
        print(error, flush=True)
    time.sleep(0.2)
