"""The worked examples of the ELM papers: what they print of a handful of elements, as fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.papers import elm_figures
from clusterscore.papers.result import Figure, Result, Row
from clusterscore.pipeline import elements

# a letter for each element: the clusters of gold, and those of two predictions
FIG_10 = {"gold": "aaaabbccdd", "H1": "aaaxbbccdd", "H2": "aaaabxcydz"}


def reproduce() -> Result:
    """Every example that prints a number, and Fig. 10."""
    gold, *preds = FIG_10.values()
    shown = {
        name: [_each(gold, pred, metric, "f") for metric in ("bcubed", "elm")]
        for name, pred in zip(("H1", "H2"), preds, strict=True)
    }
    title = "J Fig. 10: one element split off a cluster of four (H1), or three pairs split (H2): F1 of each element"
    figure = Figure("elm-fig10", title, partial(elm_figures.two_predictions, gold=gold, shown=shown))
    return Result("elm", "the worked examples of the ELM papers", list(_rows()), [figure])


def _rows() -> Iterator[Row]:
    yield _row("ICTIR 2", "BCubed F1 of a gold cluster of n = 5 in singletons, 2/(n+1)", "1/3",
               _mean("aaaaa", "abcde", "bcubed"))  # fmt: skip
    yield _row("J eq. (2)", "ELM F1 of singletons, for the gold clustering of Sec. 2.2", "3/15",
               _mean("aabbbccdefffggh", "abcdefghijklmno", "elm"))  # fmt: skip
    gold, one, other = FIG_10.values()
    recall, f = (_mean(gold, one, "elm", part) for part in ("recall", "f"))
    yield _row("J Fig. 10", "ELM F1 of H1", "8/10", f, f"the mean recall is {recall}, and F1 is {f}", known=False)
    yield _row("J Fig. 10", "ELM recall of H1, which is what is printed", "8/10", recall)
    yield _row("J Fig. 10", "ELM F1 of H2", "4/10", _mean(gold, other, "elm"))
    yield _row("ICTIR 3.3.4", "ELM, sum of F1: one element split off a cluster of four", "12/5",
               4 * _mean("aaaa", "aaax", "elm"))  # fmt: skip
    yield _row("ICTIR 3.3.4", "ELM, sum of F1: two pairs split", "0", 4 * _mean("aabb", "axby", "elm"))
    yield _row("ICTIR 3.3.3", "ELM precision in a clean cluster of 3 that takes a foreign element", "2/3",
               _first("aaabcde", "aaabbba", "precision"))  # fmt: skip
    yield _row("J3.6.3", "ELM precision in a clean cluster of 4 that takes a foreign element", "3/4",
               _first("aaaabcdef", "aaaabbbba", "precision"))  # fmt: skip


def _row(section: str, quantity: str, printed: str, computed: Fraction, note: str = "", *, known: bool = True) -> Row:
    return Row(section, quantity, printed, str(computed), Fraction(printed) == computed, note, known)


def _each(gold: str, pred: str, metric: str, part: str) -> Floats:
    return np.asarray(elements(list(gold), list(pred), metric=metric)[part], np.float64)


def _mean(gold: str, pred: str, metric: str, part: str = "f") -> Fraction:
    """The mean over elements; each of them is a small fraction, which its float tells."""
    each = [Fraction(value).limit_denominator(100) for value in _each(gold, pred, metric, part).tolist()]
    return sum(each, Fraction(0)) / len(each)


def _first(gold: str, pred: str, part: str) -> Fraction:
    return Fraction(float(_each(gold, pred, "elm", part)[0])).limit_denominator(100)
