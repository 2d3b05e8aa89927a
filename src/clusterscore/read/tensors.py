"""Tensors: labels that lie on a device become codes there, and their names come to the host.

torch is never imported here: whoever brings a tensor has loaded it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.read.arrays import as_vector
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import Labels

_LABELS = {"torch.bool"} | {f"torch.{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


def on_device(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    """Two tensors as clusterings whose codes stay where the labels are."""
    gold, pred = tensor_vector(gold, "gold"), tensor_vector(pred, "pred", gold)
    return Clustering(encode_tensor(gold)), Clustering(encode_tensor(pred))


def tensor_vector(tensor: Any, what: str, gold: Any = None) -> Any:
    """A tensor of one label per element, on the device of ``gold``, apart from the graph that it may be part of."""
    if tensor.layout is not sys.modules["torch"].strided:
        raise InputTypeError(f"{what} is a sparse tensor; pass .to_dense() of it")
    if not tensor.is_floating_point() and str(tensor.dtype) not in _LABELS:
        raise InputTypeError(f"{what} is a tensor of {tensor.dtype}; labels are whole numbers, floats or truth values")
    if tensor.ndim != 1:  # an array of that shape is refused in the same words, and holds nothing
        shape = tuple(tensor.shape)
        as_vector(np.broadcast_to(np.int8(0), shape) if shape else np.asarray(tensor.item()), what)
    if gold is not None and gold.device != tensor.device:
        raise InputError(
            f"gold is on {gold.device} and {what} on {tensor.device}; move one: {what}.to({str(gold.device)!r})"
        )
    return tensor.detach()


def encode_tensor(tensor: Any) -> Labels:
    """Code labels by the same rule as arrays: small integers less the smallest, all else by its distinct values."""
    torch = sys.modules["torch"]
    kind = tensor.dtype
    if tensor.is_floating_point():
        return _encode_floats(tensor)
    if kind is torch.bool:
        return Labels(tensor.byte(), (False, True))
    if kind is torch.uint64:
        tensor = tensor.view(torch.int64)  # the largest turn negative: other codes, as far apart
    elif kind in (torch.uint16, torch.uint32):
        tensor = tensor.long()
    if not len(tensor):
        return Labels(tensor, range(0))
    lowest, highest = (int(end) for end in tensor.aminmax())
    span = highest - lowest + 1
    if span > max(4 * len(tensor), 1024) or (kind is torch.uint64 and lowest < 0):
        found, codes = tensor.unique(return_inverse=True)
        return Labels(codes, (found.view(kind) if kind is torch.uint64 else found).cpu().numpy())
    if lowest:  # -128 .. 127 leaves int8 when shifted; in 64 bits it does not, and the codes need half of them
        tensor = tensor.long() - lowest
        tensor = tensor.int() if span < 2**31 else tensor
    return Labels(tensor, range(lowest, highest + 1))


def _encode_floats(tensor: Any) -> Labels:
    torch = sys.modules["torch"]
    wide, bits = (tensor.double(), torch.int64) if tensor.element_size() == 8 else (tensor.float(), torch.int32)
    wide = wide + 0.0  # -0.0 equals 0.0 and must share its bits
    missing = wide.isnan()
    wide = wide.masked_fill(missing, float("nan"))  # there are many NaNs; the bits of this one are the largest number
    found, codes = wide.view(bits).unique(return_inverse=True)
    names = found.view(wide.dtype).cpu().numpy()
    if not missing.any():
        return Labels(codes, names)
    return Labels(codes, [*names[:-1], None], len(names) - 1)
