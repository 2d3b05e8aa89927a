"""What a user gives for each element: documents, weights, groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from clusterscore.align.policies import DOCUMENTS, Pair
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.messages import Given, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import (
    as_vector,
    encode_tensor,
    numbers,
    proportional,
    python_values,
    shape_in_words,
    tensor_vector,
)
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import Labels, array_module, encode, is_tensor, without_null


def with_documents(left: Clustering, right: Clustering, documents: Any) -> tuple[Clustering, Clustering]:
    """Both sides in the documents that the user gives; their codes go where the labels are."""
    if left.documents is not None or right.documents is not None:
        raise InputError(
            Option("documents"), noun(" is given, but the clusterings already carry documents; give them once")
        )
    if left.shapes is not None:
        shape, given = next(iter(left.shapes.values())), np.shape(documents)
        if len(given) > 1 or given == shape[:1] != (math.prod(shape),):
            documents = _spread_out(documents, shape)
    documented = copy(left), copy(right)
    for side in documented:
        side.options = {**side.options, **DOCUMENTS}
        if side is documented[1] and left.ids is right.ids:
            side.documents = documented[0].documents
            continue
        values = per_element(documents, "document", "document id", side.ids, side.codes)
        side.documents = without_null(
            encode_tensor(values) if is_tensor(values) else encode(values), noun("a document")
        )
        if is_tensor(side.codes) and not is_tensor(side.documents.codes):
            codes = side.documents.codes.astype(np.int64)
            there = array_module(side.codes).asarray(codes, device=side.codes.device)
            side.documents = replace(side.documents, codes=there)
    return documented


def _spread_out(documents: Any, shape: tuple[int, ...]) -> Array:
    """A document for each pixel of a stack, from one for each image: of as many dimensions, most of size 1."""
    try:
        if np.ndim(documents) == 1:  # along the first axis
            documents = np.reshape(documents, (-1, *(1 for _ in shape[1:])))
        if np.ndim(documents) == len(shape):
            return np.broadcast_to(documents, shape).ravel()
    except ValueError:
        pass
    given = shape_in_words(np.shape(documents))
    raise InputError(
        f"documents is {given} and gold {shape_in_words(shape)}; give one for each image, as large as the stack along "
        "one axis, and of size 1 along the others"
    )


def per_element(given: Any, what: str, named: str, ids: Sequence[Any] | Array | None, codes: Array) -> Any:
    """What the user gives for each element: by id, or one after the other; a tensor stays with codes on its device."""
    parameter = "by" if what == "group" else f"{what}s"
    if ids is not None:
        if not isinstance(given, Mapping):
            raise InputTypeError(
                f"the {noun('elements')} have ids; pass {parameter} as a mapping {noun('element')} -> {noun(what)}"
            )
        names = python_values(ids)
        absent = [name for name in names if name not in given]
        if absent:
            raise InputError(
                f"{plural(len(absent), 'element')} without {noun(f'a {what}')} (e.g. {absent[0]!r}); give each one"
            )
        return [given[name] for name in names]
    if isinstance(given, Mapping):
        raise InputTypeError(
            f"{parameter} is a mapping, but the labels are matched by position; pass one {noun(what)} per "
            f"{noun('element')}"
        )
    stays = is_tensor(given) and is_tensor(codes)
    values = tensor_vector(given, parameter, codes) if stays else as_vector(given, parameter)
    if len(values) != len(codes):
        raise InputError(
            f"{plural(len(values), named)} for {plural(len(codes), 'element')}; give one per {noun('element')}"
        )
    return values


def listed_groups(by: Any, gold: Clustering) -> Labels:
    """A group for each element, in gold's order."""
    if isinstance(by, str):
        raise InputTypeError(
            Given("by", by), f" is a single string; pass a group for each {noun('element')}, such as frame[{by!r}]"
        )
    groups = encode(as_vector(by, "by"))
    if len(groups) != len(gold):
        counts = f"{plural(len(groups), 'group')} for {plural(len(gold), 'element')}"
        raise InputError(f"by has {counts} of gold; give one for each")
    return groups


def refuse_no_group(groups: Labels, ids: Labels | None) -> None:
    """What was dropped needs no group; everything else does."""
    at = np.flatnonzero(groups.codes == (-1 if groups.null is None else groups.null))
    if len(at):
        example = f"position {at[0]}" if ids is None else repr(ids[at[0]])
        raise InputError(
            f"by has no group (None or NaN) for {plural(len(at), 'element')} (e.g. {example}); name one for each, such "
            "as 'unknown'"
        )


def weights_of(weights: Any, pair: Pair) -> Array:
    """A weight for each element, in the pair's order, checked."""
    given = per_element(weights, "weight", "weight", pair.ids, pair.gold.codes)
    if isinstance(given, list):
        given = [float("nan") if value is None else value for value in given]
    values = numbers(given, "weights").astype(np.float64)
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        raise InputError(
            f"{plural(int(bad.sum()), 'weight')} negative, NaN or infinite (e.g. {float(values[bad][0])!r}); "
            "weights are finite numbers from 0 up"
        )
    return proportional(values)
