"""What is legal and probably not meant is doubted in the same words, whichever door it comes through."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.align.doubts import DOUBTS
from clusterscore.command import main


class Sides(NamedTuple):
    """Gold and prediction of elements with ids, in their order, as every door takes them; and its options."""

    ids: list[Any]
    gold: list[Any]
    pred: list[Any]
    options: Mapping[str, Any] = MappingProxyType({})
    pred_ids: list[Any] | None = None

    def mappings(self) -> tuple[dict[Any, Any], dict[Any, Any]]:
        return dict(zip(self.ids, self.gold, strict=True)), dict(zip(self.pred_ids or self.ids, self.pred, strict=True))

    def frames(self) -> list[pl.DataFrame]:
        return [pl.DataFrame({"element": list(side), "cluster": list(side.values())}) for side in self.mappings()]

    def files(self, folder: Path, ending: str = "csv") -> list[str]:
        paths = [str(folder / f"{name}.{ending}") for name in ("gold", "pred")]
        for path, frame in zip(paths, self.frames(), strict=True):
            frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
        return paths

    @property
    def typed(self) -> list[str]:
        return [word for name, value in self.options.items() for word in (f"--{name.replace('_', '-')}", str(value))]


def heard(work: Callable[[], Any]) -> list[str]:
    """What some work warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    return [str(warning.message) for warning in caught if issubclass(warning.category, cs.ClusterscoreWarning)]


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0), capsys.readouterr().err


DOORS: dict[str, Callable[[Sides, Path], Any]] = {
    "mappings": lambda sides, _: cs.score(*sides.mappings(), **sides.options),
    "frames": lambda sides, _: cs.score(*sides.frames(), **sides.options),
    "one metric": lambda sides, _: cs.elm(*sides.mappings(), **sides.options),
    "files": lambda sides, folder: cs.score(*sides.files(folder), **sides.options),
    "parquet": lambda sides, folder: cs.score(*sides.files(folder, "parquet"), **sides.options),
    "tables of polars": lambda sides, _: cs.score_table(*sides.frames(), **sides.options),
    "tables of DuckDB": lambda sides, folder: cs.score_table(*sides.files(folder), engine="duckdb", **sides.options),
    "tables in Parquet": lambda sides, folder: cs.score_table(*sides.files(folder, "parquet"), **sides.options),
    "tables as arrays": lambda sides, _: cs.score_table(*sides.frames(), engine="arrays", **sides.options),
    "compare": lambda sides, _: cs.compare(
        sides.mappings()[0], {"A": sides.mappings()[1]}, resamples=0, metrics="elm", **sides.options
    ),
    "agreement": lambda sides, _: cs.agreement_matrix(dict(zip("ab", sides.mappings(), strict=True)), **sides.options),
    "errors": lambda sides, _: cs.errors(*sides.mappings(), **sides.options),
    "report": lambda sides, folder: cs.report(*sides.mappings(), path=folder / "r.html", **sides.options),
}
COMMANDS = ("score", "compare", "elements", "report", "agreement")
GOLD, PRED = ["a", "a", "b", "b", "c", "c", "d", "d"], ["x", "x", "x", "y", "y", "z", "z", "w"]
IDS = [f"p{k}" for k in range(8)]
CASES: dict[str, tuple[Sides, str]] = {
    "page boundaries": (
        Sides(IDS, [1, 0, 0, 1, 0, 1, 0, 0], [1, 0, 1, 1, 0, 0, 0, 0]),
        'gold and pred are nothing but 0 and 1, and gold begins with a 1: .* pass format="boundaries"',
    ),
    "the text NaN": (
        Sides(IDS, GOLD, ["x", "NaN", "NaN", "y", "y", "NaN", "z", "z"]),
        "pred has 3 elements with the label 'NaN', which is a text and makes one cluster; .* pass noise='NaN'",
    ),
    "the text None": (
        Sides(IDS, ["None", "a", "None", "b", "b", "c", "c", "c"], PRED),
        "gold has 2 elements with the label 'None'",
    ),
    "noise": (
        Sides(IDS, GOLD, [-1, 0, 0, 1, 1, 2, 2, -1]),
        "pred has the label -1 among labels from 0 up, .* pass noise=-1",
    ),
    "labels that are the ids": (
        Sides(IDS, GOLD, IDS),
        r"the labels of pred are its element ids \(e.g. 'p0'\), so that 8 elements are all alone",
    ),
    "a single cluster": (Sides(IDS, GOLD, ["x"] * 8), "pred has all 8 elements in a single cluster"),
    "all singletons": (
        Sides(IDS, list("abcdefgh"), list("stuvwxyz")),
        "all 8 elements are alone in their clusters on both sides",
    ),
    "gold is all singletons": (
        Sides(IDS, list("abcdefgh"), PRED),
        "all 8 elements are alone in their clusters in gold",
    ),
    "gold for a few, dropped": (
        Sides(IDS[:3], GOLD[:3], PRED, {"missing": "drop"}, IDS),
        r'missing="drop" leaves out 5 of 8 elements of pred, .*; if gold is a sample, cs.Sample.* estimates the whole',
    ),
    "gold for a few, alone": (
        Sides(IDS[:3], GOLD[:3], PRED, {"missing": "singleton"}, IDS),
        r'missing="singleton" takes 5 of 8 elements of pred, .*; if gold is a sample, cs.Sample.* estimates the whole',
    ),
    "ids in another case": (
        Sides(IDS, GOLD, PRED, {"missing": "singleton"}, [*map(str.upper, IDS[:2]), *IDS[2:]]),
        "'p[01]' in gold and 'P[01]' in pred differ only in how they are written",
    ),
    "ids with leading zeros": (
        Sides([*"01234567"], GOLD, PRED, {"missing": "singleton"}, [*"012345", "06", "07"]),
        "'[67]' in gold and '0[67]' in pred differ only in how they are written",
    ),
    "ids with fractions": (
        Sides([1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8], GOLD, PRED),
        r"gold has element ids that are numbers with a fraction \(e.g. 1.[1-8]\): read as numbers, 1.10 and 1.1 are",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", CASES)
def test_every_door(case: str, door: str, tmp_path: Path) -> None:
    sides, words = CASES[case]
    if case == "ids with fractions" and door in ("files", "tables of DuckDB"):
        pytest.skip("ids of a CSV file are text: nothing is lost there")
    messages = heard(lambda: DOORS[door](sides, tmp_path))
    expected = words.replace("noise=-1", "noise='-1'").replace("label -1", "label '-1'")
    pattern = expected if door in ("files", "tables of DuckDB") else words
    assert [message for message in messages if matches(pattern, message)], messages


def matches(pattern: str, message: str) -> bool:
    return re.search(pattern, message) is not None


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", [case for case in CASES if case != "ids with fractions"])
def test_every_command(case: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line on stderr; with --strict an error; and JSON has a list."""
    sides, words = CASES[case]
    files = sides.files(tmp_path)
    more = ["-o", str(tmp_path / "r.html")] if command == "report" else []
    resamples = ["--resamples", "0"] if command == "compare" else []
    code, err = typed(capsys, command, *files, *sides.typed, *resamples, *more)
    first = words.split(" .* ")[0].split("; if gold")[0]
    for python, option in (('missing="drop"', "--missing drop"), ('missing="singleton"', "--missing singleton")):
        first = first.replace(python, option)
    first = first.replace("label -1", "label '-1'").partition(", .*")[0]
    assert code == 0, err
    assert matches(f"clusterscore: warning: .*{first}", err), err
    code, err = typed(capsys, command, *files, *sides.typed, *resamples, *more, "--strict")
    assert code == 2
    assert "warning" not in err


def test_json_lists_what_was_doubted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides, words = CASES["the text NaN"]
    files = sides.files(tmp_path)
    for command in ("score", "compare", "elements", "clusters", "errors", "agreement"):
        more = ["--resamples", "0"] if command == "compare" else []
        with pytest.raises(SystemExit):
            main([command, *files, "--format", "json", *more])
        typed_words = words.replace("noise='NaN'", "--noise 'NaN' with --noise-as drop or singleton")
        assert matches(typed_words, " ".join(json.loads(capsys.readouterr().out)["warnings"])), command
    with pytest.warns(cs.ClusterscoreWarning, match="label 'NaN'"):
        card = cs.score(*sides.mappings())
    assert matches(words, card.to_dict()["warnings"][0])
    assert matches(words, json.loads(card.to_json())["warnings"][0])
    assert "warnings" not in cs.score(GOLD, PRED).to_dict()


@pytest.mark.usefixtures("without_plots")
def test_the_report_has_them_on_top(tmp_path: Path) -> None:
    sides, _ = CASES["the text NaN"]
    with pytest.warns(cs.ClusterscoreWarning, match="label 'NaN'"):
        page = cs.report(*sides.mappings(), path=tmp_path / "r.html").read_text(encoding="utf-8")
    assert 0 < page.index("with the label &#39;NaN&#39;") < page.index("In short")


def test_who_says_what_it_is_is_not_asked(tmp_path: Path) -> None:
    sides = CASES["page boundaries"][0]
    labels = [cs.Clustering.from_labels(side) for side in (sides.gold, sides.pred)]
    assert heard(lambda: cs.score(*labels)) == []
    assert heard(lambda: cs.score(*(cs.File(file, format="csv") for file in sides.files(tmp_path)))) == []
    boundaries = [cs.Clustering.from_boundaries(side) for side in (sides.gold, sides.pred)]
    assert heard(lambda: cs.score(*boundaries)) == []
    for declared in ({"noise": "NaN"}, {"noise": "NaN", "noise_as": "cluster"}):
        assert heard(lambda declared=declared: cs.score(*CASES["the text NaN"][0].mappings(), **declared)) == []


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        ([0, 0, 1, 1], [0, 0, 0, 1]),
        ([0, 1, 0, 0, 1], [1, 0, 1, 1, 0]),
        ([1, 1, 2, 2], [1, 2, 2, 2]),
        (["nano", "nan-2", "x", "x"], ["a", "a", "b", "b"]),
        ({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2, "c": 2}),
        ([-2, -1, 0, 0], [1, 1, 2, 2]),
        (np.array([0.5, 0.5, 1.5]), [0, 0, 1]),
    ],
)
def test_what_is_usual_is_not_doubted(gold: Any, pred: Any) -> None:
    assert heard(lambda: cs.score(gold, pred)) == []


def test_boundaries_of_many_streams() -> None:
    gold, pred, streams = [1, 0, 0, 1, 0, 1], [1, 0, 1, 1, 1, 0], ["s", "s", "s", "t", "t", "t"]
    for work in (
        lambda: cs.score(gold, pred, documents=streams),
        lambda: cs.elm(gold, pred, documents=streams),
        lambda: cs.compare(gold, {"A": pred}, documents=streams, metrics="elm", resamples=0),
    ):
        assert any("nothing but 0 and 1" in message for message in heard(work))
    assert heard(lambda: cs.score([1, 0, 0, 0, 0, 1], pred, documents=streams)) == []  # t does not begin with a 1


def test_ids_of_several_kinds_stay_what_they_are() -> None:
    assert cs.rand({"a": 1, 1: 2}, {1: "y", "a": "x"}).value == 1
    gold, pred = {"a": 1, 1: 2, 2: 2}, {1: "y", 2: "y"}
    assert cs.score(gold, pred, missing="drop", metrics="rand").facts["dropped"] == (1, 0)


@pytest.mark.usefixtures("without_plots")
def test_a_column_compared_with_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels, words = [0, 0, 1, 2], "gold and pred are the same, so the score is that of a clustering with itself"
    path = tmp_path / "t.csv"
    path.write_text("element,y,z\na,1,1\nb,1,2\nc,2,2\n")
    frame = pl.DataFrame({"y": labels, "z": labels})
    for work in (
        lambda: cs.elm(labels, labels),
        lambda: cs.score_table(frame, gold="y", pred="y"),
        lambda: cs.score_table(str(path), gold="y", pred="y", engine="duckdb"),
        lambda: cs.score(cs.File(path, cluster="y"), cs.File(path, cluster="y")),
        lambda: cs.compare(labels, {"A": labels}, resamples=0),
    ):
        assert any(message.startswith(words) for message in heard(work))
    assert heard(lambda: cs.score_table(frame, gold="y", pred="z")) == []
    assert heard(lambda: cs.elm(labels, list(labels))) == []
    for command in ("score", "compare", "report"):
        more = ["-o", str(tmp_path / "r.html")] if command == "report" else []
        more += ["--resamples", "0"] if command == "compare" else []
        assert words in typed(capsys, command, str(path), "--gold", "y", "--pred", "y", *more)[1]


def test_streams_that_nobody_named(capsys: pytest.CaptureFixture[str]) -> None:
    path, words = (
        "examples/streams.csv",
        "gold and pred have a column 'stream', which was not read: clusters of the same",
    )
    frame, sides = pl.read_csv(path), {"gold": "gold", "pred": "model"}
    for work in (
        lambda: cs.score_table(frame, **sides, metrics="elm"),
        lambda: cs.score_table(path, **sides, metrics="elm", engine="duckdb"),
        lambda: cs.score(cs.File(path, cluster="gold"), cs.File(path, cluster="model"), metrics="elm"),
    ):
        assert any(message.startswith(words) for message in heard(work))
    assert heard(lambda: cs.score_table(frame, **sides, document="stream", metrics="elm")) == []
    assert heard(lambda: cs.elm(frame["gold"], frame["model"], documents=frame["stream"])) == []
    for more in ((), ("--document", "stream")):
        code, err = typed(capsys, "compare", path, "--gold", "gold", "--pred", "model", "--resamples", "0", *more)
        assert (code, words in err, "pass --document stream" in err) == (0, not more, not more)


def test_marks_at_the_end_of_segments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "boundaries that begin with 0 and end with 1 in every stream, as if 1 marked the last page of a segment"
    ends, starts = [0, 0, 1, 0, 1], [1, 0, 0, 1, 0]
    make = cs.Clustering.from_boundaries
    assert any(f"gold has {words}" in message for message in heard(lambda: cs.elm(make(ends), make(starts))))
    both = {"s1": ends, "s2": [0, 1]}
    assert any(
        f"gold and pred have {words}" in message for message in heard(lambda: cs.elm(make(both), make(dict(both))))
    )
    assert heard(lambda: cs.elm(make(starts), make([1, 0, 1, 1, 1]))) == []
    for name, marks in (("g", ends), ("p", starts)):
        (tmp_path / f"{name}.boundaries").write_text("\n".join(map(str, marks)))
    assert words in typed(capsys, "score", *(str(tmp_path / f"{name}.boundaries") for name in "gp"))[1]


def test_columns_that_are_swapped(tmp_path: Path) -> None:
    for name, clusters in (("g", "xxyyz"), ("p", "xxxyz")):
        rows = "".join(f"e{k},{cluster}\n" for k, cluster in enumerate(clusters))
        (tmp_path / f"{name}.csv").write_text(f"element,cluster\n{rows}")
    swapped = [cs.File(tmp_path / f"{name}.csv", element="cluster", cluster="element") for name in "gp"]
    messages = heard(lambda: cs.score(*swapped))
    assert any("are the columns of elements and clusters swapped?" in message for message in messages)
    (tmp_path / "p.csv").write_text(
        (tmp_path / "p.csv").read_text().replace(",x", ",a").replace(",y", ",b").replace(",z", ",d")
    )
    with pytest.raises(cs.ElementMismatch, match="labels are the same: are the columns of elements and clusters swap"):
        cs.score(*swapped)


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_columns_of_one_side_that_are_swapped(side: str) -> None:
    right = {f"r{k}": k // 2 for k in range(6)}
    swapped = cs.Clustering.from_labels(list(right), elements=[f"A{k // 2}" for k in range(6)])
    sides = (swapped, right) if side == "gold" else (right, swapped)
    with pytest.raises(cs.ElementMismatch, match=f"are the columns of elements and clusters of {side} swapped"):
        cs.elm(*sides)


def test_a_model_as_gold() -> None:
    class Model:
        labels_ = np.array([0, 0, 1])

        def fit(self) -> None: ...

    messages = heard(lambda: cs.elm(Model(), [0, 1, 1]))
    assert any("gold comes first and the prediction second" in message for message in messages)
    assert heard(lambda: cs.elm([0, 1, 1], Model())) == []


@pytest.mark.parametrize(
    ("metric", "ignored"),
    [
        ("bcubed(beta=0)", "recall"),
        ("bcubed(alpha=0)", "precision"),
        ("elm(w_fp=0, w_fn=1)", "precision"),
        ("v_measure(beta=0)", "completeness"),
        ("adapted_bcubed(alpha=1)", "recall"),
        ("blanc(weight=1)", "pairs without a link"),
    ],
)
def test_a_metric_that_leaves_something_out(metric: str, ignored: str) -> None:
    words = f"leaves {ignored} out of its score"
    for work in (
        lambda: cs.score(GOLD, PRED, metrics=metric),
        lambda: cs.metric(metric)(GOLD, PRED),
        lambda: cs.compare(GOLD, {"A": PRED}, metrics=metric, resamples=0),
    ):
        assert any(words in message for message in heard(work))


def test_columns_that_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, pred = tmp_path / "g.txt", tmp_path / "p.txt"
    gold.write_text("id,gold\np1,a\np2,a\np3,b\n")
    pred.write_text("id,found\np1,x\np2,y\np3,y\n")
    messages = heard(lambda: cs.elm(str(gold), str(pred)))
    assert len(messages) == 1
    assert "g.txt with column 'gold' as the cluster, and" in messages[0]
    assert "p.txt with column 'found' as the cluster, since there is no other; to be sure" in messages[0]
    code, err = typed(capsys, "score", str(gold), str(pred))
    assert code == 0
    assert "to be sure, pass --gold gold --pred found" in err
    assert heard(lambda: cs.elm(*cs.Clustering.from_files(gold, pred, gold_cluster="gold", pred_cluster="found"))) == []


def test_few_elements_in_several_clusters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that was written twice makes a clustering that overlaps, and other measures the default."""
    gold, pred = {f"r{k}": f"c{k // 3}" for k in range(60)}, {f"r{k}": f"c{k // 4}" for k in range(60)}
    rows = pl.DataFrame({"id": [*pred, "r5"], "cluster": [*pred.values(), "c9"]})
    path = tmp_path / "pred.csv"
    rows.write_csv(path)
    clusters = [[f"r{k}" for k in range(60) if k // 4 == c or (k, c) == (5, 9)] for c in range(15)]
    words = "pred has 1 of 60 elements in more than one cluster (e.g. 'r5' in "
    for given in (rows, path, clusters):
        for work in (cs.score, cs.clusters, cs.matched_elm):
            (message,) = heard(partial(work, gold, given))
            assert message.startswith(words)
    pl.DataFrame({"id": list(gold), "cluster": list(gold.values())}).write_csv(tmp_path / "gold.csv")
    names = [str(tmp_path / "gold.csv"), str(path)]
    assert "if clusters overlap, pass --format-in csv" in typed(capsys, "score", *names)[1]
    assert typed(capsys, "score", *names, "--strict")[0] == 2
    assert typed(capsys, "score", *names, "--format-in", "csv") == (0, "")
    memberships = {element: {label, "c9"} if element == "r5" else {label} for element, label in pred.items()}
    for meant in (cs.Clustering.from_memberships(memberships), cs.Clustering.from_clusters(clusters)):
        assert heard(partial(cs.score, gold, meant)) == []
    many = [*clusters, ["r1", "r2", "r3", "r4"]]  # 5 of 60 are no slip
    assert heard(lambda: cs.score(gold, many)) == []


def test_one_registry() -> None:
    assert len(DOUBTS) == len({doubt.__name__ for doubt in DOUBTS}) > 10
    assert all(doubt.__doc__ for doubt in DOUBTS)
