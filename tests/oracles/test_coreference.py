"""The coreference measures against the brute-force oracle: several documents, mentions on one side only."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import brute_force as oracle
import pytest
from test_against_oracle import partitions

import clusterscore as cs

TOLERANCE = 1e-12
NAMES = list(oracle.SIDES)
half = Fraction(1, 2)


def far(value: float, expected: Fraction) -> bool:
    return abs(value - float(expected)) > TOLERANCE


def entities(labels: tuple[int | None, ...]) -> list[list[int]]:
    """Entities of the mentions that have a label; None: the side does not have that mention."""
    known = sorted({label for label in labels if label is not None})
    return [[m for m, label in enumerate(labels) if label == k] for k in known]


def random_entities(rng: random.Random, most: int = 7) -> list[list[int]]:
    share = rng.choice([0.0, 0.6, 0.8, 1.0])
    kinds = rng.choice([1, 2, 3, 5])
    return entities(tuple(rng.randrange(kinds) if rng.random() < share else None for _ in range(most)))


def sides(documents: oracle.Documents) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    """Both sides as mappings of mentions to entities, and the document of every mention."""
    both: tuple[dict[Any, Any], dict[Any, Any]] = {}, {}
    for d, document in enumerate(documents):
        for side, clusters in zip(both, document, strict=True):
            side.update({(d, m): k for k, cluster in enumerate(clusters) for m in cluster})
    return *both, {mention: mention[0] for side in both for mention in side}


def check(documents: oracle.Documents) -> None:
    gold, pred, of = sides(documents)
    for name in NAMES:
        score, tally = getattr(cs, name)(gold, pred, documents=of), oracle.tally(name, documents)
        expected = tally.score()
        assert not any(map(far, (score.precision, score.recall, score.f), expected)), (name, documents)
        for part, value in tally._asdict().items():
            assert not far(score.extras[part], value), (name, part, documents)
    assert not far(cs.conll(gold, pred, documents=of).value, oracle.conll_of_documents(documents)), documents
    for dialect, weight in product(("reference", "luo2014"), (half, Fraction(1, 5))):
        score = cs.blanc(
            gold, pred, documents=of, missing="keep", links="document", dialect=dialect, weight=float(weight)
        )
        expected = oracle.blanc_of_documents(documents, weight, dialect)
        assert not any(map(far, (score.precision, score.recall, score.f), expected)), (dialect, weight, documents)


def test_the_oracle_where_it_can_be_worked_out_by_hand() -> None:
    """Key abc|d, response ab|cde: MUC 1/2 and 1/3; B3 R (4/3 + 1/3 + 1)/4, P (2 + 2/3)/5; LEA R 1/4, P 2/5."""
    document = [(["abc", "d"], ["ab", "cde"])]
    assert oracle.tally("muc", document) == (1, 2, 1, 3)
    assert oracle.tally("b3", document) == (Fraction(8, 3), 4, Fraction(8, 3), 5)
    assert oracle.tally("ceafm", document) == (3, 4, 3, 5)
    assert oracle.tally("ceafe", document) == (Fraction(4, 5) + half, 2, Fraction(4, 5) + half, 2)
    assert oracle.tally("lea", document) == (1, 4, 2, 5)
    assert oracle.tally("mentions", document) == (4, 4, 4, 5)
    f = [Fraction(2, 5), 2 * Fraction(2, 3) * Fraction(8, 15) / (Fraction(2, 3) + Fraction(8, 15)), Fraction(13, 20)]
    assert oracle.conll_of_documents(document) == sum(f) / 3
    # coreferent: 1 of 3 and 1 of 4; the others: ad, bd, and of the key's 3 and the response's 6, both
    assert oracle.blanc_of_documents(document).recall == half * (Fraction(1, 3) + Fraction(2, 3))


def one_sided(n: int) -> list[list[list[int]]]:
    """All entities of all subsets of n mentions."""
    clusterings = []
    for there in product([False, True], repeat=n):
        kept = [m for m in range(n) if there[m]]
        for labels in partitions(len(kept)) if kept else [()]:
            clusterings.append([[m for m, k in zip(kept, labels, strict=True) if k == j] for j in sorted(set(labels))])
    return clusterings


def test_all_pairs_of_three_mentions_one_sided_ones_included() -> None:
    """Each pair is a document; every document's own score is the oracle's."""
    documents = list(product(one_sided(3), repeat=2))
    gold, pred, of = sides(documents)
    names = [*NAMES, "conll", "blanc(links=document)", "blanc(links=document, dialect=luo2014)"]
    table = cs.score(gold, pred, documents=of, metrics=names, missing="keep").documents
    seen = table["document"].tolist()
    assert len(seen) == len(documents) - 1  # all but the one without mentions
    for k, d in enumerate(seen):
        only = [documents[d]]
        for name in NAMES:
            assert not far(table[name][k], oracle.tally(name, only).score().f), (name, only)
        assert not far(table["conll"][k], oracle.conll_of_documents(only)), only
        assert not far(table[names[-2]][k], oracle.blanc_of_documents(only).f), only
        assert not far(table[str(cs.metric(names[-1]))][k], oracle.blanc_of_documents(only, dialect="luo2014").f), only


@pytest.mark.parametrize("seed", range(4))
def test_random_documents(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        check([(random_entities(rng), random_entities(rng)) for _ in range(rng.randint(1, 4))])


def test_no_document_has_anything_in_common() -> None:
    check([([[0, 1], [2]], [[3, 4]]), ([], [[0]]), ([[0, 1]], [])])
