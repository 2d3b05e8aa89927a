// A prediction beside gold: from its columns to cells, clusters and what each of them costs.

const KINDS = PAGE.kinds;

function kindOf(n, a, b) {
  if (n === a && n === b) return 0;
  if (a === 1) return 4;
  if (b === 1) return 5;
  return n === b ? 1 : n === a ? 2 : 3;
}

class System {
  static async of(found) {
    const made = new System();
    const gone = (side) => (k) => `(no name: ${side} cluster ${k})`;
    const [goldSizes, pred, gold, n, lacking, weights, document, goldNames, predNames, documents, names, texts] =
      await Promise.all([
        column(found.gold_sizes), column(found.pred), column(found.gold), column(found.n), column(found.lacking),
        column(found.weights), column(found.documents), Names.of(found.gold_names, gone("gold")),
        Names.of(found.pred_names, gone("predicted")), Names.of(found.document_names, (k) => `(document ${k})`),
        Names.of(found.names, (k) => `(no name: ${k})`), column(found.names?.texts),
      ]);
    Object.assign(made, { name: found.name, elements: found.elements, document, documents, names, texts });
    if (n) made.takeCells(gold, pred, n);
    else made.findCells(goldSizes, pred);
    made.score(lacking, weights);
    made.sides = { gold: made.side("gold", goldNames, goldSizes), pred: made.side("pred", predNames) };
    return made;
  }

  takeCells(gold, pred, n) {
    this.cells = { count: n.length, gold, pred, n };
  }

  // Elements come by gold cluster. Two counting sorts bring those of a cell together.
  findCells(goldSizes, pred) {
    const count = pred.length;
    const goldOf = new Int32Array(count);
    for (let cluster = 0, k = 0; cluster < goldSizes.length; cluster++) {
      goldOf.fill(cluster, k, k += goldSizes[cluster]);
    }
    const byPred = counted(pred, Int32Array.from({ length: count }, (_, k) => k));
    const members = counted(goldOf, byPred);
    const cellOf = new Int32Array(count);
    const first = [];
    for (let k = 0; k < count; k++) {
      const [here, before] = [members[k], members[k - 1]];
      if (!k || goldOf[here] !== goldOf[before] || pred[here] !== pred[before]) first.push(k);
      cellOf[here] = first.length - 1;
    }
    const at = (of) => Int32Array.from(first, (k) => of[members[k]]);
    first.push(count);
    const n = Int32Array.from({ length: first.length - 1 }, (_, k) => first[k + 1] - first[k]);
    first.pop();
    this.cells = { count: n.length, gold: at(goldOf), pred: at(pred), n, first: Int32Array.from(first) };
    Object.assign(this, { members, cellOf });
  }

  // What one element of each cell gets, and what the cell costs.
  score(lacking, weights) {
    const { count, gold, pred, n } = this.cells;
    const a = summed(gold, n);
    const b = summed(pred, n);
    const { less, w_fp, w_fn } = PAGE.metric;
    const made = { kind: new Uint8Array(count), weights };
    for (const key of ["tp", "fp", "fn", "precision", "recall", "f", "lacking", "loss"]) {
      made[key] = new Float64Array(count);
    }
    for (let k = 0; k < count; k++) {
      const own = a[gold[k]];
      const other = b[pred[k]];
      const tp = n[k] - less;
      const fp = other - n[k];
      const fn = own - n[k];
      const wrong = w_fp * fp + w_fn * fn;
      const precision = tp + fp ? tp / (tp + fp) : 1;
      const recall = tp + fn ? tp / (tp + fn) : 1;
      const empty = w_fp === 0 ? recall : w_fn === 0 ? precision : 1;
      made.kind[k] = kindOf(n[k], own, other);
      made.tp[k] = tp;
      made.fp[k] = fp;
      made.fn[k] = fn;
      made.precision[k] = precision;
      made.recall[k] = recall;
      made.f[k] = tp + wrong ? tp / (tp + wrong) : empty;
      made.lacking[k] = lacking ? lacking[k] : tp + wrong ? wrong / (tp + wrong) : 0;
      made.loss[k] = made.lacking[k] * this.share(k, weights);
    }
    Object.assign(this.cells, made);
    this.lost = made.loss.reduce((sum, one) => sum + one, 0);
  }

  // How much the elements of a cell count, of all elements.
  share(cell, weights) {
    const { n, first } = this.cells;
    if (!weights) return n[cell] / this.elements;
    if (!first) return n[cell] * weights[cell];
    let sum = 0;
    for (let k = first[cell]; k < first[cell] + n[cell]; k++) sum += weights[this.members[k]];
    return sum;
  }

  elementLoss(element) {
    const cell = this.cellOf[element];
    const { lacking, weights } = this.cells;
    return lacking[cell] * (weights ? weights[element] : 1 / this.elements);
  }

  // The clusters of one side, with what became of them.
  side(side, names) {
    const { cells } = this;
    const own = cells[side];
    const other = cells[side === "gold" ? "pred" : "gold"];
    const sizes = summed(own, cells.n);
    const others = summed(other, cells.n);
    const count = sizes.length;
    const parts = new Int32Array(count);
    const best = new Int32Array(count).fill(-1);
    const [precision, recall, f, loss] = [0, 1, 2, 3].map(() => new Float64Array(count));
    for (let k = 0; k < cells.count; k++) {
      const at = own[k];
      const n = cells.n[k];
      const now = best[at];
      parts[at]++;
      precision[at] += n * cells.precision[k] / sizes[at];
      recall[at] += n * cells.recall[k] / sizes[at];
      f[at] += n * cells.f[k] / sizes[at];
      loss[at] += cells.loss[k];
      if (now < 0 || n > cells.n[now] || (n === cells.n[now] && others[other[k]] < others[other[now]])) best[at] = k;
    }
    const match = Int32Array.from(best, (cell) => other[cell]);
    const overlap = Float64Array.from(best, (cell) => cells.n[cell]);
    const share = Float64Array.from(overlap, (n, k) => n / sizes[k]);
    const starts = new Int32Array(count + 1);
    for (let k = 0; k < count; k++) starts[k + 1] = starts[k] + parts[k];
    const grouped = counted(own, Int32Array.from({ length: cells.count }, (_, k) => k));
    return {
      side, names, count, sizes, parts, precision, recall, f, loss, match, overlap, share,
      cellsOf: (cluster) => grouped.subarray(starts[cluster], starts[cluster + 1]),
    };
  }

  documentOf(cell) {
    return this.document ? this.document[this.cells.gold[cell]] : -1;
  }
}

// Things in the order of their group, which is a whole number; those of one group stay in their order.
function counted(group, things) {
  const next = new Int32Array(highest(group) + 2);
  for (const thing of things) next[group[thing] + 1]++;
  for (let k = 1; k < next.length; k++) next[k] += next[k - 1];
  const sorted = new Int32Array(things.length);
  for (const thing of things) sorted[next[group[thing]]++] = thing;
  return sorted;
}

function highest(numbers) {
  let most = -1;
  for (const one of numbers) if (one > most) most = one;
  return most;
}

function summed(group, numbers) {
  const sums = new Float64Array(highest(group) + 1);
  for (let k = 0; k < group.length; k++) sums[group[k]] += numbers[k];
  return sums;
}
