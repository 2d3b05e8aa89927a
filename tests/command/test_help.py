"""What ``--help`` says: the commands in the order one needs them, an example in each, options in the same words."""

from __future__ import annotations

import shlex
import shutil
from collections import defaultdict
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from clusterscore.command import cli, main
from clusterscore.command.commands import COMMANDS

EXAMPLES = Path(__file__).parents[2] / "examples"
# by option: why it is not the same thing in all commands
DIFFERENT = {
    "--old": "old classes where clusterings are scored, the older version in diff",
    "--pred": "one column, or one of each system",
    "--format-in": "coreference has formats of its own",
    "--unit": "compare resamples documents or gold clusters; labelled pairs vary alone or connected",
    "--output": "a page, or a table",
    "-o": "a page, or a table",
    "--weights": "of elements, or of sampled clusters",
    "--missing": "a sample is a part of the prediction, so one side alone may lack elements",
    "--resamples": "without them an estimate has its interval still",
    "--metric": "one that scores elements, or all that are printed; coref has a default of its own",
}


def commands() -> dict[str, click.Command]:
    made = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
    return {name: command for name, command in made.items() if command is not None}


def help_of(*arguments: str) -> str:
    return CliRunner().invoke(cli, [*arguments, "--help"], terminal_width=80).output


def test_score_comes_first_and_nothing_is_cut() -> None:
    lines = help_of().split("Commands:\n")[1].splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    order = "score elements clusters errors compare estimate draw-sample sweep pairs report diff align agreement coref "
    assert " ".join(named[:18]) == f"{order}constraints fields metrics demo"
    assert "..." not in "".join(lines)
    assert {*commands()} == {*COMMANDS}
    assert all(entry.help.endswith(".") for entry in COMMANDS.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, source in {"ours.csv": "pred.csv", "theirs.csv": "pred.csv", "other.csv": "pred.csv"}.items():
        shutil.copy(EXAMPLES / source, tmp_path / file)
    for source in (
        "gold.csv",
        "pred.csv",
        "edges.csv",
        "labelled.csv",
        "old.csv",
        "new.csv",
        "key.conll",
        "response.conll",
    ):
        shutil.copy(EXAMPLES / source, tmp_path)
    (line,) = [line for line in help_of(name).splitlines() if "Example: " in line]
    program, *arguments = shlex.split(line.split("Example: ")[1])
    assert (program, arguments[0]) == ("clusterscore", name)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 0
    assert capsys.readouterr().out


def test_an_option_is_told_in_the_same_words_everywhere() -> None:
    texts: dict[str, set[str | None]] = defaultdict(set)
    for command in commands().values():
        for option in command.params:
            if isinstance(option, click.Option):
                for name in option.opts:
                    texts[name].add(option.help)
    odd = {name for name, wordings in texts.items() if len(wordings) > 1}
    assert odd - {"-m", "--metrics"} == {*DIFFERENT}
    for long, short in (("--metric", "--metrics"), ("--document", "--documents")):
        assert texts[long] == texts[short]


@pytest.mark.parametrize("option", ["-m", "--metric", "--metrics"])
@pytest.mark.parametrize("name", ["score", "elements", "clusters", "errors", "compare", "coref"])
def test_metrics_have_two_names(name: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = ("key.conll", "response.conll") if name == "coref" else ("gold.csv", "pred.csv")
    arguments = [name, *(str(EXAMPLES / file) for file in files), option, "b3" if name == "coref" else "bcubed"]
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert (left.value.code, capsys.readouterr().err) == (0, "")
    with pytest.raises(SystemExit) as left:
        main([*arguments, option, "muc" if name == "coref" else "elm"])
    out, err = capsys.readouterr()
    if name in ("elements", "clusters", "errors"):
        assert (left.value.code, out) == (2, "")
        assert err == "clusterscore: --metric takes one metric here, not 2: bcubed, elm\n"
    else:
        assert left.value.code == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("scor gold.csv pred.csv", "No such command 'scor': did you mean 'score'?"),
        (
            "x",
            "No such command 'x': choose from agreement, align, clusters, compare, constraints, coref, demo, diff, "
            "draw-sample, elements, errors, estimate, fields, metrics, pairs, report, score, sweep",
        ),
        ("score", "Missing argument 'GOLD'; write clusterscore score [OPTIONS] GOLD [PRED]"),
        (
            "score gold.csv pred.csv x.csv",
            "'x.csv' is one argument too many; write clusterscore score [OPTIONS] GOLD [PRED]",
        ),
        ("gold.csv pred.csv", "to score it, write clusterscore score GOLD PRED"),
        (
            "score gold.csv pred.csv -m elm bcubed",
            "'bcubed' is one argument too many; several metrics are one list, as in -m elm,bcubed; write clusterscore "
            "score [OPTIONS] GOLD [PRED]",
        ),
        (
            "score gold.csv pred.csv --collar 1",
            "--collar is an option of metrics: name one with it, as in -m 'der(collar=...)'",
        ),
        ("score gold.csv pred.csv --json", "No such option '--json'; write --format json"),
        ("score gold.csv pred.csv --gold-column x", "No such option '--gold-column'; write --gold COL"),
        ("score gold.csv pred.csv -m silhouette", "without gold, by distances; scikit-learn has it"),
        (
            "score gold.csv pred.csv -m xelmobcu",
            "unknown metric 'xelmobcu': perhaps elm or bcub; cs.registered() and clusterscore metrics list all",
        ),
        ("constraints elm -c zzzzzz", "there is none like it; clusterscore constraints --list describes all"),
        ("score gold.csv pred.csv --format jsn", "'github'; did you mean 'json'?"),
        ("score gold.csv pred.csv --missing dropp", "'keep'; did you mean 'drop'?"),
        ("score gold.csv pred.csv --average mean", "'mean' is not one of 'micro', 'macro', 'weighted'."),
        ("score gold.csv pred.csv --memory lots", "--memory 'lots' is not a size; write it like 2GB, 1.5G or 512M"),
        ("elements gold.csv pred.csv --worst x", "'x' is not a valid integer."),
        ("compare gold.csv pred.csv --baseline prd", "--baseline 'prd' is not a system; there are 'pred'"),
        (
            "report gold.csv pred.csv -o x.pdf",
            "x.pdf: a report is an HTML page; name it x.html; you can print it as PDF from a browser",
        ),
        (
            "sweep gold.csv pred.csv",
            "'pred.csv' has no columns recognized as the two ends of a pair, but element, cluster; name them: "
            "--left COL --right COL --score COL",
        ),
        ("sweep gold.csv edges.csv --left lft", "did you mean 'left'? name it with --left COL"),
        (
            "pairs gold.csv pred.csv",
            "'gold.csv' has no columns recognized as the two ends of a pair, but element, cluster; name them: "
            "--left COL --right COL --label COL",
        ),
        ("pairs labelled.csv pred.csv --weight lable", "did you mean 'label'? name it with --weight COL"),
        (
            "pairs edges.csv pred.csv --label score",
            "all labelled pairs (9) are connected by shared elements, so they do not show how much pairs vary; "
            "label more, or pass --unit pairs if each was drawn independently",
        ),
        ("sweep gold.csv edges.csv --cross-validate 9", "use 2 to 4 folds"),
        ("report gold.csv pred.csv -o x.docx", "x.docx: a report is an HTML page; name it x.html"),
        (
            "coref key.conll response.conll -m elm",
            "elm needs the same mentions on both sides, but 1 mention only in gold and 0 only in pred are kept; pass "
            "--missing drop or singleton, or take a measure that is defined there, such as b3",
        ),
    ],
)
def test_what_was_mistyped_is_named(
    call: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    with pytest.raises(SystemExit) as left:
        main(call.split())
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert err.startswith("clusterscore: ")
    assert err.endswith(f"{message}\n")
