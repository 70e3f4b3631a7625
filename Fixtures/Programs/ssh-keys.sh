# Creates the keys of an SSH server and of its user. Usage: ssh-keys.sh FOLDER
for name in host key; do
  [ -e "$1/$name" ] || ssh-keygen -q -t ed25519 -N '' -f "$1/$name"
done
