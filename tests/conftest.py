"""For all tests."""

import gc

from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a first example loads modules; how long it takes proves nothing
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """The thousands of tests found stay to the end; a garbage collector that looked at them each time took a second."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    gc.unfreeze()
