"""Tests what happens to a network client's connections when the network under it changes.

`network` makes a lab in which a test starts programs and changes the network step by step. The
fixture `handover` of the pytest plugin does the same for tests.
"""

from handover._command import CommandNotFound, find_command
from handover._lab import (
    Connection,
    LabError,
    LabUnavailable,
    Network,
    Observation,
    Outage,
    Program,
    network,
)

__all__ = [
    "CommandNotFound",
    "Connection",
    "LabError",
    "LabUnavailable",
    "Network",
    "Observation",
    "Outage",
    "Program",
    "find_command",
    "network",
]
