// The state of the page: the puzzle with its history, the server's findings, and the current view. A function that
// changes the state calls `changed`, which calls all subscribers.

import { ask, stop } from "./ask.js";
import { cellName } from "./html.js";
import { KINDS, fromLink, start, toLink } from "./puzzle.js";

const listeners = [];
const past = [];
const future = [];
const latest = new Map(); // by kind: the last puzzle

export const state = {
  puzzle: start("sudoku"),
  board: null,        // of a kind that is a file: what the server says of its board
  found: {},          // the parts of the diagnosis, by name
  looking: false,     // whether the diagnosis is under way
  stale: false,       // whether the findings are those of the previous puzzle
  view: "candidates", // the content of open cells: "clues", "candidates", "0" or "1" for a solution
  cell: [1, 1],       // the position of the cursor
  lit: new Map(),     // highlighted cells, with "fact", "rule" or "new"
  named: new Set(),   // the names of highlighted rules
  preview: new Map(), // previewed values, by cell
  steps: null,        // the explanation: { list, shown, wanted, over, complete, error }
  stepping: false,    // whether its panel is open
  example: false,     // whether the puzzle is the initial example
};

export const subscribe = (listener) => listeners.push(listener);
export const changed = (what) => listeners.forEach((listener) => listener(what));

// Replace the puzzle, and discard the findings of the previous one.
export function edit(puzzle, { history = true } = {}) {
  if (JSON.stringify(puzzle) === JSON.stringify(state.puzzle)) return;
  if (history) {
    past.push(state.puzzle);
    if (past.length > 500) past.shift();
    future.length = 0;
  }
  take(puzzle);
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;
export const undo = () => past.length && (future.push(state.puzzle), take(past.pop()));
export const redo = () => future.length && (past.push(state.puzzle), take(future.pop()));

export function choose(kind) {
  if (kind === state.puzzle.puzzle) return;
  const known = latest.get(kind);
  edit(known ?? start(kind));
  state.example = !known;
  changed("example");
}

export function showExample() {
  edit(start(state.puzzle.puzzle));
  state.example = true;
  changed("example");
}

function take(puzzle) {
  const shape = ({ puzzle, grid }) => `${puzzle} ${grid.length} ${grid[0].length}`;
  if (shape(puzzle) !== shape(state.puzzle)) {
    Object.assign(state, { cell: [1, 1], found: {}, view: "candidates" });
  }
  state.example &&= puzzle === state.puzzle;
  Object.assign(state, { puzzle, steps: null, lit: new Map(), named: new Set(), preview: new Map() });
  if (state.view !== "clues") state.view = "candidates";
  latest.set(puzzle.puzzle, puzzle);
  ["explain", "compare"].forEach(stop);
  lookAtBoard();
  look();
  changed("puzzle");
}

// Ask for the board of a kind that is a file, where it is not that of the puzzle before.
let boardOf = "";
async function lookAtBoard() {
  const { puzzle } = state;
  const { puzzle: kind, facts, constants, grid } = puzzle;
  const shape = JSON.stringify([kind, facts, constants, grid.length, grid[0].length]);
  if (shape === boardOf) return;
  boardOf = shape;
  const size = `${kind} ${grid.length} ${grid[0].length}`;
  if (state.board?.size !== size) state.board = null;
  if (!KINDS[kind].file) return;
  await ask("board", { puzzle }, (part) => {
    if (part.part !== "board" || shape !== boardOf) return;
    const { glyphs, paint, cells, names, texts, black, headings } = part;
    const first = state.board === null;
    state.board = {
      ...part, size, shape,
      glyphs: new Map(glyphs), paint: new Map(paint), names: new Map(names.map(([cell, name]) => [cellName(cell), name])),
      texts: new Map(texts.map(([cell, text]) => [cellName(cell), text])), given: new Map(part.given), takes: new Set(cells.map(cellName)), black: new Set(black.map(cellName)),
      headings: new Map(headings.map(([what, index, text]) => [`${what} ${index}`, text])),
    };
    if (first && !state.board.takes.has(cellName(state.cell)) && cells.length) [state.cell] = cells;
    changed("puzzle");
  });
}

// Ask for the diagnosis. The findings of the previous puzzle stay visible until the first new part arrives, which is
// drawn at once; later parts are drawn once per frame.
export async function look() {
  const puzzle = state.puzzle;
  let fresh = false;
  let due = 0;
  state.looking = state.stale = true;
  toLink(puzzle).then((link) => puzzle === state.puzzle && history.replaceState(null, "", `#${link}`));
  const over = await ask("look", { puzzle }, (part) => {
    if (puzzle !== state.puzzle) return;
    if (!fresh) state.found = {};
    state.stale = false;
    state.found[part.part] = part;
    if (!fresh) changed("found");
    else due ||= requestAnimationFrame(() => {
      due = 0;
      if (puzzle === state.puzzle) changed("found");
    });
    fresh = true;
  });
  cancelAnimationFrame(due);
  if (over && puzzle === state.puzzle) {
    state.looking = false;
    changed("found");
  }
}

// Ask for the steps to the solution; `shown` of them are visible.
export async function explain() {
  const puzzle = state.puzzle;
  const steps = state.steps = { list: [], shown: 0, wanted: 1, over: false, error: null };
  changed("steps");
  await ask("explain", { puzzle }, (part) => {
    if (steps !== state.steps) return;
    if (part.part === "step") {
      steps.list.push(part);
      if (steps.shown < steps.wanted) showSteps(steps.wanted);
    } else if (part.part === "steps") {
      steps.complete = part.complete;
      steps.limit = part.limit;
    } else if (part.part === "error") {
      steps.error = part.message;
    }
  });
  steps.over = true;
  if (steps === state.steps) changed("steps");
}

export function showSteps(number) {
  const { steps } = state;
  steps.wanted = Math.max(0, steps.over ? Math.min(number, steps.list.length) : number);
  steps.shown = Math.min(steps.wanted, steps.list.length);
  light();
  changed("steps");
}

// The values placed and the candidates removed by the visible steps, by cell.
export function explained() {
  const placed = new Map();
  const removed = new Map();
  const steps = (state.stepping && state.steps?.list.slice(0, state.steps.shown)) || [];
  for (const fact of steps.flatMap((step) => step.new)) {
    const name = cellName(fact.cells[0]);
    if (fact.holds) placed.set(name, fact.value);
    else removed.set(name, [...(removed.get(name) ?? []), fact.value]);
  }
  return { placed, removed };
}

// The number of cells that differ between solutions, the number of all, and whether the former are framed.
export function openCells() {
  const cells = Object.values(state.found.residual?.possible ?? {});
  const open = cells.filter((values) => values.length > 1).length;
  return { open, all: cells.length, framed: open > 0 && 2 * open <= cells.length };
}

// Highlight the cells of rules and facts; without mentions, those of the current step.
export function light(mentions = null, preview = []) {
  const step = mentions === null && state.stepping && state.steps?.list[state.steps.shown - 1];
  const all = mentions ?? (step ? [...step.premises, ...step.new] : []);
  state.lit = new Map();
  state.named = new Set(all.map((one) => one.text));
  for (const rule of all) if (rule.value === undefined) for (const cell of rule.cells) state.lit.set(cellName(cell), "rule");
  for (const fact of all) if (fact.value !== undefined) for (const cell of fact.cells) state.lit.set(cellName(cell), "fact");
  for (const cell of step?.technique?.cells ?? []) state.lit.set(cellName(cell), "fact");
  for (const fact of step ? step.new : []) state.lit.set(cellName(fact.cells[0]), "new");
  state.preview = new Map(preview.map(([cell, value]) => [cellName(cell), value]));
  changed("lit");
}

export function select(cell) {
  state.cell = cell;
  changed("cell");
}

export function show(view) {
  state.view = view;
  changed("view");
}

// Start with the puzzle in the address, if it can be drawn.
export async function begin(link = location.hash.slice(1)) {
  if (link) {
    const puzzle = await fromLink(link).catch(() => null);
    if (!drawable(puzzle)) return false;
    take(puzzle);
  } else {
    state.example = true;
    take(state.puzzle);
  }
  return true;
}

// Whether a value has the shape of a puzzle. The server checks the rest.
function drawable(puzzle) {
  const grid = puzzle?.grid;
  const file = Object.hasOwn(KINDS, puzzle?.puzzle ?? "") && KINDS[puzzle.puzzle].file;
  const cell = (one) => one === null || Number.isInteger(one) || (typeof one === "string" && (file ? one.length < 65 : [...one].length === 1));
  const fours = (less) => Array.isArray(less) && less.every((pair) => Array.isArray(pair) && pair.length === 4 && pair.every(Number.isInteger));
  return Boolean(
    Object.hasOwn(KINDS, puzzle?.puzzle ?? "") && Array.isArray(grid) && grid.length > 0 && grid.length <= 64
    && grid.every((row) => Array.isArray(row) && row.length === grid[0].length && row.length > 0 && row.length <= 64 && row.every(cell))
    && (puzzle.puzzle !== "futoshiki" || fours(puzzle.less))
    && (puzzle.puzzle !== "crossword" || (Array.isArray(puzzle.words) && puzzle.words.every((word) => typeof word === "string"))),
  );
}
