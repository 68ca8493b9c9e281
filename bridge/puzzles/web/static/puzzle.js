// Puzzles in their JSON form, as `lpbridge --json` prints it, and the properties of each kind.

import { cellName } from "./html.js";

const rows = (text) => text.trim().split(/\s*\n\s*/).map((line) => line.split(/\s+/).map((one) => (one === "." ? null : Number(one))));
const letters = (text) => text.trim().split(/\s*\n\s*/).map((line) => [...line].map((one) => (one === "." ? null : one)));
const empty = (height, width) => Array.from({ length: height }, () => Array(width).fill(null));
const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
const squares = (...sizes) => sizes.map((n) => [n, n]);

// The shapes of boxes of a size, the most nearly square first.
export function boxes(size) {
  const found = upTo(size).filter((height) => size % height === 0 && (height > 1 && height < size || size < 4)).map((h) => [h, size / h]);
  return found.sort(([a, b], [c, d]) => Math.abs(a - b) - Math.abs(c - d) || a - c);
}

const variant = (name, title, ...values) => ({ name, title, values });

// By kind: the sizes on offer, what an empty puzzle has that is not the example's, the values of a cell (1 to the number
// of rows unless it says otherwise), settings, and the initial example.
export const KINDS = {
  sudoku: {
    title: "Sudoku",
    sizes: squares(4, 6, 8, 9, 10, 12, 16, 25),
    usual: 9,
    blank: (size) => ({ box: boxes(size)[0] }),
    settings: ({ grid }) => [variant("box", "Boxes", ...boxes(grid.length).map((box) => [box, `${box[0]} × ${box[1]}`]))],
    start: { box: [3, 3], grid: rows(`. 3 9 . . . 1 2 .
      . . . 9 . 7 . . .
      8 . . 4 . 1 . . 6
      . 4 2 . . . 7 9 .
      . . . . . . . . .
      . 9 1 . . . 5 4 .
      5 . . 1 . 9 . . 3
      . . . 8 . 5 . . .
      . 1 4 . . . 8 7 .`) },
  },
  "latin-square": {
    title: "Latin square",
    sizes: squares(3, 4, 5, 6, 7, 8, 9, 10, 12),
    usual: 5,
    settings: () => [variant("variant", "Variant", ["plain", "plain"], ["diagonal", "both diagonals, too"], ["reduced", "first row and column in order"])],
    start: { variant: "plain", grid: rows(`1 . . . .
      . 2 . . 1
      . . 4 . .
      . 1 . 5 .
      2 . . . .`) },
  },
  futoshiki: {
    title: "Futoshiki",
    sizes: squares(3, 4, 5, 6, 7, 8, 9),
    usual: 5,
    blank: () => ({ less: [] }),
    start: {
      grid: rows(`. . . . .
        . 3 . . 2
        . . . . .
        . . . . .
        . . . . .`),
      less: [[1, 3, 1, 2], [1, 3, 1, 4], [2, 3, 1, 3], [2, 2, 3, 2], [3, 3, 3, 4], [3, 4, 3, 5], [4, 1, 5, 1], [4, 2, 5, 2], [5, 3, 5, 4]],
    },
  },
  "magic-square": {
    title: "Magic square",
    sizes: squares(3, 4, 5, 6),
    usual: 4,
    values: ({ grid }) => upTo(grid.length ** 2),
    settings: () => [
      variant("variant", "Diagonals", ["magic", "have the sum, too"], ["semi", "may have any sum"]),
      variant("symmetry", "Turned and mirrored", ["all", "count apart"], ["reduced", "count as one"],
        ["permuted", "count as one, permuted, too"]),
    ],
    note: ({ grid }) => `Each line adds up to ${grid.length * (grid.length ** 2 + 1) / 2}.`,
    start: { variant: "magic", symmetry: "all", grid: rows(`. 3 . .
      5 . . .
      . . . .
      . 15 14 .`) },
  },
  takuzu: {
    title: "Takuzu",
    sizes: [...squares(4, 6, 8, 10, 12, 14), [6, 8], [8, 10]],
    usual: 6,
    values: () => [0, 1],
    settings: () => [variant("lines", "Equal rows or columns", ["distinct", "not allowed"], ["repeat", "allowed"])],
    start: { lines: "distinct", grid: rows(`. 1 0 . . .
      1 . . . 0 .
      . . 0 . . .
      1 1 . . 1 0
      . . . . 0 .
      . . . . . .`) },
  },
  crossword: {
    title: "Crossword",
    sizes: [...squares(3, 4, 5, 6, 7, 9, 11, 13, 15), [5, 6]],
    usual: 5,
    blank: (_, { words = [] }) => ({ words }),
    values: ({ grid, words }) => [...new Set([...words.join("").toLowerCase(), ...grid.flat().filter((one) => one && one !== "#")])].sort(),
    settings: ({ reading }) => [
      variant("reading", "A solution", ["slots", "gives every slot a word of the list"], ["words", "places every word on a slot"], ["anywhere", "places every word, also on a part"]),
      ...(reading === "slots" ? [variant("repeat", "A word may stand twice", [false, "no"], [true, "yes"])] : []),
    ],
    start: {
      reading: "slots", repeat: false,
      grid: letters(`.....
        ##.#.
        #....
        .#...
        .....
        .##.#`),
      words: "hoses laser sails sheet steer heel hike keel knot line aft ale eel lee tie".split(" "),
    },
  },
};

// Kinds that are files: the server says what they are, and draws their boards (`state.board`).
export function addKinds(puzzles) {
  for (const [name, { title, file }] of Object.entries(puzzles)) {
    if (!file) continue;
    const { sizes, made, symmetric, example, start: { puzzle, ...first } } = file;
    KINDS[name] = {
      title, sizes, made, symmetric, example, file: true, usual: (made[0] ?? sizes[0])?.[0], start: first,
      values: (_, board) => board?.values ?? [],
    };
  }
}

export const start = (kind) => ({ puzzle: kind, ...structuredClone(KINDS[kind].start) });
export const valuesOf = (puzzle, board) => (KINDS[puzzle.puzzle].values ?? (({ grid }) => upTo(grid.length)))(puzzle, board);

// An empty grid. Of a kind that is a file it keeps the facts.
export function blank(kind, [height, width], before) {
  const { file, blank: own } = KINDS[kind];
  return { ...(file ? before : start(kind)), ...own?.(height, before), grid: empty(height, width) };
}

export const at = (grid, [row, column]) => grid[row - 1]?.[column - 1];
export const isBlack = (puzzle, cell, board) => (KINDS[puzzle.puzzle].file ? Boolean(board) && !board.takes.has(cellName(cell)) : at(puzzle.grid, cell) === "#" && puzzle.puzzle === "crossword");

// The number of clues: values in cells, inequalities, and the clues among the facts of a kind that is a file.
export const clueCount = ({ grid, less = [] }, board) => grid.flat().filter((value) => value !== null && value !== "#").length + less.length + (board?.given.size ?? 0);

// Whether nothing is given yet. A crossword has its words, a kind that is a file its facts.
export const isEmpty = (puzzle) => !puzzle.words && !puzzle.facts?.length && clueCount(puzzle) === 0;

// The same puzzle with other values in some cells: pairs of cell and value, null for an open one.
export function withValues(puzzle, pairs) {
  const grid = puzzle.grid.map((row) => [...row]);
  for (const [[row, column], value] of pairs) grid[row - 1][column - 1] = value;
  return withClues({ ...puzzle, grid }, puzzle);
}

// A crossword whose black cells have changed: its clues in words follow the cells in which their entries begin.
function withClues(puzzle, before) {
  const { clues } = puzzle.about ?? {};
  if (!clues) return puzzle;
  const now = entries(puzzle);
  const kept = [...entries(before)].map(([place, entry]) => [now.get(place), clues[entry]]).filter(([entry, text]) => entry && text);
  return { ...puzzle, about: { ...puzzle.about, clues: Object.fromEntries(kept) } };
}

// Inequalities. `sign(puzzle, a, b)` is "<" if a is less than b, ">" if greater, or "".
const same = (pair, [r1, c1], [r2, c2]) => pair.join() === [r1, c1, r2, c2].join();
export const sign = ({ less = [] }, a, b) => (less.some((pair) => same(pair, a, b)) ? "<" : less.some((pair) => same(pair, b, a)) ? ">" : "");

export function withSign(puzzle, a, b, wanted) {
  const less = puzzle.less.filter((pair) => !same(pair, a, b) && !same(pair, b, a));
  if (wanted === "<") less.push([...a, ...b]);
  if (wanted === ">") less.push([...b, ...a]);
  return { ...puzzle, less };
}

// The inequalities between cells that are not adjacent, which are listed below the grid.
export const farApart = ({ less = [] }) => less.filter(([r1, c1, r2, c2]) => Math.abs(r1 - r2) + Math.abs(c1 - c2) !== 1)
  .map(([r1, c1, r2, c2]) => `${cellName([r1, c1])} < ${cellName([r2, c2])}`);

// Crosswords: the name of each entry, such as "1 across", by the cell in which it begins and its direction.
function entries(puzzle) {
  const found = new Map();
  if (puzzle.puzzle !== "crossword") return found;
  const white = (r, c) => at(puzzle.grid, [r, c]) !== undefined && at(puzzle.grid, [r, c]) !== "#";
  let number = 0;
  puzzle.grid.forEach((row, i) => row.forEach((_, j) => {
    const [r, c] = [i + 1, j + 1];
    const across = white(r, c) && !white(r, c - 1) && white(r, c + 1);
    const down = white(r, c) && !white(r - 1, c) && white(r + 1, c);
    number += across || down ? 1 : 0;
    if (across) found.set(`${cellName([r, c])} across`, `${number} across`);
    if (down) found.set(`${cellName([r, c])} down`, `${number} down`);
  }));
  return found;
}

// The number of each cell in which a word begins.
export const numbers = (puzzle) => new Map([...entries(puzzle)].map(([place, entry]) => [place.split(" ")[0], entry.split(" ")[0]]));

// Links: the puzzle is in the fragment, which browsers do not send to servers.

export async function toLink(puzzle) {
  const bytes = await new Response(new Blob([JSON.stringify(puzzle)]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function fromLink(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text());
}
