"""Gates: a command that fails where a score is too low, or lower than it was; for CI."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimation import Estimate
from clusterscore.analyses.score.score_rows import MEAN
from clusterscore.command.github import JobSummary
from clusterscore.command.group import Gated, Render, option, printing
from clusterscore.exceptions import FileError, InputError, nearest
from clusterscore.fields import using
from clusterscore.metrics import metric, split_names
from clusterscore.metrics.metric import Metric
from clusterscore.nouns import in_use
from clusterscore.read.json_file import parse_json
from clusterscore.screen import PAGE, Screen
from clusterscore.show.in_words import p_value
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
SUMMARIZED = printing("github")
CONFIDENT = option(
    "--confident", "With --fail-under: the worse end of the interval counts, not the estimate.", is_flag=True
)
FAIL_IF_WORSE = option(
    "--fail-if-worse",
    "Exit with code 1 if the first PRED is significantly worse than another, or worse by more than --tolerance.",
    is_flag=True,
)


Scores = Mapping[str, Mapping[str, Any]]  # or estimates, by system and metric; a prediction without a name is ""


class Bound(NamedTuple):
    """What a system has to reach, or every one."""

    text: str  # as it was typed
    system: str
    metric: str
    value: float  # in the unit of the table


class Gate:
    """What the scores have to reach, and where they are kept.

    Made from the options of a command, which are taken out; a mistake in them is an error before a file is read.
    """

    def __init__(self, options: dict[str, Any]):
        self._bounds: list[Bound] = []
        for typed in options.pop("fail_under"):
            texts = split_names(typed)
            if not texts:
                raise click.UsageError("--fail-under is empty; write METRIC=NUMBER, such as elm=0.7, or leave it out")
            self._bounds += map(_bound, texts)
        self._save, self._against, self._tolerance = (options.pop(name) for name in ("save", "against", "tolerance"))
        self._confident = options.pop("confident", False)  # the worse end of an interval counts
        self._paired = options.pop("fail_if_worse", False)  # the first system must not be worse than the others
        self._scale = 1  # 100 where the table is in percent, and so are bounds and tolerance
        if self._confident and not self._bounds:
            raise click.UsageError("--confident is for --fail-under; name a bound, such as elm=0.85, or leave it out")
        if self._tolerance is not None and not 0 <= self._tolerance < math.inf:
            raise click.UsageError(f"--tolerance {self._tolerance:g} must be a number from 0 up, such as 0.01")
        if self._against is not None:
            _saved(self._against)
        elif self._tolerance and not self._paired:
            raise click.UsageError("--tolerance is for --against; name a file with scores, or leave it out")
        if self._save is not None and not Path(self._save).parent.is_dir():
            raise FileError(f"{self._save!r}: no folder {str(Path(self._save).parent)!r}; create it first")

    def passed(
        self,
        render: Render,
        scores: Scores | Estimates,
        inputs: Iterable[str],
        scale: int | None = None,
        *,
        comparison: Comparison | None = None,
        worst: Mapping[str, Callable[[], Diagnosis]] | None = None,
    ) -> Gated:
        """What is printed, with what the scores fall short of; saved, where that was asked for.

        Bounds and tolerance are in the unit of the table, by which scores are multiplied: that of the field, or another
        ``scale``. A summary for GitHub compares with the file of --against, or with the baseline of a ``comparison`` or
        of estimates, and names the clusters in which the ``worst`` losses of a system are.
        """
        self._scale = in_use.get().scale if scale is None else scale
        estimates = scores if isinstance(scores, Estimates) else None
        if isinstance(scores, Estimates):
            scores = {name: dict(own) for name, own in scores.systems.items()}
        for bound in self._bounds:
            _refuse_other_unit(bound, self._scale)
        failures = [failure for bound in self._bounds for failure in self._short(bound, scores)]
        if self._against is not None:
            failures += self._fallen(self._against, scores, estimates)
        if self._save is not None:
            refuse_overwriting(self._save, inputs)
            both = [path for path in (self._save, self._against) if path is not None and os.path.exists(path)]
            if failures and len(both) == 2 and os.path.samefile(*both):  # or the next run would pass
                failures.append(
                    f"{self._save} still has the scores of --against: a run that fails does not replace them"
                )
            else:
                write_file(self._save, f"{''.join(render('json', 4, False, PAGE))}\n".encode())
        if self._paired and estimates is not None:
            failures += self._overtaken(estimates)
        before: dict[str, dict[str, float]] = {}
        against, significant, sure = "", None, ""
        if self._against is not None:
            saved, against = _saved(self._against).items(), Path(self._against).name
            before = {name: {key: score["value"] for key, score in own.items()} for name, own in saved}
        elif comparison is not None or (estimates is not None and estimates.differences):
            against = next(iter(scores)) if comparison is None else comparison.baseline
            values = {name: score.value for name, score in scores[against].items()}
            before = {name: values for name in scores if name != against}
            significant, sure = _surely(comparison, estimates)
        use = in_use.get()  # which ends before anything is printed

        def shown(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterable[str]:
            if form != "github":
                return render(form, digits, raw, screen)
            first = next(iter(scores.values()))
            signatures = [
                score.signature if estimates is None else estimates.signed(key) for key, score in first.items()
            ]
            gated = bool(self._bounds or self._against or self._paired)
            compared = before, against, significant, sure
            summary = JobSummary(scores, self._scale, failures, gated, *compared, signatures, worst or {})
            with using(use):
                return list(summary.pieces(digits, raw))

        return Gated(shown, failures)

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
                if lost > 0 and (surely or (self._tolerance is not None and lost > self._tolerance / self._scale)):
                    sure = f"p {p_value(gap.p or 0.0, '= ')}"
                    yield f"{_lead(first)}{name} is {self._shown(lost)} worse than {other}'s, {sure} (--fail-if-worse)"

    def _shown(self, value: float) -> str:
        return f"{self._scale * value:.{2 if self._scale == 100 else 4}f}"

    def _fallen(self, path: str, scores: Scores, estimates: Estimates | None) -> Iterator[str]:
        for system, saved in _saved(path).items():
            if system not in scores:
                names = ", ".join(filter(None, scores)) or "one prediction"
                raise InputError(f"{path!r} has {system or 'one prediction'}, which was not scored now, but {names}")
            for name, before in saved.items():
                if name not in scores[system]:
                    raise InputError(f"{path!r} has {name}, which was not scored now; ask for it with -m")
                now = scores[system][name]
                signature = now.signature if estimates is None else estimates.signed(name)
                if _unversioned(before["signature"]) != _unversioned(signature):
                    raise InputError(
                        f"{name} was computed differently in {path!r}: {before['signature']} there, {signature} "
                        "here; only scores with the same signature can be compared"
                    )
                measure, allowed = metric(name), self._tolerance or 0.0
                tolerance = allowed / self._scale
                if tolerance >= measure.highest:
                    raise click.UsageError(
                        f"--tolerance {allowed:g} lets every {name} pass, which is at most "
                        f"{self._scale * measure.highest:g}; write a smaller number, such as {self._scale / 100:g}"
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
            if self._confident:
                if not isinstance(score, Estimate):
                    raise click.UsageError("--confident is for estimates; say how gold was sampled with --sample")
                value = score.interval.high if measure.smaller_is_better else score.interval.low
                sure = f"{'at most' if measure.smaller_is_better else 'at least'} {self._shown(value)}, "
            if _falls(measure, value, bound.value / self._scale, 0.0):
                shown = f"{self._shown(score.value)}, {sure}{_worse(measure)} {bound.value:g}"
                yield f"{_lead(system)}{bound.metric} is {shown} (--fail-under{' --confident' * self._confident})"


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
    unit = "in percent here" if scale == 100 else "not in percent here but a fraction"
    other = 100 * number if scale == 100 else number / 100
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


def _surely(
    comparison: Comparison | None, estimates: Estimates | None
) -> tuple[Callable[[str, str], bool] | None, str]:
    """Which differences from the baseline are significant, and what that means."""
    if comparison is not None:
        means = f"Holm, p < {1 - comparison.confidence:.3g}"
        return (None, "") if comparison.unit is None else (comparison.is_significant, means)
    assert estimates is not None
    level, differences = 1 - estimates.confidence, estimates.differences

    def differs(system: str, name: str) -> bool:
        p = differences[system][name].p
        return p is not None and p < level

    return differs, f"p < {level:.3g}"
