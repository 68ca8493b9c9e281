// Dialogs: a new puzzle, paste, help; and the settings below the grid.

import { ask, stop, tooLarge } from "./ask.js";
import { $, button, choice, h, many, sentence, toast } from "./html.js";
import { KINDS, blank, farApart } from "./puzzle.js";
import { edit, state } from "./store.js";

const dialog = $("dialog");

export function open(title, ...content) {
  dialog.replaceChildren(h("form", { method: "dialog" }, h("h2", { id: "dialog-title" }, title), h("button.close", { value: "close", "aria-label": "Close" }, "×")), ...content.filter(Boolean));
  if (!dialog.open) dialog.showModal();
}

const close = () => dialog.close();
dialog.addEventListener("close", () => ["blank", "generate", "read"].forEach(stop));
dialog.addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => { // outside the dialog
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  if (target === dialog && (x < left || x > right || y < top || y > bottom)) close();
});

// New.

const requested = { size: {}, grade: "", symmetry: { crossword: "rotate" }, seed: "", black: "0.17" };

export function newPuzzle(about) {
  const kind = state.puzzle.puzzle;
  const { usual, title, file: ofFile, symmetric = true, sizes, made = sizes } = KINDS[kind];
  const here = [state.puzzle.grid.length, state.puzzle.grid[0].length].join("x");
  const names = sizes.map((size) => size.join("x"));
  requested.symmetry[kind] ??= "none";
  requested.size[kind] ??= names.includes(here) ? here : `${usual}x${usual}`;
  const size = () => requested.size[kind].split("x").map(Number);
  const status = h("p.quiet", { role: "status" });
  const seed = h("input", { inputmode: "numeric", placeholder: "any", value: requested.seed, oninput: () => { requested.seed = seed.value.trim(); } });
  const black = h("input", { inputmode: "decimal", value: requested.black, oninput: () => { requested.black = black.value; } });
  const crossword = kind === "crossword";
  const list = crossword ? wordFields(state.example ? [] : state.puzzle.words, () => {}) : null; // not the example's
  const make = async () => {
    if (crossword && !list.words().length) {
      status.textContent = "A crossword needs words: paste a list, or open one.";
      list.focus();
      return;
    }
    if (!/^\d{0,15}$/.test(requested.seed)) {
      status.textContent = "A seed is a whole number of up to 15 digits.";
      return;
    }
    status.textContent = "Making one …";
    const known = { ...(requested.grade && { grade: requested.grade }), symmetry: symmetric ? requested.symmetry[kind] : "none", ...(requested.seed && { seed: Number(requested.seed) }) };
    await ask("generate", { kind, size: size(), options: options(), ...known }, (part) => {
      if (part.part === "made") {
        edit(part.puzzle);
        close();
        toast(`Made with seed ${part.seed}: the same seed makes the same puzzle.`);
      } else if (part.part === "none") {
        status.textContent = part.limit === "seconds" ? sentence("None was found in time", part.remark, "a smaller size takes less") : sentence("None was found", part.remark);
      } else if (part.part === "error") {
        status.textContent = sentence(part.message, part.hint);
      } else if (part.part === "end" && !part.complete) {
        status.textContent = "None was found in time.";
      }
    });
  };
  const options = () => {
    const { variant, lines } = state.puzzle;
    if (crossword) return { words: list.words().join("\n"), black: requested.black };
    return { ...(variant && { variant }), ...(lines && { lines }) };
  };
  // Only levels that puzzles of this size are known to have, where that is known.
  const difficulty = h("div.contents");
  const levels = () => {
    const offered = about.reached[kind]?.[requested.size[kind]] ?? (ofFile ? about.levelsBySteps : null);
    const some = about.levels.filter(({ name }) => offered?.includes(name) ?? true);
    if (!some.some(({ name }) => name === requested.grade)) requested.grade = "";
    difficulty.replaceChildren(choice("Difficulty", [["", "any"], ...some.map((level) => [level.name, `${level.difficulty} — ${level.techniques}`])], requested.grade, (value) => { requested.grade = value; }));
  };
  const making = h("div.contents");
  const one = button("Make one", make, { class: "main" });
  const update = () => { // what can be made of this size; where nothing makes its clues, the board is drawn on
    levels();
    const makes = made.some((pair) => pair.join("x") === requested.size[kind]);
    making.hidden = one.hidden = !makes;
    status.textContent = makes ? "" : `Nothing makes the clues of a ${title}${made.length ? " of this size" : ""}: draw them on an empty grid.`;
  };
  making.replaceChildren(...[difficulty,
    !symmetric ? null : choice(crossword ? "Symmetry of black cells" : "Symmetry of clues", about.symmetries.map((way) => [way.name, `${way.name} — ${way.title}`]), requested.symmetry[kind], (value) => { requested.symmetry[kind] = value; }),
    crossword ? h("label", h("span", "Share of black cells"), black) : null,
    h("label", h("span", "Seed"), seed)].filter(Boolean));
  update();
  open(`New ${title}`,
    h("div.fields", { onkeydown: ({ key, target }) => key === "Enter" && target.matches("input") && make() },
      choice("Size", sizes.map((pair) => [pair.join("x"), pair.join(" × ")]), requested.size[kind], (value) => { requested.size[kind] = value; update(); }),
      making),
    list?.fields,
    h("p", one, " ", button("Empty grid", () => {
      const take = (puzzle) => { edit(puzzle); close(); };
      if (!ofFile) take({ ...blank(kind, size(), state.puzzle), ...(list && { words: list.words() }) });
      else ask("blank", { kind, size: size() }, (part) => { // open until then: what was drawn on the old grid would go
        if (part.part === "blank") take(part.puzzle);
        if (part.part === "error") status.textContent = sentence(part.message, part.hint);
      });
    })),
    status);
}

// Paste, or open a file.

export function paste(text = "") {
  if (tooLarge(text)) {
    toast("This text is too long for a puzzle.");
    return;
  }
  const kind = state.puzzle.puzzle;
  const area = h("textarea", { id: "pasted", rows: 12, spellcheck: "false", value: text, "aria-label": "Puzzle as text", placeholder: "One row per line, with . for an open cell. Or all cells in one line, JSON, a link from another site, a game ID …" });
  const status = h("p", { role: "status" });
  let as = kind;
  const read = (what) => {
    status.textContent = "Reading …";
    ask("read", { ...what, kind: as, options: words() }, (part) => {
      if (part.part === "read") choosePuzzle(part, status);
      if (part.part === "error") status.textContent = placed(part.where) + sentence(part.message, part.hint);
    });
  };
  const file = h("input", { type: "file", "aria-label": "File", onchange: async () => read({ base64: await base64(file.files[0]), file: file.files[0].name }) });
  open("Paste a puzzle", area,
    h("div.row-of", button("Read", () => read({ text: rows(area.value) }), { class: "main" }), choice("Plain rows are a", Object.entries(KINDS).map(([name, { title }]) => [name, title]), kind, (value) => { as = value; })),
    h("label.file", h("span", "Or open a file"), file), status);
  area.focus();
  if (text) read({ text: rows(text) });
}

// The place of an error: line and column, for a text without a name.
const placed = (where) => (/^<text>:/.test(where) ? where.replace(/^<text>:(\d+)(?::(\d+))?$/, (_, line, column) => `Line ${line}${column ? `, character ${column}` : ""}: `) : "");

// Cells copied from a spreadsheet are separated by tabs; open cells are empty.
function rows(text) {
  const cells = text.replace(/[\r\n]+$/, "").split(/\r?\n/).map((row) => row.split("\t").map((one) => one.trim()));
  const copied = cells.every((row) => row.length > 1 && row.every((one) => one.length < 3));
  return copied ? cells.map((row) => row.map((one) => one || ".").join(" ")).join("\n") : text;
}

const base64 = (file) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
  reader.readAsDataURL(file);
});

// A crossword's grid is read with the current word list.
function words() {
  const list = state.puzzle.words ?? KINDS.crossword.start.words;
  return { words: list.join("\n") };
}

function choosePuzzle({ puzzles, of, format, notes }, status) {
  const take = (puzzle) => { edit(puzzle); close(); };
  if (puzzles.length === 1) {
    take(puzzles[0]);
    toast([`Read as ${KINDS[puzzles[0].puzzle].title}${format ? `, ${format}` : ""}`, ...notes].map((one) => sentence(one)).join(" "));
    return;
  }
  status.replaceChildren(`${many(of, "puzzle")}: take number `, ...puzzles.flatMap((puzzle, index) => [button(String(index + 1), () => take(puzzle)), " "]));
}

// Help.

const KEYS = [
  ["arrows, Home, End, PageUp, PageDown", "move"],
  ["digits, letters", "a clue; digits after each other where values have two"],
  ["Delete, Backspace or .", "an open cell"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Alt+Up, Alt+Down", "choose what to draw, where a kind has cages, borders, edges, numbers outside …"],
  ["Shift+arrows, then Enter", "select cells, and draw it; a drag does the same"],
  ["< > ^ v", "Futoshiki: the sign to the right, or below"],
  ["space or #; Enter", "crossword: black or white; across or down"],
  ["Ctrl+V", "paste a puzzle, anywhere on the page"],
];

export function help() {
  open("How it works",
    h("p", "Type the clues of a puzzle into the grid. With every change the page says whether it has one solution, several, or none; why, and how to fix it."),
    h("p", "Rows and columns count from 1, and r4c1 is the cell in row 4, column 1. Point at a name in the text, and its cells light up."),
    h("table.keys", h("tbody", KEYS.map(([keys, what]) => h("tr", h("th", { scope: "row" }, keys), h("td", what))))));
}

// The part below the grid: settings of the kind, and rules that the drawing does not show.

export function drawSettings() {
  const { puzzle } = state;
  const { settings = () => [], note } = KINDS[puzzle.puzzle];
  const fields = settings(puzzle).map(({ name, title, values }) => {
    const key = (value) => JSON.stringify(value);
    return choice(title, values.map(([value, text]) => [key(value), text]), key(puzzle[name]), (value) => {
      const changed = { ...state.puzzle, [name]: JSON.parse(value) };
      if (name === "reading" && changed.reading !== "slots") changed.repeat = false;
      edit(changed);
    });
  });
  const far = farApart(puzzle);
  const place = $("settings");
  const count = place.querySelector("summary");
  if (document.activeElement?.id === "words" && puzzle.words && count) {
    count.textContent = wordCount(); // drawn anew, the text area would lose the cursor
    return;
  }
  place.replaceChildren(state.example ? example() : "", ...fields,
    note ? h("p.quiet", note(puzzle)) : "",
    far.length ? h("p.quiet", `Also: ${far.join(", ")}.`) : "",
    puzzle.words ? wordList() : "",
    ...(state.board ? [...options(), asText()] : []));
}

// The rules and constants of a kind that is a file that need no place on its board.
function options() {
  const { facts = [], constants = {} } = state.puzzle;
  return state.board.options.map(({ name, help: title, fact, constant }) => {
    const on = (event) => edit(fact ? { ...state.puzzle, facts: event.target.checked ? [...facts, fact] : facts.filter((one) => one !== fact) }
      : { ...state.puzzle, constants: { ...constants, [constant]: event.target.valueAsNumber || 1 } });
    const input = h("input", { id: `option-${name}`, type: fact ? "checkbox" : "number", min: 1, onchange: on, ...(fact ? { checked: facts.includes(fact) } : { value: constants[constant] ?? "" }) });
    return h("label", { title }, fact ? [input, ` ${name}`] : [h("span", `${name} `), input]);
  });
}

// The instance of a kind that is a file, as text, with what may stand in it.
function asText() {
  const { board, puzzle } = state;
  const area = h("textarea", { id: "as-text", rows: 10, spellcheck: "false", "aria-label": "The puzzle as text", value: board.text });
  const status = h("p", { role: "status" });
  const read = () => ask("read", { text: area.value, kind: puzzle.puzzle, options: {} }, (part) => {
    if (part.part === "read") edit(part.puzzles[0]);
    if (part.part === "error") status.textContent = placed(part.where) + sentence(part.message, part.hint);
  });
  return h("details", board.remark ? h("p.quiet", board.remark) : "", h("summary", "As text"), area, h("p", button("Read", read)), status,
    h("details", h("summary", "What may stand there"), h("pre", { tabindex: 0, "aria-label": "The syntax" }, board.syntax),
      KINDS[puzzle.puzzle].example ? [h("p.quiet", "An example:"), h("pre", { tabindex: 0, "aria-label": "An example" }, KINDS[puzzle.puzzle].example)] : null));
}

function example() {
  const { grid } = state.puzzle;
  return h("p.example", "This is an example. Type over it", ...(grid.flat().some((one) => one !== null)
    ? [", or ", button("empty the grid", () => edit(blank(state.puzzle.puzzle, [grid.length, grid[0].length], state.puzzle))), " for one of yours."] : [", or paste one of yours."]));
}

const wordCount = () => `Words (${state.puzzle.words.length})`;

function wordList() {
  const { fields, words: list } = wordFields(state.puzzle.words, () => edit({ ...state.puzzle, words: list() }), "words");
  return h("details", { open: true }, h("summary", wordCount()), fields);
}

// A text area and a file for a list of words.
function wordFields(before, onchange, id = "new-words") {
  const area = h("textarea", { id, rows: 6, spellcheck: "false", value: before.join("\n"), oninput: onchange });
  // As in files: one word per line; lines that begin with % or # are comments.
  const list = () => area.value.split("\n").map((line) => line.trim()).filter((line) => line && !/^[%#]/.test(line));
  const load = h("input", { type: "file", accept: ".txt,.words,text/plain", onchange: async () => { area.value = await load.files[0].text(); onchange(); } });
  return { words: list, focus: () => area.focus(), fields: [h("label", h("span", "Words, one per line"), area), h("label", h("span", "Words from a file"), load)] };
}
