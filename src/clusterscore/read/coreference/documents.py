"""Which document of the response is which of the key, and whether they are made of the same tokens."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.errors import ElementMismatch, InputError, plural
from clusterscore.read.coreference.file import CorefFile, paired_name, short
from clusterscore.read.coreference.tokens import first_differences


def same_documents(key: CorefFile, response: CorefFile) -> tuple[Ints, list[str]]:
    """For each document of the response the one of the key, or -1; and what is to be said about them."""
    if key.offsets != response.offsets:
        raise InputError(
            f"mentions count {key.offsets} in {key.called} and {response.offsets} in {response.called}, so none would "
            "match; give both the same way"
        )
    index = {paired_name(name): k for k, name in enumerate(key.names)}
    home = np.array([index.get(paired_name(name), -1) for name in response.names], np.int64)
    if (home < 0).all():
        raise ElementMismatch(
            f"{key.called} and {response.called} have no document in common (e.g. {key.names[0]!r} and "
            f"{response.names[0]!r}); name them alike: (a); part 000 in CoNLL is a_0 in other formats"
        )
    return home, _one_sided(key, response, home) + _different_tokens(key, response, home)


def _one_sided(key: CorefFile, response: CorefFile, home: Ints) -> list[str]:
    warnings = []
    there = np.zeros(len(key.names), np.bool_)
    there[home[home >= 0]] = True
    absent = np.flatnonzero(~there)
    if len(absent):
        warnings.append(
            f"{response.called}: {plural(len(absent), 'document')} of the {len(there):,} in {key.called} missing (e.g. "
            f"{key.names[int(absent[0])]!r}); scored as empty"
        )
    extra = np.flatnonzero(home < 0)
    if len(extra):
        warnings.append(
            f"{response.called}: {plural(len(extra), 'document')} of its {len(home):,} not in {key.called} (e.g. "
            f"{response.names[int(extra[0])]!r}); ignored, as in the reference scorer"
        )
    return warnings


def _different_tokens(key: CorefFile, response: CorefFile, home: Ints) -> list[str]:
    theirs = np.flatnonzero(home >= 0)
    ours = home[theirs]
    count, other = key.tokens.counts[ours], response.tokens.counts[theirs]
    known = (count >= 0) & (other >= 0)
    apart = np.flatnonzero(known & (count != other))
    same = np.flatnonzero(known & (count == other))
    where = first_differences(key.tokens, response.tokens, ours[same], theirs[same])
    differ = np.flatnonzero(where >= 0)
    if not len(apart) and not len(differ):
        return []
    unit = key.offsets[:-1]
    if len(apart):
        k = int(apart[0])
        example = f"{plural(int(other[k]), unit)}, not {int(count[k]):,}"
    else:
        k = int(same[differ[0]])
        example = _one_difference(key, response, int(ours[k]), int(theirs[k]), int(where[differ[0]]))
    return [
        f"{response.called}: the {unit}s of {plural(len(apart) + len(differ), 'document')} differ from those of "
        f"{key.called} (e.g. {example}, in document {key.names[int(ours[k])]!r}); mentions go by the number of the "
        f"{unit}, so they may not mean the same"
    ]


def _one_difference(key: CorefFile, response: CorefFile, ours: int, theirs: int, token: int) -> str:
    mine, yours = int(key.tokens.starts[ours]) + token, int(response.tokens.starts[theirs]) + token
    line = response.tokens.line(yours)
    return (
        f"{key.offsets[:-1]} {token} is {short(response.tokens.word(yours))}"
        + (f" in line {line}" if line else "")
        + f", but {short(key.tokens.word(mine))} in the key"
    )
