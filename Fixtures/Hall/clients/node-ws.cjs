// Receives messages with ws. Usage: node-ws.cjs [remedy]
const WebSocket = require('ws');

function connect() {
  const socket = new WebSocket('ws://api.example/');
  let answered = true;
  const timer = setInterval(() => {
    if (!process.argv.includes('remedy') || socket.readyState !== WebSocket.OPEN) return;
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, 1000);
  socket.on('pong', () => { answered = true; });
  socket.on('message', (data) => console.log(String(data)));
  socket.on('error', (error) => console.log(error.message));
  socket.on('close', () => {
    clearInterval(timer);
    setTimeout(connect, 200);
  });
}

connect();
