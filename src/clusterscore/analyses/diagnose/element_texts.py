"""Texts of elements, such as names and addresses: beside each of them, or all those of a cluster together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.analyses.diagnose.cluster_rows import ClusterSide
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.nouns import noun, plural
from clusterscore.read import as_clustering
from clusterscore.read.arrays import as_vector
from clusterscore.read.labels import Labels, plain
from clusterscore.read.sample import Sample
from clusterscore.show.grid import NamesInCell

if TYPE_CHECKING:
    from clusterscore.analyses.diagnose.diagnosis import Diagnosis


def element_texts(diagnosis: Diagnosis, show: Any, gold: Any, called: str = "show") -> Array:
    """A text for each element: by its id, or by its place among those of gold; None where there is none."""
    if diagnosis.table.members is None:
        raise InputError(noun("a Table does not know its elements, so there is nothing to show next to them"))
    pair, keys = diagnosis.table.members.pair, diagnosis.elements()["element"].tolist()
    if not isinstance(show, Mapping):
        values = as_vector(show, called)
        clustering = as_clustering(gold.gold if isinstance(gold, Sample) else gold, "gold")
        count = len(clustering)
        if len(values) != count:
            raise InputError(
                f"{called} has {len(values):,} texts for {plural(count, 'element')} of gold; give one each"
            )
        ids = range(count) if clustering.ids is None else [plain(element) for element in clustering.ids]
        show = dict(zip(_keyed(ids, clustering.documents), values, strict=True))
    places = _keyed(keys, pair.documents)
    texts = [show[place] if place in show else show.get(key) for place, key in zip(places, keys, strict=True)]
    if show and all(text is None for text in texts):
        raise InputError(
            f"{called} has no text for any of {plural(len(keys), 'element')} (e.g. {keys[0]!r}), but some for "
            f"others (e.g. {next(iter(show))!r}); its keys are the ids of {noun('elements')}"
        )
    column = np.empty(len(texts), object)
    column[:] = [None if text is None else str(text) for text in texts]
    return column


def shown_columns(diagnosis: Diagnosis, show: Any, gold: Any, taken: Iterable[str] | None = None) -> dict[str, Array]:
    """Texts by the names of their columns; one that the elements, or what is ``taken``, have already gets a suffix."""
    if show is None:
        return {}
    if not isinstance(show, Mapping) or not all(isinstance(name, str) for name in show):
        raise InputTypeError('show has texts by the names of their columns; pass show={"name": names}')
    used = set(diagnosis.elements() if taken is None else taken)
    return {
        f"{name}_shown" if name in used else name: element_texts(diagnosis, values, gold, f"show[{name!r}]")
        for name, values in show.items()
    }


def shown_of_clusters(diagnosis: Diagnosis, show: Any, gold: Any) -> dict[str, Array]:
    """The same for clusters, with the ids of their elements."""
    texts = shown_columns(diagnosis, show, gold, ["elements", *diagnosis.clusters("gold")])
    return {"elements": diagnosis.elements()["element"].astype(str).astype(object), **texts} if texts else {}


def joined_texts(columns: Sequence[Any]) -> Any:
    """Several columns as one, ``Ann, 12 Main St``; by the ids of elements, or where these have none in their order."""
    if len(columns) < 2:
        return columns[0] if columns else None
    if not all(isinstance(column, Mapping) for column in columns):
        return [_joined(texts) for texts in zip(*columns, strict=True)]
    ids = dict.fromkeys(key for column in columns for key in column)
    return {key: _joined([column.get(key) for column in columns]) for key in ids}


def _joined(texts: Iterable[Any]) -> str:
    return ", ".join(str(text) for text in texts if text is not None)


def texts_of_clusters(sides: Sequence[ClusterSide], texts: Array, rows: Ints) -> Array:
    """The texts of all elements of some clusters, which are numbered through both sides."""
    column = np.empty(len(rows), object)
    for k, row in enumerate(rows.tolist()):
        side, place = (sides[0], row) if row < len(sides[0]) else (sides[1], row - len(sides[0]))
        column[k] = NamesInCell("" if text is None else text for text in texts[side.members_of(place)].tolist())
    return column


def _keyed(keys: Sequence[Any], documents: Labels | None) -> Sequence[Any]:
    """Ids, with their document where there are documents: an id may stand in several."""
    if documents is None:
        return keys
    named = [documents.name(code) for code in range(len(documents.names))]
    return [(named[code], key) for code, key in zip(documents.codes.tolist(), keys, strict=True)]
