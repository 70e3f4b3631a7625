"""A minimal AMQP 0-9-1 broker, which delivers a message every 300 ms to each consumer.

The broker proposes a heartbeat of 60 s, as RabbitMQ does. It needs pamqp. Usage: amqp.py
"""
import asyncio

from pamqp import body, commands, frame, header, heartbeat


async def repeat(writer, seconds, *frames):
    while True:
        await asyncio.sleep(seconds)
        for channel, value in frames:
            writer.write(frame.marshal(value, channel))
        await writer.drain()


def answers(request, channel):
    """Returns the answers to a method of a client."""
    if isinstance(request, commands.Connection.StartOk):
        return [commands.Connection.Tune(2047, 131072, 60)]
    if isinstance(request, commands.Connection.Open):
        return [commands.Connection.OpenOk()]
    if isinstance(request, commands.Channel.Open):
        return [commands.Channel.OpenOk()]
    if isinstance(request, commands.Queue.Declare):
        return [commands.Queue.DeclareOk(request.queue, 0, 1)]
    if isinstance(request, commands.Basic.Qos):
        return [commands.Basic.QosOk()]
    if isinstance(request, commands.Basic.Consume):
        return [commands.Basic.ConsumeOk(request.consumer_tag)]
    if isinstance(request, commands.Confirm.Select):
        return [commands.Confirm.SelectOk()]
    return []


async def serve(reader, writer):
    await reader.readexactly(8)
    start = commands.Connection.Start(
        server_properties={"capabilities": {"publisher_confirms": True}})
    writer.write(frame.marshal(start, 0))
    while True:
        head = await reader.readexactly(7)
        data = head + await reader.readexactly(int.from_bytes(head[3:7], "big") + 1)
        _, channel, request = frame.unmarshal(data)
        for answer in answers(request, channel):
            writer.write(frame.marshal(answer, channel))
        if isinstance(request, commands.Connection.TuneOk) and request.heartbeat:
            asyncio.ensure_future(
                repeat(writer, request.heartbeat / 2, (0, heartbeat.Heartbeat())))
        if isinstance(request, commands.Basic.Consume):
            deliver = commands.Basic.Deliver(request.consumer_tag, 1, False, "", "q")
            head = header.ContentHeader(body_size=5, properties=commands.Basic.Properties())
            asyncio.ensure_future(repeat(writer, 0.3, (channel, deliver), (channel, head),
                                         (channel, body.ContentBody(b"hello"))))


async def main():
    server = await asyncio.start_server(serve, None, 5672)
    await server.serve_forever()


asyncio.run(main())
