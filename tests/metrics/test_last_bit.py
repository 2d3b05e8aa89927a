"""Cells in another order, equal ones merged: some scores stay the same to the last bit, the others to 1e-14."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.count.fetched import Fetched
from clusterscore.count.rows import Rows
from clusterscore.metrics.metric import Values
from variants import COUNTED, ROUNDED, to_the_last_bit

METRICS = [metric for metric in COUNTED if not metric.wants_weights and ("cells",) not in metric.needs]


def labels(seed: int, size: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    gold = rng.zipf(1.4, size) % 400
    return gold, np.where(rng.random(size) < 0.6, gold * 3 % 401, rng.zipf(1.6, size) % 400)


def shuffled(table: cs.Table, metrics: list[cs.Metric], seed: int) -> cs.Table:
    """The same counts as an engine sends them: in any order, equal ones as one."""
    rng = np.random.default_rng(seed)
    rows = table.rows()
    document = np.zeros(len(rows.n), np.int64) if rows.document is None else rows.document
    times = np.ones(len(rows.n), np.int64) if rows.times is None else rows.times
    merged, whose = np.unique(np.stack([document, rows.n, rows.a, rows.b]), axis=1, return_inverse=True)
    count = np.bincount(whose.ravel(), times).astype(np.int64)
    order = rng.permutation(len(count))
    where, n, a, b = merged[:, order]

    def permuted(known: Any) -> Any:
        size = max(len(column) for column in known if column is not None)
        order = rng.permutation(size)
        return type(known)(*(None if column is None else column[order] for column in known))

    known: dict[Any, Any] = {}
    for need in {need for metric in metrics for need in metric.needs}:
        what = "largest_cells" if need[0] == "largest_total" else str(need[0])
        known[need] = permuted(getattr(table.counts, what)(*need[1:]))
    kept = Rows(None if rows.document is None else where, n, a, b, count[order], None)
    return cs.Table(Fetched(kept, known), documents=table.documents, policy=table.policy)


def same(metric: cs.Metric, values: Values, expected: Values, *, last_bit: bool = True) -> None:
    tolerance = 0.0 if last_bit and to_the_last_bit(metric) else ROUNDED
    ours, theirs = ([side.value, side.precision, side.recall, *side.extras.values()] for side in (values, expected))
    for our, their in zip(ours, theirs, strict=True):
        assert (our is None) == (their is None), str(metric)
        if our is not None:
            np.testing.assert_allclose(our, their, rtol=tolerance, atol=tolerance, err_msg=str(metric))


@pytest.mark.parametrize(("size", "per_document"), [(3_000, None), (3_000, 30), (40_000, None), (40_000, 200)])
def test_in_any_order(size: int, per_document: int | None) -> None:
    gold, pred = labels(size, size)
    documents = None if per_document is None else np.arange(size) // per_document
    table = cs.Table.from_labels(gold, pred, documents=documents)
    other = shuffled(table, METRICS, size)
    for metric in METRICS:
        same(metric, metric.values(other), metric.values(table))
        same(metric, metric.finish(**metric.pooled_parts(other)), metric.finish(**metric.pooled_parts(table)))


def test_documents_alone_and_in_a_batch() -> None:
    """A document's sums are grouped otherwise than those of a batch, so the last bit may differ."""
    gold, pred = labels(5, 20_000)
    table = cs.Table.from_labels(gold, pred, documents=np.arange(20_000) // 50)
    single = [cs.Table.from_labels(gold[k : k + 50], pred[k : k + 50]) for k in range(0, 2_500, 50)]
    for metric in METRICS:
        batch = metric.values(table).value
        alone = [metric.score(document).value for document in single]
        same(metric, Values(np.array(alone)), Values(batch[:50]), last_bit=False)
