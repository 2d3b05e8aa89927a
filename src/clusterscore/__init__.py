"""clusterscore scores a predicted clustering against a gold one. One pass counts, every metric reads the same counts.

>>> import clusterscore as cs
>>> cs.elm([0, 0, 1, 1, 1], [0, 1, 2, 2, 2]).f
0.6
"""

from importlib import import_module as _import_module

from clusterscore.version import __version__ as __version__

_MODULES = ("baselines", "constraints", "fields", "plot")
# where the public names are; a module is loaded when one of its names is first used
_HOMES = {
    name: module
    for module, names in {
        "analyses.agreement.agreement_matrix": "AgreementMatrix agreement_matrix",
        "analyses.agreement.rank_agreement": "RankAgreement rank_agreement",
        "analyses.align_labels": "AlignedLabels align_labels",
        "analyses.chance.chances": "Chances chance",
        "analyses.compare.comparing": "compare",
        "analyses.compare.comparison": "Comparison",
        "analyses.diagnose.listings": "clusters elements error_cells errors",
        "analyses.diff.diff_result": "Diff",
        "analyses.diff.diffing": "diff",
        "analyses.estimate.estimates": "Estimates",
        "analyses.estimate.estimating": "estimate",
        "analyses.estimate.labelling_plan": "draw_sample plan",
        "analyses.pairs.pair_scores": "LabelledScores",
        "analyses.pairs.score_pairs": "score_pairs",
        "analyses.score.accumulator": "Accumulator",
        "analyses.score.coref": "coref",
        "analyses.score.score_rows": "ScoresByName score_data_sets",
        "analyses.score.score_table": "score_table",
        "analyses.score.scorecard": "Scorecard",
        "analyses.score.scorer": "scorer",
        "analyses.score.scoring": "GoldScores score",
        "analyses.slices": "Slices",
        "analyses.sweep.object_sweep": "ObjectSweep",
        "analyses.sweep.sweep_result": "Sweep",
        "analyses.sweep.sweeping": "sweep",
        "count": "Table",
        "exceptions": "ClusterscoreError ClusterscoreWarning ElementMismatch EngineError FileError InputError "
        "InputTypeError MetricError NotAPartition OptionError UnknownName",
        "fields": "field",
        "metrics": "Metric Score metric registered",
        "nouns": "Field Nouns",
        "page": "report",
        "read": "Clustering File Sample",
        "show.columnar": "Columns",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    """What is loaded when it is first used: who only wants help does not wait for NumPy."""
    if name in _MODULES or name == "metrics":  # which is there as soon as something is scored
        return _import_module(f"clusterscore.{name}")
    if name in _HOMES:
        value = getattr(_import_module(f"clusterscore.{_HOMES[name]}"), name)
    else:
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module 'clusterscore' has no attribute {name!r}")
        ours = _import_module("clusterscore.metrics").OURS
        if name == "__all__":
            value = sorted({"__version__", *_MODULES, *_HOMES, *(kind.name for kind in ours.values())})
        elif name in ours:
            value = _import_module("clusterscore.metrics.registry").function(ours[name])
        else:
            hint = _import_module("clusterscore.exceptions").nearest(name, __dir__(), "; dir(clusterscore) lists all")
            raise AttributeError(f"module 'clusterscore' has no attribute {name!r}: {hint}", name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__getattr__("__all__"), *_import_module("clusterscore.metrics").OURS})
