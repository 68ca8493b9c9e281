// Programs of one's own: an editor for clingo and Prolog, and what was found of them. The server runs each request as
// a command of `lpbridge` with `--untrusted`, and sends its events (`--events`) as they come.

import { command } from "./program_command.js";
import { run, tooLarge } from "./ask.js";
import { $, button, choice, copy, h, many, redraw, save, say, sentence, toast } from "./html.js";
import { bindings, cut, graphOf, hasGraph, linked, placesOf, tables } from "./program_answers.js";
import { editor } from "./program_editor.js";
import { split } from "./program_terms.js";

const STORED = "lpbridge.programs";

const EXAMPLES = [
  { file: "timetable.lp", title: "A timetable without an answer set", ask: "diagnose" },
  { file: "map.lp", title: "A map in three colours: a graph" },
  { file: "tour.lp", title: "The shortest round trip: the best answer", answers: "optimal" },
  { file: "money.pl", title: "SEND + MORE = MONEY: residual constraints", goal: "puzzle([S,E,N,D,M,O,R,Y])" },
  { file: "game.pl", title: "Who wins: tabling, and what is undefined", goal: "win(X)" },
  { file: "family.pl", title: "A goal that fails: diagnosis", goal: "grandparent(anna, X)", ask: "diagnose" },
];

// What is asked of a .lp program when it runs.
const ANSWERS = [["run", "answer sets"], ["optimal", "the best ones"], ["brave", "atoms in some"], ["cautious", "atoms in all"], ["count", "how many"]];

const NEW = {
  lp: { text: "", constants: "", atom: "", answers: "run" },
  pl: { text: "", goal: "" },
};

const state = { language: "lp", number: 10, seconds: 10, ...structuredClone(NEW) };
let found = null;    // what was found: { ask, language, answers, ... }
let control = null;  // of the request that runs
let view = "";       // "tables", "text" or "graph", as chosen last
let at = 0;          // the answer that is shown
const drawn = { lines: null, labels: null };

// What is kept: in this browser, for this page.

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    for (const language of ["lp", "pl"]) for (const name of Object.keys(NEW[language])) if (typeof kept[language]?.[name] === "string") state[language][name] = kept[language][name];
    if (kept.language in NEW) state.language = kept.language;
    for (const name of ["number", "seconds"]) if (kept[name] > 0) state[name] = kept[name];
  } catch { /* no storage, or what is in it is not ours */ }
}

let keeping = 0;
const keep = () => { clearTimeout(keeping); keeping = setTimeout(keepNow, 300); };

function keepNow() {
  keeping = 0;
  try { localStorage.setItem(STORED, JSON.stringify(state)); } catch { /* full, or not allowed */ }
}

addEventListener("pagehide", () => keeping && keepNow()); // what was typed just before a reload

// The parts of the page.

const own = () => state[state.language];
const isLp = () => state.language === "lp";
const text = editor("Program", edited, () => start());
const place = {
  go: (file, line, column) => (file === "<goal>" ? $("goal")?.focus() : text.go(line, column)),
  point: (line) => text.point(line),
};
const form = h("div", { id: "program-form" });
let example = ""; // the example that the text is
let wanted = "";  // the one that was chosen last

function edited() {
  own().text = text.text;
  if (found) found.stale = true;
  example = $("example").value = "";
  keep();
  drawStale();
}

const actions = h("div.row-of", { id: "program-actions", role: "group", "aria-label": "Ask" });
const results = h("section", { id: "results", "aria-label": "Findings", tabindex: "-1" });

function field(label, id, size, name, more = {}) {
  const input = h("input", { id, size, spellcheck: "false", autocomplete: "off", value: own()[name], oninput: () => { own()[name] = input.value; keep(); }, ...more });
  return h("label", h("span", label), input);
}

function numberField(label, id, name, most) {
  const input = h("input", { id, type: "number", min: 1, max: most, value: state[name], oninput: () => { state[name] = Math.min(most, Math.max(1, Math.round(input.valueAsNumber) || 1)); keep(); } });
  return h("label", h("span", label), input);
}

const onEnter = (does) => (event) => { if (event.key === "Enter") { event.preventDefault(); does(); } };

function drawForm() {
  const examples = h("select", { id: "example", onchange: () => takeExample(examples.value) },
    h("option", { value: "" }, "choose …"), EXAMPLES.map(({ file, title }) => h("option", { value: file, selected: file === example }, `${title} (.${file.split(".")[1]})`)));
  const file = h("input", { type: "file", accept: ".lp,.pl,.asp,.pro,.txt", hidden: true, onchange: () => open(file.files[0]) });
  form.replaceChildren(...[
    h("div.row-of",
      choice("Language", [["lp", "clingo"], ["pl", "SWI-Prolog"]], state.language, (language) => toLanguage(language)),
      h("label", h("span", "Example"), examples),
      file, button("Open…", () => file.click()), button("Save", () => save(`program.${state.language}`, text.text))),
    text.element,
    h("div.row-of",
      isLp() ? choice("Find", ANSWERS, own().answers, (value) => { own().answers = value; keep(); }) : h("div.wide", field("Goal", "goal", 30, "goal", { placeholder: "member(X, [1, 2, 3])", onkeydown: onEnter(() => start()) })),
      isLp() ? field("Constants", "constants", 9, "constants", { placeholder: "n=8, m=3", onkeydown: onEnter(() => start()) }) : null,
      numberField("Answers", "answers", "number", 1000)),
    h("div.row-of", actions, numberField("Seconds", "seconds", "seconds", 60)),
    isLp() ? h("div.row-of", { role: "group", "aria-label": "Why" },
      field("Atom", "atom", 22, "atom", { placeholder: "at(art,1)", onkeydown: onEnter(() => start("why")) }),
      button("Why?", () => start("why")), button("Why not?", () => start("why-not"))) : null,
  ].filter(Boolean));
  drawActions();
}

function drawActions() {
  const focused = actions.contains(document.activeElement);
  actions.replaceChildren(...[
    control ? button("Stop", stop, { id: "stop", class: "main" }) : button("Run", () => start(), { id: "run", class: "main", title: "Ctrl+Enter in the program" }),
    button("Diagnose", () => start("diagnose"), { title: "Why is there no answer, or more than one?" }),
    button("Debug", () => start("debug"), { title: "Which line is wrong? You are asked which answers are meant." }),
    isLp() ? button("What is open", () => start("residual"), { title: "The atoms that are in some answer sets, but not in all" }) : null,
  ].filter(Boolean));
  if (focused) actions.firstElementChild.focus();
}

function toLanguage(language) {
  if (language === state.language) return;
  stop();
  state.language = language;
  forget();
  drawForm();
  text.begin(own().text);
  keep();
  form.querySelector("select").focus();
}

function forget() {
  found = null;
  drawResults();
}

// Take a program into the editor; what was there comes back by the editor's own undo.
export function take(language, program, more = {}) {
  stop();
  if (language !== state.language) toLanguage(language);
  Object.assign(own(), structuredClone(NEW[language]), more);
  drawForm();
  text.replace(program);
  forget();
}

async function takeExample(name) {
  const { file, ask, title, ...more } = EXAMPLES.find((one) => one.file === name) ?? {};
  if (!file) return;
  wanted = file;
  const answer = await fetch(`/static/examples/${file}`).catch(() => null);
  const program = answer?.ok && await answer.text();
  if (file !== wanted) return; // another one was chosen since
  if (!program) return toast("The example could not be loaded.");
  take(file.split(".")[1], program, more);
  example = $("example").value = file;
  $("example").focus();
  start(ask);
}

async function open(file) {
  if (!file) return;
  if (file.size > 2e6) return toast("This file is too large.");
  const content = await file.text();
  const prolog = /\.(pl|pro|prolog|plt)$/.test(file.name);
  take(prolog || (/\.txt$/.test(file.name) && !isLp()) ? "pl" : "lp", content);
}

// Asking.

function stop() {
  control?.abort();
}

async function start(ask = isLp() ? own().answers : "run", replies = []) {
  stop();
  const mine = found = { ask, language: state.language, answers: [], warnings: [], text: "", running: true, replies };
  const request = { language: state.language, text: text.text, ask, seconds: state.seconds, answers: state.number };
  if (isLp()) request.constants = split(own().constants, ", ");
  if (isLp()) request.atom = own().atom.trim();
  else request.goal = own().goal.trim();
  if (ask === "debug") request.replies = replies;
  if (ask === "picture") request.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  mine.command = command(request, ANSWERS);
  at = 0;
  if (ask !== "picture") text.light([]);
  const asking = control = new AbortController();
  drawActions();
  drawResults();
  say("Running …");
  try {
    if (tooLarge(request.text)) throw new Error("the program is too large");
    await run(request, (part) => { if (mine === found) receive(mine, part); }, asking.signal);
  } catch (error) {
    if (asking.signal.aborted) mine.stopped = true;
    else mine.error = { message: error.message === "the program is too large" ? error.message : "the workbench does not answer", hint: "is `lpbridge puzzle serve` still running?" };
  }
  mine.running = mine.waiting = false;
  if (control === asking) control = null;
  if (mine !== found) return;
  drawActions();
  drawResults();
  const [head, detail] = headline();
  const { where, message } = mine.error ?? {};
  say([head, detail, message && `${where ? `${where}: ` : ""}${message}`, litLines()].filter(Boolean).join(". "));
}

let due = 0;

function receive(mine, part) {
  mine.waiting = part.part === "busy";
  if (part.answer) mine.answers.push(part);
  else if (part.better) mine.better = part.text;
  else if (part.warning) mine.warnings.push(part.text);
  else if (part.end) Object.assign(mine, { end: part.end, text: part.text });
  else if (part.question) Object.assign(mine, { question: part.question, text: part.text });
  else if (part.debugging) Object.assign(mine, { data: part.debugging, text: part.text, kind: "debugging" });
  else if (part.diagnosis || part.reasons) {
    const data = part.diagnosis ?? part.reasons;
    const warns = (line) => data.warnings.some((one) => line.includes(`: ${one.level}: ${one.message}`));
    const lines = part.text.split("\n");
    mine.warnings.push(...lines.filter(warns)); // they have a place of their own
    Object.assign(mine, { data, text: lines.filter((line) => !warns(line)).join("\n"), kind: part.diagnosis ? "diagnosis" : "reasons" });
  }
  else if (part.error) mine.error = part.error;
  else if (part.part === "error") mine.error = part;
  else if (part.part === "picture") mine.picture = part.svg;
  else if (part.part === "end" && !mine.error && part.code !== 0 && part.said) mine.error = { message: part.said.replace(/^lpbridge: /, "").trim() };
  if (mine.data) text.light(placesOf(mine.data));
  const where = mine.error?.where?.match(/^program\.\w+:(\d+)(?::(\d+))?/);
  if (where) text.light([{ line: Number(where[1]), column: Number(where[2] ?? 0), kind: "error" }]);
  due ||= requestAnimationFrame(() => { due = 0; drawResults(); });
}

// What was found.

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const IN = { brave: "Atoms in some answer set", cautious: "Atoms in all answer sets" };
// A procedure that does not exist is not refused: it is an error of the program.
const isRefused = ({ message }) => REFUSED.test(message) && !/does not exist/.test(message);
const REFUSED = /untrusted program|sandboxed|is refused|not safe to run/;

// The headline, a line below it, and a class.
function headline() {
  const { running, error, stopped, answers, text: said, ask, better } = found;
  const number = many(answers.length, found.language === "lp" ? "answer set" : "answer");
  if (error) return isRefused(error) ? ["Refused", "Programs in this page run as with --untrusted: no scripts, no files, no processes.", "impossible"] : ["Error", "", "impossible"];
  if (found.waiting) return ["Waiting …", "The workbench is busy; it is asked again in a moment.", "unknown"];
  if (running) return [answers.length ? `${number} so far` : "Running …", better ?? "", "unknown"];
  if (stopped) return ["Stopped", answers.length ? `${number} by then.` : "", "unknown"];
  if (found.picture) return ["The derivation", "", "unknown"];
  if (ask === "residual") return ["What is open", "", "unknown"];
  if (found.question) return ["A question", many(found.replies.length, "reply", "replies") + " so far.", "unknown"];
  if (found.kind === "debugging") return debugged();
  if (found.data) {
    const [first] = said.split("\n", 1);
    return [found.kind === "diagnosis" && isLp() ? capital(first) : first, "", { unique: "unique", ambiguous: "ambiguous", impossible: "impossible" }[found.data.verdict] ?? "unknown"];
  }
  if (ask === "count") return [capital(said), "", "unknown"];
  if (IN[ask] && answers.length) return [IN[ask], capital(said), "unknown"];
  const [first, ...rest] = said.split("; ");
  return [capital(first) || "No answer", capital(rest.join("; ")), answers.length || !found.end?.complete ? "unknown" : "impossible"];
}

// The headline of a wrong line, or that there is none.
function debugged() {
  const { right, suspects: [first] } = found.data;
  if (right) return ["Nothing is wrong, as far as can be seen", "", "unique"];
  if (!first) return ["No line could be named", "", "unknown"];
  return [`Line ${first.place.line} is probably wrong`, "", "impossible"];
}

function drawStale() {
  results.classList.toggle("stale", Boolean(found?.stale));
  const note = results.querySelector(".changed");
  if (note) note.hidden = !found?.stale;
}

function drawResults() {
  redraw(results, () => results.replaceChildren(...(found ? content() : intro()).flat(Infinity).filter(Boolean)));
  drawStale();
}

const intro = () => [
  h("p", "Write a program, or choose an example. ", h("b", "Run"), " finds answers, ", h("b", "Diagnose"), " says why there is none, or more than one, with the lines that clash; ", h("b", "Why?"), " gives the reasons of an atom."),
  h("ul.plain", EXAMPLES.map(({ file, title }) => h("li", button(title, () => takeExample(file), { class: "place" })))),
  h("p.quiet", "Programs run on this machine, confined as by ", h("code", "lpbridge run --untrusted"), ": no scripts, no files, no network. Ctrl+Enter runs. The text is kept in this browser."),
];

function content() {
  const [head, detail, kind] = headline();
  return [
    h("div", { class: kind, id: "program-verdict" }, h("h2", linked(head, place)), detail ? h("p", detail) : null),
    h("p.quiet.changed", { hidden: true }, "The program has changed since."),
    found.error ? h("p.trouble", found.error.where ? [linked(found.error.where, place), ": "] : null, linked(sentence(found.error.message, found.error.hint), place)) : null,
    found.question ? question() : null,
    found.data ? reasons() : null,
    found.kind === "debugging" ? repairs() : null,
    found.picture ? drawing() : null,
    found.answers.length ? answers() : null,
    found.warnings.length ? h("section", h("h3", "Warnings"), h("ul.plain", found.warnings.slice(0, 50).map((one) => h("li", linked(one, place))))) : null,
    h("details", h("summary", "By hand"), h("p", h("code", found.command), " ", button("Copy", () => copy(found.command), { class: "small" }))),
  ];
}

// The lit lines in words.
function litLines() {
  const lit = text.lit().sort((one, other) => one - other);
  return lit.length ? `Lit in the program: ${lit.length > 1 ? "lines" : "line"} ${lit.slice(0, 30).join(", ")}${lit.length > 30 ? ", …" : ""}.` : "";
}

function reasons() {
  const lines = found.text.split("\n").slice(["residual", "debug"].includes(found.ask) ? 0 : 1);
  return [
    h("p.quiet", litLines()),
    lines.length ? h("pre.reasons", { tabindex: 0, "aria-label": "Reasons" }, linked(lines.join("\n").replace(/^\n/, ""), place)) : null,
    found.kind === "reasons" && found.ask !== "cost" && found.data.derivation?.length ? h("p", button("Draw it", () => start("picture"))) : null,
  ];
}

// Is an answer meant? The replies so far go along with the next request.
function question() {
  const reply = (meant) => () => start("debug", [...found.replies, { ...found.question, meant }]);
  const lines = found.text.split("\n");
  return [
    h("pre.reasons", { tabindex: 0, "aria-label": "Question" }, lines.slice(0, -1).join("\n")),
    h("p", h("b", capital(lines.at(-1)))),
    h("div.row-of", { role: "group", "aria-label": "Reply" },
      button("Yes", reply(true), { class: "main" }), button("No", reply(false)), button("I do not know", reply(null))),
  ];
}

function repairs() {
  const repair = found.data.suspects.find((one) => one.repair)?.repair;
  return repair ? h("p", button("Take the repair", () => { const repaired = repair.text; text.replace(repaired); forget(); say("The program has the repair; undo takes it back."); })) : null;
}

let image = { svg: null, url: "" }; // the last drawing
function drawing() {
  if (image.svg !== found.picture) {
    URL.revokeObjectURL(image.url);
    image = { svg: found.picture, url: URL.createObjectURL(new Blob([found.picture], { type: "image/svg+xml" })) };
  }
  return [
    h("div.scroll", h("img", { src: image.url, alt: `The derivation of ${state.lp.atom} as a graph; “Why?” has it as text.` })),
    h("p", button("Save", () => save("why.svg", found.picture, "image/svg+xml"))),
  ];
}

function answers() {
  const lp = found.language === "lp";
  const views = [["tables", lp ? "Tables" : "Table"], ["text", "Text"], ...(lp && found.answers.slice(0, 10).some(hasGraph) ? [["graph", "Graph"]] : [])];
  const chosen = views.some(([name]) => name === view) ? view : lp ? "tables" : "text";
  at = Math.min(at, found.answers.length - 1);
  const to = (one) => { at = one; drawResults(); say(`Answer ${at + 1} of ${found.answers.length}`); };
  const pick = lp && chosen !== "text" && found.answers.length > 1 ? h("div.row-of", { role: "group", "aria-label": "Answers" },
    button("‹", () => to(at - 1), { disabled: at === 0, "aria-label": "previous answer" }),
    h("span", `${at + 1} of ${found.answers.length}`),
    button("›", () => to(at + 1), { disabled: at === found.answers.length - 1, "aria-label": "next answer" })) : null;
  const one = found.answers[at];
  const cost = lp && chosen !== "text" && one.cost?.length ? h("span", `cost ${one.cost.join(", ")}`) : null;
  const cheapest = lp && found.ask === "optimal" && one.cost?.length && !found.running;
  return [
    h("div.row-of",
      h("div.segments", { role: "group", "aria-label": "Show answers as" }, views.map(([name, title]) => button(title, () => { view = name; drawResults(); }, { "aria-pressed": String(name === chosen) }))),
      pick),
    cheapest ? h("div.row-of", cost, button("Why no lower?", () => start("cost"), { class: "small" })) : cost,
    chosen === "text" ? h("pre", { id: "output", tabindex: 0, "aria-label": "Answers" }, cut(found.answers.map(plain).join("\n")))
      : chosen === "graph" ? graphOf(one, drawn, drawResults)
        : h("div.scroll", lp ? tables(one, (atom) => { own().atom = atom; $("atom").value = atom; start("why"); }) : bindings(found.answers)),
  ];
}

const plain = ({ text: said, cost }, index) => (found.language === "lp" ? `answer ${index + 1}${cost?.length ? `   cost ${cost.join(", ")}` : ""}\n${said}` : said);

// The two parts of the page: puzzles and programs. `?programs` in the address is the second.

const isOpen = () => new URLSearchParams(location.search).has("programs");
const page = h("div", { id: "programs", role: "main" },
  h("section", { id: "program-side", "aria-label": "Program" }, form), results);
const parts = [["Puzzles", false], ["Programs", true]].map(([title, programs]) => button(title, () => openPrograms(programs)));

export function openPrograms(open = true) {
  if (open !== isOpen()) history.pushState(null, "", `${location.pathname}${open ? "?programs" : ""}${location.hash}`);
  showPart();
}

function showPart() {
  document.body.classList.toggle("on-programs", isOpen());
  parts.forEach((one, index) => one.setAttribute("aria-pressed", String(Boolean(index) === isOpen())));
  document.title = `lpbridge ${isOpen() ? "programs" : "workbench"}`;
  if (isOpen() && text.element.isConnected) text.begin(text.text);
}

// The keys and the clipboard of the puzzles are not for programs.
function leaveAlone(event) {
  if (isOpen() && !event.target.closest?.("#programs")) event.stopImmediatePropagation();
}

// What stands there where the workbench was started without them.
const notAllowed = () => h("section", { "aria-label": "Program" },
  h("h2", "Programs do not run in this workbench"),
  h("p", "Start it with ", h("code", "lpbridge puzzle serve --allow-programs"), ", and clingo and SWI-Prolog programs are written, run and explained here, each confined as by ", h("code", "lpbridge run --untrusted"), "."),
  h("p", "In a terminal ", h("code", "lpbridge run"), ", ", h("code", "diagnose"), " and ", h("code", "why"), " take the files as they are."));

// Add the part to the page.
export function addPrograms(allowed) {
  if (allowed) {
    restore();
    drawForm();
    text.begin(own().text);
    drawResults();
  } else {
    page.replaceChildren(notAllowed());
  }
  document.querySelector("header h1").after(h("div.segments", { id: "parts", role: "group", "aria-label": "Parts of the page" }, parts));
  document.querySelector("main").after(page);
  window.addEventListener("popstate", showPart);
  for (const kind of ["paste", "keydown"]) document.addEventListener(kind, leaveAlone, true);
  showPart();
}
