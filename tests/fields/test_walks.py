"""A user of each field walks from their own files to a table, a page and a gate, with --field and nothing else."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import brute_force as oracle
import pytest

import clusterscore as cs
from clusterscore.nouns import Field
from fields.samples import (
    BOUNDARIES,
    CLASSES,
    ENTITIES,
    FOUND,
    HAS_CRAC,
    KEY,
    NO_CRAC,
    PEOPLE,
    RESPONSE,
    SENSES,
    TEMPLATES,
    command,
    files_of,
    foreign,
    labels_of,
    page_table,
    plugins_forgotten,
    seen,
    values,
)  # fmt: skip
from running import run

pytestmark = pytest.mark.usefixtures("without_plots")


def walk(field: Field, files: tuple[str, ...], expected: Mapping[str, float], folder: Path) -> None:
    """Table, page and gate; ``expected`` are the scores by metric, computed elsewhere."""
    assert list(expected) == list(field.measures)
    score = ("score", *files, "--field", field.name)
    printed = values(score, folder)
    assert printed["field"] == field.name
    assert {name: printed["scores"][name]["value"] for name in expected} == pytest.approx(expected, rel=0, abs=1e-12)

    table = command(*score, cwd=folder).stdout
    step = 10.0**-field.digits
    for name, label in field.measures.items():
        (row,) = re.findall(rf"^{re.escape(label)}  .*$", table, re.MULTILINE)
        numbers = [float(number) for number in re.findall(r"\d+\.\d+", row.removeprefix(label))]
        assert any(abs(number - field.scale * expected[name]) <= step / 2 + 1e-9 for number in numbers), row
    assert foreign(table, field.name) == []
    assert all(re.search(rf"^{words[1]}\b", table, re.MULTILINE) for words in field.nouns[:2])

    (written,) = command("report", *files, "--field", field.name, "-o", "page.html", cwd=folder).stdout.split()
    page = seen(folder / written)
    assert foreign(page, field.name) == []
    assert all(re.search(rf"\b{words[1]}\b", page, re.IGNORECASE) for words in field.nouns[:2])
    headline, label = next(iter(field.measures.items()))
    decimals = field.digits if field.percent else 2
    assert f"{field.scale * expected[headline]:.{decimals}f}" in page
    assert label in page

    for name, value in expected.items():
        worse = 1 if cs.metric(name).smaller_is_better else -1
        shown = field.scale * value
        kept = max(0.0, math.floor((shown + worse * step) / step) * step)
        assert run(*score, "--fail-under", f"{name}={kept:.{field.digits}f}", cwd=folder).returncode == 0
        beyond = shown - worse * 2 * step
        if field.percent and beyond <= 1:
            continue  # a bound that looks like a fraction is refused
        if 0 < beyond < field.scale * cs.metric(name).highest:
            done = run(*score, "--fail-under", f"{name}={beyond:.{field.digits}f}", cwd=folder)
            assert done.returncode == 1
            assert (
                f"{name} is {shown:.{2 if field.percent else 4}f}, {'above' if worse > 0 else 'below'}" in done.stderr
            )
    other_unit = expected[headline] if field.percent else 100 * expected[headline]
    done = run(*score, "--fail-under", f"{headline}={other_unit:.4f}", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{'in percent' if field.percent else 'not in percent'} here" in done.stderr


def by_oracle(field: Field, gold: Any, pred: Any) -> dict[str, float]:
    """Each measure of a field, by the slow definition; of P, R and F the F."""
    return {name: _number(getattr(oracle, name)(tuple(gold), tuple(pred))) for name in field.measures}


def _number(score: Any) -> float:
    return float(score.f if isinstance(score, oracle.PRF) else score)


def test_coreference(tmp_path: Path) -> None:
    (tmp_path / "test.v4_gold_conll").write_text(KEY, encoding="utf-8")
    (tmp_path / "ours.conll").write_text(RESPONSE, encoding="utf-8")
    expected = {
        "conll": oracle.conll_of_documents(ENTITIES),
        **{name: oracle.tally(name, ENTITIES).score().f for name in ("muc", "b3", "ceafe", "ceafm")},
        "blanc(links=document)": oracle.blanc_of_documents(ENTITIES).f,
        **{name: oracle.tally(name, ENTITIES).score().f for name in ("lea", "mentions")},
    }
    walk(
        cs.field("coreference"),
        ("test.v4_gold_conll", "ours.conll"),
        {name: float(value) for name, value in expected.items()},
        tmp_path,
    )


def test_page_streams(tmp_path: Path) -> None:
    """A table with 0 and 1 for every page: scores are means over streams, and every stream has its row."""
    page_table(tmp_path)
    field = cs.field("page-streams")
    streams = {name: tuple(map(labels_of, both)) for name, both in BOUNDARIES.items()}
    by_stream = {name: by_oracle(field, *both) for name, both in streams.items()}
    expected = {name: sum(own[name] for own in by_stream.values()) / len(by_stream) for name in field.measures}
    files = ("pages.csv", "--gold", "gold", "--pred", "pred")
    walk(field, files, expected, tmp_path)
    table = command("score", *files, "--field", field.name, cwd=tmp_path).stdout
    for stream, own in by_stream.items():
        (row,) = re.findall(rf"^{stream} .*$", table, re.MULTILINE)
        assert row.split()[2:] == [f"{value:.4f}" for value in own.values()]
    assert "format:boundaries" in table


@pytest.mark.parametrize("column", ["EventTemplate", "EventId"])
def test_logs(column: str, tmp_path: Path) -> None:
    """Structured logs have templates and ids of them, which say the same; a line without is one of its own."""
    field, files = cs.field("logs"), files_of("logs", tmp_path)
    expected = by_oracle(field, TEMPLATES["gold"], TEMPLATES["pred"])
    assert expected["grouping_accuracy"] == 6 / 8  # that of "open <*>", read and wait
    if column == "EventTemplate":
        walk(field, files, expected, tmp_path)
    printed = values(("score", *files, "--field", "logs", *(["--cluster", column] * (column == "EventId"))), tmp_path)
    assert {name: printed["scores"][name]["value"] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert ("cluster:EventTemplate" in str(printed)) == (column == "EventTemplate")


def test_ids_of_templates_are_no_lines(tmp_path: Path) -> None:
    files = [tmp_path / f"{side}.csv" for side in ("gold", "pred")]
    for file in files:
        file.write_text("EventId,EventTemplate\nE1,open\nE2,close\n", encoding="utf-8")
    with pytest.raises(cs.FileError, match="which column is the element"):
        cs.score(*files, field="logs")


def test_word_senses(tmp_path: Path) -> None:
    """Of each term by itself: instances of different terms share no sense, whatever it is called."""
    field, files = cs.field("word-senses"), files_of("word-senses", tmp_path)
    terms = [[graded(SENSES[side], term) for side in ("gold", "pred")] for term in ("add.v", "dark.j")]
    alike = [[agreements(side) for side in term] for term in terms]
    means = {
        me: [[mean_agreement(*sides, me) for sides in (term[::-1], term)] for term in alike] for me in (False, True)
    }
    official = [sum(part) / len(terms) for part in zip(*means[False], strict=True)]
    reference = [sum(part) / len(terms) for part in zip(*means[True], strict=True)]  # terms have as many instances
    expected = {
        "graded_bcubed(dialect=semeval2013)": 2 / sum(1 / part for part in official),
        "graded_bcubed": 2 / sum(1 / part for part in reference),
        "fuzzy_rand": cs.fuzzy_rand(*(cs.Clustering.from_graded(
            [{(term, sense): weight for sense, weight in senses.items()}
             for term, both in enumerate(terms) for senses in both[side]]) for side in (0, 1))).value,
    }  # fmt: skip
    walk(field, files, expected, tmp_path)


def graded(text: str, term: str) -> list[dict[str, float]]:
    """The weights of each instance of a term, the largest of them 1."""
    rows = [line.split()[2:] for line in text.splitlines() if line.startswith(f"{term} ")]
    instances = [{word.partition("/")[0]: float(word.partition("/")[2] or 1) for word in row} for row in rows]
    return [{sense: weight / max(weights.values()) for sense, weight in weights.items()} for weights in instances]


def agreements(side: list[dict[str, float]]) -> list[list[float | None]]:
    """For two instances: how far they agree on the senses they share; None where they share none."""
    return [
        [sum(1 - abs(left[s] - right[s]) for s in left.keys() & right.keys()) if left.keys() & right.keys() else None
         for right in side] for left in side
    ]  # fmt: skip


def mean_agreement(other: list[list[float | None]], own: list[list[float | None]], with_oneself: bool) -> float:
    """The mean over instances of their mean of min(own, other)/own, over all who share one of the own senses."""
    means = []
    for e, row in enumerate(own):
        terms = [
            min(s, other[e][k] or 0) / s if s else 0.0
            for k, s in enumerate(row) if s is not None and (with_oneself or k != e)
        ]  # fmt: skip
        means.append(sum(terms) / len(terms) if terms else 0.0)
    return sum(means) / len(means)


TOOLS = {
    "splink": ("unique_id,cluster_id,first_name", "r{k},c{label},Ann"),
    "splink, two tables": ("source_dataset,unique_id,cluster_id,first_name", "{source},{n},c{label},Ann"),
    "dedupe": ("Cluster ID,confidence_score,Id,Site name", "{label},0.9{k},{k},Ann"),
    "a column called entity": ("id,entity,first_name", "r{k},c{label},Ann"),
    "zingg": ("z_minScore,z_maxScore,z_cluster,z_zid,fname", "0.9,1.0,{label},{k},Ann"),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_entity_resolution(tool: str, tmp_path: Path) -> None:
    heading, row = TOOLS[tool]
    for side, labels in PEOPLE.items():
        rows = [
            row.format(k=k, n=k // 2, label=label, source=("census", "register")[k % 2])
            for k, label in enumerate(labels)
        ]
        order = rows if side == "gold" else rows[::-1]
        (tmp_path / f"{side}.csv").write_text("\n".join([heading, *order]), encoding="utf-8")
    field = cs.field("entity-resolution")
    expected = by_oracle(field, PEOPLE["gold"], PEOPLE["pred"])
    assert expected["pairwise"] == float(Fraction(2 * 3, 5 + 6))  # 3 of 5 true pairs, among 6
    if tool == "splink":
        walk(field, ("gold.csv", "pred.csv"), expected, tmp_path)
    else:
        scores = values(("score", "gold.csv", "pred.csv", "--field", field.name), tmp_path)["scores"]
        assert {name: scores[name]["value"] for name in expected} == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("form", ["labels", "table", "npy"])
def test_clustering(form: str, tmp_path: Path) -> None:
    field, files = cs.field("clustering"), ("classes.labels", "kmeans.labels")
    sides = dict(zip(("y_true", "y_pred"), (CLASSES, FOUND), strict=True))
    if form == "labels":
        files_of("clustering", tmp_path)
    elif form == "table":
        files = ("points.csv", "--gold", "y_true", "--pred", "y_pred")
        rows = [f"0.{k},{gold},{pred}" for k, (gold, pred) in enumerate(zip(*sides.values(), strict=True))]
        (tmp_path / "points.csv").write_text("\n".join(["x,y_true,y_pred", *rows]), encoding="utf-8")
    else:
        import numpy as np

        files = tuple(f"{name}.npy" for name in sides)
        for file, labels in zip(files, sides.values(), strict=True):
            np.save(tmp_path / file, labels)
    metrics = pytest.importorskip("sklearn.metrics")
    expected = by_oracle(field, CLASSES, FOUND)
    assert expected["adjusted_rand"] == pytest.approx(metrics.adjusted_rand_score(CLASSES, FOUND), abs=1e-12)
    assert expected["ami"] == pytest.approx(metrics.adjusted_mutual_info_score(CLASSES, FOUND), abs=1e-12)
    if form == "labels":
        walk(field, files, expected, tmp_path)
    else:
        scores = values(("score", *files, "--field", field.name), tmp_path)["scores"]
        assert {name: scores[name]["value"] for name in expected} == pytest.approx(expected, abs=1e-12)


# A field from outside -----------------------------------------------------------------------------------

PACKAGE = """
from clusterscore import Field, Nouns

logs = Field(
    name="logs-from-outside",
    about="Which lines of a log come from the same statement?",
    nouns=Nouns(("line", "lines"), ("template", "templates"), ("system", "systems")),
    measures={"cluster_match": "FGA", "bcubed(beta=2)": "recall-minded BCubed"},
    average="macro",
    percent=True,
    digits=1,
    columns={"element": ("LineId",), "cluster": ("EventId",), "document": ("System",)},
    by_document=10,
)
"""
LOGS = {"HDFS": (["E1", "E1", "E2", "E3", "E3"], ["a", "a", "b", "b", "c"]), "Spark": (["E1", "E2"], ["a", "b"])}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A package as pip leaves it, and the structured logs of its users."""
    (tmp_path / "parsers").mkdir()
    (tmp_path / "parsers" / "fields_of_logs.py").write_text(PACKAGE, encoding="utf-8")
    information = tmp_path / "parsers" / "fields_of_logs-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: fields-of-logs\nVersion: 1.0\n", "utf-8")
    (information / "entry_points.txt").write_text("[clusterscore.fields]\nlogs = fields_of_logs:logs\n", "utf-8")
    for side, file in enumerate(("gold.csv", "drain.csv")):
        rows = [
            f"{system},{line},INFO,{label}"
            for system, both in LOGS.items()
            for line, label in enumerate(both[side], 1)
        ]  # fmt: skip
        (tmp_path / file).write_text("\n".join(["System,LineId,Level,EventId", *rows]), encoding="utf-8")
    return tmp_path


def test_a_field_from_outside(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(outside / "parsers")
    monkeypatch.delitem(sys.modules, "fields_of_logs", raising=False)
    with plugins_forgotten():
        field = cs.field("logs from outside")
        scores: dict[str, Callable[[Any, Any], oracle.PRF]] = {
            "cluster_match": oracle.cluster_match,
            "bcubed(beta=2)": lambda gold, pred: oracle.bcubed(gold, pred, beta=2),
        }
        expected = {
            name: float(sum(scored(*map(tuple, both)).f for both in LOGS.values()) / len(LOGS))
            for name, scored in scores.items()
        }
        walk(field, ("gold.csv", "drain.csv"), expected, outside)
        table = command("score", "gold.csv", "drain.csv", "--field", field.name, cwd=outside).stdout
        assert re.search(r"^system +lines +FGA +recall", table, re.MULTILINE)
        output = " ".join(command("fields", field.name, cwd=outside).stdout.split())
        assert "lines, templates, systems" in output
        assert "in percent, 1 decimal Average: macro" in output
    assert "logs-from-outside" not in cs.fields.FIELDS


def test_a_field_from_outside_in_a_process_of_its_own(outside: Path) -> None:
    path = os.pathsep.join([str(outside / "parsers"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "clusterscore", "score", "gold.csv", "drain.csv", "--field", "logs-from-outside",
         "--fail-under", "cluster_match=99"],
        capture_output=True, text=True, cwd=outside, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "clusterscore: cluster_match is 66.67, below 99 (--fail-under)\n"


def test_crac(tmp_path: Path) -> None:
    """CorefUD as the shared task has it: a key and a response, in percent, singletons dropped, matched by heads."""
    if not HAS_CRAC:
        pytest.skip(NO_CRAC)
    field, files = cs.field("crac"), files_of("crac", tmp_path)
    one_by_one = {
        name: cs.score(
            *(str(tmp_path / file) for file in files), metrics=name, field="coreference", **field.conventions
        )[name].value
        for name in field.measures
    }
    entities = ([[1, 4], [3, 6]], [[1, 3, 4], [6]])  # words from the start; the response's second entity is dropped
    dropped = [([side for side in sides if len(side) > 1]) for sides in entities]
    assert one_by_one["conll"] == pytest.approx(float(oracle.conll_of_documents([tuple(dropped)])), abs=1e-12)
    walk(field, files, one_by_one, tmp_path)
