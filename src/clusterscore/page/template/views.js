// What is shown of a system: its clusters, its elements, and one cluster with its members.

const WITHOUT_ELEMENTS = said`This page was made from counts, so it lists no single elements.`;

// The name of a row, which is a link if it is listed.
const nameOf = (system, kind, rows, row) => (row < rows.count
  ? make("a", { href: `#${route(system, kind, row)}`, class: `name ${kind}` }, folded(rows.names.at(row), { linked: true }))
  : make("span", { class: `name ${kind}`, title: "not listed on this page" }, folded(rows.names.at(row))));

// A cluster by its name; -1 is none, where a side does not have the elements.
const link = (system, side, cluster) => (cluster < 0 ? make("span", { class: "absent" }, "none")
  : nameOf(system, side, system.sides[side], cluster));

const SHOWN = 4; // clusters of an element

// Links to the clusters of an element: one, or the first of several and a button that shows all.
function links(system, side, element) {
  const all = system.clustersOf(side, element).map((cluster) => link(system, side, cluster));
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
const route = (system, kind, row) =>
  `${system.place ? `${system.place}/` : ""}${kind}/${(system.sides[kind] ?? system.documents).number[row]}`;

const documentLink = (system, document) => nameOf(system, "doc", system.documents, document);

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

const most = (numbers) => numbers.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);

// Which rows have these words in their name.
const namedLike = ({ names }, words) => names.names.map((_, k) => names.at(k).toLowerCase().includes(words));

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

// The clusters of a side: all that are listed, or some. They stand in the order of what they cost.
function clusterTable(host, system, side, some = null, note = listedOf(system.sides[side], said`${WORD[side]} clusters`)) {
  const rows = system.sides[side];
  const others = system.sides[OTHER[side]];
  const count = some ? some.length : rows.count;
  const at = some ? (row) => some[row] : (row) => row;
  const each = (value) => Float64Array.from({ length: count }, (_, row) => value(at(row)));
  const largest = most(rows.loss);
  const documentOf = (cluster) => rows.document[cluster];
  const made = (title, hint, value, show, text = false) => ({ title, hint, text, key: () => each(value), cell: (row) => show(at(row)) });
  const numbers = (title, hint, key, show) => made(title, hint, (cluster) => rows[key][cluster], (cluster) => show(rows[key][cluster]));
  const loss = (row) => rows.loss[at(row)];
  const columns = [
    made(said`Cluster`, said`the ${WORD[side]} cluster`, (cluster) => rows.names.ranks[cluster], (cluster) => link(system, side, cluster), true),
    system.documents && !some && made(said`Document`, null, (cluster) => system.documents.names.ranks[documentOf(cluster)], (cluster) => documentLink(system, documentOf(cluster)), true),
    { title: "Loss", hint: "what it costs the score", key: () => each((cluster) => -cluster), cell: (row) => barred(small(loss(row), largest), loss(row) / largest) },
    shareOfLoss(system, loss, () => each((cluster) => -cluster)),
    numbers("Size", said`how many elements it has`, "size", whole),
    rows.stands_for && numbers("Stands for", said`how many clusters of the whole this one stands for`, "stands_for", (count) => count.toFixed(1)),
    numbers("Parts", said`over how many ${WORD[OTHER[side]]} clusters it lies`, "parts", whole),
    made("Best match", said`the ${WORD[OTHER[side]]} cluster that shares most elements with it`, (cluster) => others.names.ranks[rows.match[cluster]] ?? -1, (cluster) => link(system, OTHER[side], rows.match[cluster]), true),
    numbers("Overlap", said`how many elements it shares with its best match`, "overlap", whole),
    made("% of it", said`which share of this cluster that is`, (cluster) => rows.overlap[cluster] / rows.size[cluster], (cluster) => percent(rows.overlap[cluster] / rows.size[cluster])),
    rows.precision && numbers("P", said`mean precision of its elements`, "precision", fixed),
    rows.recall && numbers("R", said`mean recall of its elements`, "recall", fixed),
    numbers("F", said`mean F of its elements`, "f", fixed),
  ].filter(Boolean);
  const listed = (values) => (row) => rows.elementsOf(at(row)).map((element) => values(element)).join(" | ");
  const further = system.elements ? [{ title: said`Elements`, text: true, cell: listed((element) => system.elements.names.at(element)) }] : [];
  if (system.elements?.texts) further.push({ title: "Texts", text: true, cell: listed((element) => unmarked(system.elements.texts[element])) });
  return new SortableTable(host, {
    further, label: said`${WORD[side]} clusters`, count, columns, sorted: byLoss(columns), note, lossless: (row) => !loss(row),
    filters: [sizeFilter((row) => rows.size[at(row)])],
    find: (words) => {
      const [own, other] = [namedLike(rows, words), namedLike(others, words)];
      const inDocument = documentLike(system, words);
      return (row) => own[at(row)] || other[rows.match[at(row)]] || inDocument(() => documentOf(at(row)));
    },
  });
}

function documentLike(system, words) {
  if (!system.documents) return () => false;
  const found = namedLike(system.documents, words);
  return (document) => found[document()];
}

// How many are listed, where that is not all of them.
const listedOf = ({ count, of }, what) => (count === of ? ""
  : said`The ${whole(count)} worst of ${whole(of)} ${what} are listed. Sorting and searching cover these only; all counts and scores are those of all elements.`);

const unmarked = (text) => text.replace(/[\x02\x03]/g, "");

// A text; where words of it are marked, those of a mention, they stand out from the others.
const marked = (text) => (!text.includes("\x02") ? folded(text, { lines: true }) : make("bdi", { class: "context" },
  text.split("\x02").flatMap((part, k) => (k ? [make("mark", {}, part.split("\x03")[0]), part.split("\x03")[1]] : [part]))));

// A table of some elements, by their rows: they stand in the order of what they cost.
function elementTable(host, system, some, label, { skip = "", rows, note = "" } = {}) {
  const { elements, sides } = system;
  const { names, texts, kind, place, document } = elements;
  const each = (value) => Float64Array.from(some, value);
  const loss = (row) => elements.loss[some[row]];
  const largest = most(each((element) => elements.loss[element]));
  const numbers = (title, hint, key, show = fixed) => ({ title, hint, key: () => each((element) => elements[key][element]), cell: (row) => show(elements[key][some[row]]) });
  const cluster = (title, side) => (system.overlapping || skip !== side) && {
    title, text: true, key: () => each((element) => sides[side].names.ranks[system.clustersOf(side, element)[0]] ?? -1), cell: (row) => links(system, side, some[row]),
  };
  const columns = [
    { title: said`Element`, text: true, key: () => each((element) => (place ?? names.ranks)[element]), cell: (row) => folded(names.at(some[row])) },
    texts && { title: "Text", text: true, key: () => ranked(some.length, (row) => unmarked(texts[some[row]])), cell: (row) => marked(texts[some[row]]) },
    document && !skip && {
      title: said`Document`, text: true, key: () => each((element) => system.documents.names.ranks[document[element]]),
      cell: (row) => documentLink(system, document[some[row]]),
    },
    { title: "Loss", hint: "what it costs the score", key: () => each((element) => -element), cell: (row) => barred(small(loss(row), largest), loss(row) / largest) },
    shareOfLoss(system, loss, () => each((element) => -element)),
    elements.stands_for && numbers("Stands for", said`how many elements of the whole this one stands for`, "stands_for", (count) => count.toFixed(1)),
    cluster("Gold", "gold"),
    cluster("Predicted", "pred"),
    kind && { title: "Kind", text: true, key: () => each((element) => kind[element]), cell: (row) => kindMark(kind[some[row]]) },
    elements.tp && numbers("TP", "others that are rightly with it", "tp", whole),
    elements.fp && numbers("FP", "others that are wrongly with it", "fp", whole),
    elements.fn && numbers("FN", "others that should be with it and are not", "fn", whole),
    elements.precision && numbers("P", "its precision", "precision"),
    elements.recall && numbers("R", "its recall", "recall"),
    numbers("F", "its F", "f"),
  ].filter(Boolean);
  return new SortableTable(host, {
    label, count: some.length, columns, rows, note, lossless: (row) => !loss(row), sorted: skip && place ? { column: 0, down: false } : byLoss(columns),
    filters: kind ? [kindFilter((row) => kind[some[row]])] : [],
    find: (words) => {
      const like = { gold: namedLike(sides.gold, words), pred: namedLike(sides.pred, words) };
      const inDocument = documentLike(system, words);
      const within = (side, element) => skip !== side && system.clustersOf(side, element).some((cluster) => like[side][cluster]);
      return (row) => {
        const element = some[row];
        return names.at(element).toLowerCase().includes(words) || (texts && unmarked(texts[element]).toLowerCase().includes(words))
          || within("gold", element) || within("pred", element) || inDocument(() => document[element]);
      };
    },
  });
}

function allElements(host, system) {
  if (!system.elements) {
    host.replaceChildren(make("p", { class: "note" }, WITHOUT_ELEMENTS));
    return null;
  }
  return elementTable(host, system, places(system.elements.count), noun("elements"), { note: listedOf(system.elements, noun("elements")) });
}

const SEGMENTS = 12;

// One cluster: where its elements are on the other side, and who they are.
function clusterPage(host, system, side, cluster) {
  const rows = system.sides[side];
  const own = system.partsOf(side, cluster);
  const name = rows.names.at(cluster);
  const size = rows.size[cluster];
  const heading = make("h2", { tabindex: "-1", id: "detail-heading" },
    said`${side === "gold" ? "Gold" : "Predicted"} cluster `, make("span", { class: `name ${side}` }, folded(name)),
    rows.document ? [said` of document `, documentLink(system, rows.document[cluster])] : null);
  host.replaceChildren(
    crumb(system, side, cluster, "clusters", places(rows.count), rows.of, "loss"),
    heading,
    whose(system),
    make("p", { class: "lead" }, story(system, side, cluster)),
    make("dl", { class: "facts" }, factList(facts(rows, cluster, system.lost))),
    system.overlapping ? "" : band(system, side, own, rows, cluster),
    make("h3", {}, side === "gold" ? said`Where its elements went` : said`Where its elements come from`),
  );
  const parts = host.appendChild(make("div"));
  partTable(parts, system, side, own, rows, cluster);
  host.append(make("h3", {}, said`Its elements`));
  members(host.appendChild(make("div")), system, rows.elementsOf(cluster), size, "cluster", side);
  return { heading, title: said`${WORD[side]} cluster ${isolated(name)}` };
}

// The way back to all, and to the next worse and better cluster or document; order has those listed, the worst first.
function crumb(system, kind, row, section, order, of, by) {
  const place = order.indexOf(row);
  const to = (at, words) => at >= 0 && at < order.length && make("a", { href: `#${route(system, kind, order[at])}` }, words);
  return make("p", { class: "crumb" }, make("a", { href: `#${section}` }, `← All ${noun(section)}`), make("span", { class: "neighbours" }, [
    to(place - 1, "‹ next worse"), make("span", {}, `${whole(place + 1)} of ${whole(of)} by ${by}`), to(place + 1, "next better ›"),
  ].filter(Boolean)));
}

// What became of it, in one sentence.
function story(system, side, cluster) {
  const rows = system.sides[side];
  const size = rows.size[cluster];
  const many = size === 1 ? said`Its one element` : said`Its ${whole(size)} elements`;
  if (rows.overlap[cluster] === size && system.sides[OTHER[side]].size[rows.match[cluster]] === size) {
    if (size === 1 && !system.overlapping) return said`Its one element is alone on both sides.`;
    return [said`${many} ${size === 1 ? "is" : "are"} exactly the ${WORD[OTHER[side]]} cluster `, link(system, OTHER[side], rows.match[cluster]), "."];
  }
  const parts = rows.parts[cluster];
  const absent = side === "gold" ? "not predicted" : "not in gold";
  if (!parts) return `${many} ${size === 1 ? "is" : "are"} ${absent}.`;
  const gone = system.partsOf(side, cluster).find(({ other }) => other < 0)?.n ?? 0;
  const rest = gone ? ` ${whole(gone)} ${gone === 1 ? "is" : "are"} ${absent}.` : "";
  const match = link(system, OTHER[side], rows.match[cluster]);
  const more = system.sides[OTHER[side]].size[rows.match[cluster]] - rows.overlap[cluster];
  const foreign = more ? ` with ${whole(more)} that do not belong to it` : " with nothing else";
  if (parts === 1 && gone) return [said`${whole(size - gone)} of its ${whole(size)} elements ${size - gone === 1 ? "is" : "are"} in `, match, `,${foreign}.${rest}`];
  if (parts === 1) return [said`${many} ${size === 1 ? "is" : "are all"} in `, match, `,${foreign}.`];
  if (size === 1) return [said`${many} lies in ${whole(parts)} ${WORD[OTHER[side]]} clusters, among them in `, match, `,${foreign}.`];
  return [said`${many} lie in ${whole(parts)} ${WORD[OTHER[side]]} clusters: ${whole(rows.overlap[cluster])} of them in `, match, `,${foreign}.${rest}`];
}

function facts(rows, cluster, lost) {
  return [
    [said`Elements`, whole(rows.size[cluster])], ["Parts", whole(rows.parts[cluster])],
    ...(rows.precision ? [["Precision", fixed(rows.precision[cluster])], ["Recall", fixed(rows.recall[cluster])]] : []), ["F", fixed(rows.f[cluster])], ["Loss", small(rows.loss[cluster])],
    ["Of all loss", percent(lost ? rows.loss[cluster] / lost : 0)],
  ];
}

const factList = (facts) => facts.map(([what, value]) => make("div", {}, make("dt", {}, what), make("dd", {}, value)));

// Whose clusters these are, where there are several systems.
const whose = (system) => (PAGE.systems.length > 1 ? make("p", { class: "system-name" }, folded(system.name)) : "");

// A band as long as the cluster, cut into the clusters of the other side.
function band(system, side, own, rows, cluster) {
  const [size, count] = [rows.size[cluster], Math.max(rows.parts[cluster], own.length)];
  const { parts } = system;
  const other = OTHER[side];
  const shown = own.slice(0, count > SEGMENTS ? SEGMENTS - 1 : SEGMENTS);
  const segments = shown.map(({ other: met, n, part: at }) => {
    const name = met < 0 ? "none" : system.sides[other].names.at(met);
    const linked = met >= 0 && met < system.sides[other].count;
    const part = make(linked ? "a" : "span", {
      href: linked ? `#${route(system, other, met)}` : null, class: `segment kind-${parts.kind[at]}`, title: `${isolated(name)}: ${whole(n)}`,
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
  return make("div", { class: "band", role: "group", "aria-label": said`Its parts in ${WORD[other]} clusters` }, segments);
}

function partTable(host, system, side, own, rows, cluster) {
  const [size, count] = [rows.size[cluster], rows.parts[cluster]];
  const other = OTHER[side];
  const { parts } = system;
  const others = system.sides[other];
  const at = (value) => () => Float64Array.from(own, value);
  const largest = most(Float64Array.from(own, (part) => parts.loss?.[part.part] ?? 0));
  const numbers = (title, hint, value, show) => ({ title, hint, key: at(value), cell: (row) => show(value(own[row])) });
  const ofCell = system.overlapping ? [] : [ // where clusters overlap, a part has no scores of its own
    numbers("F", said`of each of these elements`, (part) => parts.f[part.part], fixed),
    numbers("Loss", "of all of them together", (part) => parts.loss[part.part], (loss) => barred(small(loss, largest), loss / largest)),
  ];
  const columns = [
    { title: said`${other === "gold" ? "Gold" : "Predicted"} cluster`, text: true, key: at((part) => others.names.ranks[part.other] ?? -1), cell: (row) => link(system, other, own[row].other) },
    parts.kind && { title: "Kind", text: true, key: at((part) => parts.kind[part.part]), cell: (row) => kindMark(parts.kind[own[row].part]) },
    numbers(said`Elements`, "how many both share", (part) => part.n, whole),
    numbers("% of this", said`share of this cluster`, (part) => part.n / size, percent),
    numbers("Its size", said`how many elements the other cluster has`, (part) => others.size[part.other] ?? 0, whole),
    numbers("% of it", said`share of the other cluster`, (part) => part.n / (others.size[part.other] ?? Infinity), percent),
    ...ofCell,
  ].filter(Boolean);
  const sorted = { column: columns.findIndex((column) => column.title === said`Elements`), down: true };
  const note = own.length < count ? `Showing ${whole(own.length)} of ${whole(count)} parts: this page has no room for all.` : "";
  new SortableTable(host, { label: said`parts in ${WORD[other]} clusters`, count: own.length, columns, sorted, note });
}

// Those elements of a cluster or a document that are listed, of so many.
function members(host, system, some, size, what, skip = what) {
  if (!system.elements) {
    host.replaceChildren(make("p", { class: "note" }, WITHOUT_ELEMENTS));
    return;
  }
  const note = some.length < size ? said`${whole(some.length)} of its ${whole(size)} elements are among the ${whole(system.elements.count)} worst that this page lists.` : "";
  elementTable(host, system, some, said`elements of this ${noun(what)}`, { skip, rows: 25, note });
}
