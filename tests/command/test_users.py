"""Five users on their way from files to a result, in at most three commands each, with the mistakes they make first.

What is printed is compared word by word: who changes it changes it here, and sees what these people see.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV

import clusterscore as cs
from running import run

Call = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def call() -> Call:
    """A line as it is typed after ``clusterscore``: exit code, output and messages."""
    return lambda line: run(*shlex.split(line))


def mistakes(call: Call, shown: str) -> None:
    """Lines with ``$``, each with the message below it: it ends with code 2, and nothing else is printed."""
    typed = [line.strip() for line in shown.strip().splitlines()]
    for line, message in zip(typed[::2], typed[1::2], strict=True):
        assert call(line.removeprefix("$ ")) == (2, "", f"clusterscore: {message}\n")


def message_of(wrong: Callable[[], object]) -> str:
    """The name and the message of what is raised, or of the one warning."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            wrong()
        except (cs.ClusterscoreError, KeyError) as error:
            assert not heard
            return f"{type(error).__name__}: {error.args[0]}"
    (warning,) = heard
    return f"{warning.category.__name__}: {warning.message}"


def table(name: str, heading: str, rows: Iterable[tuple[object, ...]]) -> None:
    Path(name).write_text(
        "".join(",".join(map(str, row)) + "\n" for row in ([(heading,)] if heading else []) + [*rows])
    )


CARD = """\
            gold  predicted
documents     21
mentions     112        110
entities      49         49
singletons     7         11

metric                   P       R   score %
--------------------------------------------
CoNLL F1                               94.87
MUC                  95.08   92.06     93.55
B3                   96.06   94.35     95.20
CEAFe                95.88   95.88     95.88
CEAFm                97.27   95.54     96.40
BLANC                94.02   92.08     93.00
LEA                  90.91   91.07     90.99
mention detection   100.00   98.21     99.10

blanc|weight:0.5|dialect:reference|links:document
avg:micro|missing:keep|v:0.1.0
"""
PAPER = """\
system   MUC P   MUC R                  MUC F1    B³ P    B³ R
--------------------------------------------------------------
base     70.00   77.78   73.68  [69.29, 78.08]   61.43   81.25
mine     95.08   92.06   93.55* [87.60, 99.50]   96.06   94.35

system                   B³ F1   CEAFφ₄ P   CEAFφ₄ R               CEAFφ₄ F1
----------------------------------------------------------------------------
base     69.96  [67.76, 72.17]      86.61      49.49   62.99  [59.80, 66.17]
mine     95.20* [90.91, 99.48]      95.88      95.88   95.88* [92.28, 99.48]

system                 Avg. F1
------------------------------
base     68.88  [65.62, 72.14]
mine     94.87* [90.29, 99.45]

Best F1 of each measure in bold. * differs from base (paired randomization test, Holm, p < 0.05). In brackets: 95% intervals.
muc, b3, ceafe, conll
avg:micro|missing:keep|unit:documents|resamples:1000|seed:0|confidence:0.95|interval:jackknife|test:exchange|correction:holm|v:0.1.0
"""  # noqa: E501


class TestStudent:
    """Coreference: a key and two responses in CoNLL's format; a table with intervals for the paper."""

    KEY = (
        "Ann/(1) met Bob/(2) . She/(1) gave him/(2) her/(3(1) book/3) .",
        "The/(1 mayor/1) spoke . He/(1) said his/(2(1) city/2) grows , and it/(2) does .",
        "A/(1 dog/1) barked . Its/(2(1) owner/2) fed it/(1) . She/(2) left .",
    )
    SLIPS = (
        "Ann/(1) met Bob/(2) . She/(1) gave him/(2) her/(3(2) book/3) .",
        "The/(1 mayor/1) spoke . He/(1) said his/(2(1) city/2) grows , and it/(1) does .",
        "A/(1 dog/1) barked . Its/(1) owner fed it/(1) . She/(2) left .",
    )
    ONE = (
        "Ann/(1) met Bob/(1) . She/(1) gave him/(1) her/(3(1) book/3) .",
        "The/(1 mayor/1) spoke . He/(1) said his/(1) city grows , and it/(1) does .",
        "A/(1 dog/1) barked . Its/(1) owner fed it/(1) . She/(1) left .",
    )
    METRICS = "muc, b3, ceafe, conll"

    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        stories = range(21)
        self.write("key.conll", "news", [self.KEY[k % 3] for k in stories])
        self.write("base.conll", "news", [self.ONE[k % 3] for k in stories])
        self.write("mine.conll", "news", [(self.SLIPS if k % 4 == 1 else self.KEY)[k % 3] for k in stories])
        self.write("moved.conll", "story", [self.KEY[k % 3] for k in stories])

    @staticmethod
    def write(name: str, folder: str, texts: list[str]) -> None:
        lines = []
        for at, text in enumerate(texts):
            lines.append(f"#begin document ({folder}/{at:02}); part 000")
            for number, word in enumerate(text.split()):
                token, _, entity = word.partition("/")
                lines.append(f"{folder}/{at:02} 0 {number} {token} - {entity or '-'}")
            lines += ["", "#end document"]
        Path(name).write_text("\n".join(lines) + "\n")

    def test_by_the_command(self, call: Call) -> None:
        assert call("coref key.conll mine.conll") == (0, CARD, "")
        systems = (
            f"compare key.conll base=base.conll mine=mine.conll --coref -m '{self.METRICS}' --layout paper --intervals"
        )
        assert call(systems) == (0, PAPER, "")

    def test_in_python(self) -> None:
        cards = {name: cs.coref("key.conll", f"{name}.conll") for name in ("base", "mine")}
        shown = [line.split()[-1] for line in CARD.splitlines()[8:16]]
        assert [f"{100 * score.value:.2f}" for score in cards["mine"].values()] == shown
        comparison = cs.compare({name: card.table for name, card in cards.items()}, metrics=self.METRICS)
        assert f"{comparison.paper(intervals=True)}\n" == PAPER

    def test_mistakes(self, call: Call) -> None:
        mistakes(
            call,
            """
            $ score key.conll mine.conll --field coref
            unknown field 'coref': did you mean 'coreference'?
            $ coref key.conll mien.conll
            no file 'mien.conll'; did you mean 'mine.conll'?
            $ coref key.conll mine.conll -m conl
            unknown metric 'conl': did you mean 'conll'?
            $ coref key.conll moved.conll
            'key.conll' and 'moved.conll' have no document in common (e.g. '(news/00); part 000' and '(story/00); part 000'); name them alike: (a); part 000 in CoNLL is a_0 in other formats
            $ coref key.conll mine.conll --format tex
            Invalid value for '--format': 'tex' is not one of 'table', 'json', 'csv', 'markdown', 'latex', 'github'; did you mean 'latex'?
            $ compare key.conll base=base.conll mine=mine.conll --coref --baseline bsae
            --baseline 'bsae' is not a system; there are 'base', 'mine'
            """,  # noqa: E501
        )
        assert str(cs.score("key.conll", "mine.conll")) == f"{CARD}\nfield: coreference, as the files are conll"
        assert message_of(lambda: cs.coref("key.conll", {"mine": "mine.conll"})) == (
            "FileError: cs.coref takes the paths of a key and a response, not a dict; cs.conll takes clusterings"
        )
        assert message_of(lambda: cs.coref("key.conll", "mine.conll", metrics="muc")["b3"]) == (
            "UnknownName: b3 was not scored, because it was not requested: add it to metrics= (now: muc)"
        )


FOUND = """\
            gold  predicted
elements      10         10
clusters       5          5
singletons     2          1

metric               P        R    score   options
--------------------------------------------------------
elm             0.8000   0.8000   0.6333   f:mean|beta:1
pairwise        0.8333   0.7143   0.7692   beta:1
adjusted_rand                     0.7305

avg:micro|missing:error|v:0.1.0
"""
WORSE = """\
            gold  predicted
elements      10         10
clusters       5          5
singletons     2          2

metric               P        R    score   options
--------------------------------------------------------
elm             0.6000   0.6000   0.3733   f:mean|beta:1
pairwise        0.5000   0.5714   0.5333   beta:1
adjusted_rand                     0.4405

avg:micro|missing:error|v:0.1.0
"""
FALLEN = """\
clusterscore: elm is 0.3733, below 0.6333 in scores.json by 0.2600 (--tolerance 0.01); pairwise is 0.5333, below 0.7692 in scores.json by 0.2359 (--tolerance 0.01); adjusted_rand is 0.4405, below 0.7305 in scores.json by 0.2900 (--tolerance 0.01)
"""  # noqa: E501
CSV = """\
metric,value,precision,recall,f,std,signature
elm,0.37333333333333335,0.6,0.6,0.37333333333333335,,elm|f:mean|beta:1|avg:micro|missing:error|v:0.1.0
"""
BELOW = """\
clusterscore: elm is 0.3733, below 0.7 (--fail-under)
"""


class TestEngineer:
    """Entity resolution: people as they are, people as they were found, and a gate in a build."""

    PEOPLE = ("ann lee",) * 3 + ("bob ray",) * 2 + ("cy ono",) * 3 + ("dee fox", "eve kim")
    FOUND = (1, 1, 2, 3, 3, 4, 4, 4, 5, 5)
    WORSE = (1, 1, 2, 3, 4, 4, 4, 4, 5, 5)
    COLUMNS = "--element record_id --gold person_id --pred golden_id"

    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        records = [f"r{k:02}" for k in range(1, 11)]
        table("people.csv", "record_id,person_id", zip(records, self.PEOPLE, strict=True))
        table("found.csv", "record_id,golden_id", zip(records, self.FOUND, strict=True))
        table("worse.csv", "record_id,golden_id", zip(records, self.WORSE, strict=True))
        table("short.csv", "record_id,golden_id", zip(records[:8], self.FOUND, strict=False))
        table("other.csv", "record_id,golden_id", zip(range(10), self.FOUND, strict=True))
        table("bare.csv", "", zip(records, self.FOUND, strict=True))
        table("clusters.csv", "cluster_id,unique_id", zip(self.FOUND, records, strict=True))

    def test_by_the_command(self, call: Call) -> None:
        gate = f"score people.csv {{}} {self.COLUMNS} -m 'elm, pairwise, ari'"
        assert call(gate.format("found.csv") + " --save scores.json") == (0, FOUND, "")
        assert call(gate.format("found.csv") + " --against scores.json --tolerance 0.01") == (0, FOUND, "")
        assert call(gate.format("worse.csv") + " --against scores.json --tolerance 0.01") == (1, WORSE, FALLEN)

    def test_in_a_shell(self) -> None:
        line = f"score people.csv worse.csv {self.COLUMNS} -m elm --format csv --fail-under elm=0.7"
        done = subprocess.run(
            [sys.executable, "-m", "clusterscore", *shlex.split(line)], capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (1, CSV, BELOW)

    def test_in_python(self) -> None:
        card = cs.score_table(
            gold_table="people.csv",
            pred_table="found.csv",
            element="record_id",
            gold="person_id",
            pred="golden_id",
            metrics="elm, pairwise, ari",
        )
        assert f"{card}\n" == FOUND
        people = cs.Clustering.from_file("people.csv", element="record_id", cluster="person_id")
        clusters = pd.read_csv("clusters.csv")  # as linker.clustering gives it
        assert cs.score(people, clusters, metrics="elm, pairwise, ari").to_frame().equals(card.to_frame())
        assert cs.elm(people, clusters) > 0.6

    def test_without_a_heading(self, call: Call) -> None:
        line = "score people.csv bare.csv --gold-element record_id --gold person_id --pred-no-header"
        for engine in ("arrays", "duckdb"):
            code, out, err = call(f"{line} -m 'elm, pairwise, ari' --engine {engine}")
            assert (code, out.replace("|pred_header:no", ""), err) == (0, FOUND, "")
        sides = cs.Clustering.from_files(
            "people.csv", "bare.csv", gold_element="record_id", gold_cluster="person_id", pred_header=False
        )
        assert cs.elm(*sides).signature == "elm|f:mean|beta:1|avg:micro|missing:error|pred_header:no|v:0.1.0"

    def test_mistakes(self, call: Call) -> None:
        columns = self.COLUMNS
        taken = (
            "read people.csv with column 'person_id' as the cluster, and found.csv with column 'golden_id' as the "
            "cluster, since there is no other; to be sure, pass --gold person_id --pred golden_id"
        )
        line = "score people.csv found.csv -m 'elm, pairwise, ari'"
        assert call(line) == (0, FOUND, f"clusterscore: warning: {taken}\n")
        mistakes(
            call,
            f"""
            $ {line} --strict
            {taken}
            $ score found.csv people.csv {columns}
            'found.csv' has no column 'person_id', which 'people.csv' has: it has 'record_id', 'golden_id'; are gold and pred swapped?
            $ score people.csv bare.csv {columns}
            'bare.csv' has no column 'record_id', which 'people.csv' has: it has 'r01', '1'; pass --gold-element record_id --pred-element COL; if the first line is data, pass --pred-no-header
            $ score people.csv short.csv {columns}
            2 elements are only in gold (e.g. 'r09'); pass --missing drop or singleton
            $ score people.csv other.csv {columns}
            10 elements are only in gold (e.g. 'r01') and 10 elements are only in pred (e.g. '0'); no element is on both sides: give both the same ids
            $ score people.csv other.csv {columns} --engine duckdb
            10 elements are only in gold (e.g. 'r01') and 10 elements are only in pred (e.g. '0'); no element is on both sides: give both the same ids
            $ score people.csv found.csv {columns} -m f1
            unknown metric 'f1': elm, bcubed, pairwise and others each give P, R and F; cs.registered() and clusterscore metrics list all
            $ score people.csv found.csv {columns} -m elm --fail-under 0.7
            --fail-under '0.7' is not a bound; write METRIC=NUMBER, such as elm=0.7
            $ score people.csv found.csv {columns} -m elm --against scores.json
            'scores.json' cannot be read: No such file or directory; --save writes such a file
            """,  # noqa: E501
        )
        assert message_of(lambda: cs.score("people.csv", "found.csv")) == (
            "ClusterscoreWarning: read people.csv with column 'person_id' as the cluster, and found.csv with column "
            "'golden_id' as the cluster, since there is no other; to be sure, pass gold_cluster=\"person_id\", "
            'pred_cluster="golden_id" (cs.File and from_frame take it without gold_ and pred_)'
        )
        assert message_of(lambda: cs.score(pd.read_csv("people.csv"), pd.read_csv("clusters.csv"))) == (
            "ClusterscoreWarning: read gold with column 'person_id' as the cluster, since there is no other; to be "
            'sure, pass gold_cluster="person_id" (cs.File and from_frame take it without gold_ and pred_)'
        )

    def test_what_is_missing_is_counted(self, call: Call) -> None:
        code, out, err = call(f"score people.csv short.csv {self.COLUMNS} -m elm --missing drop --format csv")
        assert (code, err) == (0, "clusterscore: dropped: 2 elements only in gold, 0 only in pred\n")
        assert out.splitlines()[1].startswith("elm,0.7916666666666666,1.0,0.75,")


PLANTS = """\
            gold  predicted
elements      12         12
clusters       3          4
singletons     0          1

metric               P        R    score   options
--------------------------------------------------------
elm             1.0000   0.8333   0.8667   f:mean|beta:1
bcubed          1.0000   0.8750   0.9143   f:mean|beta:1
adjusted_rand                     0.8791

avg:micro|missing:error|noise:-1|noise_as:singleton|v:0.1.0"""
ERRORS = """\
kind               cells   elements   gold_clusters   pred_clusters
-------------------------------------------------------------------
exact                  2          8               2               2
split                  1          3               1               1
merge                  0          0               0               0
mixed                  0          0               0               0
missed singleton       0          0               0               0
false singleton        1          1               1               1

kind                 loss    share   merged    split
----------------------------------------------------
exact              0.0000   0.0000   0.0000   0.0000
split              0.0500   0.3750   0.0000   0.0500
merge              0.0000   0.0000   0.0000   0.0000
mixed              0.0000   0.0000   0.0000   0.0000
missed singleton   0.0000   0.0000   0.0000   0.0000
false singleton    0.0833   0.6250   0.0000   0.0833

gold ash = pred 2 (3) + pred (alone) (1): 100.0% of the loss
elm is 0.8667: the losses add up to 0.1333
elm|f:mean|beta:1|avg:micro|missing:error|noise:-1|noise_as:singleton|v:0.1.0
"""
NOISE_WARNING = """\
clusterscore: warning: pred has the label '-1' among labels from 0 up, scored as a cluster like any other; if it means 'not clustered', as DBSCAN writes it, pass --noise -1, else --noise -1 with --noise-as cluster
"""  # noqa: E501


class TestDataScientist:
    """A notebook: estimators of scikit-learn, frames of pandas, noise."""

    @pytest.fixture(autouse=True)
    def plants(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        widths = [1.0, 1.1, 0.9, 1.2, 5.0, 5.1, 4.9, 5.2, 9.0, 9.1, 8.9, 20.0]
        self.features = pd.DataFrame({"width": widths, "height": 1.0})
        self.species = pd.Series(["oak"] * 4 + ["elm"] * 4 + ["ash"] * 4, name="species")
        self.dbscan = DBSCAN(eps=0.5, min_samples=2).fit(self.features)
        self.frame = self.features.assign(species=self.species, found=self.dbscan.labels_)
        self.frame.to_csv("plants.csv", index=False)

    def test_in_python(self) -> None:
        card = cs.score(self.species, self.dbscan, metrics="elm, bcubed, ari", noise=-1)
        assert str(card) == PLANTS
        same = cs.score_table(self.frame, gold="species", pred="found", metrics="elm, bcubed, ari", noise=-1)
        assert str(same) == PLANTS
        mixed = self.frame[self.frame["found"] >= 0].sample(frac=1, random_state=0)
        search = GridSearchCV(
            KMeans(random_state=0, n_init=1), {"n_clusters": [2, 3, 4]}, scoring=make_scorer(cs.elm), cv=2
        ).fit(mixed[["width", "height"]], mixed["species"])
        assert search.best_params_ == {"n_clusters": 3}
        assert all(0 <= score <= 1 for score in search.cv_results_["mean_test_score"])
        assert f"{cs.elm(self.species, self.dbscan, noise=-1):.3f}" == "0.867"

    def test_by_the_command(self, call: Call) -> None:
        line = "score plants.csv --gold species --pred found -m 'elm, bcubed, ari' --noise -1"
        assert call(line) == (0, f"{PLANTS}\n", "")
        assert call(line.replace("score", "errors").replace(" -m 'elm, bcubed, ari'", "")) == (0, ERRORS, "")

    def test_mistakes(self, call: Call) -> None:
        species, dbscan, features = self.species, self.dbscan, self.features
        assert message_of(lambda: cs.elm(species, dbscan)) == (
            "ClusterscoreWarning: pred has the label -1 among labels from 0 up, scored as a cluster like any other; "
            "if it means 'not clustered', as DBSCAN writes it, pass noise=-1, else noise=-1 with noise_as=\"cluster\""
        )
        assert message_of(lambda: cs.elm(dbscan, species, noise=-1)) == (
            "ClusterscoreWarning: gold is a DBSCAN: gold comes first and the prediction second; the other way round "
            "P and R are swapped"
        )
        assert message_of(lambda: cs.elm(species, DBSCAN())) == (
            "InputTypeError: pred is a DBSCAN that is not fitted; call fit(X), or pass what fit_predict(X) returns"
        )
        assert message_of(lambda: cs.elm(species, features)) == (
            "InputError: the frame has 'width', 'height': which column is the element and the cluster? pass "
            'element="...", cluster="..." (Clustering.from_frame takes that; a column alone, frame[...], is labels by '
            "position)"
        )
        assert message_of(lambda: cs.elm(species, dbscan.labels_[:-1])) == (
            "ElementMismatch: gold has 12 labels and pred has 11; if matched by position, both need one per "
            "element (to match by id, pass mappings, or Clustering.from_labels(labels, elements=ids))"
        )
        assert message_of(lambda: cs.elm(species.where(species != "elm"), dbscan.labels_)) == (
            "InputError: gold has 4 elements with no label (None or NaN, e.g. position 4); pass noise=[None] with "
            'noise_as="drop" or "singleton", or give them a label'
        )
        assert message_of(lambda: cs.elm(species, dbscan, nosie=-1)) == (
            "OptionError: elm has no option 'nosie': did you mean 'noise'?"
        )
        assert message_of(lambda: cs.score(species, dbscan, metrics="silhouette")) == (
            "MetricError: unknown metric 'silhouette': it judges a clustering without gold, by distances; "
            "scikit-learn has it"
        )
        assert message_of(lambda: cs.score(species, dbscan, metrics="elm", noise=-1)["ami"]) == (
            "UnknownName: ami was not scored, because it was not requested: add it to metrics= (now: elm)"
        )
        assert message_of(lambda: cs.compare(species, [dbscan])) == (
            'InputTypeError: systems is a list, not a mapping of names to predictions; pass {"A": a, "B": b}'
        )
        assert message_of(lambda: cs.score_table(self.frame, gold="specie", pred="found")) == (
            "InputError: the table has no column 'specie': did you mean 'species'?"
        )
        mistakes(
            call,
            """
            $ score plants.csv --gold specie --pred found
            'plants.csv' has no column 'specie': did you mean 'species'?
            $ score plants.csv
            pass two files, GOLD and PRED, or one file with --gold COL and --pred COL
            """,
        )
        assert call("score plants.csv --gold species --pred found -m elm --format csv")[2] == NOISE_WARNING


LATEX = r"""% \usepackage{booktabs}
\begin{table}
\centering
\begin{tabular}{lrrr}
\toprule
system & elm & bcubed & ari \\
\midrule
kmeans & 0.4938\phantom{*$^{\dagger}$} & 0.6458\phantom{*$^{\dagger}$} & 0.4930\phantom{*$^{\dagger}$} \\
hdbscan & 0.6525*\phantom{$^{\dagger}$} & 0.7475*\phantom{$^{\dagger}$} & 0.5623\phantom{*$^{\dagger}$} \\
ours & \textbf{0.7521}*$^{\dagger}$ & \textbf{0.8442}*$^{\dagger}$ & \textbf{0.7544}*$^{\dagger}$ \\
\bottomrule
\end{tabular}
\caption{Best of each column in bold. * differs from kmeans (paired randomization test, Holm, p \textless{} 0.05). $^{\dagger}$ differs from all other systems.}
\end{table}
% elm|f:mean|beta:1, bcubed|f:mean|beta:1, adjusted_rand
% avg:micro|missing:error|documents:given|unit:documents|resamples:1000|seed:0|confidence:0.95|interval:jackknife|test:exchange|correction:holm|pairs:all|v:0.1.0"""  # noqa: E501
SYSTEMS = """\
system         elm     bcubed        ari
----------------------------------------
kmeans    0.4938     0.6458     0.4930
hdbscan   0.6525*    0.7475*    0.5623
ours      0.7521*†   0.8442*†   0.7544*†

Best of each column in bold. * differs from kmeans (paired randomization test, Holm, p < 0.05). † differs from all other systems.
elm|f:mean|beta:1, bcubed|f:mean|beta:1, adjusted_rand
avg:micro|missing:error|documents:given|unit:documents|resamples:1000|seed:0|confidence:0.95|interval:jackknife|test:exchange|correction:holm|pairs:all|v:0.1.0"""  # noqa: E501
PAIRS = """\
3 systems, 160 elements, 20 documents; 20 documents drawn 1,000 times

metric   system     score   95% interval       rank
---------------------------------------------------
elm      kmeans    0.4938   [0.4447, 0.5428]      3
         hdbscan   0.6525   [0.5895, 0.7155]      2
         ours      0.7521   [0.6972, 0.8070]      1

metric   system    against   difference         p   p (Holm)
------------------------------------------------------------
elm      hdbscan   kmeans    +0.1587 *    < 0.001     0.0030
         ours      kmeans    +0.2583 *    < 0.001     0.0030
         ours      hdbscan   +0.0996 *     0.0140     0.0140

metric   system    against   95% interval         win/tie/loss
--------------------------------------------------------------
elm      hdbscan   kmeans    [+0.0792, +0.2383]   17/0/3
         ours      kmeans    [+0.1817, +0.3349]   20/0/0
         ours      hdbscan   [+0.0288, +0.1703]   7/0/13

* the two differ: p (Holm) below 0.05, corrected for 3 pairs
elm|f:mean|beta:1
avg:micro|missing:error|documents:given|unit:documents|resamples:1000|seed:0|confidence:0.95|interval:jackknife|test:exchange|correction:holm|pairs:all|v:0.1.0"""


class TestPaperWriter:
    """Three systems on twenty documents: a table in LaTeX, with all pairs tested."""

    SYSTEMS = "kmeans=kmeans.csv hdbscan=hdbscan.csv ours=ours.csv"

    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        places = [(document, k) for document in range(1, 21) for k in range(8)]
        labels: dict[str, Callable[[int, int], int]] = {
            "gold": lambda document, k: k // 3,
            "kmeans": lambda document, k: (k + document) % 8 // 4,
            "hdbscan": lambda document, k: k // 3 if k * document % 5 else 1,
            "ours": lambda document, k: k // 3 if (k + 2 * document) % 7 else 2,
        }
        for name, label in labels.items():
            rows = [(f"d{document:02}", f"w{k}", label(document, k)) for document, k in places]
            table(f"{name}.csv", "document,element,cluster", rows)
        table("renamed.csv", "document,element,cluster", [(f"doc{d:02}", f"w{k}", 0) for d, k in places])

    def test_by_the_command(self, call: Call) -> None:
        line = f"compare gold.csv {self.SYSTEMS} -m 'elm, bcubed, ari' --pairs all"
        assert call(f"{line} --layout paper --format latex") == (0, f"{LATEX}\n", "")
        assert call(f"{line} --layout paper") == (0, f"{SYSTEMS}\n", "")
        assert call(line.replace(", bcubed, ari", "")) == (0, f"{PAIRS}\n", "")

    def test_in_python(self) -> None:
        systems = {name: f"{name}.csv" for name in ("kmeans", "hdbscan", "ours")}
        comparison = cs.compare("gold.csv", systems, metrics="elm, bcubed, ari", pairs="all")
        assert comparison.paper().to_latex() == LATEX
        assert str(comparison.paper()) == SYSTEMS
        assert str(cs.compare("gold.csv", systems, metrics="elm", pairs="all")) == PAIRS

    def test_mistakes(self, call: Call) -> None:
        systems = self.SYSTEMS
        mistakes(
            call,
            f"""
            $ compare gold.csv {systems} --baseline k-means
            --baseline 'k-means' is not a system; there are 'kmeans', 'hdbscan', 'ours'
            $ compare {systems}
            'kmeans=kmeans.csv' comes first, but GOLD takes no name; write GOLD before the systems
            $ compare gold.csv ours=ours.csv ours=kmeans.csv
            two systems are called 'ours'; give each its own name, as in NAME=FILE
            $ compare gold.csv ours=ours.csv kmeans=kmean.csv
            no file 'kmean.csv'; did you mean 'kmeans.csv'?
            $ compare gold.csv ours=renamed.csv
            system 'ours': no document is on both sides (gold has 'd01', 'd02', ...; pred has 'doc01', 'doc02', ...); give them the same names
            $ compare gold.csv {systems} -m 'elm bcubed'
            cannot read the metric 'elm bcubed'; write it like elm or bcubed(f=of-means, beta=0.5), and a comma between several
            $ compare gold.csv {systems} --format tex
            Invalid value for '--format': 'tex' is not one of 'table', 'json', 'csv', 'markdown', 'latex', 'github'; did you mean 'latex'?
            $ compare gold.csv {systems} --intervals
            --intervals is for --layout paper, with resamples; the full layout always shows them
            """,  # noqa: E501
        )
        assert message_of(lambda: cs.compare("gold.csv", ["kmeans.csv", "ours.csv"])) == (
            'InputTypeError: systems is a list, not a mapping of names to predictions; pass {"A": a, "B": b}'
        )
        assert message_of(lambda: cs.compare("gold.csv", {"ours": "ours.csv"}, baseline="kmeans", resamples=0)) == (
            "InputError: baseline='kmeans' is not a system; there are 'ours'"
        )


STREAMS = """\
document    elements      elm   panoptic
----------------------------------------
box-01             6   0.7222     0.6667
box-02             5   0.4800     0.3750
box-03             7   1.0000     1.0000
box-04             4   0.5000     0.0000
avg:macro         22   0.6756     0.5104

elm|f:mean|beta:1, panoptic
avg:macro|missing:error|format:boundaries|v:0.1.0
"""
PAGES = """\
document   element   gold   pred   gold_size   pred_size
--------------------------------------------------------
box-01           6      3      2           1           3
box-02           1      1      1           1           2
box-02           2      2      1           4           2
box-04           1      1      1           4           2
box-04           2      1      1           4           2

document   element   tp   fp   fn   precision   recall        f     loss
------------------------------------------------------------------------
box-01           6    0    2    0      0.0000   1.0000   0.0000   0.0455
box-02           1    0    1    0      0.0000   1.0000   0.0000   0.0455
box-02           2    0    1    3      0.0000   0.0000   0.0000   0.0455
box-04           1    1    0    2      1.0000   0.3333   0.5000   0.0227
box-04           2    1    0    2      1.0000   0.3333   0.5000   0.0227

the 5 that cost most, of 22 elements
elm is 0.7152: the losses add up to 0.2848
elm|f:mean|beta:1|avg:micro|missing:error|format:boundaries|v:0.1.0
"""
ZEROS_AND_ONES = """\
clusterscore: warning: gold and pred are nothing but 0 and 1, and gold begins with a 1: scored as the labels of two clusters; if 1 starts a segment of a page stream, pass --format-in boundaries, and if they are labels, --format-in labels or csv
"""  # noqa: E501


class TestPageStreams:
    """Streams of scanned pages: where documents begin, by the name of the stream, in JSON and CSV."""

    GOLD: ClassVar[dict[str, list[int]]] = {
        "box-01": [1, 0, 0, 1, 0, 1],
        "box-02": [1, 1, 0, 0, 0],
        "box-03": [1, 0, 1, 0, 0, 1, 0],
        "box-04": [1, 0, 0, 0],
    }
    MODEL: ClassVar[dict[str, list[int]]] = {
        "box-04": [1, 0, 1, 0],
        "box-01": [1, 0, 0, 1, 0, 0],
        "box-02": [1, 0, 1, 0, 0],
        "box-03": [1, 0, 1, 0, 0, 1, 0],
    }

    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("gold.json").write_text(json.dumps(self.GOLD))
        cut = {name: pages[: 6 if name == "box-03" else None] for name, pages in self.MODEL.items()}
        Path("cut.json").write_text(json.dumps(cut))
        Path("renamed.json").write_text(
            json.dumps({name.replace("-", "_"): pages for name, pages in self.MODEL.items()})
        )
        for name, streams in (("gold", self.GOLD), ("model", self.MODEL)):
            rows = [(stream, page, cut) for stream, pages in streams.items() for page, cut in enumerate(pages, 1)]
            table(f"{name}.csv", "stream,page,boundary", rows)
            Path(f"{name}.txt").write_text("".join(f"{cut}\n" for pages in streams.values() for cut in pages))

    def test_by_the_command(self, call: Call) -> None:
        files = "gold.json model.csv --format-in boundaries"
        assert call(f"score {files} -m 'elm, panoptic' --average macro --by-document") == (0, STREAMS, "")
        assert call(f"elements {files} --worst 5") == (0, PAGES, "")
        assert call(f"report {files} -m elm --average macro -o streams.html --title Boxes") == (0, "streams.html\n", "")
        page = Path("streams.html").read_text()
        assert "<title>Boxes</title>" in page
        assert "model.csv against gold.json" in re.sub("<.*?>", "", page)

    def test_in_python(self) -> None:
        gold, model = cs.Clustering.from_files("gold.json", "model.csv", format="boundaries")
        card = cs.score(gold, model, metrics="elm, panoptic", average="macro")
        assert {name: f"{score.value:.4f}" for name, score in card.items()} == {"elm": "0.6756", "panoptic": "0.5104"}
        by_stream = dict(zip(card.documents["document"].tolist(), card.documents["elm"].tolist(), strict=True))
        assert sorted(by_stream, key=by_stream.__getitem__) == ["box-02", "box-04", "box-01", "box-03"]
        worst = cs.elements(gold, model).worst(5)
        assert PAGES.startswith(f"{worst}\n\nthe 5 that cost most")
        assert cs.report(gold, model, metrics="elm", average="macro", path="streams.html") == Path("streams.html")

    def test_mistakes(self, call: Call) -> None:
        mistakes(
            call,
            """
            $ score gold.json model.csv
            'gold.json': 'box-01': [1, 0, 0, 1, 0, 1] may be a cluster with its elements or an element with its clusters; pass --format-in clusters or memberships; 0 or 1 for every page of a stream is --format-in boundaries
            $ score gold.csv model.csv
            'gold.csv' has a column 'boundary': pass --format-in boundaries for page streams, or 'gold.csv' has 'stream', 'page', 'boundary', and 'model.csv' has 'stream', 'page', 'boundary': which column is the element and the cluster? pass --element COL --cluster COL
            $ score gold.json cut.json --format-in boundaries
            1 element is only in gold (e.g. 7 in document 'box-03'); pass --missing drop or singleton
            $ score gold.json renamed.json --format-in boundaries
            no document is on both sides (gold has 'box-01', 'box-02', ...; pred has 'box_01', 'box_02', ...); give them the same names
            $ score gold.json model.csv --format-in lengths
            'gold.json': 13 numbers out of place (e.g. '0' in 'box-01'); segment lengths are whole numbers from 1 up; a 0 or 1 for every page is --format-in boundaries
            $ score gold.json model.csv --format-in boundary
            Invalid value for '--format-in': 'boundary' is not one of 'csv', 'tsv', 'parquet', 'jsonl', 'arrow', 'json', 'labels', 'npy', 'npz', 'tif', 'clusters', 'elements', 'memberships', 'senses', 'links', 'lengths', 'boundaries', 'rttm', 'conll', 'corefud', 'jsonlines', 'conllua', 'litbank'; did you mean 'boundaries'?
            $ score gold.json model.csv --format-in boundaries -m s_measure
            unknown metric 's_measure': did you mean 'v_measure'?
            $ report gold.json model.csv --format-in boundaries -o streams.pdf
            streams.pdf: a report is an HTML page; name it streams.html; you can print it as PDF from a browser
            """,  # noqa: E501
        )
        assert message_of(lambda: cs.score("gold.json", "model.csv")) == (
            "FileError: 'gold.json': 'box-01': [1, 0, 0, 1, 0, 1] may be a cluster with its elements or an element "
            'with its clusters; pass format="clusters" or "memberships"; 0 or 1 for every page of a stream is '
            'format="boundaries" (Clustering.from_files takes that, and cs.File without gold_ and pred_)'
        )
        assert message_of(lambda: cs.score(gold := self.GOLD, gold)) == (
            "InputTypeError: gold: 'box-01': [1, 0, 0, 1, 0, 1] may be a cluster with its elements or an element "
            "with its clusters; pass Clustering.from_clusters(mapping) or Clustering.from_memberships(mapping); "
            "several systems by name go to cs.compare(gold, systems)"
        )
        for files in ("gold.txt model.txt", "gold.csv model.csv --element page --cluster boundary --document stream"):
            assert call(f"score {files} -m elm --format csv")[2] == ZEROS_AND_ONES
