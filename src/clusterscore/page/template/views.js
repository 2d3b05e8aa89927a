// What is shown of a system: its clusters, its elements, and one cluster with its members.

const WITHOUT_ELEMENTS = "Single elements are not in this page: it was made of counts.";

// A cluster by its name; -1 is none, where a side does not have the elements.
const link = (system, side, cluster) => (cluster < 0 ? make("span", { class: "absent" }, "none")
  : make("a", { href: `#${route(system, side, cluster)}`, class: `name ${side}` }, folded(system.sides[side].names.at(cluster), { linked: true })));

const SHOWN = 4; // clusters of an element

// Links to the clusters of a cell's elements: one, or the first of several and a button that shows all.
function links(system, side, cell) {
  const all = Array.from(system.clustersOf(side, cell), (cluster) => link(system, side, cluster));
  if (all.length === 1) return all[0];
  const apart = (some) => some.flatMap((each, k) => (k ? [", ", each] : [each]));
  const made = make("span", {}, apart(all.slice(0, SHOWN)));
  if (all.length > SHOWN) {
    const more = make("button", { type: "button", class: "more", onclick: () => made.replaceChildren(...apart(all)) }, `${all.length - SHOWN} more`);
    made.append(" ", more);
  }
  return made;
}

// The address of a cluster ("gold", "pred") or of a document ("doc") of a system.
const route = ({ place }, kind, number) => `${place ? `${place}/` : ""}${kind}/${number}`;

const documentLink = (system, document) =>
  make("a", { href: `#${route(system, "doc", document)}`, class: "name" }, folded(system.documents.at(document), { linked: true }));

const kindMark = (kind) => make("span", { class: `kind kind-${kind}` }, KINDS[kind]);

// A number with a bar behind it, as long as its share of the most.
function barred(words, share) {
  const bar = make("span", { class: "bar" }, words);
  bar.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
  return bar;
}

const shareOfLoss = (system, loss, key) => ({
  title: "Share", hint: "of all that is lost", key, cell: (row) => percent(system.lost ? loss(row) / system.lost : 0),
});

// Numbers without their last binary digits, which may differ where numbers should be equal (leading in sums.py).
const leading = (numbers) => Float64Array.from(numbers, (number) => 257 * number - (257 * number - number));

// Of two clusters the larger, then the one that begins first.
const largerFirst = ({ size, rank }, at = (row) => row) => (a, b) => size[at(b)] - size[at(a)] || (rank ? rank[at(a)] - rank[at(b)] : 0);

const most = (numbers) => numbers.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);

// Which clusters of a side have these words in their name.
function namedLike(side, words) {
  const found = new Uint8Array(side.count);
  for (let k = 0; k < side.count; k++) found[k] = side.names.at(k).toLowerCase().includes(words) ? 1 : 0;
  return found;
}

const kindFilter = (of) => ({
  title: "Kind", all: "all kinds", choices: KINDS.map((kind, k) => [k, kind]), pass: (value) => (row) => of(row) === Number(value),
});

const byLoss = (columns) => ({ column: columns.findIndex((column) => column.title === "Loss"), down: true });

const SIZED = [["2-", "2 or more"], ["5-", "5 or more"], ["10-", "10 or more"], ["100-", "100 or more"]];

const sizeFilter = (size) => ({
  title: "Size", all: "any size", choices: SIZED,
  pass: (sizes) => {
    const [first, last] = sizes.split("-").map(Number);
    return (row) => size(row) >= first && size(row) <= (last || Infinity);
  },
});

// The clusters of a side: all, or some.
function clusterTable(host, system, side, some = null) {
  const rows = system.sides[side];
  const others = system.sides[OTHER[side]];
  const count = some ? some.length : rows.count;
  const at = some ? (row) => some[row] : (row) => row;
  const each = (value) => Float64Array.from({ length: count }, (_, row) => value(at(row)));
  const largest = most(rows.loss);
  const documentOf = (cluster) => system.documentOf(rows.cellsOf(cluster)[0]);
  const made = (title, hint, value, show, text = false) => ({ title, hint, text, key: () => each(value), cell: (row) => show(at(row)) });
  const numbers = (title, hint, key, show) => made(title, hint, (cluster) => rows[key][cluster], (cluster) => show(rows[key][cluster]));
  const loss = (row) => rows.loss[at(row)];
  const columns = [
    made("Cluster", `the ${WORD[side]} cluster`, (cluster) => rows.names.ranks[cluster], (cluster) => link(system, side, cluster), true),
    system.several && !some && made("Document", null, (cluster) => system.documents.ranks[documentOf(cluster)], (cluster) => documentLink(system, documentOf(cluster)), true),
    { title: "Loss", hint: "what it costs the score", key: () => leading(each((cluster) => rows.loss[cluster])), cell: (row) => barred(small(loss(row)), loss(row) / largest) },
    shareOfLoss(system, loss, () => leading(each((cluster) => rows.loss[cluster]))),
    numbers("Size", "how many elements it has", "size", whole),
    numbers("Parts", `over how many ${WORD[OTHER[side]]} clusters it lies`, "parts", whole),
    made("Best match", `the ${WORD[OTHER[side]]} cluster that shares most elements with it`, (cluster) => others.names.ranks[rows.match[cluster]] ?? -1, (cluster) => link(system, OTHER[side], rows.match[cluster]), true),
    numbers("Overlap", "how many elements it shares with its best match", "overlap", whole),
    numbers("Of it", "which share of it that is", "overlap_share", percent),
    rows.precision && numbers("P", "mean precision of its elements", "precision", fixed),
    rows.recall && numbers("R", "mean recall of its elements", "recall", fixed),
    numbers("F", "mean F of its elements", "f", fixed),
  ].filter(Boolean);
  return new SortableTable(host, {
    label: `${WORD[side]} clusters`, count, columns, sorted: byLoss(columns), tie: largerFirst(rows, at),
    filters: [sizeFilter((row) => rows.size[at(row)])],
    find: (words) => {
      const [own, other] = [namedLike(rows, words), namedLike(others, words)];
      const inDocument = documentLike(system, words);
      return (row) => own[at(row)] || other[rows.match[at(row)]] || inDocument(() => documentOf(at(row)));
    },
    note: [sampledClusters(rows, WORD[side]), unnamed(rows.names, `${WORD[side]} clusters`)].filter(Boolean).join(" "),
  });
}

function documentLike(system, words) {
  if (!system.document) return () => false;
  const found = Uint8Array.from({ length: system.documents.count }, (_, k) => (system.documents.at(k).toLowerCase().includes(words) ? 1 : 0));
  return (document) => found[document()];
}

const ONLY_THESE = "Sorting and searching cover these only; all counts and scores are those of all elements.";

function sampledClusters({ count, of }, word) {
  if (count === of) return "";
  return `${whole(count)} of ${whole(of)} ${word} clusters are in this page: those that cost most, a random draw of the others, and the clusters that they meet. ${ONLY_THESE}`;
}

function unnamed(names, what) {
  if (!names?.kept) return "";
  return `The names of all ${what} do not fit a page: the ${whole(names.words.count)} of ${whole(names.count)} that cost most have theirs.`;
}

const unmarked = (text) => text.replace(/[\x02\x03]/g, "");

// A text; where words of it are marked, those of a mention, they stand out from the others.
const marked = (text) => (!text.includes("\x02") ? folded(text, { lines: true }) : make("bdi", { class: "context" },
  text.split("\x02").flatMap((part, k) => (k ? [make("mark", {}, part.split("\x03")[0]), part.split("\x03")[1]] : [part]))));

// A table of elements: all that are listed, or some.
function elementTable(host, system, elements, label, { skip = "", rows, note = "" } = {}) {
  const { cells, cellOf, names, texts, sides } = system;
  const place = names.kept ? names.place : null; // texts stand beside names
  const textOf = (element) => texts.at(place ? place[element] : element);
  const count = elements.length;
  const cell = (row) => cellOf[elements[row]];
  const each = (value) => Float64Array.from({ length: count }, (_, row) => value(row));
  const loss = (row) => system.elementLoss(elements[row]);
  let largest = 0;
  for (let row = 0; row < count; row++) largest = Math.max(largest, loss(row));
  const numbers = (title, hint, key, show = fixed) => ({ title, hint, key: () => each((row) => cells[key][cell(row)]), cell: (row) => show(cells[key][cell(row)]) });
  const cluster = (title, side) => (system.overlapping || skip !== side) && {
    title, text: true, key: () => each((row) => sides[side].names.ranks[system.firstOf(side, cell(row))] ?? -1), cell: (row) => links(system, side, cell(row)),
  };
  const columns = [
    { title: "Element", text: true, key: () => each((row) => (system.ordered ? system.places : names.ranks)[elements[row]]), cell: (row) => folded(names.at(elements[row])) },
    texts && { title: "Text", text: true, key: () => ranked(count, (row) => unmarked(textOf(elements[row]))), cell: (row) => marked(textOf(elements[row])) },
    system.several && !skip && {
      title: "Document", text: true, key: () => each((row) => system.documents.ranks[system.documentOf(cell(row))]),
      cell: (row) => documentLink(system, system.documentOf(cell(row))),
    },
    { title: "Loss", hint: "what it costs the score", key: () => leading(each(loss)), cell: (row) => barred(small(loss(row)), loss(row) / (largest || 1)) },
    shareOfLoss(system, loss, () => leading(each(loss))),
    cluster("Gold", "gold"),
    cluster("Predicted", "pred"),
    cells.kind && { title: "Kind", text: true, key: () => each((row) => cells.kind[cell(row)]), cell: (row) => kindMark(cells.kind[cell(row)]) },
    cells.tp && numbers("TP", "others that are rightly with it", "tp", whole),
    cells.fp && numbers("FP", "others that are wrongly with it", "fp", whole),
    cells.fn && numbers("FN", "others that should be with it and are not", "fn", whole),
    cells.precision && numbers("P", "its precision", "precision"),
    cells.recall && numbers("R", "its recall", "recall"),
    numbers("F", "its F", "f"),
  ].filter(Boolean);
  return new SortableTable(host, {
    label, count, columns, rows, note, sorted: skip && system.ordered ? { column: 0, down: false } : byLoss(columns),
    tie: system.places ? (a, b) => system.places[elements[a]] - system.places[elements[b]] : undefined, filters: cells.kind ? [kindFilter((row) => cells.kind[cell(row)])] : [],
    find: (words) => {
      const gold = namedLike(sides.gold, words);
      const pred = namedLike(sides.pred, words);
      const inDocument = documentLike(system, words);
      const within = (side, at, found) =>
        found[system.firstOf(side, at)] || (system.overlapping && system.clustersOf(side, at).some((k) => found[k]));
      return (row) => {
        const at = cell(row);
        return names.at(elements[row]).toLowerCase().includes(words) || (texts && unmarked(textOf(elements[row])).toLowerCase().includes(words))
          || (skip !== "gold" && within("gold", at, gold)) || (skip !== "pred" && within("pred", at, pred)) || inDocument(() => system.documentOf(at));
      };
    },
  });
}

function allElements(host, system) {
  if (!system.names) {
    host.replaceChildren(make("p", { class: "note" }, WITHOUT_ELEMENTS));
    return null;
  }
  const { kept, count } = system.names;
  const elements = kept ?? Int32Array.from({ length: count }, (_, k) => k);
  const { gold } = system.sides;
  const from = gold.count < gold.of ? "overlap of a gold and a predicted cluster in this page" : "overlap of a gold and a predicted cluster";
  const note = elements.length < system.elements
    ? `${whole(elements.length)} of ${whole(system.elements)} elements are listed. From each ${from} come its first elements, the worst overlaps first; elements of one overlap have the same scores. ${ONLY_THESE}`
    : "";
  return elementTable(host, system, elements, "elements", { note });
}

const SEGMENTS = 12;

// One cluster: where its elements are on the other side, and who they are.
function clusterPage(host, system, side, cluster) {
  const rows = system.sides[side];
  const own = system.partsOf(side, cluster);
  const name = rows.names.at(cluster);
  const size = rows.size[cluster];
  const heading = make("h2", { tabindex: "-1", id: "detail-heading" },
    `${side === "gold" ? "Gold" : "Predicted"} cluster `, make("span", { class: `name ${side}` }, folded(name)),
    system.several ? [" of document ", documentLink(system, system.documentOf(own[0].cell))] : null);
  host.replaceChildren(
    crumb(system, side, cluster, "clusters", () => sortedRows(places(rows.count), leading(rows.loss), -1, largerFirst(rows)), "loss"),
    heading,
    whose(system),
    make("p", { class: "lead" }, story(system, side, cluster)),
    make("dl", { class: "facts" }, factList(facts(rows, cluster, system.lost))),
    system.overlapping ? "" : band(system, side, own, rows, cluster),
    make("h3", {}, side === "gold" ? "Where its elements went" : "Where its elements come from"),
  );
  const parts = host.appendChild(make("div"));
  partTable(parts, system, side, own, rows, cluster);
  host.append(make("h3", {}, "Its elements"));
  const cells = Array.from(rows.cellsOf(cluster)).sort((a, b) => system.cells.n[b] - system.cells.n[a] || system.cells.loss[b] - system.cells.loss[a]);
  members(host.appendChild(make("div")), system, cells, size, "cluster", side);
  return { heading, title: `${WORD[side]} cluster ${isolated(name)}` };
}

// The way back to all, and to the next worse and better cluster or document; worst() has all of them, the worst first.
function crumb(system, kind, number, section, worst, by) {
  system.worst ??= {};
  const { count, of } = system.sides[kind] ?? {};
  const left = count < of ? ", of those in this page" : "";
  const order = system.worst[kind] ??= worst();
  const place = order.indexOf(number);
  const to = (at, words) => at >= 0 && at < order.length && make("a", { href: `#${route(system, kind, order[at])}` }, words);
  return make("p", { class: "crumb" }, make("a", { href: `#${section}` }, `← All ${section}`), make("span", { class: "neighbours" }, [
    to(place - 1, "‹ next worse"), make("span", {}, `${whole(place + 1)} of ${whole(order.length)} by ${by}${left}`), to(place + 1, "next better ›"),
  ].filter(Boolean)));
}

const places = (count) => Uint32Array.from({ length: count }, (_, k) => k);

// What became of it, in one sentence.
function story(system, side, cluster) {
  const rows = system.sides[side];
  const size = rows.size[cluster];
  const many = size === 1 ? "Its one element" : `Its ${whole(size)} elements`;
  if (rows.overlap[cluster] === size && system.sides[OTHER[side]].size[rows.match[cluster]] === size) {
    if (size === 1 && !system.overlapping) return "Its one element is alone on both sides.";
    return [`${many} ${size === 1 ? "is" : "are"} a ${WORD[OTHER[side]]} cluster too, `, link(system, OTHER[side], rows.match[cluster]), ": found exactly."];
  }
  const parts = rows.parts[cluster];
  if (!parts) return `${many} ${size === 1 ? "is" : "are"} nowhere on the ${WORD[OTHER[side]]} side.`;
  const gone = system.partsOf(side, cluster).find(({ other }) => other < 0)?.n ?? 0;
  const rest = gone ? ` ${whole(gone)} ${gone === 1 ? "is" : "are"} nowhere on the ${WORD[OTHER[side]]} side.` : "";
  const match = link(system, OTHER[side], rows.match[cluster]);
  const more = system.sides[OTHER[side]].size[rows.match[cluster]] - rows.overlap[cluster];
  const foreign = more ? ` with ${whole(more)} that do not belong to it` : " and nothing else is there";
  if (parts === 1 && gone) return [`${whole(size - gone)} of its ${whole(size)} elements ${size - gone === 1 ? "is" : "are"} in `, match, `,${foreign}.${rest}`];
  if (parts === 1) return [`${many} ${size === 1 ? "is" : "are all"} in `, match, `,${foreign}.`];
  if (size === 1) return [`${many} lies in ${whole(parts)} ${WORD[OTHER[side]]} clusters, among them in `, match, `,${foreign}.`];
  return [`${many} lie in ${whole(parts)} ${WORD[OTHER[side]]} clusters: ${whole(rows.overlap[cluster])} of them in `, match, `,${foreign}.${rest}`];
}

function facts(rows, cluster, lost) {
  return [
    ["Elements", whole(rows.size[cluster])], ["Parts", whole(rows.parts[cluster])],
    ...(rows.precision ? [["Precision", fixed(rows.precision[cluster])], ["Recall", fixed(rows.recall[cluster])]] : []), ["F", fixed(rows.f[cluster])], ["Loss", small(rows.loss[cluster])],
    ["Of all loss", percent(lost ? rows.loss[cluster] / lost : 0)],
  ];
}

const factList = (told) => told.map(([what, value]) => make("div", {}, make("dt", {}, what), make("dd", {}, value)));

// Whose clusters these are, where there are several systems.
const whose = (system) => (PAGE.systems.length > 1 ? make("p", { class: "system-name" }, folded(system.name)) : "");

// A band as long as the cluster, cut into the clusters of the other side.
function band(system, side, own, rows, cluster) {
  const [size, count] = [rows.size[cluster], Math.max(rows.parts[cluster], own.length)];
  const { cells } = system;
  const other = OTHER[side];
  const shown = own.slice(0, count > SEGMENTS ? SEGMENTS - 1 : SEGMENTS);
  const segments = shown.map(({ other: met, n, cell }) => {
    const name = met < 0 ? "none" : system.sides[other].names.at(met);
    const part = make(met < 0 ? "span" : "a", {
      href: met < 0 ? null : `#${route(system, other, met)}`, class: `segment kind-${cells.kind[cell]}`, title: `${isolated(name)}: ${whole(n)}`,
    }, make("span", {}, make("bdi", {}, name)), make("span", { class: "count" }, whole(n)));
    part.style.flexGrow = n / size;
    return part;
  });
  if (shown.length < count) {
    const rest = shown.reduce((left, part) => left - part.n, size);
    const part = make("span", { class: "segment rest" }, make("span", {}, `${whole(count - shown.length)} more`), make("span", { class: "count" }, whole(rest)));
    part.style.flexGrow = rest / size;
    segments.push(part);
  }
  return make("div", { class: "band", role: "group", "aria-label": `Its parts in ${WORD[other]} clusters` }, segments);
}

function partTable(host, system, side, own, rows, cluster) {
  const [size, count] = [rows.size[cluster], rows.parts[cluster]];
  const other = OTHER[side];
  const { cells } = system;
  const others = system.sides[other];
  const at = (value) => () => Float64Array.from(own, value);
  const largest = most(Float64Array.from(own, (part) => cells.loss[part.cell]));
  const numbers = (title, hint, value, show) => ({ title, hint, key: at(value), cell: (row) => show(value(own[row])) });
  const ofCell = system.overlapping ? [] : [ // where clusters overlap, a part has no scores of its own
    numbers("F", "of each of these elements", (part) => cells.f[part.cell], fixed),
    numbers("Loss", "of all of them together", (part) => cells.loss[part.cell], (loss) => barred(small(loss), loss / largest)),
  ];
  const columns = [
    { title: `${other === "gold" ? "Gold" : "Predicted"} cluster`, text: true, key: at((part) => others.names.ranks[part.other] ?? -1), cell: (row) => link(system, other, own[row].other) },
    cells.kind && { title: "Kind", text: true, key: at((part) => cells.kind[part.cell]), cell: (row) => kindMark(cells.kind[own[row].cell]) },
    numbers("Elements", "how many both share", (part) => part.n, whole),
    numbers("Of this", "share of this cluster", (part) => part.n / size, percent),
    numbers("Size there", "how many elements the other cluster has", (part) => others.size[part.other] ?? 0, whole),
    numbers("Of that", "share of the other cluster", (part) => part.n / (others.size[part.other] ?? Infinity), percent),
    ...ofCell,
  ].filter(Boolean);
  const sorted = { column: columns.findIndex((column) => column.title === "Elements"), down: true };
  const note = own.length < count ? `Showing ${whole(own.length)} of ${whole(count)} parts: this page has no room for all.` : "";
  new SortableTable(host, { label: `parts in ${WORD[other]} clusters`, count: own.length, columns, sorted, note });
}

// The elements of some cells, so many in all, of a cluster or a document.
function members(host, system, cells, size, what, skip = what) {
  const { names } = system;
  if (!names) {
    host.replaceChildren(make("p", { class: "note" }, WITHOUT_ELEMENTS));
    return;
  }
  const listed = [];
  for (const cell of cells) {
    for (const element of system.membersOf(cell)) if (!names.kept || names.place[element] >= 0) listed.push(element);
  }
  const note = listed.length < size ? `Showing ${whole(listed.length)} of its ${whole(size)} elements: this page has no room for all.` : "";
  elementTable(host, system, Int32Array.from(listed), `elements of this ${what}`, { skip, rows: 25, note });
}
