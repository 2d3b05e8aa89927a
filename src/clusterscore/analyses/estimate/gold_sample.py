"""A sample of gold clusters as a user hands it over: its elements are found in the whole prediction, and weighed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.join import join
from clusterscore.align.policies import mismatch
from clusterscore.analyses.estimate.estimation import SampleUnits
from clusterscore.count.sampled import ClusterSizes, SampleLookup, count_sample
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct, representatives
from clusterscore.exceptions import ElementMismatch, InputError, InputTypeError, NotAPartition, nearest
from clusterscore.messages import Option
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import as_vector, check_some, is_frame, proportional, python_values
from clusterscore.read.clustering import Clustering
from clusterscore.read.files import read_columns
from clusterscore.read.guess import file_given
from clusterscore.read.label_sets import numbered_elements
from clusterscore.read.labels import Labels, encode, is_null
from clusterscore.read.names import Names, label_ranks
from clusterscore.read.sample import DESIGNS, DRAWN
from clusterscore.show.columnar import Columns


class SampledClusters(NamedTuple):
    """Gold clusters of some elements, numbered in the order in which they come."""

    ids: list[Any]
    cluster: Ints  # of each element
    names: list[Any]  # of the clusters
    column: Callable[[str], list[Any]]  # of what the user passed, by name
    rows: Ints  # the place of each element there
    by_position: bool  # the ids are places too

    @classmethod
    def of(cls, made: Clustering, column: Callable[[str], list[Any]] | None = None) -> SampledClusters:
        """The elements that are in a cluster; what has none (None or NaN) was not sampled."""
        _refuse_overlap(made, "the sample")
        rows = np.arange(len(made)) if made.labels.null is None else np.flatnonzero(made.codes != made.labels.null)
        ids = element_ids(made)
        if not len(rows):
            raise InputError(noun("the sample is empty; pass at least two gold clusters with all their elements"))
        listed = python_values(ids[rows] if isinstance(ids, np.ndarray) else [ids[k] for k in rows.tolist()])
        if len(set(listed)) < len(listed):
            twice = next(element for element, times in Counter(listed).items() if times > 1)
            raise NotAPartition(
                f"the sample has {noun('an element')} more than once (e.g. {twice!r}); each belongs to one "
                f"{noun('cluster')}"
            )
        others = column or columns_of(None), rows, isinstance(ids, range)
        return cls._numbered(listed, made.codes[rows], made.labels.name, *others)

    @classmethod
    def _numbered(cls, ids: list[Any], codes: Any, name: Any, *others: Any) -> SampledClusters:
        element, first = numbered_elements(distinct((codes, int(codes.max(initial=0)) + 1), codes=True))
        return cls(ids, element, [name(int(code)) for code in codes[first].tolist()], *others)

    def only(self, chosen: Any) -> SampledClusters:
        """Some of the elements, and the clusters that they leave."""
        ids = [self.ids[k] for k in np.flatnonzero(chosen).tolist()]
        others = self.column, self.rows[chosen], self.by_position
        return self._numbered(ids, self.cluster[chosen], self.names.__getitem__, *others)

    @property
    def order(self) -> Ints:
        """The clusters as they are resampled, whatever the order of rows: by an element of each, or by name."""
        if self.by_position:
            return Names(self.names).order()
        return representatives(self.cluster[Names(self.ids).order()], len(self.names)).argsort()

    @property
    def sizes(self) -> Ints:
        """How many elements each cluster has."""
        return np.bincount(self.cluster, minlength=len(self.names))

    def refuse_parts(self, sizes: Any) -> None:
        """Raise where a cluster has not as many elements as the user says."""
        if sizes is None:
            return
        expected = numbers(self.per_cluster(sizes, "size"), "sizes").astype(np.int64)
        if wrong := [k for k, size in enumerate(self.sizes.tolist()) if size != expected[k]]:
            name, size = self.names[wrong[0]], self.sizes[wrong[0]]
            raise InputError(
                f"{plural(len(wrong), 'sampled cluster')} not whole (e.g. {name!r}: {size:,} of "
                f"{expected[wrong[0]]:,} {noun('elements')}); complete them, or leave ",
                Option("sizes"),
                " out to score them as they are",
            )

    def by_name(self, given: Any, what: str) -> Any:
        """What a user gives for each cluster, by its name; a word for a design stays as it is, and so does nothing."""
        if given is None or (isinstance(given, str) and given in DESIGNS):
            return given
        return dict(zip(self.names, self.per_cluster(given, what), strict=True))

    def per_cluster(self, given: Any, what: str) -> list[Any]:
        """What a user gives for each cluster: by its name, one after the other, or in a column of the sample."""
        if isinstance(given, str):
            return self._by_column(given, what)
        if hasattr(given, "items"):
            known = dict(given.items())
            absent = [name for name in self.names if name not in known]
            if absent:
                raise InputError(
                    f"{plural(len(absent), 'cluster')} without a {what} (e.g. {absent[0]!r}); give each one"
                )
            return [known[name] for name in self.names]
        values = python_values(as_vector(given, f"{what}s"))
        if len(values) != len(self.names):
            raise InputError(
                f"{plural(len(values), what)} for {plural(len(self.names), 'sampled cluster')}; give one for "
                f"each, in the order in which the {noun('clusters')} come, or a mapping {noun('cluster')} -> " + what
            )
        return list(values)

    def _by_column(self, name: str, what: str) -> list[Any]:
        values = self.column(name)
        of_cluster: dict[int, Any] = {}
        for cluster, row in zip(self.cluster.tolist(), self.rows.tolist(), strict=True):
            if of_cluster.setdefault(cluster, values[row]) != values[row]:
                raise InputError(
                    f"{noun('cluster')} {self.names[cluster]!r} has more than one {name!r} "
                    f"({of_cluster[cluster]!r} and {values[row]!r}); a {what} belongs to a whole "
                    f"{noun('cluster')}"
                )
        return [of_cluster[k] for k in range(len(self.names))]

    def units(self, weights: Any, strata: Any) -> SampleUnits:
        """One unit for each cluster, with the weights and the strata of :meth:`by_name`."""
        if isinstance(weights, str):
            weight = np.ones(len(self.names)) if weights == "uniform" else 1 / self.sizes
        else:
            weight = positive([weights[name] for name in self.names], self.names, "cluster")
        groups = encode([None if strata is None else strata[name] for name in self.names])
        if groups.null is not None and strata is not None:
            at = self.names[int(np.flatnonzero(groups.codes == groups.null)[0])]
            raise InputError(f"{noun('a cluster')} without a stratum (e.g. {at!r}); give each one")
        order = self.order
        return refuse_few(SampleUnits(order, weight[order], label_ranks(groups)[order]), "cluster")

    def drawn_units(self, drawn: Any) -> SampleUnits:
        """One unit for each record that was drawn: a cluster's weight is shared by its records."""
        elements, weights, strata = drawn_columns(drawn, "drawn")
        place = join(self.ids, elements).back
        if len(unknown := np.flatnonzero(place < 0)):
            what, example = plural(len(unknown), "drawn record"), elements[unknown[0]]
            raise InputError(
                f"{what} in no {noun('cluster')} of the sample (e.g. {example!r}); add the whole gold "
                f"{noun('cluster')} of each"
            )
        cluster = self.cluster[place]
        if len(others := np.setdiff1d(np.arange(len(self.names)), cluster)):
            message = (
                f"{plural(len(others), 'sampled cluster')} without a drawn record (e.g. {self.names[others[0]]!r})"
            )
            raise InputError(f"{message}; leave out what was not drawn")
        weight = positive(weights, elements, "record") / self.sizes[cluster]
        order = Names(elements).order()
        return refuse_few(SampleUnits(cluster[order], weight[order], label_ranks(encode(strata))[order]), "record")


def drawn_columns(drawn: Any, called: str) -> list[list[Any]]:
    """The elements of what cs.draw_sample gave, their weights and their strata; a row without a weight was added."""
    from clusterscore.engines.engine import as_frame

    if (file := file_given(drawn)) is not None:
        elements, weights, strata = read_columns(file, DRAWN)
    else:
        known = isinstance(drawn, Columns)
        columns = drawn.to_dict() if known else as_frame(drawn).collect().to_dict(as_series=False)
        if absent := [name for name in DRAWN if name not in columns]:
            raise InputError(Option(called), f" has no column {absent[0]!r}; it is a table with {', '.join(DRAWN)}")
        elements, weights, strata = (columns[name] for name in DRAWN)
    weighed = [k for k, weight in enumerate(weights) if not is_null(weight) and weight != ""]  # others were added
    return [[column[k] for k in weighed] for column in (elements, weights, strata)]


def numbers(given: Sequence[Any], what: str) -> Floats:
    """What a user gives for each cluster as numbers; in a text file they are text."""
    try:
        return np.array(given, np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(f"{what} are numbers, and these are not, such as {given[0]!r}") from None


def positive(given: Sequence[Any], names: Sequence[Any], what: str) -> Floats:
    """Weights, checked: numbers above 0."""
    weight = numbers(given, "weights")
    wrong = np.flatnonzero(~((weight > 0) & (weight < np.inf)))
    if len(wrong):
        raise InputError(
            f"{plural(len(wrong), 'weight')} not above 0 (e.g. {weight[wrong[0]]:g} of {what} {names[wrong[0]]!r}); a "
            f"weight is 1 / the probability that the {what} is drawn"
        )
    return np.asarray(proportional(weight))


def refuse_few(units: SampleUnits, what: str) -> SampleUnits:
    """Raise where there is nothing to tell a standard error from."""
    if len(units.cluster) < 2:
        raise InputError(f"one {what} only, which does not show how much {what}s vary; sample at least two")
    alone = [here for here in units.strata if len(here) < 2]
    if alone:
        raise InputError(f"strata with one {what} only: {len(alone):,}; join small strata, each needs two or more")
    return units


def columns_of(sample: Any) -> Callable[[str], list[Any]]:
    """What finds a column of a sample by its name, where that is a table."""

    def column(name: str) -> list[Any]:
        from clusterscore.engines.engine import as_frame

        if not is_frame(sample):
            raise InputTypeError(
                f"{name!r} is a column, and the sample is no table; pass a mapping {noun('cluster')} -> value, or "
                '"uniform" or "size" as weights'
            )
        frame = as_frame(sample).collect()
        if name not in frame.columns:
            raise InputError(f"the sample has no column {name!r}: {nearest(name, frame.columns)}")
        return list(frame[name].to_list())

    return column


def element_ids(made: Clustering) -> Sequence[Any] | Array:
    """The elements by id; where they have none, by the index of their Series, or their positions."""
    if made.turns is not None:
        raise InputError("turns cannot be a sample; annotate some recordings as a whole, and score these")
    if made.documents is not None:
        raise InputError(
            noun("elements of several documents cannot be sampled clusters; leave the document column out")
        )
    if made.ids is None and made.index is None:
        return range(len(made))
    return made.ids if made.ids is not None else as_vector(made.index.to_numpy(), "elements")


def _refuse_overlap(made: Clustering, whose: str) -> None:
    if made.overlapping:
        raise NotAPartition(f"{whose} has {noun('elements')} in several {noun('clusters')}; each has to belong to one")


def whole_prediction(pred: Clustering) -> tuple[Ints, Array]:
    """The sizes of a prediction's clusters, and the cluster of each element."""
    _refuse_overlap(pred, "the prediction")
    check_some(len(pred), "pred")
    if pred.labels.null is not None and (null := int(np.count_nonzero(pred.codes == pred.labels.null))):
        raise InputError(
            f"the prediction has {plural(null, 'element')} with no {noun('cluster')} (None or NaN); give each one"
        )
    return np.bincount(pred.codes, minlength=len(pred.names)), pred.codes


def find_in_clustering(sample: SampledClusters, pred: Clustering) -> SampleLookup:
    """Look up the elements of a sample in a prediction in memory."""
    sizes, codes = whole_prediction(pred)
    by_position = pred.ids is None and pred.index is None
    if by_position:
        inside = [type(element) is int and 0 <= element < len(codes) for element in sample.ids]
        at = np.array([element if known else -1 for element, known in zip(sample.ids, inside, strict=True)])
    else:
        joined = join(sample.ids, element_ids(pred))
        at = joined.partner
        if len(again := np.flatnonzero(joined.back >= 0)) > np.count_nonzero(at >= 0):
            twice = sample.ids[int(np.bincount(joined.back[again]).argmax())]
            raise NotAPartition(
                f"the prediction has {noun('an element')} more than once (e.g. {twice!r}); each belongs to "
                f"one {noun('cluster')}"
            )
    cluster = np.where(at < 0, -1, codes[np.maximum(at, 0)].astype(np.int64))
    return SampleLookup(cluster, sizes, len(codes), pred.labels.names, ClusterSizes.of(sizes))


def matched(
    sample: SampledClusters, lookups: Mapping[str, SampleLookup], missing: str
) -> tuple[SampledClusters, dict[str, Table], int]:
    """The tables of the systems on the same elements; and how many elements of the sample were left out."""
    known = np.logical_and.reduce([lookup.cluster >= 0 for lookup in lookups.values()])
    unknown = np.flatnonzero(~known)
    if len(unknown) and missing == "error":
        first = "; the sample comes first, and the whole prediction second" if 2 * len(unknown) > len(known) else ""
        only = {"the sample": (len(unknown), sample.ids[int(unknown[0])])}
        raise mismatch(only, len(known) - len(unknown), more=first)
    dropped = len(unknown) if missing == "drop" else 0
    if dropped == len(known):
        raise ElementMismatch(noun("no element of the sample is in the prediction; give both the same ids"))
    kept = sample.only(known) if dropped else sample
    ids = Labels(np.arange(len(kept.ids)), kept.ids)
    tables = {}
    for name, lookup in lookups.items():
        here = lookup._replace(cluster=lookup.cluster[known] if dropped else lookup.cluster)
        tables[name] = count_sample(kept.cluster, len(kept.names), here, kept.names, ids)
    return kept, tables, dropped
