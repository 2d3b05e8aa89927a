"""Several golds that are all valid: the best score, the mean, and which gold."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clusterscore as cs
from running import run

LABELS = {"ann": [0, 0, 1, 1, 2], "bob": [0, 0, 1, 1, 1], "cleo": [0, 0, 0, 1, 2]}
GOLDS = {name: cs.Clustering.from_labels(labels) for name, labels in LABELS.items()}
PRED = [0, 0, 1, 2, 2]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_equals_single_calls(average: Any) -> None:
    given = {"metrics": ["elm", "vi", "bcubed(beta=2)"], "documents": list("ddeee"), "average": average}
    scored = cs.score(GOLDS, PRED, **given)
    assert list(scored) == ["elm", "variation_of_information", "bcubed(beta=2)"]
    for metric, best in (("elm", max), ("vi", min), ("bcubed", max)):
        single = {name: cs.score(labels, PRED, **given)[metric] for name, labels in LABELS.items()}
        assert scored[metric].value == best(score.value for score in single.values())
        assert single[scored.which[metric]] == scored[metric]
        assert scored.mean[metric] == pytest.approx(sum(score.value for score in single.values()) / 3, abs=1e-15)
        assert {name: card[metric] for name, card in scored.golds.items()} == single


def test_of_equal_golds_the_first_is_named() -> None:
    scored = cs.score([GOLDS["ann"], GOLDS["ann"], GOLDS["bob"]], LABELS["ann"], metrics=iter(["elm", "ari"]))
    assert (scored.which["elm"], scored.which["ari"]) == ("gold 1", "gold 1")
    assert list(scored.golds) == ["gold 1", "gold 2", "gold 3"]


def test_a_list_of_anything_else_is_one_gold() -> None:
    assert isinstance(cs.score([[0, 1], [2]], [[0], [1, 2]]), cs.Scorecard)
    assert isinstance(cs.score({"p": 1, "q": 2}, {"p": 1, "q": 1}), cs.Scorecard)
    assert isinstance(cs.score(GOLDS["ann"], PRED), cs.Scorecard)
    with pytest.raises(cs.InputError, match="baselines=True works with one gold"):
        cs.score(GOLDS, PRED, baselines=True)  # type: ignore[call-overload]
    with pytest.raises(cs.ElementMismatch, match=r"^'gold 1' as gold: gold has 5 labels and pred has 4"):
        cs.score(list(GOLDS.values()), PRED[:4])
    both = {"a": GOLDS["ann"], "b": cs.Clustering.from_memberships([[0], [0, 1], [1], [1], [2]])}
    with pytest.raises(cs.InputError, match="one of 'a' and 'b' overlaps, so their default metrics differ; name some"):
        cs.score(both, PRED)


def test_for_programs() -> None:
    scored = cs.score(GOLDS, PRED, metrics="elm, ari")
    assert len(scored.records()) == 6
    assert list(scored.listed()) == ["metric", "gold", "best", "value", "precision", "recall", "f", "std", "signature"]
    made = scored.to_dict()
    assert made["scores"]["elm"]["gold"] == scored.which["elm"]
    assert made["golds"]["bob"]["scores"]["adjusted_rand"]["value"] == scored.golds["bob"]["ari"].value


def test_the_command(tmp_path: Any) -> None:
    files = {}
    for name, labels in {**LABELS, "pred": PRED}.items():
        files[name] = str(tmp_path / f"{name}.txt")
        (tmp_path / f"{name}.txt").write_text("".join(f"{label}\n" for label in labels))
    more = ["--gold-also", files["bob"], "--gold-also", files["cleo"], "--format-in", "labels", "-m", "elm, ari"]
    arguments = [files["ann"], files["pred"], *more]
    made = json.loads(run("score", *arguments, "--format", "json")[1])
    assert made["scores"]["elm"]["value"] == cs.score(GOLDS, PRED, metrics="elm")["elm"].value
    assert list(made["golds"]) == ["ann", "bob", "cleo"]
    assert run("score", *arguments, "--fail-under", "elm=0.99")[0] == 1  # the best is not that good
    code, out, err = run("score", *arguments, "--baselines")
    assert (code, out) == (2, "")
    assert "--gold-also takes two files" in err
    code, _, err = run("score", files["ann"], files["pred"], "--gold-also", files["ann"], "--format-in", "labels")
    assert (code, err) == (2, "clusterscore: a gold is given twice; name each file once\n")
