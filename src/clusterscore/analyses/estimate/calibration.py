"""What is known without gold: how likely each unit was to be drawn, and the sizes of all predicted clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.analyses.estimate.estimation import SampleUnits
from clusterscore.count.cells import Cells, Clusters
from clusterscore.count.sampled import ClusterSizes
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Ints

OFF = 0.15  # a sample that shows so many more or fewer predicted pairs than there are is calibrated
_HARDLY = 3  # with fewer units that touch predicted clusters of some size, these are hardly seen


def with_chances(units: SampleUnits, sizes: Ints, population: int, design: str) -> SampleUnits:
    """Units that know how likely each of them was to be drawn, by the sizes of the clusters.

    This is 1 / weight, if weights are scaled to the population, except for "size": a cluster of which several records
    were drawn is in the sample once, so the chance of a large one is less than its share of the records.
    """
    size = sizes[units.cluster]
    units = units._replace(elements=units.weight * size)
    weight = units.weight * (population / (units.weight @ size))
    if sizes.sum() >= population:  # nothing was left to chance, whatever the weights
        return units._replace(chance=np.ones(len(size)), exact=1 / np.bincount(units.cluster)[units.cluster])
    if design == "size":
        chance = _chances_of_clusters(size, population)
        return units._replace(chance=chance, exact=1 / chance)
    chance = 1 / np.maximum(weight * size if design == "drawn" else weight, 1.0)
    return units._replace(chance=chance, exact=weight)


def _chances_of_clusters(size: Floats | Ints, population: int) -> Floats:
    """How likely clusters are to have one of the records that were drawn: 1 / chance makes up the population."""
    low = high = len(size) / population  # records drawn, as a share of all
    while (size / -np.expm1(-high * size)).sum() > population:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (size / -np.expm1(-middle * size)).sum() > population else (low, middle)
    return np.asarray(-np.expm1(-high * size))


class Calibration(NamedTuple):
    """How far the units of a sample make up what is known of the whole: its elements and its predicted pairs."""

    weight: Floats  # of each unit
    known: Floats  # the elements of each unit, and its predicted pairs, as shares of all
    unseen: tuple[Ints, Floats]  # sizes of predicted clusters that are hardly seen, and how many elements are missing
    missing: Floats  # the shares of all elements and predicted pairs that these have
    population: int

    @classmethod
    def of(cls, table: Table, units: SampleUnits, sizes: ClusterSizes | None) -> Calibration | None:
        """That of a table, where the sizes of all predicted clusters are known and some have more than one element."""
        if sizes is None or units.exact is None:
            return None
        population = table.population or 0
        alone = population - int(sizes.elements.sum())  # elements that the prediction does not have
        size, elements = np.append(sizes.size, 1), np.append(sizes.elements, alone)
        pairs = float(elements @ (size - 1)) / 2
        if pairs == 0:
            return None
        kind, known_kind = (np.ceil(np.log2(sizes_of)).astype(np.int64) for sizes_of in (table.b, size))
        kinds = int(known_kind.max()) + 1
        times, weight = (np.bincount(units.cluster, weights, len(table.documents)) for weights in (None, units.exact))
        touched = np.unique(table.gold * kinds + kind)
        seen = np.bincount(touched % kinds, times[touched // kinds], kinds)
        held, total = np.bincount(kind, weight[table.gold] * table.n, kinds), np.bincount(known_kind, elements, kinds)
        short = np.where(seen < _HARDLY, np.maximum(total - held, 0.0), 0.0)
        missing = elements * (short / np.maximum(total, 1))[known_kind]
        known = np.column_stack([table.common / population, table.pairs("pred") / pairs])[units.cluster]
        shares = np.array([missing.sum() / population, missing @ (size - 1) / 2 / pairs])
        some = missing > 0
        return cls(units.exact, known, (size[some], missing[some]), shares, population)

    @property
    def shown(self) -> float:
        """How many predicted pairs there are by the sample, as a share of those that there are."""
        return float(self.weight @ self.known[:, 1])

    @property
    def is_off(self) -> bool:
        """Whether the sample does not show what is known."""
        return abs(self.shown - 1) > OFF

    @property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.pinv((self.known.T * self.weight) @ self.known, 1e-10))

    def weights(self) -> Floats:
        """Weights by which the units, together with what is hardly seen, make up what is known (regression)."""
        short = 1 - self.missing - self.weight @ self.known
        return np.asarray(self.weight * np.maximum(1 + self.known @ (self._inverse @ short), 0.0))

    def residual(self, influence: Floats) -> Floats:
        """What the influence of each unit has that its elements and predicted pairs do not explain."""
        return influence - (self.weight[:, None] * self.known) @ (self._inverse @ (self.known.T @ influence))

    def unseen_tables(self) -> list[Table]:
        """What is hardly seen, a row for each size: predicted clusters that are all right, or all wrong."""
        size = self.unseen[0]
        rows = np.arange(len(size))
        return [
            Table(
                Cells(common, Clusters(rows, common, rows), Clusters(rows, size)),
                documents=range(len(size)),
                unit="clusters",
                population=self.population,
            )
            for common in (size, np.ones_like(size))
        ]

    def unseen_sums(self, rows: Floats) -> Floats:
        """The sums of what is hardly seen, by those of a cluster of each size, the elements in the first column."""
        return np.asarray((self.unseen[1] / rows[:, 0]) @ rows)
