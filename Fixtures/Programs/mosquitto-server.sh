# An MQTT broker without authentication, and a client that publishes on topic "c" every 300 ms.
folder=$(mktemp -d)
printf 'listener 1883 0.0.0.0\nallow_anonymous true\n' >"$folder/conf"
PATH=$PATH:/usr/sbin mosquitto -c "$folder/conf" >/dev/null 2>&1 &
while sleep 0.3; do echo hello; done | (sleep 1; mosquitto_pub -h 127.0.0.1 -t c -l)
