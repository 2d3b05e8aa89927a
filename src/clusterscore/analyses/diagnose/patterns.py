"""Patterns: which clusters cost most, and what they are made of: ``pred 0 = gold 3 (98) + gold 9 (95)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.diagnose.cluster_rows import ClusterSide, by_loss
from clusterscore.analyses.diagnose.losses import Losses
from clusterscore.nouns import noun, plural

_NAMED = 4  # parts of a cluster, where each is a tenth of it


class Part(NamedTuple):
    """A cluster, and how many of the elements in question it holds."""

    side: str
    number: int  # in the table
    row: int  # its place among the clusters of its side
    name: Any
    size: int


class Pattern(NamedTuple):
    """What a cluster was made of: a predicted cluster that merges gold ones, or a gold cluster that was split."""

    whole: Part
    document: Any  # None where there is only one
    parts: list[Part]  # the largest
    others: int  # further parts
    rest: int  # elements in them
    loss: float  # that its strangers cost, or that its elements cost because they are apart; or all that they cost
    share: float  # of all loss

    @property
    def absent(self) -> str:
        """How many of its elements the other side does not have, in words; nothing where it has all of them."""
        absent = self.whole.size - self.rest - sum(part.size for part in self.parts)
        return f"{absent:,} not {'predicted' if self.whole.side == 'gold' else 'in gold'}" if absent > 0 else ""

    def __str__(self) -> str:
        shown = [f"{part.side} {part.name} ({part.size:,})" for part in self.parts]
        if self.others:
            shown.append(f"{plural(self.others, 'other')} ({self.rest:,})")
        shown += filter(None, [self.absent])
        where = "" if self.document is None else f"{noun('document')} {self.document}: "
        cluster = f"{self.whole.side} {self.whole.name}"
        return f"{where}{cluster} = {' + '.join(shown)}: {100 * self.share:.1f}% of the loss"


def patterns_of(
    sides: Sequence[ClusterSide],
    losses: Losses,
    title: Callable[[str, int], Any],
    documents: Sequence[Any],
    most: int,
    by: str,
) -> list[Pattern]:
    """The clusters that have most of ``charged`` or ``loss``; ``title`` is what a cluster of a side is called."""
    lost, size, first = (np.concatenate([getattr(side, name) for side in sides]) for name in (by, "size", "first"))
    order = by_loss(lost, size, first)[:most]
    shares, patterns = losses.share(lost), []
    for place in order[lost[order] > 0].tolist():
        side, row = (sides[0], place) if place < len(sides[0]) else (sides[1], place - len(sides[0]))
        met, held = side.parts_of(row), int(size[place])
        named = sum(k < 2 or (k < _NAMED and 10 * n >= held) for k, (_, n) in enumerate(met))
        named += named + 1 == len(met)  # one other has a name, too
        where = side.document if len(documents) > 1 else None
        whole = int(side.cluster[row])
        patterns.append(
            Pattern(
                Part(side.side, whole, row, title(side.side, whole), held),
                None if where is None else documents[where[row]],
                [
                    Part(side.other, cluster, side.other_row(cluster), title(side.other, cluster), n)
                    for cluster, n in met[:named]
                ],
                len(met) - named,
                sum(n for _, n in met[named:]),
                float(lost[place]),
                float(shares[place]),
            )
        )
    return patterns
