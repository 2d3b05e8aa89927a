"""The grammar of metric names, and what it says of names it cannot read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.metrics.registry import split_names
from variants import NAMES

NAN = float("nan")
G, P = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]

READ = {
    "elm": "elm",
    " elm ": "elm",
    "ELM": "elm",
    "elm()": "elm",
    "elm( )": "elm",
    "elm(beta=1)": "elm",
    "elm(beta=1.0, f=mean)": "elm",
    "elm(beta:2)": "elm(beta=2)",
    "elm(beta=2.0)": "elm(beta=2)",
    "elm(beta=2e0)": "elm(beta=2)",
    "elm( beta = 0.5 )": "elm(beta=0.5)",
    "bcubed(f='of-means')": "bcubed(f=of-means)",
    'bcubed(f="of-means", alpha=0.9)': "bcubed(f=of-means, alpha=0.9)",
    "bcubed(alpha=none)": "bcubed",
    "bcubed(beta=1e200)": "bcubed(beta=1e+200)",
    "alphamax": "alphamax_bcubed",
    "alphamax(delta=auto)": "alphamax_bcubed(delta=auto)",
    "alphamax-bcubed(delta=None)": "alphamax_bcubed",
    "adapted(order=4)": "adapted_bcubed(order=4)",
    "ari": "adjusted_rand",
    "adjusted-rand": "adjusted_rand",
    "vi": "variation_of_information",
    "mi": "mutual_information",
    "v": "v_measure",
    "fm": "fowlkes_mallows",
    "acc": "set_matching",
    "elm(adjusted=false)": "elm",
    "elm(adjusted=True)": "elm(adjusted=true)",
    "bcubed(adjusted=true, f=of-means, weights=class)": "bcubed(f=of-means, weights=class, adjusted=true)",
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_read(text: str) -> None:
    assert str(cs.metric(text)) == READ[text]
    assert cs.metric(text) == cs.metric(READ[text])
    assert hash(cs.metric(text)) == hash(cs.metric(READ[text]))


def test_parameters_become_numbers() -> None:
    metric = cs.metric("adapted_bcubed(order=4, alpha=1)")
    assert (metric.order, metric.alpha, type(metric.alpha)) == (4.0, 1.0, float)
    assert cs.bcubed(G, P, beta=np.float32(2)).signature == cs.bcubed(G, P, beta=2).signature


WRONG = {
    "": "cannot read the metric",
    "elm(": "cannot read the metric 'elm('",
    "elm)": "cannot read the metric",
    "elm(beta=(2))": "cannot read the metric",
    "elm beta=2": "cannot read the metric",
    "elm(2)": "cannot read '2' in the metric 'elm(2)'; write key=value",
    "elm(beta)": "write key=value",
    "elm(beta=)": "write key=value",
    "elm(beta=1,)": "cannot read ''",
    "elm(beta=1, beta=2)": "beta occurs twice",
    "elmo": "unknown metric 'elmo': did you mean 'elm'?",
    "bcube": "did you mean 'bcubed'?",
    "adjusted_rnd": "did you mean 'adjusted_rand'?",
    "zzzzzz": "unknown metric 'zzzzzz': there is none like it; cs.registered() and clusterscore metrics list all",
    "nothing_like_it": "; cs.registered() and clusterscore metrics list all",
    "elm(bet=2)": "elm has no parameter 'bet': did you mean 'beta'?",
    "elm(zzzz=2)": "elm has no parameter 'zzzz': choose from adjusted, alpha, beta, f, w_fn, w_fp, weights",
    "jaccard(beta=2)": "jaccard has no parameter 'beta': it has none",
    "rand(beta=2)": "rand has no parameter 'beta': choose from adjusted",
    "elm(beta=-1)": "elm: beta=-1 is out of range; it is a finite number from 0 up",
    "elm(beta=nan)": "beta=nan is out of range",
    "elm(beta=two)": "elm: beta='two' must be a number",
    "elm(beta=true)": "beta=True must be a number",
    "elm(beta=none)": "beta=None must be a number",
    "elm(alpha=1.5)": "elm: alpha=1.5 is out of range; it is a finite number from 0 to 1",
    "elm(alpha=-0.1)": "alpha=-0.1 is out of range",
    "elm(alpha=nan)": "alpha=nan is out of range",
    "elm(beta=2, alpha=0.5)": "pass only one of them",
    "elm(alpha=0.5, w_fp=1, w_fn=1)": "pass only one of them",
    "elm(w_fp=1)": "w_fp and w_fn go together",
    "elm(w_fp=0, w_fn=0)": "no error would count",
    "elm(w_fp=-1, w_fn=1)": "w_fp=-1 is out of range",
    "elm(beta=inf)": "beta=inf is out of range",
    "v_measure(beta=inf)": "beta=inf is out of range",
    "elm(w_fp=inf, w_fn=1)": "w_fp=inf is out of range",
    "elm(f=median)": "elm: f='median' is not an option; use one of 'mean', 'of-means'",
    "elm(adjusted=1)": "elm: adjusted=1 must be true or false",
    "elm(adjusted=yes)": "elm: adjusted='yes' must be true or false",
    "rand(adjusted=none)": "rand: adjusted=None must be true or false",
    "elm(adjusted=true, w_fp=1, w_fn=1)": "adjusted needs w_fp + w_fn = 1, not 2",
    "pairwise(adjusted=true, w_fp=0.2, w_fn=0.3)": "adjusted needs w_fp + w_fn = 1, not 0.5",
    "bcubed(f=of-means, adjusted=true, w_fp=2, w_fn=0)": "give them so, or as alpha or beta",
    "elm(weights=klass)": "weights='klass' is not an option; use one of 'class', 'effective'",
    "reduced_mi(normalization=max)": "normalization='max' is not an option; use one of 'gold', 'mean', None",
    "adapted_bcubed(order=1)": "order=1 is out of range; it is a finite number from 2 up",
    "adapted_bcubed(order=inf)": "order",
    "adapted_bcubed(order=nan)": "order=nan is out of range",
    "adapted_bcubed(recall=x)": "use one of 'power', 'tuples'",
    "alphamax(alpha=2)": "alpha=2 is out of range; it is a finite number from 0 to 1",
    "alphamax(alpha=nan)": "alpha=nan is out of range",
    "alphamax(alpha=some)": "alpha='some' must be a number",
    "alphamax(delta=1.5)": "delta=1.5 is out of range",
    "alphamax(delta=0.5, weights=class)": "weights=class and delta=0.5 exclude each other",
    "alphamax(delta_norm=x)": "use one of 'class', 'element'",
    "alphamax(reading=x)": "use one of 'marginal', 'own', 'majority'",
    "alphamax(beta=-1)": "beta=-1 is out of range",
    "blanc(weight=2)": "weight=2 is out of range; it is a finite number from 0 to 1",
    "blanc(dialect=x)": "use one of 'reference', 'luo2014'",
    "nmi(mean=harmonic)": "use one of 'arithmetic', 'geometric', 'min', 'max'",
    "v_measure(beta=-1)": "beta=-1 is out of range",
    "mutual_information(base=1)": "mutual_information: base=1 has no logarithm; 2 gives bits, None is e",
    "cluster_match(threshold=0.7)": "cluster_match: rule=exact takes no threshold; only iou and share do",
    "cluster_match(rule=iou, threshold=1)": "with rule=iou the threshold is 0.5 up, below 1, not 1",
    "cluster_match(rule=share, threshold=0.5)": "with rule=share the threshold is above 0.5, up to 1, not 0.5",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_wrong(text: str) -> None:
    with pytest.raises(cs.MetricError) as caught:
        cs.metric(text)
    assert WRONG[text] in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "given",
    [None, 3, 2.5, [], ["elm"], {}, b"elm", object(), cs.Metric, NAN],
    ids=lambda given: f"{type(given).__name__} {given}"[:12],
)
def test_not_a_name(given: Any) -> None:
    with pytest.raises(cs.MetricError, match="a metric is named by a string"):
        cs.metric(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (5, r"not a list of metric names, such as \['elm', 'bcubed'\]"),
        ([], "no metric was given"),
        ("", "no metric was given"),
        ([None], "named by a string"),
        ([["elm"]], "named by a string"),
        (["elm", "elmo"], "did you mean 'elm'"),
        ("elm, bcubed(beta=x)", "must be a number"),
        (b"elm", "metric"),
    ],
)
def test_wrong_lists(given: Any, message: str) -> None:
    with pytest.raises(cs.MetricError, match=message):
        cs.score(G, P, metrics=given)


def test_lists_of_names() -> None:
    commas = "elm, bcubed(f=of-means, beta=2),ari"
    assert list(cs.score(G, P, metrics=commas)) == ["elm", "bcubed(f=of-means, beta=2)", "adjusted_rand"]
    assert list(cs.score(G, P, metrics=["vi", cs.metric("elm"), "elm()"])) == ["variation_of_information", "elm"]
    assert list(cs.score(G, P, metrics=cs.metric("elm"))) == ["elm"]


@pytest.mark.parametrize("name", NAMES)
def test_unknown_options_of_functions(name: str) -> None:
    function = getattr(cs, name)
    with pytest.raises(cs.OptionError, match=f"{name} has no option 'documens': did you mean 'documents'"):
        function(G, P, documens=[1] * 5)
    with pytest.raises(cs.OptionError, match=r"option of cs\.score"):
        function(G, P, average="macro")
    with pytest.raises(cs.OptionError, match="unknown option 'foo'"):
        cs.metric(name)(G, P, foo=1)


@pytest.mark.parametrize("beta", [1e-200, 1e200, 1e300])
@pytest.mark.parametrize("name", ["elm", "bcubed", "pairwise", "purity_f", "alphamax_bcubed", "v_measure"])
def test_beta_of_any_size(name: str, beta: float) -> None:
    score = cs.metric(f"{name}(beta={beta})")(G, P)
    assert score.value == pytest.approx(score.recall if beta > 1 else score.precision)


@pytest.mark.parametrize("value", [1j, np.complex128(1), "1", [1], np.array([1.0, 2.0]), {}, None, True])
@pytest.mark.parametrize("name", ["elm", "pairwise", "v_measure", "alphamax_bcubed"])
def test_beta_that_is_no_number(name: str, value: Any) -> None:
    with pytest.raises(cs.MetricError, match="beta"):
        getattr(cs, name)(G, P, beta=value)


@pytest.mark.parametrize("value", [np.array(["mean", "x"]), ["mean"], {"mean"}, 1, None])
def test_word_that_is_no_word(value: Any) -> None:
    with pytest.raises(cs.MetricError, match="f="):
        cs.elm(G, P, f=value)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.floats(0, 1e6), st.floats(0, 1), st.floats(1e-6, 100))
def test_any_number_is_read_back(beta: float, alpha: float, weight: float) -> None:
    for metric in (
        cs.metric(f"elm(beta={beta!r})"),
        cs.metric(f"bcubed(alpha={alpha!r})"),
        cs.metric(f"pairwise(w_fp={weight!r}, w_fn={beta!r})"),
        cs.metric(f"alphamax(alpha={alpha!r}, delta={alpha!r}, delta_norm=element)"),
    ):
        assert cs.metric(str(metric)) == metric
        assert math.isfinite(metric.value(G, P))


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=12) | st.text("elm(beta=12,f:)of-mns ", max_size=16) | st.from_regex(r"elm\([a-z_]*=[^)]*\)"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        metric = cs.metric(text)
    except cs.MetricError:
        return
    assert cs.metric(str(metric)) == metric


def test_metrics_are_frozen() -> None:
    with pytest.raises(AttributeError):
        cs.metric("elm").beta = 2


MANY = 10**6
ENDLESS = {
    "blanks in the name": "elm" + " " * MANY + "x",
    "blanks alone": " " * MANY,
    "blanks in a parameter": "elm(beta=2" + " " * MANY + "=)",
    "blanks in a key": "elm(beta" + " " * MANY + "x)",
    "letters in a value": "elm(beta=" + "x" * MANY + "=)",
    "names": "a," * MANY,
    "open brackets": "elm(" * MANY,
    "digits": "elm(beta=" + "9" * MANY + ")",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_million_characters_are_refused_in_one_pass_and_one_line(text: str) -> None:
    for ask in (cs.metric, lambda name: cs.score(G, P, metrics=name)):
        with pytest.raises(cs.MetricError) as caught:
            ask(text)
        assert len(str(caught.value)) <= 500


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("elm, bcubed(f=of-means, beta=2) ,ari", ["elm", "bcubed(f=of-means, beta=2)", "ari"]),
        (" , elm,,", ["elm"]),
        ("elm(beta=2, ari", ["elm(beta=2, ari"]),
        ("elm(a,b)c,d", ["elm(a,b)c", "d"]),
        ("elm),ari", ["elm)", "ari"]),
    ],
)
def test_splitting_names(text: str, names: list[str]) -> None:
    assert split_names(text) == names
