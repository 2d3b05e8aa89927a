"""Diarization by its definitions, instant by instant and map by map, in fractions; slow, and made of nothing of ours.

A recording is ``{"ref": [(start, end, speaker)], "hyp": [...], "uem": [(start, end)] | None}``, times as text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any, NamedTuple

Turn = tuple[Fraction, Fraction, str]
Span = tuple[Fraction, Fraction]
Map = dict[str, str]


class Instant(NamedTuple):
    """A stretch of time in which nothing changes."""

    length: Fraction
    ref: Counter[str]
    hyp: Counter[str]
    in_base: bool
    scored: bool


def exact(rows: Iterable[Any]) -> list[Turn]:
    turns = [(Fraction(start), Fraction(end), speaker) for start, end, speaker in rows]
    return [turn for turn in turns if turn[0] < turn[1]]


def joined(turns: list[Turn], how: str) -> list[Turn]:
    if how == "count":
        return turns
    made: list[Turn] = []
    for start, end, speaker in sorted(turns, key=lambda turn: (turn[2], turn[0], turn[1])):
        if made and made[-1][2] == speaker and (start < made[-1][1] or (how == "merge" and start == made[-1][1])):
            made[-1] = (made[-1][0], max(end, made[-1][1]), speaker)
        else:
            made.append((start, end, speaker))
    return made


def union(spans: Iterable[Span]) -> list[Span]:
    return [(start, end) for start, end, _ in joined([(*span, "") for span in spans], "merge")]


def base_of(recording: dict[str, Any], base: str = "both") -> list[Span]:
    if recording["uem"] is not None:
        return union((Fraction(start), Fraction(end)) for start, end in recording["uem"])
    turns = exact(recording["ref"]) + (exact(recording["hyp"]) if base == "both" else [])
    return [(min(turn[0] for turn in turns), max(turn[1] for turn in turns))] if turns else []


def cut(turns: list[Turn], base: list[Span]) -> list[Turn]:
    pieces = [(max(start, low), min(end, high), who) for start, end, who in turns for low, high in base]
    return [piece for piece in pieces if piece[0] < piece[1]]


def instants(
    recording: dict[str, Any],
    *,
    collar: Any = 0,
    skip_overlap: bool = False,
    turns: str = "merge",
    base: str = "both",
    trim: bool = False,
) -> list[Instant]:
    region = base_of(recording, base)
    ref, hyp = (exact(recording[side]) for side in ("ref", "hyp"))
    if trim:
        ref, hyp = cut(ref, region), cut(hyp, region)
    ref, hyp, collar = joined(ref, turns), joined(hyp, turns), Fraction(collar)
    edges = [edge for start, end, _ in ref for edge in (start, end)] if collar else []
    times = {time for span in (*ref, *hyp, *region) for time in span[:2]}
    times |= {edge + sign * collar for edge in edges for sign in (1, -1)}
    made = []
    for start, end in pairwise(sorted(times)):
        middle = (start + end) / 2
        speakers = [Counter(who for low, high, who in side if low <= middle < high) for side in (ref, hyp)]
        in_base = any(low <= middle < high for low, high in region)
        scored = in_base and all(abs(edge - middle) > collar for edge in edges)
        scored = scored and not (skip_overlap and speakers[0].total() > 1)
        made.append(Instant(end - start, speakers[0], speakers[1], in_base, scored))
    return made


def maps(ref: Iterable[str], hyp: Iterable[str]) -> Iterator[Map]:
    """All one-to-one maps of as many speakers as possible."""
    left, right = sorted(ref), sorted(hyp)
    if len(left) <= len(right):
        yield from (dict(zip(left, chosen, strict=True)) for chosen in permutations(right, len(left)))
    else:
        yield from (dict(zip(chosen, right, strict=True)) for chosen in permutations(left, len(right)))


def best(made: list[Instant], gain: Callable[[Map], Any]) -> Map:
    speakers = ({who for instant in made for who in getattr(instant, side)} for side in ("ref", "hyp"))
    return max(maps(*speakers), key=gain)


def time_of(made: list[Instant], speaker: str, side: str) -> Fraction:
    return sum((i.length for i in made if i.scored and getattr(i, side)[speaker]), Fraction(0))


def common(made: list[Instant], ref: str, hyp: str, scored: bool = True) -> Fraction:
    used = (i for i in made if (i.scored if scored else i.in_base))
    return sum((i.length * i.ref[ref] * i.hyp[hyp] for i in used), Fraction(0))


def der_parts(recording: dict[str, Any], *, map: str = "scored", **options: Any) -> dict[str, Fraction]:
    made = instants(recording, **options)

    def right(mapped: Map) -> Fraction:
        pairs = (min(i.ref[r], i.hyp[h]) * i.length for i in made if i.scored for r, h in mapped.items())
        return sum(pairs, Fraction(0))

    def gain(mapped: Map) -> Any:
        return sum((common(made, r, h, map == "scored") for r, h in mapped.items()), Fraction(0)), right(mapped)

    mapped = best(made, gain)
    sums = dict.fromkeys(("miss", "false_alarm", "confusion", "total"), Fraction(0))
    for i in (i for i in made if i.scored):
        r, h = i.ref.total(), i.hyp.total()
        sums["miss"] += i.length * max(0, r - h)
        sums["false_alarm"] += i.length * max(0, h - r)
        sums["confusion"] += i.length * min(r, h)
        sums["total"] += i.length * r
    sums["confusion"] -= right(mapped)
    return sums


def der(files: list[dict[str, Any]], *, recordings: str = "all", empty: Any = 1, **options: Any) -> dict[str, Fraction]:
    sums = dict.fromkeys(("miss", "false_alarm", "confusion", "total"), Fraction(0))
    for file in files:
        turns = exact(file["ref"])
        if options.get("trim"):
            turns = cut(turns, base_of(file, options.get("base", "both")))
        parts = der_parts(file, **options)
        if (recordings == "referenced" and not turns) or (recordings == "scored" and not parts["total"]):
            continue
        sums = {name: sums[name] + parts[name] for name in sums}
    errors = sums["miss"] + sums["false_alarm"] + sums["confusion"]
    value = errors / sums["total"] if sums["total"] else Fraction(empty) if errors else Fraction(0)
    return {"der": value, **sums}


def jer_errors(recording: dict[str, Any], *, map: str = "time", **options: Any) -> list[Fraction]:
    """The error of each reference speaker."""
    made = [i for i in instants(recording, **options) if i.scored]

    def error(r: str, h: str) -> Fraction:
        both = sum((i.length for i in made if i.ref[r] and i.hyp[h]), Fraction(0))
        return 1 - both / (time_of(made, r, "ref") + time_of(made, h, "hyp") - both)

    def errors(mapped: Map) -> Fraction:
        return sum((error(r, h) - 1 for r, h in mapped.items()), Fraction(0))

    def gain(mapped: Map) -> Any:
        if map == "jaccard":
            return -errors(mapped)
        return sum((common(made, r, h) for r, h in mapped.items()), Fraction(0)), -errors(mapped)

    mapped = best(made, gain)
    speakers = sorted({who for i in made for who in i.ref})
    return [error(r, mapped[r]) if r in mapped else Fraction(1) for r in speakers]


def purity_parts(recording: dict[str, Any], swap: bool = False) -> dict[str, Fraction]:
    made = [i for i in instants(recording) if i.in_base]
    ref, hyp = (sorted({who for i in made for who in getattr(i, side)}) for side in ("ref", "hyp"))
    shared = {(r, h): common(made, r, h) for r in ref for h in hyp}
    if swap:
        ref, hyp, shared = hyp, ref, {(h, r): time for (r, h), time in shared.items()}
    most = sum((max((shared[r, h] for r in ref), default=Fraction(0)) for h in hyp), Fraction(0))
    all_time = sum((time_of(made, h, "ref" if swap else "hyp") for h in hyp), Fraction(0))
    return {"most": most, "all": all_time, "shared": sum(shared.values(), Fraction(0))}


def frames(recording: dict[str, Any], step: str = "0.01", kind: str = "middle") -> list[tuple[str, str]]:
    """The speakers of every frame on both sides: of its middle, from 0 on; or of its first instant, as in dscore."""
    sides = [exact(recording["ref"]), exact(recording["hyp"])]
    every = [time for side in sides for turn in side for time in turn[:2]]
    if kind == "middle":
        region = (
            base_of(recording) if recording["uem"] is not None else [(Fraction(0), max(every, default=Fraction(0)))]
        )
        last, length = max((end for _, end in region), default=Fraction(0)), Fraction(step)
        instants = [length * (2 * k + 1) / 2 for k in range(int(last / length) + 2)]
    else:  # binary fractions; the end of a turn is its start and its duration added up
        turns = [[(float(start), float(start) + float(end - start), who) for start, end, who in side] for side in sides]
        region = [(float(start), float(end)) for start, end in recording["uem"] or ()]
        if recording["uem"] is None and every:
            region = [(min(t[0] for side in turns for t in side), max(t[1] for side in turns for t in side))]
        last = max((end for _, end in region), default=0.0)
        instants = [float(step) * k for k in range(int(last / float(step)))]
        sides = turns
    return [
        tuple("+".join(sorted({who for start, end, who in side if start <= at < end})) for side in sides)
        for at in instants
        if any(start <= at < end for start, end in region)
    ]


def frame_jer(files: list[dict[str, Any]], step: str = "0.01") -> float:
    """Mean error of the speakers of gold in frames, with the map that makes it least."""
    errors: list[Fraction] = []
    heard = 0
    for file in files:
        shown = [[set(side.split("+")) for side in frame] for frame in frames(file, step, "dscore")]
        base = base_of(file)
        ref, hyp = (sorted({who for _, _, who in cut(exact(file[side]), base)}) for side in ("ref", "hyp"))
        heard += len(hyp)

        def error(r: str, h: str, shown: Any = shown) -> Fraction:
            both, either = (sum(op((r in a, h in b)) for a, b in shown) for op in (all, any))
            return 1 - Fraction(both, either) if either else Fraction(1)

        errors += min(
            ([error(r, mapped[r]) if r in mapped else Fraction(1) for r in ref] for mapped in maps(ref, hyp)), key=sum
        )
    return float(sum(errors) / len(errors)) if errors else float(heard > 0)
