// Makes elements: h("button.small", { onclick }, "text", child). Text is never parsed as HTML.

export function h(what, ...parts) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const part of parts.flat(Infinity)) {
    if (part === null || part === undefined || part === false) continue;
    if (part instanceof Node || typeof part === "string" || typeof part === "number") element.append(part);
    else set(element, part);
  }
  return element;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") || name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
}

export const $ = (id) => document.getElementById(id);

// A button with a text.
export const button = (text, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, text);

// A labelled choice: pairs of value and text.
export function choice(label, pairs, value, onchange) {
  const options = pairs.map(([one, text]) => h("option", { value: one, selected: one === value }, text));
  const select = h("select", { onchange: () => onchange(select.value) }, options);
  return h("label", h("span", label), select);
}

export const cellName = ([row, column]) => `r${row}c${column}`;
export const readCell = (name) => name.match(/\d+/g).map(Number);

// What an element does while one points at it, or has the focus on it.
export const pointed = (on, off) => ({ onmouseenter: on, onfocus: on, onmouseleave: off, onblur: off });

// "a, b and c"
export function listed(words, and = " and ") {
  return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + and + words.at(-1);
}

export const many = (count, one, several = one + "s") => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

// Joins parts to a sentence: "what; hint."
export const sentence = (...parts) => parts.filter(Boolean).join("; ").replace(/(?<![.?!…])$/, ".");

// Draw the contents of an element anew; the focus, open details and the scroll position of a text are kept.
export function redraw(place, draw) {
  const { scrollTop = 0 } = place.querySelector("pre") ?? {};
  const focusable = () => [...place.querySelectorAll("button, [tabindex], summary, select, textarea, input")];
  const details = () => [...place.querySelectorAll("details > summary")];
  const kept = place.contains(document.activeElement) ? focusable().indexOf(document.activeElement) : -1;
  const opened = new Set(details().filter((one) => one.parentElement.open).map((one) => one.textContent));
  draw();
  for (const one of details()) if (opened.has(one.textContent)) one.parentElement.open = true;
  place.querySelector("pre")?.scrollTo(0, scrollTop);
  if (kept >= 0) focusable()[Math.min(kept, focusable().length - 1)]?.focus();
}

// Text for screen readers only.
export const say = (text) => { $("say").textContent = text; };

const note = $("toast");
let hiding;

// A message at the foot of the page for a moment, or in the open dialog, which hides the rest.
export function toast(text) {
  (document.querySelector("dialog[open]") ?? document.body).append(note);
  note.textContent = text;
  note.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { note.hidden = true; }, 4000);
}

export async function copy(text, said = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast("The browser did not allow it: copy by hand.");
  }
}

export function save(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
