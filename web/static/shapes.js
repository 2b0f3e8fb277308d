// Shapes of pieces and how to draw them. A cell is [row, col]; a shape starts at row 0, column 0.

const SVG = "http://www.w3.org/2000/svg";

/** The pieces' shapes by name, as the server knows them. */
export function readShapes() {
  const items = document.getElementById("shapes").content.querySelectorAll("[data-piece]");
  return new Map([...items].map((item) => [item.dataset.piece, item.dataset.cells.split(" ").map((cell) => cell.split(",").map(Number))]));
}

/** The cells moved to start at row 0, column 0, in reading order. */
export function moved(cells) {
  const top = Math.min(...cells.map(([row]) => row));
  const left = Math.min(...cells.map(([, col]) => col));
  return cells.map(([row, col]) => [row - top, col - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** A quarter turn clockwise. */
export function turned(cells) {
  return moved(cells.map(([row, col]) => [col, -row]));
}

/** The mirror image, left for right. */
export function flipped(cells) {
  return moved(cells.map(([row, col]) => [row, -col]));
}

/** Rows and columns of a shape. */
export function extent(cells) {
  return [Math.max(...cells.map(([row]) => row)) + 1, Math.max(...cells.map(([, col]) => col)) + 1];
}

/** Path data that fills the cells. */
export function area(cells) {
  return cells.map(([row, col]) => `M${col} ${row}h1v1h-1z`).join("");
}

/** Path data of the border round the cells. */
export function border(cells) {
  const inside = new Set(cells.map(String));
  const parts = [];
  for (const [row, col] of cells) {
    if (!inside.has(String([row - 1, col]))) parts.push(`M${col} ${row}h1`);
    if (!inside.has(String([row + 1, col]))) parts.push(`M${col} ${row + 1}h1`);
    if (!inside.has(String([row, col - 1]))) parts.push(`M${col} ${row}v1`);
    if (!inside.has(String([row, col + 1]))) parts.push(`M${col + 1} ${row}v1`);
  }
  return parts.join("");
}

/** An SVG element with attributes. */
export function svg(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A small picture of a shape in a colour; `unit` is a square's side in CSS pixels. */
export function picture(cells, color, unit) {
  const [rows, cols] = extent(cells);
  const drawing = svg("svg", { viewBox: `0 0 ${cols} ${rows}`, width: cols * unit, height: rows * unit, "aria-hidden": "true" });
  drawing.append(svg("path", { d: area(cells), class: `fill-${color}` }), svg("path", { d: area(cells), fill: `url(#mark-${color})` }));
  return drawing;
}
