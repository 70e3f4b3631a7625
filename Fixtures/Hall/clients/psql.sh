# Repeats a query with psql, and connects again after an end. Usage: psql.sh CONNINFO
while :; do
  echo 'select 1 \watch 0.5' | psql "$1"
  sleep 0.2
done
