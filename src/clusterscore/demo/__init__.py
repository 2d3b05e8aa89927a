"""A small example of our own making: three streams of scanned pages, and where a segmenter cut them."""

from __future__ import annotations

from importlib.resources import files


def pages() -> str:
    """The path of the bundled file: stream, page, gold document, predicted part."""
    return str(files(__name__) / "pages.csv")
