"""Every cut of a hierarchy, or of scored pairs, scored at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from clusterscore.align.doubts import Compared, express, same_but_for_spelling, undoubted
from clusterscore.align.join import join
from clusterscore.align.match import align
from clusterscore.align.noise import without_background
from clusterscore.align.policies import Background, Missing, NoiseAs, Pair, Policy, mismatch
from clusterscore.align.side_facts import DoubtedSide
from clusterscore.analyses.estimate.estimating import count_lookups, estimable, read_sample, refuse_with_sample
from clusterscore.analyses.request import Metrics, chosen_metrics, options_checked
from clusterscore.analyses.sweep.cut_sums import CutSums
from clusterscore.analyses.sweep.object_sweep import ObjectSweep, checked_thresholds, object_metrics
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.analyses.sweep.tree import Merges, Tree, largest_between, merges_of_linkage, merges_of_pairs
from clusterscore.count.counting import as_table
from clusterscore.count.counts import NotASum
from clusterscore.count.sampled import SampleLookup
from clusterscore.distinct import Ints, distinct
from clusterscore.exceptions import ClusterscoreError, ElementMismatch, InputError, MetricError
from clusterscore.messages import Option, Wording
from clusterscore.metrics import Metric
from clusterscore.nouns import Field, noun, plural
from clusterscore.progress import step
from clusterscore.read.arrays import check_some, numbers
from clusterscore.read.clustering import Clustering
from clusterscore.read.guess import as_clustering
from clusterscore.read.labels import Labels, plain
from clusterscore.read.pair_tables import ScoredPairs
from clusterscore.read.sample import Sample
from clusterscore.read.scored_pairs import scored_pairs

_APART = 2**62  # labels of single elements from here on: no label that means noise is among them


class _Options(TypedDict, total=False):
    metrics: Metrics
    documents: Any
    missing: Missing | None
    noise: Any
    noise_as: NoiseAs | None
    background: Background | None
    field: str | Field | None


@overload
def sweep(gold: Any, linkage: Any, *, thresholds: Iterable[float], **options: Unpack[_Options]) -> ObjectSweep: ...


@overload
def sweep(
    gold: Any,
    linkage: Any = None,
    *,
    edges: Any = None,
    left: str | None = None,
    right: str | None = None,
    score: str | None = None,
    **options: Unpack[_Options],
) -> Sweep: ...


@options_checked
def sweep(
    gold: Any,
    linkage: Any = None,
    *,
    edges: Any = None,
    thresholds: Iterable[float] | None = None,
    metrics: Metrics = None,
    documents: Any = None,
    missing: Missing | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    background: Background | None = None,
    left: str | None = None,
    right: str | None = None,
    score: str | None = None,
    field: str | Field | None = None,
) -> Sweep | ObjectSweep:
    """Score every threshold at once: a row for each one that makes a difference, starting with all singletons.

    Every row equals :func:`score` of that cut. You can sweep all measures that are sums over clusters, joins and cells;
    a merge then costs only what it changes.

    Options:
        gold: the true clustering; with a linkage, one label per observation, in order. Elements that are in no pair are
            clusters of their own. A :class:`clusterscore.Sample` where it is known for some clusters only: every cut
            then has its estimate, and other elements count in the sizes of predicted clusters.
        linkage: a hierarchy: the result of ``linkage`` in SciPy or fastcluster, a fitted AgglomerativeClustering with
            distances, or HDBSCAN. Where gold is a label image, or several, it is the prediction, whose objects are
            matched at each threshold of IoU.
        edges: scored pairs of elements, where a higher score means more alike: three columns of a data frame or file,
            or a list of triples. Elements are in the same cluster if they are connected by pairs with a score >= the
            threshold.
        thresholds: of IoU, for images; by default 0.5, 0.55, ..., 0.95.
        left: the column with the first element of a pair.
        right: the column with the second element of a pair.
        score: the column with the score.

    Returns:
        Thresholds and scores as arrays; ``found.best("elm").threshold``.

    >>> import clusterscore as cs
    >>> found = cs.sweep([0, 0, 1, 1], [[0, 1, 0.1, 2], [2, 3, 0.4, 2], [4, 5, 0.9, 4]], metrics="elm")
    >>> found.thresholds.tolist(), found["elm"].round(4).tolist()
    ([-inf, 0.1, 0.4, 0.9], [0.0, 0.5, 1.0, 0.5])
    """
    if (linkage is None) == (edges is None):
        raise InputError("pass either a linkage, or edges=... with scored pairs")
    chosen = chosen_metrics(metrics)
    if metrics is None:
        chosen = [metric for metric in chosen if not metric.of_mentions]
    policies = {"missing": missing, "noise": noise, "noise_as": noise_as, "documents": documents}
    policies["background"] = background
    given = {name: value for name, value in policies.items() if value is not None}
    if missing == "keep":
        raise InputError(Option("missing", "keep"), ' is for coreference; a sweep takes "error", "drop" or "singleton"')
    columns = {"left": left, "right": right, "score": score}
    if isinstance(gold, Sample):
        refuse_with_sample(**{name: value for name, value in given.items() if (name, value) != ("missing", "error")})
        return _sweep_sample(gold, linkage, edges, columns, metrics)
    side = as_clustering(gold, "gold")
    if side.shapes is not None and linkage is not None:
        metrics = object_metrics(chosen, metrics is not None)
        return ObjectSweep(as_table(side, linkage, **given), metrics, checked_thresholds(thresholds))
    if thresholds is not None:
        raise InputError(
            Option("thresholds"), " is of IoU, for label images; a linkage and pairs are swept at all that they have"
        )
    check_some(len(side), "gold")
    if side.overlapping:
        raise InputError(noun("some elements of gold are in several clusters; a sweep needs one cluster for each"))
    policy = Policy.of(missing or "error", noise, noise_as or "singleton", background)
    merges, ids, doubted = _merges(side, linkage, edges, columns, Compared(DoubtedSide("gold", side), None, policy))
    express(doubted)
    everyone = Clustering(Labels(np.arange(merges.leaves), range(_APART, _APART + merges.leaves)), ids=ids)
    with undoubted():
        pair = without_background(align(side, everyone, **given))
    with step("counting"):
        cuts = _count_cuts(pair, merges)
    with step("scoring"):
        swept = _swept(chosen, cuts, named=metrics is not None)
        return Sweep(swept, cuts, "linkage" if edges is None else "edges", pair, ids)


def _sweep_sample(
    sample: Sample, linkage: Any, edges: Any, columns: Mapping[str, str | None], metrics: Metrics
) -> Sweep:
    """Every cut by estimate, where gold is known for some clusters."""
    chosen = estimable(metrics)
    with step("reading"):
        side, clusters = read_sample(sample)
    express(Compared(DoubtedSide("gold", side), None))
    everyone = Compared(DoubtedSide("gold", side), None, Policy.of("singleton"))
    merges, ids, _ = _merges(side, linkage, edges, columns, everyone)
    leaf, leaves = clusters.rows, merges.leaves
    lookup = SampleLookup(leaf, np.ones(leaves, np.int64), leaves)
    counted = count_lookups(sample, clusters, {"": lookup})
    with step("counting"):
        others = np.setdiff1d(np.arange(leaves), leaf)
        with step("the tree"):
            tree = Tree(merges)
        cuts = CutSums(tree, leaf, clusters.cluster, times=counted.stands_for, unlabelled=others)
    with step("scoring"):
        swept = _swept(chosen, cuts, named=metrics is not None)
        return Sweep(swept, cuts, "linkage" if edges is None else "edges", counted, ids)


def _merges(
    gold: Clustering, linkage: Any, edges: Any, columns: Mapping[str, str | None], doubted: Compared
) -> tuple[Merges, Sequence[Any] | None, Compared]:
    """The merges of a linkage or of scored pairs, the ids of all elements, and what may be doubted about them."""
    if linkage is None:
        pairs = scored_pairs(edges, **columns)
        ids, ends, doubted = _elements(gold, pairs, doubted)
        return merges_of_pairs(*ends, pairs.score, len(gold) if ids is None else len(ids)), ids, doubted
    merges = merges_of_linkage(linkage)
    if gold.ids is not None:
        raise InputError(
            noun(
                "gold is matched by element id, but a linkage by position; pass gold as one label per observation, in "
                "the order in which they were clustered"
            )
        )
    if len(gold) != merges.leaves:
        raise InputError(
            f"gold has {plural(len(gold), 'label')}, and the linkage joins {merges.leaves:,} observations; give one "
            "label for each"
        )
    return merges, None, doubted


def _elements(
    gold: Clustering, pairs: ScoredPairs, doubted: Compared
) -> tuple[Sequence[Any] | None, tuple[Ints, Ints], Compared]:
    """The ids of all elements, those of gold first, and the elements at both ends of each pair."""
    if gold.ids is None:
        return None, _positions(pairs, len(gold)), doubted
    joined = join(gold.ids, pairs.elements)
    unknown = len(gold) + np.flatnonzero(joined.back < 0)
    common = len(pairs.elements) - len(unknown)
    if len(unknown):
        absent = np.flatnonzero(joined.partner < 0)

        def apart() -> tuple[Any, Any]:
            return joined.ids.take(absent)[:], joined.ids.take(unknown)[:]

        if doubted.policy.missing == "error":
            only = {"the pairs": (len(unknown), joined.ids[unknown[0]])}
            raise mismatch(only, common, same_but_for_spelling(*apart()))
        doubted = doubted._replace(common=common, only={"pred": len(unknown)}, apart=apart)
    place = joined.back.copy()
    place[place < 0] = len(gold) + np.arange(len(unknown))
    ids = joined.ids.take(np.concatenate([np.arange(len(gold)), unknown]))[:]
    return ids, (place[pairs.left], place[pairs.right]), doubted


def _positions(pairs: ScoredPairs, count: int) -> tuple[Ints, Ints]:
    """The positions that pairs name, where gold goes by position."""
    try:
        places = numbers(pairs.elements, noun("elements of pairs"))
    except ClusterscoreError:
        places = np.zeros(0)
    good = (places == np.floor(places)) & (places >= 0) & (places < count)
    if len(good) < len(pairs.elements) or not good.all():
        odd = pairs.elements[int(np.flatnonzero(~good)[0]) if len(good) else 0]
        raise ElementMismatch(
            f"gold is matched by position, 0 to {count - 1:,}, but the pairs contain {plain(odd)!r}; give gold the "
            "ids as well, ",
            Wording(
                "as dict(zip(ids, labels)) or Clustering.from_labels(labels, elements=ids)",
                noun("in a table with a column of elements"),
            ),
        )
    at = places.astype(np.int64)
    return at[pairs.left], at[pairs.right]


def _count_cuts(pair: Pair, merges: Merges) -> CutSums:
    leaf = np.asarray(pair.pred.names)[pair.pred.codes].astype(np.int64) - _APART
    columns = [(pair.gold.codes, pair.gold.size)]
    if pair.documents is not None:
        columns.insert(0, (pair.documents.codes, len(pair.documents.names)))
    clusters = distinct(*columns, codes=True)
    with step("the tree"):
        tree = Tree(merges)
    if pair.documents is None:
        return CutSums(tree, leaf, clusters.codes)
    _refuse_across(tree, leaf, pair.documents)
    return CutSums(tree, leaf, clusters.codes, document=clusters.column(0))


def _refuse_across(tree: Tree, leaf: Ints, documents: Labels) -> None:
    """Raise where elements of different documents are merged: clusters of different documents are different ones."""
    order = np.argsort(tree.place[leaf])
    place, document = tree.place[leaf][order], documents.codes[order]
    changes = np.flatnonzero(document[1:] != document[:-1])
    when = largest_between(tree.between, place[changes], place[changes + 1])
    across = when[when < tree.merges.number]
    if len(across):
        first = tree.merges.threshold[across.min()]
        raise InputError(
            f"{noun('elements')} of different {noun('documents')} are merged, first at {first:g}; leave out "
            f"{noun('documents')} if {noun('clusters')} may span them; otherwise sweep each "
            f"{noun('document')} separately, or drop the pairs between {noun('documents')}"
        )


def _swept(metrics: Sequence[Metric], cuts: CutSums, named: bool) -> list[Metric]:
    """The metrics of which every cut has a score; at least one."""
    swept = [metric for metric in metrics if _can_be_swept(metric, cuts, named)]
    return swept or [metric for metric in metrics[:1] if _can_be_swept(metric, cuts, named=True)]


def _can_be_swept(metric: Metric, cuts: CutSums, named: bool) -> bool:
    """Whether every cut has this score; an error where the user named it and it has not."""
    try:
        if metric.ordered or metric.of_turns:
            raise NotASum("turns" if metric.of_turns else noun("the order of the elements"))
        metric.check(cuts)
        metric.parts(cuts)
        return True
    except NotASum as error:
        needed = str(error)
    except AttributeError as error:
        if error.obj is not cuts:
            raise
        needed = "the cells of every single cut"  # a Table has them, and whatever else was asked for is made of them
    if named:
        raise MetricError(
            f"{metric} cannot be swept: it needs {needed}; these can: elm, bcubed, pairwise, rand, adjusted_rand, "
            "jaccard, fowlkes_mallows, specificity, npv, p4, phi, blanc, muc, v_measure, nmi, homogeneity, "
            "completeness, purity, inverse_purity"
        )
    return False
