// An answer as a graph: the atoms of a predicate are lines between its first two arguments, and another predicate may
// label the nodes. Nodes that are joined attract each other, and all repel each other (T. Fruchterman, E. Reingold, 1991).

import { byPredicate } from "./program_terms.js";

const MOST_NODES = 80;
const MOST_LINES = 600;
const USUAL = /^(edge|arc|link|road|street|path|route|cycle|tour|move|connect|border|neighbou?r|adjacent|next|parent|flow)/;

// The predicates that can be lines: `edge` and the like first, then those whose first two arguments share values.
export function linePredicates(atoms) {
  const found = [...byPredicate(atoms)].filter(([, [{ name, args }]]) => name && args.length >= 2);
  const shares = (rows) => {
    const first = new Set(rows.map(({ args }) => args[0]));
    return rows.some(({ args }) => first.has(args[1]) && args[0] !== args[1]);
  };
  const usual = found.filter(([, [{ name }]]) => USUAL.test(name));
  return [...usual, ...found.filter((one) => !usual.includes(one) && shares(one[1]))].map(([predicate]) => predicate);
}

// The predicates that can label the nodes of these lines: at least half of their atoms have a node first, and at most one
// argument more.
export function labelPredicates(atoms, lines) {
  const nodes = nodesOf(atoms, [lines]);
  return [...byPredicate(atoms)]
    .filter(([predicate, rows]) => predicate !== lines && rows[0].name && rows[0].args.length > 0 && rows[0].args.length < 3 && 2 * rows.filter(({ args }) => nodes.has(args[0])).length >= rows.length)
    .sort(([, [one]], [, [other]]) => other.args.length - one.args.length)
    .map(([predicate]) => predicate);
}

// The nodes: the ends of the lines, and what is labelled.
function nodesOf(atoms, [lines, labels]) {
  return new Set(atoms.flatMap(({ predicate, args }) => (predicate === lines ? args.slice(0, 2) : predicate === labels ? args.slice(0, 1) : [])));
}

// The picture, or a sentence why there is none.
export function graph(atoms, lines, labels) {
  const names = [...nodesOf(atoms, [lines, labels])].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const pairs = atoms.filter(({ predicate }) => predicate === lines);
  if (names.length > MOST_NODES || pairs.length > MOST_LINES) return `${names.length} nodes and ${pairs.length} lines are too many for a picture: ${MOST_NODES} and ${MOST_LINES} at most.`;
  const index = new Map(names.map((name, at) => [name, at]));
  const both = new Set(pairs.map(({ args: [from, to] }) => JSON.stringify([from, to])));
  const edges = [];
  for (const { args: [from, to, ...more] } of pairs) {
    const back = both.has(JSON.stringify([to, from])) && from !== to;
    if (back && from > to) continue;
    edges.push({ from: index.get(from), to: index.get(to), text: more.join(", "), arrow: !back });
  }
  const said = new Map();
  for (const { predicate, args, name } of atoms) if (predicate === labels) said.set(args[0], [...(said.get(args[0]) ?? []), args[1] ?? name]);
  const values = [...new Set([...said.values()].map((one) => one.join(", ")))].sort();
  return draw(names.map((name) => ({ name, label: said.get(name)?.join(", ") ?? "" })), edges, values, placed(names.length, edges), lines);
}

// Places in the unit square. There is no chance in it: the same graph is always drawn alike.
function placed(number, edges) {
  const at = Array.from({ length: number }, (_, one) => [Math.cos((2 * Math.PI * one) / number), Math.sin((2 * Math.PI * one) / number)]);
  const ideal = 1.6 / Math.sqrt(Math.max(number, 1));
  for (let step = 0; step < 250; step++) {
    const move = at.map(([x, y]) => [-0.3 * ideal * x, -0.3 * ideal * y]);
    const push = (one, other, force) => {
      const [dx, dy] = [at[one][0] - at[other][0], at[one][1] - at[other][1]];
      const far = Math.max(Math.hypot(dx, dy), 1e-3);
      const by = force(far) / far;
      move[one][0] += dx * by; move[one][1] += dy * by;
      move[other][0] -= dx * by; move[other][1] -= dy * by;
    };
    for (let one = 0; one < number; one++) for (let other = 0; other < one; other++) push(one, other, (far) => (far > 2.5 * ideal ? 0 : (ideal * ideal) / far));
    for (const { from, to } of edges) if (from !== to) push(from, to, (far) => -(far * far) / ideal);
    const most = 0.12 * (1 - step / 250);
    at.forEach((place, one) => {
      const far = Math.hypot(...move[one]) || 1;
      for (const axis of [0, 1]) place[axis] += (move[one][axis] / far) * Math.min(far, most);
    });
  }
  const range = [0, 1].map((axis) => [Math.min(...at.map((place) => place[axis])), Math.max(...at.map((place) => place[axis]))]);
  return at.map((place) => place.map((value, axis) => (range[axis][1] - range[axis][0] < 1e-6 ? 0.5 : (value - range[axis][0]) / (range[axis][1] - range[axis][0]))));
}

const SPACE = "http://www.w3.org/2000/svg";

function s(tag, attributes, ...inside) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

const short = (text, most = 14) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// The fill of a label: that of its own name, where it is a colour's, else one of eight in turn.
const COLOURS = ["red", "green", "blue", "yellow", "orange", "purple", "brown", "grey"];
const fill = (label, values) => (label ? `fill-${COLOURS.includes(label) ? label : COLOURS[(values.indexOf(label) + 2) % COLOURS.length]}` : "");

function draw(nodes, edges, values, places, title) {
  const [wide, high, edge] = [nodes.length > 14 ? 760 : 500, 120 + 65 * Math.sqrt(nodes.length), 50];
  const at = places.map(([x, y]) => [edge + x * (wide - 2 * edge), edge / 1.5 + y * (high - 1.5 * edge)]);
  const half = nodes.map(({ name, label }) => [Math.max(16, 4.2 * Math.max(short(name).length, short(label).length) + 8), label ? 19 : 14]);
  const drawn = edges.map(({ from, to, text, arrow }) => {
    const [[x, y], [u, v]] = [at[from], at[to]];
    if (from === to) return s("path", { class: "line", d: `M${x - 8} ${y - half[from][1]}c-14 -30 30 -30 16 0`, ...(arrow ? { "marker-end": "url(#arrow)" } : {}) });
    const [dx, dy] = [u - x, v - y];
    const cut = (which) => Math.min(half[which][0] / Math.max(Math.abs(dx), 1e-6), half[which][1] / Math.max(Math.abs(dy), 1e-6), 0.5);
    const [a, b] = [cut(from), 1 - cut(to)];
    const line = s("line", { class: "line", x1: x + a * dx, y1: y + a * dy, x2: x + b * dx, y2: y + b * dy, ...(arrow ? { "marker-end": "url(#arrow)" } : {}) });
    return text ? s("g", {}, line, s("text", { class: "weight", x: x + dx / 2, y: y + dy / 2 - 3 }, short(text))) : line;
  });
  const boxes = nodes.map(({ name, label }, one) => s("g", { transform: `translate(${at[one].join(" ")})` },
    s("title", {}, label ? `${name}: ${label}` : name),
    s("rect", { class: `node ${fill(label, values)}`, x: -half[one][0], y: -half[one][1], width: 2 * half[one][0], height: 2 * half[one][1], rx: 12 }),
    s("text", { class: "name", y: label ? -3 : 4 }, short(name)),
    ...(label ? [s("text", { class: "label", y: 12 }, short(label))] : [])));
  const arrow = s("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, s("path", { class: "tip", d: "M0 0L8 4L0 8z" }));
  const words = `Graph of ${title}: ${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}, ${edges.length} ${edges.length === 1 ? "line" : "lines"}. The table has them all.`;
  return s("svg", { class: "graph", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": words }, s("defs", {}, arrow), ...drawn, ...boxes);
}
