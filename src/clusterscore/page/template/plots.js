// The marks of plots: what each is, for whoever points at it or goes there with the arrow keys; a click selects it.

const NEAR = 18; // pixels from a mark
const TIP = document.getElementById("tip");
let pointed = null;

function middle(mark) {
  const box = mark.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// The mark below the pointer, else the nearest that is not far.
function markAt(plot, event) {
  const below = event.target.closest("[data-tip]");
  if (below) return below;
  const far = (mark) => Math.hypot(...middle(mark).map((at, k) => at - [event.clientX, event.clientY][k]));
  const [best] = plot.marks.map((mark) => [far(mark), mark]).filter(([away]) => away < NEAR).sort(([a], [b]) => a - b);
  return best?.[1] ?? null;
}

function point(mark, at = null) {
  pointed?.classList.remove("pointed");
  pointed = mark;
  TIP.hidden = !mark;
  if (!mark) return;
  mark.classList.add("pointed");
  TIP.textContent = mark.dataset.tip;
  const [x, y] = at ?? middle(mark);
  const { width, height } = TIP.getBoundingClientRect();
  TIP.style.left = `${Math.max(4, Math.min(x - width / 2, document.documentElement.clientWidth - width - 4))}px`;
  TIP.style.top = `${y - height - 14 > 0 ? y - height - 14 : y + 18}px`;
}

// gold/3 is a cluster, doc/3 a document, gold:2-4 are clusters of these sizes, system:A is what it says.
async function select({ dataset: { find } }) {
  if (!find) return;
  point(null);
  const which = find.slice(find.indexOf(":") + 1);
  if (find.startsWith("system:")) {
    await showSystem(Math.max(0, PAGE.systems.indexOf(which)));
    document.getElementById("scores").scrollIntoView();
  } else if (find.includes("/")) location.hash = `${current ? `${current}/` : ""}${find}`;
  else await showSizes(find.split(":")[0], which);
}

function explain(plot) {
  plot.marks = Array.from(plot.querySelectorAll("[data-tip]"));
  if (!plot.marks.length) return;
  plot.setAttribute("tabindex", "0");
  plot.addEventListener("pointermove", (event) => point(markAt(plot, event), [event.clientX, event.clientY]));
  plot.addEventListener("click", (event) => {
    const [before, mark] = [pointed, markAt(plot, event)];
    point(mark);
    if (mark && (event.pointerType !== "touch" || mark === before)) select(mark); // the first touch tells, the second selects
  });
  plot.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") point(null); }); // a finger leaves before it clicks
  plot.addEventListener("blur", () => point(null));
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") point(null);
    else if (event.key === "Enter" && pointed) select(pointed);
    else if (step) point(plot.marks.at((plot.marks.indexOf(pointed) + (pointed || step > 0 ? step : 0)) % plot.marks.length));
    else return;
    event.preventDefault();
  });
}
