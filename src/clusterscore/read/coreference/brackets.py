"""Brackets of CoNLL files, matched in all documents at once.

A cell such as ``(12|(3)|7)`` opens, holds and closes mentions of entities. In a cell the reference scorer takes whole
mentions first, then what opens, then what closes; mentions of one entity close in the reverse order of opening.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.read.coreference.lines import Flags

_ID = re.compile(rb"[^()|\n]+")
_WHOLE, _OPENS, _CLOSES, _NEITHER = range(4)


class Items(NamedTuple):
    """What stands in the cells: one item for each id, in the order in which it takes effect."""

    cell: Ints
    kind: Ints
    entity: Ints  # a code of the id
    ids: list[bytes]  # what the codes stand for
    malformed: Ints  # cells with something else in them


class Matched(NamedTuple):
    """Mentions as the items that open and close them, and items without a partner."""

    opening: Ints
    closing: Ints
    unclosed: Ints
    unopened: Ints


def items(cells: bytes) -> Items:
    """Take cells apart; each of them ends with a newline."""
    letters = np.frombuffer(cells, np.uint8)
    breaks = letters == ord("\n")
    opens, closes = letters == ord("("), letters == ord(")")
    inside = ~(breaks | opens | closes | (letters == ord("|")))
    cell = np.cumsum(breaks)
    before, after = _shifted(inside, 1), _shifted(inside, -1)
    starts, stops = np.flatnonzero(inside & ~before), np.flatnonzero(inside & ~after)
    opening, closing = _shifted(opens, 1)[starts], _shifted(closes, -1)[stops]
    kind = np.where(opening & closing, _WHOLE, np.where(opening, _OPENS, np.where(closing, _CLOSES, _NEITHER)))
    stray = (opens & ~after) | (closes & ~before)
    malformed = np.union1d(cell[stray], cell[starts[kind == _NEITHER]])

    found = _ID.findall(cells)
    index = {name: k for k, name in enumerate(dict.fromkeys(found))}
    entity = np.fromiter(map(index.__getitem__, found), np.int64, len(found))
    mine = cell[starts]
    order = np.argsort(mine * len(_KINDS) + kind, kind="stable")
    order = order[kind[order] != _NEITHER]
    return Items(mine[order], kind[order], entity[order], list(index), malformed)


_KINDS = (_WHOLE, _OPENS, _CLOSES, _NEITHER)


def _shifted(flags: Flags, by: int) -> Flags:
    moved = np.zeros_like(flags)
    if by > 0:
        moved[by:] = flags[:-by]
    else:
        moved[:by] = flags[-by:]
    return moved


def match(kind: Ints, group: Ints) -> Matched:
    """Pair what opens with what closes, the last opened first, among the items of one group."""
    whole = np.flatnonzero(kind == _WHOLE)
    halves = np.flatnonzero(kind != _WHOLE)
    halves = halves[np.argsort(group[halves], kind="stable")]
    mine, opens = group[halves], kind[halves] == _OPENS
    level, broken = _levels(mine, opens)
    ends = halves[~broken]
    order = np.lexsort((level[~broken], mine[~broken]))
    pairs = ends[order].reshape(-1, 2)  # on one level of a sound group they take turns
    rest, unclosed, unopened = _one_by_one(halves[broken], mine[broken], opens[broken])
    return Matched(
        np.concatenate([whole, pairs[:, 0], rest[:, 0]]),
        np.concatenate([whole, pairs[:, 1], rest[:, 1]]),
        unclosed,
        unopened,
    )


def _levels(group: Ints, opens: Array) -> tuple[Ints, Flags]:
    """How deep each bracket lies in its group, and whether the group has one without a partner."""
    if not len(group):
        return group, np.zeros(0, np.bool_)
    depth = np.cumsum(np.where(opens, 1, -1))
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    sizes = np.diff(starts, append=len(group))
    ground = np.concatenate([[0], depth[starts[1:] - 1]])
    depth -= np.repeat(ground, sizes)
    last = depth[starts + sizes - 1]
    broken = (np.minimum.reduceat(depth, starts) < 0) | (last != 0)
    return depth + ~opens, np.repeat(broken, sizes)


def _one_by_one(index: Ints, group: Ints, opens: Array) -> tuple[Ints, Ints, Ints]:
    """The same for groups that have a bracket too many."""
    pairs: list[tuple[int, int]] = []
    unopened: list[int] = []
    waiting: dict[int, list[int]] = {}
    for item, mine, opening in zip(index.tolist(), group.tolist(), opens.tolist(), strict=True):
        stack = waiting.setdefault(mine, [])
        if opening:
            stack.append(item)
        elif stack:
            pairs.append((stack.pop(), item))
        else:
            unopened.append(item)
    unclosed = sorted(item for stack in waiting.values() for item in stack)
    return (
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(unclosed, np.int64),
        np.array(sorted(unopened), np.int64),
    )
