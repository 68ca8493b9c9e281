// The verdict and its reasons, in words, with buttons that change the puzzle.

import { $, button, h, listed, many, pointed, readCell, say, sentence } from "./html.js";
import { KINDS, clueCount, isEmpty, withSign, withValues } from "./puzzle.js";
import { edit, light, look, openCells, show, showExample, state } from "./store.js";

const SHOWN = 8;

// Descriptions of the levels of difficulty.
const HARDNESS = {
  fc: "Filling in cells that have one value left is enough.",
  ac: "Looking at one rule at a time is enough.",
  singles: "The only place for a value in a row, column or box has to be found.",
  locked: "Two rules have to be seen together: locked candidates.",
  gac: "Pairs, triples or quads have to be found.",
  fish: "A value has to be followed through several rows and columns: an X-wing or a larger fish.",
  wings: "Two or three cells or houses have to be linked: wings.",
  chains: "Longer chains of candidates have to be found.",
  shaving: "Some values have to be tried before one sees that they cannot be.",
  search: "Values have to be tried, and others tried on top of them.",
};

const capital = (word) => word[0].toUpperCase() + word.slice(1);

const LIMITS = { seconds: "The time limit came first: these are the results up to then.", memory: "The memory limit came first." };

// The verdict: headline, detail and class. Screen readers get the same words.
export function verdict() {
  const { verdict, error, busy, ambiguity, end } = state.found;
  if (!verdict) {
    if (error && state.puzzle.words?.length === 0) return ["No words yet", "A crossword is filled from a word list: paste one below the grid, or open a file.", "error"];
    if (error) return [error.kind === "input" ? "No puzzle yet" : "No answer", sentence(error.message, error.hint), "error"];
    if (end && !end.complete) return ["No answer", ended(end), "unknown"];
    return busy ? ["Waiting …", "The workbench is busy; it is asked again in a moment.", "unknown"] : ["Looking …", "", "unknown"];
  }
  if (uncounted()) return ["An empty grid", "Type clues, paste a puzzle, look at an example, or make a new one.", "unknown"];
  switch (verdict.verdict) {
    case "unique": return ["One solution", uniqueDetail(), "unique"];
    case "impossible": return ["No solution", "Some of the rules and clues contradict each other. The grid marks where.", "impossible"];
    case "ambiguous": {
      const number = ambiguity && (ambiguity.complete ? many(ambiguity.number, "solution") : `At least ${many(ambiguity.number, "solution")}`);
      const { open, all, framed } = openCells();
      const rest = all - open;
      const certain = rest === 0 ? "" : rest === 1 ? " The other one is certain." : ` The other ${rest} are certain.`;
      return [number ?? "More than one solution", open ? `They differ in ${rest === 0 ? "every cell" : many(open, "cell")}${framed ? ", framed in the grid" : ""}.${certain}` : "", "ambiguous"];
    }
    default: return ["Not known", `${verdict.solutions.length ? "There is a solution; perhaps there are others. " : ""}${LIMITS.seconds}`, "unknown"];
  }
}

// Whether the grid is empty, and has more solutions than were counted: no number would say anything.
function uncounted() {
  const { verdict, ambiguity } = state.found;
  return isEmpty(state.puzzle) && ["ambiguous", "unknown"].includes(verdict?.verdict) && !(ambiguity?.complete);
}

function uniqueDetail() {
  const { grade } = state.found;
  return grade?.level ? `${capital(grade.difficulty)} to solve. ${HARDNESS[grade.level]}` : "";
}

export function drawVerdict() {
  const [head, detail, kind] = verdict();
  const place = $("verdict");
  place.className = kind;
  place.classList.toggle("looking", state.looking);
  place.classList.toggle("stale", state.stale);
  $("headline").textContent = head;
  $("detail").textContent = detail;
  if (!state.looking) say(`${head}. ${detail}`);
}

const ended = ({ limit, remark }) => LIMITS[limit] ?? `Its process ended before the answer was complete (${remark ?? limit}).`;

// What is not there: on its way, or not computed.
const missing = (what) => [h("p.quiet", `${what[0].toUpperCase()}${what.slice(1)}: ${state.looking ? "looking …" : "not computed."}`)];

// What went wrong on the way, and what was found by then is shown all the same.
function trouble({ end, error }) {
  if (!error && (!end || end.complete)) return [];
  return [h("p.trouble", error ? sentence(error.message, error.hint) : ended(end), " ", button("Look again", look))];
}

// The panel "Why".
export function why() {
  const { found } = state;
  if (uncounted()) return [...trouble(found), ...beginning()];
  const parts = [
    ...(isEmpty(state.puzzle) ? beginning() : []),
    ...trouble(found),
    ...clashes(found), ...removals(found),
    ...groups(found), ...additions(found),
    ...grade(found), ...redundant(found),
    ...(found.rules?.premises.length > SHOWN ? [h("details", h("summary", "The rules of the open cells"), h("p", joined(found.rules.premises.map((one) => chip(one)))))] : []),
    ...notes(found),
  ];
  return parts.length ? parts : [h("p.quiet", state.looking ? "Looking …" : "Type a puzzle into the grid, or paste one.")];
}

// What can be done with an empty grid.
function beginning() {
  const { file, sizes } = KINDS[state.puzzle.puzzle];
  return [
    h("h3", "Begin with"),
    h("div.row-of",
      button("Paste or open a file…", () => $("paste").click()),
      button("Show an example", showExample),
      sizes.length ? button("Make a new puzzle…", () => $("new").click()) : null),
    h("p.quiet", file ? "Or draw: above the grid one chooses what. Everything is text, too: “As text”, below the grid." : "Or select a cell and type: every change is checked at once."),
  ];
}

// A mention of a rule or cell, which highlights its cells on hover and focus.
export function chip(mention, text = mention.text) {
  const on = () => light([mention], mention.holds ? mention.cells.map((cell) => [cell, mention.value]) : []);
  return h("span.chip", { tabindex: 0, role: "note", "aria-label": text, title: mention.says, ...pointed(on, off) }, said(text));
}

const off = () => light();
// Unbreakable blanks around a sign.
export const said = (text) => text.replace(/(?<=\S) ?([=≠<>]) ?(?=\S)/g, "\u00a0$1\u00a0");

// A button that changes the puzzle, with a preview of the change on hover and focus.
function fixButton(text, mentions, change, preview) {
  const on = () => light(mentions, preview);
  return button(text, () => { light([]); edit(change()); }, { class: "fix", ...pointed(on, off) });
}

function clashes({ clashes, broken, verdict }) {
  const messages = (broken?.violations ?? []).map((one) => h("p", sentence(one.message))).slice(0, SHOWN);
  if (!clashes) {
    if (messages.length) return [h("h3", "What clashes"), ...messages];
    return verdict?.verdict === "impossible" ? missing("what clashes") : [];
  }
  return clashes.clashes.map((clash, index) => {
    const facts = clash.premises.filter((one) => one.value !== undefined);
    const rules = clash.premises.filter((one) => one.value === undefined);
    const said = new Map(); // rules with the same sentence, in one line
    for (const rule of rules) said.set(rule.says, [...(said.get(rule.says) ?? []), rule]);
    if (clash.premises.length === 1) return h("section", h("h3", "This cannot hold"), h("p", chip(rules[0]), h("span.quiet", ` — ${rules[0].says}`)), messages);
    return h("section",
      h("h3", index ? "Nor can these all hold" : "These cannot all hold"),
      h("ul.plain",
        facts.length ? h("li", h("b", facts.length === 1 ? "the clue " : "the clues "), joined(facts.map((one) => chip(one)))) : null,
        [...said].map(([says, which]) => h("li", joined(which.map((one) => chip(one))), h("span.quiet", ` — ${says}`)))),
      h("p.quiet", clash.minimal ? "Each of them is needed: without any one, the others can hold together." : "Perhaps not all of them are needed: the time limit came first."));
  });
}

const joined = (nodes) => nodes.flatMap((node, index) => (index === 0 ? [node] : [index === nodes.length - 1 ? " and " : ", ", node]));

function removals({ removals, after, verdict }) {
  if (verdict?.verdict !== "impossible") return [];
  if (!removals) return missing("which clues to take away");
  if (!removals.sets.length && removals.complete) return []; // a note reports it
  if (!removals.sets.length) return [h("p", `At least ${many(removals.size, "clue")} must go; which ones was not found in time.`)];
  const head = removals.sets.length === 1 ? "Take away" : removals.size === 1 ? "Take away any one of these" : `Take away ${removals.size} clues together, one of these sets`;
  return [h("h3", head), repairList(removals, (set) => listed(set.map((one) => said(one.text))), without, (_, index) => outcome(after?.after[index]))];
}

function outcome(after) {
  if (!after) return "";
  if (!after.unique) return "then there are several solutions";
  const values = Object.entries(after.values).map(([cell, value]) => said(`${cell}=${value}`));
  return `then there is one solution${values.length ? `, with ${listed(values)}` : ""}`;
}

const without = (set) => set.reduce((puzzle, one) => (one.value === undefined ? withoutRule(puzzle, one) : withValues(puzzle, [[one.cells[0], null]])), state.puzzle);

function withoutRule(puzzle, { text, cells }) {
  if (!puzzle.facts) return withSign(puzzle, cells[0], cells[1], "");
  const gone = new Set(state.board?.given.get(text) ?? []);
  return { ...puzzle, facts: puzzle.facts.filter((fact) => !gone.has(fact)) };
}

const withAll = (set) => withValues(state.puzzle, set.map((one) => [one.cells[0], one.value]));

function repairList(repairs, text, change, remark = () => "") {
  const items = repairs.sets.map((set, index) => h("li", fixButton(text(set), set, () => change(set), set.filter((one) => one.holds).map((one) => [one.cells[0], one.value])), " ", h("span.quiet", remark(set, index))));
  const rest = items.slice(SHOWN);
  return h("div", h("ul.fixes", items.slice(0, SHOWN)), rest.length ? h("details", h("summary", `${rest.length} more`), h("ul.fixes", rest)) : null,
    repairs.complete ? null : h("p.quiet", "There may be others."));
}

const MOST_WAYS = 12;

function groups({ ambiguity, verdict }) {
  if (verdict?.verdict !== "ambiguous") return [];
  const groups = ambiguity?.groups;
  if (!groups) return missing("which cells vary together");
  if (!groups.length) return [h("h3", "Where the solutions differ"), h("p", "No two cells are bound to each other: the open cells vary in many ways.")];
  const shown = groups.length === 1 ? oneGroup(groups[0]) : [
    h("p", "These cells change together. ", either()),
    h("ul.plain", groups.slice(0, SHOWN).map((group) => h("li", `${listed(group.cells)}: `, group.ways.slice(0, MOST_WAYS).flatMap((way, index) => [index ? " or " : "", wayOf(group, way, h("span.chip"), way.join(" "))])))),
    groups.length > SHOWN ? h("p.quiet", `And ${groups.length - SHOWN} more groups.`) : null,
  ];
  return [h("h3", "Where the solutions differ"), ...shown, ambiguity.finished ? null : h("p.quiet", "There may be more groups."), h("p.quiet", `Point at the values, or tap them, to see them in the grid. (${groups[0].cells[0]} is ${placeOf(groups[0].cells[0])}.)`)];
}

function either() {
  const rules = state.found.rules?.premises ?? [];
  const kept = rules.length && rules.length <= SHOWN ? ["Their rules (", joined(rules.map((one) => chip(one))), ") are kept either way"] : "Either way every rule is kept";
  return [kept, ", and no clue says which it is:"];
}

const placeOf = (name) => `row ${readCell(name)[0]}, column ${readCell(name)[1]}`;

const LETTERS = "ABCDEFGHIJKL";

function oneGroup(group) {
  const { cells, ways } = group;
  if (cells.length > SHOWN) {
    return [h("p", `${cells.length === openCells().open ? "The" : "These"} ${cells.length} cells hang together: settle one of them, and the others follow. `, either(), " ",
      ways.slice(0, MOST_WAYS).flatMap((way, index) => [index ? " or " : "", wayOf(group, way, h("span.chip"), LETTERS[index])]), ".")];
  }
  const rows = ways.slice(0, MOST_WAYS).map((way, index) => wayOf(group, way, h("tr"), h("th", { scope: "row" }, LETTERS[index]), way.map((value) => h("td", String(value).toUpperCase()))));
  return [
    h("p", `${listed(cells)} change together. `, ways.length === 2 ? either() : `They can be filled in ${ways.length} ways:`),
    h("div.scroll", h("table.ways", h("thead", h("tr", h("td"), cells.map((name) => h("th", { scope: "col" }, name)))), h("tbody", rows))),
  ];
}

// One way to fill a group, previewed in the grid on hover and focus.
function wayOf({ cells }, way, element, ...parts) {
  const places = cells.map(readCell);
  const on = () => light(places.map((cell) => ({ cells: [cell], value: 0 })), places.map((cell, index) => [cell, way[index]]));
  Object.assign(element, { tabIndex: 0, ...pointed(on, off), onclick: on });
  element.setAttribute("aria-label", listed(cells.map((name, index) => `${name} is ${way[index]}`)));
  element.append(...parts.flat());
  return element;
}

function additions({ additions, verdict }) {
  if (verdict?.verdict !== "ambiguous") return [];
  if (!additions || (!additions.sets.length && additions.size < 2)) return missing("which clues to add");
  if (!additions.sets.length) return [h("p", `No ${many(additions.size - 1, "clue")} alone make it unique: give more before you ask again.`)];
  const head = additions.size === 1 ? "Add one clue, and one solution is left" : `Add ${additions.size} clues, and one solution is left`;
  return [h("h3", head), repairList(additions, (set) => listed(set.map((one) => said(one.text))), withAll)];
}

function grade({ grade, verdict }) {
  if (verdict?.verdict !== "unique") return [];
  const actions = h("div.row-of", button("Show the solution", () => show("0")), button("Explain it step by step", () => $("tab-steps").click()));
  if (!grade) return [actions, ...missing("the grade")];
  const reached = grade.ladder.findIndex((level) => level.name === grade.reached);
  const ladder = h("ol.ladder", { "aria-label": "Difficulty" }, grade.ladder.map((level, index) => h("li", { class: index <= reached ? "on" : "", title: level.title, "aria-current": index === reached && "step" }, index && grade.ladder[index - 1].difficulty === level.difficulty ? "" : capital(level.difficulty))));
  const guesses = grade.level === "search" ? `, ${many(grade.guesses, "guess", "guesses")}` : "";
  const name = grade.level ? `${grade.title}, score ${grade.score}${guesses}` : `not computed; ${grade.title} was reached in time`;
  return [actions, h("h3", "Difficulty"), ladder, h("p.quiet", `The easiest techniques that solve it: ${name}.`)];
}

function redundant({ redundant, spare, verdict }) {
  if (verdict?.verdict !== "unique" || !clueCount(state.puzzle, state.board)) return [];
  if (!redundant || (!redundant.premises.length && !spare)) return missing("which clues could go");
  if (!redundant.premises.length) return [h("h3", "Clues"), h("p", "Every clue is needed: without any one there would be several solutions.")];
  const sets = redundant.premises.map((one) => [one]);
  const together = spare?.premises.length > 1 ? h("p", fixButton(`Take away ${spare.premises.length} at once`, spare.premises, () => without(spare.premises), []), h("span.quiet", " and no other could go.")) : null;
  return [h("h3", `${many(sets.length, "clue")} could go`), h("details", h("summary", "Each of them alone"), repairList({ sets, complete: Boolean(spare) }, (set) => said(set[0].text), without)), together];
}

function notes({ notes, verdict }) {
  if (!notes) return [];
  return [
    ...notes.notes.map((note) => h("p.quiet", sentence(`Note: ${note}`))),
    ...(notes.limit && verdict?.verdict !== "unknown" ? [h("p.quiet", LIMITS[notes.limit] ?? "")] : []),
  ];
}
