"""Cells that stand out, marks, small numbers and signs, in every form of a table."""

from __future__ import annotations

from clusterscore.show.grid import Grid

GRID = Grid(["system", "elm"], [["A_1", 0.25], ["B", 0.75]], 2, bold={(1, 1), (0, 0)})


def test_bold_cells() -> None:
    assert GRID.to_markdown().splitlines()[2:] == ["| **A_1** | 0.25 |", "| B | **0.75** |"]
    assert r"\textbf{A\_1} & 0.25 \\" + "\n" + r"B & \textbf{0.75} \\" in GRID.to_latex()
    assert "<td><strong>A_1</strong></td>" in GRID.to_html()
    assert '<td class="number"><strong>0.75</strong></td>' in GRID.to_html()
    assert GRID.to_csv() == "system,elm\nA_1,0.25\nB,0.75"


MARKED = Grid(
    ["system", "ari ↓", "p"],
    [["A", -0.25, 1 / 1001], ["B", -0.00001, 0.001], ["C", None, 0.5]],
    2,
    below=["* 50% better", "signature|v"],
    decimals={"p": 3},
    least={"p": 0.001},
    bold={(1, 1)},
    marks={(0, 1): "*†"},
    caption=True,
    minus="−",
)


def test_marks_small_numbers_and_minus_signs() -> None:
    assert MARKED.to_text() == "\n".join(
        [
            "system     ari ↓         p",
            "--------------------------",
            "A        −0.25*†   < 0.001",
            "B         0.00       0.001",
            "C                    0.500",
            "",
            "* 50% better",
            "signature|v",
        ]
    )
    assert MARKED.to_markdown().splitlines() == [
        "| system | ari ↓ | p |",
        "| :--- | ---: | ---: |",
        r"| A | −0.25\*† | &lt; 0.001 |",
        "| B | **0.00** | 0.001 |",
        "| C |  | 0.500 |",
        "",
        r"\* 50% better  ",
        r"signature\|v",
    ]
    assert MARKED.to_latex().splitlines() == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"system & ari $\downarrow$ & p \\",
        r"\midrule",
        r"A & $-$0.25*$^{\dagger}$ & \textless{} 0.001 \\",
        r"B & \textbf{0.00}\phantom{*$^{\dagger}$} & 0.001 \\",
        r"C &  & 0.500 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\caption{* 50\% better}",
        r"\end{table}",
        "% signature|v",
    ]
    assert "−0.25*†</td>" in MARKED.to_html()
    assert "<strong>0.00</strong></td>" in MARKED.to_html()
    assert "<p>* 50% better</p>\n<p>signature|v</p>" in MARKED.to_html()
    assert MARKED.to_csv().splitlines()[1] == "A,-0.25,0.000999000999000999"
