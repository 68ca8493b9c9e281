// What a format carries besides the puzzle: title, author, rules in words, and the clues of a crossword in words.

import { $, h } from "./html.js";
import { KINDS } from "./puzzle.js";
import { state } from "./store.js";

const text = (value) => (typeof value === "string" ? value.trim() : "");

// The name of the puzzle, for the heading and for print.
export function drawAbout() {
  const { puzzle, about = {} } = state.puzzle;
  const title = text(about.title);
  const by = [text(about.author) && `by ${text(about.author)}`, text(about.copyright)].filter(Boolean).join(" · ");
  $("name").textContent = title || KINDS[puzzle].title;
  $("name").className = title ? "" : "printed";
  $("by").textContent = by;
  $("by").hidden = !by;
  $("rules").textContent = text(about.rules);
  $("rules").hidden = !text(about.rules);
  const lists = ["across", "down"].map((way) => entries(about.clues, way)).filter(Boolean);
  $("entries").replaceChildren(...lists);
  $("entries").hidden = !lists.length;
}

function entries(clues, way) {
  const found = Object.entries(clues ?? {}).map(([entry, said]) => [...entry.split(" "), text(said)]).filter(([, which, said]) => which === way && said);
  if (!found.length) return null;
  found.sort(([a], [b]) => a - b);
  return h("div", h("h3", way === "across" ? "Across" : "Down"), h("ol.plain", found.map(([number, , said]) => h("li", { value: Number(number) || null }, said))));
}
