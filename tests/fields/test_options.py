"""Options given beside a field win; a field is its options, one by one; Python and the command line agree."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

import click
import pandas as pd
import pytest

import clusterscore as cs
from clusterscore.command import main
from clusterscore.command.commands import cli
from clusterscore.fields import FIELDS
from fields.samples import PEOPLE, USABLE, command, files_of, foreign, in_python, values
from running import run

pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
fields = pytest.mark.parametrize("name", USABLE)


def one_by_one(name: str) -> list[str]:
    """What a field sets, as options of the command."""
    field = cs.field(name)
    options = [part for measure in field.measures for part in ("-m", measure)]
    options += [
        "--average",
        field.average,
        *(part for o, v in field.conventions.items() for part in (f"--{o.replace('_', '-')}", str(v))),
    ]
    if name == "page-streams":
        options += ["--document", "stream", "--element", "page", "--format-in", "boundaries"]
    if name == "logs":
        options += ["--element", "LineId", "--cluster", "EventTemplate"]
    return options


def scores(printed: dict[str, Any]) -> dict[str, Any]:
    return dict(printed["scores"])


@fields
def test_a_field_is_its_options(name: str, tmp_path: Path) -> None:
    files = files_of(name, tmp_path)
    by_name = values(("score", *files, "--field", name), tmp_path)
    by_options = values(("score", *files, *one_by_one(name)), tmp_path)
    if name == "logs":  # of two columns the field takes one, and says so; nobody else has to
        by_name = json.loads(json.dumps(by_name).replace("cluster:EventTemplate|", ""))
    assert scores(by_name) == scores(by_options)  # numbers and signatures, bit by bit
    assert by_name["field"] == name
    assert not any(name in score["signature"] for score in scores(by_name).values())
    assert {key for key in by_name if key not in ("field", "warnings")} == {
        key for key in by_options if key not in ("field", "warnings")
    }


@fields
def test_python_and_the_command_agree(name: str, tmp_path: Path) -> None:
    files = files_of(name, tmp_path)
    card = cs.score(*in_python(name, tmp_path), field=name)
    printed = values(("score", *files, "--field", name), tmp_path)
    assert json.loads(card.to_json())["scores"] == scores(printed)
    assert card.field is cs.field(name)
    table = command("score", *files, "--field", name, cwd=tmp_path).stdout
    assert str(card).split() == table.split()


@fields
def test_metrics_win(name: str, tmp_path: Path) -> None:
    gold, pred = in_python(name, tmp_path)
    other = {"clustering": "purity_f", "page-streams": "purity_f", "logs": "purity_f", "word-senses": "fari(bond=l1)"}
    card = cs.score(gold, pred, field=name, metrics=other.get(name, "muc"))
    assert len(card) == 1
    assert next(iter(card)) not in cs.field(name).measures or name in ("coreference", "crac")
    printed = values(("score", *files_of(name, tmp_path), "--field", name, "-m", next(iter(card))), tmp_path)
    assert list(scores(printed)) == list(card)


def test_the_average_wins(tmp_path: Path) -> None:
    gold, pred = in_python("page-streams", tmp_path)
    files = files_of("page-streams", tmp_path)
    assert cs.score(gold, pred, field="page-streams").average == "macro"
    for average in ("micro", "weighted"):
        card = cs.score(gold, pred, field="page-streams", average=average)
        assert (card.average, card.field) == (average, cs.field("page-streams"))
        printed = values(("score", *files, "--field", "page-streams", "--average", average), tmp_path)
        assert {name: score["value"] for name, score in scores(printed).items()} == {
            name: score.value for name, score in card.items()
        }
        assert f"avg:{average}" in scores(printed)["elm"]["signature"]
    apart = cs.score(gold, pred, field="page-streams", average="micro")["elm"].value
    assert apart != cs.score(gold, pred, field="page-streams")["elm"].value


@fields
def test_digits_win(name: str, tmp_path: Path) -> None:
    files, field = files_of(name, tmp_path), cs.field(name)
    for digits in (None, 1, 6):
        chosen = () if digits is None else ("--digits", str(digits))
        table = command("score", *files, "--field", name, *chosen, cwd=tmp_path).stdout
        scores_alone = re.sub(r"v:\S+|weight:\S+|step:[\d.]+|threshold:\S+|@[\d.]+", "", table)
        numbers = re.findall(r"\b\d+\.(\d+)(?![\d.])", scores_alone)
        assert {len(number) for number in numbers} == {field.digits if digits is None else digits}


def test_conventions_win(tmp_path: Path) -> None:
    """A field of CorefUD that drops singletons: whoever keeps them gets what nobody drops."""
    dropping = cs.Field(
        "dropping", "Drops.", cs.field("coreference").nouns, {"b3": "B3"}, conventions={"singletons": "drop"}
    )
    gold, pred = in_python("coreference", tmp_path)
    plain, dropped = cs.score(gold, pred, metrics="b3"), cs.score(gold, pred, field=dropping)
    assert dropped["b3"].value != plain["b3"].value
    assert dropped["b3"].value == cs.score(gold, pred, metrics="b3", singletons="drop")["b3"].value
    assert dropped["b3"].signature == cs.score(gold, pred, metrics="b3", singletons="drop")["b3"].signature
    kept = cs.score(gold, pred, field=dropping, singletons="keep")
    assert kept["b3"].value == plain["b3"].value
    card = cs.coref(gold, pred, field=dropping, singletons="keep")
    assert card["b3"] == kept["b3"]


def test_the_format_wins(tmp_path: Path) -> None:
    """0 and 1 are labels where somebody says so."""
    for name, text in {"gold": "1\n0\n0\n1\n0", "pred": "1\n0\n1\n1\n0"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    segments = cs.score(str(tmp_path / "gold"), str(tmp_path / "pred"), field="page-streams", metrics="bcubed")
    sides = [cs.File(str(tmp_path / side), format="labels") for side in ("gold", "pred")]
    labels = cs.score(*sides, field="page-streams", metrics="bcubed")
    assert labels["bcubed"].value == cs.bcubed([1, 0, 0, 1, 0], [1, 0, 1, 1, 0]).value
    assert segments["bcubed"].value == cs.bcubed([0, 0, 0, 1, 1], [0, 0, 1, 2, 2]).value
    assert "format:labels" in labels["bcubed"].signature
    assert "format:boundaries" in segments["bcubed"].signature


# Every door ---------------------------------------------------------------------------------------------

GOLD = {f"r{k}": label for k, label in enumerate(PEOPLE["gold"])}
PRED = {f"r{k}": label for k, label in enumerate(PEOPLE["pred"])}
SAMPLE = cs.Sample([["r0", "r1", "r2"], ["r3", "r4"], ["r5"]], weights="uniform")
EDGES = [("r0", "r1", 0.9), ("r1", "r2", 0.6), ("r2", "r3", 0.7), ("r3", "r4", 0.8), ("r7", "r8", 0.9)]
LABELLED = [("r0", "r1", 1), ("r2", "r3", 0), ("r5", "r6", 0), ("r7", "r8", 1)]
FRAME = pd.DataFrame({"element": list(GOLD), "gold": list(GOLD.values()), "pred": list(PRED.values())})
DOORS: dict[str, Callable[..., Any]] = {
    "agreement_matrix": lambda gold, pred, **o: cs.agreement_matrix({"a": gold, "b": pred}, **o),
    "align_labels": lambda gold, pred, **o: cs.align_labels(gold, pred, **o),
    "chance": lambda gold, pred, **o: cs.chance(gold, pred, resamples=9, **o),
    "clusters": lambda gold, pred, **o: cs.clusters(gold, pred, **o),
    "compare": lambda gold, pred, **o: cs.compare(gold, {"a": pred, "b": gold}, resamples=9, **o),
    "coref": lambda gold, pred, **o: cs.coref(gold, pred, **o),
    "diff": lambda gold, pred, **o: cs.diff(gold, pred, **o),
    "draw_sample": lambda gold, pred, **o: cs.draw_sample(PRED, 3, **o),
    "elements": lambda gold, pred, **o: cs.elements(gold, pred, **o),
    "error_cells": lambda gold, pred, **o: cs.error_cells(gold, pred, **o),
    "errors": lambda gold, pred, **o: cs.errors(gold, pred, **o),
    "estimate": lambda gold, pred, **o: cs.estimate(SAMPLE, PRED, resamples=9, **o),
    "plan": lambda gold, pred, **o: cs.plan(cs.estimate(SAMPLE, PRED, metrics="elm", resamples=9), target=0.05, **o),
    "report": lambda gold, pred, **o: cs.report(gold, pred, path=Path(str(o.pop("folder"))) / "page.html", **o),
    "score": lambda gold, pred, **o: cs.score(gold, pred, **o),
    "score_data_sets": lambda gold, pred, **o: cs.score_data_sets({"a": (gold, pred), "b": (gold, pred)}, **o),
    "score_pairs": lambda gold, pred, **o: cs.score_pairs(LABELLED, PRED, **o),
    "score_table": lambda gold, pred, **o: cs.score_table(FRAME, gold="gold", pred="pred", **o),
    "sweep": lambda gold, pred, **o: cs.sweep(GOLD, edges=EDGES, **o),
}
REFUSED = {  # what does not make sense there, and what is said
    ("agreement_matrix", "coreference"): "adjusted_rand needs the same mentions on both sides.*or take a measure",
    ("align_labels", "coreference"): "aligned on the mentions that both sides have.*missing=",
    ("agreement_matrix", "crac"): "adjusted_rand needs the same mentions on both sides.*or take a measure",
    ("align_labels", "crac"): "aligned on the mentions that both sides have.*missing=",
    ("compare", "crac"): "mentions that only one side has.*resamples=0",
    **dict.fromkeys(
        ((door, "word-senses") for door in ("diff", "align_labels")), "in more than one sense.* partitions"
    ),
    **dict.fromkeys(((door, "word-senses") for door in ("errors", "error_cells")), "kinds of errors are those of part"),
    ("agreement_matrix", "word-senses"): "by weights here, which adjusted_rand does not know; use fuzzy_rand",
    ("coref", "page-streams"): "takes the paths of a key and a response",
    ("estimate", "diarization"): "der depends on turns.*cannot be estimated",
    ("score_table", "diarization"): "der needs to know who speaks when",
    ("sweep", "diarization"): "der cannot be swept: it needs turns",
    ("score_table", "page-streams"): "boundaries needs the order of the pages.*use cs.score",
}


def test_every_function_with_a_field_is_tried() -> None:
    public = {name for name in cs.__all__ if isfunction(getattr(cs, name))}
    assert {name for name in public if "field" in signature(getattr(cs, name)).parameters} == set(DOORS)


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("door", DOORS)
@fields
def test_functions(door: str, name: str, tmp_path: Path) -> None:
    gold, pred = in_python(name, tmp_path)
    where = {"folder": tmp_path} if door == "report" else {}
    if (door, name) in REFUSED:
        with pytest.raises(cs.ClusterscoreError, match=REFUSED[door, name]) as caught:
            DOORS[door](gold, pred, field=name)
        assert foreign(str(caught.value), name) == []
        return
    made = DOORS[door](gold, pred, field=name, **where)
    assert foreign(str(made), name) == []
    for other in (name.replace("-", "_"), cs.field(name)):
        assert str(DOORS[door](gold, pred, field=other, **where)) == str(made)


def test_a_sample_has_no_average_that_a_field_could_set() -> None:
    assert cs.score(SAMPLE, PRED, field="page-streams")["elm"] == cs.estimate(SAMPLE, PRED, metrics="elm")["elm"]
    with pytest.raises(cs.InputError, match="average= needs gold for all records"):
        cs.score(SAMPLE, PRED, field="entity-resolution", average="macro")


def _commands() -> dict[str, click.Command]:
    with pytest.raises(SystemExit):
        main(["--help"])  # which loads them all
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: made for name, made in commands.items() if made is not None}


RUN: dict[str, Callable[[tuple[str, ...]], tuple[str, ...] | None]] = {
    **dict.fromkeys(("score", "elements", "clusters", "errors", "compare", "diff"), lambda files: files),
    "report": lambda files: (*files, "-o", "page.html"),
    "align": lambda files: (*files, "-o", "aligned.csv"),
    "coref": lambda files: files[:2],
    "agreement": lambda files: (files[0], "--column", "gold", "--column", "pred") if "--gold" in files else files,
    "estimate": lambda files: ("sample.csv", "pred.csv", "--sample", "uniform"),
    "draw-sample": lambda files: ("pred.csv", "3"),
    "sweep": lambda files: ("gold.csv", "edges.csv"),
    "pairs": lambda files: ("labelled.csv", "pred.csv"),
    "constraints": lambda files: ("purity",),
    "fields": lambda files: ("crac",),
    "metrics": lambda files: ("elm",),
}
COMMAND_REFUSED = {
    ("align", "coreference"): "mentions that both sides have",
    ("agreement", "coreference"): "the same mentions on both sides",
    ("align", "crac"): "mentions that both sides have",
    ("agreement", "crac"): "the same mentions on both sides",
    ("compare", "crac"): "mentions that only one side has",
    **dict.fromkeys(((command, "word-senses") for command in ("diff", "align", "errors")), "in more than one sense"),
    ("agreement", "word-senses"): "by weights here, which adjusted_rand does not know",
    ("coref", "page-streams"): "--gold",
    ("diff", "page-streams"): "--old",
    ("estimate", "diarization"): "der depends on turns",
    ("sweep", "diarization"): "der cannot be swept: it needs turns",
}


def test_every_command_with_a_field_is_tried() -> None:
    has = {name for name, made in _commands().items() if any("--field" in parameter.opts for parameter in made.params)}
    assert has == set(RUN)


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("name", RUN)
def test_commands(name: str, tmp_path: Path) -> None:
    table = ["element,cluster", *(f"{element},{label}" for element, label in PRED.items())]
    (tmp_path / "edges.csv").write_text("left,right,score\n" + "\n".join("{},{},{}".format(*e) for e in EDGES))
    (tmp_path / "labelled.csv").write_text("left,right,label\n" + "\n".join("{},{},{}".format(*e) for e in LABELLED))
    for field in USABLE:
        files = files_of(field, tmp_path)
        if name in ("estimate", "draw-sample", "sweep", "pairs"):
            (tmp_path / "pred.csv").write_text("\n".join(table))
            (tmp_path / "gold.csv").write_text("element,cluster\n" + "\n".join(f"{e},{c}" for e, c in GOLD.items()))
            (tmp_path / "sample.csv").write_text("element,cluster\nr0,x\nr1,x\nr2,x\nr3,y\nr4,y\nr5,z\n")
        arguments = RUN[name](files)
        assert arguments is not None
        done = run(name, *arguments, "--field", field, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        if done.returncode:
            assert (done.returncode, done.stdout) == (2, ""), (field, done)
            assert COMMAND_REFUSED[name, field] in done.stderr, (field, done.stderr)
        elif name not in ("fields", "metrics", "constraints"):
            assert foreign(done.stdout, field) == [], (field, done.stdout)
            assert foreign(done.stderr, field) == [], (field, done.stderr)


def test_unknown_field_is_an_error_of_every_command(tmp_path: Path) -> None:
    for name, arguments in RUN.items():
        made = arguments(("a.csv", "b.csv"))
        assert made is not None
        done = run(name, *made, "--field", "page-strems", cwd=tmp_path)
        assert done.returncode == 2, name
        assert "unknown field 'page-strems': did you mean 'page-streams'" in done.stderr, (name, done.stderr)


def test_what_is_listed_is_what_there_is() -> None:
    assert set(USABLE) <= set(FIELDS)
