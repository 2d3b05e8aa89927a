// A prediction beside gold: the columns of its cells, clusters and elements.

const KINDS = PAGE.kinds;
const WORD = { gold: "gold", pred: "predicted" };
const OTHER = { gold: "pred", pred: "gold" };

class System {
  static async of(found) {
    const made = Object.assign(new System(), { name: found.name, lost: found.lost, elements: found.elements, sides: {} });
    made.cells = await rowsOf(found.cells);
    for (const [side, entry] of Object.entries(found.sides)) {
      const rows = await rowsOf(entry);
      rows.of = entry.of; // so many clusters there are; a page may have some of them
      rows.names = await Names.of(entry.names, (k) => `(no name: ${WORD[side]} cluster ${k})`);
      made.overlapping = "held" in entry;
      rows.clusters = made.overlapping ? await column(entry.held[1]) : made.cells[side]; // those of each cell, cell after cell
      rows.starts = startsOf(made.overlapping ? await column(entry.held[0]) : new Uint8Array(made.cells.count).fill(1));
      rows.cellsOf = grouped(rows.clusters, rows.count, rows.starts);
      made.sides[side] = rows;
    }
    made.place = PAGE.systems.indexOf(found);
    made.document = await column(found.documents?.of); // of each gold cluster
    made.otherDocument = await column(found.documents?.of_pred); // of each predicted one, where gold does not have all elements
    made.inDocuments = {}; // where cells are left out: the elements of each, what they cost, its clusters of both sides
    for (const name of ["size", "loss", "gold", "pred"]) made.inDocuments[name] = await column(found.documents?.[name]);
    made.documents = await Names.of(PAGE.documents, (k) => `(no name: document ${k})`);
    made.several = (made.documents?.count ?? 0) > 1;
    made.names = await Names.of(found.names, (k) => `(no name: ${k})`);
    made.texts = await column(found.names?.texts);
    made.cellOf = await column(found.cell);
    made.places = await column(found.places); // of each element in the input
    made.ordered = found.ordered; // whether elements have an order in their document
    made.losses = await column(found.losses); // of each element, where those of a cell differ
    if (made.cellOf) made.membersOf = grouped(made.cellOf, made.cells.count);
    return made;
  }

  elementLoss(element) {
    return this.losses ? this.losses[element] : this.cells.each[this.cellOf[element]];
  }

  clustersOf(side, cell) {
    const { clusters, starts } = this.sides[side];
    return clusters.subarray(starts[cell], starts[cell + 1]);
  }

  firstOf(side, cell) {
    const { clusters, starts } = this.sides[side];
    return clusters[starts[cell]];
  }

  documentOf(cell) {
    if (!this.document) return -1;
    const cluster = this.firstOf("gold", cell);
    return cluster < 0 ? this.otherDocument[this.firstOf("pred", cell)] : this.document[cluster];
  }

  // The cells of each document, how many elements they hold, and what they cost.
  get byDocument() {
    if (this.known) return this.known;
    const { count } = this.documents;
    const of = Int32Array.from({ length: this.cells.count }, (_, cell) => this.documentOf(cell));
    this.known = { cellsOf: grouped(of, count), size: new Float64Array(count), loss: new Float64Array(count) };
    if (this.inDocuments.size) return Object.assign(this.known, { size: this.inDocuments.size, loss: this.inDocuments.loss });
    of.forEach((document, cell) => {
      this.known.size[document] += this.cells.n[cell];
      this.known.loss[document] += this.cells.loss[cell];
    });
    return this.known;
  }

  // The clusters of a side in a document.
  clustersIn(side, document) {
    const found = new Set();
    for (const cell of this.byDocument.cellsOf(document)) for (const one of this.clustersOf(side, cell)) if (one >= 0) found.add(one);
    return Int32Array.from(found);
  }

  // The clusters of the other side that a cluster meets, with how many elements they share; the most first.
  partsOf(side, cluster) {
    const shared = new Map();
    for (const cell of this.sides[side].cellsOf(cluster)) {
      for (const other of this.clustersOf(OTHER[side], cell)) {
        const part = shared.get(other) ?? { other, n: 0, cell };
        part.n += this.cells.n[cell];
        shared.set(other, part);
      }
    }
    const { size } = this.sides[OTHER[side]];
    const { loss } = this.cells;
    const tie = this.overlapping ? (a, b) => size[a.other] - size[b.other] : (a, b) => loss[b.cell] - loss[a.cell];
    return Array.from(shared.values()).sort((a, b) => b.n - a.n || tie(a, b));
  }
}

// Where the things of each group begin, from how many each has.
function startsOf(counts) {
  const starts = new Int32Array(counts.length + 1);
  for (let k = 0; k < counts.length; k++) starts[k + 1] = starts[k] + counts[k];
  return starts;
}

// Which things are in a group, in their order: a function of the number of the group. A thing may be in several: its
// groups are those from its start on; without starts it is in one.
function grouped(group, count, starts = null) {
  const counts = new Int32Array(count);
  for (const one of group) counts[one]++;
  const first = startsOf(counts);
  const next = first.slice();
  const things = new Int32Array(group.length);
  for (let k = 0, thing = 0; k < group.length; k++) {
    if (starts) while (starts[thing + 1] <= k) thing++;
    things[next[group[k]]++] = starts ? thing : k;
  }
  return (one) => things.subarray(first[one], first[one + 1]);
}
