"""The common part of the scripts that measure clients: packages, versions and text of pages."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

def filled(text: str, places: dict[str, object]) -> str:
    """Replaces each `{name}` by the place of this name; an unknown name is an error."""
    return re.sub(r"\{(\w+)\}", lambda found: str(places[found.group(1)]), text)


# Packages


def install_python(venv: Path, packages: list[str], *options: str) -> Path:
    """Installs packages in a virtual environment as far as possible; returns the interpreter."""
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    # A package that cannot be installed must not prevent the others.
    for package in packages:
        report(subprocess.run([python, "-m", "pip", "install", "--quiet",
                               "--disable-pip-version-check", *options, package]), package)
    return python


def install_debian(archives: Path, folder: Path, packages: list[str]) -> None:
    """Unpacks packages of Debian in a folder, as far as possible."""
    archives.mkdir(parents=True, exist_ok=True)
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        print("Debian packages are not available on this system", file=sys.stderr)
        return
    for package in packages:
        report(subprocess.run(["apt-get", "download", "-qq", package], cwd=archives,
                              stderr=subprocess.DEVNULL), package)
    for archive in archives.glob("*.deb"):
        subprocess.run(["dpkg", "-x", archive, folder], check=True)


def report(done: subprocess.CompletedProcess, package: str) -> None:
    if done.returncode != 0:
        print(f"cannot install {package}", file=sys.stderr)


def python_version(python: Path, package: str) -> str:
    """Returns the version of an installed package, or an empty string."""
    return number_in([str(python), "-c", "import importlib.metadata as m, sys;"
                      "print(m.version(sys.argv[1]))", package])


def debian_version(archives: Path, package: str) -> str:
    """Returns the version of a downloaded package, or an empty string."""
    found = sorted(archives.glob(f"{package}_*.deb"))
    return number_in(["dpkg-deb", "-f", str(found[-1]), "Version"]) if found else ""


def number_in(words: list[str], may_fail: bool = False) -> str:
    """Returns the first version number that a program prints, or an empty string."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    match = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return match.group() if match and (done.returncode == 0 or may_fail) else ""


# Pages


def today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def code(value: str) -> str:
    return "`" + value.replace("|", "\\|") + "`"


def table(columns: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def paragraph(sentences: str) -> list[str]:
    """Returns a paragraph as lines of at most 100 columns."""
    return [*textwrap.wrap(sentences, 100, break_long_words=False, break_on_hyphens=False), ""]


def bullet(item: str) -> list[str]:
    return textwrap.wrap(item, 100, initial_indent="- ", subsequent_indent="  ",
                         break_long_words=False, break_on_hyphens=False)


def with_part(page: str, begin: str, end: str, lines: list[str]) -> str:
    """Returns a page with new lines between two comments."""
    first, last = page.index(begin), page.index(end) + len(end)
    return page[:first] + "\n".join([begin, "", *lines, end]) + page[last:]
