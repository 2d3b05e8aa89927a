"""Score: a number that says how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from clusterscore.notebook import html_score


class Score(float):
    """The score of a prediction: a number like any other, with precision, recall, signature and whatever belongs to it.

    ``precision`` and ``recall`` are None for measures that have none; ``f`` is the value where they exist, or ``f1``
    where the value is something else, such as an error.
    ``std`` is the standard deviation over documents (ddof=1) of a macro average. What else a measure reports, such as
    alphaMax's ``alpha_hat``, is in ``extras`` and can be read as an attribute.

    >>> import clusterscore as cs
    >>> score = cs.elm([0, 0, 1, 1, 1], [0, 1, 2, 2, 2])
    >>> score.precision, score.recall, score.f
    (1.0, 0.6, 0.6)
    >>> score.signature
    'elm|f:mean|beta:1|avg:micro|missing:error|v:0.1.0'
    >>> score > 0.5, round(score, 1), f"{score:.2f}"
    (True, 0.6, '0.60')
    """

    __slots__ = ("extras", "precision", "recall", "signature", "std")

    precision: float | None
    recall: float | None
    signature: str
    std: float | None
    extras: Mapping[str, float]

    def __new__(
        cls,
        value: float,
        precision: float | None = None,
        recall: float | None = None,
        signature: str = "",
        std: float | None = None,
        extras: Mapping[str, float] | None = None,
    ) -> Score:
        """A score of this value."""
        self = super().__new__(cls, value)
        held = (precision, recall, signature, std, {} if extras is None else extras)
        for name, attribute in zip(("precision", "recall", "signature", "std", "extras"), held, strict=True):
            object.__setattr__(self, name, attribute)
        return self

    @property
    def value(self) -> float:
        """The number itself."""
        return float(self)

    @property
    def f(self) -> float | None:
        """The value, where there is a precision and a recall; of an error, or a ratio of other counts, its ``f1``."""
        return None if self.precision is None or self.recall is None else self.extras.get("f1", self.value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"scores are read-only: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"scores are read-only: {name!r} cannot be deleted")

    def __getattr__(self, name: str) -> float:
        if name == "extras" or name.startswith("__"):  # asked for before it is set, while unpickling
            raise AttributeError(name)
        if name not in self.extras:
            known = ", ".join(("value", "precision", "recall", "f", *self.extras))
            raise AttributeError(f"this score has no {name!r}; it has {known}")
        return self.extras[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (self.value, self.precision, self.recall, self.signature, self.std, self.extras)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers: value, precision, recall, f, the extras, and the signature."""
        plain: dict[str, Any] = {"value": self.value, "precision": self.precision, "recall": self.recall, "f": self.f}
        if self.std is not None:
            plain["std"] = self.std
        return {**plain, **self.extras, "signature": self.signature}

    def _repr_html_(self) -> str:
        numbers = {"P": self.precision, "R": self.recall, "score": self.value, "std": self.std}
        return html_score({**numbers, **self.extras}, self.signature)

    def __str__(self) -> str:
        name = self.signature.partition("|")[0]
        if self.precision is None or self.recall is None:
            return f"{name} {self.value:.4f}"
        return f"{name} {self.value:.4f} (P {self.precision:.4f}, R {self.recall:.4f})"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __repr__(self) -> str:
        held = {name: getattr(self, name) for name in ("value", "precision", "recall", "signature", "std", "extras")}
        return f"Score({', '.join(f'{name}={value!r}' for name, value in held.items())})"
