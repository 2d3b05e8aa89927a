"""``clusterscore compare`` as a person uses it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import clusterscore as cs
import running

STREAMS = str(Path(__file__).parents[2] / "examples" / "streams.csv")
COLUMNS = ["--gold", "gold", "--document", "stream", "--element", "page"]


@pytest.fixture
def run() -> Callable[..., running.Done]:
    return partial(running.run, "compare")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """The columns of the example as a file for each side."""
    with open(STREAMS, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    paths = {}
    for side in ("gold", "fixed", "model"):
        path = tmp_path / f"{side}.csv"
        body = "".join(f"{row['stream']},{row['stream']}-{row['page']},{row[side]}\n" for row in rows)
        path.write_text("document,element,cluster\n" + body, encoding="utf-8")
        paths[side] = str(path)
    return paths


def test_files_and_columns_say_the_same(run, files) -> None:  # type: ignore[no-untyped-def]
    of_columns = run(STREAMS, *COLUMNS, "--pred", "fixed", "--pred", "model", "-m", "elm, ari", "--format", "json")
    of_files = run(files["gold"], files["fixed"], files["model"], "-m", "elm, ari", "--format", "json")
    assert of_columns == of_files
    assert of_columns[0] == 0
    comparison = json.loads(of_columns[1])
    assert list(comparison["systems"]) == ["fixed", "model"]
    gold, model = cs.Clustering.from_files(files["gold"], files["model"])
    assert comparison["systems"]["model"]["scores"]["elm"]["value"] == cs.elm(gold, model).value
    assert comparison["unit"] == "documents"
    assert comparison["documents"] == 16
    difference = comparison["systems"]["model"]["scores"]["elm"]["difference"]
    assert difference["significant"] is True
    assert difference["bca"][0] < difference["value"] < difference["bca"][1]
    assert "difference" not in comparison["systems"]["fixed"]["scores"]["elm"]


def test_every_format(run, files) -> None:  # type: ignore[no-untyped-def]
    sides = (files["gold"], files["fixed"], files["model"], "-m", "elm", "--resamples", "50")
    table = run(*sides)[1]
    assert "*" in table
    assert "unit:documents|resamples:50|seed:0|confidence:0.95" in table
    rows = list(csv.DictReader(io.StringIO(run(*sides, "--format", "csv")[1])))
    assert [row["system"] for row in rows] == ["fixed", "model"]
    assert float(rows[1]["bca_low"]) < float(rows[1]["value"]) < float(rows[1]["bca_high"])
    assert rows[0]["p"] == ""
    latex = run(*sides, "--format", "latex")[1]
    assert latex.startswith("\\begin{tabular}")
    assert "\\toprule" in latex
    assert "% avg:micro" in latex
    markdown = run(*sides, "--format", "markdown", "--digits", "2")[1]
    assert markdown.startswith("| metric | system |")
    assert "| 0.74 |" in markdown


def test_baseline_by_file_or_name(run, files) -> None:  # type: ignore[no-untyped-def]
    sides = (files["gold"], files["fixed"], files["model"], "-m", "elm", "--format", "json", "--resamples", "20")
    for name in ("model", files["model"]):
        comparison = json.loads(run(*sides, "--baseline", name)[1])
        assert comparison["baseline"] == "model"
        assert comparison["systems"]["fixed"]["scores"]["elm"]["difference"]["value"] < 0


def test_coreference(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    def conll(documents: dict[str, list[str]]) -> str:
        lines = []
        for name, cells in documents.items():
            lines += [f"#begin document ({name}); part 000"]
            lines += [f"{name} 0 {k} word {cell}" for k, cell in enumerate(cells)]
            lines += ["", "#end document"]
        return "\n".join(lines) + "\n"

    sides = {
        "key": {"a": ["(1)", "(1)", "(2)", "(2)"], "b": ["(1)", "(1)", "-", "-"], "c": ["(1)", "(1)", "(1)", "-"]},
        "good": {"a": ["(1)", "(1)", "(2)", "(2)"], "b": ["(1)", "(1)", "-", "-"], "c": ["(1)", "(1)", "-", "-"]},
        "poor": {"a": ["(1)", "-", "-", "(1)"], "b": ["(1)", "-", "(1)", "-"], "c": ["(1)", "(1)", "-", "-"]},
    }
    paths = {name: tmp_path / f"{name}.conll" for name in sides}
    for name, documents in sides.items():
        paths[name].write_text(conll(documents), encoding="utf-8")
    arguments = [str(path) for path in paths.values()]
    code, out, _ = run(*arguments, "--coref", "-m", "conll, lea", "--format", "json")
    comparison = json.loads(out)
    assert code == 0
    assert (
        comparison["systems"]["good"]["scores"]["conll"]["value"] == cs.coref(arguments[0], arguments[1])["conll"].value
    )
    difference = comparison["systems"]["poor"]["scores"]["conll"]["difference"]
    assert difference["losses"] == 2
    assert difference["ties"] == 1
    assert difference["p"] == 4 / 8  # two documents differ: of the eight exchanges four are as far apart
    assert "scored on different mentions" in run(*arguments, "--coref", "--missing", "drop", "-m", "elm")[2]


def test_coreference_is_in_percent_as_coref_prints_it(run) -> None:  # type: ignore[no-untyped-def]
    sides = [str(Path(STREAMS).with_name(f"{name}.conll")) for name in ("key", "response")]
    options = ["-m", "conll, lea"]
    printed = running.run("coref", *sides, *options).stdout.splitlines()
    shown = {line.split("  ")[0]: line.split()[-1] for line in printed if "  " in line}
    rows = [line.split("  ") for line in run(*sides, "--coref", *options, "--resamples", "0")[1].splitlines()]
    compared = {row[0]: row[-1].split()[-1] for row in rows if "response" in " ".join(row)}
    assert compared == {name: shown[name] for name in ("CoNLL F1", "LEA")}
    assert shown["CoNLL F1"] == "77.77"
    paper = run(*sides, "--coref", *options, "--resamples", "0", "--layout", "paper", "--digits", "1")[1]
    assert "response      77.8   70.6" in paper
    comparison = json.loads(run(*sides, "--coref", *options, "--resamples", "0", "--format", "json")[1])
    assert comparison["systems"]["response"]["scores"]["conll"]["value"] < 1
    differences = run(sides[0], f"a={sides[1]}", f"b={sides[0]}", "--coref", *options, "--resamples", "0")[1]
    assert "+22.23" in differences


def test_layouts_and_pairs(run, files) -> None:  # type: ignore[no-untyped-def]
    sides = (files["gold"], "A=" + files["fixed"], "B=" + files["model"], "-m", "elm, ari", "--resamples", "100")
    code, out, _ = run(*sides, "--layout", "paper", "--digits", "3")
    assert code == 0
    assert out.splitlines()[:4] == [
        "system      elm      ari",
        "------------------------",
        "A        0.467    0.495",
        "B        0.735*   0.746*",
    ]
    assert "0.735* [0.623, 0.848]" in run(*sides, "--layout", "paper", "--digits", "3", "--intervals")[1]
    code, _, err = run(*sides, "--intervals")
    assert code == 2
    assert "--intervals is for --layout paper" in err
    assert "* the two differ" in run(*sides, "--pairs", "all")[1]
    comparison = json.loads(run(*sides, "--pairs", "all", "--layout", "paper", "--format", "json")[1])
    assert [pair["systems"] for pair in comparison["pairs"]] == [["B", "A"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "pass files"),
        (["--pred", "fixed"], "--gold COL and --pred COL go together in one file"),
        (["--gold", "gold"], "--gold COL and --pred COL go together in one file"),
        (["--gold", "gold", "--pred", "fixed", "--pred", "fixed"], "'fixed' is given twice"),
        ([STREAMS, "--gold", "gold", "--pred", "fixed", "--pred", "model"], "--pred is given 2 times (fixed, model)"),
        (
            [str(Path(STREAMS).with_name("both-1.csv")), "--gold", "gold", "--pred", "found"],
            "which column is the element?",
        ),
        ([*COLUMNS, "--pred", "modell"], "modell"),
        ([*COLUMNS, "--pred", "model", "-m", "elmo"], "unknown metric 'elmo'"),
        ([*COLUMNS, "--pred", "model", "--confidence", "95"], "between 0 and 1"),
        ([*COLUMNS, "--pred", "model", "--baseline", "other"], "is not a system"),
        ([*COLUMNS, "--pred", "model", "--unit", "pages"], "pages"),
        ([*COLUMNS, "--pred", "model", "--resamples", "-1"], "-1"),
    ],
)
def test_bad_input_is_one_line(run, arguments: list[str], message: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run(STREAMS, *arguments)
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert message in err


def test_no_such_file_and_other_elements(run, files, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _, err = run(files["gold"], files["model"], str(tmp_path / "modle.csv"))
    assert code == 2
    assert "no file" in err
    short = tmp_path / "short.csv"
    short.write_text(
        "\n".join(Path(files["model"]).read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8"
    )
    code, _, err = run(files["gold"], files["model"], str(short), "-m", "elm")
    assert code == 2
    assert "system 'short': 1 element is only in gold" in err
    assert "--missing drop or singleton" in err


def test_elements_are_warned_of(run, files) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run(files["gold"], files["model"], "--unit", "elements", "-m", "elm", "--resamples", "20")
    assert code == 0
    assert "warning: elements are resampled as if they were independent" in err
    assert "unit:elements" in out


def test_files_with_names(run, files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    options = ("-m", "elm", "--resamples", "0", "--format", "json")

    def names(*given: str) -> list[str]:
        code, out, _ = run("gold.csv", *given, *options)
        assert code == 0
        return list(json.loads(out)["systems"])

    assert names("ours=model.csv", f"A & B={files['fixed']}") == ["ours", "A & B"]
    assert names("v1.2=model.csv", "fixed.csv") == ["v1.2", "fixed"]
    assert (
        json.loads(run("gold.csv", "ours=model.csv", "fixed.csv", *options, "--baseline", "ours")[1])["baseline"]
        == "ours"
    )
    for odd in ("beta=2.csv", "beta=2/run.csv"):  # a file that is called so
        (tmp_path / odd).parent.mkdir(exist_ok=True)
        (tmp_path / odd).write_bytes(Path(files["model"]).read_bytes())
    assert names("beta=2.csv", "fixed.csv") == ["beta=2", "fixed"]
    assert names("ours=beta=2.csv", "beta=2/*.csv") == ["ours", "*"]
    for given, message in {
        ("a=model.csv", "b=model.csv"): "'model.csv' is given twice",
        ("a=model.csv", "a=fixed.csv"): "two systems are called 'a'; give each its own name, as in NAME=FILE",
        ("fixed=model.csv", "fixed.csv"): "two systems are called 'fixed'",
        ("ours=modle.csv", "fixed.csv"): "no file 'modle.csv'",
        ("out/x=modle.csv", "fixed.csv"): "no file 'out/x=modle.csv'",
        ("=model.csv", "fixed.csv"): "no file '=model.csv'",
    }.items():
        code, _, err = run("gold.csv", *given, *options)
        assert code == 2
        assert message in err
