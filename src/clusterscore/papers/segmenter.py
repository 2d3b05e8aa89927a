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

from clusterscore.count.sums import Floats
from clusterscore.distinct import Ints
from clusterscore.errors import InputError, InputTypeError, plural
from clusterscore.read.clustering import Clustering

CUT = 1.5
_BITS = 21  # of a character


def segment(texts: Iterable[str], *, cut: float = CUT, depth: int | None = None) -> Clustering:
    """Cut a stream of pages into documents; each text is a page.

    ``cut`` is the inconsistency coefficient above which a merge is undone, and all that contain it; ``depth`` the
    number of levels of merges it is computed from, all of them if it is None. Case and the kind and amount of blanks in
    a text do not matter. Memory grows with the square of the number of pages.

    >>> pages = ["the cat sat on the mat", "the cat ate on the mat", "the cat lay on the mat", "the cat sat on a mat"]
    >>> segment([*pages, "12.50 + 17.25 = 29.75", "11.50 + 12.25 = 23.75", "14.75 + 17.50 = 32.25"]).codes.tolist()
    [0, 0, 0, 0, 1, 1, 1]
    """
    pages = _checked(texts)
    threshold, levels = _number("cut", cut, 0), _number("depth", len(pages) if depth is None else depth, 1)
    if levels != int(levels):
        raise InputError(f"depth={depth!r} is a number of levels; pass a whole number from 1 up, or None for all")
    if len(pages) == 1:
        return Clustering.from_boundaries([1])
    from scipy.cluster.hierarchy import fcluster

    flat = fcluster(merges(pages), t=threshold, criterion="inconsistent", depth=int(levels))
    return Clustering.from_boundaries(np.diff(flat, prepend=0) != 0)


def merges(texts: Iterable[str]) -> Floats:
    """The tree of all merges of neighbours, as a linkage matrix of SciPy: nodes, height, pages.

    Of equal distances the first in the stream is merged first. Only neighbours may be merged, so a merge can be nearer
    than one before it that it contains: it gets the height of that one, so that heights never fall on the way up.
    """
    between = _similarity(_checked(texts))  # sums of the similarities of all pages of two segments
    count = len(between)
    pages, node = np.ones(count, np.int64), np.arange(count)
    height = np.zeros(2 * count - 1)
    following = np.arange(1, count + 1)  # the segment after each; a segment has the number of its first page
    apart = np.append(np.maximum(1 - np.diagonal(between, 1), 0), np.inf)  # of each segment from the next one
    before = np.arange(-1, count)
    tree = np.empty((count - 1, 4))
    for k in range(count - 1):
        left = int(np.argmin(apart))
        right = int(following[left])
        height[count + k] = max(apart[left], height[node[left]], height[node[right]])
        pages[left] += pages[right]
        tree[k] = *sorted((node[left], node[right])), height[count + k], pages[left]
        node[left] = count + k
        between[left] += between[right]
        between[:, left] += between[:, right]
        following[left], before[following[right]] = following[right], left
        apart[right] = np.inf
        for first, second in ((before[left], left), (left, following[left])):
            if first >= 0:
                mean = between[first, second] / (pages[first] * pages[second]) if second < count else -np.inf
                apart[first] = max(1 - mean, 0.0)
    return tree


def _checked(texts: Any) -> list[str]:
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise InputTypeError(f"pages are a list of texts, one for each page, not a {type(texts).__name__}")
    pages = list(texts)
    if not pages:
        raise InputError("there are no pages to segment; pass a list of texts, one for each page")
    bad = [k for k, page in enumerate(pages) if not isinstance(page, str)]
    if bad:
        raise InputError(
            f"{plural(len(bad), 'page')} of {len(pages):,} without a text (e.g. page {bad[0]} is {pages[bad[0]]!r}); "
            "an empty page is an empty text, ''"
        )
    return pages


def _number(name: str, value: Any, lowest: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputTypeError(f"{name}={value!r} is a {type(value).__name__}; pass a number from {lowest} up")
    if not lowest <= value < np.inf:
        raise InputError(f"{name}={value!r} is out of range; pass a number from {lowest} up")
    return float(value)


def _similarity(pages: list[str]) -> Floats:
    """The cosine of every two pages; pages too short for two characters are like each other, and like no other."""
    from scipy.sparse import csr_array

    page, gram = _grams(pages)
    kinds, column = np.unique(gram, return_inverse=True)
    ones = np.ones(len(page))
    counts = csr_array((ones, (page, column)), shape=(len(pages), len(kinds)))
    products = (counts @ counts.T).toarray()
    squares = np.diagonal(products).copy()
    empty = squares == 0
    squares[empty] = 1
    products[np.ix_(empty, empty)] = 1
    # whole numbers until here, so that equal pages have a cosine of exactly 1
    similarity: Floats = products / np.sqrt(np.outer(squares, squares))
    return similarity


def _grams(pages: list[str]) -> tuple[Ints, Ints]:
    """All characters in twos and threes, as numbers, each with the number of its page."""
    plain = [" ".join(page.lower().split()) for page in pages]
    lengths = np.fromiter(map(len, plain), np.int64, len(plain))
    # counted from 1, so that no three are a two
    letters = np.frombuffer("".join(plain).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64) + 1
    page = np.repeat(np.arange(len(plain)), lengths)
    twos = (letters[:-1] << _BITS) | letters[1:]
    threes = (twos[:-1] << _BITS) | letters[2:]
    in_two, in_three = page[:-1] == page[1:], page[:-2] == page[2:]
    return np.concatenate([page[:-1][in_two], page[:-2][in_three]]), np.concatenate([twos[in_two], threes[in_three]])
