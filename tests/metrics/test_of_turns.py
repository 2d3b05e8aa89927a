"""Measures of diarization: what tools say, what the definitions say, and laws that hold whatever the turns are."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs

sys.path.append(str(Path(__file__).parent.parent / "oracles"))
import timelines

CASES = json.loads((Path(__file__).parents[1] / "golden" / "diarization.json").read_text(encoding="utf-8"))["cases"]
NAMES = [kind.name for kind in cs.registered() if kind.of_turns]
DIALECTS = {
    "pyannote.metrics": "pyannote", "dscore": "dscore", "md-eval": "md-eval", "spy-der": "spyder",
    "simpleder": "simpleder",
}  # fmt: skip
DER = ("der", "miss", "false_alarm", "confusion", "total", "mean_der")
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def sides(files: list[dict[str, Any]], **how: Any) -> tuple[list[cs.Clustering], dict[str, Any]]:
    """Recordings as Python has them, with their UEM."""
    made = [cs.Clustering.from_turns({k: file[side] for k, file in enumerate(files)}, **how) for side in ("ref", "hyp")]
    return made, {"uem": {k: f["uem"] for k, f in enumerate(files)}} if files[0]["uem"] is not None else {}


def written(files: list[dict[str, Any]], folder: Path) -> tuple[list[Path], dict[str, Any]]:
    """The same in files."""
    paths = [folder / "ref.rttm", folder / "hyp.rttm"]
    for path, side in zip(paths, ("ref", "hyp"), strict=True):
        lines = [
            f"SPEAKER {k} 1 {start} {Decimal(end) - Decimal(start)} <NA> <NA> {who} <NA> <NA>\n"
            for k, file in enumerate(files)
            for start, end, who in file[side]
        ]
        path.write_text("".join(lines))
    if files[0]["uem"] is None:
        return paths, {}
    uem = folder / "all.uem"
    uem.write_text("".join(f"{k} 1 {a} {b}\n" for k, file in enumerate(files) for a, b in file["uem"]))
    return paths, {"uem": uem}


# What tools say ------------------------------------------------------------------------------------------


def der_options(tool: str, conventions: dict[str, Any]) -> list[dict[str, Any]]:
    """How the conventions of a tool are spelled here, one by one, and with its dialect, if it has one."""
    shared = {"collar": float(conventions["half_collar"]), "skip_overlap": conventions["skip_overlap"]}
    turns = "count" if "same_speaker" in conventions else "seams" if conventions.get("touching") == "keep" else "merge"
    recordings = [word for word in ("referenced", "scored") if f"drop_files_without_{DROPPED[word]}" in conventions]
    options = {
        **shared, "turns": turns, "map": {"scored": "scored", "evaluated": "base"}[conventions["mapping"]],
        "base": conventions.get("extent", "both"), "trim": conventions.get("trim", False),
        "empty": float("empty" not in conventions), "recordings": (recordings or ["all"])[0],
    }  # fmt: skip
    return [options, *([{**shared, "dialect": DIALECTS[tool]}] if tool in DIALECTS else [])]


DROPPED = {"referenced": "reference", "scored": "scored_reference"}


def frame_scores(table: cs.Table) -> dict[str, float | None]:
    bcubed, tau = cs.bcubed(table, f="of-means"), cs.goodman_kruskal_tau(table)
    apart = cs.variation_of_information(table, base=2)
    scores = {"bcubed_precision": bcubed.precision, "bcubed_recall": bcubed.recall, "bcubed_f1": bcubed.f}
    scores |= {"tau_ref_sys": tau.recall, "tau_sys_ref": tau.precision}
    scores |= {"H(ref|sys)": apart.merge, "H(sys|ref)": apart.split}
    return scores | {"MI": cs.mutual_information(table, base=2).value, "NMI": cs.nmi(table, mean="geometric").value}


def said_of(tool: str, conventions: dict[str, Any], gold: Any, pred: Any, uem: dict[str, Any]) -> Iterator[Any]:
    """What is said here of all that a tool may say, in each spelling."""
    if "mapping" in conventions:
        missing = {"missing": "drop"} if "drop_files_on_one_side" in conventions else {}
        for options in der_options(tool, conventions):
            score, metric = cs.der(gold, pred, **options, **uem, **missing), cs.metric("der")
            metric = type(metric)(**options)
            mean = cs.score(gold, pred, metrics=metric, average="macro", **uem, **missing)[str(metric)].value
            yield {"der": score.value, **score.extras, "mean_der": mean}
    elif "half_collar" in conventions:
        options = {"collar": float(conventions["half_collar"]), "skip_overlap": conventions["skip_overlap"]}
        for dialect in (None, "pyannote"):
            yield {"jer": cs.jer(gold, pred, dialect=dialect, **options, **uem).value}
    elif "denominator" in conventions:
        total = {"all": "all", "common": "shared"}[conventions["denominator"]]
        measures = {"purity": cs.speaker_purity, "coverage": cs.speaker_coverage}
        yield {name: measure(gold, pred, total=total, **uem).value for name, measure in measures.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
@pytest.mark.parametrize("door", ["turns", "files"])
def test_tools(case: dict[str, Any], door: str, tmp_path: Path) -> None:
    files = case["files"]
    (gold, pred), uem = sides(files) if door == "turns" else written(files, tmp_path)
    number = 0
    for tool, options, conventions, tolerance, values in case["expected"]:
        all_scores = list(said_of(tool, conventions, gold, pred, uem))
        if "drop_files_on_one_side" in conventions and door == "turns":
            continue  # a mapping names recordings in which nobody speaks
        if not all_scores and "frame_jer" in values:
            all_scores = [{"frame_jer": cs.jer(gold, pred, dialect="dscore", **uem).value}]
        elif not all_scores:
            framed = sides(files, frames="dscore")[0] if door == "turns" else [
                cs.File(path, frames="dscore") for path in (gold, pred)
            ]  # fmt: skip
            all_scores = [frame_scores(cs.Table.from_labels(*framed, **uem))]
        for measure, value in values.items():
            for scores in all_scores:
                assert scores[measure] == pytest.approx(value, abs=tolerance + 1e-12), (tool, options, measure)
                number += 1
    assert number


# What the definitions say --------------------------------------------------------------------------------


def random_files(rng: random.Random, most: int = 5) -> list[dict[str, Any]]:
    """Turns on a coarse grid, so that many touch, overlap, are empty or tie."""

    def side(names: str) -> list[tuple[str, str, str]]:
        starts = [rng.randrange(12) for _ in range(rng.randrange(most))]
        return [(f"{s / 4:g}", f"{(s + rng.randrange(6)) / 4:g}", rng.choice(names)) for s in starts]

    has_uem, files = rng.random() < 0.5, []
    for _ in range(rng.randrange(1, 4)):
        ends = [f"{time / 4:g}" for time in sorted(rng.sample(range(18), 4))]
        files.append({"ref": side("ABC"), "hyp": side("xyz"), "uem": [ends[:2], ends[2:]] if has_uem else None})
    return files


def random_options(rng: random.Random) -> dict[str, Any]:
    choices = {
        "collar": (0, 0.25, 0.1, 0.3), "skip_overlap": (False, False, True), "turns": ("merge", "seams", "count"),
        "map": ("scored", "base"), "base": ("both", "reference"), "trim": (False, True), "empty": (0, 1),
        "recordings": ("all", "referenced", "scored"),
    }  # fmt: skip
    return {name: rng.choice(some) for name, some in choices.items()}


@pytest.mark.parametrize("seed", range(120))
def test_by_definition(seed: int) -> None:
    rng = random.Random(seed)
    files, options = random_files(rng), random_options(rng)
    (gold, pred), uem = sides(files)
    score = cs.der(gold, pred, **options, **uem)
    expected = timelines.der(files, **options | {"collar": str(options["collar"])})
    for name, value in expected.items():
        assert {"der": score.value, **score.extras}[name] == pytest.approx(float(value), abs=1e-12)
    how = {"collar": options["collar"], "skip_overlap": options["skip_overlap"], "turns": options["turns"]}
    for map_ in ("time", "jaccard"):
        exact = how | {"collar": str(how["collar"]), "map": map_}
        errors = [error for file in files for error in timelines.jer_errors(file, **exact)]
        mean = float(sum(errors) / len(errors)) if errors else 1.0
        assert cs.jer(gold, pred, map=map_, **how, **uem).value == pytest.approx(mean, abs=1e-12)
    for measure, swap in ((cs.speaker_purity, False), (cs.speaker_coverage, True)):
        parts = [timelines.purity_parts(file, swap) for file in files]
        most, all_, shared = (sum(part[name] for part in parts) for name in ("most", "all", "shared"))
        for total, time_ in (("all", all_), ("shared", shared)):
            share = float(most / time_) if time_ else 1.0
            assert measure(gold, pred, total=total, **uem).value == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("kind", ["middle", "dscore"])
def test_frames_by_definition(seed: int, kind: Any) -> None:
    files = random_files(random.Random(seed), 4)
    for file in files:
        file["ref"] = [(*turn[:2], turn[2]) for turn in file["ref"]] + [("0.013", "0.6171", "C")]
    cells = Counter((k, *frame) for k, file in enumerate(files) for frame in timelines.frames(file, "0.03", kind))
    (gold, pred), uem = sides(files, step=0.03, frames=kind)
    for single in (False, True):
        table = cs.Table.from_labels(gold, pred, members=single, **uem)
        assert sorted(table.n.tolist()) == sorted(cells.values())
        assert table.elements == cells.total()
    listed = cs.elements(gold, pred, **uem) if cells else {"document": [], "gold": [], "pred": []}
    rows = zip(*(listed[name].tolist() for name in ("document", "gold", "pred")), strict=True) if cells else ()
    assert Counter((k, g.replace("(silence)", ""), p.replace("(silence)", "")) for k, g, p in rows) == cells
    if kind == "dscore":
        expected = timelines.frame_jer(files, "0.03")
        assert cs.jer(gold, pred, dialect="dscore", step=0.03, **uem).value == pytest.approx(expected, abs=1e-12)


# Laws ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(12))
def test_laws(name: str, seed: int) -> None:
    rng = random.Random(seed)
    files, metric = random_files(rng, 9), cs.metric(name)
    (gold, pred), uem = sides(files)
    plain = metric(gold, pred, **uem)
    assert metric.lowest <= plain.value <= metric.highest
    assert metric.additive
    # nobody depends on the order of turns, on names, on how a time is written, or where a recording lies
    shuffled = [
        {"ref": rng.sample(file["ref"], len(file["ref"])), "hyp": file["hyp"][::-1], "uem": file["uem"]}
        for file in files
    ]
    renamed = [{**file, "hyp": [(a, b, f"s{ord(who)}") for a, b, who in file["hyp"]]} for file in files]
    numbers = [
        {**file, "ref": [(float(a), Decimal(b), who) for a, b, who in file["ref"]],
         "hyp": [(Fraction(a), np.float64(b), who) for a, b, who in file["hyp"]]} for file in files
    ]  # fmt: skip
    for other in (shuffled, renamed, numbers):
        (left, right), _ = sides(other)
        assert metric(left, right, **uem) == plain
    longer = Fraction(3**30 + 1, 3**30)
    many_ticks = [  # more than floats can count
        {side: [(Fraction(a) * longer, Fraction(b) * longer, *who) for a, b, *who in file[side] or ()] for side in file}
        for file in files
    ]
    (left, right), stretched = sides([{**file, "uem": file["uem"] or None} for file in many_ticks])
    assert metric(left, right, **stretched).value == pytest.approx(plain.value, abs=1e-12)
    # a side against itself is right, and recordings add up
    itself = metric(gold, gold, **uem)
    assert itself.value == (metric.perfect if any(file["ref"] for file in files) else itself.value)
    card = cs.score(gold, pred, metrics=metric, **uem)
    singles = [
        metric(*sides([file])[0], **sides([file])[1]).value for file in files if file["ref"] or file["hyp"] or uem
    ]
    assert card.documents[name].tolist() == pytest.approx(singles)
    seen = cs.Accumulator(metrics=metric, average="micro")
    table = cs.Table.from_labels(gold, pred, **uem)
    assert metric(table) == plain
    seen.update(table)
    assert seen.result()[name].value == plain.value


def test_names_and_signatures() -> None:
    plain = "der|collar:0|turns:merge|map:scored|base:both|recordings:all|empty:1|avg:micro|missing:error|v:0.1.0"
    assert cs.metric("der").signature == plain
    dscore = cs.metric("der(dialect=dscore, collar=0.25, skip_overlap=true, trim=false)")
    assert str(dscore) == "der(collar=0.25, skip_overlap=true, trim=false, dialect=dscore)"
    assert cs.metric(str(dscore)) == dscore
    assert "|skip_overlap:true|turns:seams|map:base|base:both|trim:false|recordings:referenced|" in dscore.signature
    for name in NAMES:
        kind = type(cs.metric(name))
        assert len({metric.signature for metric in map(kind, (0, 0.5), (True, True))} | {kind().signature}) == 3
    assert "|uem:given|" in cs.der(*sides(CASES[0]["files"])[0], uem={0: [(0, 3)]}).signature


# Doors and mistakes --------------------------------------------------------------------------------------

FILED = {"gold": "page", "pred": "found", "metrics": "der"}
TURNS = [("r", 0, 2, "a"), ("r", 2, 3, "b"), ("s", 1, 4, "a")]


def message_of(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as error:
        call(*arguments, **options)
    return str(error.value)


def test_other_functions() -> None:
    gold, pred = cs.Clustering.from_turns(TURNS), cs.Clustering.from_turns([("r", 0, 3, "x"), ("s", 1, 3, "y")])
    comparison = cs.compare(gold, {"A": pred, "B": gold}, metrics="der, jer", resamples=50)
    assert (comparison["A"]["der"].score.value, comparison["B"]["der"].score.value) == (pytest.approx(2 / 6), 0.0)
    systems = {"A": pred, "B": cs.Clustering.from_turns([("r", 0, 3, "x")])}
    assert "different documents: 1 with one" in message_of(cs.compare, gold, systems, metrics="der", missing="drop")
    systems["B"] = cs.Clustering.from_turns([("r", 0, 3, "x"), ("t", 0, 1, "x")])  # "A" has nothing of that recording
    comparison = cs.compare(gold, systems, metrics="der", resamples=0)
    assert [comparison[name]["der"].score for name in systems] == [cs.der(gold, side) for side in systems.values()]
    assert "der scores turns" in message_of(cs.chance, gold, pred, metrics="der")
    assert "has no baselines" in message_of(cs.score, gold, pred, metrics="der", baselines=True)
    assert cs.score(gold, pred, metrics="der, elm", baselines=True).baselines["one_cluster"]["elm"].f < 1
    assert "needs to know who speaks when" in message_of(cs.der, [0, 0, 1], [0, 1, 1])
    assert "needs to know who speaks when" in message_of(cs.score_table, "examples/both-1.csv", **FILED)
    assert "scores turns of speakers" in message_of(cs.constraints.check, "der")
    assert "uem= is for turns" in message_of(cs.elm, [0, 1], [0, 1], uem={0: [(0, 1)]})
    assert "documents= is given, but turns carry their documents" in message_of(
        cs.elm, gold, pred, documents=["r", "s"]
    )
    for option in ({"noise": "a"}, {"background": "gold"}, {"only": ["a"]}):
        message = message_of(cs.score, gold, pred, metrics="der", **option)
        assert f"der scores all turns, and no labels of elements; leave out {next(iter(option))}=" in message
    assert "der scores turns, and a model predicts labels" in message_of(cs.scorer, "der")
    # batches, each with its regions, of which one is no turn; saved and read again
    seen = cs.Accumulator("der, jer")
    seen.update(gold, pred, uem={"r": [(0, 3)], "s": [(0, 3)]})
    seen.update(cs.Clustering.from_turns([]), cs.Clustering.from_turns({"t": [(0, 1, "x")]}), uem={"t": [(0, 9)]})
    assert cs.Accumulator.from_json(seen.to_json()).result()["der"] == seen.result()["der"]
    assert (seen.result()["der"].false_alarm, seen.result()["der"].total) == (1.0, 5.0)
    for call in (cs.score, cs.estimate):
        sampled = gold if call is cs.estimate else cs.Sample(gold, weights="uniform")
        how = {"weights": "uniform"} if call is cs.estimate else {}
        assert "turns cannot be a sample; annotate some recordings as a" in message_of(call, sampled, pred, **how)
        assert "der depends on turns, so it is not a sum" in message_of(call, sampled, pred, metrics="der", **how)
    frames = cs.score(gold, pred, metrics="elm", noise="(silence)", noise_as="drop")
    assert frames.table.elements == 500  # in which somebody speaks on both sides


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("der(collar=-1)", "collar=-1 is out of range"), ("der(dialect=nist)", "use one of 'pyannote', 'dscore'"),
        ("der(turns=split)", "use one of 'merge', 'seams', 'count'"), ("der(trim=3)", "trim=3 must be true or false"),
        ("der(empty=2)", "empty=2 is out of range"), ("jer(map=base)", "use one of 'time', 'jaccard'"),
        ("jer(step=0)", "is not a length in seconds"), ("der(overlap=1)", "der has no parameter 'overlap'"),
    ],
)  # fmt: skip
def test_wrong_options(text: str, message: str) -> None:
    assert message in message_of(lambda: cs.metric(text)(*sides(CASES[0]["files"])[0]))


@pytest.mark.parametrize("name", ["der", "jer", "speaker_purity", "speaker_coverage"])
def test_rows_of_turns_need_no_constructor(name: str) -> None:
    gold, pred = [(0, 10, "ann"), (8, 12, "bob")], [(0, 8.5, "x"), (8.5, 12, "y")]
    turns = [cs.Clustering.from_turns(side) for side in (gold, pred)]
    assert getattr(cs, name)(gold, pred) == getattr(cs, name)(*turns)
    assert cs.metric(name)({"r": gold}, {"r": pred}).value == getattr(cs, name)(*turns).value
