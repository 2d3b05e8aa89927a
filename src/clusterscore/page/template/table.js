// A table of any number of rows: sorted by a click on a heading, searched, and shown page by page.

// An element with properties and children; text is always text, never markup.
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const LONG = 60; // letters of a name; one that has more is folded
const END = 12; // letters at its end, by which alike names often differ: these stay

// What a user called something: isolated, as it may be written from right to left; where it is long, folded until it is
// clicked or focused.
function folded(text, { linked = false, lines = false } = {}) {
  if (text.length <= LONG) return make("bdi", { class: "label" }, text);
  const letters = [...text];
  const halves = [letters.slice(0, -END), letters.slice(-END)].map((half) => make("span", {}, half.join("")));
  return make("bdi", { class: `label long${lines ? " lines" : ""}`, title: text, tabindex: linked ? null : "0" }, lines ? text : halves);
}

// A name within a text that cannot have markup.
const isolated = (text) => `\u2068${text.length > LONG ? `${text.slice(0, LONG)}…` : text}\u2069`;

const whole = (count) => count.toLocaleString("en-US");
// A score, in the unit of the page; a measure of somebody's own may not be defined everywhere.
const fixed = (value, digits = 3) => (value == null ? "" : (PAGE.scale * value).toFixed(PAGE.scale === 100 ? 2 : digits));

// A loss: four decimals, or as many as the largest of its column needs to be seen.
function small(value, largest = value) {
  if (!value) return "0";
  const decimals = Math.max(PAGE.scale === 100 ? 2 : 4, Math.ceil(-Math.log10(PAGE.scale * largest)));
  const shown = (PAGE.scale * value).toFixed(decimals);
  return Number(shown) ? shown : `<${(10 ** -decimals).toFixed(decimals)}`;
}

function percent(share) {
  if (share > 0 && share < 0.001) return "<0.1%";
  if (share < 1 && share > 0.999) return ">99.9%";
  const shown = 100 * share;
  return `${shown >= 99.95 || shown < 0.05 ? shown.toFixed(0) : shown.toFixed(1)}%`;
}

const field = (input, title) => make("span", { class: "field" }, make("label", { for: input.id }, title), input);

// A cell of CSV; what a spreadsheet would take for a formula gets an apostrophe in front, as in the command's own.
function csv(text) {
  const plain = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[-+]?[\d.]+%?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const SIZES = [10, 25, 100];
const FEW = 3; // rows that nobody has to search
const PAUSE = 150; // milliseconds after a key before a search starts

let tables = 0;

// Rows by a number, up or down; equal ones by a tie, if there is one, then as they stand.
function sortedRows(rows, key, turn, tie = () => 0) {
  return rows.sort((a, b) => turn * (key[a] - key[b]) || tie(a, b) || a - b);
}

class SortableTable {
  // columns: {title, name (what stands in its place), hint, text, key() -> a number for each row, cell(row) -> a node or text};
  // tie: which of two equal rows comes first; lossless: whether a row costs nothing, and is not printed on paper;
  // further: columns that are saved and not shown;
  // filters: [{title, choices: [[value, words]..], pass(value) -> row -> whether it stays}]; find(words) -> the same.
  constructor(host, { label, count, columns, sorted, filters = [], find = null, note = "", rows = SIZES[0], tie, lossless, further = [] }) {
    Object.assign(this, { host, count, columns, filters, find, sorted, rows, tie, lossless, further });
    this.page = 0;
    this.words = "";
    this.chosen = filters.map((filter) => filter.start ?? "");
    this.build(label, note);
    this.arrange();
  }

  build(label, note) {
    const id = `table-${tables++}`;
    this.status = make("p", { class: "status", role: "status" });
    this.body = make("tbody");
    this.heads = this.columns.map((column, k) => {
      const words = column.name ?? column.title;
      const button = make("button", { type: "button", title: column.hint, onclick: () => this.sortBy(k) }, words);
      // on paper the head of a table is repeated, but not its buttons
      return make("th", { scope: "col", class: column.text ? null : "number", "data-words": words.textContent ?? words }, button);
    });
    const table = make("table", {}, make("caption", { class: "unseen" }, label),
      make("thead", {}, make("tr", {}, this.heads)), this.body);
    const region = make("div", { class: "scroll", role: "region", "aria-label": `Table: ${label}`, tabindex: "0" }, table);
    const save = make("button", { type: "button", onclick: () => this.save(label), title: "all rows that are found, in this order" }, "Save as CSV");
    this.top = make("div", { class: "tools" }, this.tools(id), this.status, save);
    this.host.replaceChildren(this.top, region, this.pager(id, label));
    this.nothing = note ? "No matches among those listed." : "No matches.";
    if (note) this.host.prepend(make("p", { class: "note" }, note));
  }

  tools(id) {
    const made = [];
    if (this.find) {
      let waiting = 0;
      const input = make("input", {
        type: "search", id: `${id}-find`, autocomplete: "off", spellcheck: "false",
        oninput: () => {
          clearTimeout(waiting);
          waiting = setTimeout(() => this.filterBy(() => { this.words = input.value; }), PAUSE);
        },
      });
      this.input = input;
      made.push(field(input, "Find"));
    }
    this.selects = this.filters.map((filter, k) => {
      const options = [["", filter.all], ...filter.choices].map(([value, words]) =>
        make("option", { value, selected: String(value) === this.chosen[k] }, words));
      const select = make("select", {
        id: `${id}-filter-${k}`, onchange: () => this.filterBy(() => { this.chosen[k] = select.value; }),
      }, options);
      made.push(field(select, filter.title));
      return select;
    });
    return made;
  }

  pager(id, label) {
    const turn = (words, label, to) => make("button", {
      type: "button", "aria-label": label, onclick: () => this.turnTo(to()),
    }, words);
    const last = () => Math.max(0, Math.ceil(this.order.length / this.rows) - 1);
    this.turns = [turn("«", "First page", () => 0), turn("‹", "Page before", () => this.page - 1),
      turn("›", "Next page", () => this.page + 1), turn("»", "Last page", last)];
    this.number = make("input", {
      type: "number", min: 1, id: `${id}-page`, onchange: () => this.turnTo(Number(this.number.value) - 1),
    });
    this.pages = make("span");
    const rows = make("select", { id: `${id}-rows`, onchange: () => this.showRows(Number(rows.value)) },
      SIZES.map((size) => make("option", { value: size, selected: size === this.rows }, String(size))));
    this.paging = make("nav", { class: "pager", "aria-label": `Pages: ${label}` }, this.turns.slice(0, 2),
      make("label", { for: this.number.id }, "Page"), this.number, this.pages, this.turns.slice(2),
      field(rows, "Rows"));
    return this.paging;
  }

  // What is not among the choices yet becomes one, in these words.
  choose(filter, value, words = "") {
    const select = this.selects[filter];
    if (words && !Array.from(select.options).some((option) => option.value === String(value))) select.append(make("option", { value }, words));
    select.value = value;
    this.filterBy(() => { this.chosen[filter] = String(value); });
  }

  sortBy(k) {
    const down = this.sorted.column === k ? !this.sorted.down : !this.columns[k].text;
    this.sorted = { column: k, down };
    this.page = 0;
    this.arrange();
  }

  filterBy(change) {
    change();
    this.page = 0;
    this.arrange();
  }

  showRows(rows) {
    this.page = Math.floor(this.page * this.rows / rows);
    this.rows = rows;
    this.show();
  }

  turnTo(page) {
    if (!Number.isFinite(page)) return this.show();
    this.page = page;
    this.show();
  }

  // The rows that pass all filters, in their order.
  arrange() {
    const tests = this.filters.map((filter, k) => this.chosen[k] !== "" && filter.pass(this.chosen[k])).filter(Boolean);
    const words = this.words.trim().toLowerCase();
    if (this.find && words) tests.push(this.find(words));
    const order = new Uint32Array(this.count);
    let kept = 0;
    for (let row = 0; row < this.count; row++) if (tests.every((test) => test(row))) order[kept++] = row;
    const { column, down } = this.sorted;
    const key = this.columns[column].keys ??= this.columns[column].key();
    const turn = down ? -1 : 1;
    this.order = sortedRows(order.subarray(0, kept), key, turn, this.tie);
    this.show();
  }

  // A spreadsheet of all rows that pass the filters: what the cells show, with further columns for reviewers.
  save(label) {
    const columns = [...this.columns, ...this.further];
    const shown = (column, row) => {
      const cell = column.cell(row);
      const text = cell.textContent ?? String(cell);
      return column.text ? text : text.replace(/(?<=\d),(?=\d)/g, "").replace("−", "-");
    };
    const lines = [columns.map(({ title, name }) => name?.textContent ?? title), ...Array.from(this.order, (row) => columns.map((column) => shown(column, row)))];
    const file = new Blob([`\ufeff${lines.map((line) => line.map(csv).join(",")).join("\r\n")}\r\n`], { type: "text/csv" });
    const link = make("a", { href: URL.createObjectURL(file), download: `${label}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  show() {
    const { order, rows } = this;
    const pages = Math.max(1, Math.ceil(order.length / rows));
    this.page = Math.min(Math.max(0, Math.floor(this.page)), pages - 1);
    const first = this.page * rows;
    const shown = order.subarray(first, first + rows);
    this.heads.forEach((head, k) => {
      const { column, down } = this.sorted;
      if (k === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...Array.from(shown, (row) => make("tr", { class: this.lossless?.(row) ? "lossless" : null }, this.columns.map((column, k) =>
      make(k ? "td" : "th", { scope: k ? null : "row", class: column.text ? "text" : "number" }, column.cell(row))))));
    if (!shown.length) {
      this.body.append(make("tr", {}, make("td", { colspan: this.columns.length, class: "none" }, this.nothing)));
    }
    const of = order.length < this.count ? `${whole(order.length)} (of ${whole(this.count)})` : whole(order.length);
    this.status.textContent = shown.length ? `${whole(first + 1)} to ${whole(first + shown.length)} of ${of}` : `0 of ${whole(this.count)}`;
    this.number.value = this.page + 1;
    this.number.max = pages;
    this.pages.textContent = `of ${whole(pages)}`;
    this.turns.forEach((turn, k) => { turn.disabled = k < 2 ? this.page === 0 : this.page === pages - 1; });
    this.paging.hidden = this.count <= SIZES[0];
    this.top.hidden = this.count <= FEW;
  }
}
