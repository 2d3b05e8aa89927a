"""neleval's bootstrap and permutation test on given documents; run by a Python that has neleval: see compare.py.

Its commands leave clustering measures out (``incl_clustering=False``), so its functions are called here: ``b_cubed`` of
each document, then the trials that its ``confidence`` and ``significance`` commands run.
"""

from __future__ import annotations

import collections
import collections.abc
import json
import sys
import time
from typing import Any

import numpy as np

collections.Sequence = collections.abc.Sequence  # type: ignore[attr-defined]  # neleval 3.1.1 asks for it there

from neleval.coref_metrics import b_cubed  # noqa: E402
from neleval.evaluate import Matrix  # noqa: E402
from neleval.significance import _percentile, _result_diff, bootstrap_trials, count_permutation_trials  # noqa: E402

Sets = dict[int, set[int]]


def clusters(labels: Any) -> list[Sets]:
    """The clusters of each document, as the sets that neleval takes."""
    documents: list[Sets] = []
    for document in labels.tolist():
        sets: Sets = {}
        for element, label in enumerate(document):
            sets.setdefault(label, set()).add(element)
        documents.append(sets)
    return documents


def counted(gold: list[Sets], pred: list[Sets]) -> list[Matrix]:
    """BCubed of each document, as the counts that neleval adds up."""
    matrices = []
    for true, guess in zip(gold, pred, strict=True):
        p, p_of, r, r_of = b_cubed(true, guess)
        matrices.append(Matrix(p, p_of - p, r, r_of - r))
    return matrices


def interval(counts: list[Matrix], trials: int) -> list[float]:
    """The 95% interval of F, as the ``confidence`` command makes it."""
    history = sorted(bootstrap_trials(counts, trials, ["precision", "recall", "fscore"])["fscore"])
    return [_percentile(history, 2.5), _percentile(history, 97.5)]


def main() -> None:
    data, trials = np.load(sys.argv[1]), int(sys.argv[2])
    gold, a, b = (clusters(data[name]) for name in ("gold", "a", "b"))
    times = [time.process_time()]
    first = counted(gold, a)
    times.append(time.process_time())
    bounds = interval(first, trials)
    times.append(time.process_time())
    second = counted(gold, b)
    interval(second, trials)
    overall = [sum(matrices, Matrix()) for matrices in (first, second)]
    as_far = count_permutation_trials(first, second, _result_diff(*overall), trials)["fscore"]
    times.append(time.process_time())
    f = [matrix.results["fscore"] for matrix in overall]
    seconds = dict(zip(("score", "interval", "second"), np.diff(times).tolist(), strict=True))
    print(json.dumps({"f": f, "interval": bounds, "p": (as_far + 1) / (trials + 1), "seconds": seconds}))


if __name__ == "__main__":
    main()
