"""The phi coefficient on pairs."""

from __future__ import annotations

from typing import ClassVar

from clusterscore.metrics.correlation import Correlation
from clusterscore.metrics.metric import Limits, register


@register
class Phi(Correlation):
    """Phi coefficient (Matthews correlation): the correlation of being together in gold and in the prediction.

    Formula:
        (TP*TN - FP*FN) / sqrt((TP + FP)*(TP + FN)*(TN + FP)*(TN + FN))
        TP pairs together on both sides, TN apart on both, FP together in the prediction only, FN in gold only

    Range:
        -1 to 1, and 0 on average for a random prediction with the same cluster sizes. If a side has all pairs together
        or all apart, it is 1 for identical clusterings (unless ``empty`` says otherwise), else 0.

    Use it when:
        Others report it. It is correlation, except that one cluster against singletons scores 0 here, as in other
        tools, and -1 there.

    Options:
        empty: what identical clusterings with all pairs together or all apart score: 1 (default), or 0 as in Splink.

    Reference:
        Matthews 1975, Comparison of the predicted and observed secondary structure of T4 phage lysozyme, Biochimica et
        Biophysica Acta 405(2).

    Example:
        >>> import clusterscore as cs
        >>> round(cs.phi([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
        0.6325
    """

    empty: float = 1.0

    name = "phi"
    aliases = ("mcc", "matthews")
    opposite = 0.0
    unsaid: ClassVar = {"empty": 1.0}
    limits: ClassVar[Limits] = {"empty": (0, 1)}

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """Identical clusterings of one cluster, or of single elements, have what ``empty`` says."""
        return 1.0 if self.empty == 1 else None
