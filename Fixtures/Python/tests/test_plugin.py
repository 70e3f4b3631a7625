"""Tests the plugin by running pytest in a folder of its own."""

import json
import os
import subprocess
import sys

import pytest

import handover

FAILING = """
import sys

def test_fails(handover):
    with handover.network("cellular") as net:
        net.run([sys.executable, "-c", "print('hello', flush=True); import time; time.sleep(60)"]
            ).wait_for_output("hello")
        net.move("wifi")
        assert False, "on purpose"
"""
PLAIN = """
def test_plain(handover):
    with handover.network() as net:
        net.move("cellular")
"""


@pytest.fixture
def powerless(tmp_path, monkeypatch):
    """Makes the plugin use a command that may not create namespaces."""
    script = tmp_path / "powerless"
    command = handover.find_command()
    # A limit of 0 is refused for every user, including root in its own user namespace.
    script.write_text(
        f"#!/bin/sh\nexec unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_net_namespaces; "
        f"exec {command} \"$@\"' - \"$@\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("HANDOVER_COMMAND", str(script))
    return str(script)


def test_report_of_a_failure(pytester):
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*on purpose*", "*- Handover -*", "network changes until *", "  * cellular", "  * wifi",
        "program 1: *", "  | hello"])


def test_report_of_a_lab_that_is_left_open(pytester):
    pytester.makepyfile(
        "def test_fails(handover):\n"
        "    net = handover.network()\n"
        "    net.open()\n"
        "    net.move('hotspot')\n"
        "    assert False\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  * hotspot"])


def test_no_report_of_a_success(pytester):
    pytester.makepyfile(PLAIN)
    result = pytester.runpytest_subprocess("-rA")
    result.assert_outcomes(passed=1)
    assert "network changes until" not in result.stdout.str()


def test_skipped_without_namespaces(pytester, powerless):
    pytester.makepyfile(PLAIN)
    result = pytester.runpytest_subprocess("-rs")
    result.assert_outcomes(skipped=1)
    doctor = subprocess.run(
        [powerless, "doctor", "-o", "json"], check=False, stdout=subprocess.PIPE)
    assert doctor.returncode == 1
    reason = json.loads(doctor.stdout)["reason"]
    assert reason.startswith("Cannot create a lab on this machine: ")
    assert reason in result.stdout.str().replace("\n", " ")


def test_fails_without_namespaces_if_a_lab_is_required(pytester, powerless):
    pytester.makepyfile(PLAIN)
    result = pytester.runpytest_subprocess("--handover-require-lab")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["Cannot create a lab on this machine: *"])


def test_marker(pytester):
    pytester.makepyfile(
        "import pytest\n"
        "@pytest.mark.handover_moves('cellular', 'nat-forgets')\n"
        "def test_move(handover, handover_move):\n"
        "    with handover.network() as net:\n"
        "        net.move(handover_move)\n")
    result = pytester.runpytest_subprocess("-v", "--strict-markers")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_move?cellular?*", "*test_move?nat-forgets?*"])


def test_move_without_marker(pytester):
    pytester.makepyfile("def test_move(handover_move): pass")
    result = pytester.runpytest_subprocess()
    assert result.ret != 0
    result.stdout.re_match_lines([".*uses handover_move and names no network change"])


def test_missing_command(pytester, monkeypatch):
    monkeypatch.setenv("HANDOVER_COMMAND", "/nonexistent/handover")
    pytester.makepyfile(PLAIN)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*HANDOVER_COMMAND names no executable file*"])


@pytest.mark.parametrize("text", [
    "exit 0", "echo nothing", "echo []", "echo '{\"kind\":\"ready\",\"v\":2}'", "exit 3",
    "echo '{\"kind\":\"ready\",\"v\":1}'; exec <&-; sleep 1",
])
def test_command_with_another_protocol(pytester, monkeypatch, tmp_path, text):
    script = tmp_path / "other"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    monkeypatch.setenv("HANDOVER_COMMAND", str(script))
    pytester.makepyfile(PLAIN)
    pytester.runpytest_subprocess().assert_outcomes(failed=1)


def test_other_tests_are_not_affected(pytester):
    pytester.makepyfile("def test_one(): pass\ndef test_two(): assert False")
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


def test_command_of_the_module():
    done = subprocess.run(
        [sys.executable, "-m", "handover", "--version"], check=True, text=True,
        stdout=subprocess.PIPE)
    own = subprocess.run(
        [handover.find_command(), "--version"], check=True, text=True, stdout=subprocess.PIPE)
    assert done.stdout == own.stdout
    assert os.path.dirname(handover.find_command()) == os.path.dirname(sys.executable)
