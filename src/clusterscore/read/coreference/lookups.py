"""Where a mention of one side is found on the other, as the CorefUD scorer keeps its books.

It notes the pairs of different names in one dict for both directions, in which a name can stand for two empty nodes at
once: of the key, and of the response. Then a matched mention is lost, or found elsewhere. And a mention that is in
several entities is found in the last of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.read.coreference.coref_file import Span
from clusterscore.read.coreference.matching import Matching
from clusterscore.read.coreference.mention_list import MentionList


class AlignedSide(NamedTuple):
    """The mentions of one side: document, entity and span, whether they are zeros, and who has their name.

    ``original`` is the first mention of the same name, ``latest`` the last, in the order of their entities.
    """

    document: Ints
    entity: Ints
    spans: list[Span]
    is_zero: Array
    original: Ints
    latest: Ints

    @property
    def is_repeated(self) -> bool:
        """Whether a mention is in several entities."""
        return bool((self.original != np.arange(len(self.original))).any())


class Alignment:
    """What each mention of the key is in the response, and the other way round, or -1; by the first of a name.

    ``counterpart`` is what the score of zeros takes for the mention of the response.
    """

    def __init__(self, key: AlignedSide, response: AlignedSide, to_response: Ints, to_key: Ints, counterpart: Ints):
        self.key, self.response = key, response
        self.to_response, self.to_key, self.counterpart = to_response, to_key, counterpart

    def agrees(self, other: Alignment) -> bool:
        """Whether mentions are found where another alignment of the same mentions finds them."""
        return np.array_equal(self.to_response, other.to_response) and np.array_equal(self.to_key, other.to_key)

    @property
    def is_repeated(self) -> bool:
        """Whether a mention is in several entities, so that no partition holds it."""
        return self.key.is_repeated or self.response.is_repeated


def aligned_sides(side: MentionList) -> AlignedSide:
    """What is needed of the mentions of one side."""
    document = np.array(side.documents, np.int64)
    return AlignedSide(document, side.entity, side.spans, side.is_zero(), side.original, side.latest)


def official_alignment(key: AlignedSide, response: AlignedSide, matching: Matching) -> Alignment:
    """The alignment as the CorefUD scorer looks it up."""
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
    return Alignment(key, response, to_response, to_key, counterpart)


def value_at(values: Ints, places: Ints) -> Ints:
    """The values at some places, -1 where there is none."""
    return np.append(values, -1)[places]
