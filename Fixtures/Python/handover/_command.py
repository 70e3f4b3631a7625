"""Finds the command that the wheel installs."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

NAME = "handover"
#: The environment variable that names another command.
VARIABLE = "HANDOVER_COMMAND"


class CommandNotFound(Exception):
    """The command is not installed."""


def find_command() -> str:
    """Returns the path of the command.

    The command of the same installation comes first, because one in PATH may have another version.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not is_executable(Path(named)):
            raise CommandNotFound(f"{VARIABLE} names no executable file: {named}")
        return named
    # `pip install --target` puts scripts into a folder next to the package.
    folders = [Path(sysconfig.get_path("scripts")), Path(__file__).parent.parent / "bin"]
    user_scheme = sysconfig.get_preferred_scheme("user") if hasattr(
        sysconfig, "get_preferred_scheme") else f"{os.name}_user"
    folders.append(Path(sysconfig.get_path("scripts", user_scheme)))
    for folder in folders:
        if is_executable(folder / NAME):
            return str(folder / NAME)
    found = shutil.which(NAME)
    if found:
        return found
    raise CommandNotFound(
        f"The command {NAME} is not installed. Install the wheel again, or set {VARIABLE} to its "
        "path.")


def is_executable(path: Path) -> bool:
    """Returns whether a path is a file that may be executed."""
    return path.is_file() and os.access(path, os.X_OK)
