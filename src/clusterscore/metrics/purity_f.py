"""The F of purity and inverse purity."""

from clusterscore.metrics.balance import Balanced, harmonic
from clusterscore.metrics.metric import Array, Parts, Sums, Values, divide, register


@register
class PurityF(Balanced):
    """Purity F: the harmonic mean of purity (as precision) and inverse purity (as recall).

    Formula:
        2*P*R/(P+R), P = purity, R = inverse purity

    Range:
        Above 0 to 1.

    Use it when:
        Purity alone could be maximized with singletons, and inverse purity with one cluster.

    Options:
        beta: weight of inverse purity (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.

    Reference:
        Artiles, Gonzalo & Sekine 2007, The SemEval-2007 WePS evaluation.

    Example:
        >>> import clusterscore as cs
        >>> cs.purity_f([0, 0, 1, 1], [0, 0, 0, 1]).f
        0.75
    """

    name = "purity_f"
    needs = frozenset({("largest_total", "pred"), ("largest_total", "gold")})
    swaps = True

    def parts(self, table: Sums) -> Parts:
        return {"pred": table.largest_total("pred"), "gold": table.largest_total("gold"), "elements": table.common}

    def finish(self, pred: Array, gold: Array, elements: Array) -> Values:
        precision, recall = divide(pred, elements, 0.0), divide(gold, elements, 0.0)
        return Values(harmonic(precision, recall, *self.balance), precision, recall)
