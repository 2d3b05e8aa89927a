"""A result as GitHub shows it: Markdown for a pull request, or for the summary of a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.exceptions import ClusterscoreError
from clusterscore.fields import current
from clusterscore.metrics import metric
from clusterscore.nouns import noun
from clusterscore.show.grid import MINUS, Grid

_WORST = 5  # clusters that are named
_ARROWS = ("▲ ", "▼ ")  # better, worse


class JobSummary(NamedTuple):
    """What is said of scores, or estimates, by system and metric; a prediction without a name is ""."""

    scores: Mapping[str, Mapping[str, Any]]
    scale: int
    failures: Sequence[str]
    gated: bool  # whether there are gates that they could have failed
    before: Mapping[str, Mapping[str, float]]  # what each is compared with
    against: str  # where that is from
    significant: Callable[[str, str], bool] | None  # whether the score of a system under a metric differs surely
    sure: str  # what that means
    signatures: Sequence[str]
    worst: Mapping[str, Callable[[], Diagnosis]]  # where the losses of a system are

    def pieces(self, digits: int | None, raw: bool) -> Iterator[str]:
        """A title, the scores with arrows against those before, why gates failed, and the costliest clusters."""
        decimals = (2 if self.scale == 100 else 4) if digits is None else digits
        passed = ":x: a gate failed" if self.failures else ":white_check_mark: all gates passed"
        yield f"### clusterscore{': ' + passed if self.gated else ''}\n\n"
        named, compared = any(self.scores), bool(self.before)
        field = current()
        labels = {} if field is None else field.measures
        score = "score %" if self.scale == 100 else "score"
        estimated = any(hasattr(score, "interval") for scores in self.scores.values() for score in scores.values())
        headings = [*["system"] * named, "metric", "P", "R", score, *["interval"] * estimated]
        rows = []
        for system, scores in self.scores.items():
            for name, score in scores.items():
                sides = [getattr(side, "value", side) for side in (score.precision, score.recall, score.value)]
                numbers = [None if side is None else self.scale * side for side in sides]
                change = self._change(system, name, score.value, decimals)
                ends = [_between((self.scale * end for end in score.interval), decimals)] if estimated else []
                rows.append([*[system] * named, labels.get(name, name), *numbers, *ends, *[change] * compared])
        below = [f"▲ better, ▼ worse than {self.against}"] if compared else []
        if self.significant is not None:
            below[0] += f"; * significantly so ({self.sure})"
        headings += [f"against {self.against}"] if compared else []
        yield Grid(headings, rows, decimals, below=[*self.failures, *below, ", ".join(self.signatures)]).to_markdown(
            raw
        )
        for system, diagnosis in self.worst.items():
            with suppress(ClusterscoreError):  # scores of counts alone do not know who lost them
                patterns = diagnosis().patterns(_WORST)
                if patterns:
                    title = noun("the clusters that cost most") + f" in {system}" * bool(system)
                    yield f"\n\n{Grid([title], [[str(pattern)] for pattern in patterns]).to_markdown(raw)}"

    def _change(self, system: str, name: str, now: float, decimals: int) -> str | None:
        before = self.before.get(system, {}).get(name)
        if before is None:
            return None
        gap = f"{self.scale * (now - before):+.{decimals}f}"
        if not float(gap):
            return "="
        star = "*" if self.significant is not None and self.significant(system, name) else ""
        return _ARROWS[(now > before) == metric(name).smaller_is_better] + gap.replace("-", MINUS) + star


def _between(ends: Iterable[float], decimals: int) -> str:
    return " – ".join(f"{end:z.{decimals}f}".replace("-", MINUS) for end in ends)
