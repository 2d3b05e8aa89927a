"use strict";

// Columns of the page, as packed.py wrote them.

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function packed(number) {
  const text = atob(document.getElementById(`column-${number}`).textContent);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

function numbersOf({ count, width, steps }, bytes) {
  const found = new Float64Array(count);
  for (let plane = width - 1; plane >= 0; plane--) {
    const start = plane * count;
    for (let k = 0; k < count; k++) found[k] = found[k] * 256 + bytes[start + k];
  }
  let last = 0;
  let most = 0;
  for (let k = 0; k < count; k++) {
    const folded = found[k];
    const plain = folded % 2 ? -(folded + 1) / 2 : folded / 2;
    last = found[k] = steps ? last + plain : plain;
    most = Math.max(most, Math.abs(last));
  }
  return most < 2 ** 31 ? Int32Array.from(found) : found;
}

function fractionsOf({ count, width }, bytes) {
  const rows = new Uint8Array(width * count);
  for (let plane = 0; plane < width; plane++) {
    for (let k = 0; k < count; k++) rows[width * k + plane] = bytes[plane * count + k];
  }
  return width === 4 ? new Float32Array(rows.buffer) : new Float64Array(rows.buffer);
}

// Names that are numbers, or stand one after the other in one long text.
class Words {
  constructor(numbers, text = "", ends = null) {
    Object.assign(this, { numbers, text, ends });
    this.count = numbers ? numbers.length : ends.length;
  }

  at(k) {
    if (this.numbers) return String(this.numbers[k]);
    return this.text.slice(k ? this.ends[k - 1] : 0, this.ends[k]);
  }
}

function lettersOf({ count, width }, bytes) {
  const ends = new Uint32Array(count);
  const rows = new Uint8Array(count * width);
  let at = 0;
  for (let k = 0; k < count; k++) {
    for (let place = 0; place < width; place++) {
      const letter = bytes[place * count + k];
      if (letter) rows[at++] = letter;
    }
    ends[k] = at;
  }
  return new Words(null, new TextDecoder().decode(rows.subarray(0, at)), ends);
}

async function textOf({ lengths, first }, bytes) {
  const ends = Uint32Array.from(numbersOf(lengths, await inflate(bytes.subarray(0, first))));
  for (let k = 1; k < ends.length; k++) ends[k] += ends[k - 1];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return new Words(null, decoder.decode(await inflate(bytes.subarray(first))), ends);
}

const unpacked = new Map();

// A column by its number: typed arrays for numbers, Words for text; each is unpacked once.
function column(number) {
  if (number === null || number === undefined) return null;
  if (!unpacked.has(number)) unpacked.set(number, unpack(number));
  return unpacked.get(number);
}

async function unpack(number) {
  const how = PAGE.columns[number];
  const bytes = packed(number);
  if (how.kind === "text") return textOf(how, bytes);
  const plain = await inflate(bytes);
  if (how.kind === "numbers") return numbersOf(how, plain);
  return how.kind === "fractions" ? fractionsOf(how, plain) : lettersOf(how, plain);
}

// The columns of cells or clusters; rows that many of them share are kept once.
async function rowsOf({ row, shared, own }) {
  const rows = await column(row);
  const made = { count: rows.length };
  for (const [name, number] of Object.entries(shared)) {
    const values = await column(number);
    made[name] = Float64Array.from(rows, (k) => values[k]);
  }
  for (const [name, number] of Object.entries(own)) made[name] = await column(number);
  return made;
}

// What things are called; where the names of all did not fit, some have none.
class Names {
  constructor(count, words, kept, without) {
    Object.assign(this, { count, words, kept, without });
    if (kept) {
      this.place = new Int32Array(count).fill(-1);
      kept.forEach((one, k) => { this.place[one] = k; });
    }
  }

  static async of(found, without) {
    if (!found) return null;
    const values = await column(found.names);
    const words = values instanceof Words ? values : new Words(values);
    return new Names(found.count, words, await column(found.kept), without);
  }

  at(k) {
    const place = this.kept ? this.place[k] : k;
    return (place < 0 ? "" : this.words.at(place)) || this.without(k);
  }

  // One number for each, by which they can be sorted.
  get ranks() {
    this.known ??= this.words.numbers && !this.kept ? this.words.numbers : ranked(this.count, (k) => this.at(k));
    return this.known;
  }
}

const MANY = 50000;

function ranked(count, name) {
  const names = Array.from({ length: count }, (_, k) => name(k));
  // the order people expect, 2 before 10, costs too much where there are very many
  const compare = count <= MANY
    ? new Intl.Collator(undefined, { numeric: true }).compare
    : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const order = Uint32Array.from(names.keys()).sort((a, b) => compare(names[a], names[b]) || a - b);
  const ranks = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    ranks[order[k]] = k && names[order[k]] === names[order[k - 1]] ? ranks[order[k - 1]] : k;
  }
  return ranks;
}
