// A prediction beside gold: the columns of its cells, clusters and elements.

const KINDS = PAGE.kinds;
const WORD = { gold: "gold", pred: "predicted" };

class System {
  static async of(found) {
    const made = Object.assign(new System(), { name: found.name, lost: found.lost, sides: {} });
    made.cells = await rowsOf(found.cells);
    for (const [side, entry] of Object.entries(found.sides)) {
      const rows = await rowsOf(entry);
      rows.names = await Names.of(entry.names, (k) => `(no name: ${WORD[side]} cluster ${k})`);
      rows.cellsOf = grouped(made.cells[side], rows.count);
      made.sides[side] = rows;
    }
    made.document = await column(found.documents); // of each gold cluster
    made.documents = await Names.of(found.document_names, (k) => `(document ${k})`);
    made.names = await Names.of(found.names, (k) => `(no name: ${k})`);
    made.texts = await column(found.names?.texts);
    made.cellOf = await column(found.cell);
    made.losses = await column(found.losses); // of each element, where those of a cell differ
    if (made.cellOf) made.membersOf = grouped(made.cellOf, made.cells.count);
    return made;
  }

  elementLoss(element) {
    return this.losses ? this.losses[element] : this.cells.each[this.cellOf[element]];
  }

  documentOf(cell) {
    return this.document ? this.document[this.cells.gold[cell]] : -1;
  }
}

// Which things are in a group, in their order: a function of the number of the group.
function grouped(group, count) {
  const starts = new Int32Array(count + 1);
  for (const one of group) starts[one + 1]++;
  for (let k = 0; k < count; k++) starts[k + 1] += starts[k];
  const next = starts.slice();
  const things = new Int32Array(group.length);
  for (let k = 0; k < group.length; k++) things[next[group[k]]++] = k;
  return (one) => things.subarray(starts[one], starts[one + 1]);
}
