"""Several data sets: two folders or pairs of files are one table, with their unweighted mean, and have gates."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from fields.samples import KEY, RESPONSE, command, files_of, values
from running import run

SETS = {
    "de": ("0\n0\n1\n1\n2\n", "0\n0\n1\n2\n2\n"),
    "fr": ("0\n0\n1\n", "0\n0\n1\n"),
    "a longer name": (
        "0\n0\n0\n0\n1\n1\n",
        "0\n1\n2\n0\n1\n1\n",
    ),
}
LABELS = {name: tuple(text.split() for text in both) for name, both in SETS.items()}
LONG = list(SETS)[-1]


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for side, folder in enumerate(("gold", "ours")):
        (tmp_path / folder).mkdir()
        for name, both in SETS.items():
            (tmp_path / folder / f"{name}.labels").write_text(both[side], encoding="utf-8")
    return tmp_path


def pairs(end: str = ".labels") -> tuple[str, ...]:
    """The same as two files and --data-set options."""
    first, *rest = ((f"gold/{name}{end}", f"ours/{name}{end}") for name in SETS)
    return (*first, *(part for pair in rest for part in ("--data-set", *pair)))


WAYS = {"folders": ("gold", "ours"), "pairs": pairs()}


@pytest.mark.parametrize("way", WAYS)
def test_rows_and_mean(way: str, folders: Path) -> None:
    printed = values(("score", *WAYS[way], "--field", "clustering"), folders)
    assert printed["field"] == "clustering"
    assert set(printed["data_sets"]) == set(SETS)
    measures = list(cs.field("clustering").measures)
    for name, (gold, pred) in LABELS.items():
        own = cs.score(gold, pred, metrics=measures)
        assert {m: printed["data_sets"][name]["scores"][m]["value"] for m in measures} == {
            m: own[m].value for m in measures
        }
    for measure in measures:
        rows = [printed["data_sets"][name]["scores"][measure]["value"] for name in SETS]
        mean = printed["mean"]["scores"][measure]
        assert mean["value"] == pytest.approx(sum(rows) / len(rows), abs=1e-15)
        assert "over:data-sets" in mean["signature"]
        assert "over:data-sets" not in printed["data_sets"]["de"]["scores"][measure]["signature"]


def test_python(folders: Path) -> None:
    (folders / "gold" / ".hidden").touch()
    by_folder = cs.score_data_sets(folders / "gold", folders / "ours", field="clustering")
    by_pairs = cs.score_data_sets(dict(LABELS), field="clustering")
    assert set(by_folder) == set(by_pairs) == set(SETS)
    assert {m: s.value for m, s in by_folder.mean.items()} == pytest.approx(
        {m: s.value for m, s in by_pairs.mean.items()}, abs=1e-15
    )
    assert "points" in str(by_pairs)
    assert by_pairs["de"]["adjusted_rand"] == cs.score(*LABELS["de"], metrics="adjusted_rand")["adjusted_rand"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (({},), "^pass two folders, or a mapping of names to"),
        (({"a": "xy"},), "^data set 'a' is a str; pass a pair"),
        (({"a": ([0], [0]), "b": ([["x"], ["x", "y"]],) * 2},), "^'b' is scored with other default metrics than 'a'"),
        ((Path("none"), "none"), "^'none' is not a folder"),
        (({"a": [0]}, {"a": [0]}), "^a dict is not a folder"),
    ],
)
def test_what_are_no_data_sets(given: Any, message: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.score_data_sets(*given)


@pytest.mark.parametrize("way", WAYS)
def test_one_table_is_printed(way: str, folders: Path) -> None:
    table = command("score", *WAYS[way], "--field", "clustering", cwd=folders).stdout
    rows = table.splitlines()
    assert re.match(r"data set +points +ARI +AMI", rows[0])
    names = [next((name for name in (*SETS, "mean") if row.startswith(name + " ")), None) for row in rows]
    assert sorted(filter(None, names)) == sorted([*SETS, "mean"])
    assert names[2:][len(SETS)] == "mean"
    assert "ARI" in table
    assert "elements" not in table


def test_names_of_any_length(folders: Path) -> None:
    """They stay whole, and every part of the table has all rows and the mean."""
    long = "n" * 120
    for folder in ("gold", "ours"):
        (folders / folder / f"{LONG}.labels").rename(folders / folder / f"{long}.labels")
    table = command("score", "gold", "ours", "--field", "clustering", cwd=folders).stdout
    parts = table.split("data set")[1:]
    assert all(re.search(rf"^{name} ", part, re.MULTILINE) for part in parts for name in ("de", "fr", long))
    assert all(re.search("^mean", part, re.MULTILINE) for part in parts)
    printed = values(("score", "gold", "ours", "--field", "clustering"), folders)
    assert set(printed["data_sets"]) == {"de", "fr", long}


def test_percent(tmp_path: Path) -> None:
    for folder, text in (("gold", KEY), ("ours", RESPONSE)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "first.conll").write_text(text, encoding="utf-8")
        (tmp_path / folder / "second.conll").write_text(KEY, encoding="utf-8")
    first = cs.coref(tmp_path / "gold" / "first.conll", tmp_path / "ours" / "first.conll")["conll"].value
    done = run("score", "gold", "ours", "--field", "coreference", cwd=tmp_path)
    assert done.returncode == 0
    assert f"{50 * (first + 1):.2f}" in re.findall(r"^mean .*$", done.stdout, re.MULTILINE)[0]
    assert run("coref", "gold", "ours", cwd=tmp_path).stdout == done.stdout
    mean = 50 * (first + 1)
    for bound, code in ((mean - 0.01, 0), (mean + 0.01, 1), (mean / 100, 2)):
        gated = run(
            "score", "gold", "ours", "--field", "coreference", "--fail-under", f"mean: conll={bound}", cwd=tmp_path
        )
        assert gated.returncode == code, gated.stderr


def test_gates(folders: Path) -> None:
    score = ("score", "gold", "ours", "--field", "clustering", "--fail-under")
    means = cs.score_data_sets(dict(LABELS), field="clustering")
    value, worst = means.mean["elm"].value, means[LONG]["elm"].value
    for bound, code in (
        (f"mean: elm={value - 0.001}", 0),
        (f"mean: elm={value + 0.001}", 1),
        ("fr: elm=1", 0),
        ("de: elm=1", 1),
        (f"{LONG}: elm={worst - 0.001}", 0),
        (f"{LONG}: elm={worst + 0.001}", 1),
        (f"elm={worst - 0.001}", 0),  # all of them
        (f"elm={worst + 0.001}", 1),
        ("es: elm=0.1", 2),
        ("mean: elm=50", 2),
    ):
        assert run(*score, bound, cwd=folders).returncode == code, bound
    message = run(*score, "de: elm=1", cwd=folders).stderr
    assert re.match(r"clusterscore: de: elm is 0\.\d{4}, below 1 \(--fail-under\)", message)
    assert "no system 'es'" in run(*score, "es: elm=0.1", cwd=folders).stderr


def test_saved_and_compared(folders: Path) -> None:
    score = ("score", "gold", "ours", "--field", "clustering")
    assert run(*score, "--save", "before.json", cwd=folders).returncode == 0
    assert set(json.loads((folders / "before.json").read_text("utf-8"))["data_sets"]) == set(SETS)
    assert run(*score, "--against", "before.json", cwd=folders).returncode == 0
    (folders / "ours" / "fr.labels").write_text("0\n1\n1\n", encoding="utf-8")
    done = run(*score, "--against", "before.json", cwd=folders)
    assert done.returncode == 1
    assert "fr: adjusted_rand is -0.5000, below 1.0000 in before.json" in done.stderr
    assert "mean: elm is" in done.stderr
    assert "de: elm" not in done.stderr
    assert run(*score, "--against", "before.json", "--tolerance", "0.9999", "-m", "nmi", cwd=folders).returncode == 2


def test_missing_and_extra_files(folders: Path) -> None:
    (folders / "ours" / "it.labels").write_text("0\n", encoding="utf-8")
    done = run("score", "gold", "ours", "--field", "clustering", cwd=folders)
    assert done.returncode == 0
    assert "1 file of 'ours' without gold (e.g. 'it.labels'); left out" in done.stderr
    assert "\nit " not in done.stdout
    with pytest.warns(cs.ClusterscoreWarning, match="without gold"):
        assert "it" not in cs.score_data_sets(folders / "gold", folders / "ours", field="clustering")
    (folders / "ours" / "fr.labels").unlink()
    done = run("score", "gold", "ours", "--field", "clustering", cwd=folders)
    assert (done.returncode, done.stdout) == (2, "")
    assert "1 file of 'gold' without one of the same name in 'ours' (e.g. 'fr.labels')" in done.stderr
    (folders / "gold" / "de.csv").write_text("cluster\n0\n", encoding="utf-8")
    assert "two files for the data set 'de'" in run("score", "gold", "ours", cwd=folders).stderr


def test_what_is_wrong_in_one_is_said_of_it(folders: Path) -> None:
    (folders / "ours" / "fr.labels").write_text("0\n0\n", encoding="utf-8")
    done = run("score", "gold", "ours", "--field", "clustering", cwd=folders)
    assert done.returncode == 2
    assert "data set 'fr': gold has 3 labels and pred has 2" in done.stderr
    assert "point" in done.stderr
    for wrong in (("--by-document",), ("--baselines",), ("--engine", "duckdb")):
        assert "several data sets take two files each" in run("score", "gold", "ours", *wrong, cwd=folders).stderr
    more, files = ("--data-set", "gold/de.labels", "ours/de.labels"), ("gold/de.labels", "ours/fr.labels")
    assert "--data-set names single files; pass folders" in run("score", "gold", "ours", *more, cwd=folders).stderr
    assert "a gold is given twice; name each data set once" in run("score", *files, *more, cwd=folders).stderr
    (folders / "empty").mkdir()
    assert "has no files" in run("score", "empty", "ours", cwd=folders).stderr


def test_page_streams_are_data_sets_too(tmp_path: Path) -> None:
    """Each with its streams, macro-averaged; the mean of the two is one of data sets."""
    streams = {"a": {"x": ([1, 0, 1], [1, 0, 0]), "y": ([1, 0], [1, 0])}, "b": {"z": ([1, 1, 0], [1, 0, 1])}}
    for name, own in streams.items():
        for side, folder in enumerate(("gold", "ours")):
            (tmp_path / folder).mkdir(exist_ok=True)
            text = json.dumps({stream: both[side] for stream, both in own.items()})
            (tmp_path / folder / f"{name}.json").write_text(text, encoding="utf-8")
    printed = values(("score", "gold", "ours", "--field", "page-streams"), tmp_path)
    cards = {
        name: cs.score(
            {stream: both[0] for stream, both in own.items()},
            {stream: both[1] for stream, both in own.items()},
            field="page-streams",
        )
        for name, own in streams.items()
    }
    for measure in cs.field("page-streams").measures:
        rows = [card[measure].value for card in cards.values()]
        assert [printed["data_sets"][name]["scores"][measure]["value"] for name in cards] == rows
        assert printed["mean"]["scores"][measure]["value"] == pytest.approx(sum(rows) / 2, abs=1e-15)


def test_files_of_a_field_in_folders(tmp_path: Path) -> None:
    first, second = files_of("entity-resolution", tmp_path)
    for folder, file in (("gold", first), ("ours", second)):
        (tmp_path / f"{folder}_sets").mkdir()
        (tmp_path / f"{folder}_sets" / "people.csv").write_text((tmp_path / file).read_text("utf-8"), "utf-8")
    sets = values(("score", "gold_sets", "ours_sets", "--field", "entity-resolution"), tmp_path)
    alone = values(("score", first, second, "--field", "entity-resolution"), tmp_path)
    assert sets["data_sets"]["people"]["scores"] == alone["scores"]
