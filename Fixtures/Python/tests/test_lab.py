"""Tests the lab of the Python package with programs that behave badly."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import handover as package

#: A client that waits for a stream without a limit.
PATIENT = """
import urllib.request
with urllib.request.urlopen("http://api.example/drip") as stream:
    while stream.readline(): pass
"""
#: A client that starts another stream after 1.5 s without data.
IMPATIENT = """
import time, urllib.request
while True:
    try:
        with urllib.request.urlopen("http://api.example/drip", timeout=1.5) as stream:
            while stream.readline(): pass
    except OSError:
        time.sleep(0.2)
"""
#: The maximum time in seconds to wait for something that happens soon.
GUARD = 120


def client(text):
    return [sys.executable, "-c", text]


def process_ids(marker):
    """Returns the processes whose environment contains a marker."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if marker.encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
    return found


def wait_for(condition):
    end = time.monotonic() + GUARD
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_client_that_hangs_is_found(handover):
    with handover.network("cellular") as net:
        net.run(client(PATIENT))
        net.wait_for_data()
        net.move("wifi")
        with pytest.raises(AssertionError, match="no data arrived within 3 s"):
            net.assert_recovers(within=3)


def test_limit_of_attempts(handover):
    with handover.network() as net:
        net.run(client(IMPATIENT))
        net.wait_for_data()
        net.move("hotspot")
        assert net.assert_recovers(within=GUARD).attempts >= 1
        with pytest.raises(AssertionError, match="more than 0"):
            net.assert_recovers(within=GUARD, attempts=0)
        with pytest.raises(AssertionError, match="not within 0 s"):
            net.assert_recovers(within=0)


def test_program_that_ends_at_once(handover):
    with handover.network() as net:
        state = net.run(["sh", "-c", "echo words; exit 7"]).wait()
        assert (state.running, state.status, state.signal) == (False, 7, None)
        assert state.output == "words\n"
        net.move("cellular")
        with pytest.raises(AssertionError, match="call wait_for_data"):
            net.assert_recovers()
        with pytest.raises(AssertionError, match="waited 0.2 s for data"):
            net.wait_for_data(timeout=0.2)


def test_program_that_ends_after_the_change(handover):
    with handover.network() as net:
        net.run(client(PATIENT))
        net.wait_for_data()
        net.move("kill")
        with pytest.raises(AssertionError, match="the program ended"):
            net.assert_recovers()


def test_program_that_does_not_exist(handover):
    with handover.network() as net:
        with pytest.raises(package.LabError, match="no-such-program"):
            net.run(["no-such-program"])
        assert net.run(["true"]).wait().status == 0


def test_program_that_floods(handover):
    with handover.network() as net:
        program = net.run(["yes"])
        program.wait_for_output("y\n" * 4_096)
        program.stop()
        assert not program.state.running


def test_program_that_forks_away(handover):
    marker = f"HANDOVER_TEST_MARKER={os.getpid()}-forks"
    name, value = marker.split("=")
    with handover.network() as net:
        net.run(["sh", "-c", "setsid sleep 3600 & exit 0"], env={name: value}).wait()
        net.wait_until(lambda seen: seen.processes == 1)
        assert process_ids(marker)
    wait_for(lambda: not process_ids(marker))


def test_unknown_names(handover):
    with handover.network() as net:
        with pytest.raises(package.LabError, match="unknown move"):
            net.move("mars")
        with pytest.raises(package.LabError, match="invalid condition"):
            net.quality("wifi:slow")


def test_invalid_option(handover):
    with pytest.raises(package.LabError, match="mars"):
        handover.network("mars").open()


def test_server_of_the_user(handover):
    server = f"{sys.executable} -m http.server --bind :: 9000"
    with handover.network(server=server) as net:
        program = net.run(client(
            "import urllib.request\n"
            "print(urllib.request.urlopen('http://own.example:9000').status)"))
        assert program.wait().output == "200\n"


def test_server_that_fails(handover):
    with pytest.raises(package.LabError, match="broken") as caught:
        handover.network(server="echo broken; exit 1").open()
    assert not isinstance(caught.value, package.LabUnavailable)


def test_lab_whose_time_is_over(handover):
    with handover.network(until="1s") as net:
        with pytest.raises(package.LabError, match="the time of --until is over"):
            net.wait_until(lambda seen: False, GUARD)


def test_lab_that_is_killed(handover):
    net = handover.network()
    net.open()
    net._process.kill()
    with pytest.raises(package.LabError, match="the lab has ended"):
        while True:
            net.observe()
    net.close()
    with pytest.raises(package.LabError, match="not open"):
        net.observe()


def test_without_pytest():
    text = (
        "import handover\n"
        "with handover.network() as net:\n"
        "    print(net.run(['true']).wait().status)\n")
    done = subprocess.run(client(text), check=True, text=True, stdout=subprocess.PIPE)
    assert done.stdout == "0\n"


def test_killed_test_run_leaves_nothing(tmp_path):
    marker = f"HANDOVER_TEST_MARKER={os.getpid()}-killed"
    name, value = marker.split("=")
    test = tmp_path / "test_endless.py"
    test.write_text(
        "import pathlib\n"
        "def test(handover):\n"
        "    with handover.network() as net:\n"
        "        net.run(['sleep', '3600'])\n"
        f"        pathlib.Path({str(tmp_path / 'there')!r}).touch()\n"
        "        net.wait_until(lambda seen: False, 3600)\n")
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", str(test)], env={**os.environ, name: value},
        stdout=subprocess.DEVNULL)
    wait_for((tmp_path / "there").exists)
    run.kill()
    run.wait()
    wait_for(lambda: not process_ids(marker))
