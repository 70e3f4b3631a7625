// Reads a stream with node:http2. Usage: node-http2.mjs [remedy]
import http2 from 'node:http2';

function read() {
  const session = http2.connect('http://api.example:50051');
  if (process.argv.includes('remedy')) {
    session.setTimeout(3000, () => session.destroy());
  }
  session.on('error', (error) => console.log(error.message));
  session.on('close', () => setTimeout(read, 200));
  const request = session.request({ ':path': '/drip' });
  request.on('data', (data) => process.stdout.write(data));
  request.on('error', (error) => console.log(error.message));
  request.end();
}

read();
