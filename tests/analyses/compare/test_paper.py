"""Tables for papers, word by word, in every form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clusterscore as cs

EXAMPLES = Path(__file__).parents[3] / "examples"
GOLD, DOCUMENTS = [0, 0, 1, 1] * 24, [k // 4 for k in range(96)]
SYSTEMS = {"A_1": [0, 1, 0, 1] * 24, "B": [0, 0, 1, 1] * 24, "C": [0, 0, 0, 1] * 24, "D": [1, 1, 0, 0] * 24}
METRICS = ["elm", "adjusted_rand", "vi"]


def compared(names: str = "ABC", **options: object) -> cs.Comparison:
    systems = {name: pred for name, pred in SYSTEMS.items() if name[0] in names}
    return cs.compare(GOLD, systems, documents=DOCUMENTS, **{"metrics": METRICS, **options})  # type: ignore[arg-type]


DETAILS = [
    "elm|f:mean|beta:1, adjusted_rand, variation_of_information",
    "avg:macro|missing:error|documents:given|unit:documents|resamples:1000|seed:0|confidence:0.95|interval:jackknife|"
    f"test:exchange|correction:holm|pairs:all|v:{cs.__version__}",
]
TESTED = "(paired randomization test, Holm, p < 0.05)."
CAPTION = f"Best of each column in bold (↓: smaller is better). * differs from A_1 {TESTED}"


@pytest.fixture(scope="module")
def comparison() -> cs.Comparison:
    return compared(average="macro", pairs="all")


def test_text(comparison: cs.Comparison) -> None:
    assert comparison.paper().to_text(digits=2).splitlines() == [
        "system      elm       ari     vi ↓",
        "----------------------------------",
        "A_1      0.00     −0.50     1.39",
        "B        1.00*†    1.00*†   0.00*†",
        "C        0.33*     0.00*    0.82*",
        "",
        f"{CAPTION} † differs from all other systems.",
        *DETAILS,
    ]


def test_markdown(comparison: cs.Comparison) -> None:
    lines = comparison.paper().to_markdown(digits=2).splitlines()
    assert lines[:5] == [
        "| system | elm | ari | vi ↓ |",
        "| :--- | ---: | ---: | ---: |",
        "| A_1 | 0.00 | −0.50 | 1.39 |",
        r"| B | **1.00**\*† | **1.00**\*† | **0.00**\*† |",
        r"| C | 0.33\* | 0.00\* | 0.82\* |",
    ]
    assert lines[6] == CAPTION.replace("*", r"\*").replace("<", "&lt;") + " † differs from all other systems.  "


def test_latex(comparison: cs.Comparison) -> None:
    assert comparison.paper().to_latex(digits=2).splitlines() == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"system & elm & ari & vi $\downarrow$ \\",
        r"\midrule",
        *(
            r"A\_1 & 0.00\phantom{*$^{\dagger}$} & $-$0.50\phantom{*$^{\dagger}$} & 1.39\phantom{*$^{\dagger}$} \\",
            r"B & \textbf{1.00}*$^{\dagger}$ & \textbf{1.00}*$^{\dagger}$ & \textbf{0.00}*$^{\dagger}$ \\",
            r"C & 0.33*\phantom{$^{\dagger}$} & 0.00*\phantom{$^{\dagger}$} & 0.82*\phantom{$^{\dagger}$} \\",
        ),
        r"\bottomrule",
        r"\end{tabular}",
        r"\caption{Best of each column in bold ($\downarrow$: smaller is better). * differs from A\_1 "
        r"(paired randomization test, Holm, p \textless{} 0.05). $^{\dagger}$ differs from all other systems.}",
        r"\end{table}",
        *(f"% {line}" for line in DETAILS),
    ]


def test_html_csv_and_json(comparison: cs.Comparison) -> None:
    assert '<td class="number"><strong>1.0000</strong>*†</td>' in comparison.paper()._repr_html_()
    assert comparison.paper().to_csv().splitlines() == [
        "system,elm,ari,vi",
        *(
            ",".join([name, *(str(comparison[name][metric].score.value) for metric in METRICS)])
            for name in ("A_1", "B", "C")
        ),
    ]
    assert json.loads(comparison.paper().to_json()) == comparison.to_dict()


def test_ties_are_all_bold_and_one_system_is_not() -> None:
    tied = compared("ABD", average="macro", pairs="all", metrics=["elm"], resamples=200).paper().to_markdown(digits=2)
    assert r"| B | **1.00**\* |" in tied  # no dagger: it does not differ from D
    assert r"| D | **1.00**\* |" in tied
    alone = compared("A", metrics=["elm"], resamples=20).paper().to_markdown(digits=2)
    assert "| A_1 | 0.00 |" in alone
    assert "bold" not in alone


def test_no_difference() -> None:
    gold, documents = [0, 0, 1, 1] * 6, [k // 4 for k in range(24)]
    systems = {"A": [0, 0, 1, 1] * 5 + [0, 1, 2, 3], "B": [0, 1, 2, 3] + [0, 0, 1, 1] * 5}
    paper = cs.compare(gold, systems, metrics="elm", documents=documents).paper()
    assert f"No difference from A is significant {TESTED}" in paper.to_text()
    scores = cs.compare(gold, systems, metrics="elm", documents=documents, resamples=0).paper(intervals=True)
    assert scores.to_text(2).splitlines()[-3] == "Best of each column in bold."


def test_what_is_not_tested_is_named() -> None:
    paper = cs.compare([0, 0, 1, 1], {"A": [0, 1, 1, 1], "B": [0, 0, 1, 1]}, metrics=["elm", "nmi"]).paper()
    assert f"No difference from A is significant {TESTED} Not tested: nmi." in paper.to_text()


def test_intervals() -> None:
    paper = compared(metrics=["ari"], average="macro", resamples=50).paper(intervals=True)
    assert paper.to_text(2).splitlines()[2:5] == [
        "A_1      −0.50  [−0.50, −0.50]",
        "B         1.00* [1.00, 1.00]",
        "C         0.00* [0.00, 0.00]",
    ]
    assert r"A\_1 & $-$0.50\phantom{*} [$-$0.50, $-$0.50] \\" in paper.to_latex(2)
    assert paper.to_text().splitlines()[6].endswith("In brackets: 95% intervals.")
    assert paper.to_csv().splitlines()[:2] == ["system,ari,ari_low,ari_high", "A_1,-0.5,-0.5,-0.5"]


@pytest.fixture
def coreference() -> cs.Comparison:
    files = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]
    return cs.compare(files[0], {"base_1": files[1], "ours": files[0]}, resamples=0, field="coreference")


@pytest.mark.filterwarnings("ignore:gold and pred are the same")
def test_coreference_as_papers_print_it(coreference: cs.Comparison) -> None:
    """P, R and F1 of MUC, B³ and CEAFφ₄ and their mean, in percent; groups of columns have a heading of their own."""
    key, response = (EXAMPLES / name for name in ("key.conll", "response.conll"))
    scores = cs.coref(key, response)
    parts = [f"{100 * getattr(scores[name], part):.1f}" for name in ("muc", "b3", "ceafe")
             for part in ("precision", "recall", "f")]  # fmt: skip
    numbers = [*parts, f"{100 * scores['conll'].value:.1f}"]
    lines = coreference.paper().to_latex(digits=1).splitlines()
    assert lines[5:10] == [
        r" & \multicolumn{3}{c}{MUC} & \multicolumn{3}{c}{B$^{3}$} & \multicolumn{3}{c}{CEAF$_{\phi_4}$} &  \\",
        r"\cmidrule(lr){2-4} \cmidrule(lr){5-7} \cmidrule(lr){8-10}",
        r"system & P & R & F1 & P & R & F1 & P & R & F1 & Avg. F1 \\",
        r"\midrule",
        rf"base\_1 & {' & '.join(numbers)} \\",
    ]
    names = ["MUC P", "MUC R", "MUC F1", "B³ P", "B³ R", "B³ F1", "CEAFφ₄ P", "CEAFφ₄ R", "CEAFφ₄ F1", "Avg. F1"]
    assert coreference.paper().to_markdown(digits=1).splitlines()[0] == f"| {' | '.join(['system', *names])} |"
    assert (
        coreference.paper().to_csv().splitlines()[0]
        == "system,MUC P,MUC R,MUC,B³ P,B³ R,B3,CEAFφ₄ P,CEAFφ₄ R,CEAFe,CoNLL F1"
    )


@pytest.mark.filterwarnings("ignore:gold and pred are the same")
def test_measures_that_were_asked_for_are_all_in_the_table() -> None:
    files = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]
    given = {"field": "coreference", "resamples": 0}
    both = cs.compare(files[0], {"A": files[1], "B": files[0]}, metrics=["lea", "b3"], **given)  # type: ignore[call-overload]
    assert both.paper().to_csv().splitlines()[0] == "system,B³ P,B³ R,B3,LEA"
    assert "Best F1 of each measure in bold." in both.paper().to_text()  # P and R have no bold
    other = cs.compare(files[0], {"A": files[1], "B": files[0]}, metrics=["lea"], **given)  # type: ignore[call-overload]
    assert other.paper().to_latex().count("multicolumn") == 0
