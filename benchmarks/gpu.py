"""``python -m benchmarks.gpu``: tensors counted where they lie, against the sort of their packed keys alone.

Needs a CUDA device, torch and NumPy, nothing else. N is 1e9; ``python -m benchmarks.gpu 1e8`` says it. A device that
runs out of memory is tried again with half of the elements. A second table has what scores take beside the count.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import torch

import clusterscore as cs

TURNS = 5
CHECKED = 10**6
NEAR = 1e-13
TWO = ["elm", "bcubed"]
SIZES = [(10**4, 50), (10**5, 200), (10**6, 1000), (10**7, 1000), (10**8, 1000), (10**8, 10**7)]
OutOfMemory = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)  # the older of the two names
COUNTED = ("what", "count", "ns an element", "sort alone", "ratio", "cells", "peak memory beyond the labels")
SCORED = ("labels", "clusters", "count", "elm", "elm + bcubed", "default set")


def labels(elements: int, clusters: int, device: Any, right: float = 0.7) -> tuple[Any, Any]:
    """Gold labels, and a prediction that keeps ``right`` of them; made on the device, stretch by stretch."""
    generator = torch.Generator(device).manual_seed(0)
    gold = torch.randint(clusters, (elements,), generator=generator, device=device)
    pred = gold.clone()
    for part in pred.split(2**26):
        wrong = torch.rand(len(part), generator=generator, device=device) >= right
        part[wrong] = torch.randint(clusters, (int(wrong.sum()),), generator=generator, device=device)
    return gold, pred


def seconds(work: Callable[[], Any], device: Any) -> float:
    """The fastest turn, after one that does not count."""
    fastest = float("inf")
    for turn in range(TURNS + 1):
        torch.cuda.synchronize(device)
        start = time.perf_counter()
        work()
        torch.cuda.synchronize(device)
        fastest = min(fastest, time.perf_counter() - start) if turn else fastest
    return fastest


def check(clusters: int, device: Any) -> float:
    """How far scores are from NumPy's at most; stop where that is too far."""
    gold, pred = labels(CHECKED, clusters, device)
    documents = torch.arange(CHECKED, device=device) % 77
    apart = 0.0
    for where in (None, documents):
        ours = cs.score(gold, pred, documents=where)
        hosts = (None if side is None else side.cpu().numpy() for side in (gold, pred, where))
        theirs = cs.score(next(hosts), next(hosts), documents=next(hosts))
        apart = max(apart, *(abs(ours[name].value - theirs[name].value) for name in theirs))
    if apart > NEAR:
        raise SystemExit(f"{clusters:,} clusters: scores are {apart} from NumPy's")
    return apart


def peak(work: Callable[[], Any], device: Any) -> int:
    """Bytes allocated at the peak beyond what was there before."""
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    work()
    torch.cuda.synchronize(device)
    return int(torch.cuda.max_memory_allocated(device)) - before


def counted(elements: int, clusters: int, device: Any) -> list[str]:
    """A row of the first table: the count, the sort, and the memory."""
    gold, pred = labels(elements, clusters, device)

    def count() -> cs.Table:
        return cs.Table.from_labels(gold, pred)

    cells, room, time_ = len(count().counts.n), peak(count, device), seconds(count, device)
    keys = torch.add(pred, gold, alpha=1 << (clusters - 1).bit_length())
    sort = seconds(lambda: torch.sort(keys), device)
    return [
        f"N={elements:.0e}, {clusters:,} clusters, 70% right", f"{time_:.3f} s", f"{time_ / elements * 1e9:.3f}",
        f"{sort:.3f} s", f"{time_ / sort:.2f}x the time", f"{cells:,}",
        f"{room / 2**30:.1f} GiB, {room / elements:.0f} bytes an element",
    ]  # fmt: skip


def counted_as_fits(elements: int, share: int | None, device: Any) -> list[str]:
    """The same, with fewer elements where the device cannot hold them."""
    while True:
        try:
            return counted(elements, 1000 if share is None else elements // share, device)
        except OutOfMemory as error:
            if elements < 10**6:
                raise
            print(f"N={elements:.0e} does not fit ({str(error).splitlines()[0]}); half of it", file=sys.stderr)
        elements //= 2
        gc.collect()
        torch.cuda.empty_cache()


def scored(elements: int, clusters: int, device: Any) -> list[str]:
    """A row of the second table: what scores take, everything included, and how many times the count that is."""
    gold, pred = labels(elements, clusters, device)
    count = seconds(lambda: cs.Table.from_labels(gold, pred), device)
    scores = (lambda: cs.elm(gold, pred), lambda: cs.score(gold, pred, metrics=TWO), lambda: cs.score(gold, pred))
    times = [seconds(score, device) for score in scores]
    shown = (f"{1e3 * time_:.2f} ms ({time_ / count:.2f}x)" for time_ in times)
    return [f"{elements:.0e}", f"{clusters:,}", f"{1e3 * count:.2f} ms", *shown]


def print_row(row: Any) -> None:
    print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    if not torch.cuda.is_available():
        raise SystemExit("there is no CUDA device; tensors in main memory are counted as arrays")
    device = torch.device("cuda", torch.cuda.current_device())
    elements = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**9
    apart = max(check(clusters, device) for clusters in (1000, CHECKED // 4))
    print(f"{date.today()}, {torch.cuda.get_device_name(device)}, torch {torch.__version__}, NumPy {np.__version__}.")
    print(f"The default set, with and without documents, is {apart:.0e} from NumPy's at N={CHECKED:.0e}.\n")
    for head, rows in (
        (COUNTED, (counted_as_fits(elements, share, device) for share in (None, 4))),
        (SCORED, (scored(*size, device) for size in [*SIZES, (elements, 1000)])),
    ):
        print_row(head)
        print_row([":---", *["---:"] * (len(head) - 1)])
        for row in rows:
            print_row(row)
        print()


if __name__ == "__main__":
    main()
