"""Sample: gold that is known for some clusters only, with how they were drawn."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.messages import Message, Option, Wording
from clusterscore.nouns import noun
from clusterscore.read.arrays import is_frame
from clusterscore.read.file import File

DESIGNS = ("uniform", "size")
DRAWN = ("element", "weight", "stratum")  # the columns of what cs.draw_sample gives
_HOW_DRAWN = "how were these gold clusters drawn? The score depends on it: pass "
_NO_WORD = Message(
    Wording('weights="uniform"', "--sample uniform"),
    " if every entity had the same chance, ",
    Wording('weights="size"', "--sample size"),
    " if records were drawn and their entities labelled, or ",
    Wording("a column of weights", "--sample COL for a column of weights"),
    "; if draw-sample drew them, pass what it wrote as ",
    Option("drawn"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """Gold that is known for some clusters only, with how they were drawn. You can pass it wherever you can pass gold.

    The answer is an estimate of what the whole would score, with its error. The sample has whole gold clusters: for
    each of them all of its elements, wherever the prediction put them.

    Options:
        gold: whole gold clusters of some elements; an element without a label is not in the sample.
        weights: how the clusters were drawn: ``"uniform"`` if all were equally likely; ``"size"`` if you drew records
            and took their clusters, so that large clusters are more likely; or 1 / the probability of each cluster, as
            a mapping cluster -> weight, in order, or as the name of a column of the sample. There is no default, as it
            decides the score.
        strata: the groups that the clusters were drawn from separately, in the same form as weights.
        drawn: the records that were drawn, as returned by :func:`clusterscore.draw_sample`, instead of ``weights`` and
            ``strata``; the sample contains their clusters. If the sample itself has these columns (``element``,
            ``weight`` and ``stratum``), nothing needs to be said; rows without a weight were not drawn.
        sizes: the true size of each cluster, in the same form as weights; otherwise incomplete clusters go unnoticed.

    >>> import clusterscore as cs
    >>> pred = {"r1": 1, "r2": 1, "r3": 2, "r4": 3, "r5": 3, "r6": 3, "r7": 4, "r8": 5, "r9": 5}
    >>> sample = cs.Sample([["r1", "r2"], ["r3", "r4"], ["r7"], ["r8", "r9"]], weights="uniform")
    >>> round(cs.score(sample, pred, metrics="bcubed")["bcubed"].value, 4)
    0.8667
    """

    gold: Any
    _: KW_ONLY
    weights: Any = None
    strata: Any = None
    drawn: Any = None
    sizes: Any = None

    def __post_init__(self) -> None:
        if self.gold is None or isinstance(self.gold, Sample):
            what = "None" if self.gold is None else "a Sample already"
            raise InputTypeError(
                f"the gold of a sample is {what}; pass gold {noun('clusters')} of some {noun('elements')}"
            )
        if self.drawn is not None and (self.strata is not None or self.weights is not None):
            raise InputError(
                Option("drawn"),
                " already contains the weights and the strata; leave out ",
                Wording("weights", "--sample"),
                " and ",
                Option("strata"),
            )
        if self.weights is None and self.drawn is None and not self._has_weights():
            raise InputError(noun(_HOW_DRAWN), _NO_WORD)

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in ("weights", "strata", "drawn", "sizes")}
        options = [f"{name}={_named(value)}" for name, value in given.items() if value is not None]
        return f"Sample({', '.join([_named(self.gold), *options])})"

    def _has_weights(self) -> bool:
        """Whether gold is a table with the columns of a drawn sample."""
        from clusterscore.read.files import column_names
        from clusterscore.read.guess import file_given

        names: Any = ()
        if (file := file_given(self.gold)) is not None:
            names = column_names(file)
        elif is_frame(self.gold):
            names = getattr(self.gold, "column_names", None) or self.gold.columns  # of pyarrow, and of others
        return set(DRAWN[1:]) <= {str(name) for name in names}

    @property
    def records(self) -> Any:
        """The records that were drawn, where that is known."""
        return self.gold if self.weights is None and self.drawn is None else self.drawn

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the sample that are named, by the option that names them."""
        weights = None if isinstance(self.weights, str) and self.weights in DESIGNS else self.weights
        named = {"sample": weights, "strata": self.strata, "sizes": self.sizes}
        return {option: name for option, name in named.items() if isinstance(name, str)}


def _named(value: Any) -> str:
    """A word as it is; of anything else what it is, however large."""
    return repr(value) if isinstance(value, str | File) else f"<{type(value).__name__}>"
