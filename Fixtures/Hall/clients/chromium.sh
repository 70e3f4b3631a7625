# Opens a page in Chromium with a profile of its own. Usage: chromium.sh FILE [remedy]
exec chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-sync \
  --disable-background-networking --disable-component-update --remote-debugging-port=9222 \
  --user-data-dir="$(mktemp -d)" "file://$PWD/$1${2:+?$2}"
