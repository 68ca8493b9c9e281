// The other panels: step by step, engines side by side, and the declarative source.

import { ask } from "./ask.js";
import { button, choice, copy, h, save, sentence } from "./html.js";
import { chip, said } from "./findings.js";
import { explain, showSteps, state } from "./store.js";

// Step by step.

export function steps() {
  const { steps, found } = state;
  if (found.verdict?.verdict === "impossible") return [h("p", "There is no solution to explain: see why under “Why”.")];
  const next = button("Next step", () => (steps ? showSteps(steps.wanted + 1) : explain()), { id: "next", class: "main" });
  if (!steps) {
    return [h("p", next), h("p.quiet", "Each step is one new value, or candidates that can go, with the name that solvers give to the reason, and the rules and cells that force it.")];
  }
  const done = steps.over && steps.shown === steps.list.length;
  next.disabled = done;
  const back = button("Back", () => showSteps(steps.shown - 1), { disabled: steps.shown === 0 });
  const all = button("All", () => showSteps(10000), { disabled: done });
  const shown = steps.list.slice(0, steps.shown).map((step, index) => h("li", { class: index === steps.shown - 1 ? "now" : "" }, stepWords(step)));
  return [
    h("p", next, " ", back, " ", all),
    h("ol.steps", { reversed: true, start: steps.shown }, shown.reverse()),
    steps.shown < steps.wanted && !steps.over ? h("p.quiet", "Searching …") : null,
    done ? h("p", stepsEnd(steps)) : null,
  ];
}

function stepWords(step) {
  const [found, reason] = step.sentence.split(/: (.*)/s);
  const name = step.technique?.name;
  const why = name ? [": ", h("b", name), sentence(said(reason.slice(name.length)))] : [sentence(`: ${said(reason)}`)];
  return [step.new.length > 1 ? chip(step.fact, found) : chip(step.fact), h("span", why), h("details", h("summary", "What these rules say"), h("ul.plain", step.says.map((line) => h("li", line))))];
}

function stepsEnd(steps) {
  if (steps.error) return sentence(steps.error);
  if (!steps.complete) return steps.limit ? "The time limit came first." : "There are more steps than are shown here.";
  if (state.found.verdict?.verdict === "ambiguous") return steps.list.length ? "The cells that are left differ between solutions." : "Nothing more follows: every open cell differs between solutions.";
  return "That is all: the grid is full.";
}

// Engines.

let compared = null; // the last comparison: { puzzle, rows, over, remark }
let chosen = null;

export function engines(about, redraw) {
  chosen ??= new Set(about.compared);
  const again = button("Compare", () => compareNow(redraw), { class: "main" });
  const { rows, over, remark } = compared?.puzzle === state.puzzle ? compared : { rows: [], over: true };
  return [
    h("p", "Every engine gets the same question: two solutions, or the proof that there is only one."),
    h("p", again, over ? null : h("span.quiet", " Running …")),
    rows.length ? bars(rows) : null,
    remark ? h("p.quiet", remark) : null,
    h("details", h("summary", "Which engines"), h("div.checks", about.engines.filter((name) => name !== "auto").map((name) =>
      h("label", h("input", { type: "checkbox", checked: chosen.has(name), onchange: (event) => (event.target.checked ? chosen.add(name) : chosen.delete(name)) }), ` ${name}`)))),
  ];
}

async function compareNow(redraw) {
  const mine = compared = { puzzle: state.puzzle, rows: [], over: false, remark: "" };
  redraw();
  const complete = await ask("compare", { puzzle: mine.puzzle, engines: [...chosen] }, (part) => {
    if (part.part === "row") mine.rows.push(part);
    if (part.part === "compared") mine.remark = part.agree ? "No two of them contradict each other. The scale is logarithmic." : `They disagree: ${part.disagreements.join("; ")}. Please report it.`;
    if (part.part === "error") mine.remark = sentence(part.message, part.hint);
    if (mine === compared) redraw();
  });
  mine.over = true;
  mine.remark ||= complete ? "It ended before all engines had run." : "It was cancelled.";
  if (mine === compared) redraw();
}

const milliseconds = (seconds) => (seconds >= 0.9995 ? `${seconds.toFixed(1)} s` : seconds >= 0.01 ? `${(1000 * seconds).toFixed(0)} ms` : `${(1000 * seconds).toFixed(1)} ms`);

function bars(rows) {
  const scale = (seconds) => 4 + 96 * Math.min(1, Math.max(0, Math.log10(seconds / 1e-4) / 4.6));
  return h("table.bars", h("caption.unseen", "Seconds of each engine"), h("tbody", rows.map((row) => {
    const stopped = row.limit && row.limit !== "solutions";
    const bar = h("span", { class: stopped ? "bar stopped" : "bar" });
    bar.style.width = `${row.error ? 0 : scale(row.seconds.total)}%`;
    const counters = Object.entries(row.statistics).map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(", ");
    return h("tr", { title: counters }, h("th", { scope: "row" }, row.engine), h("td.track", bar),
      h("td.time", row.error ? "cannot" : milliseconds(row.seconds.total)), h("td.quiet", row.error ?? (stopped ? "not in time" : row.verdict)));
  })));
}

// The source.

const files = { puzzle: null, list: [], at: 0 };

export function source(redraw) {
  if (files.puzzle !== state.puzzle) {
    files.puzzle = state.puzzle;
    const list = [];
    ask("source", { puzzle: state.puzzle }, (part) => {
      if (part.part === "source") list.push(part);
      if (part.part === "error") list.push({ name: "No source", file: "", run: "", text: sentence(part.message, part.hint) });
    }).then((over) => {
      if (!over || files.puzzle !== state.puzzle) return;
      files.list = list;
      redraw();
    });
  }
  const file = files.list[Math.min(files.at, files.list.length - 1)];
  if (!file) return [h("p.quiet", "Reading …")];
  const pick = choice("File", files.list.map((one, index) => [index, `${one.name}${one.file ? ` — ${one.file}` : ""}`]), files.list.indexOf(file), (index) => { files.at = Number(index); redraw(); });
  return [
    h("p", "The puzzle as logic programs: the rules are the same for every instance, and run without this page."),
    h("div.row-of", pick, button("Copy", () => copy(file.text)), button("Save", () => save(file.file.split("/").pop() || "note.txt", file.text))),
    h("pre", { tabindex: 0, "aria-label": file.name }, file.text),
    file.run ? h("p.quiet", "By hand: ", h("code", file.run)) : null,
  ];
}
