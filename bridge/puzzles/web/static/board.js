// The grid: drawing and keyboard input. Cells have the role gridcell; only the current one is in the tab order.

import { drawEditor, editorKey, focus, follow, isPicked, outsideAt, spots, tool } from "./editor.js";
import { chip } from "./findings.js";
import { $, button, cellName, h, listed, readCell } from "./html.js";
import { KINDS, at, isBlack, numbers, sign, valuesOf, withSign, withValues } from "./puzzle.js";
import { edit, explained, openCells, redo, select, state, undo } from "./store.js";

const board = $("board");
let cells = new Map(); // elements by name of cell
let drawn = "";        // the shape for which the elements were made
let decorated = "";    // the shape of the board whose decoration they have
let typing = null;     // the cell that digits are being added to
let across = true;     // the direction of a crossword's cursor

const size = () => [state.puzzle.grid.length, state.puzzle.grid[0].length];
const neighbours = (a, b) => (a[0] === b[0] ? "right" : "below");

// The shape: kind, size and boxes. Another shape needs other elements, another decoration does not.
function build() {
  const { puzzle } = state;
  const [height, width] = size();
  const outside = spots();
  const { lattice = false, headings = new Map(), shape = "", box = [0, 0, width, height], values = [] } = state.board ?? {};
  const wanted = JSON.stringify([puzzle.puzzle, height, width, puzzle.box, lattice, [...headings], outside.length && [tool().name, tool().spots.length]]);
  if (wanted === drawn && decorated === shape) return;
  const margins = { "--before": [-box[0], "left"], "--above": [-box[1], "top"], "--behind": [box[2] + box[0] - width, "right"], "--below": [box[3] + box[1] - height, "bottom"] };
  Object.entries(margins).forEach(([name, [sides, side]]) => board.style.setProperty(name, Math.max(sides, outsideAt(side)))); // room to click
  if (wanted !== drawn) buildCells(headings, outside);
  const letters = Math.max(0, ...values.map((value) => glyph(value).length));
  board.classList.toggle("words", letters > 3);
  board.style.setProperty("--word", Math.min(0.22, 1.4 / letters)); // the size of a letter, as a share of a cell's side
  for (const picture of board.querySelectorAll(".overlay")) picture.remove();
  board.append(...overlays());
  [drawn, decorated] = [wanted, shape];
  drawClues();
}

function buildCells(headings, outside) {
  const { puzzle } = state;
  const [height, width] = size();
  cells = new Map();
  board.style.setProperty("--rows", height);
  board.style.setProperty("--columns", width);
  $("frame").style.setProperty("--shape", width / height);
  board.style.setProperty("--most", `${Math.min(6, 34 / width)}rem`); // the greatest side of a cell
  board.className = puzzle.puzzle;
  board.classList.toggle("file", Boolean(KINDS[puzzle.puzzle].file));
  board.classList.toggle("lattice", Boolean(state.board?.lattice));
  board.setAttribute("aria-label", `${KINDS[puzzle.puzzle].title}, ${height} rows, ${width} columns`);
  board.setAttribute("aria-rowcount", height);
  board.setAttribute("aria-colcount", width);
  board.classList.toggle("named", [...headings.keys()].some((name) => name.startsWith("row")));
  const head = (what, index) => (state.board?.lattice ? (index % 2 ? "" : String(index / 2)) : headings.get(`${what} ${index}`) ?? String(index));
  const heads = h("div.heads", { "aria-hidden": "true" }, puzzle.grid[0].map((_, j) => h("span", head("column", j + 1))));
  board.replaceChildren(heads, ...puzzle.grid.map((row, i) => h("div.row", { role: "row", "aria-rowindex": i + 1, "aria-label": `row ${i + 1}` },
    h("span.head", { "aria-hidden": "true" }, head("row", i + 1)), row.map((_, j) => cell([i + 1, j + 1])))), ...outside);
}

// The decoration of a kind that is a file, drawn by the server, over the cells; light and dark, as the style chooses.
let pictures = [];
function overlays() {
  pictures.forEach((url) => URL.revokeObjectURL(url));
  pictures = [];
  if (!state.board) return [];
  const { svg, dark, box: [left, top, width, height] } = state.board;
  return [[svg, "light"], [dark, "dark"]].map(([text, theme]) => {
    const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    pictures.push(url);
    const element = h(`img.overlay.${theme}`, { src: url, alt: "", "aria-hidden": "true" });
    Object.entries({ left, top, width, height }).forEach(([name, sides]) => { element.style[name] = `calc(${sides} * var(--cell))`; });
    return element;
  });
}

// The clues of a kind that is a file that are not values of cells: a list under the grid where they cannot be drawn,
// otherwise for screen readers only.
function drawClues() {
  const place = $("clues");
  const { drawn = [], texts = new Map(), boxes = false, clues = [] } = state.board ?? {};
  const undrawn = !drawn.length && !texts.size && !boxes && clues.length > 0;
  place.className = undrawn ? "" : "unseen";
  place.replaceChildren(...(drawn.length ? drawn.map((one) => h("li", one))
    : undrawn ? clues.map((one) => h("li", chip(one)))
    : texts.size ? [] : clues.map(({ text, cells }) => h("li", `${text}: ${listed(cells.map(cellName))}`))));
  place.hidden = !place.children.length;
}

// How a value is written.
const glyph = (value) => (KINDS[state.puzzle.puzzle].file ? String(state.board?.glyphs.get(value) ?? value) : String(value).toUpperCase());
const black = (place) => isBlack(state.puzzle, place, state.board);

function cell(place) {
  const [row, column] = place;
  const { box, puzzle } = state.puzzle;
  const classes = box ? [row % box[0] === 1 || box[0] === 1 ? "top" : "", column % box[1] === 1 || box[1] === 1 ? "left" : ""].filter(Boolean) : [];
  const element = h(["div", "cell", ...classes].join("."), { role: "gridcell", "aria-colindex": column, tabindex: -1 },
    h("span.number"), h("span.value"), h("span.marks"));
  element.dataset.cell = cellName(place);
  cells.set(cellName(place), element);
  if (puzzle === "futoshiki") {
    const [height, width] = size();
    if (column < width) element.append(signButton(place, [row, column + 1]));
    if (row < height) element.append(signButton(place, [row + 1, column]));
  }
  return element;
}

function signButton(a, b) {
  const next = { "": "<", "<": ">", ">": "" };
  const turn = (event) => {
    event.stopPropagation();
    edit(withSign(state.puzzle, a, b, next[sign(state.puzzle, a, b)]));
  };
  const element = button("", turn, { class: `sign ${neighbours(a, b)}`, tabindex: -1 });
  element.dataset.between = `${cellName(a)} ${cellName(b)}`;
  return element;
}

// Draw the state.
export function draw() {
  const focused = board.contains(document.activeElement);
  follow();
  build();
  const { puzzle, found } = state;
  const number = numbers(puzzle);
  const { placed, removed } = explained();
  const clash = clashing();
  const open = openCells().framed ? found.residual.possible : {};
  const values = valuesOf(puzzle, state.board);
  board.style.setProperty("--side", Math.ceil(Math.sqrt(values.length)));
  const contents = new Map([...cells.keys()].map((name) => [name, shownIn(name, placed, removed, values)]));
  if (!placed.size && !removed.size && nothingFollows(contents, values)) for (const one of contents.values()) delete one.marks;
  board.classList.toggle("mixed", [...contents.values()].some(({ marks = [] }) => marks.some(([, is]) => !is)));
  const how = writing(Math.max(...[...contents.values()].map(({ marks = [] }) => marks.length)), values.length);
  for (const word of ["few", "pairs", "tight"]) board.classList.toggle(word, how[word]);
  for (const [name, element] of cells) {
    const place = readCell(name);
    const shown = contents.get(name);
    const given = at(puzzle.grid, place);
    const none = black(place);
    const value = none ? null : given ?? shown.value ?? null;
    const edge = state.board?.lattice && !none;
    const classes = {
      black: none && (!KINDS[puzzle.puzzle].file || state.board.black.has(name)), none: none && KINDS[puzzle.puzzle].file,
      across: edge && place[0] % 2 === 1, down: edge && place[0] % 2 === 0, on: edge && value === 1, off: edge && value === 0,
      painted: state.board?.paint.get(value) === "black", numbered: Boolean(state.board?.texts.has(name)), dotted: Boolean(state.board?.paint.get(value)) && state.board?.paint.get(value) !== "black",
      given: given !== null && !none, clash: clash.has(name), open: !none && given === null && (open[name]?.length ?? 1) > 1,
      derived: shown.derived, preview: shown.preview, differs: shown.differs, cursor: name === cellName(state.cell), picked: isPicked(name),
      rule: state.lit.get(name) === "rule", fact: state.lit.get(name) === "fact", new: state.lit.get(name) === "new",
    };
    for (const [word, on] of Object.entries(classes)) element.classList.toggle(word, Boolean(on));
    const text = value === null || edge || state.board?.paint.has(value) ? "" : glyph(value);
    element.querySelector(".number").textContent = number.get(name) ?? "";
    const place_ = element.querySelector(".value");
    place_.textContent = text;
    place_.classList.toggle("long", text.length > 1);
    marks(element.querySelector(".marks"), shown.marks ?? [], values, how.listed);
    element.tabIndex = classes.cursor ? 0 : -1;
    element.setAttribute("aria-selected", tool() ? classes.picked : classes.cursor);
    element.setAttribute("aria-label", words(place, given, none, shown, classes) + besides(place, number.get(name)));
  }
  for (const element of board.querySelectorAll(".sign")) drawSign(element);
  drawEditor();
  if (focused && !board.contains(document.activeElement)) focus(); // its element was replaced
  $("legend").textContent = how.tight ? capital(cells.get(cellName(state.cell)).ariaLabel) : legend([...contents.values()].flatMap(({ marks = [] }) => marks));
}

const shownIn = (name, ...rest) => {
  const place = readCell(name);
  return at(state.puzzle.grid, place) === null ? openCell(name, place, ...rest) : {};
};

// The content of an open cell: a previewed value, that of a step, or that of a solution; otherwise
// candidates. `marks` are pairs of candidate and whether it is true (in some solution), or only not ruled out.
function openCell(name, place, placed, removed, values) {
  const { found, view } = state;
  if (state.preview.has(name)) return { value: state.preview.get(name), preview: true };
  if (placed.has(name)) return { value: placed.get(name), derived: true };
  const solutions = found.verdict?.solutions ?? [];
  if (view === "0" || view === "1") {
    const value = solutions[view] && at(solutions[view], place);
    const differs = solutions.length > 1 && at(solutions[0], place) !== at(solutions[1], place);
    return { value, derived: true, differs };
  }
  if (view === "clues" && !removed.has(name)) return {};
  if (placed.size || removed.size) { // with steps shown, only their conclusions
    const gone = removed.get(name);
    return gone ? { marks: values.map((one) => [one, !gone.includes(one)]) } : {};
  }
  const exact = found.residual?.possible[name] ?? (found.verdict?.verdict === "unique" ? [at(solutions[0], place)] : null);
  const propagated = found.propagated?.possible[name] ?? exact;
  if (!exact) return {};
  if (exact.length === 1 && propagated.length <= 1) return { value: exact[0], derived: true };
  return { marks: values.filter((one) => exact.includes(one) || propagated.includes(one)).map((one) => [one, exact.includes(one)]) };
}

// Whether every candidate of every open cell is left: marks would say nothing.
const nothingFollows = (contents, values) => [...contents.values()].every(({ value, marks }) => value === undefined && (marks === undefined || marks.length === values.length && marks.every(([, is]) => is)));

// The layout of candidates: each in its place; side by side if that would be too small or they are few; or none if they
// would be unreadable (tight): those of the selected cell are then below the grid.
function writing(most, all) {
  const cell = board.clientWidth / size()[1];
  const few = most <= 4;
  const pairs = most <= 2 && all < 10;
  const listed = few || all > 16 || cell * (all > 9 ? .6 : .76) / (Math.ceil(Math.sqrt(all)) + .25) < LEAST;
  const letter = board.classList.contains("words") ? board.style.getPropertyValue("--word") : pairs ? .4 : few ? .3 : .22;
  return { few, pairs, listed, tight: most > 0 && listed && cell * letter < LEAST };
}

const LEAST = 5.5; // the least size of a candidate, in pixels
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function marks(place, pairs, values, listed) {
  const key = JSON.stringify([pairs, listed, values.length]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.classList.toggle("list", listed);
  place.classList.toggle("two", values.length > 9);
  place.replaceChildren(...(listed ? manyMarks(pairs) : values.map((value) => {
    const pair = pairs.find(([one]) => one === value);
    return h("span", { class: pair ? (pair[1] ? "true" : "left") : "none" }, pair ? glyph(value) : "");
  })));
  if (!pairs.length) place.replaceChildren();
}

// If not all fit: those of some solution, and the number of others that propagation leaves.
function manyMarks(pairs) {
  const mark = (word) => ([value]) => h(`span.${word}`, glyph(value));
  const is = pairs.filter(([, true_]) => true_);
  const others = pairs.filter(([, true_]) => !true_);
  if (pairs.length <= 5) return pairs.map((pair) => mark(pair[1] ? "true" : "left")(pair));
  return [...(is.length <= 4 ? is.map(mark("true")) : [h("span.true", `${is.length} values`)]), others.length ? h("span.left", `+${others.length}`) : ""];
}

// The cells of the first clash: those of its clues, or of its rules if it has no clues.
function clashing() {
  const { clashes, broken } = state.found;
  const premises = clashes?.clashes[0]?.premises;
  if (!premises) return new Set((broken?.violations ?? []).flatMap((one) => one.cells.map(cellName)));
  const facts = premises.filter((one) => one.value !== undefined || one.given);
  return new Set((facts.length ? facts : premises).flatMap((one) => one.cells.map(cellName)));
}

function drawSign(element) {
  const [a, b] = element.dataset.between.split(" ").map(readCell);
  const found = sign(state.puzzle, a, b);
  const across = neighbours(a, b) === "right";
  element.textContent = found === "" ? "" : across ? found : found === "<" ? "∧" : "∨";
  element.setAttribute("aria-label", found ? `${cellName(a)} ${found} ${cellName(b)}` : `no sign between ${cellName(a)} and ${cellName(b)}`);
  const written = `${cellName(a)} ${found} ${cellName(b)}`;
  const backwards = `${cellName(b)} ${found === "<" ? ">" : "<"} ${cellName(a)}`;
  const names = (state.found.clashes?.clashes[0]?.premises ?? []).map((one) => one.text);
  element.classList.toggle("clash", found !== "" && (names.includes(written) || names.includes(backwards)));
  element.classList.toggle("rule", found !== "" && (state.named.has(written) || state.named.has(backwards)));
}

// What a screen reader says of a cell.
function words([row, column], given, black, shown, { clash }) {
  const name = cellName([row, column]);
  const { names, texts, black: blacks } = state.board ?? {};
  const place = names?.get(name) ?? `row ${row}, column ${column}`;
  const text = texts?.get(name);
  if (black) return [place, !blacks || blacks.has(name) ? "black" : null, text ?? (blacks && !blacks.has(name) ? "takes no value" : null)].filter(Boolean).join(", ");
  const here = text === undefined ? place : `${place}, marked ${text}`;
  if (given !== null) return `${here}, clue ${spoken(given)}${clash ? ", in a clash" : ""}`;
  if (shown.value !== undefined && shown.value !== null) return `${here}, open, ${spoken(shown.value)}`;
  const true_ = (shown.marks ?? []).filter(([, is]) => is).map(([one]) => spoken(one));
  const left = (shown.marks ?? []).filter(([, is]) => !is).map(([one]) => spoken(one));
  if (!true_.length) return `${here}, open`;
  return `${here}, open: ${listed(true_, " or ")}${left.length ? `; propagation leaves ${listed(left)} too` : ""}`;
}

// How a value is said: an edge is a line or none.
const spoken = (value) => (state.board?.lattice ? (value === 1 ? "line" : "no line") : String(state.board?.glyphs.get(value) || value));

// The number of a cell's word, and the signs around it.
function besides([row, column], number) {
  const around = { right: [0, 1], left: [0, -1], below: [1, 0], above: [-1, 0] };
  const signs = Object.entries(around).map(([where, [down, right]]) => {
    const found = sign(state.puzzle, [row, column], [row + down, column + right]);
    return found && `${found === "<" ? "less" : "greater"} than the one ${where.replace(/^(?=right|left)/, "on the ")}`;
  }).filter(Boolean);
  return `${number ? `, number ${number}` : ""}${signs.length ? `; ${listed(signs)}` : ""}`;
}

function legend(marks) {
  return [
    state.puzzle.puzzle === "crossword" && `Letters go ${across ? "across" : "down"}; Enter, or a second tap on the cell, turns that.`,
    openCells().framed && state.view !== "clues" && "Framed cells differ between solutions.",
    marks.some(([, is]) => !is) && "Struck values are ruled out, though not by propagation alone.",
  ].filter(Boolean).join(" ");
}

// Typing.

export function put(value) {
  const { puzzle, cell } = state;
  if (black(cell) && value !== null && value !== "#") return;
  edit(withValues(puzzle, [[cell, value]]));
}

// A digit; if values have two, it is appended to the previous one in the same cell.
function digit(one) {
  const { puzzle, cell } = state;
  const values = valuesOf(puzzle, state.board);
  const before = typing === cellName(cell) ? at(puzzle.grid, cell) : null;
  const value = [Number(`${before ?? ""}${one}`), one].find((number) => values.includes(number));
  typing = cellName(cell);
  if (value !== undefined) put(value);
  else if (one === 0) put(null);
}

export function move(down, right) {
  const [height, width] = size();
  const clamp = (value, most) => Math.max(1, Math.min(most, value));
  go([clamp(state.cell[0] + down, height), clamp(state.cell[1] + right, width)]);
}

function go(place) {
  typing = null;
  select(place);
  cells.get(cellName(place)).focus();
}

function letter(key) {
  put(key.toLowerCase());
  if (across) move(0, 1);
  else move(1, 0);
}

function turn() {
  across = !across;
  draw();
}

// The value that a key stands for, of a kind that is a file.
const valueOf = (key) => state.board?.values.find((value) => glyph(value).toLowerCase() === key.toLowerCase());

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -99], End: [0, 99], PageUp: [-99, 0], PageDown: [99, 0] };
const SIGNS = { "<": ["<", 0, 1], ">": [">", 0, 1], "^": ["<", 1, 0], v: [">", 1, 0] };

// The sign between the cell and a neighbour; where it stands already, it goes.
function toggleSign(wanted, down, right) {
  const { puzzle, cell } = state;
  const other = [cell[0] + down, cell[1] + right];
  if (at(puzzle.grid, other) !== undefined) edit(withSign(puzzle, cell, other, sign(puzzle, cell, other) === wanted ? "" : wanted));
}

function key(event) {
  if (editorKey(event)) event.preventDefault();
  if (event.altKey || event.defaultPrevented) return;
  const { puzzle, cell } = state;
  const crossword = puzzle.puzzle === "crossword";
  if (event.ctrlKey || event.metaKey) {
    const back = event.key === "z" && !event.shiftKey;
    if (!back && !["y", "Z", "z"].includes(event.key)) return;
    (back ? undo : redo)();
  } else if (MOVES[event.key]) {
    move(...MOVES[event.key]);
  } else if (/^[0-9]$/.test(event.key) && !crossword) {
    digit(Number(event.key));
  } else if (["Delete", "Backspace", "."].includes(event.key) || (event.key === " " && !crossword)) {
    put(null);
    if (event.key === "Backspace" && crossword) move(across ? 0 : -1, across ? -1 : 0);
  } else if (crossword && (event.key === " " || event.key === "#")) {
    put(black(cell) ? null : "#");
  } else if (crossword && event.key === "Enter") {
    turn();
  } else if (crossword && /^\p{L}$/u.test(event.key)) {
    letter(event.key);
  } else if (KINDS[puzzle.puzzle].file && valueOf(event.key) !== undefined) {
    put(valueOf(event.key));
  } else if (puzzle.puzzle === "futoshiki" && SIGNS[event.key]) {
    toggleSign(...SIGNS[event.key]);
  } else {
    return;
  }
  event.preventDefault();
}

window.addEventListener("resize", () => drawn && draw());
board.addEventListener("keydown", key);
let before = null; // the focused cell when the pointer went down
board.addEventListener("pointerdown", () => { before = document.activeElement.dataset.cell; });
board.addEventListener("click", (event) => {
  const element = event.target.closest(".cell");
  if (!element || tool()) return;
  const place = readCell(element.dataset.cell);
  const again = element.dataset.cell === before;
  if (again && state.puzzle.puzzle === "crossword") turn();
  if (again && state.board?.values.length === 2) put([null, ...state.board.values, null].findLast((_, index, all) => all[index + 1] === at(state.puzzle.grid, place)));
  go(place);
});
board.addEventListener("focusin", (event) => {
  const element = event.target.closest(".cell");
  if (element && element.dataset.cell !== cellName(state.cell)) select(readCell(element.dataset.cell));
});

// Whether a key of any keyboard enters a value: a digit, or its glyph.
const hasKey = (value) => Number.isInteger(value) || /^[!-~]$/.test(glyph(value));

// Buttons for values. A wide window has them only where some value has no key.
export function drawPad() {
  const { puzzle } = state;
  const values = valuesOf(puzzle, state.board).slice(0, 40);
  const tap = puzzle.puzzle === "crossword" ? (value) => () => letter(value) : (value) => () => put(value);
  const label = (value) => ({ "aria-label": `put ${value} into the cell` });
  const keys = values.length + ({ futoshiki: 5, crossword: 2 }[puzzle.puzzle] ?? 1);
  $("pad").style.setProperty("--keys", Math.ceil(keys / Math.ceil(keys / 9))); // rows of about equal length
  $("pad").classList.toggle("words", values.some((value) => glyph(value).length > 3));
  $("pad").classList.toggle("needed", Boolean(KINDS[puzzle.puzzle].file) && !values.every(hasKey));
  $("pad").replaceChildren(
    ...values.map((value) => button(glyph(value), tap(value), label(value))),
    ...(puzzle.puzzle === "futoshiki" ? Object.entries(SIGNS).map(([key, how]) => button({ "^": "∧", v: "∨" }[key] ?? key, () => toggleSign(...how), { class: "quiet", "aria-label": `sign ${key} ${how[1] ? "below" : "to the right"}` })) : []),
    ...(puzzle.puzzle === "crossword" ? [button("■", () => put(black(state.cell) ? null : "#"), { "aria-label": "black or white" })] : []),
    button("⌫", () => put(null), { class: "quiet", "aria-label": "empty the cell" }),
  );
}
