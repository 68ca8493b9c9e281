// What was found of a program: text with places, answers as tables, as text and as a graph.

import { button, choice, h, many, pointed } from "./html.js";
import { graph, labelPredicates, linePredicates } from "./program_graph.js";
import { atoms, byPredicate, value } from "./program_terms.js";

// More is in the text view, or nowhere: a page of a hundred thousand elements is of no use.
const MOST_ROWS = 200;
const MOST_TEXT = 100_000;

const PLACE = /(program\.(?:lp|pl)|<goal>):(\d+)(?::(\d+))?/g;

export const cut = (text, most = MOST_TEXT) => (text.length > most ? `${text.slice(0, most)}\n… and ${many(text.length - most, "character")} more` : text);

// A text in which places are buttons that go to the line. `at` has `go(file, line, column)` and `point(line)`.
export function linked(text, at) {
  const parts = [];
  let done = 0;
  for (const { 0: whole, 1: file, 2: line, 3: column, index } of cut(text).matchAll(PLACE)) {
    parts.push(cut(text).slice(done, index), place(whole, file, Number(line), Number(column ?? 1), at));
    done = index + whole.length;
  }
  return [...parts, cut(text).slice(done)];
}

function place(text, file, line, column, at) {
  const inProgram = file !== "<goal>";
  const on = () => at.point(inProgram ? line : 0);
  const off = () => at.point(0);
  const title = inProgram ? `Go to line ${line}` : "Go to the goal";
  return button(text, () => at.go(file, line, column), { class: "place", title, ...pointed(on, off) });
}

// The places that the data of an event name: of a clash as errors, of a derivation as notes.
const ERRORS = ["clashes", "failure", "loop", "clash", "suspects"];
const NOTES = ["derivation", "missing"];

export function placesOf(data) {
  const found = [];
  const collect = (node, kind) => {
    if (node === null || typeof node !== "object") return;
    if (Number.isInteger(node.line) && (node.file ?? "").startsWith("program.")) found.push({ line: node.line, column: node.column ?? 1, kind });
    for (const part of Object.values(node)) collect(part, kind);
  };
  for (const name of ERRORS) collect(data[name], "error");
  for (const name of NOTES) collect(data[name], "note");
  return found;
}

// The atoms of an answer, read once.
const read = new WeakMap();

function atomsOf(answer) {
  if (!read.has(answer)) read.set(answer, atoms(answer.text));
  return read.get(answer);
}

// Answers of clingo: one at a time, by predicate, a row an atom; the small ones first. `ask(atom)` asks why it holds.
export function tables(answer, ask) {
  const groups = [...byPredicate(atomsOf(answer))].sort(([, one], [, other]) => one.length - other.length);
  if (!groups.length) return [h("p.quiet", "It shows no atom.")];
  return groups.map(([predicate, rows]) => {
    const width = Math.max(...rows.map(({ args }) => args.length));
    const name = predicate || "terms";
    if (!width) return h("p", h("code", rows[0].text), " ", why(rows[0], ask));
    return h("table.atoms", h("caption", h("code", name), h("span.quiet", ` ${rows.length > 1 ? many(rows.length, "row") : ""}`)),
      h("thead.unseen", h("tr", Array.from({ length: width }, (_, at) => h("th", { scope: "col" }, `argument ${at + 1}`)), h("th", { scope: "col" }, "Ask"))),
      h("tbody", rows.slice(0, MOST_ROWS).map((row) => h("tr", row.args.map((one) => h("td", cut(one, 400))), h("td", row.name ? why(row, ask) : null)))),
      rows.length > MOST_ROWS ? h("tfoot", h("tr", h("td", { colspan: width + 1 }, `and ${many(rows.length - MOST_ROWS, "row")} more`))) : null);
  });
}

const why = ({ text }, ask) => button("why?", () => ask(text), { class: "small", "aria-label": `why ${cut(text, 80)}?` });

// Answers of Prolog: a row an answer, a column a variable, and what is left to be satisfied.
export function bindings(answers) {
  const names = [...new Set(answers.flatMap(({ answer }) => Object.keys(answer.bindings)))];
  const open = answers.some(({ answer }) => answer.residual.length || answer.truth !== "true");
  const left = ({ residual, truth, delays = [] }) => [...residual, ...(truth === "true" ? [] : [`${truth}${delays.length ? `: ${delays.join(", ")}` : ""}`])].join(", ");
  if (!names.length && !open) return [h("p", answers.length > 1 ? `true, ${answers.length} times` : "true")];
  return [h("table.atoms",
    h("thead", h("tr", names.map((name) => h("th", { scope: "col" }, name)), open ? h("th", { scope: "col" }, "where") : null)),
    h("tbody", answers.slice(0, MOST_ROWS).map(({ answer }) => h("tr", names.map((name) => h("td", name in answer.bindings ? cut(value(answer.bindings[name]), 400) : "")), open ? h("td.quiet", cut(left(answer), 400)) : null))),
    answers.length > MOST_ROWS ? h("tfoot", h("tr", h("td", { colspan: names.length + 1 }, `and ${many(answers.length - MOST_ROWS, "row")} more`))) : null)];
}

export const hasGraph = (answer) => linePredicates(atomsOf(answer)).length > 0;

// An answer as a graph, with choices of the predicates; `chosen` keeps them: { lines, labels }.
export function graphOf(answer, chosen, redraw) {
  const list = atomsOf(answer);
  const lines = linePredicates(list);
  if (!lines.length) return [h("p.quiet", "This answer has no atoms that are lines, such as edge(a,b).")];
  const drawn = lines.includes(chosen.lines) ? chosen.lines : lines[0];
  const labels = labelPredicates(list, drawn);
  const label = chosen.labels === "" || labels.includes(chosen.labels) ? chosen.labels : labels[0] ?? "";
  const picture = graph(list, drawn, label);
  return [
    h("div.row-of",
      choice("Lines", lines.map((one) => [one, one]), drawn, (one) => { chosen.lines = one; redraw(); }),
      choice("Labels", [["", "none"], ...labels.map((one) => [one, one])], label, (one) => { chosen.labels = one; redraw(); })),
    typeof picture === "string" ? h("p.quiet", picture) : picture,
  ];
}
