"""Tensors: labels that lie on a device become codes there.

torch is never imported here: whoever brings a tensor has loaded it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import InputTypeError
from clusterscore.read.arrays import as_vector
from clusterscore.read.labels import plain

_WHOLE = {"torch.bool"} | {f"torch.{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


class TensorLabels(NamedTuple):
    """Codes on a device, from 0 to ``size`` - 1; ``names`` may lie there too."""

    codes: Any
    size: int
    names: Any

    def host_names(self) -> Sequence[Any] | Array:
        """What the user calls each code."""
        if not is_tensor(self.names):
            known: Sequence[Any] = self.names
            return known
        values: Array = self.names.cpu().numpy()
        if values.dtype.kind == "f" and np.isnan(values).any():
            return [None if value != value else value for value in values.tolist()]
        return values


def is_tensor(value: Any) -> bool:
    """A tensor of torch; one that only says so is none."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def tensor_vector(tensor: Any, what: str) -> Any:
    """A tensor of one label per element, apart from the graph that it may be part of."""
    torch = sys.modules["torch"]
    if tensor.layout is not torch.strided:
        raise InputTypeError(f"{what} is a sparse tensor; pass .to_dense() of it")
    if not tensor.is_floating_point() and str(tensor.dtype) not in _WHOLE:
        raise InputTypeError(f"{what} is a tensor of {tensor.dtype}; labels are whole numbers, floats or truth values")
    if tensor.ndim != 1:  # an array of that shape is refused in the same words, and holds nothing
        shape = tuple(tensor.shape)
        as_vector(np.broadcast_to(np.int8(0), shape) if shape else np.asarray(tensor.item()), what)
    return tensor.detach()


def encode_tensor(tensor: Any) -> TensorLabels:
    """Code labels by the same rule as arrays: small integers less the smallest, all else by its distinct values."""
    torch = sys.modules["torch"]
    if tensor.is_floating_point():
        wide = tensor.double() if tensor.element_size() == 8 else tensor.float()
        wide = wide + 0.0  # -0.0 equals 0.0 and must share its bits
        found, codes = wide.view(torch.int64 if wide.element_size() == 8 else torch.int32).unique(return_inverse=True)
        return TensorLabels(codes, len(found), found.view(wide.dtype))
    if tensor.dtype is torch.bool:
        return TensorLabels(tensor.byte(), 2, (False, True))
    kind = tensor.dtype
    if kind is torch.uint64:
        tensor = tensor.view(torch.int64)  # the largest turn negative: other codes, as far apart
    elif kind in (torch.uint16, torch.uint32):
        tensor = tensor.long()
    if not len(tensor):
        return TensorLabels(tensor, 0, range(0))
    lowest, highest = (int(end) for end in tensor.aminmax())
    span = highest - lowest + 1
    if span <= max(4 * len(tensor), 1024) and not (kind is torch.uint64 and lowest < 0):
        return TensorLabels(_shifted(tensor, lowest, span), span, range(lowest, highest + 1))
    found, codes = tensor.unique(return_inverse=True)
    return TensorLabels(codes, len(found), found.view(kind) if kind is torch.uint64 else found)


def tensor_in_order(labels: TensorLabels) -> TensorLabels:
    """As :func:`clusterscore.read.labels.in_order`, on the device."""
    codes, count = labels.codes.long(), len(labels.codes)
    if not (codes[1:] < codes[:-1]).any():
        return labels
    places = sys.modules["torch"].arange(max(count, labels.size), device=codes.device)
    first = codes.new_full((labels.size,), count).scatter_reduce_(0, codes, places[:count], "amin")
    old = first.argsort()[: int((first < count).sum())]
    number = codes.new_zeros(labels.size)
    number[old] = places[: len(old)]
    names = labels.host_names()
    return TensorLabels(number[codes], len(old), [plain(names[code]) for code in old.tolist()])


def _shifted(tensor: Any, lowest: int, span: int) -> Any:
    if lowest == 0:
        return tensor
    # -128 .. 127 leaves int8 when shifted; in 64 bits it does not, and the codes need half of them
    codes = tensor.long() - lowest
    return codes.int() if span < 2**31 else codes
