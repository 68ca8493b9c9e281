// The editor: what an author draws on the board of a kind that is a file, with mouse and keys. Which tools there are,
// and which facts each of them makes, the server reads off the declarations of the kind (bridge/puzzles/web/tools.py).

import { bind, cellsOf, copied, make, places, read, shown } from "./facts.js";
import { $, button, cellName, choice, h, listed, readCell, redraw, say } from "./html.js";
import { KINDS } from "./puzzle.js";
import { changed, edit, select, state } from "./store.js";

const board = $("board");
const chosen = new Map(); // by kind: the name of the tool; none for values
let picked = [];          // the selected cells, in order
let spot = null;          // the selected place outside the grid: side and index
let entry = "";           // what was typed for the selection
let typed = null;         // the puzzle that it was typed for
let drag = null;          // while the pointer is down: whether that was on the selection, and whether it has moved
let shape = "";          // the kind and size that this is about

const tools = () => state.board?.tools ?? [];
export const tool = () => tools().find(({ name }) => name === chosen.get(state.puzzle.puzzle)) ?? null;
export const isPicked = (name) => tool() !== null && spot === null && picked.some((cell) => cellName(cell) === name);

// What is selected follows the cursor and the puzzle, which others change as well.
export function follow() {
  const { puzzle, cell } = state;
  const now = [puzzle.puzzle, puzzle.grid.length, puzzle.grid[0].length].join();
  if (now !== shape) [picked, spot, shape] = [[], null, now];
  if (tool() && lattice()) state.cell = cell.map((one) => Math.max(2, one - (one % 2)));
  if (!picked.length || !same(picked.at(-1), state.cell)) [picked, spot, entry] = [[state.cell], null, ""];
  if (puzzle !== typed) entry = "";
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const has = (cells, cell) => cells.some((one) => same(one, cell));
const beside = ([r, c], [r1, c1]) => Math.abs(r - r1) + Math.abs(c - c1) === 1;
const lattice = () => Boolean(state.board?.lattice);
const textCell = (cell) => (lattice() ? cell.map((one) => one / 2) : cell); // on a lattice every other place is a cell
const boardCell = (cell) => (lattice() ? cell.map((one) => 2 * one) : cell);

// Facts, and what they are about.

// The facts of some patterns, with the values of their placeholders.
const held = (patterns, facts = state.puzzle.facts ?? []) => facts.flatMap((fact) => {
  const values = patterns.map((pattern) => bind(pattern, fact)).find(Boolean);
  return values ? [{ fact, ...values, cells: cellsOf(values) }] : [];
});
const without = (facts, gone) => facts.filter((fact) => !gone.some((one) => one.fact === fact));

// Texts.

const SAMPLES = { number: "12", word: "a", value: "5" };
const hasTexts = ({ on, forms }) => on === "outside" || forms.some(({ parts }) => parts.some((part) => typeof part !== "string"));
const markOf = ({ forms }) => forms.find(({ parts }) => parts.every((part) => typeof part === "string"));

// Texts for people to see what may be typed: those of the kind's example, where it has some.
function examples({ on, many, forms, spots: all = [] }) {
  const word = all.find(([, , some]) => some.length > 1)?.[2][0][0];
  if (on === "outside") return [many ? "2 1 3" : word ? `12 ${word}` : "12"];
  return forms.filter((form) => form !== markOf({ forms })).map((form) => {
    const [one] = form.facts.length === 1 ? held(form.facts, KINDS[state.puzzle.puzzle].start.facts) : [];
    return one ? shown(form, one) : form.parts.map((part) => (typeof part === "string" ? part : SAMPLES[part[0]])).join("");
  });
}

// Areas: the cells that share a label.

const ofForms = ({ forms }) => forms.flatMap(({ facts }) => facts);
const labelAt = (on, cell, facts) => held([on.cell], facts).find(({ cells }) => same(cells[0], cell))?.label[0];
const cellsWith = (on, label, facts) => held([on.cell], facts).filter((one) => one.label[0] === label).sort((a, b) => (a.position ?? 0) - (b.position ?? 0)).flatMap(({ cells }) => cells);

function newLabel(on, facts) {
  const used = new Set(held([on.cell], facts).map(({ label }) => label[0]));
  const letter = (n) => (n < 26 ? "" : letter(Math.floor(n / 26) - 1)) + String.fromCharCode(97 + (n % 26));
  for (let n = 0; ; n += 1) {
    const label = on.on === "path" || on.numbers ? String(n + 1) : letter(n);
    if (!used.has(label) && label !== "not") return label;
  }
}

// Without the texts of areas that have lost all cells.
function tidy(on, facts) {
  const left = new Set(held([on.cell], facts).map(({ label }) => label[0]));
  return without(facts, held(ofForms(on), facts).filter(({ label }) => label && !left.has(label[0])));
}

// The facts with the selected cells as an area or a path, and its label. An area that is selected whole keeps its own.
function gathered(on, facts) {
  const cells = picked.map(textCell);
  const before = labelAt(on, cells[0], facts);
  const keeps = on.on === "area" && before !== undefined && cellsWith(on, before, facts).every((cell) => has(cells, cell));
  const label = keeps ? before : newLabel(on, facts);
  const free = on.on === "path" ? facts : without(facts, held([on.cell], facts).filter((one) => has(cells, one.cells[0])));
  const made = cells.map((cell, index) => make(on.cell, { ...places([cell]), label: [label], position: [index + 1] }));
  return [tidy(on, [...free, ...made]), label];
}

const spotName = (side, index) => `${side} of ${["left", "right"].includes(side) ? "row" : "column"} ${index}`;

// What is selected: the facts that belong to it, the values that new ones have, and its name.
function target(on, facts = state.puzzle.facts ?? []) {
  const cells = picked.map(textCell);
  const named = (what) => listed(what.map(cellName));
  if (on.on === "outside") {
    const found = on.spots.find(([side, index]) => spot && side === spot[0] && index === spot[1]);
    const some = found?.[2] ?? [];
    return { some, facts: held(some.map(([, pattern]) => pattern), facts), name: spot ? spotName(...spot) : "" };
  }
  if (on.on === "area" || on.on === "path") {
    const label = labelAt(on, cells.at(-1), facts);
    const mine = label === undefined ? cells : cellsWith(on, label, facts);
    return { label, facts: held(ofForms(on), facts).filter((one) => one.label[0] === label), values: { label: [label] }, name: named(mine) };
  }
  const pair = on.on === "pair";
  const here = ({ cells: its }) => (pair ? cells.length === 2 && its.every((cell) => has(cells, cell)) : has(cells, its[0]));
  const about = held(ofForms(on), facts).filter(here);
  return { facts: about, values: places(pair ? cells.slice(0, 2) : cells.slice(-1)), name: named(cells) };
}

// The text of the selection.
function current(on) {
  const { facts, some, values } = target(on);
  if (on.on === "outside") {
    const word = some.length > 1 && facts.length ? ` ${some.find(([, pattern]) => bind(pattern, facts[0].fact))[0]}` : "";
    return (on.many ? facts.sort((a, b) => (a.position ?? 0) - (b.position ?? 0)) : facts.slice(0, 1)).map(({ number }) => number[0]).join(" ") + word;
  }
  const texts = facts.map(({ fact }) => fact);
  const last = values.row ? cellsOf(values) : null;
  for (const form of on.forms) {
    const found = form.facts.map((pattern) => held([pattern], texts).find(({ cells }) => !last || same(cells[0], last[0]) || same(cells[0], last.at(-1))));
    if (found.every(Boolean)) {
      const all = {};
      for (const one of found) for (const name of ["number", "word", "value"]) (all[name] ??= []).push(...(one[name] ?? []));
      return shown(form, all);
    }
  }
  return "";
}

// Changes. Each is one step of undo.

function put(on, facts, cleared = []) {
  const puzzle = { ...state.puzzle, facts: facts.toSorted() }; // so that what changes nothing is not a step
  if (on.instead && cleared.length && !lattice()) puzzle.grid = puzzle.grid.map((row, r) => row.map((value, c) => (has(cleared, [r + 1, c + 1]) ? null : value)));
  edit(puzzle);
  const { name } = target(on);
  say([`${on.name}: ${name}`, current(on)].filter(Boolean).join(": "));
}

// Write a text for the selection; false when it is none, or only the beginning of one.
function write(on, text) {
  let facts = state.puzzle.facts ?? [];
  if (on.on === "outside") {
    const { some, facts: before } = target(on);
    const words = text.trim().split(/\s+/);
    const word = some.find(([name]) => name === words.at(-1)) ?? (some.length === 1 ? some[0] : null);
    const texts = word && words.at(-1) === word[0] ? words.slice(0, -1) : words;
    if (!word || !texts.length || (!on.many && texts.length > 1) || !texts.every((one) => /^-?\d{1,9}$/.test(one))) return false;
    facts = without(facts, before.filter(({ fact }) => bind(word[1], fact)));
    put(on, [...facts, ...texts.map((one, index) => make(word[1], { number: [Number(one)], position: [index + 1] }))]);
    return true;
  }
  const form = on.forms.find((one) => one.parts.length && read(one, text));
  if (!form) return false;
  if (on.on === "pair" && !(picked.length === 2 && beside(...picked))) return false;
  const values = read(form, text);
  let goal = target(on, facts);
  if (on.on === "area" && goal.label === undefined) {
    let label;
    [facts, label] = gathered(on, facts);
    goal = { ...target(on, facts), values: { label: [label] } };
  }
  const each = on.on === "cells" ? picked.map(textCell) : [null];
  facts = without(facts, goal.facts);
  for (const cell of each) {
    const texts = copied(values);
    facts = [...facts, ...form.facts.map((pattern) => make(pattern, cell ? places([cell]) : goal.values, texts))];
  }
  put(on, facts, each);
  return true;
}

function remove(on) {
  const facts = state.puzzle.facts ?? [];
  const goal = target(on);
  if (on.cell) {
    const cells = picked.map(textCell);
    const whole = cells.length < 2 || cells.every((cell) => labelAt(on, cell) === goal.label);
    const gone = held([on.cell]).filter((one) => (whole ? one.label[0] === goal.label : has(cells, one.cells[0])));
    put(on, tidy(on, without(facts, gone)));
  } else {
    const here = on.on === "pair" && picked.length < 2 ? held(ofForms(on)).filter((one) => one.cells.some((cell) => same(cell, textCell(state.cell)))) : goal.facts;
    put(on, without(facts, here));
  }
}

// Mark the selection, or gather it; `again`: what is marked already is cleared.
function apply(on, again) {
  const facts = state.puzzle.facts ?? [];
  if (on.cell) {
    const label = labelAt(on, textCell(picked[0]));
    const others = () => cellsWith(on, label).map(boardCell).filter((cell) => !same(cell, state.cell));
    if (picked.length === 1 && label !== undefined) picked = [...others(), state.cell];
    else if (picked.length > 1 || on.on === "area") put(on, gathered(on, facts)[0]);
  } else if (markOf(on) && on.on !== "outside" && !(on.on === "pair" && !(picked.length === 2 && beside(...picked)))) {
    const mark = markOf(on);
    const each = on.on === "pair" ? [picked.map(textCell)] : picked.map((cell) => [textCell(cell)]);
    const first = held(ofForms(on)).some(({ cells }) => each[0].every((cell) => has(cells, cell)));
    if (first && !again && hasTexts(on)) return;
    const left = without(facts, target(on).facts);
    put(on, first ? left : [...left, ...each.flatMap((cells) => mark.facts.map((pattern) => make(pattern, places(cells))))], first ? [] : each.map(([cell]) => cell));
  }
}

// Selecting.

function pick(cells, place = null) {
  picked = cells;
  spot = place;
  entry = "";
  if (cells.length && !same(cells.at(-1), state.cell)) select(cells.at(-1));
  else changed("cell");
}

function extend(cell) {
  if (tool().on === "path" && picked.length > 1 && same(picked.at(-2), cell)) return pick(picked.slice(0, -1)); // back again
  if (tool().on === "pair") return pick([picked[0], cell]);
  return pick([...picked.filter((one) => !same(one, cell)), cell]);
}

export function choose(name) {
  chosen.set(state.puzzle.puzzle, name);
  [picked, spot] = [[], null];
  changed("tool");
}

function type(on, text) {
  const done = text.trim() ? write(on, text) : (on.on === "area" ? put(on, without(state.puzzle.facts ?? [], target(on).facts)) : remove(on), true);
  [entry, typed] = [text, state.puzzle];
  drawEditor();
  const { some = [] } = target(on);
  $("drawn").textContent = done ? "" : `“${entry}” is not complete${some.length > 1 ? `; add ${listed(some.map(([word]) => word), " or ")}` : `: ${listed(examples(on), " or ")}, for example`}.`;
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIDES = { ArrowUp: "top", ArrowDown: "bottom", ArrowLeft: "left", ArrowRight: "right" };

function arrow(on, event) {
  const { grid } = state.puzzle;
  const step = lattice() ? 2 : 1;
  const [down, right] = MOVES[event.key];
  const end = [grid.length, grid[0].length].map((one) => Math.floor(one / step));
  const at = (side, index) => on.on === "outside" && on.spots.some(([one, other]) => one === side && other === index);
  if (spot) {
    const inwards = { top: "ArrowDown", bottom: "ArrowUp", left: "ArrowRight", right: "ArrowLeft" }[spot[0]] === event.key;
    const next = spot[1] + (["top", "bottom"].includes(spot[0]) ? right : down);
    const into = { top: [1, spot[1]], bottom: [end[0], spot[1]], left: [spot[1], 1], right: [spot[1], end[1]] }[spot[0]];
    if (inwards) pick([boardCell(into.map((one, index) => Math.max(1, Math.min(end[index], one))))]); // a diagonal may begin beyond
    else if (at(spot[0], next)) pick(picked, [spot[0], next]);
    return focus();
  }
  const cell = [state.cell[0] + step * down, state.cell[1] + step * right];
  const inside = cell.every((one, index) => one >= 1 && one <= [grid.length, grid[0].length][index]);
  const index = textCell(state.cell)[right ? 0 : 1];
  if (inside && event.shiftKey) extend(cell);
  else if (inside) pick([cell]);
  else if (at(SIDES[event.key], index)) pick(picked, [SIDES[event.key], index]);
  return focus();
}

export const focus = () => board.querySelector(spot ? ".spot.picked" : ".cell.cursor")?.focus();

// A key in the grid; whether the editor has used it.
export function editorKey(event) {
  if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) {
    const names = ["", ...tools().map(({ name }) => name)];
    choose(names.at((names.indexOf(tool()?.name ?? "") + (event.key === "ArrowDown" ? 1 : -1)) % names.length));
    focus();
    say(`Draw ${tool()?.name ?? "values"}`);
    return names.length > 1;
  }
  const on = tool();
  if (!on || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (MOVES[event.key]) arrow(on, event);
  else if (event.key === "Delete") (entry = "", remove(on));
  else if (event.key === "Backspace") type(on, (entry || current(on)).slice(0, -1));
  else if (event.key === "Enter" || (event.key === " " && !entry)) (apply(on, true), changed("cell"));
  else if (event.key === "Escape") pick([state.cell]);
  else if (event.key.length === 1 && hasTexts(on)) type(on, markOf(on) && event.key === shown(markOf(on), {}) ? event.key : entry + event.key);
  else return false;
  return true;
}

// The pointer: a drag selects cells, in order; a press near an edge selects the two cells beside it.

const cellAt = ({ clientX, clientY }) => {
  const name = document.elementFromPoint(clientX, clientY)?.closest("#board .cell")?.dataset.cell;
  const cell = name && readCell(name);
  return cell && !(lattice() && cell.some((one) => one % 2)) ? cell : null;
};

board.addEventListener("mousedown", (event) => tool() && event.preventDefault()); // the focus follows the cursor
board.addEventListener("pointerdown", (event) => {
  const on = tool();
  if (!on || event.button) return;
  const { place } = event.target.closest(".spot")?.dataset ?? {};
  if (place) {
    pick(picked, [place.split(" ")[0], Number(place.split(" ")[1])]);
    focus();
    return;
  }
  const cell = cellAt(event);
  if (!cell) return;
  const again = picked.length === 1 && same(picked[0], cell);
  drag = { again };
  pick(event.shiftKey || event.ctrlKey ? [...picked.filter((one) => !same(one, cell)), cell] : [cell]);
  if (on.on === "pair") pick(nearest(event, cell));
  event.target.closest(".cell").releasePointerCapture?.(event.pointerId);
});

function nearest({ clientX, clientY }, cell) {
  const { left, top, width, height } = board.querySelector(`[data-cell=${cellName(cell)}]`).getBoundingClientRect();
  const [right, down] = [(clientX - left) / width - 0.5, (clientY - top) / height - 0.5];
  const other = Math.abs(right) > Math.abs(down) ? [cell[0], cell[1] + Math.sign(right)] : [cell[0] + Math.sign(down), cell[1]];
  const inside = state.puzzle.grid[other[0] - 1]?.[other[1] - 1] !== undefined;
  return inside && Math.max(Math.abs(right), Math.abs(down)) > 0.25 ? [cell, other].sort(([r, c], [r1, c1]) => r - r1 || c - c1) : [cell];
}

document.addEventListener("pointermove", (event) => {
  const cell = drag && tool() && cellAt(event);
  if (!cell || same(cell, drag.last ?? picked.at(-1)) || (!drag.moved && has(picked, cell))) return;
  if (!drag.moved && tool().on === "pair") picked = picked.filter((one) => !beside(one, cell)).length ? [picked.find((one) => beside(one, cell)) ?? cell] : [cell];
  drag.moved = true;
  drag.last = cell;
  extend(cell);
});

document.addEventListener("pointerup", () => {
  const on = drag && tool();
  if (on && (!on.cell || picked.length > 1 || labelAt(on, textCell(picked[0])) !== undefined)) apply(on, drag.again && !drag.moved);
  if (drag) changed("cell");
  if (on) focus();
  drag = null;
});
document.addEventListener("pointercancel", () => { drag = null; });

// Drawing: the places outside, for the board, and the tools above it.

export const outsideAt = (side) => (tool()?.spots?.some(([one]) => one === side) ? 1 : 0);

export function spots() {
  const on = tool();
  if (on?.on !== "outside") return [];
  const { grid } = state.puzzle;
  return [h("div", { role: "row", "aria-label": "outside" }, on.spots.map(([side, index]) => {
    const along = (lattice() ? 2 * index : index) - 1;
    const [left, top] = { left: [-1, along], right: [grid[0].length, along], top: [along, -1], bottom: [along, grid.length] }[side];
    const element = h("div.spot", { role: "gridcell", tabindex: -1, "data-place": `${side} ${index}` });
    element.style.left = `calc(${left} * var(--cell))`;
    element.style.top = `calc(${top} * var(--cell))`;
    return element;
  }))];
}

const HINTS = {
  cells: "Click cells, or drag over them",
  pair: "Click between two cells",
  area: "Drag over cells; click one of them to select all",
  path: "Drag through cells, in order",
  outside: "Click outside the grid, or go there with an arrow key",
};

let drawn = null; // the tools for which the elements were made

// The tools, and the text of the selection.
export function drawEditor() {
  const place = $("editor");
  const on = tool();
  place.hidden = !tools().length;
  board.classList.toggle("drawing", on !== null);
  const key = JSON.stringify([state.puzzle.puzzle, on?.name, tools().map(({ name }) => name)]);
  if (key !== drawn) {
    drawn = key;
    const text = h("input", { id: "entry", spellcheck: "false", autocomplete: "off", "aria-label": "Text of the selection", oninput: () => type(on, text.value), onkeydown: ({ key: pressed }) => pressed === "Enter" && focus() });
    redraw(place, () => place.replaceChildren(
      choice("Draw", [["", "values"], ...tools().map(({ name }) => [name, name])], on?.name ?? "", choose),
      ...(on ? [
        hasTexts(on) ? h("label", h("span", "Text"), text) : "",
        on.on === "outside" || (!on.cell && !markOf(on)) ? "" : button(on.cell ? "Join" : "Mark", () => { apply(on, true); focus(); }),
        button("Remove", () => { remove(on); focus(); }),
        h("p.quiet", `${HINTS[on.on]}${markOf(on) ? "" : on.cell ? "; with keys, Shift and arrows, then Enter" : ""}${hasTexts(on) ? `; type ${listed(examples(on), " or ")}` : ""}. Delete removes.`),
        h("p.quiet", { id: "drawn", role: "status" }),
      ] : [])));
  }
  const text = $("entry");
  if (on && text && document.activeElement !== text) text.value = entry || current(on);
  for (const element of board.querySelectorAll(".spot")) {
    const [side, index] = element.dataset.place.split(" ");
    const mine = on && spot !== null && side === spot[0] && Number(index) === spot[1];
    element.classList.toggle("picked", Boolean(mine));
    const some = on?.spots?.find(([one, other]) => one === side && other === Number(index))?.[2] ?? [];
    const texts = held(some.map(([, pattern]) => pattern)).map(({ number }) => number[0]);
    element.setAttribute("aria-label", spotName(side, index) + (texts.length ? `: ${texts.join(" ")}` : ", empty"));
  }
}
