"""Cells that stand out, in every form of a table."""

from __future__ import annotations

from clusterscore.show import Grid

GRID = Grid(["system", "elm"], [["A_1", 0.25], ["B", 0.75]], 2, bold={(1, 1), (0, 0)})


def test_bold_cells() -> None:
    assert GRID.to_markdown().splitlines()[2:] == ["| **A_1** | 0.25 |", "| B | **0.75** |"]
    assert r"\textbf{A\_1} & 0.25 \\" + "\n" + r"B & \textbf{0.75} \\" in GRID.to_latex()
    assert "<td><strong>A_1</strong></td>" in GRID.to_html()
    assert '<td class="number"><strong>0.75</strong></td>' in GRID.to_html()
    assert GRID.to_csv() == "system,elm\nA_1,0.25\nB,0.75"
