"""System: a prediction beside gold, counted once for everything that a page says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.match import align
from clusterscore.align.noise import is_noise
from clusterscore.align.pair import Pair
from clusterscore.count.counting import count
from clusterscore.count.table import Table
from clusterscore.diagnose import Losses
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, plural
from clusterscore.metrics import as_table
from clusterscore.metrics.elementwise import ElementWise
from clusterscore.page.packing import spell
from clusterscore.pipeline.diagnosis import Diagnosis
from clusterscore.pipeline.naming import listed
from clusterscore.read import Clustering, as_clusterings
from clusterscore.read.arrays import as_vector
from clusterscore.read.labels import plain

Texts = list[str]


class Elements(NamedTuple):
    """The elements of a pair, in its order."""

    cell: Ints
    names: Array
    texts: Texts | None  # what is shown beside the names


class System(NamedTuple):
    """A prediction beside gold."""

    name: str
    table: Table
    pair: Pair | None  # None where a Table was given
    elements: Elements | None
    diagnosis: Diagnosis

    @property
    def metric(self) -> ElementWise:
        """What elements are scored with."""
        return self.diagnosis.metric

    @property
    def losses(self) -> Losses:
        """What is lost in each cell."""
        return self.diagnosis.losses

    @classmethod
    def of(cls, name: str, gold: Any, pred: Any, metric: ElementWise, options: dict[str, Any], show: Any) -> System:
        """Count what a user handed over."""
        if isinstance(gold, Table) or isinstance(pred, Table):
            if show is not None:
                raise InputError("a Table does not know its elements, so there is nothing to show beside them")
            table = as_table(gold, pred, **options)
            return cls(name, table, None, None, _diagnosis(metric, table))
        left, right = as_clusterings(gold, pred)
        pair = align(left, right, **options)
        table = count(pair, members=True)
        assert table.members is not None
        cell = table.members.cell
        names = _places(pair, left, right) if pair.ids is None else listed(pair.ids.names, pair.ids.codes)
        texts = None if show is None else _texts(show, names.tolist(), pair, left)
        return cls(name, table, pair, Elements(cell, names, texts), _diagnosis(metric, table, cell, pair))


def _diagnosis(metric: ElementWise, table: Table, cell: Ints | None = None, pair: Pair | None = None) -> Diagnosis:
    metric = metric.on(table)
    metric.check(table)
    return Diagnosis(metric, table, cell, *((None, None) if pair is None else (pair.ids, pair.weights)))


def _places(pair: Pair, left: Clustering, right: Clustering) -> Ints:
    """The places of the elements in the input, where they have no other name."""
    policy = pair.policy
    if policy.noise and policy.noise_as == "drop":
        return np.flatnonzero(~(is_noise(left.labels, policy) | is_noise(right.labels, policy)))
    return np.arange(len(pair.gold.codes))


def _texts(show: Any, keys: list[Any], pair: Pair, gold: Clustering) -> Texts:
    """What is shown beside each element: by its id, or by its place among those of gold."""
    if not isinstance(show, Mapping):
        values = as_vector(show, "show")
        if len(values) != len(gold):
            raise InputError(
                f"show has {len(values):,} texts for {plural(len(gold), 'element')} of gold; give one each"
            )
        if pair.ids is None:
            return [spell(values[place]) for place in keys]
        ids = [] if gold.ids is None else [plain(each) for each in gold.ids]
        show = dict(zip(_keyed(ids, gold.documents), values, strict=True))
    places = _keyed(keys, pair.documents)
    texts = [show[place] if place in show else show.get(key) for place, key in zip(places, keys, strict=True)]
    if show and all(text is None for text in texts):
        raise InputError(
            f"show has no text for any of {plural(len(keys), 'element')} (e.g. {keys[0]!r}), but some for others (e.g. "
            f"{next(iter(show))!r}); its keys are the ids of elements"
        )
    return [spell(text) for text in texts]


def _keyed(keys: list[Any], documents: Any) -> list[Any]:
    """Ids, with their document where there are documents: an id may stand in several."""
    if documents is None:
        return keys
    named = [documents.name(code) for code in range(len(documents.names))]
    return [(named[code], key) for code, key in zip(documents.codes.tolist(), keys, strict=True)]
