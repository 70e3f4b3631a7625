"""Measures explorations and compares them with SPIN, on a model of the same client and actions.

The model (Peers/client.pml) was written by hand for SPIN. It must have the same number of states,
and one more for the state before the initial read; otherwise the run fails.
"""

import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

#: Hosts and simultaneous calls: small sizes to compare states, and a size of over a million states
#: to measure the rate.
SIZES = ((1, 3), (2, 2), (2, 3))


def measured(arguments, **options):
    """Runs a command, and returns its output, processor time, wall-clock time and memory."""
    begin = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, **options)
    output = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{output}")
    return (output, usage.ru_utime + usage.ru_stime, time.monotonic() - begin,
            usage.ru_maxrss * 1024)


def checker(model, hosts, calls, folder):
    """Compiles SPIN's checker of a model for breadth-first search, as its manual recommends."""
    subprocess.run(
        ["spin", f"-DH={hosts}", f"-DK={calls}", "-a", model], cwd=folder, check=True,
        stdout=subprocess.DEVNULL)
    subprocess.run(
        ["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-DBFS", "-o", "pan", "pan.c"], cwd=folder,
        check=True)
    return os.path.join(folder, "pan")


def spin_numbers(output):
    """Returns the numbers of states, transitions and errors that SPIN reports."""
    return tuple(int(re.search(pattern, output)[1]) for pattern in (
        r"(\d+) states, stored", r"(\d+) transitions", r"errors: (\d+)"))


def own_numbers(output):
    """Returns the numbers of states and transitions of a complete exploration."""
    found = re.match(r"complete: (\d+) states, (\d+) transitions", output)
    if found is None:
        raise SystemExit(f"an exploration did not complete:\n{output}")
    return int(found[1]), int(found[2])


def exploration(command, hosts, calls, jobs=1, budget=20_000_000):
    return [command, "explore", "sockets-monitor", "--acts", "plain", "--hosts", str(hosts),
            "--calls", str(calls), "--jobs", str(jobs), "--budget", str(budget)]


def compared(command, model, folder):
    """Builds SPIN's checker for each size, and fails if its number of states differs.

    Returns the checker of the largest size.
    """
    for hosts, calls in SIZES:
        pan = checker(model, hosts, calls, folder)
        states, _, errors = spin_numbers(measured([pan, "-m1000000", "-w24"], cwd=folder)[0])
        mine, _ = own_numbers(measured(exploration(command, hosts, calls))[0])
        if errors or mine != states - 1:
            raise SystemExit(
                f"{hosts} hosts and {calls} calls: {mine} states, and {states} with the one "
                f"before the initial read in SPIN, with {errors} errors")
    return pan


def cores():
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def two_threads(command, hosts, calls, rounds):
    """Returns the wall-clock times with one thread and with two, run alternately, and both outputs.

    Other load on the machine can only make a run longer, so the fastest runs are compared. The
    share of two cores that the second run used shows whether the machine was idle enough.
    """
    alone, together = [], []
    outputs = set()
    for _ in range(rounds):
        for jobs, runs in ((1, alone), (2, together)):
            output, seconds, wall, _ = measured(exploration(command, hosts, calls, jobs=jobs))
            outputs.add(output)
            runs.append((wall, seconds))
    if len(outputs) != 1:
        raise SystemExit("one thread and two give different results:\n" + "\n".join(outputs))
    return min(alone), min(together), outputs.pop()


def two_threads_row(name, alone, together):
    """Returns the table row of such a pair."""
    (one, _), (two, seconds) = alone, together
    return (f"{name}, two threads, wall-clock time", f"{two:.1f} s, {seconds / two:.2f} cores busy",
            f"{one:.1f} s with one", f"{one / two:.2f} times faster", "at least 1.8 times")


def rows(command, model, rounds, add, say):
    """Adds the rows of explorations to a table."""
    if not os.path.exists(command):
        return
    peer = shutil.which("spin") is not None and shutil.which("gcc") is not None
    if not peer:
        say("SPIN is not installed (Debian: apt-get install spin gcc); there is no comparison")
    say("exploring")
    # Other load on the machine can only make a run longer. Both run alternately, so that they have
    # the same conditions, and the fastest runs are compared.
    own, other = [], []
    with tempfile.TemporaryDirectory() as folder:
        pan = compared(command, model, folder) if peer else None
        for _ in range(rounds):
            output, seconds, _, _ = measured(exploration(command, *SIZES[-1]))
            own.append(own_numbers(output)[1] / seconds)
            if pan:
                output, seconds, _, _ = measured([pan, "-m1000000", "-w24"], cwd=folder)
                other.append(spin_numbers(output)[1] / seconds)
    mine = max(own)
    theirs = max(other) if pan else None
    add("exploration, 1.8 million states, transitions a second, compared with SPIN breadth first",
        f"{mine / 1e6:.1f} million", f"{theirs / 1e6:.1f} million" if pan else "",
        f"{mine / theirs:.2f} ×" if pan else "", "at least 0.8")
    if cores() > 1:
        add(*two_threads_row("the same", *two_threads(command, *SIZES[-1], rounds)[:2]))
        add(*two_threads_row("9.1 million states", *two_threads(command, 2, 4, 1)[:2]))
    else:
        say("there is only one core; two threads are not measured")
    output, _, _, memory = measured(exploration(command, 2, 4))
    add("memory of an exploration of 9.1 million states",
        f"{memory / own_numbers(output)[0]:.0f} bytes a state", "", "", "at most 64")
    rates = []
    for _ in range(rounds):
        output, seconds, _, _ = measured(
            [command, "explore", "sockets", "--scope", "world", "--acts", "plain", "--jobs", "1"])
        rates.append(own_numbers(output)[1] / seconds)
    add("exploration with the network, 0.2 million states, transitions a second",
        f"{max(rates) / 1e6:.2f} million, median {statistics.median(rates) / 1e6:.2f}", "", "",
        "at least 0.5 million")
