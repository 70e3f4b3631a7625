// Receives the messages of a gRPC stream, and calls again after 3 s without a message.
//
// Usage: grpc.mjs URL resume|restart
//
// With `resume`, the request contains the number of the last message in its field 1.
import http2 from "node:http2";

const [url, mode] = process.argv.slice(2);
let last = 0;

function varint(number) {
  const bytes = [];
  for (; number >= 0x80; number >>= 7) bytes.push((number & 0x7f) | 0x80);
  return [...bytes, number];
}

function parsed(bytes) {
  return bytes.reduce((sum, byte, place) => sum | ((byte & 0x7f) << (7 * place)), 0);
}

function call() {
  const session = http2.connect(url);
  let timer;
  let isOver = false;
  const again = () => {
    clearTimeout(timer);
    if (isOver) return;
    isOver = true;
    session.destroy();
    setTimeout(call, 200);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(again, 3000);
  };
  session.on("error", again);
  const stream = session.request({
    ":method": "POST", ":path": "/ticks.Ticker/Drip", "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", again);
  const content = mode === "resume" && last > 0 ? [8, ...varint(last)] : [];
  stream.end(Buffer.from([0, 0, 0, 0, content.length, ...content]));
  let rest = Buffer.alloc(0);
  stream.on("data", (part) => {
    wait();
    rest = Buffer.concat([rest, part]);
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const length = rest.readUInt32BE(1);
      last = parsed([...rest.subarray(6, 5 + length)]);
      console.log("message", last);
      rest = rest.subarray(5 + length);
    }
  });
  wait();
}

call();
