"""Options of every command, combined at random, on good and bad files: an answer, or one line and exit code 2."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import click
import pytest

from clusterscore.command import cli
from running import run

GOLD = "element,cluster,document,gold,pred,other\n" + "".join(
    f"p{k},{k % 5},d{k % 3},{k % 5},{k * 7 % 4},{k % 2 - 1}\n" for k in range(40)
)
PRED = "element,cluster,document\n" + "".join(f"p{k},{k * 7 % 4},d{k % 3}\n" for k in range(40))
CONLL = "#begin document ({name}); part 000\n" + "a\t(1)\nb\t(2\nc\t2)\nd\t(1)\n" + "#end document\n"
FILES = {
    "gold.csv": GOLD,
    "pred.csv": PRED,
    "short.csv": "\n".join(PRED.split("\n")[:20]) + "\n",
    "gold.tsv": GOLD.replace(",", "\t"),
    "empty.csv": "",
    "heading.csv": "element,cluster\n",
    "twice.csv": PRED + "p0,1,d0\n",
    "hole.csv": PRED.replace("p3,1", "p3,"),
    "ragged.csv": PRED + "p99\n",
    "a.labels": "a\na\nb\n",
    "b.labels": "a\nb\nb\n",
    "a.clusters": "x y\nz\n",
    "a.lengths": "2 1\n",
    "b.boundaries": "1 0 1\n",
    "a.rttm": "SPEAKER r 1 0 1 <NA> <NA> s <NA> <NA>\nSPEAKER r 1 1 1 <NA> <NA> t <NA> <NA>\n",
    "b.rttm": "SPEAKER r 1 0 2 <NA> <NA> s <NA> <NA>\n",
    "a.json": '{"x": 1, "y": 1, "z": 2}',
    "a.links": "x y\nz\n",
    "key.conll": CONLL.format(name="a") + CONLL.format(name="b"),
    "response.conll": CONLL.format(name="a"),
    "bytes.csv": "\x00\xff\x1b[31m",
    "odd.csv": 'element,cluster\n"a\x1b]0;x\x07",=1+1\nb,![](x)\n',
}
# values of options by name: good ones, and bad ones, which are rare
COLUMNS = (["element", "cluster", "document", "gold", "pred", "other"], ["elemnt", "", "=x", "\x1b[31m"])
WORDS: dict[str, tuple[list[str], list[str]]] = {
    "element": (["element"], COLUMNS[1]),
    "cluster": (["cluster"], COLUMNS[1]),
    "document": (["document"], COLUMNS[1]),
    "gold_cluster": (["gold", "cluster"], COLUMNS[1]),
    "pred_cluster": (["pred", "other"], COLUMNS[1]),
    "pred_clusters": (["pred", "other", "cluster"], COLUMNS[1]),
    "metrics": (["elm", "elm, ari", "bcubed(beta=2)", "nmi", "set_matching", "b3", "conll"], ["elm(", "x", "", " "]),
    "name": (["elm", "bcubed", "bcubed(f=of-means)"], ["nmi", "x"]),
    "element_metric": (["elm", "bcubed"], ["nmi", "x"]),
    "noise": (["-1", "0", ""], ["x"]),
    "memory_limit": (["1GB", "100MB"], ["0", "x"]),
    "temp_directory": (["."], ["nowhere"]),
    "fail_under": (["elm=0.5", "pred: elm=0.1"], ["elm", "=1", "x=1"]),
    "save": (["out.html"], ["nowhere/x.json", "gold.csv"]),
    "against": (["out.html", "a.json"], ["nowhere.json"]),
    "weights": (["class", "effective"], ["x"]),
    "baseline": (["pred"], ["x"]),
    "title": (["T", "</title>", "\x1b"], []),
    "show": (["other"], ["x"]),
    "by": (["other", "cluster"], ["x"]),
    "names": (["elm", "bcubed"], ["x"]),
}
SKIPPED = {"demo"}  # it takes no input, and has tests of its own
LEFT_OUT = {"help", "version", "path"}  # a page is written to the one path that the test names


def _value(option: click.Parameter, rng: random.Random) -> str:
    kind = option.type
    good: list[str]
    if isinstance(kind, click.Choice):
        good, bad = list(kind.choices), ["nonsense"]
    elif isinstance(kind, click.types.IntParamType):
        good, bad = ["2", "3", "9"], ["-1", "0", "20", "x", "99999999999999999999"]
    elif isinstance(kind, click.types.FloatParamType):
        good, bad = ["0.5", "0.95", "0.1"], ["0", "-1", "nan", "inf", "x"]
    else:
        good, bad = WORDS.get(option.name or "", (["elm"], ["x", ""]))
    return rng.choice(bad if bad and rng.random() < 0.1 else good)


def arguments(command: click.Command, rng: random.Random, folder: Path) -> list[str]:
    """A call of a command: some of its options, in any combination; mostly on files that it can score."""
    options: list[str] = []
    one_file = _takes_pair(command) and rng.random() < 0.3
    for option in command.params:
        if not isinstance(option, click.Option) or option.name in LEFT_OUT:
            continue
        sided = option.name in ("gold_cluster", "pred_cluster", "pred_clusters")
        if rng.random() < (0.97 if one_file else 0.01) if sided else rng.random() < 0.15:
            for _ in range(rng.choice([1, 1, 2]) if option.multiple else 1):
                options.append(rng.choice(option.opts))
                if not option.is_flag:
                    options.append(_value(option, rng))
    if any(option.name == "path" for option in command.params):
        options += ["--output", str(folder / "out.html")]
    coreference = "--coref" in options or any(parameter.name == "responses" for parameter in command.params)
    pools = (
        [["key.conll"], ["response.conll", "key.conll"]] if coreference else [["gold.csv"], ["pred.csv", "short.csv"]]
    )
    count = sum(
        1 if parameter.nargs == 1 else rng.choice([1, 1, 2]) for parameter in command.params if _is_file(parameter)
    )
    paths = []
    for k in range(1 if one_file else count):
        names = ["missing.csv", *sorted(FILES)] if rng.random() < 0.15 else pools[min(k, 1)]
        paths.append(str(folder / rng.choice(names)))
    return [*paths, *options]


def _is_file(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument) and parameter.name in {"gold", "pred", "preds", "key", "responses"}


def _takes_pair(command: click.Command) -> bool:
    return any(parameter.name == "gold" and isinstance(parameter, click.Argument) for parameter in command.params)


def check(words: list[str]) -> None:
    code, out, err = run(*words)
    shown = f"clusterscore {words}\n{out[:300]}\n{err[:600]}"
    gated = "--fail-under" in words or "--against" in words
    assert code in ((0, 1, 2) if gated else (0, 2)), shown
    assert "Traceback" not in err, shown
    assert "\x1b" not in out + err, shown
    if code == 2:
        # what was warned of and what --missing drop left out stays true where the scores could not be saved
        complaints = [
            line for line in err.splitlines() if not re.match("clusterscore: (warning|(.* )?dropped): ", line)
        ]
        assert len(complaints) == 1, shown
        assert complaints[0].startswith("clusterscore: "), shown
        assert len(complaints[0]) < 1000, shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (made / name).write_bytes(text.encode("latin-1"))
    return made


COMMANDS = {
    name: cli.get_command(click.Context(cli), name)
    for name in cli.list_commands(click.Context(cli))
    if name not in SKIPPED
}


@pytest.mark.parametrize("name", COMMANDS)
def test_options(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    rng = random.Random(name)
    for _ in range({"report": 4, "constraints": 1}.get(name, 25)):  # some take seconds each
        check([name, *arguments(COMMANDS[name], rng, folder)])
    assert sorted(os.listdir(folder)) == sorted({*FILES, *({"out.html"} & set(os.listdir(folder)))})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", COMMANDS)
def test_options_long(name: str, seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    rng = random.Random(f"{name} {seed}")
    for _ in range({"report": 5, "constraints": 1}.get(name, 60)):  # some take seconds each
        check([name, *arguments(COMMANDS[name], rng, folder)])
