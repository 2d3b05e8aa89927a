"""What changed between two versions: exact cases, a brute-force oracle, and the laws of a diff."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from running import run

pytestmark = pytest.mark.filterwarnings("ignore:old and new are nothing but 0 and 1")  # drawn by chance
MIRRORED = {"split": "merged", "merged": "split", "created": "deleted", "deleted": "created"}
OLD = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "c1": "c", "c2": "c", "d1": "d", "e1": "e", "e2": "e", "f1": "f"}
NEW = {"a1": "a", "a2": "a", "a3": "x", "b1": "c", "c1": "c", "c2": "c", "d1": "d", "e1": "e", "g1": "e", "h1": "h"}

versions = st.dictionaries(st.integers(0, 11), st.integers(0, 5), max_size=12)


def clusters(version: dict[Any, Any]) -> dict[Any, frozenset[Any]]:
    return {name: frozenset(e for e in version if version[e] == name) for name in version.values()}


def by_hand(old: dict[Any, Any], new: dict[Any, Any]) -> list[tuple[Any, ...]]:
    """Every change by its definition: kind, old and new clusters, elements, added, gone, pairs apart and together."""
    left = [("old", name, members) for name, members in clusters(old).items()]
    groups = [[cluster] for cluster in [*left, *(("new", name, members) for name, members in clusters(new).items())]]
    joined = True
    while joined:
        joined = False
        for first, second in combinations(groups, 2):
            if any(a[0] != b[0] and a[2] & b[2] for a in first for b in second):
                first.extend(second)
                groups.remove(second)
                joined = True
                break
    return [_change(group, old, new) for group in groups]


def _change(group: list[Any], old: dict[Any, Any], new: dict[Any, Any]) -> tuple[Any, ...]:
    before, after = ({name: members for which, name, members in group if which == side} for side in ("old", "new"))
    elements = set().union(*before.values(), *after.values())
    together = [
        {pair for members in side.values() for pair in combinations(sorted(members), 2)} for side in (before, after)
    ]
    counts = len(before), len(after)
    same = list(before.values()) == list(after.values())
    kind = (
        "created" if not before else "deleted" if not after
        else ("unchanged" if same else "updated") if counts == (1, 1)
        else "split" if counts[0] == 1 else "merged" if counts[1] == 1 else "rearranged"
    )  # fmt: skip
    numbers = len(elements), len(elements - {*old}), len(elements - {*new})
    pairs = len(together[0] - together[1]), len(together[1] - together[0])
    return kind, frozenset(before), frozenset(after), *numbers, *pairs


def changes_of(diff: cs.Diff) -> list[tuple[Any, ...]]:
    rows = []
    for kind in diff.counts["change"]:
        table = getattr(diff, kind)
        for row in (dict(zip(table, row, strict=True)) for row in table.rows()):
            names = [row.get(side, ()) for side in ("old", "new")]
            sides = [frozenset(name if isinstance(name, tuple) else (name,)) for name in names]
            rows.append((kind, *sides, *(row[name] for name in ("elements", "added", "gone", "apart", "together"))))
    return rows


def test_one_change_of_each_kind() -> None:
    diff = cs.diff(OLD, NEW)
    assert diff.counts["changes"].tolist() == [1, 1, 1, 1, 0, 1, 1]
    assert diff.unchanged.rows() == [("d", 1, "d", 1, 1, 0, 0, 0, 0, "d1")]
    assert diff.updated.rows() == [("e", 2, "e", 2, 3, 1, 1, 1, 1, "e2")]
    assert diff.split.rows() == [("a", 3, ("a", "x"), (2, 1), 3, 0, 0, 2, 0, "a3")]
    assert diff.merged.rows() == [(("c", "b"), (2, 1), "c", 3, 3, 0, 0, 0, 2, "b1")]
    assert diff.created.rows() == [("h", 1, 1, 1, 0, 0, 0, "h1")]
    assert diff.deleted.rows() == [("f", 1, 1, 0, 1, 0, 0, "f1")]
    assert diff.added.to_dict() == {"element": ["g1", "h1"], "cluster": ["e", "h"]}
    assert diff.gone.to_dict() == {"element": ["e2", "f1"], "cluster": ["e", "f"]}
    assert list(diff.changes["change"]) == ["split", "merged", "updated", "deleted", "created"]
    assert diff.summary() == (
        "10 elements in 6 clusters became 10 elements in 6 clusters: 2 elements added, 2 gone. 1 of 6 old clusters "
        "unchanged (16.7%)."
    )


def test_two_on_both_sides_are_rearranged() -> None:
    diff = cs.diff([["p", "q"], ["r", "s"]], [["p", "q", "r"], ["s"]])
    assert diff.rearranged["old"].tolist() == [(0, 1)]
    assert diff.rearranged["new"].tolist() == [(0, 1)]
    assert diff.rearranged["new_size"].tolist() == [(3, 1)]
    assert (diff.rearranged["apart"].item(), diff.rearranged["together"].item()) == (1, 2)


def test_an_unchanged_cluster_may_have_another_name() -> None:
    diff = cs.diff({1: "a", 2: "b", 3: "c"}, {1: "a", 2: "B", 3: "C"})
    assert (len(diff.unchanged), diff.renamed) == (3, 2)
    assert "2 of them under another name" in diff.summary()
    diff = cs.diff({1: "a", 2: "b"}, {1: "x", 2: "y"})  # no name was meant to stay
    assert "name" not in diff.summary()
    assert str(diff).endswith(diff.summary().replace(". ", ".\n"))  # with no table of changes


@given(versions, versions)
def test_equals_the_definition(old: dict[int, int], new: dict[int, int]) -> None:
    diff = cs.diff(old, new)
    assert Counter(changes_of(diff)) == Counter(by_hand(old, new))
    assert (diff.old.elements, diff.new.elements) == (len(old), len(new))
    assert (diff.old.clusters, diff.new.clusters) == (len({*old.values()}), len({*new.values()}))
    assert dict(zip(*diff.added.to_dict().values(), strict=True)) == {e: new[e] for e in new if e not in old}
    assert dict(zip(*diff.gone.to_dict().values(), strict=True)) == {e: old[e] for e in old if e not in new}


@given(versions, versions)
def test_swapped_versions_mirror(old: dict[int, int], new: dict[int, int]) -> None:
    diff, mirrored = cs.diff(old, new), cs.diff(new, old)
    turned = [
        (MIRRORED.get(kind, kind), after, before, elements, gone, added, together, apart)
        for kind, before, after, elements, added, gone, apart, together in changes_of(mirrored)
    ]
    assert Counter(changes_of(diff)) == Counter(turned)
    assert Counter(diff.added.rows()) == Counter(mirrored.gone.rows())
    assert diff.renamed == mirrored.renamed


@given(versions, versions)
def test_the_cells_are_all_that_is_needed_to_go_from_one_version_to_the_other(
    old: dict[int, int], new: dict[int, int]
) -> None:
    diff = cs.diff(old, new).only(cs.diff(old, new).counts["change"].tolist())
    cells = Counter((old.get(e), new.get(e)) for e in old | new)
    listed = zip(*(diff.listed()[name] for name in ("old", "new", "elements")), strict=True)
    assert {(before, after): n for before, after, n in listed} == cells


def test_the_largest_change_comes_first() -> None:
    rng = np.random.default_rng(5)
    old, new = rng.integers(0, 400, 1000), rng.integers(0, 900, 1000)
    changes = cs.diff(old, np.where(rng.random(1000) < 0.1, new, old)).changes
    moved = changes["apart"] + changes["together"]
    assert len(moved) > 20
    assert (np.diff(moved) <= 0).all()


def test_two_hundred_thousand_elements() -> None:
    # of every ten elements: a split 3 -> 2 + 1, a merge of 1 + 2, a cluster of 3 that stays, and one that is gone
    number = np.arange(200_000)
    block, place = number // 10, number % 10
    old = 10 * block + np.array([0, 0, 0, 1, 2, 2, 3, 3, 3, 4])[place]
    new = 10 * block + np.array([0, 0, 5, 2, 2, 2, 3, 3, 3, 4])[place]
    stays = place != 9
    diff = cs.diff(
        cs.Clustering.from_labels(old, elements=number),
        cs.Clustering.from_labels(new[stays][::-1], elements=number[stays][::-1]),
    )
    counts = dict(zip(diff.counts["change"], diff.counts["changes"].tolist(), strict=True))
    expected = {"unchanged": 20_000, "split": 20_000, "merged": 20_000, "deleted": 20_000}
    assert counts == {**dict.fromkeys(counts, 0), **expected}
    assert sorted(diff.gone["element"].tolist()) == list(range(9, 200_000, 10))
    assert sorted(diff.split["example"].tolist()) == list(range(2, 200_000, 10))
    assert {*diff.merged["old_size"].tolist()} == {(2, 1)}


def test_clusters_of_different_documents_are_different() -> None:
    diff = cs.diff([0, 0, 0, 0], [0, 1, 0, 0], documents=["d", "d", "e", "e"])
    assert diff.split["document"].tolist() == ["d"]
    assert diff.unchanged["document"].tolist() == ["e"]


def test_noise() -> None:
    alone = cs.diff([0, 0, -1, -1, 1], [0, 0, 0, -1, 1], noise=-1)
    assert alone.merged["old"].tolist() == [(0, None)]
    assert (len(alone.unchanged), alone.renamed) == (2, 0)
    left_out = cs.diff({1: "a", 2: "a", 3: None}, {1: "a", 2: None, 4: None}, noise=[None], noise_as="drop")
    assert (left_out.old, left_out.new, len(left_out.unchanged)) == ((1, 1), (1, 1), 1)


def test_an_empty_version() -> None:
    assert len(cs.diff({}, {"p": 1, "q": 1}).created) == 1
    assert "0 elements in 0 clusters became 0 elements" in cs.diff({}, {}).summary()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ([1, 1], [1, 1, 2], "^old has 2 labels and new has 3; if matched by position, both need one per element"),
        ({"p": 1}, [1], "^new is matched by position and old by element id"),
        ({"p": {1, 2}}, {"p": 1}, r"^old: 'p': \{1, 2\} may be a cluster .* Clustering.from_memberships\(mapping\)"),
        (
            cs.Clustering.from_memberships({"p": {1, 2}}),
            {"p": 1},
            "^1 element of old in more than one cluster .* a diff is between partitions",
        ),
        ({"p": None}, {"p": 1}, "^old has 1 element with no label .*noise="),
        (None, [1], "^old is None"),
        (cs.Table.from_matrix([[1]]), [1], "^a Table counts elements"),
    ],
)
def test_errors_speak_of_old_and_new(old: Any, new: Any, message: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.diff(old, new)


def test_overlapping_clusters_that_are_a_partition_after_all_are_one() -> None:
    old, new = (cs.Clustering.from_memberships({"p": {k}, "q": {k}}) for k in (1, 2))
    assert len(cs.diff(old, new).unchanged) == 1
    with pytest.raises(cs.NotAPartition):
        cs.diff(cs.Clustering.from_memberships([[1, 2]]), cs.Clustering.from_memberships([[1]]))


def test_warnings_speak_of_old_and_new() -> None:
    with pytest.warns(cs.ClusterscoreWarning, match="^new has the label -1"):
        cs.diff([0, 1, 2, 2], [0, 1, 2, -1])


def test_every_form() -> None:
    diff = cs.diff(OLD, NEW)
    assert diff.to_csv().splitlines()[:3] == [
        "number,change,old,new,old_size,new_size,elements", "1,split,a,a,3,2,2", "1,split,a,x,3,1,1",
    ]  # fmt: skip
    made = json.loads(diff.to_json())
    assert made["rows"][0] == {
        "change": "split", "old": ["a"], "old_size": [3], "new": ["a", "x"], "new_size": [2, 1], "elements": 3,
        "added": 0, "gone": 0, "apart": 2, "together": 0, "example": "a3",
    }  # fmt: skip
    assert made["counts"]["split"] == {
        "changes": 1, "old_clusters": 1, "new_clusters": 2, "elements": 3, "added": 0, "gone": 0,
    }  # fmt: skip
    assert "| split | a (3) | a (2) \\| x (1) |  | -2 | a3 |" in diff.to_markdown()
    assert len(diff.records()) == len(diff.cells)
    assert diff.split.to_frame("polars")["new"].to_list() == ["a | x"]


def test_many_clusters_in_a_cell_are_cut_for_people_alone() -> None:
    diff = cs.diff([0] * 7, [0, 0, 1, 2, 3, 4, 5])
    assert "0 (2) | 1 (1) | 2 (1) | 3 (1) | 2 more " in str(diff)
    assert "0 | 1 | 2 | 3 | 4 | 5" in diff.split.to_csv()
    assert len(diff.to_dict()["rows"][0]["new"]) == 6


def test_the_command() -> None:
    files = "examples/old.csv", "examples/new.csv"
    assert run("diff", *files) == (0, f"{cs.diff(*map(cs.Clustering.from_file, files))}\n", "")
    code, out, _ = run("diff", *files, "--kind", "merged", "--kind", "unchanged", "--format", "csv")
    assert (code, [line.split(",")[1] for line in out.splitlines()[1:]]) == (0, ["merged"] * 2 + ["unchanged"] * 2)
    assert len(json.loads(run("diff", *files, "--top", "2", "--format", "json")[1])["rows"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["old.csv"], "pass two files, OLD and NEW, or one file with --old COL and --new COL"),
        (["old.csv", "new.csv", "--new-element", "id"], "name it with --new-element COL"),
        (["old.csv", "people.csv", "--strict"], "with column 'person_id' as the cluster, since there is no other"),
        (["old.csv", "both-1.csv"], "which column is the element and the cluster? pass --new-element COL --new COL"),
        (["genres.csv", "new.csv"], "2 elements of old in more than one cluster"),
        (["old.csv", "--old", "cluster", "--new", "claster"], "did you mean 'cluster'?"),
    ],
)
def test_the_command_speaks_of_old_and_new(arguments: list[str], message: str) -> None:
    given = [f"examples/{argument}" if argument.endswith(".csv") else argument for argument in arguments]
    code, out, err = run("diff", *given)
    assert (code, out) == (2, "")
    assert message in err
