"""Reads the output of a remote command with Paramiko. Usage: paramiko-shell.py KEY [remedy]"""
import sys
import time

import paramiko

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(timeout=3)

while True:
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try:
        client.connect("api.example", username="root", key_filename=sys.argv[1])
        _, output, _ = client.exec_command("while sleep 0.3; do date; done", **OPTIONS)
        for line in output:
            print(line, flush=True)
    except (OSError, paramiko.SSHException) as error:
        print(repr(error), flush=True)
    client.close()
    time.sleep(0.2)
