"""Two files, each read in its own way: their columns differ, and so may their formats."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.command import main
from running import needs_posix

GOLD = {"record_id": [1, 2, 3, 4, 5], "person_id": ["a", "a", "b", "b", "b"], "day": ["x", "x", "x", "y", "y"]}
PRED = {"rid": [5, 4, 3, 2, 1], "golden_id": [7, 7, 8, 8, 9], "date": ["y", "y", "x", "x", "x"]}
COLUMNS = ["--gold-element", "record_id", "--gold", "person_id", "--pred-element", "rid", "--pred", "golden_id"]
EXPECTED = cs.elm(["a", "a", "b", "b", "b"], [9, 8, 8, 7, 7])
BY_DAY = cs.elm(["a", "a", "b", "b", "b"], [9, 8, 8, 7, 7], documents=GOLD["day"])
Command = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, columns in (("people", GOLD), ("found", PRED)):
        frame = pl.DataFrame(columns)
        frame.write_csv(f"{name}.csv")
        frame.write_csv(f"{name}.data", separator="\t")
        frame.write_parquet(f"{name}.parquet")
        frame.write_ndjson(f"{name}.jsonl")
        Path(f"{name}.json").write_text(json.dumps(frame.to_dicts()))
        frame.select(frame.columns[:2]).write_csv(f"{name}-2.csv")
    return tmp_path


@pytest.fixture
def refusal(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """What the command complains of, in the files of the folder."""

    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        assert left.value.code == 2
        return capsys.readouterr().err

    return run


def scored(*arguments: str) -> tuple[float, str]:
    done = CliRunner().invoke(cs.command.cli, ["score", *arguments, "-m", "elm", "--format", "json"])
    assert not done.exception, done.output
    score = json.loads(done.stdout)["scores"]["elm"]
    return score["value"], score["signature"]


@pytest.mark.parametrize("pred", ["found.csv", "found.parquet", "found.jsonl", "found.json"])
@pytest.mark.parametrize("gold", ["people.csv", "people.parquet"])
def test_columns_of_each_file(folder: Path, gold: str, pred: str) -> None:
    engines = ["arrays", "duckdb"][: 1 + (pred != "found.json")]
    for engine in engines:
        assert scored(gold, pred, *COLUMNS, "--engine", engine) == (EXPECTED.value, EXPECTED.signature)
        where = ["--gold-document", "day", "--pred-document", "date"]
        assert scored(gold, pred, *COLUMNS, *where, "--engine", engine) == (BY_DAY.value, BY_DAY.signature)
    names = {"gold_element": "record_id", "pred_element": "rid"}
    sides = cs.Clustering.from_files(gold, pred, gold_cluster="person_id", pred_cluster="golden_id", **names)
    assert cs.elm(*sides) == EXPECTED


@pytest.mark.parametrize("engine", ["auto", "arrays", "duckdb"])
def test_tables_of_other_columns(folder: Path, engine: Any) -> None:
    names = {"gold": "person_id", "pred": "golden_id", "gold_element": "record_id", "pred_element": "rid"}
    for tables in ((pl.DataFrame(GOLD), pl.DataFrame(PRED)), ("people.csv", "found.parquet")):
        given: dict[str, Any] = {"gold_table": tables[0], "pred_table": tables[1], "engine": engine, **names}
        assert cs.score_table(**given, metrics="elm")["elm"] == EXPECTED
        card = cs.score_table(**given, gold_document="day", pred_document="date", metrics="elm")
        assert card["elm"] == BY_DAY
        with_one = cs.score_table(**given, gold_document="day", metrics="elm")  # which says where all elements are
        assert with_one["elm"] == BY_DAY


def test_formats_of_each_file(folder: Path) -> None:
    value, signature = scored("people.data", "found.csv", *COLUMNS, "--gold-format", "tsv")
    assert value == EXPECTED.value
    assert "|gold_format:tsv|" in signature
    for engine in ("arrays", "duckdb"):
        both = ["--gold-format", "csv", "--pred-format", "csv", "--engine", engine]
        assert scored("people.csv", "found.csv", *COLUMNS, *both) == scored(
            "people.csv", "found.csv", *COLUMNS, "--format-in", "csv", "--engine", engine
        )
    card = cs.score_table(
        gold_table="people.data", pred_table="found.csv", gold_format="tsv", gold="person_id", pred="golden_id",
        gold_element="record_id", pred_element="rid", metrics="elm",
    )  # fmt: skip
    assert (card["elm"].value, card["elm"].signature) == (value, signature)


@pytest.mark.usefixtures("without_plots")
def test_other_commands(folder: Path) -> None:
    for name in ("elements", "clusters", "errors"):
        done = CliRunner().invoke(cs.command.cli, [name, "people.csv", "found.csv", *COLUMNS])
        assert not done.exception, done.output
        assert done.stdout.rstrip().endswith(EXPECTED.signature)
    several = ["people.csv", "found.csv", "found.parquet", *COLUMNS]
    done = CliRunner().invoke(cs.command.cli, ["compare", *several, "-m", "elm", "--resamples", "0", "--format", "csv"])
    assert not done.exception, done.output
    assert done.stdout.count(str(EXPECTED.value)) >= 2
    done = CliRunner().invoke(cs.command.cli, ["report", "people.csv", "found.csv", *COLUMNS, "--show", "day"])
    assert not done.exception, done.output


def test_gold_among_the_systems_is_joined_by_id_too(folder: Path) -> None:
    Path("shuffled.csv").write_text("id,cluster\n3,b\n1,a\n2,a\n")
    Path("gold.csv").write_text("id,name,cluster\n1,Ann,a\n2,Bob,a\n3,Cy,b\n")
    with pytest.warns(cs.ClusterscoreWarning, match="gold and pred are the same"):
        compared = cs.compare("gold.csv", {"gold": "gold.csv", "other": "shuffled.csv"}, metrics="elm", resamples=0)
    assert [compared[system]["elm"].score.value for system in ("gold", "other")] == [1, 1]


def test_mistakes_have_the_options_to_type(refusal: Command) -> None:
    error = refusal("score", "people-2.csv", "found-2.csv")
    assert (
        "'found-2.csv' has 'rid', 'golden_id', and 'people-2.csv' has 'record_id', 'person_id': which column " in error
    )
    assert error.endswith(" is the element and the cluster? pass --pred-element COL --pred COL\n")
    for engine in ("arrays", "duckdb"):
        typed = ["people-2.csv", "found-2.csv", "--pred-element", "rid", "--pred", "golden_id", "--engine", engine]
        with pytest.warns(cs.ClusterscoreWarning, match="with column 'person_id' as the cluster, since"):
            assert scored(*typed)[0] == EXPECTED.value
        assert scored(*typed, "--gold", "person_id")[0] == EXPECTED.value
    error = refusal("score", "people.csv", "found.csv", "--gold-element", "record_id", "--pred-element", "rid")
    assert error.endswith(": which column is the cluster? pass --gold COL --pred COL\n")  # two columns are left in each


def test_mistakes_in_the_names(refusal: Command) -> None:
    files = ["people-2.csv", "found-2.csv", "--gold-element", "record_id", "--pred-element", "rid"]
    error = refusal("score", *files, "--gold", "golden_id", "--pred", "person_id")
    assert "'people-2.csv' has no column 'golden_id', which 'found-2.csv' has: it has" in error
    assert error.endswith("; are gold and pred swapped?\n")
    assert "no column 'goldn_id': did you mean 'golden_id'?" in refusal(
        "score", *files, "--gold", "person_id", "--pred", "goldn_id"
    )
    error = refusal("score", *files, "--cluster", "person_id")
    assert "'found-2.csv' has no column 'person_id', which 'people-2.csv' has" in error
    assert error.endswith("; pass --gold person_id --pred golden_id\n")
    assert "--cluster COL is for both sides and --pred COL for one; pass --cluster COL alone, or --gold COL" in refusal(
        "score", *files, "--cluster", "person_id", "--pred", "golden_id"
    )
    assert "--element COL is for both sides and --gold-element COL for one" in refusal(
        "score", *files, "--element", "record_id"
    )
    assert "--format-in is for both sides and --gold-format for one" in refusal(
        "score", *files, "--format-in", "csv", "--gold-format", "csv"
    )


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same two clusterings in several formats, with the usual columns."""
    monkeypatch.chdir(tmp_path)
    for name, labels in (("gold", "aabbb"), ("pred", "xyyzz")):
        frame = pl.DataFrame({"element": [1, 2, 3, 4, 5], "cluster": list(labels)})
        frame.write_csv(f"{name}.csv")
        frame.write_parquet(f"{name}.parquet")
        Path(f"{name}.labels").write_text("\n".join(labels))
        Path(f"{name}.json").write_text(json.dumps({label: [str(k) for k in range(1, 6) if labels[k - 1] == label]
                                                    for label in dict.fromkeys(labels)}))  # fmt: skip
    return tmp_path


BY_ID = dict(zip(range(1, 6), "aabbb", strict=True))
SCORE = cs.elm(list("aabbb"), list("xyyzz"))


@pytest.mark.parametrize("pred", [Path("pred.csv"), "pred.json", "pre*.csv"])
@pytest.mark.parametrize(
    "gold", ["gold.csv", Path("gold.parquet"), BY_ID, {str(key): label for key, label in BY_ID.items()},
             [{1, 2}, {3, 4, 5}], [(1, 2), (3, 4, 5)], [["1", "2"], ["3", "4", "5"]]],
)  # fmt: skip
def test_paths_are_clusterings(files: Path, gold: Any, pred: Any) -> None:
    if pred == "pred.json":
        with pytest.raises(cs.FileError, match=r'may be a cluster .* pass format="clusters" or "memberships"'):
            cs.elm(gold, pred)
        pred = cs.File(pred, format="clusters")
        assert cs.elm(gold, pred).value == SCORE.value
        return
    assert cs.elm(gold, pred) == SCORE
    assert cs.elm(pred, gold).precision == SCORE.recall


def test_what_was_passed_stays_as_it_was(files: Path) -> None:
    given = cs.Clustering.from_mapping(BY_ID)
    assert cs.elm(given, "pred.csv") == SCORE
    assert given.ids is not None
    assert list(given.ids) == [1, 2, 3, 4, 5]


@pytest.mark.usefixtures("without_plots")
def test_paths_in_every_function(files: Path) -> None:
    pair = "gold.csv", Path("pred.csv")
    assert cs.score(*pair)["elm"] == SCORE
    assert cs.score(list("aabbb"), "pred.labels")["elm"] == SCORE  # by position
    assert cs.Table.from_labels(*pair).elements == 5
    assert cs.elements(*pair)["element"].tolist() == ["1", "2", "3", "4", "5"]
    assert len(cs.clusters(*pair)["loss"]) == 5
    assert cs.chance(*pair, metrics="elm", resamples=3)["elm"].score == SCORE
    comparison = cs.compare("gold.csv", {"A": "pred.csv", "B": Path("pred.parquet")}, metrics="elm", resamples=0)
    assert comparison["B"]["elm"].score.value == SCORE.value
    seen = cs.Accumulator("elm")
    seen.update(*pair)
    assert seen.result()["elm"].value == SCORE.value
    assert len(cs.baselines.shuffled("pred.csv")) == 5
    for pred in ("pred.csv", {"A": "pred.csv", "B": Path("pred.parquet")}):
        page = cs.report("gold.csv", pred, show=list("vwxyz"))
        assert f"{SCORE.value:.4f}" in page.read_text(encoding="utf-8")
    with pytest.raises(cs.FileError, match=r"gold.csv: a report is an HTML page; name it gold.html"):
        cs.report(*pair, path="gold.csv")
    assert cs.plot.sizes(*pair) is not None


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ("gold.cvs", "gold is the single str 'gold.cvs'; pass a list of labels"),
        ("glod.csv", "no file 'glod.csv'; did you mean 'gold.csv'?"),
        (Path("glod.cvs"), "no file 'glod.cvs'; did you mean 'gold.csv'?"),
        ("none-*.csv", "no file matches 'none-*.csv'"),
        (".", "'.' is a folder; name a file in it"),
        ("-", "gold is the single str '-'"),
        (Path("-"), "no file './-'"),
        ("aabbb", "gold is the single str 'aabbb'; pass a list of labels (list('aabbb') if every character is one)"),
        (["a", "a", "b", "b", "b"], "gold is matched by position and pred (pred.csv) by element id"),
        ({"a": 1}, "1 element is only in gold (e.g. 'a')"),
    ],
)
def test_what_is_no_path(files: Path, gold: Any, message: str) -> None:
    with pytest.raises(cs.ClusterscoreError) as error:
        cs.elm(gold, "pred.csv")
    assert message in str(error.value)


def test_options_of_files_are_named_with_who_takes_them(folder: Path) -> None:
    with pytest.raises(cs.FileError) as error:
        cs.elm("people-2.csv", "found-2.csv")
    assert 'pass pred_element="...", pred_cluster="..." (Clustering.from_files takes that, and cs.File' in str(
        error.value
    )
    sides = cs.File("people-2.csv", cluster="person_id"), cs.File("found-2.csv", element="rid", cluster="golden_id")
    assert cs.elm(*sides) == EXPECTED


def test_a_stream_is_read_once(files: Path) -> None:
    needs_posix()
    os.mkfifo("pipe.csv")
    writer = threading.Thread(target=lambda: Path("pipe.csv").write_bytes(Path("gold.csv").read_bytes()), daemon=True)
    writer.start()
    systems = {"A": "pred.csv", "B": "gold.csv"}
    comparison = cs.compare("pipe.csv", systems, metrics="elm", resamples=0)  # gold is read once for all systems
    assert comparison["A"]["elm"].score.value == SCORE.value
    writer.join(20)
    with pytest.raises(cs.FileError, match=r"'pipe.csv' can be read only once"):
        cs.compare("gold.csv", {"A": "pipe.csv", "B": "pipe.csv"})
    with pytest.raises(cs.FileError, match=r"'pipe.csv' can be read only once"):
        cs.score("pipe.csv", "pipe.csv")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_many_rows(tmp_path: Path, ending: str) -> None:
    count = 40_000
    random = np.random.default_rng(5)
    gold, pred, order = random.zipf(1.5, count) % 10_000, random.integers(0, 12_000, count), random.permutation(count)
    frames = [
        pl.DataFrame({"record_id": [f"r{k}" for k in range(count)], "person_id": gold}),
        pl.DataFrame({"rid": [f"r{k}" for k in order], "golden_id": pred[order]}),
    ]
    paths = [tmp_path / f"{name}.{ending}" for name in ("people", "found")]
    for frame, path in zip(frames, paths, strict=True):
        (frame.write_csv if ending == "csv" else frame.write_parquet)(path)
    names = {"gold": "person_id", "pred": "golden_id", "gold_element": "record_id", "pred_element": "rid"}
    expected = {name: score.value for name, score in cs.score(gold, pred).items()}
    for engine in ("auto", "arrays"):
        card = cs.score_table(gold_table=paths[0], pred_table=paths[1], **names, engine=engine)  # type: ignore[arg-type]
        assert {name: score.value for name, score in card.items()} == pytest.approx(expected, rel=1e-13)


def test_wide_tables(files: Path) -> None:
    more = {f"c{k}": [k] * 5 for k in range(1500)}  # so many that only those asked for are read
    pl.DataFrame({**more, "gold": list("aabbb"), "pred": list("xyyzz")}).write_csv("wide.csv")
    assert cs.score_table("wide.csv", metrics="elm")["elm"] == SCORE
    for name in ("gold", "pred"):
        pl.DataFrame({**more, "id": range(5), name: list("aabbb" if name == "gold" else "xyyzz")}).write_csv(
            f"{name}.csv"
        )
    assert scored("gold.csv", "pred.csv", "--element", "id", "--gold", "gold", "--pred", "pred")[0] == SCORE.value
    tables = {"gold_table": "gold.csv", "pred_table": "pred.csv", "element": "id"}
    assert cs.score_table(**tables, gold="gold", pred="pred", metrics="elm")["elm"] == SCORE  # type: ignore[arg-type]
    frame = pd.DataFrame({"gold": list("aabbb"), "pred": list("xyyzz")}, dtype=object)
    assert cs.score_table(frame, metrics="elm", engine="duckdb")["elm"] == SCORE


def test_coreference_has_no_columns(refusal: Command) -> None:
    (Path.cwd() / "key.conll").write_text("#begin document (a); part 000\na 0 0 x (1)\n#end document\n")
    error = refusal("compare", "key.conll", "key.conll", "--gold", "person_id")
    assert "'key.conll' is read as coreference, which has no column 'person_id'" in error
