"""What the label of a pair means: match, no match, or unsure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, plural
from clusterscore.read.labels import is_null, shortened

NO_MATCH, MATCH, UNSURE = 0, 1, -1
_WORDS = {
    **dict.fromkeys(("match", "matched", "yes", "y", "true", "same", "duplicate", "link"), MATCH),
    **dict.fromkeys(("nomatch", "nonmatch", "notamatch", "no", "n", "false", "distinct", "different"), NO_MATCH),
    **dict.fromkeys(("notduplicate", "nonduplicate", "nolink", "nonlink"), NO_MATCH),
    **dict.fromkeys(("unsure", "uncertain", "unknown", "maybe", "possible", "u", ""), UNSURE),
}


def match_labels(labels: Sequence[Any]) -> Ints:
    """MATCH, NO_MATCH or UNSURE for each label.

    A number from 0 to 1 is a match above 0.5 and none below; exactly 0.5, and no label at all, is unsure.

    >>> match_labels(["match", "No match", 1, 0.0, True, "0.8", "unsure", None]).tolist()
    [1, 0, 1, 0, 1, 1, -1, -1]
    """
    meanings = [_meaning(label) for label in labels]
    unknown = [label for label, meaning in zip(labels, meanings, strict=True) if meaning is None]
    if unknown:
        raise InputError(
            f"{plural(len(unknown), 'label')} not known (e.g. {shortened(unknown[0])}); write match, no match or "
            "unsure, True or False, or a number from 0 (no match) to 1 (match)"
        )
    return np.array(meanings, np.int64)


def _meaning(label: Any) -> int | None:
    if is_null(label):
        return UNSURE
    if isinstance(label, str):
        word = re.sub(r"[\s_-]+", "", label).lower()
        if word in _WORDS:
            return _WORDS[word]
        try:
            label = float(label)
        except ValueError:
            return None
    if not isinstance(label, Real | np.bool_):
        return None
    share = float(label)
    return None if not 0 <= share <= 1 else UNSURE if share == 0.5 else int(share > 0.5)
