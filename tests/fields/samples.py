"""What people of each field have on their disks, and helpers to look at what they are shown."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import clusterscore as cs
from clusterscore import plugins
from clusterscore.fields import FIELDS
from running import Done, run
from show.test_nouns import NAMES, PLAIN_WORD

HAS_CRAC = "mor" in {kind.name for kind in cs.registered()}  # what the field crac reports
NO_CRAC = "crac reports mor and zero, which are not there yet"
USABLE = [name for name in FIELDS if name != "crac" or HAS_CRAC]

# coreference: two documents, the second with a mention that only the key has
KEY = """#begin document (nw/ann); part 000
nw/ann 0 0 Ann - (0)
nw/ann 0 1 met - -
nw/ann 0 2 Bob - (1)
nw/ann 0 3 . - -

nw/ann 0 0 She - (0)
nw/ann 0 1 likes - -
nw/ann 0 2 him - (1)
nw/ann 0 3 . - -

#end document
#begin document (nw/sea); part 000
nw/sea 0 0 The - (0
nw/sea 0 1 sea - 0)
nw/sea 0 2 rose - -
nw/sea 0 3 and - -
nw/sea 0 4 it - (0)
nw/sea 0 5 fell - -
nw/sea 0 6 its - (0)

#end document
"""
RESPONSE = KEY.replace("him - (1)", "him - (0)").replace("its - (0)", "its - -")
# entities of each document, key and response, by tokens from the start of the document
ENTITIES = [
    ([[(0, 0), (4, 4)], [(2, 2), (6, 6)]], [[(0, 0), (4, 4), (6, 6)], [(2, 2)]]),
    ([[(0, 1), (4, 4), (6, 6)]], [[(0, 1), (4, 4)]]),
]
CONLLU = """# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = 1
# text = Ann met Bob
1	Ann	Ann	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1-)
2	met	meet	VERB	_	_	0	root	_	_
3	Bob	Bob	PROPN	_	_	2	obj	_	Entity=(e2-person-1-)

# sent_id = 2
# text = She likes him
1	She	she	PRON	_	_	2	nsubj	_	Entity=(e1-person-1-)
2	likes	like	VERB	_	_	0	root	_	_
3	him	he	PRON	_	_	2	obj	_	Entity=(e2-person-1-)

"""
LINES = [
    {"doc_key": "nw/ann_0", "sentences": [["Ann", "met", "Bob", "."], ["She", "likes", "him", "."]]},
    {"doc_key": "nw/sea_0", "sentences": [["The", "sea", "rose", "and", "it", "fell", "its"]]},
]

# page streams: 1 starts a segment
BOUNDARIES = {
    "case-07": ([1, 0, 1, 0, 0, 1], [1, 0, 1, 1, 0, 1]),
    "case-12": ([1, 0, 0, 1], [1, 0, 0, 0]),
    "case-31": ([1, 1, 0], [1, 1, 0]),
}

# records of three tools; the same people in each
PEOPLE = {"gold": [0, 0, 0, 1, 1, 2, 3, 4, 4], "pred": [0, 0, 1, 1, 1, 2, 2, 3, 3]}

# lines of a log, as loghub-2.0 and logparser write them: templates, and ids of them; a line lacks one
TEMPLATES = {
    "gold": ["open <*>", "open <*>", "close <*>", "close <*>", "read", "open <*>", "open <*>", "wait"],
    "pred": ["open <*>", "open <*>", "close a", "close b", "", "open <*>", "open <*>", "wait <*>"],
}

# senses of two words, with weights; the prediction's are its own
SENSES = {
    "gold": "add.v add.v.1 add%2:30::/4 add%2:32::/1\nadd.v add.v.2 add%2:30::/5\nadd.v add.v.3 add%2:32::/3\n"
    "dark.j dark.j.1 dark%3:01::/2\ndark.j dark.j.2 dark%3:02::/5 dark%3:01::/1\ndark.j dark.j.3 dark%3:02::/4\n",
    "pred": "add.v add.v.1 c1/0.9 c2/0.1\nadd.v add.v.2 c1/1\nadd.v add.v.3 c2/0.5 c1/0.5\n"
    "dark.j dark.j.1 c1\ndark.j dark.j.2 c1/0.5 c2/0.25\ndark.j dark.j.3 c2\n",
}

# recordings: who speaks from when, for how long
TURNS = {
    "gold": ["r1 0 4.5 ann", "r1 4 3 bob", "r1 8 2.25 ann", "r2 0.5 3 cleo", "r2 4 6 dan"],
    "pred": ["r1 0 4 x", "r1 4.25 4 y", "r1 8.5 2 y", "r2 0.5 2 x", "r2 2.75 7 z"],
}

CLASSES = [k % 4 for k in range(40)]
FOUND = [k % 4 if k % 5 else (k + 1) % 4 for k in range(40)]


def json_lines(side: int) -> str:
    """The documents of coreference, as e2e-coref writes them."""
    return "\n".join(
        json.dumps({**line, "clusters": [list(map(list, entity)) for entity in both[side]]})
        for line, both in zip(LINES, ENTITIES, strict=True)
    )


def rttm_line(turn: str) -> str:
    """A turn as a line of RTTM."""
    recording, start, length, speaker = turn.split()
    return f"SPEAKER {recording} 1 {start} {length} <NA> <NA> {speaker} <NA> <NA>\n"


def labels_of(boundaries: list[int]) -> tuple[int, ...]:
    """The segment of each page."""
    return tuple(sum(boundaries[1 : page + 1]) for page in range(len(boundaries)))


def page_table(folder: Path) -> None:
    rows = [
        f"{stream},{page},{gold},{pred}"
        for stream, both in BOUNDARIES.items()
        for page, (gold, pred) in enumerate(zip(*both, strict=True), 1)
    ]
    (folder / "pages.csv").write_text("\n".join(["stream,page,gold,pred", *rows]), encoding="utf-8")


def structured_log(templates: list[str]) -> str:
    """The CSV of a parser: an id for every template, and none where it found none."""
    ids = {template: f"E{k}" if template else "" for k, template in enumerate(dict.fromkeys(templates))}
    rows = [f"{k},INFO,words of {k},{ids[template]},{template}" for k, template in enumerate(templates, 1)]
    return "\n".join(["LineId,Level,Content,EventId,EventTemplate", *rows])


def files_of(name: str, folder: Path) -> tuple[str, ...]:
    """Write the files of a field, and return the arguments that name them."""
    if name == "page-streams":
        page_table(folder)
        return "pages.csv", "--gold", "gold", "--pred", "pred"
    if name == "coreference":
        texts = {"key.v4_gold_conll": KEY, "out.v4_auto_conll": RESPONSE}
    elif name == "crac":
        texts = {
            "gold.conllu": CONLLU,
            "pred.conllu": CONLLU.replace("obj	_	Entity=(e2", "obj	_	Entity=(e1", 1),
        }
    elif name == "diarization":
        texts = {f"{side}.rttm": "".join(map(rttm_line, turns)) for side, turns in TURNS.items()}
    elif name == "entity-resolution":
        texts = {
            f"{side}.csv": "unique_id,cluster_id\n" + "\n".join(f"r{k},{label}" for k, label in enumerate(labels))
            for side, labels in PEOPLE.items()
        }
    elif name == "logs":
        texts = {f"{side}.log_structured.csv": structured_log(templates) for side, templates in TEMPLATES.items()}
    elif name == "word-senses":
        texts = {f"{side}.key": text for side, text in SENSES.items()}
    else:
        texts = {"classes.labels": "\n".join(map(str, CLASSES)), "kmeans.labels": "\n".join(map(str, FOUND))}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return tuple(texts)


def in_python(name: str, folder: Path) -> tuple[Any, Any]:
    """Gold and prediction of a field, as Python has them."""
    first, second, *_ = files_of(name, folder)
    if name != "page-streams":
        return str(folder / first), str(folder / second)
    return cs.File(str(folder / first), cluster="gold"), cs.File(str(folder / first), cluster="pred")


def foreign(text: str, name: str) -> list[str]:
    """Where a text has the plain words, apart from names in code and from what the field itself says."""
    own = {word for words in cs.field(name).nouns for word in words}
    text = NAMES.sub(" ", text)
    return [
        text[max(0, at.start() - 40) : at.end() + 30]
        for at in PLAIN_WORD.finditer(text)
        if at[0].lower() not in own
    ]  # fmt: skip


def seen(path: Path) -> str:
    """What a reader sees of a page, with the titles of its marks."""
    code = r"<(script|style|code)\b(?! class=\"measure).*?</\1>"
    page = re.sub(code, " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    shown = re.sub(r"<[^>]*?(?:(?:title|aria-label|data-label|data-tip)=\"([^\"]*)\"[^>]*?)?>", r" \1 ", page)
    return html.unescape(shown)


def command(*arguments: str, cwd: Path) -> Done:
    """Run a command that has nothing to complain of."""
    done = run(*arguments, cwd=cwd)
    noted = [line for line in done.stderr.splitlines() if "dropped as background" not in line]
    assert (done.returncode, noted) == (0, []), done.stderr
    return done


def values(arguments: tuple[str, ...], cwd: Path) -> dict[str, Any]:
    """The JSON of a command."""
    return dict(json.loads(command(*arguments, "--format", "json", cwd=cwd).stdout))


@contextmanager
def plugins_forgotten() -> Iterator[None]:
    """Entry points are looked at again, and what they bring is forgotten at the end."""
    before = dict(FIELDS)
    plugins._loaded.discard("clusterscore.fields")
    try:
        yield
    finally:
        FIELDS.clear()
        FIELDS.update(before)
        plugins._loaded.discard("clusterscore.fields")
