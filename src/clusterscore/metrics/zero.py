"""The score of zero anaphora."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.metrics.metric import Parts, Table, register
from clusterscore.metrics.of_mentions import OfMentions
from clusterscore.read.coreference.matching import Alignment
from clusterscore.read.coreference.mention_list import extents
from clusterscore.read.coreference.mentions import MentionSide


@register
class ZeroAnaphora(OfMentions):
    """Zero anaphora: which omitted pronouns (zeros of CorefUD) are linked to the right entity.

    Formula:
        A zero is a mention whose head is an empty node; the first mention of an entity is no anaphor.
        TP = gold zeros whose predicted entity has an earlier mention of their gold entity
        WL = those whose predicted entity has none, FN = those that are not predicted, or begin an entity there
        FP = predicted zeros that do not begin an entity, and are none of these
        R = TP / (TP+WL+FN), P = TP / (TP+WL+FP)
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1; 0 if there is no zero at all, even for two identical files.

    Use it when:
        You report CRAC scores, or compare systems for languages that leave out pronouns. It takes CorefUD files only:
        cs.coref with match="head", zeros="dependent". As in the CorefUD scorer, an empty node with the same number
        takes precedence over the one that was matched; you are warned where that decides the score.

    Reference:
        Novak, Dohnalova, Konopik, Nedoluzhko, Popel, Prazak, Sido, Straka, Zabokrtsky & Zeman 2024, Findings of the
        third shared task on multilingual coreference resolution, CRAC.

    Example:
        >>> import clusterscore as cs
        >>> files = "examples/key.conllu", "examples/response.conllu"
        >>> round(cs.coref(*files, match="head", zeros="dependent", metrics="zero")["zero"].f, 4)
        0.5714
    """

    name = "zero"
    swaps = False
    symmetric = False
    perfect = None  # 0 without zeros

    def check(self, table: Table) -> None:
        super().check(table)
        self._alignment(table)

    def _alignment(self, table: Table) -> Alignment:
        alignment = self.mentions(table).alignment
        if alignment is None:
            raise InputError("zero needs the empty nodes of CorefUD, and not both files are CorefUD; leave it out")
        return alignment

    def counted(self, table: Table) -> Parts:
        alignment = self._alignment(table)
        (key, response), partner = self.mentions(table).sides, alignment.counterpart
        ours, theirs = _order(key), _order(response)
        begins = np.zeros(len(response.entity), bool)  # by the first mention of a name
        begins[response.original[theirs.place == theirs.start]] = True
        entity = np.where(partner >= 0, np.append(response.entity[response.latest], -1)[partner], -1)
        anaphor = key.is_zero & (ours.place > ours.start)
        is_lost = (partner < 0) | np.append(begins, False)[partner]
        is_linked = ~is_lost & _is_earlier(key.entity, entity, ours.place)
        covered = np.zeros(len(response.entity), bool)
        covered[partner[anaphor & (partner >= 0)]] = True
        spurious = response.is_zero & ~begins[response.original] & ~covered[response.original]
        right = self.total(table, anaphor & is_linked, key.document)
        gold = self.total(table, anaphor, key.document)
        missed = self.total(table, anaphor & is_lost, key.document)
        return {
            "right_gold": right,
            "gold": gold,
            "right_pred": right,
            "pred": gold - missed + self.total(table, spurious, response.document),
        }


class _Order(NamedTuple):
    """Mentions entity by entity: the place of each one, and that of the first of its entity."""

    place: Ints
    start: Ints


def _order(side: MentionSide) -> _Order:
    first, last, length = extents(side.spans).T
    order = np.lexsort((length, last, first, side.document, side.entity))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    sizes = np.bincount(side.entity, minlength=1)
    return _Order(place, (np.cumsum(sizes) - sizes)[side.entity])


def _is_earlier(own: Ints, other: Ints, place: Ints) -> Array:
    """Of each mention whether an earlier one of its entity was found in the same other entity."""
    order = np.argsort(place)
    _, first, pair = np.unique(np.stack([own[order], other[order]]), axis=1, return_index=True, return_inverse=True)
    earliest = np.empty(len(own), np.int64)
    earliest[order] = first[pair.reshape(-1)]
    return earliest < place
