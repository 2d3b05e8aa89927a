"""Gates: a command that fails where a score is too low, or lower than it was; for CI."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.resampling import Interval
from clusterscore.analyses.score.score_rows import MEAN
from clusterscore.command.group import Gated, Render, option
from clusterscore.exceptions import FileError, InputError, nearest
from clusterscore.fields import current
from clusterscore.metrics import Score, metric, split_names
from clusterscore.metrics.metric import Metric
from clusterscore.read.json_file import parse_json
from clusterscore.screen import PAGE
from clusterscore.show.description import scale_of
from clusterscore.show.saving import refuse_overwriting, write_file

GATES = (
    option(
        "--fail-under",
        "Exit with code 1 if a score is worse, e.g. 'elm=0.7, ari=0.5', or for one system 'ours: elm=0.7'; in percent "
        "where the table is.",
        metavar="BOUNDS",
        multiple=True,
    ),
    option("--save", "Save the scores to a file, in the format of --format json.", metavar="FILE"),
    option("--against", "Exit with code 1 if a score is worse than in this file, made by --save.", metavar="FILE"),
    option(
        "--tolerance",
        "How much worse than --against a score may be, in the unit of the table (default: 0).",
        type=float,
    ),
)
CONFIDENT = option(
    "--confident", "With --fail-under: the worse end of the interval counts, not the estimate.", is_flag=True
)
FAIL_IF_WORSE = option(
    "--fail-if-worse",
    "Exit with code 1 if the first PRED is significantly worse than another, or worse by more than --tolerance.",
    is_flag=True,
)


class Reached(NamedTuple):
    """What a system scores, and of an estimate how sure that is."""

    value: float
    signature: str
    interval: Interval | None = None


Scores = Mapping[str, Mapping[str, Score | Reached]]  # by system and metric; a prediction without a name is ""


def reached(estimates: Estimates) -> dict[str, dict[str, Reached]]:
    """The estimates of systems, as a gate takes them."""
    return {
        name: {
            metric: Reached(found[metric].value, estimates.signed(metric), found[metric].interval)
            for metric in estimates.metrics
        }
        for name, found in estimates.systems.items()
    }


class Bound(NamedTuple):
    """What a system has to reach, or every one."""

    text: str  # as it was typed
    system: str
    metric: str
    value: float  # in the unit of the table


class Gate(NamedTuple):
    """What the scores have to reach, and where they are kept."""

    bounds: list[Bound]
    save: str | None
    against: str | None
    tolerance: float | None
    confident: bool = False  # the worse end of an interval counts
    paired: bool = False  # the first system must not be worse than the others
    scale: int = 1  # 100 where the table is in percent, and so are bounds and tolerance

    @classmethod
    def of(cls, options: dict[str, Any]) -> Gate:
        """From the options of a command, which are taken out; a mistake in them is an error before a file is read."""
        bounds: list[Bound] = []
        for typed in options.pop("fail_under"):
            texts = split_names(typed)
            if not texts:
                raise click.UsageError("--fail-under is empty; write METRIC=NUMBER, such as elm=0.7, or leave it out")
            bounds += map(_bound, texts)
        kept = options.pop("save"), options.pop("against"), options.pop("tolerance")
        estimated = options.pop("confident", False), options.pop("fail_if_worse", False)
        gate = cls(bounds, *kept, *estimated)
        if gate.confident and not bounds:
            raise click.UsageError("--confident is for --fail-under; name a bound, such as elm=0.85, or leave it out")
        if gate.tolerance is not None and not 0 <= gate.tolerance < math.inf:
            raise click.UsageError(f"--tolerance {gate.tolerance:g} must be a number from 0 up, such as 0.01")
        if gate.against is not None:
            _saved(gate.against)
        elif gate.tolerance and not gate.paired:
            raise click.UsageError("--tolerance is for --against; name a file with scores, or leave it out")
        if gate.save is not None and not Path(gate.save).parent.is_dir():
            raise FileError(f"{gate.save!r}: no folder {str(Path(gate.save).parent)!r}; create it first")
        return gate

    def passed(self, render: Render, scores: Scores, inputs: Iterable[str], scale: int | None = None) -> Gated:
        """What is printed, with what the scores fall short of; saved, where that was asked for.

        Bounds and tolerance are in the unit of the table, by which scores are multiplied: that of the field, or another
        ``scale``.
        """
        unit = scale_of(current()) if scale is None else scale
        if self.scale != unit:
            return self._replace(scale=unit).passed(render, scores, inputs, unit)
        for bound in self.bounds:
            _refuse_other_unit(bound, self.scale)
        failures = [failure for bound in self.bounds for failure in self._short(bound, scores)]
        if self.against is not None:
            failures += self._fallen(self.against, scores)
        if self.save is not None:
            refuse_overwriting(self.save, inputs)
            if failures and self._replaces_baseline:  # or the next run would pass
                failures.append(
                    f"{self.save} still has the scores of --against: a run that fails does not replace them"
                )
            else:
                write_file(self.save, f"{''.join(render('json', 4, False, PAGE))}\n".encode())
        return Gated(render, failures)

    @property
    def _replaces_baseline(self) -> bool:
        files = [path for path in (self.save, self.against) if path is not None and os.path.exists(path)]
        return len(files) == 2 and os.path.samefile(*files)

    def passed_by(self, estimates: Estimates, render: Render, inputs: Iterable[str]) -> Gated:
        """The same of estimates, whose first system must not be worse than the others, where that was asked for."""
        printed, failures = self.passed(render, reached(estimates), inputs)
        return Gated(printed, [*failures, *(self._overtaken(estimates) if self.paired else ())])

    def _overtaken(self, estimates: Estimates) -> Iterator[str]:
        """Where another system is better than the first."""
        first = next(iter(estimates.systems))
        if not estimates.differences:
            raise click.UsageError("--fail-if-worse compares the first PRED with others; name a second one")
        for other, differences in estimates.differences.items():
            for name in estimates.metrics:
                gap, measure = differences[name], metric(name)
                lost = -gap.value if measure.smaller_is_better else gap.value
                surely = gap.p is not None and gap.p < 1 - estimates.confidence
                if lost > 0 and (surely or (self.tolerance is not None and lost > self.tolerance / self.scale)):
                    sure = f"p {'< 0.001' if (gap.p or 0) < 0.001 else f'= {gap.p:.3f}'}"
                    yield f"{_lead(first)}{name} is {self._shown(lost)} worse than {other}'s, {sure} (--fail-if-worse)"

    def _shown(self, value: float) -> str:
        return f"{self.scale * value:.{2 if self.scale == 100 else 4}f}"

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
                measure, allowed = metric(name), self.tolerance or 0.0
                tolerance = allowed / self.scale
                if tolerance >= measure.highest:
                    raise click.UsageError(
                        f"--tolerance {allowed:g} lets every {name} pass, which is at most "
                        f"{self.scale * measure.highest:g}; write a smaller number, such as {self.scale / 100:g}"
                    )
                if _falls(measure, now.value, before["value"], tolerance):
                    yield (
                        f"{_lead(system)}{name} is {self._shown(now.value)}, {_worse(measure)} "
                        f"{self._shown(before['value'])} in {path} by {self._shown(abs(now.value - before['value']))} "
                        f"(--tolerance {allowed:g})"
                    )

    def _short(self, bound: Bound, scores: Scores) -> Iterator[str]:
        """Where a bound is not reached."""
        if bound.system and bound.system not in scores:
            known = nearest(bound.system, list(scores)) if any(scores) else "there is one prediction, without a name"
            raise click.UsageError(f"--fail-under {bound.text}: no system {bound.system!r}: {known}")
        measure = metric(bound.metric)
        for system, own in scores.items() if not bound.system else [(bound.system, scores[bound.system])]:
            if bound.metric not in own:
                raise click.UsageError(f"--fail-under {bound.text}: {bound.metric} was not scored; ask for it with -m")
            score = own[bound.metric]
            value, sure = score.value, ""
            if self.confident:
                if not isinstance(score, Reached) or score.interval is None:
                    raise click.UsageError("--confident is for estimates; say how gold was sampled with --sample")
                value = score.interval.high if measure.smaller_is_better else score.interval.low
                sure = f"{'at most' if measure.smaller_is_better else 'at least'} {self._shown(value)}, "
            if _falls(measure, value, bound.value / self.scale, 0.0):
                shown = f"{self._shown(score.value)}, {sure}{_worse(measure)} {bound.value:g}"
                yield f"{_lead(system)}{bound.metric} is {shown} (--fail-under{' --confident' * self.confident})"


def _bound(text: str) -> Bound:
    left, equals, value = text.rpartition("=")
    try:
        number = float(value) if equals else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise click.UsageError(f"--fail-under {text!r} is not a bound; write METRIC=NUMBER, such as elm=0.7")
    system = left.partition("(")[0].rpartition(":")[0]  # a colon in brackets is a parameter's
    measure = metric(left[len(system) :].lstrip(":").strip())
    return Bound(text, system.strip(), str(measure), number)


def _refuse_other_unit(bound: Bound, scale: int) -> None:
    """Raise where every score would pass, or none, as with 75 of a table of fractions or 0.75 of one in percent."""
    text, number, measure = bound.text, bound.value, metric(bound.metric)
    lowest, highest = scale * measure.lowest, scale * measure.highest
    unit, other = ("in percent here", 100 * number) if scale == 100 else ("not in percent here", number / 100)
    fraction = scale == 100 and 0 < number <= 1 and not measure.smaller_is_better
    if lowest <= number <= highest and not fraction:
        return
    known = f"{measure} is {unit}, from {lowest:g}" + (f" to {highest:g}" if highest < math.inf else " up")
    remedy = (
        f"write {text.rpartition('=')[0]}={other:g}" if lowest <= other <= highest else "write a number in this range"
    )
    raise click.UsageError(f"--fail-under {text}: {known}; {remedy}")


def _lead(system: str) -> str:
    return f"{system}: " if system else ""


def _falls(measure: Metric, value: float, bound: float, tolerance: float) -> bool:
    lacking = value - bound if measure.smaller_is_better else bound - value
    return lacking > tolerance + 1e-12  # a last digit is no fall


def _worse(measure: Metric) -> str:
    return "above" if measure.smaller_is_better else "below"


def _unversioned(signature: str) -> list[str]:
    return [part for part in signature.split("|") if not part.startswith("v:")]


def _saved(path: str) -> dict[str, dict[str, Any]]:
    """The scores of a file that --save wrote, or --format json printed, by system and metric."""
    try:
        plain = parse_json(Path(path).read_text("utf-8-sig"), repr(path), "scores")
        several = {**plain.get("systems", {}), **plain.get("data_sets", {})}
        several |= {name: plain[name] for name in plain if name == MEAN}
        saved = {name: system["scores"] for name, system in (several or {"": plain}).items()}
        scores = [score for by_metric in saved.values() for score in by_metric.values()]
        known = all(math.isfinite(score["value"]) and isinstance(score["signature"], str) for score in scores)
    except OSError as error:
        raise FileError(f"{path!r} cannot be read: {error.strerror}; --save writes such a file") from None
    except FileError as error:
        raise FileError(error, "; write it with --save or --format json") from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        known = False
    if not known or not scores:
        raise FileError(f"{path!r} contains no scores; write it with --save or --format json")
    return saved
