"""``python -m benchmarks.gpu``: tensors counted where they lie, against the sort of their packed keys alone.

Needs torch and NumPy, nothing else. N is 1e9 on a CUDA device and 1e7 without one; ``python -m benchmarks.gpu 1e8``
says it. A device that runs out of memory is tried again with half of the elements.
"""

from __future__ import annotations

import gc
import platform
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
METRICS = ["elm", "bcubed"]
OutOfMemory = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)  # the older of the two names
HEAD = ("what", "count", "ns an element", "sort alone", "ratio", "rows to the host", "peak memory beyond the labels")


def labels(elements: int, clusters: int, device: Any, right: float = 0.7) -> tuple[Any, Any]:
    """Gold labels, and a prediction that keeps ``right`` of them; made on the device, stretch by stretch."""
    generator = torch.Generator(device).manual_seed(0)
    gold = torch.randint(clusters, (elements,), generator=generator, device=device)
    pred = gold.clone()
    for part in pred.split(2**26):
        wrong = torch.rand(len(part), generator=generator, device=device) >= right
        part[wrong] = torch.randint(clusters, (int(wrong.sum()),), generator=generator, device=device)
    return gold, pred


def wait(device: Any) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def seconds(work: Callable[[], Any], device: Any) -> float:
    """The fastest turn, after one that does not count."""
    fastest = float("inf")
    for turn in range(TURNS + 1):
        wait(device)
        start = time.perf_counter()
        work()
        wait(device)
        fastest = min(fastest, time.perf_counter() - start) if turn else fastest
    return fastest


def check(clusters: int, device: Any) -> None:
    """Stop unless the scores are those of NumPy, to the last bit."""
    gold, pred = labels(CHECKED, clusters, device)
    ours = cs.score(gold, pred, metrics=METRICS)
    theirs = cs.score(gold.cpu().numpy(), pred.cpu().numpy(), metrics=METRICS)
    for name in METRICS:
        if ours[name] != theirs[name]:
            raise SystemExit(f"{name}, {clusters:,} clusters: {ours[name]} on {device}, {theirs[name]} with NumPy")


def peak(work: Callable[[], Any], device: Any) -> int | None:
    """Bytes allocated at the peak beyond what was there before; None where nobody counts them."""
    if device.type != "cuda":
        return None
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    work()
    wait(device)
    return int(torch.cuda.max_memory_allocated(device)) - before


def measure(elements: int, clusters: int, device: Any) -> list[str]:
    """One row: the count up to what every score is made of, the sort, and the memory."""
    gold, pred = labels(elements, clusters, device)

    def count() -> int:
        return len(cs.Table.from_labels(gold, pred).rows().n)

    rows, room = count(), peak(count, device)
    counted = seconds(count, device)
    keys = torch.add(pred, gold, alpha=1 << (clusters - 1).bit_length())
    sort = seconds(lambda: torch.sort(keys), device)
    memory = "" if room is None else f"{room / 2**30:.1f} GiB, {room / elements:.0f} bytes an element"
    return [
        f"N={elements:.0e}, {clusters:,} clusters, 70% right", f"{counted:.3f} s", f"{counted / elements * 1e9:.3f}",
        f"{sort:.3f} s", f"{counted / sort:.2f}x the time", f"{rows:,}", memory,
    ]  # fmt: skip


def measured(elements: int, share: int | None, device: Any) -> list[str]:
    """As :func:`measure`, with fewer elements where the device cannot hold them."""
    while True:
        try:
            return measure(elements, 1000 if share is None else elements // share, device)
        except OutOfMemory as error:
            if elements < 10**6:
                raise
            print(f"N={elements:.0e} does not fit ({str(error).splitlines()[0]}); half of it", file=sys.stderr)
        elements //= 2
        gc.collect()
        torch.cuda.empty_cache()


def main() -> None:
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", torch.cuda.current_device()) if cuda else torch.device("cpu")
    name = torch.cuda.get_device_name(device) if cuda else f"no CUDA device, {platform.machine()} CPU instead"
    elements = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**9 if cuda else 10**7
    for clusters in (1000, CHECKED // 4):
        check(clusters, device)
    print(f"{date.today()}, {name}, torch {torch.__version__}, NumPy {np.__version__}. ", end="")
    print(f"{' and '.join(METRICS)} equal NumPy's to the last bit at N={CHECKED:.0e}.\n")
    print("| " + " | ".join(HEAD) + " |\n| :--- |" + " ---: |" * (len(HEAD) - 1), flush=True)
    for share in (None, 4):
        print("| " + " | ".join(measured(elements, share, device)) + " |", flush=True)


if __name__ == "__main__":
    main()
