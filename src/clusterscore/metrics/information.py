"""What the information measures share: what both sides say, and what each says that the other does not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.metric import Metric, Parts


class Information(NamedTuple):
    """Nats, times the number of elements: the information, and the entropy of each side where the other is known."""

    mutual: Floats
    gold_alone: Floats
    pred_alone: Floats
    elements: Floats

    @property
    def gold(self) -> Floats:
        """The entropy of gold."""
        return self.mutual + self.gold_alone

    @property
    def pred(self) -> Floats:
        """The entropy of the prediction."""
        return self.mutual + self.pred_alone

    @property
    def identical(self) -> Array:
        """Where neither side says anything that the other does not."""
        return np.asarray((self.gold_alone == 0) & (self.pred_alone == 0))


class InformationMetric(Metric):
    """A measure of entropies: parts are the sums of the table's logarithms, N*log(N), and N."""

    def parts(self, table: Table) -> Parts:
        return {**table.logs()._asdict(), "documents": _own_logs(table.common), "elements": table.common}


def information(shared: Array, gold_alone: Array, pred_alone: Array, documents: Array, elements: Array) -> Information:
    """The information of rows of parts; of several documents, which of them an element is in is part of it."""
    mutual = shared + np.maximum(_own_logs(elements) - documents, 0.0)
    return Information(mutual, gold_alone, pred_alone, elements)


def _own_logs(elements: Floats) -> Floats:
    return np.asarray(elements * np.log(np.maximum(elements, 1.0)))
