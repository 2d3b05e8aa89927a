"""``--truncate``: the digits of the reference scorer, worked out here by its own loops over chains and mentions."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

from clusterscore.command import cli

Chains = list[list[int]]


def conll(documents: list[Chains], tokens: int) -> str:
    """Mentions of one token each."""
    lines = []
    for number, chains in enumerate(documents):
        lines.append(f"#begin document (d{number}); part 000")
        cells = {mention: f"({k})" for k, chain in enumerate(chains) for mention in chain}
        lines += [f"d{number} 0 {token} w x {cells.get(token, '-')}" for token in range(tokens)]
        lines.append("#end document;")
    return "\n".join(lines) + "\n"


def ordered(chains: Chains) -> Chains:
    """As they stand in the file: by first mention, mentions from left to right."""
    return sorted(map(sorted, chains))


def divided(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def digits(numerators: list[tuple[float, float]], denominators: list[tuple[int, int]]) -> list[str]:
    """P, R and F of (recall, precision) parts, added one document after the other."""
    right, total = [0.0, 0.0], [0, 0]
    for mine, whole in zip(numerators, denominators, strict=True):
        right = [right[0] + mine[0], right[1] + mine[1]]
        total = [total[0] + whole[0], total[1] + whole[1]]
    recall, precision = (divided(a, b) for a, b in zip(right, total, strict=True))
    f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return [f"{int(x * 10000) / 100:.2f}" for x in (precision, recall, f)]


def muc(key: Chains, response: Chains) -> tuple[tuple[float, float], tuple[int, int]]:
    right = sum(len(set(k) & set(r)) - 1 for k in key for r in response if set(k) & set(r))
    return (right, right), (sum(len(k) - 1 for k in key), sum(len(r) - 1 for r in response))


def b3(key: Chains, response: Chains) -> tuple[tuple[float, float], tuple[int, int]]:
    recall = precision = 0.0
    for r in response:
        for mention in r:
            for k in key:
                if mention in k:
                    common = len(set(k) & set(r))
                    precision += common / len(r)
                    recall += common / len(k)
    return (recall, precision), (sum(map(len, key)), sum(map(len, response)))


def ceafe(key: Chains, response: Chains) -> tuple[tuple[float, float], tuple[int, int]]:
    """Every assignment is tried."""
    far = [[1 - 2 * len(set(k) & set(r)) / (len(k) + len(r)) for r in response] for k in key]
    rows = [row + [1.0] * max(0, len(key) - len(response)) for row in far]
    best = min(permutations(range(max(len(key), len(response))), len(key)),
               key=lambda chosen: (round(sum(rows[i][j] for i, j in enumerate(chosen)), 9), chosen))  # fmt: skip
    total = 0.0
    for i, j in enumerate(best):
        total += 1 - rows[i][j]
    return (total, total), (len(key), len(response))


WAYS = {"muc": muc, "b3": b3, "ceafe": ceafe}


def printed(folder: Path, key: list[Chains], response: list[Chains], tokens: int) -> dict[str, list[str]]:
    for name, side in (("key", key), ("response", response)):
        (folder / f"{name}.conll").write_text(conll(side, tokens))
    files = [str(folder / f"{name}.conll") for name in ("key", "response")]
    done = CliRunner().invoke(cli, ["coref", *files, "--truncate", "--quiet"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.stdout.splitlines()]
    return {row[0].lower(): row[1:4] for row in rows if row and row[0].lower() in WAYS}


def expected(name: str, key: list[Chains], response: list[Chains]) -> list[str]:
    parts = [WAYS[name](ordered(k), ordered(r)) for k, r in zip(key, response, strict=True)]
    return digits([part[0] for part in parts], [part[1] for part in parts])


def test_124_of_125_links(tmp_path: Path) -> None:
    """P is 1 and R 62/63, so F is 124/125 = 0.992, and what the scorer computes is a hair below."""
    chain = list(range(64))
    key, response = [[chain]], [[chain[:63]]]
    assert printed(tmp_path, key, response, 70)["muc"] == ["100.00", "98.41", "99.19"] == expected("muc", key, response)


def one_fraction(links: int, right: int) -> tuple[Chains, Chains]:
    """A chain of which the response has some links, and as many wrong ones as are missing."""
    chain = list(range(links + 1))
    rest = range(links + 1, 2 * links - right + 1)
    return [chain], [chain[: right + 1], *([[right + 1, *rest]] if right < links else [])]


@pytest.mark.parametrize(
    ("right", "links", "shown"),
    [(21, 25, "84.00 84.00 83.99"), (43, 50, "86.00 86.00 85.99"), (57, 100, "56.99 56.99 56.99"),
     (51, 125, "40.79 40.79 40.79"), (58, 100, "58.00 58.00 58.00"), (124, 125, "99.20 99.20 99.20")],
)  # fmt: skip
def test_fractions_with_two_decimals(tmp_path: Path, right: int, links: int, shown: str) -> None:
    """What Perl prints: 10000 times a double is not always the whole number."""
    key, response = one_fraction(links, right)
    score = printed(tmp_path, [key], [response], 3 * links)["muc"]
    assert score == shown.split() == expected("muc", [key], [response])


@pytest.mark.parametrize("seed", range(40))
def test_random_files(tmp_path: Path, seed: int) -> None:
    """Small chains make round values, where sums of thirds, fifths and sixths fall short."""
    draw = random.Random(seed)

    def side(mentions: int) -> Chains:
        chains: dict[int, list[int]] = {}
        for mention in range(mentions):
            if draw.random() < 0.9:
                chains.setdefault(draw.randrange(5), []).append(mention)
        return list(chains.values())

    sizes = [draw.randrange(6, 13) for _ in range(draw.randrange(1, 4))]
    key, response = [[side(size) for size in sizes] for _ in range(2)]
    scores = printed(tmp_path, key, response, max(sizes))
    for name in ("muc", "b3"):
        assert scores[name] == expected(name, key, response), name
    got, wanted = scores["ceafe"], expected("ceafe", key, response)
    # of several best assignments the scorers may take different ones, with sums that differ in the last bit
    assert all(abs(float(a) - float(b)) < 0.011 for a, b in zip(got, wanted, strict=True))
