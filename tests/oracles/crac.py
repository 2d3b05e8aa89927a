"""The rules of the CorefUD scorer, written down once more and as plainly as possible; and random documents for them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

Node = tuple[int, int, int]  # sentence, word, and number of an empty node behind it (0: the word itself)
Deps = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Mention:
    words: tuple[Node, ...]
    head: int  # counted from 1
    deps: Deps  # of the head

    @property
    def top(self) -> Node:
        return self.words[self.head - 1]

    @property
    def zero(self) -> bool:
        return self.top[2] > 0

    @property
    def place(self) -> tuple[Node, Node, int]:
        return self.words[0], self.words[-1], len(self.words)


@dataclass
class Document:
    nodes: list[list[Node]] = field(default_factory=list)  # by sentence
    deps: dict[Node, Deps] = field(default_factory=dict)
    entities: dict[str, list[Mention]] = field(default_factory=dict)  # mentions as they are opened


def name_of(mention: Mention, match: str) -> Any:
    words = frozenset(mention.words)
    return (words, mention.top) if match == "head" else words


def first_in_file(file: list[Document], eid: str) -> tuple[Any, ...]:
    """Where an entity begins: first word, longer first, last word, id."""
    where = next(k for k, document in enumerate(file) if eid in document.entities)
    mentions = file[where].entities[eid]
    return *min((where, m.words[0], -len(m.words), m.words[-1]) for m in mentions), eid


def prepared(file: list[Document], number: int, match: str, singletons: str) -> list[list[Mention]]:
    entities = file[number].entities
    lists = []
    for eid in sorted(entities, key=lambda eid: first_in_file(file, eid)):
        once: dict[Any, Mention] = {}
        for mention in sorted(entities[eid], key=lambda m: (m.words[0], -len(m.words), m.words[-1])):
            once.setdefault(name_of(mention, match), mention)
        if singletons == "keep" or len(once) > 1:
            lists.append(list(once.values()))
    return lists


def f_of(ours: frozenset[Any], theirs: frozenset[Any]) -> float:
    common = len(ours & theirs)
    if not common:
        return 0.0
    p, r = common / len(ours), common / len(theirs)
    return 2 * p * r / (p + r)


def depend_alike(key: Mention, response: Mention) -> float:
    if key.top[0] != response.top[0]:
        return 0.0
    parents = (frozenset(parent for parent, _ in mention.deps) for mention in (key, response))
    return 10 * f_of(key.deps, response.deps) + f_of(*parents)


def overlap(key: Mention, response: Mention, match: str) -> float:
    ours, theirs = set(key.words), set(response.words)
    fits = key.top == response.top if match == "head" else theirs <= ours and key.top in theirs
    return len(ours & theirs) / len(ours) if fits else 0.0


def best(keys: dict[Any, Mention], responses: dict[Any, Mention], weight: Any) -> list[tuple[Any, Any]]:
    rows, columns = (
        sorted(side, key=lambda name, side=side: (side[name].place, side[name].words, side[name].top))  # type: ignore[misc]
        for side in (keys, responses)
    )
    matrix = np.array([[weight(keys[k], responses[s]) for s in columns] for k in rows]).reshape(len(rows), len(columns))
    return [(rows[i], columns[j]) for i, j in zip(*linear_sum_assignment(-matrix), strict=True) if matrix[i, j] > 0]


def by_name(entities: list[list[Mention]], match: str) -> dict[Any, Mention]:
    mentions: dict[Any, Mention] = {}
    for entity in entities:
        for mention in entity:
            mentions.setdefault(name_of(mention, match), mention)
    return mentions


def aligned(key: dict[Any, Mention], response: dict[Any, Mention], match: str, zeros: str) -> list[tuple[Any, Any]]:
    key, response, pairs = dict(key), dict(response), []

    def take(some: list[tuple[Any, Any]]) -> None:
        for k, s in some:
            del key[k], response[s]
            pairs.append((k, s))

    if zeros == "dependent":
        of_zeros = ({n: m for n, m in side.items() if m.zero} for side in (key, response))
        take(best(*of_zeros, depend_alike))
    take([(name, name) for name in list(key) if name in response])
    if match != "exact":
        take(best(key, response, lambda k, s: overlap(k, s, match)))
    return pairs


class Scored:
    """The counts of one document: [P numerator, P denominator, R numerator, R denominator] by metric."""

    def __init__(self, key: list[list[Mention]], response: list[list[Mention]], match: str, zeros: str, books: bool):
        self.names = [[[name_of(m, match) for m in entity] for entity in side] for side in (key, response)]
        self.mentions, self.match = (key, response), match
        self.last = [{name: k for k, entity in enumerate(side) for name in entity} for side in self.names]
        pairs = aligned(by_name(key, match), by_name(response, match), match, zeros)
        self.to_response, self.to_key = dict(pairs), {s: k for k, s in pairs}
        self.counterpart = dict(self.to_response)
        if books:
            listed = {k: s for k, s in pairs if k != s}
            listed.update({s: k for k, s in pairs if k != s})
            self.to_response = {k: listed.get(k, k) for k in self.last[0] if listed.get(k, k) in self.last[1]}
            self.to_key = {s: listed.get(s, s) for s in self.last[1] if listed.get(s, s) in self.last[0]}
            self.counterpart = {
                k: k if k in self.last[1] else listed[k] for k in self.last[0] if k in self.last[1] or k in listed
            }

    def others(self, side: int) -> list[list[int | None]]:
        """For each mention of each entity of a side the entity of the other where it is found."""
        maps, last = (self.to_response, self.to_key)[side], self.last[1 - side]
        return [[last[maps[name]] if name in maps else None for name in entity] for entity in self.names[side]]

    def muc(self, side: int) -> tuple[float, float]:
        entities = self.others(side)
        parts = sum(len({k for k in e if k is not None}) + sum(k is None for k in e) for e in entities)
        return sum(map(len, entities)) - parts, sum(len(e) - 1 for e in entities)

    def b3(self, side: int) -> tuple[float, float]:
        entities = self.others(side)
        right = sum(n * n / len(e) for e in entities for k, n in Counter(e).items() if k is not None)
        return right, sum(map(len, entities))

    def lea(self, side: int) -> tuple[float, float]:
        right, sizes = 0.0, [len(e) for e in self.names[1 - side]]
        for entity in self.others(side):
            if len(entity) == 1:
                right += entity[0] is not None and sizes[entity[0]] == 1
            else:
                links = list(combinations(entity, 2))
                right += len(entity) * sum(a is not None and a == b for a, b in links) / len(links)
        return right, sum(len(e) for e in self.names[side])

    def ceaf(self, by_entity: bool) -> list[float]:
        key, response = self.names
        matrix = np.zeros((len(key), len(response)))
        for i, ours in enumerate(key):
            for j, theirs in enumerate(response):
                n = sum(name in self.to_response and self.to_response[name] in theirs for name in ours)
                matrix[i, j] = 2 * n / (len(ours) + len(theirs)) if by_entity else n
        right = float(matrix[linear_sum_assignment(-matrix)].sum())
        sizes = [float(len(side) if by_entity else sum(map(len, side))) for side in self.names]
        return [right, sizes[1], right, sizes[0]]

    def blanc(self) -> tuple[list[float], list[float]]:
        places = [(k, other) for k, entity in enumerate(self.others(0)) for other in entity]
        linked = unlinked = 0
        for (k, x), (j, y) in combinations(places, 2):
            if x is not None and y is not None:
                linked += k == j and x == y
                unlinked += k != j and x != y
        together = [sum(len(e) * (len(e) - 1) / 2 for e in side) for side in self.names]
        numbers = [sum(map(len, side)) for side in self.names]
        apart = [n * (n - 1) / 2 - t for n, t in zip(numbers, together, strict=True)]
        return [linked, together[1], linked, together[0]], [unlinked, apart[1], unlinked, apart[0]]

    def mor(self) -> list[float]:
        sides = [[set(m.words) for entity in side for m in entity] for side in self.mentions]
        matrix = np.array([[len(k & s) for s in sides[1]] for k in sides[0]]).reshape(*map(len, sides))
        right = float(matrix[linear_sum_assignment(-matrix)].sum())
        return [right, float(sum(map(len, sides[1]))), right, float(sum(map(len, sides[0])))]

    def zero(self) -> list[float]:
        key, response = ([sorted(entity, key=lambda m: m.place) for entity in side] for side in self.mentions)
        begin = {name_of(entity[0], self.match) for entity in response}
        tp = wl = fn = fp = 0
        covered = set()
        for entity in key:
            seen: set[int] = set()
            for k, mention in enumerate(entity):
                other = self.counterpart.get(name_of(mention, self.match))
                home = None if other is None else self.last[1][other]
                if k and mention.zero:
                    lost = other is None or other in begin
                    fn, tp, wl = fn + lost, tp + (not lost and home in seen), wl + (not lost and home not in seen)
                    covered.add(other)
                if home is not None:
                    seen.add(home)
        for entity in response:
            for mention in entity:
                name = name_of(mention, self.match)
                fp += mention.zero and name not in begin and name not in covered
        return [tp, tp + wl + fp, tp, tp + wl + fn]

    def counts(self) -> dict[str, list[float]]:
        made: dict[str, list[float]] = {
            name: [*getattr(self, name)(1), *getattr(self, name)(0)] for name in ("muc", "b3", "lea")
        }
        linked, unlinked = self.blanc()
        made |= {"ceafm": self.ceaf(False), "ceafe": self.ceaf(True), "linked": linked, "unlinked": unlinked}
        return made | {"mor": self.mor(), "zero": self.zero()}


def prf(counts: list[float]) -> list[float]:
    p, r = (counts[k] / counts[k + 1] if counts[k + 1] else 0.0 for k in (0, 2))
    return [p, r, 2 * p * r / (p + r) if p + r else 0.0]


def scores(
    key: list[Document], response: list[Document], match: str, singletons: str, zeros: str, books: bool = True
) -> dict[str, list[float]]:
    """[P, R, F] by metric; without ``books`` a mention is found where it was matched."""
    total: dict[str, Any] = {}
    for number in range(len(key)):
        sides = (prepared(file, number, match, singletons) for file in (key, response))
        for name, counts in Scored(*sides, match, zeros, books).counts().items():
            total[name] = np.add(total.get(name, 0.0), counts)
    made = {name: prf(counts.tolist()) for name, counts in total.items()}
    classes = [made.pop(name) for name in ("linked", "unlinked")]
    used = [c for c, name in zip(classes, ("linked", "unlinked"), strict=True) if total[name][1] or total[name][3]]
    made["blanc"] = [sum(c[k] for c in used) / len(used) if used else 0.0 for k in range(3)]
    made["conll"] = [sum(made[name][2] for name in ("muc", "b3", "ceafe")) / 3]
    return made


# random documents, and how they are written


def random_file(rng: random.Random, documents: int) -> list[Document]:
    return [_random_document(rng, number) for number in range(documents)]


def _random_document(rng: random.Random, number: int) -> Document:
    made = Document()
    for sentence in range(rng.randint(1, 3)):
        made.nodes.append([(sentence, word, 0) for word in range(1, rng.randint(4, 7))])
    _add_empty_nodes(rng, made)
    for _ in range(rng.randint(2, 9)):
        add(made, _eid(rng, number), _random_mention(rng, made))
    return made


def _eid(rng: random.Random, number: int) -> str:
    return rng.choice(["a", "b", "c"]) if rng.random() < 0.3 else f"{rng.choice('xyz')}{number}"


def _add_empty_nodes(rng: random.Random, made: Document) -> None:
    for sentence in made.nodes:
        words = [node for node in sentence if not node[2]]
        for word in range(len(words) + 1):
            for minor in range(1, 1 + rng.choice([0, 0, 0, 1, 1, 2])):
                node = (words[0][0], word, minor)
                parents = [str(rng.randint(0, 3)), str(rng.randint(1, len(words))), f"{rng.randint(1, 2)}.1"]
                some = rng.sample(parents, rng.randint(0, 2) if rng.random() < 0.3 else 1)
                made.deps[node] = frozenset((parent, rng.choice(["nsubj", "obj", "nsubj:pass"])) for parent in some)
                sentence.append(node)
        sentence.sort()


def _random_mention(rng: random.Random, made: Document) -> Mention:
    sentence = rng.choice(made.nodes)
    empty = [k for k, node in enumerate(sentence) if node[2]]
    start = rng.choice(empty) if empty and rng.random() < 0.5 else rng.randrange(len(sentence))
    words = sentence[start : start + rng.choice([1, 1, 1, 2, 3, 4])]
    if len(words) > 2 and rng.random() < 0.4:
        del words[1]
    return _mention(made, words, rng.randint(1, len(words)))


def _mention(made: Document, words: list[Node], head: int) -> Mention:
    return Mention(tuple(words), head, made.deps.get(words[head - 1], frozenset()))


def add(made: Document, eid: str, mention: Mention) -> None:
    """Add a mention to an entity if it can be written there."""
    own = runs(made, mention)
    for other in made.entities.get(eid, []):
        theirs = runs(made, other)
        if len(own) > 1 and len(theirs) > 1 and own[0][0][0] == theirs[0][0][0]:
            return
        for a in own:
            for b in theirs:
                if {*a} & {*b} and not ({*a} <= {*b} or {*b} <= {*a}):
                    return
                if {*a} & {*b} and (len(own) > 1 or len(theirs) > 1):
                    return
    made.entities.setdefault(eid, []).append(mention)


def runs(made: Document, mention: Mention) -> list[list[Node]]:
    """The unbroken stretches of a mention."""
    sentence = made.nodes[mention.words[0][0]]
    stretches: list[list[Node]] = []
    for word in mention.words:
        if stretches and sentence.index(word) == sentence.index(stretches[-1][-1]) + 1:
            stretches[-1].append(word)
        else:
            stretches.append([word])
    return stretches


def changed(rng: random.Random, key: list[Document]) -> list[Document]:
    """A response: the same words with other empty nodes, and mentions that differ."""
    response = []
    for number, document in enumerate(key):
        made = Document([[node for node in sentence if not node[2]] for sentence in document.nodes])
        if rng.random() < 0.4:
            made.nodes, made.deps = [list(sentence) for sentence in document.nodes], dict(document.deps)
        else:
            _add_empty_nodes(rng, made)
            for node, deps in document.deps.items():  # often the same dependencies, at another number
                others = [other for other in made.deps if other[0] == node[0]]
                if others and rng.random() < 0.7:
                    made.deps[rng.choice(others)] = deps
        for eid, mentions in document.entities.items():
            for mention in mentions:
                words = [w for w in mention.words if w in made.nodes[w[0]]]
                if rng.random() < 0.15 or not words:
                    continue
                if len(words) > 1 and rng.random() < 0.3:
                    del words[rng.choice([0, -1])]
                head = min(mention.head, len(words)) if rng.random() < 0.8 else rng.randint(1, len(words))
                add(made, eid if rng.random() < 0.7 else _eid(rng, number), _mention(made, words, head))
                if rng.random() < 0.15:  # again, in this entity or another
                    add(made, _eid(rng, number), _mention(made, words, rng.randint(1, len(words))))
        for _ in range(rng.choice([0, 1, 3])):
            add(made, _eid(rng, number), _random_mention(rng, made))
        response.append(made)
    return response


def written(file: list[Document]) -> str:
    """As CorefUD."""
    lines = []
    for number, document in enumerate(file):
        opened: dict[Node, list[tuple[int, str]]] = {}
        closed: dict[Node, list[tuple[int, str]]] = {}
        for eid, mentions in document.entities.items():
            for mention in mentions:
                parts = runs(document, mention)
                for k, run in enumerate(parts, 1):
                    shown = eid if len(parts) == 1 else f"{eid}[{k}/{len(parts)}]"
                    head = mention.head if k == len(parts) else 1
                    ends = ")" if len(run) == 1 else ""
                    opened.setdefault(run[0], []).append((-len(run), f"({shown}--{head}-{ends}"))
                    if len(run) > 1:
                        closed.setdefault(run[-1], []).append((len(run), f"{shown})"))
        lines += [f"# newdoc id = d{number}", "# global.Entity = eid-etype-head-other"]
        for sentence in document.nodes:
            lines.append(f"# sent_id = d{number}-{sentence[0][0]}")
            for node in sentence:
                items = sorted(closed.get(node, []), key=lambda pair: pair[0])
                items += sorted(opened.get(node, []), key=lambda pair: pair[0])
                misc = "Entity=" + "".join(item for _, item in items) if items else "_"
                deps = "|".join(f"{parent}:{relation}" for parent, relation in sorted(document.deps.get(node, ())))
                ident = f"{node[1]}.{node[2]}" if node[2] else str(node[1])
                form, top = ("_", "_") if node[2] else (f"w{node[1]}", "0" if node[1] == 1 else "1")
                lines.append("\t".join([ident, form, *"____", top, "_", deps or "_", misc]))
            lines.append("")
    return "\n".join(lines) + "\n"
