"""Which columns of a table hold elements, clusters and documents; and what to type where that is open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clusterscore.exceptions import nearest
from clusterscore.fields import known_columns
from clusterscore.messages import Message, Option, Wording, one_after_another
from clusterscore.nouns import noun
from clusterscore.read.file import COLUMNS, ReadOptions
from clusterscore.read.turns import TURN_COLUMNS

UNNAMED = "Unnamed: 0"  # the index of a data frame in its file, as pandas calls it
SOURCE = "source_dataset"  # Splink's ids may repeat in another data set
_ELEMENTS = ("element", "unique_id", "record_id", "id", UNNAMED.lower())
_CLUSTERS = ("cluster", "cluster_id", "entity_id", "label", "labels", "y")
_NOT_READ = {  # names of columns that are read only if somebody says so, by what for
    "grade": {"weight", "weights", "grade", "share", "probability", "membership"},
    "document": {"stream", "stream_id"},
}
USUAL = (*_ELEMENTS, *_CLUSTERS, UNNAMED, SOURCE, "document", "boundary", "length")  # that are looked for by name
_SPLINK = ("unique_id", "cluster_id")
_PAIRS = {"unique_id_l", "unique_id_r", "match_probability"}
_OF_SIDE = {"gold": ("gold", "entity_id", "label", "labels", "y"), "pred": ("pred", "cluster_id", "cluster")}
_MANY = 10  # names of columns in a message
_OPEN = "..."  # a name that only the user knows
_LIKE_DATA = re.compile(r"\d|^\W*$")


class TableColumns(NamedTuple):
    """The columns of a table that are read; what is open, the user has to name."""

    called: str  # the table, in messages
    names: Sequence[str]  # of all its columns
    element: tuple[str, ...] = ()  # one, or the two parts of Splink's ids; none where each row is an element
    clusters: tuple[str, ...] = ()
    document: str | None = None
    grade: str | None = None
    open: Mapping[str, str] = {}  # what for there is no column -> one that may be meant
    absent: tuple[str, str] | None = None  # what for the user named a column that is not there
    no_document: str | None = None  # the same of documents, which another table may have
    taken: Mapping[str, str] = {}  # what for -> a column whose name does not say so, but there is no other
    signed: Mapping[str, str] = {}  # what for -> the first of several that the field knows; a signature names it

    @property
    def unread(self) -> dict[str, str]:
        """What for -> a column that may hold it, and that nobody named."""
        read = {"grade": self.grade, "document": self.document}
        return {
            role: name
            for role, usual in _NOT_READ.items()
            for name in self.names
            if read[role] is None and name not in self.all and _plain(name) in usual
        }

    @property
    def all(self) -> list[str]:
        """The columns, each once."""
        return list(dict.fromkeys([*self.element, *self.clusters, *filter(None, [self.document, self.grade])]))

    @property
    def has(self) -> str:
        """The names of all columns, in words."""
        rest = f" and {len(self.names) - _MANY} more" if len(self.names) > _MANY else ""
        return f"has {', '.join(map(repr, self.names[:_MANY]))}{rest}"


def choose_columns(
    called: str,
    names: Sequence[str],
    options: ReadOptions,
    clusters: Sequence[str | None] = (None,),
    *,
    roles: Sequence[str] = (),
    rows: bool = False,
    usual: bool = True,
) -> TableColumns:
    """The columns of a table with the clusters of one side, or of several.

    ``roles`` are what the options are called that name the clusters. ``rows``: where no column of elements is named,
    each row is one. ``usual``: columns called element and document are taken where none is named.
    """
    columns = TableColumns(called, names)
    of_clusters = zip(roles or ["cluster"] * len(clusters), clusters, strict=True)
    grade = options.grade or _recognised(names, (), "grade")
    for role, name in [("element", options.element), *of_clusters, ("grade", grade)]:
        if name is not None and name not in names:
            known = tuple(name for name in names if name == options.element)
            return columns._replace(absent=(role, name), element=known)
    document = options.document or _recognised(names, (), "document")
    if document is None and usual and "document" in names:
        document = "document"
    if document not in names:
        columns, document = columns._replace(no_document=document), None
    header = options.header or "1" not in names  # what is no CSV has names of its own
    free = [name for name in names if name not in {document, grade, *clusters} and (header or name in ("1", "2"))]
    element: str | None = options.element
    taken, unclear = {}, {}
    labels = len(names) == 1 and _plain(names[0]) not in _ELEMENTS  # a single column is labels, unless it is of ids
    if element is None and (rows or labels):
        first = "element" if header else "1"
        element = first if usual and first in free and not labels else None
        element = element or (_recognised(free, (), "element") if rows else None)
    elif element is None:
        element = _recognised(free, _ELEMENTS if header else ("1",), "element")
    free = [name for name in free if name != element]
    likely = [name for name in free if _plain(name) in _CLUSTERS]
    if not header:
        usual_cluster = "2" if "2" in free else None
    elif element is not None and _plain(element) == _SPLINK[0] and set(map(_plain, likely)) == {_SPLINK[1]}:
        usual_cluster = likely[0]
    else:
        usual_cluster = _recognised(free, _CLUSTERS, "cluster")
    chosen = [name or usual_cluster for name in clusters]
    no_element = {UNNAMED.lower(), *map(_plain, known_columns("cluster"))}
    rest = [name for name in free if name not in chosen and _plain(name) not in no_element]
    if None in chosen and len(rest) == 1 and (element is not None or labels):
        chosen, taken = [name or rest[0] for name in chosen], {} if labels else {"cluster": rest[0]}
        rest = []
    if element is None and not rows and not labels:
        if len(rest) == 1 and None not in chosen:
            element, taken = rest[0], {**taken, "element": rest[0]}
        else:
            unclear["element"] = next((name for name in rest if _plain(name) in _ELEMENTS), _OPEN)
    if None in chosen:
        likely = [name for name in rest if _plain(name) in _CLUSTERS] or (rest if len(rest) == 1 else [])
        unclear["cluster"] = likely[0] if likely else _OPEN
    if unclear:
        return columns._replace(open=unclear, element=() if element is None else (element,), document=document)
    splink = options.element is None and element is not None and _plain(element) == _SPLINK[0] and SOURCE in names
    ids = () if element is None else (SOURCE, element) if splink else (element,)
    named = tuple(map(str, chosen))
    several = len({_plain(name) for name in known_columns("cluster")} & set(map(_plain, free))) > 1
    signed = {"cluster": str(usual_cluster)} if several and None in clusters else {}
    columns = columns._replace(element=ids, clusters=named, document=document, grade=grade)
    return columns._replace(taken=taken, signed=signed)


def is_heading(line: str, below: Sequence[str], separator: str) -> bool:
    """Whether a line has the names of columns that are known; a name is no value of its column in the lines below."""
    cells = [cell.strip('" ') for cell in line.split(separator)]
    words = {*_ELEMENTS, *_CLUSTERS, *(_plain(name) for role in COLUMNS for name in known_columns(role))}
    known = [k for k, cell in enumerate(cells) if _plain(cell) in words]
    return len(cells) > 1 and any(
        all(cells[k] not in map(str.strip, row.split(separator)[k : k + 1]) for row in below)
        and all(line != row for row in below)
        for k in known
    )


def _plain(name: str) -> str:
    """A name as it is recognised: ``Cluster ID`` is cluster_id."""
    return str(name).strip().lower().replace(" ", "_") if name != UNNAMED else UNNAMED.lower()


def _recognised(names: Sequence[str], known: Sequence[str], role: str) -> str | None:
    """The column that goes by a known name; where there are several, the first of all that is known, or none.

    Names that the field in use has for something come first, in their order.
    """
    for preferred in map(_plain, known_columns(role)):
        if usual := [name for name in names if _plain(name) == preferred]:
            return usual[0]
    there = [name for name in names if _plain(name) in known]
    named = [name for name in there if _plain(name) != UNNAMED.lower()] or there
    first = [name for name in named if _plain(name) == known[0]] if known else []
    return first[0] if first else named[0] if len(named) == 1 else None


def refusal(tables: Mapping[str | None, TableColumns], cluster: str = "{}_cluster") -> Message | None:
    """What to say where columns are open or absent: what the tables have, and the options that name the right ones.

    Tables go by their side. ``cluster`` is what the option is called that names the clusters of a side.
    """
    for side, table in tables.items():
        lent = any(table.no_document == other.document for other in tables.values())
        if table.no_document is not None and not lent:
            table = table._replace(absent=("document", table.no_document))
        if table.absent is not None:
            return _absent(side, table, {**tables, side: table}, cluster)
    unclear = {side: table for side, table in tables.items() if table.open}
    if not unclear:
        return None
    side, table = next(iter(unclear.items()))
    if set(table.names) >= _PAIRS:
        return Message(
            f"{table.called} has pairs with a match_probability, and no {noun('clusters')}; ",
            Wording(
                "cs.sweep(gold, edges=pairs) scores every threshold, "
                "Clustering.from_predictions(pairs, threshold=0.9, elements=all_ids) is one",
                noun("clusterscore sweep GOLD PAIRS scores every threshold, and writes the clusters of one"),
            ),
        )
    if set(table.names) >= {*TURN_COLUMNS[1:]}:
        frame = Wording(", or pass the frame to Clustering.from_turns", "")
        return Message(f"{table.called} has turns, which are read from RTTM; write a line SPEAKER for each", frame)
    what = " and the ".join(table.open)
    others = "".join(f", and {other.called} {other.has}" for other in tables.values() if other is not table)
    message = Message(
        f"{table.called} {table.has}{others}: which column is the {what}? pass ", _remedy(unclear, tables, cluster)
    )
    if "boundary" in table.names:
        boundaries = Option("format", "boundaries")
        message = Message(
            f"{table.called} has a column 'boundary': pass ", boundaries, " for page streams, or ", message
        )
    return Message(message, _no_heading(unclear, len(tables)))


def _no_heading(tables: Mapping[str | None, TableColumns], number: int) -> Message:
    """What to say where the names of columns look like data."""
    bare = [
        side
        for side, table in tables.items()
        if list(table.names) != [str(k + 1) for k in range(len(table.names))]  # as they are called without a heading
        and any(_LIKE_DATA.search(str(name)) for name in table.names if name != UNNAMED)
    ]
    side = f"{bare[0]}_" if bare and bare[0] and len(bare) < number else ""
    return Message("; if the first line is data, pass ", Option(f"{side}header", False)) if bare else Message()


def _absent(side: str | None, table: TableColumns, tables: Mapping[str | None, TableColumns], cluster: str) -> Message:
    assert table.absent is not None
    role, name = table.absent
    other = next(
        (candidate for candidate in tables.values() if candidate is not table and name in candidate.names), None
    )
    own = _option(role, side, cluster)
    if other is None:
        hint = nearest(str(name), map(str, table.names))
        both = len(tables) > 1 and all(known.absent == table.absent for known in tables.values())
        option = role if both else own
        remedy = Message("; name it with ", Option(option, _OPEN), _no_heading({side: table}, len(tables)))
        return Message(f"{table.called} has no column {name!r}: {hint}", "" if hint.endswith("?") else remedy)
    there = next((other_side for other_side, known in tables.items() if known is other), None)
    swapped = other.absent is not None and other.absent[0] == role and other.absent[1] in table.names
    remedy = Message("are gold and pred swapped?")
    if not swapped:
        options = [Option(_option(role, there, cluster), name)] if name in other.all else []
        free = [column for column in table.names if column not in table.all and column not in other.names]
        if free or role != "grade":  # one side may have weights, and the other none
            options.append(Option(own, free[0] if len(free) == 1 else _OPEN))
        remedy = Message("pass ", one_after_another(options), _no_heading({side: table}, len(tables)))
    return Message(f"{table.called} has no column {name!r}, which {other.called} has: it {table.has}; ", remedy)


def _remedy(
    unclear: Mapping[str | None, TableColumns], tables: Mapping[str | None, TableColumns], cluster: str
) -> Message:
    """The options that name what is open, for all tables at once."""
    options: dict[str, str] = {}
    likely = {side: _likely(side, table, list(tables.values())) for side, table in unclear.items()}
    for role in ("element", "cluster"):
        guesses = {side: guess[role] for side, guess in likely.items() if role in guess}
        alike = (
            _OPEN not in guesses.values() or role == "element" or len({tuple(t.names) for t in tables.values()}) == 1
        )
        if len(guesses) == 2 and len(set(guesses.values())) == 1 and alike:
            options[role] = next(iter(guesses.values()))
        else:
            options |= {_option(role, side, cluster): name for side, name in guesses.items()}
    return one_after_another(Option(option, name) for option, name in options.items())


def _likely(side: str | None, table: TableColumns, tables: Sequence[TableColumns]) -> dict[str, str]:
    """TableColumns that may be meant; elements are often in the one that all tables have."""
    guess = dict(table.open)
    free = [name for name in table.names if name not in table.all]
    shared = [name for name in free if all(name in known.names for known in tables)] if len(tables) > 1 else []
    if guess.get("element") == _OPEN and len(shared) == 1:
        guess["element"] = shared[0]
    if "cluster" in guess:
        rest = [name for name in free if name != guess.get("element")]
        usual = [name for name in _OF_SIDE.get(side or "", ()) if name in rest]
        if usual or (guess["cluster"] == _OPEN and len(rest) == 1):
            guess["cluster"] = usual[0] if usual else rest[0]
    return guess


def _option(role: str, side: str | None, cluster: str) -> str:
    """What the option is called that names a column of a side."""
    if side is None or role not in COLUMNS:
        return role
    return cluster.format(side) if role == "cluster" else f"{side}_{role}"
