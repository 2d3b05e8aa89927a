"""Pair: gold and predicted clusters of the same elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from clusterscore.align.policies import Policy
from clusterscore.distinct import Array
from clusterscore.read.labels import Labels


class Side(NamedTuple):
    """One side of a pair: the cluster of every common element, and of those that only this side has."""

    codes: Array
    size: int  # codes lie below it
    names: Sequence[Any] | Array  # of the first codes; a code beyond them is an element left alone by a policy
    null: int | None  # the code of None and NaN
    only: Array  # codes of the elements that the other side lacks, under missing="keep"
    only_documents: Array | None = None


class Pair(NamedTuple):
    """Gold and predicted clusters of the same elements, after the policies."""

    gold: Side
    pred: Side
    documents: Labels | None
    weights: Array | None
    ids: Labels | None
    policy: Policy
