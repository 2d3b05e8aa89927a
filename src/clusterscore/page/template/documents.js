// Documents: what each scores, next to another system, and one document with its clusters and elements.

const seen = { measure: 0, rival: null }; // what the table of documents is looked at with

function signed(value) {
  const shown = fixed(Math.abs(value));
  return `${Number(shown) === 0 ? "" : value < 0 ? "−" : "+"}${shown}`;
}

function choice(id, title, choices, chosen, change) {
  const select = make("select", { id, onchange: () => change(Number(select.value)) },
    choices.map(([value, words]) => make("option", { value, selected: value === chosen, dir: "auto" }, words)));
  return field(select, title);
}

// Scores are {value, precision, recall} for each measure, the last two where there are any.
function documentTable(host, system) {
  const { documents } = system;
  const others = [...PAGE.systems.keys()].filter((place) => place !== system.place);
  const measures = PAGE.measures.slice(0, documents.scores.length);
  const again = (change) => { Object.assign(seen, change); return documentTable(host, system); };
  const rival = others.includes(seen.rival) ? seen.rival : others.find((place) => system.place || place === PAGE.rival);
  const pair = String(system.place || rival); // drawn against the best
  for (const plot of document.querySelectorAll("[data-pair]")) plot.hidden = plot.dataset.pair !== pair;
  const measure = measures[seen.measure];
  const own = documents.scores[seen.measure];
  const theirs = rival === undefined ? null : documents.systems[rival].scores[seen.measure];
  const { names, count, size, loss } = documents;
  const numbers = (title, hint, value, show = fixed) => ({
    title, hint, key: () => Float64Array.from({ length: count }, (_, row) => value(row)), cell: (row) => show(value(row)),
  });
  const columns = [
    { title: noun("Document"), text: true, key: () => names.ranks, cell: (row) => documentLink(system, row) },
    { ...numbers("Score", measure.words, (row) => own.value[row]), name: make("code", {}, measure.name) },
    theirs && { ...numbers("Rival", "what this system scores", (row) => theirs.value[row]), name: folded(PAGE.systems[rival], { linked: true }) },
    theirs && numbers("Gap", `${isolated(system.name)} less ${isolated(PAGE.systems[rival])}`, (row) => own.value[row] - theirs.value[row], signed),
    own.precision && numbers("P", "precision", (row) => own.precision[row]),
    own.recall && numbers("R", "recall", (row) => own.recall[row]),
    numbers(noun("Elements"), "how many it has", (row) => size[row], whole),
    shareOfLoss(system, (row) => loss[row], () => loss),
  ].filter(Boolean);
  const chosen = make("div", { class: "tools" }, [
    measures.length > 1 && choice("document-measure", "Measure", measures.map(({ name }, k) => [k, name]), seen.measure, (k) => again({ measure: k })),
    others.length > 1 && choice("document-rival", "Against", others.map((k) => [k, PAGE.systems[k]]), rival, (k) => again({ rival: k })),
  ].filter(Boolean));
  const table = make("div");
  host.replaceChildren(...(chosen.childNodes.length ? [chosen] : []), table);
  const left = PAGE.measures.length - measures.length;
  return new SortableTable(table, {
    label: noun("documents"), count, columns, sorted: { column: 1, down: measure.smaller }, tie: (a, b) => size[b] - size[a],
    find: (words) => { const found = documentLike(system, words); return (row) => found(() => row); },
    note: `${listedOf(documents, noun("documents"))}${left ? said` For so many documents, the page has no room for ${whole(left)} of the measures.` : ""}`.trim(),
  });
}

// One document: its scores, its clusters of both sides and its elements.
function documentPage(host, system, document) {
  const { names, count, of, size, loss, scores, gold, pred } = system.documents;
  const turn = PAGE.measures[0].smaller ? -1 : 1;
  const worst = sortedRows(places(count), scores[0].value, turn, (a, b) => size[b] - size[a]);
  const name = names.at(document);
  const heading = make("h2", { tabindex: "-1", id: "detail-heading" }, noun("Document "), folded(name));
  const known = [
    [noun("Elements"), whole(size[document])], [noun("Gold clusters"), whole(gold[document])], [noun("Predicted clusters"), whole(pred[document])],
    ["Loss", small(loss[document])], ["Of all loss", percent(system.lost ? loss[document] / system.lost : 0)],
  ];
  host.replaceChildren(
    crumb(system, "doc", document, "documents", worst, of, PAGE.measures[0].name),
    heading, whose(system), make("dl", { class: "facts" }, factList(known)), make("h3", {}, "Scores"), scoreTable(system, document),
  );
  for (const side of ["gold", "pred"]) {
    host.append(make("h3", {}, said`${side === "gold" ? "Gold" : "Predicted"} clusters`));
    const some = system.sides[side].inDocument(document);
    const all = system.documents[side][document];
    const note = some.length < all ? said`${whole(some.length)} of its ${whole(all)} clusters are among the ${whole(system.sides[side].count)} worst that this page lists.` : "";
    clusterTable(host.appendChild(make("div")), system, side, some, note);
  }
  host.append(make("h3", {}, noun("Elements")));
  members(host.appendChild(make("div")), system, system.elements?.inDocument(document), size[document], "document");
  return { heading, title: said`Document ${isolated(name)}` };
}

// What a document scores under each measure: P and R of one system, or all systems side by side, the best in bold.
function scoreTable({ documents }, document) {
  const one = PAGE.systems.length === 1;
  const rows = [];
  for (let k = 0; k < documents.scores.length; k++) {
    const scores = documents.systems.map((each) => each.scores[k]);
    const { name, words, smaller } = PAGE.measures[k];
    const values = one ? ["value", "precision", "recall"].map((side) => scores[0][side]?.[document]) : scores.map((each) => each.value[document]);
    const best = one ? values[0] : (smaller ? Math.min : Math.max)(...values);
    const shown = (value) => make(value === best ? "b" : "span", {}, fixed(value, 4));
    rows.push(make("tr", {}, make("th", { scope: "row", class: "text" }, make("code", { class: "measure", title: words }, name)), values.map((value) => make("td", { class: "number" }, shown(value)))));
  }
  const titles = one ? ["Score", "P", "R"] : PAGE.systems.map((name) => folded(name));
  const head = make("tr", {}, make("th", { scope: "col" }, "Measure"), titles.map((title) => make("th", { scope: "col", class: "number" }, title)));
  const table = make("table", {}, make("caption", { class: "unseen" }, noun("Scores of this document")), make("thead", {}, head), make("tbody", {}, rows));
  return make("div", { class: "scroll", role: "region", "aria-label": noun("Scores of this document"), tabindex: "0" }, table);
}
