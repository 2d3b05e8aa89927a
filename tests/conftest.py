"""For all tests."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

from page.browser import NAMES, Browser, find_browser

settings.register_profile("untimed", deadline=None)  # a first example loads modules; how long it takes proves nothing
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The one browser of all tests."""
    program = find_browser()
    if program is None:
        pytest.skip(f"no browser is installed ({', '.join(NAMES)} looked for)")
    with Browser(program) as opened:
        yield opened


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """A wide light page, which a test leaves without errors."""
    chromium.resize(1200, 900)
    chromium.prefer("light")
    chromium.errors.clear()
    yield chromium
    assert chromium.errors == []


@pytest.fixture
def without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports have no plots, which take nine tenths of the time."""
    from clusterscore.page import writing

    monkeypatch.setattr(writing, "system_figures", lambda *_: [])
    monkeypatch.setattr(writing, "compared_figures", lambda *_: [])


def pytest_collection_finish() -> None:
    """The thousands of tests found stay to the end; a garbage collector that looked at them each time took a second."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    gc.unfreeze()
