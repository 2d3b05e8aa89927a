"""Mentions of the response that are not the same as one of the key, but near enough: by head, or in part.

As in the scorer of the CorefUD shared tasks: what has the same words (and, by head, the same head) belongs together.
Of the rest a mention goes to one that it may go to, one to one, such that the overlaps are largest altogether.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.errors import InputError
from clusterscore.read.coreference.file import CorefFile
from clusterscore.read.coreference.side import Side, first_of_each

Edges = dict[tuple[int, int], float]  # a mention of the key and one of the response -> how well they go together


def partners(gold: Side, pred: Side, match: str) -> Ints:
    """For each mention of the response the one of the key that it stands for, or -1."""
    found = first_of_each(gold.span, pred.span)
    if match == "exact":
        return found
    heads = _heads(gold.file, match)[gold.at]
    if match == "head":
        theirs = _heads(pred.file, match)[pred.at]
        same = found >= 0
        same[same] = heads[found[same]] == theirs[same]
        found = np.where(same, found, -1)
    # a mention that is there twice goes where its first goes
    first = pred.first()
    found = found[first] if len(found) else found
    taken = np.zeros(len(gold), np.bool_)
    taken[found[found >= 0]] = True
    ours = np.flatnonzero(~taken & (gold.first() == np.arange(len(gold)))).tolist()
    yours = np.flatnonzero((found < 0) & (first == np.arange(len(pred)))).tolist()
    edges = (
        _by_head(gold, pred, ours, yours, heads, theirs)
        if match == "head"
        else _in_part(gold, pred, ours, yours, heads)
    )
    for one, other in _best(gold, pred, edges):
        found[other] = one
    return found[first] if len(found) else found


def _heads(file: CorefFile, match: str) -> Ints:
    if file.mentions.head is None:
        raise InputError(
            f'match="{match}" needs the heads of mentions, and {file.called} ({file.form}) has none; use match="exact"'
        )
    return file.mentions.head


def _by_head(gold: Side, pred: Side, ours: list[int], yours: list[int], heads: Ints, theirs: Ints) -> Edges:
    """Mentions with the same head."""
    candidates: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k in yours:
        candidates[int(pred.document[k]), int(theirs[k])].append(k)
    edges: Edges = {}
    for one in ours:
        others = candidates.get((int(gold.document[one]), int(heads[one])))
        if others:
            words = gold.words(one)
            edges.update(((one, other), len(words & pred.words(other)) / len(words)) for other in others)
    return {pair: overlap for pair, overlap in edges.items() if overlap > 0}


def _in_part(gold: Side, pred: Side, ours: list[int], yours: list[int], heads: Ints) -> Edges:
    """Mentions of words of the key's mention, its head among them."""
    wanted = {(int(gold.document[k]), int(heads[k])) for k in ours}
    candidates: dict[tuple[int, int], list[tuple[int, frozenset[int]]]] = defaultdict(list)
    for k in yours:
        words = pred.words(k)
        for word in words:
            if (int(pred.document[k]), word) in wanted:
                candidates[int(pred.document[k]), word].append((k, words))
    edges: Edges = {}
    for one in ours:
        others = candidates.get((int(gold.document[one]), int(heads[one])))
        if others:
            words = gold.words(one)
            edges.update(((one, other), len(part) / len(words)) for other, part in others if part <= words)
    return edges


def _best(gold: Side, pred: Side, edges: Edges) -> Iterator[tuple[int, int]]:
    """The pairs of the best assignment: each connected part of the graph on its own."""
    for pairs in _components(edges):
        if len(pairs) == 1:
            yield pairs[0]
            continue
        from scipy.optimize import linear_sum_assignment

        # of equal ones the earlier in the document wins
        rows = sorted({one for one, _ in pairs}, key=lambda k: _place(gold, k))
        columns = sorted({other for _, other in pairs}, key=lambda k: _place(pred, k))
        overlap = np.zeros((len(rows), len(columns)))
        row, column = ({k: place for place, k in enumerate(some)} for some in (rows, columns))
        for one, other in pairs:
            overlap[row[one], column[other]] = edges[one, other]
        for i, j in zip(*linear_sum_assignment(overlap, maximize=True), strict=True):
            if overlap[i, j] > 0:
                yield rows[i], columns[j]


def _place(side: Side, mention: int) -> tuple[int, int, int]:
    words = side.words(mention)
    return min(words), max(words), len(words)


def _components(pairs: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Edges that hang together."""
    above: dict[tuple[str, int], tuple[str, int]] = {}

    def root(node: tuple[str, int]) -> tuple[str, int]:
        above.setdefault(node, node)
        while above[node] != node:
            above[node] = node = above[above[node]]
        return node

    listed = list(pairs)
    for one, other in listed:
        above[root(("key", one))] = root(("response", other))
    parts: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for one, other in listed:
        parts[root(("key", one))].append((one, other))
    return list(parts.values())
