"""The pytest plugin: the fixture `handover`, and the marker `handover_moves`."""

from __future__ import annotations

from typing import Any, Iterator

import pytest

from handover._lab import LabUnavailable, Network

_KEY = pytest.StashKey["Labs"]()


class Labs:
    """The labs of one test."""

    def __init__(self, requires_lab: bool) -> None:
        self._requires_lab = requires_lab
        self._networks: list[Network] = []

    def network(self, first: str = "wifi", **options: Any) -> Network:
        """Returns a lab whose device begins on a network, for a `with` block.

        The test is skipped, with the reason, if this machine cannot make a lab.
        """
        made = _TestNetwork(first, self._requires_lab, **options)
        self._networks.append(made)
        return made

    def close(self) -> None:
        """Ends the labs that a test has left open."""
        for network in self._networks:
            network.close()

    @property
    def reports(self) -> list[str]:
        """What happened in each lab."""
        return [network.report() for network in self._networks]


class _TestNetwork(Network):
    """A lab that skips its test if the machine cannot make one."""

    def __init__(self, first: str, requires_lab: bool, **options: Any) -> None:
        super().__init__(first, **options)
        self._requires_lab = requires_lab

    def open(self) -> None:
        try:
            super().open()
        except LabUnavailable as error:
            if self._requires_lab:
                pytest.fail(str(error), pytrace=False)
            pytest.skip(str(error))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("handover", "network changes")
    group.addoption(
        "--handover-require-lab", action="store_true",
        help="Fail tests that need a lab, instead of skipping them, if no lab is possible.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "handover_moves(*names): run the test once for each network change, which it gets from the "
        "fixture handover_move.")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "handover_move" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("handover_moves")
    if marker is None or not marker.args:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} uses handover_move and names no network change: "
            'mark it, as in @pytest.mark.handover_moves("cellular", "hotspot")')
    metafunc.parametrize("handover_move", marker.args)


@pytest.fixture
def handover(request: pytest.FixtureRequest) -> Iterator[Labs]:
    """Labs in which the test runs programs and changes their network."""
    labs = Labs(request.config.getoption("--handover-require-lab"))
    request.node.stash[_KEY] = labs
    yield labs
    labs.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()
    labs = item.stash.get(_KEY, None)
    if report.when != "call" or not report.failed or labs is None:
        return
    for text in labs.reports:
        report.sections.append(("Handover", text))
