"""Runs the command, for `python -m handover`."""

import os
import sys

from handover._command import CommandNotFound, find_command

try:
    command = find_command()
except CommandNotFound as error:
    sys.exit(str(error))
os.execv(command, [command, *sys.argv[1:]])
