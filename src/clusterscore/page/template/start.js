// The page: which system and which view it shows, and its colours.

const OVERVIEW = document.getElementById("overview");
const DETAIL = document.getElementById("detail");
const systems = new Map();
let current = 0;
let shownSide = "gold";
let clusterList = null;
let elementList = null;
let scrolled = 0;

function loaded(place) {
  if (!systems.has(place)) systems.set(place, System.of(place));
  return systems.get(place);
}

async function showSystem(place) {
  current = place;
  const system = await loaded(place);
  for (const part of document.querySelectorAll("[data-system]")) part.hidden = Number(part.dataset.system) !== place;
  for (const choice of document.querySelectorAll("[name=system]")) {
    if (choice.type === "radio") choice.checked = Number(choice.value) === place;
    else choice.value = String(place);
  }
  for (const name of document.querySelectorAll(".shown-system")) name.replaceChildren(folded(system.name));
  const documents = document.getElementById("document-table");
  if (documents) documentTable(documents, system);
  clusterList = clusterTable(document.getElementById("cluster-table"), system, shownSide);
  elementList = allElements(document.getElementById("element-table"), system);
  document.documentElement.dataset.shown = String(place);
}

// The clusters of a side, all of them or those of some sizes.
async function showSide(side) {
  shownSide = side;
  for (const choice of document.querySelectorAll("[name=side]")) choice.checked = choice.value === side;
  clusterList = clusterTable(document.getElementById("cluster-table"), await loaded(current), side);
}

async function showSizes(side, sizes) {
  await showSide(side);
  const [first, last] = sizes.split("-").map(Number);
  clusterList.choose(0, sizes, last ? (first === last ? whole(first) : `${whole(first)} to ${whole(last)}`) : `${whole(first)} or more`);
  document.getElementById("cluster-table").scrollIntoView();
}

// Another system: the same document of it, but its own clusters are others.
async function switchTo(place) {
  const found = DETAIL.hidden ? null : /(gold|pred|doc)\/(\d+)$/.exec(location.hash);
  if (found?.[1] === "doc") location.hash = `#${place ? `${place}/` : ""}doc/${found[2]}`;
  else await showSystem(place);
  if (found && found[1] !== "doc") location.hash = "#clusters";
}

// One cluster ("gold", "pred") or document ("doc"), if one of that number is listed.
async function showDetail(place, kind, number) {
  if (place !== current) await showSystem(place);
  const system = await loaded(place);
  const row = (kind === "doc" ? system.documents : system.sides[kind])?.row.get(number);
  if (row === undefined) return false;
  if (!OVERVIEW.hidden) scrolled = window.scrollY;
  const { heading, title } = kind === "doc" ? documentPage(DETAIL, system, row) : clusterPage(DETAIL, system, kind, row);
  OVERVIEW.hidden = true;
  DETAIL.hidden = false;
  document.title = `${title} · ${PAGE.title}`;
  window.scrollTo({ top: 0, behavior: "instant" });
  heading.focus({ preventScroll: true });
  return true;
}

function showOverview(target) {
  const back = OVERVIEW.hidden;
  OVERVIEW.hidden = false;
  DETAIL.hidden = true;
  document.title = PAGE.title;
  if (target) target.scrollIntoView();
  if (back && (!target || ["clusters", "documents"].includes(target.id))) window.scrollTo({ top: scrolled, behavior: "instant" });
}

// #gold/12 is a cluster, #doc/3 a document; #1/pred/3 is one of the second system; #scores a place on the first view.
async function follow() {
  const hash = location.hash.slice(1);
  const found = /^(?:(\d+)\/)?(gold|pred|doc)\/(\d+)$/.exec(hash);
  if (found && Number(found[1] ?? 0) < PAGE.systems.length) {
    if (await showDetail(Number(found[1] ?? 0), found[2], Number(found[3]))) return;
  }
  const target = hash ? document.getElementById(hash) : null;
  if (!target || OVERVIEW.contains(target)) showOverview(target);
}

function paint(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.dataset.now = theme;
  button.setAttribute("aria-label", `Colours: ${theme}. Change`);
  button.title = `Colours: ${theme}`;
}

// Pages that are opened from a disk may not be allowed to remember anything.
function remembered(write) {
  try {
    if (write) localStorage.setItem("clusterscore-theme", write);
    return localStorage.getItem("clusterscore-theme") ?? "auto";
  } catch {
    return write ?? "auto";
  }
}

function listen() {
  const themes = ["auto", "light", "dark"];
  const button = document.getElementById("theme");
  button.addEventListener("click", () => paint(remembered(themes[(themes.indexOf(button.dataset.now) + 1) % themes.length])));
  for (const choice of document.querySelectorAll("[name=system]")) {
    choice.addEventListener("change", () => switchTo(Number(choice.value)));
  }
  for (const choice of document.querySelectorAll("[name=side]")) {
    choice.addEventListener("change", () => showSide(choice.value));
  }
  for (const choice of document.querySelectorAll("[data-kind]")) {
    choice.addEventListener("click", () => {
      elementList?.choose(0, choice.dataset.kind);
      document.getElementById("elements").scrollIntoView();
    });
  }
  for (const choice of document.querySelectorAll("button[data-find]")) choice.addEventListener("click", () => select(choice));
  document.querySelectorAll(".plot svg").forEach(explain);
  window.addEventListener("hashchange", follow);
  const folds = Array.from(document.querySelectorAll("details[data-print]")).map((fold) => [fold, fold.open]);
  window.addEventListener("beforeprint", () => folds.forEach((one) => { one[1] = one[0].open; one[0].open = true; }));
  window.addEventListener("afterprint", () => folds.forEach(([fold, open]) => { fold.open = open; }));
}

async function start() {
  paint(remembered());
  listen();
  await showSystem(0);
  await follow();
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  const message = document.getElementById("failed");
  message.hidden = false;
  message.textContent = `The tables could not be shown: ${error.message}. Use a browser from 2024 or later.`;
  throw error;
});
