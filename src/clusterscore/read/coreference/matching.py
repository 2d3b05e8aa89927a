"""Which mention of the response is which of the key, one to one, by the rules of the CorefUD shared tasks.

First zeros by what they depend on, if that is chosen; then mentions of the same name; then what may go together, such
that the overlaps are largest altogether. Each step takes what the step before has left. An alignment says where a
mention is then found on the other side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.read.coreference.coref_file import WORD, EmptyNode, words_of
from clusterscore.read.coreference.mention_list import MentionList, extent
from clusterscore.read.links import components

Weights = dict[tuple[int, int], float]  # a mention of the key and one of the response -> how well they fit
Pair = tuple[int, int]

_SLIGHT = 1e-9  # a difference in sums of weights that counts as none
_MOST = 1 << 26  # places of a matrix that is solved as a whole: 512 MiB


class Matching(NamedTuple):
    """The partner of each mention of the key and of the response, or -1, by the first mention of its name.

    ``same`` is the mention of the key that has the name of each one of the response. ``undecided`` is how many
    documents have several best matchings and too many mentions to know the official one.
    """

    of_key: Ints
    of_response: Ints
    same: Ints
    undecided: int = 0


class Alignment(NamedTuple):
    """What each mention of the key is in the response, and the other way round, or -1; by the first of a name.

    ``counterpart`` is what the score of zeros takes for the mention of the response.
    """

    to_response: Ints
    to_key: Ints
    counterpart: Ints

    def agrees(self, other: Alignment) -> bool:
        """Whether mentions are found where another alignment of the same mentions finds them."""
        return np.array_equal(self.to_response, other.to_response) and np.array_equal(self.to_key, other.to_key)


def match_mentions(gold: MentionList, pred: MentionList, match: str, zeros: str) -> Matching:
    """Bring the mentions of a key and a response together."""
    places = zip(pred.documents, pred.keys, strict=True)
    same = np.array([gold.first[number].get(key, -1) for number, key in places], np.int64)
    if match == "exact" and zeros == "linear":
        of_key = np.full(len(gold), -1)
        of_key[same[same >= 0]] = pred.original[same >= 0]
        return Matching(of_key[gold.original], same, same)
    of_key, of_response = np.full(len(gold), -1), np.full(len(pred), -1)
    firsts = [np.flatnonzero(side.original == np.arange(len(side))) for side in (gold, pred)]
    undecided: set[int] = set()

    def settle(pairs: Iterable[Pair]) -> None:
        for ours, theirs in pairs:
            of_key[ours], of_response[theirs] = theirs, ours

    if zeros == "dependent":
        ours, theirs = (
            [mention for mention in some.tolist() if side.heads[mention] % (1 << WORD)]
            for side, some in zip((gold, pred), firsts, strict=True)
        )
        settle(_best(gold, pred, ours, theirs, _dependencies(gold, pred, ours, theirs), undecided))
    free = firsts[1][of_response[firsts[1]] < 0]
    free = free[same[free] >= 0]
    free = free[of_key[same[free]] < 0]
    of_key[same[free]], of_response[free] = free, same[free]
    if match != "exact":
        ours, theirs = firsts[0][of_key[firsts[0]] < 0].tolist(), firsts[1][of_response[firsts[1]] < 0].tolist()
        settle(_best(gold, pred, ours, theirs, _overlaps(gold, pred, ours, theirs, match), undecided))
    return Matching(of_key[gold.original], of_response[pred.original], same, len(undecided))


def _dependencies(gold: MentionList, pred: MentionList, ours: list[int], theirs: list[int]) -> Weights:
    """Zeros of the same sentence that have a parent in common: ten times the F of dependencies, and that of parents."""
    nodes = {k: pred.empty_node(k) or EmptyNode(-1) for k in theirs}
    candidates: dict[tuple[int, int, bytes], list[int]] = defaultdict(list)
    for k, node in nodes.items():
        for parent in node.parents:
            candidates[pred.documents[k], node.sentence, parent].append(k)
    weights: Weights = {}
    for mention in ours:
        mine = gold.empty_node(mention) or EmptyNode(-1)
        place = gold.documents[mention], mine.sentence
        for other in {k for parent in mine.parents for k in candidates.get((*place, parent), ())}:
            node = nodes[other]
            weights[mention, other] = 10 * _f(mine.dependencies, node.dependencies) + _f(mine.parents, node.parents)
    return weights


def _f(ours: frozenset[bytes], theirs: frozenset[bytes]) -> float:
    common = len(ours & theirs)
    if not common:
        return 0.0
    share, other_share = common / len(ours), common / len(theirs)
    return 2 * share * other_share / (share + other_share)


def _overlaps(gold: MentionList, pred: MentionList, ours: list[int], theirs: list[int], match: str) -> Weights:
    """Mentions that may be matched: with the same head, or with words of the key's mention and its head among them."""
    words = {k: frozenset(words_of(pred.spans[k])) for k in theirs}
    candidates: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k in theirs:
        for word in (pred.heads[k],) if match == "head" else words[k]:
            candidates[pred.documents[k], word].append(k)
    overlaps: Weights = {}
    for mention in ours:
        mine = frozenset(words_of(gold.spans[mention]))
        for other in candidates.get((gold.documents[mention], gold.heads[mention]), ()):
            common = len(mine & words[other])
            if common and (match == "head" or common == len(words[other])):
                overlaps[mention, other] = common / len(mine)
    return overlaps


def _best(
    gold: MentionList, pred: MentionList, ours: list[int], theirs: list[int], weights: Weights, undecided: set[int]
) -> list[Pair]:
    """The pairs with the largest sum of weights.

    Each connected part of the graph is solved on its own. Where several solutions are the best, the official one is
    that of SciPy for all mentions of the document at once.
    """
    pairs: list[Pair] = []
    tied: set[int] = set()
    for part in _parts(weights, len(gold), len(pred)):
        chosen, is_only = _solve_part(gold, pred, part, weights)
        pairs += chosen
        if not is_only:
            tied.add(gold.documents[part[0][0]])
    if not tied:
        return pairs
    rows, columns = _by_document(gold, ours, tied), _by_document(pred, theirs, tied)
    whole = {number for number in tied if len(rows[number]) * len(columns[number]) <= _MOST}
    undecided |= tied - whole
    of_document: dict[int, list[Pair]] = defaultdict(list)
    for pair in weights:
        of_document[gold.documents[pair[0]]].append(pair)
    return [pair for pair in pairs if gold.documents[pair[0]] not in whole] + [
        pair
        for number in whole
        for pair in _solve(
            rows[number], columns[number], of_document[number], [weights[p] for p in of_document[number]]
        )
    ]


def _by_document(side: MentionList, mentions: list[int], numbers: set[int]) -> dict[int, list[int]]:
    """The mentions of some documents, sorted as the CorefUD scorer does."""
    some: dict[int, list[int]] = {number: [] for number in numbers}
    for mention in mentions:
        if side.documents[mention] in numbers:
            some[side.documents[mention]].append(mention)
    return {number: _in_order(side, known) for number, known in some.items()}


def _in_order(side: MentionList, mentions: Iterable[int]) -> list[int]:
    """By first word, last word and number of words, as the CorefUD scorer; of equal ones by all words, and the head."""
    return sorted(mentions, key=lambda k: (*extent(side.spans[k]), side.spans[k], side.heads[k]))


def _parts(weights: Weights, ours: int, theirs: int) -> Iterator[list[Pair]]:
    """The connected parts of the graph, as pairs."""
    if not weights:
        return
    rows, columns = np.array(list(weights)).T
    _, component = components(rows, ours + columns, ours + theirs)
    parts: dict[int, list[Pair]] = defaultdict(list)
    for pair, number in zip(weights, component[rows].tolist(), strict=True):
        parts[number].append(pair)
    yield from parts.values()


def _solve_part(gold: MentionList, pred: MentionList, part: list[Pair], weights: Weights) -> tuple[list[Pair], bool]:
    """The best pairs of a connected part, and whether they are the only best ones.

    They are if no others win as soon as the chosen weigh slightly less.
    """
    if len(part) == 1:
        return part, True
    rows, columns = _in_order(gold, {ours for ours, _ in part}), _in_order(pred, {theirs for _, theirs in part})
    values = [weights[pair] for pair in part]
    chosen = _solve(rows, columns, part, values)
    known = {*chosen}
    slighter = [value - _SLIGHT * (pair in known) for pair, value in zip(part, values, strict=True)]
    return chosen, known == {*_solve(rows, columns, part, slighter)}


def _solve(rows: list[int], columns: list[int], pairs: list[Pair], weights: list[float]) -> list[Pair]:
    from scipy.optimize import linear_sum_assignment

    row, column = ({mention: k for k, mention in enumerate(some)} for some in (rows, columns))
    places = [row[ours] for ours, _ in pairs], [column[theirs] for _, theirs in pairs]
    costs: Array = np.zeros((len(rows), len(columns)))
    costs[places] = np.negative(weights)
    left, right = linear_sum_assignment(costs)
    fits = costs[left, right] < 0
    return [(rows[i], columns[j]) for i, j in zip(left[fits].tolist(), right[fits].tolist(), strict=True)]


def official_alignment(key: MentionList, response: MentionList, matching: Matching) -> Alignment:
    """The alignment as the CorefUD scorer keeps its books.

    It notes the pairs of different names in one dict for both directions, in which a name can stand for two empty nodes
    at once: of the key, and of the response. Then a matched mention is lost, or found elsewhere. And a mention that is
    in several entities is found in the last of them.
    """
    same_of_response = matching.same
    same_of_key = np.full(len(key.original), -1)
    same_of_key[same_of_response[same_of_response >= 0]] = response.original[same_of_response >= 0]
    same_of_key = same_of_key[key.original]
    # in the dict: first the mentions of the key with another partner than their own name, then those of the response
    moved_of_key = np.where(matching.of_key == same_of_key, -1, matching.of_key)
    moved_of_response = np.where(matching.of_response == same_of_response, -1, matching.of_response)
    to_response = np.where(moved_of_key >= 0, moved_of_key, same_of_key)
    overwritten = (same_of_key >= 0) & (value_at(moved_of_response, same_of_key) >= 0)
    to_response = np.where(overwritten, value_at(same_of_key, value_at(moved_of_response, same_of_key)), to_response)
    astray = (same_of_response >= 0) & (value_at(moved_of_key, same_of_response) >= 0)
    to_key = np.where(astray, value_at(same_of_response, value_at(moved_of_key, same_of_response)), same_of_response)
    to_key = np.where(moved_of_response >= 0, moved_of_response, to_key)
    counterpart = np.where(same_of_key >= 0, same_of_key, moved_of_key)
    return Alignment(to_response, to_key, counterpart)


def value_at(values: Ints, places: Ints) -> Ints:
    """The values at some places, -1 where there is none."""
    return np.append(values, -1)[places]
