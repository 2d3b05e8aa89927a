"""Gates: a command that fails where a score is too low, or lower than it was; for CI."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from clusterscore.command.group import Gated, Render, option
from clusterscore.exceptions import FileError, InputError, nearest
from clusterscore.metrics import Score, metric, split_names
from clusterscore.metrics.metric import Metric
from clusterscore.screen import PAGE
from clusterscore.show.saving import refuse_overwriting, write_file

GATES = (
    option(
        "--fail-under",
        "Exit with code 1 if a score is worse, e.g. 'elm=0.7, ari=0.5', or for one system 'ours: elm=0.7'.",
        metavar="BOUNDS",
        multiple=True,
    ),
    option("--save", "Save the scores to a file, in the format of --format json.", metavar="FILE"),
    option("--against", "Exit with code 1 if a score is worse than in this file, made by --save.", metavar="FILE"),
    option("--tolerance", "How much worse than --against a score may be.", type=click.FloatRange(0), default=0.0),
)


Scores = Mapping[str, Mapping[str, Score]]  # by system and metric; a prediction without a name is ""


class Bound(NamedTuple):
    """What a system has to reach, or every one."""

    text: str  # as it was typed
    system: str
    metric: str
    value: float


class Gate(NamedTuple):
    """What the scores have to reach, and where they are kept."""

    bounds: list[Bound]
    save: str | None
    against: str | None
    tolerance: float

    @classmethod
    def of(cls, options: dict[str, Any]) -> Gate:
        """From the options of a command, which are taken out; a mistake in them is an error before a file is read."""
        bounds = [_bound(text) for each in options.pop("fail_under") for text in split_names(each)]
        gate = cls(bounds, *(options.pop(name) for name in ("save", "against", "tolerance")))
        if gate.against is not None:
            _saved(gate.against)
        if gate.save is not None and not Path(gate.save).parent.is_dir():
            raise FileError(f"{gate.save!r}: no folder {str(Path(gate.save).parent)!r}; create it first")
        return gate

    def passed(self, render: Render, scores: Scores, inputs: Iterable[str]) -> Gated:
        """What is printed, with what the scores fall short of; saved, where that was asked for."""
        failures = [failure for bound in self.bounds for failure in _short(bound, scores)]
        if self.against is not None:
            failures += self._fallen(self.against, scores)
        if self.save is not None:
            refuse_overwriting(self.save, inputs)
            write_file(self.save, f"{''.join(render('json', 4, False, PAGE))}\n".encode())
        return Gated(render, failures)

    def _fallen(self, path: str, scores: Scores) -> Iterator[str]:
        for system, saved in _saved(path).items():
            if system not in scores:
                names = ", ".join(filter(None, scores)) or "one prediction"
                raise InputError(f"{path!r} has {system or 'one prediction'}, which was not scored now, but {names}")
            for name, before in saved.items():
                if name not in scores[system]:
                    raise InputError(f"{path!r} has {name}, which was not scored now; ask for it with -m")
                now = scores[system][name]
                if _unversioned(before["signature"]) != _unversioned(now.signature):
                    raise InputError(
                        f"{name} was computed differently in {path!r}: {before['signature']} there, {now.signature} "
                        "here; only scores with the same signature can be compared"
                    )
                if _falls(metric(name), now.value, before["value"], self.tolerance):
                    yield (
                        f"{_lead(system)}{name} is {now.value:.4f}, {_worse(metric(name))} {before['value']:.4f} in "
                        f"{path} by {abs(now.value - before['value']):.4f} (--tolerance {self.tolerance:g})"
                    )


def _bound(text: str) -> Bound:
    left, equals, value = text.rpartition("=")
    try:
        number = float(value) if equals else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise click.UsageError(f"--fail-under {text!r} is not a bound; write METRIC=NUMBER, such as elm=0.7")
    system = left.partition("(")[0].rpartition(":")[0]  # a colon in brackets is a parameter's
    return Bound(text, system.strip(), str(metric(left[len(system) :].lstrip(":").strip())), number)


def _short(bound: Bound, scores: Scores) -> Iterator[str]:
    """Where a bound is not reached."""
    if bound.system and bound.system not in scores:
        known = nearest(bound.system, list(scores)) if any(scores) else "there is one prediction, without a name"
        raise click.UsageError(f"--fail-under {bound.text}: no system {bound.system!r}: {known}")
    one = metric(bound.metric)
    for system, own in scores.items() if not bound.system else [(bound.system, scores[bound.system])]:
        if bound.metric not in own:
            raise click.UsageError(f"--fail-under {bound.text}: {bound.metric} was not scored; ask for it with -m")
        if _falls(one, own[bound.metric].value, bound.value, 0.0):
            yield (
                f"{_lead(system)}{bound.metric} is {own[bound.metric].value:.4f}, {_worse(one)} {bound.value:g} "
                "(--fail-under)"
            )


def _lead(system: str) -> str:
    return f"{system}: " if system else ""


def _falls(one: Metric, value: float, bound: float, tolerance: float) -> bool:
    lacking = value - bound if one.smaller_is_better else bound - value
    return lacking > tolerance + 1e-12  # a last digit is no fall


def _worse(one: Metric) -> str:
    return "above" if one.smaller_is_better else "below"


def _unversioned(signature: str) -> list[str]:
    return [part for part in signature.split("|") if not part.startswith("v:")]


def _saved(path: str) -> dict[str, dict[str, Any]]:
    """The scores of a file that --save wrote, or --format json printed, by system and metric."""
    found: dict[str, dict[str, Any]] = {}
    try:
        plain = json.loads(Path(path).read_bytes())
        found = {name: one["scores"] for name, one in plain.get("systems", {"": plain}).items()}
        scores = [score for one in found.values() for score in one.values()]
        known = all(math.isfinite(one["value"]) and isinstance(one["signature"], str) for one in scores)
    except OSError as error:
        raise FileError(f"{path!r} cannot be read: {error.strerror}; --save writes such a file") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        known = False
    if not known:
        raise FileError(f"{path!r} contains no scores; write it with --save or --format json")
    return found
