"""Align labels that lie on a device: by position, without moving them."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.noise import hint_at_noise, other_spelling
from clusterscore.align.policies import DOCUMENTS, Policy
from clusterscore.exceptions import ElementMismatch, InputError, InputTypeError, plural
from clusterscore.read.arrays import as_vector, check_some
from clusterscore.read.clustering import named_documents
from clusterscore.read.labels import Labels, encode, in_order, is_null
from clusterscore.read.tensors import TensorLabels, encode_tensor, is_tensor, tensor_in_order, tensor_vector


class TensorPair(NamedTuple):
    """Gold and predicted clusters of the same elements, after the policies, on one device."""

    gold: TensorLabels
    pred: TensorLabels
    documents: TensorLabels | None
    policy: Policy


def align_tensors(
    gold: Any,
    pred: Any,
    *,
    missing: str = "error",
    noise: Any = None,
    noise_as: str = "singleton",
    documents: Any = None,
    weights: None = None,
) -> TensorPair:
    """As :func:`clusterscore.align.align`, for two tensors; element weights go the way of arrays."""
    policy = Policy.of(missing, noise, noise_as)
    gold, pred = tensor_vector(gold, "gold"), tensor_vector(pred, "pred")
    _refuse_elsewhere(gold, pred, "pred")
    for side, which in ((gold, "gold"), (pred, "pred")):
        if policy.missing != "keep":
            check_some(len(side), which)
        if not policy.names_null:
            _refuse_null(side, which)
    if len(gold) != len(pred):
        raise ElementMismatch(
            f"gold has {plural(len(gold), 'label')} and pred has {len(pred):,}; by position both need one per element "
            "(to match by id, pass mappings, or Clustering.from_labels(labels, elements=ids))"
        )
    where = None if documents is None else _documents(documents, gold)
    if where is not None:
        policy = policy.read_with(DOCUMENTS, DOCUMENTS)
    if not policy.noise:
        left, right = encode_tensor(gold), encode_tensor(pred)
        hint_at_noise(_as_labels(left), _as_labels(right))
        return TensorPair(left, right, where, policy)
    pair = _without_noise(gold, pred, where, policy)
    if policy.missing != "keep":
        check_some(len(pair.gold.codes), f"what is left with {policy.signature.replace('|', ', ')}")
    return pair


def _as_labels(labels: TensorLabels) -> Labels:
    """The labels there are, each once, and only where -1 may be among them: nothing else need leave the device."""
    some = isinstance(labels.names, range) and labels.names.start == -1
    return Labels(labels.codes.unique().cpu().numpy() if some else np.zeros(0, np.int64), labels.names)


def _refuse_elsewhere(gold: Any, other: Any, what: str) -> None:
    if gold.device != other.device:
        raise InputError(
            f"gold is on {gold.device} and {what} on {other.device}; move one: {what}.to({str(gold.device)!r})"
        )


def _refuse_null(side: Any, which: str) -> None:
    null = side.isnan() if side.is_floating_point() else None
    if null is None or not null.any():
        return
    raise InputError(
        f"{which} has {plural(int(null.sum()), 'element')} with no label (None or NaN, e.g. position "
        f'{int(null.byte().argmax())}); pass noise=[None] with noise_as="drop" or "singleton", or give them a label'
    )


def _documents(documents: Any, gold: Any) -> TensorLabels:
    """The documents, their codes beside the labels: encoded there, or here and moved."""
    if isinstance(documents, Mapping):
        raise InputTypeError("documents is a mapping but the labels go by position; pass one document per element")
    if is_tensor(documents):
        documents = tensor_vector(documents, "documents")
        _refuse_elsewhere(gold, documents, "documents")
        values = documents
    else:
        values = as_vector(documents, "documents")
    if len(values) != len(gold):
        raise InputError(
            f"{plural(len(values), 'document id')} for {plural(len(gold), 'element')}; give one per element"
        )
    if is_tensor(values):
        null = int(values.isnan().sum()) if values.is_floating_point() else 0
        if null:
            raise InputError(f"{plural(null, 'element')} without a document (None or NaN); name one for each")
        return tensor_in_order(encode_tensor(values))
    labels = in_order(named_documents(encode(values)))
    codes = sys.modules["torch"].from_numpy(labels.codes.astype(np.int64))
    return TensorLabels(codes.to(gold.device), len(labels.names), labels.names)


def _without_noise(gold: Any, pred: Any, documents: TensorLabels | None, policy: Policy) -> TensorPair:
    noise = [_marked(side, policy.noise) for side in (gold, pred)]
    if not any(mark.any() for mark in noise):
        _refuse_misspelt(gold, pred, policy)
        return TensorPair(encode_tensor(gold), encode_tensor(pred), documents, policy)
    if policy.noise_as == "drop":
        keep = ~(noise[0] | noise[1])
        if documents is not None:
            documents = documents._replace(codes=documents.codes[keep])
        return TensorPair(encode_tensor(gold[keep]), encode_tensor(pred[keep]), documents, policy)
    left, right = (_recoded(encode_tensor(side), mark, policy) for side, mark in zip((gold, pred), noise, strict=True))
    return TensorPair(left, right, documents, policy)


def _marked(side: Any, noise: tuple[Any, ...]) -> Any:
    """Which labels mean noise."""
    mark = side.new_zeros(len(side), dtype=sys.modules["torch"].bool)
    for label in noise:
        if is_null(label):
            mark |= side != side
            continue
        value = _as_label(label, side)
        if value is not None:
            mark |= side == value
    return mark


def _as_label(label: Any, side: Any) -> Any:
    """The label as these labels are written; None where none of them can equal it."""
    if is_tensor(label) or isinstance(label, np.generic):
        label = label.item()
    if not isinstance(label, Real):
        return None
    try:
        value = side.new_full((1,), float(label) if side.is_floating_point() else math.trunc(label))
    except (OverflowError, RuntimeError, ValueError, TypeError):  # too large for them, or infinite
        return None
    return value if value.item() == label else None  # 0.1 is no label of 32 bits, nor is 1.5 a whole number


def _refuse_misspelt(gold: Any, pred: Any, policy: Policy) -> None:
    """No noise at all is fine, but "-1" where the labels say -1 is a mistake."""
    for label in policy.noise:
        twin = other_spelling(label)
        if isinstance(label, str) and twin is not None and any(_marked(side, (twin,)).any() for side in (gold, pred)):
            raise InputError(f"noise={label!r} is no label here, but {twin!r} is; write it as the labels are written")


def _recoded(labels: TensorLabels, mark: Any, policy: Policy) -> TensorLabels:
    count = int(mark.sum())
    if not count:
        return labels
    if policy.noise_as == "cluster":
        first = labels.codes[mark.byte().argmax()]
        return labels._replace(codes=first.where(mark, labels.codes))
    size = labels.size + count
    codes = labels.codes.int() if size < 2**31 else labels.codes.long()
    own = sys.modules["torch"].arange(labels.size, size, dtype=codes.dtype, device=codes.device)
    return labels._replace(codes=codes.masked_scatter(mark, own), size=size)
