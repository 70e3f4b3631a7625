# Opens a page in Chromium, which has its own list of authorities. Usage: page.sh FILE
exec chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-sync \
  --disable-background-networking --disable-component-update --ignore-certificate-errors \
  --remote-debugging-port=9222 --user-data-dir="$(mktemp -d)" "file://$1"
