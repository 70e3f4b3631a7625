"""Tests the wheel itself: its files, and installations in other places."""

import base64
import email
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

WHEEL = Path(os.environ["HANDOVER_WHEEL"])
ROOT = Path(os.environ["HANDOVER_ROOT"])


def test_record_lists_every_file():
    with zipfile.ZipFile(WHEEL) as wheel:
        names = wheel.namelist()
        record = next(name for name in names if name.endswith(".dist-info/RECORD"))
        rows = dict(line.split(",", 1) for line in wheel.read(record).decode().splitlines())
        assert sorted(rows) == sorted(names)
        assert names[-1] == record
        for name in names:
            data = wheel.read(name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
            row = "," if name == record else f"sha256={digest.decode()},{len(data)}"
            assert rows[name] == row, name


def test_metadata():
    with zipfile.ZipFile(WHEEL) as wheel:
        folder = next(n for n in wheel.namelist() if n.endswith("/METADATA")).split("/")[0]
        metadata = email.message_from_bytes(wheel.read(f"{folder}/METADATA"))
        description = email.message_from_bytes(wheel.read(f"{folder}/WHEEL"))
        assert wheel.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        for library in ["libnl-3-dev", "libssl-dev", "libnghttp2-dev"]:
            assert wheel.read(f"{folder}/licenses/{library}")
        command = wheel.getinfo(f"{folder.removesuffix('.dist-info')}.data/scripts/handover")
    assert command.external_attr >> 16 & 0o111 == 0o111
    assert command.file_size < 50_000_000
    assert metadata["Name"] == "handover"
    assert metadata.get_all("License-File") == [
        "LICENSE", "libnghttp2-dev", "libnl-3-dev", "libssl-dev"]
    version = subprocess.run(
        [f"{sys.prefix}/bin/handover", "--version"], check=True, text=True,
        stdout=subprocess.PIPE).stdout.strip()
    assert metadata["Version"].split("+")[0] == version
    tag = WHEEL.stem.split("-", 2)[2]
    assert description["Tag"] == tag
    assert tag.startswith("py3-none-manylinux_2_")


@pytest.fixture
def small():
    """A program that needs no library except the C library."""
    for path in ["/bin/sleep", "/usr/bin/env"]:
        text = subprocess.run(["objdump", "-p", path], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        if text.count("NEEDED") == 1:
            return path
    raise AssertionError("every known program needs more libraries")


def build(command, version, out):
    licenses = out / "licenses"
    licenses.mkdir()
    (licenses / "library").write_text("the license of a library\n")
    return subprocess.run(
        [ROOT / "Tests/Tools/wheel", command, version, licenses, out], check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})


def test_same_input_gives_the_same_bytes(small, tmp_path):
    contents = []
    for number in range(2):
        out = tmp_path / str(number)
        out.mkdir()
        done = build(small, "1.2.3+abc", out)
        assert done.returncode == 0, done.stderr
        contents.append(Path(done.stdout.strip()).read_bytes())
    assert contents[0] == contents[1]


def test_library_that_a_system_may_lack(tmp_path):
    library = tmp_path / "libextra.so"
    program = tmp_path / "program"
    subprocess.run(["gcc", "-shared", "-x", "c", "-", "-o", library], check=True,
                   input=b"int extra(void) { return 0; }")
    subprocess.run(["gcc", "-x", "c", "-", "-x", "none", library, "-o", program], check=True,
                   input=b"int extra(void); int main(void) { return extra(); }")
    done = build(program, "1.2.3", tmp_path)
    assert done.returncode == 1
    assert "which a system may not have" in done.stderr


@pytest.mark.parametrize("version", ["", "1.0 beta", "../1", "1-2"])
def test_invalid_version(small, tmp_path, version):
    assert build(small, version, tmp_path).returncode == 1


def test_installation_in_a_target_folder(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target",
         tmp_path, WHEEL], check=True)
    code = "import handover; print(handover.__file__, handover.find_command())"
    # `-S` hides the installation of the virtual environment, not its folder of scripts.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], check=True, text=True, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.stdout.split()[0] == f"{tmp_path}/handover/__init__.py"
    own = subprocess.run([tmp_path / "bin/handover", "--version"], check=False)
    assert own.returncode == 0


def test_read_only_file_system(tmp_path):
    (tmp_path / "test_plain.py").write_text(
        "def test_plain(handover):\n"
        "    with handover.network() as net:\n"
        "        assert net.run(['true']).wait().status == 0\n")
    prefix = sys.prefix
    script = (
        f"mount --bind '{prefix}' '{prefix}' && mount -o remount,bind,ro '{prefix}' && "
        f"! touch '{prefix}/file' 2>/dev/null && "
        f"exec '{sys.executable}' -m pytest -q -p no:cacheprovider '{tmp_path}'")
    # Root keeps its privileges, because a nested user namespace would test more than the file
    # system.
    unshare = ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-Urm"]
    done = subprocess.run([*unshare, "sh", "-c", script], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
