"""Reads the output of a remote command with AsyncSSH. Usage: asyncssh-shell.py KEY [remedy]"""
import asyncio
import sys

import asyncssh

OPTIONS = {}
if "remedy" in sys.argv:
    OPTIONS = dict(keepalive_interval=1, keepalive_count_max=2)


async def main():
    while True:
        try:
            async with asyncssh.connect("api.example", username="root", known_hosts=None,
                                        client_keys=sys.argv[1], **OPTIONS) as connection:
                command = "while sleep 0.3; do date; done"
                async with connection.create_process(command) as process:
                    async for line in process.stdout:
                        print(line, flush=True)
        except (OSError, asyncssh.Error) as error:
            print(repr(error), flush=True)
        await asyncio.sleep(0.2)


asyncio.run(main())
