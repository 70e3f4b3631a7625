# Creates the certificate of a TLS server and its key. Usage: tls-keys.sh FOLDER [NAME]
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=api.example \
  -addext subjectAltName=DNS:api.example -keyout "$1/${2:-tls}.key" -out "$1/${2:-tls}.pem" \
  2>"$1/openssl.log" || { cat "$1/openssl.log" >&2; exit 1; }
