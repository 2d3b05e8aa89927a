/* The theme has two asides, which a screen reader tells apart by their names. */
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "Contents of this page, beside it");

/* What scrolls sideways can be reached with the keyboard. */
for (const box of document.querySelectorAll("pre, .table-wrapper, .equation")) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
}

/* Tables of marks: tick what you need, and the measures that do not have it disappear. */
for (const table of document.querySelectorAll("table.which")) {
  const [head, ...rows] = table.rows;
  const marks = rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
  rows.forEach((row, r) => [...row.cells].forEach((cell, c) => {
    if (["yes", "no", "tie"].includes(marks[r][c])) cell.classList.add(marks[r][c]);
  }));
  const boxes = [];
  const needs = document.createElement("p");
  needs.className = "needs";
  needs.append("Show only measures with yes in: ");
  [...head.cells].forEach((cell, column) => {
    if (!marks.some((row) => row[column] === "yes")) return;
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    const label = document.createElement("label");
    label.append(box, ` ${cell.textContent.trim()}`);
    needs.append(label, " ");
    boxes.push([box, column]);
  });
  needs.addEventListener("change", () => {
    const asked = boxes.filter(([box]) => box.checked).map(([, column]) => column);
    rows.forEach((row, r) => { row.hidden = !asked.every((column) => marks[r][column] === "yes"); });
  });
  (table.closest(".table-wrapper") ?? table).before(needs);
}
