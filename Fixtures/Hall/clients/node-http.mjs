// Reads a stream with http.get. Usage: node-http.mjs [remedy]
import http from 'node:http';

const remedy = process.argv.includes('remedy');
const options = remedy ? { timeout: 3000 } : {};

function read() {
  const request = http.get('http://api.example/drip', options, (response) => {
    response.on('data', (data) => process.stdout.write(data));
    response.on('end', again);
    response.on('error', again);
  });
  if (remedy) request.on('timeout', () => request.destroy(new Error('timeout')));
  request.on('error', (error) => request.res ?? again(error));
}

function again(error) {
  console.log(error?.message ?? 'end');
  setTimeout(read, 200);
}

read();
