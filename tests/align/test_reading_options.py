"""What a side was read with is part of the signature: two equal signatures on the same files mean the same number."""

from __future__ import annotations

from pathlib import Path

import pytest

import clusterscore as cs
from clusterscore.align import Policy


def test_an_option_of_both_sides_is_named_once_and_that_of_one_side_with_it() -> None:
    both = Policy().read_with({"step": "0.01", "format": "rttm"}, {"step": "0.01"})
    assert both.signature == "missing:error|gold_format:rttm|step:0.01"
    apart = Policy().read_with({"step": "0.01"}, {"step": "0.1"})
    assert apart.signature == "missing:error|gold_step:0.01|pred_step:0.1"


def test_documents_belong_to_the_elements_so_to_both_sides() -> None:
    clustering = cs.Clustering.from_labels([0, 0, 1], documents=[1, 1, 2])
    expected = f"elm|f:mean|beta:1|avg:micro|missing:error|documents:given|v:{cs.__version__}"
    assert cs.elm(clustering, [0, 1, 1]).signature == expected
    assert cs.elm([0, 1, 1], clustering).signature == expected
    assert cs.elm(clustering, clustering).signature == expected
    assert cs.elm([0, 0, 1], [0, 1, 1], documents=[1, 1, 2]).signature == expected
    assert cs.elm(cs.Table.from_cells([0, 1], [0, 1], [2, 1], document=[1, 2])).signature == expected


@pytest.mark.parametrize(("label", "shown"), [
    (-1, "-1"), ("-1", "-1"), ("-01", "'-01'"), ("1.5", "'1.5'"), (None, "null"), ("null", "'null'"),
    ("noise", "noise"), ("a,b", "'a,b'"), ("a|b", "'a|b'"), ("not clustered", "not clustered"), ("(1", "'(1'"),
    (True, "True"), ("True", "'True'"), ("", "''"), ("a\nb", "'a\\nb'"),
])  # fmt: skip
def test_noise_that_is_not_the_same_is_not_written_the_same(label: object, shown: str) -> None:
    assert Policy.of(noise=[label]).signature == f"missing:error|noise:{shown}|noise_as:singleton"


def test_text_and_number_are_signed_alike_so_no_side_may_have_one_of_both_named() -> None:
    gold, pred = ["a", "a", "b", "b"], [-1, -1, "-1", "-1"]
    for noise, other in ((-1, "'-1'"), ("-1", "-1")):
        with pytest.raises(cs.InputError, match=f"{noise!r} and {other} are two labels here; declare both as noise"):
            cs.elm(gold, pred, noise=noise)
    assert cs.elm(gold, pred, noise=[-1, "-1"]).signature.split("|")[5] == "noise:-1"


def test_batches_that_were_read_in_different_ways_are_not_added_up(tmp_path: Path) -> None:
    file = tmp_path / "a.rttm"
    file.write_text("SPEAKER r 1 0.0 1.0 <NA> <NA> A <NA> <NA>\nSPEAKER r 1 1.0 1.0 <NA> <NA> B <NA> <NA>\n")
    coarse, fine = (cs.Clustering.from_files(file, file, step=step) for step in (0.5, 0.1))
    seen = cs.Accumulator("elm")
    seen.update(*coarse)
    with pytest.raises(cs.InputError, match=r"read with missing:error\|documents:given\|step:0.1, and .*step:0.5;"):
        seen.update(*fine)
    other = cs.Accumulator("elm")
    other.update(*fine)
    with pytest.raises(cs.InputError, match=r"differ: elm.*step:0.5.* and elm.*step:0.1"):
        seen.merge(other)
    empty = cs.Accumulator("elm")
    empty.merge(seen)
    assert "|step:0.5|" in empty.result()["elm"].signature
