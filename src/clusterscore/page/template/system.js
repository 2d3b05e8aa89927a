"use strict";

// A prediction beside gold: what the page lists of its clusters, their overlaps, and its elements.

const KINDS = PAGE.kinds;
const WORD = { gold: "gold", pred: "predicted" };
// A text of ours in the words of the field; what stands in its places stays as it is.
const noun = (text) => text.replace(/\b(element|cluster|document)s?\b/gi, (word) => {
  const said = PAGE.nouns[word.toLowerCase()];
  return /[A-Z]/.test(word[0]) ? said[0].toUpperCase() + said.slice(1) : said;
});
const said = (texts, ...values) => texts.map((text, k) => noun(text) + (values[k] ?? "")).join("");
const OTHER = { gold: "pred", pred: "gold" };

const unpacked = new Map();

// A list of the page by its name, as contents.py packed it; null where the page has none. Each is unpacked once.
function list(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(document.getElementById(`list-${name}`)));
  return unpacked.get(name);
}

async function unpack(script) {
  if (!script) return null;
  const bytes = Uint8Array.from(atob(script.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// What the rows of a table are called, the listed ones and those that others mention.
class RowNames {
  constructor(names, without) {
    Object.assign(this, { names, without });
  }

  at(k) {
    return this.names[k] || this.without(k);
  }

  // One number for each, by which they can be sorted.
  get ranks() {
    this.known ??= ranked(this.names.length, (k) => this.at(k));
    return this.known;
  }
}

function ranked(count, name) {
  const names = Array.from({ length: count }, (_, k) => name(k));
  if (names.every((each) => /^-?\d{1,15}$/.test(each))) return names.map(Number);
  const { compare } = new Intl.Collator(undefined, { numeric: true }); // the order people expect, 2 before 10
  const ranks = new Int32Array(count);
  const order = places(count).sort((a, b) => compare(names[a], names[b]) || a - b);
  order.forEach((row, k) => { ranks[row] = k && names[row] === names[order[k - 1]] ? ranks[order[k - 1]] : k; });
  return ranks;
}

const places = (count) => Uint32Array.from({ length: count }, (_, k) => k);

// Which rows are in a group, in their order: a function of the group. A row may be in several.
function grouped(groups) {
  const rows = new Map();
  groups.forEach((group, row) => {
    for (const one of [group].flat()) {
      if (rows.has(one)) rows.get(one).push(row);
      else rows.set(one, [row]);
    }
  });
  return (group) => rows.get(group) ?? [];
}

// Rows by the numbers that their addresses have; those that are only mentioned have no address.
const addresses = ({ number, count }) => new Map(number.slice(0, count).map((one, row) => [one, row]));

class System {
  static async of(place) {
    const made = Object.assign(new System(), await list(`system-${place}`), { place, name: PAGE.systems[place] });
    made.documents = await list("documents");
    if (made.documents) {
      const { names, number } = made.documents;
      made.documents = { ...made.documents, ...made.documents.systems[place], row: addresses(made.documents) };
      made.documents.names = new RowNames(names, (k) => said`(no name: document ${number[k]})`);
    }
    for (const [side, rows] of Object.entries(made.sides)) {
      rows.names = new RowNames(rows.names, (k) => said`(no name: ${WORD[side]} cluster ${rows.number[k]})`);
      rows.row = addresses(rows);
      rows.partsOf = grouped(made.parts[side]);
      rows.elementsOf = grouped(made.elements?.[side] ?? []);
      rows.inDocument = grouped(rows.document ?? []);
    }
    const { elements } = made;
    if (elements) {
      elements.count = elements.names.length;
      elements.names = new RowNames(elements.names, (k) => `(no name: ${k})`);
      elements.inDocument = grouped(elements.document ?? []);
    }
    return made;
  }

  // The clusters of a side that an element is in.
  clustersOf(side, element) {
    return [this.elements[side][element]].flat();
  }

  // The clusters of the other side that a cluster meets, with how many elements they share; the most first.
  partsOf(side, cluster) {
    const { parts } = this;
    const { size } = this.sides[OTHER[side]];
    const found = this.sides[side].partsOf(cluster).map((part) => ({ other: parts[OTHER[side]][part], n: parts.n[part], part }));
    const tie = this.overlapping ? (a, b) => size[a.other] - size[b.other] : (a, b) => parts.loss[b.part] - parts.loss[a.part];
    return found.sort((a, b) => b.n - a.n || tie(a, b));
  }
}
