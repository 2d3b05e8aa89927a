"""A tensor that says it comes from torch, so that its path is walked without torch."""

from __future__ import annotations

from typing import Any

import numpy as np


class Tensor:
    """What clusterscore may ask of a tensor: it must be detached and moved before it gives its numbers."""

    def __init__(self, values: Any, *, detached: bool = False, on_cpu: bool = False):
        self.values, self.detached, self.on_cpu = np.asarray(values), detached, on_cpu

    def detach(self) -> Tensor:
        return Tensor(self.values, detached=True, on_cpu=self.on_cpu)

    def cpu(self) -> Tensor:
        return Tensor(self.values, detached=self.detached, on_cpu=True)

    def numpy(self) -> np.ndarray[Any, Any]:
        if not (self.detached and self.on_cpu):
            raise RuntimeError("call .detach().cpu() first")
        return self.values

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("a tensor on a device has no array")


Tensor.__module__ = "torch"
