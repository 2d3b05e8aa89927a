"""Cutting a stream of pages into documents: the constrained hierarchical clustering of the ICTIR paper.

Pages are vectors of the counts of their characters in twos and threes, compared by the cosine. Two neighbouring
segments, first of all single pages, are merged again and again, those whose pages are nearest on average (average
linkage). The tree is cut where a merge is much higher than those below it: by SciPy's inconsistency coefficient.

The coefficient says by how many standard deviations a merge is higher than the mean of itself and the merges some
levels below it. We know the paper's value, 1.5, and not its number of levels. With two, which SciPy takes if nobody
tells it otherwise, these are three merges at most, and of three numbers none is further above their mean than 2/sqrt(3)
= 1.155 standard deviations: nothing would ever be cut. So all levels are taken, unless ``depth`` says how many.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.exceptions import plural
from reproduce.result import Floats

CUT = 1.5


def segment(texts: Iterable[str], *, cut: float = CUT, depth: int | None = None) -> cs.Clustering:
    """Cut a stream of pages into documents; each text is a page.

    ``cut`` is the inconsistency coefficient above which a merge is undone, and all that contain it; ``depth`` the
    number of levels of merges it is computed from, all of them if it is None. Case and the kind and amount of blanks in
    a text do not matter. Made for streams of some hundred pages.

    >>> pages = ["the cat sat on the mat", "the cat ate on the mat", "the cat lay on the mat", "the cat sat on a mat"]
    >>> segment([*pages, "12.50 + 17.25 = 29.75", "11.50 + 12.25 = 23.75", "14.75 + 17.50 = 32.25"]).codes.tolist()
    [0, 0, 0, 0, 1, 1, 1]
    """
    pages = _checked(texts)
    threshold, levels = _number("cut", cut, 0), _number("depth", len(pages) if depth is None else depth, 1)
    if levels != int(levels):
        raise cs.InputError(f"depth={depth!r} is a number of levels; pass a whole number from 1 up, or None for all")
    if len(pages) == 1:
        return cs.Clustering.from_boundaries([1])
    from scipy.cluster.hierarchy import fcluster

    flat = fcluster(merges(pages), t=threshold, criterion="inconsistent", depth=int(levels))
    return cs.Clustering.from_boundaries(np.diff(flat, prepend=0) != 0)


def merges(texts: Iterable[str]) -> Floats:
    """The tree of all merges of neighbours, as a linkage matrix of SciPy: nodes, height, pages.

    Of equal distances the first in the stream is merged first. Only neighbours may be merged, so a merge can be nearer
    than one before it that it contains: it gets the height of that one, so that heights never fall on the way up.
    """
    similarity = _similarity(_checked(texts))
    count = len(similarity)
    borders, nodes, height = list(range(count + 1)), list(range(count)), np.zeros(2 * count - 1)
    tree = np.empty((count - 1, 4))
    for k in range(count - 1):
        spans = zip(borders, borders[1:], borders[2:], strict=False)  # a segment, and the one after it
        apart = [max(1 - float(similarity[a:b, b:c].mean()), 0.0) for a, b, c in spans]
        at = int(np.argmin(apart))
        left, right = nodes[at : at + 2]
        height[count + k] = max(apart[at], height[left], height[right])
        del borders[at + 1]
        nodes[at : at + 2] = [count + k]
        tree[k] = min(left, right), max(left, right), height[count + k], borders[at + 1] - borders[at]
    return tree


def _checked(texts: Any) -> list[str]:
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise cs.InputTypeError(f"pages are a list of texts, one for each page, not a {type(texts).__name__}")
    pages = list(texts)
    if not pages:
        raise cs.InputError("there are no pages to segment; pass a list of texts, one for each page")
    bad = [k for k, page in enumerate(pages) if not isinstance(page, str)]
    if bad:
        raise cs.InputError(
            f"{plural(len(bad), 'page')} of {len(pages):,} without a text (e.g. page {bad[0]} is {pages[bad[0]]!r}); "
            "an empty page is an empty text, ''"
        )
    return pages


def _number(name: str, value: Any, lowest: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise cs.InputTypeError(f"{name}={value!r} is a {type(value).__name__}; pass a number from {lowest} up")
    if not lowest <= value < np.inf:
        raise cs.InputError(f"{name}={value!r} is out of range; pass a number from {lowest} up")
    return float(value)


def _similarity(pages: list[str]) -> Floats:
    """The cosine of every two pages; pages too short for two characters are like each other, and like no other."""
    from scipy.sparse import csr_array

    plain = [" ".join(page.lower().split()) for page in pages]
    grams = [[text[k : k + n] for n in (2, 3) for k in range(len(text) - n + 1)] for text in plain]
    column: dict[str, int] = {}
    columns = [column.setdefault(gram, len(column)) for page in grams for gram in page]
    rows = np.repeat(np.arange(len(pages)), [len(page) for page in grams])
    counts = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(pages), max(len(column), 1)))
    products = (counts @ counts.T).toarray()
    squares = np.diagonal(products).copy()
    empty = squares == 0
    squares[empty] = 1
    products[np.ix_(empty, empty)] = 1
    # whole numbers until here, so that equal pages have a cosine of exactly 1
    return products / np.sqrt(np.outer(squares, squares))
