"""Cutting a stream of pages into documents: the constrained hierarchical clustering of the ICTIR paper.

Pages are vectors of the counts of their characters in twos and threes, compared by the cosine. Two neighbouring
segments, first of all single pages, are merged again and again, those whose pages are nearest on average: the paper
does not state its linkage. A merge is cut where its distance exceeds 1.5 times the mean of all distances below it in
the dendrogram, and then so is every merge that contains it. A merge of two single pages has no distance below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

import clusterscore as cs
from reproduce.result import Floats

CUT = 1.5


class _Segment(NamedTuple):
    """Neighbouring pages that were merged."""

    begin: int
    end: int
    distances: tuple[float, ...] = ()  # of all its merges
    whole: bool = True  # no merge in it is cut


def segment(pages: Sequence[str], cut: float = CUT) -> cs.Clustering:
    """Cut a stream of pages into documents; case and the kind and amount of blanks in a text do not matter.

    Of equal distances the first in the stream is merged first.

    >>> pages = ["the cat sat on the mat", "the cat ate on the mat", "the cat lay on the mat"]
    >>> segment([*pages, "12.50 + 17.25 = 29.75", "11.50 + 12.25 = 23.75", "14.75 + 17.50 = 32.25"]).codes.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    similarity = _similarity(pages)
    segments = [_Segment(page, page + 1) for page in range(len(pages))]
    starts = np.ones(len(pages), bool)
    while len(segments) > 1:
        near = [float(similarity[a.begin : a.end, b.begin : b.end].mean()) for a, b in pairwise(segments)]
        apart = [round(1 - cosine, 12) for cosine in near]  # pages that are alike but for the last bits are alike
        at = int(np.argmin(apart))
        left, right = segments[at : at + 2]
        below = left.distances + right.distances
        whole = left.whole and right.whole and apart[at] * len(below) <= cut * sum(below)
        starts[right.begin] = not whole
        segments[at : at + 2] = [_Segment(left.begin, right.end, (*below, apart[at]), whole)]
    return cs.Clustering.from_boundaries(starts)


def _similarity(pages: Sequence[str]) -> Floats:
    """The cosine of every two pages; pages too short for two characters are like each other, and like no other."""
    from scipy.sparse import csr_array

    plain = [" ".join(page.lower().split()) for page in pages]
    grams = [[text[k : k + n] for n in (2, 3) for k in range(len(text) - n + 1)] for text in plain]
    column: dict[str, int] = {}
    columns = [column.setdefault(gram, len(column)) for page in grams for gram in page]
    rows = np.repeat(np.arange(len(pages)), [len(page) for page in grams])
    counts = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(pages), max(len(column), 1)))
    products: Floats = (counts @ counts.T).toarray()
    squares = np.diagonal(products).copy()
    empty = squares == 0
    squares[empty] = 1
    products[np.ix_(empty, empty)] = 1
    # whole numbers until here, so that equal pages have a cosine of exactly 1
    return products / np.sqrt(np.outer(squares, squares))
