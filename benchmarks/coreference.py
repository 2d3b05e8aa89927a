"""``python -m benchmarks.coreference``: the command on CoNLL text, imports, reading and all metrics included.

The reference scorer (Perl, v8.01) is not run here: its 96 CPU seconds were measured elsewhere, on data of the same
shape.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import clusterscore as cs
from benchmarks.timing import same, shown

PERL = 96.0  # CPU seconds for 3500 documents x 500 tokens x 60 mentions, all metrics
COREF = [sys.executable, "-m", "clusterscore", "coref"]
ORACLES = Path(__file__).resolve().parents[1] / "tests" / "oracles"
Spans = dict[tuple[int, int], int]


class Shape(NamedTuple):
    """How many documents of how many tokens and mentions; entities have about four mentions."""

    documents: int
    tokens: int = 500
    mentions: int = 60


def document(rng: np.random.Generator, shape: Shape, right: float) -> tuple[Spans, Spans]:
    """Mentions that lie side by side, each with its entity; the response keeps ``right`` of spans and entities."""
    starts = np.sort(rng.choice(shape.tokens // 2, shape.mentions, replace=False)) * 2
    ends = starts + rng.integers(0, 2, shape.mentions)
    entities = rng.integers(0, max(shape.mentions // 4, 1), shape.mentions)
    kept = rng.random(shape.mentions) < right
    guessed = np.where(kept, entities, rng.integers(0, max(shape.mentions // 4, 1), shape.mentions))
    guessed_ends = np.where(rng.random(shape.mentions) < (1 + right) / 2, ends, starts + (ends == starts))
    key = dict(zip(zip(starts.tolist(), ends.tolist(), strict=True), entities.tolist(), strict=True))
    response = dict(zip(zip(starts.tolist(), guessed_ends.tolist(), strict=True), guessed.tolist(), strict=True))
    return key, response


def lines(name: str, tokens: int, spans: Spans) -> Iterator[str]:
    """One document as CoNLL-2012: twelve columns, a sentence of 20 tokens."""
    cells = ["-"] * tokens
    for (start, end), entity in spans.items():
        if start == end:
            cells[start] = f"({entity})"
        else:
            cells[start], cells[end] = f"({entity}", f"{entity})"
    yield f"#begin document ({name}); part 000"
    for k, cell in enumerate(cells):
        yield f"{name} 0 {k % 20} word{k % 97} NN (NP*) - - - speaker#1 * {cell}"
        if k % 20 == 19:
            yield ""
    yield ""
    yield "#end document"


def write(
    folder: Path, shape: Shape, right: float = 0.7, seed: int = 0
) -> tuple[Path, Path, list[tuple[Spans, Spans]]]:
    rng = np.random.default_rng(seed)
    made = [document(rng, shape, right) for _ in range(shape.documents)]
    paths = folder / f"key{shape.documents}.conll", folder / f"response{shape.documents}.conll"
    for side, path in enumerate(paths):
        with path.open("w", encoding="utf-8") as text:
            for k, both in enumerate(made):
                text.writelines(f"{line}\n" for line in lines(f"bc/made/{k:05}", shape.tokens, both[side]))
    return *paths, made


def write_corefud(folder: Path, sentences: int, seed: int = 0) -> tuple[Path, Path]:
    """One document of CorefUD: in a sentence six mentions, some within others, and two zeros that may move."""
    rng = np.random.default_rng(seed)
    paths = folder / "key.conllu", folder / "response.conllu"
    spans = [(1, 2), (6, 11), (7, 8), (9, 9), (15, 17), (18, 19)]
    entities = rng.integers(0, 2 * sentences, (sentences, 8))
    for side, path in enumerate(paths):
        lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
        for row in entities:
            if side:
                row = np.where(rng.random(8) < 0.8, row, rng.integers(0, 2 * sentences, 8))
            shorter = rng.random(8) < 0.3 * side
            opened, closed = [[""] * 21 for _ in range(2)]
            for (start, end), entity, less in zip(spans, row, shorter[:6], strict=False):
                last = max(start, end - less)
                opened[start] += f"(e{entity}--1-" + (")" if last == start else "")
                closed[last] = (f"e{entity})" if last > start else "") + closed[last]
            zeros = {3 + 2 * shorter[6]: (row[6], "4:nsubj"), 12: (row[7], "13:nsubj")}
            for word in range(1, 21):
                misc = closed[word] + opened[word]
                lines.append(f"{word}\tw\t_\t_\t_\t_\t0\t_\t_\t" + (f"Entity={misc}" if misc else "_"))
                if word in zeros:
                    entity, deps = zeros[word]
                    lines.append(f"{word}.1\t_\t_\t_\t_\t_\t_\t_\t{deps}\tEntity=(e{entity}--1-)")
            lines.append("")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


class Seconds(NamedTuple):
    cpu: float
    wall: float


def command(key: Path, response: Path, *options: str, turns: int = 3) -> Seconds:
    """CPU seconds of the command, imports included; the best of several turns."""
    measured = []
    for _ in range(turns):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [*COREF, str(key), str(response), "--quiet", "--format", "json", *options],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        measured.append(Seconds(cpu, wall))
    return min(measured)


def as_entities(spans: Spans) -> list[list[Any]]:
    entities: dict[int, list[Any]] = {}
    for span, entity in spans.items():
        entities.setdefault(entity, []).append(span)
    return list(entities.values())


def check_values(folder: Path) -> None:
    """A fast wrong answer is no result: small documents against the brute-force oracle of the tests."""
    sys.path.insert(0, str(ORACLES))
    import brute_force as oracle

    key, response, made = write(folder, Shape(40, 60, 16), seed=1)
    documents = [(as_entities(gold), as_entities(pred)) for gold, pred in made]
    card = cs.coref(key, response)
    for name in oracle.SIDES:
        score = card[name]
        same([score.precision, score.recall, score.f], list(map(float, oracle.tally(name, documents).score())))
    same(card["conll"].value, float(oracle.conll_of_documents(documents)))
    same(card["blanc(links=document)"].value, float(oracle.blanc_of_documents(documents).f))


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        check_values(folder)
        print("values: equal to the brute-force oracle on 40 documents")
        whole, half = (command(*write(folder, Shape(documents))[:2]) for documents in (3500, 1750))
        long = command(*write(folder, Shape(1, 30_000, 6000))[:2])
        crac = ["--match", "head", "--zeros", "dependent", "--metrics"]
        files = write_corefud(folder, 5000)
        plain, zeros = (command(*files, *crac, metrics, turns=2) for metrics in ("conll", "conll, mor, zero"))
    print(f"3500 documents x 500 tokens x 60 mentions: {shown(whole.cpu)} CPU, {shown(whole.wall)} wall")
    print(
        f"  {PERL / whole.cpu:.1f}x faster than the reference scorer: {PERL:g} CPU seconds (measured elsewhere; >= 30x)"
    )
    print(
        f"1750 documents: {shown(half.cpu)} CPU; twice the documents take {whole.cpu / half.cpu:.2f}x the time (<= 2)"
    )
    print(
        f"one CorefUD document of 40,000 mentions: {shown(plain.cpu)} CPU by head, zeros by what they depend on; "
        f"{shown(zeros.cpu)} with mor and zero (< 3 s more)"
    )
    print(f"one document of 6000 mentions: {shown(long.cpu)} CPU, {shown(long.wall)} wall (< 2 s)")


if __name__ == "__main__":
    main()
