"""Words: what scores and errors say, in plain sentences."""

from __future__ import annotations

from clusterscore.metrics import Metric, Score

_SENTENCES = {
    "elm": (
        "On average {p} of an element's companions are right, and it finds {r} of the companions that it should have."
    ),
    "bcubed": (
        "With itself among them, {p} of an element's companions are right on average, and it finds {r} of "
        "those that it should have."
    ),
    "b3": (
        "With itself among them, {p} of a mention's companions are right on average, and it finds {r} of "
        "those that it should have."
    ),
    "adapted_bcubed": (
        "Recall asks for more than pairs and comes to {r}; precision is {p}. The score leans to precision, "
        "for unbalanced data."
    ),
    "alphamax_bcubed": "A cluster that is finer than gold is forgiven where it is pure: precision {p}, recall {r}.",
    "blanc": (
        "Pairs that belong together and pairs that belong apart weigh the same, however few there are of "
        "either: precision {p}, recall {r}."
    ),
    "pairwise": (
        "Of all pairs put together {p} belong together; of all pairs that belong together {r} are put together."
    ),
    "rand": "Both sides agree on {v} of all pairs; most of these are pairs that both keep apart.",
    "adjusted_rand": "Agreement on pairs is {v} of the way from chance to perfect, for clusters of these sizes.",
    "jaccard": "Of the pairs that either side puts together, both do so with {v}.",
    "fowlkes_mallows": (
        "The geometric mean of two shares: of the pairs put together that belong so, and of those that belong "
        "so that are put together."
    ),
    "purity": "{v} of the elements belong to the main gold cluster of their predicted one.",
    "inverse_purity": "{v} of the elements are in the main predicted cluster of their gold one.",
    "purity_f": (
        "{p} of the elements belong to the main gold cluster of their predicted one; {r} are in the main "
        "predicted cluster of their gold one."
    ),
    "f_measure": "Each gold cluster meets its best predicted one with an F of {v} on average, by its size.",
    "set_matching": (
        "With one predicted cluster at most for each gold one, {v} of the elements are in the right cluster."
    ),
    "homogeneity": "To know the predicted cluster removes {v} of the doubt about the gold one.",
    "completeness": "To know the gold cluster removes {v} of the doubt about the predicted one.",
    "v_measure": (
        "To know the predicted cluster removes {p} of the doubt about the gold one; the other way round {r}."
    ),
    "mutual_information": "Each side tells {n} nats about the other.",
    "nmi": "The two sides share {v} of the information that they hold. It grows with the number of clusters.",
    "ami": "The information they share is {v} of the way from chance to perfect, for clusters of these sizes.",
    "variation_of_information": (
        "What each side leaves unsaid about the other, both ways: {n} nats. It is a distance, and 0 is best."
    ),
    "muc": "Of the links that hold the predicted clusters together {p} are right; of those of gold {r} are found.",
    "ceafm": "With entities aligned one to one, {p} of the predicted mentions and {r} of the gold ones stay.",
    "ceafe": "With entities aligned one to one, a predicted entity is matched to {p} on average, a gold one to {r}.",
    "lea": "By size, {p} of an entity's predicted links are right, and {r} of its gold links are found.",
    "mentions": "{p} of the predicted mentions are gold ones, and {r} of the gold ones are found.",
    "conll": "The mean of the F of MUC, B3 and CEAFe is {v}.",
}  # v, p and r are score, precision and recall as percentages, n is the score as a number

EXPLAINED = {
    "exact": "The predicted cluster is the gold cluster.",
    "split": "The predicted cluster is a part of the gold one: nothing in it is wrong, but the rest is missing.",
    "merge": "The gold cluster is whole, but in a larger predicted one, together with others.",
    "mixed": "Some elements of a gold cluster, together with others that do not belong to them.",
    "missed singleton": "An element that should be alone was put with others.",
    "false singleton": "An element that belongs with others was left alone.",
}  # each kind of error

WITHOUT_ELEMENTS = "Single elements are not in this page: it was made of counts, or there are too many of them."


def sentence(metric: Metric, score: Score) -> str:
    """What this score says; for a measure that has no sentence here, what its documentation says first."""
    if score.value < 0 and metric.lowest < 0:
        return "Worse than chance would do with clusters of these sizes."
    if getattr(metric, "adjusted", False):
        return f"{share(score.value)} of the way from chance to perfect, for clusters of these sizes."
    text = _SENTENCES.get(metric.name)
    if text is None:
        return (metric.__doc__ or metric.name).strip().splitlines()[0]
    return text.format(v=share(score.value), p=share(score.precision), r=share(score.recall), n=f"{score.value:.3f}")


def share(value: float | None) -> str:
    """A fraction as a percentage, which is 0% or 100% only where it is exactly that.

    >>> share(0.493), share(1.0), share(0.9996), share(0.0000001)
    ('49%', '100%', '99.96%', 'almost 0%')
    """
    if value is None:
        return ""
    for digits in (0, 1, 2):
        shown = round(100 * value, digits)
        if (shown == 100) == (value == 1) and (shown == 0) == (value == 0):
            return f"{100 * value:.{digits}f}%"
    return "almost 0%" if abs(value) < 0.5 else "almost 100%"
