"""Key and response on the same mentions, as two clusterings that every metric can score.

A mention of the response that the key has too is the same element; all others are on one side only, which
``missing="keep"`` counts. The documents are those of the key.

A partition holds an element once. Where a mention stands several times, what the reference scorer does is kept as far
as a partition allows: of a response mention that is in the key, only the one in the entity that appears first
stays; one that is not in the key counts as often as it stands there; in the key only the first can be found by the
response, the others are mentions that nobody finds.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.errors import one_of, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference.documents import same_documents
from clusterscore.read.coreference.file import CorefFile
from clusterscore.read.coreference.matching import partners
from clusterscore.read.coreference.side import Side, same_spans

MATCHES = ("exact", "head", "partial")
SINGLETONS = ("keep", "drop")


class PairedCoreference(NamedTuple):
    """Key and response: ``Table.from_labels(gold, pred, missing="keep")`` counts them.

    ``documents`` names all documents of the key, those without a mention too. Element ids are numbers, the same on both
    sides for the same mention. ``repeated`` says for each document how many elements of gold and of pred are a mention
    that stands there already: the reference scorer counts those in entities, but not among the mentions.
    """

    gold: Clustering
    pred: Clustering
    warnings: list[str]
    documents: list[str]
    repeated: tuple[Ints, Ints]


def pair_coreference(
    key: CorefFile,
    response: CorefFile,
    *,
    match: str = "exact",
    singletons: str = "keep",
    cross_document: bool = False,
) -> PairedCoreference:
    """Bring the mentions of two files together.

    ``match`` says when a mention of the response is one of the key: if it has the same words (``"exact"``), the same
    head (``"head"``), or words of it with its head among them (``"partial"``). ``singletons="drop"`` leaves out
    entities of one mention, on each side. With ``cross_document`` an entity id means the same entity in all documents.
    """
    one_of("match", match, MATCHES)
    one_of("singletons", singletons, SINGLETONS)
    home, warnings = same_documents(key, response)
    if not cross_document:
        warnings += _split(key) + _split(response)
    gold, pred = same_spans(
        Side.of(key, np.arange(len(key.names)), cross_document), Side.of(response, home, cross_document)
    )
    if singletons == "drop":
        gold, pred = gold.without_singletons(), pred.without_singletons()
    found = partners(gold, pred, match)
    gold_again, pred_again = (side.first() != np.arange(len(side)) for side in (gold, pred))
    lost = pred_again & (found >= 0)
    warnings += _repeated(gold, np.flatnonzero(gold_again), *_IN_KEY)
    warnings += _repeated(pred, np.flatnonzero(lost), *_IN_BOTH)
    warnings += _repeated(pred, np.flatnonzero(pred_again & ~lost), *_IN_RESPONSE)
    ids = np.where(found >= 0, found, len(gold) + np.arange(len(pred)))
    kept = np.flatnonzero(~lost)
    documents = None if cross_document else key.names
    chosen = {"match": match, "singletons": singletons, "cross_document": str(cross_document).lower()}
    options = {name: value for name, value in chosen.items() if value not in ("exact", "keep", "false")}
    count = len(key.names)
    return PairedCoreference(
        gold.clustering(np.arange(len(gold)), documents, options),
        pred.take(kept).clustering(ids[kept], documents, options),
        warnings,
        key.names,
        (
            np.bincount(gold.document[gold_again], minlength=count),
            np.bincount(pred.document[pred_again & ~lost], minlength=count),
        ),
    )


_IN_KEY = ("", "the first can be found by the response, the others count as missed")
_IN_BOTH = (" of the key", "the first stays, the others are left out, as in the reference scorer")
_IN_RESPONSE = (" that the key does not have", "each counts, as in the reference scorer")


def _repeated(side: Side, where: Ints, which: str, then: str) -> list[str]:
    if not len(where):
        return []
    one = int(where[0])
    return [
        f"{side.file.called}: {plural(len(where), 'repeated mention')}{which} (e.g. "
        f"{side.told(one, int(side.first()[one]))}); {then}"
    ]


def _split(file: CorefFile) -> list[str]:
    """A warning if ids that are meant for a whole file are in several of its documents."""
    if not file.shared_ids:
        return []
    counts = Counter(file.entities)
    several = [name for name, count in counts.items() if count > 1]
    if not several:
        return []
    return [
        f"{file.called}: {plural(len(several), 'entity id')} in several documents (e.g. {several[0]!r} in "
        f"{counts[several[0]]:,}); an entity of each document, unless entities go across documents"
    ]
