"""Texts: many short strings, without a Python object for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clusterscore.distinct import Array, stretches

_SHORT = 32  # letters of a string that is kept in as many bytes


class Texts(Sequence[str]):
    """Many short strings in a few bytes each; a string is made when somebody looks at it."""

    def __init__(self, letters: Array):
        self.letters = letters  # as bytes, of ASCII alone

    @classmethod
    def of(cls, values: Array) -> Texts | Array:
        """Strings in this form, if they are short and plain, else as they are."""
        try:
            longest = max(map(len, values), default=0)
            if longest > _SHORT or any("\0" in "".join(values[start:stop]) for start, stop in stretches(len(values))):
                return values
            return cls(values.astype(f"S{max(longest, 1)}"))
        except (TypeError, UnicodeEncodeError):  # what is no string, or no ASCII
            return values

    def __len__(self) -> int:
        return len(self.letters)

    def __getitem__(self, index: Any) -> Any:
        letters = self.letters[index]
        return letters.decode() if isinstance(letters, bytes) else [text.decode() for text in letters.tolist()]
