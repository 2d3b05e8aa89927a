"""Gates of ``score``, ``compare`` and ``coref``: exit code 1 and one line that says what fell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import clusterscore as cs
import running
from clusterscore.command import main

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = str(EXAMPLES / "gold.csv"), str(EXAMPLES / "pred.csv")  # elm 0.4889, ari 0.3600, vi 0.8283
Run = Callable[..., tuple[int, str, str]]
BOTH = ["compare", FILES[0], f"ours={FILES[1]}", f"theirs={FILES[0]}", "-m", "elm", "--resamples", "0"]
SAME = "clusterscore: warning: gold and pred are the same, so the score is that of a clustering with itself; name "
SAME += "another column or file (system 'theirs')\n"
COREF = ["coref", *(str(EXAMPLES / name) for name in ("key.conll", "response.conll")), "-m", "muc, b3"]
COMPARED_COREF = ["compare", *COREF[1:], "--coref", "--resamples", "0"]
KEPT = ["compare", *FILES, "-m", "b3", "--missing", "keep", "--resamples", "0"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["score", *FILES, "--quiet", "-m", "elm, ari, vi", *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main([*arguments, "--quiet"])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


@pytest.mark.parametrize(
    ("arguments", "bound", "fallen"),
    [
        (BOTH, "elm=0.4", ""),
        (BOTH, "elm=0.7", "ours: elm is 0.4889, below 0.7 (--fail-under)"),
        (BOTH, "theirs: elm=0.7", ""),
        (BOTH, "ours:elm=0.7, theirs:elm=0.9", "ours: elm is 0.4889, below 0.7 (--fail-under)"),
        (COREF, "muc=80", ""),
        (COREF, "muc=80, b3=90", "b3 is 77.38, below 90 (--fail-under)"),
        ([*COREF, f"again={COREF[1]}"], "b3=90", "response: b3 is 77.38, below 90 (--fail-under)"),
        (COMPARED_COREF, "b3=77.3", ""),
        (COMPARED_COREF, "b3=90", "response: b3 is 77.38, below 90 (--fail-under)"),
        (KEPT, "b3=72", "pred: b3 is 71.19, below 72 (--fail-under)"),
    ],
)
def test_bounds_hold_for_every_system_or_for_the_one_named(
    call: Run, arguments: list[str], bound: str, fallen: str
) -> None:
    code, out, err = call(*arguments, "--fail-under", bound)
    assert (code, out) == (1 if fallen else 0, call(*arguments)[1])
    warned = SAME if arguments is BOTH else ""
    assert err == warned + (f"clusterscore: {fallen}\n" if fallen else "")


@pytest.mark.parametrize(
    ("arguments", "bound", "message"),
    [
        (BOTH, "our:elm=1", "--fail-under our:elm=1: no system 'our': did you mean 'ours'?"),
        (BOTH, "ari=1", "--fail-under ari=1: adjusted_rand was not scored; ask for it with -m"),
        (COREF, "ours:muc=90", "--fail-under ours:muc=90: no system 'ours': there is one prediction, without a name"),
        (COREF, "elm=50", "--fail-under elm=50: elm was not scored; ask for it with -m"),
    ],
)
def test_bounds_of_what_is_not_there(call: Run, arguments: list[str], bound: str, message: str) -> None:
    warned = SAME if arguments is BOTH else ""
    assert call(*arguments, "--fail-under", bound) == (2, "", f"{warned}clusterscore: {message}\n")


@pytest.mark.parametrize("arguments", [BOTH, COREF, [*COREF, f"again={COREF[1]}"]])
def test_systems_against_saved_ones(call: Run, tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "scores.json"
    assert call(*arguments, "--save", str(path))[0] == 0
    saved = json.loads(path.read_text())
    assert saved == json.loads(call(*arguments, "--format", "json")[1])
    warned = SAME if arguments is BOTH else ""
    assert call(*arguments, "--against", str(path))[::2] == (0, warned)
    name, system = next(iter(saved.get("systems", {"": saved}).items()))
    metric, score = next(iter(system["scores"].items()))
    score["value"] += 0.02
    path.write_text(json.dumps(saved))
    low, by, high = ("1", "2.00", "3") if "coref" in arguments else ("0.01", "0.0200", "0.03")
    code, _, err = call(*arguments, "--against", str(path), "--tolerance", low)
    assert code == 1
    assert err.startswith(f"{warned}clusterscore: {name + ': ' if name else ''}{metric} is ")
    assert err.endswith(f" in {path} by {by} (--tolerance {low})\n")
    assert call(*arguments, "--against", str(path), "--tolerance", high)[0] == 0


@pytest.mark.parametrize("arguments", [BOTH, KEPT, COREF, COMPARED_COREF])
def test_bounds_are_in_the_unit_of_the_table(call: Run, arguments: list[str]) -> None:
    name = arguments[arguments.index("-m") + 1].partition(",")[0]
    label = cs.field("coreference").measures.get(name, name) if "key.conll" in " ".join(arguments) else name
    table = next(line for line in call(*arguments)[1].splitlines() if line.startswith(label))
    shown = max(float(word) for word in table.split() if "." in word and word[0].isdigit())
    assert call(*arguments, "--fail-under", f"{name}={0.2 * shown}")[0] == 0
    off = shown / 100 if shown > 1 else 100 * shown
    code, _, err = call(*arguments, "--fail-under", f"{name}={off:g}")
    assert code == 2
    assert err.endswith(f"; write {name}={shown:g}\n")


def test_a_run_that_fails_does_not_replace_its_baseline(run: Run, tmp_path: Path) -> None:
    path, link = tmp_path / "scores.json", tmp_path / "link.json"
    run("--save", str(path))
    better = path.read_text().replace('"value": 0.48', '"value": 0.88')
    link.symlink_to(path)
    for same in (str(path), f"{tmp_path}/../{tmp_path.name}/scores.json", str(link)):
        path.write_text(better)
        for gate in (("--against", same), ("--against", same, "--tolerance", "0.5", "--fail-under", "elm=0.9")):
            code, _, err = run(*gate, "--save", str(path))
            assert code == 1
            assert err.endswith(f"; {path} still has the scores of --against: a run that fails does not replace them\n")
            assert path.read_text() == better
        assert run("--against", same, "--tolerance", "0.5", "--save", str(path))[0] == 0
        assert path.read_text() != better
    other = tmp_path / "other.json"
    assert run("--fail-under", "elm=0.9", "--against", str(path), "--save", str(other))[0] == 1
    assert other.read_text() == path.read_text()


def test_another_system_is_no_comparison(call: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    call(*BOTH, "--save", str(path))
    unnamed = ["score", *FILES, "-m", "elm"]
    message = f"clusterscore: {str(path)!r} has ours, which was not scored now, but "
    assert call(*unnamed, "--against", str(path)) == (2, "", f"{message}one prediction\n")
    renamed = [BOTH[0], FILES[0], f"new={FILES[1]}", "-m", "elm", "--resamples", "0"]
    assert call(*renamed, "--against", str(path)) == (2, "", f"{message}new\n")
    call(*unnamed, "--save", str(path))
    assert "has one prediction, which was not scored now, but ours, theirs" in call(*BOTH, "--against", str(path))[2]


@pytest.mark.parametrize(
    ("bounds", "fallen"),
    [
        (["elm=0.4"], ""),
        (["elm=0.4888888888888889"], ""),
        (["elm=0.49"], "elm is 0.4889, below 0.49 (--fail-under)"),
        (["ari=0.5, elm=0.4"], "adjusted_rand is 0.3600, below 0.5 (--fail-under)"),
        (["vi=0.9"], ""),
        (["vi=0.8"], "variation_of_information is 0.8283, above 0.8 (--fail-under)"),
        (["elm=1", "ari=1"], "elm is 0.4889, below 1 (--fail-under); adjusted_rand is 0.3600, below 1 (--fail-under)"),
    ],
)
def test_fail_under(run: Run, bounds: list[str], fallen: str) -> None:
    plain = run()[1]
    code, out, err = run(*(part for bound in bounds for part in ("--fail-under", bound)))
    assert (code, out) == (1 if fallen else 0, plain)
    assert err == (f"clusterscore: {fallen}\n" if fallen else "")


def test_saved_scores_are_the_json_that_is_printed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    assert run("--save", str(path))[0] == 0
    assert json.loads(path.read_text()) == json.loads(run("--format", "json")[1])


@pytest.mark.parametrize(
    ("metric", "better", "tolerance", "code"),
    [
        ("elm", 0.03, "0", 1), ("elm", 0.03, "0.01", 1), ("elm", 0.03, "0.031", 0), ("elm", -0.2, "0", 0),
        ("variation_of_information", -0.03, "0.01", 1), ("variation_of_information", 0.2, "0", 0),
    ],
)  # fmt: skip
def test_against(run: Run, tmp_path: Path, metric: str, better: float, tolerance: str, code: int) -> None:
    path = tmp_path / "scores.json"
    run("--save", str(path))
    assert run("--against", str(path))[0] == 0
    saved = json.loads(path.read_text())
    now = saved["scores"][metric]["value"]
    saved["scores"][metric]["value"] = now + better
    path.write_text(json.dumps(saved))
    status, _, err = run("--against", str(path), "--tolerance", tolerance)
    assert status == code
    if code:
        word = "above" if "variation" in metric else "below"
        message = (
            f"{metric} is {now:.4f}, {word} {now + better:.4f} in {path} by 0.0300 (--tolerance {float(tolerance):g})"
        )
        assert err == f"clusterscore: {message}\n"


def test_a_release_may_pass_but_another_measure_may_not(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    run("--save", str(path))
    text = path.read_text()
    path.write_text(text.replace("|v:0.1.0", "|v:0.0.9"))
    assert run("--against", str(path))[0] == 0
    path.write_text(text.replace("missing:error", "missing:drop"))
    code, _, err = run("--against", str(path))
    assert code == 2
    assert "elm was computed differently" in err
    path.write_text(text.replace('"elm"', '"bcubed"'))
    assert run("--against", str(path))[::2] == (
        2,
        f"clusterscore: {str(path)!r} has bcubed, which was not scored now; ask for it with -m\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-under", "elm"], "--fail-under 'elm' is not a bound; write METRIC=NUMBER, such as elm=0.7"),
        (["--fail-under", "elm=x"], "--fail-under 'elm=x' is not a bound; write METRIC=NUMBER, such as elm=0.7"),
        (["--fail-under", "elm=nan"], "--fail-under 'elm=nan' is not a bound; write METRIC=NUMBER, such as elm=0.7"),
        (["--fail-under", "elmm=1"], "unknown metric 'elmm': did you mean 'elm'?"),
        (["--fail-under", "ami=0.5"], "--fail-under ami=0.5: ami was not scored; ask for it with -m"),
        (
            ["--against", "nowhere.json"],
            "'nowhere.json' cannot be read: No such file or directory; --save writes such a file",
        ),
        (
            ["--against", FILES[0]],
            f"{FILES[0]!r} is not JSON: Expecting value in line 1; write it with --save or --format json",
        ),
        *(
            (["--fail-under", text], "--fail-under is empty; write METRIC=NUMBER, such as elm=0.7, or leave it out")
            for text in ("", " ", ",", " , ")
        ),
        *(
            (["--tolerance", text], f"--tolerance {text} must be a number from 0 up, such as 0.01")
            for text in ("nan", "inf", "-1")
        ),
        (["--tolerance", "1"], "--tolerance is for --against; name a file with scores, or leave it out"),
        (
            ["--fail-under", "elm=75"],
            "--fail-under elm=75: elm is not in percent here but a fraction, from 0 to 1; write elm=0.75",
        ),
        (
            ["--fail-under", "elm=-0.1"],
            "--fail-under elm=-0.1: elm is not in percent here but a fraction, from 0 to 1; "
            "write a number in this range",
        ),
        (["--save", "nowhere/a.json"], "'nowhere/a.json': no folder 'nowhere'; create it first"),
        (["--save", FILES[0]], f"{FILES[0]!r} is the input {FILES[0]!r}, which would be lost; name another file"),
    ],
)
def test_mistakes(run: Run, arguments: list[str], message: str) -> None:
    assert run(*arguments) == (2, "", f"clusterscore: {message}\n")


def test_a_file_of_other_things_holds_no_scores(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    for text in (
        "",
        "[]",
        '{"scores": 3}',
        '{"scores": {"elm": {}}}',
        '{"scores": {"elm": {"value": "x"}}}',
        "[" * 9999,
    ):
        path.write_text(text)
        code, out, err = run("--against", str(path))
        assert (code, out) == (2, "")
        assert "write it with --save or --format json" in err


def test_saved_scores_that_were_edited(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    run("--save", str(path))
    text = path.read_text()
    path.write_text(text.replace('"adjusted_rand":', '"elm":'))
    code, _, err = run("--against", str(path))
    assert (code, "the key 'elm' occurs twice in an object" in err) == (2, True)
    path.write_text(text.replace("0.4888888888888889", "1" + "0" * 400))
    assert run("--against", str(path))[0] == 2


def test_a_tolerance_that_every_score_is_within(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    run("--save", str(path))
    message = "--tolerance 5 lets every elm pass, which is at most 1; write a smaller number, such as 0.01"
    assert run("--against", str(path), "--tolerance", "5") == (2, "", f"clusterscore: {message}\n")


def markdown(text: str) -> list[dict[str, str]]:
    """The rows of the first table."""
    lines = [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("|")]
    (head, _, *rows) = lines[: next((k for k, line in enumerate(lines) if "cost most" in line[0]), len(lines))]
    return [dict(zip(head, row, strict=False)) for row in rows]


def test_a_summary_for_github(tmp_path: Path) -> None:
    """Arrows say better or worse, not up or down; gates, reasons and the costliest clusters are in it."""
    files = [str(EXAMPLES / name) for name in ("gold.csv", "pred.csv")]
    saved = tmp_path / "accepted.json"
    assert running.run("score", *files, "-m", "elm, vi, ari", "--save", str(saved)).returncode == 0
    plain = json.loads(saved.read_text())
    scores = plain["scores"]
    scores["elm"]["value"] += 0.1
    scores["variation_of_information"]["value"] += 0.1
    saved.write_text(json.dumps(plain))
    code, out, err = running.run("score", *files, "-m", "elm, vi, ari", "--against", str(saved), "--format", "github")
    assert code == 1
    assert out.startswith("### clusterscore: :x: a gate failed\n\n| metric | P | R | score | against accepted.json |\n")
    rows = {row["metric"]: row for row in markdown(out)}
    changes = {name: row["against accepted.json"].strip() for name, row in rows.items()}
    assert changes == {"elm": "▼ −0.1000", "variation_of_information": "▲ −0.1000", "adjusted_rand": "="}
    assert f"{scores['elm']['value'] - 0.1:.4f}" == rows["elm"]["score"]
    assert err.split("clusterscore: ")[1].split(" (")[0] in out
    assert "| pred 3 = gold fish (1) + gold dogs (1): 29.0% of the loss |" in out
    code, out, _ = running.run(
        "score", *files, "-m", "elm", "--fail-under", "elm=0.4", "--format", "github", "--digits", "2"
    )
    assert code == 0
    assert out.startswith("### clusterscore: :white_check_mark: all gates passed\n")
    assert markdown(out)[0]["score"] == "0.49"
    assert (
        running.run("score", *files, "-m", "elm", "--engine", "duckdb", "--format", "github").stdout.count("###") == 1
    )


def test_a_summary_of_systems_is_against_the_baseline(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("element,cluster,a,b,c\n" + "".join(
        f"e{k},<b>|x{k // 3},{k // 3},{k // 2},{k // 4}\n" for k in range(60)))  # fmt: skip
    typed = "compare", "odd.csv", "--gold", "cluster", "--pred", "a", "--pred", "b", "-m", "elm", "--format", "github"
    code, out, _ = running.run(*typed, "--baseline", "b", cwd=tmp_path)
    assert code == 0
    rows = {row["system"]: row for row in markdown(out)}
    assert re.fullmatch(r"▲ \+0\.\d{4}\\\*", rows["a"]["against b"].strip())
    assert "▲ better, ▼ worse than b; \\* significantly so (Holm, p &lt; 0.05)" in out
    assert rows["b"]["against b"].strip() == ""
    assert "cost most" not in out  # the best has none that costs anything
    both = running.run(*typed[:5], "b", "--pred", "c", *typed[-2:], "-m", "elm", cwd=tmp_path).stdout
    assert re.search(r"\| the clusters that cost most in [bc] \|", both)
    out = running.run(
        "score", "odd.csv", "--gold", "cluster", "--pred", "b", "-m", "elm", "--format", "github", cwd=tmp_path
    ).stdout
    assert "gold &lt;b>\\|x0" in out
    sampled = running.run(*typed, "--sample", "uniform", cwd=tmp_path)
    assert sampled.returncode == 0, sampled.stderr
    rows = {row["system"]: row for row in markdown(sampled.stdout)}
    estimates = cs.estimate([k // 3 for k in range(60)], {name: [k // n for k in range(60)] for name, n in
                            (("a", 3), ("b", 2))}, weights="uniform", metrics="elm")  # fmt: skip
    for name, own in estimates.systems.items():
        ends = " – ".join(f"{end:.4f}" for end in own["elm"].interval)
        assert rows[name]["interval"].strip() == ends
    assert estimates.differences["b"]["elm"].p < 0.05
    assert rows["b"]["against a"].strip() == f"▼ −{-estimates.differences['b']['elm'].value:.4f}\\*"
    assert "worse than a; \\* significantly so (p &lt; 0.05)" in sampled.stdout
    coref = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]
    for command in ("score", "coref"):
        out = running.run(command, *coref, "--format", "github").stdout
        assert "| CoNLL F1 |  |  | 77.77 |" in out
        assert "the entities that cost most" in out
    out = running.run("coref", coref[0], f"a={coref[1]}", f"b={coref[0]}", "--format", "github").stdout
    assert "the entities that cost most in a" in out
    assert "cost most in b" not in out  # nothing is wrong there
    assert (
        running.run("errors", "odd.csv", "--gold", "a", "--pred", "b", "--format", "github", cwd=tmp_path).returncode
        == 2
    )
