# A Redis server, and a client that publishes on channel "c" every 300 ms.
redis-server --port 6379 --bind 0.0.0.0 --protected-mode no --save '' --daemonize no >/dev/null &
while sleep 0.3; do redis-cli -h 127.0.0.1 publish c hello >/dev/null; done
