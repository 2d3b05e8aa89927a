"""Set matching, also known as clustering accuracy."""

from __future__ import annotations

from typing import ClassVar, Literal

from clusterscore.metrics.alignment import aligned, best_of_equals
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class SetMatching(Metric):
    """Set matching (clustering accuracy): the share of elements kept by the best one-to-one cluster alignment.

    Formula:
        (1/N) * max over one-to-one alignments of the sum of n_ij over aligned pairs (i, j)
        mean="classes": the mean over gold clusters of n_ij/a_i, 0 where i is not aligned

    Range:
        Above 0 to 1. Where several alignments are equally good, slices and mean="classes" depend on which of them is
        taken: that with the most elements of ``old`` classes, then that with the highest mean over classes.

    Use it when:
        Each predicted cluster should correspond to one class, as in deep clustering ("ACC"). The alignment works on the
        overlaps alone. A million clusters take a second if half of the elements are right; for random predictions the
        time still grows with clusters times overlaps.

    Options:
        match: with ``by``, whether slices such as old and new classes are scored under one alignment of "all" (default;
            v2 of generalized category discovery), or each "slice" is aligned by itself (v1).
        mean: over "elements" (default), or over "classes", each of which then has the same weight (v2b).

    Reference:
        Meilă & Heckerman 2001, An experimental comparison of model-based clustering methods, Machine Learning 42; Vaze,
        Han, Vedaldi & Zisserman 2022, Generalized category discovery, CVPR (v1, v2); Wen, Zhao & Qi 2023, Parametric
        classification for generalized category discovery: a baseline study, ICCV (v2b).

    Example:
        >>> import clusterscore as cs
        >>> cs.set_matching([0, 0, 1, 1], [1, 1, 1, 0]).value
        0.75
    """

    match: Literal["all", "slice"] = "all"
    mean: Literal["elements", "classes"] = "elements"

    name = "set_matching"
    unsaid: ClassVar = {"match": "all", "mean": "elements"}
    needs = frozenset({("cells",)})
    aliases = ("accuracy", "acc")

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Classes are those of gold."""
        return self.mean == "elements"

    @property
    def sliced_apart(self) -> bool:
        """Whether each slice is aligned by itself."""
        return self.match == "slice"

    def parts(self, table: Table) -> Parts:
        if self.mean == "elements" and table.unit == "documents":  # all equal alignments have the same number
            return {"right": aligned(table, table.n), "elements": table.common}
        share, old = table.n / table.a, table.cells.gold.old
        shape, of_old = (len(table.gold_size), len(table.pred_size)), [] if old is None else [table.n * old[table.gold]]
        chosen = best_of_equals(table.gold, table.pred, shape, table.n, *of_old, share)
        terms = table.n if self.mean == "elements" else share
        return {"right": table.add_of(chosen, terms[chosen]), "elements": table.add(terms, table.cells.document)}

    def finish(self, right: Array, elements: Array) -> Values:
        return Values(divide(right, elements, 0.0))
