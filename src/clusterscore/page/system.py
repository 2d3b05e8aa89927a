"""System: a prediction beside gold, counted once for everything that a page says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.pair import Pair
from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.diagnose import Losses
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, plural
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
        counted = isinstance(gold, Table) or isinstance(pred, Table)
        if counted and show is not None:
            raise InputError("a Table does not know its elements, so there is nothing to show beside them")
        left, right = (gold, pred) if counted else as_clusterings(gold, pred)
        table = as_table(left, right, members=True, **options)
        metric = metric.on(table)
        metric.check(table)
        diagnosis = Diagnosis(metric, table)
        if table.members is None:
            return cls(name, table, None, None, diagnosis)
        pair, cell = table.members
        names = np.arange(len(cell)) if pair.ids is None else listed(pair.ids.names, pair.ids.codes)
        texts = None if show is None else _texts(show, names.tolist(), pair, left)
        return cls(name, table, pair, Elements(cell, names, texts), diagnosis)


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
        ids = list(range(len(gold))) if gold.ids is None else [plain(each) for each in gold.ids]
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
