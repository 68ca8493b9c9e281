// The page: draws its parts when the state changes.

import { drawAbout } from "./about.js";
import { about } from "./ask.js";
import { draw, drawPad } from "./board.js";
import { drawSettings, help, newPuzzle, paste } from "./dialogs.js";
import { drawVerdict, why } from "./findings.js";
import { $, button, h, redraw, say, toast } from "./html.js";
import { engines, source, steps } from "./panels.js";
import { KINDS, addKinds } from "./puzzle.js";
import { share } from "./share.js";
import { begin, canRedo, canUndo, choose, light, redo, show, state, subscribe, undo } from "./store.js";

let choices = null; // the choices that the server offers
let tab = "why";

const TABS = {
  why: ["Why", () => why()],
  steps: ["Step by step", () => steps()],
  engines: ["Engines", () => engines(choices, drawPanel)],
  source: ["Source", () => source(drawPanel)],
};

function drawTabs() {
  $("tabs").replaceChildren(...Object.entries(TABS).map(([name, [title]]) =>
    button(title, () => openTab(name), { role: "tab", id: `tab-${name}`, "aria-selected": String(name === tab), "aria-controls": "panel", tabindex: name === tab ? 0 : -1 })));
  $("panel").setAttribute("aria-labelledby", `tab-${tab}`);
}

function openTab(name) {
  tab = name;
  drawTabs();
  state.stepping = name === "steps";
  light();
  drawPanel();
  $(`tab-${name}`).focus();
}

// Redrawn with every part that arrives.
function drawPanel() {
  const panel = $("panel");
  redraw(panel, () => panel.replaceChildren(...TABS[tab][1]().filter(Boolean)));
}

function drawViews() {
  const { verdict } = state.found;
  const several = (verdict?.solutions.length ?? 0) > 1;
  const views = [["clues", "Clues"], ["candidates", "Candidates"], ...(several ? [["0", "A", "Solution "], ["1", "B", "Solution "]] : verdict?.solutions.length ? [["0", "Solution"]] : [])];
  const place = $("views");
  const focused = place.contains(document.activeElement) && document.activeElement.value;
  place.replaceChildren(place.firstElementChild, ...views.map(([value, title, before = ""]) => h("label", h("input", { type: "radio", name: "view", value, checked: value === state.view, onchange: () => show(value) }), h("span", h("i", before), title))));
  if (focused) place.querySelector(`[value="${CSS.escape(focused)}"]`)?.focus();
}

function drawKinds() {
  const place = $("kinds");
  redraw(place, () => place.replaceChildren(...Object.entries(KINDS).map(([kind, { title }]) =>
    button(title, () => choose(kind), { "aria-pressed": String(kind === state.puzzle.puzzle) }))));
  const now = place.querySelector("[aria-pressed=true]"); // in view where the row is scrolled
  place.scrollLeft = now.offsetLeft - place.offsetLeft - (place.clientWidth - now.offsetWidth) / 2;
}

subscribe((what) => {
  if (what === "puzzle" || what === "example") {
    drawKinds();
    drawAbout();
    redraw($("pad"), drawPad);
    redraw($("settings"), drawSettings);
    const { sizes, title } = KINDS[state.puzzle.puzzle];
    $("new").disabled = !sizes.length;
    $("new").title = sizes.length ? "" : `${title}: its facts cannot be made; paste one, or edit it as text`;
    $("undo").disabled = !canUndo();
    $("redo").disabled = !canRedo();
  }
  draw();
  if (what === "puzzle" || what === "found" || what === "view") drawViews();
  if (what === "puzzle" || what === "found") drawVerdict();
  if (what === "steps" && state.steps?.shown) say(state.steps.list[state.steps.shown - 1].sentence);
  if (!["lit", "cell", "view", "tool"].includes(what)) drawPanel();
  if (what === "steps") $("panel").querySelector(".now")?.scrollIntoView({ block: "nearest" });
});

$("tabs").addEventListener("keydown", (event) => {
  const names = Object.keys(TABS);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) openTab(names[(names.indexOf(tab) + step + names.length) % names.length]);
});
document.querySelector(".skip").onclick = (event) => { // the fragment is the puzzle's
  event.preventDefault();
  $("board").querySelector(".cursor")?.focus();
};
document.addEventListener("paste", (event) => {
  if (event.target.closest("input, textarea")) return;
  const text = event.clipboardData.getData("text");
  if (text.trim()) paste(text);
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, #board, dialog")) return;
  if (event.key === "z" && !event.shiftKey) undo();
  else if (event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z")) redo();
  else return;
  event.preventDefault();
});
window.addEventListener("hashchange", async ({ newURL }) => (await begin(new URL(newURL).hash.slice(1))) || toast("This link carries no puzzle."));

$("undo").onclick = undo;
$("redo").onclick = redo;
$("new").onclick = () => newPuzzle(choices);
$("paste").onclick = () => paste();
$("share").onclick = () => share(choices);
$("help").onclick = help;

choices = await about();
addKinds(choices.puzzles);
drawTabs();
if (!(await begin())) {
  toast("This link carries no puzzle.");
  history.replaceState(null, "", location.pathname);
  await begin();
}
