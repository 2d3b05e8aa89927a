"""MOR, how well the spans of mentions overlap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints, ranges
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.mention_scores import same_right
from clusterscore.metrics.metric import Parts, Table, register
from clusterscore.metrics.of_mentions import OfMentions
from clusterscore.read.coreference.coref_file import WORD
from clusterscore.read.coreference.mention_list import extents
from clusterscore.read.coreference.mentions import MentionSide


@register
class MentionOverlapRatio(OfMentions):
    """MOR, the mention overlap ratio: how many words of mentions are found, whatever their entity.

    Formula:
        W = max over one-to-one alignments of mentions of the sum of the words that both mentions have
        R = W / words of all gold mentions, P = W / words of all predicted mentions
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1; 1 if both sides have the same mentions.

    Use it when:
        You report CRAC scores, or want to know whether mentions were missed or only their ends are wrong. It needs the
        words of mentions, so it takes coreference files only: cs.coref. A word of two mentions counts in both.

    Reference:
        Zabokrtsky, Konopik, Nedoluzhko, Novak, Ogrodniczuk, Popel, Prazak, Sido, Zeman & Zhu 2022, Findings of the
        shared task on multilingual coreference resolution, CRAC.

    Example:
        >>> import clusterscore as cs
        >>> files = "examples/key.conll", "examples/response.conll"
        >>> round(cs.coref(*files, metrics="mor")["mor"].f, 4)
        0.9
    """

    name = "mor"

    def counted(self, table: Table) -> Parts:
        key, response = map(_words, self.mentions(table).sides)
        ours, theirs, common = _overlaps(key, response)
        chosen = best_alignment(ours, theirs, common.astype(np.float64), (len(key.length), len(response.length)))
        right = self.total(table, common[chosen], key.document[ours[chosen]])
        gold, pred = (self.total(table, side.length, side.document) for side in (key, response))
        return same_right(right, gold, pred)


class _Words(NamedTuple):
    """The words of all mentions of a side, mention after mention, and for each mention its document and length."""

    word: Ints
    document: Ints
    length: Ints


def _words(side: MentionSide) -> _Words:
    first, _, length = extents(side.spans).T
    word, starts = ranges(first >> WORD, length) << WORD, np.cumsum(length) - length
    for k, span in enumerate(side.spans):
        if len(span) > 2:  # its words are no unbroken stretch
            word[starts[k] : starts[k] + length[k]] = span[2:]
    return _Words(word, side.document, length)


def _overlaps(key: _Words, response: _Words) -> tuple[Ints, Ints, Ints]:
    """Mentions of both sides that have words in common, and how many."""
    from scipy.sparse import csr_array

    both = np.concatenate([key.word, response.word])
    document = np.concatenate([np.repeat(side.document, side.length) for side in (key, response)])
    least = both.min(initial=0)
    _, column = np.unique(document * (both.max(initial=0) - least + 1) + (both - least), return_inverse=True)
    width = int(column.max(initial=-1)) + 1
    columns = column[: len(key.word)], column[len(key.word) :]
    ours, theirs = (
        csr_array(
            (np.ones(len(own), np.int64), own, np.concatenate([[0], np.cumsum(side.length)])),
            shape=(len(side.length), width),
        )
        for own, side in zip(columns, (key, response), strict=True)
    )
    common = (ours @ theirs.T).tocoo()
    return common.row.astype(np.int64), common.col.astype(np.int64), common.data
