# An SSH server that accepts the key in a folder. Usage: ssh-server.sh FOLDER
mkdir -p /run/sshd
exec /usr/sbin/sshd -D -e -p 22 -f /dev/null -h "$1/host" -o AuthorizedKeysFile="$1/key.pub" \
  -o StrictModes=no -o PermitRootLogin=yes -o UsePAM=no -o PidFile=none
