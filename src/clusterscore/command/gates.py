"""Gates: a command that fails where a score is too low, or lower than it was; for CI."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from clusterscore.command.group import Gated, option
from clusterscore.exceptions import FileError, InputError
from clusterscore.metrics import metric, split_names
from clusterscore.metrics.metric import Metric
from clusterscore.show.saving import refuse_overwriting, write_file
from clusterscore.show.scorecard import Scorecard

GATES = (
    option(
        "--fail-under", "Exit code 1 where a score is worse, e.g. 'elm=0.7, ari=0.5'.", metavar="BOUNDS", multiple=True
    ),
    option("--save", "Write the scores to a file, as --format json prints them.", metavar="FILE"),
    option("--against", "Exit code 1 where a score is worse than in a file of --save.", metavar="FILE"),
    option("--tolerance", "How much worse than --against it may be.", type=click.FloatRange(0), default=0.0),
)


class Gate(NamedTuple):
    """What the scores have to reach, and where they are kept."""

    bounds: Mapping[str, float]
    save: str | None
    against: str | None
    tolerance: float

    @classmethod
    def of(cls, fail_under: tuple[str, ...], save: str | None, against: str | None, tolerance: float) -> Gate:
        """From the options of a command; a mistake in them is an error before a file is read."""
        bounds = dict(_bound(text) for each in fail_under for text in split_names(each))
        return cls(bounds, save, against, tolerance)

    def passed(self, card: Scorecard, inputs: list[str]) -> Gated:
        """The scores with what they fall short of; saved, where that was asked for."""
        failures = [
            f"{name} is {card[name].value:.4f}, {_worse(metric(name))} {bound:g} (--fail-under)"
            for name, bound in self.bounds.items()
            if _falls(metric(name), _scored(card, name, bound), bound, 0.0)
        ]
        if self.against is not None:
            failures += self._fallen(card)
        if self.save is not None:
            refuse_overwriting(self.save, inputs)
            write_file(self.save, f"{card.to_json()}\n".encode())
        return Gated(card.render, failures)

    def _fallen(self, card: Scorecard) -> list[str]:
        assert self.against is not None
        found = []
        for name, before in _saved(self.against).items():
            if name not in card:
                raise InputError(f"{self.against!r} has {name}, which was not scored now; ask for it with -m")
            now = card[name]
            if _unversioned(before["signature"]) != _unversioned(now.signature):
                raise InputError(
                    f"{name} was made in another way in {self.against!r}: {before['signature']} there, {now.signature} "
                    "here; only the same signature can be compared"
                )
            if _falls(metric(name), now.value, before["value"], self.tolerance):
                found.append(
                    f"{name} is {now.value:.4f}, {_worse(metric(name))} {before['value']:.4f} in {self.against} "
                    f"by {abs(now.value - before['value']):.4f} (--tolerance {self.tolerance:g})"
                )
        return found


def _bound(text: str) -> tuple[str, float]:
    name, equals, value = text.rpartition("=")
    try:
        number = float(value) if equals else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise click.UsageError(f"--fail-under {text!r} is no bound; write METRIC=NUMBER, such as elm=0.7")
    return str(metric(name.strip())), number


def _scored(card: Scorecard, name: str, bound: float) -> float:
    if name not in card:
        raise click.UsageError(f"--fail-under {name}={bound:g}: {name} was not scored; ask for it with -m")
    return card[name].value


def _falls(one: Metric, value: float, bound: float, tolerance: float) -> bool:
    lacking = value - bound if one.smaller_is_better else bound - value
    return lacking > tolerance + 1e-12  # a last digit is no fall


def _worse(one: Metric) -> str:
    return "above" if one.smaller_is_better else "below"


def _unversioned(signature: str) -> list[str]:
    return [part for part in signature.split("|") if not part.startswith("v:")]


def _saved(path: str) -> dict[str, Any]:
    """The scores of a file that --save wrote, or --format json printed."""
    try:
        scores: dict[str, Any] = json.loads(Path(path).read_bytes())["scores"]
        known = all(math.isfinite(one["value"]) and isinstance(one["signature"], str) for one in scores.values())
    except OSError as error:
        raise FileError(f"{path!r} cannot be read: {error.strerror}; --save writes one") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        known = False
    if not known:
        raise FileError(f"{path!r} holds no scores; write it with --save, or --format json")
    return scores
