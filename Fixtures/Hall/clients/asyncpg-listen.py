"""Listens for notifications with asyncpg. Usage: asyncpg-listen.py [remedy]"""
import asyncio
import sys

import asyncpg


async def main():
    while True:
        try:
            connection = await asyncpg.connect(host="api.example", user="a", ssl=False)
            await connection.add_listener("c", lambda *words: print(words[3], flush=True))
            while not connection.is_closed():
                await asyncio.sleep(1)
                if "remedy" in sys.argv:
                    await connection.execute("SELECT 1", timeout=2)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError,
                asyncio.TimeoutError) as error:
            print(repr(error), flush=True)
            connection.terminate()
        await asyncio.sleep(0.2)


asyncio.run(main())
